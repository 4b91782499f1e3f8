//! Local search over choices of ways. Moves: another way for a demand, a node dropped, a node added
//! for all demands that can use it, and (large neighbourhood search) a part destroyed and completed
//! anew.
//!
//! Dropping and adding are needed beside single switches: opening or closing an expensive shared
//! item pays off only when several demands change together, as in facility location.

use std::collections::VecDeque;

use super::completer::{Completer, Score};
use super::graph::{Choice, Graph};
use super::id::NodeId;
use super::{DemandId, IdVec};

/// Elementary steps in one unit of work.
pub(super) const STEPS_PER_UNIT: u64 = 4_000;

/// A choice for a graph with its score.
#[derive(Clone, Debug, Default)]
pub(super) struct ScoredChoice {
    /// The choice.
    pub(super) choice: Choice,
    /// Its score.
    pub(super) score: Score,
}

/// The search around one solution.
#[derive(Debug)]
pub(super) struct LocalSearch<'a> {
    completer: Completer<'a>,
    /// For each node the demands with a way that needs it: those that a change of the node can
    /// affect.
    demands_near: IdVec<NodeId, Vec<DemandId>>,
    /// Nodes that some way needs: the candidates for dropping and adding.
    hubs: Vec<NodeId>,
    random: Random,
}

/// A pseudo-random generator (xorshift64*) with a fixed seed, so that results can be reproduced.
#[derive(Clone, Debug)]
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below `end`; 0 when that is 0.
    pub(super) fn next_below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        let drawn = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33;
        usize::try_from(drawn).unwrap_or(0) % end.max(1)
    }
}

impl<'a> LocalSearch<'a> {
    pub(super) fn new(graph: &'a Graph) -> Self {
        let completer = Completer::new(graph);
        let mut touches: IdVec<NodeId, Vec<DemandId>> =
            IdVec::from_elem(Vec::new(), graph.nodes.len());
        for (demand, ways) in graph.demands.enumerate_ids() {
            for &way in ways {
                for &node in &completer.closures[way] {
                    if node != way && touches[node].last() != Some(&demand) {
                        touches[node].push(demand);
                    }
                }
            }
        }
        let hubs = graph.nodes.ids().filter(|&node| !touches[node].is_empty()).collect();
        Self { completer, demands_near: touches, hubs, random: Random::new(20_26) }
    }

