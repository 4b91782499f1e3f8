//! Every code that the program prints has a page, and the examples in docs/MESSAGES.md are true: the first block of a
//! section is reported with its code, the second one is not.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::examples::root;

/// Messages whose example cannot be written into a page.
const WITHOUT_EXAMPLE: [&str; 3] = ["MF001", "MF002", "MF005"];

#[test]
fn every_code_that_is_printed_has_a_page() {
    let mut codes = BTreeSet::new();
    collect_codes(&root().join("crates"), &mut codes);
    codes.extend(check::rules::all().map(|rule| rule.code.to_owned()));
    codes.extend(doctor::rules::all().map(|rule| rule.code.to_owned()));
    codes.extend(model::sql::REFUSALS.iter().map(|refusal| refusal.rule.to_owned()));
    assert!(codes.len() > 400, "only {} codes found: {codes:?}", codes.len());
    for family in ["MF", "MR", "RO", "CG", "DR", "PK", "QV", "SV", "SY"] {
        assert!(codes.iter().any(|code| code.starts_with(family)), "no code {family}");
    }
    let has_rule = |code: &String| {
        check::rules::find(code).is_some_and(|rule| !rule.page.is_empty())
            || doctor::rules::find(code).is_some_and(|rule| !rule.page.is_empty())
    };
    let missing: Vec<_> =
        codes.iter().filter(|code| !has_rule(code) && print_page(code).is_none()).collect();
    assert!(missing.is_empty(), "without a page: {missing:?}");
    // Rules are asked for as well: a few, since each is a process.
    for code in ["PK001", "DR001", "QV030", "SY001"] {
        assert!(print_page(code).is_some_and(|page| page.contains("Why")), "{code}");
    }
    assert_eq!(print_page("MF999"), None);
}

