//! Writes that are refused by name: message, place and advice.

use super::write_error;

#[track_caller]
fn assert_write_refused(query: &str, message: &str, underlined: &str, help: &str) {
    let wrong = write_error(query);
    assert_eq!(wrong.message, message, "{query}");
    assert_eq!(wrong.underlined, underlined, "{query}");
    assert!(wrong.help.contains(help), "{query}: {}", wrong.help);
}

#[test]
fn results() {
    for (returned, message, help) in [
        ("(SELECT 1)", "W returns the result of a subquery", "a query of its own"),
        ("COUNT(*)", "W returns an aggregate", "in the application"),
        ("COALESCE(COUNT(*), 0)", "W returns an aggregate", "in the application"),
        ("1", "W returns a constant", "return a column"),
    ] {
        let write =
            format!("INSERT INTO countries (code, name) VALUES (?, ?) RETURNING {returned}");
        assert_write_refused(&write, message, returned, help);
    }
    assert_write_refused(
        "DELETE FROM countries WHERE code = ? RETURNING age",
        "table countries has no column age",
        "age",
        "name",
    );
}

#[test]
fn inserts() {
    assert_write_refused(
        "INSERT INTO countries (code, name) SELECT email, firstname FROM users",
        "W inserts the result of a query",
        "SELECT email, firstname FROM users",
        "for each row that the query returns",
    );
    for value in ["random()", "md5('a')"] {
        let write = format!("INSERT INTO countries (code, name) VALUES (?, {value})");
        assert_write_refused(&write, "W computes a value that it writes", value, "as a parameter");
    }
    assert_write_refused(
        "INSERT INTO countries (code, name) VALUES (?, CURRENT_TIMESTAMP)",
        "CURRENT_TIMESTAMP is the current time, which is not a valid value for name, a text",
        "CURRENT_TIMESTAMP",
        "pass it",
    );
    assert_write_refused(
        "INSERT INTO countries (code, name) VALUES (?, DEFAULT)",
        "name must not be null",
        "DEFAULT",
        "a parameter",
    );
    assert_write_refused(
        "INSERT INTO countries (code) VALUES (?)",
        "W sets no value for name of countries, which must not be null and has no default",
        "countries",
        "declare a default",
    );
    assert_write_refused(
        "INSERT INTO countries (code, name) VALUES (?)",
        "W lists 2 columns of countries but 1 values",
        "?",
        "one value for each column",
    );
    assert_write_refused(
        "INSERT INTO countries (code, code) VALUES (?, ?)",
        "W sets code twice",
        "code",
        "once",
    );
    assert_write_refused(
        "INSERT INTO countries (name) VALUES (?)",
        "W sets no value for code, which is in the key of countries",
        "countries",
        "add code",
    );
    assert_write_refused(
        "INSERT INTO countries (code, name) VALUES (?, NULL)",
        "name must not be null",
        "NULL",
        "a parameter",
    );
}

#[test]
fn updates_and_deletes() {
    assert_write_refused(
        "UPDATE countries SET name = ?",
        "W changes every row of countries",
        "countries",
        "WHERE code = ?",
    );
    assert_write_refused(
        "DELETE FROM countries",
        "W changes every row of countries",
        "countries",
        "WHERE code = ?",
    );
    assert_write_refused(
        "UPDATE countries SET name = upper(name) WHERE code = ?",
        "W computes the value of name",
        "upper(name)",
        "name = ?",
    );
    assert_write_refused(
        "UPDATE users SET firstname = email WHERE userid = ?",
        "W copies a value from a column",
        "email",
        "pass it as a parameter",
    );
    assert_write_refused(
        "UPDATE countries SET name = name || 'x' WHERE code = ?",
        "W computes the value of name",
        "name || 'x'",
        "name = ?",
    );
    assert_write_refused(
        "UPDATE countries SET (code, name) = (?, ?) WHERE code = ?",
        "W sets several columns in one assignment",
        "code, name",
        "a = ?, b = ?",
    );
    assert_write_refused(
        "UPDATE countries SET name = ? FROM users u WHERE code = ?",
        "W changes rows depending on another table",
        "users u",
        "by key",
    );
    assert_write_refused(
        "DELETE FROM countries USING users WHERE code = ?",
        "W changes rows depending on another table",
        "users",
        "by key",
    );
}
