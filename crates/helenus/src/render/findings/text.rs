//! Findings as text in the style of rustc: message, excerpt, evidence, help and fix.

use std::io::{self, Write};

use annotate_snippets::{Group, Level, Patch, Renderer, Snippet, normalize_untrusted_str};
use check::{Confidence, Edit, Finding, Fix, FixKind, Location, Severity};
use cql::Span;

use super::{FindingReport, ReportedFinding, pluralise};
use crate::render::excerpt::Excerpt;
use crate::render::message_text::MessageText;

pub(super) fn write(report: &FindingReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let renderer = Renderer::styled();
    for problem in report.problems {
        let level = if problem.is_unread() { Level::ERROR } else { Level::WARNING };
        let title = level.primary_title(format!("{} {}", problem.file, problem.message));
        // A diagnostic about the input, not a finding.
        writeln!(anstream::stderr(), "{}\n", renderer.render(&[Group::with_title(title)]))?;
    }
    for ReportedFinding { finding, .. } in &report.findings {
        writeln!(out, "{}\n", render_finding(&renderer, report, finding))?;
    }
    for entry in &report.stale {
        writeln!(out, "stale baseline entry: {entry}")?;
    }
    if report.sources.is_empty() {
        return Ok(());
    }
    writeln!(out, "{}", summary(report))
}

fn render_finding(renderer: &Renderer, report: &FindingReport<'_>, finding: &Finding) -> String {
    let level = match finding.severity {
        Severity::Error | Severity::Critical => Level::ERROR,
        Severity::High | Severity::Medium => Level::WARNING,
        Severity::Low | Severity::Info => Level::INFO,
    };
    let fixes =
        finding.fix.as_ref().map(|fix| fix_groups(report, finding, fix)).unwrap_or_default();
    let mut notes: Vec<&str> = finding.notes.iter().map(String::as_str).collect();
    if finding.confidence == Confidence::Low {
        notes.push("low confidence: inferred from names only");
    }
    let source = report.sources.get(finding.place.text);
    let message = MessageText {
        level: level.with_name(finding.severity.word()),
        code: finding.rule.code,
        message: &finding.message,
        place: source.map(|source| (*source, finding.place.span)),
        notes,
        // The title of the fix is the help.
        help: finding.help.as_deref().filter(|_| fixes.is_empty()),
    };
    let mut groups = vec![message.group()];
    groups.extend(related_groups(report, finding));
    groups.extend(fixes);
    renderer.render(&groups)
}

fn excerpt<'a>(report: &FindingReport<'a>, place: Location) -> Option<Excerpt<'a>> {
    Some(Excerpt::new(report.sources.get(place.text)?, place.span))
}

/// The related locations of a finding.
fn related_groups<'a>(report: &FindingReport<'a>, finding: &'a Finding) -> Vec<Group<'a>> {
    let shown = |(place, what): &'a (Location, String)| {
        let title = Level::NOTE.secondary_title(normalize_untrusted_str(what));
        Some(title.elements(excerpt(report, *place)?.annotate(place.span)))
    };
    finding.related.iter().filter_map(shown).collect()
}

/// The changes of a fix, as small diffs.
fn fix_groups<'a>(
    report: &FindingReport<'a>,
    finding: &'a Finding,
    fix: &'a Fix,
) -> Vec<Group<'a>> {
    let title = finding.help.as_ref().unwrap_or(&fix.title);
    let remark = match fix.kind {
        FixKind::Safe => "",
        FixKind::Unsafe => " (--fix --unsafe)",
        FixKind::Plan => " (suggestion, not applied by --fix)",
    };
    let mut title = Some(format!("{}{remark}", normalize_untrusted_str(title)));
    let mut groups = Vec::new();
    for edits in group_nearby(&fix.edits) {
        let Some(shown) = patch_snippet(report, edits) else { continue };
        let level = Level::HELP;
        groups.push(match title.take() {
            Some(title) => level.secondary_title(title).element(shown),
            None => Group::with_level(level).element(shown),
        });
    }
    groups
}

/// Groups edits that are near enough for one excerpt.
fn group_nearby(edits: &[Edit]) -> impl Iterator<Item = &[Edit]> {
    let is_near = |edit: &Edit, next: &Edit| {
        let (edit, next) = (edit.place, next.place);
        edit.text == next.text
            && edit.span.end <= next.span.start
            && next.span.start - edit.span.end < 200
    };
    edits.chunk_by(is_near)
}

fn patch_snippet<'a>(
    report: &FindingReport<'a>,
    edits: &'a [Edit],
) -> Option<Snippet<'a, Patch<'a>>> {
    let (first, last) = (edits.first()?.place, edits.last()?.place);
    let whole = Span::new(first.span.start, last.span.end);
    let excerpt = excerpt(report, Location { text: first.text, span: whole })?;
    let patches = edits
        .iter()
        .filter(|edit| excerpt.contains(edit.place.span))
        .map(|edit| Patch::new(excerpt.relative_range(edit.place.span), edit.text.as_str()));
    let patches: Vec<_> = patches.collect();
    let shown = Snippet::source(excerpt.text).line_start(excerpt.first_line);
    (!patches.is_empty()).then(|| shown.patches(patches))
}

/// `12 statements: 2 errors, 1 high; 4 of lower severity not shown`.
pub(super) fn summary(report: &FindingReport<'_>) -> String {
    let counts = report.counts().map(|(severity, number)| match severity {
        Severity::Error => pluralise(number, "error"),
        severity => format!("{number} {}", severity.word()),
    });
    let counts: Vec<_> = counts.collect();
    let counts = if counts.is_empty() { "no findings".to_owned() } else { counts.join(", ") };
    let mut parts = vec![format!("{}: {counts}", pluralise(report.statements, "statement"))];
    let fixable = |kind| {
        let fixes = report.findings.iter().filter_map(|reported| reported.finding.fix.as_ref());
        fixes.filter(|fix| fix.kind == kind).count()
    };
    match (fixable(FixKind::Safe), fixable(FixKind::Unsafe)) {
        (0, 0) => {}
        (safe, 0) => parts.push(format!("{safe} fixable with --fix")),
        (0, others) => parts.push(format!("{others} fixable with --fix --unsafe")),
        (safe, others) => {
            parts.push(format!("{safe} fixable with --fix, {others} more with --unsafe"));
        }
    }
    if report.fixed > 0 {
        parts.push(format!("{} fixed", report.fixed));
    }
    if report.known > 0 {
        parts.push(format!("{} in the baseline", report.known));
    }
    if report.below_min_severity > 0 {
        parts.push(format!("{} of lower severity not shown", report.below_min_severity));
    }
    parts.join("; ")
}
