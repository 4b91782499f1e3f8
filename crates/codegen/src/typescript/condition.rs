//! Conditions that the client tests.

use super::expression::comparison;
use super::layout::TypescriptCode;
use super::scope::TypescriptScope;
use crate::program::{Condition, DataType, Expression, ExpressionKind};

impl TypescriptScope<'_> {
    /// A condition.
    pub(super) fn condition(&self, condition: &Condition) -> TypescriptCode {
        let of = |part: &Expression| self.expression(part);
        let codec = |ty: &DataType| TypescriptCode::text(self.types.codec(ty));
        let all = |parts: &[Condition]| parts.iter().map(|part| self.condition(part)).collect();
        match condition {
            Condition::NotNull(part) => TypescriptCode::call(
                "h.not",
                vec![TypescriptCode::call("h.isNull", vec![of(part)])],
            ),
            Condition::Null(part) => TypescriptCode::call("h.isNull", vec![of(part)]),
            Condition::Compares(one, operator, other) => {
                let operator = TypescriptCode::text(comparison(*operator));
                TypescriptCode::call(
                    "h.compares",
                    vec![codec(&one.ty), of(one), operator, of(other)],
                )
            }
            Condition::Differ(one, other) => {
                TypescriptCode::call("h.differ", vec![codec(&one.ty), of(one), of(other)])
            }
            Condition::Holds(array, element) => {
                let element_type = array.ty.element().unwrap_or(&element.ty);
                TypescriptCode::call("h.holds", vec![codec(element_type), of(array), of(element)])
            }
            Condition::In(value, others) => {
                let mut arguments = vec![codec(&value.ty), of(value)];
                arguments.extend(others.iter().map(of));
                TypescriptCode::call("h.isIn", arguments)
            }
            Condition::RowCompares(pairs, operator) => {
                let mut arguments = vec![TypescriptCode::text(comparison(*operator))];
                arguments.extend(pairs.iter().map(|(one, other)| {
                    TypescriptCode::call("h.pair", vec![codec(&one.ty), of(one), of(other)])
                }));
                TypescriptCode::call("h.rowCompares", arguments)
            }
            Condition::StartsWith(text, prefix) => {
                TypescriptCode::call("h.startsWith", vec![of(text), of(prefix)])
            }
            Condition::IsMet(part) => {
                let test = TypescriptCode::Arrow(
                    "(): boolean | null".to_owned(),
                    Box::new(self.expression(part)),
                );
                TypescriptCode::call("h.isMet", vec![test])
            }
            Condition::Not(part) => TypescriptCode::call("h.not", vec![self.condition(part)]),
            Condition::Any(parts) => TypescriptCode::call("h.any", all(parts)),
            Condition::All(parts) => TypescriptCode::call("h.all", all(parts)),
        }
    }

    /// All of several conditions; `None` without any.
    pub(super) fn conditions(&self, conditions: &[Condition]) -> Option<TypescriptCode> {
        match conditions {
            [] => None,
            [single] => Some(self.condition(single)),
            several => {
                let all = several.iter().map(|part| self.condition(part)).collect();
                Some(TypescriptCode::call("h.all", all))
            }
        }
    }

    /// Whether the types of the parameters guarantee that a check is met.
    pub(super) fn is_always_met(&self, condition: &Condition) -> bool {
        let Condition::IsMet(Expression { kind: ExpressionKind::Not(part), .. }) = condition else {
            return false;
        };
        let ExpressionKind::IsNull(part) = &part.kind else { return false };
        let ExpressionKind::Parameter(at) = part.kind else { return false };
        self.parameters.get(at).is_some_and(|parameter| !parameter.nullable)
    }
}
