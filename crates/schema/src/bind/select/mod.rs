//! SELECT: binds selection, restrictions, grouping, ordering and limits, with the checks in the
//! server's order.

mod distinct;
mod execution;
mod group;
mod order;
pub mod row_filter;
pub(in crate::bind) mod values;

use std::sync::Arc;

use cql::Span;
use cql::statement::select::Select;
use cql::term::Term;
use cql::types::NativeType;

pub(crate) use execution::check_execution;
pub use execution::limit_value;
pub use group::{Aggregation, GroupFunction};

use super::context::{Context, Receiver};
use super::restrictions::{self, BoundOrdering, Restrictions, StatementType, WhereClause};
use super::selection::{self, Selection};
use super::term::{self, BoundTerm};
use crate::catalog::{ColumnKind, Table};
use crate::refusal::SelectionReason;
use crate::{Refusal, Result};

/// The help for PER PARTITION LIMIT where it has no meaning.
const NO_LIMIT: &str = "remove PER PARTITION LIMIT";

/// A SELECT that the server would prepare.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "the switches of a SELECT, each on its own")]
pub struct BoundSelect {
    /// The table or view that is read.
    pub table: Arc<Table>,
    /// The selected expressions.
    pub selection: Arc<Selection>,
    /// The WHERE clause.
    pub restrictions: Restrictions,
    /// Aggregates without GROUP BY, or GROUP BY.
    pub aggregation: Option<Aggregation>,
    /// ORDER BY; a column named twice has its last direction at its first position.
    pub orderings: Vec<BoundOrdering>,
    /// Whether the rows of a partition are read in reverse.
    pub is_reversed: bool,
    /// `SELECT DISTINCT`
    pub is_distinct: bool,
    /// `SELECT JSON`
    pub is_json: bool,
    /// `ALLOW FILTERING`
    pub allow_filtering: bool,
    /// LIMIT.
    pub limit: Option<BoundTerm>,
    /// PER PARTITION LIMIT.
    pub per_partition_limit: Option<BoundTerm>,
    /// Where it stands.
    pub span: Span,
}

impl BoundSelect {
    /// Whether the rows of several partitions are sorted after reading.
    pub fn has_post_query_ordering(&self) -> bool {
        !self.orderings.is_empty()
            && (self.restrictions.is_key_in_relation() || self.restrictions.is_nearest())
    }

    /// Whether static columns are read.
    pub(crate) fn has_static_columns(&self) -> bool {
        let is_static = |column: &usize| self.table.columns()[*column].kind == ColumnKind::Static;
        self.selection.columns_read.iter().any(is_static)
    }
}

/// Binds a SELECT.
pub fn bind(cx: &mut Context<'_>, select: &Select) -> Result<BoundSelect> {
    let table = cx.table(&select.table)?;
    let only_statics = selection::selects_only_statics(cx, &table, &select.selectors)?;
    let orderings = order::bind(cx, &table, &select.order_by)?;
    let restrictions = restrictions::analyse(
        cx,
        WhereClause {
            statement: StatementType::Select,
            table: &table,
            relations: &select.relations,
            orderings: &orderings,
            only_statics,
            allow_filtering: select.allow_filtering.is_some(),
            for_view: false,
        },
    )?;
    let orderings = order::distinct_columns(orderings);
    let selection = selection::bind(cx, &table, &select.selectors, select.json)?;
    if select.distinct {
        if let Some(limit) = &select.per_partition_limit {
            return Err(Refusal::new(SelectionReason::PartitionLimitDistinct, limit.span)
                .with_help(NO_LIMIT)
                .into());
        }
        distinct::check(&table, select, &selection, &restrictions, &orderings)?;
    }
    let aggregation = group::bind(cx, select, &table, &selection, &restrictions)?;
    if let (Some(Aggregation::Everything), Some(limit)) =
        (&aggregation, &select.per_partition_limit)
    {
        return Err(Refusal::new(SelectionReason::PartitionLimitAggregate, limit.span)
            .with_help(NO_LIMIT)
            .into());
    }
    let is_reversed = order::check(&table, &orderings, &restrictions)?;
    check_filtering(cx, select, &restrictions)?;
    Ok(BoundSelect {
        limit: bind_limit(cx, &table, select.limit.as_ref(), "[limit]")?,
        per_partition_limit: bind_limit(
            cx,
            &table,
            select.per_partition_limit.as_ref(),
            "[per_partition_limit]",
        )?,
        table,
        selection: selection.into(),
        restrictions,
        aggregation,
        orderings,
        is_reversed,
        is_distinct: select.distinct,
        is_json: select.json,
        allow_filtering: select.allow_filtering.is_some(),
        span: cx.span,
    })
}

/// Refuses filtering that no index makes unnecessary without ALLOW FILTERING.
fn check_filtering(cx: &Context<'_>, select: &Select, restrictions: &Restrictions) -> Result<()> {
    let may_filter = restrictions.is_key_range || restrictions.uses_index;
    if select.allow_filtering.is_some()
        || !may_filter
        || !restrictions.is_allow_filtering_required()
    {
        return Ok(());
    }
    if restrictions.needs_filtering()? {
        let span = select
            .relations
            .iter()
            .map(|relation| relation.span)
            .reduce(Span::union)
            .unwrap_or(cx.span);
        return Err(restrictions::filtering_refusal(restrictions, span).into());
    }
    Ok(())
}

fn bind_limit(
    cx: &mut Context<'_>,
    table: &Table,
    limit: Option<&Term>,
    name: &str,
) -> Result<Option<BoundTerm>> {
    let Some(limit) = limit else { return Ok(None) };
    let receiver = Receiver {
        keyspace: table.keyspace.clone(),
        table: table.name.clone(),
        name: name.into(),
        ty: NativeType::Int.into(),
    };
    term::prepare(cx, limit, &receiver, None).map(Some)
}
