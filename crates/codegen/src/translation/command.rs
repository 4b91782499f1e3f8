//! Functions that write.

use std::collections::BTreeSet;

use cql::BatchKind;
use cql::types::Type;
use model::concept::ClientValue;
use model::id::{AttributeId, IdList, WriteId};
use model::plan::{
    AssignmentOperator, Guard, IfClause, Modification, Operand, PlannedRun, PlannedStatement,
    ReadStep, Relation, WritePlan, WriteStep,
};
use model::workload::{
    AssignmentValue, DerivedPart, ResultColumns, Returning, Supply, Value, Write, WriteKind,
};

use super::documentation::document_command;
use super::expression::lower_expression;
use super::fetch::lower_statement;
use super::query::unique_name;
use super::scope::Scope;
use super::{ProgramSource, data_type};
use crate::program::{
    ApplicationResult, BatchType, Cardinality, ClientSupply, Command, CommandStep, Expression,
    Field, Parameter, Record, Refusal, ReturnedRows, Run, Send, SendBinding,
};

/// The function of a write.
pub(super) fn lower_command(source: ProgramSource<'_>, at: WriteId) -> Option<Command> {
    let (write, plan) = (source.workload.writes.member(at)?, source.design.writes.member(at)?);
    let steps: Vec<Option<&ReadStep>> = plan
        .steps
        .iter()
        .map(|step| match step {
            WriteStep::Read(read, _) => Some(read),
            _ => None,
        })
        .collect();
    let scope = Scope {
        source,
        parameters: &write.parameters,
        steps: &steps,
        loops: &[],
        table: None,
        is_current: false,
    };
    let lowering = CommandLowering { scope, write };
    Some(Command {
        name: write.name.clone(),
        documentation: document_command(source, at, write, plan),
        parameters: lower_parameters(source, write),
        derived: !write.is_stated(),
        checks: plan.checks.iter().map(|check| scope.lower_check(check)).collect(),
        steps: plan.steps.iter().map(|step| lowering.lower_step(step)).collect(),
        returned: lowering.lower_returned(plan),
        result: lower_result(source, at, write),
        idempotent: plan.idempotent,
    })
}

/// What callers get.
fn lower_result(source: ProgramSource<'_>, at: WriteId, write: &Write) -> ApplicationResult {
    if let Some(returning) = &write.returning {
        let cardinality = if returning.many { Cardinality::Many } else { Cardinality::One };
        return ApplicationResult::Rows(
            make_returned_record(source, write, returning),
            cardinality,
        );
    }
    if can_be_refused(source, at, &mut BTreeSet::new()) {
        return ApplicationResult::Applied;
    }
    ApplicationResult::Nothing
}

/// Whether a write has a conditional statement, also in the writes that it runs.
fn can_be_refused(source: ProgramSource<'_>, at: WriteId, seen: &mut BTreeSet<WriteId>) -> bool {
    let Some(plan) = source.design.writes.member(at).filter(|_| seen.insert(at)) else {
        return false;
    };
    plan.steps.iter().any(|step| match step {
        WriteStep::Statement(planned) => planned.condition.is_some(),
        WriteStep::Run(run) => can_be_refused(source, run.write, seen),
        WriteStep::Read(..) | WriteStep::Batch { .. } => false,
    })
}

fn make_returned_record(source: ProgramSource<'_>, write: &Write, returning: &Returning) -> Record {
    let columns = ResultColumns::from(returning);
    let names = columns.names();
    let entity = source.concept.entities.member(write.entity);
    let fields =
        names.iter().zip(columns.types(source.concept)).enumerate().map(|(at, (name, ty))| {
            let attribute = returning.attributes().nth(at);
            let attribute = attribute.and_then(|of| entity?.attributes.member(of));
            let nullable = !returning.computed.is_empty()
                || attribute.is_none_or(|it| {
                    it.nullable || matches!(it.ty, Type::List(..) | Type::Set(..))
                });
            Field { name: unique_name(&names, at, name), ty: data_type(&ty), nullable }
        });
    Record { name: write.name.clone(), fields: fields.collect() }
}

