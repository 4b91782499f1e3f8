//! [`ResultSetBuilder`]: the rows of a result, as values or as JSON.

use std::cmp::Ordering;
use std::ops::Range;

use schema::access::ReadOrder;
use schema::bind::select::BoundSelect;
use schema::bind::selection::{Expression, SelectedColumn};

use super::checked_sort::sort_checked;
use super::scan::RowSink;
use crate::error::{Error, Result};
use crate::execute::index::AnnQuery;
use crate::function::expression::{Evaluator, RowValues};
use crate::function::{append_json, append_name, check_length, has_missing_components};
use crate::node::handle::TableHandle;
use crate::result::ResultSet;
use crate::rows::full_row::{ColumnLocation, FullRow};

/// The results of aggregates, in the order of their calls.
pub(crate) type AggregateResults = std::vec::IntoIter<Option<Vec<u8>>>;

/// Builds the rows of a result.
#[derive(Debug)]
pub(crate) struct ResultSetBuilder<'a> {
    order: ReadOrder,
    select: &'a BoundSelect,
    pub(crate) evaluator: Evaluator<'a>,
    rows: ResultSet,
    /// Where the columns of the result are read from, if each is a column as it is stored and rows are returned in the order in
    /// which they are read: so for most reads, whose rows need no evaluation.
    stored: Option<Vec<ColumnLocation>>,
    /// The position and sort key of each row, if rows are sorted after reading.
    sorted: Option<Vec<SortableRow>>,
    /// The ANN query, if rows are sorted by it.
    nearest: Option<AnnQuery>,
}

/// An estimate of the memory of a sort key.
const SORT_KEY_BYTES: usize = 96;

#[derive(Debug)]
struct SortableRow {
    by: Vec<Option<Vec<u8>>>,
    score: f32,
    bytes: Range<usize>,
}

impl<'a> ResultSetBuilder<'a> {
    pub(crate) fn new(
        handle: &TableHandle,
        order: ReadOrder,
        select: &'a BoundSelect,
        evaluator: Evaluator<'a>,
        nearest: Option<AnnQuery>,
        rows: ResultSet,
    ) -> Self {
        let sorted = order.has_post_query_ordering().then(Vec::new);
        let mut builder = Self { order, select, evaluator, rows, stored: None, sorted, nearest };
        if builder.sorted.is_none() && builder.nearest.is_none() && !select.is_json {
            builder.stored = builder.locate_columns(handle);
        }
        builder
    }

    fn locate_columns(&self, handle: &TableHandle) -> Option<Vec<ColumnLocation>> {
        let columns = self.select.selection.columns.iter();
        columns.map(|it| ColumnLocation::locate(handle, self.plain_column(it)?)).collect()
    }

    /// Adds a row; aggregate calls take their results.
    pub(crate) fn write(
        &mut self,
        row: &dyn RowValues,
        mut finished: Option<AggregateResults>,
    ) -> Result<()> {
        let start = self.rows.values.len();
        if self.select.is_json {
            let document = self.json_document(row, finished.as_mut())?;
            self.rows.push(Some(document.as_bytes()));
        } else {
            for column in &self.select.selection.columns {
                if let Some(at) = self.plain_column(column) {
                    self.rows.push(row.column(at).as_deref());
                } else {
                    let value = self.value(column, row, finished.as_mut())?;
                    self.rows.push(value.as_deref());
                }
            }
        }
        self.rows.end_row();
        if let Some(sorted) = &mut self.sorted {
            let orderings = self.select.orderings.iter();
            let by =
                orderings.map(|ordering| row.column(ordering.column).map(Into::into)).collect();
            let score = self.nearest.as_ref().map_or(0.0, |nearest| {
                row.column(nearest.column).map_or(f32::NEG_INFINITY, |value| nearest.score(&value))
            });
            sorted.push(SortableRow { by, score, bytes: start..self.rows.values.len() });
        }
        Ok(())
    }

    /// The column of an expression that is just a column.
    fn plain_column(&self, column: &SelectedColumn) -> Option<usize> {
        let Expression::Column(at) = column.expression else { return None };
        let is_masked =
            || self.select.table.columns().get(at).is_some_and(|column| column.mask.is_some());
        (self.evaluator.unmasked || !is_masked()).then_some(at)
    }

