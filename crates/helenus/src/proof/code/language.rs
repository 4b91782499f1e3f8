//! The languages in which code is generated.

use std::fmt;

use clap::ValueEnum;

/// A language in which code is generated from a design.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CodeLanguage {
    /// Java, with the driver of Apache Cassandra
    Java,
    /// Python, with the `DataStax` driver
    Python,
    /// TypeScript, with the `DataStax` driver for Node.js
    #[value(name = "typescript")]
    TypeScript,
    /// Go, with gocql
    Go,
    /// Rust, with the driver of `ScyllaDB`
    Rust,
}

impl CodeLanguage {
    /// Its name in JSON and on the command line.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Self::Java => "java",
            Self::Python => "python",
            Self::TypeScript => "typescript",
            Self::Go => "go",
            Self::Rust => "rust",
        }
    }
}

impl fmt::Display for CodeLanguage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Java => "Java",
            Self::Python => "Python",
            Self::TypeScript => "TypeScript",
            Self::Go => "Go",
            Self::Rust => "Rust",
        })
    }
}

impl From<CodeLanguage> for codegen::Language {
    fn from(language: CodeLanguage) -> Self {
        match language {
            CodeLanguage::Java => Self::Java,
            CodeLanguage::Python => Self::Python,
            CodeLanguage::TypeScript => Self::Typescript,
            CodeLanguage::Go => Self::Go,
            CodeLanguage::Rust => Self::Rust,
        }
    }
}
