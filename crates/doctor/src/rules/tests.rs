//! The rules on small snapshots: what each finds, and what it leaves alone.

use super::{Finding, all, entries, examine, find};
use crate::Snapshot;

#[test]
fn every_page_has_its_head() {
    assert!(entries().count() > 30, "the rules are missing");
    assert_eq!(all().count(), entries().count(), "a page has no proper head");
    for rule in all() {
        assert!(find(rule.code).is_some_and(|found| found.name == rule.name), "{}", rule.code);
    }
}

#[test]
fn nothing_is_found_where_nothing_was_collected() {
    let findings: Vec<Finding> = examine(&Snapshot::default());
    assert!(findings.is_empty());
}
