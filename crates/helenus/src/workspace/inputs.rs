//! What is checked: files, read and parsed on all cores, in the order of their replay.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use check::program::{Language, extract_cql};
use check::{SourceText, TextKind};
use cql::{ParseOptions, ParsedSource};

use super::duplicates::{self, SchemaFile};
use super::encoding::{self, DecodedText, Encoding};
use super::file_bytes;
use super::file_walk::{FileWalk, SourceFile};
use super::ordering;
use crate::parallel;
use crate::render::findings::FileProblem;
use crate::source::Source;
use crate::templates;

/// A text to be checked.
pub(crate) struct Input {
    /// Its text.
    pub(crate) source: Source,
    /// Where it was read; nowhere for standard input.
    pub(crate) path: Option<PathBuf>,
    /// Of a program, its CQL among blanks.
    pub(crate) cql: Option<String>,
    /// How it is written there.
    pub(crate) encoding: Encoding,
    /// What it is.
    pub(crate) kind: TextKind,
    /// Whether findings in it are told.
    pub(crate) is_reported: bool,
    /// Whether it is of the schema that others use.
    pub(crate) is_schema: bool,
}

impl Input {
    /// A text in UTF-8 that is told.
    pub(crate) fn new(name: String, text: String, kind: TextKind) -> Self {
        let language = Language::from_file_name(&name).filter(|_| kind == TextKind::Program);
        Self {
            cql: language.map(|language| extract_cql(&text, language)),
            source: Source::new(name, text),
            path: None,
            encoding: Encoding::Utf8,
            kind,
            is_reported: true,
            is_schema: false,
        }
    }

    /// What is parsed.
    fn cql_text(&self) -> &str {
        self.cql.as_deref().unwrap_or(&self.source.text)
    }

    /// Parses it. Programs put things into their statements, as templates do.
    pub(crate) fn parse(&self, options: ParseOptions) -> ParsedSource {
        let is_template = templates::is_template(&self.source.name, &self.source.text);
        let templates = options.templates || self.cql.is_some() || is_template;
        cql::parse_with(self.cql_text(), &ParseOptions { templates })
    }

    /// Whether fixes may be written to it. Programs have their own ways to write strings.
    pub(crate) fn is_fixable(&self) -> bool {
        self.is_reported && self.cql.is_none()
    }
}

/// All texts, and what could not be read.
pub(crate) struct Inputs {
    /// The texts, in the order of their replay.
    pub(crate) all: Vec<Input>,
    /// The names of files that take migrations back.
    pub(crate) rollbacks: Vec<String>,
    /// What could not be read, or not as it is.
    pub(crate) problems: Vec<FileProblem>,
}

/// Where texts come from.
pub(crate) struct InputSources<'a> {
    /// What is looked up and not checked itself.
    pub(crate) schema: &'a [PathBuf],
    /// What is checked.
    pub(crate) paths: &'a [PathBuf],
    /// Whether all of it is steps of a migration.
    pub(crate) migrations: bool,
    /// Whether folders hold programs as well.
    pub(crate) programs: bool,
    /// How it is parsed.
    pub(crate) options: ParseOptions,
}

impl Inputs {
    /// Reads what is wanted, and parses it.
    pub(crate) fn read(wanted: &InputSources<'_>) -> (Self, Vec<ParsedSource>) {
        let told = FileWalk::from_paths(wanted.paths, wanted.migrations, wanted.programs);
        let looked_up = FileWalk::from_paths(wanted.schema, false, false);
        let mut problems = looked_up.problems;
        problems.extend(told.problems);
        let files = deduplicate_files(looked_up.files, told.files);
        let read = parallel::map(&files, |wanted_file| read_input(wanted_file, wanted.options));
        let mut all = Vec::new();
        for (file, read) in files.into_iter().zip(read) {
            let name = file.file.path.display().to_string();
            let mut complain = |message: String, is_unread| {
                problems.push(FileProblem { file: name.clone(), message, is_unread });
            };
            match read {
                Ok((read, complaint)) => {
                    if let Some(message) = complaint {
                        complain(message, false);
                    }
                    // Most programs have nothing to do with a database.
                    if read.0.kind != TextKind::Program || !read.1.statements.is_empty() {
                        all.push(read);
                    }
                }
                // A bundle of scripts is no reason to fail.
                Err(message) => complain(message, file.file.kind != TextKind::Program),
            }
        }
        problems.extend(exclude_duplicates(&mut all, wanted));
        let rollbacks = told.rollbacks.iter().map(|path| path.display().to_string()).collect();
        let (all, parsed) = sort_for_replay(all);
        (Self { all, rollbacks, problems }, parsed)
    }

    /// Texts that were read already.
    pub(crate) fn from_texts(all: Vec<(Input, ParsedSource)>) -> (Self, Vec<ParsedSource>) {
        let (all, parsed) = sort_for_replay(all);
        (Self { all, rollbacks: Vec::new(), problems: Vec::new() }, parsed)
    }

