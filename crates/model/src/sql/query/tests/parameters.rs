//! Parameters: names and types.

use super::{parameters, query, single_error, write};

#[test]
fn names_and_types_are_the_columns() {
    let (read, _) =
        query("SELECT name FROM videos WHERE userid = ? AND added BETWEEN ? AND ? LIMIT ?");
    assert_eq!(
        parameters(&read.parameters),
        ["userid uuid", "added timestamp", "added_2 timestamp", "limit int"]
    );
    let (read, _) = query("SELECT name FROM videos WHERE ? = ANY(tags) AND userid = ANY(?)");
    assert_eq!(parameters(&read.parameters), ["tags text", "userid list<uuid>"]);
    let (write, _) = write("UPDATE users SET age = ?, firstname = ? WHERE userid = ? AND age = ?");
    assert_eq!(
        parameters(&write.parameters),
        ["age int", "firstname text", "userid uuid", "age_2 int"]
    );
}

#[test]
fn time_ordered_ids() {
    let (read, _) = query("SELECT body FROM comments WHERE videoid = ? AND commentid < ?");
    assert_eq!(parameters(&read.parameters), ["videoid uuid", "commentid timeuuid"]);
}

#[test]
fn numbered_and_named() {
    let (read, _) = query("SELECT name FROM videos WHERE userid = $2 AND editor = $1 AND day = $3");
    assert_eq!(parameters(&read.parameters), ["userid uuid", "editor uuid", "day date"]);
    let (read, _) = query(
        "SELECT name FROM videos WHERE userid = :me AND editor = :me AND day > :since LIMIT :n",
    );
    assert_eq!(parameters(&read.parameters), ["me uuid", "since date", "n int"]);
    let (read, _) = query("SELECT name FROM videos WHERE userid = $1 AND editor = $1");
    assert_eq!(parameters(&read.parameters), ["userid uuid"]);
}

#[test]
fn names_stay_apart() {
    let (read, _) =
        query("SELECT name FROM videos WHERE added > :added_2 AND day IN (:day, :x, :day_2)");
    assert_eq!(
        parameters(&read.parameters),
        ["added_2 timestamp", "day date", "x date", "day_2 date"]
    );
    let (read, _) = query("SELECT name FROM videos WHERE day IN (?, ?, ?)");
    assert_eq!(parameters(&read.parameters), ["day date", "day_2 date", "day_3 date"]);
}

#[test]
fn mixed_styles() {
    let mixed = single_error("SELECT name FROM videos WHERE userid = $1 AND day = ?");
    assert_eq!(mixed.message, "Q mixes two parameter styles");
    assert_eq!(mixed.underlined, "?");
    assert!(mixed.help.contains("`$1`, `$2`"));
}

#[test]
fn contradictory_types() {
    let wrong = single_error("SELECT name FROM videos WHERE userid = $1 AND day = $1");
    assert_eq!(wrong.message, "$1 is used both as a uuid and as a date");
    assert_eq!(wrong.underlined, "$1");
    assert_eq!(wrong.help, "use a separate parameter for each");
}
