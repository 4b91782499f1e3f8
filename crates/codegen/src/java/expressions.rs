//! Values that the client computes. Every printed value is an object that may be null.

use std::collections::BTreeMap;

use super::context::{JavaContext, quote};
use super::types;
use crate::program::{
    Arithmetic, BucketWidth, ComparisonOperator, ConstantValue, DataType, Expression,
    ExpressionKind, Fetch, Field, Repetition, RowReference, ScalarFunction,
};

/// The row that is being completed.
#[derive(Clone, Copy)]
pub(super) enum JavaCurrent<'a> {
    /// There is none.
    Absent,
    /// The fields of `row`, by their columns.
    Fields(&'a BTreeMap<String, String>),
    /// The columns of `row`, which is one of the driver.
    Driver(&'a [Field]),
}

/// Where the parts of a value come from.
#[derive(Clone, Copy)]
pub(super) struct JavaScope<'a> {
    pub(super) context: &'a JavaContext<'a>,
    /// The names of the parameters.
    pub(super) parameters: &'a [String],
    /// The steps that read, by their position, and the names of their columns.
    pub(super) steps: &'a [Option<JavaStep<'a>>],
    /// The repetitions of the statement.
    pub(super) repetitions: &'a [Repetition],
    /// The row that is being completed.
    pub(super) current: JavaCurrent<'a>,
}

/// A step whose rows are kept.
#[derive(Clone)]
pub(super) struct JavaStep<'a> {
    pub(super) fetch: &'a Fetch,
    pub(super) columns: BTreeMap<String, String>,
}

