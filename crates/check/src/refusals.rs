//! What the server refuses, as findings: the binder's and the parser's diagnostics under the rule of their code.

use std::collections::BTreeSet;

use cql::{Diagnostic, StatementKind};

use crate::finding::{Finding, Place, Subject};
use crate::project::{Outcome, Project, Seen};
use crate::{Check, Confidence, Severity, facts, retold, rules, server_fixes};

/// What the server refuses, and what cannot be read.
pub(crate) fn all(project: &Project<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for (text, known) in project.texts.iter().enumerate() {
        for diagnostic in &known.parsed.diagnostics {
            let place = Place { text, span: diagnostic.span };
            found.extend(refusal(project, project.statement_at(place), text, diagnostic));
        }
    }
    let mut absent = Absent::default();
    let mut left_out = project.refusals.iter().peekable();
    for (at, seen) in project.statements.iter().enumerate() {
        while let Some((_, diagnostic)) = left_out.next_if(|(statement, _)| *statement <= at) {
            found.extend(refusal(project, Some(seen), seen.place.text, diagnostic));
        }
        match &seen.outcome {
            Outcome::Refused(diagnostic) if absent.explains(project, seen, diagnostic) => {}
            Outcome::Refused(diagnostic) => {
                absent.note_refused(project, seen, diagnostic);
                found.extend(refusal(project, Some(seen), seen.place.text, diagnostic));
            }
            Outcome::Broken => absent.note(project, seen),
            _ => {}
        }
    }
    for (text, diagnostic) in &project.complaints {
        found.extend(refusal(project, None, *text, diagnostic));
    }
    found
}

/// A diagnostic as a finding; each of their codes is a rule. What the target accepts is none.
fn refusal(
    project: &Project<'_>,
    seen: Option<&Seen>,
    text: usize,
    diagnostic: &Diagnostic,
) -> Option<Finding> {
    let place = Place { text, span: diagnostic.span };
    if let Some(finding) = retold::retell(project, seen, text, diagnostic) {
        return Some(finding);
    }
    if facts::is_accepted(project.settings.target, diagnostic, project.written(place)) {
        return None;
    }
    // What is wrong with a directive has codes of its own in model files; here it is one rule.
    let code = if diagnostic.rule.starts_with("MF") { "HL004" } else { diagnostic.rule };
    let mut finding = Finding {
        rule: rules::find(code)?,
        severity: match diagnostic.severity {
            cql::Severity::Error => Severity::Error,
            cql::Severity::Warning => Severity::Medium,
            cql::Severity::Info => Severity::Info,
        },
        confidence: Confidence::High,
        place,
        subject: Subject::default(),
        message: diagnostic.message.clone(),
        notes: Vec::new(),
        related: Vec::new(),
        help: diagnostic.help.clone(),
        fix: None,
        error: diagnostic.error,
    };
    if let Some(seen) = seen {
        match finding.rule.check {
            Check::ServerFix(fix) => fix(project, seen, &mut finding),
            _ => server_fixes::add(project, seen, &mut finding),
        }
    }
    if finding.help.is_none() {
        finding.help = finding.fix.as_ref().map(|fix| fix.title.clone());
    }
    Some(finding)
}

/// Names of what a refused CREATE leaves missing: that statements do not find it is no finding of its own.
#[derive(Default)]
struct Absent {
    names: BTreeSet<(Box<str>, Box<str>)>,
}

impl Absent {
    /// Keeps what a refused statement leaves missing: a keyspace that nobody creates is told once.
    fn note_refused(&mut self, project: &Project<'_>, seen: &Seen, diagnostic: &Diagnostic) {
        let message = diagnostic.message.to_lowercase();
        if let ("SV028", Some(rest)) = (diagnostic.rule, message.strip_prefix("keyspace ")) {
            let name = rest.trim_start_matches('\'');
            let name = name.split(['\'', ' ']).next().unwrap_or_default();
            self.names.insert((name.into(), "".into()));
        }
        // What exists already is not missing.
        if diagnostic.rule != "SV027" {
            self.note(project, seen);
        }
    }

    /// Keeps the name that a refused CREATE would have made.
    fn note(&mut self, project: &Project<'_>, seen: &Seen) {
        let Some(statement) = project.syntax(seen) else { return };
        let name = match &statement.kind {
            StatementKind::CreateKeyspace(create) => {
                self.names.insert((create.name.text.clone(), "".into()));
                return;
            }
            StatementKind::CreateTable(create) => &create.name,
            StatementKind::CreateView(create) => &create.name,
            StatementKind::CreateType(create) => &create.name,
            StatementKind::CreateFunction(create) => &create.name,
            StatementKind::Invalid => {
                let written = project.written(seen.place);
                self.names.extend(created(written).map(|name| named(seen, name)));
                return;
            }
            _ => return,
        };
        let keyspace = name.keyspace.as_ref().map(|own| &*own.text);
        self.names.insert(key(seen, keyspace, &name.name.text));
    }

    /// Whether a statement is refused only because an earlier CREATE was.
    fn explains(&self, project: &Project<'_>, seen: &Seen, diagnostic: &Diagnostic) -> bool {
        if self.names.is_empty() || !matches!(diagnostic.rule, "SV013" | "SV028") {
            return false;
        }
        let place = Place { text: seen.place.text, span: diagnostic.span };
        let (keyspace, name) = named(seen, project.written(place));
        let in_keyspace = (keyspace.clone(), "".into());
        // USE and DROP KEYSPACE name the keyspace alone.
        let alone = (name.clone(), "".into());
        [(keyspace, name), in_keyspace, alone].iter().any(|known| self.names.contains(known))
    }
}

/// The keyspace and name that a written name means.
fn named(seen: &Seen, written: &str) -> (Box<str>, Box<str>) {
    let plain = |part: &str| match part.trim().strip_prefix('"') {
        Some(quoted) => quoted.trim_end_matches('"').to_owned(),
        None => part.trim().to_lowercase(),
    };
    match written.split_once('.') {
        Some((keyspace, name)) => key(seen, Some(&plain(keyspace)), &plain(name)),
        None => key(seen, None, &plain(written)),
    }
}

fn key(seen: &Seen, keyspace: Option<&str>, name: &str) -> (Box<str>, Box<str>) {
    (keyspace.or(seen.keyspace.as_deref()).unwrap_or_default().into(), name.into())
}

/// What a CREATE that cannot be read would make.
fn created(statement: &str) -> Option<&str> {
    let mut words =
        statement.split(|at: char| at.is_whitespace() || at == '(').filter(|word| !word.is_empty());
    if !words.next()?.eq_ignore_ascii_case("create") {
        return None;
    }
    let kinds = ["table", "view", "type", "columnfamily"];
    words.by_ref().take(3).find(|word| kinds.iter().any(|kind| word.eq_ignore_ascii_case(kind)))?;
    words.find(|word| !["if", "not", "exists"].iter().any(|known| word.eq_ignore_ascii_case(known)))
}
