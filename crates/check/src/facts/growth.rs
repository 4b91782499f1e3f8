//! Which partitions grow without end, and which tables are small and stay so.

use cql::types::NativeType;
use schema::catalog::Column;

use super::{audience, is_parameter, lifetime, statement_values};
use crate::column_class;
use crate::{Confidence, Project, TableFacts};

/// How a partition grows without end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnboundedGrowth<'t> {
    /// The clustering column that makes it grow.
    pub column: &'t Column,
    /// Volumes: high; only inserts among the statements: medium; the schema alone, or rows are deleted: low.
    pub confidence: Confidence,
}

/// How the partitions of a table grow without end, if they do: a clustering column is a time or made up for each event, nothing in
/// the partition key rolls over or ends by itself, nothing expires, and nobody says that they stay small.
pub fn unbounded_growth<'t>(
    project: &Project<'_>,
    facts: &'t TableFacts,
) -> Option<UnboundedGrowth<'t>> {
    let (at, confidence) = (*facts.cached.growth.get_or_init(|| find_growth(project, facts)))?;
    facts.table.clustering().get(at).map(|column| UnboundedGrowth { column, confidence })
}

/// The position of the clustering column by which partitions grow without end, and how sure that is.
fn find_growth(project: &Project<'_>, facts: &TableFacts) -> Option<(usize, Confidence)> {
    let table = &facts.table;
    let volume = &facts.volume;
    let is_settled = volume.each.is_some_and(|each| each.per.is_none())
        || volume.rows.is_some() && volume.partitions.is_some() && volume.grows.is_none();
    let is_kept = volume.retain.is_some() || lifetime::has_ttl(project, facts);
    if is_settled
        || is_kept
        || has_rolling_key(facts)
        || table.is_counter()
        || is_registry(project, facts)
    {
        return None;
    }
    let is_declared = volume.each.is_some_and(|each| each.per.is_some());
    let is_daily = is_daily(table.clustering());
    let adds =
        |column: &Column| column_class::is_time(column) && !is_daily && !is_bounded_column(column);
    let by_time = table.clustering().iter().position(adds).filter(|_| !is_lookup(facts));
    // Groups of ids, each with a list of others: the list of the most popular one grows.
    let are_shards = table.partition_key().iter().all(column_class::is_shard);
    let is_listed = are_shards && table.clustering().len() > 1;
    // Names before the ids make it a directory.
    let is_directory = table.clustering().first().is_some_and(column_class::is_descriptive);
    let is_listed = is_listed && !is_directory;
    let last = table.clustering().last().filter(|last| is_listed && column_class::is_id(last));
    let last = last.map(|_| table.clustering().len() - 1);
    let declared = (is_declared && !table.clustering().is_empty()).then_some(0);
    let column = by_time.or(declared).or(last).or_else(|| audience::audience_column(table))?;
    let is_rated = is_declared || volume.inserts.is_some() || volume.grows.is_some();
    let has_writes = is_written(project, facts);
    let deletes = facts.own_writes(project).any(|write| write.is_row_delete());
    let confidence = match (is_rated, has_writes, deletes) {
        (_, _, true) if !is_declared => Confidence::Low,
        (false, ..) if audience::is_hand_entered(table) => Confidence::Low,
        (true, ..) => Confidence::High,
        (false, true, _) => Confidence::Medium,
        (false, false, _) => Confidence::Low,
    };
    Some((column, confidence))
}

/// Whether a program writes a table, or statements that get values from outside: literals alone fill a trial.
fn is_written(project: &Project<'_>, facts: &TableFacts) -> bool {
    facts.writes(project).any(|seen| {
        let mut given = statement_values(project, seen).into_iter().flat_map(|one| one.values);
        project.is_program(seen.place) || given.any(|(_, term)| is_parameter(term))
    })
}

/// Whether there is one row a day or an hour: less than 100,000 in ten years.
fn is_daily(clustering: &[Column]) -> bool {
    let is_date = |column: &Column| column_class::native_type(&column.ty) == Some(NativeType::Date);
    let is_hour = |column: &Column| {
        !column_class::is_id(column)
            && column_class::matches_any(&column.name, &["hour", "hour_of_day"])
    };
    match clustering {
        [day] => is_date(day),
        [day, hour] => is_date(day) && is_hour(hour),
        _ => false,
    }
}

/// Whether a time or id among the clustering columns adds no rows without end: it says when rows go, or names one of the few things
/// that somebody sets up.
fn is_bounded_column(column: &Column) -> bool {
    const EXPIRY_WORDS: &[&str] =
        &["expires*", "expiry*", "expire*", "expiration*", "*_expiry", "*until"];
    const CONFIGURATION_WORDS: &[&str] = &[
        "schedule",
        "rule",
        "policy",
        "profile",
        "template",
        "role",
        "plan",
        "config",
        "setting",
        "webhook",
        "integration",
        "definition",
    ];
    let name = column.name.to_lowercase();
    let thing = name.strip_suffix("id").map(|stem| stem.trim_end_matches('_'));
    let is_set_up = thing.and_then(|thing| thing.rsplit('_').next());
    column_class::matches_any(&name, EXPIRY_WORDS)
        || is_set_up.is_some_and(|thing| CONFIGURATION_WORDS.contains(&thing))
}

