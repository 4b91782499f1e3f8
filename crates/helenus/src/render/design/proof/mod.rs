//! The result of the proof: verdict, coverage, predicted against measured figures, and a
//! disagreement as its smallest example.

mod disagreement;
mod measurement;
#[cfg(test)]
mod tests;

use std::fmt::Write as _;
use std::io::{self, Write};

use model::figures;
use serde_json::{Value, json};
use sim::{
    Coverage, Proof, ProofOutcome, ScaledFigure, StatementRecord, StatementRun,
    UnrepeatedDisagreement,
};

use self::disagreement::{disagreement_lines, disagreement_summary};
use self::measurement::{measurement_rows, measurement_table, measurements, partition_summary};
use super::DesignView;
use crate::proof::{CodeCounts, CodeLanguage, ProofRun, Verdict};
use crate::render::markdown_text::{cell, code_block, prose};
use model::figures::group_thousands;

/// `passed (12 of 12 queries, 5 of 5 writes, 1,700 bindings)`, `incomplete (not run: ...)`,
/// `failed ...` or `skipped`.
pub(crate) fn verdict(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Skipped => "skipped".to_owned(),
        Verdict::Refused(message) => format!("failed (the server rejects the design: {message})"),
        Verdict::Ran(run) => match run.proof.outcome() {
            ProofOutcome::Failed(wrong) => {
                format!("failed ({})", disagreement_summary(wrong, run.language))
            }
            ProofOutcome::Faulty(fault) => format!("failed ({})", describe_fault(fault)),
            ProofOutcome::Passed => {
                format!("passed ({}{})", extent(&run.proof), describe_code_counts(run.code_counts))
            }
            ProofOutcome::Incomplete(open) => {
                let open: Vec<_> =
                    open.iter().map(|(name, reason)| format!("{name}: {reason}")).collect();
                format!("incomplete (not run: {})", open.join("; "))
            }
        },
    }
}

/// The outcome in one word, for programs.
fn outcome_name(proof: &Proof) -> &'static str {
    match proof.outcome() {
        ProofOutcome::Passed => "passed",
        ProofOutcome::Incomplete(_) => "incomplete",
        ProofOutcome::Failed(_) => "failed",
        ProofOutcome::Faulty(_) => "fault",
    }
}

/// How many of all queries and writes were run, and with how many bindings.
fn extent(proof: &Proof) -> String {
    let counted = |records: &[StatementRecord], singular: &str, plural: &str| {
        let run = records.iter().filter(|record| record.not_run().is_none()).count();
        let noun = if records.len() == 1 { singular } else { plural };
        format!("{run} of {} {noun}", records.len())
    };
    let bindings = proof.bindings + proof.written;
    format!(
        "{}, {}, {} {}",
        counted(&proof.reads, "query", "queries"),
        counted(&proof.writes, "write", "writes"),
        group_thousands(bindings as f64),
        if bindings == 1 { "binding" } else { "bindings" }
    )
}

/// What was looked at in generated code besides its results; what nobody looked at is absent.
fn describe_code_counts(counts: CodeCounts) -> String {
    let CodeCounts { paged_results, clean_inserts, interruptions } = counts;
    let parts = [
        (paged_results, "paged result", "paged results"),
        (clean_inserts, "insert without tombstone", "inserts without tombstones"),
        (interruptions, "repeated write", "repeated writes"),
    ];
    let parts = parts.into_iter().filter(|(count, ..)| *count > 0);
    let text = |(count, one, many): (usize, &str, &str)| {
        format!(", {} {}", group_thousands(count as f64), if count == 1 { one } else { many })
    };
    parts.map(text).collect()
}

/// A disagreement that did not come back, and how to report it.
fn describe_fault(fault: &UnrepeatedDisagreement) -> String {
    let what = match (&fault.read, &fault.error) {
        (Some(read), Some(error)) => format!("{read} failed ({error})"),
        (Some(read), None) => format!("the results of {read} differed"),
        (None, Some(error)) => format!("the last of {} writes failed ({error})", fault.writes),
        (None, None) => {
            format!("the contents of the tables differed after {} writes", fault.writes)
        }
    };
    format!(
        "a fault of Helenus, not of the design: {what}, but not when the same was run again; report it with the model file and --seed {}",
        fault.seed
    )
}

