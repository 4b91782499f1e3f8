//! Expressions in Go.

use super::format::write_literal;
use super::scope::{GoForm, GoScope, GoValue, enclose};
use crate::program::{
    Arithmetic, BucketWidth, ComparisonOperator, DataType, Expression, ExpressionKind,
    ScalarFunction,
};

impl GoScope<'_> {
    /// An expression that is bound or returned: a computed decimal has no zeros at its end.
    pub(super) fn root(&self, expression: &Expression) -> GoValue {
        let value = self.value(expression);
        let is_computed = matches!(
            expression.kind,
            ExpressionKind::Arithmetic(..)
                | ExpressionKind::Round(..)
                | ExpressionKind::Convert(..)
                | ExpressionKind::Call(..)
                | ExpressionKind::Case(..)
        );
        if is_computed && expression.ty == DataType::Decimal {
            return self.lift(&value, &DataType::Decimal, |text| format!("trimZeros({text})"));
        }
        value
    }

    /// An expression.
    pub(super) fn value(&self, expression: &Expression) -> GoValue {
        let ty = &expression.ty;
        match &expression.kind {
            ExpressionKind::Parameter(at) => self.parameter(*at, ty),
            ExpressionKind::Turn(at) => self.turn(*at, ty),
            ExpressionKind::Column { row, name } => self.column(row, name, ty),
            ExpressionKind::Constant(value) => self.constant(value, ty),
            ExpressionKind::Bucket(part, width) => {
                let number = self.bucket_number(&self.value(part), *width);
                self.lift(&number, ty, |text| start_of_bucket(text, *width))
            }
            ExpressionKind::Shard(parts, count) => self.shard(parts, *count),
            ExpressionKind::Prefix(part, length) => {
                self.lift(&self.value(part), ty, |text| format!("prefixOf({text}, {length})"))
            }
            ExpressionKind::PrefixEnd(part) => {
                self.lift(&self.value(part), ty, |text| format!("prefixEnd({text})"))
            }
            ExpressionKind::Singleton(part) => {
                let name = self.types.plain(ty);
                self.lift(&self.value(part), ty, |text| format!("{name}{{{text}}}"))
            }
            ExpressionKind::Coalesce(parts) => self.coalesce(parts, ty),
            ExpressionKind::Difference(one, other) => {
                self.arithmetic(Arithmetic::Subtract, one, other, ty)
            }
            ExpressionKind::Append(array, element) => self.change_array(array, element, true),
            ExpressionKind::Remove(array, element) => self.change_array(array, element, false),
            ExpressionKind::OldestWins(part) => self.priority(part, "oldestWins"),
            ExpressionKind::NewestWins(part) => self.priority(part, "newestWins"),
            ExpressionKind::Convert(part) => self.convert(&self.value(part), ty),
            ExpressionKind::Arithmetic(operator, one, other) => {
                self.arithmetic(*operator, one, other, ty)
            }
            ExpressionKind::Concatenate(one, other) => {
                self.lift2(&self.value(one), &self.value(other), ty, |one, other| {
                    format!("concatenate({one}, {other})")
                })
            }
            ExpressionKind::Compare(operator, one, other) => {
                let compare = self.types.compare(&one.ty);
                let sides = (self.value(one).to_pointer(), self.value(other).to_pointer());
                let accepts = accepts(*operator);
                let text = format!("compared({}, {}, {compare}, {accepts})", sides.0, sides.1);
                GoValue::pointer(text, ty)
            }
            ExpressionKind::And(one, other) => self.truth("both", one, other),
            ExpressionKind::Or(one, other) => self.truth("either", one, other),
            ExpressionKind::Not(part) => {
                let part = self.value(part);
                match part.form {
                    GoForm::Plain if part.text == "false" => GoValue::plain("true", ty),
                    GoForm::Plain => GoValue::plain(format!("!({})", part.text), ty),
                    _ => GoValue::pointer(format!("apply({}, negate)", part.text), ty),
                }
            }
            ExpressionKind::IsNull(part) => GoValue::plain(self.value(part).print_null_test(), ty),
            ExpressionKind::Call(function, parts) => self.call(*function, parts, ty),
            ExpressionKind::Case(branches, otherwise) => self.case(branches, otherwise, ty),
            ExpressionKind::Round(part, digits) => {
                self.lift(&self.value(part), ty, |text| format!("roundDecimal({text}, {digits})"))
            }
        }
    }

    /// A value computed of another; null of null.
    pub(super) fn lift(
        &self,
        value: &GoValue,
        ty: &DataType,
        compute: impl Fn(&str) -> String,
    ) -> GoValue {
        if value.form == GoForm::Plain {
            return GoValue::plain(compute(&value.text), ty);
        }
        let (from, to) = (self.types.plain(&value.ty), self.types.plain(ty));
        let body = compute("value");
        let pointer = value.to_pointer();
        let text = match body.strip_suffix("(value)") {
            // A conversion to a type is no function.
            Some(function)
                if function != to
                    && function.chars().all(|it| it.is_alphanumeric() || it == '.') =>
            {
                format!("apply({pointer}, {function})")
            }
            _ => {
                let function = write_literal(&format!("func(value {from}) {to}"), &body);
                format!("apply({pointer}, {function})")
            }
        };
        GoValue::pointer(text, ty)
    }

    fn lift2(
        &self,
        one: &GoValue,
        other: &GoValue,
        ty: &DataType,
        compute: impl Fn(&str, &str) -> String,
    ) -> GoValue {
        if one.form == GoForm::Plain && other.form == GoForm::Plain {
            return GoValue::plain(compute(&one.text, &other.text), ty);
        }
        let types = (self.types.plain(&one.ty), self.types.plain(&other.ty), self.types.plain(ty));
        let body = compute("one", "other");
        let function = match body.strip_suffix("(one, other)") {
            Some(function) if !function.contains('(') => function.to_owned(),
            _ if types.0 == types.1 => {
                write_literal(&format!("func(one, other {}) {}", types.0, types.2), &body)
            }
            _ => {
                let head = format!("func(one {}, other {}) {}", types.0, types.1, types.2);
                write_literal(&head, &body)
            }
        };
        let sides = (one.to_pointer(), other.to_pointer());
        GoValue::pointer(format!("apply2({}, {}, {function})", sides.0, sides.1), ty)
    }

    fn truth(&self, function: &str, one: &Expression, other: &Expression) -> GoValue {
        let sides = (self.value(one).to_pointer(), self.value(other).to_pointer());
        GoValue::pointer(format!("{function}({}, {})", sides.0, sides.1), &DataType::Boolean)
    }

    /// The number of the bucket of a value.
    pub(super) fn bucket_number(&self, value: &GoValue, width: BucketWidth) -> GoValue {
        let is_id = matches!(value.ty, DataType::Timeuuid | DataType::Uuid);
        let moment = |text: &str| if is_id { format!("uuidTime({text})") } else { text.to_owned() };
        self.lift(value, &DataType::Bigint, |text| match width {
            BucketWidth::Hours(count) => format!("hourNumber({}, {})", moment(text), count.max(1)),
            BucketWidth::Days(count) => format!("dayNumber({}, {})", moment(text), count.max(1)),
            BucketWidth::Weeks(count) => format!("weekNumber({}, {})", moment(text), count.max(1)),
            BucketWidth::Months(count) => {
                format!("monthNumber({}, {})", moment(text), count.max(1))
            }
            BucketWidth::Range(width) => {
                let number = if matches!(value.ty, DataType::Bigint | DataType::Counter) {
                    text.to_owned()
                } else {
                    format!("int64({text})")
                };
                format!("floorDivide({number}, {})", width.max(1))
            }
        })
    }

    fn shard(&self, parts: &[Expression], count: u32) -> GoValue {
        let values: Vec<GoValue> = parts.iter().map(|part| self.root(part)).collect();
        let bytes: Vec<GoValue> = values
            .iter()
            .map(|value| {
                let function = serializer(&value.ty);
                self.lift(value, &DataType::Blob, |text| format!("{function}({text})"))
            })
            .collect();
        let count = count.max(1);
        if bytes.iter().all(|value| value.form == GoForm::Plain) {
            let bytes: Vec<String> = bytes.into_iter().map(|value| value.text).collect();
            return GoValue::plain(
                format!("shardOf({count}, {})", bytes.join(", ")),
                &DataType::Int,
            );
        }
        let bytes: Vec<String> = bytes.iter().map(GoValue::to_pointer).collect();
        GoValue::pointer(format!("nullableShard({count}, {})", bytes.join(", ")), &DataType::Int)
    }

    fn coalesce(&self, parts: &[Expression], ty: &DataType) -> GoValue {
        let values: Vec<GoValue> = parts.iter().map(|part| self.value(part)).collect();
        let known = values.iter().position(|value| value.form == GoForm::Plain);
        let until = known.map_or(values.len(), |at| at + 1);
        let needed = values.get(..until).unwrap_or_default();
        if let [only] = needed {
            return only.clone();
        }
        let texts: Vec<String> = needed.iter().map(GoValue::to_pointer).collect();
        let text = format!("coalesce({})", texts.join(", "));
        if known.is_some() {
            return GoValue::plain(format!("*{text}"), ty);
        }
        GoValue::pointer(text, ty)
    }

    /// An array with or without an element.
    fn change_array(&self, array: &Expression, element: &Expression, is_added: bool) -> GoValue {
        let ty = &array.ty;
        let (array, element) = (self.value(array).to_plain(), self.value(element).to_pointer());
        if is_added {
            return GoValue::plain(format!("appended({array}, {element})"), ty);
        }
        let compare = self.types.compare(ty.element().unwrap_or(ty));
        GoValue::print_stored(format!("removed({array}, {element}, {compare})"), ty)
    }

    fn arithmetic(
        &self,
        operator: Arithmetic,
        one: &Expression,
        other: &Expression,
        ty: &DataType,
    ) -> GoValue {
        let sides = (self.convert(&self.value(one), ty), self.convert(&self.value(other), ty));
        let function = arithmetic_function(operator, ty);
        self.lift2(&sides.0, &sides.1, ty, |one, other| format!("{function}({one}, {other})"))
    }

    fn priority(&self, part: &Expression, function: &str) -> GoValue {
        let value = self.value(part);
        let number = match value.ty {
            DataType::Timestamp => self
                .lift(&value, &DataType::Bigint, |text| format!("{}.UnixMilli()", enclose(text))),
            DataType::Date => {
                self.lift(&value, &DataType::Bigint, |text| format!("dateMillis({text})"))
            }
            _ => self.convert(&value, &DataType::Bigint),
        };
        self.lift(&number, &DataType::Bigint, |text| format!("{function}({text})"))
    }

    fn call(&self, function: ScalarFunction, parts: &[Expression], ty: &DataType) -> GoValue {
        let unary = |name: &str| {
            let value = parts.last().map_or_else(|| self.null(ty), |part| self.value(part));
            self.lift(&value, ty, |text| format!("{name}({text})"))
        };
        match function {
            ScalarFunction::Lower => unary("strings.ToLower"),
            ScalarFunction::Upper => unary("upperText"),
            ScalarFunction::Length => unary("lengthOf"),
            ScalarFunction::Trim => unary("trimSpaces"),
            ScalarFunction::Absolute => match ty {
                DataType::Decimal => unary("absoluteDecimal"),
                DataType::Double => unary("math.Abs"),
                _ => unary("absoluteInteger"),
            },
            ScalarFunction::Coalesce => self.coalesce(parts, ty),
            ScalarFunction::Greatest | ScalarFunction::Least => {
                let is_greatest = function == ScalarFunction::Greatest;
                let wins = if is_greatest { "isGreater" } else { "isLess" };
                let compare = self.types.compare(ty);
                let parts: Vec<String> =
                    parts.iter().map(|part| self.value(part).to_pointer()).collect();
                GoValue::pointer(format!("extreme({compare}, {wins}, {})", parts.join(", ")), ty)
            }
        }
    }

    fn case(
        &self,
        branches: &[(Expression, Expression)],
        otherwise: &Expression,
        ty: &DataType,
    ) -> GoValue {
        let name = self.types.plain(ty);
        let lazy = |part: &Expression, name: &str| {
            write_literal(&format!("func() *{name}"), &self.value(part).to_pointer())
        };
        let mut parts = vec![lazy(otherwise, &name)];
        for (when, then) in branches {
            let (when, then) = (lazy(when, "bool"), lazy(then, &name));
            parts.push(format!("branch[{name}]{{when: {when}, then: {then}}}"));
        }
        GoValue::pointer(format!("choose({})", parts.join(", ")), ty)
    }

    /// The same value in another type.
    pub(super) fn convert(&self, value: &GoValue, ty: &DataType) -> GoValue {
        if self.types.plain(&value.ty) == self.types.plain(ty) && !is_time_changed(&value.ty, ty) {
            return GoValue { ty: ty.clone(), ..value.clone() };
        }
        if let (Some(from), Some(to)) = (value.ty.element(), ty.element()) {
            let inner = self.convert(&GoValue::plain("element", from), to);
            let types = (self.types.plain(from), self.types.plain(to));
            let head = format!("func(element {}) {}", types.0, types.1);
            let function = write_literal(&head, &inner.text);
            return self.lift(value, ty, |text| format!("convertAll({text}, {function})"));
        }
        let name = self.types.plain(ty);
        self.lift(value, ty, |text| convert_scalar(text, &value.ty, ty, &name))
    }
}

