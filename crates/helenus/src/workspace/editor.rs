//! What the editor server needs: a text that is being written, in the project that the configuration describes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::SystemTime;

use check::program::Language;
use check::{Finding, Project, TextKind};
use cql::ParsedSource;

use super::arguments::CheckArguments;
use super::baseline::Baseline;
use super::choices::Choices;
use super::file_walk::{FileWalk, SourceFile};
use super::inputs::{self, Input, InputFile, Inputs};
use crate::outcome::Failure;

/// A text that the editor has open.
#[derive(Clone, Debug)]
pub(crate) struct EditorText {
    /// Its address.
    pub(crate) name: String,
    /// Its path without links, if it is a file.
    pub(crate) path: Option<PathBuf>,
    pub(crate) text: Rc<str>,
    /// Another one after every change.
    pub(crate) change: u64,
}

impl EditorText {
    pub(crate) fn is_program(&self) -> bool {
        Language::from_file_name(&self.name).is_some()
    }
}

/// What the folder of the editor says: how to check, and the files of the schema.
pub(crate) struct Workspace {
    /// What is wrong with the configuration, if it is: then nothing of it counts.
    pub(crate) problem: Option<String>,
    choices: Choices,
    baseline: Baseline,
    /// Files whose tables others use, in the order of their replay.
    schema: Vec<SourceFile>,
    /// What was read and parsed of them, by path.
    cache: BTreeMap<PathBuf, CachedText>,
}

/// A text that was read, and what it was then.
struct CachedText {
    stamp: TextStamp,
    text: (Input, ParsedSource),
}

/// What tells whether a text has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TextStamp {
    /// Time and length of a file.
    File(Option<SystemTime>, u64),
    /// The change of a text that is open.
    Opened(u64),
}

/// A text in its project.
pub(crate) struct ProjectView<'v> {
    pub(crate) project: &'v Project<'v>,
    /// The position of the text.
    pub(crate) text: usize,
    inputs: &'v Inputs,
    choices: &'v Choices,
    baseline: &'v Baseline,
}

impl ProjectView<'_> {
    /// What `helenus check` would tell of the text.
    pub(crate) fn findings(&self) -> Vec<Finding> {
        let (findings, prints) =
            super::analysis::collect_findings(self.project, self.inputs, self.choices);
        let all = findings.into_iter().zip(prints);
        let told = all.filter(|(finding, print)| {
            finding.severity >= self.choices.min_severity && !self.baseline.contains(print)
        });
        told.map(|(finding, _)| finding).collect()
    }
}

impl Workspace {
    /// What the configuration of a folder, or of one above it, says.
    pub(crate) fn open(root: &Path) -> Result<Self, Failure> {
        let arguments = CheckArguments { paths: vec![".".into()], ..CheckArguments::default() };
        // Paths of the configuration are as seen from the working folder.
        let moved =
            std::env::set_current_dir(root).map_err(|error| Failure::unreadable_file(root, &error));
        let (problem, (choices, baseline)) = match moved
            .and_then(|()| load_configuration(&arguments))
        {
            Ok(configured) => (None, configured),
            Err(Failure::Stopped(_, message)) => {
                (Some(message), (Choices::from_arguments_only(&arguments)?, Baseline::default()))
            }
            Err(gone) => return Err(gone),
        };
        let mut schema = FileWalk::from_paths(&choices.schema, false, false).files;
        for file in &mut schema {
            file.path = inputs::canonical_path(&file.path);
        }
        Ok(Self { problem, choices, baseline, schema, cache: BTreeMap::new() })
    }

    /// Whether other texts use what this one creates.
    pub(crate) fn is_schema(&self, path: Option<&Path>) -> bool {
        self.schema.iter().any(|file| Some(file.path.as_path()) == path)
    }

    /// Looks at a text in its project; `opened` are all texts that are open: they count, not what is on disk.
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

    /// The texts of the schema, read again if they have changed; the one that is looked at is told.
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
                let wanted = InputFile { file, is_reported: false, is_schema: true };
                inputs::read_input(&wanted, self.choices.parse_options()).ok()?.0
            };
            text.0.is_reported = false;
            Some(text)
        };
        let texts = files.iter().filter_map(text).collect();
        self.schema = files;
        texts
    }

    /// A text of the editor, parsed; with the kind that it has as a part of the schema.
    fn own_text(&self, own: &EditorText, kind: Option<TextKind>) -> (Input, ParsedSource) {
        let usual = if own.is_program() { TextKind::Program } else { TextKind::Cql };
        let mut input = Input::new(own.name.clone(), own.text.to_string(), kind.unwrap_or(usual));
        input.path.clone_from(&own.path);
        input.is_schema = kind.is_some();
        let parsed = input.parse(self.choices.parse_options());
        (input, parsed)
    }

    /// Keeps what was read for the next look.
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

/// What the configuration says, with the baseline that it names.
fn load_configuration(arguments: &CheckArguments) -> Result<(Choices, Baseline), Failure> {
    let choices = Choices::from_arguments(arguments)?;
    // Keyspaces that cannot be are told now, not with every text.
    super::analysis::start_session(&[], &choices)?;
    let baseline = choices.baseline.as_deref().map(Baseline::read).transpose()?.flatten();
    Ok((choices, baseline.unwrap_or_default()))
}

fn file_stamp(path: &Path) -> TextStamp {
    let known = std::fs::metadata(path).ok();
    let changed = known.as_ref().and_then(|known| known.modified().ok());
    TextStamp::File(changed, known.map_or(0, |known| known.len()))
}
