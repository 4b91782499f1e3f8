//! `helenus check` where it writes files, follows links, asks git or waits: in folders of its own.

mod anti_patterns;
#[cfg(unix)]
mod bad_files;
mod fixes;
mod git_revision;
mod order_and_place;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

const SHOP: &str = "CREATE TABLE orders (
  customer uuid,
  id timeuuid,
  total decimal,
  PRIMARY KEY (customer, id)
);
SELECT id FROM orders WHERE customer = ? ALLOW FILTERING;
";

/// A folder that goes with the test.
struct TestFolder(PathBuf);

impl TestFolder {
    fn new(name: &str) -> Self {
        let path =
            std::env::temp_dir().join(format!("helenus-checking-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder can be made");
        Self(path)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap_or(&path)).expect("a folder can be made");
        fs::write(path, content).expect("a file can be written");
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).expect("the file is there")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_helenus"));
        command.arg("check").args(arguments).current_dir(&self.0).stdin(Stdio::null());
        command
    }

    /// Runs `helenus check`: what it prints, and its exit code.
    fn check(&self, arguments: &[&str]) -> (String, i32) {
        let output = self.command(arguments).output().expect("the command runs");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (text(&output.stdout) + &text(&output.stderr), output.status.code().unwrap_or(-1))
    }

    /// What it prints as JSON.
    fn json(&self, arguments: &[&str]) -> Value {
        let output = self.command(arguments).output().expect("the command runs");
        serde_json::from_slice(&output.stdout).expect("it prints JSON")
    }

    /// The findings of one rule.
    fn findings(&self, code: &str, arguments: &[&str]) -> Vec<Value> {
        let printed = self.json(&[&["--format", "json"], arguments].concat());
        let all = printed["findings"].as_array().into_iter().flatten();
        all.filter(|finding| finding["code"] == code).cloned().collect()
    }
}