/// The parameters of a write.
fn lower_parameters(source: ProgramSource<'_>, write: &Write) -> Vec<Parameter> {
    let nullable = list_nullable(source, write);
    let parameter = |(at, parameter): (usize, &model::workload::Parameter)| Parameter {
        name: parameter.name.clone(),
        ty: data_type(&parameter.ty),
        nullable: !write.is_stated() || nullable.contains(&at),
        supply: lower_supply(&parameter.supply, &parameter.ty).filter(|_| write.is_stated()),
    };
    write.parameters.iter().enumerate().map(parameter).collect()
}

/// How a function makes the value of a parameter.
pub(super) fn lower_supply(supply: &Supply, ty: &Type) -> Option<ClientSupply> {
    let Supply::Client(value) = supply else { return None };
    let now = |months, millis| ClientSupply::Now { months, days: 0, millis };
    Some(match value {
        ClientValue::Now | ClientValue::Today | ClientValue::TimeOfDay => now(0, 0),
        ClientValue::ShiftedNow(shift) | ClientValue::ShiftedToday(shift) => {
            now(shift.months, shift.millis)
        }
        ClientValue::NewUuid => ClientSupply::NewId,
        ClientValue::NextNumber if data_type(ty).is_integer() => return None,
        ClientValue::NextNumber => ClientSupply::NewId,
    })
}

/// The positions of the parameters that may be null: those that are only assigned, to attributes
/// that may be null (or that keep their value then).
fn list_nullable(source: ProgramSource<'_>, write: &Write) -> BTreeSet<usize> {
    let (mut nullable, mut required) = (BTreeSet::new(), BTreeSet::new());
    visit_values(&write.kind, &mut |value, of| {
        let Value::Parameter(at) = value else { return };
        let entity = source.concept.entities.member(write.entity);
        let attribute = of.and_then(|(of, _)| entity?.attributes.member(of));
        let keeps = of.is_some_and(|(_, keeps)| keeps);
        if keeps || attribute.is_some_and(|attribute| attribute.nullable) {
            nullable.insert(at.index());
        } else {
            required.insert(at.index());
        }
    });
    nullable.difference(&required).copied().collect()
}

/// Is called with a value, the attribute that it is assigned to, and whether a null keeps the
/// attribute's value; `None` for one that is compared or added.
type ValueVisitor<'v> = dyn FnMut(&Value, Option<(AttributeId, bool)>) + 'v;

/// Visits each value that a write uses.
fn visit_values(kind: &WriteKind, visit: &mut ValueVisitor<'_>) {
    let assign = |assignments: &[model::workload::Assignment], visit: &mut ValueVisitor<'_>| {
        for assignment in assignments {
            match &assignment.value {
                AssignmentValue::Set(value) => visit(value, Some((assignment.attribute, false))),
                AssignmentValue::SetUnlessNull(value) => {
                    visit(value, Some((assignment.attribute, true)));
                }
                AssignmentValue::Null => {}
                AssignmentValue::Add(value)
                | AssignmentValue::Subtract(value)
                | AssignmentValue::Append(value)
                | AssignmentValue::Remove(value) => visit(value, None),
            }
        }
    };
    match kind {
        WriteKind::Insert(values) => {
            for (at, value) in values {
                visit(value, Some((*at, false)));
            }
        }
        WriteKind::Update(assignments, conditions) => {
            assign(assignments, visit);
            visit_conditions(conditions, visit);
        }
        WriteKind::Delete(conditions) => visit_conditions(conditions, visit),
        WriteKind::Upsert(upsert) => {
            for (at, value) in &upsert.values {
                visit(value, Some((*at, false)));
            }
            if let Some((assignments, conditions)) = &upsert.update {
                assign(assignments, visit);
                visit_conditions(conditions, visit);
            }
        }
        WriteKind::Rows(rows) => {
            for row in rows {
                visit_values(row, visit);
            }
        }
    }
}

