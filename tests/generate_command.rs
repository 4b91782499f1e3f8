//! `helenus generate` into a folder: what it writes, compares, renames and refuses to replace.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::examples::root;

/// A run of the command: exit code, standard output and standard error.
struct CommandRun {
    code: Option<i32>,
    output: String,
    errors: String,
}

fn generate(model: &str, language: &str, folder: &Path, further: &[&str]) -> CommandRun {
    let output = Command::new(env!("CARGO_BIN_EXE_helenus"))
        .args(["generate", model, "--lang", language, "-o"])
        .arg(folder)
        .args(further)
        .current_dir(root().join("tests/journeys/generate"))
        .output()
        .expect("helenus runs");
    CommandRun {
        code: output.status.code(),
        output: String::from_utf8_lossy(&output.stdout).into_owned(),
        errors: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// An empty folder for a test.
fn make_folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("generate").join(name);
    let _ = fs::remove_dir_all(&folder);
    folder
}

#[test]
fn changes_are_found_and_shown() {
    let folder = make_folder("changes");
    let written = generate("products.sql", "rust", &folder, &[]);
    assert_eq!((written.code, written.errors.as_str()), (Some(0), ""));
    assert!(written.output.contains("1 query and 1 write in rust"), "{}", written.output);
    assert_eq!(generate("products.sql", "rust", &folder, &["--check"]).code, Some(0));
    assert_eq!(generate("products.sql", "rust", &folder, &["--diff"]).code, Some(0));

    let file = folder.join("src/lib.rs");
    let text = fs::read_to_string(&file).expect("the file can be read");
    fs::write(&file, format!("{text}// mine\n")).expect("the file can be written");
    fs::remove_file(folder.join("src/rows.rs")).expect("the file can be removed");
    let checked = generate("products.sql", "rust", &folder, &["--check"]);
    assert_eq!(checked.code, Some(1));
    assert_eq!(
        checked.output,
        "differs: src/lib.rs\nmissing: src/rows.rs\n2 of 11 files differ: run `helenus generate` again without --check\n"
    );
    let shown = generate("products.sql", "rust", &folder, &["--diff"]);
    assert_eq!(shown.code, Some(1));
    assert!(shown.output.contains("\n-// mine\n"), "{}", shown.output);
    assert!(shown.output.contains("src/rows.rs"), "{}", shown.output);
}

#[test]
fn files_of_others_are_kept() {
    let folder = make_folder("others");
    fs::create_dir_all(&folder).expect("the folder can be created");
    fs::write(folder.join("README.md"), "# Mine\n").expect("the file can be written");
    fs::write(folder.join("notes.txt"), "mine\n").expect("the file can be written");
    let refused = generate("products.sql", "python", &folder, &[]);
    assert_eq!(refused.code, Some(2));
    let message =
        "README.md exists and was not generated: choose another directory, or remove the file\n";
    assert!(refused.errors.ends_with(message), "{}", refused.errors);
    assert_eq!(fs::read_dir(&folder).expect("the folder can be read").count(), 2);

    fs::remove_file(folder.join("README.md")).expect("the file can be removed");
    assert_eq!(generate("products.sql", "python", &folder, &[]).code, Some(0));
    assert_eq!(generate("products.sql", "python", &folder, &[]).code, Some(0));
    assert!(folder.join("notes.txt").exists());
}

#[test]
fn leftovers_are_named() {
    let folder = make_folder("leftovers");
    assert_eq!(generate("products.sql", "java", &folder, &["--package", "shop"]).code, Some(0));
    let rows = folder.join("src/main/java/shop");
    fs::copy(rows.join("ProductsByIdsRow.java"), rows.join("OldRow.java")).expect("it is copied");
    let checked = generate("products.sql", "java", &folder, &["--package", "shop", "--check"]);
    assert_eq!(checked.code, Some(1));
    let line = "left over: src/main/java/shop/OldRow.java\n1 file left over: ";
    assert!(checked.output.starts_with(line), "{}", checked.output);
    let written = generate("products.sql", "java", &folder, &["--package", "shop"]);
    assert_eq!(written.code, Some(0));
    assert!(written.errors.contains("OldRow.java is not generated any more"), "{}", written.errors);
}

#[test]
fn renamings_are_stated() {
    for language in ["java", "python", "typescript", "go", "rust"] {
        let folder = make_folder(&format!("words-{language}"));
        let written = generate("words.sql", language, &folder, &["--package", "Video-Store"]);
        assert_eq!(written.code, Some(0), "{language}: {}", written.errors);
        let renamed = written.output.lines().filter(|line| line.starts_with("renamed: "));
        let renamed: Vec<_> = renamed.collect();
        let states = |what: &str| renamed.iter().any(|line| line.contains(what));
        // At least those of `class_`, whose function and row would be named as those of `Class`,
        // of the package, and of a column and a parameter with the name of another.
        assert!(renamed.len() >= 5, "{language}: {}", written.output);
        assert!(states("package Video-Store is "), "{language}: {}", written.output);
        assert!(states("column"), "{language}: {}", written.output);
        assert!(states("parameter"), "{language}: {}", written.output);
    }
}

/// Generates code for statements on tables of a keyspace `k`, in a folder of this name; the folder.
fn generate_statements(name: &str, language: &str, tables: &str, statements: &str) -> PathBuf {
    let folder = make_folder(name);
    fs::create_dir_all(&folder).expect("the folder can be created");
    let (schema, queries) = (folder.join("schema.cql"), folder.join("queries.cql"));
    let keyspace = "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};";
    fs::write(&schema, format!("{keyspace}\nUSE k;\n{tables}")).expect("the file can be written");
    fs::write(&queries, statements).expect("the file can be written");
    let output = Command::new(env!("CARGO_BIN_EXE_helenus"))
        .args(["generate", "--lang", language, "--schema"])
        .args([&schema, Path::new("--queries"), &queries, Path::new("-o"), &folder.join("access")])
        .output()
        .expect("helenus runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    folder.join("access")
}

#[test]
fn comments_say_that_lists_are_sent_whole() {
    let tables =
        "CREATE TABLE readings (sensor int, day int, value int, PRIMARY KEY (sensor, day));";
    let statements = "-- name: OfSensors :many\nSELECT value FROM k.readings WHERE sensor IN ?;\n\
                      -- name: OfDays :many\nSELECT value FROM k.readings WHERE sensor = ? AND day IN ?;\n";
    let folder = generate_statements("lists", "python", tables, statements);
    let code = fs::read_to_string(folder.join("src/k/access.py")).expect("it is written");
    for sentence in [
        "all values of sensor are sent in one statement, and its coordinator reads a partition for each of them",
        "all values of day are sent in one statement, and it reads the rows of all of them",
    ] {
        assert!(code.contains(sentence), "{code}");
    }
}

#[test]
fn texts_of_python_functions_are_indented_as_its_formatter_does() {
    let tables = "CREATE TABLE readings (sensor int PRIMARY KEY, value int);";
    let statements = "-- name: OfSensor :many\nSELECT value FROM readings WHERE sensor = ?;\n";
    let folder = generate_statements("texts", "python", tables, statements);
    let code = fs::read_to_string(folder.join("src/k/access.py")).expect("it is written");
    assert!(code.contains("\"\"\"CQL:\n        SELECT value"), "{code}");
}

#[test]
fn user_types_in_tuples_are_read_with_their_codecs() {
    let tables = "CREATE TYPE point (x double, y double);\n\
                  CREATE TABLE places (id int PRIMARY KEY, at tuple<text, frozen<point>>);";
    let statements = "-- name: PlaceById :one\nSELECT at FROM places WHERE id = ?;\n";
    let folder = generate_statements("tuples", "java", tables, statements);
    let code = fs::read_to_string(folder.join("src/main/java/k/Codecs.java")).expect("a file");
    assert!(code.contains("public static final TypeCodec<Point> POINT ="), "{code}");
    assert!(code.contains("DataTypes.tupleOf(DataTypes.TEXT, DataTypes.custom("), "{code}");
}

#[test]
fn support_files_have_what_the_package_uses() {
    for (language, file, merge) in [
        ("python", "src/shop_lists/support.py", "def merge("),
        ("typescript", "src/support.ts", "export function merge<"),
    ] {
        let folder = make_folder(&format!("support-{language}"));
        assert_eq!(generate("products.sql", language, &folder, &[]).code, Some(0));
        let code = fs::read_to_string(folder.join(file)).expect("it is written");
        assert!(!code.contains(merge), "nothing is merged: {code}");
    }
}
