//! SQL constants of statements, checked against the type of their column.

use cql::Span;
use cql::types::{NativeType, Type};
use sqlparser::ast::Expr;

use super::parameter::ValueTarget;
use super::resolver::Resolver;
use crate::figures::with_article;
use crate::sql::literal::{cql_literal, parse_constant};

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
