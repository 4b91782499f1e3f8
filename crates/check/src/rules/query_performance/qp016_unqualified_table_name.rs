//! QP016: a table without its keyspace, where several keyspaces have one of that name.

use std::collections::BTreeMap;

use cql::statement::write::WriteKind;
use cql::{QualifiedName, StatementKind};

use crate::{Check, FixKind, Location, Project, Reporter, RuleEntry};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("qp016_unqualified_table_name.md"), Check::Project(check));

fn check(project: &Project<'_>, reporter: &mut Reporter<'_>) {
    let mut keyspaces: BTreeMap<&str, usize> = BTreeMap::new();
    for keyspace in project.catalog.keyspaces.values().filter(|known| !known.system) {
        for name in keyspace.tables.keys().chain(keyspace.views.keys()) {
            *keyspaces.entry(name).or_default() += 1;
        }
    }
    keyspaces.retain(|_, number| *number > 1);
    if keyspaces.is_empty() {
        return;
    }
    for seen in project.statements.iter().filter(|seen| seen.plan().is_some()) {
        let Some(statement) = project.syntax(seen) else { continue };
        let Some(keyspace) = seen.keyspace.as_deref() else { continue };
        for name in tables(&statement.kind) {
            let Some(number) = keyspaces.get(&*name.name.text) else { continue };
            if name.keyspace.is_some() {
                continue;
            }
            let place = Location { text: seen.place.text, span: name.name.span };
            let written = project.text_at(place);
            let qualified = format!("{}.{written}", cql::printer::identifier(keyspace));
            let message = format!(
                "{number} keyspaces have a table {written}; the session's keyspace decides which one is used."
            );
            let one = reporter.report(place, message);
            one.with_keyspace(keyspace).subject.table = Some(name.name.text.clone());
            one.help(format!("write {qualified}")).fix(
                FixKind::Safe,
                "qualify the table name",
                place,
                qualified,
            );
        }
    }
}

fn tables(kind: &StatementKind) -> Vec<&QualifiedName> {
    match kind {
        StatementKind::Select(select) => vec![&select.table],
        StatementKind::Insert(insert) => vec![&insert.table],
        StatementKind::Update(update) => vec![&update.table],
        StatementKind::Delete(delete) => vec![&delete.table],
        StatementKind::Batch(batch) => {
            let writes = batch.statements.iter().map(|write| match &write.kind {
                WriteKind::Insert(insert) => &insert.table,
                WriteKind::Update(update) => &update.table,
                WriteKind::Delete(delete) => &delete.table,
            });
            writes.collect()
        }
        _ => Vec::new(),
    }
}
