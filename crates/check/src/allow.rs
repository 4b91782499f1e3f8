//! `-- helenus: allow(PK001) reason`: what a comment allows is not told, and a comment that allows nothing is.
//!
//! A comment speaks of the statement that it stands in, on the last line of, or above of; `allow-file` of its whole text. Codes,
//! names and categories of rules may stand in the parentheses, with commas.

use cql::{Comment, Span, spelling};

use crate::fix::FixKind;
use crate::place::Place;
use crate::project::{Project, Text};
use crate::rule::Finding;
use crate::{Level, Reporter, rules};

/// One comment that allows something.
struct Allowed<'t> {
    place: Place,
    /// What it speaks of.
    over: Span,
    /// Whether that is its whole text.
    is_whole: bool,
    rules: Vec<Named<'t>>,
    reason: &'t str,
}

/// A rule that a comment names.
struct Named<'t> {
    name: &'t str,
    place: Place,
    is_used: bool,
}

/// The findings that no comment allows, and those about the comments themselves.
pub(crate) fn apply(project: &Project<'_>, found: Vec<Finding>) -> Vec<Finding> {
    let mut allowed: Vec<Vec<Allowed<'_>>> = Vec::with_capacity(project.texts.len());
    let mut left: Vec<Finding> = Vec::with_capacity(found.len());
    for (at, text) in project.texts.iter().enumerate() {
        let mut here = Vec::new();
        for comment in &text.parsed.comments {
            match read(at, text, comment) {
                Words::Allow(one) => here.push(one),
                Words::Wrong(place) if text.is_told => left.extend(wrong(project, place)),
                Words::Wrong(_) | Words::Other => {}
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
        if project.texts.get(one.place.text).is_some_and(|text| text.is_told) {
            about(project, one, &mut left);
        }
    }
    left
}

/// Whether a comment allows a finding. Comments for whole texts come first; the others follow the statements.
fn is_allowed(here: &mut [Allowed<'_>], finding: &Finding) -> bool {
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
fn about(project: &Project<'_>, allowed: &Allowed<'_>, left: &mut Vec<Finding>) {
    let is_known = |named: &&Named<'_>| rules::all().any(|rule| rule.is_named(named.name));
    for named in allowed.rules.iter().filter(|named| !is_known(named)) {
        left.extend(unknown(project, named));
    }
    let unused: Vec<&Named<'_>> = allowed
        .rules
        .iter()
        .filter(|named| !named.is_used && is_known(named) && is_asked(project, named.name))
        .collect();
    if !unused.is_empty() {
        left.extend(needless(project, allowed, &unused));
    }
    if allowed.reason.is_empty() && project.settings.strict {
        left.extend(tell(project, "HL003", |found| {
            let place = allowed.place;
            found
                .at(place, "This allowance gives no reason.")
                .help("say why behind the parentheses: -- helenus: allow(PK001) ten rows for ever");
        }));
    }
}

fn tell(project: &Project<'_>, code: &str, say: impl FnOnce(&mut Reporter<'_>)) -> Option<Finding> {
    let rule = rules::find(code)?;
    let mut found = Reporter { rule, settings: project.settings, findings: Vec::new() };
    say(&mut found);
    found.findings.pop()
}

/// A name that is no rule's.
fn unknown(project: &Project<'_>, named: &Named<'_>) -> Option<Finding> {
    tell(project, "HL002", |found| {
        let finding = found.at(named.place, format!("There is no rule `{}`.", named.name));
        match meant(named.name) {
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
fn meant(name: &str) -> Option<&'static str> {
    let names = || rules::all().flat_map(|rule| [rule.code, rule.name, rule.category.word()]);
    let is_same = |known: &&str| known.eq_ignore_ascii_case(name);
    names().find(is_same).or_else(|| spelling::nearest(name, names()))
}

/// Names that nothing is found under.
fn needless(
    project: &Project<'_>,
    allowed: &Allowed<'_>,
    unused: &[&Named<'_>],
) -> Option<Finding> {
    let names: Vec<&str> = unused.iter().map(|named| named.name).collect();
    tell(project, "HL001", |found| {
        let message = format!("Nothing here needs allow({}).", names.join(", "));
        let finding = found.at(allowed.place, message);
        if unused.len() == allowed.rules.len() {
            let whole = project.with_blank_before(allowed.place);
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
            let list = Place { span: first.place.span.to(last.place.span), ..first.place };
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
fn is_asked(project: &Project<'_>, name: &str) -> bool {
    let mut named = rules::all().filter(|rule| rule.is_named(name));
    named.all(|rule| rule.level(project.settings) != Level::Off)
}

/// A comment that starts like an allowance and is none.
fn wrong(project: &Project<'_>, place: Place) -> Option<Finding> {
    tell(project, "HL004", |found| {
        found
            .at(place, "This comment is meant for helenus and cannot be read.")
            .help("write -- helenus: allow(PK001) reason, or allow-file(PK001) for the whole file");
    })
}

/// What a comment says to the check.
enum Words<'t> {
    Allow(Allowed<'t>),
    /// It tries to.
    Wrong(Place),
    Other,
}

/// What a comment allows.
fn read<'t>(at: usize, text: &Text<'t>, comment: &Comment) -> Words<'t> {
    let words = comment.span.text(text.text);
    let place = Place { text: at, span: comment.span };
    // Most comments say something else: no line of them is looked at.
    let Some(found) = words.find("helenus:") else { return Words::Other };
    let (before, said) = words.split_at(found);
    let line = before.rsplit('\n').next().unwrap_or_default();
    if !line.chars().all(|sign| matches!(sign, '-' | '/' | '*') || sign.is_whitespace()) {
        return Words::Other;
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
        let is_near = spelling::nearest(word, ["allow", "allow-file"]).is_some();
        return if is_meant || is_near { Words::Wrong(place) } else { Words::Other };
    };
    let end = u32::try_from(text.text.len()).unwrap_or(u32::MAX);
    let over = if is_whole { Some(Span::new(0, end)) } else { spoken_of(text, comment) };
    let first = words.len() - list.map_or(0, str::len);
    let rules = named(names, place, first);
    if rules.is_empty() {
        return Words::Wrong(place);
    }
    let reason = reason.lines().next().unwrap_or_default().trim_end_matches("*/").trim();
    // Above nothing it allows nothing.
    let over = over.unwrap_or(comment.span);
    Words::Allow(Allowed { place, over, is_whole, rules, reason })
}

/// The names of a list that starts so many bytes behind the start of its comment.
fn named(names: &str, comment: Place, first: usize) -> Vec<Named<'_>> {
    let mut start = first;
    let mut all = Vec::new();
    for part in names.split(',') {
        let name = part.trim();
        let at = start + part.len() - part.trim_start().len();
        start += part.len() + 1;
        let offset = |bytes: usize| comment.span.start + u32::try_from(bytes).unwrap_or(0);
        let place =
            Place { text: comment.text, span: Span::new(offset(at), offset(at + name.len())) };
        if !name.is_empty() {
            all.push(Named { name, place, is_used: false });
        }
    }
    all
}

/// The statement that a comment stands in, on the last line of, or above of, from the comment on.
fn spoken_of(text: &Text<'_>, comment: &Comment) -> Option<Span> {
    let statements = &text.parsed.statements;
    let next = statements.partition_point(|known| known.span.end <= comment.span.start);
    let before = next.checked_sub(1).and_then(|at| statements.get(at));
    let on_its_line = before.filter(|known| {
        let between = text.text.get(known.span.end as usize..comment.span.start as usize);
        between.is_some_and(|between| !between.contains('\n'))
    });
    let around = statements.get(next).filter(|known| known.span.start < comment.span.start);
    let spoken_of = around.or(on_its_line).or_else(|| statements.get(next))?;
    Some(spoken_of.span.to(comment.span))
}
