//! The name line and the directives in the comments around a statement.

use cql::{Diagnostic, Span};

use super::name_line::{self, NameLine};
use super::named_directive;
use super::scan::{RawStatement, SqlComment};
use crate::diagnostics::error;
use crate::directive::{self, Directive, DirectiveTarget};

/// A comment that begins with it shows what is assumed, and states nothing.
const ASSUMED: &str = "assumed:";

/// The name and directives of a statement.
#[derive(Debug, Default)]
pub(super) struct StatementAnnotations {
    /// Its name line.
    pub name: Option<Result<NameLine, Diagnostic>>,
    /// The directives above it.
    pub above: Vec<Directive>,
    /// The directives inside and after it, with their comments.
    pub within: Vec<(SqlComment, Directive)>,
    /// Errors in directives.
    pub errors: Vec<Diagnostic>,
    /// A name line inside the statement, which therefore lacks its semicolon.
    pub name_within: Option<Span>,
}

/// Reads the comments of a statement.
pub(super) fn read_annotations(file: &str, piece: &RawStatement) -> StatementAnnotations {
    let mut remarks = StatementAnnotations::default();
    let first_directly_above = count_detached(file, piece);
    for (position, comment) in piece.above.iter().enumerate() {
        let is_detached = position < first_directly_above;
        match name_line::read(file, comment.text) {
            Some(line) => remarks.set_name(line, comment),
            None if named_directive::is_named(comment.text.text(file)) => {}
            None => remarks.parse_above(file, comment, is_detached),
        }
    }
    for comment in &piece.within {
        let (directives, errors) = parse_comment(file, comment);
        remarks.within.extend(directives.into_iter().map(|directive| (*comment, directive)));
        remarks.errors.extend(errors);
        if comment.own_line && matches!(name_line::read(file, comment.text), Some(Ok(_))) {
            remarks.name_within.get_or_insert(comment.whole);
        }
    }
    remarks
}

/// The directives of comments that belong to no statement: those of the file, and misplaced ones.
pub(super) fn parse_directives<'a>(
    file: &str,
    comments: impl IntoIterator<Item = &'a SqlComment>,
) -> (Vec<Directive>, Vec<Diagnostic>) {
    let (mut directives, mut errors) = (Vec::new(), Vec::new());
    for comment in comments {
        if named_directive::is_named(comment.text.text(file)) {
            continue;
        }
        let parsed = parse_comment(file, comment);
        directives.extend(parsed.0);
        errors.extend(parsed.1);
    }
    (directives, errors)
}

/// The directives of a comment. The tags of a documentation comment (`/** @author ... */`) are those of
/// other tools, and prose may name a parameter (`-- the rows of @batch_key`).
fn parse_comment(file: &str, comment: &SqlComment) -> (Vec<Directive>, Vec<Diagnostic>) {
    let (text, start) = (comment.text.text(file), comment.text.start);
    if text.trim_start().starts_with(ASSUMED) {
        return (Vec::new(), Vec::new());
    }
    if comment.whole.text(file).starts_with("/**") || !text.trim_start().starts_with('@') {
        directive::parse_prose(text, start)
    } else {
        directive::parse(text, start)
    }
}

impl StatementAnnotations {
    /// Sets the name. As in sqlc, the name line may stand above empty lines.
    fn set_name(&mut self, line: Result<NameLine, Diagnostic>, comment: &SqlComment) {
        if self.name.is_some() {
            let message = "the statement below has two name lines";
            let help = "keep one name line, or end the statement between them with a semicolon";
            self.errors.push(error("MF009", comment.whole, message, help));
        }
        self.name = Some(line);
    }

    fn parse_above(&mut self, file: &str, comment: &SqlComment, is_detached: bool) {
        let (directives, errors) = parse_comment(file, comment);
        self.errors.extend(errors);
        for directive in directives {
            if is_detached && !directive.kind.can_apply_to(DirectiveTarget::File) {
                let message = format!("@{} is separated from its statement", directive.kind.name());
                self.errors.push(error("MF107", directive.span, message, NO_EMPTY_LINE));
            }
            self.above.push(directive);
        }
    }

    /// All directives.
    pub(super) fn into_directives(self) -> Vec<Directive> {
        let within = self.within.into_iter().map(|(_, directive)| directive);
        self.above.into_iter().chain(within).collect()
    }
}

const NO_EMPTY_LINE: &str =
    "move it directly above its statement, without an empty line in between";

/// How many of the comments above are separated from the statement by an empty line.
fn count_detached(file: &str, piece: &RawStatement) -> usize {
    let mut below = piece.span.start;
    for (position, comment) in piece.above.iter().enumerate().rev() {
        let between = Span::new(comment.whole.end, below).text(file);
        if between.bytes().filter(|byte| *byte == b'\n').count() > 1 {
            return position + 1;
        }
        below = comment.whole.start;
    }
    0
}
