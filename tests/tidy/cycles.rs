//! Whether the modules at the top of a crate use one another in circles.
//!
//! The graph is read from the text: `crate::m`, `super::m` as far as it leads to the top, and what the crate's root
//! re-exports from `m`. What the root itself defines is a module of its own here, `lib`. Tests do not count.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// Circles that must stay, each with its reason.
const ACCEPTED: [(&str, &[&str], &str); 0] = [];

/// The name here of what the crate's root defines.
const ROOT: &str = "lib";

#[test]
fn top_level_modules_have_no_cycles() {
    let mut findings = Vec::new();
    let mut modules = 0;
    for folder in super::crate_folders() {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let graph = Graph::read(&folder.join("src"));
        modules += graph.uses.len();
        for circle in graph.circles() {
            let accepted = |(of, members, _): &(&str, &[&str], &str)| {
                *of == name && members.iter().copied().eq(circle.iter().map(String::as_str))
            };
            if !ACCEPTED.iter().any(accepted) {
                findings.push(format!("crates/{name}: {}", graph.describe(&circle)));
            }
        }
    }
    assert!(modules > 100, "only {modules} modules found: is the root right?");
    assert!(findings.is_empty(), "\n{}", findings.join("\n"));
}

/// Which top-level module uses which, and where.
#[derive(Default)]
struct Graph {
    uses: BTreeMap<String, BTreeMap<String, String>>,
}

impl Graph {
    fn read(source: &Path) -> Self {
        let root = ["lib.rs", "main.rs"].map(|name| source.join(name));
        let root = root.into_iter().find(|path| path.is_file()).expect("a crate has a root");
        let root_text = code(&fs::read_to_string(&root).expect("the root can be read"));
        let names = top_level_names(&root_text);
        let mut graph = Self::default();
        for path in rust_files(source) {
            let within = path.strip_prefix(source).unwrap_or(&path).to_owned();
            let module = module_path(&within);
            if module.iter().any(|part| part == "tests") {
                continue;
            }
            let text = code(&fs::read_to_string(&path).expect("a source can be read"));
            let from = module.first().cloned().unwrap_or_else(|| ROOT.to_owned());
            let used = graph.uses.entry(from.clone()).or_default();
            let found = if module.is_empty() {
                names_in_root(&text, &names)
            } else {
                names_used(&text, module.len())
            };
            for (name, line) in found {
                let to = names.get(&name).cloned().unwrap_or_else(|| ROOT.to_owned());
                if to != from {
                    used.entry(to).or_insert_with(|| format!("{}:{line}", within.display()));
                }
            }
        }
        graph
    }

    /// Groups of modules each of which reaches all others.
    fn circles(&self) -> Vec<Vec<String>> {
        let reach: BTreeMap<&String, BTreeSet<&String>> =
            self.uses.keys().map(|module| (module, self.reachable(module))).collect();
        let mut circles = BTreeSet::new();
        for (module, reached) in &reach {
            let mutual = reached.iter().filter(|other| reach[*other].contains(module));
            let circle: Vec<String> = mutual.map(|other| (*other).clone()).collect();
            if !circle.is_empty() {
                circles.insert(circle);
            }
        }
        circles.into_iter().collect()
    }

    /// What a module uses, and what that uses; itself only if the way leads back.
    fn reachable<'g>(&'g self, module: &String) -> BTreeSet<&'g String> {
        let mut reached = BTreeSet::new();
        let mut left: Vec<&String> = vec![];
        left.extend(self.uses.get(module).into_iter().flat_map(BTreeMap::keys));
        while let Some(next) = left.pop() {
            if self.uses.contains_key(next) && reached.insert(next) {
                left.extend(self.uses[next].keys());
            }
        }
        reached
    }

    fn describe(&self, circle: &[String]) -> String {
        let mut text = format!("{} use one another:", circle.join(", "));
        for from in circle {
            for (to, place) in self.uses[from].iter().filter(|(to, _)| circle.contains(to)) {
                let _ = write!(text, "\n    {from} -> {to} ({place})");
            }
        }
        text
    }
}

