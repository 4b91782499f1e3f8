//! Counted and summed values: as a counter, by conditional writes or from rows, each with its price
//! and what decides.

use model::concept::{Attribute, DAY, Entity, Skew, zipf_share};
use model::id::{AttributeId, EntityId, IdList, ReadId, TableId};
use model::plan::topic::{AggregateMethod, AggregateReason, AggregateTopic};
use model::plan::{Derivation, Effort, Note, NoteKind, NoteSubject, PlannedTable};
use model::workload::{Assignment, AssignmentValue, Column, OutputValue, Read, WriteKind};

use super::note;
use super::review::Review;

/// Bytes of a row with a number, of its key and of what surrounds it.
const ROW_BYTES: f64 = 60.0;

/// What is done with a value, per second.
#[derive(Clone, Copy, Debug, Default)]
struct ValueUse {
    /// Additions.
    added: f64,
    /// Reads.
    read: f64,
    /// Rows that make up a value, where each addition is one.
    rows: f64,
    /// The share of the most popular row in the additions.
    popular: f64,
    /// The value can be written conditionally: it is a column.
    is_column: bool,
}

/// A note for each value.
pub(super) fn notes(review: Review<'_>) -> Vec<Note> {
    let mut notes = Vec::new();
    for (at, entity) in review.context.concept.entities.enumerate_ids() {
        for (attribute, known) in entity.attributes.enumerate_ids() {
            notes.extend(attribute_note(review, (at, entity), (attribute, known)));
        }
    }
    notes.extend(review.reads().filter_map(|(at, read, _)| aggregate_note(review, at, read)));
    notes
}

/// The note about an attribute that writes add to.
fn attribute_note(
    review: Review<'_>,
    (at, entity): (EntityId, &Entity),
    (attribute, known): (AttributeId, &Attribute),
) -> Option<Note> {
    let added = addition_rate(review, at, attribute);
    let (table, _) = review.tables().find(|(_, table)| has_attribute(table, at, attribute))?;
    if added <= 0.0 {
        return None;
    }
    let is_output = |read: &Read| {
        let has = |value: OutputValue| match value {
            OutputValue::Column(of)
            | OutputValue::Sum(of)
            | OutputValue::Average(of)
            | OutputValue::Least(of)
            | OutputValue::Greatest(of) => {
                of.attribute == attribute
                    && read.sources.member(of.source).is_some_and(|it| it.entity == at)
            }
            OutputValue::Count(_) | OutputValue::Exists => false,
        };
        read.outputs.iter().any(|output| has(output.value))
    };
    let reads = review.context.workload.reads.iter().filter(|read| is_output(read));
    let rows = entity.rows.value.max(1.0);
    let days = entity.retain.map_or(review.horizon(), |seconds| seconds / DAY);
    let value = ValueUse {
        added,
        read: reads.map(|read| read.rate.value).sum(),
        rows: added * DAY * days / rows,
        popular: key_popularity(entity),
        is_column: true,
    };
    let reason = match known {
        known if known.counter => None,
        known if known.exact => Some(AggregateReason::Exact),
        _ if entity.retain.is_some() => Some(AggregateReason::Retention),
        _ => Some(AggregateReason::Use),
    };
    let chosen =
        if known.counter { AggregateMethod::Counter } else { AggregateMethod::ConditionalWrite };
    let name = format!("`{}` of `{}`", known.name, entity.name);
    Some(build_note(review, NoteSubject::Table(table), (name, chosen, reason), value))
}

/// The note about a read that counts, sums or averages.
fn aggregate_note(review: Review<'_>, at: ReadId, read: &Read) -> Option<Note> {
    let is_sum =
        |value: OutputValue| matches!(value, OutputValue::Sum(_) | OutputValue::Average(_));
    let is_count = |value: OutputValue| matches!(value, OutputValue::Count(_));
    let has = |wanted: &dyn Fn(OutputValue) -> bool| read.outputs.iter().any(|it| wanted(it.value));
    let what = match (has(&is_count), has(&is_sum)) {
        (_, true) => "sum",
        (true, false) => "count",
        (false, false) => return None,
    };
    let (place, table) = review.table_of(at)?;
    let concept = review.context.concept;
    let entities = || read.sources.iter().filter_map(|it| concept.entities.member(it.entity));
    let reason = if table.is_counter() {
        None
    } else if read.exact {
        Some(AggregateReason::Exact)
    } else if entities().any(|entity| entity.retain.is_some()) {
        Some(AggregateReason::Retention)
    } else {
        Some(AggregateReason::Use)
    };
    let tip = table.holds.sources.member(crate::volume::tip(concept, table)?)?.entity;
    let value = ValueUse {
        added: membership_rate(review, tip),
        read: read.rate.value,
        rows: rows_counted(review, (at, place), tip),
        popular: 0.0,
        is_column: false,
    };
    let chosen = if table.is_counter() { AggregateMethod::Counter } else { AggregateMethod::Rows };
    let name = format!("the {what} of `{}`", read.name);
    Some(build_note(review, NoteSubject::Read(at), (name, chosen, reason), value))
}

