//! Measurements of statements.

use cql::property::Property;
use cql::statement::table::TableChange;
use cql::statement::write::{UsingClause, WriteKind};
use cql::{Span, StatementKind};
use schema::access::{Count, FilterScope, Partitions, ReadPlan};

use super::{Measurement, to_f64};
use crate::facts::workload::{
    ColumnOperation, column_writes, count_combinations, key_lists, partition_count,
};
use crate::location::Location;
use crate::project::{ObjectChange, StatementOutcome};
use crate::rule::FindingSubject;
use crate::{Project, ReplayedStatement};

/// The measurements of a statement that the server would otherwise accept; `keyspaces` counts those
/// created so far.
pub(super) fn measure_statement(
    project: &Project<'_>,
    seen: &ReplayedStatement,
    keyspaces: &mut usize,
    all: &mut Vec<Measurement>,
) {
    let Some(statement) = project.syntax(seen) else { return };
    if matches!(seen.outcome, StatementOutcome::Refused(_) | StatementOutcome::Broken) {
        return;
    }
    match &statement.kind {
        StatementKind::Select(_) => measure_select(project, seen, all),
        StatementKind::Insert(insert) => measure_timestamp(seen, &insert.using, all),
        StatementKind::Update(update) => measure_timestamp(seen, &update.using, all),
        StatementKind::Delete(delete) => measure_timestamp(seen, &delete.using, all),
        StatementKind::Batch(batch) => {
            measure_timestamp(seen, &batch.using, all);
            for one in &batch.statements {
                let using = match &one.kind {
                    WriteKind::Insert(insert) => &insert.using,
                    WriteKind::Update(update) => &update.using,
                    WriteKind::Delete(delete) => &delete.using,
                };
                measure_timestamp(seen, using, all);
            }
        }
        StatementKind::CreateKeyspace(create) => {
            if let StatementOutcome::Changes(Some(_)) = &seen.outcome {
                *keyspaces += 1;
            }
            let (span, name) = (create.name.span, &create.name.text);
            all.push(statement_measurement(seen, "keyspaces", span, name, to_f64(*keyspaces)));
            measure_replication(seen, span, all);
        }
        kind => measure_schema_change(seen, kind, all),
    }
    measure_list_operations(project, seen, all);
    measure_consistency(seen, statement.span, all);
}

/// The measurements of a schema statement.
fn measure_schema_change(
    seen: &ReplayedStatement,
    kind: &StatementKind,
    all: &mut Vec<Measurement>,
) {
    const DROP: &str = "DROP and TRUNCATE TABLE functionality";
    let mut switch = |guardrail, span: Span, what: &str| {
        all.push(statement_measurement(seen, guardrail, span, what, 1.0));
    };
    match kind {
        StatementKind::AlterKeyspace(alter) => measure_replication(seen, alter.name.span, all),
        StatementKind::CreateTable(create) => {
            measure_properties(seen, create.name.name.span, &create.options.properties, all);
        }
        StatementKind::AlterTable(alter) => match &alter.change {
            TableChange::With(options) => {
                measure_properties(seen, alter.name.name.span, options, all);
            }
            TableChange::Add { .. } | TableChange::Drop { .. } | TableChange::Rename { .. } => {
                switch("alter_table", alter.name.name.span, "ALTER TABLE changing columns");
            }
            _ => {}
        },
        StatementKind::DropTable(drop) => {
            switch("drop_truncate_table_enabled", drop.name.name.span, DROP);
        }
        StatementKind::Truncate(truncate) => {
            switch("drop_truncate_table_enabled", truncate.table.name.span, DROP);
        }
        StatementKind::DropKeyspace(drop) => {
            switch("drop_keyspace_enabled", drop.name.span, "DROP KEYSPACE functionality");
        }
        StatementKind::CreateType(create) => {
            let (name, fields) = (&create.name.name, to_f64(create.fields.len()));
            all.push(statement_measurement(seen, "fields_per_udt", name.span, &name.text, fields));
        }
        StatementKind::CreateIndex(create) => {
            let table = &create.table.name;
            switch("secondary_indexes", table.span, "Creating secondary indexes");
            let what = match &create.name {
                Some(name) => format!("{} on table {}", name.text, table.text),
                None => format!("on table {}", table.text),
            };
            if let StatementOutcome::Changes(Some(ObjectChange::Table {
                after: Some(after), ..
            })) = &seen.outcome
            {
                let number = to_f64(after.indexes.len());
                all.push(statement_measurement(
                    seen,
                    "secondary_indexes_per_table",
                    table.span,
                    &what,
                    number,
                ));
            }
        }
        _ => {}
    }
}

fn statement_measurement(
    seen: &ReplayedStatement,
    guardrail: &'static str,
    span: Span,
    what: &str,
    value: f64,
) -> Measurement {
    Measurement {
        guardrail,
        place: Location { text: seen.place.text, span },
        // What the statement at the place concerns is filled in for all findings.
        subject: FindingSubject::default(),
        what: what.to_owned(),
        value,
        values: Vec::new(),
        is_logged: false,
    }
}

