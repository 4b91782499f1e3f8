//! The shape of a SELECT, as far as its effort depends on it.

use std::collections::{BTreeMap, BTreeSet};

use cql::relation::Operator;
use model::plan::{Operand, Relation, RowLimit, Select};

/// Elements of a list parameter whose length is not declared.
pub(super) const LIST_ELEMENTS: f64 = 10.0;
/// Rows of a LIMIT that is a parameter.
pub(super) const LIMIT_ROWS: f64 = 20.0;

/// The shape of a SELECT.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct StatementShape {
    /// Columns that must be equal to one value, or to one of several.
    pub(super) fixed: BTreeSet<String>,
    /// The constants among these values, in CQL's spelling.
    pub(super) constants: BTreeMap<String, String>,
    /// The number of combinations of several values.
    pub(super) values: f64,
    /// The first column of each range.
    pub(super) ranges: BTreeSet<String>,
    /// Columns that are searched by a prefix, which are among the ranges.
    pub(super) prefixes: BTreeSet<String>,
    /// Columns that are returned or computed with.
    pub(super) selected: BTreeSet<String>,
    /// Rows at most.
    pub(super) limit: Option<f64>,
    /// With an ORDER BY, which is the stored order reversed.
    pub(super) reversed: bool,
}

impl StatementShape {
    /// The shape of a statement.
    pub(super) fn new(select: &Select) -> Self {
        let selected = select.items.iter().filter_map(|item| item.expression.column());
        let mut shape = Self {
            values: 1.0,
            selected: selected.map(str::to_owned).collect(),
            limit: select.limit.as_ref().map(limit_rows),
            reversed: !select.order_by.is_empty(),
            ..Self::default()
        };
        for relation in &select.relations {
            shape.restrict(relation);
        }
        shape
    }

    fn restrict(&mut self, relation: &Relation) {
        match relation {
            Relation::Column { column, operator: Operator::Eq | Operator::Contains, value } => {
                self.fixed.insert(column.clone());
                if let Operand::Literal(constant) = value {
                    self.constants.insert(column.clone(), constant.clone());
                }
            }
            Relation::Column { column, value, .. } => {
                self.ranges.insert(column.clone());
                if matches!(value, Operand::AfterPrefix(_)) {
                    self.prefixes.insert(column.clone());
                }
            }
            Relation::In { column, values } => {
                self.fixed.insert(column.clone());
                #[expect(clippy::cast_precision_loss, reason = "a list in a statement is short")]
                let count = values.len().max(1) as f64;
                self.values *= count;
            }
            Relation::InList { column, .. } => {
                self.fixed.insert(column.clone());
                self.values *= LIST_ELEMENTS;
            }
            Relation::Row { columns, .. } => self.ranges.extend(columns.first().cloned()),
        }
    }
}

/// The number of a LIMIT.
#[expect(clippy::cast_precision_loss, reason = "a price needs no more digits")]
const fn limit_rows(limit: &RowLimit) -> f64 {
    match limit {
        RowLimit::Rows(rows) => *rows as f64,
        RowLimit::Operand(_) => LIMIT_ROWS,
    }
}
