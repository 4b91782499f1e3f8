//! Keys under which rows would overwrite one another.

use model::dependency::{Dependencies, Known};
use model::plan::{About, Derivation, Note, NoteKind, PlannedTable};
use model::workload::{Column, Comparison, Condition, Test};

use super::bounds::{is_forced, proposed, without_forced_keys};
use super::judged::{Judged, key_text, listed};
use super::note;

/// What the key of a table lacks to tell its rows apart; nothing when it tells them apart, or counts them.
pub(super) fn missing<'a>(judged: Judged<'a>, table: &PlannedTable) -> Vec<&'a str> {
    let aggregated = table
        .columns
        .iter()
        .any(|column| matches!(column.derivation, Derivation::Count(_) | Derivation::Sum(_)));
    if table.is_counter() || aggregated {
        return Vec::new();
    }
    let constants: Vec<Column> = table.holds.filters.iter().filter_map(constant).collect();
    let dependencies = Dependencies::new(judged.context.concept, &table.holds.sources)
        .with_constants(&constants)
        .with_elements(&table.holds.elements);
    let known: Vec<Known> = table
        .columns
        .iter()
        .filter(|column| column.is_key())
        .filter_map(|column| match column.derivation {
            Derivation::Attribute(of) | Derivation::Coalesced(of, _) => Some(Known::Value(of)),
            Derivation::Element(of) => Some(Known::Element(of)),
            _ => None,
        })
        .collect();
    if dependencies.is_key(&known) {
        return Vec::new();
    }
    let lacking = dependencies.completion(&known).unwrap_or_default();
    lacking
        .into_iter()
        .filter_map(|known| match known {
            Known::Value(of) | Known::Element(of) => judged.attribute(table, of),
        })
        .map(|attribute| attribute.name.as_str())
        .collect()
}

/// The column that a condition on a constant fixes.
fn constant(condition: &Condition) -> Option<Column> {
    match &condition.test {
        Test::Compare { column, comparison: Comparison::Equal, .. } => Some(*column),
        _ => None,
    }
}

/// A refusal for each table whose key does not tell its rows apart.
pub(super) fn notes(judged: Judged<'_>) -> Vec<Note> {
    let mut proposal = None;
    let mut notes = Vec::new();
    for (at, table) in judged.tables() {
        let missing = missing(judged, table);
        if missing.is_empty() {
            continue;
        }
        let message = format!(
            "the key `{}` of `{}` is not unique: {}",
            key_text(table),
            table.name,
            pair(table, &missing)
        );
        let help = if is_forced(table) {
            proposed(table, proposal.get_or_insert_with(|| without_forced_keys(judged)))
        } else {
            format!("add {} to the key", listed(&missing))
        };
        notes.push(note(NoteKind::Refusal, About::Table(at), message, help));
    }
    notes
}

/// Two rows that would be one.
fn pair(table: &PlannedTable, missing: &[&str]) -> String {
    let key: Vec<String> = table
        .columns
        .iter()
        .filter(|column| column.is_key() && !super::judged::made_from(column).is_empty())
        .map(|column| format!("{} x", column.name))
        .collect();
    let of =
        |value: &str| missing.iter().map(move |name| format!("{name} {value}")).collect::<Vec<_>>();
    let row = |value: &str| {
        let both: Vec<String> = key.iter().cloned().chain(of(value)).collect();
        format!("({})", both.join(", "))
    };
    format!("the rows {} and {} would overwrite one another", row("1"), row("2"))
}
