//! SELECT DISTINCT: the columns that tell its rows apart are grouped by.

use super::order::KEY_COLUMNS_MAX;
use super::output::ResultColumn;
use super::refusal;
use super::resolver::Resolver;
use super::scope::Scope;
use crate::concept::Concept;
use crate::dependency::{Dependencies, Determinant};
use crate::id::IdList;
use crate::workload::{Column, Comparison, Condition, Predicate, Source};

impl Resolver<'_> {
    /// The columns by which the rows of a SELECT DISTINCT are grouped; none where no two rows are
    /// alike anyway. Columns that others determine are left out.
    pub(super) fn resolve_distinct(
        &mut self,
        scope: &Scope,
        sources: &[Source],
        shown: &[ResultColumn],
    ) -> Vec<Column> {
        let place = self.keyword_span(self.named.span, "DISTINCT");
        if shown.iter().any(ResultColumn::is_aggregate) {
            self.refuse(&refusal::DISTINCT_AGGREGATE, place);
            return Vec::new();
        }
        // Without a complete join path, which was reported, nothing is known of the rows.
        if sources.iter().skip(1).any(|source| source.join.is_none()) {
            return Vec::new();
        }
        let columns: Vec<Column> = shown.iter().filter_map(ResultColumn::column).collect();
        let dependencies = Dependencies::new(self.concept, sources);
        if dependencies.is_key(&to_determinants(&columns)) {
            return Vec::new();
        }
        let mut kept = key_columns(&dependencies, sources, &columns);
        for column in &columns {
            let known = dependencies.closure(&to_determinants(&kept));
            if !known.contains(Determinant::Value(*column)) {
                kept.push(*column);
            }
        }
        if kept.len() > KEY_COLUMNS_MAX {
            let message =
                format!("{} has more than {KEY_COLUMNS_MAX} distinct columns", self.name());
            self.report("MF326", place, message, "return fewer columns");
        }
        for column in &kept {
            let span = shown.iter().find(|it| it.column() == Some(*column)).map(|it| it.span);
            self.check_orderable(scope, *column, span.unwrap_or(place));
        }
        kept
    }
}

/// Whether no two rows are in one group: what the conditions fix and the group columns are a key.
pub(super) fn is_each_row_a_group(
    concept: &Concept,
    sources: &[Source],
    conditions: &[Condition],
    group: &[Column],
) -> bool {
    // Without a complete join path, which was reported, nothing is known of the rows.
    if group.is_empty() || sources.iter().skip(1).any(|source| source.join.is_none()) {
        return false;
    }
    let fixed = conditions.iter().filter_map(|condition| match &condition.predicate {
        Predicate::Compare { column, comparison: Comparison::Equal, .. } => Some(*column),
        _ => None,
    });
    let columns: Vec<Column> = fixed.chain(group.iter().copied()).collect();
    Dependencies::new(concept, sources).is_key(&to_determinants(&columns))
}

/// The columns among these that are a whole primary key of a source.
fn key_columns(
    dependencies: &Dependencies<'_>,
    sources: &[Source],
    columns: &[Column],
) -> Vec<Column> {
    let mut kept: Vec<Column> = Vec::new();
    for source in sources.ids() {
        let key = dependencies.entity(source).primary_key().iter();
        let shown: Option<Vec<Column>> = key
            .map(|&attribute| {
                let part = Column { source, attribute };
                columns.iter().copied().find(|column| dependencies.is_equal(*column, part))
            })
            .collect();
        for column in shown.unwrap_or_default() {
            let known = dependencies.closure(&to_determinants(&kept));
            if !known.contains(Determinant::Value(column)) {
                kept.push(column);
            }
        }
    }
    kept
}

fn to_determinants(columns: &[Column]) -> Vec<Determinant> {
    columns.iter().copied().map(Determinant::Value).collect()
}
