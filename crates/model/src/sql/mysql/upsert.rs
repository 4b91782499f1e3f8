//! ON DUPLICATE KEY UPDATE: the key by which the row may exist.

use sqlparser::ast::{
    ConflictTarget, DoUpdate, Ident, Insert, OnConflict, OnConflictAction, OnInsert, Statement,
    TableObject,
};

use super::super::draft::ModelDraft;
use super::super::source::{NamedStatement, SqlName};
use super::super::table::{KeyDeclaration, TableDeclaration};

/// Turns each ON DUPLICATE KEY UPDATE into ON CONFLICT with the only key that may exist already. One
/// with several is refused: `MySQL` takes whichever it finds first.
pub(in crate::sql) fn find_conflict_keys(draft: &mut ModelDraft, named: &mut [NamedStatement]) {
    for statement in named {
        let Statement::Insert(insert) = &mut statement.statement else { continue };
        let Some(OnInsert::DuplicateKeyUpdate(assignments)) = &insert.on else { continue };
        let assignments = assignments.clone();
        let Some(table) = find_table(draft, insert) else { continue };
        let keys: Vec<&KeyDeclaration> =
            table.keys.iter().filter(|key| is_given(table, key, insert)).collect();
        let [key] = keys.as_slice() else {
            let (write, table) = (&statement.name, &table.name.text);
            let message = match keys.len() {
                0 => format!("{write} gives no key of {table}, so that no row can exist already"),
                _ => format!("{write} may find the row by any of several keys of {table}"),
            };
            let help = "find the row with a query, and write an INSERT and an UPDATE";
            draft.report("MF392", statement.name_span, message, help);
            continue;
        };
        let columns =
            key.columns.iter().map(|column| Ident::with_quote('"', &column.text)).collect();
        let action = OnConflictAction::DoUpdate(DoUpdate { assignments, selection: None });
        let conflict_target = Some(ConflictTarget::Columns(columns));
        insert.on = Some(OnInsert::OnConflict(OnConflict { conflict_target, action }));
        statement.text = statement.statement.to_string();
    }
}

fn find_table<'d>(draft: &'d ModelDraft, insert: &Insert) -> Option<&'d TableDeclaration> {
    let TableObject::TableName(name) = &insert.table else { return None };
    let position = draft.tables.find_table(&SqlName::from_object_name(name)?).ok()?;
    draft.tables.list.get(position.index())
}

/// Whether the row has a value for each column of the key: without a list it has one for all.
fn is_given(table: &TableDeclaration, key: &KeyDeclaration, insert: &Insert) -> bool {
    let given: Vec<String> =
        insert.columns.iter().filter_map(SqlName::from_object_name).map(|name| name.text).collect();
    let is_listed = |column: &SqlName| given.is_empty() || given.contains(&column.text);
    key.columns.iter().all(|column| is_listed(column) && table.find_column(column).is_ok())
}
