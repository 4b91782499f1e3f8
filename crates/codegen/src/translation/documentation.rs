//! The comments of functions.

use std::collections::BTreeSet;

use model::figures::pluralise;
use model::id::{TableId, WriteId};
use model::plan::{ColumnRole, PlannedTable, ReadPlan, WritePlan, WriteStep};
use model::workload::{Read, Write};

use super::ProgramSource;
use crate::program::Documentation;

/// The comment of a function that reads.
pub(super) fn document_query(
    source: ProgramSource<'_>,
    read: &Read,
    plan: &ReadPlan,
) -> Documentation {
    let usually = pluralise(plan.partitions.max(1.0).round(), "partition");
    let rows = pluralise(plan.rows.max(1.0).round(), "row");
    let tables = plan.steps.iter().map(|step| step.table).collect();
    Documentation {
        sql: read.sql.trim().to_owned(),
        effort: format!("Reads {usually} and {rows}, usually."),
        keys: list_keys(source, &tables),
        preconditions: Vec::new(),
        remarks: plan.remarks.iter().map(ToString::to_string).collect(),
    }
}

/// The comment of a function that writes.
pub(super) fn document_command(
    source: ProgramSource<'_>,
    at: WriteId,
    write: &Write,
    plan: &WritePlan,
) -> Documentation {
    let mut tables = BTreeSet::new();
    for step in &plan.steps {
        match step {
            WriteStep::Read(read, _) => _ = tables.insert(read.table),
            WriteStep::Batch { statements, .. } => {
                tables.extend(statements.iter().map(|statement| statement.table));
            }
            WriteStep::Statement(statement) => _ = tables.insert(statement.table),
            WriteStep::Run(_) => {}
        }
    }
    let rows = pluralise(plan.amplification.max(0.0).round(), "row");
    let mut preconditions: Vec<String> =
        source.design.list_preconditions(at).iter().map(ToString::to_string).collect();
    preconditions.dedup();
    Documentation {
        sql: write.sql.trim().to_owned(),
        effort: format!("Writes {rows}, usually."),
        keys: list_keys(source, &tables),
        preconditions,
        remarks: plan.remarks.iter().map(ToString::to_string).collect(),
    }
}

/// The keys of tables, with the reasons of their columns.
fn list_keys(source: ProgramSource<'_>, tables: &BTreeSet<TableId>) -> Vec<String> {
    let mut lines = Vec::new();
    for table in tables.iter().filter_map(|at| source.table(*at)) {
        lines.push(format!("{}: {}", table.name, describe_key(table)));
        for column in table.columns.iter().filter(|column| column.is_key()) {
            if let Some(reason) = column.reasons.first() {
                lines.push(format!("  {}: {}", column.name, reason.text));
            }
        }
    }
    lines
}

/// `PRIMARY KEY ((a, b), c)`
fn describe_key(table: &PlannedTable) -> String {
    let names = |is_wanted: &dyn Fn(ColumnRole) -> bool| {
        let columns = table.columns.iter().filter(|column| is_wanted(column.role));
        columns.map(|column| column.name.as_str()).collect::<Vec<_>>().join(", ")
    };
    let partition = names(&|role| role == ColumnRole::Partition);
    let clustering = names(&|role| matches!(role, ColumnRole::Clustering(_)));
    if clustering.is_empty() {
        format!("PRIMARY KEY (({partition}))")
    } else {
        format!("PRIMARY KEY (({partition}), {clustering})")
    }
}
