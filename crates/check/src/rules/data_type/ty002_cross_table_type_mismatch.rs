//! TY002: one name, two types.

use std::collections::BTreeMap;

use cql::types::{NativeType, Type};
use schema::catalog::Column;

use crate::vocabulary::ids::is_no_id_name;
use crate::vocabulary::matcher::matches_any;
use crate::vocabulary::types::native_type;
use crate::{Check, Confidence, Project, Reporter, RuleEntry, Severity, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ty002_cross_table_type_mismatch.md"), Check::Project(check));

/// So long is an `id` with a word before it, at least.
const SHORT_ID: usize = 4;

/// A column and the table that it is of.
type ColumnUse<'p> = (&'p TableFacts, &'p Column);

fn check(project: &Project<'_>, reporter: &mut Reporter<'_>) {
    let mut uses: BTreeMap<(&str, &str), Vec<ColumnUse<'_>>> = BTreeMap::new();
    for facts in project.tables.iter().filter(|facts| facts.view.is_none()) {
        for column in facts.table.columns().iter().filter(|column| has_global_meaning(column)) {
            let name = (&*facts.table.keyspace, &*column.name);
            uses.entry(name).or_default().push((facts, column));
        }
    }
    for ((_, name), uses) in uses {
        let Some((odd, usual)) = find_odd_use(&uses) else { continue };
        let severity = match native_pair(&odd.1.ty, &usual.1.ty) {
            // A timeuuid is a uuid: values fit one way.
            Some([NativeType::Uuid, NativeType::Timeuuid]) => Severity::Info,
            // It holds a time, too.
            Some([NativeType::Timestamp, NativeType::Timeuuid]) => Severity::Info,
            _ if is_id(name) => Severity::Medium,
            _ => Severity::Low,
        };
        let message = format!(
            "`{name}` is {} in {} but {} in {}.",
            odd.1.ty, odd.0.table.name, usual.1.ty, usual.0.table.name
        );
        reporter
            .report(project.type_location(odd.0, name), message)
            .with_column(&odd.0.table, odd.1)
            .severity(severity)
            .confidence(Confidence::Medium)
            .with_related(project.type_location(usual.0, name), "the other type")
            .help(format!("declare it as {} in both, or rename one of them", usual.1.ty));
    }
}

fn is_id(name: &str) -> bool {
    matches_any(name, &["*_id", "*_uuid"])
        || name.len() > SHORT_ID && matches_any(name, &["*id"]) && !is_no_id_name(name)
}

/// Whether columns with that name mean the same in all tables: identifiers, times and spans of time;
/// not `value`, `id` or `type`.
fn has_global_meaning(column: &Column) -> bool {
    const TIMES: &[&str] = &[
        "*_at",
        "timestamp",
        "*_timestamp",
        "*_date",
        "date_*",
        "day",
        "*_bucket",
        "timebucket",
        "datebucket",
    ];
    let name = &column.name;
    let is_generic =
        matches_any(name, &["external_id", "entity_id", "object_id", "parent_id", "ref_id"]);
    (is_id(name) && !is_generic || matches_any(name, TIMES))
        && native_type(&column.ty).is_some_and(|ty| ty != NativeType::Counter)
}

/// Two native types, in a fixed order.
fn native_pair(one: &Type, other: &Type) -> Option<[NativeType; 2]> {
    let (one, other) = (native_type(one)?, native_type(other)?);
    let is_first = matches!(other, NativeType::Uuid | NativeType::Timestamp);
    Some(if is_first { [other, one] } else { [one, other] })
}

/// ascii and text are equivalent when values are compared.
fn is_same_type(one: &Type, other: &Type) -> bool {
    let plain = |ty: &Type| match native_type(ty) {
        Some(NativeType::Ascii) => Type::Native(NativeType::Text),
        _ => ty.clone(),
    };
    plain(one) == plain(other)
}

/// The first use whose type is not the usual one, and one that has the usual type: that of most
/// uses, else of the first.
fn find_odd_use<'p>(uses: &[ColumnUse<'p>]) -> Option<(ColumnUse<'p>, ColumnUse<'p>)> {
    let mut kinds: Vec<(ColumnUse<'p>, usize)> = Vec::new();
    for one in uses {
        match kinds.iter_mut().find(|(known, _)| is_same_type(&known.1.ty, &one.1.ty)) {
            Some((_, count)) => *count += 1,
            None => kinds.push((*one, 1)),
        }
    }
    let most = kinds.iter().map(|(_, count)| *count).max()?;
    let (usual, _) = *kinds.iter().find(|(_, count)| *count == most)?;
    let odd = kinds.iter().find(|(known, _)| !is_same_type(&known.1.ty, &usual.1.ty))?;
    Some((odd.0, usual))
}
