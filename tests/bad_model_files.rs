//! Bad model files: one clear message with its place, exit 2, and nothing written.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A good model; each bad one below differs from it in one place.
const TABLES: &str = "\
-- @rows 1M
CREATE TABLE users (
  userid uuid PRIMARY KEY,
  email  text NOT NULL UNIQUE,
  born   date NOT NULL
);
CREATE TABLE videos (
  videoid uuid PRIMARY KEY,
  userid  uuid NOT NULL REFERENCES users,  -- @each 5
  name    text NOT NULL
);
CREATE TABLE shops (
  shopid uuid PRIMARY KEY,
  city   text NOT NULL
);
";

/// A query, what the message must say, and the text it must point at.
const BAD_QUERIES: [(&str, &str, &str); 12] = [
    ("SELECT nam FROM videos WHERE userid = ?", "nam", "nam "),
    ("SELECT name FROM vidoes WHERE userid = ?", "vidoes", "vidoes"),
    (
        "SELECT v.name FROM videos v JOIN shops s ON s.shopid = v.videoid WHERE s.city = ?",
        "reference",
        "s.shopid",
    ),
    ("SELECT name FROM videos WHERE userid = ? OR videoid = ?", "OR", "OR"),
    ("SELECT name FROM videos WHERE userid = ? ORDER BY name OFFSET 20", "OFFSET", "OFFSET"),
    ("SELECT DISTINCT ON (userid) name FROM videos WHERE userid = ?", "DISTINCT ON", "DISTINCT"),
    (
        "SELECT u.email FROM users u FULL JOIN videos v ON u.userid = v.userid WHERE u.userid = ?",
        "outer join",
        "FULL",
    ),
    ("SELECT v.name FROM videos v CROSS JOIN shops s", "CROSS JOIN", "CROSS"),
    ("SELECT name FROM videos WHERE userid IN (SELECT userid FROM users)", "subquer", "userid IN"),
    ("SELECT name FROM videos WHERE name LIKE '%cat%'", "within texts", "name LIKE"),
    ("SELECT name FROM videos WHERE", "", ""),
    ("SELECT name FROM videos WHERE name = now()", "now", "now"),
];

/// A line of the file, what replaces it, and what the message must say.
const BAD_DIRECTIVES: [(&str, &str, &str); 10] = [
    ("-- @rows 1M", "-- @row 1M", "@rows"),
    ("-- @rows 1M", "-- @rows many", "many"),
    ("-- @rows 1M", "-- @rows 1M @rows 2M", "@rows"),
    ("-- @rows 1M", "-- @rows -5", "-5"),
    ("-- @rows 1M", "-- @retain 90 fortnights", "fortnights"),
    ("-- @each 5", "-- @each 5 p99 2", "p99"),
    ("-- @each 5", "-- @each 5 p99 10 max 3", "max"),
    ("-- @each 5", "-- @each 3/day p99 100", "day"),
    ("-- @each 5", "-- @rate 5/s", "@rate"),
    ("  email  text NOT NULL UNIQUE,", "  email  text NOT NULL UNIQUE,  -- @each 5", "@each"),
];

/// Tables that `PostgreSQL` refuses, or whose actions contradict one another: the columns of a table `notes`, and what the message says.
const BAD_COLUMNS: [(&str, &str); 13] = [
    (
        "userid uuid REFERENCES users ON DELETE CASCADE, FOREIGN KEY (userid) REFERENCES users ON DELETE SET NULL",
        "ON DELETE CASCADE and ON DELETE SET NULL",
    ),
    ("n int NOT NULL DEFAULT 'abc'", "is not a value of its type, int"),
    ("n smallint DEFAULT 70000", "is not a value of its type, smallint"),
    ("n boolean DEFAULT 3", "is not a value of its type, boolean"),
    ("n uuid DEFAULT 'xyz'", "is not a value of its type, uuid"),
    ("n int DEFAULT now()", "is not a value of its type, int"),
    ("n timestamp DEFAULT 'soon'", "is not a value of its type, timestamp"),
    ("m int, n int DEFAULT m", "refers to a column, m"),
    ("n int NOT NULL DEFAULT NULL", "must not be null and has no default"),
    ("n int GENERATED ALWAYS AS (n + 1) STORED", "is generated from itself"),
    (
        "m int, a int GENERATED ALWAYS AS (m + 1) STORED, b int GENERATED ALWAYS AS (a + 1) STORED",
        "generated from a, which is itself generated",
    ),
    ("n int GENERATED ALWAYS AS (m + 1) STORED", "generated from m, which is no column"),
    ("m text, n int GENERATED ALWAYS AS (m) STORED", "wrong type"),
];

