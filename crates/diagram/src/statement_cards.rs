//! Queries and writes as cards: what they do, in a sentence, and how often.

use model::concept::{Concept, Figure, Origin};
use model::figures;
use model::workload::{Read, Workload, Write};

use super::card::NAME;
use super::picture::{Card, CardKind, CardRow};
use super::{read_summary, transitions, write_summary};

/// The width of the sentence.
const SENTENCE_WIDTH: f64 = 230.0;

/// The cards of all reads, with their numbers.
pub(crate) fn make_read_cards(concept: &Concept, workload: &Workload) -> Vec<Card> {
    let numbers = transitions::numbers(workload);
    workload
        .reads
        .iter()
        .zip(numbers)
        .map(|(read, number)| make_read_card(concept, read, number))
        .collect()
}

fn make_read_card(concept: &Concept, read: &Read, number: String) -> Card {
    Card {
        kind: CardKind::Query,
        title: read.name.clone(),
        badges: if read.name == number { Vec::new() } else { vec![number] },
        rows: sentence(&read_summary::describe_read(concept, read)),
        footer: rate(read.rate).into_iter().collect(),
        ..Card::default()
    }
}

/// The cards of the writes that the model file states.
pub(crate) fn make_write_cards(concept: &Concept, workload: &Workload) -> Vec<Card> {
    let writes = workload.list_stated_writes().iter();
    writes.map(|write| make_write_card(concept, write)).collect()
}

fn make_write_card(concept: &Concept, write: &Write) -> Card {
    Card {
        kind: CardKind::Write,
        title: write.name.clone(),
        rows: sentence(&write_summary::describe_write(concept, write)),
        footer: rate(write.rate).into_iter().collect(),
        ..Card::default()
    }
}

/// A sentence as rows.
fn sentence(text: &str) -> Vec<CardRow> {
    let row = |name| CardRow { name, ..CardRow::default() };
    NAME.wrap(text, SENTENCE_WIDTH).into_iter().map(row).collect()
}

/// How often it runs, as far as that is stated.
fn rate(rate: Figure<f64>) -> Option<String> {
    (rate.origin != Origin::Assumed).then(|| figures::format_rate(rate.value))
}
