//! Random writes, as CQL and as changes of the model.

use std::fmt::Write as _;
use std::ops::Bound;

use super::model::{Cell, Change, ClusteringRange, WriteTimes};
use crate::rng::Rng;

/// Few keys, so that writes meet.
const PARTITIONS: usize = 4;
const ROWS: usize = 6;
/// Timestamps of one second come from so many numbers, so that writes tie.
const TIMESTAMPS: usize = 5;

/// A statement and what it changes.
#[derive(Clone, Debug)]
pub(super) struct RandomWrite {
    pub(super) text: String,
    pub(super) changes: Vec<(i32, Change)>,
}

/// Writes for the second that it is told.
pub(super) struct ModelWriter {
    pub(super) rng: Rng,
    pub(super) now: i64,
}

fn small_number(rng: &mut Rng, below: usize) -> i32 {
    i32::try_from(rng.number_below(below)).unwrap_or_default()
}

/// What a statement is about.
struct WriteTarget {
    p: i32,
    c: i32,
    times: WriteTimes,
    changes: Vec<(i32, Change)>,
}

impl WriteTarget {
    fn change(&mut self, change: Change) {
        self.changes.push((self.p, change));
    }

    fn cell(&mut self, column: &'static str, path: Option<i32>, value: Option<Vec<u8>>) {
        let c = (column != "s").then_some(self.c);
        let deletion = WriteTimes { expires: None, ..self.times };
        let times = if value.is_some() { self.times } else { deletion };
        self.change(Change::Cell { c, column, path, cell: Cell { times, value } });
    }
}

impl ModelWriter {
    /// A key of a partition.
    pub(super) fn key(&mut self) -> i32 {
        small_number(&mut self.rng, PARTITIONS)
    }

    /// One write, or several as a batch of one timestamp.
    pub(super) fn next(&mut self) -> RandomWrite {
        // Some come late.
        let second = self.now - *self.rng.pick(&[0, 0, 0, 1, 4]);
        let timestamp = second * 1_000_000 + i64::from(small_number(&mut self.rng, TIMESTAMPS));
        if self.rng.roll(88) {
            return self.single_write(timestamp, true);
        }
        let parts: Vec<_> = (0..2 + self.rng.number_below(3))
            .map(|_| self.single_write(timestamp, false))
            .collect();
        let texts: Vec<_> = parts.iter().map(|part| part.text.as_str()).collect();
        let text =
            format!("BEGIN BATCH USING TIMESTAMP {timestamp} {}; APPLY BATCH", texts.join("; "));
        RandomWrite { text, changes: parts.into_iter().flat_map(|part| part.changes).collect() }
    }

    fn single_write(&mut self, timestamp: i64, timed: bool) -> RandomWrite {
        let mut target = WriteTarget {
            p: self.key(),
            c: small_number(&mut self.rng, ROWS),
            times: WriteTimes { timestamp, expires: None },
            changes: Vec::new(),
        };
        let text = match self.rng.number_below(100) {
            0..35 => self.insert(&mut target, timed),
            35..70 => self.update(&mut target, timed),
            _ => self.delete(&mut target, timed),
        };
        RandomWrite { text, changes: target.changes }
    }

    fn using_clause(&mut self, target: &mut WriteTarget, timed: bool, may_expire: bool) -> String {
        let mut parts = Vec::new();
        if timed {
            parts.push(format!("TIMESTAMP {}", target.times.timestamp));
        }
        if may_expire && self.rng.roll(40) {
            let ttl = *self.rng.pick(&[1, 5, 60, 3_600, 100_000]);
            target.times.expires = Some((ttl, self.now + i64::from(ttl)));
            parts.push(format!("TTL {ttl}"));
        }
        if parts.is_empty() { String::new() } else { format!(" USING {}", parts.join(" AND ")) }
    }

