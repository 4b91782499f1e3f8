//! Blocks as fixing leaves them.

use cql::StatementKind;

use super::blocks::Block;
use crate::finding::{Edit, Finding};
use crate::{FixKind, Rule, rules};

/// The text of a block after the fixes of the rule that its page is of, safe ones alone unless it says `unsafe`.
pub(super) fn fixed(block: &Block) -> String {
    let mut text = block.text.clone();
    let Some(rule) = rules::all().find(|rule| rule.page.contains(&block.text)) else { return text };
    let edits: Vec<_> = block
        .check(rule)
        .into_iter()
        .filter(|finding| finding.rule.code == rule.code)
        .filter_map(|finding| finding.fix)
        .filter(|fix| {
            fix.kind == FixKind::Safe || block.is("unsafe") && fix.kind == FixKind::Unsafe
        })
        .flat_map(|fix| fix.edits)
        .collect();
    apply(&mut text, edits);
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

fn apply(text: &mut String, mut edits: Vec<Edit>) {
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.place.span.start));
    for edit in edits {
        let span = edit.place.span;
        text.replace_range(span.start as usize..span.end as usize, &edit.text);
    }
}

/// The schemas that the plans of a rule lead to, each with the finding that shows it. Statements that read and write are left out:
/// they are to change with the table.
pub(super) fn planned(block: &Block, rule: &Rule) -> Vec<(Finding, Block)> {
    let is_one_text = !block.text.contains("-- file: ") && !block.text.contains("-- before\n");
    let found = block.check(rule).into_iter();
    let own = found.filter(|finding| is_one_text && finding.rule.code == rule.code);
    let plans = own.filter_map(|finding| {
        let fix = finding.fix.clone().filter(|fix| fix.kind == FixKind::Plan)?;
        let mut text = block.text.clone();
        apply(&mut text, fix.edits);
        let parsed = cql::parse(&text);
        let creates = parsed.statements.iter().filter(|statement| {
            matches!(statement.kind, StatementKind::CreateTable(_) | StatementKind::CreateType(_))
        });
        let kept: Vec<&str> = creates.map(|statement| statement.span.text(&text)).collect();
        let text = format!("{};\n", kept.join(";\n"));
        Some((finding, Block { words: block.words.clone(), text }))
    });
    plans.collect()
}
