//! Rows of a partition: from row counts, fan-outs, distinct values, skew and growth.

use cql::types::{NativeType, Type};
use model::concept::{Concept, DAY, Entity, Growth, GrowthCurve, Origin, Skew};
use model::id::{AttributeId, EntityId, IdList, SourceId};
use model::plan::{ColumnRole, Derivation, PlannedColumn, PlannedTable, Quantiles};
use model::workload::{Column, Comparison, Condition, Predicate};

use super::anchor::{Anchor, AnchorKind, ReferenceStep, SourceGraph};
use super::distribution::Distribution;

/// The assumed share of values within a range between constants.
const RANGE_SHARE: f64 = 1.0 / 3.0;
/// The approximate number of different first characters.
pub(crate) const LETTERS: f64 = 26.0;
/// How unevenly names begin with them: a ninth with the most frequent one.
const LETTER_SKEW: Skew = Skew::Zipf(0.5);

/// Rows of a partition today, and new ones per day.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RowGrowth {
    pub(super) today: Distribution,
    pub(super) daily: Distribution,
}

/// Rows of a table without its buckets and shards.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RowEstimate {
    /// Per value of the key.
    pub(super) growing: RowGrowth,
    /// In the table today, and new ones per day.
    pub(super) total: f64,
    pub(super) total_daily: f64,
    /// The course of their growth.
    pub(super) curve: GrowthCurve,
    /// New values of the key per day.
    pub(super) values_daily: f64,
    /// The course of their growth.
    pub(super) values_curve: GrowthCurve,
    /// A date in the key: the rows of one day are in one partition.
    pub(super) by_day: bool,
    /// What the key fixes.
    pub(super) anchors: Vec<Anchor>,
    /// The entity whose rows the table's rows are.
    pub(super) entity: EntityId,
    /// Rows of the table for each row of that entity.
    pub(super) each: f64,
    /// The share of rows under the value with most.
    pub(super) largest_share: f64,
}

/// The rows of a table; `None` when nothing is known about what it holds.
pub(super) fn estimate_rows(
    concept: &Concept,
    table: &PlannedTable,
    horizon_days: f64,
) -> Option<RowEstimate> {
    let sources = SourceGraph::new(concept, table);
    let tips = sources.tips();
    let tip = *tips.first()?;
    let entity = table.holds.sources.member(tip)?.entity;
    let this = concept.entities.member(entity)?;
    let beside: f64 =
        tips.iter().skip(1).map(|other| join_factor(concept, &sources, *other, tip)).product();
    let each = filter_share(concept, table) * elements(concept, table) * beside;
    let anchors = sources.anchors(tip);
    let (anchors, growing, by_day) = group_by_days(concept, entity, anchors);
    // Rows that the elements of a growing array add to those of today.
    let elements = element_growth(concept, table);
    let more = if elements.daily > 0.0 { elements.daily * each } else { 0.0 };
    let total_daily = growth(concept, entity) * each + this.rows.value * more;
    let daily = growing.daily.times(each).plus(&growing.today.times(more));
    let growing = RowGrowth { today: growing.today.times(each), daily };
    let curve = if elements.daily > 0.0 { elements.curve } else { this.curve };
    // Where only a rate is declared, there are no rows yet, in total and under each value.
    let per_time = this.references.iter().any(|reference| reference.fan_out.per.is_some());
    let known = this.rows.origin != Origin::Assumed || !per_time;
    let total = if known { this.rows.value * each } else { 0.0 };
    let share = |largest: f64, all: f64| if all > 0.0 { (largest / all).min(1.0) } else { 0.0 };
    let (values_daily, values_curve) =
        new_values(concept, &anchors, &growing, Growth { daily: total_daily, curve });
    let mut rows = RowEstimate {
        growing,
        largest_share: if growing.daily.rows.max > 0.0 {
            share(growing.daily.rows.max, total_daily)
        } else {
            share(growing.today.rows.max, total)
        },
        total,
        total_daily,
        curve,
        values_daily,
        values_curve,
        by_day,
        anchors,
        entity,
        each,
    };
    cap(concept, table, horizon_days, &mut rows);
    Some(rows)
}

/// Rows of another tip beside each row of the first: a join that multiplies.
fn join_factor(
    concept: &Concept,
    sources: &SourceGraph<'_>,
    other: SourceId,
    tip: SourceId,
) -> f64 {
    let one =
        RowGrowth { today: Distribution::even(1.0, 1.0), daily: Distribution::even(0.0, 1.0) };
    let path = sources.path_to_shared(other, tip);
    rows_along_path(concept, one, &path).today.rows.mean.max(1.0)
}

