//! Selections: the selected expressions of a SELECT, with the names and types of the result.
//!
//! The server works in two steps, with errors in both: [`PreparedSelectable::new`] resolves
//! columns, types and functions; [`bind`] then gives every part its type and binds the terms
//! inside. A SELECT without static columns does the first step after its WHERE clause, one with
//! static columns before it (`selects_only_statics`).

mod binding;
mod column_filter;
mod composite;
mod selectable;
mod typing;

use std::sync::Arc;

use cql::Span;
use cql::selectable::CellInfo;
use cql::statement::select::Selector;
use cql::types::{NativeType, Type};

pub use selectable::{PreparedSelectable, PreparedSelectableKind};

use super::context::Context;
use super::function::{Function, evaluate, refuse_unset};
use super::term::BoundTerm;
use crate::Result;
use crate::catalog::{Column, ColumnKind, Table};
use crate::java::digest::is_digest;
use crate::refusal::{ValueReason, refuse};

/// The selection of a SELECT.
#[derive(Clone, Debug, PartialEq)]
pub struct Selection {
    /// The columns of the result, before JSON combines them.
    pub columns: Vec<SelectedColumn>,
    /// The columns of the table that are read, by index, in the order of their first occurrence.
    pub columns_read: Vec<usize>,
    /// `SELECT *`
    pub is_wildcard: bool,
    /// Whether rows are aggregated.
    pub is_aggregate: bool,
    /// `SELECT JSON`
    pub json: bool,
}

/// One column of a result.
#[derive(Clone, Debug, PartialEq)]
pub struct SelectedColumn {
    /// The name: the alias, or the server's name for the expression.
    pub name: Box<str>,
    /// The type of its values.
    pub ty: Type,
    /// Its expression.
    pub expression: Expression,
}

/// The expression of a result column.
#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    /// A column of the table, by its index.
    Column(usize),
    /// A value that does not depend on the row.
    Term(BoundTerm),
    /// `WRITETIME(x)` and similar functions.
    CellInfo {
        /// The function.
        info: CellInfo,
        /// The column, by its index.
        column: usize,
        /// The column, or the part of it.
        of: Box<Self>,
    },
    /// A call of a function, also of an operator, a cast or an aggregate.
    Call {
        /// The resolved overload.
        function: Arc<Function>,
        /// The arguments, as many as the function has.
        arguments: Vec<Self>,
    },
    /// A field of a user type, by its position.
    Field(Box<Self>, usize),
    /// An element of a set or a map.
    Element {
        /// The collection.
        of: Box<Self>,
        /// The name of the collection, for errors.
        name: Box<str>,
        /// The element of the set, the key of the map.
        key: BoundTerm,
    },
    /// A part of a set or a map.
    Slice {
        /// The collection.
        of: Box<Self>,
        /// The name of the collection, for errors.
        name: Box<str>,
        /// The first element or key, inclusive.
        from: Option<BoundTerm>,
        /// The last element or key, inclusive.
        to: Option<BoundTerm>,
    },
    /// A list, set, vector or tuple.
    Collection {
        /// The type of the whole.
        ty: Type,
        /// Its elements.
        elements: Vec<Self>,
    },
    /// A map.
    Map {
        /// The type of the whole.
        ty: Type,
        /// Its keys and values.
        entries: Vec<(Self, Self)>,
    },
    /// A user type; missing fields are null.
    UserType {
        /// The type of the whole.
        ty: Type,
        /// Fields by their position.
        fields: Vec<(usize, Self)>,
    },
}

impl Selection {
    /// The columns that the client receives: names and types.
    pub fn result_columns(&self) -> Vec<(&str, Type)> {
        if self.json {
            return vec![("[json]", Type::Native(NativeType::Text))];
        }
        self.columns.iter().map(|column| (&*column.name, column.ty.clone())).collect()
    }

    /// The errors of the selection once values are known.
    pub(crate) fn check_execution(&self, span: Span) -> Result<()> {
        self.columns.iter().try_for_each(|column| column.expression.check_execution(span))
    }
}

impl Expression {
    /// The equivalent term, if it reads no row.
    fn as_term(&self) -> Option<BoundTerm> {
        match self {
            Self::Term(term) => Some(term.clone()),
            Self::Call { function, arguments } => {
                let arguments = arguments.iter().map(Self::as_term).collect::<Option<_>>()?;
                Some(BoundTerm::Call { function: function.clone(), arguments })
            }
            _ => None,
        }
    }

