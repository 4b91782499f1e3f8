//! The command line of `helenus check`, and the values of its words.

use std::path::PathBuf;

use check::{Environment, Level, Severity, Target};
use clap::ValueEnum;
use model::directive::quantity;

use crate::render::findings::FindingFormat;

/// So many names are listed where none is near.
const NAMES_LISTED_MAX: usize = 12;

const EXAMPLES: &str = "\
Examples:
  helenus check examples/video.cql
  helenus check --schema schema.cql queries/
  helenus check --target astra --format sarif db/ > findings.sarif
  echo 'SELECT * FROM video.users' | helenus check --schema examples/video.cql -

Statements run in order, as a server would see them: a schema first, then what uses it.
Statements with markers (? or :name) are checked as prepared ones. Files that name no
keyspace of their own (no CREATE KEYSPACE, no USE) are checked in a keyspace `ks`;
--keyspace says which ones exist already.

`helenus rules` lists the rules, `helenus rule CODE` explains one. A comment
`-- helenus: allow(CODE) reason` above a statement, or in it, allows what it finds there.

Exit code: 0 nothing at or above --fail-on, 1 something, 2 nothing could be checked.";

/// Check schemas and statements: what Cassandra would refuse, and what will hurt
#[derive(clap::Args, Default)]
#[command(after_help = EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(crate) struct CheckArguments {
    /// Files, or folders of .cql files; `-` is standard input; without any, what helenus.toml names
    pub(crate) paths: Vec<PathBuf>,
    /// A schema that is looked up and not checked itself: a file or folder (may be repeated)
    #[arg(long, value_name = "PATH")]
    pub(crate) schema: Vec<PathBuf>,
    /// A keyspace that exists already; the first one is in use (may be repeated)
    #[arg(long, value_name = "NAME")]
    pub(crate) keyspace: Vec<String>,
    /// Accept template placeholders: ${x}, {{x}}, $X$, %s, %d, {0}
    #[arg(long)]
    pub(crate) templates: bool,
    /// Take programs in folders as well: .java, .go, .py and the like; with a schema they are taken without it
    #[arg(long)]
    pub(crate) programs: bool,
    /// Take all files for steps of a migration, in the order of their names; folders of numbered files are without it
    #[arg(long)]
    pub(crate) migrations: bool,
    /// Compare with the same paths at a revision of git: what is different is a step of a migration
    #[arg(long, value_name = "REVISION")]
    pub(crate) against: Option<String>,
    /// What the schema runs on: apache-5.0, apache-4.1, apache-4.0, apache-3.11, dse, astra, scylla, keyspaces
    #[arg(long, value_name = "NAME", value_parser = target)]
    pub(crate) target: Option<Target>,
    /// What it is for; strict also asks rules for the cautious
    #[arg(long, value_enum)]
    pub(crate) profile: Option<Profile>,
    /// The server's cassandra.yaml: its limits count
    #[arg(long, value_name = "FILE")]
    pub(crate) server: Option<PathBuf>,
    /// A model file: its volumes are those of the tables that keep its entities (`videos_by_user` keeps videos)
    #[arg(long, value_name = "FILE")]
    pub(crate) model: Option<PathBuf>,
    /// The configuration; without it helenus.toml, here or in a folder above
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Another level of a rule, by code, name or category: CODE=off, on, or a severity (may be repeated)
    #[arg(long, value_name = "RULE=LEVEL", value_parser = level)]
    pub(crate) rule: Vec<(String, Level)>,
    /// Another limit of a rule: NAME=100, 1k, 100MB (may be repeated)
    #[arg(long, value_name = "NAME=NUMBER", value_parser = limit)]
    pub(crate) limit: Vec<(String, f64)>,
    /// How findings are written
    #[arg(long, value_enum, default_value_t = FindingFormat::Text)]
    pub(crate) format: FindingFormat,
    /// Write how many findings each rule has, and nothing of them
    #[arg(long)]
    pub(crate) statistics: bool,
    /// Exit with 1 from this severity: info, low, medium, high, critical or error; high without it
    #[arg(long, value_name = "SEVERITY", value_parser = severity)]
    pub(crate) fail_on: Option<Severity>,
    /// Tell findings from this severity; low without it
    #[arg(long, value_name = "SEVERITY", value_parser = severity)]
    pub(crate) min_severity: Option<Severity>,
    /// Findings that are known: only others are told, and make the command fail
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// Make the baseline, or take out of it what does not occur any more; nothing is ever added to one
    #[arg(long)]
    pub(crate) write_baseline: bool,
    /// Apply the fixes that change nothing but the text
    #[arg(long)]
    pub(crate) fix: bool,
    /// With --fix or --diff: also the fixes that change what statements do
    #[arg(long)]
    pub(crate) r#unsafe: bool,
    /// Show what --fix would change, and change nothing; exit 1 if it is anything
    #[arg(long)]
    pub(crate) diff: bool,
    /// Check again whenever a file changes
    #[arg(long)]
    pub(crate) watch: bool,
}

