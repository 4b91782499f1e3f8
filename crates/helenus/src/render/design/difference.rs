//! The difference between two designs in words: for next best designs, for designs at other rates,
//! and for a changed workload or key (`--what-if`, `--without`, `--key`).

use std::io::{self, Write};

use model::figures;
use model::plan::{Design, DesignDifference, EffortMeasure, Note, NoteKind, StatementDifference};
use serde_json::{Value, json};

use super::choice::{format_price, unit};
use super::{DesignView, choice, proof};

/// The number of statements named in one line.
const STATEMENTS_SHOWN: usize = 4;

/// `a instead of b, c (1 table fewer), Q12 reads 1 partition more`.
pub(crate) fn phrase(difference: &DesignDifference) -> String {
    let mut parts = Vec::new();
    parts.extend(tables_phrase(difference));
    parts.extend(difference.rekeyed.iter().map(|(name, key)| format!("{name} with the key {key}")));
    let shown = difference.statements.iter().take(STATEMENTS_SHOWN);
    parts.extend(shown.map(statement_phrase));
    let hidden = difference.statements.len().saturating_sub(STATEMENTS_SHOWN);
    if hidden > 0 {
        parts.push(format!("and {hidden} more statements change"));
    }
    if parts.is_empty() { "the same tables and plans".to_owned() } else { parts.join(", ") }
}

/// The tables that come and go.
fn tables_phrase(difference: &DesignDifference) -> Option<String> {
    let (added, removed) = (&difference.added, &difference.removed);
    let count = |number: usize, word: &str| {
        let noun = if number == 1 { "table" } else { "tables" };
        format!("{number} {noun} {word}")
    };
    Some(match (added.len(), removed.len()) {
        (0, 0) => return None,
        (more, 0) => format!("{} ({})", count(more, "more"), added.join(", ")),
        (0, fewer) => format!("{} (without {})", count(fewer, "fewer"), removed.join(", ")),
        (more, fewer) => {
            let change = match more.cmp(&fewer) {
                std::cmp::Ordering::Greater => format!(" ({})", count(more - fewer, "more")),
                std::cmp::Ordering::Less => format!(" ({})", count(fewer - more, "fewer")),
                std::cmp::Ordering::Equal => String::new(),
            };
            format!("{} instead of {}{change}", added.join(", "), removed.join(", "))
        }
    })
}

/// `Q12 reads 1 partition more and 20 rows less`.
pub(super) fn statement_phrase(statement: &StatementDifference) -> String {
    let changes: Vec<String> = statement
        .more
        .iter()
        .map(|(measure, more)| {
            let (verb, noun) = measure_words(*measure);
            let direction = if *more > 0.0 { "more" } else { "less" };
            format!("{verb} {} {direction}", figures::pluralise(more.abs(), noun))
        })
        .collect();
    format!("{} {}", statement.name, changes.join(" and "))
}

/// The verb and noun of a measure.
const fn measure_words(measure: EffortMeasure) -> (&'static str, &'static str) {
    match measure {
        EffortMeasure::Requests => ("sends", "read"),
        EffortMeasure::Partitions => ("reads", "partition"),
        EffortMeasure::Rows => ("reads", "row"),
        EffortMeasure::Written => ("writes", "row"),
        EffortMeasure::Deleted => ("writes", "tombstone"),
    }
}

/// `+0.4 ms/s (+3 %)`.
pub(crate) fn price_phrase(before: f64, after: f64, unit: &str) -> String {
    let more = after - before;
    let sign = if more < 0.0 { "-" } else { "+" };
    let share = match before {
        zero if zero <= 0.0 => String::new(),
        before => format!(" ({sign}{})", figures::format_share((more / before).abs())),
    };
    format!("{sign}{} {unit}{share}", format_price(more.abs()))
}

/// A comparison as JSON.
pub(crate) fn object(difference: &DesignDifference) -> Value {
    let statements = difference.statements.iter().map(|statement| {
        let more = statement.more.iter().map(|(measure, more)| {
            (format!("{measure:?}").to_lowercase(), json!((more * 1e3).round() / 1e3))
        });
        let more: serde_json::Map<String, Value> = more.collect();
        json!({ "name": statement.name, "more": more })
    });
    json!({
        "added_tables": difference.added,
        "removed_tables": difference.removed,
        "changed_keys": difference.rekeyed.iter().map(|(name, key)| json!({ "table": name, "primary_key": key })).collect::<Vec<_>>(),
        "statements": statements.collect::<Vec<_>>(),
    })
}

