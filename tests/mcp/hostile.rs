//! What the server must not read, and what it must survive.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rmcp::model::{CallToolRequest, ClientRequest};
use rmcp::service::PeerRequestOptions;
use serde_json::{Value, json};

use super::block_on;
use super::session::{AssistantSession, request};

/// A project in a folder of its own, beside a file that nobody may read.
struct SealedProject {
    folder: PathBuf,
}

const SECRET: &str = "CREATE TABLE the_secret (k int PRIMARY KEY);";

impl SealedProject {
    fn create(name: &str) -> Self {
        let folder =
            std::env::temp_dir().join(format!("helenus-mcp-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("project/schema")).unwrap();
        for ending in ["sql", "cql"] {
            fs::write(folder.join(format!("secret.{ending}")), SECRET).unwrap();
        }
        fs::write(folder.join("project/a.sql"), "CREATE TABLE a (k int PRIMARY KEY);").unwrap();
        fs::write(folder.join("project/schema/a.cql"), "CREATE TABLE a (k int PRIMARY KEY);")
            .unwrap();
        Self { folder }
    }

    fn root(&self) -> PathBuf {
        self.folder.join("project")
    }
}

impl Drop for SealedProject {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Statements that keep a debug build busy for more than a minute.
fn endless_script() -> String {
    let mut script = "CREATE TABLE big (k int, c int, v text, PRIMARY KEY (k, c));\n".to_owned();
    for at in 0..120_000 {
        script += &format!("INSERT INTO big (k, c, v) VALUES (1, {at}, 'value {at}');\n");
    }
    script.push_str(&"SELECT count(*) FROM big;\n".repeat(2_000));
    script
}

#[test]
fn nothing_outside_of_the_root_is_read() {
    let project = SealedProject::create("paths");
    let root = project.root();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("../secret.sql", root.join("link.sql")).unwrap();
        fs::create_dir(root.join("linked")).unwrap();
        for ending in ["sql", "cql"] {
            let link = root.join(format!("linked/inner.{ending}"));
            std::os::unix::fs::symlink(format!("../../secret.{ending}"), link).unwrap();
        }
    }
    let before = list_tree(&project.folder);
    block_on(async {
        let session = AssistantSession::open(&root, &[]).await;
        let absolute = project.folder.join("secret.sql").display().to_string();
        for path in [
            "../secret.sql",
            "schema/../../secret.sql",
            absolute.as_str(),
            "link.sql",
            "linked",
            "..",
        ] {
            for tool in ["design", "estimate", "what-if"] {
                let message = session.fail(tool, json!({ "files": [path] })).await;
                assert!(!message.contains("the_secret"), "{tool} {path}: {message}");
                assert!(message.contains("outside"), "{tool} {path}: {message}");
            }
        }
        for path in ["../secret.cql", "linked", "../.."] {
            for (tool, arguments) in [
                ("check", json!({ "files": [path] })),
                ("check", json!({ "text": "SELECT 1", "schema": [path] })),
                ("explain", json!({ "statement": "SELECT * FROM the_secret", "schema": [path] })),
                ("run", json!({ "files": [path] })),
                ("estimate", json!({ "schema": path })),
            ] {
                let message = session.fail(tool, arguments).await;
                assert!(message.contains("outside"), "{tool} {path}: {message}");
            }
        }
        fs::write(root.join("helenus.toml"), "schema = [\"../secret.cql\"]\n").unwrap();
        let message = session.fail("check", json!({ "text": "SELECT * FROM the_secret" })).await;
        assert!(message.contains("outside"), "{message}");
        fs::remove_file(root.join("helenus.toml")).unwrap();
        assert!(session.ask("design", json!({ "files": ["a.sql"] })).await.is_object());
    });
    assert_eq!(list_tree(&project.folder), before, "nothing is written");
}

/// The paths of a folder, with the sizes of files.
fn list_tree(folder: &Path) -> Vec<(PathBuf, u64)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let metadata = fs::symlink_metadata(entry.path()).unwrap();
        if metadata.is_dir() {
            found.extend(list_tree(&entry.path()));
        }
        found.push((entry.path(), if metadata.is_dir() { 0 } else { metadata.len() }));
    }
    found.sort();
    found
}

#[cfg(unix)]
#[test]
fn a_pipe_is_refused() {
    let project = SealedProject::create("pipe");
    let made = Command::new("mkfifo").arg(project.root().join("pipe.sql")).status().unwrap();
    assert!(made.success());
    block_on(async {
        let session = AssistantSession::open(&project.root(), &["--time-limit", "20s"]).await;
        let message = session.fail("design", json!({ "files": ["pipe.sql"] })).await;
        assert!(message.contains("regular file"), "{message}");
        let message = session.fail("design", json!({ "files": ["."] })).await;
        assert!(message.contains("regular file"), "{message}");
    });
}

