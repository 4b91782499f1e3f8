//! Decisions that `helenus check` reports as findings: its rules see the statements, not the reason.
//!
//! What is listed here was decided in spite of the rule. What a note warns of, or refuses, is left
//! to the rule: both then say the same.

use model::id::{IdList, ReadId, TableId};
use model::plan::topic::WriteTopic;
use model::plan::{
    Allowance, AllowanceReason, AllowedStatements, Loop, Modification, Note, NoteSubject, Operand,
    PlanRemark, PlannedTable, ReadPlan, Topic, WritePlan, WriteStep,
};
use model::workload::{AssignmentValue, Column, WriteKind};

use super::cardinality::{self, PartitionSpread};
use super::review::{Review, source_columns, statements};
use super::{time_keys, tombstones};
use crate::mapping::find_collision;
use crate::volume;

/// The decisions of a design that rules report.
pub(super) fn find_allowances(review: Review<'_>) -> Vec<Allowance> {
    let tables = review.design.tables.enumerate_ids().flat_map(|(at, table)| {
        let reasons = table_reasons(review, at, table).into_iter();
        reasons.map(move |reason| Allowance { on: AllowedStatements::Table(at), reason })
    });
    let reads = review.reads().flat_map(|(at, read, plan)| {
        let given = AllowanceReason::GivenKey { reads: vec![read.name.clone()] };
        let reasons = read_reasons(review, at, plan)
            .into_iter()
            .chain([given])
            .chain(tables_per_query(review));
        reasons.map(move |reason| Allowance { on: AllowedStatements::Read(at), reason })
    });
    let writes = review.writes().flat_map(|(at, _, plan)| {
        let is_warned = |note: &Note| {
            note.about == NoteSubject::Write(at)
                && matches!(note.topic, Topic::Write(WriteTopic::MixedConditions { .. }))
        };
        let mut reasons = write_reasons(review, plan);
        if !review.design.notes.iter().any(is_warned) {
            reasons.push(AllowanceReason::FirstWrite);
        }
        let reasons = reasons.into_iter();
        reasons.map(move |reason| Allowance { on: AllowedStatements::Write(at), reason })
    });
    tables.chain(reads).chain(writes).collect()
}

/// What rules report of a table.
fn table_reasons(review: Review<'_>, at: TableId, table: &PlannedTable) -> Vec<AllowanceReason> {
    let limits = &review.context.options.limits;
    let reads = list_readers(review, at);
    let mut reasons = Vec::new();
    reasons.extend(is_within_bound(review, table).then(|| bound(review)));
    if time_keys::is_time_alone(review, table) && table.volume.hottest_writes <= limits.hot_writes {
        reasons.push(AllowanceReason::TimeAlone {
            reads: reads.clone(),
            writes: table.volume.hottest_writes,
            limit: limits.hot_writes,
        });
    }
    if table.clustering().next().is_some() {
        reasons.push(AllowanceReason::ChangedKey { writes: find_movers(review, table) });
    }
    let columns = |is_it: fn(&cql::types::Type) -> bool| -> Vec<String> {
        let columns = table.columns.iter().filter(|column| is_it(&column.ty));
        columns.map(|column| column.name.clone()).collect()
    };
    let lists = columns(|ty| matches!(ty, cql::types::Type::List(..)) && ty.is_multi_cell());
    if !lists.is_empty() {
        reasons.push(AllowanceReason::Lists { columns: lists });
    }
    let collections = columns(cql::types::Type::is_multi_cell);
    if !collections.is_empty() {
        reasons.push(AllowanceReason::WholeCollections { columns: collections });
    }
    if find_collision(review.context.concept, table).is_none() {
        reasons.push(AllowanceReason::UniqueKey);
    }
    if cardinality::partition_spread(review, table) == PartitionSpread::SmallAnyway {
        let bytes = table.volume.table_bytes_after(review.horizon());
        reasons.push(AllowanceReason::SmallTable { bytes });
    }
    let options = &table.options;
    if options.default_time_to_live.is_some() && options.compaction.is_none() {
        reasons.push(AllowanceReason::DefaultCompaction);
    }
    if !reads.is_empty() {
        reasons.push(AllowanceReason::GivenKey { reads: reads.clone() });
    }
    reasons.extend(few_tombstones(tombstones_met(review, at)));
    reasons.push(AllowanceReason::SelectedColumns { reads });
    reasons.extend(cheapest_key(review));
    reasons.extend(tables_per_query(review));
    reasons.extend(index_reason(review, table, None));
    reasons
}

