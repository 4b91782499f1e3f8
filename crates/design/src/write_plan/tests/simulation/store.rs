//! The designed tables with their rows, and plans run on them. A batch has one timestamp: what it
//! deletes is gone, whatever else it writes there.

use std::collections::BTreeMap;

use cql::relation::Operator;
use cql::types::Type;
use model::id::{IdList, StepId, TableId};
use model::plan::{
    AssignmentOperator, ColumnRole, Guard, IfClause, Loop, Modification, Operand, PlannedStatement,
    PlannedTable, Relation, Select, SelectItem, WritePlan, WriteStep,
};

use super::relational::resolve_value;
use super::value::{Row, Value, bucket_of, prefix_of, shard_of};

/// The rows of a table.
#[derive(Clone, Debug, Default)]
pub(super) struct StoredTable {
    pub(super) rows: BTreeMap<Vec<Value>, Row>,
    pub(super) statics: BTreeMap<Vec<Value>, Row>,
    timestamps: BTreeMap<Vec<Value>, i64>,
}

/// All tables.
pub(super) struct Store<'a> {
    pub(super) tables: &'a [PlannedTable],
    pub(super) stored: Vec<StoredTable>,
}

/// What stands for the operands at one turn.
#[derive(Clone, Default)]
struct TurnContext {
    rows: BTreeMap<StepId, Row>,
    turns: Vec<Value>,
}

/// What a statement does with a column.
type ColumnChange = (String, AssignmentOperator, Value);

/// Deletions, which come last in a batch: the table, the key and the bounds of what follows it.
type Deletion = (TableId, Vec<(String, Value)>, Vec<RangeBound>);

/// A bound of a range: the columns, how they compare, with what.
type RangeBound = (Vec<String>, Operator, Vec<Value>);

impl<'a> Store<'a> {
    pub(super) fn new(tables: &'a [PlannedTable]) -> Self {
        Self { tables, stored: vec![StoredTable::default(); tables.len()] }
    }

    /// Runs a plan; `false` when a condition ended it.
    pub(super) fn run(&mut self, plan: &WritePlan, parameters: &[Value]) -> bool {
        let mut results: BTreeMap<StepId, Vec<TurnContext>> = BTreeMap::new();
        for (at, step) in plan.steps.enumerate_ids() {
            let mut deletions = Vec::new();
            match step {
                WriteStep::Read(read, _) => {
                    let mut found = Vec::new();
                    for frame in self.turn_contexts(&read.loops, &results, parameters, read.table) {
                        let key = key(&read.select.relations, &frame, parameters);
                        // The server refuses null in a key; such a read finds nothing.
                        if key.iter().any(|(_, value)| *value == Value::Null) {
                            continue;
                        }
                        for row in self.select(read.table, &read.select, &key) {
                            let mut frame = frame.clone();
                            frame.turns.clear();
                            frame.rows.insert(at, row);
                            found.push(frame);
                        }
                    }
                    results.insert(at, found);
                }
                WriteStep::Run(_) => unreachable!("the models imply no writes"),
                WriteStep::Statement(statement) => {
                    if !self.send(statement, &results, parameters, &mut deletions) {
                        return false;
                    }
                }
                WriteStep::Batch { statements, .. } => {
                    for statement in statements {
                        assert!(self.send(statement, &results, parameters, &mut deletions));
                    }
                }
            }
            for (table, key, bounds) in deletions {
                self.delete(table, &key, &bounds);
            }
        }
        true
    }

    /// Each turn of the loops.
    fn turn_contexts(
        &self,
        loops: &[Loop],
        results: &BTreeMap<StepId, Vec<TurnContext>>,
        parameters: &[Value],
        table: TableId,
    ) -> Vec<TurnContext> {
        let mut start = TurnContext::default();
        for (step, found) in results {
            // Without a loop a row of an earlier step is its first.
            start.rows.insert(
                *step,
                found.first().map(|frame| frame.rows[step].clone()).unwrap_or_default(),
            );
        }
        let mut frames = vec![start];
        for turn in loops {
            frames = frames
                .into_iter()
                .flat_map(|frame| self.loop_contexts(turn, &frame, results, parameters, table))
                .collect();
        }
        frames
    }

