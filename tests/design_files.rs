//! The files that `helenus design -o` writes for every example: the CQL in them is accepted, by our binder and by a real node.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::binder;
use crate::cassandra;
use crate::examples::{Example, example, examples, load_published, root};
use crate::protocol::{Answer, Connection, Options, Version};
use crate::verdict::RunMode;

/// What is written with `-o`.
const FILES: [&str; 7] = [
    "design.json",
    "diagram.svg",
    "queries.cql",
    "report.html",
    "report.md",
    "schema.cql",
    "writes.cql",
];

/// The CQL of a design.
pub(crate) struct DesignFiles {
    schema: Vec<String>,
    /// Statements of `queries.cql` and `writes.cql`, without their USE.
    statements: Vec<String>,
    /// `schema.cql`, `queries.cql` and `writes.cql` as they stand, with their names.
    pub(crate) texts: Vec<(&'static str, String)>,
    /// `design.json`.
    pub(crate) json: String,
}

#[test]
fn designs_are_accepted_by_the_binder() {
    let mut refused = Vec::new();
    for (example, written) in all_designs() {
        let mut session = binder::BinderSession::new();
        let prepare = RunMode { prepare: true, ..RunMode::default() };
        let runs = written
            .schema
            .iter()
            .map(|text| (set_datacenter(text, "'datacenter1'"), RunMode::default()));
        let prepared = written.statements.iter().map(|text| (text.clone(), prepare));
        for (text, manner) in runs.chain(prepared) {
            if let Some((_, message)) = session.verdict(&text, manner).refusal {
                refused.push(format!("{example}: {message}\n{text}"));
            }
        }
    }
    assert!(refused.is_empty(), "{} refused:\n{}", refused.len(), refused.join("\n"));
}

#[test]
fn designs_are_accepted_by_cassandra() {
    let Some(address) = cassandra::node() else { return };
    let mut refused = Vec::new();
    for (example, written) in all_designs() {
        let mut node = Connection::open(address, Version::V5).unwrap();
        let drop = format!("DROP KEYSPACE IF EXISTS {}", keyspace(written));
        node.query(&drop, &Options::default())
            .unwrap()
            .result
            .unwrap_or_else(|e| panic!("{drop}: {}", e.message));
        let here = datacenter(&mut node);
        for text in &written.schema {
            let text = set_datacenter(text, &here);
            if let Err(refusal) = node.query(&text, &Options::default()).unwrap().result {
                refused.push(format!("{example}: {}\n{text}", refusal.message));
            }
        }
        for text in &written.statements {
            if let Err(refusal) = node.prepare(text).unwrap().result {
                refused.push(format!("{example}: {}\n{text}", refusal.message));
            }
        }
        node.query(&drop, &Options::default())
            .unwrap()
            .result
            .unwrap_or_else(|e| panic!("{drop}: {}", e.message));
    }
    assert!(refused.is_empty(), "{} refused:\n{}", refused.len(), refused.join("\n"));
}

/// The checklists know of an index exactly where the schema has one.
#[test]
fn checklists_know_the_indexes() {
    let mut indexed = 0;
    for (example, written) in all_designs() {
        let has_index = written.schema.iter().any(|text| text.contains(" INDEX "));
        let says_none = written.json.contains("no indexes: every query uses a key");
        assert!(has_index != says_none, "{example}");
        indexed += usize::from(has_index);
    }
    assert!(indexed > 0, "no example has an index");
}

/// Writing twice gives the same bytes: the files are fit for review.
#[test]
fn designs_are_written_alike_each_time() {
    let [first, second] = ["once", "again"].map(|name| folder(&format!("alike-{name}")));
    for folder in [&first, &second] {
        run_design(&root().join("examples/killrvideo.sql"), folder, false);
    }
    for file in FILES {
        let [once, again] = [&first, &second].map(|folder| fs::read(folder.join(file)).unwrap());
        assert!(once == again, "{file} differs from run to run");
        assert!(!once.is_empty(), "{file} is empty");
    }
    let mut found: Vec<_> =
        fs::read_dir(&first).unwrap().flatten().map(|entry| entry.file_name()).collect();
    found.sort();
    assert_eq!(found, FILES);
    for folder in [first, second] {
        fs::remove_dir_all(folder).unwrap();
    }
}

/// The designs of all examples, by the rules alone and the cheapest; written once for all tests.
pub(crate) fn all_designs() -> &'static [(String, DesignFiles)] {
    static ALL: OnceLock<Vec<(String, DesignFiles)>> = OnceLock::new();
    ALL.get_or_init(|| {
        let both = examples_with_workloads()
            .into_iter()
            .flat_map(|example| [false, true].map(|by| (example.clone(), by)));
        both.map(|(example, rules_only)| {
            let name = format!("{}{}", example.name, if rules_only { " --rules-only" } else { "" });
            (name, write_design(&example, rules_only))
        })
        .collect()
    })
}

