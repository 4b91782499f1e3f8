//! SQL constants, checked against the type of their column and converted to CQL literals.

use cql::Span;
use cql::types::{NativeType, Type};
use cql::value;
use sqlparser::ast::{Expr, UnaryOperator, Value as SqlValue};

use super::parameter::{ValueTarget, with_article};
use super::resolver::Resolver;

/// How a constant is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ConstantKind {
    Number,
    Text,
    Truth,
}

impl Resolver<'_> {
    /// A constant as a CQL literal.
    pub(super) fn resolve_constant(
        &mut self,
        expression: &Expr,
        target: ValueTarget<'_>,
    ) -> Option<String> {
        let span = self.expression_span(expression);
        let Some((kind, text)) = parse_constant(expression) else {
            let message =
                format!("the value of {} is neither a constant nor a parameter", target.name);
            self.report("MF340", span, message, "use a constant or a parameter: `?`");
            return None;
        };
        let literal = cql_literal(kind, &text, target.ty);
        if literal.is_none() {
            self.report_mismatch(span, target);
        }
        literal
    }

    /// The elements of an array constant, as one CQL constant of a list or set.
    pub(super) fn resolve_array(
        &mut self,
        elements: &[Expr],
        target: ValueTarget<'_>,
    ) -> Option<String> {
        let (element, brackets) = match target.ty {
            Type::List(element, _) => (element, ('[', ']')),
            Type::Set(element, _) => (element, ('{', '}')),
            _ => {
                let place =
                    elements.first().map_or(self.named.span, |first| self.expression_span(first));
                self.report_mismatch(place, target);
                return None;
            }
        };
        let target = ValueTarget { ty: element, ..target };
        let constants: Vec<Option<String>> =
            elements.iter().map(|element| self.resolve_constant(element, target)).collect();
        let constants: Vec<String> = constants.into_iter().collect::<Option<_>>()?;
        Some(format!("{}{}{}", brackets.0, constants.join(", "), brackets.1))
    }

    fn report_mismatch(&mut self, span: Span, target: ValueTarget<'_>) {
        let message = format!(
            "{} is not a valid value for {}, which is {}",
            self.places.text(span),
            target.name,
            with_article(target.ty)
        );
        let help = match target.ty {
            Type::Native(NativeType::Boolean) => "write true or false".to_owned(),
            Type::Native(NativeType::Text | NativeType::Ascii) => {
                "write the text in single quotes".to_owned()
            }
            Type::List(..) | Type::Set(..) | Type::Map(..) | Type::User(..) => {
                "pass it as a parameter: `?`".to_owned()
            }
            ty => format!("write a value of type {ty}, or a parameter: `?`"),
        };
        self.report("MF340", span, message, help);
    }
}

/// The kind and text of a constant, without casts and brackets around it.
fn parse_constant(expression: &Expr) -> Option<(ConstantKind, String)> {
    match expression {
        Expr::Nested(nested) => parse_constant(nested),
        Expr::Cast { expr, .. } => parse_constant(expr),
        Expr::TypedString(typed) => {
            string_text(&typed.value.value).map(|text| (ConstantKind::Text, text))
        }
        Expr::UnaryOp { op: UnaryOperator::Minus, expr } => match parse_constant(expr)? {
            (ConstantKind::Number, number) => Some((ConstantKind::Number, format!("-{number}"))),
            _ => None,
        },
        Expr::UnaryOp { op: UnaryOperator::Plus, expr } => {
            parse_constant(expr).filter(|(kind, _)| *kind == ConstantKind::Number)
        }
        Expr::Value(value) => match &value.value {
            SqlValue::Number(number, _) => Some((ConstantKind::Number, number.clone())),
            SqlValue::Boolean(truth) => Some((ConstantKind::Truth, truth.to_string())),
            other => string_text(other).map(|text| (ConstantKind::Text, text)),
        },
        _ => None,
    }
}

/// The text of a string constant.
pub(super) fn string_text(value: &SqlValue) -> Option<String> {
    match value {
        SqlValue::SingleQuotedString(text)
        | SqlValue::EscapedStringLiteral(text)
        | SqlValue::UnicodeStringLiteral(text)
        | SqlValue::NationalStringLiteral(text) => Some(text.clone()),
        SqlValue::DollarQuotedString(text) => Some(text.value.clone()),
        SqlValue::HexStringLiteral(digits) => Some(format!("\\x{digits}")),
        _ => None,
    }
}

/// The CQL literal of a constant for a type; `None` where it is not a value of the type.
fn cql_literal(kind: ConstantKind, text: &str, ty: &Type) -> Option<String> {
    let Type::Native(native) = ty else { return None };
    let allowed = match native {
        NativeType::Boolean => kind != ConstantKind::Number,
        NativeType::Bigint
        | NativeType::Counter
        | NativeType::Decimal
        | NativeType::Double
        | NativeType::Float
        | NativeType::Int
        | NativeType::Smallint
        | NativeType::Tinyint
        | NativeType::Varint => kind != ConstantKind::Truth,
        _ => kind == ConstantKind::Text,
    };
    let is_text = matches!(native, NativeType::Text | NativeType::Ascii);
    if !allowed || (text.is_empty() && !is_text) {
        return None;
    }
    let read = match native {
        NativeType::Blob => text.strip_prefix("\\x")?,
        // `now` depends on when it is read, so it is not a constant.
        NativeType::Timestamp if text.eq_ignore_ascii_case("now") => return None,
        _ => text,
    };
    let bytes = value::from_text(ty, read, 0).ok()?;
    value::literal(ty, Some(&bytes)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_spelt_as_cql() {
        let spelt = |kind, text, native: NativeType| cql_literal(kind, text, &native.into());
        assert_eq!(spelt(ConstantKind::Text, "it's", NativeType::Text).as_deref(), Some("'it''s'"));
        assert_eq!(spelt(ConstantKind::Number, "7", NativeType::Int).as_deref(), Some("7"));
        assert_eq!(spelt(ConstantKind::Text, "7", NativeType::Int).as_deref(), Some("7"));
        assert_eq!(
            spelt(ConstantKind::Truth, "true", NativeType::Boolean).as_deref(),
            Some("true")
        );
        assert_eq!(
            spelt(ConstantKind::Text, "\\xCAFE", NativeType::Blob).as_deref(),
            Some("0xcafe")
        );
        let uuid = "123E4567-e89b-12d3-a456-426614174000";
        assert_eq!(spelt(ConstantKind::Text, uuid, NativeType::Uuid), Some(uuid.to_lowercase()));
        let day = spelt(ConstantKind::Text, "2024-02-29", NativeType::Date);
        assert_eq!(day.as_deref(), Some("'2024-02-29'"));
    }

    #[test]
    fn other_types_are_refused() {
        let refused =
            |kind, text, native: NativeType| cql_literal(kind, text, &native.into()).is_none();
        assert!(refused(ConstantKind::Number, "7", NativeType::Text));
        assert!(refused(ConstantKind::Number, "1.5", NativeType::Int));
        assert!(refused(ConstantKind::Number, "40000", NativeType::Smallint));
        assert!(refused(ConstantKind::Truth, "true", NativeType::Int));
        assert!(refused(ConstantKind::Number, "1", NativeType::Boolean));
        assert!(refused(ConstantKind::Text, "", NativeType::Int));
        assert!(refused(ConstantKind::Text, "now", NativeType::Timestamp));
        assert!(refused(ConstantKind::Text, "2024-02-30", NativeType::Date));
        assert!(refused(ConstantKind::Text, "x", NativeType::Uuid));
    }
}
