//! CO008: a cell for each element, although no statement uses single elements.

use schema::catalog::IndexPart;

use super::multi_cell_columns;
use crate::facts::workload::table_column_writes;
use crate::{Check, FixKind, Project, Reporter, RuleEntry, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("co008_collection_could_be_frozen.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let columns = multi_cell_columns(facts);
    if columns.is_empty() {
        return;
    }
    let touched = table_column_writes(project, facts);
    for column in columns {
        let name = &column.name;
        let mut own = touched.iter().filter(|one| one.column.name == *name).peekable();
        // The elements of a frozen collection cannot be indexed.
        let is_indexed = table
            .indexes
            .iter()
            .any(|index| index.column == *name && index.part != IndexPart::Full);
        if own.peek().is_none() || own.any(|one| one.operation.is_partial()) || is_indexed {
            continue;
        }
        let (place, frozen) = (project.type_location(facts, name), column.ty.freeze());
        reporter
            .report(
                place,
                format!("No statement writes individual elements of `{name}`, but each is stored as a cell."),
            )
            .with_column(table, column)
            .help(format!("declare it as {frozen}, in a new table or as a new column"))
            .fix(FixKind::Plan, format!("use {frozen} in a new table"), place, frozen.to_string());
    }
}
