//! A design in short items, for assistants: tables with their CQL, the plans of reads and writes,
//! dangers and assumptions.

use std::fmt::Write;

use model::figures;
use model::id::{IdList, ReadId, WriteId};
use model::plan::{Design, Note, NoteKind, Quantiles};
use serde_json::{Value, json};

use super::assumptions::influence_text;
use super::choice::{self, format_price, unit};
use super::files::{self, CqlFile};
use super::{DesignView, difference, json as design_json, model_warnings, text};
use crate::influence::AssumptionRanking;
use crate::render::brief::{BriefItem, plain_text};

/// Days of the planning period of figures.
const PLANNING_DAYS: f64 = 5.0 * 365.25;

/// `optimal: yes (over 412 candidates)`, in the words of the report.
pub(crate) fn verdict(subject: DesignView<'_>) -> String {
    choice::verdict(subject)
}

/// What the proof found.
pub(crate) fn proof(subject: DesignView<'_>) -> String {
    let mut text = Vec::new();
    // Writing to memory cannot fail.
    let _ = super::proof::write_section(subject, &mut text);
    plain_text(&text)
}

/// The price of the design, with its unit; `None` if it was not searched.
pub(crate) fn price(design: &Design) -> Option<String> {
    let choice = design.choice.as_ref()?;
    Some(format!("{} {}", format_price(choice.price.total()), unit(choice)))
}

/// The tables, with the statements that create them.
pub(crate) fn tables(subject: DesignView<'_>) -> Vec<BriefItem> {
    let creations = design::create_statements::creations(subject.design, |_| Vec::new());
    let item = |(at, statements): (_, Vec<String>)| {
        let table = subject.design.tables.member(at)?;
        let about = subject.about(table).join(", ");
        let later = table.volume.bytes_after(PLANNING_DAYS).p999;
        let size = format!(
            "partitions: {} at p99.9 in 5 years, {}",
            figures::format_bytes(later),
            match table.volume.days_until(100e6) {
                None => "never above 100 MB".to_owned(),
                Some(days) if days <= 0.0 => "above 100 MB today".to_owned(),
                Some(days) => format!("above 100 MB in {}", figures::format_days(days)),
            }
        );
        let cql: String = statements.iter().fold(String::new(), |mut all, statement| {
            let _ = writeln!(all, "{statement};");
            all
        });
        let cql = cql.trim_end().to_owned();
        let data = json!({
            "name": table.name,
            "primary_key": design::create_statements::primary_key(table),
            "for": about,
            "cql": cql,
            "partition_bytes_p999_in_5_years": round(later),
        });
        Some(BriefItem { data, text: format!("-- {about}\n-- {size}\n{cql}\n") })
    };
    creations.into_iter().filter_map(item).collect()
}

/// The reads, with the statements of their plans.
pub(crate) fn reads(subject: DesignView<'_>) -> Vec<BriefItem> {
    let item = |at: ReadId| {
        let read = subject.file.workload.reads.member(at)?;
        let plan = subject.design.reads.member(at)?;
        let mut file = CqlFile::default();
        files::append_read(&mut file, subject, at);
        let cql = file.text.trim().to_owned();
        let data = json!({
            "name": read.name,
            "cql": cql,
            "partitions": round(plan.partitions),
            "rows": round(plan.rows),
            "is_served": !plan.steps.is_empty(),
        });
        Some(BriefItem { data, text: format!("{cql}\n") })
    };
    subject.design.reads.ids().filter_map(item).collect()
}

/// The writes, with the statements of their plans, or only with what they do.
pub(crate) fn writes(subject: DesignView<'_>, has_statements: bool) -> Vec<BriefItem> {
    let item = |at: WriteId| {
        let write = subject.file.workload.writes.member(at)?;
        let plan = subject.design.writes.member(at)?;
        let effects = subject.effects(at);
        let mut data = json!({ "name": write.name, "effect": effects });
        if !has_statements {
            return Some(BriefItem { data, text: format!("- {}: {effects}", write.name) });
        }
        let mut file = CqlFile::default();
        files::append_write(&mut file, subject, at);
        let cql = file.text.trim().to_owned();
        data["cql"] = cql.as_str().into();
        data["preconditions"] =
            plan.preconditions.iter().map(ToString::to_string).collect::<Vec<_>>().into();
        Some(BriefItem { data, text: format!("{cql}\n") })
    };
    subject.file.workload.list_stated_writes().ids().filter_map(item).collect()
}

