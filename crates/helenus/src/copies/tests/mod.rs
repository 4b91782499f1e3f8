//! Copies on a server of this process, filled through the plans of a design and then damaged.

mod damage;
mod examples;

use std::path::{Path, PathBuf};
use std::time::Duration;

use cluster::Connection;
use model::plan::{Design, PlannedTable};
use model::sql::ModelFile;
use sim::{ProofSettings, ProofSubject, Server};

use super::definitions::Definitions;
use super::report::{CopyReport, VerificationReport};
use super::stored_row::{StoredRow, WriteTime};
use super::table_reader::{TableReader, now_micros};
use super::verification_plan::{CopyPlan, VerificationPlan};
use super::verifier::{VerificationOptions, verify};

/// A design with its tables on a server.
struct Stage<'a> {
    definitions: &'a Definitions,
    keyspace: &'a str,
    connection: Connection,
}

/// A model file of the examples, and its design.
fn read_example(path: &Path) -> (ModelFile, Design) {
    let text = std::fs::read_to_string(path).expect("the example can be read");
    let model = model::sql::read(&text, "example").expect("the example is valid");
    let design = design::design(&model.concept, &model.workload, &design::Options::default());
    (model, design)
}

fn examples_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

/// Fills the tables of a design with generated facts and runs its writes through their plans.
fn populate(
    model: &ModelFile,
    design: &Design,
    server: &mut dyn Server,
) -> Result<(u64, usize), sim::Failure> {
    let mut schema = design::create_statements::types(&model.concept, design);
    schema.extend(design::create_statements::tables(design));
    let subject = ProofSubject {
        concept: &model.concept,
        workload: &model.workload,
        design,
        schema: &schema,
    };
    let settings =
        ProofSettings { rows: 200, writes: 40, runs_each: 3, ..ProofSettings::default() };
    match sim::populate(subject, settings, server) {
        // A write that visits every bucket of years takes too many statements unless it is scaled
        // down: only the facts are loaded.
        Err(sim::Failure::Exhausted) => {
            server.clear(&schema)?;
            sim::populate(subject, ProofSettings { writes: 0, ..settings }, server)
        }
        other => other,
    }
}

impl Stage<'_> {
    fn verify(&mut self, tables: &[&str], is_mending: bool) -> VerificationReport {
        let options = VerificationOptions {
            keyspace: self.keyspace.to_owned(),
            tables: tables.iter().map(|table| (*table).to_owned()).collect(),
            is_mending,
            settle: Duration::ZERO,
            kept: 1_000,
            // So few that groups take several passes.
            groups_max: 20,
        };
        verify(self.definitions, &mut self.connection, &options, &mut |_, _, _| {})
            .expect("the tables can be read")
    }

    /// Verifies one table.
    fn verify_table(&mut self, table: &str, is_mending: bool) -> CopyReport {
        let mut report = self.verify(&[table], is_mending);
        assert_eq!(report.copies.len(), 1, "{table}");
        report.copies.remove(0)
    }

    fn run(&mut self, statement: &str) {
        self.connection.run(statement, &[]).unwrap_or_else(|error| panic!("{statement}: {error}"));
    }

    /// All rows of a table.
    fn rows(&mut self, table: &PlannedTable) -> Vec<StoredRow> {
        let reader = TableReader::new(self.keyspace, table);
        let (mut scan, mut rows) = (reader.scan(), Vec::new());
        while let Some(page) = scan.next_rows(&mut self.connection).expect("the table can be read")
        {
            rows.extend(page);
        }
        rows
    }
}
