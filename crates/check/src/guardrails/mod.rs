//! Guardrails: limits in the server's configuration beyond which it warns or rejects.
//!
//! [`ALL`] is the one table: name, defaults by target, what each bounds and which rule predicts it
//! without a configuration. [`measure_project`] measures a project for them; [`Thresholds`] come
//! from a configuration or a product.

mod deduplication;
mod definitions;
mod messages;
mod statements;
mod tables;

use crate::location::Location;
use crate::rule::FindingSubject;
use crate::settings::{server_bytes, server_list};
use crate::{Product, Project, Settings, Target};

pub(crate) use deduplication::remove_duplicates;
pub(crate) use definitions::ALL;

/// A guardrail.
#[derive(Debug)]
pub(crate) struct Guardrail {
    /// Its name in the server's messages: `columns_per_table`.
    pub(crate) name: &'static str,
    /// How it is configured.
    pub(crate) kind: GuardrailKind,
    /// The first version of Apache Cassandra that has it.
    pub(crate) since: (u8, u8),
    /// The setting that it replaces, and the default at which that one warned before 5.0.
    pub(crate) formerly: Option<(&'static str, f64)>,
    /// The defaults of Apache Cassandra 5.0.
    pub(crate) apache: Thresholds,
    /// The defaults of Astra.
    pub(crate) astra: Thresholds,
    /// The defaults of HCD, the successor of DSE.
    pub(crate) hcd: Thresholds,
    /// The rule that predicts it.
    pub(crate) rule: &'static str,
}

/// How a guardrail is configured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GuardrailKind {
    /// At most so many: `<name>_warn_threshold` and `<name>_fail_threshold`.
    Most,
    /// At most so many bytes.
    MostBytes,
    /// At least so many.
    Least,
    /// Allowed or not, under this name.
    Switch(&'static str),
    /// Lists of values: `<name>_warned`, `<name>_ignored`, `<name>_disallowed`.
    Values,
}

/// The values above which a guardrail warns and rejects; 0 means never. A switch that is off has
/// `fail` 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Thresholds {
    /// The server warns.
    pub(crate) warn: f64,
    /// The server refuses.
    pub(crate) fail: f64,
}

/// The verdict of a guardrail on a measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Violation {
    /// The server warns.
    Warns,
    /// The server refuses.
    Fails,
}

/// A value or feature that a guardrail checks.
#[derive(Clone, Debug)]
pub(crate) struct Measurement {
    /// The name of the guardrail.
    pub(crate) guardrail: &'static str,
    /// The position to report.
    pub(crate) place: Location,
    /// The object that it concerns.
    pub(crate) subject: FindingSubject,
    /// What the server's text names: a table, a column, a feature.
    pub(crate) what: String,
    /// The count or the bytes; 1 where a switch is concerned.
    pub(crate) value: f64,
    /// The values, where a guardrail is about those.
    pub(crate) values: Vec<String>,
    /// Whether the server only writes it to its log, when data is flushed and compacted.
    pub(crate) is_logged: bool,
}

impl Thresholds {
    /// Never.
    pub(crate) const OFF: Self = Self { warn: 0.0, fail: 0.0 };

    /// Refused from there on.
    pub(crate) const fn fail(fail: f64) -> Self {
        Self { warn: 0.0, fail }
    }

    /// Warned about from there on.
    pub(crate) const fn warn(warn: f64) -> Self {
        Self { warn, fail: 0.0 }
    }
}

impl Guardrail {
    /// The defaults of a target; `None` if it does not have the guardrail.
    pub(crate) fn default_thresholds(&self, target: Target) -> Option<Thresholds> {
        match target.product {
            Product::Apache => match self.formerly {
                Some((_, warn)) if target.version < (5, 0) => Some(Thresholds::warn(warn)),
                _ => (target.version >= self.since).then_some(self.apache),
            },
            Product::Astra => Some(self.astra),
            Product::Dse => Some(self.hcd),
            Product::Scylla | Product::Keyspaces => None,
        }
    }

