//! The wording of plans: loops, guards and values of statements, and the work of the client.

use cql::BatchKind;
use model::expression::Expression;
use model::id::{AttributeId, IdList, ParameterId};
use model::plan::{BucketWalk, ClientStep, Guard, Loop, Operand, PlannedStatement, WritePlan};
use model::workload::{
    Column, ComputedOutput, Condition, Limit, Parameter, Predicate, SortColumn, Source, Supply,
    Value, Write, WriteKind,
};

use super::DesignView;

/// Describes the plan of a read or write with the names of its parameters and columns.
#[derive(Clone, Copy)]
pub(crate) struct PlanPhrases<'a> {
    pub(crate) subject: DesignView<'a>,
    pub(crate) parameters: &'a [Parameter],
    pub(crate) sources: &'a [Source],
}

/// What the client checks before a write. That parameters of NOT NULL columns are not null goes
/// without saying.
pub(super) fn describe_checks(plan: &WritePlan) -> Option<String> {
    let checks = plan.checks.iter().filter(|check| !check.is_not_null());
    let checks: Vec<&str> = checks.map(|check| check.sql.as_str()).collect();
    (!checks.is_empty()).then(|| format!("checked by the client first: {}", checks.join("; ")))
}

impl PlanPhrases<'_> {
    fn parameter(&self, at: ParameterId) -> String {
        self.parameters
            .member(at)
            .map_or_else(|| format!("?{}", at.index()), |parameter| parameter.name.clone())
    }

    /// The values that the client makes, one phrase each.
    pub(crate) fn client_values(&self) -> Vec<String> {
        let phrase = |parameter: &Parameter| match parameter.supply {
            Supply::Client(value) => Some(format!("the client sets {} to {value}", parameter.name)),
            Supply::User | Supply::Step { .. } | Supply::Nobody => None,
        };
        self.parameters.iter().filter_map(phrase).collect()
    }

    /// The generated columns that the client computes for a write, one phrase each.
    pub(crate) fn generation_phrases(&self, write: &Write) -> Vec<String> {
        let changed = |at: &AttributeId| match &write.kind {
            WriteKind::Insert(_) | WriteKind::Upsert(_) | WriteKind::Rows(_) => true,
            WriteKind::Update(assignments, _) => assignments.iter().any(|it| it.attribute == *at),
            WriteKind::Delete(_) => false,
        };
        let entity = self.subject.file.concept.entities.member(write.entity);
        let attributes = entity.map(|entity| entity.attributes.as_slice()).unwrap_or_default();
        let computed = attributes.iter().filter_map(|attribute| {
            let generation = attribute.generated.as_ref()?;
            let inputs = generation.expression.as_ref()?.columns();
            let name = &attribute.name;
            let phrase = || format!("the client computes {name} as {}", generation.sql);
            inputs.into_iter().any(changed).then(phrase)
        });
        computed.collect()
    }

    fn column(&self, column: Column) -> String {
        let entity = self.sources.member(column.source).map(|source| source.entity);
        entity
            .and_then(|entity| self.subject.file.concept.entities.member(entity))
            .and_then(|entity| entity.attributes.member(column.attribute))
            .map_or_else(|| "?".to_owned(), |attribute| attribute.name.clone())
    }

    fn value(&self, value: &Value) -> String {
        match value {
            Value::Parameter(at) => self.parameter(*at),
            Value::Literal(literal) => literal.clone(),
        }
    }

    /// What a column is compared with: a parameter mostly has the name of the column.
    fn comparison_value(&self, value: &Value) -> String {
        match value {
            Value::Parameter(at) => format!(":{}", self.parameter(*at)),
            Value::Literal(literal) => literal.clone(),
        }
    }

    fn limit(&self, limit: Limit) -> String {
        match limit {
            Limit::Number(rows) => rows.to_string(),
            Limit::Parameter(at) => self.parameter(at),
        }
    }

    fn ordering(&self, order: &[SortColumn]) -> String {
        let columns: Vec<_> = order
            .iter()
            .map(|ordering| {
                let direction = if ordering.descending { " DESC" } else { "" };
                format!("{}{direction}", self.column(ordering.column))
            })
            .collect();
        columns.join(", ")
    }

    fn columns(&self, columns: &[Column]) -> String {
        let names: Vec<_> = columns.iter().map(|column| self.column(*column)).collect();
        names.join(", ")
    }

    /// The value of a `?`.
    pub(crate) fn operand(&self, operand: &Operand, loops: &[Loop]) -> String {
        let inner = |operand: &Operand| self.operand(operand, loops);
        match operand {
            Operand::Parameter(at) => self.parameter(*at),
            Operand::Literal(literal) => literal.clone(),
            Operand::Turn(at) => {
                loops.member(*at).map_or_else(|| "the current value".to_owned(), loop_item)
            }
            Operand::Single(of) => format!("collection of {}", inner(of)),
            Operand::BucketOf(of, width) => format!("{width} of {}", inner(of)),
            Operand::ShardOf(of, count) => {
                let of: Vec<_> = of.iter().map(inner).collect();
                format!("murmur3({}) mod {count}", of.join(", "))
            }
            Operand::PrefixOf(of, 1) => format!("first character of {}", inner(of)),
            Operand::PrefixOf(of, length) => format!("first {length} characters of {}", inner(of)),
            Operand::AfterPrefix(of) => {
                format!("upper bound of the texts that start with {}", inner(of))
            }
            Operand::Row { step, column } => format!("{column} of step {}", step.index() + 1),
            Operand::OrElse(of, constant) => format!("{} or {constant}", inner(of)),
            Operand::Coalesce(of, other) => format!("{} or {}", inner(of), inner(other)),
            Operand::UnlessNull(of) => format!("{0} (left out if {0} is null)", inner(of)),
            Operand::Minus(left, right) => match &**left {
                Operand::Literal(zero) if zero == "0" => format!("-{}", inner(right)),
                left => match inner(right).strip_prefix('-') {
                    Some(added) => format!("{} + {added}", inner(left)),
                    None => format!("{} - {}", inner(left), inner(right)),
                },
            },
            Operand::Appended(array, element) => {
                format!("{} with {} at its end", inner(array), inner(element))
            }
            Operand::Without(array, element) => {
                format!("{} without {}", inner(array), inner(element))
            }
            Operand::Computed(expression) => expression.text(&inner),
            Operand::OldestWins(of) => format!("2^52 - milliseconds of {}", inner(of)),
            Operand::NewestWins(of) => format!("2^52 + {}", inner(of)),
        }
    }

    /// The values of all `?` of a statement; `None` if there are none.
    pub(crate) fn values(&self, operands: &[&Operand], loops: &[Loop]) -> Option<String> {
        let values: Vec<_> = operands.iter().map(|operand| self.operand(operand, loops)).collect();
        (!values.is_empty()).then(|| values.join(", "))
    }

    /// The loops of a statement, one phrase each.
    pub(crate) fn loops(&self, loops: &[Loop], limit: Option<Limit>) -> Vec<String> {
        loops.iter().map(|repetition| self.loop_phrase(repetition, loops, limit)).collect()
    }

    fn loop_phrase(&self, repetition: &Loop, loops: &[Loop], limit: Option<Limit>) -> String {
        match repetition {
            Loop::Values(values) => {
                let values: Vec<_> = values.iter().map(|value| self.value(value)).collect();
                format!("for each of {}, in parallel", values.join(", "))
            }
            Loop::Elements(of) => {
                format!("for each element of {}, in parallel", self.operand(of, loops))
            }
            Loop::Shards(count) => format!("for each shard 0..{}, in parallel", count - 1),
            Loop::Rows(step) => format!("for each row of step {}, in parallel", step.index() + 1),
            Loop::Buckets(walk) => self.walk(walk, loops, limit),
        }
    }

    /// A walk over buckets: its range, its order and its end.
    fn walk(&self, walk: &BucketWalk, loops: &[Loop], limit: Option<Limit>) -> String {
        let of = |operand: &Operand| self.operand(operand, loops);
        let unit = walk.bucket;
        let newest = match (&walk.to, walk.newest) {
            (Some(to), Some(step)) => format!(
                "the {unit} of {}, or the newest one (from step {}) if that is lower,",
                of(to),
                step.index() + 1
            ),
            (Some(to), None) => format!("the {unit} of {}", of(to)),
            (None, Some(step)) => format!("the newest {unit} (from step {})", step.index() + 1),
            (None, None) => format!("the current {unit}"),
        };
        let oldest = match (&walk.from, walk.retain, walk.oldest) {
            (Some(from), ..) => format!("the {unit} of {}", of(from)),
            (None, Some(seconds), _) => {
                format!("the {unit} of {} ago", model::figures::format_duration(seconds))
            }
            (None, None, Some(step)) if walk.newest.is_some() => {
                format!("the oldest {unit} (from step {})", step.index() + 1)
            }
            (None, None, Some(step)) => {
                // A walk from the newest on may end before it needs the oldest.
                let is_late = walk.newest_first && walk.stops_at_limit;
                let when = if is_late {
                    format!(", read only if one {unit} is not enough")
                } else {
                    String::new()
                };
                format!("the oldest {unit} (from step {}{when})", step.index() + 1)
            }
            (None, None, None) => format!("the oldest {unit}"),
        };
        let (first, last) = if walk.newest_first { (newest, oldest) } else { (oldest, newest) };
        let stop = match limit.filter(|_| walk.stops_at_limit) {
            Some(limit) => format!(", until {} rows are found", self.limit(limit)),
            None if walk.stops_at_limit => ", until a row is found".to_owned(),
            None => ", in parallel".to_owned(),
        };
        let ahead = match walk.ahead {
            0 | 1 => String::new(),
            several => format!(", {several} at a time"),
        };
        format!("for each {unit} from {first} to {last}{ahead}{stop}")
    }

    /// The work of the client after the statements.
    pub(crate) fn client(&self, step: &ClientStep) -> String {
        match step {
            ClientStep::Filter(condition) => {
                format!("keep rows with {}", self.condition(condition))
            }
            ClientStep::Merge(order) => format!("merge the streams by {}", self.ordering(order)),
            ClientStep::Sort(order) => format!("sort by {}", self.ordering(order)),
            ClientStep::Limit(limit) => format!("keep the first {} rows", self.limit(*limit)),
            ClientStep::Combine(group) if group.is_empty() => {
                "add up the partial results".to_owned()
            }
            ClientStep::Combine(group) => {
                format!("add up the partial results by {}", self.columns(group))
            }
            ClientStep::Aggregate(group) if group.is_empty() => "aggregate the rows".to_owned(),
            ClientStep::Aggregate(group) => {
                format!("aggregate the rows by {}", self.columns(group))
            }
            ClientStep::Average { sum, count, output } => format!("{output} = {sum} / {count}"),
            ClientStep::EmptySumIsNull { sum, count } => {
                format!("make {sum} null where {count} is 0")
            }
            ClientStep::DropEmptyGroups(count) => format!("drop groups whose {count} is 0"),
            ClientStep::AbsentIsZero => "treat a missing row as 0".to_owned(),
            ClientStep::Attach(step) => {
                format!("extend each row with the result of step {}", step.index() + 1)
            }
            ClientStep::DropStaticRow(column) => {
                format!("drop rows without {column}: their partitions have only static columns")
            }
            ClientStep::Exists => "return whether there is a row".to_owned(),
            ClientStep::Compute(results) => {
                let is_computed =
                    |result: &&ComputedOutput| !matches!(result.value, Expression::Column(_));
                let names = results.iter().filter(is_computed).map(|result| result.name.as_str());
                format!("compute {}", names.collect::<Vec<_>>().join(", "))
            }
        }
    }

    fn condition(&self, condition: &Condition) -> String {
        match &condition.predicate {
            Predicate::Compare { column, comparison, value } => {
                format!(
                    "{} {} {}",
                    self.column(*column),
                    comparison.symbol(),
                    self.comparison_value(value)
                )
            }
            Predicate::In { column, values } => {
                let values: Vec<_> =
                    values.iter().map(|value| self.comparison_value(value)).collect();
                format!("{} in ({})", self.column(*column), values.join(", "))
            }
            Predicate::AnyOf { column, parameter } => {
                format!("{} in :{}", self.column(*column), self.parameter(*parameter))
            }
            Predicate::Holds { column, value } => {
                format!("{} containing {}", self.column(*column), self.comparison_value(value))
            }
            Predicate::Row { columns, comparison, values } => {
                let values: Vec<_> =
                    values.iter().map(|value| self.comparison_value(value)).collect();
                let (columns, values) = (self.columns(columns), values.join(", "));
                format!("({columns}) {} ({values})", comparison.symbol())
            }
            Predicate::Prefix { column, value } => {
                format!("{} starting with {}", self.column(*column), self.comparison_value(value))
            }
            Predicate::NotNull { column } => format!("{} not null", self.column(*column)),
            Predicate::Null { column } => format!("{} null", self.column(*column)),
        }
    }

    /// The condition under which a statement is sent; `None` for always.
    pub(crate) fn guards(&self, statement: &PlannedStatement) -> Option<String> {
        self.guard_list(&statement.guards, &statement.loops)
    }

    /// Guards, in one phrase.
    pub(crate) fn guard_list(&self, guards: &[Guard], loops: &[Loop]) -> Option<String> {
        let all = self.join_guards(guards, " and ", loops);
        (!guards.is_empty()).then(|| format!("only if {all}"))
    }

    fn join_guards(&self, guards: &[Guard], conjunction: &str, loops: &[Loop]) -> String {
        let guards: Vec<_> = guards.iter().map(|guard| self.guard(guard, loops)).collect();
        guards.join(conjunction)
    }

    fn guard(&self, guard: &Guard, loops: &[Loop]) -> String {
        let of = |operand: &Operand| self.operand(operand, loops);
        match guard {
            Guard::NotNull(value) => format!("{} is not null", of(value)),
            Guard::Null(value) => format!("{} is null", of(value)),
            Guard::Compares(left, comparison, right) => {
                format!("{} {} {}", of(left), comparison.symbol(), of(right))
            }
            Guard::Fails(left, comparison, right) => {
                format!("not {} {} {}", of(left), comparison.symbol(), of(right))
            }
            Guard::Differ(left, right) => format!("{} differs from {}", of(left), of(right)),
            Guard::Has(array, element) => format!("{} contains {}", of(array), of(element)),
            Guard::Lacks(array, element) => {
                format!("{} does not contain {}", of(array), of(element))
            }
            Guard::Any(guards) => format!("({})", self.join_guards(guards, " or ", loops)),
            Guard::All(guards) => format!("({})", self.join_guards(guards, " and ", loops)),
        }
    }
}

/// The value that a loop yields.
fn loop_item(repetition: &Loop) -> String {
    match repetition {
        Loop::Values(_) => "the value".to_owned(),
        Loop::Elements(_) => "the element".to_owned(),
        Loop::Shards(_) => "the shard".to_owned(),
        Loop::Rows(_) => "the row".to_owned(),
        Loop::Buckets(walk) => format!("the {}", walk.bucket),
    }
}

pub(crate) fn batch(kind: BatchKind) -> &'static str {
    match kind {
        BatchKind::Logged => "logged batch",
        BatchKind::Unlogged => "unlogged batch",
        BatchKind::Counter => "counter batch",
    }
}
