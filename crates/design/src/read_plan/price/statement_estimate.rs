//! What one run of a statement finds in its table.

use std::collections::{BTreeMap, BTreeSet};

use model::concept::{DAY, Origin};
use model::id::IdList;
use model::plan::{ColumnRole, Derivation, Direction, Loop, PlannedColumn, PlannedTable, Volume};
use schema::size::{self, ColumnLayout};

use super::repetitions::{count_touched_buckets, share_of_bucket};
use super::shape::StatementShape;
use crate::cost::tombstones;
use crate::volume::{self, LETTERS, YEAR};
use crate::{Context, Target};

/// Elements that a collection should have at most.
const MOST_ELEMENTS: f64 = 100.0;
/// The additional weight of an element beyond them.
const UNPAGED_WEIGHT: f64 = 49.0;

/// Rows of a range at most, where nothing is stated about it: some pages.
const RANGE_ROWS: f64 = 1_000.0;

/// What one run of a statement finds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct StatementEstimate {
    /// Partitions that it reads.
    pub(super) partitions: f64,
    /// Nodes that it queries beyond those of the partition.
    pub(super) nodes: f64,
    /// Rows that it reads unless stopped early.
    pub(super) rows: f64,
    /// Tombstones among them.
    pub(super) tombstones: f64,
    /// The tombstones come before the rows.
    pub(super) tombstones_first: bool,
    /// Tombstones in all buckets of a key, where they are walked from the oldest on.
    pub(super) tombstones_of_key: Option<f64>,
    /// Bytes of a row, and of a partition beside its rows, as far as they are selected.
    pub(super) row_bytes: f64,
    /// Cells of a row, as far as they are selected.
    pub(super) row_cells: f64,
    /// Buckets that the range of the bucketed column touches, where that is stated.
    pub(super) touched: Option<f64>,
    pub(super) fixed_bytes: f64,
}

/// What is stated about the rows of a step.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StatedRows<'a> {
    /// The usual widths of the ranges of columns.
    pub(crate) spans: &'a [(String, f64)],
    /// Rows that it returns.
    pub(crate) returned: Option<f64>,
}

impl StatedRows<'_> {
    fn span(&self, column: &str) -> Option<f64> {
        self.spans.iter().find(|(name, _)| name == column).map(|(_, width)| *width)
    }
}

impl StatementEstimate {
    pub(super) fn new(
        context: Context<'_>,
        table: &PlannedTable,
        shape: &StatementShape,
        loops: &[Loop],
        stated: StatedRows<'_>,
    ) -> Self {
        let mut found = Self::default();
        found.measure(context, table, shape);
        let is_fixed = |column: &PlannedColumn| shape.fixed.contains(&column.name);
        let is_asked = |name: &String| shape.fixed.contains(name) || shape.ranges.contains(name);
        if table.indexes.iter().any(|index| is_asked(&index.column)) {
            found.search_index(context, table, shape);
            return found;
        }
        if !table.partition_key().all(is_fixed) {
            found.scan_table(context, table);
            return found;
        }
        found.partitions = 1.0;
        let held = rows_per_partition(&table.volume);
        found.rows = if table.clustering().next().is_none() {
            1.0
        } else if table.clustering().any(is_fixed) {
            (rows_under(context, table, &shape.fixed) * shape.values).min(held.max(1.0))
        } else {
            held
        };
        found.rows *= partition_hit_share(context, table);
        for range in table.clustering().filter(|column| shape.ranges.contains(&column.name)) {
            if shape.prefixes.contains(&range.name) {
                found.restrict_prefix(table, range, stated);
            } else {
                found.restrict_range(context, (table, shape), range, loops, stated);
            }
        }
        if !table.clustering().all(is_fixed) {
            let part = if held > 0.0 { (found.rows / held).min(1.0) } else { 1.0 };
            found.tombstones =
                tombstones::mean_per_partition(context, table, &shape.constants) * part;
            found.tombstones_first = is_oldest_first(table, shape);
            if found.tombstones_first && loops.iter().any(is_walk_from_oldest) {
                found.tombstones_of_key =
                    Some(tombstones::mean_per_key(context, table, &shape.constants));
            }
        }
        found
    }