    fn loop_contexts(
        &self,
        turn: &Loop,
        frame: &TurnContext,
        results: &BTreeMap<StepId, Vec<TurnContext>>,
        parameters: &[Value],
        table: TableId,
    ) -> Vec<TurnContext> {
        let mut values: Vec<Value> = match turn {
            Loop::Values(values) => {
                values.iter().map(|value| resolve_value(value, parameters)).collect()
            }
            Loop::Elements(of) => evaluate(of, frame, parameters).elements(),
            Loop::Shards(count) => (0..i64::from(*count)).map(Value::Number).collect(),
            Loop::Buckets(walk) => {
                let oldest = walk
                    .oldest
                    .map(|step| frame.rows[&step].values().next().cloned().unwrap_or(Value::Null));
                let from = match oldest {
                    Some(Value::Null) => return Vec::new(),
                    Some(Value::Number(from)) => from,
                    other => {
                        panic!("a walk over {} without an end: {other:?}", self.tables[table].name)
                    }
                };
                let to = walk.to.as_ref().map(|to| {
                    let to = Operand::BucketOf(Box::new(to.clone()), walk.bucket);
                    evaluate(&to, frame, parameters)
                });
                let to = match to {
                    Some(Value::Null) => return Vec::new(),
                    Some(Value::Number(to)) => to.min(4),
                    _ => 4,
                };
                (from..=to).map(Value::Number).collect()
            }
            Loop::Rows(step) => {
                let each = results[step].iter().map(|bound| {
                    let mut frame = frame.clone();
                    frame.rows.extend(bound.rows.clone());
                    frame.turns.push(Value::Null);
                    frame
                });
                return each.collect();
            }
        };
        values.sort();
        values.dedup();
        values
            .into_iter()
            .map(|value| {
                let mut frame = frame.clone();
                frame.turns.push(value);
                frame
            })
            .collect()
    }

    /// Sends a statement at each turn; `false` when its condition did not hold.
    fn send(
        &mut self,
        statement: &PlannedStatement,
        results: &BTreeMap<StepId, Vec<TurnContext>>,
        parameters: &[Value],
        deletions: &mut Vec<Deletion>,
    ) -> bool {
        for frame in self.turn_contexts(&statement.loops, results, parameters, statement.table) {
            if !statement.guards.iter().all(|guard| is_guard_met(guard, &frame, parameters)) {
                continue;
            }
            let (table, modification) = (statement.table, &statement.modification);
            if !self.execute(table, modification, (&frame, parameters), deletions) {
                return false;
            }
        }
        true
    }

    fn execute(
        &mut self,
        at: TableId,
        modification: &Modification,
        (frame, parameters): (&TurnContext, &[Value]),
        deletions: &mut Vec<Deletion>,
    ) -> bool {
        let of = |operand: &Operand| evaluate(operand, frame, parameters);
        match modification {
            Modification::Insert(insert) => {
                let set = |(name, value): &(String, Operand)| {
                    (name.clone(), AssignmentOperator::Set, of(value))
                };
                let mut changes: Vec<ColumnChange> = insert.values.iter().map(set).collect();
                let key = self.key_values(at, &changes);
                changes.retain(|(name, ..)| !key.iter().any(|(part, _)| part == name));
                let timestamp = insert.timestamp.as_ref().map(|stamp| of(stamp).number());
                let only_new = insert.condition == IfClause::NotExists;
                self.upsert(at, &key, changes, only_new, timestamp)
            }
            Modification::Update(update) => {
                let key = key(&update.relations, frame, parameters);
                if !self.is_condition_met(at, &key, &update.condition, &of) {
                    return false;
                }
                let changes = update.assignments.iter().map(|assignment| {
                    (assignment.column.clone(), assignment.operator, of(&assignment.value))
                });
                self.upsert(at, &key, changes.collect(), false, None)
            }
            Modification::Delete(delete) => {
                let is_equal = |relation: &&Relation| {
                    matches!(relation, Relation::Column { operator: Operator::Eq, .. })
                };
                let (equal, others): (Vec<_>, Vec<_>) = delete.relations.iter().partition(is_equal);
                let equal: Vec<_> = equal.into_iter().cloned().collect();
                let key = key(&equal, frame, parameters);
                let bounds: Vec<_> = others.into_iter().map(|it| bound(it, &of)).collect();
                let met = self.is_condition_met(at, &key, &delete.condition, &of);
                deletions.extend(met.then_some((at, key, bounds)));
                met
            }
        }
    }

