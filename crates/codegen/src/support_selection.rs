//! The part of a support file that a package needs: who reads a package reads that file too.

use std::collections::BTreeSet;

/// A part of a support file between two empty lines (or as many as the language has there).
pub(crate) struct SupportDeclaration {
    /// Its text.
    pub(crate) text: &'static str,
    /// What it declares; nothing: it is the heading of the declarations after it.
    pub(crate) names: Vec<&'static str>,
}

/// The declarations that code uses, itself or through others, with their headings. `list_used` lists
/// the names that code uses; it may list more.
pub(crate) fn select_declarations(
    declarations: &[SupportDeclaration],
    code: &str,
    list_used: fn(&str) -> BTreeSet<String>,
) -> Vec<&'static str> {
    let mut used = list_used(code);
    let mut is_selected = vec![false; declarations.len()];
    loop {
        let mut has_changed = false;
        for (declaration, selected) in declarations.iter().zip(&mut is_selected) {
            if !*selected && declaration.names.iter().any(|name| used.contains(*name)) {
                (*selected, has_changed) = (true, true);
                used.extend(list_used(declaration.text));
            }
        }
        if !has_changed {
            break;
        }
    }
    let mut texts = Vec::new();
    let mut heading = None;
    for (declaration, selected) in declarations.iter().zip(is_selected) {
        if declaration.names.is_empty() {
            heading = Some(declaration.text);
        } else if selected {
            texts.extend(heading.take());
            texts.push(declaration.text);
        }
    }
    texts
}

/// The names in code without those of members, as `add` in `found.add(one)`, unless they are members
/// of this module.
pub(crate) fn list_names(code: &str, module: &str) -> BTreeSet<String> {
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    let mut names = BTreeSet::new();
    let mut rest = code;
    while let Some(start) = rest.find(is_word) {
        let before = code.get(..code.len() - rest.len() + start).unwrap_or_default();
        let from = rest.get(start..).unwrap_or_default();
        let word = from.split(|character| !is_word(character)).next().unwrap_or_default();
        rest = from.get(word.len()..).unwrap_or_default();
        let owner = before.strip_suffix('.').filter(|owner| !owner.ends_with('.'));
        let is_own = owner.is_none_or(|owner| {
            owner.strip_suffix(module).is_some_and(|it| !it.ends_with(is_word))
        });
        if is_own {
            names.insert(word.to_owned());
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::list_names;

    #[test]
    fn members_are_no_names_but_those_of_the_module() {
        let code = "support.merge(found.add(one), ...rest, xsupport.other)";
        let names: Vec<_> = list_names(code, "support").into_iter().collect();
        assert_eq!(names, ["found", "merge", "one", "rest", "support", "xsupport"]);
    }
}
