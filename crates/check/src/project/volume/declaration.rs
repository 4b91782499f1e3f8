//! Reading what comments declare.

use std::collections::BTreeMap;

use cql::StatementKind;
use model::concept::{Attribute, Concept, Entity, Figure, Origin, zipf_share};
use model::concept::{DAY, Skew};
use model::id::IdList;
use model::schema_file;
use schema::catalog::Table;
use schema::size;

use super::{ColumnVolume, TableVolume, model_volume, partition};
use crate::project::{Project, TableFacts, Ttl};
use crate::vocabulary::times::is_time_bucket;

/// Days that growth is looked at, where it is not linear.
pub(super) const PLANNING_DAYS: f64 = 5.0 * 365.0;

/// Reads what comments declare, and tells every table.
pub(in crate::project) fn attach(project: &mut Project<'_>) {
    let mut volumes: Vec<TableVolume> = Vec::with_capacity(project.tables.len());
    let mut complaints = Vec::new();
    let (files, nodes) = read_concepts(project, &mut complaints);
    let entities: BTreeMap<usize, BTreeMap<u32, &Entity>> = files
        .iter()
        .map(|(text, concept)| {
            let by_place = concept.entities.iter().rev().map(|entity| (entity.span.start, entity));
            (*text, by_place.collect())
        })
        .collect();
    for facts in &project.tables {
        let start = project.statements.get(facts.statement).map(|seen| seen.place.span.start);
        let file = entities.get(&facts.place.text);
        let entity = file.zip(start).and_then(|(file, start)| file.get(&start));
        let concept = files.get(&facts.place.text);
        let declared = entity.zip(concept).map(|(entity, concept)| entity_volume(concept, entity));
        let modelled =
            || model_volume::table_volume(project.settings.model.as_ref()?, &facts.table);
        let declared = declared.or_else(modelled).unwrap_or_default();
        volumes.push(complete_volume(project, facts, declared));
    }
    for (facts, volume) in project.tables.iter_mut().zip(volumes) {
        facts.volume = volume;
    }
    project.directive_errors = complaints;
    project.nodes = nodes.unwrap_or(project.nodes);
}

/// What the texts with directives say, by their positions, and the nodes of the cluster.
fn read_concepts(
    project: &Project<'_>,
    complaints: &mut Vec<(usize, cql::Diagnostic)>,
) -> (BTreeMap<usize, Concept>, Option<u32>) {
    let (mut files, mut nodes) = (BTreeMap::new(), None);
    for (at, text) in project.texts.iter().enumerate() {
        let creates = |kind: &StatementKind| matches!(kind, StatementKind::CreateTable(_));
        let says = |span: cql::Span| span.text(text.text).contains('@');
        if !text.parsed.comments.iter().any(|comment| says(comment.span))
            || !text.parsed.statements.iter().any(|statement| creates(&statement.kind))
        {
            continue;
        }
        match schema_file::read(text.text, &text.parsed, &project.catalog) {
            Ok(file) => {
                nodes = nodes.or(file.nodes);
                files.insert(at, file.concept);
            }
            Err(wrong) => complaints.extend(wrong.into_iter().map(|one| (at, one))),
        }
    }
    (files, nodes)
}

/// What a file declares of a table.
fn entity_volume(concept: &Concept, entity: &Entity) -> TableVolume {
    let each = entity.references.first().map(|reference| reference.fan_out);
    let parent = entity.references.first().and_then(|one| concept.entities.member(one.target));
    TableVolume {
        rows: explicit_value(entity.rows),
        grows: explicit_value(entity.growth_over(PLANNING_DAYS)),
        retain: entity.retain,
        each: each.filter(|each| each.origin != Origin::Assumed),
        partitions: parent.and_then(|parent| explicit_value(parent.rows)),
        columns: entity.attributes.iter().map(attribute_volume).collect(),
        ..TableVolume::default()
    }
}

