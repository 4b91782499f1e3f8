//! Volumes of small models; the expected figures are worked out in the comments.

use model::concept::{Concept, FanOut, Figure, Origin, Skew};
use model::id::{AttributeId, EntityId, ParameterId, ReferenceId, SourceId};
use model::plan::{
    Bucket, ColumnRole, Derivation, Direction, PlannedColumn, PlannedTable, RowDefinition, Volume,
};
use model::workload::{Assignment, AssignmentValue, Value, Workload, Write, WriteKind};

use crate::sample::{column, concept, entity, key, read, refers};
use crate::{Context, Options};

fn assert_close(found: f64, expected: f64) {
    assert!((found - expected).abs() <= expected.abs() * 1e-3, "{found} is not {expected}");
}

/// Users, their videos and the comments on those.
fn killrvideo() -> Concept {
    let mut users = entity("users", "userid uuid, email text, country text");
    users.rows = Figure::from_input(1e7);
    users.grows = Figure::from_input(1e4);
    users.attributes[2].distinct = Figure::from_input(200.0);
    let users = key(users, &["userid", "email"]);
    let mut videos = refers(
        entity(
            "videos",
            "videoid uuid, userid uuid, name text, tags set<text>, added_date timestamp, status text",
        ),
        "userid",
        0,
        &users,
    );
    videos.rows = Figure::from_input(5e7);
    videos.grows = Figure::from_input(1e5);
    videos.references[0].fan_out = FanOut {
        mean: 5.0,
        p99: 200.0,
        max: 20_000.0,
        p999: None,
        per: None,
        origin: Origin::Given,
    };
    videos.attributes[3].items = Figure::from_input(5.0);
    videos.attributes[3].distinct = Figure::from_input(200_000.0);
    videos.attributes[5].distinct = Figure::from_input(4.0);
    let mut comments = refers(
        entity(
            "comments",
            "videoid uuid, userid uuid, at timestamp, day date, kind text, comment text",
        ),
        "videoid",
        1,
        &videos,
    );
    comments = refers(comments, "userid", 0, &users);
    comments = key(comments, &["videoid userid at"]);
    comments.rows = Figure::from_input(5e9);
    comments.attributes[4].distinct = Figure::from_input(10.0);
    comments.references[0].fan_out = FanOut {
        mean: 1.0,
        p99: 100.0,
        max: 10_000.0,
        p999: None,
        per: Some(86_400.0),
        origin: Origin::Given,
    };
    comments.references[1].fan_out = FanOut {
        mean: 500.0,
        p99: 500.0,
        max: 500.0,
        p999: None,
        per: None,
        origin: Origin::Derived,
    };
    concept(vec![users, videos, comments])
}

/// A table over a join, its columns in the spelling of [`column`]; `[tags]` is an element.
fn table(concept: &Concept, from: &str, partition: &str, clustering: &str) -> PlannedTable {
    let sources = read(concept, from, "", &[], "").sources;
    let mut columns = Vec::new();
    let mut elements = Vec::new();
    let roles = [
        (partition, ColumnRole::Partition),
        (clustering, ColumnRole::Clustering(Direction::Ascending)),
    ];
    for (names, role) in roles {
        for name in names.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            let bare = name.trim_matches(['[', ']']);
            let (ty, derivation) = if name == "0" {
                (cql::types::Type::Native(cql::types::NativeType::Int), Derivation::Constant)
            } else {
                let of = column(concept, &sources, bare);
                let entity = &concept.entities[sources[of.source].entity];
                let ty = entity.attributes[of.attribute].ty.clone();
                if name == bare {
                    (ty, Derivation::Attribute(of))
                } else {
                    elements.push(of);
                    (ty.parts()[0].clone(), Derivation::Element(of))
                }
            };
            let name = bare.replace('.', "_");
            columns.push(PlannedColumn { name, ty, role, derivation, reasons: Vec::new() });
        }
    }
    let holds = RowDefinition { sources, elements, ..RowDefinition::default() };
    PlannedTable { columns, holds, ..PlannedTable::default() }
}

