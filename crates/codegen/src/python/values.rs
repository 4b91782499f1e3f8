//! Values that the client computes.

use crate::program::{
    Arithmetic, BucketWidth, ComparisonOperator, ConstantValue, DataType, Expression,
    ExpressionKind, ScalarFunction,
};

use super::code::{PythonExpression as Code, quote};
use super::scope::PythonScope;
use super::types;

impl PythonScope<'_> {
    /// The value of an expression.
    pub(super) fn value(&self, expression: &Expression) -> Code {
        let ty = || Code::Atom(quote(&expression.ty.to_string()));
        let of = |part: &Expression| self.value(part);
        match &expression.kind {
            ExpressionKind::Parameter(at) => self.parameter(*at),
            ExpressionKind::Turn(at) => Self::turn(*at),
            ExpressionKind::Column { row, name } => self.column(row, name),
            ExpressionKind::Constant(value) => constant(&expression.ty, value),
            ExpressionKind::Bucket(part, bucket) => {
                Code::support("bucket", vec![width(*bucket), of(part)])
            }
            ExpressionKind::Shard(parts, count) => self.shard(parts, *count),
            ExpressionKind::Prefix(part, length) => {
                Code::support("prefix", vec![of(part), length.to_string().into()])
            }
            ExpressionKind::PrefixEnd(part) => Code::support("prefix_end", vec![of(part)]),
            ExpressionKind::Singleton(part) => {
                Code::support("singleton", vec![make(&expression.ty), of(part)])
            }
            ExpressionKind::Coalesce(parts) => {
                Code::support("coalesce", parts.iter().map(of).collect())
            }
            ExpressionKind::Difference(one, other) => {
                Code::support("subtract", vec![ty(), of(one), of(other)])
            }
            ExpressionKind::Append(array, element) => {
                Code::support("append", vec![make(&expression.ty), of(array), of(element)])
            }
            ExpressionKind::Remove(array, element) => {
                let key = self.key_function(&element.ty);
                let parts = vec![make(&expression.ty), of(array), of(element), key];
                Code::support("remove", parts)
            }
            ExpressionKind::OldestWins(part) => Code::support("oldest_wins", vec![of(part)]),
            ExpressionKind::NewestWins(part) => Code::support("newest_wins", vec![of(part)]),
            ExpressionKind::Convert(part) => convert(&expression.ty, &part.ty, of(part)),
            ExpressionKind::Arithmetic(operator, one, other) => {
                let function = match operator {
                    Arithmetic::Add => "add",
                    Arithmetic::Subtract => "subtract",
                    Arithmetic::Multiply => "multiply",
                };
                Code::support(function, vec![ty(), of(one), of(other)])
            }
            ExpressionKind::Concatenate(one, other) => {
                Code::support("concatenate", vec![of(one), of(other)])
            }
            ExpressionKind::Compare(operator, one, other) => {
                let operator = format!("support.{}", comparison(*operator));
                let parts = vec![operator.into(), self.number_key(one), self.number_key(other)];
                Code::support("compare", parts)
            }
            ExpressionKind::And(one, other) => Code::support("both", vec![of(one), of(other)]),
            ExpressionKind::Or(one, other) => Code::support("either", vec![of(one), of(other)]),
            ExpressionKind::Not(part) => Code::support("opposite", vec![of(part)]),
            ExpressionKind::IsNull(part) => Code::support("is_null", vec![of(part)]),
            ExpressionKind::Call(function, arguments) => {
                self.call(*function, &expression.ty, arguments)
            }
            ExpressionKind::Case(branches, otherwise) => {
                let branches: Vec<_> =
                    branches.iter().map(|(when, then)| (of(when), of(then))).collect();
                choose(&branches, of(otherwise))
            }
            ExpressionKind::Round(part, digits) => {
                Code::support("round_half_up", vec![of(part), digits.to_string().into()])
            }
        }
    }

    /// A value as it is bound.
    pub(super) fn bound(&self, expression: &Expression) -> Code {
        let value = self.value(expression);
        match types::encoder(self.names, &expression.ty) {
            Some(encoder) if !value.is_none() => Code::convert(&encoder, value),
            _ => value,
        }
    }

    /// A value with the order of its type.
    pub(super) fn key(&self, expression: &Expression) -> Code {
        let value = self.value(expression);
        match types::order_key(self.names, &expression.ty) {
            Some(function) if !value.is_none() => Code::convert(&function, value),
            _ => value,
        }
    }

    /// The function that makes keys of the order of a type.
    pub(super) fn key_function(&self, ty: &DataType) -> Code {
        Code::parse(&types::order_key(self.names, ty).unwrap_or_else(|| "support.keep".to_owned()))
    }

    /// The same in expressions of SQL, where -0.0 equals 0.0.
    fn number_key(&self, expression: &Expression) -> Code {
        match expression.ty {
            DataType::Double | DataType::Float => {
                Code::support("number_key", vec![self.value(expression)])
            }
            _ => self.key(expression),
        }
    }

    fn shard(&self, parts: &[Expression], count: u32) -> Code {
        let mut arguments = vec![Code::Atom(count.to_string())];
        for part in parts {
            let ty = Code::parse(&types::driver_type(self.names, &part.ty));
            arguments.push(Code::Tuple(vec![ty, self.bound(part)]));
        }
        Code::support("shard", arguments)
    }

    fn call(&self, function: ScalarFunction, ty: &DataType, arguments: &[Expression]) -> Code {
        let mut parts: Vec<Code> = arguments.iter().map(|part| self.value(part)).collect();
        let name = match function {
            ScalarFunction::Lower => "lower",
            ScalarFunction::Upper => "upper",
            ScalarFunction::Length => "length",
            ScalarFunction::Trim => "trim",
            ScalarFunction::Coalesce => "coalesce",
            ScalarFunction::Absolute => {
                parts.insert(0, quote(&ty.to_string()).into());
                "absolute"
            }
            ScalarFunction::Greatest => {
                parts.insert(0, self.key_function(ty));
                "greatest"
            }
            ScalarFunction::Least => {
                parts.insert(0, self.key_function(ty));
                "least"
            }
        };
        Code::support(name, parts)
    }
}

