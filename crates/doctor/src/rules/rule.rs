//! A rule, and the head of its page that becomes its metadata.
//!
//! ```text
//! # DR001 large-partition
//! high, partition
//!
//! A partition is larger than 100 MB.
//! ```

use cql::Severity;

use super::examination::Examination;
use super::reporter::Reporter;

/// How a rule looks for findings.
pub(super) type Examine = fn(&Examination<'_>, &mut Reporter);

/// What a chapter lists of a rule: the rest stands in the head of its page.
#[derive(Clone, Copy, Debug)]
pub(super) struct RuleEntry {
    page: &'static str,
    examine: Examine,
}

impl RuleEntry {
    pub(super) const fn new(page: &'static str, examine: Examine) -> Self {
        Self { page, examine }
    }
}

/// A rule: its metadata, how it looks for findings, and its page.
#[derive(Debug)]
pub struct Rule {
    /// Its code, which never changes: `DR001`.
    pub code: &'static str,
    /// Its name, as an alias of the code: `large-partition`.
    pub name: &'static str,
    /// How bad it usually is. A finding may say otherwise.
    pub severity: Severity,
    /// What it is about.
    pub category: Category,
    /// Its page without the head: summary, why, instead, when to ignore, versions.
    pub page: &'static str,
    pub(super) examine: Examine,
}

cql::named_enum! {
    /// What a rule is about.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Category {
        Partition => "partition",
        Tombstone => "tombstone",
        Query => "query",
        Write => "write",
        Compaction => "compaction",
        Node => "node",
        Setting => "setting",
    }
}

impl Rule {
    /// The rule of an entry; `None` if the head of its page is malformed.
    pub(super) fn from_entry(entry: &RuleEntry) -> Option<Self> {
        let (title, rest) = entry.page.strip_prefix("# ")?.split_once('\n')?;
        let (facts, page) = rest.split_once("\n\n")?;
        let (code, name) = title.split_once(' ')?;
        let (severity, category) = facts.split_once(", ")?;
        let severity = Severity::from_word(severity)?;
        let category = Category::ALL.into_iter().find(|known| known.name() == category)?;
        Some(Self { code, name, severity, category, page, examine: entry.examine })
    }

    /// The first paragraph of its page, as one line: what is found.
    pub fn summary(&self) -> String {
        let lines = self.page.lines().take_while(|line| !line.is_empty());
        lines.collect::<Vec<_>>().join(" ")
    }

    /// Whether a name means it: its code, its name or its category.
    pub fn is_named(&self, name: &str) -> bool {
        self.code == name || self.name == name || self.category.name() == name
    }
}
