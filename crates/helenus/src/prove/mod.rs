//! The proof of a design: run on the embedded engine, or on a cluster in a keyspace of its own.

mod bar;
mod on_cluster;

use cluster::{Access, Kind, Scratch};
use model::plan::Design;
use model::sql::ModelFile;
use sim::{Embedded, Proof, Server, Settings, Subject};

use crate::interrupt::listen_to_every_end;
use crate::outcome::{Failure, Outcome};
use bar::Bar;
use on_cluster::OnCluster;
use shell::InterruptFlag;

/// What a proof came to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Verdict {
    /// It was not run.
    Skipped,
    /// The server does not take the design: its words.
    Refused(String),
    /// It was run.
    Ran(Box<Run>),
}

/// A proof that was run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Run {
    /// What it found.
    pub(crate) proof: Proof,
    /// On what.
    pub(crate) on: String,
    /// From which seed.
    pub(crate) seed: u64,
    /// Whether all figures are wanted.
    pub(crate) is_full: bool,
}

/// How a proof is to be run.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// Rows of the relational side; the usual small number where nothing is said.
    pub(crate) rows: Option<u64>,
    /// The same seed makes the same data and the same questions.
    pub(crate) seed: u64,
    /// The cluster; the embedded engine without one.
    pub(crate) on: Option<Access>,
}

impl Verdict {
    /// Whether the tables answer otherwise than the relational database.
    pub(crate) fn is_failed(&self) -> bool {
        match self {
            Self::Skipped => false,
            Self::Refused(_) => true,
            Self::Ran(run) => run.proof.disagreement.is_some(),
        }
    }
}

/// Proves a design.
pub(crate) fn prove(file: &ModelFile, design: &Design, plan: &Plan) -> Result<Verdict, Failure> {
    let mut schema = design::create_statements::types(&file.concept, design);
    schema.extend(design::create_statements::tables(design));
    let subject =
        Subject { concept: &file.concept, workload: &file.workload, design, schema: &schema };
    let usual = Settings::default();
    let settings = Settings { seed: plan.seed, rows: plan.rows.unwrap_or(usual.rows), ..usual };
    let (found, on) = match &plan.on {
        None => {
            let mut server = Embedded::new(settings.now_micros).map_err(environment)?;
            (run(subject, settings, &mut server), "the embedded engine".to_owned())
        }
        Some(access) => {
            let found = on_a_cluster(access, |server| run(subject, settings, server))?;
            (found, access.hosts.join(", "))
        }
    };
    match found {
        // Nothing was asked: nothing is proven.
        Ok(proof) if proof.reads == 0 && proof.writes == 0 => Ok(Verdict::Skipped),
        Ok(proof) => {
            let is_full = plan.rows.is_some();
            Ok(Verdict::Ran(Box::new(Run { proof, on, seed: plan.seed, is_full })))
        }
        Err(sim::Failure::Refused(words)) => Ok(Verdict::Refused(words)),
        Err(gone) => Err(environment(gone)),
    }
}

fn run(
    subject: Subject<'_>,
    settings: Settings,
    server: &mut dyn Server,
) -> Result<Proof, sim::Failure> {
    let mut bar = Bar::new();
    sim::prove(subject, settings, server, &mut |progress| bar.show(progress))
}

/// On a cluster, in a keyspace that is gone afterwards, whatever happened.
pub(crate) fn on_a_cluster<T>(
    access: &Access,
    work: impl FnOnce(&mut dyn Server) -> Result<T, sim::Failure>,
) -> Result<Result<T, sim::Failure>, Failure> {
    let interrupt = InterruptFlag::default();
    listen_to_every_end(&interrupt)?;
    let mut scratch = Scratch::create(access, None).map_err(|error| unavailable(&error))?;
    let found = work(&mut OnCluster::new(&mut scratch, interrupt));
    let removed = scratch.finish();
    match (found, removed) {
        (found, Ok(())) => Ok(found),
        (Err(sim::Failure::Gone(words)), Err(left)) => {
            Err(environment(sim::Failure::Gone(format!("{words}; {left}"))))
        }
        (_, Err(left)) => Err(unavailable(&left)),
    }
}

/// What ended early.
pub(crate) fn environment(failure: sim::Failure) -> Failure {
    let (sim::Failure::Refused(words) | sim::Failure::Gone(words)) = failure;
    Failure::Stopped(Outcome::EnvironmentFailed, format!("ended early: {words}"))
}

/// A cluster that cannot be used: what was said about it wrongly is the user's, the rest the environment's.
pub(crate) fn unavailable(error: &cluster::Error) -> Failure {
    let outcome = match error.kind {
        Kind::Settings => Outcome::BadInput,
        _ => Outcome::EnvironmentFailed,
    };
    Failure::Stopped(outcome, error.to_string())
}
