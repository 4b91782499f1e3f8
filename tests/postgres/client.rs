//! Values that the client makes where `PostgreSQL` would: they are given to it, so that both have the same.

use model::concept::{ClientValue, ColumnDefault, DefaultValue, TimeShift};
use model::id::IdList;
use model::sql::ModelFile;
use model::workload::{Parameter, Supply};
use sim::TranscriptStep;

use super::replay::quote_name;
use super::value::{Datum, literal, type_name};

/// The values of a statement that the client makes.
pub(super) struct ClientValues {
    /// What each is, the name of its parameter, and its literal; the used ones are gone.
    left: Vec<(ClientValue, String, String)>,
}

impl ClientValues {
    pub(super) fn new(parameters: &[Parameter], values: &[Datum]) -> Self {
        let left = parameters.iter().zip(values).filter_map(|(parameter, value)| {
            let Supply::Client(what) = parameter.supply else { return None };
            Some((what, parameter.name.clone(), literal(&parameter.ty, value)))
        });
        Self { left: left.collect() }
    }

    /// The literal in place of a function of the statement.
    pub(super) fn compute(&mut self, function: &str) -> Option<String> {
        let what = match function {
            "now"
            | "current_timestamp"
            | "localtimestamp"
            | "clock_timestamp"
            | "statement_timestamp"
            | "transaction_timestamp" => ClientValue::Now,
            "current_date" => ClientValue::Today,
            "gen_random_uuid" => ClientValue::NewUuid,
            _ => return None,
        };
        let Some(at) = self.left.iter().position(|(it, ..)| *it == what) else {
            return self.find_time_before_shift(what);
        };
        let (what, _, literal) = self.left[at].clone();
        if !what.is_shared() {
            self.left.remove(at);
        }
        Some(literal)
    }

    /// The current time of a statement that adds an interval to it: the sum is the client's value.
    fn find_time_before_shift(&self, what: ClientValue) -> Option<String> {
        self.left.iter().filter(|_| what == ClientValue::Now).find_map(|(it, _, literal)| {
            let ClientValue::ShiftedNow(TimeShift { months: 0, millis }) = it else { return None };
            Some(format!("({literal}::timestamptz - interval '{millis} milliseconds')"))
        })
    }

    /// The literals in place of the default of a column, one for each row.
    fn find_defaults(&self, what: ClientValue, column: &str) -> Vec<String> {
        let is_named = |name: &str| {
            let rest = name.strip_prefix(column).map(|rest| rest.trim_start_matches('_'));
            rest.is_some_and(|rest| rest.chars().all(|it| it.is_ascii_digit()))
        };
        let same = self.left.iter().filter(|(it, ..)| *it == what);
        let named: Vec<_> = same.clone().filter(|(_, name, _)| is_named(name)).collect();
        let all = if named.is_empty() && what.is_shared() { same.take(1).collect() } else { named };
        all.into_iter().map(|(.., literal)| literal.clone()).collect()
    }
}

/// The statements before a write that make the defaults of its table what the client passes.
pub(super) fn default_statements(model: &ModelFile, step: &TranscriptStep) -> Vec<String> {
    let TranscriptStep::Write { write, values, .. } = step else { return Vec::new() };
    let write = model.workload.writes.member(*write).expect("the write is in the workload");
    let client = ClientValues::new(&write.parameters, values);
    let entity = model.concept.entities.member(write.entity).expect("the entity is there");
    let mut statements = Vec::new();
    if let Some((.., now)) = client.left.iter().find(|(what, ..)| *what == ClientValue::Now) {
        statements.push(format!("SELECT set_config('judge.now', {now}, false)"));
    }
    for attribute in entity.attributes.iter().filter(|it| !it.hidden) {
        let Some(ColumnDefault { value: DefaultValue::Client(what), .. }) = attribute.default
        else {
            continue;
        };
        let given = client.find_defaults(what, &attribute.name);
        let Some(first) = given.first() else { continue };
        let (table, column) = (quote_name(&entity.name), quote_name(&attribute.name));
        if what == ClientValue::NextNumber {
            statements
                .push(format!("ALTER TABLE {table} ALTER COLUMN {column} DROP IDENTITY IF EXISTS"));
        }
        let default = if given.len() == 1 {
            first.clone()
        } else {
            // One after the other, row by row.
            let sequence = format!("judge_{}", statements.len());
            statements.push(format!("CREATE SEQUENCE IF NOT EXISTS {sequence}"));
            statements.push(format!("SELECT setval('{sequence}', 1, false)"));
            let ty = type_name(&attribute.ty);
            format!("(ARRAY[{}]::{ty}[])[nextval('{sequence}')]", given.join(", "))
        };
        statements.push(format!("ALTER TABLE {table} ALTER COLUMN {column} SET DEFAULT {default}"));
    }
    statements
}
