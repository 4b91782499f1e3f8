//! What queries return, and in which order.

use super::{model, qualify_name, query};
use crate::id::{AttributeId, ParameterId, SourceId};
use crate::workload::{Column, Limit, OutputValue, SortColumn};

fn outputs(text: &str) -> Vec<String> {
    let (read, concept) = query(text);
    let shown = |value| match value {
        OutputValue::Column(column) => qualify_name(&read, &concept, column),
        OutputValue::Count(None) => "count".to_owned(),
        OutputValue::Count(Some(column)) => {
            format!("count {}", qualify_name(&read, &concept, column))
        }
        OutputValue::Sum(column) => format!("sum {}", qualify_name(&read, &concept, column)),
        OutputValue::Average(column) => {
            format!("average {}", qualify_name(&read, &concept, column))
        }
        OutputValue::Least(column) => format!("least {}", qualify_name(&read, &concept, column)),
        OutputValue::Greatest(column) => {
            format!("greatest {}", qualify_name(&read, &concept, column))
        }
        OutputValue::Exists => "exists".to_owned(),
    };
    read.outputs.iter().map(|output| format!("{}: {}", output.name, shown(output.value))).collect()
}

#[test]
fn constants() {
    let (read, _) = query("SELECT 1 AS one, name FROM videos WHERE userid = ? LIMIT 1");
    let names: Vec<_> = read.computed.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["one", "name"]);
    assert_eq!(
        outputs("SELECT 1 AS one FROM videos WHERE userid = ? LIMIT 1"),
        ["one: videos.videoid"]
    );
}

#[test]
fn columns() {
    assert_eq!(
        outputs(
            "SELECT v.name, v.day AS on_day, u.firstname FROM videos v JOIN users u ON u.userid = v.userid WHERE v.videoid = ?"
        ),
        ["name: v.name", "on_day: v.day", "firstname: u.firstname"]
    );
    assert_eq!(
        outputs("SELECT * FROM countries"),
        ["code: countries.code", "name: countries.name"]
    );
    assert_eq!(
        outputs(
            "SELECT m.* , e.id FROM employees e JOIN employees m ON m.id = e.manager WHERE e.id = ?"
        ),
        ["id: m.id", "name: m.name", "manager: m.manager", "id_2: e.id"]
    );
}

#[test]
fn using_shows_its_column_once() {
    let shown =
        outputs("SELECT * FROM likes JOIN comments USING (videoid, commentid) WHERE videoid = ?");
    assert_eq!(
        shown,
        [
            "videoid: likes.videoid",
            "commentid: likes.commentid",
            "userid: likes.userid",
            "at: likes.at",
            "userid_2: comments.userid",
            "body: comments.body",
            "reply_to: comments.reply_to"
        ]
    );
}

#[test]
fn aggregates() {
    assert_eq!(
        outputs(
            "SELECT COUNT(*), count(rating) AS rated, COUNT(name), SUM(rating), AVG(rating) AS mean, MIN(added), MAX(name) FROM videos WHERE userid = ?"
        ),
        [
            "count: count",
            "rated: count videos.rating",
            "count_2: count",
            "sum: sum videos.rating",
            "mean: average videos.rating",
            "min: least videos.added",
            "max: greatest videos.name"
        ]
    );
}

#[test]
fn existence() {
    let (read, _) =
        query("SELECT EXISTS(SELECT 1 FROM users WHERE email = ? ORDER BY age LIMIT 1)");
    assert_eq!(read.outputs.len(), 1);
    assert_eq!(read.outputs[0].value, OutputValue::Exists);
    assert_eq!((read.order.len(), read.limit, read.conditions.len()), (0, None, 1));
    assert_eq!(
        outputs("SELECT EXISTS(SELECT userid FROM users WHERE email = ?) AS taken"),
        ["taken: exists"]
    );
}

#[test]
fn groups() {
    let (read, concept) =
        query("SELECT day, COUNT(*) FROM videos WHERE userid = ? GROUP BY day ORDER BY day DESC");
    let group: Vec<String> =
        read.group.iter().map(|&column| qualify_name(&read, &concept, column)).collect();
    assert_eq!(group, ["videos.day"]);
    assert!(read.order[0].descending);
    for group in ["1", "d", "videos.day"] {
        let text = format!("SELECT day AS d, COUNT(*) FROM videos GROUP BY {group}");
        assert_eq!(
            query(&text).0.group,
            [Column { source: SourceId::new(0), attribute: AttributeId::new(6) }],
            "{group}"
        );
    }
    // What a grouped key determines may be returned.
    let (read, _) = query(
        "SELECT u.userid, u.email, COUNT(*) FROM videos v JOIN users u ON u.userid = v.userid GROUP BY u.userid",
    );
    assert_eq!(read.group.len(), 1);
}

