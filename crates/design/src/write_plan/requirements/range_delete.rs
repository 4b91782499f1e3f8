//! Deletes of many rows by one statement: all rows under a prefix of a table's key, or a range of
//! the clustering columns after it. One tombstone covers them, and nothing is read first.

use model::id::{AttributeId, LoopId};
use model::plan::{
    Bucket, BucketWalk, ColumnRole, Derivation, Loop, Operand, PlannedColumn, Relation,
};
use model::workload::{Column, Comparison, Condition, Predicate};

use super::{RowAction, RowWrite, RowWriter, SendOrder};
use crate::statement::ColumnValue;
use crate::volume::retention;
use crate::write_plan::count::Count;
use crate::write_plan::guard_expression::GuardExpression;
use crate::write_plan::impact::Impact;
use crate::write_plan::impact::target::{WriteTarget, operand};
use crate::write_plan::scope::Scope;
use crate::write_plan::statements::effort;

/// Buckets that a range between two values usually touches.
const RANGE_BUCKETS: f64 = 2.0;

/// The rows of a table that one DELETE covers, in each partition that may have some of them.
struct KeyRange<'r, 'a> {
    impact: &'r Impact<'a>,
    scope: &'r Scope<'a>,
    /// What the WHERE clause says, whether or not rows are read first.
    stated: WriteTarget,
    key: Vec<ColumnValue>,
    bounds: Vec<Relation>,
    loops: Vec<Loop>,
    count: Count,
    /// The attributes that the key restricts by equality.
    fixed: Vec<AttributeId>,
}

impl<'a> RowWriter<'a> {
    /// Deletes the rows by their range, where the table allows it; `false` where it does not.
    pub(super) fn delete_range(&mut self, scope: &Scope<'a>) -> bool {
        let impact = &self.values.impact;
        let is_one_role = scope.apart == GuardExpression::Always
            && scope.also.is_empty()
            && scope.others.is_empty();
        // A row that is read for the result alone is deleted where there is one.
        let is_single = impact.write.returning.is_some()
            && !WriteTarget::new(impact.context, impact.write, false).rows_first;
        // A Paxos round covers a single row.
        if !impact.target.rows_first
            || is_single
            || !is_one_role
            || !scope.shape.is_maker(scope.source)
            || impact.has_conditional_inserts(scope)
        {
            return false;
        }
        let Some(range) = KeyRange::new(impact, scope) else { return false };
        let KeyRange { key, bounds, loops, count, .. } = range;
        self.writes.push(RowWrite {
            at: scope.at,
            table: scope.table,
            action: RowAction::DeleteRange { key, bounds },
            order: SendOrder::Plain,
            guards: Vec::new(),
            loops,
            count,
            tombstones: 1.0,
        });
        true
    }
}

impl<'r, 'a> KeyRange<'r, 'a> {
    /// The range of a table's rows that the statement deletes; `None` where its conditions are no
    /// range of the table's key.
    fn new(impact: &'r Impact<'a>, scope: &'r Scope<'a>) -> Option<Self> {
        let stated = WriteTarget::new(impact.context, impact.write, false);
        let (loops, count) = (stated.loops.clone(), stated.count);
        let (key, bounds, fixed) = (Vec::new(), Vec::new(), Vec::new());
        let mut range = Self { impact, scope, stated, key, bounds, loops, count, fixed };
        for column in scope.table.partition_key() {
            let value = range.partition_value(&column.derivation)?;
            range.key.push((column.name.clone(), value));
        }
        let partition = range.key.len();
        for column in scope.table.clustering() {
            let Some(attribute) = range.attribute(column) else { break };
            let Some(value) = range.fix(attribute) else { break };
            range.key.push((column.name.clone(), value));
        }
        let open: Vec<_> = scope.table.clustering().skip(range.key.len() - partition).collect();
        range.bounds = range.bound(&open)?;
        let statics = scope.table.columns.iter().any(|column| column.role == ColumnRole::Static);
        let is_partition = range.key.len() == partition && range.bounds.is_empty();
        let is_used = |attribute: &AttributeId| range.fixed.contains(attribute);
        // Deleting a whole partition would delete static columns, which belong to another entity.
        (range.stated.key.iter().all(is_used) && !(statics && is_partition)).then_some(range)
    }

    /// The attribute of the row written that a column stores as it is.
    fn attribute(&self, column: &PlannedColumn) -> Option<AttributeId> {
        let Derivation::Attribute(of) = column.derivation else { return None };
        self.attribute_of(of)
    }

    fn attribute_of(&self, of: Column) -> Option<AttributeId> {
        self.scope.shape.attribute_at(of, self.scope.source)
    }

    /// The value that the statement requires of an attribute.
    fn find_known(&self, attribute: AttributeId) -> Option<Operand> {
        self.stated.known.get(attribute.index())?.clone()
    }

    /// The same, where it restricts the key.
    fn fix(&mut self, attribute: AttributeId) -> Option<Operand> {
        let value = self.find_known(attribute)?;
        self.fixed.push(attribute);
        Some(value)
    }

