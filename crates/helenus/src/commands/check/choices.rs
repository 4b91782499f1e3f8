//! What the user chose: the command line, completed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use check::{Level, Settings, Severity};
use cql::ParseOptions;

use super::super::{Failure, session};
use super::arguments::Check;

/// What the user chose.
pub(super) struct Choices {
    /// For the rules.
    pub(super) settings: Settings,
    /// What is checked.
    pub(super) paths: Vec<PathBuf>,
    /// What is looked up, and not checked itself.
    pub(super) schema: Vec<PathBuf>,
    /// Keyspaces that exist already.
    pub(super) keyspaces: Vec<String>,
    /// Whether placeholders of templates are accepted.
    pub(super) templates: bool,
    /// The findings that are known.
    pub(super) baseline: Option<PathBuf>,
    /// The mildest findings that are told.
    pub(super) min_severity: Severity,
    /// The mildest findings that make the command fail.
    pub(super) fail_on: Severity,
}

impl Choices {
    pub(super) fn of(arguments: &Check) -> Result<Self, Failure> {
        let mut settings = Settings { now_ms: session::now_ms(), ..Settings::default() };
        if let Some(target) = arguments.target {
            settings.target = target;
        }
        if let Some(profile) = arguments.profile {
            (settings.environment, settings.strict) = profile.meaning();
        }
        if let Some(path) = &arguments.server {
            settings.server = server(path)?;
        }
        let levels = arguments.rule.iter().cloned();
        settings.levels.extend::<Vec<(String, Level)>>(levels.collect());
        settings.limits.extend(arguments.limit.iter().cloned());
        Ok(Self {
            settings,
            paths: arguments.paths.clone(),
            schema: arguments.schema.clone(),
            keyspaces: arguments.keyspace.clone(),
            templates: arguments.templates,
            baseline: arguments.baseline.clone(),
            min_severity: arguments.min_severity.unwrap_or(Severity::Low),
            fail_on: arguments.fail_on.unwrap_or(Severity::High),
        })
    }

    /// How texts are parsed.
    pub(super) fn options(&self) -> ParseOptions {
        ParseOptions { templates: self.templates }
    }
}

/// The settings of a cassandra.yaml: its plain lines `key: value`; those of a block carry its name, `block.key`.
fn server(path: &Path) -> Result<BTreeMap<String, String>, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| Failure::reading(path, &error))?;
    Ok(settings_of(&text))
}

fn settings_of(text: &str) -> BTreeMap<String, String> {
    let mut settings = BTreeMap::new();
    let mut block = "";
    for line in text.lines() {
        let code = line.find(" #").and_then(|at| line.get(..at)).unwrap_or(line);
        let is_nested = code.starts_with([' ', '\t']);
        let Some((key, value)) = code.trim().split_once(':') else { continue };
        if key.starts_with(['#', '-']) {
            continue;
        }
        let (key, value) = (key.trim(), value.trim().trim_matches(['"', '\'']));
        if !is_nested {
            block = key;
        }
        if !value.is_empty() {
            let name = if is_nested { format!("{block}.{key}") } else { key.to_owned() };
            settings.insert(name, value.to_owned());
        }
    }
    settings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_of_a_server() {
        let text = "# a comment: no\ntables_warn_threshold: 150 # why\nseeds:\n  - x: 1\n  wait: '3s'\n\
                    name: \"My Cluster\"\n";
        let settings = settings_of(text);
        let pairs: Vec<_> =
            settings.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
        let expected =
            [("name", "My Cluster"), ("seeds.wait", "3s"), ("tables_warn_threshold", "150")];
        assert_eq!(pairs, expected);
    }
}
