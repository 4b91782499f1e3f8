//! What is checked: files, read and parsed on all cores, in the order of their replay.

use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};

use check::program::{Language, cql_of};
use check::{Text, TextKind};
use cql::{ParseOptions, Parsed};

use super::decoding::{self, Decoded, Encoding};
use super::ordering;
use super::repeated::{self, Found};
use super::walking::{File, Walk};
use crate::parallel;
use crate::render::findings::Problem;
use crate::source::Source;
use crate::templates;

/// A text to be checked.
pub(super) struct Input {
    /// Its text.
    pub(super) source: Source,
    /// Where it was read; nowhere for standard input.
    pub(super) path: Option<PathBuf>,
    /// Of a program, its CQL among blanks.
    pub(super) cql: Option<String>,
    /// How it is written there.
    pub(super) encoding: Encoding,
    /// What it is.
    pub(super) kind: TextKind,
    /// Whether findings in it are told.
    pub(super) is_told: bool,
}

impl Input {
    /// What is parsed.
    fn read(&self) -> &str {
        self.cql.as_deref().unwrap_or(&self.source.text)
    }
}

/// All texts, and what could not be read.
pub(super) struct Inputs {
    /// The texts, in the order of their replay.
    pub(super) all: Vec<Input>,
    /// The names of files that take migrations back.
    pub(super) rollbacks: Vec<String>,
    /// What could not be read, or not as it is.
    pub(super) problems: Vec<Problem>,
}

/// Where texts come from.
pub(super) struct Wanted<'a> {
    /// What is looked up and not checked itself.
    pub(super) schema: &'a [PathBuf],
    /// What is checked.
    pub(super) paths: &'a [PathBuf],
    /// Whether all of it is steps of a migration.
    pub(super) migrations: bool,
    /// Whether folders hold programs as well.
    pub(super) programs: bool,
    /// How it is parsed.
    pub(super) options: ParseOptions,
}

impl Inputs {
    /// Reads what is wanted, and parses it.
    pub(super) fn read(wanted: &Wanted<'_>) -> (Self, Vec<Parsed>) {
        let told = Walk::of(wanted.paths, wanted.migrations, wanted.programs);
        let mut looked_up = Walk::of(wanted.schema, false, false);
        // What is to be checked is not looked up as well: it would be created twice.
        let known: BTreeSet<PathBuf> = told.files.iter().map(|file| real(&file.path)).collect();
        looked_up.files.retain(|file| !known.contains(&real(&file.path)));
        let mut problems = looked_up.problems;
        problems.extend(told.problems);
        let files: Vec<(File, bool)> = looked_up
            .files
            .into_iter()
            .map(|file| (file, false))
            .chain(told.files.into_iter().map(|file| (file, true)))
            .collect();
        let read = parallel::map(&files, |(file, is_told)| input(file, *is_told, wanted.options));
        let mut all = Vec::new();
        for ((file, _), read) in files.into_iter().zip(read) {
            let name = file.path.display().to_string();
            let mut complain = |message: String, is_unread| {
                problems.push(Problem { file: name.clone(), message, is_unread });
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
                Err(message) => complain(message, true),
            }
        }
        problems.extend(leave_out_repeated(&mut all, wanted));
        let (all, parsed) = in_order(all);
        let rollbacks = told.rollbacks.iter().map(|path| path.display().to_string()).collect();
        (Self { all, rollbacks, problems }, parsed)
    }

    /// The texts of a project.
    pub(super) fn texts<'i>(&'i self, parsed: Vec<Parsed>) -> Vec<Text<'i>> {
        let text = |(input, parsed): (&'i Input, Parsed)| Text {
            name: input.source.name.as_str(),
            text: input.read(),
            parsed,
            kind: input.kind,
            is_told: input.is_told,
        };
        self.all.iter().zip(parsed).map(text).collect()
    }

    /// The name of a text.
    pub(super) fn name(&self, text: usize) -> &str {
        self.all.get(text).map_or("", |input| input.source.name.as_str())
    }
}

