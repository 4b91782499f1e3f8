//! A case: facts, writes and a check, run from scratch; its disagreement is described as SQL and
//! CQL.

use super::copies::{TableMismatch, content_columns};
use super::presumption::is_excluded;
use super::sides::{DesignedSide, ProofSides, SideAnswers, is_same_outcome};
use crate::dataset::{Dataset, Datum};
use crate::generator::Facts;
use crate::proof::Disagreement;
use crate::prover::shrinker::has_integrity;
use crate::relational::{ResultColumns, WriteResult, insert_statements, with_values};
use crate::server::Failure;
use crate::statement_runner::{RunTrace, WriteOutcome, WriteRun};
use crate::subject::{ProofSettings, ProofSubject};
use crate::transcript::WriteEffect;
use crate::value::literal;
use model::id::{IdList, ReadId, WriteId};

/// Facts, the writes applied to them, and the final check.
#[derive(Clone, Debug)]
pub(crate) struct ProofCase {
    pub(crate) data: Dataset,
    /// Writes with their values, and whether each changed something in the relational database.
    pub(crate) writes: Vec<(WriteId, Vec<Datum>, bool)>,
    pub(crate) question: ProofCheck,
    /// The error with which it was found, where it is one.
    pub(crate) error: Option<String>,
}

/// The final check of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ProofCheck {
    /// A read with its values.
    Read(ReadId, Vec<Datum>),
    /// The contents of all tables.
    Copies,
}

/// The outcome of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CaseOutcome {
    /// Both sides agree.
    Agreement,
    /// The writes do not have the same effect: they presume facts that were removed.
    Invalid,
    /// They do not agree.
    Disagreement(Box<Disagreement>),
}

/// Runs a case on a server that is emptied first.
pub(crate) fn run(
    subject: ProofSubject<'_>,
    settings: &ProofSettings,
    case: &ProofCase,
    designed: DesignedSide<'_>,
) -> Result<CaseOutcome, Failure> {
    designed.server.clear(subject.schema)?;
    let mut disagreement = Disagreement {
        facts: insert_statements(subject.concept, &case.data),
        ..Disagreement::default()
    };
    let mut sides = match ProofSides::new(subject, settings, &case.data, designed, &mut |_, _| {}) {
        Ok(sides) => sides,
        Err(failure) => return report_refusal(failure, disagreement, Vec::new()),
    };
    // The facts, as long as no write changes them.
    let mut facts = None;
    for (at, values, changes) in &case.writes {
        let mut trace = RunTrace { keeps: true, ..RunTrace::default() };
        report_write(subject, &mut disagreement, *at, values);
        let expected = sides.write_facts(*at, values)?;
        if expected.effect.is_change() != *changes {
            return Ok(CaseOutcome::Invalid);
        }
        if expected.effect.is_change() {
            facts = None;
        } else if expected.effect == WriteEffect::Violation {
            let known = match facts.take() {
                Some(known) => known,
                None => read_facts(subject, settings, &sides)?,
            };
            if is_excluded(subject, *at, values, &known) {
                return Ok(CaseOutcome::Invalid);
            }
            facts = Some(known);
        }
        match sides.write_tables(*at, values, &mut trace) {
            Ok(got) => {
                disagreement.cql = trace.statements;
                if !sides.is_same_return(*at, &expected, &got) {
                    if !has_integrity(subject.concept, &sides.fact_rows()?) {
                        return Ok(CaseOutcome::Invalid);
                    }
                    let shown = report_return(subject, disagreement, *at, (&expected, &got));
                    return Ok(CaseOutcome::Disagreement(Box::new(shown)));
                }
            }
            Err(failure) => return report_refusal(failure, disagreement, trace.statements),
        }
    }
    if !case.writes.is_empty() && !has_integrity(subject.concept, &sides.fact_rows()?) {
        return Ok(CaseOutcome::Invalid);
    }
    match &case.question {
        ProofCheck::Read(at, values) => check_read(&mut sides, *at, values, disagreement),
        ProofCheck::Copies => match sides.compare_copies() {
            Ok(None) => Ok(CaseOutcome::Agreement),
            Ok(Some(mismatch)) => Ok(CaseOutcome::Disagreement(Box::new(report_mismatch(
                subject,
                disagreement,
                &mismatch,
            )))),
            Err(failure) => report_refusal(failure, disagreement, Vec::new()),
        },
    }
}

/// The current facts.
fn read_facts(
    subject: ProofSubject<'_>,
    settings: &ProofSettings,
    sides: &ProofSides<'_, '_>,
) -> Result<Facts, Failure> {
    let ProofSubject { concept, workload, design, .. } = subject;
    let now = Dataset { rows: sides.fact_rows()? };
    Ok(Facts::new(concept, workload, design, settings, &now))
}

