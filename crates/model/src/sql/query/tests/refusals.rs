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
        "`(added, videoid) > (?, ?)`, with `ORDER BY added, videoid`",
    );
    assert_refused(
        "SELECT DISTINCT ON (name) name FROM videos WHERE userid = ?",
        "Q uses DISTINCT ON, which keeps one row of each group",
        "DISTINCT",
        "in a separate table",
    );
    assert_refused(
        "SELECT userid, COUNT(*) FROM videos GROUP BY userid HAVING COUNT(*) > 5",
        "Q uses HAVING",
        "HAVING COUNT(*) > 5",
        "filter them in the application",
    );
    for lock in ["UPDATE", "NO KEY UPDATE", "SHARE", "KEY SHARE", "NO KEY UPDATE SKIP LOCKED"] {
        assert_refused(
            &format!("SELECT name FROM videos WHERE videoid = ? FOR {lock}"),
            "Q locks rows, which Cassandra does not support",
            "FOR",
            "make the write conditional",
        );
    }
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
        assert_refused(query, message, word, "combine the results in the application");
    }
}

#[test]
fn writes_behind_with_and_views() {
    let with = "-- name: W :exec\nWITH old AS (SELECT 1) UPDATE users SET age = 1 WHERE userid = ?";
    let text = format!("{}{with}", super::TABLES);
    let rules: Vec<_> = super::read(&text, "app").unwrap_err().iter().map(|it| it.rule).collect();
    assert!(!rules.contains(&"MF301") && rules.contains(&"MF319"), "{rules:?}");
    let view = "CREATE MATERIALIZED VIEW public.seen AS SELECT * FROM users;";
    let text = format!("{}{view}\n-- name: Q :many\nSELECT * FROM seen", super::TABLES);
    let wrong = super::read(&text, "app").unwrap_err();
    assert_eq!(wrong[0].message, "seen is a view, which is not expanded");
}

#[test]
fn comments_name_parameters() {
    let query = "-- name: Q :one\n\n-- The user of @user_id.\n\nSELECT email FROM users WHERE userid = @user_id";
    assert!(super::read(&format!("{}{query}", super::TABLES), "app").is_ok());
    let query = "-- name: Q :one\n-- Often: @rat 3/s\nSELECT email FROM users WHERE userid = ?";
    let wrong = super::read(&format!("{}{query}", super::TABLES), "app").unwrap_err();
    assert_eq!(wrong[0].rule, "MF101");
}

#[test]
fn windows() {
    assert_refused(
        "SELECT name, row_number() OVER (PARTITION BY userid) FROM videos WHERE userid = ?",
        "Q uses a window function",
        "row_number()",
        "number or compare them in the application",
    );
}

#[test]
fn joins() {
    let on = "ON u.userid = v.userid WHERE v.videoid = ?";
    for (word, join) in [("RIGHT", "RIGHT OUTER JOIN"), ("FULL", "FULL JOIN")] {
        let query = format!("SELECT v.name FROM videos v {join} users u {on}");
        assert_refused(&query, "Q uses an outer join", word, "use an inner join");
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
        "on a reference",
    );
    assert_refused(
        "SELECT v.name FROM videos v NATURAL JOIN users u WHERE v.videoid = ?",
        "Q uses a natural join, whose columns depend on the table definitions",
        "NATURAL",
        "USING (userid)",
    );
}

#[test]
fn sub_queries() {
    let help = "join the tables on their reference";
    assert_refused(
        "SELECT name FROM videos WHERE userid IN (SELECT userid FROM users WHERE active)",
        "Q uses a subquery",
        "userid IN (SELECT userid FROM users WHERE active)",
        help,
    );
    assert_refused(
        "SELECT name FROM videos WHERE userid = (SELECT userid FROM users WHERE email = ?)",
        "Q uses a subquery",
        "(SELECT userid FROM users WHERE email = ?)",
        help,
    );
    assert_refused(
        "SELECT name FROM videos v WHERE EXISTS (SELECT 1 FROM users u WHERE u.userid = v.userid)",
        "Q uses a subquery",
        "SELECT 1 FROM users u WHERE u.userid = v.userid",
        help,
    );
    assert_refused(
        "SELECT name FROM (SELECT name FROM videos) AS v WHERE v.name = ?",
        "Q uses a subquery",
        "SELECT name FROM videos",
        help,
    );
    assert_refused(
        "SELECT name, (SELECT COUNT(*) FROM comments) FROM videos WHERE videoid = ?",
        "Q uses a subquery",
        "(SELECT COUNT(*) FROM comments)",
        help,
    );
}

