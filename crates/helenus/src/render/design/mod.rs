//! A design for people and programs: the terminal, the files of `-o`, and the answers of `--why`.

pub(crate) mod choice;
pub(crate) mod files;
pub(crate) mod json;
pub(crate) mod marks;
mod phrases;
pub(crate) mod proof;
pub(crate) mod rationale;
pub(crate) mod report;
#[cfg(test)]
mod test_sample;
pub(crate) mod text;

use std::collections::{BTreeMap, BTreeSet};

use model::id::{IdList, ReadId};
use model::plan::{Design, MappingRule, Note, NoteKind, NoteSubject, PlannedColumn, PlannedTable};
use model::sql::ModelFile;

use crate::proof::Verdict;

/// What is shown: a model file and its design.
#[derive(Clone, Copy)]
pub(crate) struct DesignView<'a> {
    /// The model file.
    pub(crate) file: &'a ModelFile,
    /// The design.
    pub(crate) design: &'a Design,
    /// Whether tables were shared.
    pub(crate) rules_only: bool,
    /// What the proof found.
    pub(crate) proof: &'a Verdict,
}

impl DesignView<'_> {
    /// `Q3`, the number of a read.
    pub(crate) fn read_number(read: ReadId) -> String {
        format!("Q{}", read.index() + 1)
    }

    /// The reads that a table serves, as `Q1 Name`.
    pub(crate) fn read_labels(&self, table: &PlannedTable) -> Vec<String> {
        table
            .serves
            .iter()
            .filter_map(|served| {
                let read = self.file.workload.reads.member(served.read)?;
                Some(format!("{} {}", Self::read_number(served.read), read.name))
            })
            .collect()
    }

    /// What a table is for, when it serves no read itself.
    pub(crate) fn purpose(&self, table: &PlannedTable) -> Option<String> {
        if let Some(remembered) = table.remembers.and_then(|at| self.design.tables.member(at)) {
            return Some(format!("remembers the oldest bucket of {}", remembered.name));
        }
        let writes: Vec<_> = table
            .supports
            .iter()
            .filter_map(|write| self.file.workload.writes.member(*write))
            .map(|write| write.name.as_str())
            .collect();
        (!writes.is_empty()).then(|| format!("finds rows for {}", writes.join(", ")))
    }

    /// The rules behind a column and the reads that ask, as `MR2 Q1, Q3`.
    pub(crate) fn rules(column: &PlannedColumn) -> String {
        let mut shown: BTreeMap<MappingRule, BTreeSet<ReadId>> = BTreeMap::new();
        for reason in &column.reasons {
            shown.entry(reason.rule).or_default().extend(reason.read);
        }
        let parts: Vec<_> = shown
            .iter()
            .map(|(rule, reads)| {
                let reads: Vec<_> = reads.iter().map(|read| Self::read_number(*read)).collect();
                format!("{} {}", rule.name(), reads.join(", ")).trim_end().to_owned()
            })
            .collect();
        parts.join("; ")
    }

    /// Everything that is to be said: the design's notes, then what the file leaves to be assumed.
    pub(crate) fn notes(&self) -> impl Iterator<Item = Note> + '_ {
        let assumed = self.file.assumptions.iter().map(|assumption| Note {
            kind: NoteKind::Assumption,
            about: NoteSubject::Design,
            topic: assumption.topic.clone().into(),
            span: Some(assumption.span),
        });
        self.design.notes.iter().cloned().chain(assumed)
    }

    /// The options that a table sets, each with its reason.
    pub(crate) fn explicit_options(table: &PlannedTable) -> Vec<&(&'static str, String)> {
        let options = &table.options;
        let is_set = |option: &str| match option {
            "default_time_to_live" => options.default_time_to_live.is_some(),
            "gc_grace_seconds" => options.gc_grace_seconds.is_some(),
            "compaction" => options.compaction.is_some(),
            "compression" => options.compression.is_some(),
            "caching" => options.caching.is_some(),
            _ => true,
        };
        options.reasons.iter().filter(|(option, _)| is_set(option)).collect()
    }

    /// Copies of everything.
    pub(crate) fn copies(&self) -> f64 {
        f64::from(self.file.concept.copies())
    }

    /// Bytes of all tables after so many days, with all copies.
    pub(crate) fn disk_bytes_after(&self, days: f64) -> f64 {
        let one: f64 =
            self.design.tables.iter().map(|table| table.volume.table_bytes_after(days)).sum();
        one * self.copies()
    }
}

/// Lines with their cells under one another; empty ends are cut.
pub(crate) fn align_columns<const N: usize>(rows: &[[String; N]]) -> Vec<String> {
    let width = |at: usize| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0);
    let widths: [usize; N] = std::array::from_fn(width);
    let line = |row: &[String; N]| {
        let cells: Vec<_> =
            row.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        cells.join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

/// A whole number with its thousands apart: `1,700`.
pub(crate) fn group_thousands(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) && !text.ends_with('-') {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
