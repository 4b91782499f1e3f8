//! `-- helenus: allow(PK001) reason`: what a comment allows is not told, and a comment that allows nothing is.
//!
//! A comment speaks of the statement that it stands in, on the last line of, or above of; `allow-file` of its whole text. Codes,
//! names and categories of rules may stand in the parentheses, with commas.

use cql::{Comment, Span, spelling};

use crate::fix::FixKind;
use crate::location::Location;
use crate::project::{Project, SourceText};
use crate::rule::Finding;
use crate::{Level, Reporter, rules};

/// One comment that allows something.
struct Allowance<'t> {
    place: Location,
    /// What it speaks of.
    over: Span,
    /// Whether that is its whole text.
    is_whole: bool,
    rules: Vec<RuleReference<'t>>,
    reason: &'t str,
}

/// A rule that a comment names.
struct RuleReference<'t> {
    name: &'t str,
    place: Location,
    is_used: bool,
}

/// The findings that no comment allows, and those about the comments themselves.
pub(crate) fn apply(project: &Project<'_>, found: Vec<Finding>) -> Vec<Finding> {
    let mut allowed: Vec<Vec<Allowance<'_>>> = Vec::with_capacity(project.texts.len());
    let mut left: Vec<Finding> = Vec::with_capacity(found.len());
    for (at, text) in project.texts.iter().enumerate() {
        let mut here = Vec::new();
        for comment in &text.parsed.comments {
            match parse_comment(at, text, comment) {
                CommentKind::Allow(one) => here.push(one),
                CommentKind::Wrong(place) if text.is_reported => {
                    left.extend(report_malformed(project, place));
                }
                CommentKind::Wrong(_) | CommentKind::Other => {}
            }
        }
        here.sort_by_key(|one| !one.is_whole);
        allowed.push(here);
    }
    for finding in found {
        let here = allowed.get_mut(finding.place.text);
        if !here.is_some_and(|here| is_allowed(here, &finding)) {
            left.push(finding);
        }
    }
    for one in allowed.iter().flatten() {
        if project.texts.get(one.place.text).is_some_and(|text| text.is_reported) {
            report_allowance(project, one, &mut left);
        }
    }
    left
}

