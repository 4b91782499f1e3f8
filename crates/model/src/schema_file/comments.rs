//! Which comments speak of which tables and columns.

use cql::statement::table::CreateTable;
use cql::{Comment, CommentKind, Diagnostic, Parsed, Span, Statement, StatementKind};

use crate::directive::{self, Directive, DirectiveKind, Subject};

/// What the comments of a file say.
pub(super) struct Remarks {
    /// For each statement what is said of it.
    pub(super) statements: Vec<Said>,
    /// What is wrong.
    pub(super) errors: Vec<Diagnostic>,
}

/// What is said of a statement.
#[derive(Clone, Default)]
pub(super) struct Said {
    /// Of the table.
    pub(super) table: Vec<Directive>,
    /// Of its columns, by name.
    pub(super) columns: Vec<(Box<str>, Directive)>,
}

/// Reads the directives of all comments.
pub(super) fn remarks(text: &str, parsed: &Parsed) -> Remarks {
    let lines = Lines::of(text);
    let mut remarks =
        Remarks { statements: vec![Said::default(); parsed.statements.len()], errors: Vec::new() };
    let own_lines = lines_of_their_own(text, &lines, &parsed.comments);
    for comment in &parsed.comments {
        let inside = inside(text, comment);
        let (directives, wrong) = directive::parse_among_prose(inside.text(text), inside.start);
        remarks.errors.extend(wrong);
        if directives.is_empty() {
            continue;
        }
        let place = place(&lines, &own_lines, &parsed.statements, comment);
        for directive in directives {
            // Behind a statement of one line both may be meant.
            let place = match place {
                Place::Both(at, _) if directive.kind.speaks_of(Subject::Table) => Place::Table(at),
                Place::Both(at, column) => Place::Column(at, column),
                other => other,
            };
            remarks.take(directive, place);
        }
    }
    for said in &remarks.statements {
        remarks.errors.extend(directive::duplicates(&said.table));
        for together in said.columns.chunk_by(|(left, _), (right, _)| left == right) {
            let directives: Vec<_> = together.iter().map(|(_, it)| it.clone()).collect();
            remarks.errors.extend(directive::duplicates(&directives));
        }
    }
    remarks
}

/// What a comment speaks of.
#[derive(Clone, Copy)]
enum Place<'a> {
    Table(usize),
    Column(usize, &'a str),
    Both(usize, &'a str),
    Query,
    Write,
    Nothing,
}

impl Remarks {
    fn take(&mut self, directive: Directive, place: Place<'_>) {
        let is_each = matches!(directive.kind, DirectiveKind::Each(_));
        let subject = match place {
            // What is said of the rows of a partition is said of the table, or of a column of the partition key.
            Place::Table(_) if is_each => Subject::ReferenceColumn,
            Place::Table(_) => Subject::Table,
            Place::Column(..) | Place::Both(..) => Subject::ReferenceColumn,
            Place::Query => Subject::Query,
            Place::Write => Subject::Write,
            Place::Nothing => Subject::Other,
        };
        if let Some(error) = directive.misplaced(subject) {
            self.errors.push(error);
            return;
        }
        match place {
            Place::Table(statement) => self.statements[statement].table.push(directive),
            Place::Column(statement, column) | Place::Both(statement, column) => {
                self.statements[statement].columns.push((column.into(), directive));
            }
            // Whoever looks at statements reads what is said of them.
            Place::Query | Place::Write | Place::Nothing => {}
        }
    }
}

/// What a comment speaks of: the last column that ends on its line, the table whose line it follows, or the table that the
/// comment lines it belongs to stand directly above.
fn place<'a>(
    lines: &Lines,
    own: &[usize],
    statements: &'a [Statement],
    comment: &Comment,
) -> Place<'a> {
    let line = lines.of_offset(comment.span.start);
    if own.binary_search(&line).is_ok() {
        let mut below = line + 1;
        while own.binary_search(&below).is_ok() {
            below += 1;
        }
        let at = statements.partition_point(|known| lines.of_offset(known.span.start) < below);
        let starts = |known: &Statement| lines.of_offset(known.span.start) == below;
        return match statements.get(at).filter(|known| starts(known)).map(|known| &known.kind) {
            Some(StatementKind::CreateTable(_)) => Place::Table(at),
            Some(StatementKind::Select(_)) => Place::Query,
            Some(
                StatementKind::Insert(_)
                | StatementKind::Update(_)
                | StatementKind::Delete(_)
                | StatementKind::Batch(_),
            ) => Place::Write,
            _ => Place::Nothing,
        };
    }
    let next = statements.partition_point(|known| known.span.start <= comment.span.start);
    let Some(at) = next.checked_sub(1) else { return Place::Nothing };
    let Some(create) = created(&statements[at]) else { return Place::Nothing };
    let on_line = |end: u32| lines.of_offset(end.saturating_sub(1)) == line;
    let before = |span: Span| span.end <= comment.span.start && on_line(span.end);
    let statement = statements[at].span;
    let ends = before(statement);
    if let Some(column) = create.columns.iter().rfind(|column| before(column.span)) {
        let name = &*column.name.text;
        return if ends { Place::Both(at, name) } else { Place::Column(at, name) };
    }
    let begins = lines.of_offset(statement.start) == line;
    if ends || begins { Place::Table(at) } else { Place::Nothing }
}

fn created(statement: &Statement) -> Option<&CreateTable> {
    match &statement.kind {
        StatementKind::CreateTable(create) => Some(create),
        _ => None,
    }
}

/// The lines that hold nothing but a comment, in order.
fn lines_of_their_own(text: &str, lines: &Lines, comments: &[Comment]) -> Vec<usize> {
    let alone = |comment: &&Comment| {
        let start = lines.starts[lines.of_offset(comment.span.start)];
        text.get(start..comment.span.start as usize).is_some_and(|before| before.trim().is_empty())
    };
    let covered = comments.iter().filter(alone).flat_map(|comment| {
        lines.of_offset(comment.span.start)..=lines.of_offset(comment.span.end.saturating_sub(1))
    });
    let mut covered: Vec<usize> = covered.collect();
    covered.dedup();
    covered
}

/// The text of a comment without its marks.
fn inside(text: &str, comment: &Comment) -> Span {
    let Span { start, end } = comment.span;
    let closed = comment.kind == CommentKind::Block && comment.span.text(text).ends_with("*/");
    let end = if closed { end.saturating_sub(2) } else { end };
    Span { start: (start + 2).min(end), end }
}

/// Where the lines of a text start.
struct Lines {
    starts: Vec<usize>,
}

impl Lines {
    fn of(text: &str) -> Self {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        Self { starts: std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect() }
    }

    /// The line of an offset, from 0.
    fn of_offset(&self, offset: u32) -> usize {
        self.starts.partition_point(|start| *start <= offset as usize).saturating_sub(1)
    }
}
