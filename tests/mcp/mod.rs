//! The server for coding assistants, with the client of the protocol's SDK: every tool, resources and
//! prompts, what it must not read, and what it must survive.

#![expect(
    clippy::format_collect,
    clippy::format_push_string,
    clippy::unwrap_used,
    reason = "texts are short, and a test may panic"
)]

mod hostile;
mod session;

use std::fs;
use std::path::PathBuf;

use rmcp::model::{GetPromptRequestParams, ReadResourceRequestParams, ResourceContents};
use serde_json::{Value, json};

use session::{AssistantSession, text};

const TOOLS: [&str; 7] = ["design", "what-if", "check", "explain", "estimate", "run", "rule"];

/// Users found by a unique column; 3 queries and writes in all.
const MODEL: &str = "\
-- @keyspace shop
-- @rows 2M
CREATE TABLE users (id uuid PRIMARY KEY, email text NOT NULL UNIQUE, name text);
-- @rows 20M
CREATE TABLE orders (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users, -- @each 10 p99 100 max 1k
  placed_at timestamp NOT NULL
);
-- name: UserByEmail :one
-- @rate 100/s
SELECT id, name FROM users WHERE email = ?;
-- name: OrdersOfUser :many
-- @rate 50/s
SELECT id, placed_at FROM orders WHERE user_id = ? ORDER BY placed_at DESC LIMIT 20;
-- name: AddOrder :exec
-- @rate 10/s
INSERT INTO orders (id, user_id, placed_at) VALUES (?, ?, ?);
";

const SCHEMA: &str =
    "CREATE TABLE readings (sensor int, at timestamp, value double, PRIMARY KEY (sensor, at));";

fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs a future to its end.
fn block_on<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(future)
}

#[test]
fn tools_are_listed_with_their_schemas() {
    block_on(async {
        let session = AssistantSession::open(&repository(), &[]).await;
        let info = session.client.peer_info().expect("the server introduced itself");
        assert_eq!(info.server_info.as_ref().map(|it| it.name.as_str()), Some("helenus"));
        assert!(info.instructions.as_ref().is_some_and(|it| it.contains("design")));
        let tools = session.client.list_all_tools().await.unwrap();
        let names: Vec<_> = tools.iter().map(|tool| tool.name.as_ref()).collect();
        assert_eq!(names, TOOLS);
        for tool in &tools {
            let hints = tool.annotations.as_ref().expect("hints");
            assert_eq!((hints.read_only_hint, hints.open_world_hint), (Some(true), Some(false)));
            assert_eq!(tool.input_schema["type"], "object");
            assert_eq!(tool.input_schema["additionalProperties"], false);
        }
    });
}

#[test]
fn designs_come_in_brief_and_in_parts() {
    block_on(async {
        let session = AssistantSession::open(&repository(), &[]).await;
        let design = session.ask("design", json!({ "text": MODEL })).await;
        assert_eq!(design["summary"], "shop: 2 tables for 2 queries and 1 write");
        let tables = design["tables"].as_array().unwrap();
        let orders = tables.iter().find(|it| it["for"].as_str().unwrap().contains("OrdersOfUser"));
        let cql = orders.unwrap()["cql"].as_str().unwrap();
        assert!(cql.contains("CLUSTERING ORDER BY (placed_at DESC"), "{cql}");
        assert_eq!(design["queries"].as_array().unwrap().len(), 2);
        assert!(design["next"].as_array().unwrap().len() > 1);
        let writes = session.ask("design", json!({ "text": MODEL, "view": "writes" })).await;
        assert!(writes["writes"][0]["cql"].as_str().unwrap().contains("INSERT INTO"));
        let only = json!({ "text": MODEL, "view": "queries", "about": "userbyemail" });
        assert_eq!(session.ask("design", only).await["queries"].as_array().unwrap().len(), 1);
        let file = json!({ "files": ["examples/killrvideo.sql"] });
        assert!(session.ask("design", file).await["tables"].as_array().unwrap().len() > 3);
        let wrong = json!({ "text": "CREATE TABLE a (b nothing PRIMARY KEY" });
        let message = session.fail("design", wrong).await;
        assert!(message.contains("<text>:1:"), "{message}");
    });
}