/// Whether a comment allows a finding. Comments for whole texts come first; the others follow the statements.
fn is_allowed(here: &mut [Allowance<'_>], finding: &Finding) -> bool {
    let start = finding.place.span.start;
    let last = here.partition_point(|one| one.over.start <= start);
    let whole = here.partition_point(|one| one.is_whole);
    let (wholes, others) = here.split_at_mut(whole);
    let before = others.get_mut(..last.saturating_sub(whole)).unwrap_or_default();
    let around = before.iter_mut().rev().take_while(|one| start <= one.over.end);
    let mut is_allowed = false;
    for one in wholes.iter_mut().chain(around) {
        for named in one.rules.iter_mut().filter(|named| finding.rule.is_named(named.name)) {
            named.is_used = true;
            is_allowed = true;
        }
    }
    is_allowed
}

/// What is wrong with a comment that allows something.
fn report_allowance(project: &Project<'_>, allowed: &Allowance<'_>, left: &mut Vec<Finding>) {
    let is_known = |named: &&RuleReference<'_>| rules::all().any(|rule| rule.is_named(named.name));
    for named in allowed.rules.iter().filter(|named| !is_known(named)) {
        left.extend(report_unknown_rule(project, named));
    }
    let unused: Vec<&RuleReference<'_>> = allowed
        .rules
        .iter()
        .filter(|named| !named.is_used && is_known(named) && is_enabled(project, named.name))
        .collect();
    if !unused.is_empty() {
        left.extend(report_needless(project, allowed, &unused));
    }
    if allowed.reason.is_empty() && project.settings.strict {
        left.extend(build_finding(project, "HL003", |found| {
            let place = allowed.place;
            found
                .report(place, "This allowance gives no reason.")
                .help("say why behind the parentheses: -- helenus: allow(PK001) ten rows for ever");
        }));
    }
}

fn build_finding(
    project: &Project<'_>,
    code: &str,
    say: impl FnOnce(&mut Reporter<'_>),
) -> Option<Finding> {
    let rule = rules::find(code)?;
    let mut found = Reporter { rule, settings: project.settings, findings: Vec::new() };
    say(&mut found);
    found.findings.pop()
}

/// A name that is no rule's.
fn report_unknown_rule(project: &Project<'_>, named: &RuleReference<'_>) -> Option<Finding> {
    build_finding(project, "HL002", |found| {
        let finding = found.report(named.place, format!("There is no rule `{}`.", named.name));
        match suggest_rule(named.name) {
            Some(meant) => finding.help(format!("write {meant}")).fix(
                FixKind::Unsafe,
                "name the rule that is meant",
                named.place,
                meant,
            ),
            None => finding.help("`helenus rules` lists them all"),
        };
    })
}

/// The rule or category whose name was meant.
fn suggest_rule(name: &str) -> Option<&'static str> {
    let names = || rules::all().flat_map(|rule| [rule.code, rule.name, rule.category.name()]);
    let is_same = |known: &&str| known.eq_ignore_ascii_case(name);
    names().find(is_same).or_else(|| spelling::find_nearest(name, names()))
}

/// Names that nothing is found under.
fn report_needless(
    project: &Project<'_>,
    allowed: &Allowance<'_>,
    unused: &[&RuleReference<'_>],
) -> Option<Finding> {
    let names: Vec<&str> = unused.iter().map(|named| named.name).collect();
    build_finding(project, "HL001", |found| {
        let message = format!("Nothing here needs allow({}).", names.join(", "));
        let finding = found.report(allowed.place, message);
        if unused.len() == allowed.rules.len() {
            let whole = project.extend_over_blanks(allowed.place);
            finding.help("remove the comment").fix(FixKind::Safe, "remove the comment", whole, "");
        } else {
            let kept: Vec<&str> = allowed
                .rules
                .iter()
                .map(|named| named.name)
                .filter(|name| !names.contains(name))
                .collect();
            let (Some(first), Some(last)) = (allowed.rules.first(), allowed.rules.last()) else {
                return;
            };
            let list = Location { span: first.place.span.union(last.place.span), ..first.place };
            let kept = kept.join(", ");
            finding.help(format!("write allow({kept})")).fix(
                FixKind::Safe,
                "remove what is not needed",
                list,
                kept,
            );
        }
    })
}

/// Whether any rule of that name speaks at all: what is switched off needs no allowance today and may need it tomorrow.
fn is_enabled(project: &Project<'_>, name: &str) -> bool {
    let mut named = rules::all().filter(|rule| rule.is_named(name));
    named.all(|rule| rule.level(project.settings) != Level::Off)
}

/// A comment that starts like an allowance and is none.
fn report_malformed(project: &Project<'_>, place: Location) -> Option<Finding> {
    build_finding(project, "HL004", |found| {
        found
            .report(place, "This comment is meant for helenus and cannot be read.")
            .help("write -- helenus: allow(PK001) reason, or allow-file(PK001) for the whole file");
    })
}

/// What a comment says to the check.
enum CommentKind<'t> {
    Allow(Allowance<'t>),
    /// It tries to.
    Wrong(Location),
    Other,
}

/// What a comment allows.
fn parse_comment<'t>(at: usize, text: &SourceText<'t>, comment: &Comment) -> CommentKind<'t> {
    let words = comment.span.text(text.text);
    let place = Location { text: at, span: comment.span };
    // Most comments say something else: no line of them is looked at.
    let Some(found) = words.find("helenus:") else { return CommentKind::Other };
    let (before, said) = words.split_at(found);
    let line = before.rsplit('\n').next().unwrap_or_default();
    if !line.chars().all(|sign| matches!(sign, '-' | '/' | '*') || sign.is_whitespace()) {
        return CommentKind::Other;
    }
    let said = said.trim_start_matches("helenus:").trim_start();
    let (is_whole, list) = match said.strip_prefix("allow-file(") {
        Some(list) => (true, Some(list)),
        None => (false, said.strip_prefix("allow(")),
    };
    let Some((names, reason)) = list.and_then(|list| list.split_once(')')) else {
        let word = said.split(|sign: char| !sign.is_alphabetic() && sign != '-').next();
        let word = word.unwrap_or_default();
        let is_meant = word == "allow" || word == "allow-file";
        let is_near = spelling::find_nearest(word, ["allow", "allow-file"]).is_some();
        return if is_meant || is_near { CommentKind::Wrong(place) } else { CommentKind::Other };
    };
    let end = u32::try_from(text.text.len()).unwrap_or(u32::MAX);
    let over = if is_whole { Some(Span::new(0, end)) } else { target_span(text, comment) };
    let first = words.len() - list.map_or(0, str::len);
    let rules = parse_rule_names(names, place, first);
    if rules.is_empty() {
        return CommentKind::Wrong(place);
    }
    let reason = reason.lines().next().unwrap_or_default().trim_end_matches("*/").trim();
    // Above nothing it allows nothing.
    let over = over.unwrap_or(comment.span);
    CommentKind::Allow(Allowance { place, over, is_whole, rules, reason })
}

/// The names of a list that starts so many bytes behind the start of its comment.
fn parse_rule_names(names: &str, comment: Location, first: usize) -> Vec<RuleReference<'_>> {
    let mut start = first;
    let mut all = Vec::new();
    for part in names.split(',') {
        let name = part.trim();
        let at = start + part.len() - part.trim_start().len();
        start += part.len() + 1;
        let offset = |bytes: usize| comment.span.start + u32::try_from(bytes).unwrap_or(0);
        let place =
            Location { text: comment.text, span: Span::new(offset(at), offset(at + name.len())) };
        if !name.is_empty() {
            all.push(RuleReference { name, place, is_used: false });
        }
    }
    all
}

/// The statement that a comment stands in, on the last line of, or above of, from the comment on.
fn target_span(text: &SourceText<'_>, comment: &Comment) -> Option<Span> {
    let statements = &text.parsed.statements;
    let next = statements.partition_point(|known| known.span.end <= comment.span.start);
    let before = next.checked_sub(1).and_then(|at| statements.get(at));
    let on_its_line = before.filter(|known| {
        let between = text.text.get(known.span.end as usize..comment.span.start as usize);
        between.is_some_and(|between| !between.contains('\n'))
    });
    let around = statements.get(next).filter(|known| known.span.start < comment.span.start);
    let spoken_of = around.or(on_its_line).or_else(|| statements.get(next))?;
    Some(spoken_of.span.union(comment.span))
}
