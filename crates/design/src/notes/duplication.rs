//! Denormalisation that multiplies rows: elements times elements, and updates that rewrite many
//! rows.

use model::concept::AttributeRef;
use model::dependency::Dependencies;
use model::id::{IdList, TableId};
use model::plan::topic::{RowFactor, TableTopic, WriteTopic};
use model::plan::{Note, NoteKind, NoteSubject, PlannedTable};
use model::workload::Column;

use super::note;
use super::review::Review;

/// Rows of one fact up to which a constant number of copies is fine (five actors times five
/// genres).
const FINE: f64 = 100.0;

/// Warnings for tables whose copies multiply, and for writes that rewrite many rows.
pub(super) fn notes(review: Review<'_>) -> Vec<Note> {
    let mut notes: Vec<Note> =
        review.tables().filter_map(|(at, table)| multiplication_note(review, at, table)).collect();
    for (at, write, plan) in review.writes().filter(|(_, _, plan)| plan.amplification > FINE) {
        let topic = WriteTopic::ManyRows {
            write: write.name.clone(),
            rows: plan.amplification,
            rate: write.rate.value,
        };
        notes.push(note(NoteKind::Warning, NoteSubject::Write(at), topic));
    }
    notes
}

/// The warning for a table whose rows are products of lists.
fn multiplication_note(review: Review<'_>, at: TableId, table: &PlannedTable) -> Option<Note> {
    let factors = factors(review, table);
    let product: f64 = factors.iter().map(|factor| factor.mean).product();
    let grows = factors.iter().any(|factor| factor.grows);
    if factors.len() < 2 || (product <= FINE && !grows) {
        return None;
    }
    let topic = TableTopic::Multiplied { table: table.name.clone(), factors, rows: product };
    Some(note(NoteKind::Warning, NoteSubject::Table(at), topic))
}

/// What multiplies the rows of a table: arrays whose elements make rows, and entities that make
/// rows independently.
fn factors(review: Review<'_>, table: &PlannedTable) -> Vec<RowFactor> {
    if table.is_counter() {
        return Vec::new();
    }
    let mut factors: Vec<RowFactor> = table
        .holds
        .elements
        .iter()
        .filter_map(|column| {
            let attribute = review.attribute(table, *column)?;
            let name = attribute.name.clone();
            Some(RowFactor {
                name,
                mean: attribute.items.value,
                grows: has_appends(review, table, *column),
            })
        })
        .collect();
    let dependencies = Dependencies::new(review.context.concept, &table.holds.sources);
    let makers = dependencies.row_sources();
    for source in makers.iter().filter(|_| makers.len() > 1) {
        let Some(entity) = review.entity(table, *source) else { continue };
        let joined = table.holds.sources.enumerate_ids().find_map(|(at, other)| {
            let (holder, _) = dependencies.join_ends(at)?;
            let reference = entity.references.member(other.join?.reference)?;
            (holder == *source).then_some(reference.fan_out)
        });
        let (mean, grows) = joined.map_or((1.0, false), |fan| (fan.mean, fan.per.is_some()));
        factors.push(RowFactor { name: entity.name.clone(), mean, grows });
    }
    factors
}

/// Whether some write appends to an array.
fn has_appends(review: Review<'_>, table: &PlannedTable, column: Column) -> bool {
    let source = table.holds.sources.member(column.source);
    let key =
        source.map(|source| AttributeRef { entity: source.entity, attribute: column.attribute });
    key.and_then(|key| review.tally.appended.get(&key)).is_some_and(|(rate, _)| *rate > 0.0)
}
