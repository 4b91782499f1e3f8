//! The replay order of files: a file that creates a table or type comes before those that use it.

use std::collections::{BTreeMap, BTreeSet};

use cql::statement::write::WriteKind;
use cql::type_name::{TypeName, TypeNameKind};
use cql::{ParsedSource, StatementKind};

/// The names that a text creates and uses.
#[derive(Default)]
struct TextNames<'p> {
    created: BTreeSet<&'p str>,
    used: BTreeSet<&'p str>,
}

/// The indexes of the texts in replay order: a topological sort that otherwise keeps the given
/// order. A name that several texts create is ignored.
pub(crate) fn replay_order(texts: &[&ParsedSource]) -> Vec<usize> {
    let names: Vec<TextNames<'_>> = texts.iter().map(|parsed| text_names(parsed)).collect();
    let mut creators: BTreeMap<&str, Option<usize>> = BTreeMap::new();
    for (at, text) in names.iter().enumerate() {
        for name in &text.created {
            creators.entry(name).and_modify(|known| *known = None).or_insert(Some(at));
        }
    }
    let needed = |text: &TextNames<'_>| {
        let used = text.used.iter().filter(|name| !text.created.contains(*name));
        used.filter_map(|name| creators.get(name).copied().flatten()).collect::<BTreeSet<usize>>()
    };
    let needs: Vec<BTreeSet<usize>> = names.iter().map(needed).collect();
    let mut ordered = Vec::with_capacity(texts.len());
    let mut states = vec![VisitState::New; texts.len()];
    for first in 0..texts.len() {
        // Depth-first search: a text stays on the stack until the texts it needs are done. A text
        // that is already waiting is not pushed again, so that cycles end.
        let mut stack = vec![first];
        while let Some(at) = stack.last().copied() {
            match states[at] {
                VisitState::New => {
                    states[at] = VisitState::Waits;
                    let needs = needs[at].iter().rev().copied();
                    stack.extend(needs.filter(|need| states[*need] == VisitState::New));
                }
                VisitState::Waits => {
                    states[at] = VisitState::Done;
                    ordered.push(at);
                    stack.pop();
                }
                VisitState::Done => {
                    stack.pop();
                }
            }
        }
    }
    ordered
}

/// The state of a text in the search.
#[derive(Clone, Copy, PartialEq, Eq)]
enum VisitState {
    New,
    Waits,
    Done,
}

fn text_names(parsed: &ParsedSource) -> TextNames<'_> {
    let mut names = TextNames::default();
    for statement in &parsed.statements {
        collect_names(&mut names, &statement.kind);
    }
    names
}

fn collect_names<'p>(names: &mut TextNames<'p>, kind: &'p StatementKind) {
    let used = match kind {
        StatementKind::CreateKeyspace(create) => {
            names.created.insert(&create.name.text);
            return;
        }
        StatementKind::CreateTable(create) => {
            names.created.insert(&create.name.name.text);
            create.columns.iter().for_each(|column| collect_type_names(names, &column.type_name));
            &create.name
        }
        StatementKind::CreateType(create) => {
            names.created.insert(&create.name.name.text);
            create.fields.iter().for_each(|(_, ty)| collect_type_names(names, ty));
            &create.name
        }
        StatementKind::CreateView(create) => {
            names.created.insert(&create.name.name.text);
            &create.table
        }
        StatementKind::CreateFunction(create) => {
            names.created.insert(&create.name.name.text);
            &create.name
        }
        StatementKind::Use(target) => {
            names.used.insert(&target.keyspace.text);
            return;
        }
        StatementKind::CreateIndex(create) => &create.table,
        StatementKind::AlterTable(alter) => &alter.name,
        StatementKind::AlterType(alter) => &alter.name,
        StatementKind::Select(select) => &select.table,
        StatementKind::Insert(insert) => &insert.table,
        StatementKind::Update(update) => &update.table,
        StatementKind::Delete(delete) => &delete.table,
        StatementKind::Batch(batch) => {
            names.used.extend(batch.statements.iter().map(|statement| match &statement.kind {
                WriteKind::Insert(insert) => &*insert.table.name.text,
                WriteKind::Update(update) => &*update.table.name.text,
                WriteKind::Delete(delete) => &*delete.table.name.text,
            }));
            return;
        }
        _ => return,
    };
    names.used.insert(&used.name.text);
    names.used.extend(used.keyspace.as_ref().map(|keyspace| &*keyspace.text));
}

fn collect_type_names<'p>(names: &mut TextNames<'p>, ty: &'p TypeName) {
    match &ty.kind {
        TypeNameKind::List(of)
        | TypeNameKind::Set(of)
        | TypeNameKind::Vector(of, _)
        | TypeNameKind::Frozen(of) => collect_type_names(names, of),
        TypeNameKind::Map(of) => {
            collect_type_names(names, &of.0);
            collect_type_names(names, &of.1);
        }
        TypeNameKind::Tuple(of) => of.iter().for_each(|ty| collect_type_names(names, ty)),
        TypeNameKind::User(name) => {
            names.used.insert(&name.name.text);
        }
        TypeNameKind::Native(_) | TypeNameKind::Custom(_) | TypeNameKind::Placeholder(_) => {}
    }
}

#[cfg(test)]
mod tests {
    fn order(texts: &[&str]) -> Vec<usize> {
        let parsed: Vec<_> = texts.iter().map(|text| cql::parse(text)).collect();
        super::replay_order(&parsed.iter().collect::<Vec<_>>())
    }

    #[test]
    fn what_is_used_comes_first() {
        let (select, table) = ("SELECT * FROM k.t;", "CREATE TABLE k.t (a frozen<u> PRIMARY KEY);");
        let (ty, keyspace) = ("CREATE TYPE k.u (a int);", "CREATE KEYSPACE k WITH x = 1;");
        assert_eq!(order(&[select, table, ty, keyspace]), [3, 2, 1, 0]);
        assert_eq!(order(&[keyspace, ty, table, select]), [0, 1, 2, 3]);
        // Two creators: the name is ignored.
        assert_eq!(order(&[select, table, table]), [0, 1, 2]);
        // A cycle.
        let (one, two) = (
            "CREATE TABLE a (x int); SELECT * FROM b;",
            "CREATE TABLE b (x int); SELECT * FROM a;",
        );
        assert_eq!(order(&[one, two]).len(), 2);
    }
}