/// A changed workload or key, compared with the model file as it is.
pub(crate) struct ChangedDesign<'a> {
    /// The design of the file as it is.
    pub(crate) before: &'a Design,
    /// What the changed design does otherwise.
    pub(crate) difference: DesignDifference,
    /// What the design of the file would cost for the changed workload.
    pub(crate) kept: Option<f64>,
}

/// Writes the difference to the design of the file as it is.
pub(crate) fn write_change(
    subject: DesignView<'_>,
    change: &ChangedDesign<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, "compared with the design of the model as it is:")?;
    let DesignDifference { rekeyed, statements, .. } = &change.difference;
    if change.difference.is_empty() {
        writeln!(out, "  the same tables and plans")?;
    }
    if let Some(tables) = tables_phrase(&change.difference) {
        writeln!(out, "  {tables}")?;
    }
    for (name, key) in rekeyed {
        writeln!(out, "  {name} with the key {key}")?;
    }
    for statement in statements {
        writeln!(out, "  {}", statement_phrase(statement))?;
    }
    if let (Some(before), Some(after)) = (&change.before.choice, &subject.design.choice) {
        let (old, new) = (before.price.total(), after.price.total());
        let unit = unit(after);
        let price = price_phrase(old, new, unit);
        writeln!(out, "  {price}: {} instead of {} {unit}", format_price(new), format_price(old))?;
        if let Some(kept) = change.kept.filter(|_| !change.difference.is_empty()) {
            let more = price_phrase(new, kept, unit);
            writeln!(out, "  with the tables as they are: {} {unit}, {more}", format_price(kept))?;
        }
    }
    write_notes("new", subject.design, change.before, out)?;
    write_notes("no longer", change.before, subject.design, out)?;
    if subject.proof.is_failed() {
        proof::write_section(subject, out)?;
    }
    writeln!(out, "\n--full prints the whole design\n")?;
    writeln!(out, "optimal: {}", choice::verdict(subject))?;
    writeln!(out, "proof: {}", proof::verdict(subject.proof))
}

/// Writes the refusals and warnings that only one of two designs has.
fn write_notes(title: &str, these: &Design, those: &Design, out: &mut dyn Write) -> io::Result<()> {
    for note in list_new_notes(these, those) {
        let kind = if note.kind == NoteKind::Refusal { "refused" } else { "warning" };
        writeln!(out, "  {title} {kind}: {}", note.topic)?;
    }
    Ok(())
}

/// The refusals and warnings of the first design that the second has not.
pub(super) fn list_new_notes<'a>(these: &'a Design, those: &Design) -> Vec<&'a Note> {
    let is_shown = |note: &&Note| matches!(note.kind, NoteKind::Refusal | NoteKind::Warning);
    // Other figures make no other note.
    let words = |text: &str| -> String {
        text.chars().filter(|it| !it.is_ascii_digit() && !".kMBT".contains(*it)).collect()
    };
    let known: Vec<String> =
        those.notes.iter().map(|note| words(&note.topic.to_string())).collect();
    let is_new = |note: &&Note| !known.contains(&words(&note.topic.to_string()));
    these.notes.iter().filter(is_shown).filter(is_new).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_in_one_line() {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let statement = |name: &str, more: &[(EffortMeasure, f64)]| StatementDifference {
            name: name.to_owned(),
            more: more.to_vec(),
        };
        let difference = DesignDifference {
            added: names(&["a"]),
            removed: names(&["b", "c", "d"]),
            rekeyed: Vec::new(),
            statements: vec![
                statement("Q12", &[(EffortMeasure::Partitions, 1.0)]),
                statement("ReadMessage", &[(EffortMeasure::Requests, -1.0)]),
            ],
        };
        assert_eq!(
            phrase(&difference),
            "a instead of b, c, d (2 tables fewer), Q12 reads 1 partition more, ReadMessage sends 1 read less"
        );
        assert_eq!(phrase(&DesignDifference::default()), "the same tables and plans");
        assert_eq!(price_phrase(13.0, 13.4, "ms/s"), "+0.4 ms/s (+3.1 %)");
        assert_eq!(price_phrase(13.0, 12.0, "ms/s"), "-1 ms/s (-7.7 %)");
    }
}