/// The note: an alternative, or a warning where the choice does not bear the rate.
fn build_note(
    review: Review<'_>,
    about: NoteSubject,
    (value, chosen, reason): (String, AggregateMethod, Option<AggregateReason>),
    used: ValueUse,
) -> Note {
    let prices = &review.context.options.search.prices;
    let price = |effort: Effort| prices.price(&effort);
    let point = Effort {
        requests: 1.0,
        rounds: 1.0,
        partitions: 1.0,
        rows: 1.0,
        cells: 1.0,
        bytes: ROW_BYTES,
        ..Effort::default()
    };
    let written =
        Effort { rounds: 1.0, written: 1.0, written_bytes: ROW_BYTES, ..Effort::default() };
    let reading = price(point) * used.read;
    let counter = used.added * price(Effort { counted: 1.0, ..written }) + reading;
    let conditional =
        used.added * (price(Effort { conditional: 1.0, ..written }) + price(point)) + reading;
    let added_up =
        Effort { rows: used.rows, cells: used.rows, bytes: used.rows * ROW_BYTES, ..point };
    // Counted rows are there anyway; those of additions are written for the purpose.
    let rows = if used.is_column { used.added * price(written) } else { 0.0 };
    let rows = rows + used.read * price(added_up);
    // Nothing is known of a query but that it does not use a counter.
    let is_cheaper = !used.is_column && rows <= counter;
    let reason = reason.map(|reason| match reason {
        AggregateReason::Use if is_cheaper => AggregateReason::Price,
        other => other,
    });
    let topic = AggregateTopic {
        value,
        chosen,
        reason,
        prices: [Some(counter), used.is_column.then_some(conditional), Some(rows)],
        unit: prices.unit,
        hottest: used.added * used.popular,
        is_of_query: !used.is_column,
    };
    let kind = if topic.is_contended() { NoteKind::Warning } else { NoteKind::Alternative };
    note(kind, about, topic)
}

/// Additions to an attribute, per second.
fn addition_rate(review: Review<'_>, entity: EntityId, attribute: AttributeId) -> f64 {
    let adds = |assignment: &Assignment| {
        assignment.attribute == attribute
            && matches!(assignment.value, AssignmentValue::Add(_) | AssignmentValue::Subtract(_))
    };
    let writes = review.context.workload.writes.iter().filter(|write| write.entity == entity);
    let added = writes.filter(|write| match &write.kind {
        WriteKind::Update(assignments, _) => assignments.iter().any(adds),
        _ => false,
    });
    added.map(|write| write.rate.value).sum()
}

/// Rows of an entity that are inserted or deleted, per second.
fn membership_rate(review: Review<'_>, entity: EntityId) -> f64 {
    let writes = review.context.workload.writes.iter().filter(|write| write.entity == entity);
    let changes = |kind: &WriteKind| matches!(kind, WriteKind::Insert(_) | WriteKind::Delete(_));
    writes.filter(|write| changes(&write.kind)).map(|write| write.rate.value).sum()
}

/// The share of the most popular row of an entity.
fn key_popularity(entity: &Entity) -> f64 {
    let skews = entity.primary_key().iter().filter_map(|at| entity.attributes.member(*at));
    let exponent = skews.map(|attribute| match attribute.skew {
        Skew::Uniform => 0.0,
        Skew::Zipf(exponent) => exponent,
    });
    zipf_share(entity.rows.value.max(1.0), exponent.fold(0.0, f64::max))
}

/// Whether a table stores an attribute of an entity.
fn has_attribute(table: &PlannedTable, entity: EntityId, attribute: AttributeId) -> bool {
    let is_it = |of: Column| {
        of.attribute == attribute
            && table.holds.sources.member(of.source).is_some_and(|it| it.entity == entity)
    };
    table.columns.iter().any(|column| match column.derivation {
        Derivation::Attribute(of) => is_it(of),
        _ => false,
    })
}

/// The rows that a count or sum goes over: those that are read, or would be in each group.
fn rows_counted(review: Review<'_>, (read, at): (ReadId, TableId), entity: EntityId) -> f64 {
    let (Some(plan), Some(table)) =
        (review.design.reads.member(read), review.design.tables.member(at))
    else {
        return 0.0;
    };
    if !table.is_counter() {
        return plan.rows;
    }
    let all = review.context.concept.entities.member(entity).map_or(0.0, |it| it.rows.value);
    let groups = table.volume.partitions.max(1.0) * table.volume.rows_after(0.0).mean.max(1.0);
    all / groups
}