fn visit_conditions(conditions: &[model::workload::Condition], visit: &mut ValueVisitor<'_>) {
    use model::workload::Predicate;
    for condition in conditions {
        match &condition.predicate {
            Predicate::Compare { value, .. }
            | Predicate::Holds { value, .. }
            | Predicate::Prefix { value, .. } => visit(value, None),
            Predicate::In { values, .. } | Predicate::Row { values, .. } => {
                for value in values {
                    visit(value, None);
                }
            }
            Predicate::AnyOf { parameter, .. } => visit(&Value::Parameter(*parameter), None),
            Predicate::NotNull { .. } | Predicate::Null { .. } => {}
        }
    }
}

/// The state while the steps of a write are made.
struct CommandLowering<'a> {
    scope: Scope<'a>,
    write: &'a Write,
}

impl<'a> CommandLowering<'a> {
    fn lower_step(&self, step: &'a WriteStep) -> CommandStep {
        match step {
            WriteStep::Read(read, _) => {
                CommandStep::Read(self.scope.lower_fetch(read, &self.write.consistency))
            }
            WriteStep::Batch { kind, statements, reason } => CommandStep::Batch {
                kind: match kind {
                    BatchKind::Logged => BatchType::Logged,
                    BatchKind::Unlogged => BatchType::Unlogged,
                    BatchKind::Counter => BatchType::Counter,
                },
                sends: statements.iter().map(|it| self.lower_send(it)).collect(),
                reason: reason.clone(),
            },
            WriteStep::Statement(planned) => CommandStep::Send(self.lower_send(planned)),
            WriteStep::Run(run) => CommandStep::Run(self.lower_run(run)),
        }
    }

    fn lower_send(&self, planned: &PlannedStatement) -> Send {
        let source = self.scope.source;
        let table = source.table(planned.table);
        let inverse = table.and_then(|table| planned.modification.invert_insert(table));
        let inverse = inverse.map(|modification| {
            let inverse = PlannedStatement { modification, condition: None, ..planned.clone() };
            Box::new(self.lower_one(&inverse))
        });
        Send { inverse, ..self.lower_one(planned) }
    }

    fn lower_one(&self, planned: &PlannedStatement) -> Send {
        let source = self.scope.source;
        let table = source.table(planned.table);
        let scope = Scope {
            loops: &planned.loops,
            table: source.operand_table(planned.table),
            ..self.scope
        };
        let text = planned.modification.text();
        let values = scope.lower_markers(&text, table);
        let values = values.into_iter().zip(&text.markers).map(|(value, marker)| {
            let null_is_unset = self.is_unset(planned, marker);
            SendBinding { value, null_is_unset }
        });
        let mut guards: Vec<_> =
            planned.guards.iter().map(|guard| scope.lower_guard(guard)).collect();
        guards.extend(find_assigned(&planned.modification).map(|guard| scope.lower_guard(&guard)));
        let is_conditional = !matches!(find_condition(&planned.modification), IfClause::Always);
        let mut statement = lower_statement(&text, table, &self.write.consistency);
        statement.conditional = is_conditional;
        statement.idempotent = !is_conditional && is_idempotent(&planned.modification, table);
        let refusal = planned.condition.as_ref().map(|_| match planned.modification {
            Modification::Insert(_) => Refusal::Violation,
            _ => Refusal::Refused,
        });
        Send {
            statement,
            repetitions: scope.lower_repetitions(),
            guards,
            values: values.collect(),
            needs_all_values: planned.condition.is_none() && planned.modification.is_delete(),
            refusal,
            condition: planned.condition.clone(),
            inverse: None,
            reason: planned.reason.clone(),
            depends_on_read: is_dependent_on_read(&planned.modification),
        }
    }

    /// Whether a null writes nothing: of a row that is new, and where it keeps the value.
    fn is_unset(&self, planned: &PlannedStatement, marker: &model::plan::Marker<'_>) -> bool {
        if matches!(marker.operand, Operand::UnlessNull(_)) {
            return true;
        }
        let model::plan::Receiver::Column(name) = marker.receiver else { return false };
        let table = self.scope.source.table(planned.table);
        let is_key =
            table.and_then(|it| it.column(name)).is_none_or(model::plan::PlannedColumn::is_key);
        matches!(self.write.kind, WriteKind::Insert(_))
            && planned.modification.is_insert()
            && !is_key
    }

