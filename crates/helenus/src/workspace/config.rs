//! `helenus.toml`: the configuration of a check. Arguments take precedence.

use std::ops::Range;
use std::path::{Path, PathBuf};

use check::{Level, Severity, Target};
use model::directive::quantity;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::project_arguments::{self, Profile};
use crate::outcome::{Failure, Outcome};
use crate::source::Source;

/// The name of the file.
pub(crate) const FILE_NAME: &str = "helenus.toml";

const KEYS: [&str; 14] = [
    "schema",
    "queries",
    "keyspaces",
    "templates",
    "target",
    "profile",
    "server",
    "volumes",
    "baseline",
    "fail-on",
    "min-severity",
    "rules",
    "limits",
    "paths",
];

/// The content of the file. Paths are relative to the working folder.
#[derive(Debug, Default)]
pub(crate) struct Config {
    /// The folder of the file.
    pub(crate) folder: PathBuf,
    pub(crate) schema: Vec<PathBuf>,
    pub(crate) queries: Vec<PathBuf>,
    pub(crate) keyspaces: Vec<String>,
    pub(crate) templates: bool,
    pub(crate) target: Option<Target>,
    pub(crate) profile: Option<Profile>,
    pub(crate) server: Option<PathBuf>,
    /// The model file with the volumes.
    pub(crate) model: Option<PathBuf>,
    pub(crate) baseline: Option<PathBuf>,
    pub(crate) fail_on: Option<Severity>,
    pub(crate) min_severity: Option<Severity>,
    pub(crate) rules: Vec<(String, Level)>,
    pub(crate) limits: Vec<(String, f64)>,
    /// Levels of rules by path pattern.
    pub(crate) paths: Vec<(String, Vec<(String, Level)>)>,
}

/// Finds the file in the working folder or the nearest folder above.
pub(crate) fn find() -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    let mut up = PathBuf::new();
    for _ in here.ancestors() {
        let path = up.join(FILE_NAME);
        if path.is_file() {
            return Some(path);
        }
        up.push("..");
    }
    None
}

impl Config {
    /// Reads a file; all errors are reported at once.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let text = regular_file::read_to_string(path)
            .map_err(|error| Failure::unreadable_file(path, &error))?;
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        let errors = match Self::parse(&text, folder) {
            Ok(config) => return Ok(config),
            Err(errors) => errors,
        };
        let source = Source::new(path.display().to_string(), text);
        let lines = errors.into_iter().map(|(span, message)| {
            format!("{}:{}: {message}", source.name, source.line_column(span.start).line)
        });
        Err(Failure::Stopped(Outcome::BadInput, lines.collect::<Vec<_>>().join("\nerror: ")))
    }

    /// The paths that it names, of files and folders that are read.
    pub(crate) fn list_paths(&self) -> impl Iterator<Item = &PathBuf> {
        let lists = self.schema.iter().chain(&self.queries);
        lists.chain(&self.server).chain(&self.model).chain(&self.baseline)
    }

    fn parse(text: &str, folder: PathBuf) -> Result<Self, Vec<ConfigError>> {
        let table = DeTable::parse(text).map_err(|error| {
            vec![(error.span().unwrap_or_default(), error.message().to_owned())]
        })?;
        let mut config = Self { folder, ..Self::default() };
        let mut errors = Vec::new();
        for (key, value) in table.get_ref() {
            if let Err(message) = config.set_key(key.get_ref(), value, &mut errors) {
                errors.push((key.span(), message));
            }
        }
        errors.sort_by_key(|(span, _)| span.start);
        if errors.is_empty() { Ok(config) } else { Err(errors) }
    }

    fn set_key(
        &mut self,
        key: &str,
        value: &TomlValue<'_>,
        errors: &mut Vec<ConfigError>,
    ) -> Result<(), String> {
        match key {
            "schema" => self.schema = self.resolve_paths(value)?,
            "queries" => self.queries = self.resolve_paths(value)?,
            "keyspaces" => self.keyspaces = strings(value)?,
            "templates" => {
                self.templates = value.get_ref().as_bool().ok_or("expected true or false")?;
            }
            "target" => self.target = Some(project_arguments::target(string(value)?)?),
            "profile" => self.profile = Some(Profile::from_name(string(value)?)?),
            "server" => self.server = Some(self.folder.join(string(value)?)),
            "volumes" => self.model = Some(self.folder.join(string(value)?)),
            "baseline" => self.baseline = Some(self.folder.join(string(value)?)),
            "fail-on" => self.fail_on = Some(project_arguments::severity(string(value)?)?),
            "min-severity" => {
                self.min_severity = Some(project_arguments::severity(string(value)?)?);
            }
            "rules" => self.rules = levels(table(value)?, errors),
            "limits" => self.limits = read_entries(table(value)?, errors, limit),
            "paths" => {
                for (path, value) in table(value)? {
                    let levels = levels(table(value)?, errors);
                    if levels.iter().any(|(_, level)| *level == Level::On) {
                        errors.push((
                            path.span(),
                            "[paths] can turn rules off or change their severity, but not turn them on"
                                .to_owned(),
                        ));
                    }
                    self.paths.push((path.get_ref().clone().into_owned(), levels));
                }
            }
            key => return Err(project_arguments::unknown_name("key", key, KEYS.into_iter())),
        }
        Ok(())
    }

    /// Paths, relative to the working folder.
    fn resolve_paths(&self, value: &TomlValue<'_>) -> Result<Vec<PathBuf>, String> {
        Ok(strings(value)?.into_iter().map(|path| self.folder.join(path)).collect())
    }
}

