//! [`GroupCollector`]: GROUP BY, and aggregates over all rows.

use std::borrow::Cow;

use cql::types::Type;
use schema::bind::select::{Aggregation, BoundSelect};
use schema::bind::selection::Expression;
use schema::catalog::{Catalog, Column};

use super::failure;
use super::output::ResultSetBuilder;
use super::scan::RowSink;
use crate::error::Result;
use crate::function::Accumulator;
use crate::function::expression::{CellTimes, PathTimes, RowValues, aggregates};
use crate::rows::full_row::FullRow;

/// Collects rows into groups, each of which becomes a row of the result.
#[derive(Debug)]
pub(crate) struct GroupCollector<'a> {
    output: ResultSetBuilder<'a>,
    /// The catalog with the functions of user aggregates.
    catalog: &'a Catalog,
    columns_read: &'a [usize],
    /// The consistency level, for read failures.
    consistency: cql::Consistency,
    /// SELECT DISTINCT: every partition is a group.
    is_distinct: bool,
    aggregation: &'a Aggregation,
    /// The aggregate calls, in the order in which they are evaluated.
    calls: Vec<&'a Expression>,
    place: Option<GroupKey>,
    group: Option<Group>,
    /// Whether the current row starts a group.
    begins: bool,
}

/// The values that the rows of a group share.
#[derive(Debug)]
struct GroupKey {
    key: Vec<Box<[u8]>>,
    /// `None` for a partition without rows, which is a group of its own.
    clustering: Option<Vec<Option<Box<[u8]>>>>,
    /// The value of the function on the last column.
    output: Option<Vec<u8>>,
}

impl GroupKey {
    /// Whether two rows are in the same group. Clustering values are compared by their type: 1.0
    /// equals 1.00.
    fn is_same(&self, other: &Self, columns: &[Column]) -> bool {
        let (Some(ours), Some(theirs)) = (&self.clustering, &other.clustering) else {
            return false;
        };
        let mut pairs = columns.iter().zip(ours.iter().zip(theirs));
        self.key == other.key
            && self.output == other.output
            && pairs.all(|(column, pair)| match pair {
                (Some(a), Some(b)) => cql::value::compare(&column.ty, a, b).is_eq(),
                (a, b) => a == b,
            })
    }
}

/// A group whose rows are being read.
#[derive(Debug)]
struct Group {
    first: FirstRow,
    accumulators: Vec<Accumulator>,
}

impl<'a> GroupCollector<'a> {
    pub(crate) fn new(
        select: &'a BoundSelect,
        aggregation: &'a Aggregation,
        output: ResultSetBuilder<'a>,
        (catalog, consistency): (&'a Catalog, cql::Consistency),
    ) -> Self {
        let columns = select.selection.columns.iter();
        let calls = columns.flat_map(|column| aggregates(&column.expression)).collect();
        Self {
            output,
            catalog,
            columns_read: &select.selection.columns_read,
            consistency,
            is_distinct: select.is_distinct,
            aggregation,
            calls,
            place: None,
            group: None,
            begins: false,
        }
    }

    /// Ends the last group. Aggregates over no rows return a row.
    pub(crate) fn finish(mut self) -> Result<ResultSetBuilder<'a>> {
        if self.group.is_none() && *self.aggregation == Aggregation::Everything {
            self.group =
                Some(Group { first: FirstRow::default(), accumulators: self.accumulators()? });
        }
        self.end_group()?;
        Ok(self.output)
    }

    fn accumulators(&self) -> Result<Vec<Accumulator>> {
        let mut accumulators = Vec::with_capacity(self.calls.len());
        for call in &self.calls {
            if let Expression::Call { function, .. } = call {
                accumulators.push(Accumulator::new(self.catalog, function)?);
            }
        }
        Ok(accumulators)
    }

    fn end_group(&mut self) -> Result<()> {
        let Some(group) = self.group.take() else { return Ok(()) };
        let finished = group.accumulators.iter().map(Accumulator::finish);
        let finished = finished.collect::<std::result::Result<Vec<_>, _>>()?;
        self.output.write(&group.first, Some(finished.into_iter()))
    }

