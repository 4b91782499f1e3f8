//! Options of tables, with their reasons.

use model::id::{IdList, TableId};
use model::plan::{Modification, PlannedOptions, PlannedTable, WritePlan, WriteStep};
use model::workload::Limit;

use crate::volume::TableMutations;
use crate::{Context, Target, volume};
use model::figures::{format_bytes, format_duration, format_rate};
use schema::compaction_window::CompactionWindow;

/// Seconds that a node keeps hints for another. A shorter grace could purge a tombstone while the
/// hint with the write that it deletes is still undelivered.
const HINT_WINDOW: u32 = 3 * 3_600;
/// Reads per second from which smaller chunks are worthwhile.
const MANY_READS: f64 = 1_000.0;
/// The default chunk length in bytes.
const CHUNK: f64 = 16_384.0;
/// Rows of each partition that are cached at most.
const CACHED_ROWS: u64 = 1_000;

/// Sets the options of every table.
pub(crate) fn set(context: Context<'_>, tables: &mut [PlannedTable], writes: &[WritePlan]) {
    let comments: Vec<_> = tables.iter().map(|table| comment(context, tables, table)).collect();
    for ((at, table), comment) in tables.iter_mut().enumerate().zip(comments) {
        let mut options = PlannedOptions { comment, ..PlannedOptions::default() };
        let changes = find_mutations(context, (TableId::new(at), table), writes);
        expire(context, table, &changes, &mut options);
        compress(context, table, &mut options);
        cache(context, table, &mut options);
        table.options = options;
    }
}

/// The queries that a table serves, and which rows it holds where it does not hold all.
fn comment(context: Context<'_>, tables: &[PlannedTable], table: &PlannedTable) -> String {
    if let Some(of) = table.remembers.and_then(|at| tables.member(at)) {
        let is_range = of.bucket().is_some_and(|(_, _, bucket)| bucket.days().is_none());
        let ends = if is_range { "the oldest and the newest bucket" } else { "the oldest bucket" };
        return format!("{ends} of each key of {}", of.name);
    }
    let names = |found: Vec<Option<&str>>| {
        let mut names: Vec<_> = found.into_iter().flatten().collect();
        names.dedup();
        names.join(", ")
    };
    let reads = table
        .serves
        .iter()
        .map(|served| context.workload.reads.member(served.read).map(|read| read.name.as_str()));
    let writes = table
        .supports
        .iter()
        .map(|write| context.workload.writes.member(*write).map(|write| write.name.as_str()));
    let (reads, writes) = (names(reads.collect()), names(writes.collect()));
    let comment = match (reads.is_empty(), writes.is_empty()) {
        (_, true) => reads,
        (true, false) => format!("used to find rows for {writes}"),
        (false, false) => format!("{reads}; used to find rows for {writes}"),
    };
    match table.holds.restriction(context.concept) {
        Some(rows) => format!("{comment}; only rows with {rows}"),
        None => comment,
    }
}

/// How the writes of an application change what a table holds, by the workload and by their plans.
fn find_mutations(
    context: Context<'_>,
    (at, table): (TableId, &PlannedTable),
    writes: &[WritePlan],
) -> TableMutations {
    let mut changes = TableMutations::from_workload(context, table);
    // A write may move rows by what the table does not store, such as the reference of a join.
    let sent = writes.iter().flat_map(|plan| &plan.steps).flat_map(|step| match step {
        WriteStep::Batch { statements, .. } => &**statements,
        WriteStep::Statement(statement) => std::slice::from_ref(statement),
        WriteStep::Read(..) | WriteStep::Run(_) => &[],
    });
    for statement in sent.filter(|statement| statement.table == at) {
        match &statement.modification {
            Modification::Insert(_) => {}
            Modification::Update(_) => changes.updates |= !table.is_counter(),
            Modification::Delete(_) => changes.deletes = true,
        }
    }
    changes
}

/// The grace of tombstones that a table without options so far will get, by what the workload does:
/// the search has to price tables as they will be.
pub(crate) fn predict_grace(context: Context<'_>, table: &PlannedTable) -> Option<u32> {
    volume::predict_single_write_ttl(context, table).map(|_| HINT_WINDOW)
}