/// What was not run, and what was scaled down.
fn limitation_lines(proof: &Proof) -> Vec<String> {
    let mut lines = Vec::new();
    if let ProofOutcome::Incomplete(open) = proof.outcome() {
        lines.extend(open.iter().map(|(name, reason)| format!("not run: {name}: {reason}")));
    }
    if let ProofOutcome::Faulty(fault) = proof.outcome() {
        lines.push(describe_fault(fault));
    }
    let is_open = |it: &&StatementRecord| it.not_run().is_none() && !it.untried.is_empty();
    for record in proof.writes.iter().filter(is_open) {
        let constraints = record.untried.join(", ");
        lines.push(format!("no values found that violate: {}: {constraints}", record.name));
    }
    let scaled: Vec<_> = proof.scaled.iter().map(describe_scaled).collect();
    if !scaled.is_empty() {
        lines.push(format!("scaled down for the proof: {}", scaled.join(", ")));
    }
    lines
}

fn describe_scaled(figure: &ScaledFigure) -> String {
    match figure {
        ScaledFigure::Shards { from, to } => {
            format!("{} shards to {to}", group_thousands(f64::from(*from)))
        }
        ScaledFigure::Retention { from, to } => format!(
            "a retention of {} to {}",
            figures::format_duration(*from),
            figures::format_duration(*to)
        ),
        ScaledFigure::Bucket { from, to } => {
            format!("{from} buckets to {to} buckets")
        }
    }
}

/// The server, and the language of generated code.
fn describe_place(run: &ProofRun) -> String {
    match run.language {
        Some(language) => format!("{}, through generated {language} code", run.on),
        None => run.on.clone(),
    }
}