    fn insert(&mut self, target: &mut WriteTarget, timed: bool) -> String {
        let using = self.using_clause(target, timed, true);
        let (p, c, times) = (target.p, target.c, target.times);
        let only_static = self.rng.roll(10);
        let (mut names, mut values) = ("p".to_owned(), p.to_string());
        if !only_static {
            target.change(Change::Liveness { c, times });
            names += ", c";
            let _ = write!(values, ", {c}");
        }
        let columns: &[&'static str] =
            if only_static { &["s"] } else { &["s", "v", "w", "m", "z"] };
        for column in columns {
            if only_static || self.rng.roll(45) {
                let _ = write!(names, ", {column}");
                let _ = write!(values, ", {}", self.value(target, column));
            }
        }
        format!("INSERT INTO t ({names}) VALUES ({values}){using}")
    }

    fn update(&mut self, target: &mut WriteTarget, timed: bool) -> String {
        let using = self.using_clause(target, timed, true);
        let only_static = self.rng.roll(15);
        let sets = if only_static {
            format!("s = {}", self.value(target, "s"))
        } else {
            let column = *self.rng.pick(&["v", "w", "m", "z"]);
            self.assignment(target, column)
        };
        let place = if only_static {
            format!("p = {}", target.p)
        } else {
            format!("p = {} AND c = {}", target.p, target.c)
        };
        format!("UPDATE t{using} SET {sets} WHERE {place}")
    }

    fn assignment(&mut self, target: &mut WriteTarget, column: &'static str) -> String {
        let key = small_number(&mut self.rng, 4);
        let number = small_number(&mut self.rng, 3);
        match (column, self.rng.number_below(4)) {
            ("m", 0) => {
                target.cell("m", Some(key), Some(number.to_be_bytes().to_vec()));
                format!("m[{key}] = {number}")
            }
            ("m", 1) => {
                target.cell("m", Some(key), Some(number.to_be_bytes().to_vec()));
                format!("m = m + {{{key}: {number}}}")
            }
            ("m" | "z", 2) => {
                target.cell(column, Some(key), None);
                format!("{column} = {column} - {{{key}}}")
            }
            ("z", 0 | 1) => {
                target.cell("z", Some(key), Some(Vec::new()));
                format!("z = z + {{{key}}}")
            }
            _ => format!("{column} = {}", self.value(target, column)),
        }
    }

    /// A value for a whole column.
    fn value(&mut self, target: &mut WriteTarget, column: &'static str) -> String {
        let is_null = self.rng.roll(20);
        let number = small_number(&mut self.rng, 4);
        if matches!(column, "m" | "z") {
            // What was there is deleted first, just before the new.
            let (c, timestamp) = (Some(target.c), target.times.timestamp - 1);
            target.change(Change::Column { c, column, timestamp });
            if is_null {
                return "null".to_owned();
            }
            let is_map = column == "m";
            let value = if is_map { number.to_be_bytes().to_vec() } else { Vec::new() };
            target.cell(column, Some(number), Some(value));
            return if is_map {
                format!("{{{number}: {number}}}")
            } else {
                format!("{{{number}}}")
            };
        }
        let (text, bytes) = if column == "w" {
            let word = ["a", "b", "ab", ""][usize::try_from(number).unwrap_or(0)];
            (format!("'{word}'"), word.as_bytes().to_vec())
        } else {
            (number.to_string(), number.to_be_bytes().to_vec())
        };
        target.cell(column, None, (!is_null).then_some(bytes));
        if is_null { "null".to_owned() } else { text }
    }

    fn delete(&mut self, target: &mut WriteTarget, timed: bool) -> String {
        let using = self.using_clause(target, timed, false);
        let (p, c, timestamp) = (target.p, target.c, target.times.timestamp);
        let row = format!("p = {p} AND c = {c}");
        let (what, place) = match self.rng.number_below(10) {
            0..4 => {
                let column = *self.rng.pick(&["v", "w", "m", "z"]);
                let path = small_number(&mut self.rng, 4);
                match column {
                    "m" | "z" if self.rng.roll(60) => {
                        target.cell(column, Some(path), None);
                        (format!("{column}[{path}] "), row)
                    }
                    "m" | "z" => {
                        target.change(Change::Column { c: Some(c), column, timestamp });
                        (format!("{column} "), row)
                    }
                    _ => {
                        target.cell(column, None, None);
                        (format!("{column} "), row)
                    }
                }
            }
            4 => {
                target.cell("s", None, None);
                ("s ".to_owned(), format!("p = {p}"))
            }
            5..7 => {
                target.change(Change::Row { c, timestamp });
                (String::new(), row)
            }
            7..9 => {
                let (range, text) = self.range();
                target.change(Change::Range { range, timestamp });
                (String::new(), format!("p = {p}{text}"))
            }
            _ => {
                target.change(Change::Partition { timestamp });
                (String::new(), format!("p = {p}"))
            }
        };
        format!("DELETE {what}FROM t{using} WHERE {place}")
    }

    /// A range of rows, with one bound at least, and its CQL.
    pub(super) fn range(&mut self) -> (ClusteringRange, String) {
        let (low, high) = (small_number(&mut self.rng, ROWS), small_number(&mut self.rng, ROWS));
        let (start, start_text) = match self.rng.number_below(3) {
            0 => (Bound::Unbounded, String::new()),
            1 => (Bound::Included(low), format!(" AND c >= {low}")),
            _ => (Bound::Excluded(low), format!(" AND c > {low}")),
        };
        let (end, end_text) = match self.rng.number_below(3) {
            0 if start_text.is_empty() => (Bound::Included(high), format!(" AND c <= {high}")),
            0 => (Bound::Unbounded, String::new()),
            1 => (Bound::Included(high), format!(" AND c <= {high}")),
            _ => (Bound::Excluded(high), format!(" AND c < {high}")),
        };
        ((start, end), start_text + &end_text)
    }
}
