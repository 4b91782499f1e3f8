//! What is said about a statement: accepted or refused, with which words. A node says it, and so does our binder.

use std::fmt::Write;
use std::io;

use crate::protocol::{Answer, Connection, Options, Outcome};

/// The keyspace in which every case starts.
pub(crate) const KEYSPACE: &str = "ks";
/// A node's syntax errors of the grammar start so; their wording is the parser generator's and is not compared.
const GRAMMAR_TEXTS: [&str; 2] = ["line ", "Failed parsing statement: "];
const SYNTAX: u32 = 0x2000;
/// PREPARE warns of the session's USE; that says nothing about the statement.
const USE_WARNING: &str = "`USE <keyspace>` with prepared statements";

/// How a statement is put to a judge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RunMode {
    /// Prepared and not run.
    pub(crate) prepare: bool,
    /// Run without pages.
    pub(crate) unpaged: bool,
}

/// The answer to one statement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Verdict {
    /// Code and text of the refusal; nothing for an accepted statement.
    pub(crate) refusal: Option<(u32, String)>,
    /// Warnings, in order.
    pub(crate) warnings: Vec<String>,
    /// The markers of a prepared statement.
    pub(crate) markers: Option<String>,
    /// The result columns of a prepared statement, or of rows.
    pub(crate) columns: Option<String>,
    /// The rows, a line each.
    pub(crate) rows: Option<Vec<String>>,
    /// How many pages the rows came in, where that was asked.
    pub(crate) pages: Option<usize>,
}

impl Verdict {
    /// What the node says; of rows, that there are some.
    pub(crate) fn from_node(
        node: &mut Connection,
        text: &str,
        manner: RunMode,
    ) -> io::Result<Self> {
        let outcome = if manner.prepare {
            node.prepare(text)?
        } else {
            let page_size = if manner.unpaged { None } else { Options::default().page_size };
            node.query(text, &Options { page_size, ..Options::default() })?
        };
        let mut verdict = Self::default();
        verdict.add_answer(&outcome, text);
        Ok(verdict)
    }

    /// Takes in an answer, but for its rows.
    pub(crate) fn add_answer(&mut self, outcome: &Outcome, text: &str) {
        let warnings = outcome.warnings.iter().filter(|text| !text.starts_with(USE_WARNING));
        self.warnings.extend(warnings.map(|text| escape(text)));
        match &outcome.result {
            Ok(Answer::Prepared(prepared)) => {
                self.markers = Some(prepared.markers_line()).filter(|line| !line.is_empty());
                self.columns = Some(prepared.columns_line()).filter(|line| !line.is_empty());
            }
            Ok(_) => {}
            Err(refusal) => self.set_refusal(Some((refusal.code, refusal.message.clone())), text),
        }
    }

    /// The comment lines under the statement.
    pub(crate) fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some((code, text)) = &self.refusal {
            lines.push(format!("--! {code:#06x} {text}").trim_end().to_owned());
        }
        lines.extend(self.markers.iter().map(|line| format!("--? {line}")));
        lines.extend(self.columns.iter().map(|line| format!("--= {line}")));
        if let Some(rows) = &self.rows {
            lines.extend(rows.iter().map(|row| format!("--| {row}")));
            match self.pages {
                Some(pages) => lines.push(format!("--. {} rows, {pages} pages", rows.len())),
                None if rows.is_empty() => lines.push("--. 0 rows".to_owned()),
                None => {}
            }
        }
        lines.extend(self.warnings.iter().map(|line| format!("--~ {line}")));
        lines
    }

    /// Takes in one comment line; `false` if it is none of a verdict.
    pub(crate) fn read_line(&mut self, line: &str) -> bool {
        let Some((mark, rest)) = line.split_at_checked(3) else { return false };
        let rest = rest.strip_prefix(' ').unwrap_or(rest).to_owned();
        match mark {
            "--!" => {
                let (code, text) = rest.split_once(' ').unwrap_or((&rest, ""));
                let code =
                    u32::from_str_radix(code.trim_start_matches("0x"), 16).unwrap_or(u32::MAX);
                self.refusal = Some((code, text.to_owned()));
            }
            "--?" => self.markers = Some(rest),
            "--=" => self.columns = Some(rest),
            "--~" => self.warnings.push(rest),
            "--|" => self.rows.get_or_insert_default().push(rest),
            "--." => {
                self.rows.get_or_insert_default();
                let pages = rest.strip_suffix(" pages").and_then(|text| text.rsplit(' ').next());
                self.pages = pages.and_then(|pages| pages.parse().ok());
            }
            _ => return false,
        }
        true
    }

    /// Takes in a refusal, in the form in which files keep it.
    pub(crate) fn set_refusal(&mut self, refusal: Option<(u32, String)>, statement: &str) {
        self.refusal = refusal.map(|(code, message)| (code, escape(&mask(&message, statement))));
    }

    /// Whether another says the same as this verdict of a node; of the grammar's own errors only the code counts.
    pub(crate) fn matches(&self, other: &Self) -> bool {
        match (&self.refusal, &other.refusal) {
            (Some((SYNTAX, text)), Some((SYNTAX, _))) if is_grammar_error(text) => true,
            _ => self == other,
        }
    }
}

pub(crate) fn is_grammar_error(text: &str) -> bool {
    GRAMMAR_TEXTS.iter().any(|start| text.starts_with(start))
}

/// One line for a text of several, without characters that nobody sees; a space at its end is spelt for the same reason.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '\\' | '\n' | '\r' => out.extend(c.escape_default()),
            _ if c.is_control() => out.extend(c.escape_unicode()),
            _ => out.push(c),
        }
    }
    let text = out;
    text.strip_suffix(' ').map_or(text.clone(), |start| format!("{start}\\s"))
}

