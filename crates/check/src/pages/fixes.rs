//! Blocks as fixing leaves them.

use cql::StatementKind;

use super::blocks::PageBlock;
use crate::fix::Edit;
use crate::rule::Finding;
use crate::{FixKind, Rule};

impl PageBlock {
    /// The text of the block after the fixes of a rule, safe ones alone unless it says `unsafe`.
    pub fn apply_fixes(&self, rule: &Rule) -> String {
        let fixes = self
            .check(rule)
            .into_iter()
            .filter(|finding| finding.rule.code == rule.code)
            .filter_map(|finding| finding.fix);
        let applied = fixes.filter(|fix| {
            fix.kind == FixKind::Safe || self.has_word("unsafe") && fix.kind == FixKind::Unsafe
        });
        let block = self.apply_edits(applied.flat_map(|fix| fix.edits).collect());
        // The marks of what was found go with it.
        let lines = block.text.lines().map(|line| {
            if super::codes(line).is_empty() {
                line
            } else {
                line.rsplit_once("-- ").map_or(line, |(kept, _)| kept.trim_end())
            }
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    /// The block after edits of its texts.
    #[must_use]
    pub fn apply_edits(&self, mut edits: Vec<Edit>) -> Self {
        let mut text = self.text.clone();
        edits.sort_by_key(|edit| std::cmp::Reverse(self.offset(edit.place)));
        for edit in edits {
            let start = self.offset(edit.place);
            let end = start + (edit.place.span.end - edit.place.span.start) as usize;
            if text.get(start..end).is_some() {
                text.replace_range(start..end, &edit.text);
            }
        }
        Self { words: self.words.clone(), text }
    }

    /// The schemas that the plans of a rule lead to, each with the finding that shows it. Statements that read and write are left
    /// out: they are to change with the table.
    pub fn apply_plans(&self, rule: &Rule) -> Vec<(Finding, Self)> {
        let is_one_text = !self.text.contains("-- file: ") && !self.text.contains("-- before\n");
        let found = self.check(rule).into_iter();
        let own = found.filter(|finding| is_one_text && finding.rule.code == rule.code);
        let plans = own.filter_map(|finding| {
            let fix = finding.fix.clone().filter(|fix| fix.kind == FixKind::Plan)?;
            let Self { words, text } = self.apply_edits(fix.edits);
            let parsed = cql::parse(&text);
            let creates = parsed.statements.iter().filter(|statement| {
                let kind = &statement.kind;
                matches!(kind, StatementKind::CreateTable(_) | StatementKind::CreateType(_))
            });
            let kept: Vec<&str> = creates.map(|statement| statement.span.text(&text)).collect();
            Some((finding, Self { words, text: format!("{};\n", kept.join(";\n")) }))
        });
        plans.collect()
    }

    /// The tables that the help of a finding proposes to create.
    pub fn from_proposal(finding: &Finding) -> Option<Self> {
        let help = finding.help.as_deref()?;
        let tables = help.get(help.find("\nCREATE TABLE ")?..)?;
        Some(Self { words: Vec::new(), text: tables.to_owned() })
    }
}
