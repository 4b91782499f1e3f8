//! The part of the support file that a program needs: unused code is a warning in Go.

use std::collections::BTreeSet;

use super::format::list_identifiers;

const SUPPORT: &str = include_str!("../../templates/go/support.go");

/// A declaration of the support file.
struct GoDeclaration {
    text: &'static str,
    /// The type of a method.
    receiver: Option<String>,
    /// What it declares.
    names: Vec<String>,
}

/// The names that the support file declares.
pub(super) fn list_names() -> Vec<String> {
    let declarations = list_declarations().into_iter();
    declarations.filter(|it| it.receiver.is_none()).flat_map(|it| it.names).collect()
}

/// The declarations that code needs, and those for callers.
pub(super) fn select_support(code: &str) -> String {
    let declarations = list_declarations();
    let mut used = list_used(code);
    let mut types: BTreeSet<String> = BTreeSet::new();
    let mut is_selected = vec![false; declarations.len()];
    loop {
        let mut has_changed = false;
        for (declaration, selected) in declarations.iter().zip(&mut is_selected) {
            let is_wanted = |name: &String| {
                used.contains(name) || name.starts_with(|it: char| it.is_uppercase())
            };
            let has_receiver =
                declaration.receiver.as_ref().is_none_or(|receiver| types.contains(receiver));
            if *selected || !has_receiver || !declaration.names.iter().any(is_wanted) {
                continue;
            }
            (*selected, has_changed) = (true, true);
            types.extend(declaration.names.iter().cloned());
            used.extend(list_used(declaration.text));
        }
        if !has_changed {
            break;
        }
    }
    let selected = declarations.iter().zip(is_selected).filter(|(_, selected)| *selected);
    let texts: Vec<&str> = selected.map(|(declaration, _)| declaration.text).collect();
    format!("{}\n", texts.join("\n\n"))
}

/// The identifiers of code other than those that a declaration introduces itself.
fn list_used(code: &str) -> BTreeSet<String> {
    let mut used = BTreeSet::new();
    for line in code.lines() {
        let declared = line.strip_prefix("func ").map(|rest| {
            let rest = rest.split_once(") ").map_or(rest, |(receiver, after)| {
                if receiver.starts_with('(') { after } else { rest }
            });
            rest.split(['(', '[']).next().unwrap_or_default()
        });
        let mut found = list_identifiers(line);
        if let Some(name) = declared {
            found.remove(name);
        }
        used.extend(found);
    }
    used
}

fn list_declarations() -> Vec<GoDeclaration> {
    let start = SUPPORT.find("\n)\n").map_or(0, |at| at + 3);
    let body = SUPPORT.get(start..).unwrap_or_default().trim_matches('\n');
    let mut declarations = Vec::new();
    let mut from = 0;
    let bounds: Vec<usize> = body.match_indices("\n\n").map(|(at, _)| at).collect();
    for end in bounds.into_iter().chain([body.len()]) {
        let next = body.get(end + 2..).unwrap_or_default();
        if next.starts_with(['\t', '}', ')']) {
            continue;
        }
        if let Some(text) = body.get(from..end) {
            declarations.push(describe(text));
        }
        from = end + 2;
    }
    declarations
}

fn describe(text: &'static str) -> GoDeclaration {
    let code = text.lines().find(|line| !line.starts_with("//")).unwrap_or_default();
    let identifier = |rest: &str| {
        rest.split(|it: char| !it.is_alphanumeric() && it != '_')
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    let (mut receiver, mut names) = (None, Vec::new());
    if let Some(rest) = code.strip_prefix("func (") {
        let (of, method) = rest.split_once(") ").unwrap_or_default();
        receiver = of.split(' ').nth(1).map(|ty| identifier(ty.trim_start_matches('*')));
        names.push(identifier(method));
    } else if code == "const (" {
        let inside = text.lines().filter(|line| line.starts_with('\t') && line.contains(" = "));
        names.extend(inside.map(|line| identifier(line.trim_start())));
    } else {
        let rest = ["func ", "type ", "const ", "var "].iter().find_map(|it| code.strip_prefix(it));
        names.push(identifier(rest.unwrap_or_default()));
    }
    GoDeclaration { text, receiver, names }
}

#[cfg(test)]
mod tests {
    use super::{list_names, select_support};

    #[test]
    fn only_needed_declarations_are_kept() {
        assert!(list_names().contains(&"murmurToken".to_owned()));
        let none = select_support("");
        assert!(none.contains("type Options struct"), "{none}");
        assert!(!none.contains("func murmurToken"), "{none}");
        let some = select_support("x := shardOf(4, key)");
        assert!(some.contains("func murmurToken"));
        assert!(!some.contains("func prefixEnd"));
    }
}
