//! Requests: rows that must be read before a write can continue.

use std::collections::BTreeSet;

use model::id::{EntityId, IdList, Member, SourceId, StepId, TableId};
use model::plan::{Loop, Operand};
use model::workload::{Column, Condition, Source};

use super::count::Count;
use super::join_graph::JoinGraph;
use crate::statement::ColumnValue;

/// Rows that must be read first. Which table they are read from is decided only when all columns
/// requested of them are known.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Request {
    /// The join that the rows are of.
    pub(super) sources: Vec<Source>,
    /// Conditions that the requested rows are known to satisfy.
    pub(super) filters: Vec<Condition>,
    pub(super) not_null: Vec<Column>,
    /// The columns whose values are known, with the values.
    pub(super) known: Vec<(Column, Operand)>,
    /// The columns of `known` that the read must restrict: a key, or all of them. The others only
    /// help.
    pub(super) enough: Vec<Column>,
    /// The columns requested.
    pub(super) wants: BTreeSet<Column>,
    /// Columns that the table must have so that no two requested rows are merged into one.
    pub(super) distinct: BTreeSet<Column>,
    /// The array whose elements are requested, one row for each.
    pub(super) element: Option<Column>,
    /// There may be no such row: all else is done all the same, with nulls.
    pub(super) optional: bool,
    /// The table being written itself, to be read by its own column names.
    pub(super) own: Option<OwnTableRead>,
    /// What the read is repeated over.
    pub(super) loops: Vec<Loop>,
    /// How often it is sent, apart from what the table that is read adds to it.
    pub(super) times: Count,
    /// Rows that come back in all.
    pub(super) count: Count,
    /// Nothing is read: only the existence of such a table is required.
    pub(super) ensures: bool,
    /// Nothing uses its rows.
    pub(super) unused: bool,
    pub(super) reason: String,
}

/// Requests are identified by the step that they become.
impl Member for Request {
    type Id = StepId;

    fn id(position: usize) -> StepId {
        StepId::new(position)
    }

    fn position(id: StepId) -> usize {
        id.index()
    }
}

/// A read of a given table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OwnTableRead {
    pub(super) table: TableId,
    pub(super) key: Vec<ColumnValue>,
    pub(super) names: BTreeSet<String>,
}

impl Request {
    /// Rows of one entity, looked up by a key.
    pub(super) fn for_entity(entity: EntityId, name: &str, known: Vec<(Column, Operand)>) -> Self {
        Self {
            sources: vec![Source { entity, alias: name.to_owned(), join: None }],
            filters: Vec::new(),
            not_null: Vec::new(),
            enough: known.iter().map(|(column, _)| *column).collect(),
            known,
            wants: BTreeSet::new(),
            distinct: BTreeSet::new(),
            element: None,
            optional: false,
            own: None,
            loops: Vec::new(),
            times: Count::ONE,
            count: Count::ONE,
            ensures: false,
            unused: false,
            reason: String::new(),
        }
    }
}

/// The name that a wanted column has in the result.
pub(super) fn result_name(shape: JoinGraph<'_>, column: Column) -> String {
    let name_at = |source: SourceId| {
        let attribute = shape.entity(source)?.attributes.member(column.attribute)?;
        Some(attribute.name.as_str())
    };
    let name = name_at(column.source).unwrap_or_default();
    let elsewhere = shape.sources.ids().any(|source| {
        source != column.source
            && shape.entity(source).is_some_and(|entity| entity.attribute_named(name).is_some())
    });
    match shape.sources.member(column.source) {
        Some(source) if elsewhere => format!("{}_{name}", source.alias),
        _ => name.to_owned(),
    }
}
