//! `helenus rule CODE`: the documentation of a rule, of a message about model files or of a mapping
//! rule.

use std::io::Write;

use anstyle::Style;
use check::Rule;

use super::{Failure, Outcome, model_codes, rules};
use crate::render::markdown;

const HEADING: Style = Style::new().bold();
/// The number of rules suggested for an unknown name.
const SUGGESTIONS_MAX: usize = 5;

/// Explain a rule (PK001, DR001), a message (MF213, RO001) or a mapping rule (MR3)
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  helenus rule PK001\n  helenus rule DR001\n  helenus rule needless-allow-filtering\n  helenus rule MF213\n  helenus rule MR3"
)]
pub(crate) struct RuleArguments {
    /// Code or name of the rule
    #[arg(value_name = "CODE")]
    name: String,
}

impl RuleArguments {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<Outcome, Failure> {
        let name = self.name.trim();
        let code = name.to_ascii_uppercase();
        if let Some(known) = model_codes::find_code(&code) {
            model_codes::write_page(&known, out)?;
            return Ok(Outcome::Fine);
        }
        if let Some(rule) = find_cluster_rule(&code, name) {
            writeln!(out, "{HEADING}{} {}{HEADING:#}", rule.code, rule.name)?;
            let (severity, category) = (rule.severity.word(), rule.category.name());
            writeln!(out, "{severity}, {category}; of `helenus doctor`\n")?;
            markdown::write(rule.page, out)?;
            return Ok(Outcome::Fine);
        }
        let rule = check::rules::find(&code)
            .or_else(|| check::rules::all().find(|rule| rule.name.eq_ignore_ascii_case(name)))
            .ok_or_else(|| unknown_rule(name))?;
        writeln!(out, "{HEADING}{} {}{HEADING:#}", rule.code, rule.name)?;
        write_facts(rule, out)?;
        writeln!(out)?;
        markdown::write(rule.page, out)?;
        Ok(Outcome::Fine)
    }
}

/// A rule of `helenus doctor`, by its code or name.
pub(super) fn find_cluster_rule(code: &str, name: &str) -> Option<&'static doctor::rules::Rule> {
    doctor::rules::find(code)
        .or_else(|| doctor::rules::all().find(|rule| rule.name.eq_ignore_ascii_case(name)))
}

/// Writes severity, category, default and requirements, as in the list of rules, and the limits.
fn write_facts(rule: &Rule, out: &mut dyn Write) -> Result<(), Failure> {
    let on = if rule.by_default { "on" } else { "off" };
    let (severity, category) = (rule.severity.word(), rule.category.name());
    writeln!(
        out,
        "{severity}, {category}, {on} by default; requires {}",
        rules::requirements(rule).join(", ")
    )?;
    for limit in rule.limits {
        writeln!(out, "limit {} = {}: {}", limit.name, limit.default, limit.what)?;
    }
    Ok(())
}

/// The error for an unknown rule, with similar ones.
pub(super) fn unknown_rule(name: &str) -> Failure {
    let (lower, upper) = (name.to_ascii_lowercase(), name.to_ascii_uppercase());
    let is_near = |rule: &&Rule| {
        name.len() > 1 && (rule.name.contains(&lower) || rule.code.starts_with(&upper))
    };
    let mut near: Vec<&Rule> = check::rules::all().filter(is_near).take(SUGGESTIONS_MAX).collect();
    if near.is_empty() {
        let names = check::rules::all().flat_map(|rule| [rule.name, rule.code]);
        let word = if name.contains('-') { &lower } else { &upper };
        let nearest = cql::spelling::find_nearest(word, names);
        near.extend(
            check::rules::all().find(|rule| nearest.is_some_and(|name| rule.is_named(name))),
        );
    }
    let near: Vec<_> = near.iter().map(|rule| format!("{} {}", rule.code, rule.name)).collect();
    let hint = match near.as_slice() {
        [] => "; see `helenus rules`".to_owned(),
        near => cql::spelling::hint(Some(&near.join(", or "))),
    };
    Failure::Stopped(Outcome::BadInput, format!("unknown rule `{name}`{hint}"))
}
