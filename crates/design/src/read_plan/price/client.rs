//! The client's work: how many rows are left, and how many it sorts.

use std::collections::BTreeSet;

use model::concept::Attribute;
use model::id::{IdList, StepId};
use model::plan::{ClientStep, Effort, ReadPlan};
use model::workload::{Column, Comparison, Limit, Predicate, Read, WriteKind};

use super::shape::{LIMIT_ROWS, LIST_ELEMENTS};
use crate::Context;
use crate::volume::LETTERS;

/// What the client does with the rows of a plan.
pub(super) struct ClientWork {
    steps: Vec<ClientAction>,
    /// Rows that suffice, where the client may stop reading.
    pub(super) enough: Option<f64>,
}

/// One step of the client, as far as its effort matters.
enum ClientAction {
    /// Keeps this part of the rows.
    Keeps(f64),
    /// Keeps at most so many.
    Most(f64),
    /// Sorts all rows.
    Sorts,
    /// Adds what a step returned.
    Attaches(StepId),
}

impl ClientWork {
    pub(super) fn new(context: Context<'_>, read: &Read, plan: &ReadPlan) -> Self {
        let mut ranged = BTreeSet::new();
        let mut steps = Vec::new();
        let (mut in_order, mut is_even) = (true, true);
        for step in &plan.client {
            let does = match step {
                ClientStep::Filter(condition) => {
                    // What changes, changes with age: the rows that match are not spread evenly over
                    // the order, and may all be at its end.
                    is_even &= !is_changed(context, read, &condition.predicate);
                    let again = is_range(&condition.predicate)
                        && condition
                            .predicate
                            .columns()
                            .iter()
                            .all(|column| !ranged.insert(*column));
                    ClientAction::Keeps(if again {
                        1.0
                    } else {
                        selectivity(context, read, &condition.predicate)
                    })
                }
                ClientStep::Limit(limit) => ClientAction::Most(limit_rows(*limit)),
                ClientStep::Exists => ClientAction::Most(1.0),
                ClientStep::Sort(_) => {
                    in_order = false;
                    ClientAction::Sorts
                }
                ClientStep::Aggregate(group) | ClientStep::Combine(group) => {
                    in_order = false;
                    ClientAction::Most(group_count(context, read, group))
                }
                ClientStep::Attach(step) => ClientAction::Attaches(*step),
                _ => continue,
            };
            steps.push(does);
        }
        let enough = if in_order && is_even { rows_enough(&steps) } else { None };
        Self { steps, enough }
    }

    /// Rows left, of so many, when a step's results are added; at the end when no step adds any.
    pub(super) fn rows_before_step(&self, rows: f64, step: StepId) -> f64 {
        let before = self
            .steps
            .iter()
            .take_while(|does| !matches!(does, ClientAction::Attaches(at) if *at == step));
        before.fold(rows, ClientAction::rows_left)
    }

    /// The sorts, of so many rows that were read.
    pub(super) fn sort_effort(&self, rows: f64) -> Effort {
        let mut effort = Effort::default();
        let mut left = rows;
        for does in &self.steps {
            if matches!(does, ClientAction::Sorts) {
                effort.sorts += 1.0;
                effort.sorted += left;
            }
            left = ClientAction::rows_left(left, does);
        }
        effort
    }
}

impl ClientAction {
    /// Rows left of so many.
    fn rows_left(rows: f64, does: &Self) -> f64 {
        match does {
            // The query asks for rows that exist: if any was read, one is left.
            Self::Keeps(share) => (rows * share).max(rows.min(1.0)),
            Self::Most(most) => rows.min(*most),
            Self::Sorts | Self::Attaches(_) => rows,
        }
    }
}

/// Rows to be read until enough are left.
fn rows_enough(steps: &[ClientAction]) -> Option<f64> {
    let mut share = 1.0;
    for does in steps {
        match does {
            ClientAction::Keeps(part) => share *= part,
            ClientAction::Most(most) if share > 0.0 => return Some(most / share),
            _ => {}
        }
    }
    None
}

/// Rows of a LIMIT.
fn limit_rows(limit: Limit) -> f64 {
    match limit {
        #[expect(clippy::cast_precision_loss, reason = "a limit is far below 2^52")]
        Limit::Number(rows) => rows as f64,
        Limit::Parameter(_) => LIMIT_ROWS,
    }
}

/// Groups that there are at most.
fn group_count(context: Context<'_>, read: &Read, group: &[Column]) -> f64 {
    let values = group.iter().filter_map(|column| attribute(context, read, *column));
    values.map(|attribute| attribute.distinct.value.max(1.0)).product()
}

fn is_range(test: &Predicate) -> bool {
    match test {
        Predicate::Compare { comparison, .. } => *comparison != Comparison::Equal,
        Predicate::Row { .. } => true,
        _ => false,
    }
}

/// Whether a write changes a column of a condition.
fn is_changed(context: Context<'_>, read: &Read, test: &Predicate) -> bool {
    let writes = || context.workload.writes.iter();
    test.columns().iter().any(|column| {
        let entity = read.sources.member(column.source).map(|source| source.entity);
        writes().any(|write| match &write.kind {
            WriteKind::Update(assignments, _) if Some(write.entity) == entity => {
                assignments.iter().any(|assignment| assignment.attribute == column.attribute)
            }
            _ => false,
        })
    })
}

/// The share of rows that satisfy a condition, with all values equally frequent.
fn selectivity(context: Context<'_>, read: &Read, test: &Predicate) -> f64 {
    let found = |column: &Column| attribute(context, read, *column);
    let one = |column: &Column| 1.0 / found(column).map_or(1.0, |at| at.distinct.value.max(1.0));
    let share = match test {
        Predicate::Compare { column, comparison: Comparison::Equal, .. } => one(column),
        #[expect(clippy::cast_precision_loss, reason = "a list of values in a query is short")]
        Predicate::In { column, values } => one(column) * values.len() as f64,
        Predicate::AnyOf { column, .. } => one(column) * LIST_ELEMENTS,
        Predicate::Holds { column, .. } => {
            one(column) * found(column).map_or(1.0, |at| at.items.value)
        }
        Predicate::Compare { .. } | Predicate::Row { .. } => {
            context.options.search.prices.range_share
        }
        Predicate::Prefix { .. } => 1.0 / LETTERS,
        Predicate::NotNull { .. } | Predicate::Null { .. } => 1.0,
    };
    share.min(1.0)
}

fn attribute<'a>(context: Context<'a>, read: &Read, column: Column) -> Option<&'a Attribute> {
    let source = read.sources.member(column.source)?;
    context.concept.entities.member(source.entity)?.attributes.member(column.attribute)
}
