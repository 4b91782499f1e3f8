//! [`RowFilter`]: the restrictions that are checked row by row, after partitions and slices are
//! chosen.
//!
//! No comparison with null is true: a column without a value never matches.

use std::borrow::Cow;
use std::cmp::Ordering;

use cql::types::Type;
use cql::value::compare;
use schema::access::Filtering;
use schema::bind::restrictions::sasi::LikePattern;
use schema::bind::restrictions::{
    ContainsRestriction, Restriction, RestrictionKind, Restrictions, Slice, SliceBound,
};
use schema::bind::select::row_filter::like_pattern;
use schema::catalog::{ColumnKind, Table};

use super::full_row::FullRow;
use super::value::{self, NullableValue};
use crate::error::Result;
use crate::function::Env;
use crate::node::handle::TableHandle;
use crate::node::index::{self, Analyzer};

/// The predicates on rows and on whole partitions.
#[derive(Clone, Debug, Default)]
pub(crate) struct RowFilter<'t> {
    partition: Vec<ColumnCheck<'t>>,
    row: Vec<ColumnCheck<'t>>,
}

/// A predicate on one column, and the analyzer of its index.
#[derive(Clone, Debug)]
struct ColumnCheck<'t> {
    column: usize,
    ty: &'t Type,
    test: ColumnPredicate<'t>,
    /// The normalisation of text before comparison.
    analyzer: Option<Analyzer>,
}

