//! Refusals in programs that say nothing: their text is not all that the server gets, and not all of it is for this server.

use cql::SyntaxError;
use schema::Refusal;

use crate::TextKind;
use crate::facts::is_migration_program;
use crate::place::Place;
use crate::project::{Project, Seen};

/// How a value that the program puts in is written in its statements.
const PLACES: &[&str] = &["%s", "${", "{0}"];

/// Whether a refusal is the program's own affair: something is missing that may belong to another database, the program changes
/// a schema that the files hold already, or it puts in what is not known.
pub(super) fn is_theirs(project: &Project<'_>, seen: &Seen, refusal: &Refusal) -> bool {
    let text = project.texts.get(seen.place.text);
    if text.is_none_or(|text| text.kind != TextKind::Program) {
        return false;
    }
    let is_missing = matches!(refusal.rule(), "SV013" | "SV027" | "SV028");
    let changes = project.syntax(seen).is_none_or(|statement| !statement.kind.uses_rows());
    let written = project.written(seen.place);
    // What migrated data once was written for the schema of its time.
    let is_past = is_migration_program(project, seen.place);
    is_missing || changes || is_past || PLACES.iter().any(|place| written.contains(place))
}

/// Whether what cannot be read is a piece of a statement that a program puts together.
pub(super) fn is_piece(
    project: &Project<'_>,
    place: Place,
    seen: Option<&Seen>,
    error: &SyntaxError,
) -> bool {
    let text = project.texts.get(place.text);
    if text.is_none_or(|text| text.kind != TextKind::Program) {
        return false;
    }
    let written = project.written(seen.map_or(place, |seen| seen.place));
    error.reason.is_end_of_statement() || PLACES.iter().any(|place| written.contains(place))
}