fn volume(concept: &Concept, table: &PlannedTable) -> Volume {
    volume_under(concept, &Workload::default(), table)
}

fn volume_under(concept: &Concept, workload: &Workload, table: &PlannedTable) -> Volume {
    super::estimate_volume(Context { concept, workload, options: &Options::default() }, table)
}

#[test]
fn a_key_of_the_row_holds_one() {
    let concept = killrvideo();
    for key in ["videoid", "videoid, userid"] {
        let volume = volume(&concept, &table(&concept, "videos", key, ""));
        assert_close(volume.today.max, 1.0);
        assert_close(volume.per_day.max, 0.0);
        assert_close(volume.partitions, 5e7);
        assert_close(volume.partitions_per_day, 1e5);
    }
    let by_email = volume(&concept, &table(&concept, "users", "email", ""));
    assert_close(by_email.today.max, 1.0);
    assert_close(by_email.partitions, 1e7);
}

#[test]
fn a_reference_holds_its_fan_out() {
    let concept = killrvideo();
    let volume = volume(&concept, &table(&concept, "videos", "userid", "added_date, videoid"));
    assert_close(volume.today.mean, 5.0);
    assert_close(volume.today.p99, 200.0);
    // 200 * 100^(1 / (7 - 2))
    assert_close(volume.today.p999, 502.377);
    assert_close(volume.today.max, 20_000.0);
    assert_close(volume.today.p50, 1.0);
    // Settled: what grows is the number of partitions.
    assert_close(volume.per_day.max, 0.0);
    assert_close(volume.partitions, 1e7);
    assert_close(volume.partitions_per_day, 1e5 / 5.0);
}

#[test]
fn a_unique_key_of_the_parent_is_its_row() {
    let concept = killrvideo();
    let by_email = table(&concept, "videos v, users u", "u.email", "v.videoid");
    let by_id = table(&concept, "videos v, users u", "v.userid", "v.videoid");
    let above = table(&concept, "videos v, users u", "u.userid", "v.videoid");
    let with_country = table(&concept, "videos v, users u", "u.userid, u.country", "v.videoid");
    let expected = volume(&concept, &by_id);
    for other in [by_email, above, with_country] {
        assert_eq!(volume(&concept, &other).today, expected.today);
    }
}

#[test]
fn an_each_per_time_grows() {
    let concept = killrvideo();
    let volume = volume(&concept, &table(&concept, "comments", "videoid", "at, userid"));
    // 5 B comments over 50 M videos, as skewed as those that come.
    assert_close(volume.today.mean, 100.0);
    assert_close(volume.today.p99, 10_000.0);
    assert_close(volume.per_day.mean, 1.0);
    // log10(50 M) = 7.69897: 100 * 100^(1 / 5.69897)
    assert_close(volume.per_day.p999, 100.0 * 100_f64.powf(1.0 / 5.698_97));
    assert_close(volume.rows_after(365.25).max, 1e6 + 365.25 * 10_000.0);
    // New videos are new partitions.
    assert_close(volume.partitions_per_day, 1e5);
}

#[test]
fn what_nobody_calls_settled_grows_with_its_entity() {
    let mut concept = killrvideo();
    concept.entities[1].references[0].fan_out.origin = Origin::Assumed;
    // 10,000 new users take five videos each; 50,000 of the 100,000 new videos are left for 10 M
    // users.
    let volume = volume(&concept, &table(&concept, "videos", "userid", "videoid"));
    assert_close(volume.per_day.mean, 0.005);
    assert_close(volume.per_day.p99, 0.2);
}

#[test]
fn retention_caps_what_grows() {
    let mut concept = killrvideo();
    concept.entities[2].retain = Some(30.0 * 86_400.0);
    let volume = volume(&concept, &table(&concept, "comments", "videoid", "at, userid"));
    assert_eq!(volume.grows_for, Some(30.0));
    assert_close(volume.rows_after(5_000.0).p99, 3_000.0);
    assert_close(volume.rows_after(0.0).max, 300_000.0);
    assert_close(volume.partitions_per_day, 0.0);
}

