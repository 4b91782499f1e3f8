//! Which tables are split, how and why.

use model::concept::{Concept, Entity, FanOut, Figure, Origin};
use model::id::{AttributeId, EntityId, ParameterId, TableId};
use model::plan::{ColumnRole, Derivation, Design, Direction, NoteKind, PlannedTable};
use model::workload::{Limit, Read, Value, Workload, Write, WriteKind};

use crate::sample::{concept, entity, key, read, refers};
use crate::{Options, design};

const DAY: f64 = 86_400.0;

/// Users, and what they do.
fn activities(each: FanOut, attributes: &str) -> Concept {
    let mut users = entity("users", "user_id uuid");
    users.rows = Figure::from_input(1e6);
    let activity = entity("activities", attributes);
    let mut activity = refers(activity, "user_id", 0, &users);
    activity.references[0].fan_out = each;
    concept(vec![users, activity])
}

fn assert_close(found: f64, expected: f64) {
    assert!((found - expected).abs() <= expected.abs() * 1e-3, "{found} is not {expected}");
}

const ACTIVITY: &str = "id uuid, user_id uuid, at timestamp, score int, details text";

fn daily_fan_out(mean: f64, p99: f64, max: f64) -> FanOut {
    FanOut { mean, p99, max, p999: None, per: Some(DAY), origin: Origin::Given }
}

fn constant_fan_out(mean: f64, p99: f64, max: f64) -> FanOut {
    FanOut { mean, p99, max, p999: None, per: None, origin: Origin::Given }
}

fn run(concept: &Concept, reads: Vec<Read>) -> Design {
    run_with(concept, reads, Vec::new())
}

fn run_with(concept: &Concept, reads: Vec<Read>, writes: Vec<Write>) -> Design {
    design(concept, &Workload { reads, writes }, &Options::for_method())
}

/// The key: `K user_id, K month, C- at, C+ id`; shards with their number.
fn marks(table: &PlannedTable) -> String {
    let key = table.columns.iter().filter(|column| column.is_key()).map(|column| {
        let mark = match column.role {
            ColumnRole::Clustering(Direction::Descending) => "C-",
            ColumnRole::Clustering(Direction::Ascending) => "C+",
            _ => "K",
        };
        match &column.derivation {
            Derivation::Shard { count, .. } => format!("{mark} {}/{count}", column.name),
            _ => format!("{mark} {}", column.name),
        }
    });
    key.collect::<Vec<_>>().join(", ")
}

fn latest(concept: &Concept) -> Read {
    let mut read = read(concept, "activities", "id, details", &["user_id = ?"], "at desc");
    read.limit = Some(Limit::Number(20));
    read
}

fn insert(entity: EntityId, per_second: f64) -> Write {
    Write {
        name: "Insert".to_owned(),
        rate: Figure::from_input(per_second),
        after: Vec::new(),
        consistency: "LOCAL_QUORUM".to_owned(),
        strict: false,
        entity,
        kind: WriteKind::Insert(vec![(AttributeId::new(0), Value::Parameter(ParameterId::new(0)))]),
        parameters: vec![model::workload::Parameter {
            name: "id".to_owned(),
            ty: cql::types::Type::Native(cql::types::NativeType::Uuid),
            supply: model::workload::Supply::User,
        }],
        sql: String::new(),
        span: cql::Span::default(),
        returning: None,
        derived: None,
        implies: Vec::new(),
    }
}

#[test]
fn the_coarsest_bucket_that_meets_the_bound() {
    // Rows at p99.9 (all alike) in five years of 365.25 days, against 300,000: 164 a day come to
    // 299,505; 800 to 292,200 a year; 9,800 to 298,288 a month; 42,000 to 294,000 a week; 300,000 a
    // day; 7 M to 291,667 an hour.
    for (each, expected) in [
        (164.0, "K user_id, C- at, C+ id"),
        (165.0, "K user_id, K year, C- at, C+ id"),
        (800.0, "K user_id, K year, C- at, C+ id"),
        (900.0, "K user_id, K month, C- at, C+ id"),
        (9_800.0, "K user_id, K month, C- at, C+ id"),
        (9_900.0, "K user_id, K week, C- at, C+ id"),
        (42_000.0, "K user_id, K week, C- at, C+ id"),
        (43_000.0, "K user_id, K day, C- at, C+ id"),
        (300_000.0, "K user_id, K day, C- at, C+ id"),
        (310_000.0, "K user_id, K hour, C- at, C+ id"),
        (7e6, "K user_id, K hour, C- at, C+ id"),
    ] {
        let concept = activities(daily_fan_out(each, each, each), ACTIVITY);
        let design = run(&concept, vec![latest(&concept)]);
        assert_eq!(marks(&design.tables[0]), expected, "{each} a day");
        assert!(!super::is_over_limit(
            crate::Context {
                concept: &concept,
                workload: &Workload::default(),
                options: &Options::for_method()
            },
            &design.tables[0],
            &design.tables[0].volume
        ));
    }
}

