//! `helenus doctor` on a node with everything that is wrong, and what it must never do.

mod default_node;
mod laboratory;
mod redesign;
mod remedies;
mod safety;
mod support_threads;
mod two_nodes;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::OnceLock;

use serde_json::Value;

use crate::print_uncaptured;
use laboratory::Laboratory;

/// The rule that must name each sick table.
const SICK: [(&str, &str); 11] = [
    ("DR001", "lab.activity"),
    ("DR020", "lab.inbox"),
    ("DR021", "lab.jobs"),
    ("DR020", "lab.jobs"),
    ("DR040", "lab.users"),
    ("DR044", "lab.members"),
    ("DR045", "lab.products"),
    ("DR004", "lab.profiles"),
    ("DR060", "lab.clicks"),
    ("DR082", "lab.metrics"),
    ("DR002", "lab.tenants"),
];
/// The tables that must not be named.
const WELL: [&str; 5] = ["lab.accounts", "lab.orders", "lab.readings", "lab.flags", "lab.carts"];

/// The laboratory, made once, with the folder that was collected from it.
fn laboratory() -> Option<&'static (Laboratory, PathBuf)> {
    static LABORATORY: OnceLock<Option<(Laboratory, PathBuf)>> = OnceLock::new();
    let made = LABORATORY.get_or_init(|| {
        let laboratory = Laboratory::build(&Laboratory::INSTRUMENTED)?;
        let folder = std::env::temp_dir().join(format!("helenus-doctor-{}", std::process::id()));
        let folder = laboratory.collect(&folder);
        Some((laboratory, folder))
    });
    made.as_ref()
}

fn helenus(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_helenus"))
        .args(arguments)
        .env_remove("HELENUS_USER")
        .env_remove("HELENUS_PASSWORD")
        .output()
        .expect("helenus can be run")
}

/// The findings of a JSON report: code and table.
fn findings(output: &Output) -> BTreeSet<(String, String)> {
    let report: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)));
    let text =
        |finding: &Value, field: &str| finding[field].as_str().unwrap_or_default().to_owned();
    let found = report["findings"].as_array().expect("findings").iter();
    found.map(|finding| (text(finding, "code"), text(finding, "table"))).collect()
}

/// Every pathology is named with its table, and no healthy table is.
fn check_diagnosis(output: &Output) {
    let found = findings(output);
    let mut wrong = Vec::new();
    for (code, table) in SICK {
        if !found.contains(&(code.to_owned(), table.to_owned())) {
            wrong.push(format!("{code} does not name {table}"));
        }
    }
    for (code, table) in &found {
        if WELL.contains(&table.as_str()) {
            wrong.push(format!("{code} accuses {table}"));
        }
    }
    if output.status.code() != Some(1) {
        wrong.push(format!("exit code {:?}", output.status.code()));
    }
    assert!(wrong.is_empty(), "\n{}\nfound: {found:?}", wrong.join("\n"));
}

#[test]
fn the_live_laboratory_is_diagnosed() {
    let Some((laboratory, _)) = laboratory() else { return };
    check_diagnosis(&helenus(&["doctor", "--on", &laboratory.address.to_string(), "--json"]));
}

#[test]
fn the_collected_laboratory_is_diagnosed() {
    let Some((_, folder)) = laboratory() else { return };
    if std::env::var_os("HELENUS_KEEP").is_some() {
        print_uncaptured(&format!("kept {}", folder.display()));
    }
    check_diagnosis(&helenus(&["doctor", &folder.to_string_lossy(), "--json"]));
}