    /// Whether the condition of a statement holds for the row under a key.
    fn is_condition_met(
        &self,
        at: TableId,
        key: &[(String, Value)],
        condition: &IfClause,
        of: &dyn Fn(&Operand) -> Value,
    ) -> bool {
        let relations = match condition {
            IfClause::Always => return true,
            IfClause::Exists => &[],
            IfClause::Columns(relations) => relations.as_slice(),
            IfClause::NotExists => panic!("{condition:?}"),
        };
        let mine = |row: &Row, name: &str| row.get(name).cloned().unwrap_or(Value::Null);
        self.row(at, key).is_some_and(|row| {
            relations.iter().all(|relation| match relation {
                Relation::Column { column, operator, value } => {
                    is_operator_met(&mine(&row, column), *operator, &of(value))
                }
                Relation::In { column, values } => {
                    values.iter().any(|value| mine(&row, column) == of(value))
                }
                other => panic!("{other:?}"),
            })
        })
    }

    /// The key columns among values, in the order of the key.
    fn key_values(&self, at: TableId, changes: &[ColumnChange]) -> Vec<(String, Value)> {
        let key = self.tables[at].columns.iter().filter(|column| column.is_key());
        key.filter_map(|column| {
            let (.., value) = changes.iter().find(|(name, ..)| *name == column.name)?;
            Some((column.name.clone(), value.clone()))
        })
        .collect()
    }

    /// The row under a key: its own columns and the static ones.
    fn row(&self, at: TableId, key: &[(String, Value)]) -> Option<Row> {
        let values: Vec<_> = key.iter().map(|(_, value)| value.clone()).collect();
        let partition = self.tables[at].partition_key().count();
        let stored = &self.stored[at.index()];
        if values.len() == partition && self.tables[at].clustering().next().is_some() {
            return stored.statics.get(&values).cloned();
        }
        stored.rows.get(&values).cloned()
    }

    fn upsert(
        &mut self,
        at: TableId,
        key: &[(String, Value)],
        changes: Vec<ColumnChange>,
        only_new: bool,
        timestamp: Option<i64>,
    ) -> bool {
        let table = &self.tables[at];
        let values: Vec<_> = key.iter().map(|(_, value)| value.clone()).collect();
        assert!(!values.contains(&Value::Null), "null in the key of {}: {key:?}", table.name);
        let partition = values[..table.partition_key().count()].to_vec();
        let whole = values.len() == table.columns.iter().filter(|column| column.is_key()).count();
        let stored = &mut self.stored[at.index()];
        if only_new && stored.rows.contains_key(&values) {
            return false;
        }
        if let Some(timestamp) = timestamp {
            let last = stored.timestamps.entry(values.clone()).or_insert(i64::MIN);
            if *last > timestamp {
                return true;
            }
            *last = timestamp;
        }
        if whole {
            stored.rows.entry(values.clone()).or_default();
        }
        for (name, operator, value) in changes {
            let column = table.column(&name).unwrap_or_else(|| panic!("{name} of {}", table.name));
            let row = if column.role == ColumnRole::Static {
                stored.statics.entry(partition.clone()).or_default()
            } else {
                stored.rows.get_mut(&values).unwrap()
            };
            let slot = row.entry(name).or_insert(Value::Null);
            *slot = apply_operator(slot, operator, &value, &column.ty);
        }
        true
    }

