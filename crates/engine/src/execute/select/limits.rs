//! [`DataLimits`]: LIMIT, PER PARTITION LIMIT and the page size of a SELECT.

use schema::access::ReadPlan;
use schema::bind::select::{BoundSelect, limit_value};
use schema::bind::term::BoundTerm;

use super::paging::PagingState;
use crate::error::Result;
use crate::execute::Execution;
use crate::node::handle::TableHandle;
use crate::rows::{cursor, value};

/// The largest limit whose rows are read at once.
const FIRST_ROWS_MAX: usize = 1024;

/// The limits of a read, in rows or, with GROUP BY, in groups.
#[derive(Debug)]
pub(crate) struct DataLimits {
    /// LIMIT.
    pub(crate) limit: Option<u32>,
    /// What is left of LIMIT for this page and the following ones.
    pub(crate) left: Option<u32>,
    /// The maximum number of rows or groups to read.
    pub(crate) wanted: u32,
    /// The maximum number of rows or groups of one partition.
    pub(crate) per_partition: u32,
    /// Whether there may be another page.
    pub(crate) is_paged: bool,
    /// The paging state of the previous page.
    pub(crate) state: Option<PagingState>,
}

impl DataLimits {
    pub(crate) fn new(
        execution: &Execution<'_>,
        handle: &TableHandle,
        plan: &ReadPlan,
        select: &BoundSelect,
    ) -> Result<Self> {
        let limit = evaluate_limit(execution, select.limit.as_ref())?;
        let page = plan.comes_in_pages.then(|| execution.parameters.page_rows()).flatten();
        // If LIMIT fits into a page, the read is not paged.
        let page = page.filter(|page| limit.is_none_or(|limit| limit > *page));
        let state = match execution.parameters.paging_state.filter(|_| page.is_some()) {
            Some(bytes) => Some(PagingState::decode(bytes, |key| handle.key_from_bytes(key))?),
            None => None,
        };
        let left = state.as_ref().map_or(limit, |state| state.left);
        let wanted = if plan.stops_at_limit { left } else { None };
        let per_partition = match select.per_partition_limit.as_ref() {
            _ if plan.distinct => Some(1),
            limit => evaluate_limit(execution, limit)?,
        };
        Ok(Self {
            limit,
            left,
            wanted: wanted.unwrap_or(u32::MAX).min(page.unwrap_or(u32::MAX)),
            per_partition: per_partition.unwrap_or(u32::MAX),
            is_paged: page.is_some(),
            state,
        })
    }
}

impl DataLimits {
    /// The rows to read at once: those of the limit if every row counts, else a few.
    pub(crate) fn first_rows(&self, counts_every_row: bool) -> usize {
        let wanted = usize::try_from(self.wanted.min(self.per_partition)).unwrap_or(usize::MAX);
        if counts_every_row && wanted <= FIRST_ROWS_MAX { wanted } else { cursor::FIRST_ROWS }
    }
}

/// The value of a limit, which was checked to be positive.
fn evaluate_limit(execution: &Execution<'_>, term: Option<&BoundTerm>) -> Result<Option<u32>> {
    let Some(term) = term else { return Ok(None) };
    let value = value::evaluate_nullable(&execution.env(), term)?.map(Into::into);
    let number = limit_value(&BoundTerm::Value(value));
    Ok(number.and_then(|number| u32::try_from(number).ok()))
}
