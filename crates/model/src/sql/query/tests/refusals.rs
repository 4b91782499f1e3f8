//! Everything that is refused by its name: message, place and advice.

use super::{read_errors, single_error};

/// The message, what is underlined, and a part of the advice.
#[track_caller]
fn assert_refused(query: &str, message: &str, underlined: &str, help: &str) {
    let wrong = single_error(query);
    assert_eq!(wrong.message, message, "{query}");
    assert_eq!(wrong.underlined, underlined, "{query}");
    assert!(wrong.help.contains(help), "{query}: {}", wrong.help);
}

#[test]
fn clauses() {
    assert_refused(
        "SELECT name FROM videos WHERE userid = ? ORDER BY added LIMIT 20 OFFSET 40",
        "Q uses OFFSET, which reads every row that it skips",
        "OFFSET",
        "WHERE (added_date, videoid) < (?, ?)",
    );
    assert_refused(
        "SELECT DISTINCT name FROM videos WHERE userid = ?",
        "Q uses DISTINCT, which reads every row to drop most of them",
        "DISTINCT",
        "a table of their own",
    );
    assert_refused(
        "SELECT DISTINCT ON (name) name FROM videos WHERE userid = ?",
        "Q uses DISTINCT, which reads every row to drop most of them",
        "DISTINCT",
        "a table of their own",
    );
    assert_refused(
        "SELECT userid, COUNT(*) FROM videos GROUP BY userid HAVING COUNT(*) > 5",
        "Q uses HAVING",
        "HAVING COUNT(*) > 5",
        "let the program drop",
    );
    assert_refused(
        "SELECT name FROM videos WHERE videoid = ? FOR UPDATE",
        "Q locks rows, which Cassandra cannot",
        "FOR",
        "make the write conditional",
    );
    assert_refused(
        "WITH mine AS (SELECT name FROM videos) SELECT name FROM videos WHERE userid = ?",
        "Q uses WITH",
        "WITH",
        "@after",
    );
    for (word, query) in [
        ("UNION", "SELECT name FROM videos UNION SELECT firstname FROM users"),
        ("EXCEPT", "SELECT name FROM videos EXCEPT SELECT firstname FROM users"),
        ("INTERSECT", "SELECT name FROM videos INTERSECT SELECT firstname FROM users"),
    ] {
        let message = "Q combines queries with UNION, EXCEPT or INTERSECT";
        assert_refused(query, message, word, "combine the answers in the program");
    }
}

#[test]
fn windows() {
    assert_refused(
        "SELECT name, row_number() OVER (PARTITION BY userid) FROM videos WHERE userid = ?",
        "Q uses a window function",
        "row_number()",
        "let the program number",
    );
}

#[test]
fn joins() {
    let on = "ON u.userid = v.userid WHERE v.videoid = ?";
    for (word, join) in
        [("LEFT", "LEFT JOIN"), ("RIGHT", "RIGHT OUTER JOIN"), ("FULL", "FULL JOIN")]
    {
        let query = format!("SELECT v.name FROM videos v {join} users u {on}");
        assert_refused(&query, "Q uses an outer join", word, "join with JOIN");
    }
    assert_refused(
        "SELECT v.name FROM videos v CROSS JOIN users u WHERE u.userid = v.userid",
        "Q uses a cross join",
        "CROSS JOIN",
        "JOIN users u ON u.userid = v.userid",
    );
    assert_refused(
        "SELECT v.name FROM videos v, countries c WHERE v.videoid = ?",
        "Q uses a cross join",
        "countries c",
        "along a reference",
    );
    assert_refused(
        "SELECT v.name FROM videos v NATURAL JOIN users u WHERE v.videoid = ?",
        "Q uses a natural join, whose columns change with the tables",
        "NATURAL",
        "USING (userid)",
    );
}

#[test]
fn sub_queries() {
    let help = "join the tables along their reference";
    assert_refused(
        "SELECT name FROM videos WHERE userid IN (SELECT userid FROM users WHERE active)",
        "Q uses a sub-query",
        "userid IN (SELECT userid FROM users WHERE active)",
        help,
    );
    assert_refused(
        "SELECT name FROM videos WHERE userid = (SELECT userid FROM users WHERE email = ?)",
        "Q uses a sub-query",
        "(SELECT userid FROM users WHERE email = ?)",
        help,
    );
    assert_refused(
        "SELECT name FROM videos v WHERE EXISTS (SELECT 1 FROM users u WHERE u.userid = v.userid)",
        "Q uses a sub-query",
        "SELECT 1 FROM users u WHERE u.userid = v.userid",
        help,
    );
    assert_refused(
        "SELECT name FROM (SELECT name FROM videos) AS v WHERE v.name = ?",
        "Q uses a sub-query",
        "SELECT name FROM videos",
        help,
    );
    assert_refused(
        "SELECT name, (SELECT COUNT(*) FROM comments) FROM videos WHERE videoid = ?",
        "Q uses a sub-query",
        "(SELECT COUNT(*) FROM comments)",
        help,
    );
}

