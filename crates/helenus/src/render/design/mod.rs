//! Output of a design.
//!
//! - `summary`: what is printed by default; `text`: the whole report, with the sections of `choice` (search)
//!   and `proof`.
//! - `files`, `json`, `report`, `html`: the files of `-o`; `allowance_comments` adds to their CQL why the
//!   design does what `helenus check` reports.
//! - `brief`: items for the answers to assistants.
//! - `assumptions`: those about the model, by influence.
//! - `rationale`: `--why`; its rejected alternatives are in `choice`.
//! - `difference`: two designs compared.
//! - `derived`: derived writes, within the writes that run them.
//! - `model_warnings`: the warnings about the model file, in all of them.
//! - `write_result`: what writes return.
//! - `phrases` and `marks`: the wording of plans and the marks of columns, shared by all of them.

mod allowance_comments;
mod assumptions;
pub(crate) mod brief;
mod choice;
mod derivations;
pub(crate) mod difference;
mod files;
mod html;
pub(crate) mod json;
pub(crate) mod marks;
mod model_warnings;
mod phrases;
pub(crate) mod proof;
pub(crate) mod rationale;
mod report;
pub(crate) mod summary;
#[cfg(test)]
mod test_sample;
pub(crate) mod text;
mod write_result;

use std::collections::{BTreeMap, BTreeSet};

use design::estimate::{TableSeries, design_series};
use diagram::Level;
use model::id::{IdList, ReadId};
use model::plan::{
    Design, MappingRule, Note, NoteKind, NoteSubject, PlannedColumn, PlannedIndex, PlannedTable,
    Volume,
};
use model::sql::ModelFile;

use crate::access_program;
use crate::copies;
use crate::influence::AssumptionRanking;
use crate::model_sources::ModelSources;
use crate::proof::Verdict;
use crate::render::planning_dates;

/// A model file, its design and its proof.
#[derive(Clone, Copy)]
pub(crate) struct DesignView<'a> {
    /// The model file that was designed.
    pub(crate) file: &'a ModelFile,
    /// Its tables and plans.
    pub(crate) design: &'a Design,
    /// Whether only the mapping rules were applied: no table is shared.
    pub(crate) rules_only: bool,
    /// The result of the proof.
    pub(crate) proof: &'a Verdict,
    /// The files of the model, where they are at hand: for the lines of warnings.
    pub(crate) sources: Option<&'a ModelSources>,
    /// The assumptions about the model by influence; `None` to list them all.
    pub(crate) ranking: Option<&'a AssumptionRanking>,
    /// The tables over time ([`table_series`]), in their order; none where nothing shows them.
    pub(crate) series: &'a [TableSeries],
}

/// The files that `-o` writes, by name.
pub(crate) fn output_files(subject: DesignView<'_>) -> Vec<(&'static str, String)> {
    let ModelFile { concept, workload, .. } = subject.file;
    let cql = [
        ("schema.cql", files::schema(subject)),
        ("queries.cql", files::queries(subject)),
        ("writes.cql", files::writes(subject)),
    ];
    let mut files = allowance_comments::finish_files(subject.design, cql);
    files.extend([
        ("design.json", design_json(subject)),
        ("report.md", report::markdown(subject)),
        ("report.html", html::page(subject).html()),
        (
            "diagram.svg",
            diagram::chebotko(concept, workload, subject.design, Level::Physical).svg(),
        ),
    ]);
    files
}

/// The tables of a design over time: monthly at first, then yearly, and on the dates that the model
/// gives.
pub(crate) fn table_series(
    file: &ModelFile,
    design: &Design,
    options: &design::Options,
) -> Vec<TableSeries> {
    let volumes = design.tables.iter().map(|table| &table.volume);
    let dates = planning_dates::list_series_dates(volumes.flat_map(Volume::curve_dates));
    design_series(&file.concept, &file.workload, options, design, &dates)
}

