//! Proofs through code, with a stand-in for it: they find what the ordinary proof finds. Programs
//! that misbehave end the proof with what they printed.

mod mutants;
mod processes;
mod stand_in;

use std::time::Duration;

use model::sql::ModelFile;
use sim::{Coverage, Disagreement, MemoryServer, Proof, ProofOutcome, ProofSettings, ProofSubject};

use self::stand_in::Defect;
use super::*;

const KILLRVIDEO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/killrvideo.sql");

/// A small model whose tables hold copies.
const NOTES: &str = "
CREATE TABLE users (userid int PRIMARY KEY, name text NOT NULL);
CREATE TABLE notes (
  noteid int PRIMARY KEY,
  userid int NOT NULL REFERENCES users,  -- @each 20
  title text NOT NULL
);
-- name: NotesOfUser :many
SELECT n.noteid, n.title, u.name FROM notes n JOIN users u ON u.userid = n.userid
WHERE n.userid = ? ORDER BY n.noteid DESC LIMIT 10;
-- name: AddNote :exec
INSERT INTO notes (noteid, userid, title) VALUES (?, ?, ?);
-- name: AddUser :exec
INSERT INTO users (userid, name) VALUES (?, ?);
-- name: Rename :exec
UPDATE users SET name = ? WHERE userid = ?;
";

fn plan() -> ProofPlan {
    let time = Duration::from_secs(120);
    ProofPlan {
        rows: None,
        seed: 1,
        time,
        on: None,
        language: Some(CodeLanguage::Rust),
        with_faults: false,
    }
}

/// The proofs of a design through a stand-in and by the interpreter.
fn prove_twice(file: &ModelFile, settings: ProofSettings, defect: Defect) -> (Proof, Proof) {
    let design = design::design(&file.concept, &file.workload, &design::Options::default());
    let mut schema = design::create_statements::types(&file.concept, &design);
    schema.extend(design::create_statements::tables(&design));
    let (concept, workload) = (&file.concept, &file.workload);
    let subject = ProofSubject { concept, workload, design: &design, schema: &schema };
    let build = |_: &AccessProgram, subject: ProofSubject<'_>, _: &Path| {
        Ok(stand_in::prepare_program(subject, defect))
    };
    let through = prove_through(subject, settings, &plan(), &build).expect("it is run");
    assert_eq!(through.on, "a server of this process");
    let mut server = MemoryServer::new(settings.now_micros).expect("a database opens");
    let interpreted = sim::prove(subject, settings, &mut server, &mut |_| {});
    (through.result.expect("it ends"), interpreted.expect("it ends"))
}

fn find_disagreement(defect: Defect) -> Disagreement {
    let file = model::sql::read(NOTES, "notes").expect("a model file");
    let settings = ProofSettings { rows: 60, ..ProofSettings::with_few_runs() };
    let (proof, interpreted) = prove_twice(&file, settings, defect);
    assert!(interpreted.is_passed());
    proof.disagreement.expect("the defect is found")
}

#[test]
fn code_is_proven_as_the_plans_are() {
    let text = fs::read_to_string(KILLRVIDEO).expect("an example");
    let file = model::sql::read(&text, "killrvideo").expect("a model file");
    let settings = ProofSettings { keeps_transcript: true, ..ProofSettings::with_few_runs() };
    let (proof, interpreted) = prove_twice(&file, settings, Defect::None);
    assert_eq!(proof.outcome(), ProofOutcome::Passed);
    // The operations are those of the ordinary proof, which the tests with PostgreSQL replay there:
    // so the code is compared with its answers too.
    assert!(proof.transcript.as_ref().is_some_and(|it| it.steps.len() > 100));
    // Nobody has counted the steps of the code, or its reads of partitions.
    assert!(interpreted.coverage.steps.is_some() && !interpreted.measured.is_empty());
    let coverage = Coverage { steps: None, ..interpreted.coverage };
    assert_eq!(proof, Proof { coverage, measured: Vec::new(), ..interpreted });
}

#[test]
fn a_row_that_code_loses_is_found() {
    let found = find_disagreement(Defect::ShortResult("NotesOfUser"));
    assert_eq!((found.name.as_str(), &found.table), ("NotesOfUser", &None));
    // A user and a note.
    assert!(found.facts.len() <= 2, "{found:#?}");
    assert_eq!((found.expected.len(), found.got.len()), (1, 0));
}

#[test]
fn a_write_that_code_omits_is_found() {
    let found = find_disagreement(Defect::IdleWrite("Rename"));
    assert_eq!(found.name, "Rename");
    assert!(found.table.is_some() && found.facts.len() <= 2, "{found:#?}");
}

#[test]
fn an_outcome_that_code_hides_is_found() {
    let found = find_disagreement(Defect::BlindWrite("AddUser"));
    assert_eq!((found.name.as_str(), &found.columns), ("AddUser", &vec!["outcome".to_owned()]));
    assert_eq!((&found.expected[0][0], &found.got[0][0]), (&"violation".into(), &"applied".into()));
}

#[test]
fn an_error_of_code_is_found() {
    let found = find_disagreement(Defect::FailedRead("NotesOfUser"));
    assert_eq!(found.refused.as_deref(), Some("index out of range (error code, step 1)"));
}
