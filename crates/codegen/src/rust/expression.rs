//! Values that the client computes.
//!
//! The code of a value is an `Option`, or a plain value where null is not possible. Long parts become
//! variables of their own, so that lines stay short.

use crate::program::{
    Arithmetic, BucketWidth, ComparisonOperator, ConstantValue, DataType, Expression,
    ExpressionKind, RowReference, ScalarFunction,
};

use super::conversion::convert;
use super::repetition::RustWriterState;
use super::scope::{RustScope, RustTurn};
use super::types::is_copied;
use super::writer::RustWriter;

/// The longest code that is written inside other code.
const INLINE: usize = 56;

/// Prints expressions into a function.
#[derive(Debug)]
pub(super) struct RustExpressions<'a, 's> {
    pub(super) scope: &'s RustScope<'a>,
    pub(super) out: RustWriter,
    /// The number of variables made so far.
    variables: usize,
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
    fn option(code: impl Into<String>) -> Self {
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
    fn shorten(&mut self, value: RustValue) -> RustValue {
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
            ExpressionKind::IsNull(part) => self.print_null_test(part),
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

    /// An operation whose parts are options.
    fn operation(&mut self, expression: &Expression) -> RustValue {
        let ty = self.scope.types.name(&expression.ty);
        let width = |width: BucketWidth| bucket_width(width);
        let (head, parts, more, tail): (String, Vec<&Expression>, Vec<String>, &str) =
            match &expression.kind {
                ExpressionKind::Bucket(part, of) => {
                    (format!("to_bucket::<_, {ty}>"), vec![&**part], vec![width(*of)], "")
                }
                ExpressionKind::Prefix(part, length) => {
                    ("to_prefix".into(), vec![&**part], vec![length.to_string()], "")
                }
                ExpressionKind::PrefixEnd(part) => {
                    ("to_prefix_end".into(), vec![&**part], vec![], "")
                }
                ExpressionKind::Difference(one, other) => {
                    ("subtract".into(), vec![&**one, &**other], vec![], "?")
                }
                ExpressionKind::Append(one, other) => {
                    ("append".into(), vec![&**one, &**other], vec![], "")
                }
                ExpressionKind::Remove(one, other) => {
                    ("remove".into(), vec![&**one, &**other], vec![], "")
                }
                ExpressionKind::OldestWins(part) => {
                    ("oldest_wins".into(), vec![&**part], vec![], "")
                }
                ExpressionKind::NewestWins(part) => {
                    ("newest_wins".into(), vec![&**part], vec![], "")
                }
                ExpressionKind::Arithmetic(operator, one, other) => {
                    let name = match operator {
                        Arithmetic::Add => "add",
                        Arithmetic::Subtract => "subtract",
                        Arithmetic::Multiply => "multiply",
                    };
                    (name.into(), vec![&**one, &**other], vec![], "?")
                }
                ExpressionKind::Concatenate(one, other) => {
                    ("concatenate".into(), vec![&**one, &**other], vec![], "")
                }
                ExpressionKind::And(one, other) => {
                    ("and".into(), vec![&**one, &**other], vec![], "")
                }
                ExpressionKind::Or(one, other) => ("or".into(), vec![&**one, &**other], vec![], ""),
                ExpressionKind::Not(part) => return self.print_negation(part),
                ExpressionKind::Round(part, digits) => {
                    ("round".into(), vec![&**part], vec![digits.to_string()], "")
                }
                ExpressionKind::Compare(operator, one, other) => {
                    return self.print_comparison(*operator, one, other);
                }
                _ => return self.null(&expression.ty),
            };
        let mut arguments: Vec<String> = parts.into_iter().map(|part| self.option(part)).collect();
        // A call of one argument is broken inside it: so that is a variable where it is long.
        if arguments.len() == 1 {
            arguments = arguments.into_iter().map(|it| self.short_argument(it)).collect();
        }
        arguments.extend(more);
        RustValue::option(self.call(&head, &arguments, tail))
    }

    fn print_negation(&mut self, part: &Expression) -> RustValue {
        let value = self.value(part);
        match value.code.as_str() {
            "false" => RustValue { code: "true".into(), is_option: false },
            "true" => RustValue { code: "false".into(), is_option: false },
            _ => {
                let value = self.shorten(RustValue::option(value.into_option())).code;
                RustValue::option(self.call("not", &[value], ""))
            }
        }
    }

    fn print_comparison(
        &mut self,
        operator: ComparisonOperator,
        one: &Expression,
        other: &Expression,
    ) -> RustValue {
        let arguments = [self.reference(one), self.reference(other)];
        let order = self.call("compare", &arguments, "");
        let order = if order.len() > 24 { self.bind(&order) } else { order };
        RustValue::option(format!("{order}.map(Ordering::{})", order_test(operator)))
    }

    fn short_argument(&mut self, code: String) -> String {
        if code.len() > 40 { self.bind(&code) } else { code }
    }

    fn print_null_test(&mut self, part: &Expression) -> RustValue {
        let value = self.value(part);
        if !value.is_option {
            return RustValue { code: "false".into(), is_option: false };
        }
        let value = self.shorten(value).code;
        RustValue { code: format!("{value}.is_none()"), is_option: false }
    }

    fn coalesce(&mut self, ty: &DataType, parts: &[Expression]) -> RustValue {
        let mut made: Option<String> = None;
        for part in parts {
            let value = self.value(part);
            let is_option = value.is_option;
            let value = self.shorten(RustValue::option(value.into_option())).code;
            made = Some(match made {
                None => value,
                Some(before) => self.call(&format!("{before}.or"), &[value], ""),
            });
            if !is_option {
                break;
            }
        }
        made.map_or_else(|| self.null(ty), RustValue::option)
    }

    fn shard(&mut self, parts: &[Expression], count: u32) -> RustValue {
        let mut pairs = Vec::new();
        for part in parts {
            let value = self.option(part);
            let value = self.bind(&value);
            let ty = super::types::RustTypes::driver_type(&part.ty).unwrap_or_default();
            self.variables += 1;
            let name = format!("value{}", self.variables);
            self.out.assign(&format!("let {name}: ShardPart"), &format!("(&{value}, {ty})"));
            pairs.push(name);
        }
        self.variables += 1;
        let name = format!("value{}", self.variables);
        let parts = format!("[{}]", pairs.join(", "));
        self.out.assign(&format!("let {name}"), &parts);
        RustValue::option(format!("to_shard(&{name}, {count})"))
    }

    fn function(
        &mut self,
        ty: &DataType,
        function: ScalarFunction,
        arguments: &[Expression],
    ) -> RustValue {
        let wanted = match function {
            ScalarFunction::Coalesce => return self.coalesce(ty, arguments),
            ScalarFunction::Greatest => Some("Ordering::Greater"),
            ScalarFunction::Least => Some("Ordering::Less"),
            _ => None,
        };
        let values: Vec<String> = arguments.iter().map(|part| self.option(part)).collect();
        if let Some(wanted) = wanted {
            let mut values = values.into_iter();
            let Some(mut best) = values.next() else { return self.null(ty) };
            for value in values {
                best = self.call("choose", &[best, value, wanted.to_owned()], "");
            }
            return RustValue::option(best);
        }
        let Some(value) = values.into_iter().next_back() else { return self.null(ty) };
        let value = self.short_argument(value);
        RustValue::option(match function {
            ScalarFunction::Lower => self.call("to_lower", &[value], ""),
            ScalarFunction::Upper => self.call("to_upper", &[value], ""),
            ScalarFunction::Trim => self.call("trim", &[value], ""),
            ScalarFunction::Absolute => self.call("absolute", &[value], "?"),
            _ => self.call("to_length", &[value], ""),
        })
    }

    fn case(
        &mut self,
        ty: &DataType,
        branches: &[(Expression, Expression)],
        otherwise: &Expression,
    ) -> RustValue {
        let Some(((when, then), rest)) = branches.split_first() else {
            return RustValue::option(self.option(otherwise));
        };
        let when = self.option(when);
        let when = self.short_argument(when);
        let scope = self.scope;
        let mut first = self.start_nested(scope, 1);
        let then = first.option(then);
        first.out.line(then);
        let mut last = first.start_nested(scope, 1);
        last.out = RustWriter::new(first.out.depth());
        let other = last.case(ty, rest, otherwise).code;
        last.out.line(other);
        let name = format!("value{}", last.variables + 1);
        let ty = self.scope.types.name(ty);
        self.out.line(format!("let {name}: Option<{ty}> = if {when} == Some(true) {{"));
        self.out.append(&first.out).line("} else {").append(&last.out).line("};");
        self.variables = last.variables + 1;
        RustValue::option(name)
    }

    /// A constant.
    pub(super) fn constant(&mut self, ty: &DataType, constant: &ConstantValue) -> RustValue {
        let code = match constant {
            ConstantValue::Null => return self.null(ty),
            ConstantValue::Varint(digits) => {
                return RustValue::option(format!("parse_varint({digits:?})"));
            }
            ConstantValue::Decimal(digits) => {
                return RustValue::option(format!("parse_decimal({digits:?})"));
            }
            ConstantValue::Uuid(text) => {
                let parse = format!("{}::from_str({text:?}).ok()", self.scope.types.name(ty));
                return RustValue::option(parse);
            }
            ConstantValue::Inet(text) => {
                return RustValue::option(format!("IpAddr::from_str({text:?}).ok()"));
            }
            ConstantValue::Boolean(truth) => truth.to_string(),
            ConstantValue::Integer(number) => {
                format!("{number}_{}", self.scope.types.name(ty))
            }
            ConstantValue::Double(number) => double_code(*number, &self.scope.types.name(ty)),
            ConstantValue::Text(text) => format!("{}.to_owned()", text_code(text)),
            ConstantValue::Timestamp(millis) => format!("CqlTimestamp({millis})"),
            ConstantValue::Date(day) => {
                let day = day.saturating_add(1 << 31);
                format!("CqlDate({})", u32::try_from(day).unwrap_or_default())
            }
            ConstantValue::Time(nanos) => format!("CqlTime({nanos})"),
            ConstantValue::Duration(months, days, nanoseconds) => {
                format!("to_duration({months}, {days}, {nanoseconds})")
            }
            ConstantValue::Blob(bytes) => {
                let bytes: Vec<_> = bytes.iter().map(u8::to_string).collect();
                format!("vec![{}]", bytes.join(", "))
            }
            ConstantValue::Elements(elements) => return self.elements(ty, elements),
        };
        RustValue { code, is_option: false }
    }

    fn elements(&mut self, ty: &DataType, elements: &[ConstantValue]) -> RustValue {
        let element = ty.element().cloned().unwrap_or(DataType::Blob);
        let name = self.scope.types.name(ty);
        let mut code = format!("Some({name}::new())").replace('<', "::<");
        for part in elements {
            let part = self.constant(&element, part).into_option();
            let part = self.short_argument(part);
            code = self.call("append", &[code, part], "");
        }
        RustValue::option(code)
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

fn double_code(number: f64, ty: &str) -> String {
    if number.is_nan() {
        format!("{ty}::NAN")
    } else if number.is_infinite() {
        let sign = if number > 0.0 { "" } else { "NEG_" };
        format!("{ty}::{sign}INFINITY")
    } else {
        format!("{number:?}_{ty}")
    }
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