/// Leaves out what folders hold as another form of the same schema, and says so. What is named itself stays.
fn leave_out_repeated(all: &mut Vec<(Input, Parsed)>, wanted: &Wanted<'_>) -> Vec<Problem> {
    let named = |path: &Path| wanted.paths.iter().chain(wanted.schema).any(|known| known == path);
    let mut found = Vec::new();
    for (input, parsed) in all.iter().filter(|(input, _)| input.kind != TextKind::Program) {
        if let Some(path) = input.path.as_deref().filter(|path| !named(path)) {
            found.push(Found { path, parsed, is_step: input.kind == TextKind::Migration });
        }
    }
    let repeated = repeated::find(&found);
    all.retain(|(input, _)| {
        let is_in = |path: &Path| repeated.iter().any(|one| path.starts_with(&one.path));
        let is_program = input.kind == TextKind::Program;
        is_program || !input.path.as_deref().is_some_and(|path| is_in(path) && !named(path))
    });
    let told = repeated.iter().map(|one| Problem {
        file: one.path.display().to_string(),
        message: one.message(),
        is_unread: false,
    });
    told.collect()
}

fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// A file, read and parsed, and what is odd about it.
fn input(
    file: &File,
    is_told: bool,
    options: ParseOptions,
) -> Result<((Input, Parsed), Option<String>), String> {
    let is_standard = file.path == Path::new("-");
    if std::fs::metadata(&file.path).is_ok_and(|known| known.len() > u64::from(u32::MAX)) {
        return Err("is larger than 4 GiB".to_owned());
    }
    let bytes = if is_standard {
        let mut bytes = Vec::new();
        std::io::stdin().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        std::fs::read(&file.path)
    };
    let bytes = bytes.map_err(|error| format!("cannot be read: {error}"))?;
    let Decoded { text, encoding, complaint } = decoding::decode(bytes)?;
    let name = if is_standard { "<stdin>".to_owned() } else { file.path.display().to_string() };
    let language = Language::of_name(&name).filter(|_| file.kind == TextKind::Program);
    let cql = language.map(|language| cql_of(&text, language));
    let templates = options.templates || cql.is_some() || templates::is_template(&name, &text);
    let parsed = cql::parse_with(cql.as_deref().unwrap_or(&text), &ParseOptions { templates });
    let input = Input {
        source: Source::new(name, text),
        cql,
        path: (!is_standard).then(|| file.path.clone()),
        encoding,
        kind: file.kind,
        is_told,
    };
    Ok(((input, parsed), complaint))
}

/// The texts in the order of their replay: those that are no migrations after what they use, programs after all others.
fn in_order(mut all: Vec<(Input, Parsed)>) -> (Vec<Input>, Vec<Parsed>) {
    all.sort_by_key(|(input, _)| input.kind == TextKind::Program);
    let group = |input: &Input| {
        let is_step = input.kind == TextKind::Migration;
        (is_step, input.kind == TextKind::Program, input.is_told)
    };
    let groups: Vec<usize> =
        all.chunk_by(|(one, _), (other, _)| group(one) == group(other)).map(<[_]>::len).collect();
    let mut rest = all.into_iter();
    let mut ordered = Vec::new();
    for length in groups {
        let group: Vec<_> = rest.by_ref().take(length).collect();
        let is_free = group.first().is_some_and(|(input, _)| input.kind != TextKind::Migration);
        let order = if is_free {
            ordering::order(&group.iter().map(|(_, parsed)| parsed).collect::<Vec<_>>())
        } else {
            (0..group.len()).collect()
        };
        let mut group: Vec<_> = group.into_iter().map(Some).collect();
        ordered.extend(order.into_iter().filter_map(|at| group.get_mut(at)?.take()));
    }
    ordered.into_iter().unzip()
}
