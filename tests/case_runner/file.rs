//! A case file: read, and written back with new verdicts.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::request::CaseRequest;
use crate::verdict::Verdict;

/// A file of statements.
pub(crate) struct CaseFile {
    pub(crate) path: PathBuf,
    pub(crate) statements: Vec<CaseStatement>,
    /// The rule codes its comments claim to cover.
    pub(crate) covers: Vec<String>,
    /// Comments after the last statement.
    tail: Vec<String>,
}

/// A statement with its verdict.
pub(crate) struct CaseStatement {
    /// Comments, blank lines and directives above it, as they stand.
    lead: Vec<String>,
    /// The text as it is sent, semicolon included.
    pub(crate) text: String,
    /// The line it starts at, from 1.
    pub(crate) line: usize,
    pub(crate) request: CaseRequest,
    /// The refusal depends on stored rows, so that no schema alone foretells it.
    pub(crate) needs_data: bool,
    /// Why our answer differs, where it does knowingly.
    pub(crate) diverges: Option<String>,
    /// Why our engine's answer differs, where it does knowingly, though the binder's does not.
    pub(crate) unlike: Option<String>,
    /// What the node said when the file was blessed.
    pub(crate) verdict: Verdict,
}

impl CaseFile {
    /// Reads a file; an unknown directive is an error.
    pub(crate) fn read(path: &Path) -> Result<Self, String> {
        let text = fs::read_to_string(path).map_err(|e| e.to_string())?;
        Self::parse(path, &text)
    }

    fn parse(path: &Path, text: &str) -> Result<Self, String> {
        let mut file = Self {
            path: path.to_owned(),
            statements: Vec::new(),
            covers: Vec::new(),
            tail: Vec::new(),
        };
        let mut lead: Vec<String> = Vec::new();
        for (line, number) in text.lines().zip(1..) {
            if let Some(codes) = line.strip_prefix("-- covers:") {
                file.covers.extend(
                    codes.split([',', ' ']).filter(|code| !code.is_empty()).map(str::to_owned),
                );
            }
            let last = file.statements.last_mut().filter(|_| lead.is_empty());
            if last.is_some_and(|statement| statement.take_line(line)) {
                continue;
            }
            if line.is_empty() || line.starts_with("--") {
                lead.push(line.to_owned());
            } else {
                file.statements.push(CaseStatement::new(std::mem::take(&mut lead), line, number)?);
            }
        }
        file.tail = lead;
        Ok(file)
    }

    /// The file with its present verdicts.
    pub(crate) fn print(&self) -> String {
        let mut lines: Vec<String> = Vec::new();
        for statement in &self.statements {
            lines.extend(statement.lead.iter().cloned());
            lines.push(statement.text.clone());
            lines.extend(statement.verdict.lines());
        }
        lines.extend(self.tail.iter().cloned());
        lines.join("\n") + "\n"
    }

    /// Writes the file where it was read, if that changes it.
    pub(crate) fn write(&self) -> io::Result<()> {
        let text = self.print();
        if fs::read_to_string(&self.path)? == text { Ok(()) } else { fs::write(&self.path, text) }
    }

    /// Whether the file is about what statements do, so that refusals may depend on stored rows everywhere.
    pub(crate) fn is_about_data(&self) -> bool {
        self.name().starts_with("engine/")
    }

    /// The path from the folder of the cases on, for messages.
    pub(crate) fn name(&self) -> String {
        let path = self.path.to_string_lossy();
        path.split_once("tests/cases/")
            .map_or_else(|| path.to_string(), |(_, name)| name.to_owned())
    }
}

impl CaseStatement {
    fn new(lead: Vec<String>, text: &str, line: usize) -> Result<Self, String> {
        let mut statement = Self {
            lead: Vec::new(),
            text: text.to_owned(),
            line,
            request: CaseRequest::default(),
            needs_data: false,
            diverges: None,
            unlike: None,
            verdict: Verdict::default(),
        };
        for directive in lead.iter().filter_map(|line| line.strip_prefix("--:")) {
            let directive = directive.trim();
            let (word, rest) = directive.split_once(' ').unwrap_or((directive, ""));
            match (word, rest) {
                ("data", "") => statement.needs_data = true,
                ("diverges", reason) if !reason.is_empty() => {
                    statement.diverges = Some(reason.to_owned());
                }
                ("unlike", reason) if !reason.is_empty() => {
                    statement.unlike = Some(reason.to_owned());
                }
                ("cassandra", _) => {}
                _ if statement.request.read_directive(word, rest) => {}
                _ => return Err(format!("line {line}: unknown directive `{directive}` above it")),
            }
        }
        statement.lead = lead;
        Ok(statement)
    }

    /// Takes in a line directly below: more of the text, or of the verdict.
    fn take_line(&mut self, line: &str) -> bool {
        if line.starts_with([' ', '\t', ')']) {
            self.text = format!("{}\n{line}", self.text);
            return true;
        }
        self.verdict.read_line(line)
    }
}

#[test]
fn a_file_is_printed_as_it_was_read() {
    let text = "-- covers: QV001, SV002\n\n--: prepare\nSELECT *\n  FROM t;\n--! 0x2200 no\n--~ hm\n-- then\nBEGIN BATCH\n  x;\n)\nUSE y;\n-- end\n";
    let file = CaseFile::parse(Path::new("x.cql"), text).unwrap();
    assert_eq!(file.print(), text);
    assert_eq!(file.covers, ["QV001", "SV002"]);
    let texts: Vec<_> = file.statements.iter().map(|statement| statement.text.as_str()).collect();
    assert_eq!(texts, ["SELECT *\n  FROM t;", "BEGIN BATCH\n  x;\n)", "USE y;"]);
    assert!(file.statements[0].request.manner.prepare);
    assert_eq!(file.statements[0].verdict.refusal, Some((0x2200, "no".to_owned())));
    assert!(CaseFile::parse(Path::new("x.cql"), "--: nonsense\nUSE y;\n").is_err());
}
