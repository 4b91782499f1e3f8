//! The files that paths stand for: folders with all that is in them, migrations in the order of their numbers.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use check::TextKind;
use check::program::Language;
use check::project::undoes;

use super::inputs::real;
use crate::render::findings::Problem;

/// Folders deeper than this are not entered.
const DEPTH_MAX: usize = 64;

/// Folders of other people's programs, and of what is made from one's own.
const NOT_OWN: &[&str] = &["Godeps", "node_modules", "target", "vendor"];

/// A file to be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct File {
    /// Its path; `-` is standard input.
    pub(crate) path: PathBuf,
    /// What it is.
    pub(crate) kind: TextKind,
}

/// The files that paths stand for, and what is wrong with some of them.
#[derive(Debug, Default)]
pub(crate) struct Walk {
    pub(crate) files: Vec<File>,
    /// What takes migrations back, and is not run.
    pub(crate) rollbacks: Vec<PathBuf>,
    pub(crate) problems: Vec<Problem>,
}

/// The way through a folder.
#[derive(Default)]
struct Way {
    /// The folders that were entered, without links.
    entered: BTreeSet<PathBuf>,
    /// Links to folders, to be followed when all others are known.
    links: Vec<PathBuf>,
    /// The files so far.
    found: Vec<PathBuf>,
}

impl Walk {
    /// All files of these paths; of folders those with CQL, and programs if they are wanted.
    pub(crate) fn of(paths: &[PathBuf], migrations: bool, programs: bool) -> Self {
        let mut walk = Self::default();
        let mut named = Vec::new();
        for path in paths {
            if !path.is_dir() {
                named.push(path.clone());
                continue;
            }
            walk.take_named(&mut named, migrations);
            let found = walk.tree(path, programs);
            if found.is_empty() {
                walk.complain(path, "holds no .cql file", true);
            }
            walk.rollbacks.extend(found.iter().filter(|path| undoes(&name(path))).cloned());
            walk.files.extend(in_order(&found, migrations));
        }
        walk.take_named(&mut named, migrations);
        walk
    }

    /// Files that are named one by one, as `*.cql` does: one alone is no migration.
    fn take_named(&mut self, named: &mut Vec<PathBuf>, migrations: bool) {
        let named = std::mem::take(named);
        self.files.extend(match named.as_slice() {
            [path] if !migrations && !is_program(path) => {
                vec![File { path: path.clone(), kind: TextKind::Cql }]
            }
            paths => in_order(paths, migrations),
        });
    }

    /// The files of a folder and of the folders in it, by name. Each folder is entered once, however many links lead to it.
    fn tree(&mut self, path: &Path, programs: bool) -> Vec<PathBuf> {
        let mut way = Way::default();
        self.folder(path, programs, 0, &mut way);
        while let Some(link) = way.links.pop() {
            let (real, parent) = (real(&link), link.parent().map(real));
            if parent.is_some_and(|parent| parent.starts_with(&real)) {
                self.complain(&link, "leads back to a folder that holds it: not followed", false);
            } else if !way.entered.contains(&real) {
                self.folder(&link, programs, link.components().count(), &mut way);
            }
        }
        way.found.sort_by_cached_key(|path| {
            path.components()
                .map(|part| natural(&part.as_os_str().to_string_lossy()))
                .collect::<Vec<_>>()
        });
        way.found
    }

    fn folder(&mut self, path: &Path, programs: bool, depth: usize, way: &mut Way) {
        if depth >= DEPTH_MAX {
            return self.complain(path, "lies too deep: not entered", true);
        }
        let entries = std::fs::read_dir(path).and_then(|entries| {
            entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>, _>>()
        });
        let mut entries = match entries {
            Ok(entries) => entries,
            Err(error) => return self.complain(path, &format!("cannot be read: {error}"), true),
        };
        entries.sort_by_cached_key(|entry| (natural(&name(entry)), entry.clone()));
        way.entered.insert(real(path));
        for entry in entries {
            let own_name = name(&entry);
            let is_hidden = own_name.starts_with('.');
            if entry.is_dir() {
                let is_foreign = programs && NOT_OWN.contains(&&*own_name);
                if is_hidden || is_foreign {
                    continue;
                }
                if entry.is_symlink() {
                    way.links.push(entry);
                } else {
                    self.folder(&entry, programs, depth + 1, way);
                }
            } else if is_cql(&entry) || programs && is_program(&entry) {
                // A pipe may never end.
                if entry.exists() && !entry.is_file() {
                    self.complain(&entry, "is no file", true);
                } else {
                    way.found.push(entry);
                }
            }
        }
    }

