//! Identifiers of Go.

use std::collections::BTreeSet;

use crate::language::Renaming;
use crate::naming::{find_change, split_words};

/// The words of the language and its predeclared identifiers.
const WORDS: [&str; 69] = [
    "break",
    "case",
    "chan",
    "const",
    "continue",
    "default",
    "defer",
    "else",
    "fallthrough",
    "for",
    "func",
    "go",
    "goto",
    "if",
    "import",
    "interface",
    "map",
    "package",
    "range",
    "return",
    "select",
    "struct",
    "switch",
    "type",
    "var",
    "any",
    "bool",
    "byte",
    "comparable",
    "complex64",
    "complex128",
    "error",
    "float32",
    "float64",
    "int",
    "int8",
    "int16",
    "int32",
    "int64",
    "rune",
    "string",
    "uint",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "uintptr",
    "true",
    "false",
    "iota",
    "nil",
    "append",
    "cap",
    "clear",
    "close",
    "complex",
    "copy",
    "delete",
    "imag",
    "len",
    "make",
    "max",
    "min",
    "new",
    "panic",
    "print",
    "println",
    "real",
    "recover",
];

/// Names that the bodies of functions use themselves; also with a number at the end.
const LOCALS: [&str; 55] = [
    "a", "c", "ctx", "err", "rows", "row", "result", "items", "item", "streams", "stream", "tasks",
    "turn", "step", "first", "value", "w", "end", "ended", "batch", "running", "moment", "params",
    "one", "other", "group", "groups", "page", "token", "size", "next", "number", "limit", "key",
    "found", "applied", "position", "state", "lookup", "columns", "walk", "from", "to", "ends",
    "expired", "kept", "at", "lookups", "element", "elements", "grouped", "order", "after",
    "parent", "argument",
];

/// Words that Go writes in capitals.
const INITIALISMS: [&str; 22] = [
    "acl", "api", "cpu", "css", "dns", "html", "http", "https", "id", "ip", "json", "sql", "tcp",
    "tls", "ttl", "udp", "ui", "uri", "url", "uuid", "utf8", "xml",
];

/// Packages of the standard library after which no package is named.
const PACKAGES: [&str; 20] = [
    "access", "bufio", "bytes", "cmp", "context", "errors", "fmt", "gocql", "inf", "main", "math",
    "net", "os", "reflect", "slices", "sort", "strconv", "strings", "sync", "time",
];

/// The identifiers of one scope.
#[derive(Debug)]
pub(super) struct GoNameScope {
    is_exported: bool,
    suffix: &'static str,
    reserved: BTreeSet<String>,
    used: BTreeSet<String>,
    /// Names that are identifiers already: no other name gets them.
    exact: BTreeSet<String>,
    /// Names that could not be kept.
    pub(super) renamings: Vec<Renaming>,
}

impl GoNameScope {
    /// Identifiers that other packages see.
    pub(super) fn to_exported(reserved: impl IntoIterator<Item = String>) -> Self {
        Self {
            is_exported: true,
            suffix: "2",
            reserved: reserved.into_iter().collect(),
            used: BTreeSet::new(),
            exact: BTreeSet::new(),
            renamings: Vec::new(),
        }
    }

    /// Identifiers inside the package: local variables and fields.
    pub(super) fn local(reserved: impl IntoIterator<Item = String>) -> Self {
        Self { is_exported: false, suffix: "Value", ..Self::to_exported(reserved) }
    }

