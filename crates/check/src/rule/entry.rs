//! An entry of the rule book, and the head of its page that becomes a rule's metadata.
//!
//! ```text
//! # PS002 partition-bytes
//! high, partition-size, on by default; needs schema, volumes
//!
//! Partitions grow larger than 100 MB, according to the declared rows and sizes.
//! ```

use super::{Category, Check, Requirement, Rule};
use crate::limit::Limit;
use crate::severity::Severity;

/// What the rule book holds of a rule: the rest stands in the head of its page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RuleEntry {
    /// The whole page, head included.
    pub(crate) page: &'static str,
    check: Check,
    limits: &'static [Limit],
}

impl RuleEntry {
    /// A rule with a check of its own.
    pub(crate) const fn new(page: &'static str, check: Check) -> Self {
        Self { page, check, limits: &[] }
    }

    /// A rule that only names what the binder rejects.
    pub(crate) const fn server(page: &'static str) -> Self {
        Self::new(page, Check::Server)
    }

    /// The same with figures that a configuration may change.
    pub(crate) const fn with_limits(self, limits: &'static [Limit]) -> Self {
        Self { limits, ..self }
    }
}

impl Rule {
    /// The rule of an entry; none if the head of its page is malformed.
    pub(crate) fn from_entry(entry: &RuleEntry) -> Option<Self> {
        let (title, rest) = entry.page.strip_prefix("# ")?.split_once('\n')?;
        let (facts, page) = rest.split_once("\n\n")?;
        let (code, name) = title.split_once(' ')?;
        let (classes, requirements) = facts.split_once("; needs ")?;
        let mut classes = classes.split(", ");
        let severity = Severity::from_word(classes.next()?)?;
        let category = Category::from_name(classes.next()?)?;
        let by_default = match classes.next()? {
            "on by default" => true,
            "off by default" => false,
            _ => return None,
        };
        let requires =
            requirements.split(", ").map(Requirement::from_name).collect::<Option<_>>()?;
        let RuleEntry { check, limits, .. } = *entry;
        Some(Self { code, name, category, severity, requires, by_default, limits, check, page })
    }
}
