//! Constraints of SQL that the statements do not check.

use cql::types::{NativeType, Type};
use model::concept::{AttributeRef, Check, Constraint, Entity};
use model::id::{AttributeId, IdList};
use model::plan::{Precondition, is_checked_by_client};

use super::Impact;
use super::target::AttributeChange;

impl Impact<'_> {
    /// The CHECK and UNIQUE constraints over attributes that the write changes.
    pub(super) fn constraint_preconditions(&self, entity: &Entity) -> Vec<Precondition> {
        let mut preconditions = Vec::new();
        let own = self.target.entity;
        let is_open = |check: &Check| {
            self.can_violate(check) && !is_checked_by_client(entity, self.write, check)
        };
        for (at, check) in entity.checks.iter().enumerate().filter(|(_, check)| is_open(check)) {
            let (entity, clause) = (entity.name.clone(), check.describe());
            let constraint = Constraint::Check(own, at);
            preconditions.push(Precondition::CheckHolds { entity, clause, constraint });
        }
        for (after, (at, attribute)) in
            self.target.after.iter().zip(entity.attributes.enumerate_ids())
        {
            let is_sum = matches!(after, AttributeChange::Plus(_) | AttributeChange::Less(_));
            if is_sum && is_whole_number(&attribute.ty) {
                preconditions.push(Precondition::SumInRange {
                    entity: entity.name.clone(),
                    attribute: attribute.name.clone(),
                    ty: attribute.ty.to_string(),
                    constraint: Constraint::Range(AttributeRef { entity: own, attribute: at }),
                });
            }
        }
        for (at, unique) in entity.unique.iter().enumerate() {
            let changed = |at: &AttributeId| self.target.is_changed(*at);
            let enters = unique.condition.as_ref().is_some_and(|check| self.can_violate(check));
            if !unique.attributes.iter().any(changed) && !enters {
                continue;
            }
            let attributes =
                unique.attributes.iter().filter_map(|at| entity.attributes.member(*at));
            preconditions.push(Precondition::UniqueValues {
                entity: entity.name.clone(),
                attributes: attributes.map(|attribute| attribute.name.clone()).collect(),
                condition: unique.condition.as_ref().map(|check| check.sql.clone()),
                constraint: Constraint::Unique(own, at),
            });
        }
        preconditions
    }

    /// Whether the write may change what a check is about.
    fn can_violate(&self, check: &Check) -> bool {
        check.expression.as_ref().is_none_or(|expression| {
            expression.columns().into_iter().any(|at| self.target.is_changed(*at))
        })
    }
}

const fn is_whole_number(ty: &Type) -> bool {
    matches!(ty, Type::Native(NativeType::Smallint | NativeType::Int | NativeType::Bigint))
}