/// Time to live, compaction by time windows and the grace of tombstones.
fn expire(
    context: Context<'_>,
    table: &PlannedTable,
    changes: &TableMutations,
    options: &mut PlannedOptions,
) {
    let Some(seconds) = lifetime(context, table, options) else {
        if changes.deletes && table.remembers.is_none() {
            options.reasons.push((
                "gc_grace_seconds",
                "stays at 10 days: a tombstone must outlive the time between two repairs; otherwise a replica that missed \
                 the delete would bring the row back"
                    .to_owned(),
            ));
        }
        return;
    };
    if changes.deletes || changes.updates {
        let what = match (changes.deletes, changes.updates) {
            (true, true) => "rows are also updated and deleted",
            (true, false) => "rows are also deleted",
            _ => "rows are also updated",
        };
        options.reasons.push((
            "compaction",
            format!(
                "stays at the default: {what}, which would spread a row over several time windows, so that no window \
                 could be dropped as a whole"
            ),
        ));
        options.reasons.push((
            "gc_grace_seconds",
            format!(
                "stays at 10 days: {what}, and the tombstone that hides an old row must outlive the time between two repairs"
            ),
        ));
        return;
    }
    let window = CompactionWindow::for_life(u64::from(seconds));
    let CompactionWindow { unit, size, count } = window;
    options.window = Some(window.seconds());
    options.compaction = Some(format!(
        "{{'class': 'TimeWindowCompactionStrategy', 'compaction_window_size': '{size}', \
         'compaction_window_unit': '{unit}'}}"
    ));
    options.reasons.push((
        "compaction",
        format!(
            "rows are inserted once and expire, so the SSTables of a time window expire together and are dropped as a whole: \
             {count} windows over the retention"
        ),
    ));
    options.gc_grace_seconds = Some(HINT_WINDOW);
    options.reasons.push((
        "gc_grace_seconds",
        "3 hours instead of 10 days: no write deletes or overwrites rows, and each row carries its expiry time to every \
         replica, so no tombstone has to wait for a repair; not less than 3 hours, because hints are kept that long"
            .to_owned(),
    ));
}

/// The default time to live that a table gets, with its reason.
fn lifetime(
    context: Context<'_>,
    table: &PlannedTable,
    options: &mut PlannedOptions,
) -> Option<u32> {
    let sources = table.holds.sources.iter().filter(|source| !source.is_optional());
    let entities = sources.filter_map(|source| context.concept.entities.member(source.entity));
    let retained = entities.filter_map(|entity| Some((entity, entity.retain?)));
    let (entity, seconds) = retained.min_by(|(_, a), (_, b)| a.total_cmp(b))?;
    let name = &entity.name;
    if table.is_counter() {
        options.reasons.push((
            "default_time_to_live",
            format!(
                "none, although {name} is kept for {}: counters cannot expire",
                format_duration(seconds)
            ),
        ));
        return None;
    }
    let Some(seconds) = volume::to_ttl(seconds) else {
        options.reasons.push((
            "default_time_to_live",
            format!(
                "none: {} exceeds 10 years, and Cassandra refuses a write that expires after 2038-01-19",
                format_duration(seconds)
            ),
        ));
        return None;
    };
    options.default_time_to_live = Some(seconds);
    options.reasons.push((
        "default_time_to_live",
        format!("{name} is kept for {}", format_duration(f64::from(seconds))),
    ));
    Some(seconds)
}

/// Smaller chunks where many reads return one small row each.
fn compress(context: Context<'_>, table: &PlannedTable, options: &mut PlannedOptions) {
    let reads: f64 = reads(context, table).sum();
    let row = table.volume.fixed_bytes + table.volume.row_bytes;
    let single = table.clustering().next().is_none();
    let chunked = context.options.target != Target::Scylla;
    if single && chunked && reads >= MANY_READS && row < CHUNK / 16.0 {
        options.compression =
            Some("{'class': 'LZ4Compressor', 'chunk_length_in_kb': '4'}".to_owned());
        options.reasons.push((
            "compression",
            format!(
                "chunks of 4 KB instead of 16 KB: reads at {} return one row of {} each, and a whole chunk is decompressed for it",
                format_rate(reads),
                format_bytes(row)
            ),
        ));
    }
}

