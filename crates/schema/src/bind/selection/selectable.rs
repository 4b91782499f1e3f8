//! [`PreparedSelectable`]: selected expressions with resolved columns, types and functions.

use std::sync::Arc;

use cql::selectable::{CellInfo, Selectable, SelectableKind};
use cql::term::{ArithmeticOperator, Term, TermKind};
use cql::type_name::NativeName;
use cql::types::Type;
use cql::{Name, Span};

use crate::bind::assignment::AssignmentTestable;
use crate::bind::context::Context;
use crate::bind::function::{self, Call, Function, SYSTEM, operator_name};
use crate::bind::{term, types};
use crate::catalog::{Column, Table};
use crate::refusal::{FunctionReason, NameReason, refuse};
use crate::{Refusal, Result};

/// A selected expression whose names are resolved.
#[derive(Clone, Debug)]
pub struct PreparedSelectable<'a> {
    /// The form and operands.
    pub kind: PreparedSelectableKind<'a>,
    /// Where it stands.
    pub span: Span,
    /// The table of the SELECT.
    pub table: &'a Arc<Table>,
}

/// The forms of a selected expression.
#[derive(Clone, Debug)]
pub enum PreparedSelectableKind<'a> {
    /// A column, by its index.
    Column(usize),
    /// A constant, `null` or a marker.
    Term(&'a Term),
    /// `WRITETIME(x)` and similar functions: the column, and the part of it.
    CellInfo(CellInfo, usize, Box<PreparedSelectable<'a>>),
    /// A call, also of an operator.
    Call(Arc<Function>, Vec<PreparedSelectable<'a>>),
    /// `CAST(x AS type)`; its function is resolved later, when the type of x is known.
    Cast(Box<PreparedSelectable<'a>>, NativeName),
    /// `(type) x`, with the text of the type.
    TypeHint(String, Type, Box<PreparedSelectable<'a>>),
    /// `(x, y)`; also parentheses around one expression.
    Tuple(Vec<PreparedSelectable<'a>>),
    /// `[x, y]`: a list or a vector.
    Array(Vec<PreparedSelectable<'a>>),
    /// `{x, y}`
    Set(Vec<PreparedSelectable<'a>>),
    /// `{x: y}`: a map or a user type. Its parts are resolved once it is known which.
    Map(&'a [(Selectable, Selectable)]),
    /// `x.field`
    Field(Box<PreparedSelectable<'a>>, &'a Name),
    /// `x[key]`
    Element(Box<PreparedSelectable<'a>>, &'a Term),
    /// `x[from..to]`
    Slice(Box<PreparedSelectable<'a>>, Option<&'a Term>, Option<&'a Term>),
}

impl<'a> PreparedSelectable<'a> {
    /// Resolves the names of a selected expression.
    pub fn new(
        cx: &Context<'_>,
        table: &'a Arc<Table>,
        selectable: &'a Selectable,
    ) -> Result<Self> {
        let inner = |selectable: &'a Selectable| Self::new(cx, table, selectable);
        let boxed = |selectable: &'a Selectable| inner(selectable).map(Box::new);
        let each = |selectables: &'a [Selectable]| -> Result<Vec<Self>> {
            selectables.iter().map(inner).collect()
        };
        let native = |name: &str, arguments: Vec<Self>| {
            call(cx, table, (Some(SYSTEM), name), arguments, selectable.span)
        };
        let kind = match &selectable.kind {
            SelectableKind::Column(name) => {
                PreparedSelectableKind::Column(column_index(table, name)?)
            }
            SelectableKind::Term(term) => PreparedSelectableKind::Term(term),
            SelectableKind::CountRows => native("count_rows", Vec::new())?,
            SelectableKind::CellInfo(info, of) => {
                let column = column_index(table, innermost(of))?;
                PreparedSelectableKind::CellInfo(*info, column, boxed(of)?)
            }
            SelectableKind::Cast(value, ty) => PreparedSelectableKind::Cast(boxed(value)?, *ty),
            SelectableKind::Call(name, arguments) => {
                let qualifier = name.keyspace.as_ref().map(|keyspace| &*keyspace.text);
                let arguments = each(arguments)?;
                call(cx, table, (qualifier, &name.name.text), arguments, selectable.span)?
            }
            SelectableKind::TypeHint(hint) => {
                let value = boxed(&hint.1)?;
                let ty = types::resolve(cx.catalog, &table.keyspace, &hint.0)?.freeze();
                let written = types::text(&hint.0, Some(&table.keyspace));
                PreparedSelectableKind::TypeHint(written, ty, value)
            }
            SelectableKind::Tuple(elements) => PreparedSelectableKind::Tuple(each(elements)?),
            SelectableKind::List(elements) => PreparedSelectableKind::Array(each(elements)?),
            SelectableKind::Set(elements) => PreparedSelectableKind::Set(each(elements)?),
            SelectableKind::Map(entries) => PreparedSelectableKind::Map(entries),
            SelectableKind::Negate(value) => native("_negate", vec![inner(value)?])?,
            SelectableKind::Arithmetic(operator, operands) => {
                arithmetic(*operator, vec![inner(&operands.0)?, inner(&operands.1)?], native)?
            }
            SelectableKind::Field(of, field) => PreparedSelectableKind::Field(boxed(of)?, field),
            SelectableKind::Element(of, key) => PreparedSelectableKind::Element(boxed(of)?, key),
            SelectableKind::Slice(of, from, to) => {
                PreparedSelectableKind::Slice(boxed(of)?, from.as_deref(), to.as_deref())
            }
        };
        Ok(Self { kind, span: selectable.span, table })
    }

    /// Whether a selected column satisfies the predicate.
    pub fn selects(&self, cx: &Context<'_>, test: &dyn Fn(&Column) -> bool) -> Result<bool> {
        match &self.kind {
            PreparedSelectableKind::Column(at) => {
                Ok(self.table.columns().get(*at).is_some_and(test))
            }
            PreparedSelectableKind::Term(_) => Ok(false),
            PreparedSelectableKind::CellInfo(_, _, of)
            | PreparedSelectableKind::Cast(of, _)
            | PreparedSelectableKind::TypeHint(_, _, of)
            | PreparedSelectableKind::Field(of, _)
            | PreparedSelectableKind::Element(of, _)
            | PreparedSelectableKind::Slice(of, ..) => of.selects(cx, test),
            PreparedSelectableKind::Call(_, parts)
            | PreparedSelectableKind::Tuple(parts)
            | PreparedSelectableKind::Array(parts)
            | PreparedSelectableKind::Set(parts) => {
                for part in parts {
                    if part.selects(cx, test)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            PreparedSelectableKind::Map(entries) => {
                for (key, value) in *entries {
                    let is_name = matches!(key.kind, SelectableKind::Column(_));
                    if !is_name && Self::new(cx, self.table, key)?.selects(cx, test)? {
                        return Ok(true);
                    }
                    // The server tests the opposite here, by mistake.
                    if !Self::new(cx, self.table, value)?.selects(cx, test)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }

    /// The text in messages.
    pub fn render(&self, cx: &Context<'_>) -> String {
        let each = |parts: &[Self]| {
            parts.iter().map(|part| part.render(cx)).collect::<Vec<_>>().join(", ")
        };
        let term_text = |term: &Term| term::text_in(cx, term, &self.table.keyspace);
        match &self.kind {
            PreparedSelectableKind::Column(at) => self
                .table
                .columns()
                .get(*at)
                .map_or_else(String::new, |column| column.name.to_string()),
            PreparedSelectableKind::Term(term) => term_text(term),
            PreparedSelectableKind::CellInfo(info, _, of) => {
                format!("{}({})", info_name(*info), of.render(cx))
            }
            PreparedSelectableKind::Call(function, arguments) => {
                let arguments: Vec<String> = arguments.iter().map(|part| part.render(cx)).collect();
                function.column_name(&arguments)
            }
            PreparedSelectableKind::Cast(value, ty) => {
                format!("cast({} as {})", value.render(cx), ty.text())
            }
            PreparedSelectableKind::TypeHint(name, _, value) => {
                format!("({name}){}", value.render(cx))
            }
            PreparedSelectableKind::Tuple(parts) => format!("({})", each(parts)),
            PreparedSelectableKind::Array(parts) => format!("[{}]", each(parts)),
            PreparedSelectableKind::Set(parts) => format!("{{{}}}", each(parts)),
            PreparedSelectableKind::Map(entries) => {
                let entries = entries.iter().map(|(key, value)| {
                    format!("{}: {}", self.key_text(cx, key), self.part_text(cx, value))
                });
                format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
            }
            PreparedSelectableKind::Field(of, field) => format!("{}.{}", of.render(cx), field.text),
            PreparedSelectableKind::Element(of, key) => {
                format!("{}[{}]", of.render(cx), term_text(key))
            }
            PreparedSelectableKind::Slice(of, from, to) => {
                let bound = |term: Option<&Term>| term.map_or_else(String::new, term_text);
                format!("{}[{}..{}]", of.render(cx), bound(*from), bound(*to))
            }
        }
    }

    /// Resolves the parts of maps, which [`Self::new`] does not: to print them, the server must
    /// resolve them.
    pub(super) fn check_printable(&self, cx: &Context<'_>) -> Result<()> {
        match &self.kind {
            PreparedSelectableKind::Column(_) | PreparedSelectableKind::Term(_) => Ok(()),
            PreparedSelectableKind::CellInfo(_, _, of)
            | PreparedSelectableKind::Cast(of, _)
            | PreparedSelectableKind::TypeHint(_, _, of)
            | PreparedSelectableKind::Field(of, _)
            | PreparedSelectableKind::Element(of, _)
            | PreparedSelectableKind::Slice(of, ..) => of.check_printable(cx),
            PreparedSelectableKind::Call(_, parts)
            | PreparedSelectableKind::Tuple(parts)
            | PreparedSelectableKind::Array(parts)
            | PreparedSelectableKind::Set(parts) => {
                parts.iter().try_for_each(|part| part.check_printable(cx))
            }
            PreparedSelectableKind::Map(entries) => entries.iter().try_for_each(|(key, value)| {
                if !matches!(key.kind, SelectableKind::Column(_)) {
                    PreparedSelectable::new(cx, self.table, key)?.check_printable(cx)?;
                }
                PreparedSelectable::new(cx, self.table, value)?.check_printable(cx)
            }),
        }
    }

    fn key_text(&self, cx: &Context<'_>, key: &Selectable) -> String {
        match &key.kind {
            SelectableKind::Column(name) => name.text.to_string(),
            _ => self.part_text(cx, key),
        }
    }

    fn part_text(&self, cx: &Context<'_>, part: &Selectable) -> String {
        PreparedSelectable::new(cx, self.table, part)
            .map_or_else(|_| String::new(), |part| part.render(cx))
    }
}

/// The server's name of a cell's property.
pub(super) fn info_name(info: CellInfo) -> &'static str {
    match info {
        CellInfo::WriteTime => "writetime",
        CellInfo::MaxWriteTime => "maxwritetime",
        CellInfo::Ttl => "ttl",
    }
}

/// The column of element, slice and field selections.
fn innermost(selectable: &Selectable) -> &Name {
    const NOWHERE: Span = Span::new(0, 0);
    static NO_NAME: std::sync::LazyLock<Name> =
        std::sync::LazyLock::new(|| Name { text: "".into(), span: NOWHERE });
    match &selectable.kind {
        SelectableKind::Column(name) => name,
        SelectableKind::Field(of, _)
        | SelectableKind::Element(of, _)
        | SelectableKind::Slice(of, ..) => innermost(of),
        _ => &NO_NAME,
    }
}

fn column_index(table: &Table, name: &Name) -> Result<usize> {
    table.column_index(&name.text).ok_or_else(|| {
        Box::new(Refusal::new(
            NameReason::UndefinedColumn {
                column: cql::printer::identifier(&name.text),
                table: table.qualified_name(),
            },
            name.span,
        ))
    })
}

fn arithmetic<'a>(
    operator: ArithmeticOperator,
    operands: Vec<PreparedSelectable<'a>>,
    native: impl Fn(&str, Vec<PreparedSelectable<'a>>) -> Result<PreparedSelectableKind<'a>>,
) -> Result<PreparedSelectableKind<'a>> {
    native(operator_name(operator), operands)
}

/// Resolves the function of a call. `COUNT` of a constant counts rows.
fn call<'a>(
    cx: &Context<'_>,
    table: &Table,
    (qualifier, name): (Option<&str>, &str),
    arguments: Vec<PreparedSelectable<'a>>,
    span: Span,
) -> Result<PreparedSelectableKind<'a>> {
    let is_count = name == "count" && qualifier.is_none_or(|keyspace| keyspace == SYSTEM);
    let counts_rows = is_count
        && matches!(&arguments[..], [PreparedSelectable { kind: PreparedSelectableKind::Term(term), .. }]
            if matches!(term.kind, TermKind::Constant(_)));
    let arguments = if counts_rows { Vec::new() } else { arguments };
    let tested: Vec<&dyn AssignmentTestable> =
        arguments.iter().map(|argument| argument as &dyn AssignmentTestable).collect();
    let written = Call {
        qualifier: if counts_rows { Some(SYSTEM) } else { qualifier },
        name: if counts_rows { "count_rows" } else { name },
        arguments: &tested,
        keyspace: &table.keyspace,
        table: Some((&table.keyspace, &table.name)),
        receiver: None,
        descending: false,
        span,
    };
    let Some(function) = function::resolve(cx, &written)? else {
        return refuse(FunctionReason::Unknown { function: written.raw_name() }, span);
    };
    Ok(PreparedSelectableKind::Call(function, arguments))
}