    fn lower_run(&self, run: &PlannedRun) -> Run {
        let scope = Scope { loops: &run.loops, table: None, ..self.scope };
        let write = self.scope.source.workload.writes.member(run.write);
        let parameters = write.map(|write| write.parameters.as_slice()).unwrap_or_default();
        let arguments = run.arguments.iter().zip(parameters);
        let is_reference =
            matches!(write.and_then(|write| write.derived), Some(DerivedPart::Referring { .. }));
        Run {
            command: run.write.index(),
            arguments: arguments
                .map(|(operand, parameter)| scope.lower(operand, &parameter.ty))
                .collect(),
            repetitions: scope.lower_repetitions(),
            guards: run.guards.iter().map(|guard| scope.lower_guard(guard)).collect(),
            violation_ends: is_reference,
        }
    }

    fn lower_returned(&self, plan: &WritePlan) -> Option<ReturnedRows> {
        let (returning, rows) = (self.write.returning.as_ref()?, plan.returned.as_ref()?);
        let scope = Scope { loops: &rows.loops, table: None, ..self.scope };
        let columns = ResultColumns::from(returning);
        let concept = self.scope.source.concept;
        let output = |at: usize| -> (Expression, Type) {
            let ty = columns.output_type(concept, at);
            let null = super::scope::null_of(ty.clone()).0;
            (rows.values.get(at).map_or(null, |operand| scope.lower(operand, &ty)), ty)
        };
        let values = if returning.computed.is_empty() {
            (0..rows.values.len()).map(|at| output(at).0).collect()
        } else {
            let computed = returning.computed.iter();
            computed
                .map(|result| lower_expression(&result.value, &|at| output(at.index())).0)
                .collect()
        };
        Some(ReturnedRows {
            values,
            repetitions: scope.lower_repetitions(),
            guards: rows.guards.iter().map(|guard| scope.lower_guard(guard)).collect(),
        })
    }
}

/// That some assignment of an UPDATE is left, where all of them may be left out.
fn find_assigned(modification: &Modification) -> Option<Guard> {
    let Modification::Update(update) = modification else { return None };
    let left_out = update.assignments.iter().map(|assignment| match &assignment.value {
        Operand::UnlessNull(value) => Some(Guard::NotNull(Operand::clone(value))),
        _ => None,
    });
    left_out.collect::<Option<Vec<_>>>().map(Guard::Any)
}

const fn find_condition(modification: &Modification) -> &IfClause {
    match modification {
        Modification::Insert(insert) => &insert.condition,
        Modification::Update(update) => &update.condition,
        Modification::Delete(delete) => &delete.condition,
    }
}

/// Whether sending it twice does the same as once.
fn is_idempotent(modification: &Modification, table: Option<&model::plan::PlannedTable>) -> bool {
    let Modification::Update(update) = modification else { return true };
    update.assignments.iter().all(|assignment| {
        let ty = table.and_then(|table| table.column(&assignment.column)).map(|it| &it.ty);
        assignment.operator == AssignmentOperator::Set || matches!(ty, Some(Type::Set(..)))
    })
}

/// Whether the condition compares with what an earlier step read.
fn is_dependent_on_read(modification: &Modification) -> bool {
    let IfClause::Columns(relations) = find_condition(modification) else { return false };
    let has_row = |relation: &Relation| match relation {
        Relation::Column { value, .. } | Relation::InList { list: value, .. } => {
            has_row_operand(value)
        }
        Relation::In { values, .. } | Relation::Row { values, .. } => {
            values.iter().any(has_row_operand)
        }
    };
    relations.iter().any(has_row)
}

fn has_row_operand(operand: &Operand) -> bool {
    matches!(operand, Operand::Row { .. }) || operand.parts().into_iter().any(has_row_operand)
}
