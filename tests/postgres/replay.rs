//! Replays the transcript of a proof in `PostgreSQL`, with the text of the model file, and compares.

use std::collections::BTreeMap;

use cql::types::Type;
use model::concept::{Attribute, Entity};
use model::id::IdList;
use model::sql::ModelFile;
use sim::{ProofTranscript, TranscriptRow, TranscriptStep, WriteEffect};

use super::client::{ClientValues, default_statements};
use super::cluster::PostgresCluster;
use super::psql::{PsqlScript, StatementResult};
use super::statement::{bind_literals, schema_statements};
use super::value::{Datum, literal, normalise_bytes, normalise_text, write_typed_literal};

/// Rows of an INSERT of facts.
const ROWS_PER_INSERT: usize = 500;

/// What gives the current time of a statement to triggers.
const CLOCK_STATEMENTS: [&str; 2] = [
    "CREATE FUNCTION public.now() RETURNS timestamptz LANGUAGE sql STABLE \
     AS $$ SELECT current_setting('judge.now')::timestamptz $$",
    "SET search_path = public, pg_catalog",
];

/// Why a replay does not agree.
#[derive(Debug)]
pub(super) enum ReplayFault {
    /// `PostgreSQL` does not accept the schema.
    Schema(String),
    /// It answers otherwise.
    Difference(String),
}

/// What is expected of a statement of the script.
enum Expected<'t> {
    /// It succeeds.
    Schema,
    Facts,
    Step(&'t TranscriptStep),
    /// The rows of the entity at this position.
    Contents(usize),
}

/// The statements, and what is expected of each.
#[derive(Default)]
struct ReplayScript<'t> {
    script: PsqlScript,
    expected: Vec<(String, Expected<'t>)>,
}

impl<'t> ReplayScript<'t> {
    fn add(&mut self, sql: &str, what: Expected<'t>) {
        self.script.add(sql);
        self.expected.push((sql.to_owned(), what));
    }
}

/// Replays a transcript in a database; the steps that were compared.
pub(super) fn replay(
    cluster: &PostgresCluster,
    database: &str,
    text: &str,
    model: &ModelFile,
    transcript: &ProofTranscript,
) -> Result<usize, ReplayFault> {
    let mut script = ReplayScript::default();
    for sql in ["DROP SCHEMA public CASCADE", "CREATE SCHEMA public", "CREATE EXTENSION hstore"] {
        script.add(sql, Expected::Schema);
    }
    for sql in schema_statements(text) {
        script.add(&sql, Expected::Schema);
    }
    if text.contains("CREATE TRIGGER") {
        for sql in CLOCK_STATEMENTS {
            script.add(sql, Expected::Schema);
        }
    }
    // Facts may refer to one another in a circle.
    script.add("SET session_replication_role = replica", Expected::Facts);
    for sql in fact_statements(model, transcript) {
        script.add(&sql, Expected::Facts);
    }
    script.add("SET session_replication_role = origin", Expected::Facts);
    for step in &transcript.steps {
        for sql in default_statements(model, step) {
            script.add(&sql, Expected::Facts);
        }
        script.add(&step_statement(model, step), Expected::Step(step));
    }
    for (at, entity) in model.concept.entities.iter().enumerate() {
        let columns: Vec<_> = list_columns(entity).map(|(_, it)| quote_name(&it.name)).collect();
        let sql = format!("SELECT {} FROM {}", columns.join(", "), quote_name(&entity.name));
        script.add(&sql, Expected::Contents(at));
    }
    let results = cluster.run_script(database, &script.script).map_err(ReplayFault::Difference)?;
    for ((sql, what), result) in script.expected.iter().zip(&results) {
        compare(model, transcript, what, result).map_err(|fault| match fault {
            ReplayFault::Schema(why) => ReplayFault::Schema(format!("{why}\n  {sql}")),
            ReplayFault::Difference(why) => ReplayFault::Difference(format!("{why}\n  {sql}")),
        })?;
    }
    Ok(transcript.steps.len())
}

