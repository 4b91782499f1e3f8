//! Finds schemas that a folder contains more than once, such as `schema.cql` beside a folder with
//! the migrations that lead to it. Only one form is checked, or every table would be created twice.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use cql::{ParsedSource, QualifiedName, StatementKind};

/// Two files or folders are forms of one schema if both create at least this many tables; fewer are
/// a mistake, which the server would reject.
const TABLES_LEAST: usize = 2;

/// A schema file in a folder.
pub(crate) struct SchemaFile<'p> {
    pub(crate) path: &'p Path,
    pub(crate) parsed: &'p ParsedSource,
    /// Whether it is a step of a migration: the steps in one folder belong together.
    pub(crate) is_step: bool,
}

/// A file or folder that is left out, and the one it repeats.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct DuplicateSchema {
    pub(crate) path: PathBuf,
    original: PathBuf,
    tables: usize,
}

impl DuplicateSchema {
    /// The reported reason.
    pub(crate) fn message(&self) -> String {
        format!(
            "was skipped: it creates {} tables that {} also creates, so it looks like another form of the same schema; to check it, pass only its path",
            self.tables,
            self.original.display()
        )
    }
}

/// The files and folders that repeat the schema of a sibling. Of a file and a folder, the file
/// stays; otherwise the first by name.
pub(crate) fn find(texts: &[SchemaFile<'_>]) -> Vec<DuplicateSchema> {
    let created = table_creators(texts);
    let mut shared: BTreeMap<(&Path, &Path), usize> = BTreeMap::new();
    for creators in created.values() {
        let Some((first, others)) = creators.split_first() else { continue };
        // Each pair counts a table once.
        let pairs: BTreeSet<_> = others
            .iter()
            .filter(|other| !is_same_migration(first, other))
            .filter_map(|other| sibling_entries(first.path, other.path))
            .collect();
        for pair in pairs {
            *shared.entry(pair).or_default() += 1;
        }
    }
    shared.retain(|_, tables| *tables >= TABLES_LEAST);
    if shared.is_empty() {
        return Vec::new();
    }
    let totals = table_counts(&created);
    let is_file = |path: &Path| texts.iter().any(|text| text.path == path);
    let mut found: Vec<DuplicateSchema> = Vec::new();
    for ((first, other), tables) in shared {
        let total = |path: &Path| totals.get(path).copied().unwrap_or_default();
        if tables * 2 < total(first).min(total(other)) {
            continue;
        }
        let (original, duplicate) =
            if is_file(other) && !is_file(first) { (other, first) } else { (first, other) };
        if !found.iter().any(|known| known.path == duplicate) {
            found.push(DuplicateSchema {
                path: duplicate.to_owned(),
                original: original.to_owned(),
                tables,
            });
        }
    }
    found
}

/// The files that create each table. Tables that are dropped anywhere are left out: they may be
/// created again on purpose.
fn table_creators<'t, 'p>(
    texts: &'t [SchemaFile<'p>],
) -> BTreeMap<(&'p str, &'p str), Vec<&'t SchemaFile<'p>>> {
    let mut created: BTreeMap<_, Vec<&'t SchemaFile<'p>>> = BTreeMap::new();
    let mut dropped: BTreeSet<&str> = BTreeSet::new();
    for text in texts {
        let mut used = "";
        for statement in &text.parsed.statements {
            match &statement.kind {
                StatementKind::Use(target) => used = &target.keyspace.text,
                StatementKind::CreateTable(create) => {
                    let creators = created.entry(table_name(&create.name, used)).or_default();
                    if creators.last().is_none_or(|last| last.path != text.path) {
                        creators.push(text);
                    }
                }
                StatementKind::DropTable(drop) => {
                    dropped.insert(&drop.name.name.text);
                }
                _ => {}
            }
        }
    }
    created.retain(|(_, table), _| !dropped.contains(table));
    created
}

