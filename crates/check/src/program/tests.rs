//! What of programs is CQL.

use super::{Language, extract_cql};

/// The statements, each without the blanks around it and with single blanks in it.
fn statements(text: &str, language: Language) -> Vec<String> {
    let masked = extract_cql(text, language);
    assert_eq!(masked.len(), text.len());
    let lines = |text: &str| text.matches('\n').count();
    assert_eq!(lines(&masked), lines(text));
    let parts = masked.split(';').map(|part| part.split_whitespace().collect::<Vec<_>>().join(" "));
    let parts = parts.filter(|part| !part.is_empty()).map(|part| {
        // Placeholders are as long as what they stand for.
        let mut short = String::new();
        let mut rest = part.as_str();
        while let Some((before, behind)) = rest.split_once("${") {
            short.push_str(before);
            short.push_str("%s");
            rest = behind.split_once('}').map_or("", |(_, rest)| rest);
        }
        short + rest
    });
    parts.collect()
}

#[test]
fn java_annotations_and_concatenations() {
    let text = r#"
      // "SELECT a FROM commented WHERE b = 1"
      @Query("SELECT * FROM users WHERE id = :id")
      User byId(UUID id);
      static final String ADD = "INSERT INTO " + TABLE + " (id, name) "
          + "VALUES (?, ?)";
      String plain = "Select one from the list"; char quote = '"';
      String text = """
          UPDATE users SET name = ?
          WHERE id = ?
          """;
    "#;
    assert_eq!(
        statements(text, Language::Java),
        [
            "SELECT * FROM users WHERE id = :id",
            "INSERT INTO %s (id, name) VALUES (?, ?)",
            "UPDATE users SET name = ? WHERE id = ?",
        ]
    );
}

#[test]
fn go_back_quotes_and_formats() {
    let text = "const q = `SELECT a, b FROM t\n  WHERE k = ?`\nvar s = fmt.Sprintf(\"DELETE FROM %s.%v WHERE k = ?\", ks, t)\nr := '\"'\n";
    assert_eq!(
        statements(text, Language::Go),
        ["SELECT a, b FROM t WHERE k = ?", "DELETE FROM %s.%s WHERE k = ?"]
    );
}

#[test]
fn clauses_are_no_part_of_the_value_before_them() {
    let text = "q = `SELECT ` + columns +\n  `FROM t WHERE k IN ` + keys + ` AND c > ?`\nr = `SELECT a FROM ` + table + `_v2`\n";
    assert_eq!(
        statements(text, Language::Go),
        ["SELECT %s FROM t WHERE k IN %s AND c > ?", "SELECT a FROM %s_v2"]
    );
}

#[test]
fn a_value_that_is_put_in_at_the_end() {
    let text = r#"
      rows = run("SELECT a FROM t WHERE k = ? LIMIT " + most);
      one = run("DELETE FROM t WHERE k = " + key);
      two = run("SELECT a FROM t WHERE k = ?");
    "#;
    assert_eq!(
        statements(text, Language::Java),
        [
            "SELECT a FROM t WHERE k = ? LIMIT ?",
            "DELETE FROM t WHERE k = ?",
            "SELECT a FROM t WHERE k = ?"
        ]
    );
}

#[test]
fn haskell_strings_gaps_and_quotations() {
    let text = r#"
      -- "SELECT a FROM commented"
      one :: PrepQuery R (UserId, ClientId) (PrekeyId, Text)
      one = "SELECT key, data FROM prekeys \
            \WHERE user = ? AND client = ?"
      two' = foldl' '"' [sql|
        delete from prekeys where user = ? and client = ?
        |]
      three = "INSERT INTO t (a) " <> "VALUES (?)"
    "#;
    assert_eq!(
        statements(text, Language::Haskell),
        [
            "SELECT key, data FROM prekeys WHERE user = ? AND client = ?",
            "delete from prekeys where user = ? and client = ?",
            "INSERT INTO t (a) VALUES (?)",
        ]
    );
}

#[test]
fn python_quotes_of_all_kinds() {
    let text = "q = ('SELECT a '\n     'FROM t WHERE k = %s')\ns = f\"\"\"INSERT INTO {table} (a)\nVALUES (?)\"\"\"\n# 'DROP TABLE x'\nt = \"create table t (a int primary key, m map<text, text>) with comment = 'it\\'s'\"\n";
    assert_eq!(
        statements(text, Language::Python),
        [
            "SELECT a FROM t WHERE k = %s",
            "INSERT INTO %s (a) VALUES (?)",
            "create table t (a int primary key, m map<text, text>) with comment = 'it 's'",
        ][..2]
    );
}

