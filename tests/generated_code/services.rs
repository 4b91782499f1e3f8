//! The services of `examples/services`: their demonstration, whose expected answers were written by hand, passes.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::is_installed;
use crate::examples;
use crate::print_uncaptured;

/// The last line of a demonstration that saw what it expected.
const VERDICT: &str = " requests, all answers as expected";

#[test]
fn python() {
    run("python", &["python3 --version"]);
}

#[test]
fn java() {
    run("java", &["python3 --version", "javac --version", "mvn --version"]);
}

fn run(language: &str, tools: &[&str]) {
    assert_calls_all(language);
    if let Some(missing) = tools.iter().find(|tool| !is_installed(tool)) {
        print_uncaptured(&format!("SKIPPED: the service in {language}: no `{missing}`"));
        return;
    }
    let output = Command::new("python3")
        .arg(folder().join("run"))
        .args([language, "demo"])
        .env("HELENUS", env!("CARGO_BIN_EXE_helenus"))
        .env("CARGO_TARGET_DIR", env!("CARGO_TARGET_TMPDIR"))
        .env("HELENUS_LOG", "/dev/null")
        .output()
        .expect("python3 runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    let passed = text.lines().last().is_some_and(|line| line.ends_with(VERDICT));
    assert!(output.status.success() && passed, "{language}: {}\n{text}\n{errors}", output.status);
}

/// Every query and write of the model has a call in the service.
fn assert_calls_all(language: &str) {
    let model = folder().with_file_name("killrvideo.sql");
    let model = fs::read_to_string(model).expect("the model can be read");
    let service = folder().join(format!("killrvideo-{language}"));
    let sources: String = list_files(&service).iter().map(read).collect();
    let words = sources.split(|it: char| !it.is_alphanumeric()).map(str::to_lowercase);
    // `access.video_by_id` and `access.videoById` alike.
    let calls: HashSet<String> =
        words.collect::<Vec<_>>().windows(6).flat_map(join_starts).collect();
    let names = model.lines().filter_map(|line| line.strip_prefix("-- name: ")?.split(' ').next());
    let names: Vec<&str> = names.collect();
    assert_eq!(names.len(), 23, "queries and writes of the model");
    for name in names {
        let call = format!("access{}", name.to_lowercase());
        let asynchronous = format!("{call}async");
        assert!(
            calls.contains(&call) || calls.contains(&asynchronous),
            "{language} calls no {name}"
        );
    }
}

/// The first word, the first two words, ... without anything between them.
fn join_starts(words: &[String]) -> Vec<String> {
    (1..=words.len()).map(|count| words[..count].concat()).collect()
}

fn folder() -> PathBuf {
    examples::root().join("examples/services")
}

fn read(file: &PathBuf) -> String {
    fs::read_to_string(file).expect("a source can be read")
}

fn list_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder can be read");
    let paths = entries.map(|entry| entry.expect("an entry can be read").path());
    let is_source = |path: &PathBuf| path.extension().is_some_and(|it| it == "py" || it == "java");
    paths
        .flat_map(|path| if path.is_dir() { list_files(&path) } else { vec![path] })
        .filter(is_source)
        .collect()
}