    fn value(
        &self,
        column: &SelectedColumn,
        row: &dyn RowValues,
        finished: Option<&mut AggregateResults>,
    ) -> Result<Option<Vec<u8>>> {
        Ok(match finished {
            None => self.evaluator.evaluate(&column.expression, row)?,
            Some(finished) => self.evaluator.evaluate_group(&column.expression, row, finished)?,
        })
    }

    /// A row as a JSON document.
    fn json_document(
        &self,
        row: &dyn RowValues,
        mut finished: Option<&mut AggregateResults>,
    ) -> Result<String> {
        let mut document = String::from("{");
        for (at, column) in self.select.selection.columns.iter().enumerate() {
            if at > 0 {
                document.push_str(", ");
            }
            let value = self.value(column, row, finished.as_deref_mut())?;
            if has_missing_components(&column.ty, value.as_deref()) {
                return Err(short_tuple_error());
            }
            if let Some(bytes) = value.as_deref() {
                check_length(&column.ty, bytes)?;
            }
            append_name(&column.name, &mut document);
            document.push_str(": ");
            append_json(&column.ty, value.as_deref(), &mut document, &self.evaluator.env)?;
        }
        document.push('}');
        Ok(document)
    }

    /// The result, sorted and limited as requested. `check` is called at intervals.
    pub(crate) fn finish(
        self,
        limit: Option<u32>,
        check: impl Fn() -> Result<()>,
    ) -> Result<ResultSet> {
        let Some(mut sorted) = self.sorted else { return Ok(self.rows) };
        if self.nearest.is_some() {
            sort_checked(&mut sorted, |a, b| b.score.total_cmp(&a.score), check)?;
        } else {
            let compare = |a: &SortableRow, b: &SortableRow| {
                compare_rows(self.order, self.select, &a.by, &b.by)
            };
            sort_checked(&mut sorted, compare, check)?;
        }
        sorted.truncate(limit.and_then(|limit| limit.try_into().ok()).unwrap_or(usize::MAX));
        let mut rows = ResultSet::new(self.rows.columns);
        for row in sorted {
            rows.values.extend_from_slice(self.rows.values.get(row.bytes).unwrap_or_default());
            rows.end_row();
        }
        Ok(rows)
    }
}

fn short_tuple_error() -> Error {
    Error::server("java.lang.ArrayIndexOutOfBoundsException")
}

/// Compares two rows by ORDER BY. A row without clustering values comes first in the stored order.
fn compare_rows(
    read_order: ReadOrder,
    select: &BoundSelect,
    a: &[Option<Vec<u8>>],
    b: &[Option<Vec<u8>>],
) -> Ordering {
    for (ordering, (a, b)) in select.orderings.iter().zip(a.iter().zip(b)) {
        let order = if let (Some(a), Some(b)) = (a, b) {
            let ty = select.table.columns().get(ordering.column).map(|column| &column.ty);
            let order = ty.map_or(Ordering::Equal, |ty| cql::value::compare(ty, a, b));
            if ordering.descending { order.reverse() } else { order }
        } else {
            let order = a.is_some().cmp(&b.is_some());
            if read_order.is_reversed() { order.reverse() } else { order }
        };
        if order.is_ne() {
            return order;
        }
    }
    Ordering::Equal
}

impl RowSink for ResultSetBuilder<'_> {
    fn count_row(&mut self, row: &FullRow<'_>) -> Result<bool> {
        Ok(self.nearest.as_ref().is_none_or(|nearest| row.value(nearest.column).is_some()))
    }

    fn take(&mut self, row: &FullRow<'_>) -> Result<()> {
        if let Some(stored) = &self.stored {
            for location in stored {
                self.rows.push(row.value_at(*location));
            }
            self.rows.end_row();
            return Ok(());
        }
        let is_far = |nearest: &AnnQuery| row.value(nearest.column).is_none();
        if self.nearest.as_ref().is_some_and(is_far) {
            return Ok(());
        }
        self.write(row, None)
    }

    fn byte_size(&self) -> usize {
        let sorted = self.sorted.as_ref().map_or(0, Vec::len);
        self.rows.values.len() + sorted * SORT_KEY_BYTES
    }
}
