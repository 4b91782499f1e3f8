//! Expands paths into files: folders recursively, migrations in the order of their numbers.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use check::TextKind;
use check::is_rollback;
use check::program::Language;

use super::inputs::canonical_path;
use crate::outcome::{Failure, Outcome};
use crate::render::findings::FileProblem;

/// The maximum depth of folders.
const DEPTH_MAX: usize = 64;

/// Folders of third-party code and of build results.
const EXCLUDED_FOLDERS: &[&str] = &["Godeps", "node_modules", "target", "vendor"];

/// Which files of a folder are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileSelection {
    /// CQL.
    Cql,
    /// CQL, and source code that may contain it.
    CqlAndPrograms,
    /// SQL.
    Sql,
}

impl FileSelection {
    fn is_selected(self, path: &Path) -> bool {
        match self {
            Self::Cql => is_cql(path),
            Self::CqlAndPrograms => is_cql(path) || is_program(path),
            Self::Sql => has_extension(path, "sql"),
        }
    }

    /// The extension that messages name.
    const fn extension(self) -> &'static str {
        match self {
            Self::Cql | Self::CqlAndPrograms => "cql",
            Self::Sql => "sql",
        }
    }
}

/// A file to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SourceFile {
    /// Its path; `-` is standard input.
    pub(crate) path: PathBuf,
    /// Plain CQL, a step of a migration, or source code.
    pub(crate) kind: TextKind,
}

/// The files of some paths, and the problems with some of them.
#[derive(Debug, Default)]
pub(crate) struct FileWalk {
    pub(crate) files: Vec<SourceFile>,
    /// Files that undo migrations; they are not run.
    pub(crate) rollbacks: Vec<PathBuf>,
    pub(crate) problems: Vec<FileProblem>,
}

/// The state of a recursive walk.
#[derive(Default)]
struct WalkState {
    /// The folders that were entered, by canonical path.
    entered: BTreeSet<PathBuf>,
    /// Symbolic links to folders, followed after all regular folders.
    links: Vec<PathBuf>,
    /// The files so far.
    files: Vec<PathBuf>,
}

impl FileWalk {
    /// All files of these paths; of folders the CQL files, and with `programs` the source code.
    pub(crate) fn from_paths(paths: &[PathBuf], migrations: bool, programs: bool) -> Self {
        let selection = if programs { FileSelection::CqlAndPrograms } else { FileSelection::Cql };
        let mut walk = Self::default();
        let mut named = Vec::new();
        for path in paths {
            if !path.is_dir() {
                named.push(path.clone());
                continue;
            }
            walk.add_named_files(&mut named, migrations);
            let tree = walk.walk_tree(path, selection);
            if tree.is_empty() {
                walk.report_problem(path, "contains no .cql file", Some(Outcome::BadInput));
            }
            walk.rollbacks
                .extend(tree.iter().filter(|path| is_rollback(&file_name(path))).cloned());
            walk.files.extend(sort_files(&tree, migrations));
        }
        walk.add_named_files(&mut named, migrations);
        walk
    }

    /// Adds files that were named individually, as with `*.cql`. A single file is not a migration.
    fn add_named_files(&mut self, named: &mut Vec<PathBuf>, migrations: bool) {
        let named = std::mem::take(named);
        self.files.extend(match named.as_slice() {
            [path] if !migrations && !is_program(path) => {
                vec![SourceFile { path: path.clone(), kind: TextKind::Cql }]
            }
            paths => sort_files(paths, migrations),
        });
    }

    /// The files of a folder and its subfolders, sorted by name. Each folder is entered once,
    /// however many links lead to it.
    fn walk_tree(&mut self, path: &Path, selection: FileSelection) -> Vec<PathBuf> {
        let mut state = WalkState::default();
        self.walk_folder(path, selection, 0, &mut state);
        while let Some(link) = state.links.pop() {
            let (real, parent) = (canonical_path(&link), link.parent().map(canonical_path));
            if parent.is_some_and(|parent| parent.starts_with(&real)) {
                self.report_problem(
                    &link,
                    "links to a directory that contains it; not followed",
                    None,
                );
            } else if !state.entered.contains(&real) {
                self.walk_folder(&link, selection, link.components().count(), &mut state);
            }
        }
        state.files.sort_by_cached_key(|path| {
            path.components()
                .map(|part| natural_key(&part.as_os_str().to_string_lossy()))
                .collect::<Vec<_>>()
        });
        state.files
    }