fn is_time_changed(from: &DataType, to: &DataType) -> bool {
    matches!((from, to), (DataType::Timestamp, DataType::Date))
}

/// The start of a bucket, as its column has it.
pub(super) fn start_of_bucket(number: &str, width: BucketWidth) -> String {
    match width {
        BucketWidth::Hours(count) => format!("hourStart({number}, {})", count.max(1)),
        BucketWidth::Days(count) => format!("dayStart({number}, {})", count.max(1)),
        BucketWidth::Weeks(count) => format!("weekStart({number}, {})", count.max(1)),
        BucketWidth::Months(count) => format!("monthStart({number}, {})", count.max(1)),
        BucketWidth::Range(_) => number.to_owned(),
    }
}

/// The function that tells whether an order meets a comparison.
pub(super) const fn accepts(operator: ComparisonOperator) -> &'static str {
    match operator {
        ComparisonOperator::Equal => "isEqual",
        ComparisonOperator::NotEqual => "isDifferent",
        ComparisonOperator::Less => "isLess",
        ComparisonOperator::LessOrEqual => "isAtMost",
        ComparisonOperator::Greater => "isGreater",
        ComparisonOperator::GreaterOrEqual => "isAtLeast",
    }
}

/// The function of an operator.
pub(super) fn arithmetic_function(operator: Arithmetic, ty: &DataType) -> String {
    let verb = match operator {
        Arithmetic::Add => "add",
        Arithmetic::Subtract => "subtract",
        Arithmetic::Multiply => "multiply",
    };
    let of = match ty {
        DataType::Decimal => "Decimals",
        DataType::Varint => "Varints",
        DataType::Double => "Floats[float64]",
        DataType::Float => "Floats[float32]",
        DataType::Int => "Integers[int32]",
        DataType::Smallint => "Integers[int16]",
        DataType::Tinyint => "Integers[int8]",
        _ => "Integers[int64]",
    };
    format!("{verb}{of}")
}