    /// The group of a row; `None` if all rows are one group.
    fn group_key(&self, row: &FullRow<'_>) -> Result<Option<GroupKey>> {
        let Aggregation::KeyPrefix { clustering_columns, function } = self.aggregation else {
            return Ok(None);
        };
        let key = row.key.iter().map(|value| Box::from(*value)).collect();
        if row.row.is_none() {
            return Ok(Some(GroupKey { key, clustering: None, output: None }));
        }
        let plain = clustering_columns.saturating_sub(usize::from(function.is_some()));
        let prefix = row.clustering.iter().take(plain);
        let clustering = prefix.map(|value| value.map(Box::from)).collect();
        let output = match function {
            None => None,
            Some(function) => {
                let value = self.output.evaluator.evaluate(&function.expression, row);
                value.map_err(|_| failure::read_failure(self.consistency, "UNKNOWN"))?
            }
        };
        Ok(Some(GroupKey { key, clustering: Some(clustering), output }))
    }
}

impl RowSink for GroupCollector<'_> {
    fn count_row(&mut self, row: &FullRow<'_>) -> Result<bool> {
        let Some(place) = self.group_key(row)? else {
            self.begins = self.group.is_none();
            return Ok(self.is_distinct);
        };
        let columns = row.handle.definition.clustering();
        let is_same = self.place.as_ref().is_some_and(|last| last.is_same(&place, columns));
        self.begins = !is_same;
        self.place = Some(place);
        Ok(self.begins)
    }

    fn is_grouped(&self) -> bool {
        !self.is_distinct
    }

    fn byte_size(&self) -> usize {
        self.output.byte_size()
    }

    fn take(&mut self, row: &FullRow<'_>) -> Result<()> {
        if self.begins {
            self.end_group()?;
            let first = FirstRow::new(row, self.columns_read);
            self.group = Some(Group { first, accumulators: self.accumulators()? });
        }
        let Some(group) = &mut self.group else { return Ok(()) };
        for (call, accumulator) in self.calls.iter().zip(&mut group.accumulators) {
            self.output.evaluator.accumulate(call, row, accumulator)?;
        }
        Ok(())
    }
}

/// The first row of a group, kept until the group ends.
#[derive(Debug, Default)]
struct FirstRow {
    columns: Vec<FirstRowColumn>,
}

#[derive(Debug)]
struct FirstRowColumn {
    column: usize,
    value: Option<Vec<u8>>,
    times: Option<CellTimes>,
    cells: Vec<PathTimes<'static>>,
}

impl FirstRow {
    fn new(row: &FullRow<'_>, columns: &[usize]) -> Self {
        let keep = |column: &usize| {
            let ty = row.handle.definition.columns().get(*column).map(|column| &column.ty);
            let cells = if ty.is_some_and(Type::is_multi_cell) {
                RowValues::cells(row, *column)
            } else {
                Vec::new()
            };
            FirstRowColumn {
                column: *column,
                value: row.value(*column).map(Into::into),
                times: row.times(*column),
                cells: cells
                    .into_iter()
                    .map(|(path, times)| (Cow::Owned(path.into_owned()), times))
                    .collect(),
            }
        };
        Self { columns: columns.iter().map(keep).collect() }
    }

    fn find_column(&self, column: usize) -> Option<&FirstRowColumn> {
        self.columns.iter().find(|kept| kept.column == column)
    }
}

impl RowValues for FirstRow {
    fn column(&self, column: usize) -> Option<Cow<'_, [u8]>> {
        self.find_column(column)?.value.as_deref().map(Cow::Borrowed)
    }

    fn times(&self, column: usize) -> Option<CellTimes> {
        self.find_column(column)?.times
    }

    fn cells(&self, column: usize) -> Vec<PathTimes<'_>> {
        self.find_column(column).map(|kept| kept.cells.clone()).unwrap_or_default()
    }
}
