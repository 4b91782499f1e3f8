//! CQL in the strings of programs.
//!
//! [`extract_cql`] leaves of a program what looks like CQL, each statement at its place, and blanks everywhere else: what is said of a
//! place in the one text holds for the other. Literals that are put together by `+` are one statement; what is put in between
//! (a variable, a format's place) becomes a placeholder.

mod cql_detection;
mod groups;
mod imports;
mod literals;
mod mask;
#[cfg(test)]
mod tests;
mod yaml;

/// A language whose strings are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Language {
    Java,
    Kotlin,
    Scala,
    Go,
    Python,
    JavaScript,
    Rust,
    CSharp,
    Cpp,
    Haskell,
    Yaml,
    Toml,
}

impl Language {
    /// The language of a file, by the end of its name.
    pub fn from_file_name(name: &str) -> Option<Self> {
        let end = name.rsplit_once('.')?.1;
        Some(match end {
            "java" => Self::Java,
            "kt" | "kts" => Self::Kotlin,
            "scala" | "sc" => Self::Scala,
            "go" => Self::Go,
            "py" => Self::Python,
            "js" | "ts" | "jsx" | "tsx" | "mjs" | "cjs" | "mts" => Self::JavaScript,
            "rs" => Self::Rust,
            "cs" => Self::CSharp,
            "cc" | "cpp" | "cxx" | "hpp" | "h" | "hh" => Self::Cpp,
            "hs" => Self::Haskell,
            "yaml" | "yml" => Self::Yaml,
            "toml" => Self::Toml,
            _ => return None,
        })
    }
}

/// The CQL of a program: as long as the program, with its line ends, and blank wherever it is no CQL. A program that imports the client
/// of another database, and none of Cassandra's, has none.
pub fn extract_cql(text: &str, language: Language) -> String {
    let mut literals = literals::find_literals(text, language);
    if language == Language::Yaml {
        literals = yaml::find_scalars(text, &literals);
    }
    let mut mask = mask::Mask::new(text, language);
    if imports::is_for_other_database(text) {
        return mask.into_text();
    }
    for group in groups::group_literals(text, &literals, language) {
        let statement = cql_detection::remove_open_clauses(mask.statement(&group));
        let statement = cql_detection::close_open_end(statement);
        if cql_detection::is_cql(&statement) {
            mask.keep(&group, &statement);
        }
    }
    mask.into_text()
}
