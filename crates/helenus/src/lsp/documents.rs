//! The texts that the editor has open, and the project that each is checked in.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

use check::program::{Language, cql_of};
use check::{Finding, Project, Settings, Text, TextKind};
use cql::ParseOptions;
use serde_json::{Value, json};

use super::positions::{Encoding, Lines};
use crate::commands::session;
use crate::templates;

/// What the folder of the editor says: settings, and the files of the schema.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    /// As the check takes them.
    pub(crate) settings: Settings,
    /// Files whose tables the others use, in the order of their replay.
    pub(crate) schema: Vec<PathBuf>,
    /// Keyspaces that exist already.
    pub(crate) keyspaces: Vec<String>,
}

/// A text that the editor has open.
#[derive(Debug)]
pub(super) struct Document {
    pub(super) text: String,
    /// Its CQL, if it is a program.
    cql: Option<String>,
    pub(super) lines: Lines,
    version: Value,
}

impl Document {
    /// What is parsed.
    fn read(&self) -> &str {
        self.cql.as_deref().unwrap_or(&self.text)
    }

    pub(super) fn is_program(&self) -> bool {
        self.cql.is_some()
    }
}

/// All that the editor has open.
#[derive(Debug, Default)]
pub(super) struct Documents {
    pub(super) workspace: Workspace,
    pub(super) encoding: Encoding,
    open: BTreeMap<String, Document>,
    changed: BTreeSet<String>,
    /// The findings that were told last, by document.
    pub(super) told: BTreeMap<String, Vec<Finding>>,
}

impl Documents {
    /// A text that was opened or changed.
    pub(super) fn put(&mut self, uri: &str, text: &str, version: &Value) {
        let cql = Language::of_name(uri).map(|language| cql_of(text, language));
        let document = Document {
            text: text.to_owned(),
            cql,
            lines: Lines::of(text),
            version: version.clone(),
        };
        self.open.insert(uri.to_owned(), document);
        self.changed.insert(uri.to_owned());
    }

    pub(super) fn close(&mut self, uri: &str) {
        self.open.remove(uri);
        self.told.remove(uri);
        self.changed.insert(uri.to_owned());
    }

    pub(super) fn get(&self, uri: &str) -> Option<&Document> {
        self.open.get(uri)
    }

    /// Looks at a document in its project, at its position there.
    pub(super) fn in_project<T>(
        &self,
        uri: &str,
        look: impl FnOnce(&Project<'_>, usize) -> T,
    ) -> Option<T> {
        let document = self.open.get(uri)?;
        let own = path_of(uri);
        // What the editor has open counts, not what is on disk.
        let schema: Vec<(String, String)> = self
            .workspace
            .schema
            .iter()
            .filter(|path| own.as_ref() != Some(path))
            .filter_map(|path| {
                let open = self.open.iter().find(|(uri, _)| path_of(uri).as_ref() == Some(path));
                let text = match open {
                    Some((_, document)) => document.text.clone(),
                    None => std::fs::read_to_string(path).ok()?,
                };
                Some((path.display().to_string(), text))
            })
            .collect();
        let options_of =
            |name: &str, text: &str| ParseOptions { templates: templates::is_template(name, text) };
        let options = if document.is_program() {
            ParseOptions { templates: true }
        } else {
            options_of(uri, document.read())
        };
        let mut texts: Vec<Text<'_>> = schema
            .iter()
            .map(|(name, text)| Text {
                name,
                text,
                parsed: cql::parse_with(text, &options_of(name, text)),
                kind: TextKind::Cql,
                is_told: false,
            })
            .collect();
        texts.push(Text {
            name: uri,
            text: document.read(),
            parsed: cql::parse_with(document.read(), &options),
            kind: if document.is_program() { TextKind::Program } else { TextKind::Cql },
            is_told: true,
        });
        let statements = texts.iter().flat_map(|text| &text.parsed.statements);
        let session = session::start(&self.workspace.keyspaces, statements).ok()?;
        let at = texts.len() - 1;
        let project = Project::new(texts, session, &self.workspace.settings, None);
        Some(look(&project, at))
    }

    /// The findings of all that was changed since, as the editor wants them.
    pub(super) fn findings(&mut self) -> Vec<Value> {
        let mut all = Vec::new();
        for uri in std::mem::take(&mut self.changed) {
            let found = self.in_project(&uri, |project, _| check::check(project));
            let found = found.unwrap_or_default();
            all.push(match self.open.get(&uri) {
                Some(document) => json!({
                    "uri": uri,
                    "version": document.version,
                    "diagnostics": found
                        .iter()
                        .map(|finding| diagnostic(document, finding, self.encoding))
                        .collect::<Vec<_>>(),
                }),
                None => json!({ "uri": uri, "diagnostics": [] }),
            });
            self.told.insert(uri, found);
        }
        all
    }
}

/// A finding as an editor wants it.
pub(super) fn diagnostic(document: &Document, finding: &Finding, encoding: Encoding) -> Value {
    use check::Severity::{Critical, Error, High, Info, Low, Medium};
    let severity = match finding.severity {
        Error | Critical => 1,
        High | Medium => 2,
        Low => 3,
        Info => 4,
    };
    let mut message = finding.message.clone();
    for note in &finding.notes {
        message.push_str("\nnote: ");
        message.push_str(note);
    }
    if let Some(help) = &finding.help {
        message.push_str("\nhelp: ");
        message.push_str(help);
    }
    json!({
        "range": document.lines.range(&document.text, finding.place.span, encoding),
        "severity": severity,
        "code": finding.rule.code,
        "source": "helenus",
        "message": message,
    })
}

/// The path of a `file:` address.
pub(super) fn path_of(uri: &str) -> Option<PathBuf> {
    let encoded = uri.strip_prefix("file://")?;
    let mut bytes = Vec::with_capacity(encoded.len());
    let mut rest = encoded.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digits = [rest.next()?, rest.next()?];
            let text = std::str::from_utf8(&digits).ok()?;
            bytes.push(u8::from_str_radix(text, 16).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    Some(Path::new(std::str::from_utf8(&bytes).ok()?).to_owned())
}

/// The `file:` address of a path.
pub(super) fn uri_of(path: &str) -> String {
    let mut uri = String::from("file://");
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::{path_of, uri_of};

    #[test]
    fn addresses_and_paths_are_inverse() {
        let path = "/a folder/é%/x.cql";
        assert_eq!(uri_of(path), "file:///a%20folder/%C3%A9%25/x.cql");
        assert_eq!(path_of(&uri_of(path)), Some(PathBuf::from(path)));
        assert_eq!(path_of("untitled:1"), None);
    }
}
