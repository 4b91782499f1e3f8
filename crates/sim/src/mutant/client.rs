//! Mutants of client steps: dropped filters, limits, values of an IN, and lookups.
//!
//! A LIMIT is left alone in a read of one row, in an EXISTS, and where it is above
//! `LIMIT_MAX` of the generator.

use model::expression::{Expression, ScalarFunction};
use model::id::{IdList, OutputId};
use model::plan::{ClientStep, Loop};
use model::workload::{Limit, OutputValue, Read};

use super::statement::{ReadPlace, read_step_mut};
use super::{Mutant, OriginalDesign};
use crate::generator::LIMIT_MAX;

/// A mutant for each client step that `what` selects: the step is dropped.
fn drop_client_steps(
    of: OriginalDesign<'_>,
    kind: &'static str,
    wanted: impl Fn(&Read, &ClientStep) -> Option<String>,
) -> Vec<Mutant> {
    let mut mutants = Vec::new();
    for (read, (plan, asked)) in of.design.reads.iter().zip(&of.workload.reads).enumerate() {
        for (at, step) in plan.client.iter().enumerate() {
            let Some(what) = wanted(asked, step) else { continue };
            let what = format!("{} does not {what}", asked.name);
            mutants.extend(of.build_mutant(kind, what, |design| {
                let client = &mut design.reads.get_mut(read)?.client;
                (at < client.len()).then(|| drop(client.remove(at)))
            }));
        }
    }
    mutants
}

/// A client filter dropped.
pub(super) fn drop_filters(of: OriginalDesign<'_>) -> Vec<Mutant> {
    drop_client_steps(of, "a client filter dropped", |_, step| match step {
        ClientStep::Filter(condition) => Some(format!("filter by {:?}", condition.predicate)),
        _ => None,
    })
}

/// A lookup dropped.
pub(super) fn drop_lookups(of: OriginalDesign<'_>) -> Vec<Mutant> {
    drop_client_steps(of, "a lookup dropped", |_, step| match step {
        ClientStep::Attach(step) => Some(format!("attach the result of step {}", step.index() + 1)),
        _ => None,
    })
}

/// A COALESCE of which only the first value is taken.
pub(super) fn keep_nulls(of: OriginalDesign<'_>) -> Vec<Mutant> {
    let mut mutants = Vec::new();
    for (at, (plan, read)) in of.design.reads.iter().zip(&of.workload.reads).enumerate() {
        let Some(ClientStep::Compute(results)) = plan.client.last() else { continue };
        for (position, result) in results.iter().enumerate() {
            let Expression::Call(ScalarFunction::Coalesce, parts) = &result.value else { continue };
            let Some(Expression::Column(output)) = parts.first() else { continue };
            if !is_often_null(of, read, *output) {
                continue;
            }
            let what = format!("{} returns {} without its replacement", read.name, result.name);
            mutants.extend(of.build_mutant("a null not replaced", what, |design| {
                let client = &mut design.reads.get_mut(at)?.client;
                let Some(ClientStep::Compute(results)) = client.last_mut() else { return None };
                results.get_mut(position)?.value = Expression::Column(*output);
                Some(())
            }));
        }
    }
    mutants
}

/// Whether an output is null in rows of the generator.
fn is_often_null(of: OriginalDesign<'_>, read: &Read, output: OutputId) -> bool {
    let Some(OutputValue::Column(column)) = read.outputs.member(output).map(|it| it.value) else {
        return false;
    };
    let source = read.sources.member(column.source);
    let entity = source.and_then(|source| of.concept.entities.member(source.entity));
    let attribute = entity.and_then(|entity| entity.attributes.member(column.attribute));
    attribute.is_some_and(|attribute| attribute.nullable && !attribute.counter)
}

/// A LIMIT dropped, of the statement and of the client.
pub(super) fn drop_limits(of: OriginalDesign<'_>) -> Vec<Mutant> {
    let reads = of.workload.reads.enumerate_ids();
    let limited = reads.filter(|(_, read)| {
        let plain = |value: OutputValue| !matches!(value, OutputValue::Exists);
        let crowded = match read.limit {
            Some(Limit::Number(rows)) => rows <= LIMIT_MAX,
            Some(Limit::Parameter(_)) => true,
            None => false,
        };
        read.many && crowded && read.outputs.iter().all(|output| plain(output.value))
    });
    let dropped = limited.filter_map(|(at, read)| {
        let plan = of.design.reads.member(at)?;
        let main = plan.main;
        let planned = plan.client.iter().any(|step| matches!(step, ClientStep::Limit(_)))
            || plan.steps.member(main)?.select.limit.is_some();
        let what = format!("{} has no LIMIT", read.name);
        of.build_mutant("a LIMIT dropped", what, |design| {
            let plan = design.reads.member_mut(at)?;
            plan.client.retain(|step| !matches!(step, ClientStep::Limit(_)));
            let step = read_step_mut(design, ReadPlace::Read(at, main))?;
            for turn in &mut step.loops {
                if let Loop::Buckets(walk) = turn {
                    walk.stops_at_limit = false;
                }
            }
            step.select.limit = None;
            planned.then_some(())
        })
    });
    dropped.collect()
}

/// The last value of an IN dropped.
pub(super) fn drop_values(of: OriginalDesign<'_>) -> Vec<Mutant> {
    let mut mutants = Vec::new();
    for (read, plan) in of.design.reads.enumerate_ids() {
        for (at, step) in plan.steps.enumerate_ids() {
            let several = |turn: &Loop| matches!(turn, Loop::Values(values) if values.len() > 1);
            let Some(turn) = step.loops.iter().position(several) else { continue };
            let what = format!("{} omits the last value of an IN", of.read_name(read));
            mutants.extend(of.build_mutant("a value of IN dropped", what, |design| {
                let step = read_step_mut(design, ReadPlace::Read(read, at))?;
                let Loop::Values(values) = step.loops.get_mut(turn)? else { return None };
                values.pop().map(drop)
            }));
        }
    }
    mutants
}