#[test]
fn conditions() {
    assert_refused(
        "SELECT name FROM videos WHERE userid = ? OR editor = ?",
        "Q uses OR, which no single partition can serve",
        "OR",
        "column IN (?, ?)",
    );
    assert_refused(
        "SELECT name FROM videos WHERE day = ? AND (userid = ? OR editor = ?)",
        "Q uses OR, which no single partition can serve",
        "OR",
        "one query for each side",
    );
    let not = "Q uses a negated condition, which reads all other rows";
    for (condition, underlined) in [
        ("userid <> ?", "userid <> ?"),
        ("userid != ?", "userid != ?"),
        ("userid NOT IN (?, ?)", "userid NOT IN (?, ?)"),
        ("name NOT LIKE 'x%'", "name NOT LIKE 'x%'"),
        ("added NOT BETWEEN ? AND ?", "added NOT BETWEEN ? AND ?"),
        ("NOT (userid = ?)", "NOT (userid = ?)"),
    ] {
        let query = format!("SELECT name FROM videos WHERE {condition}");
        assert_refused(&query, not, underlined, "select the matching values");
    }
    assert_refused(
        "SELECT name FROM videos WHERE name IS NULL",
        "name is declared NOT NULL, so it is never null",
        "name IS NULL",
        "remove the condition, or NOT NULL from name",
    );
    assert_refused(
        "SELECT name FROM videos WHERE userid = ? AND tags IS NULL",
        "Q tests whether an array is null, but Cassandra stores an empty array as null",
        "tags IS NULL",
        "store the state in a separate column",
    );
    assert_refused(
        "SELECT email FROM users WHERE active IS NOT TRUE",
        "Q selects rows where a boolean has one value or is null",
        "active",
        "declare the column NOT NULL",
    );
    assert_refused(
        "SELECT name FROM videos WHERE editor = NULL",
        "Q compares with NULL, which is never true",
        "NULL",
        "remove the condition",
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
        "Q uses a pattern whose wildcards are not known",
        "name LIKE ?",
        "LIKE ? || '%'",
    );
    for condition in ["name ILIKE 'x%'", "name ~ '^x'", "name SIMILAR TO 'x%'"] {
        let query = format!("SELECT name FROM videos WHERE {condition}");
        let message = "Q uses a case-insensitive search or a regular expression";
        assert_refused(&query, message, condition, "lower case");
    }
    assert_refused(
        "SELECT videoid FROM videos WHERE added LIKE '2024%'",
        "added is a timestamp, not a text",
        "added",
        "range",
    );
}

