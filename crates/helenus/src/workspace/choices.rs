//! The effective settings of a check: the command line, else `helenus.toml`, else the defaults.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use check::{Settings, Severity};
use cql::ParseOptions;
use schema::Catalog;

use super::config::{self, Config};
use super::git_revision;
use super::model_file;
use super::overrides::Overrides;
use super::project_arguments::ProjectArguments;
use super::session;
use crate::outcome::{Failure, Outcome};

/// The effective settings of a check.
pub(crate) struct Choices {
    /// The settings of the rules.
    pub(crate) settings: Settings,
    /// The files and folders to check.
    pub(crate) paths: Vec<PathBuf>,
    /// The schema that names are resolved in, not checked itself.
    pub(crate) schema: Vec<PathBuf>,
    /// Existing keyspaces.
    pub(crate) keyspaces: Vec<String>,
    /// Whether source code in folders is checked.
    pub(crate) programs: bool,
    /// Whether template placeholders are accepted.
    pub(crate) templates: bool,
    /// Levels of rules for some paths only.
    pub(crate) overrides: Overrides,
    /// The file of known findings.
    pub(crate) baseline: Option<PathBuf>,
    /// The lowest severity that is reported.
    pub(crate) min_severity: Severity,
    /// The lowest severity that makes the command fail.
    pub(crate) fail_on: Severity,
    /// The schema of the paths at the revision of `--against`.
    pub(crate) before: Option<Catalog>,
    /// Other files that were read: configuration, cassandra.yaml, model file. `--watch` polls them
    /// too.
    pub(crate) read: Vec<PathBuf>,
}

impl Choices {
    pub(crate) fn from_arguments(arguments: &ProjectArguments) -> Result<Self, Failure> {
        Self::from_sources(arguments, arguments.config.clone().or_else(config::find))
    }

    /// The settings without a configuration file.
    pub(crate) fn from_arguments_only(arguments: &ProjectArguments) -> Result<Self, Failure> {
        Self::from_sources(arguments, None)
    }

    fn from_sources(arguments: &ProjectArguments, file: Option<PathBuf>) -> Result<Self, Failure> {
        let config = file.as_deref().map(Config::read).transpose()?.unwrap_or_default();
        let server = arguments.server.clone().or_else(|| config.server.clone());
        let model = arguments.model.clone().or_else(|| config.model.clone());
        let settings = rule_settings(arguments, &config, server.as_deref(), model.as_deref())?;
        let or = |arguments: &[PathBuf], config: &[PathBuf]| {
            if arguments.is_empty() { config.to_vec() } else { arguments.to_vec() }
        };
        let configured = [config.schema.as_slice(), &config.queries].concat();
        let paths = or(&arguments.paths, &configured);
        if paths.is_empty() {
            let message = format!(
                "nothing to check: name files or directories on the command line or in {}",
                config::FILE_NAME
            );
            return Err(Failure::Stopped(Outcome::BadInput, message));
        }
        let keyspaces = if arguments.keyspace.is_empty() {
            config.keyspaces
        } else {
            arguments.keyspace.clone()
        };
        // Whoever is strict wants to see what only the strict rules say, most of which is info.
        let shown = if settings.strict { Severity::Info } else { Severity::Low };
        let mut choices = Self {
            settings,
            paths,
            schema: or(&arguments.schema, &config.schema),
            keyspaces,
            programs: arguments.programs
                || !arguments.schema.is_empty()
                || !config.schema.is_empty(),
            templates: arguments.templates || config.templates,
            overrides: Overrides { folder: config.folder, levels: config.paths },
            baseline: arguments.baseline.clone().or(config.baseline),
            min_severity: arguments.min_severity.or(config.min_severity).unwrap_or(shown),
            fail_on: arguments.fail_on.or(config.fail_on).unwrap_or(Severity::High),
            before: None,
            read: [file, server, model].into_iter().flatten().collect(),
        };
        if let Some(revision) = &arguments.against {
            choices.before = Some(git_revision::catalog(revision, &choices)?);
        }
        Ok(choices)
    }

    /// The options for parsing texts.
    pub(crate) fn parse_options(&self) -> ParseOptions {
        ParseOptions { templates: self.templates }
    }
}

fn rule_settings(
    arguments: &ProjectArguments,
    config: &Config,
    server: Option<&Path>,
    model: Option<&Path>,
) -> Result<Settings, Failure> {
    let mut settings = Settings { now_ms: session::now_ms(), ..Settings::default() };
    if let Some(target) = arguments.target.or(config.target) {
        settings.target = target;
    }
    if let Some(profile) = arguments.profile.or(config.profile) {
        (settings.environment, settings.strict) = profile.meaning();
    }
    if let Some(path) = server {
        settings.server = read_server_settings(path)?;
    }
    if let Some(path) = model {
        settings.model = Some(Arc::new(model_file::read_concept(path)?));
    }
    for (name, level) in config.rules.iter().chain(&arguments.rule) {
        settings.levels.insert(name.clone(), *level);
    }
    for (name, limit) in config.limits.iter().chain(&arguments.limit) {
        settings.limits.insert(name.clone(), *limit);
    }
    Ok(settings)
}

/// Reads the settings of a cassandra.yaml: its lines `key: value`; those nested in a block are
/// named `block.key`.
fn read_server_settings(path: &Path) -> Result<BTreeMap<String, String>, Failure> {
    let text = regular_file::read_to_string(path)
        .map_err(|error| Failure::unreadable_file(path, &error))?;
    Ok(parse_server_settings(&text))
}

fn parse_server_settings(text: &str) -> BTreeMap<String, String> {
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
        let settings = parse_server_settings(text);
        let pairs: Vec<_> =
            settings.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
        let expected =
            [("name", "My Cluster"), ("seeds.wait", "3s"), ("tables_warn_threshold", "150")];
        assert_eq!(pairs, expected);
    }
}
