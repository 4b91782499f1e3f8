//! Assigns the directives in comments to tables and columns.

use cql::statement::table::CreateTable;
use cql::{Comment, CommentKind, Diagnostic, ParsedSource, Span, Statement, StatementKind};

use crate::directive::{self, Directive, DirectiveKind, DirectiveTarget};

/// The directives of a file.
pub(super) struct FileAnnotations {
    /// The directives of each statement.
    pub(super) statements: Vec<TableAnnotations>,
    /// `@nodes`, of the whole file.
    pub(super) nodes: Option<u32>,
    /// Errors in directives.
    pub(super) errors: Vec<Diagnostic>,
}

/// The directives of a statement.
#[derive(Clone, Default)]
pub(super) struct TableAnnotations {
    /// Those of the table.
    pub(super) table: Vec<Directive>,
    /// Those of its columns, by name.
    pub(super) columns: Vec<(Box<str>, Directive)>,
    /// How often a write runs, per second.
    pub(super) rate: Option<f64>,
}

/// Reads the directives of all comments.
pub(super) fn read_annotations(text: &str, parsed: &ParsedSource) -> FileAnnotations {
    let lines = LineIndex::new(text);
    let mut remarks = FileAnnotations {
        statements: vec![TableAnnotations::default(); parsed.statements.len()],
        nodes: None,
        errors: Vec::new(),
    };
    let own_lines = comment_lines(text, &lines, &parsed.comments);
    for comment in &parsed.comments {
        let inside = text_span(text, comment);
        let (directives, wrong) = directive::parse_prose(inside.text(text), inside.start);
        remarks.errors.extend(wrong);
        if directives.is_empty() {
            continue;
        }
        let place = find_target(&lines, &own_lines, &parsed.statements, comment);
        for directive in directives {
            // A comment after a statement on one line may refer to the column or to the table.
            let place = match place {
                CommentTarget::Both(at, _)
                    if directive.kind.can_apply_to(DirectiveTarget::Table) =>
                {
                    CommentTarget::Table(at)
                }
                CommentTarget::Both(at, column) => CommentTarget::Column(at, column),
                other => other,
            };
            remarks.add_directive(directive, place);
        }
    }
    for statement in &remarks.statements {
        remarks.errors.extend(directive::duplicate_errors(&statement.table));
        for together in statement.columns.chunk_by(|(left, _), (right, _)| left == right) {
            let directives: Vec<_> = together.iter().map(|(_, it)| it.clone()).collect();
            remarks.errors.extend(directive::duplicate_errors(&directives));
        }
    }
    remarks
}

