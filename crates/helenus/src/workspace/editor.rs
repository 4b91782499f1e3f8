//! What the editor server needs: a text that is being written, in the project that the configuration describes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::SystemTime;

use check::program::Language;
use check::{Finding, Project, TextKind};
use cql::Parsed;

use super::arguments::CheckArguments;
use super::baseline::Baseline;
use super::choices::Choices;
use super::inputs::{self, Input, Inputs, WantedFile};
use super::walking::{File, Walk};
use crate::outcome::Failure;

/// A text that the editor has open.
#[derive(Clone, Debug)]
pub(crate) struct Opened {
    /// Its address.
    pub(crate) name: String,
    /// Its path without links, if it is a file.
    pub(crate) path: Option<PathBuf>,
    pub(crate) text: Rc<str>,
    /// Another one after every change.
    pub(crate) change: u64,
}

impl Opened {
    pub(crate) fn is_program(&self) -> bool {
        Language::of_name(&self.name).is_some()
    }
}

/// What the folder of the editor says: how to check, and the files of the schema.
pub(crate) struct Workspace {
    /// What is wrong with the configuration, if it is: then nothing of it counts.
    pub(crate) problem: Option<String>,
    choices: Choices,
    baseline: Baseline,
    /// Files whose tables others use, in the order of their replay.
    schema: Vec<File>,
    /// What was read and parsed of them, by path.
    read: BTreeMap<PathBuf, Read>,
}

/// A text that was read, and what it was then.
struct Read {
    stamp: Stamp,
    text: (Input, Parsed),
}

/// What tells whether a text has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stamp {
    /// Time and length of a file.
    File(Option<SystemTime>, u64),
    /// The change of a text that is open.
    Opened(u64),
}

/// A text in its project.
pub(crate) struct View<'v> {
    pub(crate) project: &'v Project<'v>,
    /// The position of the text.
    pub(crate) text: usize,
    inputs: &'v Inputs,
    choices: &'v Choices,
    baseline: &'v Baseline,
}

impl View<'_> {
    /// What `helenus check` would tell of the text.
    pub(crate) fn findings(&self) -> Vec<Finding> {
        let (findings, prints) = super::judge::findings_of(self.project, self.inputs, self.choices);
        let all = findings.into_iter().zip(prints);
        let told = all.filter(|(finding, print)| {
            finding.severity >= self.choices.min_severity && !self.baseline.knows(print)
        });
        told.map(|(finding, _)| finding).collect()
    }
}

impl Workspace {
    /// What the configuration of a folder, or of one above it, says.
    pub(crate) fn of(root: &Path) -> Result<Self, Failure> {
        let arguments = CheckArguments { paths: vec![".".into()], ..CheckArguments::default() };
        // Paths of the configuration are as seen from the working folder.
        let moved = std::env::set_current_dir(root).map_err(|error| Failure::reading(root, &error));
        let (problem, (choices, baseline)) = match moved.and_then(|()| configured(&arguments)) {
            Ok(configured) => (None, configured),
            Err(Failure::Stopped(_, message)) => {
                (Some(message), (Choices::without_file(&arguments)?, Baseline::default()))
            }
            Err(gone) => return Err(gone),
        };
        let mut schema = Walk::of(&choices.schema, false, false).files;
        for file in &mut schema {
            file.path = inputs::real(&file.path);
        }
        Ok(Self { problem, choices, baseline, schema, read: BTreeMap::new() })
    }

    /// Whether other texts use what this one creates.
    pub(crate) fn is_schema(&self, path: Option<&Path>) -> bool {
        self.schema.iter().any(|file| Some(file.path.as_path()) == path)
    }

    /// Looks at a text in its project; `opened` are all texts that are open: they count, not what is on disk.
    pub(crate) fn look<T>(
        &mut self,
        own: &Opened,
        opened: &[Opened],
        look: impl FnOnce(&View<'_>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let mut all = self.schema_texts(own, opened);
        if !self.is_schema(own.path.as_deref()) {
            all.push(self.own_text(own, None));
        }
        let (inputs, parsed) = Inputs::of(all);
        let texts = inputs.texts(parsed);
        let text = inputs.all.iter().position(|input| input.is_told).unwrap_or_default();
        let session = super::judge::session_of(&texts, &self.choices)?;
        let project = Project::new(texts, session, &self.choices.settings, None);
        let (choices, baseline) = (&self.choices, &self.baseline);
        let view = View { project: &project, text, inputs: &inputs, choices, baseline };
        let seen = look(&view);
        let parsed: Vec<Parsed> = project.texts.into_iter().map(|text| text.parsed).collect();
        self.keep(inputs, parsed, opened);
        seen
    }

    /// The texts of the schema, read again if they have changed; the one that is looked at is told.
    fn schema_texts(&mut self, own: &Opened, opened: &[Opened]) -> Vec<(Input, Parsed)> {
        let files = std::mem::take(&mut self.schema);
        let text = |file: &File| {
            let path = Some(file.path.as_path());
            if own.path.as_deref() == path {
                return Some(self.own_text(own, Some(file.kind)));
            }
            let open = opened.iter().find(|text| text.path.as_deref() == path);
            let stamp = open.map_or_else(|| stamp(&file.path), |open| Stamp::Opened(open.change));
            let read = self.read.remove(&file.path).filter(|read| read.stamp == stamp);
            if let Some(read) = read {
                return Some(read.text);
            }
            let mut text = if let Some(open) = open {
                self.own_text(open, Some(file.kind))
            } else {
                let file = file.clone();
                let wanted = WantedFile { file, is_told: false, is_looked_up: true };
                inputs::input(&wanted, self.choices.options()).ok()?.0
            };
            text.0.is_told = false;
            Some(text)
        };
        let texts = files.iter().filter_map(text).collect();
        self.schema = files;
        texts
    }

    /// A text of the editor, parsed; with the kind that it has as a part of the schema.
    fn own_text(&self, own: &Opened, kind: Option<TextKind>) -> (Input, Parsed) {
        let usual = if own.is_program() { TextKind::Program } else { TextKind::Cql };
        let mut input = Input::new(own.name.clone(), own.text.to_string(), kind.unwrap_or(usual));
        input.path.clone_from(&own.path);
        input.is_looked_up = kind.is_some();
        let parsed = input.parse(self.choices.options());
        (input, parsed)
    }

    /// Keeps what was read for the next look.
    fn keep(&mut self, inputs: Inputs, parsed: Vec<Parsed>, opened: &[Opened]) {
        for text in inputs.all.into_iter().zip(parsed).filter(|(input, _)| !input.is_told) {
            let Some(path) = text.0.path.clone() else { continue };
            let open = opened.iter().find(|open| open.path.as_ref() == Some(&path));
            let stamp = open.map_or_else(|| stamp(&path), |open| Stamp::Opened(open.change));
            self.read.insert(path, Read { stamp, text });
        }
    }
}

/// What the configuration says, with the baseline that it names.
fn configured(arguments: &CheckArguments) -> Result<(Choices, Baseline), Failure> {
    let choices = Choices::of(arguments)?;
    // Keyspaces that cannot be are told now, not with every text.
    super::judge::session_of(&[], &choices)?;
    let baseline = choices.baseline.as_deref().map(Baseline::read).transpose()?.flatten();
    Ok((choices, baseline.unwrap_or_default()))
}

fn stamp(path: &Path) -> Stamp {
    let known = std::fs::metadata(path).ok();
    let changed = known.as_ref().and_then(|known| known.modified().ok());
    Stamp::File(changed, known.map_or(0, |known| known.len()))
}
