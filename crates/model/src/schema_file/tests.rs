//! Schemas with volumes in their comments.

use super::{SchemaFile, read};
use crate::concept::{Figure, Skew};
use crate::id::AttributeId;
use schema::Session;

fn read_schema(text: &str) -> Result<SchemaFile, Vec<String>> {
    let parsed = cql::parse(text);
    let mut session = Session::with_system_tables();
    session.assume_keyspace("ks").unwrap();
    for statement in &parsed.statements {
        session.run(statement).unwrap();
    }
    read(text, &parsed, &session.catalog)
        .map_err(|errors| errors.iter().map(|it| format!("{} {}", it.rule, it.message)).collect())
}

#[test]
fn figures_come_from_comments() {
    let file = read_schema(
        "-- Activities.\n\
         -- @rows 5M  @grows 100k/day\n\
         // @retain 90d\n\
         CREATE TABLE activity (\n\
           user_id uuid, -- @each 3/day p99 100/day max 1k/day @distinct 1M\n\
           at timestamp, kind text, -- @bytes 10 @distinct 20\n\
           tags set<text>, /* @items 4 @bytes 6 */\n\
           PRIMARY KEY (user_id, at)\n\
         );",
    )
    .unwrap();
    let [activity, partitions] = &file.concept.entities[..] else { panic!("two entities") };
    assert_eq!(activity.rows, Figure::from_input(5e6));
    assert_eq!(activity.grows, Figure::from_input(1e5));
    assert_eq!(activity.retain, Some(90.0 * 86_400.0));
    let of = |name: &str| &activity.attributes[activity.attribute_named(name).unwrap()];
    assert_eq!((of("kind").bytes.value, of("kind").distinct.value), (10.0, 20.0));
    assert_eq!((of("tags").items.value, of("tags").bytes.value), (4.0, 6.0));
    let fan_out = activity.references[0].fan_out;
    assert_eq!((fan_out.mean, fan_out.p99, fan_out.max), (3.0, 100.0, 1_000.0));
    assert_eq!(fan_out.per, Some(86_400.0));
    assert_eq!(activity.references[0].attributes, [AttributeId::new(0)]);
    assert_eq!(partitions.rows, Figure::from_derivation(1e6));
    assert!(file.assumptions.is_empty(), "{:?}", file.assumptions);
}

#[test]
fn rows_follow_from_each_and_distinct() {
    let file = read_schema(
        "CREATE TABLE t (\n\
           a text, -- @each 50 @distinct 100\n\
           b int, -- @distinct 10\n\
           c int, PRIMARY KEY ((a, b), c));",
    )
    .unwrap();
    // 100 * 10 partitions of 50 rows.
    assert_eq!(file.concept.entities[0].rows, Figure::from_derivation(50_000.0));
    assert_eq!(file.concept.entities[1].rows, Figure::from_derivation(1_000.0));
    assert_eq!(file.concept.entities[0].references[0].attributes, [0, 1].map(AttributeId::new));
}

#[test]
fn rows_of_a_partition_may_be_said_of_the_table() {
    let file = read_schema(
        "-- @rows 5M  @grows 100/day  @each 3/day p99 100/day p99.9 200/day max 1k/day\n\
         CREATE TABLE t (a int, b int, PRIMARY KEY (a, b));",
    )
    .unwrap();
    let fan_out = file.concept.entities[0].references[0].fan_out;
    assert_eq!((fan_out.mean, fan_out.p999(1e6), fan_out.max), (3.0, 200.0, 1_000.0));
    // 100 rows a day, 3 in each partition.
    assert_eq!(file.concept.entities[1].rows, Figure::from_derivation(100.0 / 3.0));
    let twice = "CREATE TABLE t ( -- @each 5\na int, -- @each 5\nb int, PRIMARY KEY (a, b));";
    let wrong = read_schema(twice).unwrap_err();
    assert_eq!(wrong, ["MF104 @each is given twice for the same partitions"]);
}

#[test]
fn a_default_time_to_live_is_a_retention() {
    let file = read_schema(
        "CREATE TABLE t (a int, b int, PRIMARY KEY (a, b)) WITH default_time_to_live = 3600;",
    )
    .unwrap();
    assert_eq!(file.concept.entities[0].retain, Some(3_600.0));
    let said: Vec<_> = file.assumptions.iter().map(|it| it.topic.to_string()).collect();
    assert_eq!(
        said,
        [
            "a partition of t is assumed to have 100 rows, 1k at p99, 10k at most",
            "t is assumed to have 1M rows"
        ]
    );
}

#[test]
fn values_of_the_key_divide_the_rows() {
    let file = read_schema(
        "CREATE TABLE users_by_country ( -- @rows 10M\n\
           country text, -- @distinct 200 @skew zipf 1.1\n\
           id uuid, PRIMARY KEY (country, id));",
    )
    .unwrap();
    let country = &file.concept.entities[0].attributes[0];
    assert_eq!((country.distinct.value, country.skew), (200.0, Skew::Zipf(1.1)));
    assert_eq!(file.concept.entities.len(), 1);
    assert_eq!(file.concept.entities[0].rows, Figure::from_input(1e7));
}

#[test]
fn copies_are_those_of_the_keyspace() {
    let file = read_schema(
        "CREATE KEYSPACE k WITH replication = {'class': 'NetworkTopologyStrategy', 'datacenter1': 3};\n\
         USE k;\n\
         CREATE TABLE t (a int PRIMARY KEY); -- @rows 7",
    )
    .unwrap();
    assert_eq!(file.concept.copies(), 3);
    assert_eq!(file.concept.keyspace, "k");
    assert_eq!(file.concept.entities[0].rows, Figure::from_input(7.0));
}

#[test]
fn what_speaks_of_nothing_is_reported() {
    let wrong = |text: &str| read_schema(text).unwrap_err();
    assert_eq!(
        wrong("-- @rows 5\n\nCREATE TABLE t (a int PRIMARY KEY);"),
        ["MF104 @rows does not apply here"]
    );
    assert_eq!(
        wrong("CREATE TABLE t (\na int, b int, -- @each 5\nPRIMARY KEY (a, b));"),
        ["MF104 @each is on a column outside the partition key"]
    );
    assert_eq!(
        wrong("CREATE TABLE t (\na int, -- @each 5\nb int, -- @each 5\nPRIMARY KEY ((a, b)));"),
        ["MF104 @each is given twice for the same partitions"]
    );
    assert_eq!(
        wrong("CREATE TABLE t (\na int PRIMARY KEY, -- @bytes 4 @bytes 5\nb set<int> -- @set\n);"),
        ["MF105 @bytes is given twice", "MF104 @set has no meaning in a schema file"]
    );
    assert_eq!(
        wrong("-- @rowz 5\nCREATE TABLE t (a int PRIMARY KEY);"),
        ["MF101 unknown directive @rowz"]
    );
}
