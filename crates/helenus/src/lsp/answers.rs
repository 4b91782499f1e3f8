//! Requests of the editor, and their answers.

use check::editor::{self, CompletionKind, Symbol, SymbolKind};
use serde_json::{Value, json};

use super::actions;
use super::documents::{self, Document, Documents};
use super::positions::Encoding;
use crate::render;

/// The answer to a request; `None` for one that is not known.
pub(super) fn answer(documents: &mut Documents, method: &str, parameters: &Value) -> Option<Value> {
    let uri = parameters["textDocument"]["uri"].as_str().unwrap_or_default();
    let answer = match method {
        "textDocument/hover" => hover(documents, uri, &parameters["position"]),
        "textDocument/completion" => completion(documents, uri, &parameters["position"]),
        "textDocument/definition" => definition(documents, uri, &parameters["position"]),
        "textDocument/documentSymbol" => outline(documents, uri),
        "textDocument/formatting" => formatting(documents, uri),
        "textDocument/codeAction" => actions::of(documents, uri, &parameters["range"]),
        _ => return None,
    };
    Some(answer.unwrap_or(Value::Null))
}

fn offset(documents: &Documents, document: &Document, position: &Value) -> usize {
    document.lines.offset(&document.text, position, documents.encoding)
}

/// A name's meaning, or how the statement there would run.
fn hover(documents: &Documents, uri: &str, position: &Value) -> Option<Value> {
    let document = documents.get(uri)?;
    let at = offset(documents, document, position);
    let (span, text) = documents.in_project(uri, |project, text| {
        if let Some(shown) = editor::hover(project, text, at) {
            return Some((shown.span, shown.text));
        }
        let seen = project.statements.iter().find(|seen| {
            let span = seen.place.span;
            seen.place.text == text && (span.start as usize..span.end as usize).contains(&at)
        })?;
        let words = render::access_text::path(project.syntax(seen)?, seen.path()?);
        Some((seen.place.span, format!("```\n{words}\n```")))
    })??;
    Some(json!({
        "contents": { "kind": "markdown", "value": text },
        "range": document.lines.range(&document.text, span, documents.encoding),
    }))
}

fn completion(documents: &Documents, uri: &str, position: &Value) -> Option<Value> {
    let document = documents.get(uri)?;
    let at = offset(documents, document, position);
    let found =
        documents.in_project(uri, |project, text| editor::completions(project, text, at))?;
    let items = found.iter().enumerate().map(|(at, one)| {
        let kind = match one.kind {
            CompletionKind::Column => 5,
            CompletionKind::Table => 22,
            CompletionKind::Keyspace => 9,
            CompletionKind::Type => 7,
            CompletionKind::Function => 3,
            CompletionKind::Keyword => 14,
        };
        json!({ "label": one.label, "kind": kind, "detail": one.detail, "sortText": format!("{at:04}") })
    });
    Some(Value::Array(items.collect()))
}

fn definition(documents: &Documents, uri: &str, position: &Value) -> Option<Value> {
    let document = documents.get(uri)?;
    let at = offset(documents, document, position);
    documents.in_project(uri, |project, text| {
        let place = editor::definition(project, text, at)?;
        let known = project.texts.get(place.text)?;
        let target =
            if place.text == text { uri.to_owned() } else { documents::uri_of(known.name) };
        let lines = super::positions::Lines::of(known.text);
        let range = lines.range(known.text, place.span, documents.encoding);
        Some(json!({ "uri": target, "range": range }))
    })?
}

fn outline(documents: &Documents, uri: &str) -> Option<Value> {
    let document = documents.get(uri)?;
    let found = documents.in_project(uri, editor::symbols)?;
    let all = found.iter().map(|one| symbol(document, one, documents.encoding));
    Some(Value::Array(all.collect()))
}

fn symbol(document: &Document, one: &Symbol, encoding: Encoding) -> Value {
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
    let children = one.children.iter().map(|child| symbol(document, child, encoding));
    json!({
        "name": one.name,
        "kind": kind,
        "range": document.lines.range(&document.text, one.span, encoding),
        "selectionRange": document.lines.range(&document.text, one.selection, encoding),
        "children": children.collect::<Vec<_>>(),
    })
}

fn formatting(documents: &Documents, uri: &str) -> Option<Value> {
    let document = documents.get(uri)?;
    if document.is_program() {
        return None;
    }
    let formatted = cql::format(&document.text).ok()?;
    if formatted == document.text {
        return Some(json!([]));
    }
    let end = u32::try_from(document.text.len()).ok()?;
    let range = document.lines.range(&document.text, cql::Span::new(0, end), documents.encoding);
    Some(json!([{ "range": range, "newText": formatted }]))
}
