//! Guardrails: configurable warnings and limits for ordinary users. As in the server, they do not
//! apply to superusers, nor to anybody if authentication is off.

mod large_partitions;
mod query;
mod schema_statement;
#[cfg(test)]
mod tests;
mod values;

pub(crate) use large_partitions::has_thresholds;
pub use large_partitions::{LargePartitions, PartitionReport};
pub(crate) use query::check as check_query;
pub(crate) use schema_statement::check as check_schema;

use crate::error::{Error, Result};
use crate::node::settings::{Guardrails, Threshold, ValueGuardrail};
use crate::session::auth;
use crate::session::context::StatementContext;

/// The guardrails for a statement; inactive for exempt users.
struct GuardrailCheck<'a> {
    context: &'a StatementContext<'a>,
    settings: &'a Guardrails,
}

impl<'a> GuardrailCheck<'a> {
    fn for_context(context: &'a StatementContext<'a>) -> Option<Self> {
        let settings = &context.node.settings;
        (!auth::is_superuser(context)).then_some(Self { context, settings: &settings.guardrails })
    }

    /// Compares a number with a threshold, with the texts of the warning and of the error.
    fn check_threshold(
        &self,
        name: &str,
        threshold: Threshold,
        value: usize,
        text: impl Fn(bool, i64) -> String,
    ) -> Result<()> {
        let value = i64::try_from(value).unwrap_or(i64::MAX);
        let exceeds = |limit: i64| limit > 0 && value > limit;
        if exceeds(threshold.fail) {
            return self.refuse(name, &text(false, threshold.fail), "");
        }
        if exceeds(threshold.warn) {
            self.warn(name, &text(true, threshold.warn), "");
        }
        Ok(())
    }

    /// Compares a size with a threshold. The server repeats warnings of sizes.
    fn check_size(
        &self,
        name: &str,
        threshold: Threshold,
        size: usize,
        found: impl Fn() -> String,
    ) -> Result<()> {
        let size = i64::try_from(size).unwrap_or(i64::MAX);
        let text = |kind: &str, limit: i64| {
            format!("{}, this exceeds the {kind} threshold of {limit}.", found())
        };
        if threshold.fail > 0 && size > threshold.fail {
            return self.refuse(name, &text("failure", threshold.fail), "");
        }
        if threshold.warn > 0 && size > threshold.warn {
            let text = violation_message(name, &text("warning", threshold.warn), "");
            self.context.warn_every_time(&text);
        }
        Ok(())
    }

    /// Refuses a disabled feature.
    fn check_enabled(&self, name: &str, enabled: bool, feature: &str, reason: &str) -> Result<()> {
        if enabled {
            return Ok(());
        }
        self.refuse(name, &format!("{feature} is not allowed"), reason)
    }

    /// Compares values with those that raise a warning or are refused.
    fn check_values(
        &self,
        name: &str,
        what: &str,
        warned: &ValueGuardrail,
        given: &[&str],
    ) -> Result<()> {
        let common = |list: &[String]| {
            let mut found: Vec<_> =
                given.iter().filter(|word| list.iter().any(|own| own == *word)).copied().collect();
            found.sort_unstable();
            found.join(", ")
        };
        let refused = common(&warned.disallowed);
        if !refused.is_empty() {
            let all = warned.disallowed.join(", ");
            let text = format!(
                "Provided values [{refused}] are not allowed for {what} (disallowed values are: [{all}])"
            );
            return self.refuse(name, &text, "");
        }
        let unwise = common(&warned.warned);
        if !unwise.is_empty() {
            let all = warned.warned.join(", ");
            let text = format!(
                "Provided values [{unwise}] are not recommended for {what} (warned values are: [{all}])"
            );
            self.warn(name, &text, "");
        }
        Ok(())
    }

    fn warn(&self, name: &str, text: &str, reason: &str) {
        self.context.warn(violation_message(name, text, reason));
    }

    /// Refuses a statement; the client also gets a warning.
    fn refuse(&self, name: &str, text: &str, reason: &str) -> Result<()> {
        let text = violation_message(name, text, reason);
        self.context.warn(text.clone());
        Err(Error::invalid(text))
    }
}

fn violation_message(name: &str, text: &str, reason: &str) -> String {
    let between = match (reason, text.ends_with('.')) {
        ("", _) => "",
        (_, true) => " ",
        (_, false) => ". ",
    };
    format!("Guardrail {name} violated: {text}{between}{reason}")
}
