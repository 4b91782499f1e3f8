//! Random workflows.

use std::fmt::Write;

use model::concept::Concept;
use model::id::ReadId;
use model::plan::{Design, ReadPart, ReadPlan, ServedRead};
use model::workload::Workload;

use super::reference_designs;

/// A source of numbers that gives the same ones for the same seed.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below `end`.
    pub(super) fn next_below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        let end = u64::try_from(end.max(1)).unwrap();
        usize::try_from((self.0 >> 16) % end).unwrap()
    }
}

/// Names that try to leave their place.
const ODD: [&str; 5] = ["<b>&amp;\"'", "日本語の名前", "x]]>--", "tab\tand\nline", "ä\u{1}ö"];

/// A design of so many tables and queries; a query follows a few of the `near` before it, and now
/// and then any.
pub(super) fn design(
    seed: u64,
    tables: usize,
    queries: usize,
    near: usize,
) -> (Concept, Workload, Design) {
    let mut numbers = Random::new(seed);
    let mut workload = Workload::default();
    let mut design = Design::default();
    design.tables.extend((0..tables).map(|at| table(&mut numbers, at)));
    for read in 0..queries {
        let count = [0, 1, 1, 1, 2, 3][numbers.next_below(6)];
        let after: Vec<_> = (0..count)
            .map(|_| match numbers.next_below(20) {
                0 => 1 + numbers.next_below(queries),
                _ => 1 + read.saturating_sub(1 + numbers.next_below(near)),
            })
            .collect();
        workload.reads.push(reference_designs::read(&format!("Query{read}"), &after));
        design.reads.push(ReadPlan::default());
        let served =
            ServedRead { read: ReadId::new(read), sources: Vec::new(), part: ReadPart::Rows };
        // Queries that are near one another ask near tables.
        let table = read * tables / queries.max(1) + numbers.next_below(3);
        design.tables[table.min(tables - 1)].serves.push(served);
    }
    (reference_designs::concept(), workload, design)
}

fn table(numbers: &mut Random, at: usize) -> model::plan::PlannedTable {
    let marks = ["K ", "C↑ ", "C↓ ", "S ", "", "", "++"];
    let columns: Vec<_> = (0..=numbers.next_below(12))
        .map(|column| {
            let mark = if column == 0 { "K " } else { marks[numbers.next_below(marks.len())] };
            let name = "column_name_that_is_long";
            let length = 1 + numbers.next_below(name.len());
            let odd = numbers.next_below(40) == 0;
            let name = if odd { ODD[numbers.next_below(ODD.len())] } else { &name[..length] };
            format!("{mark}{name}{column}")
        })
        .collect();
    let name = format!("table_{at}{}", "_long".repeat(numbers.next_below(6)));
    reference_designs::table(&format!("{name}({})", columns.join(", ")))
}

/// A model file of so many tables that refer to one another, some to themselves, some to their own
/// kind of parent.
pub(super) fn model_file(seed: u64, tables: usize) -> String {
    let mut numbers = Random::new(seed);
    let mut text = String::new();
    for table in 0..tables {
        let _ = write!(text, "CREATE TABLE thing_{table} (\n  id_{table} uuid PRIMARY KEY");
        if table > 0 && numbers.next_below(6) == 0 {
            let _ = write!(text, " REFERENCES thing_{}", numbers.next_below(table));
        }
        for column in 0..numbers.next_below(4) {
            let target = numbers.next_below(tables);
            let must = ["", " NOT NULL", " UNIQUE NOT NULL"][numbers.next_below(3)];
            let _ = write!(text, ",\n  ref_{column} uuid{must} REFERENCES thing_{target}");
        }
        for column in 0..numbers.next_below(8) {
            let ty = ["text", "int[]", "timestamp", "text NOT NULL UNIQUE"][numbers.next_below(4)];
            let _ = write!(text, ",\n  attribute_{column} {ty}");
        }
        text.push_str("\n);\n\n");
    }
    text
}
