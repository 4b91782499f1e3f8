//! The run: a schema is made, asked about, changed, thrown away; and so on until enough was asked.

use super::ask::Ask;
use super::node::Node;
use super::report::Report;
use super::rng::Rng;
use super::schema::World;
use super::scribe::{Draft, Scribe};
use super::statement::{KINDS, Kind, kind};
use crate::binder::Session;
use crate::verdict::{Manner, Verdict};

/// How many statements a schema serves.
const SCHEMA_STATEMENTS: usize = 350;
/// Fewer tables than this in a keyspace, and one is made.
const TABLES_MIN: usize = 3;

/// What every schema starts with; tables without the others would be asked boring questions.
const SETUP: &[(&str, usize)] = &[
    ("create keyspace", 2),
    ("create type", 4),
    ("create table", 9),
    ("create function", 3),
    ("create index", 8),
    ("create view", 3),
    ("create aggregate", 1),
];

/// What to run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    pub(super) seed: u64,
    pub(super) statements: usize,
}

/// The state of a run.
struct Run {
    plan: Plan,
    rng: Rng,
    world: World,
    node: Node,
    ours: Session,
    report: Report,
}

/// Runs a plan against a node and our binder.
pub(super) fn run(plan: Plan, node: Node) -> Report {
    let mut run = Run {
        plan,
        rng: Rng::new(plan.seed),
        world: World::default(),
        node,
        ours: Session::new(),
        report: Report::new(plan),
    };
    let mut schema = 0;
    while run.report.asked() < plan.statements {
        run.schema(schema);
        schema += 1;
    }
    run.report
}

impl Run {
    /// One schema from its first keyspace to its last question.
    fn schema(&mut self, number: usize) {
        let prefix = format!("r{}_{number}_", self.plan.seed);
        self.forget(&prefix);
        self.world = World::new(prefix.clone());
        if self.set_up() {
            for _ in 0..SCHEMA_STATEMENTS {
                if self.report.asked() >= self.plan.statements || !self.step() {
                    break;
                }
            }
        }
        self.forget(&prefix);
    }

    fn forget(&mut self, prefix: &str) {
        self.node.forget(prefix);
        self.ours = Session::new();
    }

    fn set_up(&mut self) -> bool {
        SETUP.iter().all(|(name, count)| (0..*count).all(|_| self.put(kind(name), 0)))
    }

    /// A random statement; false where the two sides no longer have the same schema.
    fn step(&mut self) -> bool {
        if self.world.keyspaces.iter().map(|k| k.tables.len()).sum::<usize>() < TABLES_MIN * 2 {
            return self.put(kind("create table"), 0);
        }
        let chosen = self.rng.weighted(KINDS, |kind| kind.weight);
        let slips = *self.rng.weighted(&[(0, 46), (1, 44), (2, 10)], |(_, weight)| *weight);
        self.put(chosen, slips.0)
    }

    fn put(&mut self, kind: &'static Kind, slips: usize) -> bool {
        let Some(ask) = self.write(kind, slips) else { return true };
        let theirs = self.node.ask(&ask);
        let ours = self.ours.verdict(&ask.text, ask.manner);
        self.report.note(&ask, &theirs, &ours);
        let accepted = theirs.as_ref().is_ok_and(is_acceptance);
        let agreed = theirs.is_ok() && accepted == is_acceptance(&ours);
        let same_schema = agreed || !ask.changes;
        if accepted && !ask.manner.prepare {
            self.world.apply(ask.effect);
        }
        same_schema
    }

    /// Writes a statement twice: to learn where it could go wrong, then with the slips.
    fn write(&mut self, kind: &'static Kind, slips: usize) -> Option<Ask> {
        let markers = kind.markers && self.rng.chance(20);
        let start = Rng::new(self.rng.next());
        let mut scribe = Scribe::careful(start.clone(), &self.world);
        scribe.markers = markers;
        let mut draft = (kind.write)(&mut scribe)?;
        if slips > 0 {
            let mut careless = Scribe::careless(&scribe, start, slips, &mut self.rng);
            careless.markers = markers;
            draft = (kind.write)(&mut careless)?;
            scribe = careless;
        }
        let slips = scribe.slips_made().to_vec();
        let Draft { text, effect, prepare } = draft;
        let manner = Manner { prepare, unpaged: false };
        Some(Ask { kind: kind.name, text, manner, changes: kind.changes, effect, slips })
    }
}

fn is_acceptance(verdict: &Verdict) -> bool {
    verdict.refusal.is_none()
}
