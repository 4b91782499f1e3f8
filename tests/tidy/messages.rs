//! Whether production code looks into a message to decide something.
//!
//! A sentence is the rendering of data: whoever wants to know what it says asks the data. Taken for a look into a sentence
//! is a search in a text for a literal of several words, and any search in what is called a message, a help or a note or was
//! just rendered. Formats of others and what users write are listed, each with its reason. Tests do not count.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The functions that look into a text.
const SEARCHES: [&str; 16] = [
    "contains",
    "ends_with",
    "find",
    "matches",
    "replace",
    "replacen",
    "rfind",
    "rsplit",
    "rsplit_once",
    "split",
    "split_once",
    "starts_with",
    "strip_prefix",
    "strip_suffix",
    "trim_end_matches",
    "trim_start_matches",
];

/// What holds a sentence, by its name.
const SENTENCES: [&str; 6] = ["advice", "help", "message", "note", "sentence", "to_string()"];

/// Searches that may stay: the file, the argument, and whose text it is.
const ALLOWED: [(&str, &str, &str); 15] = [
    ("check/src/pages/blocks.rs", "-- file: ", "the pages of rules name the files of a block so"),
    ("check/src/pages/fixes.rs", "-- file: ", "the pages of rules name the files of a block so"),
    ("check/src/pages/fixes.rs", "-- before", "the pages of rules mark what was there before so"),
    ("check/src/pages/fixes.rs", "CREATE TABLE ", "tests check the CQL that a help proposes"),
    ("check/src/program/cql_detection.rs", " in", "a statement in a program of the user"),
    ("check/src/rule/entry.rs", "; needs ", "the head of a rule's page is a format"),
    ("cluster/src/driver_error.rs", " (os error", "the standard library's text of an error"),
    ("helenus/src/proof/code/toolchain.rs", "name = ", "a manifest of Cargo"),
    ("helenus/src/workspace/git_revision.rs", " blob ", "git's answer to `cat-file --batch`"),
    ("model/src/sql/scan.rs", "from stdin", "a statement in the user's dump"),
    ("model/src/sql/token.rs", "at Line: ", "sqlparser's errors are texts"),
    ("model/src/sql/token.rs", "Expected: ", "sqlparser's errors are texts"),
    ("model/src/sql/token.rs", ", found: ", "sqlparser's errors are texts"),
    ("model/src/sql/types.rs", "interval ", "a type of SQL in the user's file"),
    ("schema/src/ddl/function/scalar.rs", "return ", "the Java of a user's function"),
];

#[test]
#[expect(clippy::print_stdout, reason = "how much was looked at")]
fn production_code_does_not_look_into_messages() {
    let mut calls = 0;
    let mut findings = Vec::new();
    let mut used = BTreeSet::new();
    for path in production_files() {
        let name = path.strip_prefix(super::root()).unwrap_or(&path).display().to_string();
        // Printers of code arrange the text of programs, which has no messages.
        if name.starts_with("crates/codegen/") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a source can be read");
        for call in searches(&text) {
            calls += 1;
            let allowed = ALLOWED.iter().position(|(file, argument, _)| {
                name.ends_with(file) && call.argument.contains(argument)
            });
            if let Some(allowed) = allowed {
                used.insert(allowed);
            } else if call.is_sentence_search() {
                let TextSearch { line, receiver, function, argument } = call;
                findings.push(format!("{name}:{line}: {receiver}.{function}({argument})"));
            }
        }
    }
    assert!(calls > 500, "only {calls} searches found: is the root right?");
    for (file, argument, _) in
        ALLOWED.iter().enumerate().filter_map(|(at, entry)| (!used.contains(&at)).then_some(entry))
    {
        findings.push(format!("{file}: {argument} is allowed and not there"));
    }
    let found = findings.len();
    assert!(findings.is_empty(), "{found} of {calls} searches:\n{}", findings.join("\n"));
    println!("{calls} searches in texts, none in a sentence");
}

/// A call that looks into a text.
#[derive(Debug, PartialEq)]
struct TextSearch {
    line: usize,
    /// The last part of what is searched.
    receiver: String,
    function: String,
    argument: String,
}

impl TextSearch {
    fn is_sentence_search(&self) -> bool {
        // The words `message.contains(&x)` may also be about a list: only what is searched for a text counts.
        let is_text = self.argument.starts_with(['"', '\'', '&', '[']);
        SENTENCES.contains(&&*self.receiver) && is_text && !is_escape(&self.argument)
            || literals(&self.argument).iter().any(|literal| is_sentence(literal))
    }
}

/// Whether a search is for a single sign, as quoting and cutting do.
fn is_escape(argument: &str) -> bool {
    argument.starts_with('\'') || argument.starts_with("['")
}

/// Whether a literal has several words.
fn is_sentence(literal: &str) -> bool {
    literal.contains(' ') && literal.contains(|sign: char| sign.is_alphabetic())
}

/// The calls that look into a text, in the code of a file apart from its tests.
fn searches(text: &str) -> Vec<TextSearch> {
    let end = text.find("\n#[cfg(test)]\nmod tests {").unwrap_or(text.len());
    let code = strip_comments(&text[..end]);
    let mut calls = Vec::new();
    for (at, _) in code.match_indices('.') {
        let rest = &code[at + 1..];
        let Some((function, _)) = rest.split_once('(') else { break };
        if !SEARCHES.contains(&function) {
            continue;
        }
        let argument = argument(&rest[function.len() + 1..]);
        // A closure is asked about items, not about a text.
        if argument.starts_with('|') || argument.starts_with("move ") {
            continue;
        }
        calls.push(TextSearch {
            line: code[..at].matches('\n').count() + 1,
            receiver: receiver(&code[..at]),
            function: function.to_owned(),
            argument: argument.to_owned(),
        });
    }
    calls
}

