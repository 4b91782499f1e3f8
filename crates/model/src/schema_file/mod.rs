//! A schema with volumes in its comments: the tables of a `.cql` file with their sizes. `comments`
//! assigns each directive to a table or column, `figures` completes the volumes, `deletes` reads the
//! statements that make tombstones.
//!
//! The directives are those of the model file: `@rows`, `@grows` and `@retain` on comment lines
//! directly above a CREATE TABLE, and at the end of a column's line `@bytes`, `@items`, `@distinct`
//! and `@skew`. `@each`, above the table or on a column of the partition key, gives the rows of a
//! partition; without it they are the rows of the table divided by the distinct values of the key.
//! `@rate`, above a DELETE, is how often it runs.
//! `@nodes`, on a comment line outside of statements, gives the nodes of the cluster.

mod comments;
mod deletes;
mod figures;
#[cfg(test)]
mod tests;

pub use figures::usual_sizes;

use cql::{Diagnostic, ParsedSource, StatementKind};

use crate::assumption::Assumption;
use crate::concept::{Concept, DEFAULT_NODES};
use crate::id::{AttributeId, EntityId, SourceId};
use crate::plan::{
    ColumnRole, Derivation, Direction, PlannedColumn, PlannedOptions, PlannedTable, RowDefinition,
};
use crate::workload::{Column, Source, Workload};
use schema::catalog::{Catalog, ColumnKind, Replication, Table};
use schema::compaction_window;

/// The tables of a schema with their volumes.
#[derive(Clone, Debug, PartialEq)]
pub struct SchemaFile {
    /// An entity for each table, and one for the partitions of each table whose rows per partition
    /// are known.
    pub concept: Concept,
    /// The tables, in the order of the file.
    pub tables: Vec<PlannedTable>,
    /// The DELETE statements that state their rate.
    pub workload: Workload,
    /// Nodes of the cluster, if the file gives them.
    pub nodes: Option<u32>,
    /// Figures that the file does not give.
    pub assumptions: Vec<Assumption>,
}

/// Reads the volumes of a schema, whose statements have made the catalog.
///
/// Everything that is wrong with a directive is reported.
pub fn read(
    text: &str,
    parsed: &ParsedSource,
    catalog: &Catalog,
) -> Result<SchemaFile, Vec<Diagnostic>> {
    let remarks = comments::read_annotations(text, parsed);
    let mut file = SchemaFile {
        concept: Concept {
            keyspace: String::new(),
            replication: Vec::new(),
            nodes: remarks.nodes.unwrap_or(DEFAULT_NODES),
            tenant: None,
            entities: Vec::new(),
            types: Vec::new(),
        },
        tables: Vec::new(),
        workload: Workload::default(),
        nodes: remarks.nodes,
        assumptions: Vec::new(),
    };
    let mut errors = remarks.errors;
    let mut used = None;
    for (statement, annotations) in parsed.statements.iter().zip(&remarks.statements) {
        match &statement.kind {
            StatementKind::Use(named) => used = Some(&*named.keyspace.text),
            StatementKind::CreateTable(create) => {
                let keyspace = create.name.keyspace.as_ref().map(|name| &*name.text).or(used);
                let found = find_table(catalog, keyspace, &create.name.name.text);
                if let Some((table, replication)) = found {
                    file.adopt_replication(table, replication);
                    figures::add_table(&mut file, table, statement.span, annotations, &mut errors);
                }
            }
            _ => {}
        }
    }
    for (statement, annotations) in parsed.statements.iter().zip(&remarks.statements) {
        if let (StatementKind::Delete(delete), Some(rate)) = (&statement.kind, annotations.rate) {
            let place = (text, statement.span);
            let write = deletes::read_delete(&file.concept, delete, place, rate);
            file.workload.writes.extend(write);
        }
    }
    if errors.is_empty() {
        Ok(file)
    } else {
        errors.sort_by_key(|error| error.span.start);
        Err(errors)
    }
}

impl SchemaFile {
    /// Uses the name and replication of the first keyspace for all tables.
    fn adopt_replication(&mut self, table: &Table, replication: &Replication) {
        if !self.concept.replication.is_empty() {
            return;
        }
        self.concept.keyspace = table.keyspace.to_string();
        let copies = replication
            .options
            .iter()
            .filter_map(|(name, copies)| Some((name.to_string(), copies.parse().ok()?)));
        self.concept.replication = copies.collect();
        if self.concept.replication.is_empty() {
            self.concept.replication.push(("datacenter1".to_owned(), 1));
        }
    }
}

/// A table of the catalog, with how its keyspace is replicated; without a keyspace the first of
/// that name that is no system table.
fn find_table<'a>(
    catalog: &'a Catalog,
    keyspace: Option<&str>,
    name: &str,
) -> Option<(&'a Table, &'a Replication)> {
    let keyspaces = catalog.keyspaces.values().filter(|known| !known.system);
    let mut wanted = keyspaces.filter(|known| keyspace.is_none_or(|name| *known.name == *name));
    wanted.find_map(|known| Some((&**known.tables.get(name)?, &known.replication)))
}

/// The table as a table of a design, over the entity with this id.
fn plan_table(table: &Table, entity: EntityId) -> PlannedTable {
    let columns = table.columns().iter().enumerate().map(|(attribute, column)| PlannedColumn {
        name: column.name.to_string(),
        ty: column.ty.clone(),
        role: match column.kind {
            ColumnKind::Partition => ColumnRole::Partition,
            ColumnKind::Clustering if column.descending => {
                ColumnRole::Clustering(Direction::Descending)
            }
            ColumnKind::Clustering => ColumnRole::Clustering(Direction::Ascending),
            ColumnKind::Static => ColumnRole::Static,
            ColumnKind::Regular if column.ty.is_counter() => ColumnRole::Counter,
            ColumnKind::Regular => ColumnRole::Regular,
        },
        derivation: Derivation::Attribute(Column {
            source: SourceId::new(0),
            attribute: AttributeId::new(attribute),
        }),
        reasons: Vec::new(),
    });
    let sources = vec![Source { entity, alias: table.name.to_string(), join: None }];
    PlannedTable {
        name: table.name.to_string(),
        columns: columns.collect(),
        holds: RowDefinition { sources, ..RowDefinition::default() },
        options: read_options(table),
        ..PlannedTable::default()
    }
}

/// The options of a table that sizes depend on.
fn read_options(table: &Table) -> PlannedOptions {
    let comment = &table.params.comment;
    PlannedOptions {
        comment: if comment.is_empty() { table.name.to_string() } else { comment.to_string() },
        window: compaction_window::window_seconds(table),
        gc_grace_seconds: u32::try_from(table.params.gc_grace_seconds).ok(),
        ..PlannedOptions::default()
    }
}