#[test]
fn an_attribute_divides_the_rows_by_its_values() {
    let mut concept = killrvideo();
    let by_country = table(&concept, "users", "country", "userid");
    let even = volume(&concept, &by_country);
    assert_close(even.today.max, 50_000.0);
    assert_close(even.per_day.mean, 50.0);
    assert_close(even.partitions, 200.0);
    assert_close(even.partitions_per_day, 0.0);
    concept.entities[0].attributes[2].skew = Skew::Zipf(1.0);
    let skewed = volume(&concept, &by_country);
    // H(200) = 5.878031
    assert_close(skewed.today.max, 1e7 / 5.878_031);
    // Of 200 values two have more than the 99th percentile, and a hundred more than the median.
    assert_close(skewed.today.p99, 1e7 / 5.878_031 / 3.0);
    assert_close(skewed.today.p50, 1e7 / 5.878_031 / 101.0);
}

#[test]
fn a_chain_of_references_multiplies() {
    let concept = killrvideo();
    let volume = volume(&concept, &table(&concept, "videos v, users u", "u.country", "v.videoid"));
    // 50,000 users of five videos each; 50 new users a day.
    assert_close(volume.today.mean, 250_000.0);
    assert_close(volume.per_day.mean, 250.0);
    assert_close(volume.partitions, 200.0);
    assert!(volume.today.max < 280_000.0, "large sums even out: {:?}", volume.today);
}

#[test]
fn elements_make_rows_of_their_own() {
    let concept = killrvideo();
    let volume = volume(&concept, &table(&concept, "videos", "[tags]", "videoid"));
    // 50 M videos of five tags, of 200,000.
    assert_close(volume.today.mean, 1_250.0);
    assert_close(volume.per_day.mean, 2.5);
    assert_close(volume.partitions, 200_000.0);
}

#[test]
fn without_equality_all_rows_lie_together() {
    let concept = killrvideo();
    let volume = volume(&concept, &table(&concept, "videos", "0", "added_date, videoid"));
    assert_close(volume.today.p50, 5e7);
    assert_close(volume.per_day.max, 1e5);
    assert_close(volume.partitions, 1.0);
}

#[test]
fn constants_keep_a_share() {
    let concept = killrvideo();
    let mut open = table(&concept, "videos", "userid", "videoid");
    open.holds.filters = read(&concept, "videos", "", &["status = 'open'"], "").conditions;
    assert_close(volume(&concept, &open).today.max, 5_000.0);
    open.holds.filters = read(&concept, "videos", "", &["status in 'open','new'"], "").conditions;
    assert_close(volume(&concept, &open).today.max, 10_000.0);
}

#[test]
fn independent_attributes_divide_each_other() {
    let concept = killrvideo();
    let volume = volume(&concept, &table(&concept, "comments", "videoid, kind", "at, userid"));
    assert_close(volume.per_day.mean, 0.1);
    assert_close(volume.per_day.p99, 10.0);
    // Two references: 500 of a user, 100 of a video, of 5 B: rarely more than the one row of a
    // partition that exists.
    let pair =
        super::tests::volume(&concept, &table(&concept, "comments", "videoid, userid", "at"));
    assert_close(pair.today.p50, 1.0);
    assert_close(pair.per_day.max, 0.0);
}

#[test]
fn a_date_in_the_key_holds_a_day() {
    let concept = killrvideo();
    let volume = volume(&concept, &table(&concept, "comments", "videoid, day", "at, userid"));
    assert_eq!(volume.grows_for, Some(1.0));
    assert_close(volume.rows_after(1_000.0).p99, 100.0);
    assert_close(volume.rows_after(1_000.0).max, 10_000.0);
}

