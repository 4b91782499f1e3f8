//! What the user chose: the command line, then `helenus.toml`, then what is usual.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use check::{Settings, Severity};
use cql::ParseOptions;
use model::sql::ModelFile;
use schema::Catalog;

use super::arguments::CheckArguments;
use super::config::{self, Config};
use super::git_revision;
use super::overrides::Overrides;
use super::session;
use crate::outcome::{Failure, Outcome};
use crate::render::{self, DiagnosticFormat};
use crate::source::Source;
use crate::source_diagnostic::SourceDiagnostic;

/// What the user chose.
pub(crate) struct Choices {
    /// For the rules.
    pub(crate) settings: Settings,
    /// What is checked.
    pub(crate) paths: Vec<PathBuf>,
    /// What is looked up, and not checked itself.
    pub(crate) schema: Vec<PathBuf>,
    /// Keyspaces that exist already.
    pub(crate) keyspaces: Vec<String>,
    /// Whether programs in folders are checked.
    pub(crate) programs: bool,
    /// Whether placeholders of templates are accepted.
    pub(crate) templates: bool,
    /// Levels of rules that hold in some files only.
    pub(crate) overrides: Overrides,
    /// The findings that are known.
    pub(crate) baseline: Option<PathBuf>,
    /// The mildest findings that are told.
    pub(crate) min_severity: Severity,
    /// The mildest findings that make the command fail.
    pub(crate) fail_on: Severity,
    /// The schema that the paths held at a revision, to compare with.
    pub(crate) before: Option<Catalog>,
    /// The configuration, the server's and the model: what else is read.
    pub(crate) read: Vec<PathBuf>,
}

impl Choices {
    pub(crate) fn from_arguments(arguments: &CheckArguments) -> Result<Self, Failure> {
        Self::from_sources(arguments, arguments.config.clone().or_else(config::find))
    }

    /// What the arguments alone say.
    pub(crate) fn from_arguments_only(arguments: &CheckArguments) -> Result<Self, Failure> {
        Self::from_sources(arguments, None)
    }

    fn from_sources(arguments: &CheckArguments, file: Option<PathBuf>) -> Result<Self, Failure> {
        let config = file.as_deref().map(Config::read).transpose()?.unwrap_or_default();
        let server = arguments.server.clone().or_else(|| config.server.clone());
        let model = arguments.model.clone().or_else(|| config.model.clone());
        let settings = rule_settings(arguments, &config, server.as_deref(), model.as_deref())?;
        let or = |arguments: &[PathBuf], config: &[PathBuf]| {
            if arguments.is_empty() { config.to_vec() } else { arguments.to_vec() }
        };
        let own = [config.schema.as_slice(), &config.queries].concat();
        let paths = or(&arguments.paths, &own);
        if paths.is_empty() {
            let message = format!(
                "nothing to check: name files or folders, here or in {}",
                config::FILE_NAME
            );
            return Err(Failure::Stopped(Outcome::BadInput, message));
        }
        let keyspaces = if arguments.keyspace.is_empty() {
            config.keyspaces
        } else {
            arguments.keyspace.clone()
        };
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
            min_severity: arguments.min_severity.or(config.min_severity).unwrap_or(Severity::Low),
            fail_on: arguments.fail_on.or(config.fail_on).unwrap_or(Severity::High),
            before: None,
            read: [file, server, model].into_iter().flatten().collect(),
        };
        if let Some(revision) = &arguments.against {
            choices.before = Some(git_revision::catalog(revision, &choices)?);
        }
        Ok(choices)
    }

    /// How texts are parsed.
    pub(crate) fn parse_options(&self) -> ParseOptions {
        ParseOptions { templates: self.templates }
    }
}

fn rule_settings(
    arguments: &CheckArguments,
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
        let file = read_model_file(path)?;
        settings.model = Some(Arc::new(file.concept));
    }
    for (name, level) in config.rules.iter().chain(&arguments.rule) {
        settings.levels.insert(name.clone(), *level);
    }
    for (name, limit) in config.limits.iter().chain(&arguments.limit) {
        settings.limits.insert(name.clone(), *limit);
    }
    Ok(settings)
}

/// A model file. Only what is wrong with it is told: here it need not ask anything.
fn read_model_file(path: &Path) -> Result<ModelFile, Failure> {
    let source = Source::read(path)?;
    model::sql::read(&source.text, "model").map_err(|wrong| {
        let findings: Vec<_> = wrong
            .into_iter()
            .map(|diagnostic| SourceDiagnostic { source: &source, diagnostic })
            .collect();
        // Standard error may be closed; the message below is told in any case.
        let _ =
            render::write_diagnostics(DiagnosticFormat::Text, &findings, &mut anstream::stderr());
        Failure::Stopped(Outcome::BadInput, format!("{} is no model file", path.display()))
    })
}

/// The settings of a cassandra.yaml: its plain lines `key: value`; those of a block carry its name, `block.key`.
fn read_server_settings(path: &Path) -> Result<BTreeMap<String, String>, Failure> {
    let text =
        std::fs::read_to_string(path).map_err(|error| Failure::unreadable_file(path, &error))?;
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
