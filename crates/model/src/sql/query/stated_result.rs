//! `@span` and `@returns`: what is stated about the rows that a query finds.

use cql::Span;
use cql::types::{NativeType, Type};

use super::heading::Heading;
use super::resolver::Resolver;
use crate::assumption::{Assumption, AssumptionTopic};
use crate::concept::{Attribute, Concept};
use crate::directive::{SpanWidth, StatedSpan};
use crate::id::IdList;
use crate::workload::{
    Column, Comparison, Condition, Predicate, RangeSpan, Read, Source, StatedResult,
};

impl Resolver<'_> {
    /// What the directives above a query state about its rows.
    pub(super) fn resolve_stated_result(
        &mut self,
        heading: &Heading<'_>,
        sources: &[Source],
        conditions: &[Condition],
    ) -> StatedResult {
        let ranges = list_ranged_columns(conditions);
        let mut spans: Vec<RangeSpan> = Vec::new();
        for (stated, place) in &heading.spans {
            if let Some(span) = self.resolve_span(stated, *place, sources, &ranges) {
                spans.push(span);
            }
        }
        StatedResult { spans, returns: heading.returns }
    }

    fn resolve_span(
        &mut self,
        stated: &StatedSpan,
        place: Span,
        sources: &[Source],
        ranges: &[Column],
    ) -> Option<RangeSpan> {
        let concept = self.concept;
        let attribute = |column: Column| -> Option<&Attribute> {
            let source = sources.member(column.source)?;
            concept.entities.member(source.entity)?.attributes.member(column.attribute)
        };
        let names: Vec<&str> =
            ranges.iter().filter_map(|column| Some(&*attribute(*column)?.name)).collect();
        let found = match (&stated.column, ranges) {
            (None, [only]) => Some(*only),
            (None, _) => None,
            (Some(wanted), _) => ranges
                .iter()
                .copied()
                .find(|column| attribute(*column).is_some_and(|it| it.name == *wanted)),
        };
        let Some(column) = found else {
            let (message, help) = explain_misplaced_span(self.name(), stated, &names);
            self.report("MF375", place, message, help);
            return None;
        };
        let ty = &attribute(column)?.ty;
        let name = &attribute(column)?.name;
        let width = match (stated.width, is_time(ty), is_number(ty)) {
            (SpanWidth::Seconds(seconds), true, _) => seconds,
            (SpanWidth::Values(values), _, true) => values,
            (_, true, _) => {
                let message = format!("{name} is a time, but its @span is a number");
                self.report("MF375", place, message, "write a duration, such as @span 6h");
                return None;
            }
            (_, _, true) => {
                let message = format!("{name} is a number, but its @span is a duration");
                self.report("MF375", place, message, "write a number, such as @span 1000");
                return None;
            }
            _ => {
                let message = format!("@span does not apply to {name}, which has no distances");
                self.report("MF375", place, message, "state the rows instead: @returns 20");
                return None;
            }
        };
        Some(RangeSpan { column, width })
    }
}

/// The assumption about a range whose width is not stated. With a LIMIT, the rows that are read
/// hardly depend on it.
pub(super) fn find_unstated_span(concept: &Concept, read: &Read) -> Option<Assumption> {
    if read.limit.is_some() || read.stated.returns.is_some() {
        return None;
    }
    let ranges = list_ranged_columns(&read.conditions);
    let column = ranges.into_iter().find(|column| read.stated.span(*column).is_none())?;
    let source = read.sources.member(column.source)?;
    let attribute = concept.entities.member(source.entity)?.attributes.member(column.attribute)?;
    let topic = AssumptionTopic::Span {
        statement: read.name.clone(),
        attribute: attribute.name.clone(),
        is_time: is_time(&attribute.ty),
    };
    Some(Assumption { topic, span: read.span })
}

/// What is wrong with a `@span` that is about no range of the query, and what to write instead.
fn explain_misplaced_span(query: &str, stated: &StatedSpan, names: &[&str]) -> (String, String) {
    match (&stated.column, names) {
        (_, []) => (
            format!("{query} has no range to which @span applies"),
            "remove @span, or compare a column by <, > or BETWEEN".to_owned(),
        ),
        (None, [first, ..]) => (
            format!("{query} has several ranges: {}", names.join(", ")),
            format!("name the column, such as @span {first} 6h"),
        ),
        (Some(wanted), [first, ..]) => (
            format!("{query} has no range of {wanted}"),
            format!("write @span {first} and its width"),
        ),
    }
}

/// The columns that conditions compare by a range, each once.
fn list_ranged_columns(conditions: &[Condition]) -> Vec<Column> {
    let mut found = Vec::new();
    for condition in conditions {
        let column = match &condition.predicate {
            Predicate::Compare { comparison: Comparison::Equal, .. } => continue,
            Predicate::Compare { column, .. } => Some(*column),
            Predicate::Row { columns, .. } => columns.first().copied(),
            _ => None,
        };
        found.extend(column.filter(|column| !found.contains(column)));
    }
    found
}

/// Whether the distance of two values is a duration.
fn is_time(ty: &Type) -> bool {
    use NativeType::{Date, Time, Timestamp, Timeuuid};
    matches!(ty, Type::Native(Timestamp | Date | Timeuuid | Time))
}

/// Whether the distance of two values is a number.
fn is_number(ty: &Type) -> bool {
    use NativeType::{Bigint, Counter, Decimal, Double, Float, Int, Smallint, Tinyint, Varint};
    matches!(
        ty,
        Type::Native(
            Bigint | Counter | Decimal | Double | Float | Int | Smallint | Tinyint | Varint
        )
    )
}