#[test]
fn computing() {
    let message = "Q computes with a column in a condition";
    let help = "in a separate column";
    assert_refused(
        "SELECT userid FROM users WHERE lower(email) = lower(?)",
        "Q compares lower(email), which no key stores",
        "lower(email)",
        "email_lower text GENERATED ALWAYS AS (lower(email)) STORED",
    );
    assert_refused(
        "SELECT userid FROM users WHERE (:mail::text IS NULL OR email = :mail) AND userid = :id",
        "Q has an optional condition: :mail may be null, which selects other rows of other partitions",
        ":mail::text IS NULL OR email = :mail",
        "one with `email = :mail` in its place",
    );
    assert_refused("SELECT userid FROM users WHERE age + 1 > ?", message, "age + 1 > ?", help);
    assert_refused(
        "SELECT userid FROM users WHERE created::date = ?",
        message,
        "created::date = ?",
        help,
    );
    assert_refused(
        "SELECT name FROM videos WHERE added > ? - interval '1 day'",
        "Q computes a value",
        "? - interval '1 day'",
        "pass it as a parameter",
    );
    assert_refused(
        "SELECT name FROM videos WHERE day > gen_random_uuid()",
        "gen_random_uuid() is a new uuid, which is not a valid value for day, a date",
        "gen_random_uuid()",
        "pass it",
    );
    assert_refused(
        "SELECT name FROM videos WHERE userid = editor",
        "Q compares two columns with each other",
        "userid = editor",
        "late boolean",
    );
    assert_refused(
        "SELECT name FROM videos WHERE 1 = 1",
        "Q has a condition without a column",
        "1 = 1",
        "remove it",
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
        "Q searches for a list of row values",
        "(videoid, userid)",
        "a = ? AND b = ?",
    );
}

#[test]
fn outputs() {
    assert_refused(
        "SELECT lower(name) FROM videos WHERE videoid = ?",
        "Q returns a computed value",
        "lower(name)",
        "in the application",
    );
    assert_refused(
        "SELECT COUNT(*), 1 FROM videos WHERE videoid = ?",
        "Q returns a constant",
        "1",
        "SELECT EXISTS(SELECT 1 FROM ...)",
    );
    assert_refused(
        "SELECT COUNT(DISTINCT userid) FROM videos WHERE day = ?",
        "Q counts distinct values",
        "COUNT(DISTINCT userid)",
        "in a separate table",
    );
    assert_refused(
        "SELECT COUNT(*) FILTER (WHERE day = ?) FROM videos WHERE userid = ?",
        "Q uses FILTER on an aggregate",
        "day = ?",
        "to WHERE",
    );
    assert_refused(
        "SELECT SUM(name) FROM videos WHERE userid = ?",
        "name is a text, which sum() does not accept",
        "name",
        "use sum() with a numeric column",
    );
    assert_refused(
        "SELECT MAX(tags) FROM videos WHERE userid = ?",
        "tags is a list<text>, which max() does not accept",
        "tags",
        "a column with an ordered type",
    );
    assert_refused(
        "SELECT NOT EXISTS(SELECT 1 FROM videos WHERE videoid = ?)",
        "Q returns NOT EXISTS",
        "NOT EXISTS",
        "negate it in the application",
    );
}

#[test]
fn groups() {
    assert_refused(
        "SELECT name, COUNT(*) FROM videos GROUP BY userid",
        "Q returns name, which is not in GROUP BY",
        "name",
        "add name to GROUP BY",
    );
    assert_refused(
        "SELECT name, COUNT(*) FROM videos WHERE userid = ?",
        "Q returns name, which is not in GROUP BY",
        "name",
        "remove it",
    );
    assert_refused(
        "SELECT COUNT(*) FROM videos GROUP BY date_trunc('day', added)",
        "Q groups by a computed value",
        "date_trunc('day', added)",
        "a separate column",
    );
    assert_refused(
        "SELECT COUNT(*) FROM videos GROUP BY tags",
        "tags is a list<text>, which has no order",
        "tags",
        "another column",
    );
    assert_refused(
        "SELECT userid, COUNT(*) FROM videos GROUP BY userid ORDER BY COUNT(*) DESC",
        "Q orders by an aggregate, which is known only after all rows are read",
        "COUNT(*)",
        "sort them in the application",
    );
    assert_refused(
        "SELECT userid, COUNT(*) AS n FROM videos GROUP BY userid ORDER BY n DESC",
        "Q orders by an aggregate, which is known only after all rows are read",
        "n",
        "sort them in the application",
    );
}

