//! `PostgreSQL`, `SQLite` and the designed tables agree: on every example, and on a model for every construct of SQL.
//!
//! `HELENUS_EXAMPLE=text` judges the models whose name holds the text and prints what came of each.

use std::fs;
use std::path::PathBuf;

use super::judge::{Judgement, create_database, judge, settings};
use crate::examples::{examples, root};
use crate::print_uncaptured;

/// Judges model files; what is not as it must be.
fn judge_all(files: Vec<(String, PathBuf)>) -> Vec<String> {
    let Some(cluster) = super::cluster() else { return Vec::new() };
    let wanted = std::env::var("HELENUS_EXAMPLE").ok();
    let database = create_database(cluster);
    let mut wrong = Vec::new();
    for (name, path) in files {
        if wanted.as_ref().is_some_and(|wanted| !name.contains(wanted.as_str())) {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let options = design::Options::default();
        let judgement = judge(Some((cluster, &database)), &text, &options, settings(1));
        if wanted.is_some() {
            print_uncaptured(&format!("{name}: {judgement:?}"));
        }
        match judgement {
            Judgement::Agreement(steps) => assert!(steps > 0, "{name}: nothing was run"),
            Judgement::Refused(why) => wrong.push(format!("{name} is refused: {why}")),
            Judgement::Unproven(why) => wrong.push(format!("{name} is not proven: {why}")),
            Judgement::Schema(why) => wrong.push(format!("{name}: PostgreSQL: {why}")),
            Judgement::Difference(why) => wrong.push(format!("{name}: {why}")),
        }
    }
    wrong
}

#[test]
fn examples_mean_what_postgres_says() {
    let folder = root().join("examples");
    let nose = ["ebay", "rubis_bidding", "rubis_browsing"].map(|name| format!("nose/{name}"));
    let names = examples().into_iter().map(|example| example.name).chain(nose);
    let files = names.map(|name| (name.clone(), folder.join(format!("{name}.sql")))).collect();
    let wrong = judge_all(files);
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n\n"));
}

#[test]
fn constructs_mean_what_postgres_says() {
    let folder = root().join("tests/postgres/models");
    let entries = fs::read_dir(&folder).expect("the models can be read").flatten();
    let mut files: Vec<_> = entries
        .map(|entry| {
            (entry.file_name().to_string_lossy().trim_end_matches(".sql").to_owned(), entry.path())
        })
        .collect();
    files.sort();
    let wrong = judge_all(files);
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n\n"));
}
