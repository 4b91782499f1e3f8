//! The proof of a design: run on the embedded engine, or on a cluster in a keyspace of its own.

mod cluster_server;
mod progress_bar;

use cluster::{ConnectionOptions, ErrorKind, ScratchKeyspace};
use model::plan::Design;
use model::sql::ModelFile;
use sim::{MemoryServer, Proof, ProofSettings, ProofSubject, Server};

use crate::interrupt::listen_to_termination;
use crate::outcome::{Failure, Outcome};
use cluster_server::ClusterServer;
use progress_bar::ProgressBar;
use shell::InterruptFlag;

/// What a proof came to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Verdict {
    /// It was not run.
    Skipped,
    /// The server does not take the design: its words.
    Refused(String),
    /// It was run.
    Ran(Box<ProofRun>),
}

/// A proof that was run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ProofRun {
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
pub(crate) struct ProofPlan {
    /// Rows of the relational side; the usual small number where nothing is said.
    pub(crate) rows: Option<u64>,
    /// The same seed makes the same data and the same questions.
    pub(crate) seed: u64,
    /// The cluster; the embedded engine without one.
    pub(crate) on: Option<ConnectionOptions>,
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
pub(crate) fn prove(
    file: &ModelFile,
    design: &Design,
    plan: &ProofPlan,
) -> Result<Verdict, Failure> {
    let mut schema = design::create_statements::types(&file.concept, design);
    schema.extend(design::create_statements::tables(design));
    let subject =
        ProofSubject { concept: &file.concept, workload: &file.workload, design, schema: &schema };
    let usual = ProofSettings::default();
    let settings =
        ProofSettings { seed: plan.seed, rows: plan.rows.unwrap_or(usual.rows), ..usual };
    let (found, on) = match &plan.on {
        None => {
            let mut server = MemoryServer::new(settings.now_micros).map_err(environment_failure)?;
            (run_proof(subject, settings, &mut server), "the embedded engine".to_owned())
        }
        Some(access) => {
            let found = run_on_cluster(access, |server| run_proof(subject, settings, server))?;
            (found, access.hosts.join(", "))
        }
    };
    match found {
        // Nothing was asked: nothing is proven.
        Ok(proof) if proof.reads == 0 && proof.writes == 0 => Ok(Verdict::Skipped),
        Ok(proof) => {
            let is_full = plan.rows.is_some();
            Ok(Verdict::Ran(Box::new(ProofRun { proof, on, seed: plan.seed, is_full })))
        }
        Err(sim::Failure::Refused(words)) => Ok(Verdict::Refused(words)),
        Err(gone) => Err(environment_failure(gone)),
    }
}

fn run_proof(
    subject: ProofSubject<'_>,
    settings: ProofSettings,
    server: &mut dyn Server,
) -> Result<Proof, sim::Failure> {
    let mut bar = ProgressBar::new();
    sim::prove(subject, settings, server, &mut |progress| bar.show(progress))
}

/// On a cluster, in a keyspace that is gone afterwards, whatever happened.
pub(crate) fn run_on_cluster<T>(
    access: &ConnectionOptions,
    work: impl FnOnce(&mut dyn Server) -> Result<T, sim::Failure>,
) -> Result<Result<T, sim::Failure>, Failure> {
    let interrupt = InterruptFlag::default();
    listen_to_termination(&interrupt)?;
    let mut scratch =
        ScratchKeyspace::create(access, None).map_err(|error| cluster_failure(&error))?;
    let found = work(&mut ClusterServer::new(&mut scratch, interrupt));
    let removed = scratch.finish();
    match (found, removed) {
        (found, Ok(())) => Ok(found),
        (Err(sim::Failure::Gone(words)), Err(left)) => {
            Err(environment_failure(sim::Failure::Gone(format!("{words}; {left}"))))
        }
        (_, Err(left)) => Err(cluster_failure(&left)),
    }
}

/// What ended early.
pub(crate) fn environment_failure(failure: sim::Failure) -> Failure {
    let (sim::Failure::Refused(words) | sim::Failure::Gone(words)) = failure;
    Failure::Stopped(Outcome::EnvironmentFailed, format!("ended early: {words}"))
}

/// A cluster that cannot be used: what was said about it wrongly is the user's, the rest the environment's.
pub(crate) fn cluster_failure(error: &cluster::Error) -> Failure {
    let outcome = match error.kind {
        ErrorKind::Settings => Outcome::BadInput,
        _ => Outcome::EnvironmentFailed,
    };
    Failure::Stopped(outcome, error.to_string())
}
