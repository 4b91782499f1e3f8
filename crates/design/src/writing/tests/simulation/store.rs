//! The designed tables with their rows, and plans run on them. A batch has one timestamp: what it deletes is gone, whatever else
//! it writes there.

use std::collections::BTreeMap;

use cql::types::Type;
use model::id::{Numbered, StepId, TableId};
use model::plan::{
    Guard, Loop, Operand, PlannedStatement, PlannedTable, Role, WritePlan, WriteStep,
};

use super::relational::given;
use super::value::{Row, Value, bucket_of, prefix_of, shard_of};

/// The rows of a table.
#[derive(Clone, Debug, Default)]
pub(super) struct Stored {
    pub(super) rows: BTreeMap<Vec<Value>, Row>,
    pub(super) statics: BTreeMap<Vec<Value>, Row>,
    timestamps: BTreeMap<Vec<Value>, i64>,
}

/// All tables.
pub(super) struct Store<'a> {
    pub(super) tables: &'a [PlannedTable],
    pub(super) stored: Vec<Stored>,
}

/// What stands for the operands at one turn.
#[derive(Clone, Default)]
struct Frame {
    rows: BTreeMap<StepId, Row>,
    turns: Vec<Value>,
}

/// A statement taken apart.
struct Parsed<'t> {
    verb: &'t str,
    columns: Vec<(&'t str, &'t str)>,
    key: Vec<(&'t str, &'t str)>,
    condition: Option<&'t str>,
    stamped: bool,
}

/// Deletions, which come last in a batch.
type Deletion = (TableId, Vec<(String, Value)>);

impl<'a> Store<'a> {
    pub(super) fn new(tables: &'a [PlannedTable]) -> Self {
        Self { tables, stored: vec![Stored::default(); tables.len()] }
    }

    /// Runs a plan; `false` when a condition ended it.
    pub(super) fn run(&mut self, plan: &WritePlan, parameters: &[Value]) -> bool {
        let mut results: BTreeMap<StepId, Vec<Frame>> = BTreeMap::new();
        for (at, step) in plan.steps.numbered() {
            let mut deletions = Vec::new();
            match step {
                WriteStep::Read(read, _) => {
                    let mut found = Vec::new();
                    for frame in self.frames(&read.loops, &results, parameters, read.table) {
                        let values = read
                            .operands
                            .iter()
                            .map(|operand| evaluate(operand, &frame, parameters));
                        // The server refuses null in a key; such a read finds nothing.
                        let values: Vec<_> = values.collect();
                        if values.contains(&Value::Null) {
                            continue;
                        }
                        for row in self.select(read.table, &read.cql, &mut values.into_iter()) {
                            let mut frame = frame.clone();
                            frame.turns.clear();
                            frame.rows.insert(at, row);
                            found.push(frame);
                        }
                    }
                    results.insert(at, found);
                }
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
            for (table, key) in deletions {
                self.delete(table, &key);
            }
        }
        true
    }

    /// Each turn of the loops.
    fn frames(
        &self,
        loops: &[Loop],
        results: &BTreeMap<StepId, Vec<Frame>>,
        parameters: &[Value],
        table: TableId,
    ) -> Vec<Frame> {
        let mut start = Frame::default();
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
                .flat_map(|frame| self.turns(turn, &frame, results, parameters, table))
                .collect();
        }
        frames
    }

