//! Tables with all that is known of them.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::{Arc, OnceLock};

use cql::statement::table::TableChange;
use cql::{QualifiedName, StatementKind};
use schema::catalog::{Table, View};

use super::query_shape::QueryShape;
use super::{Project, ReplayedStatement, StatementOutcome, TablePositions, TableVolume};
use crate::{Confidence, Location};

/// A table or view, and what is known of it.
#[derive(Clone, Debug)]
pub struct TableFacts {
    /// The table, after all statements. Of a view its table side.
    pub table: Arc<Table>,
    /// The view, if it is one.
    pub(crate) view: Option<Arc<View>>,
    /// Its name in the statement that creates it.
    pub(crate) place: Location,
    /// The position of that statement among those of the project.
    pub(crate) statement: usize,
    /// The positions of the ALTERs that set options of it.
    pub(crate) alters: Vec<usize>,
    /// The positions of the ALTERs that add columns to it.
    pub(crate) additions: Vec<usize>,
    /// The positions of the SELECTs that read it.
    pub(crate) reads: Vec<usize>,
    /// The positions of the SELECTs that name it, those that the server refuses included.
    pub(crate) queries: Vec<usize>,
    /// The positions of the statements that write it, batches included.
    pub(crate) writes: Vec<usize>,
    /// Its volumes.
    pub volume: TableVolume,
    /// What rules ask again and again.
    pub(crate) cached: CachedFacts,
}

/// What follows from a table and its statements, computed when the first rule asks for it.
#[derive(Clone, Debug, Default)]
pub(crate) struct CachedFacts {
    /// What each of the SELECTs that name it asks for.
    pub(crate) shapes: OnceLock<Vec<QueryShape>>,
    /// Whether rows expire.
    pub(crate) expires: OnceLock<bool>,
    /// Whether statements only add rows.
    pub(crate) is_append_only: OnceLock<bool>,
    /// How its partitions grow without end: the position of the clustering column, and how sure that is.
    pub(crate) growth: OnceLock<Option<(usize, Confidence)>>,
    /// Whether its name is that of a small table which every system has.
    pub(crate) has_small_name: OnceLock<bool>,
}

impl TableFacts {
    /// The SELECTs that read it.
    pub(crate) fn reads<'p>(
        &'p self,
        project: &'p Project<'_>,
    ) -> impl Iterator<Item = &'p ReplayedStatement> {
        self.reads.iter().filter_map(|at| project.statements.get(*at))
    }

    /// The statements that write it, batches included.
    pub(crate) fn writes<'p>(
        &'p self,
        project: &'p Project<'_>,
    ) -> impl Iterator<Item = &'p ReplayedStatement> {
        self.writes.iter().filter_map(|at| project.statements.get(*at))
    }
}

/// All tables and views that statements create and that are still there.
pub(super) fn collect_tables(project: &Project<'_>) -> Vec<TableFacts> {
    let mut tables: Vec<TableFacts> = Vec::new();
    let mut known = BTreeMap::new();
    for (at, seen) in project.definitions() {
        let Some(statement) = project.syntax(seen) else { continue };
        let (name, is_view) = match &statement.kind {
            StatementKind::CreateTable(create) => (&create.name, false),
            StatementKind::CreateView(create) => (&create.name, true),
            _ => continue,
        };
        let Some(keyspace) = keyspace_of(seen, name) else { continue };
        let Some(keyspace) = project.catalog.keyspace(keyspace) else { continue };
        let view = keyspace.views.get(&name.name.text).filter(|_| is_view);
        let Some(table) = keyspace.table_or_view(&name.name.text) else { continue };
        let place = Location { text: seen.place.text, span: name.name.span };
        let facts = TableFacts {
            table: table.clone(),
            view: view.cloned(),
            place,
            statement: at,
            alters: Vec::new(),
            additions: Vec::new(),
            reads: Vec::new(),
            queries: Vec::new(),
            writes: Vec::new(),
            volume: TableVolume::default(),
            cached: CachedFacts::default(),
        };
        // The same statement again (IF NOT EXISTS) creates nothing; behind a DROP it makes the table anew.
        match known.entry((table.keyspace.clone(), table.name.clone())) {
            Entry::Vacant(free) => {
                free.insert(tables.len());
                tables.push(facts);
            }
            Entry::Occupied(earlier)
                if matches!(seen.outcome, StatementOutcome::Changes(Some(_))) =>
            {
                tables[*earlier.get()] = facts;
            }
            Entry::Occupied(_) => {}
        }
    }
    tables
}

/// The keyspace that a name in a statement means.
fn keyspace_of<'n>(seen: &'n ReplayedStatement, name: &'n QualifiedName) -> Option<&'n str> {
    let stated = name.keyspace.as_ref().map(|name| &*name.text);
    stated.or(seen.keyspace.as_deref())
}

/// The positions of tables by their names.
pub(super) fn table_positions(tables: &[TableFacts]) -> TablePositions {
    let mut names = TablePositions::new();
    for (at, facts) in tables.iter().enumerate() {
        let keyspace = names.entry(facts.table.keyspace.clone()).or_default();
        keyspace.insert(facts.table.name.clone(), at);
    }
    names
}

/// Tells every table which statements read and write it.
pub(super) fn attach_statements(project: &mut Project<'_>) {
    let position = |keyspace: &str, name: &str, names: &TablePositions| {
        names.get(keyspace).and_then(|tables| tables.get(name)).copied()
    };
    for (at, seen) in project.statements.iter().enumerate() {
        if matches!(seen.outcome, StatementOutcome::Changes(_))
            && let Some(StatementKind::AlterTable(alter)) =
                project.syntax(seen).map(|known| &known.kind)
            && let Some(keyspace) = keyspace_of(seen, &alter.name)
            && let Some(table) = position(keyspace, &alter.name.name.text, &project.by_name)
            && project.tables[table].statement < at
        {
            match alter.change {
                TableChange::With(_) => project.tables[table].alters.push(at),
                TableChange::Add { .. } => project.tables[table].additions.push(at),
                _ => {}
            }
        }
        for write in seen.writes() {
            let table = position(&write.table.keyspace, &write.table.name, &project.by_name);
            if let Some(facts) = table.and_then(|table| project.tables.get_mut(table))
                && facts.writes.last() != Some(&at)
            {
                facts.writes.push(at);
            }
        }
        let read = seen.read();
        let asked = match (read, seen.plan()) {
            (Some(read), _) => Some((&*read.table.keyspace, &*read.table.name)),
            (None, Some(_)) => None,
            (None, None) => select_table_name(project, seen),
        };
        let table = asked.and_then(|(keyspace, name)| position(keyspace, name, &project.by_name));
        if let Some(facts) = table.and_then(|table| project.tables.get_mut(table)) {
            facts.queries.push(at);
            facts.reads.extend(read.map(|_| at));
        }
    }
}

/// The table that a SELECT names which the server refuses.
fn select_table_name<'p>(
    project: &'p Project<'_>,
    seen: &'p ReplayedStatement,
) -> Option<(&'p str, &'p str)> {
    let table = &project.select(seen)?.table;
    Some((keyspace_of(seen, table)?, &table.name.text))
}
