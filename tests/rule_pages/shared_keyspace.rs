//! Keyspaces of the node that blocks share. A drop costs the node ten times what a table costs it, and many blocks have the same tables:
//! so blocks that only create and use share what they create, and it is dropped by the hundreds.

use std::collections::{BTreeMap, BTreeSet};

use cql::name::QualifiedName;
use cql::{Statement, StatementKind};

/// What stands in a keyspace, by kind and name: the statements that made it.
pub(super) type SchemaObjects = BTreeMap<String, Vec<String>>;

/// A keyspace of the node.
pub(super) struct SharedKeyspace {
    /// Its name there.
    pub(super) keyspace: String,
    things: SchemaObjects,
    /// Statements that the node has accepted here.
    accepted: BTreeSet<String>,
}

impl SharedKeyspace {
    pub(super) fn new(keyspace: String) -> Self {
        Self { keyspace, things: SchemaObjects::new(), accepted: BTreeSet::new() }
    }

    /// Whether a statement was accepted here before, so that the node need not be asked again.
    pub(super) fn has_accepted(&self, statement: &Statement) -> bool {
        self.accepted.contains(&cql::printer::statement(statement))
    }

    /// Takes note of a statement that was accepted.
    pub(super) fn accept(&mut self, statement: &Statement) {
        self.accepted.insert(cql::printer::statement(statement));
    }

    /// Takes note of what a block has made.
    pub(super) fn add_objects(&mut self, things: &SchemaObjects) {
        self.things.extend(things.clone());
    }

    /// How many of these things stand here already; nothing where one of them would be in the way of another.
    fn count_shared(&self, things: &SchemaObjects) -> Option<usize> {
        let mut shared = 0;
        for (name, made) in things {
            match self.things.get(name) {
                Some(known) if known == made => shared += 1,
                Some(_) => return None,
                None => {}
            }
        }
        Some(shared)
    }
}

/// The room that has most of these things, and nothing that is in their way.
pub(super) fn find_keyspace(rooms: &[SharedKeyspace], things: &SchemaObjects) -> Option<usize> {
    let fitting = rooms.iter().enumerate();
    let fitting = fitting.filter_map(|(at, room)| Some((room.count_shared(things)?, at)));
    fitting.max_by_key(|(shared, at)| (*shared, std::cmp::Reverse(*at))).map(|(_, at)| at)
}

/// What statements make, if they first create and change tables, indexes, views and types, and then use them, all without a keyspace.
/// A refused statement counts as well: its name must be free for the node to judge it in the same words.
pub(super) fn collect_objects<'s>(
    statements: impl Iterator<Item = &'s Statement>,
) -> Option<SchemaObjects> {
    let mut things = SchemaObjects::new();
    let mut is_used = false;
    for statement in statements {
        let made = statement_objects(statement)?;
        let changes = !made.is_empty();
        if changes && is_used {
            return None;
        }
        is_used |= !changes;
        for name in made {
            things.entry(name).or_default().push(cql::printer::statement(statement));
        }
    }
    Some(things)
}

/// What a statement makes or changes, by kind and name; nothing for one that a block of its own should have.
fn statement_objects(statement: &Statement) -> Option<Vec<String>> {
    let plain = |name: &QualifiedName| name.keyspace.is_none().then(|| name.name.text.to_string());
    let table = |name| Some(format!("table {}", plain(name)?));
    let of_type = |name| Some(format!("type {}", plain(name)?));
    match &statement.kind {
        StatementKind::CreateTable(create) if !create.if_not_exists => {
            Some(vec![table(&create.name)?])
        }
        StatementKind::AlterTable(alter) => Some(vec![table(&alter.name)?]),
        StatementKind::CreateView(create) if !create.if_not_exists => {
            Some(vec![table(&create.name)?, table(&create.table)?])
        }
        StatementKind::CreateIndex(create) if !create.if_not_exists => {
            let index = create.name.iter().map(|name| format!("index {}", name.text));
            Some(index.chain([table(&create.table)?]).collect())
        }
        StatementKind::CreateType(create) if !create.if_not_exists => {
            Some(vec![of_type(&create.name)?])
        }
        StatementKind::AlterType(alter) => Some(vec![of_type(&alter.name)?]),
        StatementKind::Select(_)
        | StatementKind::Insert(_)
        | StatementKind::Update(_)
        | StatementKind::Delete(_)
        | StatementKind::Batch(_) => Some(Vec::new()),
        _ => None,
    }
}

#[test]
fn blocks_share_what_is_the_same() {
    let things =
        |text: &str| collect_objects(cql::parse(text).statements.iter()).unwrap_or_default();
    let users = "CREATE TABLE users (id uuid PRIMARY KEY, name text);";
    let indexed = format!("{users} CREATE INDEX by_name ON users (name);");
    let mut room = SharedKeyspace::new("one".to_owned());
    room.add_objects(&things(users));
    let rooms = [room];
    assert_eq!(
        find_keyspace(&rooms, &things("CREATE TABLE users(id uuid primary key,name text)")),
        Some(0)
    );
    assert_eq!(find_keyspace(&rooms, &things("CREATE TABLE teams (id uuid PRIMARY KEY)")), Some(0));
    assert_eq!(find_keyspace(&rooms, &things(&indexed)), None);
    assert_eq!(find_keyspace(&rooms, &things("CREATE TABLE users (id int PRIMARY KEY)")), None);
}
