//! Evaluation of conditions on generated rows.

use std::cmp::Ordering;

use cql::types::{NativeType, Type};
use cql::value;
use model::concept::Concept;
use model::id::{AttributeId, EntityId, IdList};
use model::workload::{Column, Comparison, Condition, Predicate, Value};

use super::change::{elements, resolve_value};
use super::facts::Facts;
use crate::dataset::{Datum, Row};

/// Conditions with the values of their parameters.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoundConditions<'a> {
    pub(super) concept: &'a Concept,
    pub(super) conditions: &'a [Condition],
    pub(super) values: &'a [Datum],
}

impl BoundConditions<'_> {
    /// The slots of the rows of an entity that meet all conditions.
    pub(super) fn find_places(&self, facts: &Facts, entity: EntityId) -> Vec<usize> {
        let Some(store) = facts.stores.get(entity.index()) else { return Vec::new() };
        let meets = |row: &Row| {
            let of = |column: Column| {
                let declared =
                    self.concept.entities.member(entity)?.attributes.member(column.attribute)?;
                Some((row.get(column.attribute.index())?, &declared.ty))
            };
            self.conditions.iter().all(|it| is_satisfied(&it.predicate, of, self.values))
        };
        let equal = self.equality_values(entity);
        let attributes = self.concept.entities.member(entity).into_iter().flat_map(|entity| {
            let references = entity.references.iter().map(|it| &it.attributes);
            entity.keys.iter().chain(references)
        });
        for wanted in attributes {
            let values: Option<Vec<&Datum>> = wanted
                .iter()
                .map(|at| equal.iter().find(|(other, _)| other == at).map(|(_, value)| value))
                .collect();
            if let Some(values) = values
                && !values.is_empty()
            {
                let found = store.find(wanted, &values);
                return found.filter(|(_, row)| meets(row)).map(|(place, _)| place).collect();
            }
        }
        store.rows().filter(|(_, row)| meets(row)).map(|(place, _)| place).collect()
    }

    /// The attributes that are restricted to one value.
    fn equality_values(&self, entity: EntityId) -> Vec<(AttributeId, Datum)> {
        let equal = |condition: &Condition| match &condition.predicate {
            Predicate::Compare { column, comparison: Comparison::Equal, value } => {
                let declared =
                    self.concept.entities.member(entity)?.attributes.member(column.attribute)?;
                Some((column.attribute, resolve_value(&declared.ty, value, self.values)))
            }
            _ => None,
        };
        self.conditions.iter().filter_map(equal).collect()
    }
}

/// Whether a predicate holds; `of` gives the value and type of a column.
pub(super) fn is_satisfied<'r>(
    test: &Predicate,
    of: impl Fn(Column) -> Option<(&'r Datum, &'r Type)>,
    values: &[Datum],
) -> bool {
    let compared = |column: Column, with: &Value| {
        let (own, ty) = of(column)?;
        let other = resolve_value(ty, with, values)?;
        Some(value::compare(ty, own.as_ref()?, &other))
    };
    match test {
        Predicate::Compare { column, comparison, value } => {
            compared(*column, value).is_some_and(|order| matches_order(*comparison, order))
        }
        Predicate::In { column, values: list } => {
            list.iter().any(|value| compared(*column, value) == Some(Ordering::Equal))
        }
        Predicate::AnyOf { column, parameter } => {
            let list = values.get(parameter.index()).and_then(|it| it.as_ref());
            let Some(((Some(own), ty), list)) = of(*column).zip(list) else { return false };
            let list_type = Type::List(std::sync::Arc::new(ty.clone()), cql::types::Frozenness::No);
            let parts = value::split(&list_type, list).unwrap_or_default();
            parts.into_iter().flatten().any(|part| value::compare(ty, own, part).is_eq())
        }
        Predicate::Holds { column, value } => {
            let Some((own, ty)) = of(*column) else { return false };
            let (Type::List(element, _) | Type::Set(element, _)) = ty else { return false };
            let wanted = resolve_value(element, value, values);
            elements(ty, own).iter().any(|part| Some(part) == wanted.as_ref())
        }
        Predicate::Row { columns, comparison, values: list } => {
            for (column, value) in columns.iter().zip(list) {
                match compared(*column, value) {
                    None => return false,
                    Some(Ordering::Equal) => {}
                    Some(order) => return matches_order(*comparison, order),
                }
            }
            matches_order(*comparison, Ordering::Equal)
        }
        Predicate::Prefix { column, value } => {
            let text = Type::from(NativeType::Text);
            let prefix = resolve_value(&text, value, values);
            of(*column).zip(prefix).is_some_and(|((own, _), prefix)| {
                own.as_ref().is_some_and(|own| own.starts_with(&prefix))
            })
        }
        Predicate::NotNull { column } => of(*column).is_some_and(|(own, _)| own.is_some()),
        Predicate::Null { column } => of(*column).is_some_and(|(own, _)| own.is_none()),
    }
}

fn matches_order(comparison: Comparison, order: Ordering) -> bool {
    match comparison {
        Comparison::Equal => order.is_eq(),
        Comparison::Less => order.is_lt(),
        Comparison::LessOrEqual => order.is_le(),
        Comparison::Greater => order.is_gt(),
        Comparison::GreaterOrEqual => order.is_ge(),
    }
}
