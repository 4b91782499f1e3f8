//! A case: facts, writes and a question, run from scratch, and what came out told for people.

use super::copies::{Apart, columns};
use super::sides::{Answers, Sides};
use crate::data::{Data, Datum};
use crate::proof::Disagreement;
use crate::prove::shrink::is_sound;
use crate::relational::{inserts, output_type, with_values};
use crate::run::{Outcome, Trace};
use crate::server::{Failure, Server};
use crate::subject::{Settings, Subject};
use crate::value::literal;
use model::id::{Numbered, ReadId, WriteId};

/// Facts, what is done with them, and what is then asked.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) data: Data,
    /// Writes with their values, and whether each changed something on the relational side.
    pub(crate) writes: Vec<(WriteId, Vec<Datum>, bool)>,
    pub(crate) question: Question,
}

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    /// A read with its values.
    Read(ReadId, Vec<Datum>),
    /// Whether all copies are as they must be.
    Copies,
}

/// What came of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// Both sides agree.
    Agreement,
    /// The writes are not what they were: they presume facts that are not there.
    Invalid,
    /// They do not agree.
    Disagreement(Box<Disagreement>),
}

/// Runs a case on an empty server.
pub(crate) fn run(
    subject: Subject<'_>,
    settings: &Settings,
    case: &Case,
    server: &mut dyn Server,
) -> Result<Found, Failure> {
    server.clear(subject.schema)?;
    let mut told =
        Disagreement { facts: inserts(subject.concept, &case.data), ..Disagreement::default() };
    let mut sides = match Sides::new(subject, settings, &case.data, server, &mut |_, _| {}) {
        Ok(sides) => sides,
        Err(failure) => return refused(failure, told, Vec::new()),
    };
    for (at, values, changes) in &case.writes {
        let mut trace = Trace { keeps: true, ..Trace::default() };
        tell_write(subject, &mut told, *at, values);
        if sides.write_facts(*at, values)? != *changes {
            return Ok(Found::Invalid);
        }
        match sides.write_tables(*at, values, &mut trace) {
            Ok(Outcome::Interrupted) => return Ok(Found::Invalid),
            Ok(_) => told.cql = trace.statements,
            Err(failure) => return refused(failure, told, trace.statements),
        }
    }
    if !case.writes.is_empty() && !is_sound(subject.concept, &sides.rows()?) {
        return Ok(Found::Invalid);
    }
    match &case.question {
        Question::Read(at, values) => ask(&mut sides, *at, values, told),
        Question::Copies => match sides.copies() {
            Ok(None) => Ok(Found::Agreement),
            Ok(Some(apart)) => {
                Ok(Found::Disagreement(Box::new(tell_copies(subject, told, &apart))))
            }
            Err(failure) => refused(failure, told, Vec::new()),
        },
    }
}

/// A refusal of the server is a disagreement; a server that is gone ends the proof.
fn refused(failure: Failure, told: Disagreement, cql: Vec<String>) -> Result<Found, Failure> {
    match failure {
        Failure::Refused(words) => {
            let cql = if cql.is_empty() { told.cql.clone() } else { cql };
            Ok(Found::Disagreement(Box::new(Disagreement { refused: Some(words), cql, ..told })))
        }
        gone @ Failure::Gone(_) => Err(gone),
    }
}

/// Adds a write to what was done.
fn tell_write(subject: Subject<'_>, told: &mut Disagreement, at: WriteId, values: &[Datum]) {
    let Some(write) = subject.workload.writes.at(at) else { return };
    let sql = with_values(&write.sql, &write.parameters, values);
    told.facts.extend(Some(std::mem::take(&mut told.sql)).filter(|before| !before.is_empty()));
    told.name.clone_from(&write.name);
    told.sql = sql;
}

fn ask(
    sides: &mut Sides<'_, '_>,
    at: ReadId,
    values: &[Datum],
    mut told: Disagreement,
) -> Result<Found, Failure> {
    let subject = sides.subject;
    let Some(read) = subject.workload.reads.at(at) else { return Ok(Found::Agreement) };
    told.facts.extend(Some(std::mem::take(&mut told.sql)).filter(|before| !before.is_empty()));
    told.cql.clear();
    told.name.clone_from(&read.name);
    told.sql = with_values(&read.sql, &read.parameters, values);
    told.columns = read.outputs.iter().map(|output| output.name.clone()).collect();
    let answers = match sides.read(at, values, true) {
        Ok(answers) => answers,
        Err(failure) => {
            let plan = subject.design.reads.at(at);
            let sent =
                plan.map(|plan| plan.steps.iter().map(|step| step.select.to_string()).collect());
            return refused(failure, told, sent.unwrap_or_default());
        }
    };
    if answers.verdict.agrees {
        return Ok(Found::Agreement);
    }
    let Answers { expected, limit, got, trace, .. } = answers;
    let types: Vec<_> =
        (0..read.outputs.len()).map(|output| output_type(subject.concept, read, output)).collect();
    let shown = |row: &[Datum]| -> Vec<String> {
        row.iter().zip(&types).map(|(value, ty)| literal(ty, value)).collect()
    };
    let most = limit.unwrap_or(usize::MAX);
    told.expected = expected.iter().take(most).map(|row| shown(&row.values)).collect();
    told.got = got.iter().map(|row| shown(row)).collect();
    told.cql = trace.statements;
    Ok(Found::Disagreement(Box::new(told)))
}

fn tell_copies(subject: Subject<'_>, mut told: Disagreement, apart: &Apart) -> Disagreement {
    let Some(table) = subject.design.tables.at(apart.table) else { return told };
    let types: Vec<_> = columns(table).map(|column| column.ty.clone()).collect();
    let shown = |row: &Vec<Datum>| -> Vec<String> {
        row.iter().zip(&types).map(|(value, ty)| literal(ty, value)).collect()
    };
    told.table = Some(table.name.clone());
    told.columns = columns(table).map(|column| column.name.clone()).collect();
    told.expected = apart.expected.iter().map(shown).collect();
    told.got = apart.got.iter().map(shown).collect();
    told
}