    fn walk_folder(
        &mut self,
        path: &Path,
        selection: FileSelection,
        depth: usize,
        state: &mut WalkState,
    ) {
        if depth >= DEPTH_MAX {
            return self.report_problem(
                path,
                "is nested too deeply; skipped",
                Some(Outcome::BadInput),
            );
        }
        let entries = std::fs::read_dir(path).and_then(|entries| {
            entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>, _>>()
        });
        let mut entries = match entries {
            Ok(entries) => entries,
            Err(error) => {
                let failure = Some(Outcome::EnvironmentFailed);
                return self.report_problem(path, &format!("cannot be read: {error}"), failure);
            }
        };
        entries.sort_by_cached_key(|entry| (natural_key(&file_name(entry)), entry.clone()));
        state.entered.insert(canonical_path(path));
        for entry in entries {
            let name = file_name(&entry);
            let is_hidden = name.starts_with('.');
            if entry.is_dir() {
                let has_programs = selection == FileSelection::CqlAndPrograms;
                let is_excluded = has_programs && EXCLUDED_FOLDERS.contains(&&*name);
                if is_hidden || is_excluded {
                    continue;
                }
                if entry.is_symlink() {
                    state.links.push(entry);
                } else {
                    self.walk_folder(&entry, selection, depth + 1, state);
                }
            } else if selection.is_selected(&entry) {
                // A pipe may never end.
                if entry.exists() && !entry.is_file() {
                    self.report_problem(&entry, "is not a regular file", Some(Outcome::BadInput));
                } else {
                    state.files.push(entry);
                }
            }
        }
    }

    fn report_problem(&mut self, path: &Path, message: &str, failure: Option<Outcome>) {
        let (file, message) = (path.display().to_string(), message.to_owned());
        self.problems.push(FileProblem { file, message, failure });
    }
}

/// The files of these paths, in natural order: the selected files of folders, also those that undo
/// migrations.
pub(crate) fn list_files(
    paths: &[PathBuf],
    selection: FileSelection,
) -> Result<Vec<PathBuf>, Failure> {
    let mut walk = FileWalk::default();
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let tree = walk.walk_tree(path, selection);
        let failed = |problem: &FileProblem| {
            let message = format!("{} {}", problem.file, problem.message);
            Some(Failure::Stopped(problem.failure?, message))
        };
        if let Some(failure) = walk.problems.iter().find_map(failed) {
            return Err(failure);
        }
        if tree.is_empty() {
            let message = format!("{} contains no .{} file", path.display(), selection.extension());
            return Err(Failure::Stopped(Outcome::BadInput, message));
        }
        files.extend(tree);
    }
    Ok(files)
}

/// Whether a file is CQL, by its extension.
pub(crate) fn is_cql(path: &Path) -> bool {
    has_extension(path, "cql")
}

fn has_extension(path: &Path, expected: &str) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(expected))
}

/// Whether a file is source code, by its extension.
pub(crate) fn is_program(path: &Path) -> bool {
    Language::from_file_name(&file_name(path)).is_some()
}

/// Sorts the files of a tree and determines their kinds; source code comes last.
pub(crate) fn sort_files(paths: &[PathBuf], migrations: bool) -> Vec<SourceFile> {
    let (programs, others): (Vec<_>, Vec<_>) =
        paths.iter().cloned().partition(|path| is_program(path));
    let mut files = sort_migrations(&others, migrations);
    files.extend(programs.into_iter().map(|path| SourceFile { path, kind: TextKind::Program }));
    files
}

/// Determines the kinds of files: if all files of a folder are numbered, they are migrations in the
/// order of their numbers. Files that undo a migration are left out.
fn sort_migrations(paths: &[PathBuf], migrations: bool) -> Vec<SourceFile> {
    let mut folders: BTreeMap<PathBuf, Vec<usize>> = BTreeMap::new();
    for (at, path) in paths.iter().enumerate() {
        folders.entry(path.parent().unwrap_or(Path::new("")).to_owned()).or_default().push(at);
    }
    // The slots of a numbered folder are filled in the order of the numbers, so that folders keep
    // their order among each other.
    let mut files: Vec<Option<SourceFile>> = vec![None; paths.len()];
    for places in folders.into_values() {
        let paths = places.iter().filter_map(|at| paths.get(*at));
        let numbers: Vec<_> =
            paths.clone().map(|path| migration_number(&file_name(path))).collect();
        let is_numbered = numbers.iter().all(Option::is_some);
        let mut here: Vec<(Option<MigrationNumber>, &PathBuf)> =
            numbers.into_iter().zip(paths).collect();
        if is_numbered || migrations {
            here.retain(|(_, path)| !is_rollback(&file_name(path)));
            here.sort();
        }
        let is_migration = is_numbered || migrations;
        let kind = if is_migration { TextKind::Migration } else { TextKind::Cql };
        for (at, (_, path)) in places.into_iter().zip(here) {
            if let Some(slot) = files.get_mut(at) {
                *slot = Some(SourceFile { path: path.clone(), kind });
            }
        }
    }
    files.into_iter().flatten().collect()
}