/// Whether a table only finds one thing by another, or holds locks: whatever time is in its key, its partitions are small.
fn is_lookup(facts: &TableFacts) -> bool {
    const WORDS: &[&str] =
        &["*_to_id", "*_to_uuid", "*_lookup", "*_look_up", "*_lock", "*_locks", "locks", "*_mutex"];
    column_class::matches_any(&facts.table.name, WORDS)
}

/// Whether a partition takes no more rows after some time: its key has a time, or names something that ends by itself.
fn has_rolling_key(facts: &TableFacts) -> bool {
    /// What happens once and is over: its rows are few and come soon.
    const SHORT_LIVED: &[&str] = &[
        "trace",
        "span",
        "order",
        "request",
        "session",
        "transaction",
        "tx",
        "payment",
        "invoice",
        "booking",
        "reservation",
        "message",
        "event",
        "run",
        "execution",
        "workflow",
        "job",
        "task",
        "batch",
        "import",
        "export",
        "upload",
        "checkout",
        "cart",
        "ticket",
        "token",
        "call",
        "trip",
        "ride",
        "shipment",
        "delivery",
        "update",
        "build",
        "deployment",
        "incident",
        "game",
        "match",
    ];
    let key = facts.table.partition_key();
    let is_moment = |column: &Column| {
        column_class::is_time_bucket(column)
            || matches!(
                column_class::native_type(&column.ty),
                Some(NativeType::Timeuuid | NativeType::Timestamp | NativeType::Date)
            )
    };
    let ends = |column: &Column| {
        let name = column_class::lowercase(&column.name);
        let stem = name.trim_end_matches("uuid").trim_end_matches("id").trim_end_matches('_');
        column_class::is_id(column)
            && SHORT_LIVED.contains(&stem.rsplit('_').next().unwrap_or(stem))
    };
    // Shards divide what grows under another column; alone, there is a fixed number of them and the whole table is in them.
    let shards = key.iter().filter(|column| column_class::is_bucket(column)).count();
    key.iter().any(|column| is_moment(column) || ends(column)) || shards > 0 && shards < key.len()
}

/// Whether a table holds what happens over time: a time among its clustering columns, and rows that are only added, expire, or say so
/// by the table's name.
pub fn is_time_series(project: &Project<'_>, facts: &TableFacts) -> bool {
    let table = &facts.table;
    table.clustering().iter().any(column_class::is_time)
        && !table.is_counter()
        && (is_append_only(project, facts)
            || lifetime::has_ttl(project, facts)
            || lifetime::compaction_class(table) == "TimeWindowCompactionStrategy"
            || column_class::is_event_name(&table.name))
}

/// Whether all statements that write a table, and there are some, add rows: no DELETE, no UPDATE beside an INSERT, no condition.
pub fn is_append_only(project: &Project<'_>, facts: &TableFacts) -> bool {
    *facts.cached.is_append_only.get_or_init(|| {
        let mut kinds = [false, false];
        for write in facts.own_writes(project) {
            if !write.can_add_rows() || write.plan.conditional {
                return false;
            }
            kinds[usize::from(write.is_insert())] = true;
        }
        kinds[0] != kinds[1]
    })
}

/// Whether a table is a small one that every system has (settings, versions, lists of names), or is declared to have less than
/// 10,000 rows.
pub fn is_registry(_: &Project<'_>, facts: &TableFacts) -> bool {
    const WORDS: &[&str] = &[
        "config",
        "configs",
        "*_config",
        "configuration",
        "configurations",
        "*_configuration",
        "setting",
        "settings",
        "*_settings",
        "meta",
        "metadata",
        "*_metadata",
        "*_metadata_info",
        "schema_migration*",
        "schema_version*",
        "schema_history",
        "migration",
        "migrations",
        "*_migration",
        "*_migrations",
        "databasechangelog*",
        "cluster",
        "clusters",
        "cluster_membership",
        "namespaces",
        "queues",
        "topics",
        "versions",
        "*_versions",
        "version",
        "*_version",
        "summary_statistics",
        "leader",
        "*_leader",
        "lease",
        "leases",
        "*_registry",
        "registry",
        "*_names",
        "feature_flags",
        "*_endpoints",
    ];
    let volume = &facts.volume;
    if let Some(rows) = volume.rows {
        return rows < 10_000.0 && volume.grows.is_none();
    }
    // A history has a time among its keys, whatever its name.
    let has_history = facts.table.clustering().iter().any(column_class::is_time);
    let has_figures = volume.each.is_some() || volume.grows.is_some();
    let is_named = || column_class::matches_any(&facts.table.name, WORDS);
    !has_history && !has_figures && *facts.cached.has_small_name.get_or_init(is_named)
}

/// Whether a table is one of the server's own.
pub fn is_system_table(project: &Project<'_>, table: &schema::catalog::Table) -> bool {
    table.is_virtual || project.catalog.keyspace(&table.keyspace).is_some_and(|known| known.system)
}