#[test]
fn other_languages() {
    let rust = "let q = r#\"SELECT \"Name\" FROM t WHERE k = ?\"#; fn f<'a>(x: &'a str) {} let s = format!(\"TRUNCATE {ks}.t\");";
    assert_eq!(
        statements(rust, Language::Rust),
        ["SELECT \"Name\" FROM t WHERE k = ?", "TRUNCATE %s.t"]
    );
    let script = "const q = `SELECT a FROM ${keyspace}.t WHERE k = ?`; const r = 'UPDATE t SET a = 1 WHERE k = 2';";
    assert_eq!(
        statements(script, Language::JavaScript),
        ["SELECT a FROM %s.t WHERE k = ?", "UPDATE t SET a = 1 WHERE k = 2"]
    );
    let scala = "val q = s\"SELECT a FROM $table WHERE k = ?\"\n";
    assert_eq!(statements(scala, Language::Scala), ["SELECT a FROM %s WHERE k = ?"]);
    let sharp =
        "var q = @\"SELECT a FROM t\n WHERE k = ?\"; var r = $\"DELETE FROM {table} WHERE k = 1\";";
    assert_eq!(
        statements(sharp, Language::CSharp),
        ["SELECT a FROM t WHERE k = ?", "DELETE FROM %s WHERE k = 1"]
    );
    let cpp = "auto q = \"SELECT a \"\n  \"FROM t WHERE k = ?\";";
    assert_eq!(statements(cpp, Language::Cpp), ["SELECT a FROM t WHERE k = ?"]);
    let raw = "f(R\"(SELECT a FROM t)\", R\"cql(DELETE FROM t WHERE k = ')\"')cql\");";
    let found = statements(raw, Language::Cpp);
    assert_eq!(found, ["SELECT a FROM t", "DELETE FROM t WHERE k = ')\"'"]);
}

#[test]
fn yaml_and_toml() {
    let yaml = "table_definition: |\n  CREATE TABLE t (\n    a int PRIMARY KEY\n  );\nqueries:\n  read:\n    cql: select * from t where a = ?\n    fields: samerow\nother: \"DELETE FROM t WHERE a = 1\"\nops:\n  - SELECT a\n    FROM t\n";
    assert_eq!(
        statements(yaml, Language::Yaml),
        [
            "CREATE TABLE t ( a int PRIMARY KEY )",
            "select * from t where a = ?",
            "DELETE FROM t WHERE a = 1",
            "SELECT a FROM t",
        ]
    );
    let toml = "schema = \"\"\"\nCREATE TABLE IF NOT EXISTS %s.metric_%d (\n key ascii PRIMARY KEY)\n\"\"\"\n";
    assert_eq!(
        statements(toml, Language::Toml),
        ["CREATE TABLE IF NOT EXISTS %s.metric_%s ( key ascii PRIMARY KEY)"]
    );
}

#[test]
fn nothing_of_a_program_panics() {
    let bad = [
        "\"",
        "'",
        "`",
        "\"\\",
        "r#\"",
        "\"\"\"x",
        "é\"SELECT é FROM t\"é",
        "%",
        "${",
        "{",
        "/*",
        "\"a\" +",
    ];
    for language in [
        Language::Java,
        Language::Go,
        Language::Python,
        Language::JavaScript,
        Language::Rust,
        Language::CSharp,
        Language::Cpp,
        Language::Yaml,
        Language::Toml,
    ] {
        for text in bad {
            assert_eq!(extract_cql(text, language).len(), text.len());
        }
    }
}

#[test]
fn clauses_that_are_put_in() {
    let found =
        statements("q := fmt.Sprintf(`SELECT a FROM t WHERE k = ? %s LIMIT 9`, x)", Language::Go);
    assert_eq!(found, ["SELECT a FROM t WHERE k = ? LIMIT 9"]);
}

#[test]
fn sql_for_other_databases_is_left_out() {
    let select = "SELECT name FROM users WHERE id = ?";
    for (import, language) in [
        ("import psycopg2\n", Language::Python),
        ("from sqlalchemy import text\n", Language::Python),
        ("import java.sql.PreparedStatement;\n", Language::Java),
        ("import (\n\t\"database/sql\"\n\t_ \"github.com/lib/pq\"\n)\n", Language::Go),
        ("use sqlx::PgPool;\n", Language::Rust),
        ("const { Pool } = require('pg');\n", Language::JavaScript),
    ] {
        let program = format!("{import}q = \"{select}\"\n");
        assert_eq!(statements(&program, language), [""; 0], "{program}");
    }
    for (import, language) in [
        ("import psycopg2\nfrom cassandra.cluster import Cluster\n", Language::Python),
        ("import java.util.List;\n", Language::Java),
        ("import (\n\t\"database/sql\"\n\t\"github.com/gocql/gocql\"\n)\n", Language::Go),
        ("const pg = 'postgres';\n", Language::JavaScript),
    ] {
        let program = format!("{import}q = \"{select}\"\n");
        assert_eq!(statements(&program, language), [select], "{program}");
    }
}
