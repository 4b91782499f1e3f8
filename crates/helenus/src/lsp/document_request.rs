//! The requests about an open document: hover, completion, definition, outline, formatting, code
//! actions.

use check::editor::{self, CompletionKind, Symbol, SymbolKind};
use check::{Finding, Project};
use cql::Span;
use serde_json::{Value, json};

use super::actions;
use super::documents::{self, Document};
use super::positions::{LineIndex, PositionEncoding};
use crate::render;
use crate::workspace::ProjectView;

/// The methods of these requests.
pub(super) const METHODS: [&str; 6] = [
    "textDocument/hover",
    "textDocument/completion",
    "textDocument/definition",
    "textDocument/documentSymbol",
    "textDocument/formatting",
    "textDocument/codeAction",
];

/// The context of a request.
pub(super) struct DocumentRequest<'q> {
    /// The document within its project.
    pub(super) view: &'q ProjectView<'q>,
    pub(super) document: &'q Document,
    /// The findings that were published last.
    pub(super) findings: &'q [Finding],
    pub(super) encoding: PositionEncoding,
}

impl DocumentRequest<'_> {
    /// The response to a request; `None` for an unknown method.
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

    /// Describes the name at an offset, or else the access path of the statement there.
    fn hover(&self, at: usize) -> Option<Value> {
        let ProjectView { project, text, .. } = *self.view;
        let (span, description) = match editor::hover(project, text, at) {
            Some(hover) => (hover.span, hover.text),
            None => describe_access(project, text, at)?,
        };
        let contents = json!({ "kind": "markdown", "value": description });
        Some(json!({ "contents": contents, "range": self.range(span) }))
    }

    fn completion(&self, at: usize) -> Value {
        let completions = editor::completions(self.view.project, self.view.text, at);
        let items = completions.iter().enumerate().map(|(at, completion)| {
            let kind = match completion.kind {
                CompletionKind::Column => 5,
                CompletionKind::Table => 22,
                CompletionKind::Keyspace => 9,
                CompletionKind::Type => 7,
                CompletionKind::Function => 3,
                CompletionKind::Keyword => 14,
            };
            let order = format!("{at:04}");
            json!({
                "label": completion.label,
                "kind": kind,
                "detail": completion.detail,
                "sortText": order,
            })
        });
        Value::Array(items.collect())
    }

    fn definition(&self, at: usize) -> Option<Value> {
        let ProjectView { project, text, .. } = *self.view;
        let place = editor::definition(project, text, at)?;
        let target = project.texts.get(place.text)?;
        let range = if place.text == text {
            self.range(place.span)
        } else {
            LineIndex::new(target.text).range(target.text, place.span, self.encoding)
        };
        // The name of an open text is its URI, that of another one its path.
        let is_uri = place.text == text || documents::uri_to_path(target.name).is_some();
        let uri = if is_uri { target.name.to_owned() } else { documents::path_to_uri(target.name) };
        Some(json!({ "uri": uri, "range": range }))
    }

    fn outline(&self) -> Value {
        let symbols = editor::symbols(self.view.project, self.view.text);
        Value::Array(symbols.iter().map(|symbol| self.symbol(symbol)).collect())
    }

    fn symbol(&self, symbol: &Symbol) -> Value {
        let kind = match symbol.kind {
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
            "name": symbol.name,
            "kind": kind,
            "range": self.range(symbol.span),
            "selectionRange": self.range(symbol.selection),
            "children": symbol.children.iter().map(|child| self.symbol(child)).collect::<Vec<_>>(),
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

/// The access path of the statement at an offset.
fn describe_access(project: &Project<'_>, text: usize, at: usize) -> Option<(Span, String)> {
    // Statements are sorted by text and position.
    let next = project
        .statements
        .partition_point(|known| (known.place.text, known.place.span.end as usize) <= (text, at));
    let statement = project.statements.get(next)?;
    if statement.place.text != text || (statement.place.span.start as usize) > at {
        return None;
    }
    let plan = render::access_text::plan_text(project.syntax(statement)?, statement.plan()?);
    Some((statement.place.span, format!("```\n{plan}\n```")))
}
