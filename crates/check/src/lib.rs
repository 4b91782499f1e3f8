//! The judgement: rules over schemas, statements and volumes, each finding with its evidence and, where there is one, its fix.
//!
//! [`Project`] replays texts as a server would see them and keeps what rules ask for: the catalog, the access plan of every
//! statement, the volumes that comments declare. [`check`] asks every rule of [`rules`] and returns the findings in the order of
//! the texts. A rule sees no file and no terminal.

#![cfg_attr(test, expect(clippy::disallowed_methods, reason = "tests have files and clocks"))]

mod allowance;
pub mod editor;
mod facts;
mod fix;
mod guardrails;
mod limit;
mod location;
pub mod pages;
pub mod program;
mod project;
mod reclassify;
mod refusals;
mod remedies;
mod rule;
pub mod rules;
mod runner;
mod server_fixes;
mod settings;
mod severity;
mod statement_object;
mod subject;
mod target;
mod vocabulary;

pub use fix::{Edit, Fix, FixKind};
pub use limit::Limit;
pub use location::Location;
pub use project::{
    MigrationStep, Project, ReplayedStatement, SourceText, TableFacts, TextKind, is_rollback,
};
pub(crate) use rule::RuleEntry;
pub use rule::{Category, Check, Finding, FindingSubject, Reporter, Requirement, Rule};
pub use runner::check;
pub use settings::{Environment, Level, Settings};
pub use severity::{Confidence, Severity};
pub use target::{Product, Target};