impl Drop for TestFolder {
    fn drop(&mut self) {
        // A folder that stays is no reason to fail.
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn files_are_fixed_in_their_encoding() {
    let folder = TestFolder::new("fix");
    let fixed = SHOP.replace(" ALLOW FILTERING", "");
    folder.write("plain.cql", SHOP);
    folder.write("marked.cql", format!("\u{FEFF}{SHOP}"));
    for name in ["plain.cql", "marked.cql"] {
        let (printed, code) = folder.check(&["--fix", name]);
        assert_eq!(code, 0, "{printed}");
        assert!(printed.contains("1 fixed"), "{printed}");
        assert_eq!(folder.read(name).trim_start_matches('\u{FEFF}'), fixed);
    }
    assert!(folder.read("marked.cql").starts_with('\u{FEFF}'));
    let (printed, code) = folder.check(&["--diff", "plain.cql"]);
    assert_eq!((printed.as_str(), code), ("--fix would fix 0 findings in 0 files\n", 0));
    let left: Vec<_> = fs::read_dir(&folder.0).unwrap().collect();
    assert_eq!(left.len(), 2, "drafts are left: {left:?}");
}

#[test]
fn baselines_only_shrink() {
    let folder = TestFolder::new("baseline");
    let baseline = ["--baseline", "known.json", "shop.cql"];
    let write = ["--baseline", "known.json", "--write-baseline", "shop.cql"];
    folder.write("shop.cql", SHOP);
    assert_eq!(folder.findings("QP004", &write).len(), 0);
    assert_eq!(folder.findings("QP004", &baseline).len(), 0);
    let entries = folder.read("known.json").matches("QP004").count();
    assert_eq!(entries, 1);

    // Blanks, comments and lines do not matter; another statement does.
    let moved = SHOP.replace("ALLOW FILTERING", "-- as it is\n  ALLOW FILTERING");
    let other = "SELECT total FROM orders WHERE customer = ? ALLOW FILTERING;\n";
    folder.write("shop.cql", format!("\n\n{moved}{other}"));
    let new = folder.findings("QP004", &write);
    assert_eq!(new.len(), 1, "{new:?}");
    assert_eq!(new[0]["line"], 11);
    assert_eq!(folder.read("known.json").matches("QP004").count(), 1, "nothing is added");

    folder.write("shop.cql", other.to_owned() + &SHOP.replace(" ALLOW FILTERING", ""));
    let (printed, _) = folder.check(&baseline);
    assert!(printed.contains("stale baseline entry: QP004"), "{printed}");
    folder.check(&write);
    assert_eq!(folder.read("known.json").matches("QP004").count(), 0);
}

#[test]
fn equal_findings_have_fingerprints_of_their_own() {
    let folder = TestFolder::new("fingerprints");
    let select = "SELECT id FROM orders WHERE customer = ? ALLOW FILTERING;\n";
    folder.write("a.cql", format!("{SHOP}{select}"));
    let found = folder.findings("QP004", &["a.cql"]);
    let prints: Vec<_> = found.iter().filter_map(|one| one["fingerprint"].as_str()).collect();
    assert_eq!(prints.len(), 2);
    assert_eq!(prints[1], format!("{}-2", prints[0]));
    // The same in another file, further down.
    fs::rename(folder.0.join("a.cql"), folder.0.join("b.cql")).unwrap();
    assert_eq!(folder.findings("QP004", &["b.cql"])[0]["fingerprint"], prints[0]);
    assert_eq!(found[0]["subject"]["table"], "orders");
    assert_eq!(found[0]["subject"]["keyspace"], "ks");
}

#[test]
fn sarif_has_what_its_readers_ask_for() {
    let folder = TestFolder::new("sarif");
    folder.write("a b.cql", SHOP);
    folder.write("empty.bin.cql", [0_u8; 4]);
    let value = folder.json(&["--format", "sarif", "."]);
    assert_eq!(value["version"], "2.1.0");
    let run = &value["runs"][0];
    let results = run["results"].as_array().unwrap();
    let result = results.iter().find(|result| result["ruleId"] == "QP004").unwrap();
    let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
    let rule = &run["tool"]["driver"]["rules"][index];
    assert_eq!((&rule["id"], &rule["name"]), (&"QP004".into(), &"needless-allow-filtering".into()));
    assert_eq!(result["level"], "note");
    assert!(result["partialFingerprints"]["helenus/v1"].is_string());
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "a%20b.cql");
    assert_eq!(place["region"]["startLine"], 7);
    let change = &result["fixes"][0]["artifactChanges"][0];
    assert_eq!(change["replacements"][0]["insertedContent"]["text"], "");
    let notification = &run["invocations"][0]["toolExecutionNotifications"][0];
    assert_eq!(notification["message"]["text"], "is a binary file");
}

#[test]
fn a_schema_and_the_steps_to_it_are_not_replayed_together() {
    let folder = TestFolder::new("twice");
    let tables = "CREATE TABLE a (k int PRIMARY KEY);\nCREATE TABLE b (k int PRIMARY KEY);\n";
    folder.write("db/schema.cql", format!("{tables}CREATE TABLE c (k int PRIMARY KEY);\n"));
    folder.write("db/versioned/v1/base.cql", tables);
    folder.write("db/versioned/v2/more.cql", "CREATE TABLE c (k int PRIMARY KEY);\n");
    let (text, code) = folder.check(&["db"]);
    assert!(
        text.contains(
            "db/versioned was skipped: it creates 3 tables that db/schema.cql also creates"
        ),
        "{text}"
    );
    assert!(!text.contains("already existing") && code == 0, "{text}");
    // By themselves, the steps are checked; named together, both are run as they are named.
    let (text, code) = folder.check(&["db/versioned"]);
    assert!(!text.contains("skipped") && code == 0, "{text}");
    let named = ["db/schema.cql", "db/versioned/v1/base.cql"];
    assert_eq!(folder.findings("SV027", &named).len(), 2);
}

#[test]
fn templates_are_known_by_what_is_in_them() {
    let folder = TestFolder::new("templates");
    for name in ["${keyspace}", "{{keyspace}}", "$KEYSPACE$"] {
        folder.write("schema.cql", format!("CREATE TABLE {name}.t (k int PRIMARY KEY);\n"));
        let (text, code) = folder.check(&["schema.cql"]);
        assert!(!text.contains("SY001") && code == 0, "{text}");
    }
    folder.write("schema.cql", "CREATE TABLE $keyspace.t (k int PRIMARY KEY);\n");
    let (text, code) = folder.check(&["schema.cql"]);
    assert!(text.contains("--templates") && code == 1, "{text}");
}

#[test]
fn files_are_watched() {
    let folder = TestFolder::new("watch");
    folder.write("shop.cql", SHOP);
    let mut child =
        folder.command(&["--watch", "shop.cql"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    let mut summary = || {
        let last = lines.by_ref().take_while(|line| line != "-- waiting for changes --").last();
        last.unwrap_or_default()
    };
    let first = summary();
    folder.write("shop.cql", SHOP.replace(" ALLOW FILTERING", ""));
    let second = summary();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(first.contains("1 fixable with --fix"), "{first}");
    assert!(!second.contains("fixable with --fix"), "{second}");
}

#[test]
fn configurations_are_found_upwards() {
    let folder = TestFolder::new("config");
    folder.write("helenus.toml", "queries = \"db\"\nfail-on = \"low\"\n");
    folder.write("db/shop.cql", SHOP);
    folder.write("src/deep/readme", "");
    let mut command = folder.command(&[]);
    let output = command.current_dir(folder.0.join(Path::new("src/deep"))).output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(printed.contains("--> ../../db/shop.cql:7:42"), "{printed}");
    assert_eq!(output.status.code(), Some(1), "{printed}");
}

/// What a template puts in is a value: nothing is said of it.
#[test]
fn placeholders_are_values() {
    let folder = TestFolder::new("placeholders");
    let text = "CREATE KEYSPACE ${keyspace} WITH replication = {'class': 'NetworkTopologyStrategy', '{{dc}}': ${copies}};
CREATE TABLE ${keyspace}.t_{{env}} (id uuid, at timestamp, v text, PRIMARY KEY (id, at))
  WITH default_time_to_live = %d;
INSERT INTO ${keyspace}.t_{{env}} (id, at, v) VALUES ({0}, %s, '{{v}}') USING TTL %d;
SELECT v FROM ${keyspace}.t_{{env}} WHERE id = ${id} AND at > '${from}' LIMIT %d;
SELECT v FROM ${keyspace}.t_{{env}} WHERE id IN %s AND at IN ({0}, {1});
UPDATE ${keyspace}.t_{{env}} SET v = $V$ WHERE id = %s AND at = '%s';
DELETE FROM ${keyspace}.t_{{env}} WHERE id = {0} AND at = {1};
";
    folder.write("t.cql", text);
    let arguments = ["--templates", "--format", "json", "t.cql"];
    let printed = folder.json(&arguments);
    let all = printed["findings"].as_array().into_iter().flatten();
    let wrong: Vec<_> =
        all.filter(|one| one["severity"] == "error" || one["code"] == "NM001").collect();
    assert_eq!(wrong, Vec::<&Value>::new());
    folder.check(&["--templates", "--fix", "--unsafe", "t.cql"]);
    assert!(folder.read("t.cql").contains("VALUES ({0}, %s, '{{v}}') USING TTL %d"));
}
