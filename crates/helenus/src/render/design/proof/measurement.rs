//! Predicted against measured figures.

use model::figures;
use model::id::IdList;
use sim::{FigureMeasure, Proof, ReadMeasure, TableMeasure};

use crate::render::design::{DesignView, align_columns};

/// Up to this ratio, a measured figure counts as predicted.
const SAME_RATIO_MAX: f64 = 1.1;
/// The only figure that does not depend on the amount of data.
const PARTITIONS: &str = "partitions read";
/// Why rows and bytes differ from the prediction.
const SCALE: &str =
    "rows and bytes are predicted for the stated volumes, but measured on the rows of the proof";

/// A measured figure: the table or query, the name of the figure, its values, and their format.
pub(super) type Measurement<'a> = (&'a str, &'static str, FigureMeasure, fn(f64) -> String);

/// All measured figures.
pub(super) fn measurements<'a>(subject: DesignView<'a>, proof: &Proof) -> Vec<Measurement<'a>> {
    let mut all: Vec<Measurement<'a>> = Vec::new();
    for TableMeasure { table, rows, bytes } in &proof.tables {
        let Some(planned) = subject.design.tables.member(*table) else { continue };
        all.push((&planned.name, "rows per partition", *rows, figures::format_count));
        all.push((&planned.name, "bytes per partition", *bytes, figures::format_bytes));
    }
    for ReadMeasure { read, partitions, rows } in &proof.measured {
        let Some(known) = subject.file.workload.reads.member(*read) else { continue };
        all.push((&known.name, PARTITIONS, *partitions, figures::format_count));
        all.push((&known.name, "rows read", *rows, figures::format_count));
    }
    all
}

/// All predicted and measured figures.
pub(super) fn measurement_table(subject: DesignView<'_>, proof: &Proof) -> Vec<String> {
    let mut rows = measurement_rows(subject, proof);
    if rows.is_empty() {
        return Vec::new();
    }
    let head = ["", "", "predicted", "measured", "max", "difference"];
    rows.insert(0, head.map(str::to_owned));
    let mut lines = align_columns(&rows);
    lines.push(SCALE.to_owned());
    lines
}

/// The same as rows of a table.
pub(super) fn measurement_rows(subject: DesignView<'_>, proof: &Proof) -> Vec<[String; 6]> {
    let row = |(name, what, spread, write): Measurement<'_>| {
        [
            name.to_owned(),
            what.to_owned(),
            write(spread.predicted),
            write(spread.mean),
            write(spread.max),
            if what == PARTITIONS { difference(spread) } else { String::new() },
        ]
    };
    measurements(subject, proof).into_iter().map(row).collect()
}

/// One line on whether queries read as many partitions as predicted, with the largest deviation.
/// This is the only figure that does not depend on the amount of data.
pub(super) fn partition_summary(subject: DesignView<'_>, proof: &Proof) -> Option<String> {
    let reads = &proof.measured;
    let (same, other): (Vec<_>, Vec<_>) =
        reads.iter().partition(|read| ratio(read.partitions) <= SAME_RATIO_MAX);
    let farthest = other
        .iter()
        .max_by(|left, right| ratio(left.partitions).total_cmp(&ratio(right.partitions)));
    let farthest = farthest.and_then(|read| {
        let name = &subject.file.workload.reads.member(read.read)?.name;
        let FigureMeasure { predicted, mean, .. } = read.partitions;
        let [predicted, mean] = [predicted, mean].map(figures::format_count);
        Some(format!("; largest deviation: {name}, {mean} instead of {predicted}"))
    });
    (!reads.is_empty()).then(|| {
        let farthest = farthest.unwrap_or_default();
        format!(
            "partitions read: as predicted for {} of {} queries{farthest}",
            same.len(),
            reads.len()
        )
    })
}

/// The ratio of the larger to the smaller of the predicted and the measured figure.
fn ratio(spread: FigureMeasure) -> f64 {
    let (low, high) = (spread.predicted.min(spread.mean), spread.predicted.max(spread.mean));
    if low > 0.0 { high / low } else { 1.0 + high }
}

/// The deviation of the measured figure from the predicted one: `+12 %`.
fn difference(spread: FigureMeasure) -> String {
    if spread.predicted <= 0.0 {
        return if spread.mean <= 0.0 { "0 %".to_owned() } else { String::new() };
    }
    let share = spread.mean / spread.predicted - 1.0;
    let sign = if share > 0.0 { "+" } else { "" };
    format!("{sign}{}", figures::format_share(share))
}
