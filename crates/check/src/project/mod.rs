//! What is checked: texts, replayed statement by statement as a server would see them.

mod annotations;
mod assumption;
mod change;
mod differences;
pub(crate) mod external_keyspaces;
mod indexes;
mod keyspaces;
mod locations;
mod name_resolution;
mod option_text;
pub(crate) mod query_shape;
mod recovery;
mod replay;
mod rollback;
mod table;
#[cfg(test)]
pub(crate) mod tests;
mod type_repair;
pub(crate) mod volume;
mod write;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::OnceLock;

use cql::{ParsedSource, Statement};
use schema::Catalog;

pub(crate) use annotations::StatementAnnotations;
pub use change::MigrationStep;
pub(crate) use change::{KeyspaceState, ObjectChange};
pub use replay::ReplayedStatement;
pub(crate) use replay::StatementOutcome;
pub(crate) use replay::statement_title;
pub use rollback::is_rollback;
pub(crate) use rollback::migration_number;
pub use table::TableFacts;
pub(crate) use volume::{GrowthEnd, TableVolume};
pub(crate) use write::{Ttl, WriteStatement, WriteSyntax};

use crate::{Location, Settings};

/// A text to be checked.
#[derive(Clone, Debug)]
pub struct SourceText<'a> {
    /// Its name: a path, mostly.
    pub name: &'a str,
    /// What is read. Of a program it is the CQL alone, at its place among blanks.
    pub text: &'a str,
    /// Its statements.
    pub parsed: ParsedSource,
    /// What it is.
    pub kind: TextKind,
    /// Whether findings in it are told; those of a schema that is only looked up are not.
    pub is_reported: bool,
}

/// What a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextKind {
    /// A schema, statements, or both.
    Cql,
    /// One step of a migration.
    Migration,
    /// A program with CQL in its strings.
    Program,
}

/// The positions of tables by keyspace and name.
type TablePositions = HashMap<Box<str>, HashMap<Box<str>, usize>>;

/// What is checked, and what there is to know about it.
#[derive(Debug)]
pub struct Project<'a> {
    /// The texts.
    pub texts: Vec<SourceText<'a>>,
    /// What the user says.
    pub settings: &'a Settings,
    /// The schema after all statements.
    pub catalog: Catalog,
    /// Every statement, in the order of the texts.
    pub statements: Vec<ReplayedStatement>,
    /// The positions of those that neither read nor write: they change the schema, are refused, or are something else.
    definitions: Vec<usize>,
    /// Every table and view that the texts create and that is still there, in the order of their creation.
    pub tables: Vec<TableFacts>,
    /// What migrations change, or what is different from an earlier state.
    pub(crate) steps: Vec<MigrationStep>,
    /// Refusals of options that were left out to go on, each with the position of its statement.
    pub(crate) refusals: Vec<(usize, schema::Refusal)>,
    /// Nodes of the cluster: as comments or the model file say, else as the settings say.
    pub(crate) nodes: u32,
    /// The rules' own diagnostics of directives that are wrong.
    pub(crate) directive_errors: Vec<(usize, cql::Diagnostic)>,
    by_name: TablePositions,
    index_creations: BTreeMap<(Box<str>, Box<str>), usize>,
    /// Families of tables that are the same but for the end of their names, looked for when the first rule asks.
    pub(crate) clones: OnceLock<Vec<(Box<str>, Vec<usize>)>>,
    /// Pairs of tables that hold the same things, the same way.
    pub(crate) copies: OnceLock<BTreeSet<(usize, usize)>>,
}

impl<'a> Project<'a> {
    /// Replays the texts, from a catalog that knows the keyspaces that exist already. With `before`, what is different from
    /// that schema counts as one step of a migration.
    pub fn new(
        texts: Vec<SourceText<'a>>,
        session: schema::Session,
        settings: &'a Settings,
        before: Option<&Catalog>,
    ) -> Self {
        let mut project = replay::replay(texts, session, settings);
        let defines = |(at, seen): (usize, &ReplayedStatement)| seen.plan().is_none().then_some(at);
        project.definitions = project.statements.iter().enumerate().filter_map(defines).collect();
        project.tables = table::collect_tables(&project);
        project.by_name = table::table_positions(&project.tables);
        table::attach_statements(&mut project);
        project.index_creations = indexes::creations(&project);
        volume::attach(&mut project);
        project.steps = change::collect_steps(&project, before);
        project
    }

    /// The facts of a table or view, if a text creates it.
    pub(crate) fn table(&self, keyspace: &str, name: &str) -> Option<&TableFacts> {
        self.tables.get(*self.by_name.get(keyspace)?.get(name)?)
    }

    /// The position of a table among [`Self::tables`].
    pub(crate) fn position(&self, table: &schema::catalog::Table) -> Option<usize> {
        self.by_name.get(&table.keyspace)?.get(&table.name).copied()
    }

    /// The facts of a table of the catalog.
    pub(crate) fn facts(&self, table: &schema::catalog::Table) -> Option<&TableFacts> {
        self.table(&table.keyspace, &table.name)
    }

    /// The statements that neither read nor write, with their positions: what changes the schema, is refused, or is something else.
    pub(crate) fn definitions(&self) -> impl Iterator<Item = (usize, &ReplayedStatement)> {
        self.definitions.iter().filter_map(|at| Some((*at, self.statements.get(*at)?)))
    }

    /// The syntax of a statement.
    pub fn syntax(&self, seen: &ReplayedStatement) -> Option<&Statement> {
        self.texts.get(seen.place.text)?.parsed.statements.get(seen.at)
    }

    /// The text at a place.
    pub(crate) fn text_at(&self, place: Location) -> &'a str {
        self.texts.get(place.text).map_or("", |text| place.span.text(text.text))
    }

    /// Whether there are statements that read or write tables: without any, rules that ask for them know less.
    pub(crate) fn has_queries(&self) -> bool {
        self.definitions.len() < self.statements.len()
    }
}