/// New rows of an entity per day: as declared, otherwise derived from its references per time.
pub(super) fn growth(concept: &Concept, entity: EntityId) -> f64 {
    let this = &concept.entities[entity];
    if this.grows.origin != Origin::Assumed {
        return this.grows.value;
    }
    let per_reference = this.references.iter().filter_map(|reference| {
        let parents = concept.entities[reference.target].rows.value;
        Some(reference.fan_out.mean * parents * DAY / reference.fan_out.per?)
    });
    per_reference.fold(this.grows.value, f64::max)
}

/// Rows under one value of all anchors together, which are independent of one another.
fn rows_under_all(concept: &Concept, entity: EntityId, anchors: &[Anchor]) -> RowGrowth {
    let total = concept.entities[entity].rows.value.max(1.0);
    let mut parts = anchors.iter().map(|anchor| rows_under_anchor(concept, anchor));
    let Some(first) = parts.next() else {
        return RowGrowth {
            today: Distribution::even(concept.entities[entity].rows.value, 1.0),
            daily: Distribution::even(growth(concept, entity), 1.0),
        };
    };
    parts.fold(first, |so_far, part| {
        let share = |growing: &RowGrowth| shares(concept, entity, growing, total);
        // Where nothing grows under one key part, nothing grows under the pair.
        let one = so_far.daily.cross(&share(&part));
        let other = part.daily.cross(&share(&so_far));
        RowGrowth {
            today: so_far.today.cross(&share(&part)),
            daily: if one.rows.mean <= other.rows.mean { one } else { other },
        }
    })
}

/// The shares of all rows that lie under each value.
fn shares(concept: &Concept, entity: EntityId, growing: &RowGrowth, total: f64) -> Distribution {
    if growing.today.rows.mean > 0.0 {
        return growing.today.times(1.0 / total);
    }
    // There are no rows yet: the shares of new rows are taken.
    growing.daily.times(1.0 / growth(concept, entity).max(f64::MIN_POSITIVE))
}

/// Rows of the tip under one anchor.
pub(super) fn rows_under_anchor(concept: &Concept, anchor: &Anchor) -> RowGrowth {
    let start = match anchor.fixes {
        AnchorKind::Row { entity, .. } => {
            let rows = concept.entities[entity].rows.value;
            RowGrowth { today: Distribution::even(1.0, rows), daily: Distribution::even(0.0, rows) }
        }
        // Rows for each element are counted for the table as a whole.
        AnchorKind::Value { entity, attribute } | AnchorKind::Element { entity, attribute } => {
            rows_under_value(concept, entity, attribute)
        }
        AnchorKind::Prefix { entity, attribute, length } => {
            let this = &concept.entities[entity];
            let length = i32::try_from(length).unwrap_or(i32::MAX);
            let values = LETTERS.powi(length).min(this.attributes[attribute].distinct.value);
            let spread = |rows: f64| Distribution::from_skew(rows, values, LETTER_SKEW);
            RowGrowth { today: spread(this.rows.value), daily: spread(growth(concept, entity)) }
        }
    };
    rows_along_path(concept, start, &anchor.path)
}

/// Rows of an entity under one value of an attribute.
fn rows_under_value(concept: &Concept, entity: EntityId, attribute: AttributeId) -> RowGrowth {
    let this = &concept.entities[entity];
    let values = &this.attributes[attribute];
    let spread = |rows: f64| Distribution::from_skew(rows, values.distinct.value, values.skew);
    // New rows have new times: no rows are added under a past time.
    let new = if is_time(&values.ty) { 0.0 } else { growth(concept, entity) };
    RowGrowth { today: spread(this.rows.value), daily: spread(new) }
}

/// Rows at the lower end of a path of references, from those at its upper end.
fn rows_along_path(concept: &Concept, top: RowGrowth, path: &[ReferenceStep]) -> RowGrowth {
    path.iter().rev().fold(top, |above, link| {
        let each = rows_per_parent(concept, *link);
        let more_each = above.today.compose(&each.daily);
        let more_parents = above.daily.times(each.today.rows.mean);
        RowGrowth { today: above.today.compose(&each.today), daily: more_each.plus(&more_parents) }
    })
}

/// Rows that refer to one row: today, and new ones per day.
fn rows_per_parent(concept: &Concept, link: ReferenceStep) -> RowGrowth {
    let holder = &concept.entities[link.entity];
    let reference = &holder.references[link.reference];
    let parents = concept.entities[reference.target].rows.value.max(1.0);
    let stated = Distribution::from_fan_out(&reference.fan_out, parents);
    if let Some(seconds) = reference.fan_out.per {
        let known = holder.rows.origin != Origin::Assumed;
        let today = if known { holder.rows.value / parents } else { 0.0 };
        return RowGrowth { today: stated.with_mean(today), daily: stated.times(DAY / seconds) };
    }
    let new = if reference.fan_out.origin == Origin::Assumed {
        // Not declared as settled: new rows that new parents do not account for go to the existing
        // ones.
        let taken = growth(concept, reference.target) * reference.fan_out.mean;
        (growth(concept, link.entity) - taken).max(0.0) / parents
    } else {
        0.0
    };
    RowGrowth { today: stated, daily: stated.with_mean(new) }
}