    /// Lets those of the names to come keep their form that have the one of the scope already.
    pub(super) fn keep_exact<'n>(mut self, names: impl Iterator<Item = &'n String>) -> Self {
        let is_exported = self.is_exported;
        self.exact.extend(names.filter(|name| join_words(name, is_exported) == **name).cloned());
        self
    }

    /// The identifier for a name, which no other name of the scope has.
    pub(super) fn add(&mut self, of: &str, name: &str) -> String {
        let usual = join_words(name, self.is_exported);
        let mut used = usual.clone();
        let mut number = 2;
        let is_taken = |used: &String| {
            self.is_reserved(used)
                || self.used.contains(used)
                || used != name && self.exact.contains(used)
        };
        while is_taken(&used) {
            // A number alone does not help where names with a number at the end are reserved too.
            used = match (self.is_reserved(&usual), number) {
                (true, 2) => format!("{usual}{}", self.suffix),
                (true, _) => format!("{usual}{}{number}", self.suffix),
                (false, _) => format!("{usual}{number}"),
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

    fn is_reserved(&self, name: &str) -> bool {
        if self.reserved.contains(name) {
            return true;
        }
        if self.is_exported {
            return false;
        }
        let base = name.trim_end_matches(|it: char| it.is_ascii_digit());
        WORDS.contains(&name)
            || LOCALS.contains(&base)
            || self.reserved.contains(base)
            || super::format::list_packages().any(|it| it == name)
    }
}

/// The words of a name as Go joins them.
pub(super) fn join_words(name: &str, is_exported: bool) -> String {
    let mut joined = String::new();
    for (at, word) in split_words(name).iter().enumerate() {
        if at == 0 && !is_exported {
            joined.push_str(word);
        } else if INITIALISMS.contains(&word.as_str()) {
            joined.push_str(&word.to_uppercase());
        } else {
            let mut characters = word.chars();
            joined.extend(characters.next().map(|it| it.to_ascii_uppercase()));
            joined.push_str(characters.as_str());
        }
    }
    if joined.starts_with(|it: char| it.is_ascii_alphabetic()) {
        return joined;
    }
    format!("{}{joined}", if is_exported { "N" } else { "n" })
}

/// The name with a small first letter (or first word in capitals), for what belongs to a function.
pub(super) fn to_private(name: &str) -> String {
    let capitals = name.chars().take_while(char::is_ascii_uppercase).count();
    let small = if capitals > 1 && capitals < name.len() { capitals - 1 } else { capitals.max(1) };
    let (head, tail) = name.split_at(small.min(name.len()));
    format!("{}{tail}", head.to_ascii_lowercase())
}

/// The name of a package: small letters and digits.
pub(super) fn name_package(name: &str) -> String {
    let mut package: String = split_words(name).concat();
    if !package.starts_with(|it: char| it.is_ascii_alphabetic()) {
        package.insert_str(0, "data");
    }
    if WORDS.contains(&package.as_str()) || PACKAGES.contains(&package.as_str()) {
        package.push_str("data");
    }
    package
}

#[cfg(test)]
mod tests {
    use super::{GoNameScope, join_words, name_package, to_private};

    #[test]
    fn names_are_those_of_go() {
        assert_eq!(join_words("user_id", true), "UserID");
        assert_eq!(join_words("id_of_url", false), "idOfURL");
        assert_eq!(join_words("2fa", true), "N2fa");
        assert_eq!(to_private("VideosByUser"), "videosByUser");
        assert_eq!(to_private("URLOfUser"), "urlOfUser");
        assert_eq!(to_private("ID"), "id");
        assert_eq!(name_package("my_app"), "myapp");
        assert_eq!(name_package("time"), "timedata");
    }

    #[test]
    fn words_of_the_language_are_avoided() {
        let mut scope = GoNameScope::local(["helper".to_owned()]);
        assert_eq!(scope.add("parameter", "type"), "typeValue");
        assert_eq!(scope.add("parameter", "turn0"), "turn0Value");
        assert_eq!(scope.add("parameter", "helper"), "helperValue");
        assert_eq!(scope.add("parameter", "user_id"), "userID");
        assert_eq!(scope.add("parameter", "userId"), "userID2");
        assert_eq!(scope.add("parameter", "from"), "fromValue");
        assert_eq!(scope.add("parameter", "from_"), "fromValue3");
    }
}
