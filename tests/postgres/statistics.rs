//! `helenus stats --sql` on a real `PostgreSQL`: what is measured is what SQL counts.

use std::fs;
use std::path::Path;
use std::process::Command;

use model::directive::{self, DirectiveKind, EachFigures};

use super::cluster::PostgresCluster;
use super::judge::create_database;

/// Rows whose references are skewed, with nulls, few and many values, and an array.
const DATA: &str = "
CREATE TABLE users (id bigint PRIMARY KEY, name text NOT NULL);
CREATE TABLE orders (
  id bigint PRIMARY KEY,
  user_id bigint REFERENCES users,
  status text NOT NULL,
  note text NOT NULL,
  tags text[] NOT NULL
);
INSERT INTO users SELECT g, 'user ' || g FROM generate_series(1, 2000) g;
INSERT INTO orders
SELECT g, CASE WHEN g % 10 > 0 THEN 1 + floor(2000 * power((g * 7919 % 100000) / 100000.0, 3))::bigint END,
       (ARRAY['open', 'paid', 'sent', 'lost'])[1 + floor(log(2, 1 + g % 15))::int],
       repeat('x', (g % 100)::int), ARRAY['a' || g % 5, 'b' || g % 7, 'c']
FROM generate_series(1, 100000) g;
ANALYZE;";

const MODEL: &str = "
CREATE TABLE users (id bigint PRIMARY KEY, name text NOT NULL);
CREATE TABLE orders (
  id bigint PRIMARY KEY,
  user_id bigint REFERENCES users,
  status text NOT NULL, -- @distinct 7
  note text NOT NULL,
  tags text[] NOT NULL
);
-- name: OrdersOfUser :many
SELECT id, status FROM orders WHERE user_id = ?;
";

/// The share by which a sample may be wrong.
const TOLERANCE: f64 = 0.2;

#[test]
fn measured_volumes_are_those_of_the_data() {
    let Some(cluster) = super::cluster() else { return };
    let database = create_database(cluster);
    query(cluster, &database, DATA);
    let folder = std::env::temp_dir().join(format!("helenus-stats-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a temporary folder");
    let statements = helenus(&folder, &["stats", "--sql"]);
    let stats = query(cluster, &database, &statements);
    fs::write(folder.join("stats.jsonl"), &stats).expect("the statistics can be written");
    fs::write(folder.join("model.sql"), MODEL).expect("the model can be written");
    let arguments = ["estimate", "model.sql", "--stats", "stats.jsonl", "--json"];
    let estimate: serde_json::Value =
        serde_json::from_str(&helenus(&folder, &arguments)).expect("the estimate is JSON");
    let notes: Vec<&str> = estimate["assumptions"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|it| it["message"].as_str())
        .collect();
    let measured = |table: &str| {
        let start = format!("measured in the database, for {table}: ");
        notes
            .iter()
            .find_map(|note| note.strip_prefix(&start))
            .unwrap_or_else(|| panic!("{notes:?}"))
            .to_owned()
    };
    assert!(measured("users").starts_with("2k rows"), "{notes:?}");
    let orders = measured("orders");
    assert!(orders.starts_with("100k rows"), "{orders}");
    let count = |sql: &str| query(cluster, &database, sql).trim().parse::<f64>().expect(sql);
    let each = find_each(&orders).expect("a fan-out");
    let of_user = "SELECT user_id, count(*) AS n FROM orders WHERE user_id IS NOT NULL GROUP BY 1";
    assert_close("mean", each.mean, count("SELECT count(user_id) / 2000.0 FROM orders"));
    assert_close("max", each.max, count(&format!("SELECT max(n) FROM ({of_user}) t")));
    let ranked = format!("SELECT n FROM ({of_user}) t ORDER BY n DESC OFFSET 19 LIMIT 1");
    assert_close("p99", each.p99, count(&ranked));
    let part = |column: &str| {
        orders.split("; ").find(|it| it.starts_with(column)).unwrap_or_default().to_owned()
    };
    let distinct = find(&part("user_id"), |kind| match kind {
        DirectiveKind::Distinct(values) => Some(*values),
        _ => None,
    });
    assert_close("distinct", distinct, count("SELECT count(DISTINCT user_id) FROM orders"));
    let bytes = find(&part("note"), |kind| match kind {
        DirectiveKind::Bytes(bytes) => Some(*bytes),
        _ => None,
    });
    assert_close("bytes", bytes, count("SELECT avg(length(note)) FROM orders"));
    // What the model states wins, and no value of a column is printed.
    assert!(!part("status").contains("@distinct"), "{orders}");
    assert!(!stats.contains("open") && !stats.contains("user 1"), "{stats}");
    let _ = fs::remove_dir_all(&folder);
}

fn assert_close(what: &str, measured: f64, counted: f64) {
    let error = (measured / counted - 1.0).abs();
    assert!(error <= TOLERANCE, "{what}: measured {measured}, counted {counted}");
}

fn find(text: &str, of: impl Fn(&DirectiveKind) -> Option<f64>) -> f64 {
    let (directives, _) = directive::parse(text, 0);
    directives.iter().find_map(|it| of(&it.kind)).unwrap_or_else(|| panic!("{text}"))
}

fn find_each(text: &str) -> Option<EachFigures> {
    let part = text.split("; ").find(|it| it.contains("@each"))?;
    let (directives, _) = directive::parse(part, 0);
    directives.iter().find_map(|it| match it.kind {
        DirectiveKind::Each(each) => Some(each),
        _ => None,
    })
}

/// Runs a text as `psql -XAtq` does.
pub(super) fn query(cluster: &PostgresCluster, database: &str, sql: &str) -> String {
    let file =
        std::env::temp_dir().join(format!("helenus-stats-{}-{database}.sql", std::process::id()));
    fs::write(&file, sql).expect("a temporary file");
    let mut command = Command::new(&cluster.psql);
    command.args(["-XAtq", "-v", "ON_ERROR_STOP=1", "-U", "postgres", "-d", database, "-f"]);
    let output = command.arg(&file).arg("-h").arg(&cluster.socket).output().expect("psql runs");
    let _ = fs::remove_file(&file);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("psql prints UTF-8")
}

pub(super) fn helenus(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_helenus"));
    let output = command.args(arguments).current_dir(folder).output().expect("helenus runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code().is_some_and(|code| code < 2), "{arguments:?}: {said}");
    String::from_utf8(output.stdout).expect("helenus prints UTF-8")
}
