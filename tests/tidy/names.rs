//! Whether names keep to the rules of docs/CONTRIBUTING.md: types and modules are nouns, functions are verbs, a type name
//! is unique in its crate, and a question begins with `is_`, `has_` or `can_`.
//!
//! A machine knows no grammar: words that end in `-ed` and a list of irregular participles are taken for participles, and
//! what only looks like one is listed. Test functions are sentences and do not count.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Participles that do not end in `-ed`. Those that are nouns or verbs as well (`read`, `set`, `split`, `cost`) are left out.
const PARTICIPLES: [&str; 47] = [
    "begun",
    "bought",
    "bound",
    "broken",
    "brought",
    "built",
    "caught",
    "chosen",
    "done",
    "drawn",
    "driven",
    "fallen",
    "found",
    "given",
    "gone",
    "grown",
    "heard",
    "held",
    "hidden",
    "kept",
    "known",
    "laid",
    "left",
    "lost",
    "made",
    "meant",
    "met",
    "paid",
    "said",
    "seen",
    "sent",
    "shown",
    "sold",
    "sought",
    "spent",
    "spoken",
    "stood",
    "struck",
    "taken",
    "taught",
    "thought",
    "thrown",
    "told",
    "torn",
    "understood",
    "won",
    "written",
];
/// Words that end in `-ed` and are none.
const NO_PARTICIPLES: [&str; 9] =
    ["bed", "embed", "exceed", "feed", "need", "proceed", "seed", "speed", "succeed"];
const PREPOSITIONS: [&str; 30] = [
    "above", "after", "against", "at", "before", "behind", "below", "beside", "between", "beyond",
    "by", "down", "in", "of", "off", "on", "out", "over", "per", "through", "under", "until", "up",
    "upon", "via", "within", "without", "from", "into", "with",
];
/// Prepositions that may begin a name, as in the standard library: `from_text`, `with_limits`.
const LEADING: [&str; 3] = ["from", "into", "with"];
/// Gerunds that are nouns of the field.
const NOUNS: [&str; 15] = [
    "binding",
    "checking",
    "clustering",
    "encoding",
    "finding",
    "framing",
    "heading",
    "indexing",
    "mapping",
    "naming",
    "ordering",
    "paging",
    "spelling",
    "string",
    "typing",
];
/// Questions of the standard library that carry no prefix.
const QUESTIONS: [&str; 6] = ["contains", "matches", "starts", "ends", "eq", "ne"];
/// Participles that stand before a noun: `qualified_name`.
const ADJECTIVES: [&str; 9] = [
    "defined",
    "elapsed",
    "preferred",
    "qualified",
    "quoted",
    "related",
    "supported",
    "unbounded",
    "unused",
];
/// Names that stay, each with its reason.
pub(super) const ALLOWED: [(&str, &str); 25] = [
    ("bound", "a lower or upper bound"),
    ("caching", "the option's name in Cassandra"),
    ("check_round_trip", "does something and reports whether it did"),
    ("damage", "does something and reports whether it did"),
    ("elapsed", "the standard library's word"),
    ("get_info", "a trait of rmcp"),
    ("get_prompt", "a trait of rmcp"),
    ("has", "of a set of properties or choices"),
    ("highlight_char", "a trait of rustyline"),
    ("ignores_wildcard_escapes", "a trait of sqlparser"),
    ("leveled", "a compaction strategy of Cassandra"),
    ("parse_boolean", "parses, and returns what it parsed"),
    ("on_progress", "a trait of rmcp"),
    ("requires_single_line_comment_whitespace", "a trait of sqlparser"),
    ("run_git", "does something and reports whether it did"),
    ("run_tick", "does something and reports whether it did"),
    ("size_tiered", "a compaction strategy of Cassandra"),
    ("supports_numeric_literal_underscores", "a trait of sqlparser"),
    ("supports_numeric_prefix", "a trait of sqlparser"),
    ("supports_string_escape_constant", "a trait of sqlparser"),
    ("supports_string_literal_backslash_escape", "a trait of sqlparser"),
    ("supports_unicode_string_literal", "a trait of sqlparser"),
    ("unfiltered", "rows and markers of a partition, in Cassandra's words"),
    ("unified", "a compaction strategy of Cassandra"),
    ("wait_for_return", "does something and reports whether it did"),
];

#[test]
fn names_keep_to_the_rules() {
    let mut findings = Vec::new();
    let mut names = 0;
    for path in super::sources() {
        let text = fs::read_to_string(&path).unwrap();
        let place = path.strip_prefix(super::root()).unwrap_or(&path).display().to_string();
        findings.extend(module_fault(&path).map(|fault| format!("{place}: {fault}")));
        let lines: Vec<_> = text.lines().collect();
        for (at, line) in lines.iter().enumerate() {
            let is_test = at > 0 && lines[at - 1].trim() == "#[test]";
            let Some(function) = Function::parse(&lines[at..], line).filter(|_| !is_test) else {
                continue;
            };
            names += 1;
            findings.extend(function.fault().map(|fault| format!("{place}:{}: {fault}", at + 1)));
        }
    }
    assert!(names > 5_000, "only {names} functions found: is the root right?");
    let word = |finding: &String| finding.rsplit(' ').next().unwrap_or_default().to_owned();
    findings.retain(|finding| !ALLOWED.iter().any(|(name, _)| word(finding) == *name));
    assert!(findings.is_empty(), "{} names:\n{}", findings.len(), findings.join("\n"));
}

