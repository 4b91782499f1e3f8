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

/// A size among the settings of the server, in bytes: `5KiB`, `100MiB`. `None` where it is not set.
pub(crate) fn server_bytes(settings: &Settings, name: &str) -> Option<f64> {
    let text = settings.server.get(name)?.trim();
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let unit = text.get(digits.len()..).unwrap_or_default();
    let factor = match unit {
        "" | "B" => 1.0,
        "KiB" => 1024.0,
        "MiB" => 1024.0 * 1024.0,
        "GiB" => 1024.0 * 1024.0 * 1024.0,
        _ => return None,
    };
    let number: f64 = digits.trim().parse().ok()?;
    (number >= 0.0).then_some(number * factor)
}

/// A length of time among the settings of the server, in seconds: `3h`, `10800s`, `500ms`; before 4.1 in milliseconds, under the name with
/// `_in_ms`. `None` where it is not set.
pub(crate) fn server_seconds(settings: &Settings, name: &str) -> Option<f64> {
    const UNITS: [(&str, f64); 5] =
        [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3_600.0), ("d", 86_400.0)];
    if let Some(text) = settings.server.get(name) {
        let text = text.trim();
        let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
        let unit = text.get(digits.len()..).unwrap_or_default();
        let factor = UNITS.iter().find(|(known, _)| *known == unit).map(|(_, seconds)| seconds)?;
        return Some(digits.trim().parse::<f64>().ok()? * factor);
    }
    let millis = settings.server.get(&format!("{name}_in_ms"))?;
    Some(millis.trim().parse::<f64>().ok()? / 1_000.0)
}

/// A list among the settings of the server: `[a, b]`, `a, b`; empty where it is not set.
pub(crate) fn server_list(settings: &Settings, name: &str) -> Vec<String> {
    let text = settings.server.get(name).map_or("", |text| text.trim());
    let inside = text.trim_matches(['[', ']', '{', '}']);
    let words = inside.split([',', ' ']).map(|word| word.trim_matches(['"', '\'']));
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}
