//! The tidiness of the tree, as far as a machine can see it: crate edges, sizes, module lines, names, leftovers, rules with their pages.

mod cycles;
mod messages;
mod names;

use std::fs;
use std::path::{Path, PathBuf};

/// Which crates a crate may use; the picture is in docs/ARCHITECTURE.md.
const EDGES: [(&str, &[&str]); 19] = [
    ("byte_map", &[]),
    ("cql", &[]),
    ("regular_file", &[]),
    ("solver", &[]),
    ("schema", &["byte_map", "cql"]),
    ("model", &["cql", "schema"]),
    ("check", &["cql", "schema", "model"]),
    ("design", &["cql", "schema", "model", "solver"]),
    ("codegen", &["cql", "schema", "model"]),
    ("diagram", &["cql", "schema", "model"]),
    ("storage", &["byte_map", "cql", "schema"]),
    ("wire", &["cql"]),
    ("engine", &["byte_map", "cql", "schema", "storage"]),
    ("sim", &["cql", "schema", "model", "storage", "engine"]),
    ("cluster", &["cql", "regular_file"]),
    ("doctor", &["cql", "schema", "model"]),
    ("shell", &["cql", "regular_file", "schema", "storage", "engine"]),
    ("server", &["cql", "storage", "engine", "wire"]),
    (
        "helenus",
        &[
            "cql",
            "schema",
            "model",
            "check",
            "design",
            "diagram",
            "storage",
            "wire",
            "engine",
            "sim",
            "cluster",
            "doctor",
            "shell",
            "server",
            "codegen",
            "regular_file",
        ],
    ),
];
const FILE_LINES_MAX: usize = 600;
const FUNCTION_LINES_MAX: usize = 70;
/// Names that say nothing; as a file, a module, a function, or as the end of a type's name.
const EMPTY_NAMES: [&str; 9] =
    ["utils", "util", "common", "helpers", "helper", "manager", "impl", "inner", "v2"];
/// Spelt in halves, so that this file does not find itself.
const LEFTOVERS: [&str; 5] = [
    concat!("to", "do!"),
    concat!("unimple", "mented!"),
    concat!("FIX", "ME"),
    concat!("TO", "DO"),
    concat!("X", "XX"),
];
/// What every page of a rule says, in this order.
const SECTIONS: [&str; 4] = ["## Why", "## Instead", "## When to ignore", "## Versions"];

#[test]
fn crates_use_only_what_they_may() {
    let mut findings = Vec::new();
    for folder in crate_folders() {
        let text = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let Some((_, allowed)) = EDGES.iter().find(|(known, _)| *known == name) else {
            findings.push(format!("crates/{name}: unknown crate; add it to EDGES"));
            continue;
        };
        for used in dependencies(&text) {
            let ours = EDGES.iter().any(|(known, _)| *known == used);
            if ours && !allowed.contains(&used) {
                findings.push(format!("crates/{name} uses {used}; it may use {allowed:?}"));
            }
        }
    }
    assert!(findings.is_empty(), "\n{}", findings.join("\n"));
}

#[test]
fn files_are_tidy() {
    let mut findings = Vec::new();
    for path in sources() {
        let text = fs::read_to_string(&path).unwrap();
        let name = path.strip_prefix(root()).unwrap_or(&path).display().to_string();
        findings.extend(
            inspect(&text).into_iter().map(|(line, what)| format!("{name}:{line}: {what}")),
        );
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
        if EMPTY_NAMES.contains(&stem.as_str()) {
            findings.push(format!("{name}: name the file for what it holds"));
        }
    }
    assert!(findings.is_empty(), "\n{}", findings.join("\n"));
}

#[test]
fn rules_have_their_pages_and_their_lines() {
    let books = ["crates/check/src/rules", "crates/doctor/src/rules"];
    let chapters = books.iter().flat_map(|book| fs::read_dir(root().join(book)).unwrap().flatten());
    let mut findings = Vec::new();
    let mut pages = 0;
    for chapter in chapters.map(|entry| entry.path()) {
        let Ok(list) = fs::read_to_string(chapter.join("mod.rs")) else { continue };
        for path in fs::read_dir(&chapter).unwrap().flatten().map(|entry| entry.path()) {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            if path.extension().is_some_and(|ending| ending == "rs") {
                if stem != "mod" && !path.with_extension("md").is_file() {
                    findings.push(format!("{stem}.rs: it has no page"));
                }
                continue;
            }
            pages += 1;
            let is_listed = if path.with_extension("rs").is_file() {
                list.contains(&format!("    {stem}::RULE,\n"))
            } else {
                list.contains(&format!("include_str!(\"{stem}.md\")"))
            };
            if !is_listed {
                findings.push(format!("{stem}.md: not in the list of its chapter"));
            }
            let page = fs::read_to_string(&path).unwrap();
            let title = page.lines().next().unwrap_or_default().trim_start_matches("# ");
            if title.to_lowercase().replace([' ', '-'], "_") != stem {
                findings.push(format!("{stem}.md: its title is {title}"));
            }
            findings.extend(
                missing_section(&page).map(|heading| format!("{stem}.md: no `{heading}` in place")),
            );
        }
    }
    assert!(pages > 300, "only {pages} pages found: is the root right?");
    assert!(findings.is_empty(), "\n{}", findings.join("\n"));
}

