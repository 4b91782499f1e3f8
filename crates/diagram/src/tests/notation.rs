//! The marks of the notation, as the published descriptions give them.

use model::id::{AttributeId, SourceId};
use model::plan::{Bucket, Derivation};
use model::workload::Column;
use schema::Session;

use super::super::{Level, Picture, chebotko, chebotko_of_catalog};
use super::{find_defects, reference_designs};

/// The diagram of a schema.
pub(super) fn draw_schema(text: &str, level: Level) -> Picture {
    let mut session = Session::with_system_tables();
    session.assume_keyspace("shop").expect("the name is right");
    for statement in cql::parse(text).statements {
        session.run(&statement).expect("the schema is right");
    }
    chebotko_of_catalog(&session.catalog, level)
}

/// The lines that a picture's text must have, in this order.
#[track_caller]
fn assert_lines(picture: &Picture, wanted: &[&str]) {
    let text = picture.text(100);
    let mut rest = text.as_str();
    for line in wanted {
        let Some(at) = rest.find(line) else { panic!("`{line}` is missing in\n{text}") };
        rest = &rest[at + line.len()..];
    }
    assert_eq!(find_defects(picture), [""; 0]);
}

const SCHEMA: &str = "\
CREATE TYPE address_type (street text, city text);
CREATE TABLE users (
  id uuid, seen timestamp, kind text, name text static, mails set<text>, phones list<text>, links map<text, text>,
  home frozen<address_type>, place frozen<tuple<int, int>>, PRIMARY KEY (id, seen, kind)
) WITH CLUSTERING ORDER BY (seen DESC, kind ASC) AND default_time_to_live = 2592000;
CREATE TABLE visits (id uuid PRIMARY KEY, n counter);
CREATE TABLE goods (sku text PRIMARY KEY, maker text, colour text);
CREATE INDEX ON goods (maker);
CREATE INDEX ON goods (colour) USING 'sai';";

#[test]
fn a_logical_diagram_shows_names_and_marks() {
    let picture = draw_schema(SCHEMA, Level::Logical);
    assert_lines(
        &picture,
        &[
            "shop: Chebotko diagram, logical\n",
            "│ users  [TTL 30 days] │",
            "│ id        K          │",
            "│ seen      C↓         │",
            "│ kind      C↑         │",
            "│ name      S          │",
            "│ *home*               │",
            "│ <links>              │",
            "│ {mails}              │",
            "│ [phones]             │",
            "│ (place)              │",
        ],
    );
    // The type has the marked name of its column.
    assert_lines(&picture, &["│ visits │", "│ id  K  │", "│ n   ++ │"]);
    assert_lines(&picture, &["│ sku     K   │", "│ colour  SAI │", "│ maker   IDX │"]);
    assert_lines(&picture, &["│ *home*  [type] │", "│ street         │"]);
}

#[test]
fn a_physical_diagram_shows_types_and_the_keyspace() {
    let picture = draw_schema(SCHEMA, Level::Physical);
    assert_lines(&picture, &["── keyspace shop ──", "timestamp"]);
    // A counter has its mark and no type; the type its own name.
    assert_lines(&picture, &["│ visits       │", "│ id  uuid  K  │", "│ n         ++ │"]);
    assert_lines(&picture, &["│ address_type  [type] │", "│ street  text         │"]);
    assert!(picture.svg().contains(">keyspace shop</text>"));
}

#[test]
fn buckets_shards_and_expiry_have_marks() {
    let (concept, workload, mut design) =
        reference_designs::design(&[(&[], "events(K sensor, K week, K shard, C↓ at, value)")]);
    let at = Column { source: SourceId::new(0), attribute: AttributeId::new(1) };
    let table = &mut design.tables[0];
    table.columns[1].derivation = Derivation::Bucket(at, Bucket::WEEK);
    table.columns[2].derivation = Derivation::Shard { of: vec![at], count: 16 };
    table.options.default_time_to_live = Some(86_400);
    let picture = chebotko(&concept, &workload, &design, Level::Logical);
    assert_lines(
        &picture,
        &["→ Q1", "[TTL 1 day]", "sensor  K ", "week    K⌛week", "shard   K#16", "at      C↓ "],
    );
    let svg = picture.svg();
    assert!(svg.contains(">K#16</text>") && svg.contains("<path class=\"d-key-mark\""));
}

/// What pages refer to: ids, and the queries of tables, lines and the legend.
#[test]
fn elements_have_ids_and_data() {
    let (concept, workload, design) = reference_designs::design(&reference_designs::KILLRVIDEO);
    let svg = chebotko(&concept, &workload, &design, Level::Logical).svg();
    for part in [
        r#"<g id="table-latest_videos" data-table="latest_videos" data-queries="query_2">"#,
        r#"<g class="link" data-queries="query_5" data-from="users_by_email comments_by_video" data-to="comments_by_user">"#,
        r#"<g class="link-label" data-queries="query_5" data-to="comments_by_user">"#,
        r#"<g id="query-query_2" data-query="query 2" data-table="latest_videos">"#,
    ] {
        assert!(svg.contains(part), "{part} is missing in\n{svg}");
    }
    let shop = draw_schema(SCHEMA, Level::Physical).svg();
    assert!(shop.contains(r#"<g id="type-address_type" data-type="address_type">"#), "{shop}");
}
