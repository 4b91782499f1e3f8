//! Joins along references.

use super::{query, single_error};
use crate::workload::Join;

/// An alias, and how it joins: the earlier source, the reference, and whether to one row.
type JoinStep = (String, Option<(usize, usize, bool)>);

/// Aliases and joins of a query's sources.
fn path(text: &str) -> Vec<JoinStep> {
    let (read, _) = query(text);
    let join = |join: Join| (join.with.index(), join.reference.index(), join.to_one);
    read.sources.into_iter().map(|source| (source.alias, source.join.map(join))).collect()
}

#[test]
fn to_the_one_and_to_the_many() {
    assert_eq!(
        path("SELECT v.name FROM videos v JOIN users u ON u.userid = v.userid WHERE v.videoid = ?"),
        [("v".to_owned(), None), ("u".to_owned(), Some((0, 0, true)))]
    );
    assert_eq!(
        path(
            "SELECT v.name FROM users u INNER JOIN videos v ON u.userid = v.userid WHERE u.email = ?"
        ),
        [("u".to_owned(), None), ("v".to_owned(), Some((0, 0, false)))]
    );
}

#[test]
fn roles() {
    assert_eq!(
        path("SELECT v.name FROM videos v JOIN users e ON e.userid = v.editor WHERE v.videoid = ?"),
        [("v".to_owned(), None), ("e".to_owned(), Some((0, 1, true)))]
    );
    assert_eq!(
        path(
            "SELECT v.name, u.email, e.email FROM videos v JOIN users u ON u.userid = v.userid \
             JOIN users e ON e.userid = v.editor WHERE v.videoid = ?"
        ),
        [
            ("v".to_owned(), None),
            ("u".to_owned(), Some((0, 0, true))),
            ("e".to_owned(), Some((0, 1, true)))
        ]
    );
}

#[test]
fn a_table_and_itself() {
    assert_eq!(
        path("SELECT m.name FROM employees e JOIN employees m ON m.id = e.manager WHERE e.id = ?"),
        [("e".to_owned(), None), ("m".to_owned(), Some((0, 0, true)))]
    );
    assert_eq!(
        path("SELECT e.name FROM employees m JOIN employees e ON m.id = e.manager WHERE m.id = ?"),
        [("m".to_owned(), None), ("e".to_owned(), Some((0, 0, false)))]
    );
}

#[test]
fn composite_references() {
    let expected = [("l".to_owned(), None), ("c".to_owned(), Some((0, 1, true)))];
    assert_eq!(
        path(
            "SELECT c.body FROM likes l JOIN comments c ON c.videoid = l.videoid \
             AND c.commentid = l.commentid WHERE l.userid = ?"
        ),
        expected
    );
    assert_eq!(
        path(
            "SELECT c.body FROM likes l JOIN comments c USING (videoid, commentid) WHERE l.userid = ?"
        ),
        expected
    );
}

#[test]
fn commas_and_other_orders() {
    // The join of users comes last in the path: it hangs on videos, which hangs on comments.
    let text = "SELECT u.email FROM comments c, users u, videos v \
                WHERE v.videoid = c.videoid AND u.userid = v.userid AND c.commentid = ?";
    assert_eq!(
        path(text),
        [
            ("c".to_owned(), None),
            ("v".to_owned(), Some((0, 0, true))),
            ("u".to_owned(), Some((1, 0, true)))
        ]
    );
    let (read, _) = query(text);
    assert_eq!(read.conditions.len(), 1);
    assert_eq!(
        format!("{:?}", read.outputs[0].value),
        "Column(Column { source: 2, attribute: 1 })"
    );
}

#[test]
fn conditions_may_stand_in_on() {
    let (read, _) = query(
        "SELECT v.name FROM videos v JOIN users u ON u.userid = v.userid AND u.active WHERE v.day = ?",
    );
    assert_eq!(read.conditions.len(), 2);
}

#[test]
fn no_path() {
    let missing = single_error(
        "SELECT v.name FROM videos v JOIN comments c ON c.userid = v.userid WHERE v.day = ?",
    );
    assert_eq!(missing.message, "c is not joined on its foreign key");
    assert_eq!(missing.underlined, "c.userid = v.userid");
    assert_eq!(missing.help, "join ON c.videoid = v.videoid");

    let none = single_error(
        "SELECT v.name FROM videos v JOIN countries c ON c.name = v.name WHERE v.day = ?",
    );
    assert_eq!(none.message, "no reference matches this join of countries");
    assert_eq!(none.underlined, "c.name = v.name");
    assert_eq!(none.help, "declare the reference: `name ... REFERENCES countries`");

    let partial = single_error(
        "SELECT c.body FROM likes l JOIN comments c ON c.videoid = l.videoid WHERE l.userid = ?",
    );
    assert_eq!(partial.help, "join ON l.videoid = c.videoid AND l.commentid = c.commentid");
}

#[test]
fn more_than_the_reference() {
    let more = single_error(
        "SELECT v.name FROM videos v JOIN users u ON u.userid = v.userid AND u.created = v.added WHERE v.day = ?",
    );
    assert_eq!(
        more.message,
        "u.created = v.added is not part of the reference that joins the tables"
    );
    assert_eq!(more.underlined, "u.created = v.added");
}