/// The first section that a page lacks, or has out of its order.
fn missing_section(page: &str) -> Option<&'static str> {
    let mut lines = page.lines();
    SECTIONS.into_iter().find(|heading| !lines.any(|line| line == *heading))
}

/// What is untidy in a file, with the lines.
fn inspect(text: &str) -> Vec<(usize, String)> {
    let lines: Vec<_> = text.lines().collect();
    let mut findings = Vec::new();
    if !lines.first().is_some_and(|line| line.starts_with("//!")) {
        findings.push((1, "open the file with a `//!` line that says what it owns".to_owned()));
    }
    let own = lines.iter().position(|line| line.trim() == "#[cfg(test)]").unwrap_or(lines.len());
    if own > FILE_LINES_MAX {
        findings
            .push((own, format!("{own} lines without tests; split it before {FILE_LINES_MAX}")));
    }
    for (at, line) in lines.iter().enumerate() {
        if let Some(length) =
            function_lines(&lines, at).filter(|length| *length > FUNCTION_LINES_MAX)
        {
            findings.push((
                at + 1,
                format!("a function of {length} lines; at most {FUNCTION_LINES_MAX}"),
            ));
        }
        if let Some(leftover) = LEFTOVERS.iter().find(|leftover| line.contains(*leftover)) {
            findings
                .push((at + 1, format!("`{leftover}` is left over; finish it or file an issue")));
        }
        if let Some(name) = find_declaration(line).filter(|name| is_empty_name(name)) {
            findings.push((at + 1, format!("`{name}`: name it for what it is or does")));
        }
    }
    findings
}

/// The lines of the function that starts here; formatted code ends it with a brace at the same margin.
fn function_lines(lines: &[&str], at: usize) -> Option<usize> {
    let line = lines.get(at)?;
    let start = line.trim_start();
    let declares =
        find_declaration(line).is_some() && start.split(['(', '<']).next()?.contains("fn ");
    if !declares || line.ends_with(['}', ';']) {
        return None;
    }
    let end = format!("{}}}", &line[..line.len() - start.len()]);
    let length = lines[at..].iter().position(|line| *line == end)?;
    Some(length + 1)
}

/// The name a line declares, if it declares a function, type or module.
fn find_declaration(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace().skip_while(|word| {
        word.starts_with("pub") || matches!(*word, "const" | "async" | "unsafe")
    });
    match words.next()? {
        "fn" | "struct" | "enum" | "trait" | "mod" | "type" => {
            words.next()?.split(|c: char| !c.is_alphanumeric() && c != '_').next()
        }
        _ => None,
    }
}

fn is_empty_name(name: &str) -> bool {
    let type_ends = ["Utils", "Helper", "Helpers", "Manager", "Impl", "Inner", "V2"];
    EMPTY_NAMES.contains(&name)
        || name.starts_with("get_") && names::ALLOWED.iter().all(|(allowed, _)| *allowed != name)
        || type_ends.iter().any(|end| name.ends_with(end))
}

/// The names in the `[dependencies]` of a manifest.
fn dependencies(manifest: &str) -> Vec<&str> {
    let section = manifest.lines().skip_while(|line| line.trim() != "[dependencies]").skip(1);
    let section = section.take_while(|line| !line.starts_with('['));
    section
        .filter_map(|line| line.split(['.', '=', ' ']).next())
        .filter(|name| !name.is_empty())
        .collect()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The folders of our crates.
fn crate_folders() -> Vec<PathBuf> {
    let crates = fs::read_dir(root().join("crates")).expect("the crates can be listed");
    let mut folders: Vec<PathBuf> = crates.filter_map(|entry| Some(entry.ok()?.path())).collect();
    folders.retain(|folder| folder.join("Cargo.toml").is_file());
    folders.sort();
    folders
}

/// Every Rust file of ours, tests and benches included. The templates of generated code are files of other packages.
fn sources() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().join("crates"), root().join("tests"), root().join("benches")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir()
                && path.file_name().is_some_and(|name| name != "target" && name != "templates")
            {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    assert!(found.len() > 50, "only {} files found: is the root right?", found.len());
    found.sort();
    found
}

#[test]
fn untidiness_is_noticed() {
    let long = format!("//! A file.\nfn f() {{\n{}}}\n", "    x();\n".repeat(FUNCTION_LINES_MAX));
    let found = |text: &str| inspect(text).into_iter().map(|(line, _)| line).collect::<Vec<_>>();
    assert_eq!(found(&long), [2]);
    assert_eq!(found("fn f() {}\n"), [1]);
    assert_eq!(
        found("//! A file.\npub(crate) fn get_x() -> i32 {\n    1\n}\nstruct FooManager;\n"),
        [2, 5]
    );
    assert_eq!(found(&format!("//! A file.\n// {} this\n", LEFTOVERS[2])), [2]);
    assert_eq!(
        found(&format!("//! A file.\n{}", "// line\n".repeat(FILE_LINES_MAX))),
        [FILE_LINES_MAX + 1]
    );
    assert_eq!(found("//! A file.\nfn f(\n    a: i32,\n) {\n}\n"), [0; 0]);
    assert_eq!(missing_section("# XX001 x\n## Instead\n## Why\n"), Some("## Instead"));
    assert_eq!(
        dependencies(
            "[package]\n[dependencies]\ncql.workspace = true\nx = { a = 1 }\n[lints]\ny = 1\n"
        ),
        ["cql", "x"]
    );
}
