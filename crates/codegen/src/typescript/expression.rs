//! Values that the client computes.

use super::layout::{TypescriptCode, quote};
use super::scope::TypescriptScope;
use crate::program::{
    Arithmetic, BucketWidth, ComparisonOperator, ConstantValue, DataType, Expression,
    ExpressionKind, Repetition, RowReference, ScalarFunction,
};

impl TypescriptScope<'_> {
    /// A value that goes into a statement or a result: a computed decimal has no zeros at its end.
    pub(super) fn value(&self, expression: &Expression) -> TypescriptCode {
        let is_computed = matches!(
            expression.kind,
            ExpressionKind::Arithmetic(..)
                | ExpressionKind::Round(..)
                | ExpressionKind::Call(..)
                | ExpressionKind::Case(..)
        );
        let code = self.expression(expression);
        if is_computed && expression.ty == DataType::Decimal {
            return TypescriptCode::call("h.trimZeros", vec![code]);
        }
        code
    }

    /// The bytes of a value.
    pub(super) fn bytes(&self, expression: &Expression) -> TypescriptCode {
        let codec = self.types.codec(&expression.ty);
        TypescriptCode::call(format!("{codec}.write"), vec![self.value(expression)])
    }

    /// A value.
    pub(super) fn expression(&self, expression: &Expression) -> TypescriptCode {
        let of = |part: &Expression| self.expression(part);
        let codec = |ty: &DataType| TypescriptCode::text(self.types.codec(ty));
        let ty = &expression.ty;
        match &expression.kind {
            ExpressionKind::Parameter(at) => TypescriptCode::text(self.parameter(*at)),
            ExpressionKind::Turn(at) => TypescriptCode::text(format!("turn{at}")),
            ExpressionKind::Column { row, name } => self.column(row, name),
            ExpressionKind::Constant(value) => constant(value, ty),
            ExpressionKind::Bucket(part, width) => TypescriptCode::call(
                "h.bucketOf",
                vec![TypescriptCode::text(bucket_width(*width)), of(part)],
            ),
            ExpressionKind::Shard(parts, count) => {
                let mut arguments = vec![TypescriptCode::text(count.to_string())];
                arguments.extend(parts.iter().map(|part| self.bytes(part)));
                TypescriptCode::call("h.shard", arguments)
            }
            ExpressionKind::Prefix(part, length) => TypescriptCode::call(
                "h.prefix",
                vec![of(part), TypescriptCode::text(length.to_string())],
            ),
            ExpressionKind::PrefixEnd(part) => TypescriptCode::call("h.prefixEnd", vec![of(part)]),
            ExpressionKind::Singleton(part) => TypescriptCode::call("h.singleton", vec![of(part)]),
            ExpressionKind::Coalesce(parts) => self.coalesce(parts, ty),
            ExpressionKind::Difference(one, other) => TypescriptCode::call(
                "h.calculate",
                vec![codec(ty), of(one), TypescriptCode::text("\"-\""), of(other)],
            ),
            ExpressionKind::Append(array, element) => {
                TypescriptCode::call("h.append", vec![of(array), of(element)])
            }
            ExpressionKind::Remove(array, element) => {
                let element_type = ty.element().unwrap_or(&element.ty);
                TypescriptCode::call("h.remove", vec![codec(element_type), of(array), of(element)])
            }
            ExpressionKind::OldestWins(part) => {
                TypescriptCode::call("h.oldestWins", vec![of(part)])
            }
            ExpressionKind::NewestWins(part) => {
                TypescriptCode::call("h.newestWins", vec![of(part)])
            }
            ExpressionKind::Convert(part) if self.is_same(&part.ty, ty) => of(part),
            ExpressionKind::Convert(part) => {
                TypescriptCode::call("h.convert", vec![codec(ty), of(part)])
            }
            ExpressionKind::Arithmetic(operator, one, other) => {
                let operator = match operator {
                    Arithmetic::Add => "\"+\"",
                    Arithmetic::Subtract => "\"-\"",
                    Arithmetic::Multiply => "\"*\"",
                };
                TypescriptCode::call(
                    "h.calculate",
                    vec![codec(ty), of(one), TypescriptCode::text(operator), of(other)],
                )
            }
            ExpressionKind::Concatenate(one, other) => {
                TypescriptCode::call("h.concatenate", vec![of(one), of(other)])
            }
            ExpressionKind::Compare(operator, one, other) => {
                let operator = TypescriptCode::text(comparison(*operator));
                TypescriptCode::call(
                    "h.compare",
                    vec![codec(&one.ty), of(one), operator, of(other)],
                )
            }
            ExpressionKind::And(one, other) => {
                TypescriptCode::call("h.and", vec![of(one), of(other)])
            }
            ExpressionKind::Or(one, other) => {
                TypescriptCode::call("h.or", vec![of(one), of(other)])
            }
            ExpressionKind::Not(part) => TypescriptCode::call("h.negate", vec![of(part)]),
            ExpressionKind::IsNull(part) => TypescriptCode::call("h.isNull", vec![of(part)]),
            ExpressionKind::Call(function, arguments) => self.function(*function, arguments, ty),
            ExpressionKind::Case(branches, otherwise) => self.case(branches, otherwise, ty),
            ExpressionKind::Round(part, digits) => TypescriptCode::call(
                "h.round",
                vec![of(part), TypescriptCode::text(digits.to_string())],
            ),
        }
    }

    /// Whether values of two types are the same here.
    fn is_same(&self, from: &DataType, to: &DataType) -> bool {
        let is_long = |ty: &DataType| matches!(ty, DataType::Bigint | DataType::Counter);
        let is_text = |ty: &DataType| matches!(ty, DataType::Text | DataType::Ascii);
        let has_parts = from.element().is_some() || to.element().is_some();
        is_long(from) && is_long(to)
            || is_text(from) && is_text(to)
            || has_parts && self.types.name(from) == self.types.name(to)
    }

    fn coalesce(&self, parts: &[Expression], ty: &DataType) -> TypescriptCode {
        let name = format!("h.coalesce<{}>", self.types.name(ty));
        TypescriptCode::call(name, parts.iter().map(|part| self.expression(part)).collect())
    }

    fn function(
        &self,
        function: ScalarFunction,
        parts: &[Expression],
        ty: &DataType,
    ) -> TypescriptCode {
        let mut arguments: Vec<_> = parts.iter().map(|part| self.expression(part)).collect();
        let name = match function {
            ScalarFunction::Coalesce => return self.coalesce(parts, ty),
            ScalarFunction::Lower => "h.lower",
            ScalarFunction::Upper => "h.upper",
            ScalarFunction::Length => "h.length",
            ScalarFunction::Trim => "h.trim",
            ScalarFunction::Absolute => "h.absolute",
            ScalarFunction::Greatest => "h.greatest",
            ScalarFunction::Least => "h.least",
        };
        let has_codec = matches!(
            function,
            ScalarFunction::Absolute | ScalarFunction::Greatest | ScalarFunction::Least
        );
        if has_codec {
            arguments.insert(0, TypescriptCode::text(self.types.codec(ty)));
        }
        TypescriptCode::call(name, arguments)
    }

    fn case(
        &self,
        branches: &[(Expression, Expression)],
        otherwise: &Expression,
        ty: &DataType,
    ) -> TypescriptCode {
        let result = self.types.nullable_name(ty, true);
        let arrow = |part: &Expression| {
            TypescriptCode::Arrow(format!("(): {result}"), Box::new(self.expression(part)))
        };
        let test = |part: &Expression| {
            TypescriptCode::Arrow("(): boolean | null".to_owned(), Box::new(self.expression(part)))
        };
        let mut arguments = vec![arrow(otherwise)];
        for (when, then) in branches {
            arguments.push(TypescriptCode::call("h.branch", vec![test(when), arrow(then)]));
        }
        TypescriptCode::call(format!("h.choose<{}>", self.types.name(ty)), arguments)
    }

    /// A column of a row.
    fn column(&self, row: &RowReference, name: &str) -> TypescriptCode {
        match row {
            RowReference::Current => self.current_column(name),
            RowReference::First(step) => match self.property(*step, name) {
                Some(property) => {
                    TypescriptCode::text(format!("step{step}[0]?.{property} ?? null"))
                }
                None => TypescriptCode::text("null"),
            },
            RowReference::Turn(at, path) => self.turn_column(*at, path, name),
        }
    }

    fn property(&self, step: usize, name: &str) -> Option<&str> {
        self.steps.get(step).and_then(|row| row.property(name))
    }

    /// A column of the row of a turn, or of a row under which that was read.
    fn turn_column(&self, at: usize, path: &[usize], name: &str) -> TypescriptCode {
        let Some(Repetition::Rows(step)) = self.repetitions.get(at) else {
            return TypescriptCode::text("null");
        };
        let mut step = *step;
        let mut text = format!("turn{at}");
        for (depth, parent) in path.iter().enumerate() {
            let next = self.steps.get(step).and_then(|row| row.parents.get(*parent));
            let Some(next) = next else { return TypescriptCode::text("null") };
            step = *next;
            text.push_str(if depth == 0 { ".$" } else { "?.$" });
            text.push_str(&parent.to_string());
        }
        let Some(property) = self.property(step, name) else { return TypescriptCode::text("null") };
        if path.is_empty() {
            return TypescriptCode::text(format!("{text}.{property}"));
        }
        TypescriptCode::text(format!("{text}?.{property} ?? null"))
    }
}

