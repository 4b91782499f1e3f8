//! The kinds of statements: one line for each, with how often it is written.

mod alter;
mod batch;
mod delete;
mod function;
mod index;
mod keyspace;
mod role;
mod select;
mod table;
mod user_type;
mod view;
mod write;

use super::statement_writer::{StatementDraft, StatementWriter};

/// A kind of statement.
pub(super) struct StatementSpec {
    /// Its name in reports.
    pub(super) name: &'static str,
    /// How often it is written, against the others.
    pub(super) weight: usize,
    /// Whether it may change the schema, or the keyspace in use.
    pub(super) changes: bool,
    /// Whether a share of them is prepared with markers.
    pub(super) markers: bool,
    /// Writes one; nothing where the schema has nothing to write it about.
    pub(super) write: fn(&mut StatementWriter<'_>) -> Option<StatementDraft>,
}

const fn query(
    name: &'static str,
    weight: usize,
    write: fn(&mut StatementWriter<'_>) -> Option<StatementDraft>,
) -> StatementSpec {
    StatementSpec { name, weight, changes: false, markers: true, write }
}

const fn change(
    name: &'static str,
    weight: usize,
    write: fn(&mut StatementWriter<'_>) -> Option<StatementDraft>,
) -> StatementSpec {
    StatementSpec { name, weight, changes: true, markers: false, write }
}

const fn other(
    name: &'static str,
    weight: usize,
    write: fn(&mut StatementWriter<'_>) -> Option<StatementDraft>,
) -> StatementSpec {
    StatementSpec { name, weight, changes: false, markers: false, write }
}

/// Every kind.
#[expect(
    clippy::redundant_closure_for_method_calls,
    reason = "a method of Scribe<'w> is not general enough over 'w to be named here"
)]
pub(super) const KINDS: &[StatementSpec] = &[
    query("select by key", 9, |s| s.select_by_key()),
    query("select by index", 6, |s| s.select_by_value()),
    query("select filtering", 5, |s| s.select_filtering()),
    query("select by token", 5, |s| s.select_by_token()),
    query("select expressions", 9, |s| s.select_expressions()),
    query("select aggregate", 5, |s| s.select_aggregate()),
    query("select ordered", 5, |s| s.select_ordered()),
    query("select nearest", 5, |s| s.select_nearest()),
    query("select distinct", 5, |s| s.select_distinct()),
    query("select json", 5, |s| s.select_json()),
    query("insert", 9, |s| s.insert()),
    query("insert if not exists", 5, |s| s.insert_if()),
    query("insert json", 5, |s| s.insert_json()),
    query("update", 8, |s| s.update()),
    query("update collection", 7, |s| s.update_collection()),
    query("update counter", 5, |s| s.update_counter()),
    query("update if", 6, |s| s.update_if()),
    query("delete", 7, |s| s.delete()),
    query("delete if", 5, |s| s.delete_if()),
    query("batch", 6, |s| s.batch()),
    other("truncate", 5, |s| s.truncate()),
    change("use", 5, |s| s.use_keyspace()),
    other("role", 5, |s| s.role()),
    other("permission", 5, |s| s.permission()),
    other("describe", 5, |s| s.describe()),
    change("create keyspace", 5, |s| s.create_keyspace()),
    change("alter keyspace", 5, |s| s.alter_keyspace()),
    change("drop keyspace", 5, |s| s.drop_keyspace()),
    change("create table", 6, |s| s.create_table()),
    change("alter table add", 5, |s| s.alter_add()),
    change("alter table drop", 5, |s| s.alter_drop()),
    change("alter table rename", 5, |s| s.alter_rename()),
    change("alter table with", 5, |s| s.alter_options()),
    change("alter table alter", 5, |s| s.alter_column()),
    change("drop table", 5, |s| s.drop_table()),
    change("create index", 5, |s| s.create_index()),
    change("drop index", 5, |s| s.drop_index()),
    change("create view", 5, |s| s.create_view()),
    change("alter view", 5, |s| s.alter_view()),
    change("drop view", 5, |s| s.drop_view()),
    change("create type", 5, |s| s.create_type()),
    change("alter type", 5, |s| s.alter_type()),
    change("drop type", 5, |s| s.drop_type()),
    change("create function", 5, |s| s.create_function()),
    change("create aggregate", 5, |s| s.create_aggregate()),
    change("drop function", 5, |s| s.drop_function()),
    change("trigger", 5, |s| s.trigger()),
];

/// The kind of that name.
pub(super) fn find_spec(name: &str) -> &'static StatementSpec {
    KINDS.iter().find(|kind| kind.name == name).unwrap_or(&KINDS[0])
}
