//! CO010: a map with arbitrary keys.

use cql::types::{Frozenness, NativeType, Type};

use crate::facts::workload::{ColumnOperation, table_column_writes};
use crate::vocabulary::collections::is_attributes_name;
use crate::{Check, Confidence, Project, Reporter, RuleEntry, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("co010_map_as_dynamic_columns.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let is_map = |ty: &Type| match ty {
        Type::Map(entry, Frozenness::No) => {
            let text = |ty: &Type| *ty == Type::Native(NativeType::Text);
            text(&entry.0) && (text(&entry.1) || entry.1 == Type::Native(NativeType::Blob))
        }
        _ => false,
    };
    let mut columns = table
        .columns()
        .iter()
        .enumerate()
        .filter(|(_, column)| is_map(&column.ty) && is_attributes_name(&column.name))
        .peekable();
    if facts.view.is_some() || columns.peek().is_none() {
        return;
    }
    let touched = table_column_writes(project, facts);
    for (at, column) in columns {
        let puts = touched.iter().find(|one| {
            one.column.name == column.name
                && matches!(one.operation, ColumnOperation::Put | ColumnOperation::Append)
        });
        let Some(puts) = puts.filter(|_| facts.volume.items(at).is_none()) else { continue };
        let name = &column.name;
        reporter
            .report(
                project.column_location(facts, name),
                format!("The number of keys in `{name}` is unbounded."),
            )
            .with_column(table, column)
            .confidence(Confidence::High)
            .with_related(puts.place, "this statement can add any key")
            .help("limit the number of keys in the application, and declare it with `@items 20`");
    }
}
