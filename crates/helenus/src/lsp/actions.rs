//! Code actions: the quick fixes of findings.

use check::FixKind;
use serde_json::{Value, json};

use super::document_request::DocumentRequest;
use super::documents::diagnostic;

/// The fixes of the published findings in a range. None for source code: an edit would need the
/// language's escapes.
pub(super) fn quick_fixes(request: &DocumentRequest<'_>, range: &Value) -> Value {
    if request.document.opened.is_program() {
        return json!([]);
    }
    let (from, to) = (request.offset(&range["start"]), request.offset(&range["end"]));
    let in_range = request.findings.iter().filter(|finding| {
        let span = finding.place.span;
        span.start as usize <= to && from <= span.end as usize
    });
    let actions = in_range.filter_map(|finding| {
        let fix = finding.fix.as_ref().filter(|fix| fix.kind != FixKind::Plan)?;
        // Fixes that also change other files of the project are not offered.
        if fix.edits.iter().any(|edit| edit.place.text != finding.place.text) {
            return None;
        }
        let edits = fix
            .edits
            .iter()
            .map(|edit| json!({ "range": request.range(edit.place.span), "newText": edit.text }));
        let uri = &request.document.opened.name;
        Some(json!({
            "title": format!("{}: {}", finding.rule.code, fix.title),
            "kind": "quickfix",
            "isPreferred": fix.kind == FixKind::Safe,
            "diagnostics": [diagnostic(request.document, finding, request.encoding)],
            "edit": { "changes": { uri: edits.collect::<Vec<_>>() } },
        }))
    });
    Value::Array(actions.collect())
}
