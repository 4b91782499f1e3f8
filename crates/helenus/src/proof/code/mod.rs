//! Runs the proof of a design through code that was generated from it.
//!
//! The code is a program in its own process (`program`) that speaks the lines of `message`. It
//! connects with its own driver to the server of the proof: one of this process, or a cluster. The
//! proof fills and compares the tables over its own connection, and calls the program for every read
//! and write (`code_runner`).

mod code_counts;
mod code_runner;
mod command_facts;
mod fault_injector;
mod language;
mod message;
mod program;
mod program_folder;
#[cfg(test)]
mod tests;
mod toolchain;

use std::cell::Cell;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::rc::Rc;
use std::time::Instant;

use cluster::ConnectionOptions;
use codegen::program::AccessProgram;
use codegen::{GenerationOptions, Language};
use engine::Database;
use sim::{Proof, ProofSettings, ProofSubject, TimeLimit};

use super::cluster_server::KeyspaceName;
use super::local_server::LocalServer;
use super::{ProofPlan, cluster_failure, run_in_keyspace};
use crate::outcome::Failure;
use crate::progress_bar::ProgressBar;
pub(crate) use code_counts::CodeCounts;
use code_runner::{CodeConnection, CodeRunner};
use command_facts::CommandFacts;
pub(crate) use language::CodeLanguage;
use message::{ProgramLimits, ProgramTarget};
use program::{DriverProgram, ProgramLauncher};
use program_folder::ProgramFolder;

/// Builds a program in a folder that is empty and is removed after the proof.
type ProgramBuilder<'b> =
    dyn Fn(&AccessProgram, ProofSubject<'_>, &Path) -> Result<ProgramLauncher, String> + 'b;

/// The time zone of the program: nothing may depend on it, and code that computes in local time
/// differs by hours and minutes.
const TIME_ZONE: &str = "America/St_Johns";

/// The result of a proof through code.
pub(super) struct CodeVerdict {
    /// The proof.
    pub(super) result: Result<Proof, sim::Failure>,
    /// The server that it ran on.
    pub(super) on: String,
    /// What was looked at besides.
    pub(super) counts: CodeCounts,
}

/// Generates the program of a design in a folder and compiles it; returns the command that runs it,
/// which must be the program itself: a tool that starts it would be ended in its place. An error
/// says in one clause why there is none.
fn build_driver_program(
    language: CodeLanguage,
    program: &AccessProgram,
    folder: &Path,
) -> Result<Command, String> {
    let options = GenerationOptions { with_proof_driver: true, ..GenerationOptions::default() };
    let language = Language::from(language);
    let code = codegen::generate(language, program, &options).map_err(|it| it.to_string())?;
    for file in &code.files {
        let path = folder.join(&file.path);
        let written = path.parent().map_or(Ok(()), fs::create_dir_all);
        written
            .and_then(|()| fs::write(&path, &file.text))
            .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    toolchain::build(language, &code, folder)
}

/// Proves a design through generated code in this language.
pub(super) fn prove(
    subject: ProofSubject<'_>,
    settings: ProofSettings,
    plan: &ProofPlan,
    language: CodeLanguage,
) -> Result<CodeVerdict, Failure> {
    prove_through(subject, settings, plan, &|program, _, folder| {
        let mut command = build_driver_program(language, program, folder)?;
        command.current_dir(folder).env("TZ", TIME_ZONE);
        Ok(Box::new(move || DriverProgram::start(&mut command)))
    })
}

/// The program of a design.
fn translate(subject: ProofSubject<'_>) -> AccessProgram {
    codegen::translation::lower(codegen::translation::ProgramSource {
        concept: subject.concept,
        workload: subject.workload,
        design: subject.design,
        schema: subject.schema,
        file: &subject.concept.keyspace,
    })
}

/// Proves a design through a program, on the cluster of the plan or on a server of this process.
fn prove_through(
    subject: ProofSubject<'_>,
    settings: ProofSettings,
    plan: &ProofPlan,
    build: &ProgramBuilder<'_>,
) -> Result<CodeVerdict, Failure> {
    if let Some(access) = &plan.on {
        let (result, counts) = prove_on(access, None, subject, settings, plan, build)?;
        return Ok(CodeVerdict { result, on: access.hosts.join(", "), counts });
    }
    let server = LocalServer::start()?;
    let database = Some(server.database());
    let access = local_access(&server)?;
    let (result, counts) = prove_on(&access, database, subject, settings, plan, build)?;
    Ok(CodeVerdict { result, on: "a server of this process".to_owned(), counts })
}

fn prove_on(
    access: &ConnectionOptions,
    database: Option<&Database>,
    subject: ProofSubject<'_>,
    settings: ProofSettings,
    plan: &ProofPlan,
    build: &ProgramBuilder<'_>,
) -> Result<(Result<Proof, sim::Failure>, CodeCounts), Failure> {
    let folder = ProgramFolder::create()?;
    let counts = Rc::new(Cell::new(CodeCounts::default()));
    let result = run_in_keyspace(access, KeyspaceName::Constant, |keyspace, server| {
        let target = program_target(access, keyspace)?;
        let bar = ProgressBar::new("proof");
        // The time of the proof begins when the program is built and connected.
        let start = Cell::new(Instant::now());
        let elapsed = || start.get().elapsed();
        sim::prove_with_runner(
            subject,
            settings,
            TimeLimit::new(&elapsed, plan.time),
            server,
            &|subject| {
                let program = translate(subject);
                let launcher =
                    build(&program, subject, folder.path()).map_err(sim::Failure::Gone)?;
                let connection = CodeConnection {
                    launcher,
                    target: target.clone(),
                    writes: CommandFacts::collect(&program),
                    database: database.cloned(),
                    has_faults: plan.with_faults,
                    counts: Rc::clone(&counts),
                };
                let runner = CodeRunner::connect(subject, connection)?;
                start.set(Instant::now());
                Ok(Box::new(runner))
            },
            &mut |progress| bar.show(progress.stage, progress.done, progress.of),
        )
    })?;
    Ok((result, counts.get()))
}

fn local_access(server: &LocalServer) -> Result<ConnectionOptions, Failure> {
    ConnectionOptions::from_contact_points(&server.address().to_string())
        .map_err(|error| cluster_failure(&error))
}

/// The first contact point and the login, for the driver of the program.
fn program_target(
    access: &ConnectionOptions,
    keyspace: &str,
) -> Result<ProgramTarget, sim::Failure> {
    let point = access.hosts.first().and_then(|host| host.rsplit_once(':'));
    let Some((host, Ok(port))) = point.map(|(host, port)| (host, port.parse())) else {
        return Err(sim::Failure::Gone("there is no contact point".to_owned()));
    };
    let login = access.credentials.as_ref();
    Ok(ProgramTarget {
        host: host.trim_matches(['[', ']']).to_owned(),
        port,
        keyspace: keyspace.to_owned(),
        login: login.map(|login| (login.user.clone(), login.password.reveal().to_owned())),
        limits: ProgramLimits::LOW,
    })
}