    fn delete(&mut self, at: TableId, key: &[(String, Value)], bounds: &[RangeBound]) {
        let table = &self.tables[at];
        if bounds.iter().any(|(.., values)| values.contains(&Value::Null)) {
            return;
        }
        let names: Vec<_> = table.columns.iter().filter(|column| column.is_key()).collect();
        let is_within = |row: &[Value]| {
            bounds.iter().all(|(columns, operator, values)| {
                let at = |name: &String| names.iter().position(|column| column.name == *name);
                let mine: Vec<_> =
                    columns.iter().filter_map(|name| row.get(at(name)?).cloned()).collect();
                match operator {
                    Operator::Lt => mine < *values,
                    Operator::Lte => mine <= *values,
                    Operator::Gt => mine > *values,
                    Operator::Gte => mine >= *values,
                    other => panic!("{other:?}"),
                }
            })
        };
        let values: Vec<_> = key.iter().map(|(_, value)| value.clone()).collect();
        assert!(!values.contains(&Value::Null), "null in the key of {}: {key:?}", table.name);
        let stored = &mut self.stored[at.index()];
        stored.rows.retain(|row, _| !(row.starts_with(&values) && is_within(row)));
        if values.len() == table.partition_key().count() && bounds.is_empty() {
            stored.statics.remove(&values);
        }
    }

    fn select(&self, at: TableId, select: &Select, key: &[(String, Value)]) -> Vec<Row> {
        let table = &self.tables[at];
        let names: Vec<_> = table
            .columns
            .iter()
            .filter(|column| column.is_key())
            .map(|column| column.name.as_str())
            .collect();
        for (position, (name, _)) in key.iter().enumerate() {
            assert_eq!(names[position], name, "{select}");
        }
        let wanted: Vec<_> = key.iter().map(|(_, value)| value.clone()).collect();
        let mut found = Vec::new();
        let count = table.partition_key().count();
        for (row_key, row) in &self.stored[at.index()].rows {
            if row_key.starts_with(&wanted) {
                let mut row = row.clone();
                row.extend(
                    names.iter().map(|name| (*name).to_owned()).zip(row_key.iter().cloned()),
                );
                row.extend(
                    self.stored[at.index()]
                        .statics
                        .get(&row_key[..count])
                        .cloned()
                        .unwrap_or_default(),
                );
                found.push(row);
            }
        }
        if found.is_empty()
            && wanted.len() == count
            && let Some(statics) = self.stored[at.index()].statics.get(&wanted)
        {
            let mut row = statics.clone();
            row.extend(names.iter().map(|name| (*name).to_owned()).zip(wanted.iter().cloned()));
            found.push(row);
        }
        let results = found.into_iter().map(|row| {
            let column = |item: &SelectItem| {
                let name = item.expression.column().unwrap();
                (item.name.clone(), row.get(name).cloned().unwrap_or(Value::Null))
            };
            select.items.iter().map(column).collect()
        });
        results.collect()
    }
}

/// The values of a key.
fn key(relations: &[Relation], frame: &TurnContext, parameters: &[Value]) -> Vec<(String, Value)> {
    let value = |relation: &Relation| match relation {
        Relation::Column { column, operator: Operator::Eq, value } => {
            (column.clone(), evaluate(value, frame, parameters))
        }
        other => panic!("{other:?}"),
    };
    relations.iter().map(value).collect()
}

/// A bound of a range delete.
fn bound(relation: &Relation, of: &dyn Fn(&Operand) -> Value) -> RangeBound {
    match relation {
        Relation::Column { column, operator, value } => {
            (vec![column.clone()], *operator, vec![of(value)])
        }
        Relation::Row { columns, operator, values } => {
            (columns.clone(), *operator, values.iter().map(of).collect())
        }
        other => panic!("{other:?}"),
    }
}

/// Whether a value meets a condition of an IF clause.
fn is_operator_met(mine: &Value, operator: Operator, of: &Value) -> bool {
    match operator {
        Operator::Eq => mine == of,
        Operator::Neq => mine != of,
        Operator::Lt => *mine != Value::Null && mine < of,
        Operator::Gte => *mine != Value::Null && mine >= of,
        other => panic!("{other:?}"),
    }
}

