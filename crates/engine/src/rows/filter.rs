//! The row filter: what rows are checked for one by one, after the partition and its slices are chosen.
//!
//! Nothing equals, contains or compares with null: a column without a value never passes.

use std::borrow::Cow;
use std::cmp::Ordering;

use cql::types::Type;
use cql::value::compare;
use schema::access::Filtering;
use schema::bind::restrictions::sasi::LikePattern;
use schema::bind::restrictions::{
    Contains, Restriction, RestrictionKind, Restrictions, Slice, SliceBound,
};
use schema::bind::select::row_filter::like_pattern;
use schema::catalog::{ColumnKind, Table};

use super::joined::JoinedRow;
use super::value::{self, Nullable};
use crate::error::Result;
use crate::function::Env;
use crate::node::handle::TableHandle;
use crate::node::index::{self, Analyzer};

/// Checks of rows, and of whole partitions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Filter<'t> {
    partition: Vec<Check<'t>>,
    row: Vec<Check<'t>>,
}

/// What one column is checked for.
#[derive(Clone, Debug)]
struct Check<'t> {
    column: usize,
    ty: &'t Type,
    test: Test<'t>,
    /// What an index makes of texts before they are compared.
    analyzer: Option<Analyzer>,
}

#[derive(Clone, Debug)]
enum Test<'t> {
    /// It compares so with a value.
    Compare(Comparison, Cow<'t, [u8]>),
    /// It is one of these.
    In(Vec<Cow<'t, [u8]>>),
    /// An element of a list or set, a value of a map.
    Contains(Cow<'t, [u8]>),
    /// A key of a map.
    ContainsKey(Cow<'t, [u8]>),
    /// An entry of a map.
    Entry(Cow<'t, [u8]>, Cow<'t, [u8]>),
    /// A text.
    Like(Cow<'t, [u8]>),
    /// Never: compared with null.
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
    fn holds(self, order: Ordering) -> bool {
        match self {
            Self::Equal => order.is_eq(),
            Self::Less => order.is_lt(),
            Self::LessOrEqual => order.is_le(),
            Self::Greater => order.is_gt(),
            Self::GreaterOrEqual => order.is_ge(),
        }
    }
}

impl<'t> Filter<'t> {
    /// The row filter of a plan, with these values.
    pub(crate) fn of_plan(
        env: &Env<'_>,
        handle: &TableHandle,
        plan: &Filtering,
        restrictions: &'t Restrictions,
    ) -> Result<Self> {
        let checks = plan.checks.iter().filter_map(|id| restrictions.get(*id));
        let mut filter = Self::new(env, &restrictions.table, checks)?;
        if plan.analyzes {
            for check in filter.partition.iter_mut().chain(&mut filter.row) {
                check.analyze_with(index::analyzer(handle, check.column));
            }
        }
        Ok(filter)
    }

    /// A filter that checks rows for all of these.
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

    /// Whether the key and the static row of a partition pass.
    pub(crate) fn admits_partition(&self, row: &JoinedRow<'_>) -> bool {
        self.partition.iter().all(|check| check.passes(row))
    }

    /// Whether a row passes, apart from what is checked of its partition.
    pub(crate) fn admits_row(&self, row: &JoinedRow<'_>) -> bool {
        self.row.iter().all(|check| check.passes(row))
    }

    /// The columns for which a partition or row does not pass.
    pub(crate) fn refused_columns(&self, row: &JoinedRow<'_>) -> Vec<usize> {
        let checks = if row.row.is_some() { &self.row } else { &self.partition };
        let refused = checks.iter().filter(|check| !check.passes(row));
        refused.map(|check| check.column).collect()
    }

    fn add(&mut self, env: &Env<'_>, table: &'t Table, restriction: &'t Restriction) -> Result<()> {
        let first = restriction.first_column();
        match &restriction.kind {
            RestrictionKind::Equal(operand) => {
                let values = value::operand(env, operand)?;
                for (column, value) in restriction.columns.iter().zip(values) {
                    let test = with(value, |value| Test::Compare(Comparison::Equal, value));
                    self.push(table, *column, test);
                }
            }
            RestrictionKind::In(_) => {
                let lists = value::choices(env, restriction)?;
                self.push(table, first, Test::In(lists.into_iter().flatten().flatten().collect()));
            }
            RestrictionKind::Slice(slice) => {
                self.add_slice(env, table, restriction, slice)?;
            }
            RestrictionKind::Contains(contains) => {
                for test in contains_tests(env, contains)? {
                    self.push(table, first, test);
                }
            }
            RestrictionKind::Like(pattern) => {
                let test = with(value::nullable(env, pattern)?, Test::Like);
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
        for (comparison, bound) in bounds.chain(slice.end.iter().map(|one| (below(one), one))) {
            for value in value::operand(env, &bound.value)?.into_iter().take(1) {
                let test = with(value, |value| Test::Compare(comparison, value));
                self.push(table, restriction.first_column(), test);
            }
        }
        Ok(())
    }

    fn push(&mut self, table: &'t Table, column: usize, test: Test<'t>) {
        let Some(definition) = table.columns().get(column) else { return };
        let check = Check { column, ty: &definition.ty, test, analyzer: None };
        match definition.kind {
            ColumnKind::Partition | ColumnKind::Static => self.partition.push(check),
            ColumnKind::Clustering | ColumnKind::Regular => self.row.push(check),
        }
    }
}

fn with<'t>(value: Nullable<'t>, test: impl FnOnce(Cow<'t, [u8]>) -> Test<'t>) -> Test<'t> {
    value.map_or(Test::Never, test)
}

fn contains_tests<'t>(env: &Env<'_>, contains: &'t Contains) -> Result<Vec<Test<'t>>> {
    let mut tests = Vec::with_capacity(contains.len());
    for term in &contains.values {
        tests.push(with(value::nullable(env, term)?, Test::Contains));
    }
    for term in &contains.keys {
        tests.push(with(value::nullable(env, term)?, Test::ContainsKey));
    }
    for (key, value) in &contains.entries {
        let pair = value::nullable(env, key)?.zip(value::nullable(env, value)?);
        tests.push(pair.map_or(Test::Never, |(key, value)| Test::Entry(key, value)));
    }
    Ok(tests)
}

impl Check<'_> {
    /// Compares texts after an index changed them.
    fn analyze_with(&mut self, analyzer: Option<Analyzer>) {
        let Some(analyzer) = analyzer else { return };
        let apply = |value: &mut Cow<'_, [u8]>| *value = analyzer.apply(value).into_owned().into();
        match &mut self.test {
            Test::Compare(Comparison::Equal, wanted)
            | Test::Contains(wanted)
            | Test::ContainsKey(wanted) => apply(wanted),
            Test::Entry(key, value) => {
                apply(key);
                apply(value);
            }
            _ => return,
        }
        self.analyzer = Some(analyzer);
    }

    fn analyzed<'v>(&self, value: &'v [u8]) -> Cow<'v, [u8]> {
        self.analyzer.map_or(Cow::Borrowed(value), |analyzer| analyzer.apply(value))
    }

    fn passes(&self, row: &JoinedRow<'_>) -> bool {
        match &self.test {
            Test::Never => return false,
            Test::Contains(_) | Test::ContainsKey(_) | Test::Entry(..)
                if self.ty.is_multi_cell() =>
            {
                let cells = row.cells(self.column).iter();
                return cells
                    .into_iter()
                    .any(|cell| self.holds(cell.path.unwrap_or_default(), cell.value));
            }
            _ => {}
        }
        let Some(value) = row.value(self.column) else { return false };
        match &self.test {
            Test::Compare(comparison, wanted) => {
                comparison.holds(compare(self.ty, &self.analyzed(&value), wanted))
            }
            Test::In(wanted) => wanted.iter().any(|one| compare(self.ty, &value, one).is_eq()),
            Test::Like(pattern) => is_like(&value, pattern),
            _ => self.holds_in_frozen(&value),
        }
    }

    /// Looks into a collection that is one value.
    fn holds_in_frozen(&self, value: &[u8]) -> bool {
        let parts = cql::value::split(self.ty, value).unwrap_or_default();
        let part = |part: Option<Option<&'_ [u8]>>| part.flatten().unwrap_or_default().to_vec();
        match self.ty {
            Type::Map(..) => parts
                .chunks(2)
                .any(|pair| self.holds(&part(pair.first().copied()), &part(pair.get(1).copied()))),
            Type::Set(..) => parts.into_iter().flatten().any(|element| self.holds(element, &[])),
            _ => parts.into_iter().flatten().any(|element| self.holds(&[], element)),
        }
    }

    /// Whether an element of a collection is what is looked for.
    fn holds(&self, path: &[u8], value: &[u8]) -> bool {
        let is_value =
            |ty: &Type, wanted: &[u8]| compare(ty, &self.analyzed(value), wanted).is_eq();
        let is_path = |ty: &Type, wanted: &[u8]| compare(ty, &self.analyzed(path), wanted).is_eq();
        match (&self.test, self.ty) {
            (Test::Contains(wanted), Type::List(element, _)) => is_value(element, wanted),
            (Test::Contains(wanted), Type::Set(element, _)) => is_path(element, wanted),
            (Test::Contains(wanted), Type::Map(entry, _)) => is_value(&entry.1, wanted),
            (Test::ContainsKey(wanted), Type::Map(entry, _)) => is_path(&entry.0, wanted),
            (Test::Entry(key, wanted), Type::Map(entry, _)) => {
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
        LikePattern::Contains => value.windows(wanted.len()).any(|part| part == wanted),
        LikePattern::Matches => value == wanted,
    }
}
