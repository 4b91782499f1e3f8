//! The directives above a statement: rate, predecessors, consistency, expected rows, `@strict` and
//! `@exact`.

use cql::{Diagnostic, Span};
use sqlparser::ast::{SetExpr, Statement};

use crate::assumption::{Assumption, AssumptionTopic};
use crate::concept::Figure;
use crate::diagnostics::error;
use crate::directive::{DirectiveKind, StatedSpan};
use crate::sql::source::{Cardinality, NamedStatement};
use crate::workload::ResultSize;

/// Levels that only writes support.
const WRITE_LEVELS: [&str; 1] = ["ANY"];
/// Levels that only reads support.
const READ_LEVELS: [&str; 2] = ["SERIAL", "LOCAL_SERIAL"];

/// The directives above a statement.
pub(super) struct Heading<'a> {
    pub(super) rate: Figure<f64>,
    pub(super) after: Vec<(&'a str, Span)>,
    pub(super) consistency: String,
    pub(super) strict: bool,
    /// `@span`, with its place.
    pub(super) spans: Vec<(&'a StatedSpan, Span)>,
    pub(super) returns: Option<ResultSize>,
    /// The place of `@exact`.
    pub(super) exact: Option<Span>,
}

/// Reads the directives above a statement.
pub(super) fn read_heading<'a>(
    named: &'a NamedStatement,
    is_read: bool,
    errors: &mut Vec<Diagnostic>,
    assumptions: &mut Vec<Assumption>,
) -> Heading<'a> {
    let mut heading = Heading {
        rate: Figure::from_assumption(1.0),
        after: Vec::new(),
        consistency: "LOCAL_QUORUM".to_owned(),
        strict: false,
        spans: Vec::new(),
        returns: None,
        exact: None,
    };
    let mut rate = None;
    for directive in &named.directives {
        match &directive.kind {
            DirectiveKind::Rate(value) => rate = Some(*value),
            DirectiveKind::After(names) => {
                heading.after.extend(names.iter().map(|(name, span)| (name.as_str(), *span)));
            }
            DirectiveKind::Consistency(level) => {
                errors.extend(level_error(level, is_read, directive.span));
                heading.consistency.clone_from(level);
            }
            DirectiveKind::Strict => heading.strict = true,
            DirectiveKind::Span(spans) => {
                heading.spans.extend(spans.iter().map(|span| (span, directive.span)));
            }
            DirectiveKind::Returns(rows) => heading.returns = Some(*rows),
            DirectiveKind::Exact => heading.exact = Some(directive.span),
            _ => {}
        }
    }
    match rate {
        Some(rate) => heading.rate = Figure::from_input(rate),
        None => assumptions.push(Assumption {
            topic: AssumptionTopic::Rate { statement: named.name.clone() },
            span: named.name_span,
        }),
    }
    errors.extend(cardinality_error(named, is_read));
    heading
}

fn level_error(level: &str, is_read: bool, span: Span) -> Option<Diagnostic> {
    let (levels, kind) =
        if is_read { (&WRITE_LEVELS[..], "read") } else { (&READ_LEVELS[..], "write") };
    levels.contains(&level).then(|| {
        let message = format!("{level} is not a valid consistency level for a {kind}");
        error("MF373", span, message, "use @consistency quorum, or another level")
    })
}

fn cardinality_error(named: &NamedStatement, is_read: bool) -> Option<Diagnostic> {
    let name = &named.name;
    let (message, help) = match (is_read, named.cardinality) {
        (true, Cardinality::Exec) if !is_write_with(&named.statement) => {
            (format!("{name} returns rows but is marked :exec"), "write :one or :many")
        }
        (false, Cardinality::One) if !has_returning(&named.statement) => {
            let help = "write :exec, or add RETURNING";
            (format!("{name} returns nothing but is marked :one"), help)
        }
        (false, Cardinality::Many) if !has_returning(&named.statement) => {
            let help = "write :exec, or add RETURNING";
            (format!("{name} returns nothing but is marked :many"), help)
        }
        _ => return None,
    };
    Some(error("MF301", named.name_span, message, help))
}

/// Whether a statement is a write behind WITH, which is refused for that.
fn is_write_with(statement: &Statement) -> bool {
    let Statement::Query(query) = statement else { return false };
    matches!(&*query.body, SetExpr::Insert(_) | SetExpr::Update(_) | SetExpr::Delete(_))
}

/// Whether a write has a RETURNING clause.
fn has_returning(write: &Statement) -> bool {
    match write {
        Statement::Insert(insert) => insert.returning.is_some(),
        Statement::Update(update) => update.returning.is_some(),
        Statement::Delete(delete) => delete.returning.is_some(),
        _ => false,
    }
}