fn measure_timestamp(seen: &ReplayedStatement, using: &UsingClause, all: &mut Vec<Measurement>) {
    if let Some(term) = using.timestamp() {
        let what = "User provided timestamps (USING TIMESTAMP)";
        all.push(statement_measurement(seen, "user_timestamps", term.span, what, 1.0));
    }
}

fn measure_select(project: &Project<'_>, seen: &ReplayedStatement, all: &mut Vec<Measurement>) {
    let (Some(select), Some(read)) = (project.select(seen), seen.read()) else { return };
    let name = select.table.name.span;
    let mut add = |guardrail, span: Span, what: &str, value| {
        all.push(statement_measurement(seen, guardrail, span, what, value));
    };
    if let Some(words) = select.allow_filtering {
        add("allow_filtering", words, "Querying with ALLOW FILTERING", 1.0);
    }
    if let Some(first) = select.group_by.first() {
        add("group_by", first.span, "GROUP BY functionality", 1.0);
    }
    if let Some(Count::Known(keys)) = partition_count(read, select).filter(|_| is_list(read)) {
        add("partition_keys_in_select", name, &read.table.name, to_f64(keys));
    }
    let lists = key_lists(&read.table, select);
    for (what, lists) in [("partition key", lists.partition), ("clustering key", lists.clustering)]
    {
        if let Some(combinations) = count_combinations(&lists).filter(|_| !lists.is_empty()) {
            add("in_select_cartesian_product", name, what, to_f64(combinations));
        }
    }
    if read.index.as_ref().is_some_and(|index| !index.within_partition) {
        let what = "Non-partition key restricted query";
        add("non_partition_restricted_index_query_enabled", name, what, 1.0);
    }
    let mutable =
        read.filtering.columns.iter().filter(|at| {
            read.table.columns().get(**at).is_some_and(|column| !column.is_primary_key())
        });
    let at_one = matches!(seen.annotations.consistency.as_deref(), Some("ONE" | "LOCAL_ONE"));
    if read.filtering.scope != FilterScope::None && mutable.count() > 1 && !at_one {
        let what = "Filtering query with intersection on mutable columns at consistency level requiring coordinator reconciliation";
        add("intersect_filtering_query", name, what, 1.0);
    }
}

fn is_list(read: &ReadPlan) -> bool {
    matches!(read.partitions, Partitions::Several(_))
}

fn measure_replication(seen: &ReplayedStatement, span: Span, all: &mut Vec<Measurement>) {
    let StatementOutcome::Changes(Some(ObjectChange::Keyspace { after: Some(after), .. })) =
        &seen.outcome
    else {
        return;
    };
    if after.replication.class.ends_with("SimpleStrategy") {
        all.push(statement_measurement(seen, "simplestrategy", span, "SimpleStrategy", 1.0));
    }
    let numbers = after.replication.options.values();
    let replicas = numbers.filter_map(|text| text.split('/').next()?.trim().parse::<u32>().ok());
    for number in replicas {
        for guardrail in ["minimum_replication_factor", "maximum_replication_factor"] {
            all.push(statement_measurement(seen, guardrail, span, &after.name, f64::from(number)));
        }
    }
}

fn measure_properties(
    seen: &ReplayedStatement,
    span: Span,
    options: &[Property],
    all: &mut Vec<Measurement>,
) {
    let values: Vec<String> = options.iter().map(|one| one.name.text.to_string()).collect();
    if !values.is_empty() {
        let measure =
            statement_measurement(seen, "table_properties", span, "Table Properties", 0.0);
        all.push(Measurement { values, ..measure });
    }
}

/// Writes of list elements by position or value.
fn measure_list_operations(
    project: &Project<'_>,
    seen: &ReplayedStatement,
    all: &mut Vec<Measurement>,
) {
    for touched in column_writes(project, seen) {
        let what = match touched.operation {
            ColumnOperation::SetAt => "Setting of list items by index requiring read before write",
            ColumnOperation::RemoveAt => {
                "Removal of list items by index requiring read before write"
            }
            ColumnOperation::RemoveEqual => "Removal of list items requiring read before write",
            _ => continue,
        };
        let span = touched.place.span;
        all.push(statement_measurement(seen, "read_before_write_list_operations", span, what, 1.0));
    }
}

fn measure_consistency(seen: &ReplayedStatement, span: Span, all: &mut Vec<Measurement>) {
    let Some(level) = seen.annotations.consistency.as_deref() else { return };
    let (guardrail, what) = match seen.read() {
        Some(_) => ("read_consistency_levels", "read consistency levels"),
        None if seen.writes().len() == 0 => return,
        None => ("write_consistency_levels", "write consistency levels"),
    };
    let measure = statement_measurement(seen, guardrail, span, what, 0.0);
    all.push(Measurement { values: vec![level.to_owned()], ..measure });
}