#[test]
fn conditions() {
    assert_refused(
        "SELECT name FROM videos WHERE userid = ? OR editor = ?",
        "Q uses OR, which no one partition answers",
        "OR",
        "column IN (?, ?)",
    );
    assert_refused(
        "SELECT name FROM videos WHERE day = ? AND (userid = ? OR editor = ?)",
        "Q uses OR, which no one partition answers",
        "OR",
        "a query for each side",
    );
    let not = "Q asks for what does not match, which reads everything else";
    for (condition, underlined) in [
        ("userid <> ?", "userid <> ?"),
        ("userid != ?", "userid != ?"),
        ("userid NOT IN (?, ?)", "userid NOT IN (?, ?)"),
        ("name NOT LIKE 'x%'", "name NOT LIKE 'x%'"),
        ("added NOT BETWEEN ? AND ?", "added NOT BETWEEN ? AND ?"),
        ("NOT (userid = ?)", "NOT (userid = ?)"),
    ] {
        let query = format!("SELECT name FROM videos WHERE {condition}");
        assert_refused(&query, not, underlined, "ask for the values that are wanted");
    }
    assert_refused(
        "SELECT name FROM videos WHERE editor IS NULL",
        "Q asks for rows where something is missing, which no key finds",
        "editor IS NULL",
        "status = 'open'",
    );
    assert_refused(
        "SELECT name FROM videos WHERE editor = NULL",
        "Q compares with NULL, which is never true",
        "NULL",
        "leave the condition out",
    );
}

#[test]
fn patterns() {
    for pattern in ["'%x'", "'%x%'", "'x_y%'", "'x%y'", "'%'"] {
        let query = format!("SELECT name FROM videos WHERE name LIKE {pattern}");
        let underlined = format!("name LIKE {pattern}");
        assert_refused(&query, "Q searches within texts", &underlined, "LIKE ? || '%'");
    }
    assert_refused(
        "SELECT name FROM videos WHERE name LIKE '%' || ? || '%'",
        "Q searches within texts",
        "name LIKE '%' || ? || '%'",
        "? = ANY(words)",
    );
    assert_refused(
        "SELECT name FROM videos WHERE name LIKE ?",
        "Q does not say where the wildcards of its pattern are",
        "name LIKE ?",
        "LIKE ? || '%'",
    );
    for condition in ["name ILIKE 'x%'", "name ~ '^x'", "name SIMILAR TO 'x%'"] {
        let query = format!("SELECT name FROM videos WHERE {condition}");
        let message = "Q searches without regard to case, or by a regular expression";
        assert_refused(&query, message, condition, "lower case");
    }
    assert_refused(
        "SELECT videoid FROM videos WHERE added LIKE '2024%'",
        "added is no text: it is a timestamp",
        "added",
        "range",
    );
}

#[test]
fn computing() {
    let message = "Q computes with a column in a condition";
    let help = "in a column of its own";
    assert_refused(
        "SELECT userid FROM users WHERE lower(email) = ?",
        message,
        "lower(email) = ?",
        help,
    );
    assert_refused("SELECT userid FROM users WHERE age + 1 > ?", message, "age + 1 > ?", help);
    assert_refused(
        "SELECT userid FROM users WHERE created::date = ?",
        message,
        "created::date = ?",
        help,
    );
    assert_refused(
        "SELECT name FROM videos WHERE added > now() - interval '1 day'",
        "Q computes a value",
        "now() - interval '1 day'",
        "pass it as a parameter",
    );
    assert_refused(
        "SELECT name FROM videos WHERE added > now()",
        "Q computes a value",
        "now()",
        "pass it as a parameter",
    );
    assert_refused(
        "SELECT name FROM videos WHERE userid = editor",
        "Q compares two columns with one another",
        "userid = editor",
        "late boolean",
    );
    assert_refused(
        "SELECT name FROM videos WHERE 1 = 1",
        "Q has a condition without a column",
        "1 = 1",
        "leave it out",
    );
    assert_refused(
        "SELECT name FROM videos WHERE tags = ?",
        "Q compares a whole array",
        "tags",
        "? = ANY(array_column)",
    );
    assert_refused(
        "SELECT name FROM videos WHERE tags @> ARRAY['x']",
        "Q compares a whole array",
        "tags @> ARRAY['x']",
        "? = ANY(array_column)",
    );
    assert_refused(
        "SELECT name FROM videos WHERE (videoid, userid) IN ((?, ?))",
        "Q looks for a list of row values",
        "(videoid, userid)",
        "a = ? AND b = ?",
    );
}