    fn complain(&mut self, path: &Path, message: &str, is_unread: bool) {
        let (file, message) = (path.display().to_string(), message.to_owned());
        self.problems.push(Problem { file, message, is_unread });
    }
}

/// Whether a file holds CQL, by its name.
pub(crate) fn is_cql(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("cql"))
}

/// Whether a file is a program, by its name.
pub(crate) fn is_program(path: &Path) -> bool {
    Language::of_name(&name(path)).is_some()
}

/// The files of a tree with what they are, programs last.
pub(crate) fn in_order(found: &[PathBuf], migrations: bool) -> Vec<File> {
    let (programs, others): (Vec<_>, Vec<_>) =
        found.iter().cloned().partition(|path| is_program(path));
    let mut files = numbered(&others, migrations);
    files.extend(programs.into_iter().map(|path| File { path, kind: TextKind::Program }));
    files
}

/// The files of a tree with what they are: where all files of a folder are numbered, they are migrations, and their numbers say
/// their order. What undoes a migration is left out.
fn numbered(found: &[PathBuf], migrations: bool) -> Vec<File> {
    let mut folders: BTreeMap<PathBuf, Vec<usize>> = BTreeMap::new();
    for (at, path) in found.iter().enumerate() {
        folders.entry(path.parent().unwrap_or(Path::new("")).to_owned()).or_default().push(at);
    }
    // Each place of a numbered folder takes the file that is next by number.
    let mut files: Vec<Option<File>> = vec![None; found.len()];
    for places in folders.into_values() {
        let paths = places.iter().filter_map(|at| found.get(*at));
        let numbers: Vec<_> = paths.clone().map(|path| number(&name(path))).collect();
        let is_numbered = numbers.iter().all(Option::is_some);
        let mut here: Vec<(Option<Number>, &PathBuf)> = numbers.into_iter().zip(paths).collect();
        if is_numbered || migrations {
            here.retain(|(_, path)| !undoes(&name(path)));
            here.sort();
        }
        let is_migration = is_numbered || migrations;
        let kind = if is_migration { TextKind::Migration } else { TextKind::Cql };
        for (at, (_, path)) in places.into_iter().zip(here) {
            if let Some(place) = files.get_mut(at) {
                *place = Some(File { path: path.clone(), kind });
            }
        }
    }
    files.into_iter().flatten().collect()
}

/// Whether a letter stands before it, and the numbers: where a project changed its way to name files, those without one are older.
type Number = (bool, Vec<u64>);

/// The number that a name starts with: `V001__x.cql`, `001_x.up.cql`, `20240101_1200_x.cql`, `V1.2__x.cql`.
fn number(name: &str) -> Option<Number> {
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

/// A name as people sort it: `v0.2` before `v0.10`.
fn natural(name: &str) -> Vec<(u64, String)> {
    let digit = |one: char| one.is_ascii_digit();
    let mut pieces = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        let words = rest.find(digit).unwrap_or(rest.len());
        let (before, numbered) = rest.split_at(words);
        let end = numbered.find(|one| !digit(one)).unwrap_or(numbered.len());
        let (number, after) = numbered.split_at(end);
        pieces.push((0, before.to_owned()));
        pieces.push((number.parse().unwrap_or(u64::MAX), String::new()));
        rest = after;
    }
    pieces
}

fn name(path: &Path) -> String {
    path.file_name().map(OsStr::to_string_lossy).unwrap_or_default().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(found: &[&str]) -> Vec<String> {
        let found: Vec<_> = found.iter().map(PathBuf::from).collect();
        let mark = |kind| if kind == TextKind::Migration { "!" } else { "" };
        let files = in_order(&found, false);
        files.iter().map(|file| format!("{}{}", file.path.display(), mark(file.kind))).collect()
    }

    #[test]
    fn numbers_say_the_order() {
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
    fn names_in_the_order_of_people() {
        let mut names = ["v0.10", "v0.2", "b", "a2x", "a10", "a2", "7"];
        names.sort_by_cached_key(|name| natural(name));
        assert_eq!(names, ["7", "a2", "a2x", "a10", "b", "v0.2", "v0.10"]);
    }

    #[test]
    fn numbers_of_names() {
        assert_eq!(number("V001__x.cql"), Some((true, vec![1])));
        assert_eq!(number("0001_2nd.up.cql"), Some((false, vec![1])));
        assert_eq!(number("20240101_1200_x.cql"), Some((false, vec![20_240_101, 1200])));
        assert_eq!(number("v1.2__x.cql"), Some((true, vec![1, 2])));
        assert_eq!(number("video.cql"), None);
        assert_eq!(number("é.cql"), None);
    }
}