fn convert_scalar(text: &str, from: &DataType, to: &DataType, name: &str) -> String {
    let is_small = from.is_integer() && *from != DataType::Varint;
    let wide = |text: &str| match from {
        DataType::Bigint | DataType::Counter => text.to_owned(),
        _ => format!("int64({text})"),
    };
    match (from, to) {
        (_, DataType::Double | DataType::Float) => match from {
            DataType::Decimal => format!("{name}(decimalToFloat({text}))"),
            DataType::Varint => format!("{name}(integerOf({text}))"),
            _ => format!("{name}({text})"),
        },
        (DataType::Varint, DataType::Decimal) => format!("inf.NewDecBig({text}, 0)"),
        (DataType::Double, DataType::Decimal) => format!("floatToDecimal({text})"),
        (DataType::Float, DataType::Decimal) => format!("floatToDecimal(float64({text}))"),
        (_, DataType::Decimal) if is_small => format!("inf.NewDec({}, 0)", wide(text)),
        (_, DataType::Varint) if is_small => format!("big.NewInt({})", wide(text)),
        (DataType::Decimal, DataType::Varint) => format!("big.NewInt(decimalToInteger({text}))"),
        (DataType::Timestamp, DataType::Date) => format!("startOfDay({text})"),
        (DataType::Boolean, DataType::Text | DataType::Ascii) => {
            format!("strconv.FormatBool({text})")
        }
        (_, DataType::Text | DataType::Ascii) if is_small => {
            format!("strconv.FormatInt({}, 10)", wide(text))
        }
        (_, DataType::Text | DataType::Ascii) => format!("{}.String()", enclose(text)),
        _ if to.is_integer() => {
            let number = match from {
                DataType::Decimal => format!("decimalToInteger({text})"),
                DataType::Varint => format!("integerOf({text})"),
                DataType::Double | DataType::Float => format!("floatToInteger(float64({text}))"),
                _ => wide(text),
            };
            match to {
                DataType::Bigint | DataType::Counter => number,
                _ => format!("narrow[{name}]({number})"),
            }
        }
        _ => text.to_owned(),
    }
}

/// The function that serialises a value as CQL does.
fn serializer(ty: &DataType) -> &'static str {
    match ty {
        DataType::Ascii | DataType::Text => "textBytes",
        DataType::Bigint | DataType::Counter | DataType::Time => "int64Bytes",
        DataType::Boolean => "booleanBytes",
        DataType::Date => "dateBytes",
        DataType::Decimal => "decimalBytes",
        DataType::Double => "doubleBytes",
        DataType::Float => "floatBytes",
        DataType::Inet => "inetBytes",
        DataType::Int => "int32Bytes",
        DataType::Smallint => "int16Bytes",
        DataType::Timestamp => "timestampBytes",
        DataType::Timeuuid | DataType::Uuid => "uuidBytes",
        DataType::Tinyint => "int8Bytes",
        DataType::Varint => "varintBytes",
        _ => "blobBytes",
    }
}
