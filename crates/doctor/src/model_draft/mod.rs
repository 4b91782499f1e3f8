//! A model file drafted from a snapshot: what the tables hold, what was asked of them and how much
//! there is, with what could not be known marked.
//!
//! `entity` finds the tables that are copies of one another and `bucket` the columns that only
//! divide partitions; `reference` finds references by names; `volume` and `rate` turn measurements
//! into figures; `statement` translates the statements that were seen; `text` writes the file.
//! `verification` has the reader of model files judge it: what that refuses becomes a comment.

mod bucket;
mod entity;
mod open_point;
mod rate;
mod reference;
mod sql_type;
mod statement;
#[cfg(test)]
mod tests;
mod text;
mod verification;
mod volume;

use std::fmt;

use schema::catalog::{Catalog, Keyspace};

use crate::snapshot::{Snapshot, TableName};
pub use open_point::{OpenPoint, OpenPointKind, StatementChange};
pub use rate::StatementRate;
pub use statement::{DraftStatement, StatementAction, UntranslatedReason, UntranslatedStatement};

/// A table of more rows is not read as a whole by requests.
const FULL_READ_ROWS_MAX: f64 = 100_000.0;

/// Each table is compared with all others, since it may be a copy of any.
const TABLES_MAX: usize = 1_000;

/// A drafted model file.
#[derive(Clone, Debug)]
pub struct ModelDraft {
    /// The keyspace that it describes.
    pub keyspace: String,
    /// The text of the file.
    pub text: String,
    /// Its statements.
    pub statements: Vec<DraftStatement>,
    /// The statements that are only comments in it.
    pub untranslated: Vec<UntranslatedStatement>,
    /// The remarks on its tables, by the names of these.
    pub table_points: Vec<(String, OpenPoint)>,
}

/// Why nothing can be drafted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DraftFailure {
    /// The snapshot has no schema.
    NoSchema,
    /// The schema has no tables of users.
    NoTables,
    /// The keyspace has so many tables that no model of it can be edited.
    TooManyTables(String, usize),
    /// The schema does not have the keyspace.
    UnknownKeyspace(String, Vec<String>),
}

impl fmt::Display for DraftFailure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSchema => out
                .write_str("no schema was found; add the output of DESCRIBE SCHEMA as schema.cql"),
            Self::NoTables => out.write_str("the schema has no tables"),
            Self::TooManyTables(name, count) => write!(
                out,
                "keyspace {name} has {count} tables; models of up to {TABLES_MAX} are drafted"
            ),
            Self::UnknownKeyspace(name, known) => {
                write!(out, "the schema has no keyspace {name}; it has {}", known.join(", "))
            }
        }
    }
}

impl ModelDraft {
    /// Drafts the model of a keyspace; without a name, of the one with most statements.
    pub fn new(snapshot: &Snapshot, keyspace: Option<&str>) -> Result<Self, DraftFailure> {
        let catalog = snapshot.schema.as_ref().ok_or(DraftFailure::NoSchema)?;
        let (keyspace, others) = choose_keyspace(snapshot, catalog, keyspace)?;
        if keyspace.tables.len() > TABLES_MAX {
            let name = keyspace.name.to_string();
            return Err(DraftFailure::TooManyTables(name, keyspace.tables.len()));
        }
        let mut entities = entity::find_entities(keyspace);
        let references = reference::find_references(&mut entities);
        let volumes: Vec<volume::EntityVolume> =
            entities.iter_mut().map(|entity| volume::measure(snapshot, keyspace, entity)).collect();
        let is_large = |at: usize| volumes[at].rows.is_some_and(|rows| rows > FULL_READ_ROWS_MAX);
        let list = statement::translate_statements(snapshot, keyspace, &mut entities, &is_large);
        let content = text::FileContent {
            snapshot,
            keyspace,
            other_keyspaces: others,
            entities: &entities,
            references: &references,
            volumes: &volumes,
        };
        let (list, text) = verification::verify(&content, list);
        let table_points = entities.iter().flat_map(|entity| {
            entity.points.iter().map(|point| (entity.name.clone(), point.clone()))
        });
        Ok(Self {
            keyspace: keyspace.name.to_string(),
            text,
            table_points: table_points.collect(),
            statements: list.statements,
            untranslated: list.untranslated,
        })
    }
}

/// The keyspace to draft, and the names of the others.
fn choose_keyspace<'a>(
    snapshot: &Snapshot,
    catalog: &'a Catalog,
    wanted: Option<&str>,
) -> Result<(&'a Keyspace, Vec<String>), DraftFailure> {
    let is_own = |keyspace: &&Keyspace| {
        !keyspace.system
            && !TableName::new(&keyspace.name, "").is_system()
            && !keyspace.tables.is_empty()
    };
    let all: Vec<&Keyspace> =
        catalog.keyspaces.values().map(AsRef::as_ref).filter(is_own).collect();
    let names = || all.iter().map(|keyspace| keyspace.name.to_string());
    let chosen = if let Some(name) = wanted {
        let found = all.iter().find(|keyspace| &*keyspace.name == name);
        found.ok_or_else(|| DraftFailure::UnknownKeyspace(name.to_owned(), names().collect()))?
    } else {
        let tables: Vec<(String, String)> =
            snapshot.statements.keys().filter_map(statement::find_table).collect();
        let uses = |keyspace: &Keyspace| {
            let is_own = |(stated, table): &&(String, String)| match &**stated {
                "" => keyspace.table_or_view(table).is_some(),
                stated => stated == &*keyspace.name,
            };
            tables.iter().filter(is_own).count()
        };
        let best = all.iter().rev().max_by_key(|keyspace| (uses(keyspace), keyspace.tables.len()));
        best.ok_or(DraftFailure::NoTables)?
    };
    let others = names().filter(|name| **name != *chosen.name).collect();
    Ok((*chosen, others))
}
