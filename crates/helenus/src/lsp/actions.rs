//! Quick fixes.

use check::FixKind;
use serde_json::{Value, json};

use super::document_request::DocumentRequest;
use super::documents::diagnostic;

/// The fixes of the findings that were told in a range. Programs have their own ways to write strings: they get none.
pub(super) fn quick_fixes(question: &DocumentRequest<'_>, range: &Value) -> Value {
    if question.document.opened.is_program() {
        return json!([]);
    }
    let (from, to) = (question.offset(&range["start"]), question.offset(&range["end"]));
    let here = question.findings.iter().filter(|finding| {
        let span = finding.place.span;
        span.start as usize <= to && from <= span.end as usize
    });
    let actions = here.filter_map(|finding| {
        let fix = finding.fix.as_ref().filter(|fix| fix.kind != FixKind::Plan)?;
        // A fix that changes other texts of the project as well is not for one document.
        if fix.edits.iter().any(|edit| edit.place.text != finding.place.text) {
            return None;
        }
        let edits = fix
            .edits
            .iter()
            .map(|edit| json!({ "range": question.range(edit.place.span), "newText": edit.text }));
        let uri = &question.document.opened.name;
        Some(json!({
            "title": format!("{}: {}", finding.rule.code, fix.title),
            "kind": "quickfix",
            "isPreferred": fix.kind == FixKind::Safe,
            "diagnostics": [diagnostic(question.document, finding, question.encoding)],
            "edit": { "changes": { uri: edits.collect::<Vec<_>>() } },
        }))
    });
    Value::Array(actions.collect())
}