/// Puts the signatures of a function in order: a node lists them as its hash table has them.
fn sort_signatures(message: &str) -> String {
    let Some((head, list)) = message.split_once("signatures: ") else { return message.to_owned() };
    let (mut parts, mut depth, mut last) = (vec![String::new()], 0_usize, ' ');
    let mut tail = String::new();
    for c in list.chars() {
        match c {
            _ if !tail.is_empty() => {}
            '(' | '<' => depth += 1,
            '>' if last == '-' => {}
            ')' if depth == 0 => tail.push(' '),
            ')' | '>' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => parts.push(String::new()),
            _ => {}
        }
        match parts.last_mut() {
            _ if !tail.is_empty() => tail.push(c),
            Some(part) if depth > 0 || c != ',' => part.push(c),
            _ => {}
        }
        last = c;
    }
    let mut parts: Vec<_> = parts.iter().map(|part| part.trim()).collect();
    parts.sort_unstable();
    format!("{head}signatures: {}{}", parts.join(", "), tail.trim_start())
}

/// Puts the columns of a doubled bound in order, for the same reason.
fn sort_columns(message: &str) -> String {
    let Some((head, list)) = message.split_once(" bound on ") else { return message.to_owned() };
    let mut columns: Vec<_> = list.split(" ,").collect();
    columns.sort_unstable();
    format!("{head} bound on {}", columns.join(" ,"))
}

/// Replaces what a node makes up anew each time: identifiers, addresses of sockets; hash codes of Java objects go.
///
/// An identifier that stands in the statement is no invention and stays.
pub(crate) fn mask(message: &str, statement: &str) -> String {
    let message = sort_columns(&sort_signatures(message));
    let mut out = String::new();
    let mut rest = message.as_str();
    while let Some(c) = rest.chars().next() {
        let (word, replacement) = match c {
            '@' if out.ends_with(|c: char| c.is_ascii_alphanumeric()) => {
                (1 + hex_length(&rest[1..]), "")
            }
            '/' => (1 + address_length(&rest[1..]), "/<address>"),
            _ if is_uuid(rest) && !out.ends_with(|c: char| c.is_ascii_hexdigit()) => (36, "<uuid>"),
            _ => (0, ""),
        };
        if word > 4 && !statement.contains(&rest[..word]) {
            // A node may or may not have looked up its own name.
            let bare = if c == '/' { out.trim_end_matches("localhost").len() } else { out.len() };
            out.truncate(bare);
            out.push_str(replacement);
            rest = &rest[word..];
        } else {
            let _ = out.write_char(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    out
}

fn hex_length(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_hexdigit).count()
}

/// The length of `127.0.0.1:9042`, or zero for anything else; a colon may follow it.
fn address_length(text: &str) -> usize {
    let length =
        text.bytes().take_while(|b| b.is_ascii_digit() || matches!(b, b'.' | b':')).count();
    let word = text[..length].trim_end_matches(':');
    if word.parse::<std::net::SocketAddrV4>().is_ok() { word.len() } else { 0 }
}

fn is_uuid(text: &str) -> bool {
    let Some(word) = text.as_bytes().get(..36) else { return false };
    word.iter().enumerate().all(|(i, b)| {
        if matches!(i, 8 | 13 | 18 | 23) { *b == b'-' } else { b.is_ascii_hexdigit() }
    })
}

#[test]
fn what_a_node_makes_up_is_masked() {
    let uuid = "5132b130-ae79-11e4-ab27-0800200c9a66";
    assert_eq!(mask(&format!("id {uuid}!"), ""), "id <uuid>!");
    assert_eq!(mask(&format!("id {uuid}!"), &format!("v = {uuid}")), format!("id {uuid}!"));
    assert_eq!(mask("marshal.Foo@1a2b3c4d is", ""), "marshal.Foo is");
    assert_eq!(mask("a@b.c and 1/2", ""), "a@b.c and 1/2");
    assert_eq!(
        mask(
            "f (known type signatures: b : (int, map<int, int>) -> int, a : (text) -> text): use",
            ""
        ),
        "f (known type signatures: a : (text) -> text, b : (int, map<int, int>) -> int): use"
    );
    assert_eq!(mask("for the start bound on d ,c", ""), "for the start bound on c ,d");
    assert_eq!(mask("from /127.0.0.1:9042: no", ""), "from /<address>: no");
    assert_eq!(mask("from localhost/127.0.0.1:9042", ""), "from /<address>");
}

#[test]
fn verdict_lines_read_back() {
    let lines = ["--! 0x2200 no \\n way", "--~ careful", "--? a int | key 0", "--= a int"];
    let mut verdict = Verdict::default();
    assert!(lines.iter().all(|line| verdict.read_line(line)));
    let rows = ["--= a int", "--| 1", "--| null", "--. 2 rows, 3 pages"];
    let mut answer = Verdict::default();
    assert!(rows.iter().all(|line| answer.read_line(line)));
    assert_eq!((answer.lines(), answer.pages), (rows.map(str::to_owned).to_vec(), Some(3)));
    let mut nothing = Verdict::default();
    assert!(nothing.read_line("--. 0 rows") && nothing.lines() == ["--. 0 rows"]);
    assert!(!verdict.read_line("-- a comment") && !verdict.read_line("--"));
    assert_eq!(verdict.lines(), [lines[0], lines[2], lines[3], lines[1]]);
    let syntax =
        |text: &str| Verdict { refusal: Some((SYNTAX, text.to_owned())), ..Verdict::default() };
    assert!(syntax("line 1:2 no").matches(&syntax("line 3:4 else")));
    assert!(!syntax("Unknown property").matches(&syntax("line 1:2 no")));
}
