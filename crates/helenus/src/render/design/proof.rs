//! What the proof found: the verdict, what was exercised, predicted against measured, and a disagreement as its smallest
//! example.

use std::fmt::Write as _;
use std::io::{self, Write};

use model::figures;
use serde_json::{Value, json};
use sim::{Coverage, Disagreement, FigureMeasure, Proof, ReadMeasure, TableMeasure};

use super::{DesignView, align_columns, group_thousands};
use crate::proof::Verdict;
use model::id::IdList;

/// Rows of an answer that are shown.
const ROWS_SHOWN: usize = 20;
/// How many times one figure may be another to be called the same.
const SAME_RATIO_MAX: f64 = 1.1;
/// What is measured, and how.
const PARTITIONS: &str = "partitions read";
const SCALE: &str =
    "rows and bytes are predicted for the volumes stated and measured on the rows of the proof";

/// `passed (12 queries, 5 writes, 1,700 bindings)`, `failed ...` or `skipped`.
pub(crate) fn verdict(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Skipped => "skipped".to_owned(),
        Verdict::Refused(words) => format!("failed (the server refuses the design: {words})"),
        Verdict::Ran(run) => match &run.proof.disagreement {
            Some(wrong) => format!("failed ({})", disagreement_summary(wrong)),
            None => format!("passed ({})", extent(&run.proof)),
        },
    }
}

/// How much was run.
fn extent(proof: &Proof) -> String {
    let counted = |number: usize, one: &str, many: &str| {
        let thing = if number == 1 { one } else { many };
        format!("{} {thing}", group_thousands(number as f64))
    };
    format!(
        "{}, {}, {}",
        counted(proof.reads, "query", "queries"),
        counted(proof.writes, "write", "writes"),
        counted(proof.bindings, "binding", "bindings")
    )
}

/// The section of the terminal's report; nothing where nothing ran.
pub(crate) fn write_section(subject: DesignView<'_>, out: &mut dyn Write) -> io::Result<()> {
    let Verdict::Ran(run) = subject.proof else { return Ok(()) };
    let proof = &run.proof;
    super::text::heading(out, "Proof")?;
    writeln!(
        out,
        "  on {}: {} rows, {} writes run, seed {}",
        run.on,
        group_thousands(proof.rows as f64),
        group_thousands(proof.written as f64),
        run.seed
    )?;
    writeln!(out, "  exercised: {}", describe_coverage(proof.coverage))?;
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

/// What was exercised, each with its count; what was not is left out.
fn describe_coverage(coverage: Coverage) -> String {
    let counts: Vec<_> = coverage_counts(coverage)
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{} {what}", group_thousands(count as f64)))
        .collect();
    let mut parts = counts;
    parts.extend(coverage.buckets_least.map(|least| format!("at least {least} buckets a table")));
    parts.extend(coverage.shards_least.map(|least| format!("at least {least} shards a table")));
    if parts.is_empty() { "nothing out of the ordinary".to_owned() } else { parts.join(", ") }
}

fn coverage_counts(coverage: Coverage) -> [(usize, &'static str); 11] {
    [
        (coverage.borders_crossed, "borders crossed"),
        (coverage.merges, "merges"),
        (coverage.lookups, "lookups"),
        (coverage.key_changes, "key changes"),
        (coverage.ties, "ties"),
        (coverage.ties_cut, "ties cut by LIMIT"),
        (coverage.empty, "empty answers"),
        (coverage.absent_keys, "absent keys"),
        (coverage.hot_keys, "hot keys"),
        (coverage.range_edges, "range edges"),
        (coverage.nulls, "rows with nulls"),
    ]
}

/// A figure that was measured: what of, what it counts, how it is written.
type Measurement<'a> = (&'a str, &'static str, FigureMeasure, fn(f64) -> String);

fn measurements<'a>(subject: DesignView<'a>, proof: &Proof) -> Vec<Measurement<'a>> {
    let mut all: Vec<Measurement<'a>> = Vec::new();
    for TableMeasure { table, rows, bytes } in &proof.tables {
        let Some(planned) = subject.design.tables.member(*table) else { continue };
        all.push((&planned.name, "rows of a partition", *rows, figures::format_count));
        all.push((&planned.name, "bytes of a partition", *bytes, figures::format_bytes));
    }
    for ReadMeasure { read, partitions, rows } in &proof.measured {
        let Some(known) = subject.file.workload.reads.member(*read) else { continue };
        all.push((&known.name, PARTITIONS, *partitions, figures::format_count));
        all.push((&known.name, "rows read", *rows, figures::format_count));
    }
    all
}