/// The page that `helenus rule` prints, if there is one.
fn print_page(code: &str) -> Option<String> {
    let output =
        Command::new(env!("CARGO_BIN_EXE_helenus")).args(["rule", code]).output().expect("it runs");
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The codes in the sources under a folder, without those of tests.
fn collect_codes(folder: &Path, codes: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("the folder can be read").flatten() {
        let path = entry.path();
        let is_of_tests = path.file_stem().is_some_and(|stem| stem == "tests" || stem == "target");
        if path.is_dir() && !is_of_tests {
            collect_codes(&path, codes);
        } else if path.extension().is_some_and(|ending| ending == "rs") && !is_of_tests {
            let text = fs::read_to_string(&path).expect("the source can be read");
            let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
            codes.extend(text.split('"').filter(|word| is_code(word)).map(str::to_owned));
        }
    }
    // A border between two families of codes.
    codes.remove("MF100");
}

/// `MF102`, `MR3`: two capitals and up to three digits.
fn is_code(word: &str) -> bool {
    let (letters, digits) = word.split_at_checked(2).unwrap_or_default();
    let is_complete = digits.len() == 3 || letters == "MR" && digits.len() == 1;
    letters.bytes().all(|byte| byte.is_ascii_uppercase())
        && is_complete
        && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// A section of the page.
struct MessageSection {
    code: String,
    /// The kind of each block and its text.
    blocks: Vec<(String, String)>,
}

/// The tables of the examples that create none, and the sections.
fn sections() -> (String, Vec<MessageSection>) {
    let page = fs::read_to_string(root().join("docs/MESSAGES.md")).expect("the page can be read");
    let mut parts = page.split("\n## ");
    let head = blocks(parts.next().unwrap_or_default());
    let tables = head.into_iter().find(|(kind, _)| kind == "sql tables").expect("the tables").1;
    let sections = parts.map(|part| {
        let code = part.lines().next().unwrap_or_default().to_owned();
        MessageSection { code, blocks: blocks(part) }
    });
    (tables, sections.collect())
}

fn blocks(text: &str) -> Vec<(String, String)> {
    let parts: Vec<&str> = text.split("```").collect();
    let blocks = parts.iter().skip(1).step_by(2).filter_map(|block| block.split_once('\n'));
    blocks.map(|(kind, text)| (kind.to_owned(), text.to_owned())).collect()
}

/// The codes of the errors, or else of the warnings, of a model; and whether there are errors.
fn read_codes(text: &str) -> (Vec<&'static str>, bool) {
    match model::sql::read(text, "shop") {
        Ok(file) => (file.warnings.iter().map(|warning| warning.rule).collect(), false),
        Err(errors) => (errors.iter().map(|error| error.rule).collect(), true),
    }
}

#[test]
fn examples_of_messages_are_true() {
    let (tables, sections) = sections();
    let mut wrong = Vec::new();
    let mut known = BTreeSet::new();
    for section in sections.iter().filter(|section| section.code.starts_with("MF")) {
        let code = section.code.as_str();
        known.insert(code);
        let texts: Vec<String> = section
            .blocks
            .iter()
            .filter(|(kind, _)| kind.starts_with("sql "))
            .map(|(_, text)| {
                let is_whole = ["CREATE TABLE", "CRAETE", "-- Nothing"];
                let is_whole = is_whole.iter().any(|it| text.contains(it))
                    && !text.contains("users")
                    || text.contains("CREATE TABLE users");
                if is_whole { text.clone() } else { with_tables(&tables, text) }
            })
            .collect();
        let [found, clean] = texts.as_slice() else {
            let is_known = WITHOUT_EXAMPLE.contains(&code) && texts.is_empty();
            wrong.extend((!is_known).then(|| format!("{code}: {} blocks", texts.len())));
            continue;
        };
        let (codes, _) = read_codes(found);
        if !codes.contains(&code) {
            wrong.push(format!("{code} is not reported, but {codes:?}"));
        }
        let (codes, is_refused) = read_codes(clean);
        if is_refused || codes.contains(&code) {
            wrong.push(format!("{code}: the block after it has {codes:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(known.len() > 100, "only {} messages", known.len());
}

/// A text behind the tables; directives of the file stay at its head.
fn with_tables(tables: &str, text: &str) -> String {
    let (head, rest) = match text.strip_prefix("-- @tenant").and_then(|rest| rest.split_once('\n'))
    {
        Some((tenant, rest)) => (format!("-- @tenant{tenant}\n"), rest),
        None => (String::new(), text),
    };
    format!("{head}{tables}\n{rest}")
}

#[test]
fn messages_without_an_example_are_given() {
    let large = "x".repeat(17 << 20);
    assert_eq!(read_codes(&large).0, ["MF001"]);
    assert_eq!(read_codes("CREATE TABLE t (id int\0);").0, ["MF002"]);
    let many: String =
        (0..150).fold(String::new(), |text, n| text + &format!("CREATE TABLE t{n} (a flot);\n"));
    assert!(read_codes(&many).0.contains(&"MF005"));
}

#[test]
fn examples_of_statements_on_roles_are_true() {
    let (_, sections) = sections();
    let run = |code: &str, kind: &str| {
        let section = sections.iter().find(|section| section.code == code).expect(code);
        let (_, text) = section.blocks.iter().find(|block| block.0 == kind).expect(kind);
        let program = env!("CARGO_BIN_EXE_helenus");
        let file = format!("helenus-{code}-{}.cql", std::process::id());
        let path = std::env::temp_dir().join(file);
        fs::write(&path, text).expect("the statements can be written");
        let output = Command::new(program).arg("run").arg(&path).output().expect("it runs");
        fs::remove_file(&path).expect("it was written");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    for code in ["RO001", "RO002"] {
        let error = format!("error[{code}]");
        assert!(run(code, "cql found").contains(&error), "{}", run(code, "cql found"));
    }
    // The statement that RO001 allows needs a login, which `run` has not.
    assert!(!run("RO002", "cql clean").contains("error[RO002]"), "{}", run("RO002", "cql clean"));
}
