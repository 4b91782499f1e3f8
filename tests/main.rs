//! The one integration binary of the workspace.
//!
//! - Cassandra as the judge: `case_runner` (cases and their verdicts), `random_statements`, `reconciliation`, `binder`, `workload`.
//! - `PostgreSQL` as the judge of model files: `postgres`.
//! - The server: `clients` (real drivers, cqlsh), `serve` (its options), `protocol`, `crash`, `cluster`.
//! - The designer: `published_tables`, `design_files`, `design_findings`, `key_pitfalls`, `bad_model_files`, `proof`, `mutants`, `random_models`, `optimality`; its code: `generated_code`.
//! - The linter: `rule_pages`, `rule_coverage`, `check_command`, `lsp`. The server for assistants: `mcp`.
//! - The diagnosis of clusters, with pathologies made on a real node: `doctor`.
//! - Sizes of files, with Cassandra as the judge: `sstable_sizes`.
//! - What users see: `journeys`, `readme`, `message_pages`, `output_rules`, `explain_live`; HTML pages in a browser:
//!   `report_page`. The tree itself: `tidy`.

#![expect(clippy::disallowed_methods, reason = "tests have files, clocks and processes")]

mod bad_model_files;
mod binder;
mod case_runner;
mod cassandra;
mod check_command;
mod clients;
mod cluster;
mod crash;
mod design_files;
mod design_findings;
mod doctor;
mod examples;
mod explain_live;
mod generate_command;
mod generate_page;
mod generated_code;
mod journeys;
mod key_pitfalls;
mod lsp;
mod mcp;
mod message_pages;
mod model_page;
mod mutants;
mod optimality;
mod output_rules;
mod postgres;
mod proof;
mod protocol;
mod published_tables;
mod random_models;
mod random_statements;
mod readme;
mod reconciliation;
mod report_page;
mod rng;
mod rule_coverage;
mod rule_pages;
mod serve;
mod sstable_sizes;
mod tidy;
mod verdict;
mod workload;

use std::io::Write;

/// Says a line on standard error, past the capture of the test harness: what was skipped must be seen.
fn print_uncaptured(line: &str) {
    // A closed standard error is no reason to fail a test.
    let _ = writeln!(std::io::stderr(), "{line}");
}
