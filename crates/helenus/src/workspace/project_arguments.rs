//! The options that select and configure a project, and the parsers of their values, which
//! `helenus.toml` shares.

use std::path::PathBuf;

use check::{Environment, Level, Severity, Target};
use clap::ValueEnum;
use model::directive::quantity;

/// Up to this many known names are listed when none is similar to the given one.
const NAMES_LISTED_MAX: usize = 12;

/// The options that select and configure a project. The language server uses the defaults.
#[derive(clap::Args, Default)]
pub(crate) struct ProjectArguments {
    /// Files, or directories of .cql files; `-` is standard input [default: the paths in
    /// helenus.toml]
    pub(crate) paths: Vec<PathBuf>,
    /// Schema to resolve names in, not checked itself: a file or directory (repeatable)
    #[arg(long, value_name = "PATH")]
    pub(crate) schema: Vec<PathBuf>,
    /// Existing keyspace; the first one is the current keyspace (repeatable)
    #[arg(long, value_name = "NAME")]
    pub(crate) keyspace: Vec<String>,
    /// Accept template placeholders: ${x}, {{x}}, $X$, %s, %d, {0}
    #[arg(long)]
    pub(crate) templates: bool,
    /// Also check the CQL in source code (.java, .go, .py, ...) found in directories; implied by
    /// --schema
    #[arg(long)]
    pub(crate) programs: bool,
    /// Treat all files as steps of a migration, in the order of their names; implied for
    /// directories of numbered files
    #[arg(long)]
    pub(crate) migrations: bool,
    /// Compare with the same paths at a Git revision, and check the differences as a migration
    #[arg(long, value_name = "REVISION")]
    pub(crate) against: Option<String>,
    /// Database that the schema is for: apache-5.0, apache-4.1, apache-4.0, apache-3.11, dse,
    /// astra, scylla, keyspaces
    #[arg(long, value_name = "NAME", value_parser = target)]
    pub(crate) target: Option<Target>,
    /// Environment that the schema is for; strict also enables optional rules
    #[arg(long, value_enum)]
    pub(crate) profile: Option<Profile>,
    /// The server's cassandra.yaml; its limits apply
    #[arg(long, value_name = "FILE")]
    pub(crate) server: Option<PathBuf>,
    /// Model file whose volumes apply to the tables that store its entities (`videos_by_user`
    /// stores videos)
    #[arg(long, value_name = "FILE")]
    pub(crate) model: Option<PathBuf>,
    /// Configuration file [default: helenus.toml in the working directory or above]
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Set the level of rules by code, name or category: off, on, or a severity (repeatable)
    #[arg(long, value_name = "RULE=LEVEL", value_parser = level)]
    pub(crate) rule: Vec<(String, Level)>,
    /// Set a limit of a rule, to a number such as 100, 1k or 100MB (repeatable)
    #[arg(long, value_name = "NAME=NUMBER", value_parser = limit)]
    pub(crate) limit: Vec<(String, f64)>,
    /// Exit with 1 if there are findings of at least this severity: info, low, medium, high,
    /// critical or error [default: high]
    #[arg(long, value_name = "SEVERITY", value_parser = severity)]
    pub(crate) fail_on: Option<Severity>,
    /// Report findings of at least this severity [default: low]
    #[arg(long, value_name = "SEVERITY", value_parser = severity)]
    pub(crate) min_severity: Option<Severity>,
    /// File of known findings, which are neither reported nor counted
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
}

/// The values of `--profile`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Profile {
    /// Production
    Prod,
    /// Tests and development
    Test,
    /// Production, with the optional rules
    Strict,
}

impl Profile {
    /// Parses the name of a profile.
    pub(crate) fn from_name(word: &str) -> Result<Self, String> {
        let wrong = |_| unknown_name("profile", word, ["prod", "test", "strict"].into_iter());
        <Self as ValueEnum>::from_str(word, false).map_err(wrong)
    }