/// A row of each room each day, found by hotel, number and day: as many partitions as rows.
#[test]
fn a_date_that_ends_the_key_makes_a_partition_a_row() {
    let mut rooms =
        key(entity("rooms", "room_id uuid, hotel text, number int"), &["room_id", "hotel number"]);
    rooms.rows = Figure::from_input(500_000.0);
    let nights = entity("nights", "room_id uuid, night date, is_available boolean");
    let mut nights = refers(nights, "room_id", 0, &rooms);
    nights.references[0].fan_out = FanOut {
        mean: 1.0,
        p99: 1.0,
        max: 1.0,
        p999: None,
        per: Some(86_400.0),
        origin: Origin::Given,
    };
    nights.retain = Some(730.0 * 86_400.0);
    let concept = concept(vec![rooms, key(nights, &["room_id night"])]);
    let table = table(&concept, "rooms r, nights n", "r.hotel, r.number, n.night", "");
    let volume = volume(&concept, &table);
    assert_close(volume.rows_after(730.0).max, 1.0);
    assert_close(volume.partitions, 365e6);
}

#[test]
fn buckets_and_shards_divide() {
    let concept = killrvideo();
    let mut bucketed = table(&concept, "comments", "videoid", "at, userid");
    let at = column(&concept, &bucketed.holds.sources, "at");
    let add = |table: &mut PlannedTable, derivation| {
        let mut column = table.columns[0].clone();
        column.derivation = derivation;
        table.columns.insert(1, column);
    };
    add(&mut bucketed, Derivation::Bucket(at, Bucket::WEEK));
    let weekly = volume(&concept, &bucketed);
    assert_eq!(weekly.grows_for, Some(7.0));
    assert_close(weekly.rows_after(0.0).max, 70_000.0);
    assert_close(weekly.rows_after(3_000.0).p99, 700.0);
    // 5 B rows in partitions of seven.
    assert_close(weekly.partitions, 5e9 / 7.0);
    assert_close(weekly.partitions_per_day, 5e7 / 7.0);
    add(&mut bucketed, Derivation::Shard { of: vec![at], count: 4 });
    let sharded = volume(&concept, &bucketed);
    assert_close(sharded.rows_after(0.0).max, 17_500.0);
    assert_close(sharded.partitions, 4.0 * 5e9 / 7.0);
    // A week has seven rows on average: over 64 shards that is one row for each that has any.
    add(&mut bucketed, Derivation::Shard { of: vec![at], count: 64 });
    let thin = volume(&concept, &bucketed);
    assert_close(thin.rows_after(0.0).mean, 1.0);
    assert_close(thin.partitions, 5e9);
}

#[test]
fn clustering_columns_with_few_values_bound_a_partition() {
    // Room availability: 5,000 hotels of 100 rooms on 730 days, all combinations stored.
    let mut hotels = entity("hotels", "hotel_id text");
    hotels.rows = Figure::from_input(5_000.0);
    let mut rooms = refers(
        entity("available_rooms", "hotel_id text, date date, room smallint, is_available boolean"),
        "hotel_id",
        0,
        &hotels,
    );
    rooms.attributes[1].distinct = Figure::from_input(730.0);
    rooms.attributes[2].distinct = Figure::from_input(100.0);
    rooms.rows = Figure::from_input(365e6);
    rooms.references[0].fan_out = FanOut {
        mean: 73_000.0,
        p99: 200_000.0,
        max: 1e6,
        p999: None,
        per: None,
        origin: Origin::Given,
    };
    let concept = concept(vec![hotels, key(rooms, &["hotel_id room date"])]);
    let volume = volume(&concept, &table(&concept, "available_rooms", "hotel_id", "date, room"));
    assert_close(volume.today.max, 73_000.0);
    assert_close(volume.today.mean, 73_000.0);
}

