//! What a statement asks of its table, read from its text: so it is priced the same whoever wrote it.

use std::collections::BTreeSet;

use cql::relation::{InValues, Operator, RelationKind};
use cql::selectable::{Selectable, SelectableKind};
use cql::statement::StatementKind;
use cql::statement::select::Select;
use cql::term::{Term, TermKind};
use model::plan::PlannedTable;

/// Elements of a list parameter, where nobody says how many.
pub(super) const LISTED: f64 = 10.0;
/// Rows of a LIMIT that is a parameter.
pub(super) const LIMITED: f64 = 20.0;

/// What a statement asks of its table.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Asked {
    /// Columns that must be equal to one value, or to one of several.
    pub(super) fixed: BTreeSet<String>,
    /// Values of the latter, over all columns.
    pub(super) values: f64,
    /// The first column of each range.
    pub(super) ranges: BTreeSet<String>,
    /// Columns that are returned or computed with; `None` for all.
    pub(super) selected: Option<BTreeSet<String>>,
    /// Rows at most.
    pub(super) limit: Option<f64>,
    /// In an order of its own, which is the stored one reversed.
    pub(super) reversed: bool,
}

impl Asked {
    /// What a SELECT asks; `None` for any other text.
    pub(super) fn of(text: &str) -> Option<Self> {
        let parsed = cql::parse(text);
        let statement = parsed.statements.into_iter().next()?;
        let StatementKind::Select(select) = statement.kind else { return None };
        let mut asked =
            Self { values: 1.0, reversed: !select.order_by.is_empty(), ..Self::default() };
        for relation in &select.relations {
            asked.take(&relation.kind);
        }
        asked.limit = select.limit.as_ref().map(number);
        asked.selected = selected(&select);
        Some(asked)
    }

    /// A whole partition, where the text says nothing.
    pub(super) fn of_partition(table: &PlannedTable) -> Self {
        let fixed = table.partition_key().map(|column| column.name.clone()).collect();
        Self { fixed, values: 1.0, ..Self::default() }
    }

    fn take(&mut self, relation: &RelationKind) {
        match relation {
            RelationKind::Column(name, Operator::Eq | Operator::Contains, _) => {
                self.fixed.insert(name.text.to_string());
            }
            RelationKind::In { column, negated: false, values } => {
                self.fixed.insert(column.text.to_string());
                self.values *= match values {
                    InValues::Marker(..) => LISTED,
                    #[expect(
                        clippy::cast_precision_loss,
                        reason = "a list in a statement is short"
                    )]
                    InValues::List(list) => list.len().max(1) as f64,
                };
            }
            RelationKind::Column(name, ..) | RelationKind::Between(name, _) => {
                self.ranges.insert(name.text.to_string());
            }
            RelationKind::Tuple(names, ..) => {
                self.ranges.extend(names.first().map(|name| name.text.to_string()));
            }
            _ => {}
        }
    }
}

/// The columns that a statement selects; `None` for all.
fn selected(select: &Select) -> Option<BTreeSet<String>> {
    if select.selectors.is_empty() {
        return None;
    }
    let mut names = BTreeSet::new();
    let mut open: Vec<&Selectable> =
        select.selectors.iter().map(|selector| &selector.expression).collect();
    while let Some(next) = open.pop() {
        match &next.kind {
            SelectableKind::Column(name) => {
                names.insert(name.text.to_string());
            }
            SelectableKind::Call(_, arguments) => open.extend(arguments),
            SelectableKind::CellInfo(_, of) | SelectableKind::Cast(of, _) => open.push(of),
            _ => {}
        }
    }
    Some(names)
}

/// The number of a LIMIT.
fn number(limit: &Term) -> f64 {
    match &limit.kind {
        TermKind::Constant(constant) => constant.text.parse().unwrap_or(LIMITED),
        _ => LIMITED,
    }
}
