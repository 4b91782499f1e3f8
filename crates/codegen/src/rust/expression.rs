//! Values that the client computes.
//!
//! The code of a value is an `Option`, or a plain value where null is not possible. Long parts become
//! variables of their own, so that lines stay short.

use crate::program::{
    BucketWidth, ComparisonOperator, DataType, Expression, ExpressionKind, RowReference,
};

use super::conversion::convert;
use super::repetition::RustWriterState;
use super::scope::{RustScope, RustTurn};
use super::types::is_copied;
use super::writer::RustWriter;

/// The longest code that is written inside other code.
pub(super) const INLINE: usize = 56;

/// Prints expressions into a function.
#[derive(Debug)]
pub(super) struct RustExpressions<'a, 's> {
    pub(super) scope: &'s RustScope<'a>,
    pub(super) out: RustWriter,
    /// The number of variables made so far.
    pub(super) variables: usize,
}

/// The code of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RustValue {
    /// The code, of an own value.
    pub(super) code: String,
    /// Whether it is an `Option`.
    pub(super) is_option: bool,
}

impl RustValue {
    /// An option.
    pub(super) fn option(code: impl Into<String>) -> Self {
        Self { code: code.into(), is_option: true }
    }

    /// The code of an option.
    pub(super) fn into_option(self) -> String {
        if self.is_option { self.code } else { format!("Some({})", self.code) }
    }
}

impl<'a, 's> RustExpressions<'a, 's> {
    /// A printer of lines that are so deep.
    pub(super) const fn new(scope: &'s RustScope<'a>, depth: usize) -> Self {
        Self { scope, out: RustWriter::new(depth), variables: 0 }
    }

