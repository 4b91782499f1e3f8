//! Runs the proof of a design through code that was generated from it.
//!
//! The code is a program in its own process (`program`) that speaks the lines of `message`. It
//! connects with its own driver to the server of the proof: one of this process, or a cluster. The
//! proof fills and compares the tables over its own connection, and calls the program for every read
//! and write (`code_runner`).

mod code_runner;
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
use std::time::{Duration, Instant};

use cluster::ConnectionOptions;
use codegen::{GenerationOptions, Language};
use sim::{Proof, ProofSettings, ProofSubject, TimeLimit};

use super::cluster_server::KeyspaceName;
use super::local_server::LocalServer;
use super::{ProofPlan, cluster_failure, run_in_keyspace};
use crate::outcome::Failure;
use crate::progress_bar::ProgressBar;
use code_runner::CodeRunner;
pub(crate) use language::CodeLanguage;
use message::ProgramTarget;
use program::DriverProgram;
use program_folder::ProgramFolder;

/// Builds and starts a program in a folder that is empty and is removed after the proof.
type ProgramBuilder<'b> = dyn Fn(ProofSubject<'_>, &Path) -> Result<DriverProgram, String> + 'b;

/// The result of a proof through code, and the server that it ran on.
type CodeVerdict = (Result<Proof, sim::Failure>, String);

/// Generates the program of a design in a folder and compiles it; returns the command that runs it,
/// which must be the program itself: a tool that starts it would be ended in its place. An error
/// says in one clause why there is none.
fn build_driver_program(
    language: CodeLanguage,
    subject: &ProofSubject<'_>,
    folder: &Path,
) -> Result<Command, String> {
    let program = codegen::translation::lower(codegen::translation::ProgramSource {
        concept: subject.concept,
        workload: subject.workload,
        design: subject.design,
        schema: subject.schema,
        file: &subject.concept.keyspace,
    });
    let options = GenerationOptions { with_proof_driver: true, ..GenerationOptions::default() };
    let language = Language::from(language);
    let code = codegen::generate(language, &program, &options).map_err(|it| it.to_string())?;
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
    prove_through(subject, settings, plan, &|subject, folder| {
        let mut command = build_driver_program(language, &subject, folder)?;
        DriverProgram::start(command.current_dir(folder))
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
        let result = prove_on(access, subject, settings, plan.time, build)?;
        return Ok((result, access.hosts.join(", ")));
    }
    let server = LocalServer::start()?;
    let result = prove_on(&local_access(&server)?, subject, settings, plan.time, build)?;
    Ok((result, "a server of this process".to_owned()))
}

fn prove_on(
    access: &ConnectionOptions,
    subject: ProofSubject<'_>,
    settings: ProofSettings,
    time: Duration,
    build: &ProgramBuilder<'_>,
) -> Result<Result<Proof, sim::Failure>, Failure> {
    let folder = ProgramFolder::create()?;
    run_in_keyspace(access, KeyspaceName::Constant, |keyspace, server| {
        let target = program_target(access, keyspace)?;
        let mut bar = ProgressBar::new("proof");
        // The time of the proof begins when the program is built and connected.
        let start = Cell::new(Instant::now());
        let elapsed = || start.get().elapsed();
        sim::prove_with_runner(
            subject,
            settings,
            TimeLimit::new(&elapsed, time),
            server,
            &|subject| {
                let program = build(subject, folder.path()).map_err(sim::Failure::Gone)?;
                let runner = CodeRunner::connect(subject, program, &target)?;
                start.set(Instant::now());
                Ok(Box::new(runner))
            },
            &mut |progress| bar.show(progress.stage, progress.done, progress.of),
        )
    })
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
    })
}