    /// The value of a column of the partition key; a loop where it takes several.
    fn partition_value(&mut self, derivation: &Derivation) -> Option<Operand> {
        match derivation {
            Derivation::Attribute(of) => {
                let attribute = self.attribute_of(*of)?;
                self.fix(attribute)
            }
            Derivation::Constant => Some(Operand::Literal("0".to_owned())),
            Derivation::Prefix(of, length) => {
                let value = self.find_known(self.attribute_of(*of)?)?;
                Some(Operand::PrefixOf(Box::new(value), *length))
            }
            Derivation::Bucket(of, bucket) => {
                match self.attribute_of(*of).and_then(|attribute| self.find_known(attribute)) {
                    Some(value) => Some(Operand::BucketOf(Box::new(value), *bucket)),
                    None => self.walk(*of, *bucket),
                }
            }
            Derivation::Shard { of, count } => {
                let values: Option<Vec<Operand>> =
                    of.iter().map(|of| self.find_known(self.attribute_of(*of)?)).collect();
                Some(match values {
                    Some(values) => Operand::ShardOf(values, *count),
                    None => self.repeat(Loop::Shards(*count), f64::from(*count)),
                })
            }
            // A row whose value is null is stored under the constant, and no equality means it.
            Derivation::Coalesced(..)
            | Derivation::Element(_)
            | Derivation::Count(_)
            | Derivation::Sum(_)
            | Derivation::Oldest(_)
            | Derivation::Newest(_) => None,
        }
    }

    /// Repeats the statement.
    fn repeat(&mut self, turn: Loop, times: f64) -> Operand {
        self.loops.push(turn);
        self.count = self.count.times(Count { mean: times, most: times });
        Operand::Turn(LoopId::new(self.loops.len() - 1))
    }

    /// Repeats the statement over the buckets that the range touches.
    fn walk(&mut self, of: Column, bucket: Bucket) -> Option<Operand> {
        let bound = |of_lower: bool| {
            let attribute = self.attribute_of(of)?;
            let mut conditions = self.stated.conditions.iter();
            conditions.find_map(|condition| match &condition.predicate {
                Predicate::Compare { column, comparison, value } => {
                    let is_it = column.attribute == attribute && is_lower(*comparison) == of_lower;
                    is_it.then(|| operand(value))
                }
                Predicate::Row { columns, comparison, values } => {
                    let is_first = columns.first().is_some_and(|at| at.attribute == attribute);
                    let value = values.first().filter(|_| is_lower(*comparison) == of_lower);
                    value.filter(|_| is_first).map(operand)
                }
                _ => None,
            })
        };
        let (from, to) = (bound(true), bound(false));
        // The age of rows does not tell the range of an integer.
        let is_range = matches!(bucket, Bucket::Range(_));
        let retain = retention(self.impact.context.concept, self.scope.table);
        let retain = retain.filter(|_| !is_range);
        let is_remembered =
            self.impact.tables.iter().any(|table| table.remembers == Some(self.scope.at));
        let is_below_open = from.is_none() && retain.is_none();
        let is_open = is_below_open || (is_range && to.is_none());
        // The ends of the buckets are read once, not for each of several keys.
        if is_open && (!is_remembered || !self.loops.is_empty()) {
            return None;
        }
        let walk = BucketWalk {
            bucket,
            newest_first: false,
            from,
            to,
            retain,
            oldest: None,
            newest: None,
            stops_at_limit: false,
        };
        let times = effort::count_buckets(self.impact.context, &walk).unwrap_or(RANGE_BUCKETS);
        Some(self.repeat(Loop::Buckets(walk), times))
    }

    /// The conditions beside the key as a range of the clustering columns that it leaves open.
    fn bound(&self, open: &[&PlannedColumn]) -> Option<Vec<Relation>> {
        let mut bounds = Vec::new();
        let (mut lower, mut upper) = (0, 0);
        for condition in &self.stated.conditions {
            let (relations, below, above) = self.condition_bounds(condition, open)?;
            lower += usize::from(below);
            upper += usize::from(above);
            bounds.extend(relations);
        }
        // CQL takes one bound on either side.
        (lower <= 1 && upper <= 1).then_some(bounds)
    }

    /// A condition as bounds, and whether it bounds from below and from above.
    fn condition_bounds(
        &self,
        condition: &Condition,
        open: &[&PlannedColumn],
    ) -> Option<(Vec<Relation>, bool, bool)> {
        let is_at = |position: usize, column: &Column| {
            let found = open.get(position)?;
            (self.attribute(found)? == column.attribute).then(|| found.name.clone())
        };
        match &condition.predicate {
            Predicate::Compare { column, comparison, value } => {
                let (column, operator) = (is_at(0, column)?, comparison.operator());
                let is_lower = is_lower(*comparison);
                let relation = Relation::Column { column, operator, value: operand(value) };
                (*comparison != Comparison::Equal).then_some((vec![relation], is_lower, !is_lower))
            }
            Predicate::Row { columns, comparison, values } => {
                let names: Option<Vec<String>> =
                    columns.iter().enumerate().map(|(at, column)| is_at(at, column)).collect();
                let names = names?;
                let mut roles = open.iter().take(names.len()).map(|column| column.role);
                let first = roles.next()?;
                let is_lower = is_lower(*comparison);
                // In mixed directions, a row value is no single range.
                roles.all(|role| role == first).then(|| {
                    let values = values.iter().map(operand).collect();
                    let operator = comparison.operator();
                    let relation = Relation::Row { columns: names, operator, values };
                    (vec![relation], is_lower, !is_lower)
                })
            }
            _ => None,
        }
    }
}

/// Whether a comparison bounds from below.
const fn is_lower(comparison: Comparison) -> bool {
    matches!(comparison, Comparison::Greater | Comparison::GreaterOrEqual)
}