    /// The rows within a range of a clustering column, and the buckets that it touches.
    fn restrict_range(
        &mut self,
        context: Context<'_>,
        (table, shape): (&PlannedTable, &StatementShape),
        column: &PlannedColumn,
        loops: &[Loop],
        stated: StatedRows<'_>,
    ) {
        let bucketed = table
            .bucket()
            .filter(|(_, of, _)| volume::attribute_of(&column.derivation) == Some(*of));
        let span = stated.span(&column.name);
        let returned = stated.returned.filter(|_| self.rows > 0.0);
        let walk = loops.iter().find_map(|turn| match turn {
            Loop::Buckets(walk) => Some(walk),
            _ => None,
        });
        let share = if let (Some(walk), Some((_, _, bucket))) = (walk, bucketed) {
            // The walk visits only the buckets of the range.
            let rows = self.rows.max(f64::MIN_POSITIVE);
            let is_open = walk.from.is_none() && span.is_none() && returned.is_none();
            let by_rows = || {
                let all = || rows_of_key(context, table, &shape.fixed);
                returned.unwrap_or_else(|| usual_range(context, all())) / rows + 1.0
            };
            let touched = span.map_or_else(by_rows, |span| count_touched_buckets(bucket, span));
            self.touched = (!is_open).then_some(touched);
            share_of_bucket(walk, self.touched)
        } else {
            let by_rows = returned.map(|returned| (returned / self.rows).min(1.0));
            let by_span = span.map(|span| self.share_of_span(context, table, column, span));
            by_span.or(by_rows).unwrap_or_else(|| {
                let all = (self.rows * f64::from(table.shards())).max(f64::MIN_POSITIVE);
                usual_range(context, all) / all
            })
        };
        // The query asks for rows that exist: of all rows of a key, one is in the range.
        let least = if self.touched.is_none() { self.rows.min(1.0) } else { 0.0 };
        self.rows = (self.rows * share).max(least);
    }

    /// The rows with a prefix, at worst: of one character. Where that is the partition key, these
    /// are all rows of the partition.
    fn restrict_prefix(
        &mut self,
        table: &PlannedTable,
        column: &PlannedColumn,
        stated: StatedRows<'_>,
    ) {
        let of = volume::attribute_of(&column.derivation);
        let by_first = |key: &PlannedColumn| matches!(key.derivation, Derivation::Prefix(prefix, _) if Some(prefix) == of);
        let worst = if table.partition_key().any(by_first) { 1.0 } else { 1.0 / LETTERS };
        self.rows = stated.returned.unwrap_or(self.rows * worst).min(self.rows);
    }

    /// The share of a partition's rows in a range of this width: of the time over which they
    /// arrived, or of as many values as there are rows.
    fn share_of_span(
        &self,
        context: Context<'_>,
        table: &PlannedTable,
        column: &PlannedColumn,
        span: f64,
    ) -> f64 {
        let whole = if volume::is_time(&column.ty) {
            volume::days_held(context, table) * DAY
        } else {
            self.rows
        };
        (span / whole.max(f64::MIN_POSITIVE)).min(1.0)
    }

    /// A statement without the partition key: a scan of everything.
    fn scan_table(&mut self, context: Context<'_>, table: &PlannedTable) {
        let all = partitions_held(&table.volume);
        self.nodes = f64::from(context.concept.nodes.max(1));
        self.partitions = all;
        self.rows = all * rows_per_partition(&table.volume).max(1.0);
        let anywhere = BTreeMap::new();
        self.tombstones = all * tombstones::mean_per_partition(context, table, &anywhere);
    }

    /// A statement by an index: in one partition, the index of one node is searched, else that of
    /// each.
    fn search_index(&mut self, context: Context<'_>, table: &PlannedTable, shape: &StatementShape) {
        let all = partitions_held(&table.volume);
        self.rows = if shape.fixed.is_empty() {
            all * rows_per_partition(&table.volume).max(1.0)
        } else {
            rows_matching(context, table, &shape.fixed) * shape.values
        };
        if !shape.ranges.is_empty() {
            self.rows *= context.options.search.prices.range_share;
        }
        if table.partition_key().all(|column| shape.fixed.contains(&column.name)) {
            self.partitions = 1.0;
            self.nodes = 1.0;
            return;
        }
        self.partitions = self.rows.min(all).max(1.0);
        if context.options.target == Target::Scylla {
            // The index is a separate table, of which one partition is read.
            self.partitions += 1.0;
        } else {
            self.nodes = f64::from(context.concept.nodes.max(1));
        }
    }

    /// Bytes of what is selected.
    fn measure(&mut self, context: Context<'_>, table: &PlannedTable, shape: &StatementShape) {
        let mut narrow = key_columns_only(table);
        let wanted =
            |column: &&PlannedColumn| !column.is_key() && shape.selected.contains(&column.name);
        narrow.columns.extend(table.columns.iter().filter(wanted).map(strip_reasons));
        let layout = volume::layout(context.concept, &narrow, None);
        self.row_bytes = size::row(&layout);
        self.fixed_bytes = size::partition_overhead(&layout);
        self.row_cells = layout.regulars.iter().map(cells).sum();
    }
}

/// Cells of a column in a row. A collection is read as a whole: elements beyond the recommended
/// number count fifty times, since they cannot be paged.
fn cells(field: &ColumnLayout) -> f64 {
    if !field.ty.is_collection() {
        return 1.0;
    }
    field.items + UNPAGED_WEIGHT * (field.items - MOST_ELEMENTS).max(0.0)
}

