//! Facts for tables with buckets and shards: enough of both under a popular key, at borders, with
//! gaps.

use std::collections::{BTreeMap, BTreeSet};

use cql::types::NativeType;
use model::concept::AttributeRef;
use model::id::{AttributeId, EntityId, ReadId, SourceId};
use model::plan::topic::{NullTopic, NullUse};
use model::plan::{Bucket, ColumnRole, Derivation, PlannedColumn, PlannedTable, RowDefinition};
use model::plan::{Design, Note, NoteKind};
use model::sql::ModelFile;
use model::workload::{Column, Source};

use super::super::value::to_millis;
use super::super::{Facts, calendar, generate_dataset};
use crate::dataset::{Dataset, Datum};
use crate::subject::ProofSettings;

fn file() -> ModelFile {
    let text = "
        -- @rows 1k
        CREATE TABLE sensors (id uuid PRIMARY KEY, place text NOT NULL);
        -- @rows 1M
        CREATE TABLE readings (
          sensor uuid NOT NULL REFERENCES sensors,  -- @each 1000 p99 20k max 100k
          at     timestamp NOT NULL,
          value  int NOT NULL,
          grade  int,
          PRIMARY KEY (sensor, at)
        );
        -- @rows 1M  @retain 2d
        CREATE TABLE events (id uuid PRIMARY KEY, /* @time */ sensor uuid NOT NULL REFERENCES sensors, number bigint NOT NULL);
        -- name: Readings :many
        SELECT at, value FROM readings WHERE sensor = ? ORDER BY at DESC LIMIT 10;
        -- name: Graded :many
        SELECT at FROM readings WHERE sensor = ? ORDER BY grade LIMIT 10;
        -- name: Events :many
        SELECT number FROM events WHERE sensor = ? ORDER BY number DESC LIMIT 10;";
    model::sql::read(&text.replace("/* @time */ sensor", "-- @time\n sensor"), "t").unwrap()
}

/// A table of one entity with a sensor, what is made of an attribute, and nothing else.
fn table(entity: usize, sensor: usize, made: Derivation) -> PlannedTable {
    let column = |derivation: Derivation| PlannedColumn {
        name: String::new(),
        ty: NativeType::Int.into(),
        role: ColumnRole::Partition,
        derivation,
        reasons: Vec::new(),
    };
    let key = Derivation::Attribute(Column {
        source: SourceId::new(0),
        attribute: AttributeId::new(sensor),
    });
    let source = Source { entity: EntityId::new(entity), alias: String::new(), join: None };
    PlannedTable {
        columns: vec![column(key), column(made)],
        holds: RowDefinition { sources: vec![source], ..RowDefinition::default() },
        ..PlannedTable::default()
    }
}

fn bucket_table(entity: usize, sensor: usize, attribute: usize, bucket: Bucket) -> PlannedTable {
    let attribute = AttributeId::new(attribute);
    table(
        entity,
        sensor,
        Derivation::Bucket(Column { source: SourceId::new(0), attribute }, bucket),
    )
}

/// What the rows of an entity come to, by their key.
fn values_by_key<T: Ord>(
    data: &Dataset,
    entity: EntityId,
    key: usize,
    of: impl Fn(&[Datum]) -> T,
) -> BTreeMap<Datum, BTreeSet<T>> {
    let mut found: BTreeMap<Datum, BTreeSet<T>> = BTreeMap::new();
    for row in &data.rows[entity.index()] {
        found.entry(row[key].clone()).or_default().insert(of(row));
    }
    found
}

fn count_max<T>(found: &BTreeMap<Datum, BTreeSet<T>>) -> usize {
    found.values().map(BTreeSet::len).max().unwrap_or(0)
}