    /// The texts of a project.
    pub(crate) fn texts<'i>(&'i self, parsed: Vec<ParsedSource>) -> Vec<SourceText<'i>> {
        let text = |(input, parsed): (&'i Input, ParsedSource)| SourceText {
            name: input.source.name.as_str(),
            text: input.cql_text(),
            parsed,
            kind: input.kind,
            is_reported: input.is_reported,
        };
        self.all.iter().zip(parsed).map(text).collect()
    }

    /// The name of a text.
    pub(crate) fn name(&self, text: usize) -> &str {
        self.all.get(text).map_or("", |input| input.source.name.as_str())
    }
}

/// Leaves out what folders hold as another form of the same schema, and says so. What is named itself stays.
fn exclude_duplicates(
    all: &mut Vec<(Input, ParsedSource)>,
    wanted: &InputSources<'_>,
) -> Vec<FileProblem> {
    let named = |path: &Path| wanted.paths.iter().chain(wanted.schema).any(|known| known == path);
    let mut found = Vec::new();
    for (input, parsed) in all.iter().filter(|(input, _)| input.kind != TextKind::Program) {
        if let Some(path) = input.path.as_deref().filter(|path| !named(path)) {
            found.push(SchemaFile { path, parsed, is_step: input.kind == TextKind::Migration });
        }
    }
    let repeated = duplicates::find(&found);
    all.retain(|(input, _)| {
        let is_in = |path: &Path| repeated.iter().any(|one| path.starts_with(&one.path));
        let is_program = input.kind == TextKind::Program;
        is_program || !input.path.as_deref().is_some_and(|path| is_in(path) && !named(path))
    });
    let told = repeated.iter().map(|one| FileProblem {
        file: one.path.display().to_string(),
        message: one.message(),
        is_unread: false,
    });
    told.collect()
}

/// A path without links.
pub(crate) fn canonical_path(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// A file, and what it is wanted for.
pub(crate) struct InputFile {
    pub(crate) file: SourceFile,
    pub(crate) is_reported: bool,
    pub(crate) is_schema: bool,
}

/// The files, each once, even if it is named twice or by a link as well: else all in it would be created twice. What is told and
/// is of the schema that is looked up has its place there: a step of a migration stays between its neighbours.
fn deduplicate_files(looked_up: Vec<SourceFile>, told: Vec<SourceFile>) -> Vec<InputFile> {
    let mut of_told: BTreeMap<PathBuf, TextKind> = BTreeMap::new();
    for file in &told {
        of_told.entry(canonical_path(&file.path)).or_insert(file.kind);
    }
    let mut known = BTreeSet::new();
    let mut all = Vec::new();
    for mut file in looked_up {
        let path = canonical_path(&file.path);
        let kind = of_told.get(&path).copied();
        if kind == Some(TextKind::Migration) {
            file.kind = TextKind::Migration;
        }
        if known.insert(path) {
            all.push(InputFile { file, is_reported: kind.is_some(), is_schema: true });
        }
    }
    for file in told {
        if known.insert(canonical_path(&file.path)) {
            all.push(InputFile { file, is_reported: true, is_schema: false });
        }
    }
    all
}

/// A file, read and parsed, and what is odd about it.
pub(crate) fn read_input(
    wanted: &InputFile,
    options: ParseOptions,
) -> Result<((Input, ParsedSource), Option<String>), String> {
    let path = &wanted.file.path;
    let is_standard = path == Path::new("-");
    let bytes = file_bytes::read(path)?;
    let DecodedText { text, encoding, complaint } = encoding::decode(bytes)?;
    let name = if is_standard { "<stdin>".to_owned() } else { path.display().to_string() };
    let mut input = Input::new(name, text, wanted.file.kind);
    input.path = (!is_standard).then(|| path.clone());
    input.encoding = encoding;
    input.is_reported = wanted.is_reported;
    input.is_schema = wanted.is_schema;
    let parsed = input.parse(options);
    Ok(((input, parsed), complaint))
}

/// The texts in the order of their replay: those that are no migrations after what they use, programs after all others.
fn sort_for_replay(mut all: Vec<(Input, ParsedSource)>) -> (Vec<Input>, Vec<ParsedSource>) {
    all.sort_by_key(|(input, _)| input.kind == TextKind::Program);
    let group = |input: &Input| {
        let is_step = input.kind == TextKind::Migration;
        (is_step, input.kind == TextKind::Program, input.is_schema)
    };
    let groups: Vec<usize> =
        all.chunk_by(|(one, _), (other, _)| group(one) == group(other)).map(<[_]>::len).collect();
    let mut rest = all.into_iter();
    let mut ordered = Vec::new();
    for length in groups {
        let group: Vec<_> = rest.by_ref().take(length).collect();
        let is_free = group.first().is_some_and(|(input, _)| input.kind != TextKind::Migration);
        let order = if is_free {
            ordering::replay_order(&group.iter().map(|(_, parsed)| parsed).collect::<Vec<_>>())
        } else {
            (0..group.len()).collect()
        };
        let mut group: Vec<_> = group.into_iter().map(Some).collect();
        ordered.extend(order.into_iter().filter_map(|at| group.get_mut(at)?.take()));
    }
    ordered.into_iter().unzip()
}