/// `design.json`: the design, the program from which `helenus generate` makes code, and what the tables
/// hold, for `helenus verify-copies`.
fn design_json(subject: DesignView<'_>) -> String {
    let mut object = json::object(subject);
    let name = subject.file.concept.keyspace.as_str();
    let (program, _) = access_program::from_design(subject.file, subject.design, name);
    object[access_program::KEY] = access_program::to_json(&program);
    object[copies::KEY] =
        copies::to_json(&copies::Definitions::from_design(subject.file, subject.design));
    format!("{object:#}\n")
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

    /// The indexes of a table, with the reads that use them and what their searches find.
    pub(crate) fn list_indexes(&self, table: &PlannedTable) -> Vec<String> {
        let list = |index: &PlannedIndex| {
            let kind = if index.attached { "storage-attached index" } else { "secondary index" };
            let reads = index.serves.iter().filter_map(|(read, _)| {
                let name = &self.file.workload.reads.member(*read)?.name;
                Some(format!("{} {name}", Self::read_number(*read)))
            });
            let reads: BTreeSet<String> = reads.collect();
            let reads = reads.into_iter().collect::<Vec<_>>().join(", ");
            let figures = index.figures.map(|figures| format!(": {figures}")).unwrap_or_default();
            format!("{kind} on {} for {reads}{figures}", index.column)
        };
        table.indexes.iter().map(list).collect()
    }

    /// What a table is for, and which rows it holds where it does not hold all.
    pub(crate) fn about(&self, table: &PlannedTable) -> Vec<String> {
        let mut about = self.read_labels(table);
        about.extend(self.purpose(table));
        about.extend(self.restriction(table).map(|rows| format!("only rows with {rows}")));
        about
    }

    /// The conditions that the rows of a table meet, where it does not hold all.
    pub(crate) fn restriction(&self, table: &PlannedTable) -> Option<String> {
        let is_own = table.remembers.is_none();
        is_own.then(|| table.holds.restriction(&self.file.concept)).flatten()
    }

    /// The purpose of a table that serves no read itself.
    pub(crate) fn purpose(&self, table: &PlannedTable) -> Option<String> {
        if let Some(bucketed) = table.remembers.and_then(|at| self.design.tables.member(at)) {
            let is_newest = |column: &PlannedColumn| {
                matches!(column.derivation, model::plan::Derivation::Newest(_))
            };
            let ends = if table.columns.iter().any(is_newest) {
                "the oldest and the newest bucket"
            } else {
                "the oldest bucket"
            };
            return Some(format!("stores {ends} of {}", bucketed.name));
        }
        let writes: Vec<_> = table
            .supports
            .iter()
            .filter_map(|write| self.file.workload.writes.member(*write))
            .map(|write| write.name.as_str())
            .collect();
        (!writes.is_empty()).then(|| format!("locates rows for {}", writes.join(", ")))
    }

    /// The mapping rules behind a column with their reads, as `MR2 Q1, Q3`.
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

    /// All notes: those of the design, then the assumptions made about the model file.
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

    /// The number of replicas.
    pub(crate) fn copies(&self) -> f64 {
        f64::from(self.file.concept.copies())
    }

    /// The bytes of all tables after this many days, with all replicas.
    pub(crate) fn disk_bytes_after(&self, days: f64) -> f64 {
        let bytes: f64 =
            self.design.tables.iter().map(|table| table.volume.table_bytes_after(days)).sum();
        bytes * self.copies()
    }
}

/// Lines with aligned cells, without trailing blanks.
pub(crate) fn align_columns<R: AsRef<[String]>>(rows: &[R]) -> Vec<String> {
    let mut widths = Vec::new();
    for row in rows {
        for (at, cell) in row.as_ref().iter().enumerate() {
            let width = cell.chars().count();
            match widths.get_mut(at) {
                Some(widest) => *widest = width.max(*widest),
                None => widths.push(width),
            }
        }
    }
    let line = |row: &R| {
        let cells = row.as_ref().iter().zip(&widths);
        let cells: Vec<_> = cells.map(|(cell, width)| format!("{cell:<width$}")).collect();
        cells.join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}
