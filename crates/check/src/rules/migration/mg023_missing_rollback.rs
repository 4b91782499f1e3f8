//! MG023: a migration without a rollback file, in a directory where others have one.

use std::collections::{BTreeMap, BTreeSet};

use cql::Span;

use crate::project::{TextKind, migration_number};
use crate::{Check, Location, Project, Reporter, RuleEntry};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("mg023_missing_rollback.md"), Check::Project(check));

fn check(project: &Project<'_>, reporter: &mut Reporter<'_>) {
    let mut undone_in: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for name in &project.settings.rollbacks {
        let (folder, file) = split_path(name);
        undone_in.entry(folder).or_default().extend(migration_number(file));
    }
    for (at, text) in project.texts.iter().enumerate() {
        let (folder, file) = split_path(text.name);
        let Some(undone_here) = undone_in.get(folder) else { continue };
        let Some(number) = migration_number(file).filter(|_| text.kind == TextKind::Migration)
        else {
            continue;
        };
        if !undone_here.contains(&number) {
            let place = Location { text: at, span: Span::new(0, 0) };
            reporter
                .report(place, "This migration has no rollback file, although others in the directory do.")
                .help("add the file, or one with a comment that explains why it cannot be rolled back");
        }
    }
}

fn split_path(path: &str) -> (&str, &str) {
    path.rsplit_once(['/', '\\']).unwrap_or(("", path))
}
