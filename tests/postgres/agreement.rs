//! `PostgreSQL`, `SQLite` and the designed tables agree: on every example, and on a model for every construct of SQL.
//!
//! `HELENUS_EXAMPLE=text` judges the models whose name holds the text and prints what came of each. `HELENUS_MODELS=folder`
//! names a folder of other models for the test that is otherwise ignored.

use std::fs;
use std::path::{Path, PathBuf};

use super::judge::{Judgement, create_database, judge, settings};
use crate::examples::{examples, root};
use crate::print_uncaptured;

/// Judges model files, all in one database; what is not as it must be.
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
    let wrong = judge_all(list_models(&root().join("tests/postgres/models")));
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n\n"));
}

#[test]
#[ignore = "needs HELENUS_MODELS=FOLDER"]
fn foreign_models_mean_what_postgres_says() {
    let folder = std::env::var("HELENUS_MODELS").expect("HELENUS_MODELS names a folder");
    let files = list_models(Path::new(&folder));
    assert!(!files.is_empty(), "{folder} has no models");
    assert!(super::cluster().is_some(), "there is no PostgreSQL");
    let mut wrong = Vec::new();
    for (name, path) in files {
        // Each in a database of its own: a dump may have schemas besides public.
        let found = judge_all(vec![(name.clone(), path)]);
        print_uncaptured(&format!("{name}: {}", if found.is_empty() { "agrees" } else { "wrong" }));
        wrong.extend(found);
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n\n"));
}

/// The model files of a folder, with their names.
fn list_models(folder: &Path) -> Vec<(String, PathBuf)> {
    let entries = fs::read_dir(folder).expect("the models can be read").flatten();
    let paths = entries.map(|entry| entry.path());
    let mut files: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|it| it == "sql"))
        .filter_map(|path| Some((path.file_stem()?.to_string_lossy().into_owned(), path)))
        .collect();
    files.sort();
    files
}