/// The share of values of a partition key for which there are rows: an entity may have fewer rows
/// than its attribute has values.
fn partition_hit_share(context: Context<'_>, table: &PlannedTable) -> f64 {
    let mut key = table.partition_key().map(|column| &column.derivation);
    let (Some(Derivation::Attribute(of)), None) = (key.next(), key.next()) else { return 1.0 };
    let entity = table.holds.sources.member(of.source);
    let Some(entity) = entity.and_then(|source| context.concept.entities.member(source.entity))
    else {
        return 1.0;
    };
    let Some(attribute) = entity.attributes.member(of.attribute) else { return 1.0 };
    if attribute.distinct.origin != Origin::Given {
        return 1.0;
    }
    (entity.rows.value / attribute.distinct.value.max(1.0)).clamp(f64::MIN_POSITIVE, 1.0)
}

/// Partitions of a table; those after a year for one that is still empty.
fn partitions_held(volume: &Volume) -> f64 {
    let later = volume.partitions + volume.partitions_per_day * YEAR;
    if volume.partitions > 0.0 { volume.partitions.max(1.0) } else { later.max(1.0) }
}

/// Rows of a partition; those after a year for a table that is still empty.
fn rows_per_partition(volume: &Volume) -> f64 {
    let first = volume.rows_after(0.0).mean;
    if first > 0.0 { first } else { volume.rows_after(YEAR).mean }
}

/// Rows under one value of the partition key and of the clustering columns that are fixed: as many
/// as a partition would have if they were part of its key.
fn rows_under(context: Context<'_>, table: &PlannedTable, fixed: &BTreeSet<String>) -> f64 {
    let mut narrow = key_columns_only(table);
    for column in narrow.columns.iter_mut().filter(|column| fixed.contains(&column.name)) {
        column.role = ColumnRole::Partition;
    }
    rows_per_partition(&volume::estimate_volume(context, &narrow))
}

/// Rows of a range about which nothing is stated, of so many under the key. How wide it is does not
/// depend on how the rows are split into partitions.
fn usual_range(context: Context<'_>, rows: f64) -> f64 {
    (context.options.search.prices.range_share * rows).min(RANGE_ROWS)
}

/// Rows in all buckets and shards under one value of the key and of the clustering columns that are
/// fixed.
fn rows_of_key(context: Context<'_>, table: &PlannedTable, fixed: &BTreeSet<String>) -> f64 {
    let mut whole = key_columns_only(table);
    whole.columns.retain(|column| {
        !matches!(column.derivation, Derivation::Bucket(..) | Derivation::Shard { .. })
    });
    rows_under(context, &whole, fixed)
}

/// Rows of the whole table under one value of the columns that are fixed.
fn rows_matching(context: Context<'_>, table: &PlannedTable, fixed: &BTreeSet<String>) -> f64 {
    let mut narrow = PlannedTable { holds: table.holds.clone(), ..PlannedTable::default() };
    for column in &table.columns {
        let role = match column.role {
            _ if fixed.contains(&column.name) => ColumnRole::Partition,
            ColumnRole::Partition => ColumnRole::Clustering(Direction::Ascending),
            role => role,
        };
        narrow.columns.push(PlannedColumn { role, ..strip_reasons(column) });
    }
    rows_per_partition(&volume::estimate_volume(context, &narrow))
}

/// The table with its key columns alone.
fn key_columns_only(table: &PlannedTable) -> PlannedTable {
    let columns =
        table.columns.iter().filter(|column| column.is_key()).map(strip_reasons).collect();
    let volume = Volume { file_span: table.volume.file_span, ..Volume::default() };
    PlannedTable { columns, holds: table.holds.clone(), volume, ..PlannedTable::default() }
}

/// The column without its reasons.
fn strip_reasons(column: &PlannedColumn) -> PlannedColumn {
    PlannedColumn {
        name: column.name.clone(),
        ty: column.ty.clone(),
        role: column.role,
        derivation: column.derivation.clone(),
        reasons: Vec::new(),
    }
}

/// Whether a loop walks over buckets from the oldest on, until it has enough rows.
const fn is_walk_from_oldest(turn: &Loop) -> bool {
    matches!(turn, Loop::Buckets(walk) if !walk.newest_first && walk.stops_at_limit && walk.from.is_none())
}

/// Whether rows are read from the oldest on, so that deleted and expired ones precede the others.
fn is_oldest_first(table: &PlannedTable, shape: &StatementShape) -> bool {
    let mut open = table.clustering().skip_while(|column| shape.fixed.contains(&column.name));
    open.next().is_some_and(|first| {
        let descending = first.role == ColumnRole::Clustering(Direction::Descending);
        let ranged = shape.ranges.contains(&first.name);
        volume::is_time(&first.ty) && descending == shape.reversed && !ranged
    })
}
