//! What Java does not allow.

use super::types::primitive;
use crate::language::UnsupportedProgram;
use crate::program::{AccessProgram, ApplicationResult, DataType};

/// A method has at most 255 words of arguments; some are needed for the run of a function.
const ARGUMENT_WORDS_MAX: usize = 250;

/// Fails where a function has too many parameters, or a row too many columns.
pub(super) fn check_limits(program: &AccessProgram) -> Result<(), UnsupportedProgram> {
    let user_types = program.user_types.iter();
    for record in user_types.chain(program.queries.iter().map(|query| &query.result)) {
        check(&record.name, "columns", record.fields.iter().map(|it| (&it.ty, it.nullable)))?;
    }
    for query in &program.queries {
        let parameters = query.parameters.iter();
        check(&query.name, "parameters", parameters.map(|it| (&it.ty, it.nullable)))?;
    }
    for command in &program.commands {
        let parameters = command.parameters.iter();
        check(&command.name, "parameters", parameters.map(|it| (&it.ty, it.nullable)))?;
        if let ApplicationResult::Rows(record, _) = &command.result {
            let fields = record.fields.iter();
            check(&command.name, "columns", fields.map(|it| (&it.ty, it.nullable)))?;
        }
    }
    Ok(())
}

fn check<'t>(
    place: &str,
    what: &str,
    values: impl Iterator<Item = (&'t DataType, bool)>,
) -> Result<(), UnsupportedProgram> {
    let words = |(ty, nullable): (&DataType, bool)| match primitive(ty).filter(|_| !nullable) {
        Some("long" | "double") => 2,
        _ => 1,
    };
    if values.map(words).sum::<usize>() <= ARGUMENT_WORDS_MAX {
        return Ok(());
    }
    Err(UnsupportedProgram {
        place: place.to_owned(),
        what: format!("Java allows about {ARGUMENT_WORDS_MAX} {what}"),
        help: "divide it into several".to_owned(),
    })
}