#[test]
fn changes_are_compared() {
    block_on(async {
        let session = AssistantSession::open(&repository(), &[]).await;
        let without = json!({ "text": MODEL, "without": ["UserByEmail"] });
        let change = session.ask("what-if", without).await;
        let kinds: Vec<_> =
            change["changes"].as_array().unwrap().iter().map(|it| it["kind"].clone()).collect();
        assert!(kinds.contains(&json!("table removed")), "{kinds:?}");
        let edits =
            json!([{ "old": "@each 10 p99 100 max 1k", "new": "@each 1k p99 100k max 1M" }]);
        let larger = session.ask("what-if", json!({ "text": MODEL, "edits": edits })).await;
        assert_ne!(larger["changes"], json!([]), "{larger}");
        let twice = json!([{ "old": "PRIMARY KEY", "new": "" }]);
        let message = session.fail("what-if", json!({ "text": MODEL, "edits": twice })).await;
        assert!(message.contains("2 times"), "{message}");
        let message = session.fail("what-if", json!({ "text": MODEL })).await;
        assert!(message.contains("nothing is changed"), "{message}");
        let unknown = json!({ "text": MODEL, "rates": ["AddOrdr x10"] });
        let message = session.fail("what-if", unknown).await;
        assert!(message.contains("AddOrder"), "{message}");
    });
}

#[test]
fn statements_are_checked_and_explained() {
    block_on(async {
        let session = AssistantSession::open(&repository(), &[]).await;
        let filtered = "SELECT * FROM readings WHERE value > 1;";
        let checked =
            session.ask("check", json!({ "text": format!("{SCHEMA}\n{filtered}") })).await;
        let findings = checked["findings"].as_array().unwrap();
        let refused = findings.iter().find(|it| it["is_refused_by_server"] == true).unwrap();
        assert_eq!(refused["line"], 2);
        assert!(refused["message"].as_str().unwrap().contains("ALLOW FILTERING"), "{refused}");
        let one = json!({ "schema_text": SCHEMA, "statement": "SELECT * FROM readings WHERE sensor = ?" });
        let explained = session.ask("explain", one).await;
        assert_eq!(
            explained["plans"][0]["path"]["partitions"],
            json!({ "kind": "one", "count": 1 })
        );
        let scan = json!({ "schema_text": SCHEMA, "statement": "SELECT * FROM readings" });
        let explained = session.ask("explain", scan).await;
        assert_eq!(explained["plans"][0]["path"]["partitions"]["kind"], "all");
        let wrong = json!({ "schema_text": SCHEMA, "statement": "SELECT nothing FROM readings" });
        assert!(session.fail("explain", wrong).await.contains("nothing"));
        let files = json!({ "files": ["examples/video.cql"] });
        assert!(
            session.ask("check", files).await["summary"].as_str().unwrap().contains("statements")
        );
    });
}