/// The section of the text report; empty if the proof did not run.
pub(crate) fn write_section(subject: DesignView<'_>, out: &mut dyn Write) -> io::Result<()> {
    let Verdict::Ran(run) = subject.proof else { return Ok(()) };
    let proof = &run.proof;
    super::text::heading(out, "Proof")?;
    writeln!(
        out,
        "  on {}: {} rows, {} writes, seed {}",
        describe_place(run),
        group_thousands(proof.rows as f64),
        group_thousands(proof.written as f64),
        run.seed
    )?;
    writeln!(out, "  covered: {}", describe_coverage(proof.coverage))?;
    for line in limitation_lines(proof) {
        writeln!(out, "  {line}")?;
    }
    if let Some(wrong) = &proof.disagreement {
        return disagreement_lines(wrong, run.language)
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
        .filter_map(|(count, _, label)| Some((count.filter(|count| *count > 0)?, label)))
        .map(|(count, label)| format!("{} {label}", group_thousands(count as f64)))
        .collect();
    let mut parts = counts;
    parts.extend(coverage.buckets_least.map(|least| format!("at least {least} buckets per table")));
    parts.extend(coverage.shards_least.map(|least| format!("at least {least} shards per table")));
    if parts.is_empty() { "no special cases".to_owned() } else { parts.join(", ") }
}

/// The counts, each with its key in JSON and its label in text; `None` for those that nobody counted.
fn coverage_counts(coverage: Coverage) -> [(Option<usize>, &'static str, &'static str); 18] {
    let steps = coverage.steps;
    [
        (steps.map(|it| it.borders_crossed), "borders_crossed", "bucket borders crossed"),
        (steps.map(|it| it.merges), "merges", "merges"),
        (steps.map(|it| it.lookups), "lookups", "lookups"),
        (Some(coverage.key_changes), "key_changes", "key changes"),
        (Some(coverage.ties), "ties", "ties"),
        (Some(coverage.ties_cut), "ties_cut_by_limit", "ties cut by LIMIT"),
        (Some(coverage.empty), "empty_results", "empty results"),
        (Some(coverage.absent_keys), "absent_keys", "absent keys"),
        (Some(coverage.hot_keys), "hot_keys", "hot keys"),
        (Some(coverage.range_edges), "range_edges", "range edges"),
        (Some(coverage.nulls), "rows_with_nulls", "rows with nulls"),
        (Some(coverage.boundary_values), "boundary_values", "boundary values written"),
        (Some(coverage.absent_writes), "writes_of_absent_keys", "writes of absent keys"),
        (Some(coverage.repeated_keys), "repeated_writes", "repeated writes of a key"),
        (Some(coverage.reinserted_keys), "reinserted_keys", "deleted keys inserted again"),
        (Some(coverage.upserts), "upserts_of_existing_rows", "upserts of existing rows"),
        (Some(coverage.cascades), "cascades", "cascades"),
        (Some(coverage.violations), "violations", "violations of constraints"),
    ]
}

/// The section of `report.md`.
pub(crate) fn markdown(subject: DesignView<'_>, out: &mut String) {
    let Some(run) = describe_run(subject) else { return };
    let _ = writeln!(out, "## Proof\n\n{}\n", run.extent);
    for line in &run.limitations {
        let _ = writeln!(out, "- {}", prose(line));
    }
    if !run.limitations.is_empty() {
        out.push('\n');
    }
    if let Some(disagreement) = &run.disagreement {
        let _ = writeln!(out, "{}", code_block("text", disagreement));
        return;
    }
    if !run.measurements.is_empty() {
        let _ = writeln!(
            out,
            "| | figure | predicted | measured | max | difference |\n|---|---|---|---|---|---|"
        );
        for row in run.measurements {
            let _ = writeln!(out, "| {} |", row.map(|text| cell(&text)).join(" | "));
        }
        let _ = writeln!(
            out,
            "\nRows and bytes are predicted for the stated volumes, but measured on the rows of the proof.\n"
        );
    }
}

/// A run of the proof in words, for pages.
pub(super) struct ProofText {
    /// Where it ran, and what it covered.
    pub(super) extent: String,
    /// What was not run, and what was scaled down.
    pub(super) limitations: Vec<String>,
    /// The smallest example of a disagreement.
    pub(super) disagreement: Option<String>,
    /// Predicted and measured figures.
    pub(super) measurements: Vec<[String; 6]>,
}

/// The run in words; `None` if the proof did not run.
pub(super) fn describe_run(subject: DesignView<'_>) -> Option<ProofText> {
    let Verdict::Ran(run) = subject.proof else { return None };
    let proof = &run.proof;
    let disagreement = proof.disagreement.as_ref();
    Some(ProofText {
        extent: format!(
            "On {}: {} rows, {} writes, seed {}. Covered: {}.",
            describe_place(run),
            group_thousands(proof.rows as f64),
            group_thousands(proof.written as f64),
            run.seed,
            describe_coverage(proof.coverage)
        ),
        limitations: limitation_lines(proof),
        disagreement: disagreement.map(|it| disagreement_lines(it, run.language).join("\n")),
        measurements: measurement_rows(subject, proof),
    })
}

/// Whether it ran every statement and found no disagreement.
pub(super) fn is_passed(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Ran(run) if matches!(run.proof.outcome(), ProofOutcome::Passed))
}

/// `12 of 12 queries, 5 of 5 writes, 1,700 bindings`; empty if it did not run.
pub(super) fn extent_text(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Ran(run) => extent(&run.proof),
        Verdict::Skipped | Verdict::Refused(_) => String::new(),
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
        "outcome": outcome_name(proof),
        "passed": proof.is_passed(),
        "server": run.on,
        "code": run.language.map(CodeLanguage::key),
        "paged_results": run.code_counts.paged_results,
        "inserts_without_tombstones": run.code_counts.clean_inserts,
        "repeated_writes": run.code_counts.interruptions,
        "seed": run.seed,
        "rows": proof.rows,
        "queries": records(&proof.reads),
        "writes": records(&proof.writes),
        "scaled": proof.scaled.iter().map(describe_scaled).collect::<Vec<_>>(),
        "fault": proof.fault.as_ref().map(describe_fault),
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

/// What became of each statement.
fn records(records: &[StatementRecord]) -> Vec<Value> {
    let record = |record: &StatementRecord| match &record.run {
        StatementRun::Run(counts) => json!({
            "name": record.name, "run": true, "bindings": counts.bindings,
            "changes": counts.changes, "absent_keys": counts.absent,
            "violations": counts.violations, "constraints_not_violated": record.untried,
        }),
        StatementRun::NotRun(reason) => {
            json!({ "name": record.name, "run": false, "why": reason.to_string() })
        }
    };
    records.iter().map(record).collect()
}

fn figure(number: f64) -> Value {
    json!((number * 1e3).round() / 1e3)
}
