//! The one integration binary of the workspace: cases judged by a real Cassandra, and the tidiness of the tree.

mod badinput;
mod binder;
mod case;
mod cassandra;
mod checking;
mod clients;
mod cluster;
mod coverage;
mod crash;
mod designs;
mod designs_clean;
mod journeys;
mod lsp;
mod maps;
mod models;
mod mutants;
mod proof;
mod protocol;
mod random;
mod reference;
mod rules;
mod tidy;
mod traps;
mod verdict;
mod workload;

use std::io::Write;

/// Says a line on standard error, past the capture of the test harness: what was skipped must be seen.
fn say_loudly(line: &str) {
    // A closed standard error is no reason to fail a test.
    let _ = writeln!(std::io::stderr(), "{line}");
}