/// The first rows of a partition in memory, where it is read very often and seldom written.
fn cache(context: Context<'_>, table: &PlannedTable, options: &mut PlannedOptions) {
    let volume = &table.volume;
    let hot = volume.hottest_reads > context.options.limits.hot_reads;
    let steady = volume.hottest_writes <= volume.hottest_reads / 100.0;
    let limits = table.serves.iter().map(|served| {
        match context.workload.reads.member(served.read)?.limit? {
            Limit::Number(rows) => Some(rows),
            Limit::Parameter(_) => None,
        }
    });
    let limits: Option<Vec<_>> = limits.collect();
    let most = limits.and_then(|limits| limits.into_iter().max());
    let rows = if table.clustering().next().is_none() { Some(1) } else { most };
    let Some(rows) = rows.filter(|rows| (1..=CACHED_ROWS).contains(rows)) else { return };
    if hot && steady && context.options.target != Target::Scylla {
        options.caching = Some(format!("{{'keys': 'ALL', 'rows_per_partition': '{rows}'}}"));
        options.reasons.push((
            "caching",
            format!(
                "the hottest partition is read at {} and written at {}, so its first rows are cached; takes effect once \
                 row_cache_size is set in cassandra.yaml",
                format_rate(volume.hottest_reads),
                format_rate(volume.hottest_writes)
            ),
        ));
    }
}

/// The rates of the reads that a table serves.
fn reads<'a>(context: Context<'a>, table: &'a PlannedTable) -> impl Iterator<Item = f64> {
    let reads =
        table.serves.iter().filter_map(move |served| context.workload.reads.member(served.read));
    reads.map(|read| read.rate.value)
}

#[cfg(test)]
mod tests {
    use cql::Span;
    use model::concept::{Concept, Figure};
    use model::id::{AttributeId, EntityId};
    use model::plan::PlannedOptions as TableOptions;
    use model::workload::{
        Assignment, AssignmentValue, Limit, Read, Value, Workload, Write, WriteKind,
    };

    use crate::sample::{concept, entity, read, refers};
    use crate::{Options, Target, design};

    const MONTH: f64 = 30.0 * 86_400.0;

    fn metrics(retain: Option<f64>) -> Concept {
        let mut sensors = entity("sensors", "sensor uuid, name text");
        sensors.rows = Figure::from_input(1e4);
        let values =
            entity("readings", "id uuid, sensor uuid, at timestamp, reading double, note text");
        let mut values = refers(values, "sensor", 0, &sensors);
        values.retain = retain;
        concept(vec![sensors, values])
    }

    fn write(entity: EntityId, kind: WriteKind) -> Write {
        Write {
            name: "Change".to_owned(),
            rate: Figure::from_input(1.0),
            after: Vec::new(),
            consistency: "LOCAL_QUORUM".to_owned(),
            strict: false,
            entity,
            kind,
            parameters: Vec::new(),
            sql: String::new(),
            span: Span::default(),
            returning: None,
            derived: None,
            implies: Vec::new(),
        }
    }

    fn update(entity: usize, attribute: usize) -> Write {
        let attribute = AttributeId::new(attribute);
        let value = AssignmentValue::Set(Value::Literal("1".to_owned()));
        write(
            EntityId::new(entity),
            WriteKind::Update(vec![Assignment { attribute, value }], Vec::new()),
        )
    }

    fn readings_of_sensor(concept: &Concept) -> Read {
        read(
            concept,
            "readings r, sensors s",
            "r.at, r.reading, s.name",
            &["r.sensor = ?"],
            "r.at desc",
        )
    }

    fn options(concept: &Concept, read: Read, writes: Vec<Write>) -> TableOptions {
        let workload = Workload { reads: vec![read], writes };
        design(concept, &workload, &Options::for_method()).tables[0].options.clone()
    }

