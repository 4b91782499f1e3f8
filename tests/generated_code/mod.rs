//! Generated code: compiled by the tools of its language, and proven through its real driver.
//!
//! Two examples in each language, where its tools are installed; `HELENUS_CODE=all` runs every example. What a language
//! needs is kept in `~/.cache/helenus`, so that only the first run downloads it.

mod services;

use std::path::PathBuf;
use std::process::Command;

use crate::examples;
use crate::print_uncaptured;

/// Models with buckets, copies in batches, conditional writes and counters.
const MODELS: [&str; 2] = ["killrvideo.sql", "seeds/000_user_activity.sql"];

#[test]
fn python() {
    prove("python", &["python3 --version"]);
}

#[test]
fn java() {
    prove("java", &["javac --version", "mvn --version"]);
}

#[test]
fn typescript() {
    prove("typescript", &["node --version", "npm --version"]);
}

#[test]
fn go() {
    prove("go", &["go version"]);
}

#[test]
fn rust() {
    // The first proof compiles the driver, which takes a minute or more.
    if !is_rust_prepared() && std::env::var_os("HELENUS_CODE").is_none() {
        print_uncaptured(
            "SKIPPED: generated code in rust: the driver is not compiled yet; set HELENUS_CODE=rust",
        );
        return;
    }
    prove("rust", &["cargo --version"]);
}

/// Proves the models through code of a language, if its tools are there.
fn prove(language: &str, tools: &[&str]) {
    if let Some(missing) = tools.iter().find(|tool| !is_installed(tool)) {
        print_uncaptured(&format!("SKIPPED: generated code in {language}: no `{missing}`"));
        return;
    }
    for model in list_models() {
        let mut helenus = Command::new(env!("CARGO_BIN_EXE_helenus"));
        let output = helenus.arg("design").arg(&model).args(["--prove-code", language]).output();
        let output = output.expect("helenus runs");
        let text = String::from_utf8_lossy(&output.stdout);
        let errors = String::from_utf8_lossy(&output.stderr);
        let verdict = text.lines().find(|line| line.starts_with("proof: ")).unwrap_or_default();
        assert!(
            verdict.starts_with("proof: passed"),
            "{} in {language}: {verdict}\n{text}\n{errors}",
            model.display()
        );
    }
}

fn list_models() -> Vec<PathBuf> {
    let folder = examples::root().join("examples");
    if std::env::var_os("HELENUS_CODE").is_some_and(|which| which == "all") {
        let examples = examples::examples().into_iter();
        return examples.map(|example| folder.join(format!("{}.sql", example.name))).collect();
    }
    MODELS.iter().map(|model| folder.join(model)).collect()
}

/// Whether a proof in Rust was built here before.
fn is_rust_prepared() -> bool {
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache")));
    cache.is_some_and(|cache| cache.join("helenus/rust/Cargo.lock").exists())
}

/// Whether a command that prints a version succeeds.
fn is_installed(tool: &str) -> bool {
    let mut words = tool.split(' ');
    let Some(program) = words.next() else { return false };
    Command::new(program).args(words).output().is_ok_and(|output| output.status.success())
}
