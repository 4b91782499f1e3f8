//! The run: a schema is made, asked about, changed, thrown away; and so on until enough was asked.

use super::node::NodeConnection;
use super::probe::Probe;
use super::report::ComparisonReport;
use super::schema::SchemaModel;
use super::statement::{KINDS, StatementSpec, find_spec};
use super::statement_writer::{StatementDraft, StatementWriter};
use crate::binder::BinderSession;
use crate::rng::Rng;
use crate::verdict::{RunMode, Verdict};

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
pub(super) struct RunPlan {
    pub(super) seed: u64,
    pub(super) statements: usize,
}

/// The state of a run.
struct Comparison {
    plan: RunPlan,
    rng: Rng,
    world: SchemaModel,
    node: NodeConnection,
    ours: BinderSession,
    report: ComparisonReport,
}

/// Runs a plan against a node and our binder.
pub(super) fn run(plan: RunPlan, node: NodeConnection) -> ComparisonReport {
    let mut run = Comparison {
        plan,
        rng: Rng::new(plan.seed),
        world: SchemaModel::default(),
        node,
        ours: BinderSession::new(),
        report: ComparisonReport::new(plan),
    };
    let mut schema = 0;
    while run.report.statement_count() < plan.statements {
        run.run_schema(schema);
        schema += 1;
    }
    run.report
}

impl Comparison {
    /// One schema from its first keyspace to its last question.
    fn run_schema(&mut self, number: usize) {
        let prefix = format!("r{}_{number}_", self.plan.seed);
        self.reset(&prefix);
        self.world = SchemaModel::new(prefix.clone());
        if self.create_schema() {
            for _ in 0..SCHEMA_STATEMENTS {
                if self.report.statement_count() >= self.plan.statements || !self.run_random() {
                    break;
                }
            }
        }
        self.reset(&prefix);
    }

    fn reset(&mut self, prefix: &str) {
        self.node.drop_keyspaces(prefix);
        self.ours = BinderSession::new();
    }

    fn create_schema(&mut self) -> bool {
        SETUP.iter().all(|(name, count)| (0..*count).all(|_| self.run_kind(find_spec(name), 0)))
    }

    /// A random statement; false where the two sides no longer have the same schema.
    fn run_random(&mut self) -> bool {
        if self.world.keyspaces.iter().map(|k| k.tables.len()).sum::<usize>() < TABLES_MIN * 2 {
            return self.run_kind(find_spec("create table"), 0);
        }
        let chosen = self.rng.pick_weighted(KINDS, |kind| kind.weight);
        let slips = *self.rng.pick_weighted(&[(0, 46), (1, 44), (2, 10)], |(_, weight)| *weight);
        self.run_kind(chosen, slips.0)
    }

    fn run_kind(&mut self, kind: &'static StatementSpec, slips: usize) -> bool {
        let Some(ask) = self.write_probe(kind, slips) else { return true };
        let theirs = self.node.judge(&ask);
        let ours = self.ours.verdict(&ask.text, ask.manner);
        self.report.record(&ask, &theirs, &ours);
        let accepted = theirs.as_ref().is_ok_and(is_acceptance);
        let agreed = theirs.is_ok() && accepted == is_acceptance(&ours);
        let same_schema = agreed || !ask.changes;
        if accepted && !ask.manner.prepare {
            self.world.apply(ask.effect);
        }
        same_schema
    }

    /// Writes a statement twice: to learn where it could go wrong, then with the slips.
    fn write_probe(&mut self, kind: &'static StatementSpec, slips: usize) -> Option<Probe> {
        let markers = kind.markers && self.rng.roll(20);
        let start = Rng::new(self.rng.next());
        let mut scribe = StatementWriter::new(start.clone(), &self.world);
        scribe.markers = markers;
        let mut draft = (kind.write)(&mut scribe)?;
        if slips > 0 {
            let mut careless = StatementWriter::with_slips(&scribe, start, slips, &mut self.rng);
            careless.markers = markers;
            draft = (kind.write)(&mut careless)?;
            scribe = careless;
        }
        let slips = scribe.slips_made().to_vec();
        let StatementDraft { text, effect, prepare } = draft;
        let manner = RunMode { prepare, unpaged: false };
        Some(Probe { kind: kind.name, text, manner, changes: kind.changes, effect, slips })
    }
}

fn is_acceptance(verdict: &Verdict) -> bool {
    verdict.refusal.is_none()
}
