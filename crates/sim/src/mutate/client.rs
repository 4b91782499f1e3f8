//! What the client does not do: filters, limits, values of an IN, lookups, zeros.
//!
//! A LIMIT is left alone in a read of one row, in one that only says whether there is a row, and where it is beyond what a proof
//! makes crowds of; an absent counter where the read counts all it finds, since such a read has a row in any case.

use model::id::Numbered;
use model::plan::{ClientStep, Loop};
use model::workload::{Limit, OutputValue, Read};

use super::statement::{ReadPlace, reading_mut};
use super::{Mutant, Original};
use crate::generate::LIMIT_MOST;

/// The mutants for each client step that is wanted: it is left out.
fn without(
    of: Original<'_>,
    kind: &'static str,
    wanted: impl Fn(&Read, &ClientStep) -> Option<String>,
) -> Vec<Mutant> {
    let mut mutants = Vec::new();
    for (read, (plan, asked)) in of.design.reads.iter().zip(&of.workload.reads).enumerate() {
        for (at, step) in plan.client.iter().enumerate() {
            let Some(what) = wanted(asked, step) else { continue };
            let what = format!("{} does not {what}", asked.name);
            mutants.extend(of.mutant(kind, what, |design| {
                let client = &mut design.reads.get_mut(read)?.client;
                (at < client.len()).then(|| drop(client.remove(at)))
            }));
        }
    }
    mutants
}

/// A client filter dropped.
pub(super) fn filters_dropped(of: Original<'_>) -> Vec<Mutant> {
    without(of, "a client filter dropped", |_, step| match step {
        ClientStep::Filter(condition) => Some(format!("filter by {:?}", condition.test)),
        _ => None,
    })
}

/// A lookup dropped.
pub(super) fn lookups_dropped(of: Original<'_>) -> Vec<Mutant> {
    without(of, "a lookup dropped", |_, step| match step {
        ClientStep::Attach(step) => Some(format!("attach what step {} returns", step.index() + 1)),
        _ => None,
    })
}

/// An absent counter that is not read as 0.
pub(super) fn zeros_dropped(of: Original<'_>) -> Vec<Mutant> {
    without(of, "an absent counter not read as 0", |read, step| {
        let column = |value: OutputValue| matches!(value, OutputValue::Column(_));
        let is_seen =
            !read.group.is_empty() || read.outputs.iter().any(|output| column(output.value));
        (matches!(step, ClientStep::AbsentIsZero) && is_seen)
            .then(|| "read an absent row as 0".to_owned())
    })
}

/// A LIMIT dropped, of the statement and of the client.
pub(super) fn limits_dropped(of: Original<'_>) -> Vec<Mutant> {
    let reads = of.workload.reads.numbered();
    let limited = reads.filter(|(_, read)| {
        let plain = |value: OutputValue| !matches!(value, OutputValue::Exists);
        let crowded = match read.limit {
            Some(Limit::Number(rows)) => rows <= LIMIT_MOST,
            Some(Limit::Parameter(_)) => true,
            None => false,
        };
        read.many && crowded && read.outputs.iter().all(|output| plain(output.value))
    });
    let dropped = limited.filter_map(|(at, read)| {
        let plan = of.design.reads.at(at)?;
        let main = plan.main;
        let planned = plan.client.iter().any(|step| matches!(step, ClientStep::Limit(_)))
            || plan.steps.at(main)?.select.limit.is_some();
        let what = format!("{} has no LIMIT", read.name);
        of.mutant("a LIMIT dropped", what, |design| {
            let plan = design.reads.at_mut(at)?;
            plan.client.retain(|step| !matches!(step, ClientStep::Limit(_)));
            let step = reading_mut(design, ReadPlace::Read(at, main))?;
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
pub(super) fn values_dropped(of: Original<'_>) -> Vec<Mutant> {
    let mut mutants = Vec::new();
    for (read, plan) in of.design.reads.numbered() {
        for (at, step) in plan.steps.numbered() {
            let several = |turn: &Loop| matches!(turn, Loop::Values(values) if values.len() > 1);
            let Some(turn) = step.loops.iter().position(several) else { continue };
            let what = format!("{} leaves the last value of an IN out", of.read_name(read));
            mutants.extend(of.mutant("a value of IN dropped", what, |design| {
                let step = reading_mut(design, ReadPlace::Read(read, at))?;
                let Loop::Values(values) = step.loops.get_mut(turn)? else { return None };
                values.pop().map(drop)
            }));
        }
    }
    mutants
}