/// A value that is computed only when it is needed.
pub(super) fn to_deferred(value: Code) -> Code {
    Code::Prefixed("lambda: ".to_owned(), Box::new(value))
}

/// The value of the first condition that is true. The turn is given to the functions: those in a
/// loop must not see a later one.
fn choose(branches: &[(Code, Code)], otherwise: Code) -> Code {
    let has_turn = |value: &Code| value.flat().contains("turn_[");
    let is_turned = has_turn(&otherwise)
        || branches.iter().any(|(when, then)| has_turn(when) || has_turn(then));
    let defer = |value: Code| {
        if is_turned {
            Code::Prefixed("lambda turn_: ".to_owned(), Box::new(value))
        } else {
            to_deferred(value)
        }
    };
    let mut parts: Vec<Code> = is_turned.then(|| Code::atom("turn_")).into_iter().collect();
    parts.push(defer(otherwise));
    for (when, then) in branches {
        parts.push(Code::Tuple(vec![defer(when.clone()), defer(then.clone())]));
    }
    Code::support(if is_turned { "case_at" } else { "case" }, parts)
}

/// The function of the support file for a comparison.
pub(super) const fn comparison(operator: ComparisonOperator) -> &'static str {
    match operator {
        ComparisonOperator::Equal => "eq",
        ComparisonOperator::NotEqual => "ne",
        ComparisonOperator::Less => "lt",
        ComparisonOperator::LessOrEqual => "le",
        ComparisonOperator::Greater => "gt",
        ComparisonOperator::GreaterOrEqual => "ge",
    }
}

/// The function that makes an array of elements.
pub(super) fn make(ty: &DataType) -> Code {
    Code::atom(if matches!(ty, DataType::Set(_)) { "set" } else { "list" })
}

