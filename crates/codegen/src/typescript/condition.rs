//! Conditions that the client tests.

use super::expression::comparison;
use super::layout::TypescriptCode;
use super::scope::TypescriptScope;
use crate::program::{Condition, DataType, Expression, ExpressionKind};

type Code = TypescriptCode;

impl TypescriptScope<'_> {
    /// A condition.
    pub(super) fn condition(&self, condition: &Condition) -> Code {
        let of = |part: &Expression| self.expression(part);
        let codec = |ty: &DataType| Code::text(self.types.codec(ty));
        let all = |parts: &[Condition]| parts.iter().map(|part| self.condition(part)).collect();
        match condition {
            Condition::NotNull(part) => {
                Code::call("h.not", vec![Code::call("h.isNull", vec![of(part)])])
            }
            Condition::Null(part) => Code::call("h.isNull", vec![of(part)]),
            Condition::Compares(one, operator, other) => {
                let operator = Code::text(comparison(*operator));
                Code::call("h.compares", vec![codec(&one.ty), of(one), operator, of(other)])
            }
            Condition::Differ(one, other) => {
                Code::call("h.differ", vec![codec(&one.ty), of(one), of(other)])
            }
            Condition::Holds(array, element) => {
                let element_type = array.ty.element().unwrap_or(&element.ty);
                Code::call("h.holds", vec![codec(element_type), of(array), of(element)])
            }
            Condition::In(value, others) => {
                let mut arguments = vec![codec(&value.ty), of(value)];
                arguments.extend(others.iter().map(of));
                Code::call("h.isIn", arguments)
            }
            Condition::RowCompares(pairs, operator) => {
                let mut arguments = vec![Code::text(comparison(*operator))];
                arguments.extend(pairs.iter().map(|(one, other)| {
                    Code::call("h.pair", vec![codec(&one.ty), of(one), of(other)])
                }));
                Code::call("h.rowCompares", arguments)
            }
            Condition::StartsWith(text, prefix) => {
                Code::call("h.startsWith", vec![of(text), of(prefix)])
            }
            Condition::IsMet(part) => {
                let test =
                    Code::Arrow("(): boolean | null".to_owned(), Box::new(self.expression(part)));
                Code::call("h.isMet", vec![test])
            }
            Condition::Not(part) => Code::call("h.not", vec![self.condition(part)]),
            Condition::Any(parts) => Code::call("h.any", all(parts)),
            Condition::All(parts) => Code::call("h.all", all(parts)),
        }
    }

    /// All of several conditions; `None` without any.
    pub(super) fn conditions(&self, conditions: &[Condition]) -> Option<Code> {
        match conditions {
            [] => None,
            [single] => Some(self.condition(single)),
            several => {
                let all = several.iter().map(|part| self.condition(part)).collect();
                Some(Code::call("h.all", all))
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