/// Predicted against measured, all of it.
fn measurement_table(subject: DesignView<'_>, proof: &Proof) -> Vec<String> {
    let mut rows = measurement_rows(subject, proof);
    if rows.is_empty() {
        return Vec::new();
    }
    let head = ["", "", "predicted", "measured", "at most", "difference"];
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

/// Whether reads ask for as many partitions as predicted, in a line: the only figure that does not depend on how much data there
/// is. The query farthest from it is named.
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
        Some(format!("; farthest {name}, {mean} instead of {predicted}"))
    });
    (!reads.is_empty()).then(|| {
        let farthest = farthest.unwrap_or_default();
        format!(
            "partitions read: as predicted by {} of {} queries{farthest}",
            same.len(),
            reads.len()
        )
    })
}

/// How many times one is the other.
fn ratio(spread: FigureMeasure) -> f64 {
    let (low, high) = (spread.predicted.min(spread.mean), spread.predicted.max(spread.mean));
    if low > 0.0 { high / low } else { 1.0 + high }
}

/// `+12 %`: by how much what was measured is more than what was predicted.
fn difference(spread: FigureMeasure) -> String {
    if spread.predicted <= 0.0 {
        return if spread.mean <= 0.0 { "0 %".to_owned() } else { String::new() };
    }
    let share = spread.mean / spread.predicted - 1.0;
    let sign = if share > 0.0 { "+" } else { "" };
    format!("{sign}{}", figures::format_share(share))
}

/// A disagreement in a clause.
fn disagreement_summary(wrong: &Disagreement) -> String {
    match (&wrong.refused, &wrong.table) {
        (Some(_), _) => format!("{} is refused by the server", wrong.name),
        (None, Some(table)) => {
            format!("after {}, {table} does not hold what it must", wrong.name)
        }
        (None, None) => format!("{} answers otherwise than SQL", wrong.name),
    }
}

/// A disagreement: what was done before, what was asked, what came.
fn disagreement_lines(wrong: &Disagreement) -> Vec<String> {
    let mut lines = vec![format!("{}; the smallest example found:", disagreement_summary(wrong))];
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
    if let Some(words) = &wrong.refused {
        block("the server says", std::slice::from_ref(words));
        return lines;
    }
    block("expected (SQLite)", &table(&wrong.columns, &wrong.expected));
    let got = wrong.table.as_deref().unwrap_or("the designed tables");
    block(&format!("got ({got})"), &table(&wrong.columns, &wrong.got));
    lines
}

/// An answer as a table of text.
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
        more if more > ROWS_SHOWN => lines.push(format!("({} rows more)", more - ROWS_SHOWN)),
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
        "## Proof\n\nOn {}: {} rows, {} writes run, seed {}. Exercised: {}.\n",
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
            "| | figure | predicted | measured | at most | difference |\n|---|---|---|---|---|---|"
        );
        for row in rows {
            let _ = writeln!(out, "| {} |", row.join(" | "));
        }
        let _ = writeln!(
            out,
            "\nRows and bytes are predicted for the volumes stated and measured on the rows of the proof.\n"
        );
    }
}