/// The reason for keys that were chosen by their price.
fn cheapest_key(review: Review<'_>) -> Option<AllowanceReason> {
    let options = review.context.options;
    (options.search.enabled && !options.rules_only).then_some(AllowanceReason::CheapestKey)
}

/// The reason for tables that no two queries share.
fn tables_per_query(review: Review<'_>) -> Option<AllowanceReason> {
    review.context.options.rules_only.then_some(AllowanceReason::TablesPerQuery)
}

/// The names of the reads that a table serves.
fn list_readers(review: Review<'_>, at: TableId) -> Vec<String> {
    let own = review.reads().filter(|(_, _, plan)| is_reading(plan, at));
    own.map(|(_, read, _)| read.name.clone()).collect()
}

/// Whether a read reads a table.
fn is_reading(plan: &ReadPlan, at: TableId) -> bool {
    plan.steps.iter().any(|step| step.table == at)
}

/// The tombstones that each read of a table meets.
fn tombstones_met(review: Review<'_>, at: TableId) -> impl Iterator<Item = f64> {
    let own = review.reads().filter(move |(_, _, plan)| is_reading(plan, at));
    own.map(|(_, _, plan)| plan.effort.tombstones)
}

/// The tombstones that reads meet, where none meets too many.
fn few_tombstones(met: impl Iterator<Item = f64>) -> Option<AllowanceReason> {
    let met = met.fold(0.0, f64::max);
    (met <= tombstones::WARN).then_some(AllowanceReason::FewTombstones { met })
}

/// Whether the partitions of a table stay within the bound.
fn is_within_bound(review: Review<'_>, table: &PlannedTable) -> bool {
    let limits = &review.context.options.limits;
    let horizon = volume::horizon(review.context, table);
    table.volume.rows_after(horizon).p999 <= limits.partition_rows
        && table.volume.bytes_after(horizon).p999 <= limits.partition_bytes
}

fn bound(review: Review<'_>) -> AllowanceReason {
    let limits = &review.context.options.limits;
    AllowanceReason::WithinBound {
        rows_max: limits.partition_rows,
        bytes_max: limits.partition_bytes,
    }
}

/// The names of the writes that change a clustering column of a table.
fn find_movers(review: Review<'_>, table: &PlannedTable) -> Vec<String> {
    let clustering: Vec<Column> = table.clustering().flat_map(source_columns).collect();
    let is_mover = |kind: &WriteKind, entity| {
        let WriteKind::Update(assignments, _) = kind else { return false };
        assignments.iter().any(|assignment| {
            let is_part =
                matches!(assignment.value, AssignmentValue::Append(_) | AssignmentValue::Remove(_));
            !is_part
                && clustering.iter().any(|column| {
                    let source = table.holds.sources.member(column.source);
                    column.attribute == assignment.attribute
                        && source.is_some_and(|source| source.entity == entity)
                })
        })
    };
    let writes = review.context.workload.writes.iter();
    let movers = writes.filter(|write| is_mover(&write.kind, write.entity));
    movers.map(|write| write.name.clone()).collect()
}

/// The indexes of a table that reads use, or one of the reads.
fn index_reason(
    review: Review<'_>,
    table: &PlannedTable,
    by: Option<ReadId>,
) -> Option<AllowanceReason> {
    let served = table.indexes.iter().flat_map(|index| &index.serves);
    let served = served.map(|(read, _)| *read).filter(|read| by.is_none_or(|by| by == *read));
    let mut served: Vec<ReadId> = served.collect();
    served.sort();
    served.dedup();
    let reads = served.into_iter().filter_map(|at| review.context.workload.reads.member(at));
    let reads: Vec<_> = reads.map(|read| (read.name.clone(), read.rate.value)).collect();
    (!reads.is_empty()).then_some(AllowanceReason::Index { reads })
}