#[test]
fn weak_entities_are_reached_through_their_parent() {
    let mut hotels = entity("hotels", "hotel_id text");
    hotels.rows = Figure::from_input(5_000.0);
    let mut rooms = refers(entity("rooms", "hotel_id text, number int"), "hotel_id", 0, &hotels);
    rooms = key(rooms, &["hotel_id number"]);
    rooms.rows = Figure::from_input(500_000.0);
    let settled = |each| FanOut {
        mean: each,
        p99: each,
        max: each,
        p999: None,
        per: None,
        origin: Origin::Given,
    };
    rooms.references[0].fan_out = settled(100.0);
    let mut nights = entity("nights", "hotel_id text, number int, night date");
    nights = refers(nights, "hotel_id number", 1, &rooms);
    nights.references[0].fan_out = settled(365.0);
    nights.rows = Figure::from_input(182.5e6);
    let concept = concept(vec![hotels, rooms, key(nights, &["hotel_id number night"])]);
    let by_hotel = volume(&concept, &table(&concept, "nights", "hotel_id", "night, number"));
    assert_close(by_hotel.today.max, 36_500.0);
    let by_room = volume(&concept, &table(&concept, "nights", "hotel_id, number", "night"));
    assert_close(by_room.today.max, 365.0);
}

#[test]
fn joins_that_multiply() {
    let concept = killrvideo();
    // Videos of a user beside the comments the user wrote: 5 times 500 rows.
    let both = table(&concept, "users u, videos v, comments c", "u.userid", "v.videoid, c.at");
    let mut sources = both.holds.sources.clone();
    // The sample joins comments to videos; here they are joined to their user.
    sources[2].join = Some(model::workload::Join {
        with: SourceId::new(0),
        reference: ReferenceId::new(1),
        to_one: false,
        optional: false,
    });
    let both =
        PlannedTable { holds: RowDefinition { sources, ..RowDefinition::default() }, ..both };
    assert_close(volume(&concept, &both).today.mean, 2_500.0);
}

fn write(entity: EntityId, rate: f64, kind: WriteKind) -> Workload {
    let write = Write {
        name: "Write".to_owned(),
        rate: Figure::from_input(rate),
        after: Vec::new(),
        consistency: "LOCAL_QUORUM".to_owned(),
        strict: false,
        entity,
        kind,
        parameters: Vec::new(),
        sql: String::new(),
        span: cql::Span::default(),
        returning: None,
        derived: None,
        implies: Vec::new(),
    };
    Workload { reads: Vec::new(), writes: vec![write] }
}

#[test]
fn heat_follows_popularity() {
    let mut concept = killrvideo();
    let workload = write(
        EntityId::new(1),
        1_000.0,
        WriteKind::Insert(vec![(AttributeId::new(0), Value::Parameter(ParameterId::new(0)))]),
    );
    let hot = |concept: &Concept, table: &PlannedTable| {
        volume_under(concept, &workload, table).hottest_writes
    };
    assert_close(hot(&concept, &table(&concept, "videos", "0", "added_date, videoid")), 1_000.0);
    let by_user = table(&concept, "videos", "userid", "videoid");
    // 20,000 of 50 M videos are one user's.
    assert_close(hot(&concept, &by_user), 1_000.0 * 20_000.0 / 5e7);
    concept.entities[1].references[0].skew = Skew::Zipf(1.0);
    // H(10 M) = 16.695311
    assert_close(hot(&concept, &by_user), 1_000.0 / 16.695_311);
    assert_close(hot(&concept, &table(&concept, "videos", "videoid", "")), 1_000.0 / 5e7);
    // Five tags each.
    assert_close(
        hot(&concept, &table(&concept, "videos", "[tags]", "videoid")),
        5_000.0 / 200_000.0,
    );
}

#[test]
fn only_what_a_table_holds_heats_it() {
    let concept = killrvideo();
    let update = |attribute| {
        let value = AssignmentValue::Set(Value::Parameter(ParameterId::new(0)));
        write(
            EntityId::new(1),
            1_000.0,
            WriteKind::Update(vec![Assignment { attribute, value }], Vec::new()),
        )
    };
    let all = table(&concept, "videos", "0", "added_date, videoid");
    assert_close(
        volume_under(&concept, &update(AttributeId::new(4)), &all).hottest_writes,
        1_000.0,
    );
    assert_close(volume_under(&concept, &update(AttributeId::new(2)), &all).hottest_writes, 0.0);
    // Old rows are changed, too: over five years of weeks.
    let mut weekly = all;
    let added = column(&concept, &weekly.holds.sources, "added_date");
    weekly.columns[0].derivation = Derivation::Bucket(added, Bucket::WEEK);
    let weeks = 5.0 * 365.25 / 7.0;
    assert_close(
        volume_under(&concept, &update(AttributeId::new(4)), &weekly).hottest_writes,
        1_000.0 / weeks,
    );
}

