//! Requests of the editor about a document, and their answers.

use check::editor::{self, CompletionKind, Symbol, SymbolKind};
use check::{Finding, Project};
use cql::Span;
use serde_json::{Value, json};

use super::actions;
use super::documents::{self, Document};
use super::positions::{LineIndex, PositionEncoding};
use crate::render;
use crate::workspace::ProjectView;

/// What can be asked about a document.
pub(super) const METHODS: [&str; 6] = [
    "textDocument/hover",
    "textDocument/completion",
    "textDocument/definition",
    "textDocument/documentSymbol",
    "textDocument/formatting",
    "textDocument/codeAction",
];

/// What a request is about.
pub(super) struct DocumentRequest<'q> {
    /// The document, in its project.
    pub(super) view: &'q ProjectView<'q>,
    pub(super) document: &'q Document,
    /// What was told of it last.
    pub(super) findings: &'q [Finding],
    pub(super) encoding: PositionEncoding,
}

impl DocumentRequest<'_> {
    /// The answer to a request; `None` for one that is not known.
    pub(super) fn answer(&self, method: &str, parameters: &Value) -> Option<Value> {
        let position = &parameters["position"];
        let answer = match method {
            "textDocument/hover" => self.hover(self.offset(position)),
            "textDocument/completion" => Some(self.completion(self.offset(position))),
            "textDocument/definition" => self.definition(self.offset(position)),
            "textDocument/documentSymbol" => Some(self.outline()),
            "textDocument/formatting" => self.formatting(),
            "textDocument/codeAction" => Some(actions::quick_fixes(self, &parameters["range"])),
            _ => return None,
        };
        Some(answer.unwrap_or(Value::Null))
    }

    pub(super) fn offset(&self, position: &Value) -> usize {
        self.document.lines.offset(self.document.text(), position, self.encoding)
    }

    pub(super) fn range(&self, span: Span) -> Value {
        self.document.lines.range(self.document.text(), span, self.encoding)
    }

    /// A name's meaning, or how the statement there would run.
    fn hover(&self, at: usize) -> Option<Value> {
        let ProjectView { project, text, .. } = *self.view;
        let (span, words) = match editor::hover(project, text, at) {
            Some(shown) => (shown.span, shown.text),
            None => describe_access(project, text, at)?,
        };
        let contents = json!({ "kind": "markdown", "value": words });
        Some(json!({ "contents": contents, "range": self.range(span) }))
    }

    fn completion(&self, at: usize) -> Value {
        let found = editor::completions(self.view.project, self.view.text, at);
        let items = found.iter().enumerate().map(|(at, one)| {
            let kind = match one.kind {
                CompletionKind::Column => 5,
                CompletionKind::Table => 22,
                CompletionKind::Keyspace => 9,
                CompletionKind::Type => 7,
                CompletionKind::Function => 3,
                CompletionKind::Keyword => 14,
            };
            let order = format!("{at:04}");
            json!({ "label": one.label, "kind": kind, "detail": one.detail, "sortText": order })
        });
        Value::Array(items.collect())
    }

    fn definition(&self, at: usize) -> Option<Value> {
        let ProjectView { project, text, .. } = *self.view;
        let place = editor::definition(project, text, at)?;
        let known = project.texts.get(place.text)?;
        let range = if place.text == text {
            self.range(place.span)
        } else {
            LineIndex::new(known.text).range(known.text, place.span, self.encoding)
        };
        // Texts that are open have their addresses for names, others their paths.
        let is_address = place.text == text || documents::uri_to_path(known.name).is_some();
        let uri =
            if is_address { known.name.to_owned() } else { documents::path_to_uri(known.name) };
        Some(json!({ "uri": uri, "range": range }))
    }

    fn outline(&self) -> Value {
        let found = editor::symbols(self.view.project, self.view.text);
        Value::Array(found.iter().map(|one| self.symbol(one)).collect())
    }

    fn symbol(&self, one: &Symbol) -> Value {
        let kind = match one.kind {
            SymbolKind::Keyspace => 3,
            SymbolKind::Table => 23,
            SymbolKind::View => 11,
            SymbolKind::Index => 20,
            SymbolKind::Type => 5,
            SymbolKind::Function => 12,
            SymbolKind::Column => 8,
            SymbolKind::Statement => 6,
        };
        json!({
            "name": one.name,
            "kind": kind,
            "range": self.range(one.span),
            "selectionRange": self.range(one.selection),
            "children": one.children.iter().map(|child| self.symbol(child)).collect::<Vec<_>>(),
        })
    }

    fn formatting(&self) -> Option<Value> {
        if self.document.opened.is_program() {
            return None;
        }
        let text = self.document.text();
        let formatted = cql::format(text).ok()?;
        if formatted == text {
            return Some(json!([]));
        }
        let end = u32::try_from(text.len()).ok()?;
        Some(json!([{ "range": self.range(Span::new(0, end)), "newText": formatted }]))
    }
}

/// How the statement at a place would run.
fn describe_access(project: &Project<'_>, text: usize, at: usize) -> Option<(Span, String)> {
    // Statements stand in the order of the texts.
    let next = project
        .statements
        .partition_point(|seen| (seen.place.text, seen.place.span.end as usize) <= (text, at));
    let seen = project.statements.get(next)?;
    if seen.place.text != text || (seen.place.span.start as usize) > at {
        return None;
    }
    let words = render::access_text::plan(project.syntax(seen)?, seen.plan()?);
    Some((seen.place.span, format!("```\n{words}\n```")))
}
