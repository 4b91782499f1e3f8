//! Conditions on the elements of collections.

use cql::Name;
use cql::relation::{Operator, Relation, RelationKind};
use cql::statement::select::Select;
use schema::access::ReadPlan;

/// The column whose elements a relation looks for, and what of it an index has to know: CONTAINS, CONTAINS KEY, `m[k] = v`.
pub(crate) fn element_predicate(relation: &Relation) -> Option<(&Name, &'static str)> {
    match &relation.kind {
        RelationKind::Column(name, Operator::Contains, _) => Some((name, "values")),
        RelationKind::Column(name, Operator::ContainsKey, _) => Some((name, "keys")),
        RelationKind::Element(name, ..) => Some((name, "entries")),
        _ => None,
    }
}

/// Whether a SELECT filters for nothing but elements of collections.
pub(crate) fn is_element_filter(read: &ReadPlan, select: &Select) -> bool {
    let is_sought = |at: &usize| {
        let name = read.table.columns().get(*at).map(|column| &column.name);
        let mut sought = select.relations.iter().filter_map(element_predicate);
        name.is_some_and(|name| sought.any(|(known, _)| known.text == *name))
    };
    !read.filtering.columns.is_empty() && read.filtering.columns.iter().all(is_sought)
}
