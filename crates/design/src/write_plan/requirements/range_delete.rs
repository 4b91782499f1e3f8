//! Deletes of many rows by one statement (`key_range`): one tombstone covers them, and nothing is
//! read first.

use model::id::{AttributeId, LoopId};
use model::plan::{Bucket, BucketWalk, Loop, Operand, Relation};
use model::workload::{Column, Condition, Predicate};

use super::{RowAction, RowWrite, RowWriter, SendOrder};
use crate::key_range::{DeleteConditions, KeyRange, PartitionValue, is_lower};
use crate::statement::ColumnValue;
use crate::volume::time_retention;
use crate::write_plan::count::Count;
use crate::write_plan::guard_expression::GuardExpression;
use crate::write_plan::impact::Impact;
use crate::write_plan::impact::target::{WriteTarget, operand};
use crate::write_plan::scope::Scope;
use crate::write_plan::statements::effort;

/// Buckets that a range between two values usually touches.
const RANGE_BUCKETS: f64 = 2.0;

/// A DELETE of a range in the making.
struct RangeDelete<'r, 'a> {
    impact: &'r Impact<'a>,
    scope: &'r Scope<'a>,
    /// What the WHERE clause says, whether or not rows are read first.
    stated: &'r WriteTarget,
    loops: Vec<Loop>,
    count: Count,
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
        let stated = WriteTarget::new(impact.context, impact.write, false);
        let (loops, count) = (stated.loops.clone(), stated.count);
        let mut delete = RangeDelete { impact, scope, stated: &stated, loops, count };
        let Some((key, bounds)) = delete.restrict() else { return false };
        let RangeDelete { loops, count, .. } = delete;
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

impl RangeDelete<'_, '_> {
    /// The key and the bounds of the statement; `None` where its conditions are no range of the
    /// table's key.
    fn restrict(&mut self) -> Option<(Vec<ColumnValue>, Vec<Relation>)> {
        let (scope, stated) = (self.scope, self.stated);
        let others: Vec<&Condition> = stated.conditions.iter().collect();
        let attribute_of = |of: Column| scope.shape.attribute_at(of, scope.source);
        let is_given = |attribute: AttributeId| {
            stated.known.get(attribute.index()).is_some_and(Option::is_some)
        };
        let delete = DeleteConditions {
            attribute_of: &attribute_of,
            is_given: &is_given,
            key: &stated.key,
            others: &others,
        };
        let range = KeyRange::new(scope.table, &delete)?;
        let mut key = Vec::new();
        for (column, value) in &range.partition {
            key.push((column.name.clone(), self.partition_value(value)?));
        }
        for (column, attribute) in &range.clustering {
            key.push((column.name.clone(), self.find_known(*attribute)?));
        }
        let bounds = range.bounds.iter().filter_map(|(names, predicate)| bound(names, predicate));
        Some((key, bounds.collect()))
    }

    /// The value that the statement requires of an attribute.
    fn find_known(&self, attribute: AttributeId) -> Option<Operand> {
        self.stated.known.get(attribute.index())?.clone()
    }

    /// The value of a column of the partition key; a loop where it takes several.
    fn partition_value(&mut self, value: &PartitionValue) -> Option<Operand> {
        Some(match value {
            PartitionValue::Constant => Operand::Literal("0".to_owned()),
            PartitionValue::Attribute(attribute) => self.find_known(*attribute)?,
            PartitionValue::Prefix(attribute, length) => {
                Operand::PrefixOf(Box::new(self.find_known(*attribute)?), *length)
            }
            PartitionValue::Bucket(attribute, bucket) => {
                Operand::BucketOf(Box::new(self.find_known(*attribute)?), *bucket)
            }
            PartitionValue::EachBucket(of, bucket) => self.walk(*of, *bucket)?,
            PartitionValue::Shard(attributes, count) => {
                let values: Option<Vec<Operand>> =
                    attributes.iter().map(|attribute| self.find_known(*attribute)).collect();
                Operand::ShardOf(values?, *count)
            }
            PartitionValue::EachShard(count) => {
                self.repeat(Loop::Shards(*count), f64::from(*count))
            }
        })
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
            let attribute = self.scope.shape.attribute_at(of, self.scope.source)?;
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
        let retain = time_retention(self.impact.context.concept, self.scope.table, of);
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
            ahead: 1,
        };
        let times = effort::count_buckets(self.impact.context, &walk).unwrap_or(RANGE_BUCKETS);
        Some(self.repeat(Loop::Buckets(walk), times))
    }
}

/// A condition on columns of these names as a relation.
fn bound(names: &[&str], predicate: &Predicate) -> Option<Relation> {
    match predicate {
        Predicate::Compare { comparison, value, .. } => Some(Relation::Column {
            column: (*names.first()?).to_owned(),
            operator: comparison.operator(),
            value: operand(value),
        }),
        Predicate::Row { comparison, values, .. } => Some(Relation::Row {
            columns: names.iter().map(|&name| name.to_owned()).collect(),
            operator: comparison.operator(),
            values: values.iter().map(operand).collect(),
        }),
        _ => None,
    }
}