/// The columns of a table with their positions, without the id that the rows of a table without a key get.
fn list_columns(entity: &Entity) -> impl Iterator<Item = (usize, &Attribute)> {
    entity.attributes.iter().enumerate().filter(|(_, it)| !it.hidden)
}

pub(super) fn quote_name(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// The statements that load the facts: by way of a table without constraints, from which `PostgreSQL` takes what it does not
/// compute itself.
fn fact_statements(model: &ModelFile, transcript: &ProofTranscript) -> Vec<String> {
    let mut statements = Vec::new();
    for (entity, rows) in model.concept.entities.iter().zip(&transcript.facts) {
        let columns: Vec<_> = list_columns(entity).map(|(_, it)| quote_name(&it.name)).collect();
        let (table, columns) = (quote_name(&entity.name), columns.join(", "));
        statements.push(format!("CREATE TEMP TABLE judge_facts (LIKE {table})"));
        for rows in rows.chunks(ROWS_PER_INSERT) {
            let row = |row: &Vec<Datum>| {
                let values: Vec<_> =
                    list_columns(entity).map(|(at, of)| literal(&of.ty, &row[at])).collect();
                format!("({})", values.join(", "))
            };
            let rows = rows.iter().map(row).collect::<Vec<_>>().join(", ");
            statements.push(format!("INSERT INTO judge_facts ({columns}) VALUES {rows}"));
        }
        let name = table.replace('\'', "''");
        statements.push(format!(
            "DO $judge$ DECLARE names text; BEGIN \
             SELECT string_agg(quote_ident(attname), ', ') INTO names FROM pg_attribute \
             WHERE attrelid = '{name}'::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''; \
             EXECUTE format('INSERT INTO %s (%s) OVERRIDING SYSTEM VALUE SELECT %s FROM judge_facts', \
             '{name}', names, names); END $judge$"
        ));
        statements.push("DROP TABLE judge_facts".to_owned());
    }
    statements
}

/// The statement of a step with its values.
fn step_statement(model: &ModelFile, step: &TranscriptStep) -> String {
    let workload = &model.workload;
    let (sql, parameters, values) = match step {
        TranscriptStep::Write { write, values, .. } => {
            let write = workload.writes.member(*write).expect("the write is in the workload");
            (&write.sql, &write.parameters, values)
        }
        TranscriptStep::Read { read, values, .. } => {
            let read = workload.reads.member(*read).expect("the read is in the workload");
            (&read.sql, &read.parameters, values)
        }
    };
    let text = |at: usize, joined: bool| {
        let (ty, value) = (&parameters[at].ty, &values[at]);
        if joined { write_typed_literal(ty, value) } else { literal(ty, value) }
    };
    let mut client = ClientValues::new(parameters, values);
    let bound = bind_literals(sql, &text, &mut |word| client.compute(word));
    bound.trim().trim_end_matches(';').to_owned()
}

fn compare(
    model: &ModelFile,
    transcript: &ProofTranscript,
    what: &Expected<'_>,
    result: &StatementResult,
) -> Result<(), ReplayFault> {
    let failure = result.error.as_ref().map(|(state, message)| format!("{state}: {message}"));
    match what {
        Expected::Schema => failure.map_or(Ok(()), |why| Err(ReplayFault::Schema(why))),
        Expected::Facts => failure.map_or(Ok(()), |why| Err(ReplayFault::Difference(why))),
        Expected::Step(TranscriptStep::Write { write, effect, rows, .. }) => {
            compare_effect(*effect, result)?;
            let types = &transcript.returned[write.index()];
            if types.is_empty() {
                return Ok(());
            }
            compare_answer(types, None, &to_unordered_rows(rows), result)
        }
        Expected::Step(TranscriptStep::Read { read, limit, rows, .. }) => match failure {
            Some(why) => Err(ReplayFault::Difference(why)),
            None => compare_answer(&transcript.outputs[read.index()], *limit, rows, result),
        },
        Expected::Contents(at) => {
            let entity = &model.concept.entities[*at];
            let types: Vec<Type> = list_columns(entity).map(|(_, it)| it.ty.clone()).collect();
            let values =
                |row: &Vec<Datum>| list_columns(entity).map(|(at, _)| row[at].clone()).collect();
            let rows: Vec<Vec<Datum>> = transcript.contents[*at].iter().map(values).collect();
            compare_answer(&types, None, &to_unordered_rows(&rows), result)
        }
    }
}

/// Rows that may come in any order.
fn to_unordered_rows(rows: &[Vec<Datum>]) -> Vec<TranscriptRow> {
    rows.iter().map(|values| TranscriptRow { rank: 0, values: values.clone() }).collect()
}

/// The errors of types that are constraints on values: too long, out of range, no label.
const VALUE_ERRORS: [&str; 3] = ["22001", "22003", "22P02"];

/// A violated constraint is an error of class 23. A value that its type does not allow is refused even where no row is found.
fn compare_effect(effect: WriteEffect, result: &StatementResult) -> Result<(), ReplayFault> {
    let agrees = match (effect, &result.error) {
        (WriteEffect::Rows(rows), None) => rows == result.count,
        (WriteEffect::Violation, Some((state, _))) => {
            state.starts_with("23") || VALUE_ERRORS.contains(&state.as_str())
        }
        (WriteEffect::Rows(0), Some((state, _))) => VALUE_ERRORS.contains(&state.as_str()),
        _ => false,
    };
    if agrees {
        return Ok(());
    }
    let done = match &result.error {
        Some((state, message)) => format!("{state}: {message}"),
        None => format!("{} rows", result.count),
    };
    Err(ReplayFault::Difference(format!("SQLite: {effect:?}, PostgreSQL: {done}")))
}

/// Compares an answer up to ties of the ORDER BY.
fn compare_answer(
    types: &[Type],
    limit: Option<usize>,
    expected: &[TranscriptRow],
    result: &StatementResult,
) -> Result<(), ReplayFault> {
    let limit = limit.unwrap_or(usize::MAX);
    let texts = |row: &Vec<Option<String>>| -> Vec<Option<String>> {
        row.iter().zip(types).map(|(text, ty)| normalise_text(ty, text.as_deref())).collect()
    };
    let got: Vec<_> = result.rows.iter().take(limit).map(texts).collect();
    let values = |row: &TranscriptRow| -> Vec<Option<String>> {
        row.values.iter().zip(types).map(|(value, ty)| normalise_bytes(ty, value)).collect()
    };
    let mut agrees = got.len() == expected.len().min(limit);
    let mut rest = &got[..];
    for tie in expected.chunk_by(|one, other| one.rank == other.rank) {
        let mut there: BTreeMap<_, usize> = BTreeMap::new();
        for row in tie {
            *there.entry(values(row)).or_default() += 1;
        }
        let (mine, behind) = rest.split_at(tie.len().min(rest.len()));
        rest = behind;
        for row in mine {
            let left = there.get_mut(row).filter(|left| **left > 0);
            agrees &= left.map(|left| *left -= 1).is_some();
        }
    }
    if agrees {
        return Ok(());
    }
    let show = |rows: Vec<Vec<Option<String>>>| {
        let row = |row: &Vec<Option<String>>| format!("    {row:?}");
        rows.iter().map(row).collect::<Vec<_>>().join("\n")
    };
    let (mut wanted, mut got): (Vec<_>, _) = (expected.iter().map(values).collect(), got);
    if wanted.len() > 20 {
        // Of many rows only those that differ.
        let (all, there) = (wanted.clone(), got.clone());
        wanted.retain(|row| !there.contains(row));
        got.retain(|row| !all.contains(row));
    }
    let (wanted, got) = (show(wanted), show(got));
    Err(ReplayFault::Difference(format!("SQLite (limit {limit}):\n{wanted}\n  PostgreSQL:\n{got}")))
}