    /// The completer, to ban nodes or to price bounded weights.
    pub(super) fn completer(&mut self) -> &mut Completer<'a> {
        &mut self.completer
    }

    /// Elementary steps made so far.
    pub(super) fn steps(&self) -> u64 {
        self.completer.steps
    }

    /// A first solution, or a completion of the choice given.
    pub(super) fn start(&mut self, choice: Option<&Choice>) -> Option<ScoredChoice> {
        let none = || Choice::from_elem(None, self.completer.graph.demands.len());
        let mut choice = choice.cloned().unwrap_or_else(none);
        let score = self.completer.complete(&mut choice, f64::INFINITY)?;
        Some(ScoredChoice { choice, score })
    }

    /// Improves the solution that was completed last by switching ways, starting with the demands
    /// affected by the difference of two choices.
    pub(super) fn repair(&mut self, found: &mut ScoredChoice, before: &Choice, until: u64) {
        let mut queue = self.find_affected(before, &found.choice).into();
        self.switch_marked(found, &mut queue, until);
    }

    /// Improves by single moves until none helps or the steps are used up.
    pub(super) fn descend(&mut self, found: &mut ScoredChoice, until: u64) {
        let all = self.completer.graph.demands.ids();
        let mut queue: VecDeque<DemandId> =
            all.filter(|&demand| found.choice[demand].is_some()).collect();
        loop {
            self.switch_all(found, &mut queue, until);
            if self.steps() >= until || !self.drop_or_add(found, &mut queue, until) {
                return;
            }
        }
    }

    /// Tries other ways for the demands queued. Demands affected by an improvement are queued
    /// again.
    fn switch_all(&mut self, found: &mut ScoredChoice, queue: &mut VecDeque<DemandId>, until: u64) {
        self.mark(found);
        self.switch_marked(found, queue, until);
    }

    /// The same for a solution whose marks the completer has.
    fn switch_marked(
        &mut self,
        found: &mut ScoredChoice,
        queue: &mut VecDeque<DemandId>,
        until: u64,
    ) {
        let mut queued = IdVec::<DemandId, bool>::from_elem(false, found.choice.len());
        for &demand in queue.iter() {
            queued[demand] = true;
        }
        while let Some(demand) = queue.pop_front() {
            queued[demand] = false;
            if self.steps() >= until {
                return;
            }
            if found.choice[demand].is_some() {
                self.switch(found, demand, |touched| {
                    if !std::mem::replace(&mut queued[touched], true) {
                        queue.push_back(touched);
                    }
                });
            }
        }
    }

    /// Tries other ways for one demand. Demands affected by an improvement are handed to `touch`.
    /// The marks of the completer are those of the solution, before and after.
    fn switch(
        &mut self,
        found: &mut ScoredChoice,
        demand: DemandId,
        mut touch: impl FnMut(DemandId),
    ) {
        let Some(mut rest) = self.completer.detach(&found.choice, demand) else { return };
        for &way in &self.completer.graph.demands[demand] {
            let limit = improvement_limit(found.score.value);
            if found.choice[demand] == Some(way)
                || !self.completer.is_below(&rest, &found.choice, way, limit)
            {
                continue;
            }
            let mut choice = found.choice.clone();
            choice[demand] = Some(way);
            if let Some(score) = self.completer.complete(&mut choice, limit) {
                for touched in self.find_affected(&found.choice, &choice) {
                    touch(touched);
                }
                *found = ScoredChoice { choice, score };
            } else {
                self.mark(found);
            }
            match self.completer.detach(&found.choice, demand) {
                Some(next) => rest = next,
                None => return,
            }
        }
        self.completer.attach(rest);
    }

    /// Gives the completer the marks of a solution.
    fn mark(&mut self, found: &ScoredChoice) {
        // It is complete already, so this neither changes the choice nor fails.
        let _ = self.completer.complete(&mut found.choice.clone(), f64::INFINITY);
    }

    /// Demands whose ways share a node with what two choices differ in.
    fn find_affected(&self, before: &Choice, after: &Choice) -> Vec<DemandId> {
        let mut touched = Vec::new();
        for ((demand, &old), &new) in before.enumerate_ids().zip(after) {
            if old != new {
                touched.push(demand);
                for way in [old, new].into_iter().flatten() {
                    for &node in &self.completer.closures[way] {
                        touched.extend_from_slice(&self.demands_near[node]);
                    }
                }
            }
        }
        touched.sort_unstable();
        touched.dedup();
        touched
    }

    /// Tries to drop each selected node and to add each other one; returns whether one helped. The
    /// first improvement is taken, and cheap switches follow before the next attempt.
    fn drop_or_add(
        &mut self,
        found: &mut ScoredChoice,
        queue: &mut VecDeque<DemandId>,
        until: u64,
    ) -> bool {
        for position in 0..self.hubs.len() {
            if self.steps() >= until {
                return false;
            }
            let hub = self.hubs[position];
            if self.completer.banned[hub] {
                continue;
            }
            let tried = self.try_drop(found, hub).or_else(|| self.try_add(found, hub));
            if let Some(better) = tried {
                queue.extend(self.find_affected(&found.choice, &better.choice));
                *found = better;
                return true;
            }
        }
        false
    }

    /// A better solution without a selected node.
    fn try_drop(&mut self, found: &ScoredChoice, hub: NodeId) -> Option<ScoredChoice> {
        let taken = |&demand: &DemandId| {
            found.choice[demand]
                .is_some_and(|way| self.completer.closures[way].binary_search(&hub).is_ok())
        };
        if !self.demands_near[hub].iter().any(taken) {
            return None;
        }
        self.completer.ban(hub);
        let mut choice = found.choice.clone();
        let score = self.completer.complete(&mut choice, improvement_limit(found.score.value));
        self.completer.allow(hub);
        score.map(|score| ScoredChoice { choice, score })
    }

    /// A better solution in which every demand that can use a node does.
    fn try_add(&mut self, found: &ScoredChoice, hub: NodeId) -> Option<ScoredChoice> {
        let mut choice = found.choice.clone();
        let mut changed = false;
        for &demand in &self.demands_near[hub] {
            let Some(chosen) = found.choice[demand] else { continue };
            let ways = &self.completer.graph.demands[demand];
            let mut using = ways
                .iter()
                .copied()
                .filter(|&way| self.completer.closures[way].binary_search(&hub).is_ok());
            let lightest = using.clone().min_by_key(|&way| self.completer.closures[way].len());
            if !using.any(|way| way == chosen)
                && let Some(way) = lightest
            {
                choice[demand] = Some(way);
                changed = true;
            }
        }
        if !changed {
            return None;
        }
        let score = self.completer.complete(&mut choice, improvement_limit(found.score.value))?;
        Some(ScoredChoice { choice, score })
    }

    /// Destroys a part of the solution and completes it anew, until `patience` attempts in a row
    /// did not help.
    pub(super) fn shake(&mut self, best: &mut ScoredChoice, patience: u32, until: u64) {
        let mut rounds_without = 0;
        while self.steps() < until && rounds_without < patience {
            let mut choice = best.choice.clone();
            let Some(mut queue) = self.destroy(&mut choice) else { return };
            let Some(score) = self.completer.complete(&mut choice, f64::INFINITY) else { continue };
            queue.extend(self.find_affected(&best.choice, &choice));
            let mut found = ScoredChoice { choice, score };
            self.switch_all(&mut found, &mut queue, until);
            rounds_without += 1;
            if found.score.value < improvement_limit(best.score.value) {
                *best = found;
                rounds_without = 0;
            }
        }
    }

    /// Removes the ways of a few neighbouring demands, and gives every other one of them a random
    /// way instead: without that, completion would mostly rebuild what was there.
    fn destroy(&mut self, choice: &mut Choice) -> Option<VecDeque<DemandId>> {
        let raised: Vec<DemandId> =
            choice.ids().filter(|&demand| choice[demand].is_some()).collect();
        let &first = raised.get(self.random.next_below(raised.len()))?;
        let size = 1 + self.random.next_below(6);
        let mut torn = vec![first];
        let ways = &self.completer.graph.demands[first];
        let near: Vec<DemandId> = ways
            .iter()
            .flat_map(|&way| self.completer.closures[way].iter())
            .flat_map(|&node| self.demands_near[node].iter().copied())
            .filter(|&demand| choice[demand].is_some())
            .collect();
        for _ in 1..size {
            if let Some(&demand) = near.get(self.random.next_below(near.len())) {
                torn.push(demand);
            }
        }
        for (position, &demand) in torn.iter().enumerate() {
            let ways = &self.completer.graph.demands[demand];
            let at = self.random.next_below(ways.len());
            choice[demand] = if position % 2 == 0 { ways.get(at).copied() } else { None };
        }
        Some(torn.into())
    }
}

/// The value that an improvement must be below: rounding differences are not improvements.
pub(super) fn improvement_limit(value: f64) -> f64 {
    value - value.abs() * 1e-12
}
