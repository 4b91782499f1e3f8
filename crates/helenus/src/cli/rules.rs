//! `helenus rules`: the list of rules, or of the codes of model files.

use std::io::Write;

use check::{Requirement, Rule};
use serde_json::{Value, json};

use super::model_codes::{self, ModelCode};
use crate::outcome::{Failure, Outcome};

const EXAMPLES: &str = "\
Examples:
  helenus rules
  helenus rules partition-key
  helenus rules DR
  helenus rules MF
  helenus rules MR
  helenus rules --json

The severity is that of a finding with high confidence. Without the information it requires, a
rule reports nothing, or reports findings with lower confidence.

DR lists the rules of `helenus doctor`, which examine clusters. MF lists the messages about model files, MR the mapping rules of `helenus design`.";

/// List the rules of `helenus check` and `helenus doctor`
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct RulesArguments {
    /// List only the rules with this code, code prefix, name or category
    #[arg(value_name = "RULE")]
    only: Option<String>,
    /// Print the list as JSON
    #[arg(long)]
    json: bool,
}

impl RulesArguments {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<Outcome, Failure> {
        let is_selected = |rule: &&Rule| match &self.only {
            None => true,
            Some(name) => rule.is_named(name) || rule.code.starts_with(&name.to_ascii_uppercase()),
        };
        if let Some(codes) = self.select_model_codes() {
            return write_model_codes(&codes, self.json, out);
        }
        let rules: Vec<&Rule> = check::rules::all().filter(is_selected).collect();
        let cluster_rules = self.select_cluster_rules();
        if rules.is_empty() && cluster_rules.is_empty() {
            let name = self.only.as_deref().unwrap_or_default();
            return Err(super::rule::unknown_rule(name));
        }
        if self.json {
            let rules = rules.into_iter().map(rule_json);
            let rules: Vec<_> =
                rules.chain(cluster_rules.into_iter().map(cluster_rule_json)).collect();
            writeln!(out, "{:#}", json!({ "rules": rules }))?;
            return Ok(Outcome::Fine);
        }
        let names = rules.iter().map(|rule| rule.name);
        let names = names.chain(cluster_rules.iter().map(|rule| rule.name));
        let width = names.map(str::len).max().unwrap_or_default();
        let bold = anstyle::Style::new().bold();
        writeln!(
            out,
            "{bold}{:<6} {:<width$}  {:<9} {:<3} requires{bold:#}",
            "code", "name", "severity", "on"
        )?;
        for rule in rules {
            let on = if rule.by_default { "yes" } else { "no" };
            let (severity, requirements) = (rule.severity.word(), requirements(rule).join(", "));
            writeln!(
                out,
                "{:<6} {:<width$}  {severity:<9} {on:<3} {requirements}",
                rule.code, rule.name
            )?;
        }
        for rule in cluster_rules {
            let severity = rule.severity.word();
            writeln!(out, "{:<6} {:<width$}  {severity:<9} yes a cluster", rule.code, rule.name)?;
        }
        Ok(Outcome::Fine)
    }
}

impl RulesArguments {
    /// The rules of `helenus doctor`.
    fn select_cluster_rules(&self) -> Vec<&'static doctor::rules::Rule> {
        let is_selected = |rule: &&doctor::rules::Rule| match &self.only {
            None => true,
            Some(name) => rule.is_named(name) || rule.code.starts_with(&name.to_ascii_uppercase()),
        };
        doctor::rules::all().filter(is_selected).collect()
    }

    /// The codes of model files, where those are asked for.
    fn select_model_codes(&self) -> Option<Vec<ModelCode>> {
        let prefix = self.only.as_ref()?.to_ascii_uppercase();
        let mut codes = model_codes::list_codes();
        codes.retain(|code| code.code.starts_with(&prefix));
        (prefix.len() >= 2 && !codes.is_empty()).then_some(codes)
    }
}

fn write_model_codes(
    codes: &[ModelCode],
    json: bool,
    out: &mut dyn Write,
) -> Result<Outcome, Failure> {
    if json {
        let codes = codes.iter().map(|code| json!({ "code": code.code, "says": code.says }));
        writeln!(out, "{:#}", json!({ "codes": codes.collect::<Vec<_>>() }))?;
        return Ok(Outcome::Fine);
    }
    for code in codes {
        writeln!(out, "{:<6} {}", code.code, code.says)?;
    }
    Ok(Outcome::Fine)
}

/// The information that a rule requires.
pub(super) fn requirements(rule: &Rule) -> Vec<&'static str> {
    rule.requires.iter().copied().map(Requirement::name).collect()
}

fn cluster_rule_json(rule: &doctor::rules::Rule) -> Value {
    json!({
        "code": rule.code,
        "name": rule.name,
        "category": rule.category.name(),
        "severity": rule.severity.word(),
        "requires": ["a cluster"],
        "onByDefault": true,
        "limits": [],
    })
}

fn rule_json(rule: &Rule) -> Value {
    let limits = rule.limits.iter().map(
        |limit| json!({ "name": limit.name, "default": limit.default, "description": limit.what }),
    );
    json!({
        "code": rule.code,
        "name": rule.name,
        "category": rule.category.name(),
        "severity": rule.severity.word(),
        "requires": requirements(rule),
        "onByDefault": rule.by_default,
        "limits": limits.collect::<Vec<_>>(),
    })
}
