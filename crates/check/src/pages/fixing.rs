//! Blocks as fixing leaves them.

use super::blocks::Block;
use crate::{FixKind, rules};

/// The text of a block after the fixes of the rule that its page is of, safe ones alone unless it says `unsafe`.
pub(super) fn fixed(block: &Block) -> String {
    let mut text = block.text.clone();
    let Some(rule) = rules::all().find(|rule| rule.page.contains(&block.text)) else { return text };
    let mut edits: Vec<_> = block
        .check(rule)
        .into_iter()
        .filter(|finding| finding.rule.code == rule.code)
        .filter_map(|finding| finding.fix)
        .filter(|fix| {
            fix.kind == FixKind::Safe || block.is("unsafe") && fix.kind == FixKind::Unsafe
        })
        .flat_map(|fix| fix.edits)
        .collect();
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.place.span.start));
    for edit in edits {
        let span = edit.place.span;
        text.replace_range(span.start as usize..span.end as usize, &edit.text);
    }
    // The marks of what was found go with it.
    let lines = text.lines().map(|line| {
        if super::codes(line).is_empty() {
            line
        } else {
            line.rsplit_once("-- ").map_or(line, |(kept, _)| kept.trim_end())
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}
