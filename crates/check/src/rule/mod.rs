//! What a rule is.

mod entry;
mod finding;
mod reporter;

pub(crate) use entry::RuleEntry;
pub use finding::{Finding, FindingSubject};
pub use reporter::Reporter;

use crate::limit::Limit;
use crate::project::{MigrationStep, Project, ReplayedStatement, TableFacts};
use crate::settings::{Level, Settings};
use crate::severity::Severity;

/// A rule: its metadata, how it looks for findings, and its page.
#[derive(Debug)]
pub struct Rule {
    /// Its code, which never changes: `PK001`.
    pub code: &'static str,
    /// Its name, as an alias of the code: `low-cardinality-partition-key`.
    pub name: &'static str,
    /// What it is about.
    pub category: Category,
    /// How bad it is at its usual, with high confidence. A finding may say otherwise.
    pub severity: Severity,
    /// What it needs to know.
    pub requires: Vec<Requirement>,
    /// Whether it speaks without being asked to.
    pub by_default: bool,
    /// The figures that a configuration may change.
    pub limits: &'static [Limit],
    /// How it looks for findings.
    pub check: Check,
    /// Its page without the head: summary, why, instead, when to ignore, versions. The CQL blocks are
    /// the rule's tests.
    pub page: &'static str,
}

impl Rule {
    /// The first paragraph of its page, as one line: what is found.
    pub fn summary(&self) -> String {
        let lines = self.page.lines().take_while(|line| !line.is_empty());
        lines.collect::<Vec<_>>().join(" ")
    }

    /// Whether a name means it: its code, its name or its category.
    pub fn is_named(&self, name: &str) -> bool {
        self.code == name || self.name == name || self.category.name() == name
    }

    /// What the user makes of it: by its code first, then by its name, then by its category.
    pub fn level(&self, settings: &Settings) -> Level {
        let names = [self.code, self.name, self.category.name()];
        let stated = names.iter().find_map(|name| settings.levels.get(*name));
        let usual = if self.by_default || settings.strict { Level::On } else { Level::Off };
        stated.copied().unwrap_or(usual)
    }
}

/// How a rule looks for findings.
#[derive(Clone, Copy, Debug)]
pub enum Check {
    /// At every table and view that the texts create.
    Table(fn(&Project<'_>, &TableFacts, &mut Reporter<'_>)),
    /// At every statement, refused ones included.
    Statement(fn(&Project<'_>, &ReplayedStatement, &mut Reporter<'_>)),
    /// At every step of a migration.
    Step(fn(&Project<'_>, &MigrationStep, &mut Reporter<'_>)),
    /// At everything, once.
    Project(fn(&Project<'_>, &mut Reporter<'_>)),
    /// The server refuses: the binder finds it under this code.
    Server,
    /// The same, and the function tells the finding what `--fix` can do.
    ServerFix(fn(&Project<'_>, &ReplayedStatement, &mut Finding)),
}

cql::named_enum! {
    /// What a rule is about.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Category {
        PartitionKey => "partition-key",
        Clustering => "clustering",
        PartitionSize => "partition-size",
        SchemaValidity => "schema-validity",
        QueryValidity => "query-validity",
        QueryPerformance => "query-performance",
        Index => "index",
        View => "view",
        Types => "types",
        Counter => "counter",
        WritePath => "write-path",
        Tombstone => "tombstone",
        Compaction => "compaction",
        Options => "options",
        Model => "model",
        Migration => "migration",
        Profile => "profile",
        Syntax => "syntax",
        Checking => "checking",
    }
}

impl Category {
    /// The category of that name.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|category| category.name() == name)
    }
}

cql::named_enum! {
    /// What a rule needs to know; it runs with what it has.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Requirement {
        /// The schema.
        Schema => "schema",
        /// Statements.
        Queries => "queries",
        /// Rows, sizes, rates, distinct values.
        Volumes => "volumes",
        /// Two states of a schema.
        Change => "two schema states",
        /// The configuration of the server.
        Server => "server configuration",
        /// The product and version it runs on.
        Target => "target",
    }
}

impl Requirement {
    /// The requirement of that name.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|requirement| requirement.name() == name)
    }
}