    fn check_execution(&self, span: Span) -> Result<()> {
        let refuse = |what: &str, name: &str| {
            refuse(
                ValueReason::NullSelection { what: what.to_string(), name: name.to_string() },
                span,
            )
        };
        match self {
            Self::Column(_) | Self::Term(_) => Ok(()),
            Self::CellInfo { of, .. } | Self::Field(of, _) => of.check_execution(span),
            Self::Call { function, arguments } => {
                for argument in arguments {
                    argument.check_execution(span)?;
                    if let Self::Term(term) = argument {
                        refuse_unset(function, term, span)?;
                    }
                }
                check_mask(function, arguments, span)?;
                self.as_term().map_or(Ok(()), |term| evaluate(&term, span).map(drop))
            }
            Self::Collection { elements, .. } => {
                elements.iter().try_for_each(|part| part.check_execution(span))
            }
            Self::Element { key: BoundTerm::Value(None), name, .. } => refuse("element", name),
            Self::Slice { from: Some(BoundTerm::Value(None)), name, .. }
            | Self::Slice { to: Some(BoundTerm::Value(None)), name, .. } => refuse("slice", name),
            Self::Element { of, .. } | Self::Slice { of, .. } => of.check_execution(span),
            Self::Map { entries, .. } => entries.iter().try_for_each(|(key, value)| {
                key.check_execution(span)?;
                value.check_execution(span)
            }),
            Self::UserType { fields, .. } => {
                fields.iter().try_for_each(|(_, value)| value.check_execution(span))
            }
        }
    }
}

/// Checks the arguments of masks: a single padding character, or a digest that Java has.
fn check_mask(function: &Function, arguments: &[Expression], span: Span) -> Result<()> {
    let text = match arguments {
        [_, _, _, Expression::Term(BoundTerm::Value(Some(text)))]
        | [_, Expression::Term(BoundTerm::Value(Some(text)))] => String::from_utf8_lossy(text),
        _ => return Ok(()),
    };
    let count = text.encode_utf16().count();
    let reason = match &*function.name.name {
        "mask_inner" | "mask_outer" if arguments.len() == 4 && count != 1 => {
            let (function, text) = (function.name.to_string(), text.into_owned());
            ValueReason::MaskPadding { function, text, count }
        }
        "mask_hash" if !is_digest(&text) => ValueReason::MaskDigest { name: text.into_owned() },
        _ => return Ok(()),
    };
    refuse(reason, span)
}

/// Binds the selectors of a SELECT; an empty list is `*`.
pub fn bind(
    cx: &mut Context<'_>,
    table: &Arc<Table>,
    selectors: &[Selector],
    json: bool,
) -> Result<Selection> {
    if selectors.is_empty() {
        return Ok(wildcard(table, json));
    }
    let mut columns = Vec::with_capacity(selectors.len());
    let mut columns_read = Vec::new();
    let mut is_aggregate = false;
    for selector in selectors {
        let prepared = PreparedSelectable::new(cx, table, &selector.expression)?;
        let bound = binding::bind(cx, &prepared, None, &mut columns_read)?;
        is_aggregate |= bound.is_aggregate;
        let name = match &selector.alias {
            Some(alias) => alias.text.clone(),
            None => bound.name.into(),
        };
        columns.push(SelectedColumn { name, ty: bound.ty, expression: bound.expression });
    }
    let expressions: Vec<&Expression> = columns.iter().map(|column| &column.expression).collect();
    column_filter::check(table, &expressions, cx.span)?;
    Ok(Selection { columns, columns_read, is_wildcard: false, is_aggregate, json })
}

fn wildcard(table: &Table, json: bool) -> Selection {
    let columns = table.columns().iter().enumerate().map(|(at, column)| SelectedColumn {
        name: column.name.clone(),
        ty: column.ty.clone(),
        expression: Expression::Column(at),
    });
    Selection {
        columns: columns.collect(),
        columns_read: (0..table.columns().len()).collect(),
        is_wildcard: true,
        is_aggregate: false,
        json,
    }
}

/// Whether static columns are selected and, apart from the partition key, nothing else.
///
/// The server looks at the selectors only if the table has static columns, and only at as many as
/// it needs.
pub(crate) fn selects_only_statics(
    cx: &Context<'_>,
    table: &Arc<Table>,
    selectors: &[Selector],
) -> Result<bool> {
    if table.is_static_compact() || table.statics().is_empty() || selectors.is_empty() {
        return Ok(false);
    }
    let any = |test: &dyn Fn(&Column) -> bool| -> Result<bool> {
        for selector in selectors {
            if PreparedSelectable::new(cx, table, &selector.expression)?.selects(cx, test)? {
                return Ok(true);
            }
        }
        Ok(false)
    };
    let is_static = |column: &Column| column.kind == ColumnKind::Static;
    let is_other =
        |column: &Column| !matches!(column.kind, ColumnKind::Partition | ColumnKind::Static);
    Ok(any(&is_static)? && !any(&is_other)?)
}
