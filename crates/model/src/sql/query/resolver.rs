//! The state of resolving one statement: its context, its parameters and its errors; and the places
//! of its parts.

use std::collections::{HashMap, HashSet};

use cql::spelling::find_nearest;
use cql::{Diagnostic, Span};
use sqlparser::ast::{Expr, Ident, Spanned};

use super::conflict::ExcludedRow;
use super::counter::{AttributeWrite, WriteMode};
use super::parameter::Parameters;
use super::words::{count_lone_brackets, words};
use crate::concept::{Attribute, AttributeRef, Concept};
use crate::diagnostics::error;
use crate::id::EntityId;
use crate::sql::draft::ConstraintKeys;
use crate::sql::source::{NamedStatement, SourceMap, SqlName};

/// What the file declares, by name.
#[derive(Clone, Copy)]
pub(super) struct DeclaredNames<'a> {
    /// The entities.
    pub(super) entities: &'a HashMap<String, EntityId>,
    /// The columns of keys, by the names of their constraints.
    pub(super) constraints: &'a ConstraintKeys,
    /// The views.
    pub(super) views: &'a HashSet<String>,
}

/// The state of resolving one statement.
///
/// Methods return `None` after an error, which they have reported; the rest of the statement is
/// resolved all the same.
pub(super) struct Resolver<'a> {
    pub(super) concept: &'a Concept,
    pub(super) declared: DeclaredNames<'a>,
    /// Whether to search similar names for unknown ones: too slow for thousands of errors.
    pub(super) suggests: bool,
    pub(super) named: &'a NamedStatement,
    pub(super) places: SourceMap<'a>,
    pub(super) parameters: Parameters,
    pub(super) errors: Vec<Diagnostic>,
    pub(super) warnings: Vec<Diagnostic>,
    /// The writes to attributes.
    pub(super) assigned: Vec<AttributeWrite>,
    /// The row of VALUES that EXCLUDED stands for.
    pub(super) excluded: Option<ExcludedRow>,
}

impl<'a> Resolver<'a> {
    pub(super) fn new(
        concept: &'a Concept,
        named: &'a NamedStatement,
        places: SourceMap<'a>,
        declared: DeclaredNames<'a>,
    ) -> Self {
        let parameters = Parameters::new(named.placeholders);
        Self {
            concept,
            declared,
            suggests: true,
            named,
            places,
            parameters,
            errors: Vec::new(),
            warnings: Vec::new(),
            assigned: Vec::new(),
            excluded: None,
        }
    }

    /// Reports an error.
    pub(super) fn report(
        &mut self,
        rule: &'static str,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.errors.push(error(rule, span, message, help));
    }

    /// Records that the statement writes an attribute, for the decision about counters.
    pub(super) fn record_write(&mut self, attribute: AttributeRef, how: WriteMode) {
        self.assigned.push(AttributeWrite { attribute, how, write: self.named.name.clone() });
    }

