//! `nodetool gcstats`, as text, JSON or YAML.

use super::super::collector::Target;
use super::super::document::DocumentValue;
use super::super::phrase::has_words;
use super::super::quantity::{parse_number, whole_number};
use super::super::section::{Format, SectionOutcome, SectionReader};
use crate::snapshot::GarbageCollection;

pub(in crate::source) const FORMAT: Format = Format { kind: "nodetool gcstats", open };

fn open(line: &str) -> Option<Box<dyn SectionReader>> {
    is_heading(line).then(|| Box::new(GcStatsReader { has_row: false }) as Box<dyn SectionReader>)
}

fn is_heading(line: &str) -> bool {
    has_words(line, "Interval (ms)") && has_words(line, "Max GC Elapsed (ms)")
}

struct GcStatsReader {
    has_row: bool,
}

impl SectionReader for GcStatsReader {
    fn read_line(&mut self, line: &str, target: &mut Target<'_>) {
        let numbers: Option<Vec<f64>> = line.split_whitespace().map(number).collect();
        // The fourth and fifth are the deviation, which is no number without pauses, and the bytes.
        if let Some([interval, max, total, _, _, pauses, ..]) = numbers.as_deref() {
            self.has_row = true;
            add([*interval, *max, *total, *pauses], target);
        }
    }

    fn finish(&mut self, _target: &mut Target<'_>) -> SectionOutcome {
        if self.has_row {
            SectionOutcome::complete()
        } else {
            SectionOutcome::with_problem("it contains no figures")
        }
    }
}

/// A number, or 0 for one that is none.
fn number(text: &str) -> Option<f64> {
    if text.contains("NaN") { Some(0.0) } else { parse_number(text) }
}

fn add([interval, max_ms, total_ms, pauses]: [f64; 4], target: &mut Target<'_>) {
    let Some(pauses) = whole_number(pauses) else { return };
    let found = GarbageCollection { pauses, max_ms, total_ms, interval_ms: Some(interval) };
    let known = &mut target.node().garbage_collection;
    // What covers more time tells more: a log of weeks more than the minutes since the last call.
    if known.as_ref().is_none_or(|known| known.interval_ms.unwrap_or(0.0) < interval) {
        *known = Some(found);
    }
}

/// Whether a document is the output of this command.
pub(in crate::source) fn is_document(document: &DocumentValue) -> bool {
    document.find("max_gc_elapsed_ms").is_some()
}

/// Reads a document.
pub(in crate::source) fn read_document(
    document: &DocumentValue,
    target: &mut Target<'_>,
) -> Option<String> {
    let names = ["interval_ms", "max_gc_elapsed_ms", "total_gc_elapsed_ms", "collections"];
    let figures = names.map(|name| document.number(name));
    match figures {
        [Some(interval), Some(max), Some(total), Some(pauses)] => {
            add([interval, max, total, pauses], target);
            None
        }
        _ => Some("figures are missing".to_owned()),
    }
}