/// Rows under all anchors together. Where they grow under the others, a date among them means that
/// the rows of one day are in one partition; the date is then removed from the anchors.
fn group_by_days(
    concept: &Concept,
    entity: EntityId,
    anchors: Vec<Anchor>,
) -> (Vec<Anchor>, RowGrowth, bool) {
    let is_day = |anchor: &Anchor| match anchor.fixes {
        AnchorKind::Value { entity, attribute } => {
            let ty = &concept.entities[entity].attributes[attribute].ty;
            anchor.path.is_empty() && *ty == Type::Native(NativeType::Date)
        }
        _ => false,
    };
    if anchors.iter().any(is_day) {
        let others: Vec<_> = anchors.iter().filter(|anchor| !is_day(anchor)).cloned().collect();
        let growing = rows_under_all(concept, entity, &others);
        if growing.daily.rows.mean > 0.0 {
            return (others, growing, true);
        }
    }
    let growing = rows_under_all(concept, entity, &anchors);
    (anchors, growing, false)
}

/// New values of the key per day.
fn new_values(
    concept: &Concept,
    anchors: &[Anchor],
    growing: &RowGrowth,
    total: Growth,
) -> (f64, GrowthCurve) {
    if growing.daily.rows.mean <= 0.0 {
        let each = growing.today.rows.mean.max(1.0);
        return (if anchors.is_empty() { 0.0 } else { total.daily / each }, total.curve);
    }
    let new = anchors.iter().filter_map(|anchor| match anchor.fixes {
        AnchorKind::Row { entity, .. } => {
            Some((growth(concept, entity), concept.entities[entity].curve))
        }
        _ => None,
    });
    new.max_by(|one, other| one.0.total_cmp(&other.0)).unwrap_or_default()
}

/// Caps the rows: a partition has no more rows than its clustering columns have values, and one row
/// without clustering columns. Groups by date grow by at most the number of values of the other
/// columns each day.
fn cap(concept: &Concept, table: &PlannedTable, horizon_days: f64, rows: &mut RowEstimate) {
    let grouped = table.columns.iter().any(|column| {
        use Derivation::{Count, Newest, Oldest, Sum};
        matches!(column.derivation, Count(_) | Sum(_) | Oldest(_) | Newest(_))
    });
    let (mut most, mut by_date) = (1.0, false);
    for column in table.clustering() {
        let Some(values) = values_of(concept, table, column, grouped) else { return };
        let is_date = grouped && column.ty == Type::Native(NativeType::Date);
        by_date |= is_date;
        most *= if is_date && rows.growing.daily.rows.mean > 0.0 { 1.0 } else { values };
    }
    let RowGrowth { today, daily } = rows.growing;
    if rows.by_day {
        // The rows of a day are bounded, the number of days is not.
        rows.growing.daily.rows = daily.rows.map(|count| count.min(most));
        let left = rows.growing.daily.rows.mean / daily.rows.mean.max(f64::MIN_POSITIVE);
        (rows.total, rows.total_daily) = (rows.total * left, rows.total_daily * left);
        return;
    }
    if by_date && daily.rows.mean > 0.0 {
        // The groups of a day, for as many days as it took to add the rows of today.
        let days = today.rows.mean / daily.rows.mean;
        rows.growing.daily.rows = daily.rows.map(|count| count.min(most));
        rows.growing.today.rows =
            today.rows.zip(rows.growing.daily.rows, |now, daily| now.min((daily * days).max(1.0)));
        // The table has the groups of its keys, not the rows that they count.
        let RowGrowth { today, daily } = rows.growing;
        rows.total = rows.total.min(today.values * today.rows.mean);
        rows.total_daily = rows.total_daily.min(daily.values * daily.rows.mean);
        return;
    }
    let days = match retention(concept, table) {
        Some(seconds) => rows.curve.peak(horizon_days) * (seconds / DAY).min(horizon_days),
        None => rows.curve.elapsed(horizon_days),
    };
    let later = today.rows.zip(daily.rows, |today, daily| today + daily * days);
    if later.max <= most {
        return;
    }
    rows.growing.today.rows = later.map(|count| count.min(most));
    rows.growing.daily.rows = Quantiles::default();
    let all = today.values * rows.growing.today.rows.mean;
    rows.total = if rows.total > 0.0 { rows.total.min(all) } else { all };
    rows.total_daily = rows.total_daily.min(rows.values_daily * most);
}

