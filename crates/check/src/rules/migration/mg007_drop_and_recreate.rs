//! MG007: A migration drops a table and creates one of the same name.

use std::collections::{BTreeMap, BTreeSet};

use cql::{QualifiedName, StatementKind};

use crate::facts::tables::is_test_schema;
use crate::project::TextKind;
use crate::{
    Check, Confidence, Location, Project, ReplayedStatement, Reporter, RuleEntry, Severity,
};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("mg007_drop_and_recreate.md"), Check::Project(check));

fn check(project: &Project<'_>, reporter: &mut Reporter<'_>) {
    for (drop, create) in recreations(project) {
        let (Some(drop), Some(create)) =
            (project.statements.get(drop), project.statements.get(create))
        else {
            continue;
        };
        let Some(StatementKind::DropTable(dropped)) = project.syntax(drop).map(|known| &known.kind)
        else {
            continue;
        };
        let Some((keyspace, name)) = resolve_name(drop, &dropped.name) else { continue };
        if is_test_schema(project, drop.place, &keyspace) {
            continue;
        }
        let finding = reporter
            .report(drop.place, format!("`{name}` is dropped and recreated under the same name."));
        finding.with_keyspace(&keyspace);
        if let Some(facts) = project.table(&keyspace, &name) {
            finding.with_table(&facts.table);
        }
        if dropped.if_exists {
            // Written for the first run, when there is nothing to drop.
            finding.severity(Severity::Medium).confidence(Confidence::Medium);
        }
        finding
            .with_related(create.place, "it is recreated here")
            .note("a node that is down or slow keeps the old table for a while, so writes and reads may go to different tables")
            .help("create the new table under a new name, migrate the readers and writers, and drop the old one in a later migration");
    }
    for reset in resets(project) {
        let finding = reporter.report(
            reset.place,
            format!("Each run of this script deletes `{}` with all its data.", reset.name),
        );
        finding
            .with_keyspace(&reset.keyspace)
            .severity(Severity::Medium)
            .confidence(Confidence::Medium)
            .help("create with IF NOT EXISTS, and keep the DROP in a script of its own");
    }
}

/// A keyspace, or a table of it.
type Object = (Box<str>, Option<Box<str>>);

/// What a schema drops and creates anew.
struct Reset {
    place: Location,
    keyspace: Box<str>,
    name: Box<str>,
}

/// The first keyspace or table of each schema that is dropped and created anew, so that loading the schema deletes the data.
fn resets(project: &Project<'_>) -> Vec<Reset> {
    let mut dropped: BTreeMap<Object, Location> = BTreeMap::new();
    let mut created = BTreeSet::new();
    let mut all: Vec<Reset> = Vec::new();
    let mut text = None;
    for seen in &project.statements {
        if text != Some(seen.place.text) {
            text = Some(seen.place.text);
            dropped.clear();
            created.clear();
        }
        let is_schema =
            project.texts.get(seen.place.text).is_some_and(|text| text.kind == TextKind::Cql);
        let Some(known) = project.syntax(seen).filter(|_| is_schema) else { continue };
        let Some((is_drop, object)) = find_object_change(seen, &known.kind) else { continue };
        if is_drop && !created.contains(&object) {
            dropped.entry(object).or_insert(seen.place);
        } else if !is_drop {
            let drop = dropped.remove(&object);
            created.insert(object.clone());
            let (keyspace, table) = object;
            let is_told = all.last().is_some_and(|last| last.place.text == seen.place.text);
            if let Some(place) =
                drop.filter(|_| !is_told && !is_test_schema(project, seen.place, &keyspace))
            {
                let name = table.unwrap_or_else(|| keyspace.clone());
                all.push(Reset { place, keyspace, name });
            }
        }
    }
    all
}

/// Whether a statement drops, or else creates, a keyspace or a table, and which.
fn find_object_change(seen: &ReplayedStatement, kind: &StatementKind) -> Option<(bool, Object)> {
    let table = |name: &QualifiedName| {
        resolve_name(seen, name).map(|(keyspace, name)| (keyspace, Some(name)))
    };
    match kind {
        StatementKind::DropKeyspace(drop) => Some((true, (drop.name.text.clone(), None))),
        StatementKind::CreateKeyspace(create) => Some((false, (create.name.text.clone(), None))),
        StatementKind::DropTable(drop) => Some((true, table(&drop.name)?)),
        StatementKind::CreateTable(create) => Some((false, table(&create.name)?)),
        _ => None,
    }
}

/// The DROP TABLE statements of migrations that a CREATE TABLE of the same name follows in the same
/// text, each with that: as positions among the statements.
pub(super) fn recreations(project: &Project<'_>) -> BTreeMap<usize, usize> {
    let mut dropped: BTreeMap<(usize, Box<str>, Box<str>), usize> = BTreeMap::new();
    let mut all = BTreeMap::new();
    for (at, seen) in project.definitions() {
        let text = project.texts.get(seen.place.text);
        if text.is_none_or(|text| text.kind != TextKind::Migration) {
            continue;
        }
        match project.syntax(seen).map(|known| &known.kind) {
            Some(StatementKind::DropTable(drop)) => {
                if let Some((keyspace, name)) = resolve_name(seen, &drop.name) {
                    dropped.insert((seen.place.text, keyspace, name), at);
                }
            }
            Some(StatementKind::CreateTable(create)) => {
                let name = resolve_name(seen, &create.name);
                let drop = name.and_then(|(keyspace, name)| {
                    dropped.remove(&(seen.place.text, keyspace, name))
                });
                if let Some(drop) = drop {
                    all.insert(drop, at);
                }
            }
            _ => {}
        }
    }
    all
}

fn resolve_name(seen: &ReplayedStatement, name: &QualifiedName) -> Option<(Box<str>, Box<str>)> {
    let keyspace = name.keyspace.as_ref().map(|name| &*name.text).or(seen.keyspace.as_deref())?;
    Some((keyspace.into(), name.name.text.clone()))
}
