//! Quick fixes.

use check::FixKind;
use serde_json::{Value, json};

use super::documents::{Documents, diagnostic};

/// The fixes of the findings that were told in a range.
pub(super) fn of(documents: &Documents, uri: &str, range: &Value) -> Option<Value> {
    let document = documents.get(uri)?;
    let offset = |end: &str| document.lines.offset(&document.text, &range[end], documents.encoding);
    let (from, to) = (offset("start"), offset("end"));
    let told = documents.told.get(uri)?;
    let here = told.iter().filter(|finding| {
        let span = finding.place.span;
        span.start as usize <= to && from <= span.end as usize
    });
    let actions = here.filter_map(|finding| {
        let fix = finding.fix.as_ref().filter(|fix| fix.kind != FixKind::Plan)?;
        // Edits of other texts of the project are not this document's.
        let own = |edit: &&check::Edit| edit.place.text == finding.place.text;
        let edits = fix.edits.iter().filter(own).map(|edit| {
            let range = document.lines.range(&document.text, edit.place.span, documents.encoding);
            json!({ "range": range, "newText": edit.text })
        });
        Some(json!({
            "title": format!("{}: {}", finding.rule.code, fix.title),
            "kind": "quickfix",
            "isPreferred": fix.kind == FixKind::Safe,
            "diagnostics": [diagnostic(document, finding, documents.encoding)],
            "edit": { "changes": { uri: edits.collect::<Vec<_>>() } },
        }))
    });
    Some(Value::Array(actions.collect()))
}
