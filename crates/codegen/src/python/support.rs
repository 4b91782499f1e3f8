//! The support file: its declarations that a package uses, and what they import.

use std::collections::BTreeSet;

use crate::support_selection::{self, SupportDeclaration, select_declarations};

const SUPPORT: &str = include_str!("../../templates/python/support.py");
/// The first line after the imports.
const FIRST_DECLARATION: &str = "\nT = TypeVar(";

/// The support file for the other files of a package.
pub(super) fn select_support(code: &str) -> String {
    let (imports, body) = split_imports();
    let texts = select_declarations(&list_declarations(body), code, list_used);
    let body = texts.join("\n\n\n");
    let used = list_used(&body);
    format!("{}\n\n{}\n", select_imports(imports, &used).trim_end(), body.trim_matches('\n'))
}

fn split_imports() -> (&'static str, &'static str) {
    SUPPORT.split_at(SUPPORT.find(FIRST_DECLARATION).unwrap_or_default())
}

/// The names in code, but not those in comments and in the texts that say what a function does.
fn list_used(code: &str) -> BTreeSet<String> {
    let code: String = code.split("\"\"\"").step_by(2).collect();
    let lines = code.lines().filter(|line| !line.trim_start().starts_with('#'));
    support_selection::list_names(&lines.collect::<Vec<_>>().join("\n"), "support")
}

fn list_declarations(body: &'static str) -> Vec<SupportDeclaration> {
    let texts = body.trim_matches('\n').split("\n\n\n");
    texts.map(|text| SupportDeclaration { text, names: list_names(text) }).collect()
}

/// What a text declares in lines that are not indented.
fn list_names(text: &'static str) -> Vec<&'static str> {
    let is_word = |it: char| it.is_alphanumeric() || it == '_';
    let names = text.lines().filter_map(|line| {
        let rest = ["async def ", "def ", "class "].iter().find_map(|it| line.strip_prefix(it));
        let line = rest.unwrap_or(line);
        let name = line.split(|it| !is_word(it)).next().unwrap_or_default();
        let after = line.get(name.len()..).unwrap_or_default();
        let is_assigned = after.starts_with(" = ") || after.starts_with(": ");
        (!name.is_empty() && (rest.is_some() || is_assigned)).then_some(name)
    });
    names.collect()
}

/// The imports of the names that are used, or that others import from here (`__all__`).
fn select_imports(imports: &str, used: &BTreeSet<String>) -> String {
    let all = imports.split_once("__all__ = ").map_or("", |(_, names)| names);
    let shared = support_selection::list_names(all, "");
    let is_used = |imported: &str| {
        let name = imported.rsplit(' ').next().unwrap_or_default();
        used.contains(name) || shared.contains(name)
    };
    let mut selected = String::new();
    let mut lines = imports.lines();
    while let Some(line) = lines.next() {
        let (code, comment) = line.split_once("  #").unwrap_or((line, ""));
        if let Some(name) = code.strip_prefix("import ") {
            if !is_used(name) {
                continue;
            }
        } else if let Some((module, names)) =
            code.split_once(" import ").filter(|(module, _)| *module != "from __future__")
        {
            let is_open = names == "(";
            let names: Vec<&str> = if is_open {
                lines
                    .by_ref()
                    .take_while(|it| *it != ")")
                    .map(|it| it.trim_matches([' ', ',']))
                    .collect()
            } else {
                names.split(", ").collect()
            };
            let names: Vec<&str> = names.into_iter().filter(|name| is_used(name)).collect();
            if names.is_empty() {
                continue;
            }
            let comment = if comment.is_empty() { String::new() } else { format!("  #{comment}") };
            let names = if is_open {
                format!("({comment}\n    {},\n)\n", names.join(",\n    "))
            } else {
                format!("{}{comment}\n", names.join(", "))
            };
            selected.push_str(&format!("{module} import {names}"));
            continue;
        }
        selected.push_str(line);
        selected.push('\n');
    }
    selected
}

#[cfg(test)]
mod tests {
    use super::{SUPPORT, list_declarations, select_support, split_imports};

    #[test]
    fn all_is_kept_where_all_is_used() {
        let (_, body) = split_imports();
        let names: Vec<_> = list_declarations(body).into_iter().flat_map(|it| it.names).collect();
        assert_eq!(select_support(&names.join(" ")), SUPPORT);
    }

    #[test]
    fn declarations_and_imports_that_are_not_used_are_left_out() {
        let support = select_support("support.Client support.bucket");
        assert!(support.contains("def bucket("), "{support}");
        assert!(!support.contains("def merge("), "{support}");
        assert!(!support.contains("import heapq"), "{support}");
        assert!(!support.contains("# Values: conditions"), "{support}");
    }
}
