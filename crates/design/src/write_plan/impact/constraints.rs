//! Constraints of SQL that the statements do not check.

use model::concept::{Check, Entity};
use model::id::{AttributeId, IdList};
use model::plan::Precondition;

use super::Impact;

impl Impact<'_> {
    /// The CHECK and UNIQUE constraints over attributes that the write changes.
    pub(super) fn constraint_preconditions(&self, entity: &Entity) -> Vec<Precondition> {
        let mut preconditions = Vec::new();
        for check in entity.checks.iter().filter(|check| self.can_violate(check)) {
            let (entity, condition) = (entity.name.clone(), check.sql.clone());
            preconditions.push(Precondition::CheckHolds { entity, condition });
        }
        for unique in &entity.unique {
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
