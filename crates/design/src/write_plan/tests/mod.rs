//! Tests of write paths: model files are designed, every statement is bound against the tables, and
//! the plans are compared with what the published sources do.

mod constraints;
mod derivations;
mod examples;
mod killrvideo;
mod kinds;
mod simulation;
mod upkeep;

use model::concept::Concept;
use model::id::{IdList, StepId};
use model::plan::{Design, Loop, PlannedStatement, WritePlan, WriteStep};
use schema::session::Session;

use crate::{Options, create_statements};

/// A model file, designed, and the plan of a write; every statement of it must be one that the
/// server accepts.
pub(super) fn plan_of(sql: &str, name: &str) -> (Design, WritePlan) {
    let file = model::sql::read(sql, "app").unwrap_or_else(|mistakes| panic!("{mistakes:#?}"));
    let design = crate::design(&file.concept, &file.workload, &Options::for_method());
    check(&file.concept, &design);
    let at = file.workload.writes.iter().position(|write| write.name == name).unwrap();
    let plan = design.writes[at].clone();
    (design, plan)
}

/// The statements of a plan.
pub(super) fn statements(plan: &WritePlan) -> Vec<&PlannedStatement> {
    plan.steps
        .iter()
        .flat_map(|step| match step {
            WriteStep::Read(..) | WriteStep::Run(_) => Vec::new(),
            WriteStep::Batch { statements, .. } => statements.iter().collect(),
            WriteStep::Statement(statement) => vec![statement],
        })
        .collect()
}

/// A plan in a few lines: its statements, with the kind of batch around them.
pub(super) fn text(plan: &WritePlan) -> Vec<String> {
    let mut lines = Vec::new();
    let line = |statement: &PlannedStatement| {
        let each = if statement.loops.is_empty() { "" } else { "each: " };
        let guarded = if statement.guards.is_empty() { "" } else { "if: " };
        format!("{each}{guarded}{}", statement.modification)
    };
    for step in &plan.steps {
        match step {
            WriteStep::Read(read, _) => lines.push(format!("read {}", read.select)),
            WriteStep::Statement(statement) => lines.push(line(statement)),
            WriteStep::Run(run) => lines.push(format!("run {}", run.write.index())),
            WriteStep::Batch { kind, statements, .. } => {
                lines.push(format!("{kind:?}"));
                lines.extend(statements.iter().map(|statement| format!("  {}", line(statement))));
            }
        }
    }
    lines
}

/// Binds all statements of a design against its tables.
fn check(concept: &Concept, design: &Design) {
    let mut session = Session::default();
    session.assume_keyspace(&concept.keyspace).unwrap();
    for create in create_statements::types(concept, design)
        .into_iter()
        .chain(create_statements::tables(design))
    {
        run(&mut session, &create);
    }
    for plan in &design.writes {
        for (at, step) in plan.steps.enumerate_ids() {
            match step {
                WriteStep::Read(read, _) => {
                    run(&mut session, &read.select.to_string());
                    check_loops(plan, at, &read.loops);
                }
                WriteStep::Run(run) => check_loops(plan, at, &run.loops),
                WriteStep::Statement(statement) => {
                    check_statement(&mut session, plan, at, statement);
                }
                WriteStep::Batch { kind, statements, .. } => {
                    for statement in statements {
                        check_statement(&mut session, plan, at, statement);
                    }
                    let word = match kind {
                        cql::BatchKind::Logged => "",
                        cql::BatchKind::Unlogged => "UNLOGGED ",
                        cql::BatchKind::Counter => "COUNTER ",
                    };
                    let all: Vec<_> =
                        statements.iter().map(|one| one.modification.to_string()).collect();
                    run(
                        &mut session,
                        &format!("BEGIN {word}BATCH {}; APPLY BATCH", all.join("; ")),
                    );
                }
            }
        }
    }
}

fn check_statement(
    session: &mut Session,
    plan: &WritePlan,
    at: StepId,
    statement: &PlannedStatement,
) {
    run(session, &statement.modification.to_string());
    check_loops(plan, at, &statement.loops);
    for operand in statement.modification.operands() {
        check_operand(plan, at, statement.loops.len(), operand);
    }
}

/// Every turn is over something that comes earlier.
fn check_loops(plan: &WritePlan, at: StepId, loops: &[Loop]) {
    for turn in loops {
        if let Loop::Rows(step) = turn {
            assert!(*step < at && matches!(plan.steps[*step], WriteStep::Read(..)));
        }
    }
}

/// Every operand names a column that an earlier read returns, or a turn that there is.
fn check_operand(plan: &WritePlan, at: StepId, loops: usize, operand: &model::plan::Operand) {
    use model::plan::Operand;
    match operand {
        Operand::Row { step, column } => {
            assert!(*step < at, "{operand:?}");
            let WriteStep::Read(read, _) = &plan.steps[*step] else { panic!("{operand:?}") };
            let is_selected = read.select.items.iter().any(|item| item.name == *column);
            assert!(is_selected, "{operand:?} is not returned by {}", read.select);
        }
        Operand::Turn(turn) => assert!(turn.index() < loops, "{operand:?}"),
        _ => {
            for part in operand.parts() {
                check_operand(plan, at, loops, part);
            }
        }
    }
}

fn run(session: &mut Session, text: &str) {
    for statement in cql::parse(text).statements {
        if let Err(refusal) = session.run(&statement) {
            panic!("{text}\n{refusal:?}");
        }
    }
}
