//! Where rules put what they find.

use super::finding::Finding;
use super::rule::Rule;

/// The findings so far, and the rule that is asked.
#[derive(Debug)]
pub(super) struct Reporter {
    pub(super) rule: &'static Rule,
    pub(super) findings: Vec<Finding>,
}

impl Reporter {
    /// A finding of the rule, at its usual severity: what the returned finding is told, it says.
    pub(super) fn report(&mut self) -> &mut Finding {
        let index = self.findings.len();
        self.findings.push(Finding {
            rule: self.rule,
            severity: self.rule.severity,
            table: None,
            nodes: Vec::new(),
            key: None,
            statement: None,
            evidence: Vec::new(),
            remedies: Vec::new(),
            impact: 0.0,
        });
        &mut self.findings[index]
    }
}
