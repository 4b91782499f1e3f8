//! The support file: its declarations that a package uses.

use std::collections::BTreeSet;

use crate::support_selection::{self, SupportDeclaration, select_declarations};

const SUPPORT: &str = include_str!("../../templates/typescript/support.ts");
/// The heading of the first declarations.
const FIRST_HEADING: &str = "// Errors\n";

/// The support file for the other files of a package.
pub(super) fn select_support(code: &str) -> String {
    let (imports, body) = split_imports();
    let texts = select_declarations(&list_declarations(body), code, list_used);
    format!("{imports}{}\n", texts.join("\n\n"))
}

fn split_imports() -> (&'static str, &'static str) {
    SUPPORT.split_at(SUPPORT.find(FIRST_HEADING).unwrap_or_default())
}

/// The names in code, but not those in lines that are comments.
fn list_used(code: &str) -> BTreeSet<String> {
    let is_comment = |line: &str| ["//", "/*", "* ", "*/"].iter().any(|it| line.starts_with(it));
    let lines = code.lines().filter(|line| !is_comment(line.trim_start()));
    support_selection::list_names(&lines.collect::<Vec<_>>().join("\n"), "h")
}

fn list_declarations(body: &'static str) -> Vec<SupportDeclaration> {
    let body = body.trim_matches('\n');
    let mut declarations = Vec::new();
    let mut from = 0;
    let bounds: Vec<usize> = body.match_indices("\n\n").map(|(at, _)| at).collect();
    for end in bounds.into_iter().chain([body.len()]) {
        let next = body.get(end + 2..).unwrap_or_default();
        if next.starts_with([' ', '}', ')']) {
            continue;
        }
        if let Some(text) = body.get(from..end) {
            declarations.push(SupportDeclaration { text, names: list_names(text) });
        }
        from = end + 2;
    }
    declarations
}

/// What a text declares in lines that are not indented.
fn list_names(text: &'static str) -> Vec<&'static str> {
    const KINDS: [&str; 6] =
        ["async function ", "function ", "class ", "const ", "interface ", "type "];
    let names = text.lines().filter_map(|line| {
        let line = line.strip_prefix("export ").unwrap_or(line);
        let rest = KINDS.iter().find_map(|kind| line.strip_prefix(kind))?;
        rest.split(|it: char| !it.is_alphanumeric() && it != '_').next()
    });
    names.collect()
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
    fn declarations_that_are_not_used_are_left_out() {
        let support = select_support("h.Session h.bigint");
        assert!(support.contains("export class Session"), "{support}");
        assert!(!support.contains("function prefixEnd"), "{support}");
    }
}
