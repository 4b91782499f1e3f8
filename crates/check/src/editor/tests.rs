//! What editors are told.

use super::{CompletionKind, completions, definition, hover, symbols};
use crate::project::tests::project;
use crate::{Project, Settings};

const SCHEMA: &str = "CREATE TYPE address (street text, city text);
-- @rows 1M
CREATE TABLE users (
  user_id uuid, -- @each 100
  at timestamp,
  name text,
  home frozen<address>,
  PRIMARY KEY (user_id, at)
) WITH CLUSTERING ORDER BY (at DESC);
-- name: UserByName :many
SELECT name FROM users WHERE user_id = ?;
SELECT | FROM users WHERE ";

/// The text without the mark, and where the mark was.
fn split_mark(text: &str) -> (String, usize) {
    let at = text.find('|').unwrap();
    (text.replacen('|', "", 1), at)
}

fn labels(text: &str) -> Vec<String> {
    let (text, at) = split_mark(text);
    let settings = Settings::default();
    let project = project(&text, &settings);
    completions(&project, 0, at).into_iter().map(|one| one.label).collect()
}

fn with_project<T>(look: impl FnOnce(&Project<'_>, usize) -> T) -> T {
    let (text, at) = split_mark(SCHEMA);
    let settings = Settings::default();
    look(&project(&text, &settings), at)
}

#[test]
fn columns_of_the_table_come_first() {
    with_project(|project, at| {
        let found = completions(project, 0, at);
        let columns = found.iter().take_while(|one| one.kind == CompletionKind::Column);
        let columns: Vec<&str> = columns.map(|one| one.label.as_str()).collect();
        assert_eq!(columns, ["at", "home", "name", "user_id"]);
        assert!(found.iter().any(|one| one.label == "writetime"));
    });
}

#[test]
fn tables_keyspaces_types_and_keywords_by_position() {
    let schema = "CREATE TABLE users (id int PRIMARY KEY); ";
    assert_eq!(labels(&format!("{schema}SELECT * FROM us|")), ["users"]);
    assert_eq!(labels(&format!("{schema}SELECT * FROM ks.|")), ["users"]);
    assert_eq!(labels(&format!("{schema}USE |")), ["ks"]);
    assert_eq!(labels("CREATE TABLE t (id timeu|"), ["timeuuid"]);
    assert_eq!(labels("SEL|"), ["SELECT", "SELECT_MASKED"]);
    let after_set = labels(&format!("{schema}UPDATE users SET i|"));
    assert_eq!(after_set.first().map(String::as_str), Some("id"));
    assert!(after_set.contains(&"IF".to_owned()), "{after_set:?}");
}

#[test]
fn names_lead_to_where_they_are_created() {
    with_project(|project, _| {
        let text = project.texts[0].text;
        let at = |what: &str| text.rfind(what).unwrap() + 1;
        let line = |place: crate::Location| text[..place.span.start as usize].matches('\n').count();
        assert_eq!(definition(project, 0, at("users WHERE user_id = ?")).map(line), Some(2));
        assert_eq!(definition(project, 0, at("user_id = ?")).map(line), Some(3));
        assert_eq!(definition(project, 0, at("address>")).map(line), Some(0));
        assert_eq!(definition(project, 0, 0), None);
    });
}

#[test]
fn a_table_is_shown_with_its_marks_and_sizes() {
    with_project(|project, _| {
        let text = project.texts[0].text;
        let shown = hover(project, 0, text.rfind("users WHERE").unwrap()).unwrap().text;
        for part in
            ["**ks.users**", "K   user_id  uuid", "C↓  at       timestamp", "100 rows", "read by"]
        {
            assert!(shown.contains(part), "{shown}");
        }
    });
}

#[test]
fn the_outline_has_what_is_created_and_named() {
    with_project(|project, _| {
        let names: Vec<String> = symbols(project, 0).into_iter().map(|one| one.name).collect();
        assert_eq!(names, ["address", "users", "UserByName"]);
    });
}

#[test]
fn no_place_of_any_text_panics() {
    let settings = Settings::default();
    for text in ["", "SELECT", "\"", "'", "/*", "é ;é", "CREATE TABLE t (", "SELECT a.b.c FROM"] {
        let project = project(text, &settings);
        for at in 0..=text.len() + 1 {
            completions(&project, 0, at);
            definition(&project, 0, at);
            hover(&project, 0, at);
        }
    }
}
