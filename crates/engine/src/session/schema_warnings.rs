//! Warnings of schema statements.

use cql::statement::StatementKind;
use cql::statement::table::TableChange;
use cql::types::Type;
use schema::catalog::{Catalog, IndexClass, Replication, Table};
use schema::ddl::CatalogChange;
use schema::refusal::{Reason, SaiReason};

use crate::execute::Execution;

const VIEWS_WARNING: &str =
    "Materialized views are experimental and are not recommended for production use.";
const SASI_WARNING: &str =
    "SASI indexes are experimental and are not recommended for production use.";
/// The class of SASI indexes.
pub(crate) const SASI_CLASS: &str = "org.apache.cassandra.index.sasi.SASIIndex";
const VECTORS_WARNING: &str = "SAI ANN indexes on vector columns are experimental and are not recommended for production use.\n\
    They don't yet support SELECT queries with:\n \
    * Consistency level higher than ONE/LOCAL_ONE.\n \
    * Paging.\n \
    * No LIMIT clauses.\n \
    * PER PARTITION LIMIT clauses.\n \
    * GROUP BY clauses.\n \
    * Aggregation functions.\n \
    * Filters on columns without a SAI index.";
const REPAIR_WARNING: &str = "When increasing replication factor you need to run a full (-full) repair to distribute the data.";

/// Warns of features that a schema statement uses, even if it changes nothing.
pub(crate) fn warn(
    execution: &Execution<'_>,
    catalog: &Catalog,
    statement: &StatementKind,
    change: &CatalogChange,
) {
    match (statement, change) {
        (StatementKind::CreateView(_), _) => execution.warn(VIEWS_WARNING),
        (StatementKind::CreateIndex(create), change) => {
            if let CatalogChange::Table(table) = change {
                warn_of_vectors(execution, table);
            }
            if create.class.as_deref() == Some(SASI_CLASS) {
                execution.warn(SASI_WARNING);
            }
        }
        (StatementKind::AlterTable(alter), CatalogChange::Table(table)) => {
            if matches!(alter.change, TableChange::Add { .. } | TableChange::Mask { .. }) {
                warn_of_vectors(execution, table);
            }
        }
        (
            StatementKind::CreateKeyspace(_) | StatementKind::AlterKeyspace(_),
            CatalogChange::Keyspace(keyspace),
        ) => {
            warn_of_replication_factor(execution, &keyspace.name, &keyspace.replication);
            let before = catalog.keyspace(&keyspace.name).map(|old| total_copies(&old.replication));
            if before.is_some_and(|before| before < total_copies(&keyspace.replication)) {
                execution.warn(REPAIR_WARNING);
            }
        }
        _ => {}
    }
}

/// Adds the warnings that the server raises before it refuses a statement: those of existing vector
/// indexes.
pub(crate) fn warn_of_refusal(
    execution: &Execution<'_>,
    catalog: &Catalog,
    statement: &StatementKind,
    reason: &Reason,
) {
    let StatementKind::CreateIndex(create) = statement else { return };
    if *reason != Reason::Sai(SaiReason::NoFloats) {
        return;
    }
    let named = create.table.keyspace.as_ref().map(|keyspace| &*keyspace.text);
    let keyspace = named.or(execution.keyspace).and_then(|name| catalog.keyspace(name));
    if let Some(table) = keyspace.and_then(|own| own.tables.get(&create.table.name.text)) {
        warn_of_vectors(execution, table);
    }
}

/// Warns of vector indexes: the server checks all indexes of a table when one is added.
fn warn_of_vectors(execution: &Execution<'_>, table: &Table) {
    let of_vector = |index: &&schema::catalog::Index| {
        index.class == IndexClass::Sai
            && table
                .column(&index.column)
                .is_some_and(|column| matches!(column.ty, Type::Vector(..)))
    };
    table.indexes.iter().filter(of_vector).for_each(|_| execution.warn_every_time(VECTORS_WARNING));
}

/// Warns of a replication factor above the number of nodes, which is one.
fn warn_of_replication_factor(
    execution: &Execution<'_>,
    keyspace: &str,
    replication: &Replication,
) {
    let by_centre = replication.class.ends_with("NetworkTopologyStrategy");
    for (name, value) in &replication.options {
        let copies = full_copies(value);
        if copies > 1 {
            let place = if by_centre { format!(" for datacenter {name}") } else { String::new() };
            execution.warn(format!(
                "Your replication factor {copies} for keyspace {keyspace} is higher than the number of nodes 1{place}"
            ));
        }
    }
}

fn total_copies(replication: &Replication) -> u64 {
    replication.options.values().map(|value| full_copies(value)).sum()
}

/// The number of full replicas: `3` has three, `3/1` two and a transient one.
fn full_copies(value: &str) -> u64 {
    let (all, transient) = value.split_once('/').unwrap_or((value, "0"));
    let number = |text: &str| text.trim().parse::<u64>().unwrap_or(0);
    number(all).saturating_sub(number(transient))
}