#[test]
fn type_names_are_unique_in_their_crate() {
    let mut findings = Vec::new();
    for folder in super::crate_folders() {
        let mut types: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for path in super::sources().into_iter().filter(|path| path.starts_with(folder.join("src")))
        {
            let text = fs::read_to_string(&path).unwrap();
            let place = path.strip_prefix(&folder).unwrap_or(&path).display().to_string();
            for name in text.lines().filter_map(defined_type) {
                types.entry(name.to_owned()).or_default().push(place.clone());
            }
        }
        let repeated = types.into_iter().filter(|(_, places)| places.len() > 1);
        findings.extend(repeated.map(|(name, places)| format!("{name}: {}", places.join(", "))));
    }
    assert!(findings.is_empty(), "\n{}", findings.join("\n"));
}

/// The type that a line defines, apart from associated types.
fn defined_type(line: &str) -> Option<&str> {
    let line = line.trim_start_matches("pub ").trim_start_matches("pub(crate) ");
    let line = line.trim_start_matches("pub(super) ");
    let kinds = ["struct ", "enum ", "trait ", "type ", "union "];
    let rest = kinds.iter().find_map(|kind| line.strip_prefix(kind))?;
    rest.split(|sign: char| !sign.is_alphanumeric() && sign != '_').next()
}

/// What is wrong with the name of a file or, for a door, of its folder.
fn module_fault(path: &Path) -> Option<String> {
    let stem = path.file_stem()?.to_str()?;
    let name = if stem == "mod" { path.parent()?.file_name()?.to_str()? } else { stem };
    // Rules are named for what is found, and keep the names that users write.
    let is_rule = path.components().any(|part| part.as_os_str() == "rules");
    let first = name.split('_').next().unwrap_or_default();
    let is_gerund = name.ends_with("ing") && !name.contains('_') && !NOUNS.contains(&name);
    let is_faulty = is_participle(name) || is_participle(first) && !name.contains('_');
    (!is_rule && (is_faulty || is_gerund || PREPOSITIONS.contains(&name)))
        .then(|| format!("a module is named by a noun, not {name}"))
}

fn is_participle(word: &str) -> bool {
    PARTICIPLES.contains(&word)
        || word.ends_with("ed") && word.len() > 3 && !NO_PARTICIPLES.contains(&word)
}

/// A function, as far as its name is concerned.
struct Function<'a> {
    name: &'a str,
    /// From the parameters to the body.
    signature: String,
}

impl<'a> Function<'a> {
    fn parse(lines: &[&str], line: &'a str) -> Option<Self> {
        let mut rest = line.trim_start();
        for word in
            ["pub ", "pub(crate) ", "pub(super) ", "pub(in crate::rules) ", "const ", "async "]
        {
            rest = rest.strip_prefix(word).unwrap_or(rest);
        }
        let rest = rest.strip_prefix("fn ")?;
        let end = rest.find(|sign: char| !sign.is_alphanumeric() && sign != '_')?;
        let mut signature = rest[end..].to_owned();
        for next in lines.iter().skip(1) {
            if signature.contains(['{', ';']) {
                break;
            }
            signature.push_str(next.trim());
        }
        Some(Self { name: &rest[..end], signature })
    }

    fn fault(&self) -> Option<String> {
        let name = self.name;
        let first = name.split('_').next().unwrap_or_default();
        if is_participle(first) && (name == first || !ADJECTIVES.contains(&first)) {
            return Some(format!("a function is named by a verb, not by a participle: {name}"));
        }
        let is_leading = LEADING.contains(&first);
        if PREPOSITIONS.contains(&first) && (!is_leading || name == first && name != "from") {
            return Some(format!("a function does not begin with a preposition: {name}"));
        }
        let has_prefix = ["is", "has", "can"].contains(&first) && name != first;
        let (parameters, result) =
            self.signature.rsplit_once("->").unwrap_or((&self.signature, ""));
        let result = result.trim_start();
        let is_question = result.starts_with("bool") && !parameters.contains("&mut");
        if has_prefix && !["bool", "Result<bool"].iter().any(|kind| result.starts_with(kind)) {
            return Some(format!("only what returns a bool begins with is_, has_ or can_: {name}"));
        }
        if is_question && !has_prefix && !QUESTIONS.contains(&first) {
            return Some(format!("a question begins with is_, has_ or can_: {name}"));
        }
        None
    }
}

#[test]
fn bad_names_are_noticed() {
    let fault = |line: &str| Function::parse(&[line], line).and_then(|function| function.fault());
    for line in [
        "fn joined(a: &str) -> String {",
        "pub fn of(a: &str) -> Self {",
        "fn by_name() {",
        "fn fits(&self) -> bool {",
        "pub(crate) fn is_stale(&self) -> Error {",
    ] {
        assert!(fault(line).is_some(), "{line}");
    }
    for line in [
        "fn join(a: &str) -> String {",
        "fn from_text(text: &str) -> Self {",
        "fn contains_key(&self) -> bool {",
        "fn insert(&mut self) -> bool {",
        "const fn is_empty(&self) -> bool {",
        "fn needle(&self) -> usize {",
    ] {
        assert_eq!(fault(line), None, "{line}");
    }
    assert_eq!(defined_type("pub(crate) enum Way<'a> {"), Some("Way"));
    assert!(module_fault(Path::new("src/mending.rs")).is_some());
    assert!(module_fault(Path::new("src/found/mod.rs")).is_some());
    assert!(module_fault(Path::new("src/encoding.rs")).is_none());
}
