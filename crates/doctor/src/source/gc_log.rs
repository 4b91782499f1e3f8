//! Logs of the garbage collector: the unified layout since Java 9, and that of Java 8.

use super::collector::Target;
use super::phrase::{Phrase, has_words, rest_after};
use super::quantity::parse_number;
use super::section::{Format, SectionOutcome, SectionReader};
use super::timestamp::parse_timestamp;
use crate::snapshot::GarbageCollection;

pub(super) const FORMAT: Format = Format { kind: "GC log", open };

/// The first lines of a log of Java 8.
const BANNERS: [&str; 3] =
    ["Java HotSpot(TM) 64-Bit Server VM (", "OpenJDK 64-Bit Server VM (", "CommandLine flags: -"];

fn open(line: &str) -> Option<Box<dyn SectionReader>> {
    let is_banner = BANNERS.iter().any(|banner| line.starts_with(banner));
    let is_start = is_banner || is_unified(line) || is_old(line);
    is_start.then(|| Box::new(GcLogReader::default()) as Box<dyn SectionReader>)
}

/// `[2026-11-18T11:22:46.123+0000][info][gc] GC(1) ...`, `[12.345s][info][gc,start    ] ...`
fn is_unified(line: &str) -> bool {
    let mut bytes = line.bytes();
    bytes.next() == Some(b'[')
        && bytes.next().is_some_and(|byte| byte.is_ascii_digit())
        && (has_words(line, "][gc")
            || has_words(line, "[gc,")
            || has_words(line, "[gc ")
            || has_words(line, "[gc]"))
}

/// `2020-01-01T00:00:00.123+0000: 12.345: [GC ...` or `12.345: [GC ...`
fn is_old(line: &str) -> bool {
    line.starts_with(|sign: char| sign.is_ascii_digit())
        && (has_words(line, ": [GC ")
            || has_words(line, ": [Full GC ")
            || has_words(line, ": [CMS-concurrent-"))
}

#[derive(Default)]
struct GcLogReader {
    pauses: u64,
    max_ms: f64,
    total_ms: f64,
    first_ms: Option<f64>,
    last_ms: Option<f64>,
    /// Whether a pause of Java 8 began whose duration is on a later line.
    is_open: bool,
}

impl SectionReader for GcLogReader {
    fn is_own_line(&self, line: &str) -> bool {
        line.starts_with(['[', ' ', ',', '}', '{', '\t'])
            || line.starts_with(|sign: char| sign.is_ascii_digit())
    }

    fn read_line(&mut self, line: &str, _target: &mut Target<'_>) {
        let pause = if line.starts_with('[') {
            find_unified_pause(line)
        } else {
            self.find_old_pause(line)
        };
        if let Some(at) = time_of(line) {
            self.first_ms.get_or_insert(at);
            self.last_ms = Some(at);
        }
        if let Some(milliseconds) = pause {
            self.pauses += 1;
            self.total_ms += milliseconds;
            self.max_ms = self.max_ms.max(milliseconds);
        }
    }

    fn finish(&mut self, target: &mut Target<'_>) -> SectionOutcome {
        let interval = self.first_ms.zip(self.last_ms).map(|(first, last)| (last - first).max(0.0));
        let found = GarbageCollection {
            pauses: self.pauses,
            max_ms: self.max_ms,
            total_ms: self.total_ms,
            interval_ms: interval,
        };
        let known = &mut target.node().garbage_collection;
        match known {
            // Rotated logs follow one another.
            Some(known) => {
                known.pauses += found.pauses;
                known.max_ms = known.max_ms.max(found.max_ms);
                known.total_ms += found.total_ms;
                known.interval_ms = match (known.interval_ms, interval) {
                    (Some(one), Some(other)) => Some(one + other),
                    (one, other) => one.or(other),
                };
            }
            None => *known = Some(found),
        }
        SectionOutcome::complete()
    }
}