#[test]
fn bad_columns_get_one_message_each() {
    for (columns, said) in BAD_COLUMNS {
        // A default is relied on, and a reference is given.
        let (name, value) = if columns.starts_with("userid") {
            ("noteid, userid", "?, ?")
        } else {
            ("noteid", "?")
        };
        let text = format!(
            "{TABLES}CREATE TABLE notes (noteid uuid PRIMARY KEY, {columns});\n\
             -- name: Wanted :many\nSELECT * FROM notes WHERE noteid = ?;\n\
             -- name: Add :exec\nINSERT INTO notes ({name}) VALUES ({value});\n\
             -- name: Leave :exec\nDELETE FROM users WHERE userid = ?;\n"
        );
        let message = refusal_message("columns", text.as_bytes());
        assert!(message.contains(said), "{columns}\n{message}");
    }
}

/// Each of two generated columns that refer to one another is wrong.
#[test]
fn generated_columns_that_refer_to_one_another() {
    let text = format!(
        "{TABLES}CREATE TABLE notes (noteid uuid PRIMARY KEY, a int GENERATED ALWAYS AS (b + 1) STORED, \
         b int GENERATED ALWAYS AS (a + 1) STORED);\n-- name: Wanted :many\nSELECT a FROM notes WHERE noteid = ?;\n"
    );
    let (output, folder) = run("mutual", text.as_bytes());
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert_eq!(message.matches("error[MF221]").count(), 2, "{message}");
    assert_eq!(message.matches("error").count(), 2, "{message}");
    remove_folder(&folder);
}

/// Two tables whose rows are deleted with each other's are no mistake: the cascade ends with the last row.
#[test]
fn tables_may_delete_each_others_rows() {
    let text = "CREATE TABLE teams (id uuid PRIMARY KEY, lead uuid);\n\
                CREATE TABLE people (id uuid PRIMARY KEY, team uuid NOT NULL REFERENCES teams ON DELETE CASCADE);\n\
                ALTER TABLE teams ADD CONSTRAINT lead FOREIGN KEY (lead) REFERENCES people ON DELETE CASCADE;\n\
                -- name: Members :many\nSELECT id FROM people WHERE team = ?;\n\
                -- name: Close :exec\nDELETE FROM teams WHERE id = ?;\n";
    let (output, folder) = run("cycle", text.as_bytes());
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("proof: passed"), "{said}");
    remove_folder(&folder);
}

#[test]
fn bad_queries_get_one_message_each() {
    for (query, said, at) in BAD_QUERIES {
        let text = format!("{TABLES}\n-- name: Wanted :many\n{query};\n");
        let message = refusal_message("query", text.as_bytes());
        assert!(message.contains(said), "{query}\n{message}");
        let place = text.find(at).filter(|_| !at.is_empty() && query.contains(at));
        if let Some(place) = place.map(|_| text.find(query).unwrap() + query.find(at).unwrap()) {
            let line = text[..place].matches('\n').count() + 1;
            let column = place - text[..place].rfind('\n').map_or(0, |end| end + 1) + 1;
            assert!(
                message.contains(&format!(":{line}:{column}")),
                "{query}: {line}:{column}\n{message}"
            );
        }
    }
}

