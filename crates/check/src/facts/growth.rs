//! Which partitions grow without end, and which tables are small and stay so.

use model::access::WriteEffect;

use super::class;
use crate::{Confidence, Project, Seen, TableFacts};

/// How a partition grows without end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Growth<'t> {
    /// The clustering column that makes it grow.
    pub column: &'t model::catalog::Column,
    /// Volumes: high; only inserts among the statements: medium; the schema alone: low.
    pub confidence: Confidence,
}

/// How the partitions of a table grow without end, if they do: a clustering column is a time or made up for each event, nothing in
/// the partition key rolls over or is as fine, nothing expires, and nobody says that they stay small.
pub fn grows<'t>(project: &Project<'_>, facts: &'t TableFacts) -> Option<Growth<'t>> {
    let table = &facts.table;
    let rolls = table.partition_key().iter().any(|column| {
        class::is_bucket(column)
            || matches!(
                class::native(&column.ty),
                Some(cql::types::NativeType::Timeuuid | cql::types::NativeType::Timestamp)
            )
    });
    let declared = facts.volume.each.is_some_and(|each| each.per.is_none());
    let expires = table.params.default_time_to_live > 0
        || facts
            .writes(project)
            .flat_map(Seen::writes)
            .any(|write| write.has_ttl && write.table.name == table.name);
    if rolls || declared || expires || table.is_counter() || is_registry(project, facts) {
        return None;
    }
    let unique = |column: &&model::catalog::Column| {
        class::is_time(column)
            || class::native(&column.ty) == Some(cql::types::NativeType::Timeuuid)
    };
    let column = table.clustering().iter().find(unique)?;
    let inserts = || {
        facts.writes(project).flat_map(Seen::writes).filter(|write| {
            write.table.name == table.name && write.table.keyspace == table.keyspace
        })
    };
    let grows_by_volume = facts.volume.each.is_some_and(|each| each.per.is_some());
    let has_rate = facts.writes(project).any(|seen| seen.rate().is_some());
    let insert_only = inserts().next().is_some()
        && inserts().all(|write| matches!(write.effect, WriteEffect::Upsert));
    let confidence = if grows_by_volume || has_rate {
        Confidence::High
    } else if insert_only {
        Confidence::Medium
    } else {
        Confidence::Low
    };
    Some(Growth { column, confidence })
}

/// Whether a table holds what happens over time: a time among its clustering columns, and rows that are only added, expire, or say so
/// by the table's name.
pub fn is_time_series(project: &Project<'_>, facts: &TableFacts) -> bool {
    let table = &facts.table;
    let has_time = table.clustering().iter().any(class::is_time);
    let windows = table
        .params
        .compaction
        .get("class")
        .is_some_and(|class| class.ends_with("TimeWindowCompactionStrategy"));
    let mut writes = facts.writes(project).flat_map(Seen::writes).peekable();
    let only_added =
        writes.peek().is_some() && writes.all(|write| matches!(write.effect, WriteEffect::Upsert));
    let expires = table.params.default_time_to_live > 0;
    has_time && (only_added || expires || windows || class::is_event_name(&table.name))
}

/// Whether a table is a small one that every system has: settings, versions, registries.
pub fn is_registry(_: &Project<'_>, facts: &TableFacts) -> bool {
    const WORDS: &[&str] = &[
        "config*",
        "*_config",
        "settings",
        "*_settings",
        "meta",
        "metadata",
        "*_metadata",
        "schema_migration*",
        "schema_version*",
        "*migration*",
        "cluster*",
        "namespaces",
        "versions",
        "*_versions",
        "version",
        "configuration",
        "summary_statistics",
        "leader",
        "*_registry",
    ];
    facts.volume.rows.is_some_and(|rows| rows < 10_000.0) || class::named(&facts.table.name, WORDS)
}

/// Whether a table is one of the server's own.
pub fn is_system(project: &Project<'_>, table: &model::catalog::Table) -> bool {
    table.is_virtual || project.catalog.keyspace(&table.keyspace).is_some_and(|known| known.system)
}
