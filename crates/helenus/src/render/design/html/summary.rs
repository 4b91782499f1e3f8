//! The summary: what was designed, what needs attention, and what it rests on.

use design::estimate::YEAR;
use model::figures;
use model::plan::{NoteKind, PlannedTable};

use crate::proof::Verdict;
use crate::render::design::summary::list_failed_points;
use crate::render::design::{DesignView, assumptions, choice, proof};
use crate::render::html::{Markup, Section, Tile, Tone, write_badge, write_list, write_prose};

/// The years that sizes look ahead.
const YEARS: f64 = 5.0;
/// The number of dangers shown in the summary.
const ITEMS_SHOWN: usize = 6;
/// The number of assumptions shown in the summary.
const ASSUMPTIONS_SHOWN: usize = 3;

/// `14 tables for 13 queries and 10 writes, on 6 nodes with 3 replicas`.
pub(super) fn lead(subject: DesignView<'_>) -> String {
    let concept = &subject.file.concept;
    let count = |number: usize, noun: &str| figures::pluralise(number as f64, noun);
    format!(
        "{} for {} and {}, on {} with {}",
        count(subject.design.tables.len(), "table"),
        count(subject.design.reads.len(), "query"),
        count(subject.file.workload.list_stated_writes().len(), "write"),
        figures::pluralise(f64::from(concept.nodes), "node"),
        figures::pluralise(f64::from(concept.copies()), "replica"),
    )
}

/// The figures at the top.
pub(super) fn tiles(subject: DesignView<'_>) -> Vec<Tile> {
    let mut tiles = vec![proof_tile(subject), optimality_tile(subject), attention_tile(subject)];
    tiles.extend(largest_partition_tile(subject));
    let disk = |days: f64| figures::format_bytes(subject.disk_bytes_after(days));
    let neutral = |label: &str, value: String, remark: String| Tile {
        label: label.to_owned(),
        value,
        remark,
        tone: Tone::Neutral,
    };
    tiles.push(neutral(
        "Disk today",
        disk(0.0),
        format!("{} in 5 years, with all replicas", disk(YEARS * YEAR)),
    ));
    if let Some(made) = &subject.design.choice {
        let price = format!("{} {}", choice::format_price(made.price.total()), choice::unit(made));
        let rules = made
            .by_rules
            .map(|rules| format!("by the rules alone {}", choice::format_price(rules.total())));
        tiles.push(neutral("Price", price, rules.unwrap_or_default()));
    }
    tiles
}

fn proof_tile(subject: DesignView<'_>) -> Tile {
    let (value, remark, tone) = match subject.proof {
        Verdict::Skipped => ("skipped", "nothing was run".to_owned(), Tone::Doubtful),
        verdict if proof::is_passed(verdict) => ("passed", proof::extent_text(verdict), Tone::Good),
        verdict if verdict.is_failed() => ("failed", "see Proof".to_owned(), Tone::Bad),
        _ => ("incomplete", "see Proof".to_owned(), Tone::Doubtful),
    };
    Tile { label: "Proof".to_owned(), value: value.to_owned(), remark, tone }
}

fn optimality_tile(subject: DesignView<'_>) -> Tile {
    let (value, remark, tone) = match &subject.design.choice {
        None => ("not searched".to_owned(), "mapping rules only".to_owned(), Tone::Doubtful),
        Some(made) if choice::is_optimal(made) => {
            let remark = format!("over {} candidate tables", made.candidates);
            ("optimal".to_owned(), remark, Tone::Good)
        }
        Some(_) => {
            (choice::verdict(subject), "from the optimum at most".to_owned(), Tone::Doubtful)
        }
    };
    Tile { label: "Choice of tables".to_owned(), value, remark, tone }
}

