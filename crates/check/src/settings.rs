//! What the user says about the check: target, levels of rules, limits, the server's configuration.

use std::collections::BTreeMap;
use std::sync::Arc;

use model::concept::Concept;

use crate::severity::Severity;
use crate::target::Target;

/// What the user says.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What the schema will run on.
    pub target: Target,
    /// What it is for.
    pub environment: Environment,
    /// Also rules and limits for the cautious.
    pub strict: bool,
    /// Levels of rules, by code, name or category.
    pub levels: BTreeMap<String, Level>,
    /// Limits, by name.
    pub limits: BTreeMap<String, f64>,
    /// Settings of `cassandra.yaml`, by name, as far as they are known.
    pub server: BTreeMap<String, String>,
    /// A model file: the volumes of its entities are those of the tables that keep them.
    pub model: Option<Arc<Concept>>,
    /// The names of files that take migrations back; they are not run.
    pub rollbacks: Vec<String>,
    /// Nodes of the cluster.
    pub nodes: u32,
    /// What statements take for now, in milliseconds since 1970.
    pub now_ms: i64,
}

/// What a schema is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Environment {
    /// Production.
    Production,
    /// Tests and trials: replication and the like do not matter.
    Test,
}

/// How a rule is told to behave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// It does not speak.
    Off,
    /// It speaks, also if it does not by default.
    On,
    /// It speaks, and its findings are this bad.
    As(Severity),
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            target: Target::default(),
            environment: Environment::Production,
            strict: false,
            levels: BTreeMap::new(),
            limits: BTreeMap::new(),
            server: BTreeMap::new(),
            model: None,
            rollbacks: Vec::new(),
            nodes: 6,
            now_ms: 0,
        }
    }
}