    /// The same in another scope, with an empty text, so much deeper.
    pub(super) fn start_nested<'t>(
        &self,
        scope: &'t RustScope<'a>,
        deeper: usize,
    ) -> RustExpressions<'a, 't> {
        let out = RustWriter::new(self.out.depth() + deeper);
        RustExpressions { scope, out, variables: self.variables }
    }

    /// What it has written.
    pub(super) fn into_state(self) -> RustWriterState {
        RustWriterState { text: self.out, variables: self.variables }
    }

    /// Adds what a nested printer has written.
    pub(super) fn take(&mut self, text: &RustWriter, variables: usize) {
        self.out.append(text);
        self.variables = variables;
    }

    /// A variable with this code.
    pub(super) fn bind(&mut self, code: &str) -> String {
        self.variables += 1;
        let name = format!("value{}", self.variables);
        self.out.assign(&format!("let {name}"), code);
        name
    }

    fn bind_call(&mut self, head: &str, arguments: &[String], tail: &str) -> String {
        self.variables += 1;
        let name = format!("value{}", self.variables);
        self.out.call(&format!("let {name} = {head}"), arguments, &format!("{tail};"));
        name
    }

    /// A call; a long one becomes a variable.
    pub(super) fn call(&mut self, head: &str, arguments: &[String], tail: &str) -> String {
        let code = format!("{head}({}){tail}", arguments.join(", "));
        if code.len() <= INLINE && !code.contains('\n') {
            return code;
        }
        self.bind_call(head, arguments, tail)
    }

    /// The code, or a variable where it is long.
    pub(super) fn shorten(&mut self, value: RustValue) -> RustValue {
        if value.code.len() <= INLINE {
            return value;
        }
        let code = self.bind(&value.code);
        RustValue { code, ..value }
    }

    /// An own option.
    pub(super) fn option(&mut self, expression: &Expression) -> String {
        let value = self.value(expression);
        self.shorten(RustValue::option(value.into_option())).code
    }

    /// An option of a reference.
    pub(super) fn reference(&mut self, expression: &Expression) -> String {
        let code = match &expression.kind {
            ExpressionKind::Parameter(at) => self.scope.parameters.get(*at).map(|parameter| {
                let code = &parameter.code;
                if parameter.nullable {
                    format!("{code}.as_ref()")
                } else {
                    format!("Some(&{code})")
                }
            }),
            ExpressionKind::Turn(at) => match self.scope.turns.get(*at) {
                Some(RustTurn::Value(name, _)) => Some(format!("Some(&{name})")),
                _ => None,
            },
            ExpressionKind::Column { row, name } if expression.ty != DataType::Counter => {
                self.column(row, name, "as_ref")
            }
            _ => None,
        };
        if let Some(code) = code {
            return self.shorten(RustValue::option(code)).code;
        }
        let code = self.value(expression).into_option();
        let name = self.bind(&code);
        format!("{name}.as_ref()")
    }

    /// The code of a column: `how` it is taken from its field.
    fn column(&self, row: &RowReference, name: &str, how: &str) -> Option<String> {
        let (code, record) = match row {
            RowReference::Current => {
                let (code, record) = self.scope.current.as_ref()?;
                let field = record.field(name)?;
                return Some(take(&format!("{code}.{}", field.name), &field.ty, how));
            }
            RowReference::First(step) => {
                let step = self.scope.steps.get(*step)?;
                (format!("{}.first()", step.rows), &step.record)
            }
            RowReference::Turn(at, path) => {
                let (code, step) = self.scope.turn_row(*at, path)?;
                (code, &step.record)
            }
        };
        let field = record.field(name)?;
        if let Some(row) = code.strip_prefix("Some(&").and_then(|rest| rest.strip_suffix(')')) {
            return Some(take(&format!("{row}.{}", field.name), &field.ty, how));
        }
        let inside = take(&format!("row.{}", field.name), &field.ty, how);
        Some(format!("{code}.and_then(|row| {inside})"))
    }

    /// The value of an expression.
    pub(super) fn value(&mut self, expression: &Expression) -> RustValue {
        let types = self.scope.types;
        let ty = &expression.ty;
        match &expression.kind {
            ExpressionKind::Parameter(at) => match self.scope.parameters.get(*at) {
                Some(parameter) => {
                    let copy = if is_copied(ty) { "" } else { ".clone()" };
                    RustValue {
                        code: format!("{}{copy}", parameter.code),
                        is_option: parameter.nullable,
                    }
                }
                None => self.null(ty),
            },
            ExpressionKind::Turn(at) => match self.scope.turns.get(*at) {
                Some(RustTurn::Value(name, ty)) => {
                    let copy = if is_copied(ty) { "" } else { ".clone()" };
                    RustValue { code: format!("{name}{copy}"), is_option: false }
                }
                _ => self.null(ty),
            },
            ExpressionKind::Column { row, name } => match self.column(row, name, "clone") {
                Some(code) if *ty == DataType::Counter => {
                    let code = self.call("from_counter", &[code], "");
                    RustValue::option(code)
                }
                Some(code) => RustValue::option(code),
                None => self.null(ty),
            },
            ExpressionKind::Constant(constant) => self.constant(ty, constant),
            ExpressionKind::Convert(part) => {
                let value = self.value(part);
                convert(self, value, &part.ty, ty)
            }
            ExpressionKind::Singleton(part) => {
                let part = self.option(part);
                let head = format!("to_singleton::<{}, _>", types.name(ty));
                RustValue::option(self.call(&head, &[part], ""))
            }
            ExpressionKind::Case(branches, otherwise) => self.case(ty, branches, otherwise),
            ExpressionKind::IsNull(part) => self.null_test(part),
            ExpressionKind::Not(part) => self.not(part),
            ExpressionKind::Compare(operator, one, other) => self.compare(*operator, one, other),
            ExpressionKind::Shard(parts, count) => self.shard(parts, *count),
            ExpressionKind::Coalesce(parts) => self.coalesce(ty, parts),
            ExpressionKind::Call(function, arguments) => self.function(ty, *function, arguments),
            _ => self.operation(expression),
        }
    }

    /// Null of a type.
    pub(super) fn null(&self, ty: &DataType) -> RustValue {
        RustValue::option(format!("None::<{}>", self.scope.types.name(ty)))
    }
}

/// A field, as its own value or a reference.
fn take(code: &str, ty: &DataType, how: &str) -> String {
    if how == "clone" && is_copied(ty) { code.to_owned() } else { format!("{code}.{how}()") }
}

/// A text as a literal.
pub(super) fn text_code(text: &str) -> String {
    format!("{text:?}")
}

/// The width of a bucket.
pub(super) fn bucket_width(width: BucketWidth) -> String {
    match width {
        BucketWidth::Hours(count) => format!("Width::Hours({count})"),
        BucketWidth::Days(count) => format!("Width::Days({count})"),
        BucketWidth::Weeks(count) => format!("Width::Weeks({count})"),
        BucketWidth::Months(count) => format!("Width::Months({count})"),
        BucketWidth::Range(width) => {
            format!("Width::Range({})", width.min(i64::MAX.cast_unsigned()))
        }
    }
}

/// The method of `Ordering` that tests a comparison.
pub(super) const fn order_test(operator: ComparisonOperator) -> &'static str {
    match operator {
        ComparisonOperator::Equal => "is_eq",
        ComparisonOperator::NotEqual => "is_ne",
        ComparisonOperator::Less => "is_lt",
        ComparisonOperator::LessOrEqual => "is_le",
        ComparisonOperator::Greater => "is_gt",
        ComparisonOperator::GreaterOrEqual => "is_ge",
    }
}