/// A text without comments and without what is compiled for tests only.
fn code(text: &str) -> String {
    let end = text.find("\n#[cfg(test)]\nmod tests {").unwrap_or(text.len());
    let lines = text[..end].lines().map(|line| {
        let line = remove_literals(line);
        line.split("//").next().unwrap_or_default().to_owned()
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// A line without its string literals: printers of code have paths of the printed program in them.
fn remove_literals(line: &str) -> String {
    let line = line.replace("'\"'", "").replace("\\\"", "");
    line.split('"').step_by(2).collect()
}

/// The modules that a root declares, and the module of each name that it re-exports.
fn top_level_names(root: &str) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    for line in root.lines() {
        let mut words = line.split_whitespace().skip_while(|word| word.starts_with("pub"));
        if words.next() == Some("mod")
            && let Some(name) = words.next()
        {
            let name = name.trim_end_matches([';', '{']).to_owned();
            names.insert(name.clone(), name);
        }
    }
    for statement in root.split(';').filter_map(re_export) {
        let Some((module, rest)) = statement.split_once("::") else { continue };
        let module = module.trim().to_owned();
        if names.contains_key(&module) {
            for name in export_names(rest) {
                names.insert(name, module.clone());
            }
        }
    }
    names
}

/// The path of a statement that re-exports something of the crate itself.
fn re_export(statement: &str) -> Option<&str> {
    let statement = statement.trim();
    let (start, path) = statement.rsplit_once("use ")?;
    start.trim_end().ends_with(['b', ')']).then_some(path.trim())
}

/// The names at the ends of a use tree.
fn export_names(tree: &str) -> Vec<String> {
    let mut names = Vec::new();
    for part in tree.split(['{', '}', ',']) {
        let last = part.rsplit("::").next().unwrap_or_default();
        let last = last.rsplit(" as ").next().unwrap_or_default().trim();
        if !last.is_empty() {
            names.push(last.to_owned());
        }
    }
    names
}

/// The top-level names that the root itself uses, apart from re-exporting them.
fn names_in_root(text: &str, names: &BTreeMap<String, String>) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    for statement in text.split_inclusive(';') {
        if re_export(statement.trim_end_matches(';')).is_some() {
            continue;
        }
        let start = statement.as_ptr() as usize - text.as_ptr() as usize;
        for (at, word) in words(statement) {
            let is_path = statement[at + word.len()..].starts_with("::");
            let is_start = !statement[..at].ends_with("::");
            if is_path && is_start && names.contains_key(word) {
                found.push((word.to_owned(), line_of(text, start + at)));
            }
        }
    }
    found
}

/// The top-level names that a file uses, by `crate::` or by as many `super::` as lead to the top.
fn names_used(text: &str, depth: usize) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    for (at, word) in words(text) {
        let before = &text[..at];
        let rest = match word {
            "crate" => text[at + word.len()..].strip_prefix("::"),
            "super" if !before.ends_with("::") => {
                text[at..].strip_prefix(&"super::".repeat(depth)[..])
            }
            _ => None,
        };
        let Some(rest) = rest else { continue };
        let line = line_of(text, at);
        found.extend(first_names(rest).into_iter().map(|name| (name, line)));
    }
    found
}

/// The first names of a path, or of each path of a group.
fn first_names(rest: &str) -> Vec<String> {
    let Some(group) = rest.strip_prefix('{') else {
        return words(rest).next().map(|(_, word)| word.to_owned()).into_iter().collect();
    };
    let (mut depth, mut names, mut wants_name) = (0, Vec::new(), true);
    for (at, sign) in group.char_indices() {
        match sign {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => wants_name = true,
            _ if wants_name && (sign.is_alphanumeric() || sign == '_') => {
                wants_name = false;
                names.extend(words(&group[at..]).next().map(|(_, word)| word.to_owned()));
            }
            _ => {}
        }
    }
    names.retain(|name| name != "self");
    names
}

/// The identifiers of a text, with their places.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |sign: char| sign.is_alphanumeric() || sign == '_';
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text[at..].find(is_part)?;
        let end = text[start..].find(|sign| !is_part(sign)).map_or(text.len(), |end| start + end);
        at = end;
        Some((start, &text[start..end]))
    })
}

fn line_of(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

/// The module of a file, from the top of its crate; empty for the root.
fn module_path(file: &Path) -> Vec<String> {
    let mut path: Vec<String> =
        file.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
    let stem = path.pop().unwrap_or_default();
    let stem = stem.trim_end_matches(".rs");
    if !(stem == "mod" || path.is_empty() && matches!(stem, "lib" | "main")) {
        path.push(stem.to_owned());
    }
    path
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

#[test]
fn cycles_are_noticed() {
    let names = top_level_names("mod a;\npub mod b;\npub use a::{One, deep::Two as Three};\n");
    let names: Vec<_> = names.iter().map(|(name, module)| format!("{name}={module}")).collect();
    assert_eq!(names, ["One=a", "Three=a", "a=a", "b=b"]);
    let used = |text: &str, depth| {
        names_used(&code(text), depth).into_iter().map(|(name, _)| name).collect::<Vec<_>>()
    };
    assert_eq!(used("use crate::{a::{x, y}, b, One};\n// crate::c\n", 1), ["a", "b", "One"]);
    assert_eq!(used("use super::a;\nfn f() { super::super::b::g() }\n", 1), ["a", "super"]);
    assert_eq!(used("use super::a;\nfn f() { super::super::b::g() }\n", 2), ["b"]);
    let edge = |from: &str, to: &str| {
        (from.to_owned(), BTreeMap::from([(to.to_owned(), "x.rs:1".to_owned())]))
    };
    let graph = Graph { uses: BTreeMap::from([edge("a", "b"), edge("b", "a"), edge("c", "a")]) };
    assert_eq!(graph.circles(), [["a", "b"]]);
}
