//! Access programs: from designs, from `design.json` and from statements on a schema.

use std::path::Path;

use codegen::program::{AccessProgram, FORMAT};
use codegen::translation::{ProgramSource, lower};
use model::plan::{Design, NoteKind, NoteSubject};
use model::sql::ModelFile;
use serde_json::Value;

use crate::outcome::{Failure, Outcome};

/// The key of the program in `design.json`.
pub(crate) const KEY: &str = "access_program";

/// The program of a design without what the design refuses, and the names of that.
pub(crate) fn from_design(
    file: &ModelFile,
    design: &Design,
    name: &str,
) -> (AccessProgram, Vec<String>) {
    let mut schema = design::create_statements::types(&file.concept, design);
    schema.extend(design::create_statements::tables(design));
    let mut program = lower(ProgramSource {
        concept: &file.concept,
        workload: &file.workload,
        design,
        schema: &schema,
        file: name,
    });
    let refused = list_refused(file, design);
    program.queries.retain(|query| !refused.contains(&query.name));
    // Positions of commands are used by others: a refused one stays, but not for callers.
    for command in &mut program.commands {
        command.derived |= refused.contains(&command.name);
    }
    (program, refused)
}

/// The names of the queries and writes that a design refuses.
fn list_refused(file: &ModelFile, design: &Design) -> Vec<String> {
    let refusals = design.notes.iter().filter(|note| note.kind == NoteKind::Refusal);
    let names = refusals.filter_map(|note| match note.about {
        NoteSubject::Read(at) => file.workload.reads.get(at.index()).map(|it| it.name.clone()),
        NoteSubject::Write(at) => file.workload.writes.get(at.index()).map(|it| it.name.clone()),
        _ => None,
    });
    let mut names: Vec<String> = names.collect();
    names.sort();
    names.dedup();
    names
}

/// The program as it is stored in `design.json`.
pub(crate) fn to_json(program: &AccessProgram) -> Value {
    serde_json::to_value(program).unwrap_or(Value::Null)
}

/// The program of a `design.json`.
pub(crate) fn read_design(path: &Path) -> Result<AccessProgram, Failure> {
    let text = regular_file::read_to_string(path)
        .map_err(|error| Failure::unreadable_file(path, &error))?;
    let refuse = |what: String| {
        let message = format!("{}: {what}", path.display());
        Failure::Stopped(Outcome::BadInput, message)
    };
    let mut object: Value = serde_json::from_str(&text).map_err(|error| {
        refuse(format!("not JSON: {error}; write it again with `helenus design -o`"))
    })?;
    let Some(program) = object.get_mut(KEY).map(Value::take) else {
        return Err(refuse(
            "it has no access_program, so it is no design, or one of an older version: write it with `helenus design -o`"
                .to_owned(),
        ));
    };
    let format = program.get("format").and_then(Value::as_u64).unwrap_or_default();
    if format != u64::from(FORMAT) {
        return Err(refuse(format!(
            "the design has format {format}, and this version reads format {FORMAT}: write it again with `helenus design -o`"
        )));
    }
    serde_json::from_value(program).map_err(|error| {
        refuse(format!(
            "the access_program is not valid: {error}; write it again with `helenus design -o`"
        ))
    })
}

/// The hash of a program, which changes with everything that the code depends on.
pub(crate) fn hash(program: &AccessProgram) -> Result<String, Failure> {
    let bytes = serde_json::to_vec(program)
        .map_err(|error| Failure::Stopped(Outcome::EnvironmentFailed, error.to_string()))?;
    let (high, low) = schema::partitioner::hash(&bytes);
    Ok(format!("{high:016x}{low:016x}"))
}