#[derive(Clone, Debug)]
enum ColumnPredicate<'t> {
    /// A comparison with a value.
    Compare(Comparison, Cow<'t, [u8]>),
    /// One of these values.
    In(Vec<Cow<'t, [u8]>>),
    /// An element of a list or set, a value of a map.
    Contains(Cow<'t, [u8]>),
    /// A key of a map.
    ContainsKey(Cow<'t, [u8]>),
    /// An entry of a map.
    Entry(Cow<'t, [u8]>, Cow<'t, [u8]>),
    /// A text pattern.
    Like(Cow<'t, [u8]>),
    /// A comparison with null, which is never true.
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    Equal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Comparison {
    fn matches(self, order: Ordering) -> bool {
        match self {
            Self::Equal => order.is_eq(),
            Self::Less => order.is_lt(),
            Self::LessOrEqual => order.is_le(),
            Self::Greater => order.is_gt(),
            Self::GreaterOrEqual => order.is_ge(),
        }
    }
}

impl<'t> RowFilter<'t> {
    /// The row filter of a plan, with values.
    pub(crate) fn for_plan(
        env: &Env<'_>,
        handle: &TableHandle,
        plan: &Filtering,
        restrictions: &'t Restrictions,
    ) -> Result<Self> {
        let checks = plan.checks.iter().filter_map(|id| restrictions.get(*id));
        let mut filter = Self::new(env, &restrictions.table, checks)?;
        if plan.analyzes {
            for check in filter.partition.iter_mut().chain(&mut filter.row) {
                check.analyze_with(index::column_analyzer(handle, check.column));
            }
        }
        Ok(filter)
    }

    /// A filter with all of these predicates.
    pub(crate) fn new(
        env: &Env<'_>,
        table: &'t Table,
        restrictions: impl IntoIterator<Item = &'t Restriction>,
    ) -> Result<Self> {
        let mut filter = Self::default();
        for restriction in restrictions {
            filter.add(env, table, restriction)?;
        }
        Ok(filter)
    }

    /// Whether the key and the static row of a partition match.
    pub(crate) fn matches_partition(&self, row: &FullRow<'_>) -> bool {
        self.partition.iter().all(|check| check.matches(row))
    }

    /// Whether a row matches, apart from the predicates on its partition.
    pub(crate) fn matches_row(&self, row: &FullRow<'_>) -> bool {
        self.row.iter().all(|check| check.matches(row))
    }

    /// The columns whose predicates a partition or row does not match.
    pub(crate) fn list_mismatches(&self, row: &FullRow<'_>) -> Vec<usize> {
        let checks = if row.row.is_some() { &self.row } else { &self.partition };
        let refused = checks.iter().filter(|check| !check.matches(row));
        refused.map(|check| check.column).collect()
    }

    fn add(&mut self, env: &Env<'_>, table: &'t Table, restriction: &'t Restriction) -> Result<()> {
        let first = restriction.first_column();
        match &restriction.kind {
            RestrictionKind::Equal(operand) => {
                let values = value::evaluate_operand(env, operand)?;
                for (column, value) in restriction.columns.iter().zip(values) {
                    let test = predicate_or_never(value, |value| {
                        ColumnPredicate::Compare(Comparison::Equal, value)
                    });
                    self.push(table, *column, test);
                }
            }
            RestrictionKind::In(_) => {
                let lists = value::evaluate_choices(env, restriction)?;
                self.push(
                    table,
                    first,
                    ColumnPredicate::In(lists.into_iter().flatten().flatten().collect()),
                );
            }
            RestrictionKind::Slice(slice) => {
                self.add_slice(env, table, restriction, slice)?;
            }
            RestrictionKind::Contains(contains) => {
                for test in contains_predicates(env, contains)? {
                    self.push(table, first, test);
                }
            }
            RestrictionKind::Like(pattern) => {
                let test = predicate_or_never(
                    value::evaluate_nullable(env, pattern)?,
                    ColumnPredicate::Like,
                );
                self.push(table, first, test);
            }
            RestrictionKind::Nearest(_) => {}
        }
        Ok(())
    }

    fn add_slice(
        &mut self,
        env: &Env<'_>,
        table: &'t Table,
        restriction: &'t Restriction,
        slice: &'t Slice,
    ) -> Result<()> {
        let above = |bound: &SliceBound| {
            if bound.inclusive { Comparison::GreaterOrEqual } else { Comparison::Greater }
        };
        let below = |bound: &SliceBound| {
            if bound.inclusive { Comparison::LessOrEqual } else { Comparison::Less }
        };
        let bounds = slice.start.iter().map(|bound| (above(bound), bound));
        for (comparison, bound) in bounds.chain(slice.end.iter().map(|bound| (below(bound), bound)))
        {
            for value in value::evaluate_operand(env, &bound.value)?.into_iter().take(1) {
                let test =
                    predicate_or_never(value, |value| ColumnPredicate::Compare(comparison, value));
                self.push(table, restriction.first_column(), test);
            }
        }
        Ok(())
    }

    fn push(&mut self, table: &'t Table, column: usize, test: ColumnPredicate<'t>) {
        let Some(definition) = table.columns().get(column) else { return };
        let check = ColumnCheck { column, ty: &definition.ty, test, analyzer: None };
        match definition.kind {
            ColumnKind::Partition | ColumnKind::Static => self.partition.push(check),
            ColumnKind::Clustering | ColumnKind::Regular => self.row.push(check),
        }
    }
}

fn predicate_or_never<'t>(
    value: NullableValue<'t>,
    test: impl FnOnce(Cow<'t, [u8]>) -> ColumnPredicate<'t>,
) -> ColumnPredicate<'t> {
    value.map_or(ColumnPredicate::Never, test)
}

fn contains_predicates<'t>(
    env: &Env<'_>,
    contains: &'t ContainsRestriction,
) -> Result<Vec<ColumnPredicate<'t>>> {
    let mut tests = Vec::with_capacity(contains.len());
    for term in &contains.values {
        tests.push(predicate_or_never(
            value::evaluate_nullable(env, term)?,
            ColumnPredicate::Contains,
        ));
    }
    for term in &contains.keys {
        tests.push(predicate_or_never(
            value::evaluate_nullable(env, term)?,
            ColumnPredicate::ContainsKey,
        ));
    }
    for (key, value) in &contains.entries {
        let pair = value::evaluate_nullable(env, key)?.zip(value::evaluate_nullable(env, value)?);
        tests.push(
            pair.map_or(ColumnPredicate::Never, |(key, value)| ColumnPredicate::Entry(key, value)),
        );
    }
    Ok(tests)
}

impl ColumnCheck<'_> {
    /// Normalises the operand as the analyzer does.
    fn analyze_with(&mut self, analyzer: Option<Analyzer>) {
        let Some(analyzer) = analyzer else { return };
        let apply = |value: &mut Cow<'_, [u8]>| *value = analyzer.apply(value).into_owned().into();
        match &mut self.test {
            ColumnPredicate::Compare(Comparison::Equal, wanted)
            | ColumnPredicate::Contains(wanted)
            | ColumnPredicate::ContainsKey(wanted) => apply(wanted),
            ColumnPredicate::Entry(key, value) => {
                apply(key);
                apply(value);
            }
            _ => return,
        }
        self.analyzer = Some(analyzer);
    }

    fn analyze<'v>(&self, value: &'v [u8]) -> Cow<'v, [u8]> {
        self.analyzer.map_or(Cow::Borrowed(value), |analyzer| analyzer.apply(value))
    }

    fn matches(&self, row: &FullRow<'_>) -> bool {
        match &self.test {
            ColumnPredicate::Never => return false,
            ColumnPredicate::Contains(_)
            | ColumnPredicate::ContainsKey(_)
            | ColumnPredicate::Entry(..)
                if self.ty.is_multi_cell() =>
            {
                let cells = row.cells(self.column).iter();
                return cells
                    .into_iter()
                    .any(|cell| self.matches_element(cell.path.unwrap_or_default(), cell.value));
            }
            _ => {}
        }
        let Some(value) = row.value(self.column) else { return false };
        match &self.test {
            ColumnPredicate::Compare(comparison, wanted) => {
                comparison.matches(compare(self.ty, &self.analyze(&value), wanted))
            }
            ColumnPredicate::In(wanted) => {
                wanted.iter().any(|operand| compare(self.ty, &value, operand).is_eq())
            }
            ColumnPredicate::Like(pattern) => is_like(&value, pattern),
            _ => self.matches_frozen(&value),
        }
    }

    /// Matches a frozen collection.
    fn matches_frozen(&self, value: &[u8]) -> bool {
        let parts = cql::value::split(self.ty, value).unwrap_or_default();
        let part = |part: Option<Option<&'_ [u8]>>| part.flatten().unwrap_or_default().to_vec();
        match self.ty {
            Type::Map(..) => parts.chunks(2).any(|pair| {
                self.matches_element(&part(pair.first().copied()), &part(pair.get(1).copied()))
            }),
            Type::Set(..) => {
                parts.into_iter().flatten().any(|element| self.matches_element(element, &[]))
            }
            _ => parts.into_iter().flatten().any(|element| self.matches_element(&[], element)),
        }
    }

    /// Matches an element of a collection.
    fn matches_element(&self, path: &[u8], value: &[u8]) -> bool {
        let is_value = |ty: &Type, wanted: &[u8]| compare(ty, &self.analyze(value), wanted).is_eq();
        let is_path = |ty: &Type, wanted: &[u8]| compare(ty, &self.analyze(path), wanted).is_eq();
        match (&self.test, self.ty) {
            (ColumnPredicate::Contains(wanted), Type::List(element, _)) => {
                is_value(element, wanted)
            }
            (ColumnPredicate::Contains(wanted), Type::Set(element, _)) => is_path(element, wanted),
            (ColumnPredicate::Contains(wanted), Type::Map(entry, _)) => is_value(&entry.1, wanted),
            (ColumnPredicate::ContainsKey(wanted), Type::Map(entry, _)) => {
                is_path(&entry.0, wanted)
            }
            (ColumnPredicate::Entry(key, wanted), Type::Map(entry, _)) => {
                is_path(&entry.0, key) && is_value(&entry.1, wanted)
            }
            _ => false,
        }
    }
}

fn is_like(value: &[u8], pattern: &[u8]) -> bool {
    let Some((kind, wanted)) = like_pattern(pattern) else { return false };
    match kind {
        LikePattern::Prefix => value.starts_with(wanted),
        LikePattern::Suffix => value.ends_with(wanted),
        LikePattern::Contains => has_part(value, wanted),
        LikePattern::Matches => value == wanted,
    }
}

/// Whether a text has another as a part. The search for texts takes linear time, however alike the
/// two are.
fn has_part(value: &[u8], wanted: &[u8]) -> bool {
    match (std::str::from_utf8(value), std::str::from_utf8(wanted)) {
        (Ok(value), Ok(wanted)) => value.contains(wanted),
        // Values of text types are in UTF-8; others are not stored.
        _ => false,
    }
}
