//! Sources of a read that are the same row: reached from one row along one reference, under two
//! aliases.

use super::{Column, OutputValue, Read, Source};
use crate::id::{IdList, SourceId};

/// For each source the first one that is the same row.
pub(crate) fn canonical_sources(sources: &[Source]) -> Vec<SourceId> {
    let mut same: Vec<SourceId> = sources.ids().collect();
    for at in sources.ids() {
        let Some(join) = sources[at].join.filter(|join| join.to_one) else { continue };
        let holder = same.member(join.with).copied().unwrap_or(join.with);
        let led = sources.ids().take(at.index()).find(|&other| {
            let beside = sources[other].join.is_some_and(|other| {
                other.to_one
                    && other.reference == join.reference
                    && same.member(other.with) == Some(&holder)
            });
            let from = sources.member(holder).and_then(|source| source.join).is_some_and(|held| {
                !held.to_one && held.reference == join.reference && held.with == other
            });
            beside || from
        });
        if let Some(led) = led {
            same[at] = same[led];
        }
    }
    same
}

impl Read {
    /// Keeps one source for each row: later sources that are the same row are removed.
    pub(crate) fn unite_sources(&mut self) {
        let same = canonical_sources(&self.sources);
        let kept: Vec<SourceId> = same.ids().filter(|at| same[*at] == *at).collect();
        if kept.len() == same.len() {
            return;
        }
        // A row that one of them requires is required.
        for at in same.ids().filter(|at| same[*at] != *at) {
            let is_optional = self.sources[at].is_optional();
            if let Some(join) = &mut self.sources[same[at]].join {
                join.optional &= is_optional;
            }
        }
        let source = |at: SourceId| {
            let first = same.member(at).copied().unwrap_or(at);
            kept.binary_search(&first).map_or(at, SourceId::new)
        };
        let named = |column: Column| Column { source: source(column.source), ..column };
        let sources = kept.iter().map(|at| {
            let mut source_kept = self.sources[*at].clone();
            if let Some(join) = &mut source_kept.join {
                join.with = source(join.with);
            }
            source_kept
        });
        self.sources = sources.collect();
        for output in &mut self.outputs {
            output.value = match output.value {
                OutputValue::Column(of) => OutputValue::Column(named(of)),
                OutputValue::Count(of) => OutputValue::Count(of.map(named)),
                OutputValue::Sum(of) => OutputValue::Sum(named(of)),
                OutputValue::Average(of) => OutputValue::Average(named(of)),
                OutputValue::Least(of) => OutputValue::Least(named(of)),
                OutputValue::Greatest(of) => OutputValue::Greatest(named(of)),
                OutputValue::Exists => OutputValue::Exists,
            };
        }
        for condition in &mut self.conditions {
            if let Some(test) = condition.predicate.map_columns(|column| Some(named(column))) {
                condition.predicate = test;
            }
        }
        for column in &mut self.group {
            *column = named(*column);
        }
        for ordering in &mut self.order {
            ordering.column = named(ordering.column);
        }
        for span in &mut self.stated.spans {
            span.column = named(span.column);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::canonical_sources;
    use crate::id::{EntityId, ReferenceId, SourceId};
    use crate::workload::{Join, Source};

    fn sources(joins: &[(usize, usize, bool)]) -> Vec<Source> {
        let first = Source { entity: EntityId::new(0), alias: String::new(), join: None };
        let joined = joins.iter().map(|&(with, reference, to_one)| Source {
            join: Some(Join {
                with: SourceId::new(with),
                reference: ReferenceId::new(reference),
                to_one,
                optional: false,
            }),
            ..first.clone()
        });
        [first.clone()].into_iter().chain(joined).collect()
    }

    fn first_rows(joins: &[(usize, usize, bool)]) -> Vec<usize> {
        canonical_sources(&sources(joins)).into_iter().map(SourceId::index).collect()
    }

    #[test]
    fn one_reference_of_one_row_leads_to_one_row() {
        // Two along the same reference, one along another, and one along each of the two.
        let joins = [(0, 0, true), (0, 0, true), (0, 1, true), (1, 0, true), (2, 0, true)];
        assert_eq!(first_rows(&joins), [0, 1, 1, 3, 4, 4]);
        // There and back again.
        assert_eq!(first_rows(&[(0, 0, false), (1, 0, true)]), [0, 1, 0]);
        // Two rows that refer to one are two.
        assert_eq!(first_rows(&[(0, 0, false), (0, 0, false)]), [0, 1, 2]);
    }
}
