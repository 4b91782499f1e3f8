//! What the tables demand of rows: generated columns, CHECK and UNIQUE constraints.

use cql::types::{NativeType, Type};
use cql::value::Decimal;
use model::concept::{Check, Entity};
use model::expression::{Expression, Scalar, evaluate};
use model::id::{AttributeId, IdList};
use num_bigint::BigInt;

use super::value::neighbour;
use crate::dataset::Row;
use crate::value::parse_constant;

/// The relational database keeps decimals as whole numbers of millionths: larger ones would not fit
/// once they are multiplied.
const DECIMAL_MAX: i64 = 1_000_000_000_000;

/// Sets the generated columns of a row; `false` where the database would raise an error.
pub(super) fn compute_generated(entity: &Entity, row: &mut Row) -> bool {
    for (at, attribute) in entity.attributes.enumerate_ids() {
        let Some(generation) = &attribute.generated else { continue };
        let value = match &generation.expression {
            None => Scalar::Null,
            Some(expression) => match evaluate_row(entity, row, expression) {
                Some(value) if is_storable(&value) => value,
                _ => return false,
            },
        };
        if let Some(place) = row.get_mut(at.index()) {
            *place = value.to_bytes();
        }
    }
    true
}

fn is_storable(value: &Scalar) -> bool {
    match value {
        Scalar::Decimal(Decimal { unscaled, scale }) => {
            let digits = u32::try_from(*scale).unwrap_or(0);
            let most = BigInt::from(DECIMAL_MAX) * BigInt::from(10).pow(digits);
            digits <= 6 && unscaled.magnitude() <= most.magnitude()
        }
        _ => true,
    }
}

/// Whether a row meets all checks of its table: none is false.
pub(super) fn has_valid_checks(entity: &Entity, row: &Row) -> bool {
    entity.checks.iter().all(|check| is_check_met(entity, row, check))
}

/// Whether a row meets a check: it is not false.
pub(super) fn is_check_met(entity: &Entity, row: &Row, check: &Check) -> bool {
    let Some(expression) = &check.expression else { return true };
    matches!(evaluate_row(entity, row, expression), Some(Scalar::Boolean(true) | Scalar::Null))
}

/// Whether a row is one of those that a partial UNIQUE constraint compares.
pub(super) fn is_compared(entity: &Entity, row: &Row, condition: Option<&Check>) -> bool {
    let expression = condition.and_then(|condition| condition.expression.as_ref());
    expression.is_none_or(|expression| {
        evaluate_row(entity, row, expression) == Some(Scalar::Boolean(true))
    })
}

/// Whether no two rows may have the same value of an attribute, alone or together with others.
pub(super) fn is_in_unique(entity: &Entity, attribute: AttributeId) -> bool {
    entity.keys.iter().any(|key| key.contains(&attribute))
        || entity.unique.iter().any(|unique| unique.attributes.contains(&attribute))
}

fn evaluate_row(
    entity: &Entity,
    row: &Row,
    expression: &Expression<AttributeId>,
) -> Option<Scalar> {
    evaluate(expression, &mut |at: &AttributeId| {
        let ty = entity.attributes.member(*at).map(|attribute| &attribute.ty);
        let value = row.get(at.index()).and_then(Option::as_deref);
        ty.map_or(Scalar::Null, |ty| Scalar::from_bytes(ty, value))
    })
}

/// The checks on one attribute alone.
pub(super) struct AttributeChecks<'a> {
    attribute: AttributeId,
    ty: &'a Type,
    checks: Vec<&'a Expression<AttributeId>>,
}

impl<'a> AttributeChecks<'a> {
    /// The checks of an attribute; `None` where it has none.
    pub(super) fn new(entity: &'a Entity, attribute: AttributeId) -> Option<Self> {
        let ty = &entity.attributes.member(attribute)?.ty;
        let alone = |expression: &&Expression<AttributeId>| {
            let columns = expression.columns();
            !columns.is_empty() && columns.into_iter().all(|at| *at == attribute)
        };
        let expressions = entity.checks.iter().filter_map(|check| check.expression.as_ref());
        let checks: Vec<_> = expressions.filter(alone).collect();
        (!checks.is_empty()).then_some(Self { attribute, ty, checks })
    }

    /// Whether a value meets them.
    pub(super) fn is_met(&self, value: &[u8]) -> bool {
        self.checks.iter().all(|expression| {
            let found = evaluate(expression, &mut |at: &AttributeId| {
                debug_assert_eq!(*at, self.attribute);
                Scalar::from_bytes(self.ty, Some(value))
            });
            matches!(found, Some(Scalar::Boolean(true) | Scalar::Null))
        })
    }

    /// The constants of the checks and the values beside them, as far as they meet the checks.
    pub(super) fn suggestions(&self) -> Vec<Vec<u8>> {
        let mut constants = Vec::new();
        for expression in &self.checks {
            collect_constants(expression, self.ty, &mut constants);
        }
        let beside: Vec<_> = constants
            .iter()
            .flat_map(|it: &Vec<u8>| [neighbour(self.ty, it, true), neighbour(self.ty, it, false)])
            .filter(|_| !matches!(self.ty, Type::Native(NativeType::Text)))
            .collect();
        constants.extend(beside);
        let is_stored = |value: &[u8]| is_storable(&Scalar::from_bytes(self.ty, Some(value)));
        constants.retain(|value| self.is_met(value) && is_stored(value));
        constants
    }
}

fn collect_constants(expression: &Expression<AttributeId>, ty: &Type, found: &mut Vec<Vec<u8>>) {
    if let Expression::Constant(literal, native) = expression
        && Type::Native(*native) == *ty
    {
        found.extend(parse_constant(ty, literal).bytes);
    }
    expression.parts().into_iter().for_each(|part| collect_constants(part, ty, found));
}