    /// A name similar to an unknown one.
    pub(super) fn suggest<'n>(
        &self,
        unknown: &str,
        names: impl Iterator<Item = &'n str>,
    ) -> Option<&'n str> {
        if self.suggests { find_nearest(unknown, names) } else { None }
    }

    /// The name of the statement.
    pub(super) fn name(&self) -> &'a str {
        &self.named.name
    }

    /// An attribute.
    pub(super) fn attribute(&self, attribute: AttributeRef) -> &'a Attribute {
        &self.concept[attribute]
    }

    /// The place of a node, with the brackets that belong to it.
    pub(super) fn node_span(&self, node: &impl Spanned) -> Span {
        self.with_brackets(self.places.node_span(node, self.named.span))
    }

    /// The place of an expression.
    pub(super) fn expression_span(&self, expression: &Expr) -> Span {
        self.with_brackets(self.chain_span(expression))
    }

    /// The place of an expression, iterating over the left operands: a chain of operators may be
    /// long, and sqlparser's own span function recurses into it.
    fn chain_span(&self, expression: &Expr) -> Span {
        let mut first = expression;
        while let Expr::BinaryOp { left, .. } = first {
            first = left;
        }
        match expression {
            Expr::BinaryOp { right, .. } => self.chain_span(first).union(self.chain_span(right)),
            Expr::Nested(nested) => self.chain_span(nested),
            Expr::Cast { expr, .. } => self.chain_span(expr),
            Expr::UnaryOp { op, expr } => self.with_before(self.chain_span(expr), &op.to_string()),
            Expr::Tuple(_) | Expr::Subquery(_) => {
                self.with_outer_brackets(self.places.node_span(expression, self.named.span))
            }
            Expr::Function(function) => {
                self.call_span(self.places.node_span(&function.name, self.named.span))
            }
            other => self.places.node_span(other, self.named.span),
        }
    }

    /// From a function's name to the end of its arguments.
    fn call_span(&self, name: Span) -> Span {
        let text = self.places.text(Span::new(name.end, self.named.span.end));
        if !text.trim_start().starts_with('(') {
            return name;
        }
        let mut depth = 0;
        for (at, byte) in text.bytes().enumerate() {
            match byte {
                b'(' => depth += 1,
                b')' => depth -= 1,
                _ => continue,
            }
            if depth == 0 {
                return Span::new(name.start, name.end + to_offset(at + 1));
            }
        }
        name
    }

    /// The place of words that follow one another, the first such at or after `from`; the whole
    /// statement where there are none.
    pub(super) fn keyword_span(&self, from: Span, phrase: &str) -> Span {
        let whole = self.named.span;
        let from = from.start.clamp(whole.start, whole.end);
        let text = self.places.text(Span::new(from, whole.end));
        let found: Vec<(usize, &str)> = words(text).collect();
        let phrase: Vec<&str> = phrase.split(' ').collect();
        let same = |run: &[(usize, &str)]| {
            run.iter().zip(&phrase).all(|((_, word), wanted)| word.eq_ignore_ascii_case(wanted))
        };
        let Some(run) = found.windows(phrase.len()).find(|run| same(run)) else { return whole };
        match (run.first(), run.last()) {
            (Some((start, _)), Some((end, word))) => {
                Span::new(from + to_offset(*start), from + to_offset(end + word.len()))
            }
            _ => whole,
        }
    }

    /// A place, extended by a text directly before it if it is there.
    fn with_before(&self, span: Span, text: &str) -> Span {
        let before = self.places.text(Span::new(self.named.span.start, span.start)).trim_end();
        match before.strip_suffix(text) {
            Some(rest) => Span::new(self.named.span.start + to_offset(rest.len()), span.end),
            None => span,
        }
    }

    /// A place and the brackets around it.
    fn with_outer_brackets(&self, span: Span) -> Span {
        let wider = self.with_before(span, "(");
        if wider.start < span.start { self.with_brackets(wider) } else { span }
    }

    /// A place, extended by a keyword directly before it if it is there.
    pub(super) fn with_keyword_before(&self, span: Span, keyword: &str) -> Span {
        let before = self.places.text(Span::new(self.named.span.start, span.start));
        match words(before).last() {
            Some((at, word)) if word.eq_ignore_ascii_case(keyword) => {
                self.with_brackets(Span::new(self.named.span.start + to_offset(at), span.end))
            }
            _ => span,
        }
    }

    /// A place with the brackets whose partners are in it.
    fn with_brackets(&self, span: Span) -> Span {
        let (closing, opening) = count_lone_brackets(self.places.text(span));
        let whole = self.named.span;
        let (mut start, mut end) = (span.start, span.end);
        for _ in 0..closing {
            let before = self.places.text(Span::new(whole.start, start)).trim_end();
            if before.ends_with(['(', '[']) {
                start = whole.start + to_offset(before.len() - 1);
            }
        }
        for _ in 0..opening {
            let after = self.places.text(Span::new(end, whole.end));
            let trimmed = after.trim_start();
            if trimmed.starts_with([')', ']']) {
                end += to_offset(after.len() - trimmed.len() + 1);
            }
        }
        Span::new(start, end)
    }
}

/// The offset as `u32`: files are limited to 16 MB.
fn to_offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// A name as the database sees it: lower case unless it is quoted.
pub(super) fn fold_name(name: &Ident) -> String {
    SqlName::new(name).text
}
