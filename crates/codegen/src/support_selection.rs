//! The part of a support file that a package needs: who reads a package reads that file too.

use std::collections::BTreeSet;

/// A part of a support file between two empty lines (or as many as the language has there).
pub(crate) struct SupportDeclaration {
    /// Its text.
    pub(crate) text: &'static str,
    /// What it declares; nothing: it is the heading of the declarations after it.
    pub(crate) names: Vec<&'static str>,
}

/// The declarations that code uses, itself or through others, with their headings. `strip` removes
/// comments from code.
pub(crate) fn select_declarations(
    declarations: &[SupportDeclaration],
    code: &str,
    strip: fn(&str) -> String,
) -> Vec<&'static str> {
    let mut used = list_words(&strip(code));
    let mut is_selected = vec![false; declarations.len()];
    loop {
        let mut has_changed = false;
        for (declaration, selected) in declarations.iter().zip(&mut is_selected) {
            if !*selected && declaration.names.iter().any(|name| used.contains(*name)) {
                (*selected, has_changed) = (true, true);
                used.extend(list_words(&strip(declaration.text)));
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

/// The words of code.
pub(crate) fn list_words(code: &str) -> BTreeSet<String> {
    let words = code.split(|character: char| !character.is_alphanumeric() && character != '_');
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}
