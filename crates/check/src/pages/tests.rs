//! Every page holds what it says.

use std::fmt::Write;

use super::{PageBlock, codes};
use crate::rule::Finding;
use crate::{Rule, Severity, rules};

/// What is wrong with a page.
fn check_page(rule: &'static Rule, out: &mut String) {
    let all = rule.blocks();
    for heading in ["## Why", "## Instead", "## When to ignore", "## Versions"] {
        if !rule.page.lines().any(|line| line == heading) {
            let _ = writeln!(out, "{}: the page has no `{heading}`", rule.code);
        }
    }
    if !all.iter().any(|block| block.has_word("found"))
        || !all.iter().any(|block| block.has_word("clean"))
    {
        let _ = writeln!(out, "{}: the page has no found or no clean block", rule.code);
    }
    let mut before: Option<&PageBlock> = None;
    for block in &all {
        if block.has_word("found") {
            check_found_block(rule, block, out);
            before = Some(block);
        } else if block.has_word("server") {
            check_quotes(rule, before, block, out);
        } else if block.has_word("clean") {
            check_clean_block(rule, block, out);
        } else if block.has_word("fixed") {
            match before.map(|block| block.apply_fixes(rule)) {
                Some(text) if text.trim() == block.text.trim() => {}
                other => {
                    let _ = writeln!(
                        out,
                        "{}: the block is not what fixing makes, which is:\n{}",
                        rule.code,
                        other.unwrap_or_default()
                    );
                }
            }
            check_clean_block(rule, block, out);
        }
    }
}

/// What a finding proposes to create must itself be clean.
fn check_proposal(rule: &'static Rule, finding: &Finding, out: &mut String) {
    let Some(block) = PageBlock::from_proposal(finding) else { return };
    for wrong in block.check(rule).iter().filter(|one| one.severity >= Severity::Medium) {
        let (code, said) = (wrong.rule.code, &wrong.message);
        let _ = writeln!(out, "{}: what is proposed has {code}: {said}\n{}", rule.code, block.text);
    }
}

fn check_found_block(rule: &'static Rule, block: &PageBlock, out: &mut String) {
    let findings = block.check(rule);
    for finding in findings.iter().filter(|finding| finding.rule.code == rule.code) {
        check_proposal(rule, finding, out);
    }
    let mut expected: Vec<(usize, &str)> = Vec::new();
    for (at, line) in block.text.lines().enumerate() {
        expected.extend(codes(line).into_iter().map(|code| (at, code)));
    }
    let line = |finding: &Finding| block.line(finding);
    for (at, code) in &expected {
        let is_there =
            findings.iter().any(|finding| finding.rule.code == *code && line(finding) == *at);
        if !is_there {
            let text = block.text.lines().nth(*at).unwrap_or_default();
            let _ = writeln!(out, "{}: {code} is not found in `{}`", rule.code, text.trim());
            for finding in &findings {
                let _ = writeln!(
                    out,
                    "    line {}: {} {}",
                    line(finding),
                    finding.rule.code,
                    finding.message
                );
            }
        }
    }
    for finding in findings.iter().filter(|finding| finding.rule.code == rule.code) {
        if !expected.iter().any(|(at, code)| line(finding) == *at && *code == rule.code) {
            let text = block.text.lines().nth(line(finding)).unwrap_or_default();
            let _ = writeln!(
                out,
                "{}: found and not marked in `{}`: {}",
                rule.code,
                text.trim(),
                finding.message
            );
        }
    }
}

/// Whether the findings of a block say what the page says they do.
fn check_quotes(
    rule: &'static Rule,
    found: Option<&PageBlock>,
    quote: &PageBlock,
    out: &mut String,
) {
    let findings = found.map(|block| block.check(rule)).unwrap_or_default();
    for line in quote.text.lines() {
        let said = |finding: &Finding| match line.strip_prefix("help: ") {
            Some(help) => finding.help.as_deref() == Some(help),
            None => finding.message.trim_end() == line,
        };
        if !findings.iter().any(said) {
            let _ = writeln!(out, "{}: nothing says `{line}`", rule.code);
        }
    }
}

fn check_clean_block(rule: &'static Rule, block: &PageBlock, out: &mut String) {
    for finding in block.check(rule) {
        if finding.rule.code == rule.code || finding.severity >= Severity::High {
            let _ = writeln!(
                out,
                "{}: a clean block has {} {} in line {}: {}",
                rule.code,
                finding.rule.code,
                finding.severity.word(),
                block.line(&finding),
                finding.message
            );
        }
    }
}

/// `PAGES=PK cargo test -p check pages` looks at one family alone.
#[test]
fn every_page_is_true() {
    let wanted = std::env::var("PAGES").unwrap_or_default();
    let mut out = String::new();
    let asked = rules::all().filter(|rule| rule.code.starts_with(&wanted));
    for rule in asked {
        check_page(rule, &mut out);
    }
    assert!(out.is_empty(), "\n{out}");
}

/// What a plan shows is accepted, and ends what it is a plan against.
#[test]
fn every_plan_is_accepted() {
    let mut out = String::new();
    for rule in rules::all() {
        for block in rule.blocks().iter().filter(|block| block.has_word("found")) {
            for (finding, planned) in block.apply_plans(rule) {
                let left = planned.check(rule).into_iter().filter(|left| {
                    left.severity == Severity::Error
                        || left.rule.code == rule.code && left.subject == finding.subject
                });
                for left in left {
                    let (code, message) = (left.rule.code, &left.message);
                    let _ = writeln!(out, "{}: {code} {message} in\n{}", rule.code, planned.text);
                }
            }
        }
    }
    assert!(out.is_empty(), "\n{out}");
}

#[test]
fn codes_and_names_are_used_once_and_in_order() {
    let all: Vec<&Rule> = rules::all().collect();
    for pair in all.windows(2) {
        assert!(pair[0].code < pair[1].code, "{} before {}", pair[0].code, pair[1].code);
    }
    let mut names: Vec<&str> = all.iter().map(|rule| rule.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all.len());
}