type TomlValue<'v> = Spanned<DeValue<'v>>;

/// The position of an error, and its message.
type ConfigError = (Range<usize>, String);

fn string<'v>(value: &'v TomlValue<'_>) -> Result<&'v str, String> {
    value.get_ref().as_str().ok_or_else(|| "expected a string in quotes".to_owned())
}

/// One string, or a list of strings.
fn strings(value: &TomlValue<'_>) -> Result<Vec<String>, String> {
    match value.get_ref() {
        DeValue::Array(values) => {
            values.iter().map(|value| Ok(string(value)?.to_owned())).collect()
        }
        _ => Ok(vec![string(value)?.to_owned()]),
    }
}

fn table<'v, 'i>(value: &'v TomlValue<'i>) -> Result<&'v DeTable<'i>, String> {
    value.get_ref().as_table().ok_or_else(|| "expected a table".to_owned())
}

fn levels(table: &DeTable<'_>, errors: &mut Vec<ConfigError>) -> Vec<(String, Level)> {
    read_entries(table, errors, |name, value| {
        Ok((
            project_arguments::resolve_rule(name)?,
            project_arguments::parse_level(string(value)?)?,
        ))
    })
}

fn limit(name: &str, value: &TomlValue<'_>) -> Result<(String, f64), String> {
    let number = match value.get_ref() {
        DeValue::Integer(number) => number.as_str().parse().ok(),
        DeValue::Float(number) => number.as_str().parse().ok(),
        DeValue::String(text) => {
            quantity::parse_number(text).or_else(|| quantity::parse_size(text))
        }
        _ => None,
    };
    let number = number.ok_or("expected a number, or a string such as \"100MB\"")?;
    Ok((project_arguments::resolve_limit(name)?, number))
}

/// Reads the entries of a table; invalid entries are added to the errors.
fn read_entries<T>(
    table: &DeTable<'_>,
    errors: &mut Vec<ConfigError>,
    read: impl Fn(&str, &TomlValue<'_>) -> Result<T, String>,
) -> Vec<T> {
    let mut all = Vec::new();
    for (key, value) in table {
        match read(key.get_ref(), value) {
            Ok(pair) => all.push(pair),
            Err(message) => errors.push((key.span(), message)),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_file() {
        let text = "schema = \"db\"\nqueries = [\"a.cql\", \"b\"]\ntarget = \"astra\"\nfail-on = \"low\"\n\
                    [rules]\nPK001 = \"off\"\nindex = \"low\"\n[paths.\"test/**\"]\nmodel = \"off\"\n";
        let config = Config::parse(text, PathBuf::from("..")).unwrap();
        assert_eq!(config.schema, [Path::new("../db")]);
        assert_eq!(config.queries, [Path::new("../a.cql"), Path::new("../b")]);
        assert_eq!(config.target, Target::from_name("astra"));
        assert_eq!(config.fail_on, Some(Severity::Low));
        assert_eq!(config.rules.len(), 2);
        assert_eq!(config.paths, [("test/**".to_owned(), vec![("model".to_owned(), Level::Off)])]);
    }

    #[test]
    fn all_errors_are_reported_at_once() {
        let text = "shcema = \"db\"\ntarget = 5\n[rules]\nPK001 = \"of\"\nPK0 = \"off\"\n";
        let errors = Config::parse(text, PathBuf::new()).unwrap_err();
        let messages: Vec<_> = errors.into_iter().map(|(_, message)| message).collect();
        assert_eq!(messages.len(), 4, "{messages:?}");
        assert_eq!(messages[0], "unknown key `shcema`; did you mean schema?");
        assert_eq!(messages[1], "expected a string in quotes");
    }
}