/// The duration of a pause in the unified layout: `... GC(1) Pause Young (Normal) ... 12.345ms`.
fn find_unified_pause(line: &str) -> Option<f64> {
    let mut phrase = Phrase::new(line);
    phrase.take_until("] GC(")?;
    let mut message = phrase;
    message.take_until(") ")?;
    // Since Java 21, ZGC writes the generation before: `y: Pause Mark Start`.
    let text = message.rest().trim_start();
    let generations = ["y: ", "Y: ", "O: "];
    let text = generations.iter().find_map(|words| rest_after(text, words)).unwrap_or(text);
    Phrase::new(text).skip("Pause ")?;
    let duration = text.trim_end().strip_suffix("ms")?;
    parse_number(duration.rsplit(' ').next()?)
}

impl GcLogReader {
    /// The duration of a pause of Java 8: the last `, 0.0123 secs]` before the times of the processors.
    fn find_old_pause(&mut self, line: &str) -> Option<f64> {
        if has_words(line, "concurrent") {
            return None;
        }
        let begins = has_words(line, "[GC ") || has_words(line, "[Full GC ");
        if !(begins || self.is_open && line.starts_with([',', ' '])) {
            return None;
        }
        let text = match Phrase::new(line).take_until(" [Times:") {
            Some(before) => before,
            None => line,
        };
        let mut phrase = Phrase::new(text.trim_end());
        let before = phrase.take_until_last(" secs]");
        let seconds = before.and_then(|before| parse_number(before.rsplit([' ', ',']).next()?));
        self.is_open = begins && seconds.is_none() || self.is_open && seconds.is_none();
        seconds.map(|seconds| seconds * 1000.0)
    }
}

/// The time of a line in milliseconds, since 1970 or since the start.
fn time_of(line: &str) -> Option<f64> {
    let text = line.strip_prefix('[').unwrap_or(line);
    if let Some(at) = parse_timestamp(text.as_bytes()) {
        return Some(at as f64);
    }
    let end = text.find(|sign: char| !sign.is_ascii_digit() && sign != '.')?;
    let number = parse_number(text.get(..end)?)?;
    let is_seconds = text.get(end..)?.starts_with("s]") || text.get(end..)?.starts_with(": ");
    is_seconds.then_some(number * 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses() {
        let unified = |line| find_unified_pause(line);
        assert_eq!(
            unified(
                "[2026-11-18T11:22:46.123+0000][info][gc] GC(12) Pause Young (Normal) (G1 Evacuation Pause) 120M->30M(512M) 12.5ms"
            ),
            Some(12.5)
        );
        assert_eq!(unified("[12.345s][info][gc,start    ] GC(12) Pause Young (Normal)"), None);
        assert_eq!(
            unified("[12.345s][info][gc,phases] GC(1) Pause Mark Start 0.012ms"),
            Some(0.012)
        );
        assert_eq!(
            unified("[12.345s][info][gc,phases] GC(1) y: Pause Mark Start 0.012ms"),
            Some(0.012)
        );
        assert_eq!(unified("[12.345s][info][gc] GC(1) Concurrent Mark 120.5ms"), None);
        let mut old = GcLogReader::default();
        let g1 = "2020-01-01T00:00:00.123+0000: 12.345: [GC pause (G1 Evacuation Pause) (young), 0.25 secs]";
        assert_eq!(old.find_old_pause(g1), Some(250.0));
        let cms = "12.345: [GC (Allocation Failure) 12.345: [ParNew: 1K->2K(3K), 0.1 secs] 5K->6K(7K), 0.125 secs] [Times: user=0.05 sys=0.00, real=0.01 secs]";
        assert_eq!(old.find_old_pause(cms), Some(125.0));
        assert_eq!(old.find_old_pause("12.5: [GC concurrent-mark-end, 0.5 secs]"), None);
        assert_eq!(old.find_old_pause("12.5: [GC pause (young) (to-space exhausted)"), None);
        assert_eq!(old.find_old_pause(", 0.5 secs]"), Some(500.0));
        assert_eq!(old.find_old_pause("   [Parallel Time: 10.0 ms, GC Workers: 2]"), None);
        assert_eq!(time_of("[12.5s][info]"), Some(12_500.0));
        assert_eq!(time_of("12.5: [GC"), Some(12_500.0));
    }
}
