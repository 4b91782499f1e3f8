//! Runs the proof of a design: on the embedded engine, on a cluster in a temporary keyspace, or
//! through code that was generated from it.

mod cluster_server;
mod code;
mod local_server;

use std::time::{Duration, Instant};

use cluster::{ConnectionOptions, ErrorKind, ScratchKeyspace};
use model::plan::Design;
use model::sql::ModelFile;
use sim::{MemoryServer, Proof, ProofSettings, ProofSubject, Server, TimeLimit};

use crate::interrupt::listen_to_termination;
use crate::outcome::{Failure, Outcome};
use crate::progress_bar::ProgressBar;
use cluster_server::{ClusterServer, KeyspaceName};
use code::CodeVerdict;
pub(crate) use code::{CodeCounts, CodeLanguage};
use shell::InterruptFlag;

/// The result of a proof.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Verdict {
    /// The proof was not run.
    Skipped,
    /// The server rejects the design, with this message.
    Refused(String),
    /// The proof was run.
    Ran(Box<ProofRun>),
}

/// A proof that was run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ProofRun {
    /// Its measurements, and a disagreement if there is one.
    pub(crate) proof: Proof,
    /// The server it ran on.
    pub(crate) on: String,
    /// The language of the generated code that ran the statements; `None` if their plans were
    /// interpreted.
    pub(crate) language: Option<CodeLanguage>,
    /// What was looked at in generated code.
    pub(crate) code_counts: CodeCounts,
    /// The seed of the random data.
    pub(crate) seed: u64,
    /// Whether all measurements are shown.
    pub(crate) is_full: bool,
}

/// How to run a proof.
#[derive(Clone, Debug)]
pub(crate) struct ProofPlan {
    /// The number of rows on the relational side; `None` for the default.
    pub(crate) rows: Option<u64>,
    /// The seed of the random data and queries.
    pub(crate) seed: u64,
    /// The time that the proof may take.
    pub(crate) time: Duration,
    /// The cluster; `None` for the embedded engine.
    pub(crate) on: Option<ConnectionOptions>,
    /// The language of the code to generate and to run; `None` to interpret the plans.
    pub(crate) language: Option<CodeLanguage>,
    /// Whether writes of generated code that may be repeated are interrupted and repeated.
    pub(crate) with_faults: bool,
}

impl Verdict {
    /// Whether the server rejects the design, its results differ from those of SQL, or something
    /// was not run.
    pub(crate) fn is_failed(&self) -> bool {
        match self {
            Self::Skipped => false,
            Self::Refused(_) => true,
            Self::Ran(run) => !run.proof.is_passed(),
        }
    }
}

/// Runs the proof of a design.
pub(crate) fn prove(
    file: &ModelFile,
    design: &Design,
    plan: &ProofPlan,
) -> Result<Verdict, Failure> {
    let mut schema = design::create_statements::types(&file.concept, design);
    schema.extend(design::create_statements::tables(design));
    let subject =
        ProofSubject { concept: &file.concept, workload: &file.workload, design, schema: &schema };
    let defaults = match plan.language {
        Some(_) => ProofSettings::with_few_runs(),
        None => ProofSettings::default(),
    };
    let settings =
        ProofSettings { seed: plan.seed, rows: plan.rows.unwrap_or(defaults.rows), ..defaults };
    let mut code_counts = CodeCounts::default();
    let (result, on) = match (&plan.on, plan.language) {
        (_, Some(language)) => {
            let CodeVerdict { result, on, counts } =
                code::prove(subject, settings, plan, language)?;
            code_counts = counts;
            (result, on)
        }
        (None, None) => {
            let mut server = MemoryServer::new(settings.now_micros).map_err(environment_failure)?;
            (run_proof(subject, settings, plan.time, &mut server), "the embedded engine".to_owned())
        }
        (Some(access), None) => {
            let result =
                run_on_cluster(access, |server| run_proof(subject, settings, plan.time, server))?;
            (result, access.hosts.join(", "))
        }
    };
    match result {
        // Without queries and writes there is nothing to prove.
        Ok(_) if file.workload.reads.is_empty() && file.workload.writes.is_empty() => {
            Ok(Verdict::Skipped)
        }
        Ok(proof) => {
            let is_full = plan.rows.is_some();
            let ProofPlan { language, seed, .. } = *plan;
            Ok(Verdict::Ran(Box::new(ProofRun { proof, on, language, code_counts, seed, is_full })))
        }
        Err(sim::Failure::Refused(message)) => Ok(Verdict::Refused(message)),
        Err(failure) => Err(environment_failure(failure)),
    }
}