/// A value after it was set, added to or taken from.
fn apply_operator(old: &Value, operator: AssignmentOperator, value: &Value, ty: &Type) -> Value {
    let distinct = |mut values: Vec<Value>| {
        if matches!(ty, Type::Set(..)) {
            values.sort();
            values.dedup();
        }
        Value::Array(values)
    };
    match (operator, value) {
        (AssignmentOperator::Set, Value::Array(values)) => distinct(values.clone()),
        (AssignmentOperator::Set, value) => value.clone(),
        (AssignmentOperator::Add, Value::Array(more)) => {
            distinct(old.elements().into_iter().chain(more.iter().cloned()).collect())
        }
        (AssignmentOperator::Subtract, Value::Array(less)) => Value::Array(
            old.elements().into_iter().filter(|element| !less.contains(element)).collect(),
        ),
        (operator, value) => {
            let before = if *old == Value::Null { 0 } else { old.number() };
            Value::Number(if operator == AssignmentOperator::Add {
                before + value.number()
            } else {
                before - value.number()
            })
        }
    }
}

fn evaluate(operand: &Operand, frame: &TurnContext, parameters: &[Value]) -> Value {
    let of = |operand: &Operand| evaluate(operand, frame, parameters);
    match operand {
        Operand::Parameter(at) => parameters[at.index()].clone(),
        Operand::Literal(text) => Value::literal(text),
        Operand::Turn(at) => frame.turns[at.index()].clone(),
        Operand::BucketOf(value, bucket) => bucket_of(&of(value), *bucket),
        Operand::ShardOf(values, count) => {
            let values: Vec<_> = values.iter().map(of).collect();
            shard_of(&values, *count)
        }
        Operand::PrefixOf(value, length) => prefix_of(&of(value), *length),
        Operand::AfterPrefix(value) => match of(value) {
            Value::Text(text) => Value::Text(format!("{text}\u{10ffff}")),
            other => other,
        },
        Operand::Row { step, column } => {
            frame.rows[step].get(column).cloned().unwrap_or(Value::Null)
        }
        Operand::Single(value) => Value::Array(vec![of(value)]),
        Operand::OrElse(value, constant) => match of(value) {
            Value::Null => Value::literal(constant),
            other => other,
        },
        Operand::Coalesce(value, other) => match of(value) {
            Value::Null => of(other),
            value => value,
        },
        // These models have no such assignments.
        Operand::UnlessNull(value) => of(value),
        Operand::Minus(one, other) => match (of(one), of(other)) {
            (Value::Number(one), Value::Number(other)) => Value::Number(one - other),
            _ => Value::Null,
        },
        // The models of the simulation have no generated columns, and return nothing.
        Operand::Computed(_) | Operand::Appended(..) | Operand::Without(..) => Value::Null,
        Operand::OldestWins(value) => Value::Number(1_000_000 - of(value).number()),
        Operand::NewestWins(value) => Value::Number(1_000_000 + of(value).number()),
    }
}

fn is_guard_met(guard: &Guard, frame: &TurnContext, parameters: &[Value]) -> bool {
    let of = |operand: &Operand| evaluate(operand, frame, parameters);
    match guard {
        Guard::NotNull(value) => of(value) != Value::Null,
        Guard::Null(value) => of(value) == Value::Null,
        Guard::Compares(one, comparison, other) => {
            of(one).matches_comparison(*comparison, &of(other))
        }
        Guard::Fails(one, comparison, other) => {
            !of(one).matches_comparison(*comparison, &of(other))
        }
        Guard::Differ(one, other) => of(one) != of(other),
        Guard::Has(array, element) => of(array).elements().contains(&of(element)),
        Guard::Lacks(array, element) => !of(array).elements().contains(&of(element)),
        Guard::Any(guards) => guards.iter().any(|guard| is_guard_met(guard, frame, parameters)),
        Guard::All(guards) => guards.iter().all(|guard| is_guard_met(guard, frame, parameters)),
    }
}