#[test]
fn order() {
    let at = |attribute, descending| SortColumn {
        column: Column { source: SourceId::new(0), attribute: AttributeId::new(attribute) },
        descending,
        null_as: None,
    };
    let order = |text: &str| query(text).0.order;
    assert_eq!(
        order("SELECT name FROM videos WHERE userid = ? ORDER BY added DESC, videoid"),
        [at(7, true), at(0, false)]
    );
    assert_eq!(
        order(
            "SELECT name AS n, added FROM videos WHERE userid = ? ORDER BY 2 DESC, n ASC NULLS FIRST"
        ),
        [at(7, true), at(3, false)]
    );
    let coalesced = order(
        "SELECT name FROM videos WHERE userid = ? ORDER BY COALESCE(rating, 0) DESC NULLS LAST",
    );
    assert_eq!(coalesced, [SortColumn { null_as: Some("0.0".to_owned()), ..at(5, true) }]);
    // What is never null needs no constant.
    assert_eq!(
        order("SELECT name FROM videos ORDER BY COALESCE(day, '2000-01-01')"),
        [at(6, false)]
    );
}

#[test]
fn limits() {
    let limit = |text: &str| query(text).0.limit;
    assert_eq!(limit("SELECT name FROM videos LIMIT 20"), Some(Limit::Number(20)));
    assert_eq!(
        limit("SELECT name FROM videos WHERE userid = ? LIMIT ?"),
        Some(Limit::Parameter(ParameterId::new(1)))
    );
    assert_eq!(limit("SELECT name FROM videos FETCH FIRST 5 ROWS ONLY"), Some(Limit::Number(5)));
    assert_eq!(limit("SELECT name FROM videos LIMIT ALL"), None);
    let file =
        model("-- name: One :one\n-- @rate 1/s\nSELECT name FROM videos ORDER BY added LIMIT 1;");
    assert!(!file.workload.reads[0].many);
}

/// The names of the columns that a query groups by.
fn read_groups(text: &str) -> Vec<String> {
    let (read, concept) = query(text);
    read.group.iter().map(|column| qualify_name(&read, &concept, *column)).collect()
}

#[test]
fn distinct_rows_are_groups() {
    assert_eq!(
        read_groups("SELECT DISTINCT day, name FROM videos WHERE userid = ?"),
        ["videos.day", "videos.name"]
    );
    assert_eq!(read_groups("SELECT day FROM videos WHERE userid = ? GROUP BY day"), ["videos.day"]);
    // No two rows are alike.
    assert_eq!(read_groups("SELECT DISTINCT videoid, name FROM videos"), [""; 0]);
    // The key of a joined row tells it apart.
    assert_eq!(
        read_groups(
            "SELECT DISTINCT v.name, v.videoid FROM videos v JOIN comments c ON c.videoid = v.videoid \
             WHERE c.userid = ? ORDER BY v.name"
        ),
        ["v.videoid"]
    );
    for (text, message) in [
        (
            "SELECT DISTINCT day FROM videos WHERE userid = ? ORDER BY added",
            "Q orders its groups by something else than it groups by",
        ),
        (
            "SELECT DISTINCT COUNT(*) FROM videos WHERE userid = ?",
            "Q uses DISTINCT beside an aggregate",
        ),
        (
            "SELECT DISTINCT tags FROM videos WHERE userid = ?",
            "tags is a list<text>, which has no order",
        ),
    ] {
        assert_eq!(super::single_error(text).message, message);
    }
}

#[test]
fn computed_results_read_what_they_need() {
    let (read, _) = query(
        "SELECT v.videoid, COALESCE(v.name, u.firstname, '') AS title FROM videos v JOIN users u ON u.userid = v.userid WHERE v.videoid = ?",
    );
    let names: Vec<&str> = read.outputs.iter().map(|output| output.name.as_str()).collect();
    assert_eq!(names, ["videoid", "title", "firstname"]);
    let results: Vec<&str> = read.computed.iter().map(|result| result.name.as_str()).collect();
    assert_eq!(results, ["videoid", "title"]);
    let (plain, _) = query("SELECT name FROM videos WHERE videoid = ?");
    assert!(plain.computed.is_empty());
}

#[test]
fn the_order_of_labels_is_that_of_their_declaration() {
    let tables = |labels: &str| {
        format!(
            "CREATE TYPE e AS ENUM ({labels});\nCREATE TABLE t (id int PRIMARY KEY, g int NOT NULL, s e NOT NULL);\n-- name: Q :many\n"
        )
    };
    for query in [
        "SELECT id FROM t WHERE g = ? ORDER BY s;",
        "SELECT id FROM t WHERE g = ? AND s > ?;",
        "SELECT max(s) FROM t WHERE g = ?;",
    ] {
        let read = |labels: &str| crate::sql::read(&(tables(labels) + query), "app");
        assert!(read("'a', 'm', 'z'").is_ok(), "{query}");
        let errors = read("'z', 'a', 'm'").unwrap_err();
        assert_eq!(errors.iter().map(|it| it.rule).collect::<Vec<_>>(), ["MF350"], "{query}");
    }
    let group = "SELECT s, count(*) FROM t WHERE g = ? GROUP BY s;";
    assert!(crate::sql::read(&(tables("'z', 'a'") + group), "app").is_ok());
}