    fn turns(
        &self,
        turn: &Loop,
        frame: &Frame,
        results: &BTreeMap<StepId, Vec<Frame>>,
        parameters: &[Value],
        table: TableId,
    ) -> Vec<Frame> {
        let mut values: Vec<Value> = match turn {
            Loop::Values(values) => values.iter().map(|value| given(value, parameters)).collect(),
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
                (from..=4).map(Value::Number).collect()
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
        results: &BTreeMap<StepId, Vec<Frame>>,
        parameters: &[Value],
        deletions: &mut Vec<Deletion>,
    ) -> bool {
        for frame in self.frames(&statement.loops, results, parameters, statement.table) {
            if !statement.guards.iter().all(|guard| holds(guard, &frame, parameters)) {
                continue;
            }
            let values: Vec<_> = statement
                .operands
                .iter()
                .map(|operand| evaluate(operand, &frame, parameters))
                .collect();
            if !self.execute(statement.table, &statement.cql, values, deletions) {
                return false;
            }
        }
        true
    }

    fn execute(
        &mut self,
        at: TableId,
        cql: &str,
        values: Vec<Value>,
        deletions: &mut Vec<Deletion>,
    ) -> bool {
        let parsed = parse(cql);
        let mut values = values.into_iter();
        let mut value =
            |text: &str| if text == "?" { values.next().unwrap() } else { Value::literal(text) };
        let sets: Vec<_> = parsed
            .columns
            .iter()
            .map(|(name, text)| {
                let (sign, text) = signed(name, text);
                (name.trim_matches('"').to_owned(), sign, value(text))
            })
            .collect();
        let key: Vec<_> = parsed
            .key
            .iter()
            .map(|(name, text)| (name.trim_matches('"').to_owned(), value(text)))
            .collect();
        let condition: Vec<_> = parsed
            .condition
            .into_iter()
            .filter(|text| !text.ends_with("EXISTS"))
            .flat_map(|text| text.split(" AND "))
            .map(|text| {
                let (name, rest) = text.split_once(' ').unwrap();
                let (operator, of) = rest.split_once(' ').unwrap();
                (
                    name.to_owned(),
                    operator.to_owned(),
                    of.trim_matches(['(', ')']).split(", ").map(&mut value).collect::<Vec<_>>(),
                )
            })
            .collect();
        let timestamp = parsed.stamped.then(|| value("?").number());
        if parsed.verb == "INSERT" {
            let key = self.named_key(at, &sets);
            let plain = sets
                .into_iter()
                .filter(|(name, ..)| !key.iter().any(|(part, _)| part == name))
                .collect();
            return self.upsert(at, &key, plain, parsed.condition, timestamp);
        }
        if let Some(text) = parsed.condition {
            let met = self.row(at, &key).is_some_and(|row| {
                text == "EXISTS"
                    || condition.iter().all(|(name, operator, of)| {
                        let mine = row.get(name).cloned().unwrap_or(Value::Null);
                        compares(&mine, operator, of)
                    })
            });
            if !met {
                return false;
            }
        }
        if parsed.verb == "DELETE" {
            deletions.push((at, key));
            return true;
        }
        self.upsert(at, &key, sets, None, timestamp)
    }

    /// The key columns among values, in the order of the key.
    fn named_key(&self, at: TableId, sets: &[(String, char, Value)]) -> Vec<(String, Value)> {
        let key = self.tables[at].columns.iter().filter(|column| column.is_key());
        key.filter_map(|column| {
            let set = sets.iter().find(|(name, ..)| *name == column.name)?;
            Some((column.name.clone(), set.2.clone()))
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
        sets: Vec<(String, char, Value)>,
        condition: Option<&str>,
        timestamp: Option<i64>,
    ) -> bool {
        let table = &self.tables[at];
        let values: Vec<_> = key.iter().map(|(_, value)| value.clone()).collect();
        assert!(!values.contains(&Value::Null), "null in the key of {}: {key:?}", table.name);
        let partition = values[..table.partition_key().count()].to_vec();
        let whole = values.len() == table.columns.iter().filter(|column| column.is_key()).count();
        let stored = &mut self.stored[at.index()];
        if condition.is_some() && stored.rows.contains_key(&values) {
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
        for (name, sign, value) in sets {
            let column = table.column(&name).unwrap_or_else(|| panic!("{name} of {}", table.name));
            let row = if column.role == Role::Static {
                stored.statics.entry(partition.clone()).or_default()
            } else {
                stored.rows.get_mut(&values).unwrap()
            };
            let slot = row.entry(name).or_insert(Value::Null);
            *slot = changed(slot, sign, &value, &column.ty);
        }
        true
    }

    fn delete(&mut self, at: TableId, key: &[(String, Value)]) {
        let table = &self.tables[at];
        let values: Vec<_> = key.iter().map(|(_, value)| value.clone()).collect();
        assert!(!values.contains(&Value::Null), "null in the key of {}: {key:?}", table.name);
        let stored = &mut self.stored[at.index()];
        stored.rows.retain(|row, _| !row.starts_with(&values));
        if values.len() == table.partition_key().count() {
            stored.statics.remove(&values);
        }
    }

    fn select(&self, at: TableId, cql: &str, values: &mut dyn Iterator<Item = Value>) -> Vec<Row> {
        let parsed = parse(cql);
        let table = &self.tables[at];
        let key: Vec<_> = parsed
            .key
            .iter()
            .map(|(name, text)| {
                let value =
                    if *text == "?" { values.next().unwrap() } else { Value::literal(text) };
                (name.trim_matches('"'), value)
            })
            .collect();
        let names: Vec<_> = table
            .columns
            .iter()
            .filter(|column| column.is_key())
            .map(|column| column.name.as_str())
            .collect();
        for (position, (name, _)) in key.iter().enumerate() {
            assert_eq!(names[position], *name, "{cql}");
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
            let column = |(name, result): &(&str, &str)| {
                let value = row.get(name.trim_matches('"')).cloned().unwrap_or(Value::Null);
                (result.trim_matches('"').to_owned(), value)
            };
            parsed.columns.iter().map(column).collect()
        });
        results.collect()
    }
}

/// How an assignment changes its column, and by what.
fn signed<'a>(name: &str, text: &'a str) -> (char, &'a str) {
    let added = text.split_once(" + ").map(|(_, of)| ('+', of));
    let change = added.or_else(|| text.split_once(" - ").map(|(_, of)| ('-', of)));
    change.filter(|_| text.starts_with(name)).unwrap_or(('=', text))
}

/// Whether a value meets a condition of an IF clause.
fn compares(mine: &Value, operator: &str, of: &[Value]) -> bool {
    match operator {
        "=" => *mine == of[0],
        "!=" => *mine != of[0],
        "IN" => of.contains(mine),
        "<" => *mine != Value::Null && *mine < of[0],
        ">=" => *mine != Value::Null && *mine >= of[0],
        other => panic!("{other}"),
    }
}

/// A value after it was set, added to or taken from.
fn changed(old: &Value, sign: char, value: &Value, ty: &Type) -> Value {
    let distinct = |mut values: Vec<Value>| {
        if matches!(ty, Type::Set(..)) {
            values.sort();
            values.dedup();
        }
        Value::Array(values)
    };
    match (sign, value) {
        ('=', Value::Array(values)) => distinct(values.clone()),
        ('=', value) => value.clone(),
        ('+', Value::Array(more)) => {
            distinct(old.elements().into_iter().chain(more.iter().cloned()).collect())
        }
        ('-', Value::Array(less)) => Value::Array(
            old.elements().into_iter().filter(|element| !less.contains(element)).collect(),
        ),
        (sign, value) => {
            let before = if *old == Value::Null { 0 } else { old.number() };
            Value::Number(if sign == '+' {
                before + value.number()
            } else {
                before - value.number()
            })
        }
    }
}

fn evaluate(operand: &Operand, frame: &Frame, parameters: &[Value]) -> Value {
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
        Operand::Minus(one, other) => match (of(one), of(other)) {
            (Value::Number(one), Value::Number(other)) => Value::Number(one - other),
            _ => Value::Null,
        },
        Operand::OldestWins(value) => Value::Number(1_000_000 - of(value).number()),
    }
}

fn holds(guard: &Guard, frame: &Frame, parameters: &[Value]) -> bool {
    let of = |operand: &Operand| evaluate(operand, frame, parameters);
    match guard {
        Guard::NotNull(value) => of(value) != Value::Null,
        Guard::Null(value) => of(value) == Value::Null,
        Guard::Compares(one, comparison, other) => of(one).compares(*comparison, &of(other)),
        Guard::Fails(one, comparison, other) => !of(one).compares(*comparison, &of(other)),
        Guard::Differ(one, other) => of(one) != of(other),
        Guard::Has(array, element) => of(array).elements().contains(&of(element)),
        Guard::Lacks(array, element) => !of(array).elements().contains(&of(element)),
        Guard::Any(guards) => guards.iter().any(|guard| holds(guard, frame, parameters)),
        Guard::All(guards) => guards.iter().all(|guard| holds(guard, frame, parameters)),
    }
}

fn parse(cql: &str) -> Parsed<'_> {
    let verb = cql.split(' ').next().unwrap();
    let (rest, stamped) =
        cql.strip_suffix(" USING TIMESTAMP ?").map_or((cql, false), |rest| (rest, true));
    let (rest, condition) = match rest.split_once(" IF ") {
        Some((rest, condition)) => (rest, Some(condition)),
        None => (rest, None),
    };
    let (head, tail) =
        rest.split_once(" WHERE ").map_or((rest, None), |(head, tail)| (head, Some(tail)));
    let key = tail
        .into_iter()
        .flat_map(|tail| tail.split(" AND "))
        .map(|one| one.split_once(" = ").unwrap())
        .collect();
    let columns = match verb {
        "SELECT" => {
            let list = head.trim_start_matches("SELECT ").split(" FROM ").next().unwrap();
            list.split(", ").map(|item| item.split_once(" AS ").unwrap_or((item, item))).collect()
        }
        "INSERT" => {
            let (names, values) = head.split_once(") VALUES (").unwrap();
            let names = names.split_once(" (").unwrap().1.split(", ");
            names.zip(values.trim_end_matches(')').split(", ")).collect()
        }
        "UPDATE" => {
            let sets = head.split_once(" SET ").unwrap().1;
            sets.split(", ").map(|set| set.split_once(" = ").unwrap()).collect()
        }
        _ => Vec::new(),
    };
    Parsed { verb, columns, key, condition, stamped }
}