/// What rules report of the statements of a read.
fn read_reasons(review: Review<'_>, at: ReadId, plan: &ReadPlan) -> Vec<AllowanceReason> {
    let mut reasons: Vec<AllowanceReason> =
        few_tombstones(std::iter::once(plan.effort.tombstones)).into_iter().collect();
    if plan.steps.len() > 1 && cheapest_key(review).is_some() {
        reasons.push(AllowanceReason::Lookups);
    }
    for step in &plan.steps {
        let Some(table) = review.design.tables.member(step.table) else { continue };
        if step.loops.iter().any(|turn| matches!(turn, Loop::Buckets(_))) {
            reasons.push(bound(review));
        }
        reasons.extend(index_reason(review, table, Some(at)));
        let reads = list_readers(review, step.table);
        if step.select.order_by.is_empty() {
            continue;
        }
        if reads.len() > 1 {
            reasons.push(AllowanceReason::SharedTable { reads });
        } else {
            reasons.extend(cheapest_key(review));
        }
    }
    reasons
}

/// What rules report of the statements of a write.
fn write_reasons(review: Review<'_>, plan: &WritePlan) -> Vec<AllowanceReason> {
    let mut reasons = Vec::new();
    if plan.steps.iter().any(|step| matches!(step, WriteStep::Read(..))) {
        reasons.push(AllowanceReason::CopiedValues);
    }
    let is_logged =
        |step: &WriteStep| matches!(step, WriteStep::Batch { kind: cql::BatchKind::Logged, .. });
    if plan.steps.iter().any(is_logged) {
        reasons.push(AllowanceReason::Copies);
    }
    if plan.remarks.contains(&PlanRemark::UndoOnRefusal) {
        reasons.push(AllowanceReason::SeveralKeys);
    }
    if plan.remarks.iter().any(|remark| matches!(remark, PlanRemark::CounterDeleted { .. })) {
        reasons.push(AllowanceReason::DeletedCounters);
    }
    let met_first = plan.steps.iter().filter_map(|step| match step {
        WriteStep::Read(step, _) => {
            let table = review.design.tables.member(step.table)?;
            Some(tombstones::tombstones_in(review, step, table))
        }
        WriteStep::Batch { .. } | WriteStep::Statement(_) | WriteStep::Run(_) => None,
    });
    let met_later = statements(plan).flat_map(|statement| tombstones_met(review, statement.table));
    reasons.extend(few_tombstones(met_first.chain(met_later)));
    let mut columns: Vec<String> = Vec::new();
    let mut is_cleared = false;
    for statement in statements(plan) {
        let Some(table) = review.design.tables.member(statement.table) else { continue };
        let set: Vec<(&str, &Operand)> = match &statement.modification {
            Modification::Insert(insert) => {
                let remembered = table.remembers.filter(|_| insert.timestamp.is_some());
                let remembered = remembered.and_then(|of| review.design.tables.member(of));
                reasons.extend(
                    remembered
                        .map(|of| AllowanceReason::FirstValue { table: of.name.clone() })
                        .filter(|reason| !reasons.contains(reason)),
                );
                is_cleared |= insert.values.iter().any(|(_, value)| is_null(value));
                insert.values.iter().map(|(name, value)| (&**name, value)).collect()
            }
            Modification::Update(update) => {
                let assignments = update.assignments.iter();
                assignments.map(|one| (&*one.column, &one.value)).collect()
            }
            Modification::Delete(_) => Vec::new(),
        };
        let is_whole = |name: &str| table.column(name).is_some_and(|it| it.ty.is_multi_cell());
        for (name, _) in set.into_iter().filter(|(name, _)| is_whole(name)) {
            if !columns.iter().any(|known| known == name) {
                columns.push(name.to_owned());
            }
        }
    }
    reasons.extend(is_cleared.then_some(AllowanceReason::ClearedValues));
    if !columns.is_empty() {
        reasons.push(AllowanceReason::Lists { columns: columns.clone() });
        reasons.push(AllowanceReason::WholeCollections { columns });
    }
    reasons
}

/// Whether a value is the constant null.
fn is_null(value: &Operand) -> bool {
    matches!(value, Operand::Literal(text) if text == "null")
}
