//! Splits counters and other columns into separate tables.

use cql::statement::table::CreateTable;
use cql::type_name::TypeNameKind;
use cql::types::NativeType;
use cql::{Span, StatementKind, printer};

use super::{RefusalContext, TextChange};
use crate::FixKind;

/// Two tables of the same key for one that mixes counters with other columns.
pub(super) fn split_counters(refused: &RefusalContext<'_>) -> Option<TextChange> {
    let StatementKind::CreateTable(create) = &refused.statement.kind else { return None };
    let others = select_columns(create, false, &create.name.name.text);
    let counters = select_columns(create, true, &format!("{}_counters", create.name.name.text));
    let print = |table: CreateTable| printer::print(&StatementKind::CreateTable(Box::new(table)));
    let whole: Span = refused.statement.span;
    let both = format!("{};\n{}", print(others), print(counters));
    Some(TextChange {
        title: "move the counters to a separate table",
        kind: FixKind::Plan,
        edits: vec![(whole, both)],
    })
}

/// The table with its key and only its counters, or only its other columns.
fn select_columns(create: &CreateTable, counters: bool, name: &str) -> CreateTable {
    let mut table = create.clone();
    table.name.name.text = name.into();
    let keys: Vec<_> = create
        .primary_keys
        .iter()
        .flat_map(|key| key.partition.iter().chain(&key.clustering))
        .collect();
    table.columns.retain(|column| {
        let is_key = column.primary_key || keys.contains(&&column.name);
        let is_counter = matches!(column.type_name.kind, TypeNameKind::Native(native) if native.ty == NativeType::Counter);
        is_key || is_counter == counters
    });
    if counters {
        table.options.properties.retain(|option| &*option.name.text != "default_time_to_live");
    }
    table
}