#[test]
fn outputs() {
    assert_refused(
        "SELECT lower(name) FROM videos WHERE videoid = ?",
        "Q returns something computed",
        "lower(name)",
        "compute in the program",
    );
    assert_refused(
        "SELECT 1 FROM videos WHERE videoid = ?",
        "Q returns a constant",
        "1",
        "SELECT EXISTS(SELECT 1 FROM ...)",
    );
    assert_refused(
        "SELECT COUNT(DISTINCT userid) FROM videos WHERE day = ?",
        "Q counts distinct values",
        "COUNT(DISTINCT userid)",
        "a table of their own",
    );
    assert_refused(
        "SELECT COUNT(*) FILTER (WHERE day = ?) FROM videos WHERE userid = ?",
        "Q restricts an aggregate",
        "day = ?",
        "into WHERE",
    );
    assert_refused(
        "SELECT SUM(name) FROM videos WHERE userid = ?",
        "name has no sum(): it is a text",
        "name",
        "give sum() a number",
    );
    assert_refused(
        "SELECT MAX(tags) FROM videos WHERE userid = ?",
        "tags has no max(): it is a list<text>",
        "tags",
        "a column with an order",
    );
    assert_refused(
        "SELECT NOT EXISTS(SELECT 1 FROM videos WHERE videoid = ?)",
        "Q returns NOT EXISTS",
        "NOT EXISTS",
        "negate it in the program",
    );
}

#[test]
fn groups() {
    assert_refused(
        "SELECT userid FROM videos GROUP BY userid",
        "Q groups without an aggregate, which is DISTINCT by another name",
        "userid",
        "COUNT(*)",
    );
    assert_refused(
        "SELECT name, COUNT(*) FROM videos GROUP BY userid",
        "Q returns name, which it does not group by",
        "name",
        "add name to GROUP BY",
    );
    assert_refused(
        "SELECT name, COUNT(*) FROM videos WHERE userid = ?",
        "Q returns name, which it does not group by",
        "name",
        "leave it out",
    );
    assert_refused(
        "SELECT COUNT(*) FROM videos GROUP BY date_trunc('day', added)",
        "Q groups by something computed",
        "date_trunc('day', added)",
        "a column of its own",
    );
    assert_refused(
        "SELECT COUNT(*) FROM videos GROUP BY tags",
        "tags has no order: it is a list<text>",
        "tags",
        "another column",
    );
    assert_refused(
        "SELECT userid, COUNT(*) FROM videos GROUP BY userid ORDER BY COUNT(*) DESC",
        "Q orders by an aggregate, which is known only when all rows are read",
        "COUNT(*)",
        "sort them in the program",
    );
    assert_refused(
        "SELECT userid, COUNT(*) AS n FROM videos GROUP BY userid ORDER BY n DESC",
        "Q orders by an aggregate, which is known only when all rows are read",
        "n",
        "sort them in the program",
    );
}

#[test]
fn orders_and_limits() {
    assert_refused(
        "SELECT name FROM videos WHERE userid = ? ORDER BY lower(name)",
        "Q orders by something computed",
        "lower(name)",
        "COALESCE(column, constant)",
    );
    assert_refused(
        "SELECT name FROM videos WHERE userid = ? ORDER BY rating DESC NULLS LAST",
        "Q orders by where rating is null",
        "NULLS",
        "COALESCE(rating, constant)",
    );
    assert_refused(
        "SELECT name FROM videos WHERE userid = ? ORDER BY tags",
        "tags has no order: it is a list<text>",
        "tags",
        "another column",
    );
    assert_refused(
        "SELECT name FROM videos WHERE userid = ? ORDER BY 2",
        "Q has no output of that number",
        "2",
        "name the column",
    );
    for limit in ["0", "'x'", "-1", "2.5", "99999999999", "5 + 5", "name"] {
        let query = format!("SELECT name FROM videos WHERE userid = ? LIMIT {limit}");
        assert_refused(&query, &format!("{limit} is no number of rows"), limit, "LIMIT ?");
    }
}