/// What a schema is for, and how careful the rules are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Profile {
    /// Production
    Prod,
    /// Tests and trials
    Test,
    /// Production, for the cautious
    Strict,
}

impl Profile {
    /// The profile of that name.
    pub(crate) fn from_name(word: &str) -> Result<Self, String> {
        let wrong = |_| unknown_name("profile", word, ["prod", "test", "strict"].into_iter());
        <Self as ValueEnum>::from_str(word, false).map_err(wrong)
    }

    /// What it means: the environment, and whether to be strict.
    pub(crate) fn meaning(self) -> (Environment, bool) {
        match self {
            Self::Prod => (Environment::Production, false),
            Self::Test => (Environment::Test, false),
            Self::Strict => (Environment::Production, true),
        }
    }
}

/// A target.
pub(crate) fn target(name: &str) -> Result<Target, String> {
    let names = || Target::ALL.iter().map(|(name, _)| *name);
    Target::from_name(name).ok_or_else(|| unknown_name("target", name, names()))
}

/// A severity.
pub(crate) fn severity(word: &str) -> Result<Severity, String> {
    let words = Severity::ALL.iter().map(|severity| severity.word());
    Severity::from_word(word).ok_or_else(|| unknown_name("severity", word, words))
}

/// `PK001=off`.
fn level(text: &str) -> Result<(String, Level), String> {
    let (name, level) = text.split_once('=').ok_or("write it as RULE=LEVEL")?;
    Ok((resolve_rule(name.trim())?, parse_level(level.trim())?))
}

/// A level.
pub(crate) fn parse_level(word: &str) -> Result<Level, String> {
    match word {
        "off" => Ok(Level::Off),
        "on" => Ok(Level::On),
        word => Severity::from_word(word).map(Level::As).ok_or_else(|| {
            let words = ["off", "on"].into_iter().chain(Severity::ALL.iter().map(|one| one.word()));
            unknown_name("level", word, words)
        }),
    }
}

/// The code, name or category of rules.
pub(crate) fn resolve_rule(name: &str) -> Result<String, String> {
    if check::rules::all().any(|rule| rule.is_named(name)) {
        return Ok(name.to_owned());
    }
    let upper = name.to_ascii_uppercase();
    if check::rules::find(&upper).is_some() {
        return Ok(upper);
    }
    let names = check::rules::all().flat_map(|rule| [rule.name, rule.category.word(), rule.code]);
    Err(unknown_name("rule", name, names))
}

/// `hot-partition-rate=1k`.
fn limit(text: &str) -> Result<(String, f64), String> {
    let (name, number) = text.split_once('=').ok_or("write it as NAME=NUMBER")?;
    let (name, number) = (name.trim(), number.trim());
    let value = quantity::parse_number(number).or_else(|| quantity::parse_size(number));
    let value = value.ok_or_else(|| format!("`{number}` is no number such as 100, 1k or 100MB"))?;
    Ok((resolve_limit(name)?, value))
}

/// The name of a limit of a rule.
pub(crate) fn resolve_limit(name: &str) -> Result<String, String> {
    let names = || check::rules::all().flat_map(|rule| rule.limits).map(|limit| limit.name);
    if names().any(|known| known == name) {
        return Ok(name.to_owned());
    }
    Err(unknown_name("limit", name, names()))
}

/// That there is no such thing, and which was meant.
pub(crate) fn unknown_name<'a>(
    what: &str,
    name: &str,
    known: impl Iterator<Item = &'a str>,
) -> String {
    let known: Vec<_> = known.collect();
    let hint = match cql::spelling::find_nearest(name, known.iter().copied()) {
        None if known.len() <= NAMES_LISTED_MAX => format!("; there are {}", known.join(", ")),
        meant => cql::spelling::hint(meant),
    };
    format!("there is no {what} `{name}`{hint}")
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