/// What a comment refers to.
#[derive(Clone, Copy)]
enum CommentTarget<'a> {
    Table(usize),
    Column(usize, &'a str),
    Both(usize, &'a str),
    Query,
    Write(usize),
    Nothing,
}

impl FileAnnotations {
    fn add_directive(&mut self, directive: Directive, place: CommentTarget<'_>) {
        // The head of a file may stand directly above its first table.
        let is_in_column = matches!(place, CommentTarget::Column(..) | CommentTarget::Both(..));
        if let DirectiveKind::Nodes(nodes) = directive.kind
            && !is_in_column
        {
            self.nodes = Some(nodes);
            return;
        }
        let is_each = matches!(directive.kind, DirectiveKind::Each(_));
        let subject = match place {
            // `@each`, the rows of a partition, may be written on the table or on a partition key
            // column.
            CommentTarget::Table(_) if is_each => DirectiveTarget::ReferenceColumn,
            CommentTarget::Table(_) => DirectiveTarget::Table,
            CommentTarget::Column(..) | CommentTarget::Both(..) => DirectiveTarget::ReferenceColumn,
            CommentTarget::Query => DirectiveTarget::Query,
            CommentTarget::Write(_) => DirectiveTarget::Write,
            CommentTarget::Nothing => DirectiveTarget::Other,
        };
        if let Some(error) = directive.placement_error(subject) {
            self.errors.push(error);
            return;
        }
        match place {
            CommentTarget::Table(statement) => self.statements[statement].table.push(directive),
            CommentTarget::Column(statement, column) | CommentTarget::Both(statement, column) => {
                self.statements[statement].columns.push((column.into(), directive));
            }
            CommentTarget::Write(statement) => {
                if let DirectiveKind::Rate(rate) = directive.kind {
                    self.statements[statement].rate = Some(rate);
                }
            }
            // Other directives of statements are read elsewhere, with the statements.
            CommentTarget::Query | CommentTarget::Nothing => {}
        }
    }
}

/// What a comment refers to: the last column that ends on its line, the table whose line it
/// follows, or the table that the comment lines it belongs to stand directly above.
fn find_target<'a>(
    lines: &LineIndex,
    own: &[usize],
    statements: &'a [Statement],
    comment: &Comment,
) -> CommentTarget<'a> {
    let line = lines.line_at(comment.span.start);
    if own.binary_search(&line).is_ok() {
        let mut below = line + 1;
        while own.binary_search(&below).is_ok() {
            below += 1;
        }
        let at = statements.partition_point(|known| lines.line_at(known.span.start) < below);
        let starts = |known: &Statement| lines.line_at(known.span.start) == below;
        return match statements.get(at).filter(|known| starts(known)).map(|known| &known.kind) {
            Some(StatementKind::CreateTable(_)) => CommentTarget::Table(at),
            Some(StatementKind::Select(_)) => CommentTarget::Query,
            Some(
                StatementKind::Insert(_)
                | StatementKind::Update(_)
                | StatementKind::Delete(_)
                | StatementKind::Batch(_),
            ) => CommentTarget::Write(at),
            _ => CommentTarget::Nothing,
        };
    }
    let next = statements.partition_point(|known| known.span.start <= comment.span.start);
    let Some(at) = next.checked_sub(1) else { return CommentTarget::Nothing };
    let Some(create) = as_create_table(&statements[at]) else { return CommentTarget::Nothing };
    let on_line = |end: u32| lines.line_at(end.saturating_sub(1)) == line;
    let before = |span: Span| span.end <= comment.span.start && on_line(span.end);
    let statement = statements[at].span;
    let ends = before(statement);
    if let Some(column) = create.columns.iter().rfind(|column| before(column.span)) {
        let name = &*column.name.text;
        return if ends { CommentTarget::Both(at, name) } else { CommentTarget::Column(at, name) };
    }
    let begins = lines.line_at(statement.start) == line;
    if ends || begins { CommentTarget::Table(at) } else { CommentTarget::Nothing }
}

fn as_create_table(statement: &Statement) -> Option<&CreateTable> {
    match &statement.kind {
        StatementKind::CreateTable(create) => Some(create),
        _ => None,
    }
}

/// The lines that hold nothing but a comment, in order.
fn comment_lines(text: &str, lines: &LineIndex, comments: &[Comment]) -> Vec<usize> {
    let alone = |comment: &&Comment| {
        let start = lines.starts[lines.line_at(comment.span.start)];
        text.get(start..comment.span.start as usize).is_some_and(|before| before.trim().is_empty())
    };
    let covered = comments.iter().filter(alone).flat_map(|comment| {
        lines.line_at(comment.span.start)..=lines.line_at(comment.span.end.saturating_sub(1))
    });
    let mut covered: Vec<usize> = covered.collect();
    covered.dedup();
    covered
}

/// The text of a comment without its delimiters.
fn text_span(text: &str, comment: &Comment) -> Span {
    let Span { start, end } = comment.span;
    let closed = comment.kind == CommentKind::Block && comment.span.text(text).ends_with("*/");
    let end = if closed { end.saturating_sub(2) } else { end };
    Span { start: (start + 2).min(end), end }
}

/// Where the lines of a text start.
struct LineIndex {
    starts: Vec<usize>,
}

impl LineIndex {
    fn new(text: &str) -> Self {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        Self { starts: std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect() }
    }

    /// The line of an offset, from 0.
    fn line_at(&self, offset: u32) -> usize {
        self.starts.partition_point(|start| *start <= offset as usize).saturating_sub(1)
    }
}