fn attention_tile(subject: DesignView<'_>) -> Tile {
    let count = |kind: NoteKind| subject.design.notes.iter().filter(|it| it.kind == kind).count();
    let counts = [
        (count(NoteKind::Refusal), "refused", Tone::Bad),
        (list_failed_points(subject).count(), "failed checks", Tone::Bad),
        (count(NoteKind::Warning), "warnings", Tone::Doubtful),
    ];
    let phrase = |number: usize, words: &str| {
        let words = if number == 1 { words.trim_end_matches('s') } else { words };
        format!("{number} {words}")
    };
    let mut found = counts.into_iter().filter(|(number, ..)| *number > 0);
    let (value, tone) = match found.next() {
        Some((number, words, tone)) => (phrase(number, words), tone),
        None => ("nothing".to_owned(), Tone::Good),
    };
    let rest: Vec<String> = found.map(|(number, words, _)| phrase(number, words)).collect();
    Tile { label: "Attention".to_owned(), value, remark: rest.join(", "), tone }
}

/// The table with the largest partitions.
fn largest_partition_tile(subject: DesignView<'_>) -> Option<Tile> {
    let size = |table: &&PlannedTable| table.volume.bytes_after(YEARS * YEAR).p999;
    let tables = subject.design.tables.iter();
    let table = tables.max_by(|one, other| size(one).total_cmp(&size(other)))?;
    let tone = if size(&table) > 100e6 { Tone::Bad } else { Tone::Good };
    Some(Tile {
        label: "Largest partition".to_owned(),
        value: figures::format_bytes(size(&table)),
        remark: format!("{}, p99.9 in 5 years", table.name),
        tone,
    })
}

/// The section.
pub(super) fn section(subject: DesignView<'_>) -> Section {
    let mut section = Section::new("summary", "Summary");
    let out = section.content();
    write_attention(subject, out);
    write_basis(subject, out);
    section
}

/// Refusals, points of the checklists that do not hold, and warnings.
fn write_attention(subject: DesignView<'_>, out: &mut Markup) {
    out.leaf("h3", &[], "What needs attention");
    let notes = |kind: NoteKind| subject.design.notes.iter().filter(move |it| it.kind == kind);
    let mut items: Vec<(Tone, &str, String)> = Vec::new();
    let refusals = notes(NoteKind::Refusal);
    items.extend(refusals.map(|note| (Tone::Bad, "refused", note.topic.to_string())));
    let points = list_failed_points(subject);
    items.extend(
        points.map(|it| (Tone::Bad, "check failed", format!("{}: {}", it.asks, it.evidence))),
    );
    let warnings = notes(NoteKind::Warning);
    items.extend(warnings.map(|note| (Tone::Doubtful, "warning", note.topic.to_string())));
    if items.is_empty() {
        let text =
            "Nothing is refused, there are no warnings, and no point of the checklists failed.";
        return out.leaf("p", &[], text);
    }
    out.element("ul", &[("class", "plain")], |out| {
        for (tone, word, text) in items.iter().take(ITEMS_SHOWN) {
            out.element("li", &[], |out| {
                write_badge(*tone, word, out);
                out.text(" ");
                write_prose(text, out);
            });
        }
    });
    let more = items.len().saturating_sub(ITEMS_SHOWN);
    let rest = if more == 0 { String::new() } else { format!("{more} more, and ") };
    out.element("p", &[], |out| {
        out.leaf("a", &[("href", "#notes")], &format!("{rest}what to do about them"));
    });
}

/// The assumptions with the most influence.
fn write_basis(subject: DesignView<'_>, out: &mut Markup) {
    out.leaf("h3", &[], "What it rests on");
    let all = subject.file.assumptions.len();
    if all == 0 {
        return out.leaf("p", &[], "All volumes and rates are stated by the model file.");
    }
    let count = figures::pluralise(all as f64, "figure");
    let are = if all == 1 { "is" } else { "are" };
    out.leaf("p", &[], &format!("{count} {are} assumed, not stated by the model file."));
    if let Some(ranking) = subject.ranking {
        let shown = assumptions::describe_influential(ranking).take(ASSUMPTIONS_SHOWN);
        write_list("", shown, out);
    }
    out.element("p", &[], |out| {
        out.leaf("a", &[("href", "#assumptions")], "all assumptions, and how to measure them");
    });
}
