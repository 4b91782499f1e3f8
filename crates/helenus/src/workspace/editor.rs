//! The workspace of the language server: an open text, checked within the project that the
//! configuration describes. Parsed schema files are cached between requests.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use check::program::Language;
use check::{Finding, Project, TextKind};
use cql::ParsedSource;

use super::baseline::Baseline;
use super::choices::Choices;
use super::file_stamp::FileStamp;
use super::file_walk::{FileWalk, SourceFile};
use super::inputs::{self, Input, InputFile, Inputs};
use super::project_arguments::ProjectArguments;
use crate::outcome::Failure;

/// A text that the editor has open.
#[derive(Clone, Debug)]
pub(crate) struct EditorText {
    /// Its file name or URI.
    pub(crate) name: String,
    /// Its canonical path, if it is a file.
    pub(crate) path: Option<PathBuf>,
    pub(crate) text: Rc<str>,
    /// A number that changes with every edit.
    pub(crate) change: u64,
}

impl EditorText {
    pub(crate) fn is_program(&self) -> bool {
        Language::from_file_name(&self.name).is_some()
    }
}

/// The settings of the editor's folder, and the files of the schema.
pub(crate) struct Workspace {
    /// The error in the configuration, if any; the defaults apply then.
    pub(crate) problem: Option<String>,
    choices: Choices,
    baseline: Baseline,
    /// The files of the schema, in replay order.
    schema: Vec<SourceFile>,
    /// Parsed schema files, by path.
    cache: BTreeMap<PathBuf, CachedText>,
}

/// A parsed text, and the version that was parsed.
struct CachedText {
    stamp: TextStamp,
    text: (Input, ParsedSource),
}

/// The version of a text: equal stamps mean unchanged text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TextStamp {
    /// The stamp of a file.
    File(Option<FileStamp>),
    /// The change number of an open text.
    Opened(u64),
}

/// A text within its project.
pub(crate) struct ProjectView<'v> {
    pub(crate) project: &'v Project<'v>,
    /// The index of the text in the project.
    pub(crate) text: usize,
    inputs: &'v Inputs,
    choices: &'v Choices,
    baseline: &'v Baseline,
}

impl ProjectView<'_> {
    /// The findings that `helenus check` would report for the text.
    pub(crate) fn findings(&self) -> Vec<Finding> {
        let (findings, prints) =
            super::analysis::collect_findings(self.project, self.inputs, self.choices);
        let all = findings.into_iter().zip(prints);
        let reported = all.filter(|(finding, print)| {
            finding.severity >= self.choices.min_severity && !self.baseline.contains(print)
        });
        reported.map(|(finding, _)| finding).collect()
    }
}

impl Workspace {
    /// Loads the configuration of a folder, or of the nearest one above it.
    pub(crate) fn open(root: &Path) -> Result<Self, Failure> {
        let arguments = ProjectArguments { paths: vec![".".into()], ..ProjectArguments::default() };
        // Paths of the configuration are relative to the working folder.
        let moved =
            std::env::set_current_dir(root).map_err(|error| Failure::unreadable_file(root, &error));
        let (problem, (choices, baseline)) = match moved
            .and_then(|()| load_configuration(&arguments))
        {
            Ok(configured) => (None, configured),
            Err(Failure::Stopped(_, message)) => {
                (Some(message), (Choices::from_arguments_only(&arguments)?, Baseline::default()))
            }
            Err(broken_pipe) => return Err(broken_pipe),
        };
        let mut schema = FileWalk::from_paths(&choices.schema, false, false).files;
        for file in &mut schema {
            file.path = inputs::canonical_path(&file.path);
        }
        Ok(Self { problem, choices, baseline, schema, cache: BTreeMap::new() })
    }

    /// Whether the file belongs to the schema.
    pub(crate) fn is_schema(&self, path: Option<&Path>) -> bool {
        self.schema.iter().any(|file| Some(file.path.as_path()) == path)
    }