#[test]
fn bad_directives_get_one_message_each() {
    for (line, bad, said) in BAD_DIRECTIVES {
        assert!(TABLES.contains(line), "{line}");
        let text = format!(
            "{}\n-- name: Wanted :many\nSELECT name FROM videos WHERE userid = ?;\n",
            TABLES.replacen(line, bad, 1)
        );
        let message = refusal_message("directive", text.as_bytes());
        assert!(message.contains(said), "{bad}\n{message}");
    }
}

#[test]
fn mistakes_are_all_reported_at_once() {
    let text = format!(
        "{}\n-- name: Wanted :many\nSELECT nam FROM videos WHERE userid = ?;\n\n-- name: Other :many\nSELECT name FROM videos WHERE userid = ? OR name = ?;\n",
        TABLES.replacen("@rows 1M", "@row 1M", 1)
    );
    let (output, folder) = run("several", text.as_bytes());
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert_eq!(message.matches("error[").count(), 3, "{message}");
    assert!(!folder.exists(), "something was written");
    remove_folder(&folder);
}

#[test]
fn an_empty_file_says_what_to_write() {
    for text in ["", "\n\n", "-- nothing\n"] {
        let message = refusal_message("empty", text.as_bytes());
        assert!(message.contains("CREATE TABLE"), "{message}");
    }
}

/// A dump of the schema has no queries. It is understood, and asks for some.
#[test]
fn a_file_without_queries_says_what_to_write() {
    let (output, folder) = run("tables", TABLES.as_bytes());
    assert_eq!(output.status.code(), Some(0));
    let warning = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(warning.contains("-- name:"), "{warning}");
    assert!(folder.exists(), "nothing was written");
    remove_folder(&folder);
}

#[test]
fn binary_is_refused() {
    for bytes in
        [b"\x7fELF\x02\x01\x01\x00\x00\x00\xff\xfe\xfd".as_slice(), b"\xff\xfe\x00\x01", &[0; 4096]]
    {
        refusal_message("binary", bytes);
    }
}

#[test]
fn a_dump_of_data_is_refused_at_once() {
    let mut text = String::from(TABLES);
    text.push_str("COPY public.users (userid, email, born) FROM stdin;\n");
    let mut row = 0_u64;
    while text.len() < 50 << 20 {
        let _ =
            writeln!(text, "00000000-0000-4000-8000-{row:012x}\tuser{row}@example.org\t1990-01-01");
        row += 1;
    }
    text.push_str("\\.\n");
    let started = std::time::Instant::now();
    let message = refusal_message("dump", text.as_bytes());
    assert!(message.contains("--schema-only"), "{message}");
    assert!(started.elapsed().as_secs() < 20, "it took {:?}", started.elapsed());
}

/// Runs `helenus design -o` on a bad file and gives back its one message.
fn refusal_message(name: &str, text: &[u8]) -> String {
    let (output, folder) = run(name, text);
    let shown = [&output.stdout[..], &output.stderr[..]].concat();
    let message = String::from_utf8_lossy(&shown).into_owned();
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert_eq!(message.matches("error").count(), 1, "{message}");
    assert!(!message.contains("panicked"), "{message}");
    assert!(message.len() < 4_000, "{} characters", message.len());
    assert!(!folder.exists(), "something was written");
    remove_folder(&folder);
    message
}

/// Removes what a run may have left, with the folder that it ran in.
fn remove_folder(folder: &Path) {
    let parent = folder.parent().expect("a run has its folder");
    fs::remove_dir_all(parent).expect("a folder can be removed");
}

fn run(name: &str, text: &[u8]) -> (Output, PathBuf) {
    let folder =
        std::env::temp_dir().join(format!("helenus-badinput-{}-{name}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder can be made");
    let (file, into) = (folder.join("model.sql"), folder.join("design"));
    fs::write(&file, text).expect("a file can be written");
    let output = Command::new(env!("CARGO_BIN_EXE_helenus"))
        .arg("design")
        .arg(&file)
        .arg("-o")
        .arg(&into)
        .output()
        .expect("the command runs");
    fs::remove_file(&file).expect("the file is there");
    (output, into)
}
