//! Which requests the statements of a draft use.

use model::id::StepId;
use model::plan::{Guard, Loop, Operand};

use super::Draft;

impl Draft<'_> {
    /// Drops the requests that nothing uses: their rows need not be read.
    pub(super) fn drop_unused(&mut self) {
        let mut used = vec![false; self.requests.len()];
        let sent = [&self.first, &self.rows, &self.later, &self.counts].into_iter().flatten();
        for sent in sent {
            let planned = &sent.planned;
            planned
                .modification
                .operands()
                .into_iter()
                .for_each(|operand| mark(operand, &mut used));
            planned.loops.iter().for_each(|turn| mark_loop(turn, &mut used));
            let guarding = planned.guards.iter().flat_map(Guard::operands);
            guarding.for_each(|operand| mark(operand, &mut used));
        }
        for run in &self.runs {
            run.arguments.iter().for_each(|operand| mark(operand, &mut used));
            run.loops.iter().for_each(|turn| mark_loop(turn, &mut used));
            let guarding = run.guards.iter().flat_map(Guard::operands);
            guarding.for_each(|operand| mark(operand, &mut used));
        }
        if let Some(returned) = &self.returned {
            returned.values.iter().for_each(|operand| mark(operand, &mut used));
            returned.loops.iter().for_each(|turn| mark_loop(turn, &mut used));
            let guarding = returned.guards.iter().flat_map(Guard::operands);
            guarding.for_each(|operand| mark(operand, &mut used));
        }
        // A request uses only earlier ones.
        for at in (0..self.requests.len()).rev() {
            let Some(request) = self.requests.get_mut(at) else { continue };
            let needed = used.get(at).copied().unwrap_or(true) || request.ensures;
            if !needed {
                request.unused = true;
                continue;
            }
            request.known.iter().for_each(|(_, operand)| mark(operand, &mut used));
            request.loops.iter().for_each(|turn| mark_loop(turn, &mut used));
            let key = request.own.iter().flat_map(|own| &own.key);
            key.for_each(|(_, operand)| mark(operand, &mut used));
        }
    }
}

fn mark(operand: &Operand, used: &mut [bool]) {
    if let Operand::Row { step, .. } = operand {
        mark_step(*step, used);
    }
    for part in operand.parts() {
        mark(part, used);
    }
}

fn mark_loop(turn: &Loop, used: &mut [bool]) {
    match turn {
        Loop::Rows(step) => mark_step(*step, used),
        Loop::Elements(of) => mark(of, used),
        Loop::Values(_) | Loop::Shards(_) | Loop::Buckets(_) => {}
    }
}

fn mark_step(step: StepId, used: &mut [bool]) {
    if let Some(used) = used.get_mut(step.index()) {
        *used = true;
    }
}