    /// Calls `look` with a text in its project. `opened` are all open texts: they replace the files
    /// on disk.
    pub(crate) fn with_view<T>(
        &mut self,
        own: &EditorText,
        opened: &[EditorText],
        look: impl FnOnce(&ProjectView<'_>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let mut all = self.schema_texts(own, opened);
        if !self.is_schema(own.path.as_deref()) {
            all.push(self.own_text(own, None));
        }
        let (inputs, parsed) = Inputs::from_texts(all);
        let texts = inputs.texts(parsed);
        let text = inputs.all.iter().position(|input| input.is_reported).unwrap_or_default();
        let session = super::analysis::start_session(&texts, &self.choices)?;
        let project = Project::new(texts, session, &self.choices.settings, None);
        let (choices, baseline) = (&self.choices, &self.baseline);
        let view = ProjectView { project: &project, text, inputs: &inputs, choices, baseline };
        let seen = look(&view);
        let parsed: Vec<ParsedSource> = project.texts.into_iter().map(|text| text.parsed).collect();
        self.cache_texts(inputs, parsed, opened);
        seen
    }

    /// The texts of the schema, read again if they have changed; only `own` is reported.
    fn schema_texts(
        &mut self,
        own: &EditorText,
        opened: &[EditorText],
    ) -> Vec<(Input, ParsedSource)> {
        let files = std::mem::take(&mut self.schema);
        let text = |file: &SourceFile| {
            let path = Some(file.path.as_path());
            if own.path.as_deref() == path {
                return Some(self.own_text(own, Some(file.kind)));
            }
            let open = opened.iter().find(|text| text.path.as_deref() == path);
            let stamp =
                open.map_or_else(|| file_stamp(&file.path), |open| TextStamp::Opened(open.change));
            let read = self.cache.remove(&file.path).filter(|read| read.stamp == stamp);
            if let Some(read) = read {
                return Some(read.text);
            }
            let mut text = if let Some(open) = open {
                self.own_text(open, Some(file.kind))
            } else {
                let file = file.clone();
                let input = InputFile { file, is_reported: false, is_schema: true };
                inputs::read_input(&input, self.choices.parse_options()).ok()?.0
            };
            text.0.is_reported = false;
            Some(text)
        };
        let texts = files.iter().filter_map(text).collect();
        self.schema = files;
        texts
    }

    /// An open text, parsed; `kind` is its kind if it is part of the schema.
    fn own_text(&self, own: &EditorText, kind: Option<TextKind>) -> (Input, ParsedSource) {
        let default_kind = if own.is_program() { TextKind::Program } else { TextKind::Cql };
        let mut input =
            Input::new(own.name.clone(), own.text.to_string(), kind.unwrap_or(default_kind));
        input.path.clone_from(&own.path);
        input.is_schema = kind.is_some();
        let parsed = input.parse(self.choices.parse_options());
        (input, parsed)
    }

    /// Keeps the parsed schema texts for the next request.
    fn cache_texts(&mut self, inputs: Inputs, parsed: Vec<ParsedSource>, opened: &[EditorText]) {
        for text in inputs.all.into_iter().zip(parsed).filter(|(input, _)| !input.is_reported) {
            let Some(path) = text.0.path.clone() else { continue };
            let open = opened.iter().find(|open| open.path.as_ref() == Some(&path));
            let stamp =
                open.map_or_else(|| file_stamp(&path), |open| TextStamp::Opened(open.change));
            self.cache.insert(path, CachedText { stamp, text });
        }
    }
}

/// The configured settings and baseline.
fn load_configuration(arguments: &ProjectArguments) -> Result<(Choices, Baseline), Failure> {
    let choices = Choices::from_arguments(arguments)?;
    // Report invalid keyspace names once, not for every text.
    super::analysis::start_session(&[], &choices)?;
    let baseline = choices.baseline.as_deref().map(Baseline::read).transpose()?.flatten();
    Ok((choices, baseline.unwrap_or_default()))
}

fn file_stamp(path: &Path) -> TextStamp {
    TextStamp::File(FileStamp::read(path))
}