impl JavaScope<'_> {
    /// A value.
    pub(super) fn print(&self, expression: &Expression) -> String {
        let of = |part: &Expression| self.print(part);
        let ty = &expression.ty;
        match &expression.kind {
            ExpressionKind::Parameter(at) => {
                self.parameters.get(*at).cloned().unwrap_or_else(|| self.null(ty))
            }
            ExpressionKind::Turn(at) => format!("turn{at}"),
            ExpressionKind::Column { row, name } => self.print_column(row, name, ty),
            ExpressionKind::Constant(constant) => self.print_constant(constant, ty),
            ExpressionKind::Bucket(part, width) => print_bucket(&of(part), *width),
            ExpressionKind::Shard(parts, count) => {
                let bytes = parts.iter().map(|part| {
                    format!("Values.bytes({}, {})", self.context.codec(&part.ty), of(part))
                });
                format!("Values.shard({count}, {})", bytes.collect::<Vec<_>>().join(", "))
            }
            ExpressionKind::Prefix(part, length) => {
                format!("Values.prefix({}, {length})", of(part))
            }
            ExpressionKind::PrefixEnd(part) => format!("Values.prefixEnd({})", of(part)),
            ExpressionKind::Singleton(part) => match ty {
                DataType::Set(_) => format!("Values.singletonSet({})", of(part)),
                _ => format!("Values.singletonList({})", of(part)),
            },
            ExpressionKind::Coalesce(parts) => self.print_coalesce(parts),
            ExpressionKind::Difference(one, other) => {
                format!("Values.minus({}, {})", of(one), of(other))
            }
            ExpressionKind::Append(array, element) => {
                to_array(ty, &format!("Values.append({}, {})", of(array), of(element)))
            }
            ExpressionKind::Remove(array, element) => {
                to_array(ty, &format!("Values.remove({}, {})", of(array), of(element)))
            }
            ExpressionKind::OldestWins(part) => format!("Values.oldestWins({})", of(part)),
            ExpressionKind::NewestWins(part) => format!("Values.newestWins({})", of(part)),
            ExpressionKind::Convert(part) => self.print_conversion(part, ty),
            ExpressionKind::Round(part, digits) => format!("Values.round({}, {digits})", of(part)),
            ExpressionKind::Call(function, arguments) => self.print_call(*function, arguments, ty),
            _ => self.print_operator(expression),
        }
    }

    /// Operators of numbers, texts and truth values.
    fn print_operator(&self, expression: &Expression) -> String {
        let of = |part: &Expression| self.print(part);
        let call = |name: &str, one: &Expression, other: &Expression| {
            format!("Values.{name}({}, {})", of(one), of(other))
        };
        match &expression.kind {
            ExpressionKind::Arithmetic(operator, one, other) => match operator {
                Arithmetic::Add => call("plus", one, other),
                Arithmetic::Subtract => call("minus", one, other),
                Arithmetic::Multiply => call("times", one, other),
            },
            ExpressionKind::Concatenate(one, other) => call("concatenate", one, other),
            ExpressionKind::Compare(operator, one, other) => {
                let truth = self.print_comparison(*operator, one, other);
                format!("Values.known({}, {}, {truth})", of(one), of(other))
            }
            ExpressionKind::And(one, other) => call("and", one, other),
            ExpressionKind::Or(one, other) => call("or", one, other),
            ExpressionKind::Not(part) => format!("Values.not({})", of(part)),
            ExpressionKind::IsNull(part) => format!("Boolean.valueOf({} == null)", of(part)),
            ExpressionKind::Case(branches, otherwise) => {
                let mut text = of(otherwise);
                for (condition, value) in branches.iter().rev() {
                    text = format!("(Values.isTrue({}) ? {} : {text})", of(condition), of(value));
                }
                text
            }
            _ => self.null(&expression.ty),
        }
    }

    /// Whether a comparison holds: a truth value that is false where a value is null, except for
    /// `NotEqual`.
    pub(super) fn print_comparison(
        &self,
        operator: ComparisonOperator,
        one: &Expression,
        other: &Expression,
    ) -> String {
        let order = || self.context.order(&one.ty);
        let (one, other) = (self.print(one), self.print(other));
        match operator {
            ComparisonOperator::Equal => format!("Values.isEqual({one}, {other})"),
            ComparisonOperator::NotEqual => format!("!Values.isEqual({one}, {other})"),
            ComparisonOperator::Less => format!("Values.isLess({one}, {other}, {})", order()),
            ComparisonOperator::LessOrEqual => {
                format!("Values.isAtMost({one}, {other}, {})", order())
            }
            ComparisonOperator::Greater => format!("Values.isLess({other}, {one}, {})", order()),
            ComparisonOperator::GreaterOrEqual => {
                format!("Values.isAtMost({other}, {one}, {})", order())
            }
        }
    }

    fn print_coalesce(&self, parts: &[Expression]) -> String {
        let parts: Vec<_> = parts.iter().map(|part| self.print(part)).collect();
        format!("Values.coalesce({})", parts.join(", "))
    }

    fn print_call(
        &self,
        function: ScalarFunction,
        arguments: &[Expression],
        ty: &DataType,
    ) -> String {
        let first = || arguments.first().map_or_else(|| self.null(ty), |it| self.print(it));
        let fold = |name: &str| {
            let printed = arguments.iter().map(|argument| self.print(argument));
            let folded = printed.reduce(|one, other| {
                format!("Values.{name}({one}, {other}, {})", self.context.order(ty))
            });
            folded.unwrap_or_else(|| self.null(ty))
        };
        match function {
            ScalarFunction::Lower => format!("Values.lower({})", first()),
            ScalarFunction::Upper => format!("Values.upper({})", first()),
            ScalarFunction::Length => format!("Values.length({})", first()),
            ScalarFunction::Trim => format!("Values.trim({})", first()),
            ScalarFunction::Coalesce => self.print_coalesce(arguments),
            ScalarFunction::Greatest => fold("greatest"),
            ScalarFunction::Least => fold("least"),
            ScalarFunction::Absolute => {
                let (order, zero) = (self.context.order(ty), types::zero(ty));
                let zero = zero.unwrap_or("null");
                format!("Values.absolute({}, Values::minus, {order}, {zero})", first())
            }
        }
    }

    /// A column of a row.
    fn print_column(&self, row: &RowReference, name: &str, ty: &DataType) -> String {
        let found = match row {
            RowReference::Current => match self.current {
                JavaCurrent::Absent => None,
                JavaCurrent::Fields(fields) => fields.get(name).map(|field| format!("row.{field}")),
                JavaCurrent::Driver(fields) => {
                    let found = fields.iter().enumerate().find(|(_, field)| field.name == name);
                    found.map(|(at, field)| self.context.read_column("row", at, field))
                }
            },
            RowReference::First(step) => self
                .step_column(*step, name)
                .map(|column| format!("Values.get(Values.first(rows{step}), Row{step}::{column})")),
            RowReference::Turn(at, path) => self.print_turn_column(*at, path, name),
        };
        found.unwrap_or_else(|| self.null(ty))
    }

    fn print_turn_column(&self, at: usize, path: &[usize], name: &str) -> Option<String> {
        let Some(Repetition::Rows(step)) = self.repetitions.get(at) else { return None };
        let (mut step, mut row) = (*step, format!("turn{at}"));
        for parent in path {
            let next = *self.steps.get(step)?.as_ref()?.fetch.parents.get(*parent)?;
            row = format!("Values.get({row}, Row{step}::parent{parent})");
            step = next;
        }
        let column = self.step_column(step, name)?;
        Some(if path.is_empty() {
            format!("{row}.{column}()")
        } else {
            format!("Values.get({row}, Row{step}::{column})")
        })
    }

    fn step_column(&self, step: usize, name: &str) -> Option<String> {
        self.steps.get(step)?.as_ref()?.columns.get(name).cloned()
    }

    /// Null, as a value of the type.
    pub(super) fn null(&self, ty: &DataType) -> String {
        format!("({}) null", self.context.boxed(ty))
    }

    /// The same value in another type.
    fn print_conversion(&self, part: &Expression, ty: &DataType) -> String {
        let value = self.print(part);
        let (from, into) = (self.context.boxed(&part.ty), self.context.boxed(ty));
        if from == into {
            return value;
        }
        let is_number = types::zero(&part.ty).is_some();
        let function = match ty {
            DataType::Tinyint if is_number => "toTinyint",
            DataType::Smallint if is_number => "toSmallint",
            DataType::Int if is_number => "toInt",
            DataType::Bigint | DataType::Counter if is_number => "toBigint",
            DataType::Varint if is_number => "toVarint",
            DataType::Decimal if is_number => "toDecimal",
            DataType::Double if is_number => "toDouble",
            DataType::Float if is_number => "toFloat",
            DataType::Text | DataType::Ascii => "toText",
            DataType::Date if part.ty == DataType::Timestamp => "toDate",
            DataType::Timestamp if part.ty == DataType::Date => "toTimestamp",
            DataType::List(_) if part.ty.element() == ty.element() => "toList",
            DataType::Set(_) if part.ty.element() == ty.element() => "toSet",
            _ => return format!("Values.<{into}>cast({value})"),
        };
        format!("Values.{function}({value})")
    }

    /// A constant.
    pub(super) fn print_constant(&self, constant: &ConstantValue, ty: &DataType) -> String {
        match constant {
            ConstantValue::Null => self.null(ty),
            ConstantValue::Boolean(true) => "Boolean.TRUE".to_owned(),
            ConstantValue::Boolean(false) => "Boolean.FALSE".to_owned(),
            ConstantValue::Integer(number) => print_integer(*number, ty),
            ConstantValue::Varint(digits) => format!("new BigInteger({})", quote(digits)),
            ConstantValue::Decimal(digits) => format!("new BigDecimal({})", quote(digits)),
            ConstantValue::Double(number) => print_float(*number, ty),
            ConstantValue::Text(text) => quote(text),
            ConstantValue::Uuid(id) => format!("UUID.fromString({})", quote(id)),
            ConstantValue::Timestamp(millis) => format!("Instant.ofEpochMilli({millis}L)"),
            ConstantValue::Date(day) => format!("LocalDate.ofEpochDay({day}L)"),
            ConstantValue::Time(nanos) => format!("LocalTime.ofNanoOfDay({nanos}L)"),
            ConstantValue::Inet(text) => format!("Values.address({})", quote(text)),
            ConstantValue::Duration(months, days, nanos) => {
                format!("CqlDuration.newInstance({months}, {days}, {nanos}L)")
            }
            ConstantValue::Blob(bytes) => {
                let bytes: Vec<_> = bytes.iter().map(|it| it.cast_signed().to_string()).collect();
                format!("ByteBuffer.wrap(new byte[] {{{}}})", bytes.join(", "))
            }
            ConstantValue::Elements(elements) => {
                let of = ty.element().cloned().unwrap_or(DataType::Blob);
                let elements: Vec<_> =
                    elements.iter().map(|it| self.print_constant(it, &of)).collect();
                let class = self.context.boxed(&of);
                to_array(ty, &format!("Values.<{class}>listOf({})", elements.join(", ")))
            }
        }
    }
}