/// The last name before a call, with its parentheses if it is a call without arguments.
fn receiver(before: &str) -> String {
    let before = before.trim_end();
    let name = before.strip_suffix("()").unwrap_or(before);
    let start = name.rfind(|sign: char| !sign.is_alphanumeric() && sign != '_');
    before[start.map_or(0, |start| start + 1)..].to_owned()
}

/// The arguments of a call, up to its closing parenthesis.
fn argument(rest: &str) -> &str {
    let mut depth = 0;
    let mut at = 0;
    while let Some(sign) = rest[at..].chars().next() {
        match sign {
            '(' => depth += 1,
            ')' if depth == 0 => return rest[..at].trim(),
            ')' => depth -= 1,
            _ => {}
        }
        at += literal_length(&rest[at..]).unwrap_or(sign.len_utf8());
    }
    rest.trim()
}

/// The contents of the string literals in a piece of code.
fn literals(code: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(sign) = code[at..].chars().next() {
        let length = literal_length(&code[at..]);
        if let Some(length) = length.filter(|_| sign != '\'') {
            found.push(&code[at..at + length]);
        }
        at += length.unwrap_or(sign.len_utf8());
    }
    found
}

/// The length of the string or character literal that starts here, with its quotes.
fn literal_length(code: &str) -> Option<usize> {
    if let Some(raw) = code.strip_prefix('r')
        && raw.trim_start_matches('#').starts_with('"')
    {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        let close = format!("\"{}", "#".repeat(hashes));
        let inside = &raw[hashes + 1..];
        return Some(1 + hashes + 1 + inside.find(&close)? + close.len());
    }
    let quote = code.chars().next().filter(|sign| matches!(sign, '"' | '\''))?;
    let mut escaped = false;
    for (at, sign) in code.char_indices().skip(1) {
        match sign {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if sign == quote => return Some(at + 1),
            // A lifetime.
            _ if quote == '\'' && at > 1 && !code.starts_with("'\\") => return None,
            _ => {}
        }
    }
    None
}

/// A text with blanks in place of its comments.
fn strip_comments(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(sign) = text[at..].chars().next() {
        let rest = &text[at..];
        let comment = if rest.starts_with("//") {
            Some(rest.find('\n').unwrap_or(rest.len()))
        } else if rest.starts_with("/*") {
            Some(rest.find("*/").map_or(rest.len(), |end| end + 2))
        } else {
            None
        };
        let length = literal_length(rest).unwrap_or(sign.len_utf8());
        if let Some(length) = comment {
            code.extend(rest[..length].chars().filter(|sign| *sign == '\n'));
            at += length;
        } else {
            code.push_str(&rest[..length]);
            at += length;
        }
    }
    code
}

/// The files of our crates that are no tests: neither by their folder nor by how their module is declared.
fn production_files() -> Vec<PathBuf> {
    let is_test = |path: &Path| {
        path.components().any(|part| part.as_os_str() == "tests" || part.as_os_str() == "benches")
            || path.file_stem().is_some_and(|stem| stem == "tests")
    };
    let crates = super::root().join("crates");
    let mut files = super::sources();
    files.retain(|path| path.starts_with(&crates) && !is_test(path));
    let tests: BTreeSet<PathBuf> = files.iter().flat_map(|path| test_modules(path)).collect();
    files.retain(|path| !tests.iter().any(|test| path.starts_with(test)));
    files.retain(|path| !tests.contains(&path.with_extension("")));
    files
}

/// The modules that a file declares for tests only, as paths without ending.
fn test_modules(path: &Path) -> Vec<PathBuf> {
    let text = fs::read_to_string(path).expect("a source can be read");
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let folder = if matches!(&*stem, "mod" | "lib" | "main") {
        path.parent().unwrap_or(path).to_owned()
    } else {
        path.with_extension("")
    };
    let lines: Vec<&str> = text.lines().collect();
    let declared = lines.windows(2).filter(|pair| pair[0].trim() == "#[cfg(test)]");
    declared
        .filter_map(|pair| pair[1].trim().rsplit_once("mod ")?.1.strip_suffix(';'))
        .map(|name| folder.join(name))
        .collect()
}

#[test]
fn looks_into_sentences_are_noticed() {
    let found = |text: &str| {
        let calls = searches(text).into_iter();
        calls.filter(TextSearch::is_sentence_search).map(|call| call.line).collect::<Vec<_>>()
    };
    assert_eq!(found("if text.starts_with(\"there is no\") {}"), [1]);
    assert_eq!(found("\n    error\n        .message\n        .ends_with(\"closed\");"), [4]);
    assert_eq!(found("error.to_string().contains(&word)"), [1]);
    assert_eq!(found("let (_, found) = text.split_once(r#\" found \"#)?;"), [1]);
    assert_eq!(found("text.find(['a', ')']); help.strip_suffix(\"?\")"), [1]);
    let fine = "name.starts_with(\"idx_\"); // text.contains(\"a b\")\n\
                /* text.contains(\"a b\") */ text.split(' '); text.contains(\"//\");\n\
                items.iter().find(|item| item.name == \"a b\"); message.replace('\\n', \" \")\n\
                #[cfg(test)]\nmod tests {\n    text.contains(\"a b\")\n}";
    assert_eq!(found(fine), [0; 0]);
    assert_eq!(searches(fine).len(), 4);
}