/// Whether a letter precedes the number, and its parts. Where a project changed its naming scheme,
/// the files without a letter are assumed to be older.
type MigrationNumber = (bool, Vec<u64>);

/// The number at the start of a name: `V001__x.cql`, `001_x.up.cql`, `20240101_1200_x.cql`,
/// `V1.2__x.cql`.
fn migration_number(name: &str) -> Option<MigrationNumber> {
    let stem = name.get(..name.len().saturating_sub(".cql".len()))?;
    let digits = stem.strip_prefix(['V', 'v', 'U', 'u']).unwrap_or(stem);
    let has_letter = digits.len() < stem.len();
    let mut numbers = Vec::new();
    for part in digits.split(['.', '_', '-']) {
        match part.parse() {
            Ok(number) if part.bytes().all(|byte| byte.is_ascii_digit()) => numbers.push(number),
            _ => break,
        }
    }
    (!numbers.is_empty()).then_some((has_letter, numbers))
}

/// The key of natural sorting: `v0.2` before `v0.10`.
fn natural_key(name: &str) -> Vec<(u64, String)> {
    let is_digit = |character: char| character.is_ascii_digit();
    let mut pieces = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        let start = rest.find(is_digit).unwrap_or(rest.len());
        let (before, numbered) = rest.split_at(start);
        let end = numbered.find(|character| !is_digit(character)).unwrap_or(numbered.len());
        let (number, after) = numbered.split_at(end);
        pieces.push((0, before.to_owned()));
        pieces.push((number.parse().unwrap_or(u64::MAX), String::new()));
        rest = after;
    }
    pieces
}

fn file_name(path: &Path) -> String {
    path.file_name().map(OsStr::to_string_lossy).unwrap_or_default().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(paths: &[&str]) -> Vec<String> {
        let paths: Vec<_> = paths.iter().map(PathBuf::from).collect();
        let mark = |kind| if kind == TextKind::Migration { "!" } else { "" };
        let files = sort_files(&paths, false);
        files.iter().map(|file| format!("{}{}", file.path.display(), mark(file.kind))).collect()
    }

    #[test]
    fn numbers_determine_the_order() {
        assert_eq!(
            names(&["m/V10__c.cql", "m/V1__a.cql", "m/V2__b.cql"]),
            ["m/V1__a.cql!", "m/V2__b.cql!", "m/V10__c.cql!"]
        );
        assert_eq!(names(&["1_a.down.cql", "1_a.up.cql", "2_b.cql"]), ["1_a.up.cql!", "2_b.cql!"]);
        assert_eq!(names(&["U1__a.cql", "V1__a.cql"]), ["V1__a.cql!"]);
        assert_eq!(
            names(&["003_c.cql", "v2.0.0.cql", "001_a.cql"]),
            ["001_a.cql!", "003_c.cql!", "v2.0.0.cql!"]
        );
        assert_eq!(names(&["a/x.cql", "b/1.cql", "b/x2.cql"]), ["a/x.cql", "b/1.cql", "b/x2.cql"]);
    }

    #[test]
    fn natural_order_of_names() {
        let mut names = ["v0.10", "v0.2", "b", "a2x", "a10", "a2", "7"];
        names.sort_by_cached_key(|name| natural_key(name));
        assert_eq!(names, ["7", "a2", "a2x", "a10", "b", "v0.2", "v0.10"]);
    }

    #[test]
    fn numbers_of_names() {
        assert_eq!(migration_number("V001__x.cql"), Some((true, vec![1])));
        assert_eq!(migration_number("0001_2nd.up.cql"), Some((false, vec![1])));
        assert_eq!(migration_number("20240101_1200_x.cql"), Some((false, vec![20_240_101, 1200])));
        assert_eq!(migration_number("v1.2__x.cql"), Some((true, vec![1, 2])));
        assert_eq!(migration_number("video.cql"), None);
        assert_eq!(migration_number("é.cql"), None);
    }
}