/// An operator, as the support file names it.
pub(super) const fn comparison(operator: ComparisonOperator) -> &'static str {
    match operator {
        ComparisonOperator::Equal => "\"=\"",
        ComparisonOperator::NotEqual => "\"!=\"",
        ComparisonOperator::Less => "\"<\"",
        ComparisonOperator::LessOrEqual => "\"<=\"",
        ComparisonOperator::Greater => "\">\"",
        ComparisonOperator::GreaterOrEqual => "\">=\"",
    }
}

/// The width of buckets.
pub(super) fn bucket_width(width: BucketWidth) -> String {
    match width {
        BucketWidth::Hours(count) => format!("h.hours({count})"),
        BucketWidth::Days(count) => format!("h.days({count})"),
        BucketWidth::Weeks(count) => format!("h.weeks({count})"),
        BucketWidth::Months(count) => format!("h.months({count})"),
        BucketWidth::Range(width) => format!("h.range({}n)", width.max(1)),
    }
}

/// A constant of a type.
pub(super) fn constant(value: &ConstantValue, ty: &DataType) -> TypescriptCode {
    let is_long = matches!(ty, DataType::Bigint | DataType::Counter | DataType::Varint);
    TypescriptCode::text(match value {
        ConstantValue::Null => "null".to_owned(),
        ConstantValue::Boolean(truth) => truth.to_string(),
        ConstantValue::Integer(number) if is_long => format!("{number}n"),
        ConstantValue::Integer(number) => number.to_string(),
        ConstantValue::Varint(digits) => format!("{digits}n"),
        ConstantValue::Decimal(digits) => format!("h.parseDecimal({})", quote(digits)),
        ConstantValue::Double(number) => double(*number),
        ConstantValue::Text(text) => quote(text),
        ConstantValue::Uuid(id) if *ty == DataType::Timeuuid => {
            format!("types.TimeUuid.fromString({})", quote(id))
        }
        ConstantValue::Uuid(id) => format!("types.Uuid.fromString({})", quote(id)),
        ConstantValue::Timestamp(millis) => format!("new Date({millis})"),
        ConstantValue::Date(days) => format!("h.dateOfDays({days})"),
        ConstantValue::Time(nanoseconds) => format!("h.timeOfNanoseconds({nanoseconds}n)"),
        ConstantValue::Inet(address) => {
            format!("types.InetAddress.fromString({})", quote(address))
        }
        ConstantValue::Duration(months, days, nanoseconds) => {
            format!("h.durationOf({months}, {days}, {nanoseconds}n)")
        }
        ConstantValue::Blob(bytes) => {
            let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            format!("Buffer.from(\"{digits}\", \"hex\")")
        }
        ConstantValue::Elements(elements) => {
            let element = ty.element().unwrap_or(&DataType::Text);
            return TypescriptCode::Array(
                elements.iter().map(|part| constant(part, element)).collect(),
            );
        }
    })
}

fn double(number: f64) -> String {
    if number.is_nan() {
        return "Number.NaN".to_owned();
    }
    if number.is_infinite() {
        let sign = if number < 0.0 { "-" } else { "" };
        return format!("{sign}Number.POSITIVE_INFINITY");
    }
    let plain = number.to_string();
    if plain.len() > 17 { format!("{number:e}") } else { plain }
}

/// Zero, of a type of numbers; null for others.
pub(super) fn zero(ty: &DataType) -> &'static str {
    match ty {
        DataType::Bigint | DataType::Counter | DataType::Varint => "0n",
        DataType::Decimal => "h.parseDecimal(\"0\")",
        DataType::Double
        | DataType::Float
        | DataType::Int
        | DataType::Smallint
        | DataType::Tinyint => "0",
        _ => "null",
    }
}