fn run_proof(
    subject: ProofSubject<'_>,
    settings: ProofSettings,
    time: Duration,
    server: &mut dyn Server,
) -> Result<Proof, sim::Failure> {
    let bar = ProgressBar::new("proof");
    let start = Instant::now();
    let elapsed = || start.elapsed();
    let limit = TimeLimit::new(&elapsed, time);
    sim::prove_within(subject, settings, limit, server, &mut |progress| {
        bar.show(progress.stage, progress.done, progress.of);
    })
}

/// Runs work on a cluster, in a temporary keyspace that is dropped afterwards, also after errors
/// and interrupts.
pub(crate) fn run_on_cluster<T>(
    access: &ConnectionOptions,
    work: impl FnOnce(&mut dyn Server) -> Result<T, sim::Failure>,
) -> Result<Result<T, sim::Failure>, Failure> {
    run_in_keyspace(access, KeyspaceName::Fresh, |_, server| work(server))
}

/// The same, with the name of the keyspace.
fn run_in_keyspace<T>(
    access: &ConnectionOptions,
    name: KeyspaceName,
    work: impl FnOnce(&str, &mut dyn Server) -> Result<T, sim::Failure>,
) -> Result<Result<T, sim::Failure>, Failure> {
    let interrupt = InterruptFlag::default();
    listen_to_termination(&interrupt)?;
    let mut scratch =
        ScratchKeyspace::create(access, None).map_err(|error| cluster_failure(&error))?;
    let keyspace = scratch.keyspace().to_owned();
    let result = work(&keyspace, &mut ClusterServer::new(&mut scratch, name, interrupt));
    let removed = scratch.finish();
    match (result, removed) {
        (result, Ok(())) => Ok(result),
        (Err(sim::Failure::Gone(message)), Err(not_removed)) => {
            Err(environment_failure(sim::Failure::Gone(format!("{message}; {not_removed}"))))
        }
        (_, Err(not_removed)) => Err(cluster_failure(&not_removed)),
    }
}

/// Runs work in a temporary keyspace on a server of this process.
#[cfg(test)]
pub(crate) fn run_on_local_server<T>(
    work: impl FnOnce(&ConnectionOptions, &str, &mut dyn Server) -> Result<T, sim::Failure>,
) -> Result<Result<T, sim::Failure>, Failure> {
    let server = local_server::LocalServer::start()?;
    let access = ConnectionOptions::from_contact_points(&server.address().to_string())
        .map_err(|error| cluster_failure(&error))?;
    run_in_keyspace(&access, KeyspaceName::Constant, |keyspace, server| {
        work(&access, keyspace, server)
    })
}

/// The failure of a proof or calibration that could not finish.
pub(crate) fn environment_failure(failure: sim::Failure) -> Failure {
    let message = match failure {
        sim::Failure::Refused(message)
        | sim::Failure::Gone(message)
        | sim::Failure::Unrepresentable(message) => message,
        sim::Failure::Exhausted => "one step sends too many statements".to_owned(),
    };
    Failure::Stopped(Outcome::EnvironmentFailed, format!("stopped early: {message}"))
}

/// The failure of a cluster connection: invalid settings are bad input, the rest a failed
/// environment.
pub(crate) fn cluster_failure(error: &cluster::Error) -> Failure {
    let outcome = match error.kind {
        ErrorKind::Settings => Outcome::BadInput,
        _ => Outcome::EnvironmentFailed,
    };
    Failure::Stopped(outcome, error.to_string())
}
