//! Identifiers of target languages.

use std::collections::BTreeSet;

use crate::language::{GenerationOptions, Renaming};

/// How the words of an identifier are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NameCase {
    /// `videos_by_user`
    Snake,
    /// `VIDEOS_BY_USER`
    ScreamingSnake,
    /// `videosByUser`
    Camel,
    /// `VideosByUser`
    Pascal,
}

/// The identifiers of one scope: each is used once, and none is a word of the language.
#[derive(Debug)]
pub(crate) struct NameScope<'a> {
    case: NameCase,
    /// The words of the language, and those of the scope.
    reserved: [&'a [&'a str]; 2],
    used: BTreeSet<String>,
    /// Names that are identifiers already: no other name gets them.
    exact: BTreeSet<String>,
    /// Names that could not be kept.
    pub(crate) renamings: Vec<Renaming>,
}

impl<'a> NameScope<'a> {
    /// An empty scope.
    pub(crate) const fn new(case: NameCase, reserved: &'a [&'a str]) -> Self {
        Self {
            case,
            reserved: [reserved, &[]],
            used: BTreeSet::new(),
            exact: BTreeSet::new(),
            renamings: Vec::new(),
        }
    }

    /// Reserves the words of this scope besides those of the language.
    pub(crate) const fn reserve(mut self, words: &'a [&'a str]) -> Self {
        self.reserved[1] = words;
        self
    }

    /// Lets those of the names to come keep their form that have the one of the scope already.
    pub(crate) fn keep_exact<'n>(mut self, names: impl Iterator<Item = &'n String>) -> Self {
        let case = self.case;
        self.exact.extend(names.filter(|name| to_case(case, name) == **name).cloned());
        self
    }

    fn is_reserved(&self, name: &str) -> bool {
        self.reserved.iter().any(|words| words.contains(&name))
    }

    /// The identifier for a name, which no other name of the scope has.
    pub(crate) fn add(&mut self, of: &str, name: &str) -> String {
        let usual = to_case(self.case, name);
        let mut used = usual.clone();
        let mut number = 2;
        let is_taken = |used: &String| {
            self.is_reserved(used)
                || self.used.contains(used)
                || used != name && self.exact.contains(used)
        };
        while is_taken(&used) {
            used = if self.is_reserved(&usual) && number == 2 {
                format!("{usual}_")
            } else {
                format!("{usual}{number}")
            };
            number += 1;
        }
        if let Some(lost) = find_change(name, &usual, &used) {
            let of = format!("{of} {name}");
            self.renamings.push(Renaming { of, usual: lost.to_owned(), used: used.clone() });
        }
        self.used.insert(used.clone());
        used
    }
}

/// The change of the name of a package: of the one that was given, or of the usual form of another.
pub(crate) fn find_package_change(
    options: &GenerationOptions,
    usual: &str,
    used: &str,
) -> Option<Renaming> {
    let wanted = options.package.as_deref().unwrap_or(usual);
    let renaming = || Renaming {
        of: format!("package {wanted}"),
        usual: wanted.to_owned(),
        used: used.to_owned(),
    };
    (wanted != used).then(renaming)
}

/// What a name would have been, if it is another: its usual form, or the name itself where that
/// has letters that identifiers do not keep.
pub(crate) fn find_change<'n>(name: &'n str, usual: &'n str, used: &str) -> Option<&'n str> {
    if !name.is_ascii() {
        return Some(name);
    }
    (used != usual).then_some(usual)
}

/// An identifier of a name's words; one that has no letters or begins with a digit gets a letter.
pub(crate) fn to_case(case: NameCase, name: &str) -> String {
    let words = split_words(name);
    let capital = |word: &str| {
        let mut characters = word.chars();
        let first = characters.next().map(char::to_uppercase);
        first.into_iter().flatten().chain(characters).collect::<String>()
    };
    let joined = match case {
        NameCase::Snake => words.join("_"),
        NameCase::ScreamingSnake => words.join("_").to_uppercase(),
        NameCase::Pascal => words.iter().map(|word| capital(word)).collect(),
        NameCase::Camel => {
            let rest = words.iter().skip(1).map(|word| capital(word));
            words.first().cloned().into_iter().chain(rest).collect()
        }
    };
    if joined.starts_with(|first: char| first.is_alphabetic()) {
        return joined;
    }
    match case {
        NameCase::Snake | NameCase::Camel => format!("n{joined}"),
        NameCase::ScreamingSnake | NameCase::Pascal => format!("N{joined}"),
    }
}

/// The words of a name, in lower case: parts between other characters than letters and digits, and
/// at changes from lower to upper case.
pub(crate) fn split_words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let characters: Vec<char> = name.chars().collect();
    let mut is_open = false;
    for (at, character) in characters.iter().enumerate() {
        if !character.is_ascii_alphanumeric() {
            is_open = false;
            continue;
        }
        let before = at.checked_sub(1).and_then(|at| characters.get(at));
        let after = characters.get(at + 1);
        let begins = character.is_ascii_uppercase()
            && (before.is_some_and(|it| it.is_ascii_lowercase() || it.is_ascii_digit())
                || before.is_some_and(char::is_ascii_uppercase)
                    && after.is_some_and(char::is_ascii_lowercase));
        match words.last_mut() {
            Some(word) if is_open && !begins => word.push(character.to_ascii_lowercase()),
            _ => words.push(character.to_ascii_lowercase().to_string()),
        }
        is_open = true;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::{NameCase, NameScope, split_words, to_case};

    #[test]
    fn words_are_found() {
        assert_eq!(split_words("VideosByUser"), ["videos", "by", "user"]);
        assert_eq!(split_words("HTTPStatus2Go"), ["http", "status2", "go"]);
        assert_eq!(split_words("user_id"), ["user", "id"]);
        assert_eq!(split_words("a-b c"), ["a", "b", "c"]);
        assert_eq!(to_case(NameCase::Camel, "user_id"), "userId");
        assert_eq!(to_case(NameCase::Pascal, "2fa"), "N2fa");
        assert_eq!(to_case(NameCase::Snake, "é"), "n");
    }

    #[test]
    fn names_are_unique_and_allowed() {
        let mut scope = NameScope::new(NameCase::Snake, &["class"]);
        assert_eq!(scope.add("column", "class"), "class_");
        assert_eq!(scope.add("column", "user_id"), "user_id");
        assert_eq!(scope.add("column", "userId"), "user_id2");
        assert_eq!(scope.renamings.len(), 2);
        assert_eq!(scope.add("column", "größe"), "gr_e");
        assert_eq!(scope.renamings.last().map(|it| it.usual.as_str()), Some("größe"));
    }

    #[test]
    fn the_exact_name_keeps_its_form() {
        let names = ["userId", "user_id", "UserId"].map(str::to_owned);
        let mut scope = NameScope::new(NameCase::Snake, &[]).keep_exact(names.iter());
        let found: Vec<String> = names.iter().map(|name| scope.add("column", name)).collect();
        assert_eq!(found, ["user_id2", "user_id", "user_id3"]);
        assert_eq!(scope.renamings.len(), 2);
    }
}