/// Refusals and warnings, the warnings about the model file, and the points of the checklists that
/// are not met.
pub(crate) fn dangers(subject: DesignView<'_>) -> Vec<BriefItem> {
    let kinds = [NoteKind::Refusal, NoteKind::Warning];
    let mut items = Vec::new();
    for kind in kinds {
        let notes = subject.design.notes.iter().filter(|note| note.kind == kind);
        items.extend(notes.map(|note| note_item(subject, note)));
    }
    items.extend(model_warnings::items(subject));
    let points = subject.design.checklists.iter().flat_map(|list| &list.points);
    items.extend(points.filter(|point| point.holds == Some(false)).map(|point| BriefItem {
        data: json!({ "kind": "checklist", "message": point.asks, "evidence": point.evidence }),
        text: format!("- not met: {} ({})", point.asks, point.evidence),
    }));
    items
}

/// The alternatives that the notes name.
pub(crate) fn alternatives(subject: DesignView<'_>) -> Vec<BriefItem> {
    let notes = subject.design.notes.iter().filter(|note| note.kind == NoteKind::Alternative);
    let mut items: Vec<BriefItem> = notes.map(|note| note_item(subject, note)).collect();
    let rejected = subject.design.choice.iter().flat_map(|choice| &choice.rejected);
    items.extend(rejected.map(|rejected| {
        let about = design_json::subject_name(subject, rejected.about).unwrap_or_default();
        let data = json!({
            "for": about, "rejected": rejected.what, "because": rejected.because,
        });
        let text = format!("- {about}: {} was rejected: {}", rejected.what, rejected.because);
        BriefItem { data, text }
    }));
    items
}

/// A note with its remedy.
fn note_item(subject: DesignView<'_>, note: &Note) -> BriefItem {
    let kind = match note.kind {
        NoteKind::Refusal => "refused",
        NoteKind::Warning => "warning",
        NoteKind::Alternative => "alternative",
        NoteKind::Assumption => "assumption",
    };
    let (message, help) = (note.topic.to_string(), note.topic.help());
    let about = design_json::subject_name(subject, note.about);
    let mut text = format!("- {kind}: {message}");
    if !help.is_empty() {
        let _ = write!(text, " ({help})");
    }
    BriefItem {
        data: json!({ "kind": kind, "about": about, "message": message, "help": help }),
        text,
    }
}

/// The assumptions about the model by influence, then those of the design.
pub(crate) fn assumptions(subject: DesignView<'_>, ranking: &AssumptionRanking) -> Vec<BriefItem> {
    let invariable = ranking.invariable.iter().map(|assumption| (assumption, None));
    let ranked = ranking.influential.iter().map(|(assumption, influence)| {
        (assumption, Some(influence_text(&assumption.topic, influence)))
    });
    let item = |(assumption, influence): (&model::assumption::Assumption, Option<String>)| {
        let topic = &assumption.topic;
        let measure = topic.measurement();
        let mut text = format!("- {topic}");
        if let Some(influence) = &influence {
            let _ = write!(text, ": {influence}");
        }
        let _ = write!(text, " ({})", topic.help());
        let data = json!({
            "message": topic.to_string(),
            "influence": influence,
            "help": topic.help(),
            "measure_with": measure,
        });
        BriefItem { data, text }
    };
    let notes = subject.design.notes.iter().filter(|note| note.kind == NoteKind::Assumption);
    let notes = notes.map(|note| note_item(subject, note));
    ranked.chain(invariable).map(item).chain(notes).collect()
}

