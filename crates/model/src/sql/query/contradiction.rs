//! Conditions that say the same twice.

use std::collections::BTreeMap;

use super::resolver::Resolver;
use super::scope::Scope;
use crate::id::Numbered;
use crate::workload::{Column, Comparison, Condition, Source, Test, same_rows};

/// What a condition restricts of a column.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Restriction {
    /// Its value.
    Value,
    /// Its lower end.
    Low,
    /// Its upper end.
    High,
}

impl Resolver<'_> {
    /// Reports the conditions that restrict a column in the way of an earlier one.
    pub(super) fn contradictions(
        &mut self,
        scope: &Scope,
        sources: &[Source],
        conditions: &[Condition],
    ) {
        let mut seen: BTreeMap<Column, Vec<Restriction>> = BTreeMap::new();
        for condition in conditions {
            let Some((column, restriction)) = restriction(&condition.test) else { continue };
            let before = seen.entry(self.earliest(sources, column)).or_default();
            let twice = before.contains(&restriction)
                || before.contains(&Restriction::Value)
                || (restriction == Restriction::Value && !before.is_empty());
            if !twice {
                before.push(restriction);
                continue;
            }
            let name = &self.attribute_of(scope, column).name;
            let message = format!("{} restricts {name} twice", self.name());
            let help = format!("give {name} one value, or one range");
            self.report("MF328", condition.span, message, help);
        }
    }
}

impl Resolver<'_> {
    /// A column, or the one of the earliest source that it is joined to: they are equal.
    fn earliest(&self, sources: &[Source], mut column: Column) -> Column {
        let same = same_rows(sources);
        let first = |column: Column| {
            let source = same.at(column.source).copied().unwrap_or(column.source);
            Column { source, ..column }
        };
        column = first(column);
        while let Some(earlier) = self.joined_to(sources, column) {
            column = first(earlier);
        }
        column
    }

    fn joined_to(&self, sources: &[Source], column: Column) -> Option<Column> {
        let source = sources.at(column.source)?;
        let join = source.join?;
        let holder = if join.to_one { sources.at(join.with)?.entity } else { source.entity };
        let reference = self.concept.entities[holder].references.get(join.reference.index())?;
        let (own, other) = (&reference.attributes, &reference.target_attributes);
        let (mine, theirs) = if join.to_one { (other, own) } else { (own, other) };
        let at = mine.iter().position(|&attribute| attribute == column.attribute)?;
        Some(Column { source: join.with, attribute: *theirs.get(at)? })
    }
}

/// The column that a test restricts; that of an array may hold several values.
fn restriction(test: &Test) -> Option<(Column, Restriction)> {
    match test {
        Test::Compare { column, comparison, .. } => {
            let restriction = match comparison {
                Comparison::Equal => Restriction::Value,
                Comparison::Less | Comparison::LessOrEqual => Restriction::High,
                Comparison::Greater | Comparison::GreaterOrEqual => Restriction::Low,
            };
            Some((*column, restriction))
        }
        Test::In { column, .. } | Test::AnyOf { column, .. } | Test::Prefix { column, .. } => {
            Some((*column, Restriction::Value))
        }
        Test::Holds { .. } | Test::Row { .. } | Test::NotNull { .. } => None,
    }
}
