//! What is checked: the files of the command line, read and parsed on all cores.

use std::path::PathBuf;

use check::{Text, TextKind};
use cql::{ParseOptions, Parsed};

use super::super::Failure;
use super::arguments::Check;
use crate::parallel;
use crate::render::findings::Problem;
use crate::source::{self, Source};

/// A text to be checked.
pub(super) struct Input {
    /// Its text.
    pub(super) source: Source,
    /// What it is.
    pub(super) kind: TextKind,
    /// Whether findings in it are told.
    pub(super) is_told: bool,
}

/// All texts, and what could not be read.
pub(super) struct Inputs {
    /// The texts, in the order of their replay.
    pub(super) all: Vec<Input>,
    /// What could not be read.
    pub(super) problems: Vec<Problem>,
}

impl Inputs {
    /// Reads what the command line names.
    pub(super) fn read(arguments: &Check) -> Result<Self, Failure> {
        let told = |is_told: bool| move |path: PathBuf| (path, is_told);
        let mut paths: Vec<_> =
            source::files(&arguments.schema)?.into_iter().map(told(false)).collect();
        paths.extend(source::files(&arguments.paths)?.into_iter().map(told(true)));
        let read = parallel::map(&paths, |(path, is_told)| {
            let source = Source::read(path)?;
            Ok::<_, Failure>(Input { source, kind: TextKind::Cql, is_told: *is_told })
        });
        let all = read.into_iter().collect::<Result<Vec<_>, _>>()?;
        Ok(Self { all, problems: Vec::new() })
    }

    /// Parses all texts.
    pub(super) fn parse(&self, templates: bool) -> Vec<Parsed> {
        let options = ParseOptions { templates };
        parallel::map(&self.all, |input| cql::parse_with(&input.source.text, &options))
    }

    /// The texts of a project.
    pub(super) fn texts<'i>(&'i self, parsed: Vec<Parsed>) -> Vec<Text<'i>> {
        let text = |(input, parsed): (&'i Input, Parsed)| Text {
            name: input.source.name.as_str(),
            text: input.source.text.as_str(),
            parsed,
            kind: input.kind,
            is_told: input.is_told,
        };
        self.all.iter().zip(parsed).map(text).collect()
    }
}
