//! Random writes through the plans, with the tables compared with the join of the rows that they
//! are made from.

mod candidates;
mod models;
mod relational;
mod roles;
mod store;
mod value;

use cql::types::{NativeType, Type};
use model::concept::Concept;
use model::id::IdList;
use model::plan::{ColumnRole, Design};
use model::sql::ModelFile;
use model::workload::{Parameter, Workload, Write};

use crate::Options;
use relational::{Database, Outcome};
use store::Store;
use value::{Random, Value};

/// Runs random writes of a model, and compares after each.
pub(super) fn simulate(sql: &str, options: &Options, seed: u64, writes: usize) {
    let file = model::sql::read(sql, "app").unwrap_or_else(|mistakes| panic!("{mistakes:#?}"));
    let design = crate::design(&file.concept, &file.workload, options);
    run(&file, &design, seed, writes);
}

/// Runs random writes through the plans of a design, and compares after each.
fn run(file: &ModelFile, design: &Design, seed: u64, writes: usize) {
    super::check(&file.concept, design);
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let rows = vec![Vec::new(); file.concept.entities.len()];
    let mut database = Database { concept: &file.concept, rows };
    let mut store = Store::new(&design.tables);
    let mut done = 0;
    let mut log = Vec::new();
    for _ in 0..writes {
        let Workload { writes, .. } = &file.workload;
        let at = usize::try_from(random.next_below(writes.len() as u64)).unwrap();
        let write = &writes[at];
        let parameters = parameters(&file.concept, write, &mut random);
        let outcome = database.apply(write, &parameters);
        if outcome == Outcome::Unsent {
            continue;
        }
        log.push(format!("{} {parameters:?}: {outcome:?}", write.name));
        store.run(&design.writes[at], &parameters);
        done += usize::from(outcome == Outcome::Done);
        let context = || {
            let last = log.len().saturating_sub(12);
            let plan = &design.writes[at];
            format!("after\n{}\nby {:#?}\n{plan:?}", log[last..].join("\n"), super::text(plan))
        };
        compare(&database, &store, design, &context);
    }
    assert!(done * 12 > writes, "only {done} of {writes} writes were done");
}

/// Every table holds what it must hold.
fn compare(
    database: &Database<'_>,
    store: &Store<'_>,
    design: &Design,
    context: &dyn Fn() -> String,
) {
    for (table, stored) in design.tables.iter().zip(&store.stored) {
        if table.remembers.is_some() {
            continue;
        }
        let (rows, statics) = database.derive_rows(table);
        let mut actual = stored.rows.clone();
        for row in actual.values_mut() {
            for column in table
                .columns
                .iter()
                .filter(|column| matches!(column.role, ColumnRole::Regular | ColumnRole::Counter))
            {
                let value = row.remove(&column.name).unwrap_or(Value::Null).normalise();
                let value = if column.role == ColumnRole::Counter && value == Value::Null {
                    Value::Number(0)
                } else {
                    value
                };
                row.insert(column.name.clone(), value);
            }
        }
        let mut rows = rows;
        if table.is_counter() {
            // A group without rows counts 0.
            actual.retain(|_, row| row.values().any(|value| *value != Value::Number(0)));
            rows.retain(|_, row| row.values().any(|value| *value != Value::Number(0)));
        }
        assert_eq!(actual, rows, "{}: {}", table.name, context());
        for (partition, expected) in &statics {
            let found = stored.statics.get(partition).cloned().unwrap_or_default();
            for (name, value) in expected {
                let found = found.get(name).cloned().unwrap_or(Value::Null).normalise();
                assert_eq!(found, *value, "{}.{name} of {partition:?}: {}", table.name, context());
            }
        }
    }
}

/// Random values for the parameters of a write.
fn parameters(concept: &Concept, write: &Write, random: &mut Random) -> Vec<Value> {
    write
        .parameters
        .iter()
        .map(|parameter| {
            let nullable = is_nullable(concept, write, parameter);
            if nullable && random.next_below(5) == 0 {
                return Value::Null;
            }
            value(&parameter.ty, random)
        })
        .collect()
}

/// Whether null may be given: to a nullable attribute that is set.
fn is_nullable(concept: &Concept, write: &Write, parameter: &Parameter) -> bool {
    let entity = &concept.entities[write.entity];
    let at = write.parameters.find_id(|other| other.name == parameter.name).unwrap();
    let set = match &write.kind {
        model::workload::WriteKind::Insert(values) => values
            .iter()
            .find(|(_, value)| *value == model::workload::Value::Parameter(at))
            .map(|(attribute, _)| *attribute),
        model::workload::WriteKind::Update(assignments, _) => assignments
            .iter()
            .find(|assignment| {
                assignment.value
                    == model::workload::AssignmentValue::Set(model::workload::Value::Parameter(at))
            })
            .map(|assignment| assignment.attribute),
        _ => None,
    };
    set.is_some_and(|attribute| entity.attributes[attribute].nullable)
}

fn value(ty: &Type, random: &mut Random) -> Value {
    let small = |random: &mut Random, bound| i64::try_from(random.next_below(bound)).unwrap();
    match ty {
        Type::List(element, _) | Type::Set(element, _) => {
            let count = random.next_below(4);
            let mut values: Vec<_> = (0..count).map(|_| value(element, random)).collect();
            values.sort();
            values.dedup();
            Value::Array(values)
        }
        Type::Native(NativeType::Text) => {
            let words = ["open", "closed", "ann", "anton", "bob"];
            Value::Text(words[usize::try_from(random.next_below(5)).unwrap()].to_owned())
        }
        Type::Native(NativeType::Boolean) => Value::Number(small(random, 2)),
        Type::Native(NativeType::Timestamp | NativeType::Timeuuid | NativeType::Date) => {
            Value::Number(small(random, 40))
        }
        _ => Value::Number(small(random, 5)),
    }
}