#[test]
fn buckets_of_every_width_are_visited() {
    let file = file();
    let settings = ProofSettings::default();
    let now = settings.now_micros / 1_000;
    for widths in [
        vec![Bucket::HOUR],
        vec![Bucket::DAY],
        vec![Bucket::WEEK],
        vec![Bucket::MONTH],
        vec![Bucket::YEAR],
        vec![Bucket::HOUR, Bucket::MONTH],
    ] {
        let tables = widths.iter().map(|it| bucket_table(1, 0, 1, *it)).collect();
        let design = Design { tables, ..Design::default() };
        let data = generate_dataset(&file.concept, &file.workload, &design, &settings);
        let time =
            |row: &[Datum]| to_millis(NativeType::Timestamp, row[1].as_ref().unwrap()).unwrap();
        for width in widths {
            let bucket = |row: &[Datum]| calendar::bucket_start(width, time(row), 0).unwrap();
            let buckets = values_by_key(&data, EntityId::new(1), 0, bucket);
            assert!(count_max(&buckets) >= 3, "{width:?}: {}", count_max(&buckets));
            let all: BTreeSet<i64> = buckets.values().flatten().copied().collect();
            let oldest = *all.first().unwrap();
            let between = (0..)
                .map_while(|it| calendar::bucket_start(width, now, it).filter(|it| *it >= oldest));
            assert!(between.count() > all.len(), "{width:?}: no bucket is empty");
            let times: BTreeSet<i64> = data.rows[1].iter().map(|row| time(row)).collect();
            assert!(all.iter().any(|start| times.contains(start)), "{width:?}: no first moment");
            assert!(
                all.iter().any(|start| times.contains(&(start - 1))),
                "{width:?}: no last moment"
            );
            assert!(*times.last().unwrap() <= now);
        }
    }
}

#[test]
fn ranges_of_numbers_and_shards_are_visited() {
    let file = file();
    let settings = ProofSettings::default();
    let range = bucket_table(2, 1, 2, Bucket::Range(50));
    let of = vec![Column { source: SourceId::new(0), attribute: AttributeId::new(0) }];
    let sharded = table(2, 1, Derivation::Shard { of, count: 8 });
    let design = Design { tables: vec![range, sharded], ..Design::default() };
    let data = generate_dataset(&file.concept, &file.workload, &design, &settings);
    let number = |row: &[Datum]| {
        i64::from_be_bytes(row[2].as_ref().unwrap().as_slice().try_into().unwrap()) / 50
    };
    assert!(count_max(&values_by_key(&data, EntityId::new(2), 1, number)) >= 3);
    let shard = |row: &[Datum]| schema::partitioner::shard(&[row[0].as_ref().unwrap()], 8);
    assert!(count_max(&values_by_key(&data, EntityId::new(2), 1, shard)) >= 3);
}

#[test]
fn nothing_outlives_its_retention() {
    let file = file();
    let settings = ProofSettings::default();
    let now = settings.now_micros / 1_000;
    let design = Design { tables: vec![bucket_table(2, 1, 0, Bucket::DAY)], ..Design::default() };
    let data = generate_dataset(&file.concept, &file.workload, &design, &settings);
    for row in &data.rows[2] {
        let millis = to_millis(NativeType::Timeuuid, row[0].as_ref().unwrap()).unwrap();
        assert!((now - 2 * calendar::DAY..=now).contains(&millis));
    }
}

#[test]
fn what_is_taken_as_never_null_is_not() {
    let file = file();
    let settings = ProofSettings::default();
    let nulls = |design: &Design| {
        let data = generate_dataset(&file.concept, &file.workload, design, &settings);
        data.rows[1].iter().filter(|row| row[3].is_none()).count()
    };
    assert!(nulls(&Design::default()) > 20);
    let note = Note {
        kind: NoteKind::Assumption,
        about: model::plan::NoteSubject::Read(ReadId::new(1)),
        topic: NullTopic::NeverNull {
            read: "Graded".to_owned(),
            name: "grade".to_owned(),
            attribute: AttributeRef { entity: EntityId::new(1), attribute: AttributeId::new(3) },
            by: NullUse::Order,
        }
        .into(),
        span: None,
    };
    assert_eq!(nulls(&Design { notes: vec![note], ..Design::default() }), 0);
}

#[test]
fn some_are_popular_and_some_have_none() {
    let file = file();
    let (settings, design) = (ProofSettings::default(), Design::default());
    let data = generate_dataset(&file.concept, &file.workload, &design, &settings);
    let mut counts: BTreeMap<&Datum, usize> = data.rows[0].iter().map(|row| (&row[0], 0)).collect();
    for row in &data.rows[1] {
        *counts.get_mut(&row[0]).unwrap() += 1;
    }
    let mean = data.rows[1].len() / data.rows[0].len();
    assert!(counts.values().any(|count| *count > 5 * mean), "{counts:?}");
    assert!(counts.values().any(|count| *count == 0), "{counts:?}");
    let facts = Facts::new(&file.concept, &file.workload, &design, &settings, &data);
    assert_eq!(facts.into_data(), data);
}