/// The proof for programs.
pub(crate) fn object(subject: DesignView<'_>) -> Value {
    let Verdict::Ran(run) = subject.proof else { return Value::Null };
    let proof = &run.proof;
    let coverage: serde_json::Map<_, _> = coverage_counts(proof.coverage)
        .into_iter()
        .map(|(count, what)| (what.to_lowercase().replace(' ', "_"), json!(count)))
        .chain([
            ("buckets_least".to_owned(), json!(proof.coverage.buckets_least)),
            ("shards_least".to_owned(), json!(proof.coverage.shards_least)),
        ])
        .collect();
    json!({
        "passed": proof.disagreement.is_none(),
        "on": run.on,
        "seed": run.seed,
        "rows": proof.rows,
        "queries": proof.reads,
        "refused": proof.refused,
        "writes": proof.writes,
        "bindings": proof.bindings,
        "written": proof.written,
        "coverage": coverage,
        "measured": measurements(subject, proof).into_iter().map(|(name, what, spread, _)| json!({
            "of": name, "figure": what, "predicted": figure(spread.predicted),
            "mean": figure(spread.mean), "max": figure(spread.max),
        })).collect::<Vec<_>>(),
        "disagreement": proof.disagreement.as_ref().map(|wrong| json!({
            "name": wrong.name, "table": wrong.table, "facts": wrong.facts, "sql": wrong.sql, "cql": wrong.cql,
            "columns": wrong.columns, "expected": wrong.expected, "got": wrong.got, "refused": wrong.refused,
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
        let words = verdict;
        assert_eq!(words(&Verdict::Skipped), "skipped");
        assert_eq!(
            words(&proof_verdict(proof_without_disagreement(), false)),
            "passed (12 queries, 5 writes, 1,700 bindings)"
        );
        let one = Proof { reads: 1, writes: 1, bindings: 1, ..Proof::default() };
        assert_eq!(words(&proof_verdict(one, false)), "passed (1 query, 1 write, 1 binding)");
        assert_eq!(
            words(&proof_verdict(proof_with_disagreement(), false)),
            "failed (NotesOfUser answers otherwise than SQL)"
        );
        assert!(
            proof_verdict(proof_with_disagreement(), false).is_failed()
                && !proof_verdict(proof_without_disagreement(), false).is_failed()
        );
    }

    #[test]
    fn a_proof_is_short_unless_asked_for() {
        let expected = "
PROOF
  on the embedded engine: 2,000 rows, 500 writes run, seed 7
  exercised: 40 borders crossed, 3 ties cut by LIMIT, 31 empty answers, at least 3 buckets a table
  partitions read: as predicted by 1 of 1 queries
";
        assert_eq!(render_section(&proof_verdict(proof_without_disagreement(), false)), expected);
        let mut other = proof_without_disagreement();
        other.measured[0].partitions = FigureMeasure { predicted: 20.0, mean: 12.0, max: 41.0 };
        let line = "partitions read: as predicted by 0 of 1 queries; farthest NotesOfUser, 12 instead of 20";
        assert!(render_section(&proof_verdict(other, false)).contains(line));
        let expected = "
                                       predicted  measured   at most  difference
  notes_by_user  rows of a partition   20         25         200
  notes_by_user  bytes of a partition  1 KB       990 bytes  9 KB
  NotesOfUser    partitions read       1          1          1        0 %
  NotesOfUser    rows read             10         10         10
  rows and bytes are predicted for the volumes stated and measured on the rows of the proof
";
        let full = render_section(&proof_verdict(proof_without_disagreement(), true));
        let table = full.lines().skip(4).collect::<Vec<_>>().join("\n");
        assert_eq!(format!("\n{table}\n"), expected);
    }

    #[test]
    fn a_disagreement_is_shown_as_its_smallest_example() {
        let text = render_section(&proof_verdict(proof_with_disagreement(), false));
        let expected = "  NotesOfUser answers otherwise than SQL; the smallest example found:

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

  got (the designed tables)
    title | name
    ------+-----
    (no rows)";
        let shown = text.lines().skip(4).collect::<Vec<_>>().join("\n");
        assert_eq!(shown, expected);
    }

    #[test]
    fn programs_and_reviews_read_the_same() {
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
            text.contains("| notes_by_user | rows of a partition | 20 | 25 | 200 |  |"),
            "{text}"
        );
    }
}
