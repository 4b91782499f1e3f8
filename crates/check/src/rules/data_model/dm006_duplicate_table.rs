//! DM006: two tables with the same key and the same columns.

use std::collections::{BTreeSet, HashMap};

use cql::types::Type;
use schema::catalog::{Column, ColumnKind, Table};

use crate::facts::tables::table_families;
use crate::vocabulary::entity_names::entity_name;
use crate::vocabulary::ids::is_id;
use crate::{Check, Confidence, Project, Reporter, RuleEntry};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("dm006_duplicate_table.md"), Check::Project(check));

/// Above this number of tables with the same key they are not compared: the key is then no
/// evidence.
const TABLES_MAX: usize = 64;

fn check(project: &Project<'_>, reporter: &mut Reporter<'_>) {
    let families: BTreeSet<usize> =
        table_families(project).iter().flat_map(|(_, tables)| tables).copied().collect();
    let mut by_key: HashMap<(&str, KeyShape<'_>), usize> = HashMap::new();
    let mut alike: Vec<Vec<usize>> = Vec::new();
    for (at, facts) in project.tables.iter().enumerate() {
        if facts.view.is_none() && !families.contains(&at) {
            let key = (&*facts.table.keyspace, key_shape(&facts.table));
            let position = *by_key.entry(key).or_insert(alike.len());
            match alike.get_mut(position) {
                Some(tables) => tables.push(at),
                None => alike.push(vec![at]),
            }
        }
    }
    for tables in alike.into_iter().filter(|tables| tables.len() <= TABLES_MAX) {
        for (position, at) in tables.iter().enumerate() {
            let known = &project.tables[*at];
            let earlier = tables.iter().take(position).map(|at| &project.tables[*at]);
            let Some((other, confidence)) = earlier
                .rev()
                .find_map(|other| Some((other, duplicate_confidence(&known.table, &other.table)?)))
            else {
                continue;
            };
            let columns = if known.table.columns().len() == other.table.columns().len() {
                "it has the same key and the same columns"
            } else {
                "both have the same key, and one has no column that the other lacks"
            };
            let message =
                format!("{} duplicates {}: {columns}.", known.table.name, other.table.name);
            reporter
                .report(known.place, message)
                .with_table(&known.table)
                .confidence(confidence)
                .with_related(other.place, "the other table")
                .help("finish the migration and drop the old table; or state in a comment what each is for");
        }
    }
}

/// The columns of a primary key, with their types and roles.
type KeyShape<'p> = Vec<(&'p str, ColumnKind, &'p Type)>;

fn key_shape(table: &Table) -> KeyShape<'_> {
    table.primary_key().iter().map(|column| (&*column.name, column.kind, &column.ty)).collect()
}

/// The confidence that two tables with the same key hold the same data; `None` if they do not.
fn duplicate_confidence(one: &Table, other: &Table) -> Option<Confidence> {
    let (small, large) =
        if one.columns().len() <= other.columns().len() { (one, other) } else { (other, one) };
    let has = |column: &Column| {
        large
            .column(&column.name)
            .is_some_and(|same| same.ty == column.ty && same.kind == column.kind)
    };
    if !small.columns().iter().all(has) || small.regulars().is_empty() {
        return None;
    }
    let same_columns = small.columns().len() == large.columns().len() && small.columns().len() >= 4;
    let says_what = small
        .primary_key()
        .iter()
        .any(|column| is_id(column) && !matches!(&*column.name, "id" | "key"));
    if base_name(&one.name) == base_name(&other.name) || is_numbered(&one.name, &other.name) {
        Some(Confidence::High)
    } else if same_columns && says_what {
        Some(Confidence::Medium)
    } else if is_same_entity(one, other) {
        // A narrow copy may be meant for a frequent read.
        let is_whole = small.columns().len() == large.columns().len();
        Some(if is_whole { Confidence::Medium } else { Confidence::Low })
    } else {
        None
    }
}

/// Whether one name is the other with what rows are looked up by, which the key of both says already: `carts`, `carts_by_user`.
fn is_same_entity(one: &Table, other: &Table) -> bool {
    let names = [&*one.name, &*other.name];
    entity_name(names[0]) == entity_name(names[1])
        && names.iter().any(|name| entity_name(name) == *name)
}

/// Whether one name is the other with a number in it. Two numbers tell two things apart: `stats_1m`, `stats_5m`.
fn is_numbered(one: &str, other: &str) -> bool {
    let without = |name: &str| name.replace(|letter: char| letter.is_ascii_digit(), "");
    one != other && (without(one) == other || without(other) == one)
}

/// A table name without its version suffix.
fn base_name(name: &str) -> &str {
    let mut name = name;
    loop {
        let digits = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
        let version =
            digits.strip_suffix("_v").filter(|kept| digits.len() < name.len() && !kept.is_empty());
        let ends = ["_old", "_new", "_tmp", "_temp", "_backup", "_bak", "_copy", "_orig"];
        let kept = version.or_else(|| ends.iter().find_map(|end| name.strip_suffix(end)));
        match kept {
            Some(kept) => name = kept,
            None => return name,
        }
    }
}