#[test]
fn a_count_is_as_hot_as_what_it_counts() {
    let concept = killrvideo();
    let insert = write(EntityId::new(2), 1_000.0, WriteKind::Insert(Vec::new()));
    let mut counts = table(&concept, "comments", "videoid", "");
    counts.columns.push(PlannedColumn {
        role: ColumnRole::Counter,
        derivation: Derivation::Count(None),
        ..counts.columns[0].clone()
    });
    let volume = volume_under(&concept, &insert, &counts);
    assert_close(volume.today.max, 1.0);
    assert_close(volume.partitions, 5e7);
    // Of 50 M comments a day 10,000 go to one video.
    assert_close(volume.hottest_writes, 1_000.0 * 10_000.0 / 5e7);
}

#[test]
fn groups_of_a_date_become_one_a_day() {
    let concept = killrvideo();
    let mut counts = table(&concept, "comments", "videoid", "day, kind");
    counts.columns.push(PlannedColumn {
        role: ColumnRole::Counter,
        derivation: Derivation::Count(None),
        ..counts.columns[0].clone()
    });
    let volume = volume(&concept, &counts);
    // Ten kinds on each day, however many comments; 100 days of a comment each before.
    assert_close(volume.per_day.max, 10.0);
    assert_close(volume.per_day.mean, 1.0);
    assert_close(volume.today.max, 1_000.0);
    assert_close(volume.today.mean, 100.0);
}

#[test]
fn odd_figures_stay_figures() {
    let figures = [0.0, 0.3, 1.0, 7.0, 1e18];
    for (at, figure) in figures.iter().enumerate() {
        for other in figures {
            let mut concept = killrvideo();
            for entity in &mut concept.entities {
                entity.rows = Figure::from_input(*figure);
                entity.grows = Figure::from_input(other);
                entity.retain = (at % 2 == 1).then_some(other);
                for attribute in &mut entity.attributes {
                    attribute.distinct = Figure::from_input(other);
                    attribute.items = Figure::from_input(*figure);
                    attribute.skew = Skew::Zipf(if at == 2 { 1.0 } else { other.min(3.0) });
                }
                for reference in &mut entity.references {
                    reference.fan_out.mean = other;
                    reference.fan_out.p99 = *figure;
                }
            }
            check_figures(&concept);
        }
    }
}

fn check_figures(concept: &Concept) {
    let keys =
        ["userid", "videoid", "kind", "videoid, kind", "videoid, day", "0", "userid, day, kind"];
    for key in keys {
        for bucket in [None, Some(Bucket::HOUR), Some(Bucket::Range(10))] {
            let mut table = table(concept, "comments", key, "at, userid");
            let at = column(concept, &table.holds.sources, "at");
            if let Some(bucket) = bucket {
                let column = table.columns[0].clone();
                let derivation = Derivation::Bucket(at, bucket);
                table.columns.insert(1, PlannedColumn { derivation, ..column });
            }
            let volume = volume(concept, &table);
            let all = [volume.today, volume.per_day, volume.rows_after(500.0)];
            for rows in all {
                let ordered = [rows.p50, rows.p99, rows.p999, rows.max];
                assert!(ordered.is_sorted(), "{key} {bucket:?} {rows:?}");
            }
            let figures = [
                volume.partitions,
                volume.partitions_per_day,
                volume.table_bytes_after(100.0),
                volume.hottest_writes,
                volume.today.mean,
                volume.rows_after(500.0).max,
            ];
            assert!(figures.iter().all(|it| it.is_finite() && *it >= 0.0), "{key} {volume:?}");
        }
    }
}