/// A figure that somebody said.
pub(super) fn explicit_value(stated: Figure<f64>) -> Option<f64> {
    (stated.origin != Origin::Assumed).then_some(stated.value)
}

/// The volumes of an attribute.
pub(super) fn attribute_volume(attribute: &Attribute) -> ColumnVolume {
    ColumnVolume {
        bytes: attribute.bytes,
        // As many as it grows to.
        items: Figure { value: attribute.items_after(PLANNING_DAYS), ..attribute.items },
        distinct: attribute.distinct,
        skew: attribute.skew,
    }
}

/// Adds what follows from the table, its statements and what is declared.
fn complete_volume(
    project: &Project<'_>,
    facts: &TableFacts,
    mut volume: TableVolume,
) -> TableVolume {
    let table = &facts.table;
    let ttl = table.params.default_time_to_live;
    let by_table = (ttl > 0).then(|| f64::from(ttl));
    volume.retain = volume.retain.or(by_table);
    volume.expires = longest_ttl(project, facts).or(by_table);
    volume.inserts = insert_rate(project, facts);
    if volume.partitions.is_none() {
        let key = 0..table.partition_key().len();
        let distinct: Option<Vec<f64>> = key.map(|at| volume.distinct(at)).collect();
        volume.partitions = distinct.map(|values| values.iter().product());
    }
    volume.spread = write_spread(table, &volume);
    volume.skewed = skew_factor(table, &volume);
    let layout = volume.layout(table);
    volume.row_bytes = size::row(&layout);
    volume.fixed_bytes = size::partition_overhead(&layout);
    volume.partition = partition::estimate_size(table, &volume);
    volume
}

/// Rows that statements add, per second: those that insert, or if none does those that update.
fn insert_rate(project: &Project<'_>, facts: &TableFacts) -> Option<f64> {
    let sum = |inserts: bool| {
        let writes = facts.row_writes(project);
        let rates = writes.filter(|write| write.is_insert() == inserts);
        rates.filter_map(|write| write.seen.rate()).reduce(|one, other| one + other)
    };
    sum(true).or_else(|| sum(false))
}

/// Partitions that are written at a time.
fn write_spread(table: &Table, volume: &TableVolume) -> Option<f64> {
    let key = table.partition_key().iter().enumerate();
    let apart = key.filter(|(_, column)| !is_time_bucket(column));
    let mut values = 1.0;
    let mut all_declared = true;
    for (at, _) in apart {
        match volume.distinct(at) {
            Some(distinct) => values *= distinct.max(1.0),
            None => all_declared = false,
        }
    }
    let rolls = table.partition_key().iter().any(is_time_bucket);
    if all_declared { Some(values) } else { volume.partitions.filter(|_| !rolls) }
}

/// How many times the average the largest partition is.
fn skew_factor(table: &Table, volume: &TableVolume) -> f64 {
    let columns = volume.columns.iter().take(table.partition_key().len());
    columns.fold(1.0, |times, column| match column.skew {
        Skew::Zipf(exponent) if column.distinct.origin != Origin::Assumed => {
            let values = column.distinct.value.max(1.0);
            times * values * zipf_share(values, exponent)
        }
        _ => times,
    })
}

/// Rows per second that a table grows by.
pub(super) fn table_growth_rate(volume: &TableVolume) -> Option<f64> {
    volume.inserts.or_else(|| volume.grows.map(|rows| rows / DAY)).filter(|rate| *rate > 0.0)
}

/// The longest TTL of the statements that write rows, where each of them names one; `None` where one does not, or a marker names it.
fn longest_ttl(project: &Project<'_>, facts: &TableFacts) -> Option<f64> {
    let mut longest: Option<f64> = None;
    for write in facts.row_writes(project) {
        match write.ttl() {
            Ttl::Seconds(seconds) if seconds > 0 => {
                let seconds = f64::from(i32::try_from(seconds).unwrap_or(i32::MAX));
                longest = Some(longest.map_or(seconds, |known| known.max(seconds)));
            }
            _ => return None,
        }
    }
    longest
}
