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
        self.code == name || self.name == name || self.category.word() == name
    }

    /// What the user makes of it: by its code first, then by its name, then by its category.
    pub fn level(&self, settings: &Settings) -> Level {
        let names = [self.code, self.name, self.category.word()];
        let stated = names.iter().find_map(|name| settings.levels.get(*name));
        let usual = if self.by_default { Level::On } else { Level::Off };
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

/// What a rule is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the words say it")]
pub enum Category {
    PartitionKey,
    Clustering,
    PartitionSize,
    SchemaValidity,
    QueryValidity,
    QueryPerformance,
    Index,
    View,
    Types,
    Counter,
    WritePath,
    Tombstone,
    Compaction,
    Options,
    Model,
    Migration,
    Profile,
    Syntax,
    Checking,
}

impl Category {
    /// All of them.
    const ALL: [Self; 19] = [
        Self::PartitionKey,
        Self::Clustering,
        Self::PartitionSize,
        Self::SchemaValidity,
        Self::QueryValidity,
        Self::QueryPerformance,
        Self::Index,
        Self::View,
        Self::Types,
        Self::Counter,
        Self::WritePath,
        Self::Tombstone,
        Self::Compaction,
        Self::Options,
        Self::Model,
        Self::Migration,
        Self::Profile,
        Self::Syntax,
        Self::Checking,
    ];

    /// The category of that word.
    pub(crate) fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|category| category.word() == word)
    }

    /// As it is written in reports.
    pub const fn word(self) -> &'static str {
        match self {
            Self::PartitionKey => "partition-key",
            Self::Clustering => "clustering",
            Self::PartitionSize => "partition-size",
            Self::SchemaValidity => "schema-validity",
            Self::QueryValidity => "query-validity",
            Self::QueryPerformance => "query-performance",
            Self::Index => "index",
            Self::View => "view",
            Self::Types => "types",
            Self::Counter => "counter",
            Self::WritePath => "write-path",
            Self::Tombstone => "tombstone",
            Self::Compaction => "compaction",
            Self::Options => "options",
            Self::Model => "model",
            Self::Migration => "migration",
            Self::Profile => "profile",
            Self::Syntax => "syntax",
            Self::Checking => "checking",
        }
    }
}

/// What a rule needs to know; it runs with what it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Requirement {
    /// The schema.
    Schema,
    /// Statements.
    Queries,
    /// Rows, sizes, rates, distinct values.
    Volumes,
    /// Two states of a schema.
    Change,
    /// The configuration of the server.
    Server,
    /// The product and version it runs on.
    Target,
}

impl Requirement {
    /// All of them.
    const ALL: [Self; 6] =
        [Self::Schema, Self::Queries, Self::Volumes, Self::Change, Self::Server, Self::Target];

    /// The requirement of that word.
    pub(crate) fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|requirement| requirement.word() == word)
    }

    /// As it is written on pages and in lists.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Schema => "schema",
            Self::Queries => "queries",
            Self::Volumes => "volumes",
            Self::Change => "two schema states",
            Self::Server => "server configuration",
            Self::Target => "target",
        }
    }
}
