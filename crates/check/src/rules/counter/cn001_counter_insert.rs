//! CN001: an INSERT into a counter table.

use cql::StatementKind;
use cql::statement::write::{Insert, InsertValues};
use cql::term::TermKind;

use crate::{Check, Finding, FixKind, Project, ReplayedStatement, RuleEntry};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("cn001_counter_insert.md"), Check::ServerFix(fix));

fn fix(project: &Project<'_>, seen: &ReplayedStatement, finding: &mut Finding) {
    let Some(statement) = project.syntax(seen) else { return };
    let StatementKind::Insert(insert) = &statement.kind else { return };
    if let Some(update) = render_update(project, seen, insert) {
        finding.help(format!("use {update}"));
        finding.fix(FixKind::Safe, "use UPDATE", seen.place, update);
    }
}

/// The UPDATE equivalent to the INSERT; `None` if that is ambiguous, or if it would reorder
/// markers.
fn render_update(
    project: &Project<'_>,
    seen: &ReplayedStatement,
    insert: &Insert,
) -> Option<String> {
    let InsertValues::Columns { columns, values } = &insert.values else { return None };
    let stated = insert.table.keyspace.as_ref().map(|name| &*name.text);
    let keyspace = stated.or(seen.keyspace.as_deref())?;
    let table = project.catalog.table(keyspace, &insert.table.name.text)?;
    let is_plain = !insert.if_not_exists
        && insert.using.parts.is_empty()
        && columns.len() == values.len()
        && values.iter().all(|value| matches!(value.kind, TermKind::Constant(_)));
    if !is_plain {
        return None;
    }
    let (mut set, mut key) = (Vec::new(), Vec::new());
    for (name, value) in columns.iter().zip(values) {
        let column = table.column(&name.text)?;
        let (name, value) = (cql::printer::identifier(&name.text), cql::printer::print(value));
        if column.is_primary_key() {
            key.push(format!("{name} = {value}"));
        } else {
            set.push(format!("{name} = {name} + {value}"));
        }
    }
    if set.is_empty() || key.len() != table.primary_key().len() {
        return None;
    }
    let name = cql::printer::print(&insert.table);
    Some(format!("UPDATE {name} SET {} WHERE {}", set.join(", "), key.join(" AND ")))
}