#[test]
fn orders_and_limits() {
    assert_refused(
        "SELECT name FROM videos WHERE userid = ? ORDER BY lower(name)",
        "Q orders by a computed value",
        "lower(name)",
        "COALESCE(column, constant)",
    );
    assert_refused(
        "SELECT name FROM videos WHERE userid = ? ORDER BY rating DESC NULLS LAST",
        "Q uses NULLS FIRST or NULLS LAST with rating, which may be null",
        "NULLS",
        "COALESCE(rating, constant)",
    );
    assert_refused(
        "SELECT name FROM videos WHERE userid = ? ORDER BY tags",
        "tags is a list<text>, which has no order",
        "tags",
        "another column",
    );
    assert_refused(
        "SELECT name FROM videos WHERE userid = ? ORDER BY 2",
        "Q has no result column at that position",
        "2",
        "the name of the column",
    );
    for limit in ["0", "'x'", "-1", "2.5", "99999999999", "5 + 5", "name"] {
        let query = format!("SELECT name FROM videos WHERE userid = ? LIMIT {limit}");
        assert_refused(&query, &format!("{limit} is not a valid number of rows"), limit, "LIMIT ?");
    }
}

#[test]
fn names() {
    assert_refused(
        "SELECT name FROM video",
        "table video does not exist",
        "video",
        "did you mean videos?",
    );
    assert_refused(
        "SELECT name FROM bills",
        "table bills does not exist",
        "bills",
        "CREATE TABLE bills",
    );
    assert_refused(
        "SELECT nmae FROM videos WHERE userid = ?",
        "table videos has no column nmae",
        "nmae",
        "did you mean name?",
    );
    assert_refused(
        "SELECT v.price FROM countries v",
        "table countries has no column price",
        "price",
        "one of code, name",
    );
    assert_refused(
        "SELECT videos.name FROM videos v WHERE v.userid = ?",
        "Q does not read from a table named videos",
        "videos",
        "did you mean v?",
    );
    assert_refused(
        "SELECT userid FROM videos v JOIN users u ON u.userid = v.userid WHERE v.videoid = ?",
        "userid is ambiguous: it is a column of v and of u",
        "userid",
        "v.userid",
    );
    assert_refused(
        "SELECT v.name FROM videos v JOIN users v ON email = ?",
        "Q reads from two tables named v",
        "users v",
        "users a",
    );
    assert_refused("SELECT name", "Q has no FROM clause", "SELECT", "FROM");
}

#[test]
fn values() {
    assert_refused(
        "SELECT name FROM videos WHERE name = 5",
        "5 is not a valid value for name, which is a text",
        "5",
        "single quotes",
    );
    assert_refused(
        "SELECT email FROM users WHERE age = 'old'",
        "'old' is not a valid value for age, which is an int",
        "'old'",
        "type int",
    );
    assert_refused(
        "SELECT email FROM users WHERE userid = 'x'",
        "'x' is not a valid value for userid, which is a uuid",
        "'x'",
        "type uuid",
    );
    assert_refused(
        "SELECT email FROM users WHERE active = 1",
        "1 is not a valid value for active, which is a boolean",
        "1",
        "true or false",
    );
    assert_refused(
        "SELECT email FROM users WHERE age",
        "age is an int, not a boolean",
        "age",
        "age = ?",
    );
    assert_refused(
        "SELECT email FROM users WHERE age = ? AND age = ?",
        "Q restricts age twice",
        "age = ?",
        "one value or one range",
    );
    assert_refused(
        "SELECT v.name FROM videos v JOIN users u ON u.userid = v.userid WHERE u.userid = $1 AND v.userid = $1",
        "Q restricts userid twice",
        "v.userid = $1",
        "one value or one range",
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
    assert_eq!(rules, ["MF303", "MF327", "MF340", "MF311", "MF352", "MF310", "MF302"]);
}

#[test]
fn one_mistake_is_reported_once() {
    let found = |text: &str| read_errors(text).into_iter().map(|it| it.message).collect::<Vec<_>>();
    // A wrong column in ON leaves the path unknown, which is not another mistake.
    assert_eq!(
        found(
            "-- name: Q :many\n-- @rate 1/s\nSELECT v.name FROM videos v JOIN users u ON u.usrid = v.userid;"
        ),
        ["table users has no column usrid"]
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
