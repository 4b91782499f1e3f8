//! Visits every loop and every operand of the plans of a design.

use model::plan::{
    Design, Guard, Loop, Operand, PlannedRun, PlannedStatement, ReadStep, ReturnedRows, WriteStep,
};

/// Visits the loops of all statements.
pub(super) fn for_each_loop(design: &mut Design, visit: &mut dyn FnMut(&mut Loop)) {
    for_each_part(
        design,
        &mut |step: &mut ReadStep| step.loops.iter_mut().for_each(&mut *visit),
        // The two parts are visited one after the other, so each needs its own pass.
        &mut |_| {},
    );
    for_each_part(design, &mut |_| {}, &mut |statement: &mut PlannedStatement| {
        statement.loops.iter_mut().for_each(&mut *visit);
    });
    list_derived_runs(design).flat_map(|run| &mut run.loops).for_each(&mut *visit);
    list_returned_rows(design).flat_map(|rows| &mut rows.loops).for_each(visit);
}

/// Visits the operands of all statements, loops and guards, outer ones first.
pub(super) fn for_each_operand(design: &mut Design, visit: &mut dyn FnMut(&mut Operand)) {
    for_each_part(
        design,
        &mut |step: &mut ReadStep| {
            step.select.operands_mut().into_iter().for_each(|it| visit_operand(it, visit));
        },
        &mut |_| {},
    );
    for_each_part(design, &mut |_| {}, &mut |statement: &mut PlannedStatement| {
        let guards = statement.guards.iter_mut().flat_map(Guard::operands_mut);
        guards
            .chain(statement.modification.operands_mut())
            .for_each(|operand| visit_operand(operand, visit));
    });
    for run in list_derived_runs(design) {
        let guards = run.guards.iter_mut().flat_map(Guard::operands_mut);
        guards.chain(&mut run.arguments).for_each(|operand| visit_operand(operand, visit));
    }
    for rows in list_returned_rows(design) {
        let guards = rows.guards.iter_mut().flat_map(Guard::operands_mut);
        guards.chain(&mut rows.values).for_each(|operand| visit_operand(operand, visit));
    }
    for_each_loop(design, &mut |turn| match turn {
        Loop::Elements(of) => visit_operand(of, visit),
        Loop::Buckets(walk) => {
            walk.from.iter_mut().chain(&mut walk.to).for_each(|it| visit_operand(it, visit));
        }
        Loop::Values(_) | Loop::Shards(_) | Loop::Rows(_) => {}
    });
}

fn visit_operand(operand: &mut Operand, visit: &mut dyn FnMut(&mut Operand)) {
    visit(operand);
    for part in operand.parts_mut() {
        visit_operand(part, visit);
    }
}

/// The runs of derived writes.
fn list_derived_runs(design: &mut Design) -> impl Iterator<Item = &mut PlannedRun> {
    let steps = design.writes.iter_mut().flat_map(|plan| &mut plan.steps);
    steps.filter_map(|step| match step {
        WriteStep::Run(run) => Some(run),
        _ => None,
    })
}

/// The rows that writes return.
fn list_returned_rows(design: &mut Design) -> impl Iterator<Item = &mut ReturnedRows> {
    design.writes.iter_mut().filter_map(|plan| plan.returned.as_mut())
}

/// Visits the steps that read, and the statements that write.
fn for_each_part(
    design: &mut Design,
    read: &mut dyn FnMut(&mut ReadStep),
    write: &mut dyn FnMut(&mut PlannedStatement),
) {
    for step in design.reads.iter_mut().flat_map(|plan| &mut plan.steps) {
        read(step);
    }
    for step in design.writes.iter_mut().flat_map(|plan| &mut plan.steps) {
        match step {
            WriteStep::Read(step, _) => read(step),
            WriteStep::Batch { statements, .. } => statements.iter_mut().for_each(&mut *write),
            WriteStep::Statement(statement) => write(statement),
            WriteStep::Run(_) => {}
        }
    }
}
