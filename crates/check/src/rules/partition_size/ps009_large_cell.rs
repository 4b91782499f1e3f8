//! PS009: values that take megabytes.

use cql::types::NativeType;
use model::figures;
use schema::catalog::Column;

use super::ps008_large_row::mutation_bytes;
use crate::vocabulary::types::native_type;
use crate::{Check, Limit, Project, Reporter, RuleEntry, Severity, TableFacts};

const CELL: Limit =
    Limit::new("cell-bytes", 1e6).describe("size in bytes above which a value is large");
const HUGE: Limit = Limit::new("cell-bytes-huge", 10e6)
    .describe("size in bytes above which reading a value exhausts the heap");
/// The maximum size of a value: lengths are signed 32-bit numbers.
const HARD: f64 = 2_147_483_647.0;

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ps009_large_cell.md"), Check::Table(check))
        .with_limits(&[CELL, HUGE]);

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    // PS008 reports rows that exceed the maximum mutation size.
    if facts.volume.row_bytes > mutation_bytes(project) {
        return;
    }
    for column in table.columns() {
        let Some(bytes) = value_bytes(facts, column) else { continue };
        let Some(severity) = cell_severity(reporter, bytes) else { continue };
        let message =
            format!("Values of `{}` take {} each.", column.name, figures::format_bytes(bytes));
        reporter
            .report(project.column_location(facts, &column.name), message)
            .with_column(table, column)
            .severity(severity)
            .help("store a reference to an object store, or split values into rows (id, chunk_no)");
    }
}

fn cell_severity(found: &Reporter<'_>, bytes: f64) -> Option<Severity> {
    if bytes > HARD {
        Some(Severity::Error)
    } else if bytes > found.limit(&HUGE) {
        Some(Severity::High)
    } else {
        (bytes > found.limit(&CELL)).then_some(Severity::Medium)
    }
}

fn value_bytes(facts: &TableFacts, column: &Column) -> Option<f64> {
    let is_one_value = matches!(
        native_type(&column.ty),
        Some(NativeType::Blob | NativeType::Text | NativeType::Ascii)
    );
    facts.volume.bytes(facts.table.column_index(&column.name)?).filter(|_| is_one_value)
}

/// The severity of the largest value of a row, if it is too large.
pub(super) fn worst_severity(found: &Reporter<'_>, facts: &TableFacts) -> Option<Severity> {
    let columns = facts.table.columns().iter();
    columns.filter_map(|column| cell_severity(found, value_bytes(facts, column)?)).max()
}
