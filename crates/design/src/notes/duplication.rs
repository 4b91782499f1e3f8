//! Copies that multiply: elements times elements, and updates that rewrite many rows.

use model::dependency::Dependencies;
use model::plan::{About, Note, NoteKind, PlannedTable};
use model::workload::Column;

use super::note;
use super::review::Review;
use crate::figures::{count, counted, rate};

/// Rows of one fact up to which a constant number of copies is fine (five actors times five genres).
const FINE: f64 = 100.0;

/// Something that multiplies rows.
struct Factor {
    name: String,
    mean: f64,
    grows: bool,
}

/// Warnings for tables whose copies multiply, and for writes that rewrite many rows.
pub(super) fn notes(review: Review<'_>) -> Vec<Note> {
    let mut notes: Vec<Note> =
        review.tables().filter_map(|(at, table)| multiplied(review, at, table)).collect();
    for (at, write, plan) in review.writes().filter(|(_, _, plan)| plan.amplification > FINE) {
        let message = format!(
            "`{}` writes {} each time ({} in all): it changes what is stored once per row",
            write.name,
            counted(plan.amplification, "row"),
            rate(plan.amplification * write.rate.value)
        );
        let help = "leave what changes out of the queries that return many rows, and look it up by its key";
        notes.push(note(NoteKind::Warning, About::Write(at), message, help));
    }
    notes
}

/// A table of which rows are products of lists.
fn multiplied(review: Review<'_>, at: usize, table: &PlannedTable) -> Option<Note> {
    let factors = factors(review, table);
    let product: f64 = factors.iter().map(|factor| factor.mean).product();
    let grows = factors.iter().any(|factor| factor.grows);
    if factors.len() < 2 || (product <= FINE && !grows) {
        return None;
    }
    let names: Vec<String> =
        factors.iter().map(|factor| format!("{} `{}`", count(factor.mean), factor.name)).collect();
    let growing = if grows { ", which grows" } else { "" };
    let message = format!(
        "`{}` stores a row for each combination of {}: {} for one fact{growing}",
        table.name,
        names.join(" and "),
        counted(product, "row")
    );
    let help = "ask for them in separate queries, or bound how many there may be";
    Some(note(NoteKind::Warning, About::Table(at), message, help))
}

/// What multiplies the rows of a table: arrays whose elements make rows, and entities that make rows independently.
fn factors(review: Review<'_>, table: &PlannedTable) -> Vec<Factor> {
    if table.is_counter() {
        return Vec::new();
    }
    let mut factors: Vec<Factor> = table
        .holds
        .elements
        .iter()
        .filter_map(|column| {
            let attribute = review.attribute(table, *column)?;
            let name = attribute.name.clone();
            Some(Factor {
                name,
                mean: attribute.items.value,
                grows: appended(review, table, *column),
            })
        })
        .collect();
    let dependencies = Dependencies::new(review.context.concept, &table.holds.sources);
    let makers = dependencies.makers();
    for source in makers.iter().filter(|_| makers.len() > 1) {
        let Some(entity) = review.entity(table, *source) else { continue };
        let joined = table.holds.sources.iter().enumerate().find_map(|(at, other)| {
            let (holder, _) = dependencies.ends(at)?;
            let reference = entity.references.get(other.join?.reference)?;
            (holder == *source).then_some(reference.fan_out)
        });
        let (mean, grows) = joined.map_or((1.0, false), |fan| (fan.mean, fan.per.is_some()));
        factors.push(Factor { name: entity.name.clone(), mean, grows });
    }
    factors
}

/// Whether some write appends to an array.
fn appended(review: Review<'_>, table: &PlannedTable, column: Column) -> bool {
    let source = table.holds.sources.get(column.source);
    let key = source.map(|source| (source.entity, column.attribute));
    key.and_then(|key| review.tally.appended.get(&key)).is_some_and(|(rate, _)| *rate > 0.0)
}