/// An array in the class of its type.
fn to_array(ty: &DataType, list: &str) -> String {
    if matches!(ty, DataType::Set(_)) { format!("Values.toSet({list})") } else { list.to_owned() }
}

fn print_integer(number: i64, ty: &DataType) -> String {
    match ty {
        DataType::Tinyint => format!("Byte.valueOf((byte) {number})"),
        DataType::Smallint => format!("Short.valueOf((short) {number})"),
        DataType::Int => format!("Integer.valueOf({number})"),
        DataType::Varint => format!("BigInteger.valueOf({number}L)"),
        DataType::Decimal => format!("BigDecimal.valueOf({number}L)"),
        DataType::Double => format!("Double.valueOf({number}L)"),
        DataType::Float => format!("Float.valueOf({number}L)"),
        _ => format!("Long.valueOf({number}L)"),
    }
}

fn print_float(number: f64, ty: &DataType) -> String {
    let class = if *ty == DataType::Float { "Float" } else { "Double" };
    let text = if number.is_nan() {
        format!("{class}.NaN")
    } else if number.is_infinite() {
        let sign = if number > 0.0 { "POSITIVE" } else { "NEGATIVE" };
        format!("{class}.{sign}_INFINITY")
    } else if class == "Float" {
        format!("(float) {number:?}")
    } else {
        format!("{number:?}")
    };
    format!("{class}.valueOf({text})")
}

/// The width of a bucket.
pub(super) fn print_width(width: BucketWidth) -> String {
    let (unit, count) = match width {
        BucketWidth::Hours(count) => ("HOURS", count.into()),
        BucketWidth::Days(count) => ("DAYS", count.into()),
        BucketWidth::Weeks(count) => ("WEEKS", count.into()),
        BucketWidth::Months(count) => ("MONTHS", count.into()),
        BucketWidth::Range(width) => ("RANGE", width),
    };
    let count = i64::try_from(count.max(1)).unwrap_or(i64::MAX);
    format!("new Values.Width(Values.Unit.{unit}, {count}L)")
}

/// The column of the bucket with a number.
pub(super) fn print_bucket_column(width: BucketWidth, number: &str) -> String {
    let function = match width {
        BucketWidth::Hours(_) => "time",
        BucketWidth::Range(_) => return number.to_owned(),
        _ => "date",
    };
    format!("{}.{function}({number})", print_width(width))
}

fn print_bucket(value: &str, width: BucketWidth) -> String {
    let function = match width {
        BucketWidth::Hours(_) => "timeBucket",
        BucketWidth::Range(_) => "rangeBucket",
        _ => "dateBucket",
    };
    format!("Values.{function}({}, {value})", print_width(width))
}
