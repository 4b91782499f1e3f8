//! Tables without a key: each of their rows gets an id.

use super::*;
use crate::id::IdList;
use crate::workload::WriteKind;

/// The help of the only warning.
fn warning_help(text: &str) -> String {
    let model = read_model(text);
    let [_, warning] = model.warnings.as_slice() else { panic!("{:?}", model.warnings) };
    assert_eq!((warning.rule, warning.span.text(text)), ("MF014", ""));
    model.warnings[0].help.clone().unwrap()
}

#[test]
fn the_most_plausible_key_is_suggested() {
    assert_eq!(
        warning_help("CREATE TABLE users (user_id int, name text)"),
        "add PRIMARY KEY (user_id)"
    );
    assert_eq!(
        warning_help("CREATE TABLE t (a int UNIQUE)"),
        "add NOT NULL to a, or a PRIMARY KEY"
    );
    assert_eq!(
        warning_help("CREATE TABLE t (a int)"),
        "add an id uuid PRIMARY KEY, or PRIMARY KEY (columns)"
    );
    let join = "CREATE TABLE a (id int PRIMARY KEY); CREATE TABLE t (x int REFERENCES a, y int REFERENCES a)";
    assert_eq!(warning_help(join), "add PRIMARY KEY (x, y), or an id uuid PRIMARY KEY");
}

#[test]
fn the_id_is_made_by_inserts_and_not_returned() {
    let text = "CREATE TABLE t (a int, row_id text);
-- name: All :many
SELECT * FROM t WHERE a = ?;
-- name: Some :many
SELECT t.* FROM t WHERE a = ?;
-- name: Add :exec
INSERT INTO t VALUES (?, ?);";
    let model = read_model(text);
    assert_eq!(list_warnings(text, &model), [("MF204", "t")]);
    let entity = model.entity("t");
    let names: Vec<_> = entity.attributes.iter().map(|it| (it.name.as_str(), it.hidden)).collect();
    assert_eq!(names, [("a", false), ("row_id", false), ("row_id_2", true)]);
    assert_eq!(entity.keys, [vec![AttributeId::new(2)]]);
    for read in &model.workload.reads {
        let names: Vec<_> = read.outputs.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["a", "row_id"]);
    }
    let WriteKind::Insert(given) = &model.workload.writes[0].kind else { panic!("an INSERT") };
    assert_eq!(given.len(), 3);
    assert_eq!(entity.attributes.ids().count(), 3);
}

#[test]
fn no_statement_may_name_the_id() {
    let text = "CREATE TABLE t (a int);\n-- name: Q :many\nSELECT a FROM t WHERE row_id = ?;";
    assert_eq!(error_places(text), [("MF303", "row_id")]);
}

#[test]
fn a_key_that_is_unique_and_never_null_needs_no_id() {
    let text = "CREATE TABLE t (a int NOT NULL, b int NOT NULL);
CREATE UNIQUE INDEX i ON t USING btree (a, b);
-- name: Q :many
SELECT * FROM t WHERE a = ?;";
    let model = read_model(text);
    assert_eq!(list_warnings(text, &model), []);
    assert_eq!(model.entity("t").keys, [vec![AttributeId::new(0), AttributeId::new(1)]]);
}
