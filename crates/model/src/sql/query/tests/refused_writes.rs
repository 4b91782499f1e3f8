//! Writes that are refused by name: message, place and advice.

use super::wrong_write;

#[track_caller]
fn refused_write(query: &str, message: &str, underlined: &str, help: &str) {
    let wrong = wrong_write(query);
    assert_eq!(wrong.message, message, "{query}");
    assert_eq!(wrong.underlined, underlined, "{query}");
    assert!(wrong.help.contains(help), "{query}: {}", wrong.help);
}

#[test]
fn inserts() {
    refused_write(
        "INSERT INTO countries (code, name) VALUES (?, ?), (?, ?)",
        "W inserts several rows",
        "(?, ?)",
        "insert one row",
    );
    refused_write(
        "INSERT INTO countries (code, name) SELECT email, firstname FROM users",
        "W inserts what a query returns",
        "SELECT email, firstname FROM users",
        "for each row that the query returns",
    );
    refused_write(
        "INSERT INTO countries (code, name) VALUES (?, ?) RETURNING code",
        "W uses RETURNING, which Cassandra cannot",
        "RETURNING code",
        "leave it out",
    );
    for value in ["now()", "gen_random_uuid()", "CURRENT_TIMESTAMP", "DEFAULT"] {
        let write = format!("INSERT INTO countries (code, name) VALUES (?, {value})");
        refused_write(
            &write,
            "W leaves a value to the database, which makes none",
            value,
            "as a parameter",
        );
    }
    refused_write(
        "INSERT INTO countries (code, name) VALUES (?)",
        "W names 2 columns of countries and gives 1 values",
        "?",
        "a value for each column",
    );
    refused_write(
        "INSERT INTO countries (code, code) VALUES (?, ?)",
        "W gives code twice",
        "code",
        "once",
    );
    refused_write(
        "INSERT INTO countries (name) VALUES (?)",
        "W gives no code, which is in the key of countries",
        "countries",
        "add code",
    );
    refused_write(
        "INSERT INTO countries (code, name) VALUES (?, NULL)",
        "name may not be null",
        "NULL",
        "a parameter",
    );
}

#[test]
fn updates_and_deletes() {
    refused_write(
        "UPDATE countries SET name = ?",
        "W changes every row of countries",
        "countries",
        "WHERE code = ?",
    );
    refused_write(
        "DELETE FROM countries",
        "W changes every row of countries",
        "countries",
        "WHERE code = ?",
    );
    refused_write(
        "UPDATE countries SET name = upper(name) WHERE code = ?",
        "W computes name",
        "upper(name)",
        "name = ?",
    );
    refused_write(
        "UPDATE users SET firstname = email WHERE userid = ?",
        "W copies a value from a column",
        "email",
        "pass it as a parameter",
    );
    refused_write(
        "UPDATE countries SET name = name || 'x' WHERE code = ?",
        "W computes name",
        "name || 'x'",
        "name = ?",
    );
    refused_write(
        "UPDATE countries SET (code, name) = (?, ?) WHERE code = ?",
        "W sets several columns at once",
        "code, name",
        "a = ?, b = ?",
    );
    refused_write(
        "UPDATE countries SET name = ? FROM users u WHERE code = ?",
        "W changes rows by what another table holds",
        "users u",
        "by their key",
    );
    refused_write(
        "DELETE FROM countries USING users WHERE code = ?",
        "W changes rows by what another table holds",
        "users",
        "by their key",
    );
}