/// A statement that the server rejects is a disagreement; a lost server ends the proof.
fn report_refusal(
    failure: Failure,
    disagreement: Disagreement,
    cql: Vec<String>,
) -> Result<CaseOutcome, Failure> {
    match failure {
        Failure::Refused(words) => {
            let cql = if cql.is_empty() { disagreement.cql.clone() } else { cql };
            Ok(CaseOutcome::Disagreement(Box::new(Disagreement {
                refused: Some(words),
                cql,
                ..disagreement
            })))
        }
        // A case that cannot be run shows nothing.
        Failure::Exhausted | Failure::Unrepresentable(_) => Ok(CaseOutcome::Invalid),
        gone @ Failure::Gone(_) => Err(gone),
    }
}

/// Adds a write to the description.
fn report_write(
    subject: ProofSubject<'_>,
    disagreement: &mut Disagreement,
    at: WriteId,
    values: &[Datum],
) {
    let Some(write) = subject.workload.writes.member(at) else { return };
    let sql = with_values(&write.sql, &write.parameters, values);
    disagreement
        .facts
        .extend(Some(std::mem::take(&mut disagreement.sql)).filter(|before| !before.is_empty()));
    disagreement.name.clone_from(&write.name);
    disagreement.sql = sql;
}

/// Adds what a write returned on both sides to the description: its outcome, if that differs, or its
/// rows.
fn report_return(
    subject: ProofSubject<'_>,
    mut disagreement: Disagreement,
    at: WriteId,
    (expected, got): (&WriteResult, &WriteRun),
) -> Disagreement {
    if !is_same_outcome(expected.effect, got.outcome) {
        let effect = match expected.effect {
            WriteEffect::Rows(_) => WriteOutcome::Applied,
            WriteEffect::Violation => WriteOutcome::Violation,
        };
        disagreement.columns = vec!["outcome".to_owned()];
        disagreement.expected = vec![vec![effect.to_string()]];
        disagreement.got = vec![vec![got.outcome.to_string()]];
        return disagreement;
    }
    let returning = subject.workload.writes.member(at).and_then(|write| write.returning.as_ref());
    let Some(returning) = returning else { return disagreement };
    let columns = ResultColumns::from(returning);
    let types = columns.types(subject.concept);
    let shown = |row: &Vec<Datum>| -> Vec<String> {
        row.iter().zip(&types).map(|(value, ty)| literal(ty, value)).collect()
    };
    disagreement.columns = columns.names().into_iter().map(str::to_owned).collect();
    disagreement.expected = expected.rows.iter().map(shown).collect();
    disagreement.got = got.rows.iter().map(shown).collect();
    disagreement
}

fn check_read(
    sides: &mut ProofSides<'_, '_>,
    at: ReadId,
    values: &[Datum],
    mut disagreement: Disagreement,
) -> Result<CaseOutcome, Failure> {
    let subject = sides.subject;
    let Some(read) = subject.workload.reads.member(at) else { return Ok(CaseOutcome::Agreement) };
    disagreement
        .facts
        .extend(Some(std::mem::take(&mut disagreement.sql)).filter(|before| !before.is_empty()));
    disagreement.cql.clear();
    disagreement.name.clone_from(&read.name);
    disagreement.sql = with_values(&read.sql, &read.parameters, values);
    let columns = ResultColumns::from(read);
    disagreement.columns = columns.names().into_iter().map(str::to_owned).collect();
    let answers = match sides.run_read(at, values, true) {
        Ok(answers) => answers,
        Err(failure) => {
            let plan = subject.design.reads.member(at);
            let sent =
                plan.map(|plan| plan.steps.iter().map(|step| step.select.to_string()).collect());
            return report_refusal(failure, disagreement, sent.unwrap_or_default());
        }
    };
    if answers.verdict.agrees {
        return Ok(CaseOutcome::Agreement);
    }
    let SideAnswers { expected, limit, got, trace, .. } = answers;
    let types = columns.types(subject.concept);
    let shown = |row: &[Datum]| -> Vec<String> {
        row.iter().zip(&types).map(|(value, ty)| literal(ty, value)).collect()
    };
    let most = limit.unwrap_or(usize::MAX);
    disagreement.expected = expected.iter().take(most).map(|row| shown(&row.values)).collect();
    disagreement.got = got.iter().map(|row| shown(row)).collect();
    disagreement.cql = trace.statements;
    Ok(CaseOutcome::Disagreement(Box::new(disagreement)))
}

fn report_mismatch(
    subject: ProofSubject<'_>,
    mut disagreement: Disagreement,
    mismatch: &TableMismatch,
) -> Disagreement {
    let Some(table) = subject.design.tables.member(mismatch.table) else { return disagreement };
    let types: Vec<_> = content_columns(table).map(|column| column.ty.clone()).collect();
    let shown = |row: &Vec<Datum>| -> Vec<String> {
        row.iter().zip(&types).map(|(value, ty)| literal(ty, value)).collect()
    };
    disagreement.table = Some(table.name.clone());
    disagreement.columns = content_columns(table).map(|column| column.name.clone()).collect();
    disagreement.expected = mismatch.expected.iter().map(shown).collect();
    disagreement.got = mismatch.got.iter().map(shown).collect();
    disagreement
}
