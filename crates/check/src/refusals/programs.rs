//! Refusals in programs that are not evidence of a mistake: the text may be incomplete, or meant
//! for another server.

use cql::SyntaxError;
use schema::Refusal;

use crate::TextKind;
use crate::facts::tables::is_migration_program;
use crate::location::Location;
use crate::project::{Project, ReplayedStatement};

/// The placeholder for values that the program inserts into its statements.
const PLACEHOLDERS: &[&str] = &["%s", "${", "{0}"];

/// Whether a refusal is not evidence of a mistake: a missing object may belong to another database,
/// the program changes a schema that the files already contain, or it inserts unknown text.
pub(super) fn is_program_specific(
    project: &Project<'_>,
    seen: &ReplayedStatement,
    refusal: &Refusal,
) -> bool {
    let text = project.texts.get(seen.place.text);
    if text.is_none_or(|text| text.kind != TextKind::Program) {
        return false;
    }
    let is_missing = matches!(refusal.rule(), "SV013" | "SV027" | "SV028");
    let changes =
        project.syntax(seen).is_none_or(|statement| !statement.kind.is_data_manipulation());
    let written = project.text_at(seen.place);
    // Old data migrations were written for the schema of their time.
    let is_past = is_migration_program(project, seen.place);
    // What is put in does not make a function that is gone known.
    let is_open =
        refusal.rule() != "QV033" && PLACEHOLDERS.iter().any(|place| written.contains(place));
    is_missing || changes || is_past || is_open
}

/// Whether text that cannot be parsed is part of a statement that a program builds.
pub(super) fn is_fragment(
    project: &Project<'_>,
    place: Location,
    seen: Option<&ReplayedStatement>,
    error: &SyntaxError,
) -> bool {
    let text = project.texts.get(place.text);
    if text.is_none_or(|text| text.kind != TextKind::Program) {
        return false;
    }
    let written = project.text_at(seen.map_or(place, |seen| seen.place));
    error.reason.is_end_of_statement() || PLACEHOLDERS.iter().any(|place| written.contains(place))
}
