//! Damaged input: nothing panics, and the time grows with the length only.

#![expect(clippy::disallowed_methods, reason = "a test measures time")]

use std::time::{Duration, Instant};

use super::{FIXTURES, collect};
use crate::source::Collector;

/// A small generator of numbers, so that a failure can be repeated.
struct RandomNumbers(u64);

impl RandomNumbers {
    fn draw(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(bound.max(1)).unwrap()).unwrap()
    }
}

fn read(bytes: &[u8]) {
    let mut collector = Collector::new();
    collector.read("x", "", bytes);
    collector.read("x", "", bytes);
    collector.finish();
}

#[test]
fn truncated_files_do_no_harm() {
    let mut random = RandomNumbers(0x5eed);
    for (_, text, _) in FIXTURES {
        for _ in 0..40 {
            read(&text.as_bytes()[..random.draw(text.len())]);
        }
    }
}

#[test]
fn changed_bytes_do_no_harm() {
    let mut random = RandomNumbers(0xfeed);
    for (_, text, _) in FIXTURES {
        for _ in 0..40 {
            let mut bytes = text.as_bytes().to_owned();
            for _ in 0..=random.draw(8) {
                let at = random.draw(bytes.len());
                bytes[at] = u8::try_from(random.draw(256)).unwrap();
            }
            read(&bytes);
        }
    }
}

#[test]
fn lines_of_several_files_in_any_order_do_no_harm() {
    let mut random = RandomNumbers(0xbead);
    let lines: Vec<&str> = FIXTURES.iter().flat_map(|(_, text, _)| text.lines()).collect();
    for _ in 0..60 {
        let mixed: Vec<&str> = (0..200).map(|_| lines[random.draw(lines.len())]).collect();
        read(mixed.join("\n").as_bytes());
    }
}

#[test]
fn long_input_takes_time_in_proportion() {
    for start in [
        "{",
        "[[",
        "a:",
        "<",
        "CREATE TABLE t (",
        "Keyspace: x\n\t\tTable: y\n",
        "x\n",
        "INFO  [a] 2026-11-18 11:34:16,350 F.java:1 - user:",
    ] {
        let text = start.repeat(2_000_000 / start.len());
        let begin = Instant::now();
        let snapshot = collect(&[&text]);
        assert!(begin.elapsed() < Duration::from_secs(20), "{start:?} took {:?}", begin.elapsed());
        assert!(!snapshot.sources.is_empty());
    }
}

/// Long lists: nodes, files and elements are looked up, not searched one after the other.
#[test]
fn many_entries_take_time_in_proportion() {
    const ENTRIES: usize = 8_000;
    let numbered = |line: fn(usize) -> String| (0..ENTRIES).map(line).collect::<String>();
    let texts = [
        "cluster_name: x\nnum_tokens: 1\nlist:\n".to_owned() + &"  - x\n".repeat(300_000),
        "Cluster Information:\n\tName: x\n\tSchema versions:\n".to_owned()
            + &numbered(|at| format!("\t\tv{at}: [10.0.{}.{}]\n", at / 256, at % 256)),
        numbered(|at| {
            format!(
                "SSTable: /d/ks/t-f72e32b0e34311f1b84317903b7865d8/nb-{at}-big\nSSTable Level: 0\n"
            )
        }),
    ];
    for text in &texts {
        let begin = Instant::now();
        let snapshot = collect(&[text]);
        let elapsed = begin.elapsed();
        assert!(elapsed < Duration::from_secs(8), "{:?} took {elapsed:?}", text.get(..40));
        assert!(snapshot.sources.iter().any(|source| source.kind.is_some()));
    }
}