/// All examples, published models and the workloads of a published optimiser.
pub(crate) fn examples_with_workloads() -> Vec<Example> {
    let workloads = ["bidding", "browsing", "write_heavy", "write_medium"];
    let workloads = workloads.map(|name| format!("nose/rubis_{name}"));
    let workloads = workloads.into_iter().chain(["nose/ebay".to_owned()]);
    let workloads = workloads.map(|name| example(&name));
    examples().into_iter().chain(load_published()).chain(workloads).collect()
}

fn write_design(example: &Example, rules_only: bool) -> DesignFiles {
    let at = format!("{}-{rules_only}", example.name.replace('/', "-"));
    let folder = folder(&format!("{at}-{:?}", std::thread::current().id()));
    run_design(&root().join("examples").join(format!("{}.sql", example.name)), &folder, rules_only);
    let files = DesignFiles::read(&folder);
    let asked =
        example.model.workload.reads.len() + example.model.workload.list_stated_writes().len();
    let refused = example.name.ends_with("_queue");
    let sent = files.statements.len();
    assert!(refused || sent >= asked, "{at}: {sent} statements for {asked}");
    files
}

/// What `helenus design -o` writes for the text of a model file that can be read.
pub(crate) fn write_model(name: &str, text: &str, rules_only: bool) -> DesignFiles {
    let folder = folder(&format!("{name}-{rules_only}-{:?}", std::thread::current().id()));
    let file = folder.with_extension("sql");
    fs::create_dir_all(folder.parent().expect("a design has a folder")).expect("a folder is made");
    fs::write(&file, text).expect("a file is written");
    run_design(&file, &folder, rules_only);
    fs::remove_file(&file).expect("the model was written");
    DesignFiles::read(&folder)
}

impl DesignFiles {
    /// The files of a folder, which is removed.
    fn read(folder: &Path) -> Self {
        let schema = statements(&folder.join("schema.cql"));
        let mut rest = statements(&folder.join("queries.cql"));
        rest.extend(statements(&folder.join("writes.cql")));
        rest.retain(|text| !text.starts_with("USE "));
        let text = |name: &str| fs::read_to_string(folder.join(name)).expect("the file is written");
        let texts = ["schema.cql", "queries.cql", "writes.cql"];
        let texts = texts.map(|name| (name, text(name))).into();
        let json = text("design.json");
        fs::remove_dir_all(folder).expect("the design was written");
        Self { schema, statements: rest, texts, json }
    }
}

/// A folder that is not there yet.
fn folder(name: &str) -> PathBuf {
    let folder =
        std::env::temp_dir().join(format!("helenus-designs-{}", std::process::id())).join(name);
    let _ = fs::remove_dir_all(&folder);
    folder
}

/// Runs `helenus design`. A design that refuses something (exit 1) is written too.
fn run_design(file: &Path, folder: &Path, rules_only: bool) {
    let parent = folder.parent().expect("a design has a folder");
    fs::create_dir_all(parent).expect("a folder can be made");
    let mut command = Command::new(env!("CARGO_BIN_EXE_helenus"));
    command.args(["design", "--no-prove"]).arg(file).arg("-o").arg(folder);
    if rules_only {
        command.arg("--rules-only");
    }
    let output = command.output().expect("the command runs");
    let code = output.status.code();
    assert!(
        matches!(code, Some(0 | 1)),
        "{}: exit {code:?}: {}",
        file.display(),
        String::from_utf8_lossy(&output.stderr)
    );
}

/// The statements of a file, each as it is written.
fn statements(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let parsed = cql::parse(&text);
    assert!(parsed.errors.is_empty(), "{}: {:?}", path.display(), parsed.errors);
    let spans = parsed.statements.iter().map(|statement| statement.span);
    spans.map(|span| text[span.start as usize..span.end as usize].to_owned()).collect()
}

/// The keyspace that a schema creates.
fn keyspace(written: &DesignFiles) -> &str {
    let create = written.schema.first().expect("a schema creates its keyspace");
    create.split_whitespace().nth(2).expect("CREATE KEYSPACE has a name")
}

/// A statement with the datacenter that there is.
fn set_datacenter(text: &str, datacenter: &str) -> String {
    text.replace("'dc1'", datacenter).replace("'datacenter1'", datacenter)
}

/// The datacenter of the node, quoted; the examples speak of one called dc1, or of none.
fn datacenter(node: &mut Connection) -> String {
    let answer = node.query("SELECT data_center FROM system.local", &Options::default());
    let answer = answer.expect("the node answers");
    match answer.result {
        Ok(Answer::Rows(rows)) => {
            let name = rows.rows.into_iter().flatten().flatten().next();
            let name = String::from_utf8(name.expect("a node has a datacenter"));
            format!("'{}'", name.expect("its name is text"))
        }
        other => panic!("the node does not say where it is: {other:?}"),
    }
}