#[test]
fn names() {
    assert_refused(
        "SELECT name FROM video",
        "there is no table video",
        "video",
        "did you mean videos?",
    );
    assert_refused(
        "SELECT name FROM bills",
        "there is no table bills",
        "bills",
        "CREATE TABLE bills",
    );
    assert_refused(
        "SELECT nmae FROM videos WHERE userid = ?",
        "videos has no column nmae",
        "nmae",
        "did you mean name?",
    );
    assert_refused(
        "SELECT v.price FROM countries v",
        "countries has no column price",
        "price",
        "one of code, name",
    );
    assert_refused(
        "SELECT videos.name FROM videos v WHERE v.userid = ?",
        "Q reads from no table called videos",
        "videos",
        "did you mean v?",
    );
    assert_refused(
        "SELECT userid FROM videos v JOIN users u ON u.userid = v.userid WHERE v.videoid = ?",
        "userid may mean that of v or of u",
        "userid",
        "v.userid",
    );
    assert_refused(
        "SELECT v.name FROM videos v JOIN users v ON email = ?",
        "Q reads from two tables called v",
        "users v",
        "users a",
    );
    assert_refused("SELECT name", "Q reads from no table", "SELECT", "FROM");
}

#[test]
fn values() {
    assert_refused(
        "SELECT name FROM videos WHERE name = 5",
        "5 is no value of name, which is a text",
        "5",
        "single quotes",
    );
    assert_refused(
        "SELECT email FROM users WHERE age = 'old'",
        "'old' is no value of age, which is an int",
        "'old'",
        "type int",
    );
    assert_refused(
        "SELECT email FROM users WHERE userid = 'x'",
        "'x' is no value of userid, which is a uuid",
        "'x'",
        "type uuid",
    );
    assert_refused(
        "SELECT email FROM users WHERE active = 1",
        "1 is no value of active, which is a boolean",
        "1",
        "true or false",
    );
    assert_refused(
        "SELECT email FROM users WHERE age",
        "age is no condition: it is an int",
        "age",
        "age = ?",
    );
    assert_refused(
        "SELECT email FROM users WHERE age = ? AND age = ?",
        "Q restricts age twice",
        "age = ?",
        "one value, or one range",
    );
    assert_refused(
        "SELECT v.name FROM videos v JOIN users u ON u.userid = v.userid WHERE u.userid = $1 AND v.userid = $1",
        "Q restricts userid twice",
        "v.userid = $1",
        "one value, or one range",
    );
}

#[test]
fn all_mistakes_are_reported() {
    let wrongs = read_errors(
        "-- name: A :many\n-- @rate 1/s\n\
         SELECT DISTINCT nmae, lower(name) FROM videos WHERE userid = 'x' OR day = ? LIMIT 0 OFFSET 5;\n\
         -- name: B :exec\n-- @rate 1/s\n\
         UPDATE video SET name = ? WHERE videoid = ?;",
    );
    let rules: Vec<&str> = wrongs.iter().map(|wrong| wrong.rule).collect();
    assert_eq!(rules, ["MF313", "MF303", "MF327", "MF340", "MF311", "MF352", "MF310", "MF302"]);
}

#[test]
fn one_mistake_is_reported_once() {
    let found = |text: &str| read_errors(text).into_iter().map(|it| it.message).collect::<Vec<_>>();
    // A wrong column in ON leaves the path unknown, which is not another mistake.
    assert_eq!(
        found(
            "-- name: Q :many\n-- @rate 1/s\nSELECT v.name FROM videos v JOIN users u ON u.usrid = v.userid;"
        ),
        ["users has no column usrid"]
    );
    // What a wrong table holds is not known.
    assert_eq!(
        found(
            "CREATE TABLE bills (number;\n-- name: Q :many\n-- @rate 1/s\n\
             SELECT b.total, name FROM bills b JOIN users u ON u.userid = b.userid WHERE paid;"
        )
        .len(),
        1
    );
    // A statement that is no SQL is still a step.
    assert_eq!(
        found(
            "-- name: A :many\n-- @rate 1/s\nSELECT name FROM videos WHERE;\n\
             -- name: B :many\n-- @rate 1/s @after A\nSELECT name FROM videos;"
        )
        .len(),
        1
    );
}