#[test]
fn bytes_bound_as_rows_do() {
    let mut concept = activities(daily_fan_out(10.0, 10.0, 10.0), ACTIVITY);
    // 18,262 rows in five years, of 100 KB each: 1.8 GB; a year 365 MB, a month 30 MB.
    concept.entities[1].attributes[4].bytes = Figure::from_input(100_000.0);
    let design = run(&concept, vec![latest(&concept)]);
    assert_eq!(marks(&design.tables[0]), "K user_id, K month, C- at, C+ id");
}

#[test]
fn the_reason_has_the_figures() {
    let concept = activities(daily_fan_out(900.0, 900.0, 900.0), ACTIVITY);
    let design = run(&concept, vec![latest(&concept)]);
    let month = design.tables[0].column("month").unwrap();
    let text = &month.reasons[0].text;
    // 900 * 1826.25 = 1.64 M; 900 * 30.4375 = 27,394; 900 * 365.25 = 328,725.
    for part in ["1.6M rows", "300k rows", "a month holds 27k rows", "a year would hold 329k rows"]
    {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn a_walk_without_an_end_remembers_the_oldest_bucket() {
    let concept = activities(daily_fan_out(900.0, 900.0, 900.0), ACTIVITY);
    let design = run(&concept, vec![latest(&concept)]);
    let memory = &design.tables[1];
    assert_eq!(memory.name, format!("{}_oldest", design.tables[0].name));
    assert_eq!(memory.remembers, Some(TableId::new(0)));
    assert_eq!(marks(memory), "K user_id");
    assert!(matches!(memory.column("oldest").unwrap().derivation, Derivation::Oldest(_)));
    assert_close(memory.volume.today.max, 1.0);
    assert!((memory.volume.partitions - 1e6).abs() < 1.0);

    // A lower bound in the query, or a retention, is an end.
    let since = read(&concept, "activities", "id", &["user_id = ?", "at >= ?"], "at desc");
    assert_eq!(run(&concept, vec![since]).tables.len(), 1);
    let mut kept = concept;
    kept.entities[1].retain = Some(3_650.0 * DAY);
    let design = run(&kept, vec![latest(&kept)]);
    assert_eq!(marks(&design.tables[0]), "K user_id, K month, C- at, C+ id");
    assert_eq!(design.tables.len(), 1);
}

#[test]
fn retention_may_be_bound_enough() {
    let mut concept = activities(daily_fan_out(900.0, 900.0, 900.0), ACTIVITY);
    concept.entities[1].retain = Some(90.0 * DAY);
    let design = run(&concept, vec![latest(&concept)]);
    assert_eq!(marks(&design.tables[0]), "K user_id, C- at, C+ id");
}

#[test]
fn what_does_not_go_by_time_gets_shards() {
    // Ordered by score: buckets of time would all have to be merged. 900 a day come to 1,643,625
    // rows, 5.5 times the bound.
    let concept = activities(daily_fan_out(900.0, 900.0, 900.0), ACTIVITY);
    let top = read(&concept, "activities", "id, at", &["user_id = ?"], "score desc");
    let design = run(&concept, vec![top]);
    assert_eq!(marks(&design.tables[0]), "K user_id, K shard/6, C- score, C+ id");
    let reason = &design.tables[0].column("shard").unwrap().reasons[0].text;
    assert!(reason.contains("6 shards hold 274k rows each"), "{reason}");
    let Derivation::Shard { of, .. } = &design.tables[0].column("shard").unwrap().derivation else {
        panic!("a shard")
    };
    // Of the id, which never changes; not of the score.
    assert_eq!(of.len(), 1);
    assert_eq!(of[0].attribute, AttributeId::new(0));
}

#[test]
fn settled_rows_say_nothing_of_time() {
    // 500 groups, the largest of 1.1 M: that is the p99.9 of 500; 1.1 M / 300,000 = 3.7.
    let mut groups = entity("groups", "groupname text");
    groups.rows = Figure::from_input(500.0);
    let mut members = refers(
        entity("members", "groupname text, username text, joined timestamp"),
        "groupname",
        0,
        &groups,
    );
    members.references[0].fan_out = constant_fan_out(50_000.0, 500_000.0, 1.1e6);
    let concept = concept(vec![groups, key(members, &["groupname username"])]);
    let all = read(&concept, "members", "username", &["groupname = ?"], "");
    assert_eq!(marks(&run(&concept, vec![all]).tables[0]), "K groupname, K shard/4, C+ username");
}

fn videos(per_day: f64) -> Entity {
    let mut videos = entity("videos", "videoid uuid, name text, added_date timestamp");
    videos.rows = Figure::from_input(5e7);
    videos.grows = Figure::from_input(per_day);
    videos
}

#[test]
fn without_equality_time_replaces_the_constant() {
    // 100,000 a day: a week would hold 700,000.
    let concept = concept(vec![videos(1e5)]);
    let mut newest = read(&concept, "videos", "videoid, name", &[], "added_date desc");
    newest.limit = Some(Limit::Number(20));
    let design = run(&concept, vec![newest]);
    assert_eq!(marks(&design.tables[0]), "K day, C- added_date, C+ videoid");
    // The constant is the key of the row that remembers.
    assert_eq!(design.tables[1].remembers, Some(TableId::new(0)));
    assert_eq!(design.tables[1].partition_key().count(), 1);
    assert!(design.tables[1].partition_key().all(|c| c.derivation == Derivation::Constant));
}

#[test]
fn rows_that_nobody_says_come_are_taken_to_have_come_evenly() {
    // 50 M in five years: 27,379 a day, 191,650 a week, 833,333 a month.
    let concept = concept(vec![videos(0.0)]);
    let newest = read(&concept, "videos", "videoid", &[], "added_date desc");
    let design = run(&concept, vec![newest]);
    assert_eq!(marks(&design.tables[0]), "K week, C- added_date, C+ videoid");
    let said = design.notes.iter().find(|note| note.topic.to_string().contains("evenly")).unwrap();
    assert_eq!(said.kind, NoteKind::Assumption);
    assert!(
        said.topic.to_string().contains("50M rows") && said.topic.to_string().contains("5 years"),
        "{said:?}"
    );
}

#[test]
fn without_equality_and_time_the_constant_stays() {
    let mut few = videos(0.0);
    few.rows = Figure::from_input(1_000.0);
    let concept_few = concept(vec![few]);
    let by_name = |concept: &Concept| read(concept, "videos", "videoid, name", &[], "name");
    let design = run(&concept_few, vec![by_name(&concept_few)]);
    let key = marks(&design.tables[0]);
    assert!(key.ends_with(", C+ name, C+ videoid") && !key.contains("shard"), "{key}");
    // 50 M rows: 166.7 times the bound.
    let many = concept(vec![videos(0.0)]);
    let design = run(&many, vec![by_name(&many)]);
    assert!(marks(&design.tables[0]).ends_with(", K shard/167, C+ name, C+ videoid"));
}

#[test]
fn a_hot_partition_gets_shards() {
    // 5,000 inserts/s on the bucket of the hour: 18 M rows, 60 times the bound.
    let concept = concept(vec![videos(5_000.0 * DAY)]);
    let newest = read(&concept, "videos", "videoid", &[], "added_date desc");
    let design = run_with(&concept, vec![newest], vec![insert(EntityId::new(0), 5_000.0)]);
    assert_eq!(marks(&design.tables[0]), "K hour, K shard/60, C- added_date, C+ videoid");
    // Few rows, many writes: 3,000/s on one partition.
    let concept = self::concept(vec![videos(1e5)]);
    let newest = read(&concept, "videos", "videoid", &[], "added_date desc");
    let design = run_with(&concept, vec![newest], vec![insert(EntityId::new(0), 3_000.0)]);
    assert_eq!(marks(&design.tables[0]), "K day, K shard/3, C- added_date, C+ videoid");
    assert!((design.tables[0].volume.hottest_writes - 1_000.0).abs() < 1.0);
    // The row that remembers the oldest day takes them all.
    let warned = design.notes.iter().any(|note| {
        note.kind == NoteKind::Warning
            && note.topic.to_string().contains("_oldest")
            && note.topic.to_string().contains("3k")
    });
    assert!(warned, "{:?}", design.notes);
}

#[test]
fn ranges_of_an_integer_that_every_read_knows() {
    let concept = {
        let mut channels = entity("channels", "channel uuid");
        channels.rows = Figure::from_input(1e5);
        let messages = entity("messages", "channel uuid, number bigint, text text");
        let mut messages = refers(messages, "channel", 0, &channels);
        messages.references[0].fan_out = daily_fan_out(1e3, 1e3, 1e3);
        concept(vec![channels, key(messages, &["channel number"])])
    };
    let conditions = ["channel = ?", "number >= ?", "number < ?"];
    let page = read(&concept, "messages", "number, text", &conditions, "number");
    let design = run(&concept, vec![page]);
    assert_eq!(marks(&design.tables[0]), "K channel, K range, C+ number");
    assert!(design.tables[0].volume.rows_after(2_000.0).max <= 100_000.0);
    assert_eq!(design.tables.len(), 1, "nothing is walked to its end");
    // The newest: nobody knows the highest number.
    let newest = read(&concept, "messages", "number, text", &["channel = ?"], "number desc");
    assert_eq!(marks(&run(&concept, vec![newest]).tables[0]), "K channel, K shard/7, C- number");
}

#[test]
fn a_name_that_is_taken_gets_that_of_its_attribute() {
    let concept = activities(
        daily_fan_out(900.0, 900.0, 900.0),
        "id uuid, user_id uuid, at timestamp, month text, shard int",
    );
    let mut newest = read(&concept, "activities", "id, month", &["user_id = ?"], "at desc");
    newest.limit = Some(Limit::Number(9));
    let design = run(&concept, vec![newest]);
    assert_eq!(marks(&design.tables[0]), "K user_id, K at_month, C- at, C+ id");
    let top = read(&concept, "activities", "id, shard", &["user_id = ?"], "month");
    let design = run(&concept, vec![top]);
    assert_eq!(marks(&design.tables[0]), "K user_id, K row_shard/6, C+ month, C+ id");
}

#[test]
fn one_row_that_is_too_large_is_refused() {
    let mut files = entity("files", "id uuid, content blob");
    files.attributes[1].bytes = Figure::from_input(200e6);
    let concept = concept(vec![files]);
    let by_id = read(&concept, "files", "content", &["id = ?"], "");
    let design = run(&concept, vec![by_id]);
    assert!(design.notes.iter().any(|note| {
        note.kind == NoteKind::Refusal
            && note.topic.to_string().contains("`files`")
            && !note.topic.help().is_empty()
    }));
}

#[test]
fn the_time_of_a_joined_row_is_an_assumption() {
    let mut posts = entity("posts", "post uuid, at timestamp");
    posts.rows = Figure::from_input(1e6);
    let mut tags = entity("tags", "tag text");
    tags.rows = Figure::from_input(100.0);
    let tagged = refers(entity("tagged", "tag text, post uuid"), "post", 0, &posts);
    let mut tagged = key(refers(tagged, "tag", 1, &tags), &["tag post"]);
    tagged.references[1].fan_out = daily_fan_out(900.0, 900.0, 900.0);
    let concept = concept(vec![posts, tags, tagged]);
    let newest = read(&concept, "tagged t, posts p", "p.post", &["t.tag = ?"], "p.at desc");
    let design = run(&concept, vec![newest]);
    assert_eq!(marks(&design.tables[0]), "K tag, K month, C- at, C+ post");
    let said =
        design.notes.iter().find(|note| note.topic.to_string().contains("rows of tagged")).unwrap();
    assert_eq!(said.kind, NoteKind::Assumption);
    assert!(said.topic.to_string().contains("`at` of their row of posts"), "{}", said.topic);
}