#[test]
fn sizes_are_estimated_and_statements_run() {
    block_on(async {
        let session = AssistantSession::open(&repository(), &[]).await;
        // One row for each value of the partition key: 1 row a partition, at every date.
        let schema = "-- @rows 5M\nCREATE TABLE a (k int PRIMARY KEY, v text);";
        let sizes = session.ask("estimate", json!({ "schema_text": schema })).await;
        for size in sizes["tables"][0]["sizes"].as_array().unwrap() {
            assert_eq!(size["rows"]["max"], 1, "{size}");
        }
        let model = json!({ "text": MODEL, "at": ["2years"] });
        let sizes = session.ask("estimate", model).await["tables"][0]["sizes"].clone();
        let days: Vec<f64> =
            sizes.as_array().unwrap().iter().map(|it| it["days"].as_f64().unwrap()).collect();
        assert_eq!((days[0], (days[1] / 365.0).round(), days.len()), (0.0, 2.0, 2));
        let rows: String = (0..7)
            .map(|at| format!("INSERT INTO readings (sensor, at, value) VALUES (1, {at}, {at}.5);"))
            .collect();
        let script = format!("{SCHEMA}{rows}SELECT count(*) AS n, sum(value) AS s FROM readings;");
        let ran = session.ask("run", json!({ "text": script })).await;
        // 0.5 + 1.5 + ... + 6.5
        assert_eq!(ran["results"][0]["rows"], json!([{ "n": 7, "s": 24.5 }]));
        let again = session.fail("run", json!({ "text": "SELECT * FROM readings;" })).await;
        assert!(again.contains("readings"), "nothing is kept: {again}");
        let command = session.fail("run", json!({ "text": "SOURCE '/etc/passwd'" })).await;
        assert!(command.contains("SOURCE is a command of cqlsh"), "{command}");
        let rows = json!({ "text": format!("{SCHEMA}{rows}SELECT at FROM readings;"), "rows": 2 });
        let ran = session.ask("run", rows).await;
        assert_eq!(ran["results"][0]["rows"].as_array().unwrap().len(), 2);
        assert_eq!(ran["results"][0]["row_count"], 7);
    });
}

#[test]
fn rules_resources_and_prompts_are_pages() {
    block_on(async {
        let session = AssistantSession::open(&repository(), &[]).await;
        let page = session.ask("rule", json!({ "code": "pk001" })).await;
        assert!(page["summary"].as_str().unwrap().contains("## Why"));
        let found = session.ask("rule", json!({ "search": "tombstone" })).await;
        assert!(found["rules"].as_array().unwrap().len() > 3);
        assert!(session.fail("rule", json!({ "code": "PK999x" })).await.contains("unknown rule"));
        let resources = session.client.list_all_resources().await.unwrap();
        assert_eq!(resources.len(), 3);
        let read = async |uri: &str| {
            let request = ReadResourceRequestParams::new(uri);
            let mut found = session.client.read_resource(request).await.unwrap().contents;
            match found.pop() {
                Some(ResourceContents::TextResourceContents { text, .. }) => text,
                other => panic!("{other:?}"),
            }
        };
        for resource in &resources {
            assert!(read(&resource.uri).await.len() > 500, "{}", resource.uri);
        }
        let page = fs::read_to_string(repository().join("docs/MODEL.md")).unwrap();
        assert_eq!(read("helenus://docs/model").await, page);
        assert!(read("helenus://rules/MF213").await.contains("MF213"));
        let unknown = ReadResourceRequestParams::new("file:///etc/passwd");
        assert!(session.client.read_resource(unknown).await.is_err());
        for prompt in session.client.list_all_prompts().await.unwrap() {
            let name = prompt.arguments.unwrap()[0].name.clone();
            let Value::Object(arguments) = json!({ name: "a <shop>" }) else { unreachable!() };
            let request = GetPromptRequestParams::new(prompt.name).with_arguments(arguments);
            let prompt = session.client.get_prompt(request).await.unwrap();
            assert!(format!("{prompt:?}").contains("a <shop>"));
        }
    });
}

#[test]
fn long_answers_are_cut_and_read_on() {
    block_on(async {
        let session = AssistantSession::open(&repository(), &[]).await;
        let tables: String = (0..400)
            .map(|at| format!("CREATE TABLE t{at} (a int, b int, c text, PRIMARY KEY (a));"))
            .collect();
        let mut offset = 0;
        let mut seen = 0;
        let scans: String = (0..400).map(|at| format!("SELECT * FROM t{at};\n")).collect();
        let script = format!("{tables}\n{scans}");
        loop {
            let arguments = json!({ "text": script, "offset": offset });
            let answer = session.call("check", arguments).await;
            assert!(text(&answer).len() < 40_000, "{}", text(&answer).len());
            let data = answer.structured_content.unwrap();
            assert!(data.to_string().len() < 40_000);
            seen += data["findings"].as_array().unwrap().len();
            let Some(rest) = data["left_out"]["findings"]["count"].as_u64() else { break };
            assert!(rest > 0);
            offset = seen;
        }
        assert!(seen >= 400, "{seen}");
    });
}