    /// The thresholds in the server's configuration; off where it has none.
    pub(crate) fn server_thresholds(&self, settings: &Settings) -> Thresholds {
        let setting = |end: &str| format!("{}{end}", self.name);
        let number = |name: &str| server_bytes(settings, name);
        let formerly = self.formerly.and_then(|(name, _)| number(name));
        match self.kind {
            GuardrailKind::Most | GuardrailKind::MostBytes | GuardrailKind::Least => Thresholds {
                warn: number(&setting("_warn_threshold")).or(formerly).unwrap_or_default(),
                fail: number(&setting("_fail_threshold")).unwrap_or_default(),
            },
            GuardrailKind::Switch(name) => {
                let is = |name: &str, value: &str| {
                    settings.server.get(name).is_some_and(|said| said.trim() == value)
                };
                let is_warned = is(&setting("_warned"), "true");
                Thresholds {
                    warn: if is_warned { 1.0 } else { 0.0 },
                    fail: if is(name, "false") { 1.0 } else { 0.0 },
                }
            }
            GuardrailKind::Values => Thresholds::OFF,
        }
    }

    /// The verdict of a guardrail with these thresholds on a value.
    pub(crate) fn evaluate(&self, bounds: Thresholds, value: f64) -> Option<Violation> {
        let breaks = |bound: f64| match self.kind {
            GuardrailKind::Most | GuardrailKind::MostBytes => bound > 0.0 && value > bound,
            GuardrailKind::Least => value < bound,
            GuardrailKind::Switch(_) => bound > 0.0,
            GuardrailKind::Values => false,
        };
        if breaks(bounds.fail) {
            Some(Violation::Fails)
        } else {
            breaks(bounds.warn).then_some(Violation::Warns)
        }
    }

    /// The server's text.
    pub(crate) fn message(
        &self,
        measure: &Measurement,
        bounds: Thresholds,
        verdict: Violation,
    ) -> String {
        messages::message(self, measure, bounds, verdict)
    }
}

/// The guardrail of that name.
pub(crate) fn find(name: &str) -> Option<&'static Guardrail> {
    ALL.iter().find(|known| known.name == name)
}

/// What guardrails with lists of values say to a measure, and in the server's words.
pub(crate) fn evaluate_values(
    settings: &Settings,
    measure: &Measurement,
) -> Option<(Violation, String)> {
    let list = |end: &str| server_list(settings, &format!("{}_{end}", measure.guardrail));
    [("disallowed", Violation::Fails), ("ignored", Violation::Warns), ("warned", Violation::Warns)]
        .into_iter()
        .find_map(|(end, verdict)| {
            let listed = list(end);
            let is_hit =
                |value: &&String| listed.iter().any(|known| known.eq_ignore_ascii_case(value));
            let hit: Vec<&String> = measure.values.iter().filter(is_hit).collect();
            let told = || messages::values_message(measure, end, &hit, &listed);
            (!hit.is_empty()).then(|| (verdict, told()))
        })
}

/// All measurements of a project, in the order of the statements.
pub(crate) fn measure_project(project: &Project<'_>) -> Vec<Measurement> {
    let mut all = Vec::new();
    tables::measure_tables(project, &mut all);
    let mut keyspaces = 0;
    for seen in &project.statements {
        statements::measure_statement(project, seen, &mut keyspaces, &mut all);
    }
    all
}

/// A number for a measure.
fn to_f64(number: usize) -> f64 {
    f64::from(u32::try_from(number).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::ALL;
    use crate::rules;

    #[test]
    fn every_guardrail_has_a_name_of_its_own_and_a_rule() {
        let mut names: Vec<&str> = ALL.iter().map(|known| known.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ALL.len());
        for known in ALL {
            assert!(rules::find(known.rule).is_some(), "{} of {}", known.rule, known.name);
        }
    }
}
