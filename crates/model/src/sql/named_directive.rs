//! Directives by name: `-- @table users @rows 13M` speaks of a table from anywhere outside of
//! statements, so that a dump and its query files stay as other tools wrote them.

use cql::{Diagnostic, Span, spelling};

use super::draft::ModelDraft;
use super::source::{NamedStatement, SqlName};
use crate::diagnostics::error;
use crate::directive::{self, Directive, DirectiveKind, DirectiveTarget};

/// The words that such a comment starts with.
const SUBJECTS: [&str; 3] = ["@table", "@column", "@query"];

/// Whether a comment says by name what it is about.
pub(super) fn is_named(comment: &str) -> bool {
    comment.split_whitespace().next().is_some_and(|word| SUBJECTS.contains(&word))
}

/// Applies the directives of such a comment, whose text stands at an offset of the file.
///
/// A comment of several lines may be about several subjects, one after the other.
pub(super) fn apply(
    comment: &str,
    offset: u32,
    draft: &mut ModelDraft,
    statements: &mut [NamedStatement],
) {
    let (directives, errors) = directive::parse(comment, offset);
    draft.errors.extend(errors);
    let is_subject = |directive: &Directive| {
        matches!(
            directive.kind,
            DirectiveKind::Table(_) | DirectiveKind::Column(..) | DirectiveKind::Query(_)
        )
    };
    // A subject whose name is wrong was reported; what follows it has none.
    let mut rest = directives.as_slice();
    rest = &rest[rest.iter().position(is_subject).unwrap_or(rest.len())..];
    while let Some((subject, behind)) = rest.split_first() {
        let end = behind.iter().position(is_subject).unwrap_or(behind.len());
        let (own, next) = behind.split_at(end);
        let outcome = match &subject.kind {
            DirectiveKind::Table(table) => add_to_table(draft, table, subject.span, own),
            DirectiveKind::Column(table, column) => {
                add_to_column(draft, (table, column), subject.span, own)
            }
            DirectiveKind::Query(name) => {
                add_to_statement(draft, statements, name, subject.span, own)
            }
            _ => Ok(()),
        };
        draft.errors.extend(outcome.err().map(|error| *error));
        rest = next;
    }
}

fn add_to_table(
    draft: &mut ModelDraft,
    table: &str,
    span: Span,
    directives: &[Directive],
) -> Result<(), Box<Diagnostic>> {
    draft.errors.extend(misplacements(directives, DirectiveTarget::Table));
    let name = fold_name(table, span, |name| draft.tables.positions.contains_key(name));
    let table = draft.tables.find_table(&name).map_err(Box::new)?;
    if let Some(table) = draft.tables.list.get_mut(table.index()) {
        draft.errors.extend(add(&mut table.directives, directives));
    }
    Ok(())
}

fn add_to_column(
    draft: &mut ModelDraft,
    (table, column): (&str, &str),
    span: Span,
    directives: &[Directive],
) -> Result<(), Box<Diagnostic>> {
    let name = fold_name(table, span, |name| draft.tables.positions.contains_key(name));
    let table = draft.tables.find_table(&name).map_err(Box::new)?;
    let Some(table) = draft.tables.list.get_mut(table.index()) else { return Ok(()) };
    let name = fold_name(column, span, |name| table.positions.contains_key(name));
    let column = table.find_column(&name).map_err(Box::new)?;
    if let Some(column) = table.columns.get_mut(column.index()) {
        // Whether they apply to the column is checked with those that stand in its line.
        draft.errors.extend(add(&mut column.directives, directives));
    }
    Ok(())
}

fn add_to_statement(
    draft: &mut ModelDraft,
    statements: &mut [NamedStatement],
    name: &str,
    span: Span,
    directives: &[Directive],
) -> Result<(), Box<Diagnostic>> {
    let names: Vec<&str> = statements.iter().map(|statement| statement.name.as_str()).collect();
    let Some(position) = names.iter().position(|it| *it == name) else {
        let help = match spelling::find_nearest(name, names) {
            Some(nearest) => format!("write @query {nearest}"),
            None => format!("add -- name: {name} :many above a statement"),
        };
        let message = format!("no query or write is named {name}");
        return Err(Box::new(error("MF108", span, message, help)));
    };
    let Some(statement) = statements.get_mut(position) else { return Ok(()) };
    draft.errors.extend(misplacements(directives, statement.directive_target()));
    draft.errors.extend(add(&mut statement.directives, directives));
    Ok(())
}

/// Errors about directives that do not apply to a target.
fn misplacements(directives: &[Directive], target: DirectiveTarget) -> Vec<Diagnostic> {
    directives.iter().filter_map(|directive| directive.placement_error(target)).collect()
}

/// Adds directives to those that are there; errors about those that are given twice.
fn add(present: &mut Vec<Directive>, added: &[Directive]) -> Vec<Diagnostic> {
    let known = directive::duplicate_errors(present).len();
    present.extend_from_slice(added);
    directive::duplicate_errors(present).split_off(known)
}

/// A name as it is written if it exists, else in lower case, as SQL reads it.
fn fold_name(written: &str, span: Span, exists: impl Fn(&str) -> bool) -> SqlName {
    let text = if exists(written) { written.to_owned() } else { written.to_lowercase() };
    SqlName { text, span }
}
