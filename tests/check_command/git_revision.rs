//! `--against`: what is different from a revision of git.

use std::process::{Command, Stdio};

use super::TestFolder;

const BEFORE: &str = "CREATE TABLE users (id uuid PRIMARY KEY, name text, age int);
CREATE TABLE visits (id uuid, at timestamp, page text, PRIMARY KEY (id, at));
";

/// Runs git in the folder; whether it could.
fn run_git(folder: &TestFolder, arguments: &[&str]) -> bool {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=x", "-c", "user.email=x@example.org"]).args(arguments);
    command
        .current_dir(&folder.0)
        .stdin(Stdio::null())
        .output()
        .is_ok_and(|one| one.status.success())
}

/// A folder whose first revision holds the schema; none where there is no git.
fn repository(name: &str) -> Option<TestFolder> {
    let folder = TestFolder::new(name);
    folder.write("db/schema.cql", BEFORE);
    let is_there = run_git(&folder, &["init", "-q"])
        && run_git(&folder, &["add", "."])
        && run_git(&folder, &["commit", "-qm", "first"]);
    if !is_there {
        crate::print_uncaptured("skipped: there is no git");
    }
    is_there.then_some(folder)
}

/// The migration findings against the first revision: code, and what it concerns.
fn steps(folder: &TestFolder) -> Vec<(String, String)> {
    let arguments = ["--format", "json", "--min-severity", "info", "--against", "HEAD", "db"];
    let printed = folder.json(&arguments);
    let all = printed["findings"].as_array().into_iter().flatten();
    let steps = all.filter(|finding| finding["category"] == "migration");
    steps
        .map(|finding| {
            let word = |key: &str| finding["subject"][key].as_str().unwrap_or_default();
            let code = finding["code"].as_str().unwrap_or_default();
            (code.to_owned(), format!("{}.{}", word("table"), word("column")))
        })
        .collect()
}

fn has_finding(found: &[(String, String)], code: &str, what: &str) -> bool {
    found.iter().any(|(known, subject)| known == code && subject == what)
}

#[test]
fn nothing_changed() {
    let Some(folder) = repository("same") else { return };
    let (printed, code) = folder.check(&["--against", "HEAD", "db"]);
    assert_eq!(code, 0, "{printed}");
    assert_eq!(steps(&folder), []);
    let (printed, code) = folder.check(&["--against", "no-such-revision", "db"]);
    assert_eq!(code, 2, "{printed}");
    assert!(printed.starts_with("error: --against: git failed: "), "{printed}");
}

#[test]
fn a_column_is_gone() {
    let Some(folder) = repository("column") else { return };
    folder.write("db/schema.cql", BEFORE.replace(", age int", ""));
    let found = steps(&folder);
    assert!(has_finding(&found, "MG004", "users.age"), "{found:?}");
}

#[test]
fn a_column_has_another_type() {
    let Some(folder) = repository("type") else { return };
    folder.write("db/schema.cql", BEFORE.replace("age int", "age text"));
    let found = steps(&folder);
    assert!(has_finding(&found, "MG003", "users.age"), "{found:?}");
}

#[test]
fn a_table_is_gone() {
    let Some(folder) = repository("table") else { return };
    folder.write("db/schema.cql", BEFORE.lines().next().unwrap_or_default());
    let found = steps(&folder);
    assert!(has_finding(&found, "MG006", "visits."), "{found:?}");
}

/// Paths of git are bytes, as those of the system are.
#[cfg(target_os = "linux")]
#[test]
fn names_that_are_no_utf_8() {
    use std::os::unix::ffi::OsStrExt;
    let Some(folder) = repository("names") else { return };
    let name = folder.0.join(std::ffi::OsStr::from_bytes(b"db/sch\xE9ma.cql"));
    std::fs::rename(folder.0.join("db/schema.cql"), &name).unwrap();
    assert!(run_git(&folder, &["add", "-A"]) && run_git(&folder, &["commit", "-qm", "second"]));
    std::fs::write(&name, BEFORE.replace(", age int", "")).unwrap();
    let found = steps(&folder);
    assert!(has_finding(&found, "MG004", "users.age"), "{found:?}");
}
