//! What the cases must cover: every rule by which the server refuses, and enough statements in all.

use std::collections::BTreeSet;

use super::all_files;

/// Statements, and refusals among them, that there must be at least.
const STATEMENTS_MIN: usize = 8_800;
const REFUSALS_MIN: usize = 3_300;
/// The rules of the server about schemas (SV001 ...) and about statements (QV001 ...).
const FAMILIES: [(&str, u32); 2] = [("SV", 28), ("QV", 35)];

#[test]
fn the_cases_cover_every_rule_of_the_server() {
    let files = all_files();
    let covered: BTreeSet<_> = files.iter().flat_map(|file| file.covers.iter().cloned()).collect();
    let rules: BTreeSet<_> = FAMILIES
        .iter()
        .flat_map(|(family, count)| (1..=*count).map(move |n| format!("{family}{n:03}")))
        .collect();
    let missing: Vec<_> = rules.difference(&covered).collect();
    let unknown: Vec<_> = covered.difference(&rules).collect();
    assert!(
        missing.is_empty() && unknown.is_empty(),
        "rules without a case: {missing:?}; unknown rules: {unknown:?}"
    );
    let statements = files.iter().map(|file| file.statements.len()).sum::<usize>();
    let refusals = files
        .iter()
        .flat_map(|file| &file.statements)
        .filter(|s| s.verdict.refusal.is_some())
        .count();
    assert!(
        statements >= STATEMENTS_MIN && refusals >= REFUSALS_MIN,
        "{statements} statements, {refusals} refusals"
    );
}
