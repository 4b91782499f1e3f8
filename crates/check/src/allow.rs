//! `-- helenus: allow(PK001) reason`: what a comment allows is not told, and a comment that allows nothing is.
//!
//! A comment speaks of the statement that it stands in, or directly above of; `allow-file` of its whole text. Codes, names and
//! categories of rules may stand in the parentheses, with commas.

use cql::{Comment, Span};

use crate::finding::{Finding, Place};
use crate::project::{Project, Text};
use crate::{Found, rules};

/// One comment that allows something.
struct Allowed<'t> {
    place: Place,
    /// What it speaks of.
    over: Span,
    rules: Vec<&'t str>,
    reason: &'t str,
}

/// The findings that no comment allows, and those about the comments themselves.
pub(crate) fn apply(project: &Project<'_>, found: Vec<Finding>) -> Vec<Finding> {
    let mut allowed: Vec<Vec<(Allowed<'_>, bool)>> = Vec::with_capacity(project.texts.len());
    for (at, text) in project.texts.iter().enumerate() {
        let comments = text.parsed.comments.iter();
        let all = comments.filter_map(|comment| read(at, text, comment));
        allowed.push(all.map(|allowed| (allowed, false)).collect());
    }
    let mut left: Vec<Finding> = Vec::with_capacity(found.len());
    for finding in found {
        let here = allowed.get_mut(finding.place.text).map(Vec::as_mut_slice);
        let allowing = here.unwrap_or_default().iter_mut().find(|(allowed, _)| {
            allowed.over.start <= finding.place.span.start
                && finding.place.span.start <= allowed.over.end
                && allowed.rules.iter().any(|name| finding.rule.is_named(name))
        });
        match allowing {
            Some((_, used)) => *used = true,
            None => left.push(finding),
        }
    }
    for (allowed, used) in allowed.into_iter().flatten() {
        if project.texts.get(allowed.place.text).is_some_and(|text| text.is_told) {
            left.extend(about(project, &allowed, used));
        }
    }
    left
}

/// What is wrong with a comment that allows something.
fn about(project: &Project<'_>, allowed: &Allowed<'_>, used: bool) -> Option<Finding> {
    let unknown = allowed.rules.iter().find(|name| !rules::all().any(|rule| rule.is_named(name)));
    let (code, message) = match unknown {
        Some(name) => ("HL002", format!("There is no rule `{name}`.")),
        None if !used => {
            let names = allowed.rules.join(", ");
            ("HL001", format!("Nothing here needs allow({names})."))
        }
        None if allowed.reason.is_empty() && project.settings.strict => {
            ("HL003", "This allowance gives no reason.".to_owned())
        }
        None => return None,
    };
    let rule = rules::find(code)?;
    let mut found = Found { rule, settings: project.settings, findings: Vec::new() };
    found.at(allowed.place, message);
    found.findings.pop()
}

/// What a comment allows.
fn read<'t>(at: usize, text: &Text<'t>, comment: &Comment) -> Option<Allowed<'t>> {
    let words = comment.span.text(text.text);
    let said =
        words.trim_start_matches(['-', '/', '*', ' ']).strip_prefix("helenus:")?.trim_start();
    let (whole, list) = match said.strip_prefix("allow-file(") {
        Some(list) => (true, list),
        None => (false, said.strip_prefix("allow(")?),
    };
    let (names, reason) = list.split_once(')')?;
    let end = u32::try_from(text.text.len()).unwrap_or(u32::MAX);
    let over = if whole { Span::new(0, end) } else { spoken_of(text, comment)? };
    Some(Allowed {
        place: Place { text: at, span: comment.span },
        over,
        rules: names.split(',').map(str::trim).filter(|name| !name.is_empty()).collect(),
        reason: reason.trim_end_matches("*/").trim(),
    })
}

/// The statement that a comment stands in, on the last line of, or above of.
fn spoken_of(text: &Text<'_>, comment: &Comment) -> Option<Span> {
    let statements = &text.parsed.statements;
    let next = statements.partition_point(|known| known.span.end <= comment.span.start);
    let before = next.checked_sub(1).and_then(|at| statements.get(at));
    let on_its_line = before.filter(|known| {
        let between = text.text.get(known.span.end as usize..comment.span.start as usize);
        between.is_some_and(|between| !between.contains('\n'))
    });
    on_its_line.or_else(|| statements.get(next)).map(|known| known.span)
}
