//! The result of the proof: verdict, coverage, predicted against measured figures, and a
//! disagreement as its smallest example.

use std::fmt::Write as _;
use std::io::{self, Write};

use model::figures;
use serde_json::{Value, json};
use sim::{Coverage, Disagreement, FigureMeasure, Proof, ReadMeasure, TableMeasure};

use super::{DesignView, align_columns, group_thousands};
use crate::proof::Verdict;
use model::id::IdList;

/// The number of rows shown of a result.
const ROWS_SHOWN: usize = 20;
/// Up to this ratio, a measured figure counts as predicted.
const SAME_RATIO_MAX: f64 = 1.1;
/// The only figure that does not depend on the amount of data.
const PARTITIONS: &str = "partitions read";
/// Why rows and bytes differ from the prediction.
const SCALE: &str =
    "rows and bytes are predicted for the stated volumes, but measured on the rows of the proof";

/// `passed (12 queries, 5 writes, 1,700 bindings)`, `failed ...` or `skipped`.
pub(crate) fn verdict(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Skipped => "skipped".to_owned(),
        Verdict::Refused(message) => format!("failed (the server rejects the design: {message})"),
        Verdict::Ran(run) => match &run.proof.disagreement {
            Some(wrong) => format!("failed ({})", disagreement_summary(wrong)),
            None => format!("passed ({})", extent(&run.proof)),
        },
    }
}

/// The number of queries, writes and bindings.
fn extent(proof: &Proof) -> String {
    let counted = |number: usize, singular: &str, plural: &str| {
        let noun = if number == 1 { singular } else { plural };
        format!("{} {noun}", group_thousands(number as f64))
    };
    format!(
        "{}, {}, {}",
        counted(proof.reads, "query", "queries"),
        counted(proof.writes, "write", "writes"),
        counted(proof.bindings, "binding", "bindings")
    )
}

/// The section of the text report; empty if the proof did not run.
pub(crate) fn write_section(subject: DesignView<'_>, out: &mut dyn Write) -> io::Result<()> {
    let Verdict::Ran(run) = subject.proof else { return Ok(()) };
    let proof = &run.proof;
    super::text::heading(out, "Proof")?;
    writeln!(
        out,
        "  on {}: {} rows, {} writes, seed {}",
        run.on,
        group_thousands(proof.rows as f64),
        group_thousands(proof.written as f64),
        run.seed
    )?;
    writeln!(out, "  covered: {}", describe_coverage(proof.coverage))?;
    if let Some(wrong) = &proof.disagreement {
        return disagreement_lines(wrong)
            .iter()
            .try_for_each(|line| writeln!(out, "{}", format!("  {line}").trim_end()));
    }
    if run.is_full {
        for line in measurement_table(subject, proof) {
            writeln!(out, "  {line}")?;
        }
    } else if let Some(line) = partition_summary(subject, proof) {
        writeln!(out, "  {line}")?;
    }
    Ok(())
}

/// The special cases that occurred, with their counts.
fn describe_coverage(coverage: Coverage) -> String {
    let counts: Vec<_> = coverage_counts(coverage)
        .into_iter()
        .filter(|(count, ..)| *count > 0)
        .map(|(count, _, label)| format!("{} {label}", group_thousands(count as f64)))
        .collect();
    let mut parts = counts;
    parts.extend(coverage.buckets_least.map(|least| format!("at least {least} buckets per table")));
    parts.extend(coverage.shards_least.map(|least| format!("at least {least} shards per table")));
    if parts.is_empty() { "no special cases".to_owned() } else { parts.join(", ") }
}

/// The counts, each with its key in JSON and its label in text.
fn coverage_counts(coverage: Coverage) -> [(usize, &'static str, &'static str); 11] {
    [
        (coverage.borders_crossed, "borders_crossed", "bucket borders crossed"),
        (coverage.merges, "merges", "merges"),
        (coverage.lookups, "lookups", "lookups"),
        (coverage.key_changes, "key_changes", "key changes"),
        (coverage.ties, "ties", "ties"),
        (coverage.ties_cut, "ties_cut_by_limit", "ties cut by LIMIT"),
        (coverage.empty, "empty_results", "empty results"),
        (coverage.absent_keys, "absent_keys", "absent keys"),
        (coverage.hot_keys, "hot_keys", "hot keys"),
        (coverage.range_edges, "range_edges", "range edges"),
        (coverage.nulls, "rows_with_nulls", "rows with nulls"),
    ]
}

