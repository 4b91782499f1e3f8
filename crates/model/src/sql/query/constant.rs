//! Constants of SQL, typed against the column they meet and spelt as CQL does.

use cql::Span;
use cql::types::{NativeType, Type};
use cql::value;
use sqlparser::ast::{Expr, UnaryOperator, Value as SqlValue};

use super::parameter::{Target, article};
use super::resolver::Resolver;

/// How a constant is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Spelling {
    Number,
    Text,
    Truth,
}

impl Resolver<'_> {
    /// A constant in CQL's spelling.
    pub(super) fn constant(&mut self, expression: &Expr, target: Target<'_>) -> Option<String> {
        let span = self.expression(expression);
        let Some((spelling, text)) = constant(expression) else {
            let message = format!("{} cannot be given so", target.name);
            self.report("MF340", span, message, "give a constant, or a parameter: `?`");
            return None;
        };
        let literal = literal(spelling, &text, target.ty);
        if literal.is_none() {
            self.does_not_fit(span, target);
        }
        literal
    }

    /// The elements of an array constant, as one CQL constant of a list or set.
    pub(super) fn array(&mut self, elements: &[Expr], target: Target<'_>) -> Option<String> {
        let (element, brackets) = match target.ty {
            Type::List(element, _) => (element, ('[', ']')),
            Type::Set(element, _) => (element, ('{', '}')),
            _ => {
                let place =
                    elements.first().map_or(self.named.span, |first| self.expression(first));
                self.does_not_fit(place, target);
                return None;
            }
        };
        let target = Target { ty: element, ..target };
        let constants: Vec<Option<String>> =
            elements.iter().map(|element| self.constant(element, target)).collect();
        let constants: Vec<String> = constants.into_iter().collect::<Option<_>>()?;
        Some(format!("{}{}{}", brackets.0, constants.join(", "), brackets.1))
    }

    fn does_not_fit(&mut self, span: Span, target: Target<'_>) {
        let message = format!(
            "{} is no value of {}, which is {}",
            self.places.text(span),
            target.name,
            article(target.ty)
        );
        let help = match target.ty {
            Type::Native(NativeType::Boolean) => "write true or false".to_owned(),
            Type::Native(NativeType::Text | NativeType::Ascii) => {
                "write a text in single quotes".to_owned()
            }
            Type::List(..) | Type::Set(..) | Type::Map(..) | Type::User(..) => {
                "give it as a parameter: `?`".to_owned()
            }
            ty => format!("write a value of type {ty}, or a parameter: `?`"),
        };
        self.report("MF340", span, message, help);
    }
}

/// What a constant says, without the casts and brackets around it.
fn constant(expression: &Expr) -> Option<(Spelling, String)> {
    match expression {
        Expr::Nested(nested) => constant(nested),
        Expr::Cast { expr, .. } => constant(expr),
        Expr::TypedString(typed) => text(&typed.value.value).map(|text| (Spelling::Text, text)),
        Expr::UnaryOp { op: UnaryOperator::Minus, expr } => match constant(expr)? {
            (Spelling::Number, number) => Some((Spelling::Number, format!("-{number}"))),
            _ => None,
        },
        Expr::UnaryOp { op: UnaryOperator::Plus, expr } => {
            constant(expr).filter(|(spelling, _)| *spelling == Spelling::Number)
        }
        Expr::Value(value) => match &value.value {
            SqlValue::Number(number, _) => Some((Spelling::Number, number.clone())),
            SqlValue::Boolean(truth) => Some((Spelling::Truth, truth.to_string())),
            other => text(other).map(|text| (Spelling::Text, text)),
        },
        _ => None,
    }
}

/// The text of a string constant.
pub(super) fn text(value: &SqlValue) -> Option<String> {
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

/// The CQL spelling of a constant as a value of a type; nothing where it is none.
fn literal(spelling: Spelling, text: &str, ty: &Type) -> Option<String> {
    let Type::Native(native) = ty else { return None };
    let allowed = match native {
        NativeType::Boolean => spelling != Spelling::Number,
        NativeType::Bigint
        | NativeType::Counter
        | NativeType::Decimal
        | NativeType::Double
        | NativeType::Float
        | NativeType::Int
        | NativeType::Smallint
        | NativeType::Tinyint
        | NativeType::Varint => spelling != Spelling::Truth,
        _ => spelling == Spelling::Text,
    };
    let is_text = matches!(native, NativeType::Text | NativeType::Ascii);
    if !allowed || (text.is_empty() && !is_text) {
        return None;
    }
    let read = match native {
        NativeType::Blob => text.strip_prefix("\\x")?,
        // What depends on when it is read is no constant.
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
        let spelt = |spelling, text, native: NativeType| literal(spelling, text, &native.into());
        assert_eq!(spelt(Spelling::Text, "it's", NativeType::Text).as_deref(), Some("'it''s'"));
        assert_eq!(spelt(Spelling::Number, "7", NativeType::Int).as_deref(), Some("7"));
        assert_eq!(spelt(Spelling::Text, "7", NativeType::Int).as_deref(), Some("7"));
        assert_eq!(spelt(Spelling::Truth, "true", NativeType::Boolean).as_deref(), Some("true"));
        assert_eq!(spelt(Spelling::Text, "\\xCAFE", NativeType::Blob).as_deref(), Some("0xcafe"));
        let uuid = "123E4567-e89b-12d3-a456-426614174000";
        assert_eq!(spelt(Spelling::Text, uuid, NativeType::Uuid), Some(uuid.to_lowercase()));
        let day = spelt(Spelling::Text, "2024-02-29", NativeType::Date);
        assert_eq!(day.as_deref(), Some("'2024-02-29'"));
    }

    #[test]
    fn other_types_are_refused() {
        let refused =
            |spelling, text, native: NativeType| literal(spelling, text, &native.into()).is_none();
        assert!(refused(Spelling::Number, "7", NativeType::Text));
        assert!(refused(Spelling::Number, "1.5", NativeType::Int));
        assert!(refused(Spelling::Number, "40000", NativeType::Smallint));
        assert!(refused(Spelling::Truth, "true", NativeType::Int));
        assert!(refused(Spelling::Number, "1", NativeType::Boolean));
        assert!(refused(Spelling::Text, "", NativeType::Int));
        assert!(refused(Spelling::Text, "now", NativeType::Timestamp));
        assert!(refused(Spelling::Text, "2024-02-30", NativeType::Date));
        assert!(refused(Spelling::Text, "x", NativeType::Uuid));
    }
}