    fn reason<'a>(options: &'a TableOptions, option: &str) -> &'a str {
        options.reasons.iter().find(|(name, _)| *name == option).map_or("", |(_, reason)| reason)
    }

    #[test]
    fn what_is_inserted_once_and_expires_goes_by_time_windows() {
        let concept = metrics(Some(MONTH));
        let options = options(&concept, readings_of_sensor(&concept), Vec::new());
        assert_eq!(options.default_time_to_live, Some(2_592_000));
        assert_eq!(
            options.compaction.as_deref(),
            Some(
                "{'class': 'TimeWindowCompactionStrategy', 'compaction_window_size': '1', \
                 'compaction_window_unit': 'DAYS'}"
            )
        );
        assert_eq!(options.gc_grace_seconds, Some(10_800));
        assert_eq!(options.comment, "Sample");
        for option in ["default_time_to_live", "compaction", "gc_grace_seconds"] {
            assert!(!reason(&options, option).is_empty(), "{option}");
        }
    }

    #[test]
    fn updates_and_deletes_forbid_windows_and_a_short_grace() {
        let concept = metrics(Some(MONTH));
        let delete = write(EntityId::new(1), WriteKind::Delete(Vec::new()));
        // The reading, the name of the sensor that is copied; then a delete.
        for change in [update(1, 3), update(0, 1), delete] {
            let options = options(&concept, readings_of_sensor(&concept), vec![change]);
            assert_eq!(options.default_time_to_live, Some(2_592_000));
            assert_eq!(options.compaction, None);
            assert_eq!(options.gc_grace_seconds, None);
            assert!(reason(&options, "compaction").contains("default"));
            assert!(reason(&options, "gc_grace_seconds").contains("10 days"));
        }
        // A note that this table does not hold.
        let options = options(&concept, readings_of_sensor(&concept), vec![update(1, 4)]);
        assert!(options.compaction.is_some());
    }

    #[test]
    fn the_shortest_retention_of_what_makes_a_row() {
        let mut concept = metrics(Some(MONTH));
        concept.entities[0].retain = Some(7.0 * 86_400.0);
        let options = options(&concept, readings_of_sensor(&concept), Vec::new());
        assert_eq!(options.default_time_to_live, Some(604_800));
        assert!(reason(&options, "default_time_to_live").contains("sensors"));
    }

    #[test]
    fn no_life_longer_than_cassandra_counts() {
        let concept = metrics(Some(30.0 * 365.25 * 86_400.0));
        let options = options(&concept, readings_of_sensor(&concept), Vec::new());
        assert_eq!(options.default_time_to_live, None);
        assert_eq!(options.compaction, None);
        assert!(reason(&options, "default_time_to_live").contains("2038"));
    }

    #[test]
    fn without_retention_all_stays_at_the_default() {
        let concept = metrics(None);
        let plain = options(&concept, readings_of_sensor(&concept), Vec::new());
        assert_eq!((plain.default_time_to_live, plain.compaction), (None, None));
        assert!(plain.reasons.is_empty(), "{:?}", plain.reasons);
        let delete = write(EntityId::new(1), WriteKind::Delete(Vec::new()));
        let deleted = options(&concept, readings_of_sensor(&concept), vec![delete]);
        assert!(reason(&deleted, "gc_grace_seconds").contains("repair"));
    }

    #[test]
    fn small_chunks_and_caches_for_many_reads() {
        let concept = metrics(None);
        let mut by_id = read(&concept, "sensors", "name", &["sensor = ?"], "");
        by_id.rate = Figure::from_input(3_000.0);
        let few = options(&concept, by_id.clone(), Vec::new());
        assert!(few.compression.unwrap().contains("'chunk_length_in_kb': '4'"));
        assert_eq!(few.caching, None, "3,000 reads/s over 10,000 partitions");
        let on_scylla = Options { target: Target::Scylla, ..Options::default() };
        let workload = Workload { reads: vec![by_id], writes: Vec::new() };
        assert_eq!(design(&concept, &workload, &on_scylla).tables[0].options.compression, None);
        // One partition takes all.
        let mut newest = read(&concept, "readings", "reading", &[], "at desc");
        newest.rate = Figure::from_input(9_000.0);
        newest.limit = Some(Limit::Number(20));
        let hot = options(&concept, newest, Vec::new());
        assert_eq!(hot.caching.as_deref(), Some("{'keys': 'ALL', 'rows_per_partition': '20'}"));
    }
}
