//! Joins along references.

use super::{query, single_error};
use crate::workload::{Join, Source};

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
    assert_eq!(
        none.help,
        "read the rows of countries first, and those of videos by their values: `name = ANY(?)`"
    );
    let key = single_error(
        "SELECT v.name FROM videos v JOIN countries c ON c.code = v.name WHERE v.day = ?",
    );
    let declared = "ALTER TABLE videos ADD FOREIGN KEY (name) REFERENCES countries (code)";
    assert!(key.help.contains(declared), "{}", key.help);

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

/// Which sources of a query are optional.
fn optional(text: &str) -> Vec<bool> {
    query(text).0.sources.iter().map(Source::is_optional).collect()
}

#[test]
fn left_joins_that_may_find_nothing_are_optional() {
    let from = "SELECT v.name, e.email FROM videos v LEFT JOIN users e ON e.userid = v.editor";
    assert_eq!(optional(&format!("{from} WHERE v.userid = ?")), [false, true]);
    // A reference that is never null finds its row.
    assert_eq!(
        optional("SELECT u.email FROM videos v LEFT JOIN users u ON u.userid = v.userid"),
        [false, false]
    );
    // A condition that null does not meet requires the row.
    assert_eq!(optional(&format!("{from} WHERE e.email = ?")), [false, false]);
    assert_eq!(optional(&format!("{from} WHERE v.editor = ?")), [false, false]);
    assert_eq!(optional(&format!("{from} WHERE e.firstname IS NOT NULL")), [false, false]);
    // So does an inner join that continues from it.
    let chain = "SELECT b.name FROM employees a LEFT JOIN employees b ON b.id = a.manager";
    assert_eq!(
        optional(&format!("{chain} LEFT JOIN employees c ON c.id = b.manager WHERE a.id = ?")),
        [false, true, true]
    );
    assert_eq!(
        optional(&format!("{chain} JOIN employees c ON c.id = b.manager WHERE a.id = ?")),
        [false, false, false]
    );
}

#[test]
fn no_row_is_a_reference_to_nothing() {
    let (read, concept) = query(
        "SELECT v.name FROM videos v LEFT JOIN users e ON e.userid = v.editor \
         WHERE v.userid = ? AND e.email IS NULL",
    );
    let tested = super::describe_predicate(&read, &concept, &read.conditions[1].predicate);
    assert_eq!(tested, "v.editor Null");
}

#[test]
fn what_left_joins_cannot_do() {
    let left = "FROM videos v LEFT JOIN users e ON e.userid = v.editor";
    for (text, message) in [
        (
            "SELECT u.email FROM users u LEFT JOIN videos v ON v.userid = u.userid".to_owned(),
            "Q joins many rows by LEFT JOIN",
        ),
        (
            format!("SELECT v.name {left} AND e.active WHERE v.userid = ?"),
            "Q has a condition beside the reference in the ON of a LEFT JOIN",
        ),
        (
            format!("SELECT v.name {left} WHERE v.userid = ? AND e.firstname IS NULL"),
            "Q tests a nullable column of a LEFT JOIN for null, which does not tell whether there is a row",
        ),
        (
            format!("SELECT v.name {left} WHERE v.userid = ? ORDER BY e.email"),
            "Q orders by e.email, which a LEFT JOIN may leave null",
        ),
        (
            format!("SELECT e.email, COUNT(*) {left} WHERE v.userid = ? GROUP BY e.email"),
            "Q groups by a column of a LEFT JOIN, which may be null",
        ),
        (
            format!("SELECT MAX(e.age) {left} WHERE v.userid = ?"),
            "Q aggregates a column of a LEFT JOIN, which may be null",
        ),
    ] {
        assert_eq!(single_error(&text).message, message);
    }
    let ordered = format!("SELECT v.name {left} WHERE v.userid = ? ORDER BY COALESCE(e.email, '')");
    assert_eq!(query(&ordered).0.order[0].null_as.as_deref(), Some("''"));
}
