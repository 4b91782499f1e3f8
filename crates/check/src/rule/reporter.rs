//! Where rules put what they find.

use schema::catalog::{Column, Table};

use super::{Finding, FindingSubject, Rule};
use crate::fix::{Edit, Fix, FixKind};
use crate::limit::Limit;
use crate::location::Location;
use crate::settings::Settings;
use crate::severity::{Confidence, Severity};

/// The findings so far, and the rule that is asked.
#[derive(Debug)]
pub struct Reporter<'f> {
    pub(crate) rule: &'static Rule,
    pub(crate) settings: &'f Settings,
    pub(crate) findings: Vec<Finding>,
}

impl Reporter<'_> {
    /// A finding of the rule, at its usual severity and with high confidence: what the returned finding is told, it says.
    pub(crate) fn report(&mut self, place: Location, message: impl Into<String>) -> &mut Finding {
        let index = self.findings.len();
        self.findings.push(Finding {
            rule: self.rule,
            severity: self.rule.severity,
            confidence: Confidence::High,
            place,
            subject: FindingSubject::default(),
            message: message.into(),
            notes: Vec::new(),
            related: Vec::new(),
            help: None,
            fix: None,
            error: None,
            guardrail: None,
        });
        &mut self.findings[index]
    }

    /// The value of a limit of the rule.
    pub(crate) fn limit(&self, limit: &Limit) -> f64 {
        self.settings.limits.get(limit.name).copied().unwrap_or(limit.default)
    }
}

impl Finding {
    /// It concerns a table.
    pub(crate) fn with_table(&mut self, table: &Table) -> &mut Self {
        self.subject.keyspace = Some(table.keyspace.clone());
        self.subject.table = Some(table.name.clone());
        self
    }

    /// It concerns a column of a table.
    pub(crate) fn with_column(&mut self, table: &Table, column: &Column) -> &mut Self {
        self.with_table(table).subject.column = Some(column.name.clone());
        self
    }

    /// It concerns a keyspace.
    pub(crate) fn with_keyspace(&mut self, keyspace: &str) -> &mut Self {
        self.subject.keyspace = Some(keyspace.into());
        self
    }

    /// Its severity at high confidence, where it is not the rule's usual one.
    pub(crate) fn severity(&mut self, severity: Severity) -> &mut Self {
        self.severity = severity;
        self
    }

    /// How sure it is. Low confidence makes the severity one step milder when all is said.
    pub(crate) fn confidence(&mut self, confidence: Confidence) -> &mut Self {
        self.confidence = confidence;
        self
    }

    /// A figure that speaks for it.
    pub(crate) fn note(&mut self, note: impl Into<String>) -> &mut Self {
        self.notes.push(note.into());
        self
    }

    /// Another place that belongs to it.
    pub(crate) fn with_related(&mut self, place: Location, what: impl Into<String>) -> &mut Self {
        self.related.push((place, what.into()));
        self
    }

    /// What to write instead.
    pub(crate) fn help(&mut self, help: impl Into<String>) -> &mut Self {
        self.help = Some(help.into());
        self
    }

    /// What `--fix` can do or show, if anything.
    pub(crate) fn with_fix(&mut self, fix: Option<Fix>) -> &mut Self {
        self.fix = fix;
        self
    }

    /// What `--fix` can do: one change of the text.
    pub(crate) fn fix(
        &mut self,
        kind: FixKind,
        title: impl Into<String>,
        place: Location,
        text: impl Into<String>,
    ) -> &mut Self {
        let edits = vec![Edit { place, text: text.into() }];
        self.fix = Some(Fix { title: title.into(), kind, edits });
        self
    }
}
