//! Alternatives by an index: for a query too infrequent for a separate table, an index on another
//! query's table, both with their prices.
//!
//! `crate::indexing` decides when an index may be used.

use model::id::{EntityId, IdList, ReadId, TableId};
use model::index_guide::{self, IndexFitness};
use model::plan::topic::{IndexAlternative, IndexKind, IndexSearch, ReadTopic, TableCost};
use model::plan::{Derivation, Note, NoteKind, NoteSubject, PlannedIndex, PlannedTable, ReadPart};
use model::workload::{Column, Comparison, OutputValue, Predicate, Read};

use super::note;
use super::review::Review;
use crate::{Target, indexing};

/// Another way to serve a read.
struct IndexOption<'a> {
    table: &'a PlannedTable,
    /// The indexed column.
    column: &'a str,
    /// Whether the read gives the whole partition key of the table.
    within: bool,
}

/// An alternative for each infrequent read with a separate table.
pub(super) fn notes(review: Review<'_>) -> Vec<Note> {
    let mut notes = Vec::new();
    for (at, read, _) in review.reads() {
        let is_rare = indexing::is_rare(review.context.workload, read);
        let Some((position, own)) = review.table_of(at).filter(|_| is_rare) else { continue };
        let is_served = |index: &PlannedIndex| index.serves.iter().any(|(read, _)| *read == at);
        let is_indexed =
            review.design.tables.iter().flat_map(|table| &table.indexes).any(is_served);
        if is_indexed || own.serves.len() > 1 || !own.supports.is_empty() {
            continue;
        }
        let Some(index) = index_for(review, at, read, own) else { continue };
        let (kind, search) = index.kind(review);
        let topic = ReadTopic::Index(IndexAlternative {
            read: read.name.clone(),
            rate: read.rate.value,
            table: own.name.clone(),
            cost: cost(review, position, own),
            kind,
            on: index.table.name.clone(),
            column: index.column.to_owned(),
            search,
        });
        notes.push(note(NoteKind::Alternative, NoteSubject::Read(at), topic));
    }
    notes
}

/// The cost of the separate table.
fn cost(review: Review<'_>, position: TableId, own: &PlannedTable) -> TableCost {
    let copies = f64::from(review.context.concept.copies().max(1));
    TableCost {
        rows: review.rows_written(position),
        row_bytes: own.volume.row_bytes,
        copies,
        stored: own.volume.table_bytes_after(review.horizon()) * copies,
        years: review.context.options.limits.years,
    }
}

/// The index that could serve a read, on a table that holds the same rows.
fn index_for<'a>(
    review: Review<'a>,
    at: ReadId,
    read: &Read,
    own: &PlannedTable,
) -> Option<IndexOption<'a>> {
    let [source] = own.holds.sources.as_slice() else { return None };
    let searched = search_columns(read)?;
    let rows = own.volume.rows_after(0.0).mean;
    let is_split = own.bucket().is_some() || own.shards() > 1;
    if is_split || rows > index_guide::ROWS_MAX {
        return None;
    }
    let entity = review.context.concept.entities.member(source.entity)?;
    let mut options: Vec<IndexOption<'a>> = Vec::new();
    let tables = review.tally.tables_of_entity.get(&source.entity);
    for table in tables.into_iter().flatten().map(|table| &review.design.tables[*table]) {
        let served = table.serves.iter().any(|served| served.read == at);
        if served
            || !has_same_rows(table, own, source.entity)
            || !has_all_columns(table, read, &searched)
        {
            continue;
        }
        let within = is_partition_given(table, &searched);
        let Some((name, column)) = index_column(table, &searched) else { continue };
        let attribute = review.attribute(table, column)?;
        let fitness = indexing::whole_table_fitness(review.context, entity, attribute);
        if !within && fitness == IndexFitness::Poor {
            continue;
        }
        options.push(IndexOption { table, column: name, within });
    }
    options.sort_by_key(|index| (!index.within, index.table.clustering().count()));
    options.into_iter().next()
}

/// The attributes that a read searches by equality; `None` when it needs anything that an index
/// does not provide.
fn search_columns(read: &Read) -> Option<Vec<Column>> {
    let is_column = |value| matches!(value, OutputValue::Column(_));
    if read.sources.len() > 1
        || !read.group.is_empty()
        || !read.outputs.iter().all(|output| is_column(output.value))
    {
        return None;
    }
    read.conditions
        .iter()
        .map(|condition| match condition.predicate {
            Predicate::Compare { column, comparison: Comparison::Equal, .. }
            | Predicate::Holds { column, .. } => Some(column),
            _ => None,
        })
        .collect()
}

/// Whether a table holds each row of the entity once, and all that the other holds.
fn has_same_rows(table: &PlannedTable, own: &PlannedTable, entity: EntityId) -> bool {
    let rows = table.serves.iter().any(|served| served.part == ReadPart::Rows);
    let [source] = table.holds.sources.as_slice() else { return false };
    rows && source.entity == entity
        && table.holds.filters.iter().all(|filter| own.holds.filters.contains(filter))
        && table.holds.not_null.iter().all(|column| own.holds.not_null.contains(column))
        && table.holds.elements.is_empty()
        && !table.is_counter()
}

/// Whether a table has every column that a read needs.
fn has_all_columns(table: &PlannedTable, read: &Read, searched: &[Column]) -> bool {
    let returned = read.outputs.iter().filter_map(|output| match output.value {
        OutputValue::Column(column) => Some(column),
        _ => None,
    });
    let ordered = read.order.iter().map(|ordering| ordering.column);
    returned.chain(ordered).chain(searched.iter().copied()).all(|column| {
        table.columns.iter().any(|stored| stored.derivation == Derivation::Attribute(column))
    })
}

/// Whether the read gives the whole partition key of a table.
fn is_partition_given(table: &PlannedTable, searched: &[Column]) -> bool {
    table.partition_key().all(|column| match column.derivation {
        Derivation::Attribute(attribute) => searched.contains(&attribute),
        _ => false,
    })
}

/// The only column to index, searched and not part of the key: its name and attribute.
fn index_column<'a>(table: &'a PlannedTable, searched: &[Column]) -> Option<(&'a str, Column)> {
    let mut columns = table.columns.iter().filter_map(|column| match column.derivation {
        Derivation::Attribute(attribute) if searched.contains(&attribute) && !column.is_key() => {
            Some((column.name.as_str(), attribute))
        }
        _ => None,
    });
    let first = columns.next()?;
    columns.next().is_none().then_some(first)
}

impl IndexOption<'_> {
    /// The kind of index and what a search by it involves.
    fn kind(&self, review: Review<'_>) -> (IndexKind, IndexSearch) {
        let concept = review.context.concept;
        let search = if self.within {
            let replicas = concept.replication.first().map_or(1, |(_, copies)| *copies);
            IndexSearch::Partition { replicas }
        } else {
            IndexSearch::Cluster { nodes: f64::from(concept.nodes) }
        };
        let kind = match review.context.options.target {
            Target::Cassandra50 => IndexKind::StorageAttached,
            Target::Cassandra41 => IndexKind::Secondary,
            Target::Scylla if self.within => {
                IndexKind::Local(self.table.partition_key().map(|key| key.name.clone()).collect())
            }
            Target::Scylla => IndexKind::Global,
        };
        (kind, search)
    }
}