/// What a changed design does otherwise: tables, statements, dangers.
pub(crate) fn changes(
    subject: DesignView<'_>,
    change: &difference::ChangedDesign<'_>,
) -> Vec<BriefItem> {
    let it = &change.difference;
    let line = |kind: &str, what: &str, text: String| BriefItem {
        data: json!({ "kind": kind, "what": what }),
        text,
    };
    let mut items = Vec::new();
    items.extend(
        it.added.iter().map(|name| line("table added", name, format!("- table added: {name}"))),
    );
    items.extend(
        it.removed
            .iter()
            .map(|name| line("table removed", name, format!("- table removed: {name}"))),
    );
    items.extend(it.rekeyed.iter().map(|(name, key)| BriefItem {
        data: json!({ "kind": "key changed", "what": name, "primary_key": key }),
        text: format!("- key changed: {name} now has {key}"),
    }));
    items.extend(it.statements.iter().map(|statement| {
        let phrase = difference::statement_phrase(statement);
        line("statement", &phrase, format!("- {phrase}"))
    }));
    for (kind, these, those) in [
        ("new danger", subject.design, change.before),
        ("danger gone", change.before, subject.design),
    ] {
        for note in difference::list_new_notes(these, those) {
            let (message, help) = (note.topic.to_string(), note.topic.help());
            items.push(BriefItem {
                data: json!({ "kind": kind, "what": message, "help": help }),
                text: format!("- {kind}: {message}"),
            });
        }
    }
    items
}

/// The prices of both designs, and of the unchanged tables for the changed model.
pub(crate) fn price_change(
    subject: DesignView<'_>,
    change: &difference::ChangedDesign<'_>,
) -> Option<String> {
    let (before, after) = (change.before.choice.as_ref()?, subject.design.choice.as_ref()?);
    let (old, new) = (before.price.total(), after.price.total());
    let unit = unit(after);
    let mut text = format!(
        "{} {unit} instead of {} {unit}: {}",
        format_price(new),
        format_price(old),
        difference::price_phrase(old, new, unit)
    );
    if let Some(kept) = change.kept.filter(|_| !change.difference.is_empty()) {
        let more = difference::price_phrase(new, kept, unit);
        let _ = write!(
            text,
            "; with the present tables {} {unit} ({more} against the new design)",
            format_price(kept)
        );
    }
    Some(text)
}

/// The sizes of the partitions of all tables.
pub(crate) fn sizes(subject: DesignView<'_>) -> Vec<BriefItem> {
    let quantiles = |figures: Quantiles| json!({ "p50": round(figures.p50), "p999": round(figures.p999), "max": round(figures.max) });
    let rows = text::size_rows(subject);
    let lines = super::align_columns(&rows);
    let head = lines.first().cloned().unwrap_or_default();
    let tables = subject.design.tables.iter().zip(lines.into_iter().skip(1)).enumerate();
    let item = |(at, (table, line)): (usize, (&model::plan::PlannedTable, String))| {
        let volume = &table.volume;
        let data = json!({
            "name": table.name,
            "partitions": round(volume.partitions),
            "rows_today": quantiles(volume.rows_after(0.0)),
            "bytes_today": quantiles(volume.bytes_after(0.0)),
            "rows_in_5_years": quantiles(volume.rows_after(PLANNING_DAYS)),
            "bytes_in_5_years": quantiles(volume.bytes_after(PLANNING_DAYS)),
            "days_until_100_mb": volume.days_until(100e6).map(round),
        });
        BriefItem { data, text: if at == 0 { format!("{head}\n{line}") } else { line } }
    };
    tables.map(item).collect()
}

/// A number rounded to a whole one, or to three decimals if it is small.
fn round(number: f64) -> Value {
    if number.abs() < 100.0 {
        let rounded = (number * 1e3).round() / 1e3;
        if rounded.fract() != 0.0 {
            return json!(rounded);
        }
    }
    format!("{number:.0}").parse::<i64>().map_or_else(|_| json!(number), |whole| json!(whole))
}
