//! The open documents, and the findings published for them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use check::Finding;
use serde_json::{Value, json};

use super::positions::{LineIndex, PositionEncoding};
use crate::render::findings::full_message;
use crate::workspace::EditorText;

/// A text that the editor has open.
#[derive(Debug)]
pub(super) struct Document {
    pub(super) opened: EditorText,
    pub(super) lines: LineIndex,
    version: Value,
}

impl Document {
    pub(super) fn text(&self) -> &str {
        &self.opened.text
    }

    /// Whether it is the same document, in whichever version.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.opened.name == other.opened.name
    }
}

/// All open documents.
#[derive(Debug, Default)]
pub(super) struct Documents {
    pub(super) encoding: PositionEncoding,
    open: BTreeMap<String, Rc<Document>>,
    /// The documents whose findings must be published again.
    changed: BTreeSet<String>,
    /// The findings that were published last, by document.
    published: BTreeMap<String, Vec<Finding>>,
    changes: u64,
}

impl Documents {
    /// Sets the text of a document that was opened or changed.
    pub(super) fn set_text(&mut self, uri: &str, text: &str, version: &Value) {
        let known = self.open.get(uri).map(|document| document.opened.path.clone());
        let path = known.unwrap_or_else(|| {
            let path = uri_to_path(uri)?;
            Some(path.canonicalize().unwrap_or(path))
        });
        self.changes += 1;
        let opened =
            EditorText { name: uri.to_owned(), path, text: text.into(), change: self.changes };
        let document = Document { opened, lines: LineIndex::new(text), version: version.clone() };
        self.open.insert(uri.to_owned(), Rc::new(document));
        self.changed.insert(uri.to_owned());
    }

    /// Closes a document. Returns an empty list of diagnostics to publish, since an editor keeps
    /// the last ones.
    pub(super) fn close(&mut self, uri: &str) -> Option<Value> {
        self.changed.remove(uri);
        self.published.remove(uri);
        self.open.remove(uri).map(|_| json!({ "uri": uri, "diagnostics": [] }))
    }

    pub(super) fn get(&self, uri: &str) -> Option<Rc<Document>> {
        self.open.get(uri).cloned()
    }

    /// The texts of all open documents.
    pub(super) fn editor_texts(&self) -> Vec<EditorText> {
        self.open.values().map(|document| document.opened.clone()).collect()
    }

    /// Marks all documents, because the schema that they use has changed.
    pub(super) fn mark_all_changed(&mut self) {
        self.changed.extend(self.open.keys().cloned());
    }

    /// A document whose findings must be published.
    pub(super) fn next_changed(&self) -> Option<Rc<Document>> {
        self.get(self.changed.first()?)
    }

    pub(super) fn has_changed(&self, document: &Document) -> bool {
        self.changed.contains(&document.opened.name)
    }

    /// Stores the findings of a document, and returns the notification to send.
    pub(super) fn publish(&mut self, document: &Document, findings: Vec<Finding>) -> Value {
        let uri = &document.opened.name;
        self.changed.remove(uri);
        let diagnostics =
            findings.iter().map(|finding| diagnostic(document, finding, self.encoding));
        let notification = json!({
            "uri": uri,
            "version": document.version,
            "diagnostics": diagnostics.collect::<Vec<_>>(),
        });
        self.published.insert(uri.clone(), findings);
        notification
    }

    /// The findings that were published for a document.
    pub(super) fn findings(&self, document: &Document) -> &[Finding] {
        self.published.get(&document.opened.name).map(Vec::as_slice).unwrap_or_default()
    }
}

/// A finding as a diagnostic of the protocol.
pub(super) fn diagnostic(
    document: &Document,
    finding: &Finding,
    encoding: PositionEncoding,
) -> Value {
    use check::Severity::{Critical, Error, High, Info, Low, Medium};
    let severity = match finding.severity {
        Error | Critical => 1,
        High | Medium => 2,
        Low => 3,
        Info => 4,
    };
    json!({
        "range": document.lines.range(document.text(), finding.place.span, encoding),
        "severity": severity,
        "code": finding.rule.code,
        "source": "helenus",
        "message": full_message(finding),
    })
}

/// The path of a `file:` URI.
pub(super) fn uri_to_path(uri: &str) -> Option<PathBuf> {
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

/// The `file:` URI of a path.
pub(super) fn path_to_uri(path: &str) -> String {
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

    use super::{path_to_uri, uri_to_path};

    #[test]
    fn uris_and_paths_are_inverse() {
        let path = "/a folder/é%/x.cql";
        assert_eq!(path_to_uri(path), "file:///a%20folder/%C3%A9%25/x.cql");
        assert_eq!(uri_to_path(&path_to_uri(path)), Some(PathBuf::from(path)));
        assert_eq!(uri_to_path("untitled:1"), None);
    }
}
