//! The way of docs/TUTORIAL.md on a real `PostgreSQL`: a model from a dump, a first design, volumes measured in the
//! database, a second design.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value;

use super::judge::create_database;
use super::statistics::{helenus, query};
use crate::examples::root;

/// The tables of the dump with the number of rows that its data makes.
const ROWS: [(&str, f64); 5] = [
    ("complaints", 400.0),
    ("customers", 2_000.0),
    ("depots", 50.0),
    ("parcels", 40_000.0),
    ("scans", 240_000.0),
];

#[test]
fn a_dump_is_designed_assumed_and_measured() {
    let Some(cluster) = super::cluster() else { return };
    let dumps = root().join("docs/tutorial");
    let read = |name: &str| fs::read_to_string(dumps.join(name)).expect(name);
    let database = create_database(cluster);
    // The commands of psql that newer dumps have are unknown to older ones.
    let dump: String = read("parcels.sql")
        .lines()
        .filter(|it| !it.starts_with('\\'))
        .fold(String::new(), |text, line| text + line + "\n");
    query(cluster, &database, &dump);
    query(cluster, &database, &read("parcels_data.sql"));
    for (table, rows) in ROWS {
        let counted = query(cluster, &database, &format!("SELECT count(*) FROM public.{table}"));
        assert_eq!(counted.trim().parse(), Ok(rows), "{table}");
    }

    let folder = std::env::temp_dir().join(format!("helenus-measured-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a temporary folder");
    let model = dumps.join("parcels.sql").display().to_string();
    helenus(&folder, &["init", &model, "-o", "app.sql"]);
    let started = fs::read_to_string(folder.join("app.sql")).expect("the model was written");
    let design = |arguments: &[&str]| -> Value {
        let all = [&["design", "app.sql", "--json", "--no-prove"], arguments].concat();
        serde_json::from_str(&helenus(&folder, &all)).expect("the design is JSON")
    };
    let first = list_assumptions(&design(&[]));
    for (table, _) in ROWS {
        let is_assumed = |it: &String| it.starts_with(&format!("{table} is assumed to have "));
        assert!(first.iter().any(is_assumed), "{table}: {first:#?}");
    }

    let (tables, _) = started.split_once("-- name: ").expect("queries are assumed");
    fs::write(folder.join("app.sql"), format!("{tables}\n{}", read("parcels_queries.sql")))
        .expect("the model can be written");
    let stats = query(cluster, &database, &helenus(&folder, &["stats", "--sql"]));
    fs::write(folder.join("stats.jsonl"), &stats).expect("the statistics can be written");
    let second = list_assumptions(&design(&["--stats", "stats.jsonl"]));
    for (table, rows) in ROWS {
        let prefix = format!("measured in the database, for {table}: ");
        let measured = second.iter().find_map(|it| it.strip_prefix(&prefix));
        let rows = format!("{} rows", model::directive::quantity::spell(rows));
        assert!(measured.is_some_and(|it| it.starts_with(&rows)), "{table}: {second:#?}");
    }
    assert_eq!(list_rows(&stats), list_rows(&read("parcels_stats.jsonl")));
    fs::remove_dir_all(&folder).expect("it was made here");
}

fn list_assumptions(design: &Value) -> Vec<String> {
    let notes = design["notes"].as_array().into_iter().flatten();
    let assumptions = notes.filter(|note| note["kind"] == "assumption");
    assumptions.filter_map(|it| it["message"].as_str()).map(str::to_owned).collect()
}

/// The measured rows by table; those that the tutorial shows were measured in the same way.
fn list_rows(stats: &str) -> BTreeMap<String, u64> {
    let lines = stats.lines().map(|line| serde_json::from_str::<Value>(line).expect(line));
    let rows =
        lines.filter_map(|it| Some((it["table"].as_str()?.to_owned(), it["rows"].as_u64()?)));
    rows.collect()
}