fn table_name<'p>(name: &'p QualifiedName, used: &'p str) -> (&'p str, &'p str) {
    (name.keyspace.as_ref().map_or(used, |keyspace| &keyspace.text), &name.name.text)
}

fn is_same_migration(one: &SchemaFile<'_>, other: &SchemaFile<'_>) -> bool {
    one.is_step && other.is_step && one.path.parent() == other.path.parent()
}

/// The two entries of the deepest common folder through which the paths lead.
fn sibling_entries<'p>(one: &'p Path, other: &'p Path) -> Option<(&'p Path, &'p Path)> {
    let common = one.ancestors().find(|folder| other.starts_with(folder))?;
    let entry = |path: &'p Path| path.ancestors().find(|part| part.parent() == Some(common));
    entry(one).zip(entry(other))
}

/// The number of tables that each file and folder creates.
fn table_counts<'p>(
    created: &BTreeMap<(&'p str, &'p str), Vec<&SchemaFile<'p>>>,
) -> BTreeMap<&'p Path, usize> {
    let mut totals: BTreeMap<&Path, usize> = BTreeMap::new();
    for creators in created.values() {
        let places: BTreeSet<_> = creators.iter().flat_map(|text| text.path.ancestors()).collect();
        for place in places {
            *totals.entry(place).or_default() += 1;
        }
    }
    totals
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOTH: &str = "CREATE TABLE a (k int PRIMARY KEY); CREATE TABLE b (k int PRIMARY KEY);";

    fn find_excluded(texts: &[(&str, &str, bool)]) -> Vec<String> {
        let parsed: Vec<ParsedSource> = texts.iter().map(|(_, text, _)| cql::parse(text)).collect();
        let each = texts.iter().zip(&parsed);
        let found: Vec<SchemaFile<'_>> = each
            .map(|((path, _, is_step), parsed)| SchemaFile {
                path: Path::new(path),
                parsed,
                is_step: *is_step,
            })
            .collect();
        find(&found).into_iter().map(|duplicate| duplicate.path.display().to_string()).collect()
    }

    #[test]
    fn a_file_stays_before_a_folder() {
        let step = "CREATE TABLE c (k int PRIMARY KEY); ALTER TABLE a ADD v int;";
        let texts = [
            ("db/history/v1/a.cql", BOTH, false),
            ("db/history/v2/c.cql", step, false),
            ("db/schema.cql", BOTH, false),
        ];
        assert_eq!(find_excluded(&texts), ["db/history"]);
        assert_eq!(
            find_excluded(&[("db/v3.cql", BOTH, false), ("db/v4.cql", BOTH, false)]),
            ["db/v4.cql"]
        );
    }

    #[test]
    fn what_belongs_together_stays() {
        let none: [&str; 0] = [];
        // One repeated table is a mistake, steps of one folder are one schema, keyspaces differ.
        let one = "CREATE TABLE a (k int PRIMARY KEY);";
        assert_eq!(find_excluded(&[("a.cql", one, false), ("b.cql", one, false)]), none);
        assert_eq!(find_excluded(&[("m/1.cql", BOTH, true), ("m/2.cql", BOTH, true)]), none);
        let elsewhere = format!("USE other; {BOTH}");
        assert_eq!(find_excluded(&[("a.cql", BOTH, false), ("b.cql", &elsewhere, false)]), none);
        // Recreated on purpose.
        let recreated = format!("DROP TABLE a; DROP TABLE b; {BOTH}");
        assert_eq!(find_excluded(&[("a.cql", BOTH, false), ("b.cql", &recreated, false)]), none);
        // A few of many tables are a mistake as well.
        let many = |name: &str| {
            let tables = ["1", "2", "3", "4", "5"]
                .map(|at| format!("CREATE TABLE {name}{at} (k int PRIMARY KEY);"));
            BOTH.to_owned() + &tables.concat()
        };
        let (first, second) = (many("t"), many("u"));
        assert_eq!(find_excluded(&[("a.cql", &first, false), ("b.cql", &second, false)]), none);
    }
}
