//! `design.json`: the whole design as JSON.

use cql::BatchKind;
use design::estimate::{SizePoint, TombstoneSeries, TombstoneThreshold};
use model::id::{IdList, ReadId, TableId, WriteId};
use model::plan::{
    ColumnRole, Derivation, Direction, Loop, NoteKind, NoteSubject, PlannedColumn, PlannedRun,
    PlannedStatement, PlannedTable, Quantiles, ReadPlan, ReadStep, StatementText, WriteStep,
};
use model::workload::{Limit, Parameter, Source, Supply};
use serde_json::{Value, json};

use super::phrases::PlanPhrases;
use super::{DesignView, choice, marks, model_warnings, proof, write_result};

/// The design as one object.
pub(crate) fn object(subject: DesignView<'_>) -> Value {
    let (file, design) = (subject.file, subject.design);
    let reads: Vec<_> = design.reads.ids().map(|at| read(subject, at)).collect();
    let stated = file.workload.list_stated_writes();
    let writes: Vec<_> = stated.ids().map(|at| write(subject, &[at])).collect();
    json!({
        "keyspace": file.concept.keyspace,
        "replication": file.concept.replication.iter().cloned().collect::<std::collections::BTreeMap<_, _>>(),
        "nodes": file.concept.nodes,
        "tables": design.tables.ids().map(|at| table(subject, at)).collect::<Vec<_>>(),
        "reads": reads,
        "writes": writes,
        "notes": subject.notes().map(|note| json!({
            "kind": kind_name(note.kind),
            "about": subject_name(subject, note.about),
            "message": note.topic.to_string(),
            "help": note.topic.help(),
            "rules": note.topic.rules(),
        })).collect::<Vec<_>>(),
        "warnings": model_warnings::object(subject),
        "checklists": design.checklists.iter().map(|list| json!({
            "title": list.title,
            "points": list.points.iter().map(|point| json!({
                "question": point.asks, "satisfied": point.holds, "evidence": point.evidence,
            })).collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
        "choice": choice::object(subject),
        "proof_run": proof::object(subject),
        "optimal": choice::verdict(subject),
        "proof": proof::verdict(subject.proof),
    })
}

fn table(subject: DesignView<'_>, at: TableId) -> Value {
    let table: &PlannedTable = &subject.design.tables[at];
    let series = subject.series.get(at.index());
    let volume = &table.volume;
    let at = |days: f64| json!({ "rows": quantiles(volume.rows_after(days)), "bytes": quantiles(volume.bytes_after(days)) });
    json!({
        "name": table.name,
        "primary_key": design::create_statements::primary_key(table),
        "columns": table.columns.iter().map(|planned| column(subject, planned)).collect::<Vec<_>>(),
        "serves": table.serves.iter().filter_map(|served| Some(&subject.file.workload.reads.member(served.read)?.name)).collect::<Vec<_>>(),
        "purpose": subject.purpose(table),
        "only_rows_with": subject.restriction(table),
        "view_of": table.view_of.and_then(|base| Some(&subject.design.tables.member(base)?.name)),
        "indexes": table.indexes.iter().map(|index| json!({
            "name": index.name,
            "column": index.column,
            "kind": if index.attached { "sai" } else { "secondary" },
            "reason": index.reason.text,
            "figures": index.figures.map(|figures| json!({
                "values": number(figures.values),
                "band": figures.band.to_string(),
                "rows": number(figures.rows),
                "nodes": figures.nodes.map(number),
            })),
        })).collect::<Vec<_>>(),
        "options": {
            "default_time_to_live": table.options.default_time_to_live,
            "compaction": table.options.compaction,
            "gc_grace_seconds": table.options.gc_grace_seconds,
            "compression": table.options.compression,
            "caching": table.options.caching,
            "reasons": table.options.reasons.iter().map(|(option, why)| json!({ "option": option, "reason": why })).collect::<Vec<_>>(),
        },
        "sizes": {
            "row_bytes": number(volume.row_bytes),
            "partitions": number(volume.partitions),
            "today": at(0.0),
            "in_1_year": at(365.25),
            "in_3_years": at(3.0 * 365.25),
            "in_5_years": at(5.0 * 365.25),
            "at_dates": volume.curve_dates().map(|days| json!({ "days": number(days), "size": at(days) })).collect::<Vec<_>>(),
            "days_until_100_mb": volume.days_until(100e6).map(number),
            "series": series.map(|it| it.sizes.iter().map(size).collect::<Vec<_>>()),
            "stated": series.map(|it| it.is_stated),
            "hottest_writes_per_second": number(volume.hottest_writes),
            "hottest_reads_per_second": number(volume.hottest_reads),
        },
        "tombstones": series.and_then(|it| it.tombstones.as_ref()).map(tombstones),
    })
}

/// The size of a table on one date.
fn size(point: &SizePoint) -> Value {
    json!({
        "days": number(point.days),
        "partitions": number(point.partitions),
        "rows": quantiles(point.rows),
        "bytes": quantiles(point.bytes),
        "disk_bytes": number(point.disk_bytes),
    })
}

/// The tombstones of a table by day.
fn tombstones(series: &TombstoneSeries) -> Value {
    let thresholds = |all: &[TombstoneThreshold]| -> Vec<Value> {
        let threshold = |it: &TombstoneThreshold| {
            json!({
                "name": it.limit.name,
                "tombstones": number(it.limit.most),
                "day": it.compacted.map(number),
                "day_without_compaction": it.kept.map(number),
            })
        };
        all.iter().map(threshold).collect()
    };
    json!({
        "per_partition_and_day": number(series.growth.per_day),
        "grace_days": number(series.growth.grace_days),
        "days": series.points.iter().map(|point| json!({
            "day": number(point.day),
            "live": quantiles(point.live),
            "protected": quantiles(point.protected),
            "droppable": quantiles(point.droppable),
        })).collect::<Vec<_>>(),
        "thresholds": thresholds(&series.thresholds),
        "reads": series.reads.iter().map(|(scan, reached)| json!({
            "name": scan.name,
            "rows": number(scan.rows),
            "tombstones_per_day": number(scan.tombstones_per_day),
            "thresholds": thresholds(reached),
        })).collect::<Vec<_>>(),
    })
}

fn quantiles(figures: Quantiles) -> Value {
    json!({
        "mean": number(figures.mean), "p50": number(figures.p50), "p99": number(figures.p99),
        "p99.9": number(figures.p999), "max": number(figures.max),
    })
}

/// A number rounded to three decimals, so that the output is the same on every platform.
fn number(figure: f64) -> Value {
    json!((figure * 1e3).round() / 1e3)
}

fn column(subject: DesignView<'_>, column: &PlannedColumn) -> Value {
    let role = match column.role {
        ColumnRole::Partition => "partition",
        ColumnRole::Clustering(Direction::Ascending) => "clustering ascending",
        ColumnRole::Clustering(Direction::Descending) => "clustering descending",
        ColumnRole::Static => "static",
        ColumnRole::Regular => "regular",
        ColumnRole::Counter => "counter",
    };
    json!({
        "name": column.name,
        "type": column.ty.to_string(),
        "mark": marks::mark(column),
        "role": role,
        "derivation": derivation(&column.derivation),
        "reasons": column.reasons.iter().map(|reason| json!({
            "rule": reason.rule.name(),
            "query": reason.read.and_then(|read| Some(&subject.file.workload.reads.member(read)?.name)),
            "text": reason.text,
        })).collect::<Vec<_>>(),
    })
}

/// Describes what a column is derived from.
fn derivation(derivation: &Derivation) -> String {
    match derivation {
        Derivation::Attribute(_) => "attribute".to_owned(),
        Derivation::Coalesced(_, constant) => format!("attribute, or {constant}"),
        Derivation::Element(_) => "element of an array".to_owned(),
        Derivation::Bucket(_, width) => format!("{width} bucket"),
        Derivation::Shard { count, .. } => format!("one of {count} shards"),
        Derivation::Constant => "constant 0".to_owned(),
        Derivation::Prefix(_, length) => format!("first {length} characters"),
        Derivation::Count(_) => "count".to_owned(),
        Derivation::Sum(_) => "sum".to_owned(),
        Derivation::Oldest(width) => format!("oldest {width} bucket"),
        Derivation::Newest(width) => format!("newest {width} bucket"),
    }
}

fn read(subject: DesignView<'_>, at: ReadId) -> Value {
    let read = &subject.file.workload.reads[at];
    let plan: &ReadPlan = &subject.design.reads[at];
    let names = PlanPhrases { subject, parameters: &read.parameters, sources: &read.sources };
    json!({
        "name": read.name,
        "number": DesignView::read_number(at),
        "sql": read.sql,
        "rate_per_second": number(read.rate.value),
        "consistency": read.consistency,
        "after": read.after.iter().filter_map(|at| Some(&subject.file.workload.reads.member(*at)?.name)).collect::<Vec<_>>(),
        "parameters": parameters(subject, &read.parameters),
        "partitions": number(plan.partitions),
        "partitions_at_most": plan.partitions_at_most.is_finite().then(|| number(plan.partitions_at_most)),
        "rows": number(plan.rows),
        "steps": plan.steps.iter().map(|step| read_step(names, step, read.limit)).collect::<Vec<_>>(),
        "client": plan.client.iter().map(|step| names.client(step)).collect::<Vec<_>>(),
        "remarks": plan.remarks.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}

fn parameters(subject: DesignView<'_>, parameters: &[Parameter]) -> Vec<Value> {
    parameters
        .iter()
        .map(|parameter| {
            let supply = match parameter.supply {
                Supply::User => "user".to_owned(),
                Supply::Nobody => "none".to_owned(),
                Supply::Client(value) => format!("client: {}", value.name()),
                Supply::Step { read, .. } => subject
                    .file
                    .workload
                    .reads
                    .member(read)
                    .map_or_else(String::new, |read| read.name.clone()),
            };
            json!({ "name": parameter.name, "type": parameter.ty.to_string(), "source": supply })
        })
        .collect()
}

/// Describes the values of a statement's bind markers.
fn operands(names: PlanPhrases<'_>, text: &StatementText<'_>, loops: &[Loop]) -> Vec<String> {
    text.operands().into_iter().map(|operand| names.operand(operand, loops)).collect()
}

fn read_step(names: PlanPhrases<'_>, step: &ReadStep, limit: Option<Limit>) -> Value {
    let text = step.select.text();
    json!({
        "table": names.subject.design.tables.member(step.table).map(|table| &table.name),
        "cql": text.cql,
        "values": operands(names, &text, &step.loops),
        "repeated": names.loops(&step.loops, limit),
    })
}

/// A write: the last of `within`, which run one another.
fn write(subject: DesignView<'_>, within: &[WriteId]) -> Value {
    let found = within.last().and_then(|at| {
        Some((subject.file.workload.writes.member(*at)?, subject.design.writes.member(*at)?))
    });
    let Some((write, plan)) = found else { return Value::Null };
    let sources = [Source { entity: write.entity, alias: String::new(), join: None }];
    let names = PlanPhrases { subject, parameters: &write.parameters, sources: &sources };
    let steps: Vec<_> = plan.steps.iter().map(|step| write_step(names, step, within)).collect();
    json!({
        "name": write.name,
        "sql": write.sql,
        "rate_per_second": number(write.rate.value),
        "consistency": write.consistency,
        "parameters": parameters(subject, &write.parameters),
        "amplification": number(plan.amplification),
        "tombstones": number(plan.tombstones),
        "idempotent": plan.idempotent,
        "computed": names.generation_phrases(write),
        "steps": steps,
        "checks": plan.checks.iter().map(|check| check.sql.clone()).collect::<Vec<_>>(),
        "returns": write_result::object(names, write, plan),
        "preconditions": plan.preconditions.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "remarks": plan.remarks.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}

fn write_step(names: PlanPhrases<'_>, step: &WriteStep, within: &[WriteId]) -> Value {
    match step {
        WriteStep::Read(step, reason) => {
            json!({ "read": read_step(names, step, None), "reason": reason })
        }
        WriteStep::Statement(planned) => json!({ "statement": statement(names, planned) }),
        WriteStep::Run(planned) => run(names, planned, within),
        WriteStep::Batch { kind, statements, reason } => {
            let kind = match kind {
                BatchKind::Logged => "logged",
                BatchKind::Unlogged => "unlogged",
                BatchKind::Counter => "counter",
            };
            let statements: Vec<_> =
                statements.iter().map(|planned| statement(names, planned)).collect();
            json!({ "batch": kind, "statements": statements, "reason": reason })
        }
    }
}

/// A derived write that is run: itself, or only its name where it runs itself.
fn run(names: PlanPhrases<'_>, run: &PlannedRun, within: &[WriteId]) -> Value {
    let subject = names.subject;
    let values = run.arguments.iter().map(|operand| names.operand(operand, &run.loops));
    let derived = if within.contains(&run.write) {
        json!({ "name": subject.file.workload.writes.member(run.write).map(|it| &it.name) })
    } else {
        let within: Vec<_> = within.iter().copied().chain([run.write]).collect();
        write(subject, &within)
    };
    json!({
        "run": derived,
        "values": values.collect::<Vec<_>>(),
        "repeated": names.loops(&run.loops, None),
        "guard": names.guard_list(&run.guards, &run.loops),
        "rows_p99": subject.p99_rows(run.write).map(number),
        "why": names.run(run),
    })
}

fn statement(names: PlanPhrases<'_>, statement: &PlannedStatement) -> Value {
    let text = statement.modification.text();
    json!({
        "table": names.subject.design.tables.member(statement.table).map(|table| &table.name),
        "cql": text.cql,
        "values": operands(names, &text, &statement.loops),
        "repeated": names.loops(&statement.loops, None),
        "guard": names.guards(statement),
        "condition": statement.condition,
        "reason": statement.reason,
    })
}

fn kind_name(kind: NoteKind) -> &'static str {
    match kind {
        NoteKind::Refusal => "refusal",
        NoteKind::Warning => "warning",
        NoteKind::Alternative => "alternative",
        NoteKind::Assumption => "assumption",
    }
}

/// The name of the subject of a note.
pub(crate) fn subject_name(subject: DesignView<'_>, about: NoteSubject) -> Option<String> {
    let (file, design) = (subject.file, subject.design);
    match about {
        NoteSubject::Design => None,
        NoteSubject::Entity(at) => {
            file.concept.entities.member(at).map(|entity| entity.name.clone())
        }
        NoteSubject::Read(at) => file.workload.reads.member(at).map(|read| read.name.clone()),
        NoteSubject::Write(at) => file.workload.writes.member(at).map(|write| write.name.clone()),
        NoteSubject::Table(at) => design.tables.member(at).map(|table| table.name.clone()),
    }
}
