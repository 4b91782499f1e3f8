//! The inputs of a check: files, read and parsed on all cores, in replay order.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use check::program::{Language, extract_cql};
use check::{SourceText, TextKind};
use cql::{ParseOptions, ParsedSource};

use super::duplicates::{self, SchemaFile};
use super::encoding::{self, DecodedText, Encoding};
use super::file_bytes::{self, ReadError};
use super::file_walk::{FileWalk, SourceFile};
use super::ordering;
use crate::parallel;
use crate::progress_bar::ProgressBar;
use crate::render::findings::FileProblem;
use crate::source::Source;
use crate::templates;

/// A text to check.
pub(crate) struct Input {
    /// Its name and text.
    pub(crate) source: Source,
    /// Its file; `None` for standard input.
    pub(crate) path: Option<PathBuf>,
    /// Of source code: its CQL, everything else replaced by blanks so that positions stay the same.
    pub(crate) cql: Option<String>,
    /// The encoding of the file.
    pub(crate) encoding: Encoding,
    /// Plain CQL, a step of a migration, or source code.
    pub(crate) kind: TextKind,
    /// Whether its findings are reported.
    pub(crate) is_reported: bool,
    /// Whether it belongs to the schema that others use.
    pub(crate) is_schema: bool,
}

impl Input {
    /// A UTF-8 text whose findings are reported.
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

    /// The text to parse.
    fn cql_text(&self) -> &str {
        self.cql.as_deref().unwrap_or(&self.source.text)
    }

    /// Parses it. Statements in source code may have placeholders, as in templates.
    pub(crate) fn parse(&self, options: ParseOptions) -> ParsedSource {
        let is_template = templates::is_template(&self.source.name, &self.source.text);
        let templates = options.templates || self.cql.is_some() || is_template;
        cql::parse_with(self.cql_text(), &ParseOptions { templates })
    }

    /// Whether fixes can be applied. Not to source code: an edit would need the language's escapes.
    pub(crate) fn is_fixable(&self) -> bool {
        self.is_reported && self.cql.is_none()
    }
}

/// All texts, and the problems with files.
pub(crate) struct Inputs {
    /// The texts, in replay order.
    pub(crate) all: Vec<Input>,
    /// The names of files that undo migrations.
    pub(crate) rollbacks: Vec<String>,
    /// Files that could not be read, or only with a warning.
    pub(crate) problems: Vec<FileProblem>,
}

/// The paths to read, and how.
pub(crate) struct InputSources<'a> {
    /// The schema that names are resolved in, not checked itself.
    pub(crate) schema: &'a [PathBuf],
    /// The files and folders to check.
    pub(crate) paths: &'a [PathBuf],
    /// Whether all files are steps of a migration.
    pub(crate) migrations: bool,
    /// Whether source code in folders is checked.
    pub(crate) programs: bool,
    /// The options for parsing.
    pub(crate) options: ParseOptions,
}

impl Inputs {
    /// Reads and parses the files.
    pub(crate) fn read(sources: &InputSources<'_>) -> (Self, Vec<ParsedSource>) {
        let reported = FileWalk::from_paths(sources.paths, sources.migrations, sources.programs);
        let schema = FileWalk::from_paths(sources.schema, false, false);
        let mut problems = schema.problems;
        problems.extend(reported.problems);
        let files = deduplicate_files(schema.files, reported.files);
        let bar = ProgressBar::with_items("files", "read", files.len());
        let read = parallel::map(&files, |file| {
            let read = read_input(file, sources.options);
            bar.step();
            read
        });
        drop(bar);
        let mut all = Vec::new();
        for (file, read) in files.into_iter().zip(read) {
            let name = file.file.path.display().to_string();
            let mut complain = |message: String, failure| {
                problems.push(FileProblem { file: name.clone(), message, failure });
            };
            match read {
                Ok((read, complaint)) => {
                    if let Some(message) = complaint {
                        complain(message, None);
                    }
                    // Most source files contain no CQL.
                    if read.0.kind != TextKind::Program || !read.1.statements.is_empty() {
                        all.push(read);
                    }
                }
                // Unreadable source code, such as a minified bundle, does not fail the check.
                Err(error) => {
                    let is_program = file.file.kind == TextKind::Program;
                    complain(error.to_string(), (!is_program).then(|| error.outcome()));
                }
            }
        }
        problems.extend(exclude_duplicates(&mut all, sources));
        let rollbacks = reported.rollbacks.iter().map(|path| path.display().to_string()).collect();
        let (all, parsed) = sort_for_replay(all);
        (Self { all, rollbacks, problems }, parsed)
    }