/// The number of values of a clustering column, where that is certain (for a group: as far as
/// known).
fn values_of(
    concept: &Concept,
    table: &PlannedTable,
    column: &PlannedColumn,
    grouped: bool,
) -> Option<f64> {
    let (Derivation::Attribute(of) | Derivation::Coalesced(of, _) | Derivation::Element(of)) =
        column.derivation
    else {
        return None;
    };
    let attribute = attribute(concept, table, of)?;
    let certain = attribute.distinct.origin == Origin::Given
        || attribute.ty == Type::Native(NativeType::Boolean);
    let moment = is_time(&attribute.ty) && attribute.ty != Type::Native(NativeType::Date);
    (certain || (grouped && !moment)).then_some(attribute.distinct.value)
}

/// The attribute of a column of a table.
pub(crate) fn attribute<'a>(
    concept: &'a Concept,
    table: &PlannedTable,
    of: Column,
) -> Option<&'a model::concept::Attribute> {
    let source = table.holds.sources.member(of.source)?;
    concept.entities.member(source.entity)?.attributes.member(of.attribute)
}

/// Whether values of a type follow the clock.
pub(crate) fn is_time(ty: &Type) -> bool {
    use NativeType::{Date, Timestamp, Timeuuid};
    matches!(ty, Type::Native(Timestamp | Date | Timeuuid))
}

/// Rows of a table for each row of the join: an array's elements make a row each.
fn elements(concept: &Concept, table: &PlannedTable) -> f64 {
    let arrays = table.holds.elements.iter().filter_map(|of| attribute(concept, table, *of));
    arrays.map(|array| array.items.value.max(1.0)).product()
}

/// The growth of the number of rows for each row of the join, as a share of today's: of the array
/// that grows fastest.
fn element_growth(concept: &Concept, table: &PlannedTable) -> Growth {
    let arrays = table.holds.elements.iter().filter_map(|of| attribute(concept, table, *of));
    let growths = arrays.map(|array| Growth {
        daily: array.items_growth.daily / array.items.value.max(1.0),
        curve: array.items_growth.curve,
    });
    growths.max_by(|one, other| one.daily.total_cmp(&other.daily)).unwrap_or_default()
}

/// The share of rows that satisfy the filters on constants.
fn filter_share(concept: &Concept, table: &PlannedTable) -> f64 {
    let filters = table.holds.filters.iter();
    filters.map(|filter| condition_share(concept, table, filter)).product()
}

/// The share of rows that satisfy a condition on constants, with all values equally frequent.
fn condition_share(concept: &Concept, table: &PlannedTable, filter: &Condition) -> f64 {
    let one = |of: Column| {
        let distinct = attribute(concept, table, of).map_or(1.0, |found| found.distinct.value);
        1.0 / distinct.max(1.0)
    };
    match &filter.predicate {
        Predicate::Compare { column, comparison: Comparison::Equal, .. } => one(*column),
        #[expect(clippy::cast_precision_loss, reason = "a list of values in a query is short")]
        Predicate::In { column, values } => (one(*column) * values.len() as f64).min(1.0),
        Predicate::Holds { column, .. } => {
            let items = attribute(concept, table, *column).map_or(1.0, |found| found.items.value);
            (one(*column) * items).min(1.0)
        }
        Predicate::Compare { .. } | Predicate::Row { .. } => RANGE_SHARE,
        Predicate::Prefix { .. } => 1.0 / LETTERS,
        // How many are null is not known: all may be, as in a table without soft deletes.
        Predicate::AnyOf { .. } | Predicate::NotNull { .. } | Predicate::Null { .. } => 1.0,
    }
}

/// How old a time of the rows of a table may be, in seconds: as old as rows of its entity become.
/// What a reference holds is the time of another row, which may have gone before.
pub(crate) fn time_retention(concept: &Concept, table: &PlannedTable, of: Column) -> Option<f64> {
    let source = table.holds.sources.member(of.source).filter(|source| !source.is_optional())?;
    let entity = concept.entities.member(source.entity)?;
    let refers = entity.references.iter().any(|it| it.attributes.contains(&of.attribute));
    entity.retain.filter(|_| !refers)
}

/// The lifetime of a row of the table in seconds: the shortest of all rows that it is made of
/// and cannot do without.
/// Counters never expire.
pub(crate) fn retention(concept: &Concept, table: &PlannedTable) -> Option<f64> {
    let counts = table.columns.iter().any(|column| column.role == ColumnRole::Counter);
    let sources = table.holds.sources.iter().filter(|source| !source.is_optional());
    let entities = sources.filter_map(|source| concept.entities.member(source.entity));
    let shortest = entities.filter_map(|entity: &Entity| entity.retain).reduce(f64::min);
    shortest.filter(|_| !counts)
}
