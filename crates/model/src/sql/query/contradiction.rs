//! Conditions that restrict the same column twice.

use std::collections::BTreeMap;

use super::resolver::Resolver;
use super::scope::Scope;
use crate::id::IdList;
use crate::workload::{Column, Comparison, Condition, Predicate, Source, canonical_sources};

/// What a condition restricts: the value of a column, or one end of its range.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum RestrictionKind {
    /// Its value.
    Value,
    /// Its lower end.
    Low,
    /// Its upper end.
    High,
}

impl Resolver<'_> {
    /// Reports conditions that restrict what an earlier condition already restricts.
    pub(super) fn report_contradictions(
        &mut self,
        scope: &Scope,
        sources: &[Source],
        conditions: &[Condition],
    ) {
        let mut seen: BTreeMap<Column, Vec<RestrictionKind>> = BTreeMap::new();
        for condition in conditions {
            let Some((column, restriction)) = find_restriction(&condition.predicate) else {
                continue;
            };
            let before = seen.entry(self.earliest_column(sources, column)).or_default();
            let twice = before.contains(&restriction)
                || before.contains(&RestrictionKind::Value)
                || (restriction == RestrictionKind::Value && !before.is_empty());
            if !twice {
                before.push(restriction);
                continue;
            }
            let name = &self.attribute_of(scope, column).name;
            let message = format!("{} restricts {name} twice", self.name());
            let help = format!("restrict {name} to one value or one range");
            self.report("MF328", condition.span, message, help);
        }
    }
}

impl Resolver<'_> {
    /// The equal column of the earliest source that a column is joined to, or the column itself.
    fn earliest_column(&self, sources: &[Source], mut column: Column) -> Column {
        let same = canonical_sources(sources);
        let first = |column: Column| {
            let source = same.member(column.source).copied().unwrap_or(column.source);
            Column { source, ..column }
        };
        column = first(column);
        while let Some(earlier) = self.join_partner(sources, column) {
            column = first(earlier);
        }
        column
    }

    fn join_partner(&self, sources: &[Source], column: Column) -> Option<Column> {
        let source = sources.member(column.source)?;
        let join = source.join?;
        let holder = if join.to_one { sources.member(join.with)?.entity } else { source.entity };
        let reference = self.concept.entities[holder].references.get(join.reference.index())?;
        let (own, other) = (&reference.attributes, &reference.target_attributes);
        let (mine, theirs) = if join.to_one { (other, own) } else { (own, other) };
        let at = mine.iter().position(|&attribute| attribute == column.attribute)?;
        Some(Column { source: join.with, attribute: *theirs.get(at)? })
    }
}

/// The column that a predicate restricts; an array may satisfy several.
fn find_restriction(predicate: &Predicate) -> Option<(Column, RestrictionKind)> {
    match predicate {
        Predicate::Compare { column, comparison, .. } => {
            let restriction = match comparison {
                Comparison::Equal => RestrictionKind::Value,
                Comparison::Less | Comparison::LessOrEqual => RestrictionKind::High,
                Comparison::Greater | Comparison::GreaterOrEqual => RestrictionKind::Low,
            };
            Some((*column, restriction))
        }
        Predicate::In { column, .. }
        | Predicate::AnyOf { column, .. }
        | Predicate::Prefix { column, .. }
        | Predicate::Null { column } => Some((*column, RestrictionKind::Value)),
        Predicate::Holds { .. } | Predicate::Row { .. } | Predicate::NotNull { .. } => None,
    }
}