    /// Inputs from parsed texts.
    pub(crate) fn from_texts(all: Vec<(Input, ParsedSource)>) -> (Self, Vec<ParsedSource>) {
        let (all, parsed) = sort_for_replay(all);
        (Self { all, rollbacks: Vec::new(), problems: Vec::new() }, parsed)
    }

    /// The texts as the rules take them.
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

/// Leaves out files that repeat another form of the same schema, and reports them. Files that were
/// named individually stay.
fn exclude_duplicates(
    all: &mut Vec<(Input, ParsedSource)>,
    sources: &InputSources<'_>,
) -> Vec<FileProblem> {
    let named = |path: &Path| sources.paths.iter().chain(sources.schema).any(|known| known == path);
    let mut found = Vec::new();
    for (input, parsed) in all.iter().filter(|(input, _)| input.kind != TextKind::Program) {
        if let Some(path) = input.path.as_deref().filter(|path| !named(path)) {
            found.push(SchemaFile { path, parsed, is_step: input.kind == TextKind::Migration });
        }
    }
    let repeated = duplicates::find(&found);
    all.retain(|(input, _)| {
        let is_in =
            |path: &Path| repeated.iter().any(|duplicate| path.starts_with(&duplicate.path));
        let is_program = input.kind == TextKind::Program;
        is_program || !input.path.as_deref().is_some_and(|path| is_in(path) && !named(path))
    });
    let problems = repeated.iter().map(|duplicate| FileProblem {
        file: duplicate.path.display().to_string(),
        message: duplicate.message(),
        failure: None,
    });
    problems.collect()
}

/// The canonical path, or the path itself if it does not exist.
pub(crate) fn canonical_path(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// A file, and its role in the check.
pub(crate) struct InputFile {
    pub(crate) file: SourceFile,
    pub(crate) is_reported: bool,
    pub(crate) is_schema: bool,
}

/// The files without duplicates, also those through links: otherwise their tables would be created
/// twice. A reported file that also belongs to the schema keeps its position there: a step of a
/// migration stays between its neighbours.
fn deduplicate_files(schema: Vec<SourceFile>, reported: Vec<SourceFile>) -> Vec<InputFile> {
    let mut reported_kinds: BTreeMap<PathBuf, TextKind> = BTreeMap::new();
    for file in &reported {
        reported_kinds.entry(canonical_path(&file.path)).or_insert(file.kind);
    }
    let mut known = BTreeSet::new();
    let mut all = Vec::new();
    for mut file in schema {
        let path = canonical_path(&file.path);
        let kind = reported_kinds.get(&path).copied();
        if kind == Some(TextKind::Migration) {
            file.kind = TextKind::Migration;
        }
        if known.insert(path) {
            all.push(InputFile { file, is_reported: kind.is_some(), is_schema: true });
        }
    }
    for file in reported {
        if known.insert(canonical_path(&file.path)) {
            all.push(InputFile { file, is_reported: true, is_schema: false });
        }
    }
    all
}

/// Reads and parses a file; also returns a warning about its encoding.
pub(crate) fn read_input(
    input_file: &InputFile,
    options: ParseOptions,
) -> Result<((Input, ParsedSource), Option<String>), ReadError> {
    let path = &input_file.file.path;
    let is_standard = file_bytes::is_standard_input(path);
    let bytes = file_bytes::read(path)?;
    let DecodedText { text, encoding, complaint } =
        encoding::decode(bytes).map_err(ReadError::NotText)?;
    let name = if is_standard { "<stdin>".to_owned() } else { path.display().to_string() };
    let mut input = Input::new(name, text, input_file.file.kind);
    input.path = (!is_standard).then(|| path.clone());
    input.encoding = encoding;
    input.is_reported = input_file.is_reported;
    input.is_schema = input_file.is_schema;
    let parsed = input.parse(options);
    Ok(((input, parsed), complaint))
}

/// Sorts the texts into replay order: migrations keep their order, other texts follow what they
/// use, and source code comes last.
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