    /// The environment, and whether optional rules are enabled.
    pub(crate) fn meaning(self) -> (Environment, bool) {
        match self {
            Self::Prod => (Environment::Production, false),
            Self::Test => (Environment::Test, false),
            Self::Strict => (Environment::Production, true),
        }
    }
}

/// Parses the name of a target.
pub(crate) fn target(name: &str) -> Result<Target, String> {
    let names = || Target::ALL.iter().map(|(name, _)| *name);
    Target::from_name(name).ok_or_else(|| unknown_name("target", name, names()))
}

/// Parses a severity.
pub(crate) fn severity(word: &str) -> Result<Severity, String> {
    let words = Severity::ALL.iter().map(|severity| severity.word());
    Severity::from_word(word).ok_or_else(|| unknown_name("severity", word, words))
}

/// Parses `PK001=off`.
fn level(text: &str) -> Result<(String, Level), String> {
    let (name, level) = text.split_once('=').ok_or("expected RULE=LEVEL")?;
    Ok((resolve_rule(name.trim())?, parse_level(level.trim())?))
}

/// Parses the level of a rule.
pub(crate) fn parse_level(word: &str) -> Result<Level, String> {
    match word {
        "off" => Ok(Level::Off),
        "on" => Ok(Level::On),
        word => Severity::from_word(word).map(Level::As).ok_or_else(|| {
            let words = ["off", "on"]
                .into_iter()
                .chain(Severity::ALL.iter().map(|severity| severity.word()));
            unknown_name("level", word, words)
        }),
    }
}

/// Checks the code, name or category of rules; codes are returned in upper case.
pub(crate) fn resolve_rule(name: &str) -> Result<String, String> {
    if check::rules::all().any(|rule| rule.is_named(name)) {
        return Ok(name.to_owned());
    }
    let upper = name.to_ascii_uppercase();
    if check::rules::find(&upper).is_some() {
        return Ok(upper);
    }
    let names = check::rules::all().flat_map(|rule| [rule.name, rule.category.name(), rule.code]);
    Err(unknown_name("rule", name, names))
}

/// Parses `hot-partition-rate=1k`.
fn limit(text: &str) -> Result<(String, f64), String> {
    let (name, number) = text.split_once('=').ok_or("expected NAME=NUMBER")?;
    let (name, number) = (name.trim(), number.trim());
    let value = quantity::parse_number(number).or_else(|| quantity::parse_size(number));
    let value = value.ok_or_else(|| {
        format!("invalid number `{number}`; expected a number such as 100, 1k or 100MB")
    })?;
    Ok((resolve_limit(name)?, value))
}

/// Checks the name of a limit.
pub(crate) fn resolve_limit(name: &str) -> Result<String, String> {
    let names = || check::rules::all().flat_map(|rule| rule.limits).map(|limit| limit.name);
    if names().any(|known| known == name) {
        return Ok(name.to_owned());
    }
    Err(unknown_name("limit", name, names()))
}

/// The message for an unknown name, with the nearest known name or the list of all.
pub(crate) fn unknown_name<'a>(
    what: &str,
    name: &str,
    known: impl Iterator<Item = &'a str>,
) -> String {
    let known: Vec<_> = known.collect();
    let hint = match cql::spelling::find_nearest(name, known.iter().copied()) {
        None if known.len() <= NAMES_LISTED_MAX => {
            format!("; expected one of {}", known.join(", "))
        }
        nearest => cql::spelling::hint(nearest),
    };
    format!("unknown {what} `{name}`{hint}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_of_rules() {
        assert_eq!(level("pk001=off"), Ok(("PK001".to_owned(), Level::Off)));
        assert_eq!(level("index=low"), Ok(("index".to_owned(), Level::As(Severity::Low))));
        assert!(level("PK001").is_err());
        let wrong = level("low-cardinality-partition-kye=on").unwrap_err();
        assert!(wrong.ends_with("did you mean low-cardinality-partition-key?"), "{wrong}");
        assert!(level("PK001=hihg").unwrap_err().ends_with("did you mean high?"));
    }
}