/// A measured figure: the table or query, the name of the figure, its values, and their format.
type Measurement<'a> = (&'a str, &'static str, FigureMeasure, fn(f64) -> String);

fn measurements<'a>(subject: DesignView<'a>, proof: &Proof) -> Vec<Measurement<'a>> {
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
fn measurement_table(subject: DesignView<'_>, proof: &Proof) -> Vec<String> {
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

fn measurement_rows(subject: DesignView<'_>, proof: &Proof) -> Vec<[String; 6]> {
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
fn partition_summary(subject: DesignView<'_>, proof: &Proof) -> Option<String> {
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

/// A disagreement in one clause.
fn disagreement_summary(wrong: &Disagreement) -> String {
    match (&wrong.refused, &wrong.table) {
        (Some(_), _) => format!("{} is rejected by the server", wrong.name),
        (None, Some(table)) => {
            format!("after {}, the content of {table} is wrong", wrong.name)
        }
        (None, None) => format!("{} returns a different result than SQL", wrong.name),
    }
}

/// A disagreement: the facts, the statements in SQL and CQL, the expected and the actual result.
fn disagreement_lines(wrong: &Disagreement) -> Vec<String> {
    let mut lines = vec![format!("{}; smallest example found:", disagreement_summary(wrong))];
    let mut block = |title: &str, texts: &[String]| {
        if !texts.is_empty() {
            lines.push(String::new());
            lines.push(title.to_owned());
            lines
                .extend(texts.iter().flat_map(|text| text.lines()).map(|line| format!("  {line}")));
        }
    };
    block("facts", &wrong.facts);
    block("SQL", std::slice::from_ref(&wrong.sql));
    block("CQL", &wrong.cql);
    if let Some(message) = &wrong.refused {
        block("server error", std::slice::from_ref(message));
        return lines;
    }
    block("expected (SQLite)", &table(&wrong.columns, &wrong.expected));
    let origin = wrong.table.as_deref().unwrap_or("designed tables");
    block(&format!("actual ({origin})"), &table(&wrong.columns, &wrong.got));
    lines
}

/// A result as a text table.
fn table(columns: &[String], rows: &[Vec<String>]) -> Vec<String> {
    let cell = |row: &[String], at: usize| row.get(at).cloned().unwrap_or_default();
    let width = |at: usize| {
        let cells = rows.iter().map(|row| cell(row, at)).chain([cell(columns, at)]);
        cells.map(|text| text.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<_> = (0..columns.len()).map(width).collect();
    let line = |row: &[String]| {
        let cells: Vec<_> = widths
            .iter()
            .enumerate()
            .map(|(at, width)| format!("{:<width$}", cell(row, at)))
            .collect();
        cells.join(" | ").trim_end().to_owned()
    };
    let mut lines = vec![line(columns)];
    lines.push(widths.iter().map(|width| "-".repeat(*width)).collect::<Vec<_>>().join("-+-"));
    lines.extend(rows.iter().take(ROWS_SHOWN).map(|row| line(row)));
    match rows.len() {
        0 => lines.push("(no rows)".to_owned()),
        total if total > ROWS_SHOWN => lines.push(format!("({} more rows)", total - ROWS_SHOWN)),
        _ => {}
    }
    lines
}

/// The section of `report.md`.
pub(crate) fn markdown(subject: DesignView<'_>, out: &mut String) {
    let Verdict::Ran(run) = subject.proof else { return };
    let proof = &run.proof;
    let _ = writeln!(
        out,
        "## Proof\n\nOn {}: {} rows, {} writes, seed {}. Covered: {}.\n",
        run.on,
        group_thousands(proof.rows as f64),
        group_thousands(proof.written as f64),
        run.seed,
        describe_coverage(proof.coverage)
    );
    if let Some(wrong) = &proof.disagreement {
        let _ = writeln!(out, "```text\n{}\n```\n", disagreement_lines(wrong).join("\n"));
        return;
    }
    let rows = measurement_rows(subject, proof);
    if !rows.is_empty() {
        let _ = writeln!(
            out,
            "| | figure | predicted | measured | max | difference |\n|---|---|---|---|---|---|"
        );
        for row in rows {
            let _ = writeln!(out, "| {} |", row.join(" | "));
        }
        let _ = writeln!(
            out,
            "\nRows and bytes are predicted for the stated volumes, but measured on the rows of the proof.\n"
        );
    }
}

/// The proof as JSON.
pub(crate) fn object(subject: DesignView<'_>) -> Value {
    let Verdict::Ran(run) = subject.proof else { return Value::Null };
    let proof = &run.proof;
    let coverage: serde_json::Map<_, _> = coverage_counts(proof.coverage)
        .into_iter()
        .map(|(count, key, _)| (key.to_owned(), json!(count)))
        .chain([
            ("min_buckets".to_owned(), json!(proof.coverage.buckets_least)),
            ("min_shards".to_owned(), json!(proof.coverage.shards_least)),
        ])
        .collect();
    json!({
        "passed": proof.disagreement.is_none(),
        "server": run.on,
        "seed": run.seed,
        "rows": proof.rows,
        "queries": proof.reads,
        "refused": proof.refused,
        "writes": proof.writes,
        "bindings": proof.bindings,
        "executed_writes": proof.written,
        "coverage": coverage,
        "measured": measurements(subject, proof).into_iter().map(|(name, what, spread, _)| json!({
            "name": name, "measure": what, "predicted": figure(spread.predicted),
            "mean": figure(spread.mean), "max": figure(spread.max),
        })).collect::<Vec<_>>(),
        "disagreement": proof.disagreement.as_ref().map(|wrong| json!({
            "name": wrong.name, "table": wrong.table, "facts": wrong.facts, "sql": wrong.sql, "cql": wrong.cql,
            "columns": wrong.columns, "expected": wrong.expected, "actual": wrong.got, "refused": wrong.refused,
        })),
    })
}

fn figure(number: f64) -> Value {
    json!((number * 1e3).round() / 1e3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proof::ProofRun;
    use crate::render::design::test_sample;
    use model::id::{ReadId, TableId};

    fn proof_verdict(proof: Proof, is_full: bool) -> Verdict {
        let on = "the embedded engine".to_owned();
        Verdict::Ran(Box::new(ProofRun { proof, on, seed: 7, is_full }))
    }

    fn proof_without_disagreement() -> Proof {
        let spread = |predicted, mean, max| FigureMeasure { predicted, mean, max };
        Proof {
            reads: 12,
            writes: 5,
            bindings: 1_700,
            written: 500,
            rows: 2_000,
            coverage: Coverage {
                empty: 31,
                borders_crossed: 40,
                ties_cut: 3,
                buckets_least: Some(3),
                ..Coverage::default()
            },
            tables: vec![TableMeasure {
                table: TableId::new(0),
                rows: spread(20.0, 25.0, 200.0),
                bytes: spread(1_000.0, 990.0, 9_000.0),
            }],
            measured: vec![ReadMeasure {
                read: ReadId::new(0),
                partitions: spread(1.0, 1.0, 1.0),
                rows: spread(10.0, 10.0, 10.0),
            }],
            ..Proof::default()
        }
    }

    fn proof_with_disagreement() -> Proof {
        let row = |cells: [&str; 2]| cells.map(str::to_owned).to_vec();
        let disagreement = Disagreement {
            name: "NotesOfUser".to_owned(),
            facts: vec!["INSERT INTO users VALUES (1, 'Ann');".to_owned()],
            sql: "SELECT title, name FROM notes WHERE userid = 1".to_owned(),
            cql: vec!["SELECT title, name FROM notes_by_user WHERE userid = 1".to_owned()],
            columns: row(["title", "name"]),
            expected: vec![row(["first", "Ann"]), row(["a second", "null"])],
            got: Vec::new(),
            ..Disagreement::default()
        };
        Proof { disagreement: Some(disagreement), ..proof_without_disagreement() }
    }

    fn render_section(verdict: &Verdict) -> String {
        test_sample::render_sample(None, verdict, |subject| {
            test_sample::plain_text(|out| write_section(subject, out))
        })
    }

    #[test]
    fn verdicts() {
        assert_eq!(verdict(&Verdict::Skipped), "skipped");
        assert_eq!(
            verdict(&proof_verdict(proof_without_disagreement(), false)),
            "passed (12 queries, 5 writes, 1,700 bindings)"
        );
        let one = Proof { reads: 1, writes: 1, bindings: 1, ..Proof::default() };
        assert_eq!(verdict(&proof_verdict(one, false)), "passed (1 query, 1 write, 1 binding)");
        assert_eq!(
            verdict(&proof_verdict(proof_with_disagreement(), false)),
            "failed (NotesOfUser returns a different result than SQL)"
        );
        assert!(
            proof_verdict(proof_with_disagreement(), false).is_failed()
                && !proof_verdict(proof_without_disagreement(), false).is_failed()
        );
    }

    #[test]
    fn all_measurements_are_shown_on_request() {
        let expected = "
PROOF
  on the embedded engine: 2,000 rows, 500 writes, seed 7
  covered: 40 bucket borders crossed, 3 ties cut by LIMIT, 31 empty results, at least 3 buckets per table
  partitions read: as predicted for 1 of 1 queries
";
        assert_eq!(render_section(&proof_verdict(proof_without_disagreement(), false)), expected);
        let mut other = proof_without_disagreement();
        other.measured[0].partitions = FigureMeasure { predicted: 20.0, mean: 12.0, max: 41.0 };
        let line = "partitions read: as predicted for 0 of 1 queries; largest deviation: NotesOfUser, 12 instead of 20";
        assert!(render_section(&proof_verdict(other, false)).contains(line));
        let expected = "
                                      predicted  measured   max   difference
  notes_by_user  rows per partition   20         25         200
  notes_by_user  bytes per partition  1 KB       990 bytes  9 KB
  NotesOfUser    partitions read      1          1          1     0 %
  NotesOfUser    rows read            10         10         10
  rows and bytes are predicted for the stated volumes, but measured on the rows of the proof
";
        let full = render_section(&proof_verdict(proof_without_disagreement(), true));
        let table = full.lines().skip(4).collect::<Vec<_>>().join("\n");
        assert_eq!(format!("\n{table}\n"), expected);
    }

    #[test]
    fn a_disagreement_is_shown_as_its_smallest_example() {
        let text = render_section(&proof_verdict(proof_with_disagreement(), false));
        let expected = "  NotesOfUser returns a different result than SQL; smallest example found:

  facts
    INSERT INTO users VALUES (1, 'Ann');

  SQL
    SELECT title, name FROM notes WHERE userid = 1

  CQL
    SELECT title, name FROM notes_by_user WHERE userid = 1

  expected (SQLite)
    title    | name
    ---------+-----
    first    | Ann
    a second | null

  actual (designed tables)
    title | name
    ------+-----
    (no rows)";
        let shown = text.lines().skip(4).collect::<Vec<_>>().join("\n");
        assert_eq!(shown, expected);
    }

    #[test]
    fn json_and_markdown() {
        let text = test_sample::render_sample(
            None,
            &proof_verdict(proof_with_disagreement(), false),
            |subject| object(subject).to_string(),
        );
        let value: Value = serde_json::from_str(&text).expect("it is JSON");
        assert_eq!(value["passed"], false);
        assert_eq!(value["coverage"]["borders_crossed"], 40);
        assert_eq!(value["disagreement"]["expected"][1][1], "null");
        assert_eq!(value["measured"][0]["mean"], 25.0);
        let text = test_sample::render_sample(
            None,
            &proof_verdict(proof_without_disagreement(), false),
            |subject| {
                let mut out = String::new();
                markdown(subject, &mut out);
                out
            },
        );
        assert!(
            text.contains("| notes_by_user | rows per partition | 20 | 25 | 200 |  |"),
            "{text}"
        );
    }
}