#[test]
fn wrong_arguments_are_answers() {
    let project = SealedProject::create("arguments");
    block_on(async {
        let session = AssistantSession::open(&project.root(), &[]).await;
        let message = session.fail("design", json!({})).await;
        assert!(message.contains("a model is needed"), "{message}");
        let message = session.fail("design", json!({ "txt": "x" })).await;
        assert!(message.contains("did you mean text?"), "{message}");
        let message = session.fail("design", json!({ "files": 7, "view": "x" })).await;
        assert!(
            message.contains("array of strings") && message.contains("one of summary"),
            "{message}"
        );
        let message = session.fail("design", json!({ "text": "x", "max_partition": "much" })).await;
        assert!(message.contains("max_partition") || message.contains("error"), "{message}");
        let unknown = session.client.call_tool(request("no-such-tool", json!({}))).await;
        assert!(unknown.unwrap_err().to_string().contains("design"));
    });
}

#[test]
fn endless_calls_end_and_others_go_on() {
    let project = SealedProject::create("time");
    block_on(async {
        let options = ["--time-limit", "3s", "--concurrency", "2"];
        let session = AssistantSession::open(&project.root(), &options).await;
        let started = Instant::now();
        let text = endless_script();
        let (slow, quick) = tokio::join!(
            session.fail("run", json!({ "text": text })),
            session.ask("run", json!({ "text": "SELECT key FROM system.local;" })),
        );
        assert!(slow.contains("stopped after 3 s"), "{slow}");
        assert_eq!(quick["results"][0]["row_count"], 1);
        assert!(started.elapsed() < Duration::from_secs(30));
        let progress = session.progress.0.lock().unwrap();
        let times: Vec<f64> = progress.iter().map(|it| it.progress).collect();
        assert!(!times.is_empty() && times.is_sorted(), "{times:?}");
    });
}

#[cfg(target_os = "linux")]
#[test]
fn memory_is_bounded() {
    let project = SealedProject::create("memory");
    block_on(async {
        let session = AssistantSession::open(&project.root(), &["--memory-limit", "60MB"]).await;
        let message = session.fail("run", json!({ "text": endless_script() })).await;
        assert!(message.contains("memory limit of one call"), "{message}");
        let quick = session.ask("rule", json!({ "search": "batch" })).await;
        assert!(quick.is_object());
    });
}

#[test]
fn a_cancelled_call_makes_room() {
    let project = SealedProject::create("cancel");
    block_on(async {
        let session = AssistantSession::open(&project.root(), &["--concurrency", "1"]).await;
        let slow = request("run", json!({ "text": endless_script() }));
        let slow = ClientRequest::CallToolRequest(CallToolRequest::new(slow));
        let peer = session.client.peer();
        let handle =
            peer.send_cancellable_request(slow, PeerRequestOptions::no_options()).await.unwrap();
        tokio::time::sleep(Duration::from_millis(500)).await;
        let started = Instant::now();
        handle.cancel(None).await.unwrap();
        let quick = session.ask("rule", json!({ "code": "PK001" })).await;
        assert!(quick.is_object());
        assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
    });
}

#[test]
fn many_calls_at_once_are_all_answered() {
    let project = SealedProject::create("many");
    block_on(async {
        let session = AssistantSession::open(&project.root(), &[]).await;
        let calls = (0..12).map(|_| session.ask("rule", json!({ "search": "index" })));
        let answers = futures_util::future::join_all(calls).await;
        assert!(answers.windows(2).all(|pair| pair[0] == pair[1]));
    });
}

#[test]
fn lines_that_are_no_messages_are_survived() {
    let mut server = Command::new(env!("CARGO_BIN_EXE_helenus"))
        .arg("mcp")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the server starts");
    let mut input = server.stdin.take().unwrap();
    let mut output = BufReader::new(server.stdout.take().unwrap());
    let mut wrong: Vec<Vec<u8>> =
        ["", "{", "nonsense", "[]", "7", "null", "\u{feff}", "{\"jsonrpc\":\"2.0\"}"]
            .map(|line| line.as_bytes().to_vec())
            .into();
    wrong.push(vec![0xFF; 100]);
    wrong.push(b"[".repeat(100_000));
    // Longer than the longest message.
    wrong.push(b"x".repeat(20 << 20));
    for line in wrong {
        input.write_all(&line).unwrap();
        input.write_all(b"\n").unwrap();
    }
    writeln!(input, "{}", json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" })).unwrap();
    input.flush().unwrap();
    let answer = loop {
        let mut line = String::new();
        assert!(output.read_line(&mut line).unwrap() > 0, "the server has ended");
        let answer: Value = serde_json::from_str(&line).unwrap();
        if answer["id"] == 1 {
            break answer;
        }
        assert!(answer["error"]["code"].is_i64(), "{answer}");
    };
    assert_eq!(answer["result"], json!({}));
    drop(input);
    assert!(server.wait().unwrap().success());
}
