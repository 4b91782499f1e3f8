//! The rows of the answer.

use model::bind::select::BoundSelect;
use model::bind::selection::{Expression, Selection};

use super::joined::JoinedRow;
use super::scan::Sink;
use crate::answer::Rows;
use crate::error::{Error, Result};

/// Rows as they are selected.
#[derive(Debug)]
pub(crate) struct Output<'a> {
    selection: &'a Selection,
    pub(crate) rows: Rows,
}

impl<'a> Output<'a> {
    pub(crate) fn new(select: &'a BoundSelect, rows: Rows) -> Self {
        Self { selection: &select.selection, rows }
    }
}

impl Sink for Output<'_> {
    fn take(&mut self, row: &JoinedRow<'_>) -> Result<()> {
        for column in &self.selection.columns {
            match &column.expression {
                Expression::Column(at) => self.rows.push(row.value(*at).as_deref()),
                _ => return Err(Error::server("expressions are not there yet")),
            }
        }
        self.rows.end_row();
        Ok(())
    }
}
