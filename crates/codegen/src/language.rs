//! The languages for which code is generated.

use std::fmt;

/// A language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Language {
    /// Java 17 with the Apache Java driver 4.
    Java,
    /// Python 3.9 with `cassandra-driver`.
    Python,
    /// TypeScript with `cassandra-driver`.
    Typescript,
    /// Go with gocql 2.
    Go,
    /// Rust with `scylla`.
    Rust,
}

/// What code is generated.
#[derive(Clone, Debug, Default)]
pub struct GenerationOptions {
    /// The name of the package; `None`: that of the keyspace.
    pub package: Option<String>,
    /// The hash of the design, which the header of every file has.
    pub design_hash: String,
    /// Whether the program that runs the operations of a proof is generated too.
    pub with_proof_driver: bool,
}

/// The files of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GeneratedCode {
    /// The files, sorted by their paths.
    pub files: Vec<GeneratedFile>,
    /// Names that could not be kept.
    pub renamings: Vec<Renaming>,
}

/// A file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneratedFile {
    /// Its path, with `/`, relative to the output folder.
    pub path: String,
    /// Its content.
    pub text: String,
}

/// A name that the language does not allow, or that another one has already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Renaming {
    /// What is named.
    pub of: String,
    /// The identifier that would be usual.
    pub usual: String,
    /// The identifier that is used.
    pub used: String,
}

/// What a language has no counterpart for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnsupportedProgram {
    /// Where it is.
    pub place: String,
    /// What it is.
    pub what: String,
    /// What to do instead.
    pub help: String,
}

impl Language {
    /// All languages.
    pub const ALL: [Self; 5] = [Self::Java, Self::Python, Self::Typescript, Self::Go, Self::Rust];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Java => "java",
            Self::Python => "python",
            Self::Typescript => "typescript",
            Self::Go => "go",
            Self::Rust => "rust",
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for UnsupportedProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.what)
    }
}
