//! A model file proven and judged: its design on a server beside `SQLite`, then the same facts, writes and reads in `PostgreSQL`.

use std::sync::atomic::{AtomicUsize, Ordering};

use model::sql::ModelFile;
use sim::{
    MemoryServer, NotRunReason, Proof, ProofOutcome, ProofSettings, ProofSubject, Server, prove,
};

use super::cluster::PostgresCluster;
use super::replay::{ReplayFault, replay};
use crate::proof::describe_disagreement;

/// What came of a model file.
#[derive(Debug)]
pub(crate) enum Judgement {
    /// All agree, in this many reads and writes.
    Agreement(usize),
    /// The file is not accepted.
    Refused(String),
    /// The designed tables and `SQLite` disagree, or the proof failed.
    Unproven(String),
    /// `PostgreSQL` does not accept the schema.
    Schema(String),
    /// `SQLite` and `PostgreSQL` disagree.
    Difference(String),
}

/// A small proof that keeps its transcript.
pub(crate) fn settings(seed: u64) -> ProofSettings {
    ProofSettings {
        seed,
        rows: 300,
        bindings: 24,
        writes: 150,
        keeps_transcript: true,
        ..ProofSettings::default()
    }
}

/// A database of the cluster, empty.
pub(crate) fn create_database(cluster: &PostgresCluster) -> String {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let name = format!("judge{}", NEXT.fetch_add(1, Ordering::Relaxed));
    // The template has no sessions that could be in the way.
    let made = cluster.run(&format!("CREATE DATABASE {name} TEMPLATE template0;"));
    made.unwrap_or_else(|why| panic!("{why}"));
    name
}

/// Proves a model file on the embedded engine and judges it.
pub(crate) fn judge(
    cluster: Option<(&PostgresCluster, &str)>,
    text: &str,
    options: &design::Options,
    settings: ProofSettings,
) -> Judgement {
    let mut server = MemoryServer::new(settings.now_micros).expect("a database opens");
    judge_on(cluster, text, options, settings, &mut server)
}

/// Proves a model file on a server and judges it.
pub(crate) fn judge_on(
    cluster: Option<(&PostgresCluster, &str)>,
    text: &str,
    options: &design::Options,
    settings: ProofSettings,
    server: &mut dyn Server,
) -> Judgement {
    let file = match model::sql::read(text, "judged") {
        Ok(file) => file,
        Err(mistakes) => {
            let said = mistakes.iter().map(|it| format!("{}: {}", it.rule, it.message));
            return Judgement::Refused(said.collect::<Vec<_>>().join("\n"));
        }
    };
    let proof = match prove_file(&file, options, settings, server) {
        Ok(proof) => proof,
        Err(why) => return Judgement::Unproven(why),
    };
    let steps = proof.transcript.as_ref().map_or(0, |transcript| transcript.steps.len());
    let (Some((cluster, database)), Some(transcript)) = (cluster, &proof.transcript) else {
        return Judgement::Agreement(steps);
    };
    match replay(cluster, database, text, &file, transcript) {
        Ok(steps) => Judgement::Agreement(steps),
        Err(ReplayFault::Schema(why)) => Judgement::Schema(why),
        Err(ReplayFault::Difference(why)) => Judgement::Difference(why),
    }
}

/// The proof of a design without disagreement.
fn prove_file(
    file: &ModelFile,
    options: &design::Options,
    settings: ProofSettings,
    server: &mut dyn Server,
) -> Result<Proof, String> {
    let design = design::design(&file.concept, &file.workload, options);
    let mut schema = design::create_statements::types(&file.concept, &design);
    schema.extend(design::create_statements::tables(&design));
    let (concept, workload) = (&file.concept, &file.workload);
    let subject = ProofSubject { concept, workload, design: &design, schema: &schema };
    let proof = prove(subject, settings, server, &mut |_| {}).map_err(|it| format!("{it:?}"))?;
    match proof.outcome() {
        ProofOutcome::Passed => Ok(proof),
        ProofOutcome::Failed(disagreement) => {
            Err(describe_disagreement("the design", disagreement))
        }
        // What the design refuses has no plan, and says so in its notes.
        ProofOutcome::Incomplete(open)
            if open.iter().all(|(_, why)| **why == NotRunReason::Refused) =>
        {
            Ok(proof)
        }
        other => Err(format!("{other:?}")),
    }
}