/// The width of a bucket.
pub(super) fn width(bucket: BucketWidth) -> Code {
    let (unit, count) = match bucket {
        BucketWidth::Hours(count) => ("hours", count.into()),
        BucketWidth::Days(count) => ("days", count.into()),
        BucketWidth::Weeks(count) => ("weeks", count.into()),
        BucketWidth::Months(count) => ("months", count.into()),
        BucketWidth::Range(count) => ("range", count),
    };
    Code::support("Width", vec![quote(unit).into(), Code::Atom(count.to_string())])
}

/// A value in another type.
fn convert(to: &DataType, from: &DataType, value: Code) -> Code {
    let is_text = |ty: &DataType| matches!(ty, DataType::Text | DataType::Ascii);
    match to {
        _ if value.is_none() => value,
        to if to.is_integer() && from.is_integer() && *to != DataType::Varint => {
            let is_same = |ty: &DataType| matches!(ty, DataType::Bigint | DataType::Counter);
            if is_same(to) && *from != DataType::Varint {
                return value;
            }
            Code::support("to_whole", vec![quote(&to.to_string()).into(), value])
        }
        to if to.is_integer() && from.is_integer() => value,
        to if to.is_integer() => {
            Code::support("to_whole", vec![quote(&to.to_string()).into(), value])
        }
        DataType::Decimal => Code::support("to_decimal", vec![value]),
        DataType::Double => Code::support("to_double", vec![value]),
        DataType::Float => Code::support("to_single", vec![value]),
        to if is_text(to) && !is_text(from) => Code::support("to_text", vec![value]),
        DataType::Date if *from == DataType::Timestamp => Code::support("day_of", vec![value]),
        DataType::Set(_) if matches!(from, DataType::List(_)) => {
            Code::support("as_set", vec![value])
        }
        DataType::List(_) if matches!(from, DataType::Set(_)) => {
            Code::support("as_list", vec![value])
        }
        _ => value,
    }
}

/// A constant of a type.
pub(super) fn constant(ty: &DataType, value: &ConstantValue) -> Code {
    let quoted = |function: &str, text: &str| Code::support(function, vec![quote(text).into()]);
    let number =
        |function: &str, number: i64| Code::support(function, vec![Code::Atom(number.to_string())]);
    match value {
        ConstantValue::Null => Code::atom("None"),
        ConstantValue::Boolean(truth) => Code::atom(if *truth { "True" } else { "False" }),
        ConstantValue::Integer(value) if *ty == DataType::Decimal => number("Decimal", *value),
        ConstantValue::Integer(value) => Code::Atom(value.to_string()),
        ConstantValue::Varint(digits) => Code::Atom(digits.clone()),
        ConstantValue::Decimal(digits) => quoted("Decimal", digits),
        ConstantValue::Double(value) if value.is_finite() => Code::Atom(format!("{value:?}")),
        ConstantValue::Double(value) => {
            let text = if value.is_nan() { "nan" } else { &value.to_string() };
            Code::Call("float".to_owned(), vec![quote(text).into()])
        }
        ConstantValue::Text(text) => Code::Atom(quote(text)),
        ConstantValue::Uuid(id) => quoted("UUID", id),
        ConstantValue::Timestamp(millis) => number("from_millis", *millis),
        ConstantValue::Date(days) => number("from_days", *days),
        ConstantValue::Time(nanoseconds) => number("Time", *nanoseconds),
        ConstantValue::Inet(address) => quoted("to_inet", address),
        ConstantValue::Duration(months, days, nanoseconds) => {
            let parts = [months.to_string(), days.to_string(), nanoseconds.to_string()];
            Code::support("Duration", parts.into_iter().map(Code::Atom).collect())
        }
        ConstantValue::Blob(bytes) => {
            let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            Code::Call("bytes.fromhex".to_owned(), vec![quote(&hex).into()])
        }
        ConstantValue::Elements(elements) => {
            let unknown = DataType::Blob;
            let element = ty.element().unwrap_or(&unknown);
            let parts = elements.iter().map(|value| constant(element, value)).collect();
            if matches!(ty, DataType::Set(_)) { Code::Set(parts) } else { Code::List(parts) }
        }
    }
}
