//! Ways that find rows by an index on a column outside the candidate's key.

use std::collections::BTreeSet;

use model::dependency::Dependencies;
use model::id::{IdList, ReadId, SourceId};
use model::index_guide::{self, IndexFitness};
use model::plan::{
    ColumnRole, Derivation, MappingReason, MappingRule, PlannedColumn, PlannedIndex, PlannedTable,
    ReadPart,
};
use model::workload::{Column, Comparison, OutputValue, Predicate, Read};

use super::candidate_ways::{CandidateRead, WayCandidate};
use super::column_needs::{self, ColumnNeeds};
use super::fit;
use super::lookups::LookupUnit;
use super::synthetic;
use crate::candidate::{CandidateId, CandidateTable};
use crate::read_plan::columns::ReadView;
use crate::{Context, indexing};

/// Whether a read may use an index at all: one that returns rows as they are. Where the prices do
/// not charge for the nodes that an index read queries, indexes are no candidates.
pub(super) fn is_allowed(context: Context<'_>, read: &Read) -> bool {
    let plain = |value: OutputValue| matches!(value, OutputValue::Column(_));
    context.options.search.prices.node > 0.0
        && read.group.is_empty()
        && read.outputs.iter().all(|output| plain(output.value))
        && !read.conditions.iter().any(|condition| synthetic::is_given(read, condition))
}

/// The ways to answer a read by an index on a candidate.
pub(super) fn find_ways(
    context: Context<'_>,
    (at, candidate): (CandidateId, &CandidateTable),
    read: &Read,
    variants: &[Vec<LookupUnit>],
) -> Vec<WayCandidate> {
    if candidate.table.is_counter() {
        return Vec::new();
    }
    let Some(places) = fit::map_sources(context.concept, &candidate.table, read) else {
        return Vec::new();
    };
    let bare = ReadView::for_candidate(context.concept, &candidate.table, read, &places);
    // A partition of one row needs no index.
    let is_pointless = is_partition_given(bare) && candidate.table.clustering().next().is_none();
    let is_frequent = !is_partition_given(bare) && !indexing::is_rare(context.workload, read);
    if is_pointless || is_frequent {
        return Vec::new();
    }
    let mut found = Vec::new();
    for index in indexable_columns(context, bare) {
        let Some(table) = with_index(context, &candidate.table, index) else { continue };
        let view = ReadView::for_candidate(context.concept, &table, read, &places);
        let Some(needs) = ColumnNeeds::from_view(view) else { continue };
        let dependencies = Dependencies::new(context.concept, &candidate.table.holds.sources);
        let pair =
            CandidateRead { context, at, candidate, view, dependencies, needs, index: Some(index) };
        found.extend(pair.find_ways(variants));
    }
    found
}

/// The columns of a candidate that could be searched by an index.
fn indexable_columns(context: Context<'_>, view: ReadView<'_>) -> BTreeSet<Column> {
    let dependencies = Dependencies::new(context.concept, &view.table.holds.sources);
    let conditions =
        view.read.conditions.iter().filter_map(|condition| match condition.predicate {
            Predicate::Compare { column, comparison, .. } => Some((column, comparison)),
            _ => None,
        });
    let taken = |column: Column, comparison: Comparison| {
        let attribute = view.attribute(column);
        attribute.is_some_and(|attribute| match comparison {
            Comparison::Equal => indexing::can_index(attribute),
            _ => indexing::is_attached(context) && indexing::can_index_ranges(attribute),
        })
    };
    conditions
        .filter(|(column, comparison)| {
            taken(*column, *comparison) && !column_needs::is_in_key(view, *column)
        })
        .filter_map(|(column, _)| column_needs::candidate_column(view, &dependencies, column))
        .collect()
}

/// The table of a candidate with a column and an index on it.
fn with_index(
    context: Context<'_>,
    candidate: &PlannedTable,
    column: Column,
) -> Option<PlannedTable> {
    let mut table = candidate.clone();
    let entity =
        context.concept.entities.member(candidate.holds.sources.member(column.source)?.entity)?;
    table.columns.push(PlannedColumn {
        // No key column has an empty name.
        name: String::new(),
        ty: entity.attributes.member(column.attribute)?.ty.clone(),
        role: ColumnRole::Regular,
        derivation: Derivation::Attribute(column),
        reasons: Vec::new(),
    });
    let index = index_on(context, &table, &[], (column, Vec::new()))?;
    table.indexes.push(index);
    Some(table)
}

/// The index on a column of a candidate, in a table built from it, with what it serves. `sources`
/// maps the candidate's sources to the table's (empty where all stay). `None` where the column is
/// not stored in each row.
pub(crate) fn index_on(
    context: Context<'_>,
    table: &PlannedTable,
    sources: &[Option<SourceId>],
    (column, serves): (Column, Vec<(ReadId, ReadPart)>),
) -> Option<PlannedIndex> {
    let source = if sources.is_empty() {
        column.source
    } else {
        sources.member(column.source).copied().flatten()?
    };
    let derivation = Derivation::Attribute(Column { source, ..column });
    let is_wanted = |stored: &&PlannedColumn| {
        stored.derivation == derivation && stored.role == ColumnRole::Regular
    };
    let found = table.columns.iter().find(is_wanted)?;
    let read = serves.first().map(|(read, _)| *read);
    let name = read.and_then(|read| context.workload.reads.member(read)).map(|read| &read.name);
    let text = format!(
        "`{}` searches by it, and the index costs less than a separate table",
        name.map_or("", |name| name)
    );
    Some(PlannedIndex {
        name: String::new(),
        column: found.name.clone(),
        attached: indexing::is_attached(context),
        serves,
        reason: MappingReason { rule: MappingRule::Index, read, text },
        figures: None,
    })
}

/// Whether a read gives the whole partition key of a table.
fn is_partition_given(view: ReadView<'_>) -> bool {
    view.table.partition_key().all(|column| match column.derivation {
        Derivation::Attribute(of) => view.equality_value(of).is_some(),
        Derivation::Constant => true,
        _ => false,
    })
}

/// Whether the indexes of a table suit a read that runs on it and finds `rows` rows.
pub(super) fn is_suitable(
    context: Context<'_>,
    table: &PlannedTable,
    (read, sources): (&Read, &[Option<SourceId>]),
    rows: f64,
) -> bool {
    if rows > index_guide::ROWS_MAX {
        return false;
    }
    if is_partition_given(ReadView::for_candidate(context.concept, table, read, sources)) {
        return indexing::can_search_within(context, table);
    }
    let fitness = |index: &PlannedIndex| {
        let Derivation::Attribute(of) = table.column(&index.column)?.derivation else {
            return None;
        };
        let entity =
            context.concept.entities.member(table.holds.sources.member(of.source)?.entity)?;
        let attribute = entity.attributes.member(of.attribute)?;
        Some(indexing::whole_table_fitness(context, entity, attribute))
    };
    indexing::is_rare(context.workload, read)
        && table.indexes.iter().all(|index| fitness(index) > Some(IndexFitness::Poor))
}

/// The description of a way by an index; `others` is its description without the index.
pub(super) fn describe_way(dependencies: &Dependencies<'_>, index: Column, others: &str) -> String {
    let attribute = dependencies.entity(index.source).attributes.member(index.attribute);
    let name = attribute.map_or("", |attribute| &attribute.name);
    match others {
        "one table" => format!("by an index on {name}"),
        _ => format!("by an index on {name}; {others}"),
    }
}
