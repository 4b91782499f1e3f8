//! Keys that were published, or shipped, and lose rows or grow without bound: forced upon the designer, they are refused or warned
//! of with what goes wrong; left to itself, it does better.

use cql::BatchKind;
use design::{ForcedKey, Limits, Options};
use model::id::IdList;
use model::plan::{Bucket, Design, Note, NoteKind, PlannedTable, ReadPart, WriteStep};

use crate::examples::{Example, design, example, examples, root};

/// A query, the key its authors gave it, and what the refusal must name.
struct KeyPitfall {
    model: &'static str,
    query: &'static str,
    partition: &'static [&'static str],
    clustering: &'static [(&'static str, bool)],
    names: &'static [&'static str],
}

/// Keys under which two rows are one. The refusal shows two of them, told apart by the columns named.
const COLLISIONS: [KeyPitfall; 8] = [
    // The documentation's CQL, then its diagram: two stays of one guest, or two guests of one name.
    pitfall(
        "reference/hotel",
        "ReservationsByGuest",
        &["last_name"],
        &[("hotel_id", false)],
        &["reservation"],
    ),
    pitfall(
        "reference/hotel",
        "ReservationsByGuest",
        &["last_name"],
        &[("hotel_id", false), ("guest_id", false)],
        &["reservation"],
    ),
    // An actor with two roles in a video.
    pitfall(
        "reference/killrvideo_course",
        "ActorsByVideo",
        &["videoid"],
        &[("actor_name", false)],
        &["character_name"],
    ),
    // Two videos of one title and year.
    pitfall(
        "reference/ds220",
        "VideosByTitleAndYear",
        &["title", "added_year"],
        &[],
        &["video_id"],
    ),
    // The course's own demonstration of lost rows.
    pitfall(
        "reference/ds220",
        "VideosByTagAndYear",
        &["tag"],
        &[("added_year", true)],
        &["video_id"],
    ),
    // Two activities of a user in one millisecond: all three tables of the seed.
    pitfall(
        "seeds/000_user_activity",
        "ActivitiesByUser",
        &["user_id"],
        &[("activity_timestamp", true)],
        &["activity_id"],
    ),
    pitfall(
        "seeds/000_user_activity",
        "ActivitiesByUserAndType",
        &["user_id", "activity_type"],
        &[("activity_timestamp", true)],
        &["activity_id"],
    ),
    pitfall(
        "seeds/000_user_activity",
        "ActivitiesInRange",
        &["user_id"],
        &[("activity_timestamp", true)],
        &["activity_id"],
    ),
];

/// Keys that grow past the bound, or take all writes of a busy value. The refusal gives a figure.
const GROWTH: [KeyPitfall; 7] = [
    pitfall("stories/zipkin", "TracesByService", &["service_name"], &[("ts", true)], &["rows"]),
    pitfall(
        "stories/jaeger",
        "ByOperation",
        &["service", "operation"],
        &[("start_time", true), ("trace_id", false), ("span_id", false)],
        &["rows"],
    ),
    pitfall(
        "stories/jaeger",
        "ByTag",
        &["service", "tag_key", "tag_value"],
        &[("start_time", true), ("trace_id", false), ("span_id", false), ("tag_key", false)],
        &["rows"],
    ),
    pitfall(
        "stories/jaeger",
        "ByService",
        &["service"],
        &[("start_time", true), ("trace_id", false), ("span_id", false)],
        &["rows"],
    ),
    pitfall(
        "seeds/003_user_activity",
        "LatestActivity",
        &["user_id"],
        &[("activity_time", true)],
        &["rows"],
    ),
    pitfall(
        "seeds/001_user_accounts",
        "AccountsByCountry",
        &["country"],
        &[("username", false)],
        &["rows"],
    ),
    pitfall(
        "seeds/004_large_groups",
        "UsersInGroup",
        &["groupname"],
        &[("username", false)],
        &["rows"],
    ),
];

const fn pitfall(
    model: &'static str,
    query: &'static str,
    partition: &'static [&'static str],
    clustering: &'static [(&'static str, bool)],
    names: &'static [&'static str],
) -> KeyPitfall {
    KeyPitfall { model, query, partition, clustering, names }
}

#[test]
fn keys_that_lose_rows_are_refused_with_two_of_them() {
    for trap in &COLLISIONS {
        let (model, forced) = design_with_key(trap);
        let refusal = refusal(&model, &forced, trap, "overwrite");
        for name in trap.names {
            assert!(refusal.topic.to_string().contains(name), "{name}: {}", refusal.topic);
        }
    }
}

#[test]
fn keys_that_grow_without_bound_are_refused_with_figures() {
    for trap in &GROWTH {
        let (model, forced) = design_with_key(trap);
        let refusal = refusal(&model, &forced, trap, "p99.9");
        for name in trap.names {
            assert!(refusal.topic.to_string().contains(name), "{name}: {}", refusal.topic);
        }
        assert!(
            refusal.topic.to_string().contains(|c: char| c.is_ascii_digit()),
            "{}",
            refusal.topic
        );
        let table = table(&model, &forced, trap.query);
        let key: Vec<_> = table.partition_key().map(|column| column.name.as_str()).collect();
        assert_eq!(key, trap.partition, "the forced key is taken as it is");
    }
}

#[test]
fn the_stories_get_buckets_without_being_told() {
    for trap in GROWTH.iter().filter(|trap| trap.model.starts_with("stories/")) {
        let model = example(trap.model);
        let designed = design(&model, &Options::default());
        let table = table(&model, &designed, trap.query);
        assert!(table.bucket().is_some(), "{} {}: {}", trap.model, trap.query, table.name);
        assert!(refusals(&designed).is_empty(), "{:?}", refusals(&designed));
        assert!(
            table.volume.rows_after(0.0).p999 <= Limits::default().partition_rows,
            "{}",
            table.name
        );
    }
}

#[test]
fn no_counter_shares_a_batch_with_anything_else() {
    let mut counters = 0;
    for model in examples() {
        for rules_only in [false, true] {
            let designed = design(&model, &Options { rules_only, ..Options::default() });
            for step in designed.writes.iter().flat_map(|plan| &plan.steps) {
                let WriteStep::Batch { kind, statements, .. } = step else { continue };
                let of_counters =
                    statements.iter().filter(|one| designed.tables[one.table].is_counter());
                let expected = if *kind == BatchKind::Counter { statements.len() } else { 0 };
                assert_eq!(of_counters.count(), expected, "{}: a {kind:?} batch", model.name);
                counters += expected;
            }
        }
    }
    assert!(counters > 0, "no example counts anything in a batch");
}

#[test]
fn what_the_hotel_forgets_is_stored() {
    let model = example("reference/hotel");
    let designed = design(&model, &Options { rules_only: true, ..Options::default() });
    assert!(table(&model, &designed, "RateOfRoom").column("rate").is_some());
}

/// "refinement: add K month".
#[test]
fn a_tighter_bound_gives_the_hotel_its_months() {
    let model = example("reference/hotel");
    let limits = Limits { partition_rows: 10_000.0, ..Limits::default() };
    let designed = design(&model, &Options { rules_only: true, limits, ..Options::default() });
    let (_, _, bucket) = table(&model, &designed, "AvailableRooms")
        .bucket()
        .expect("100 rooms in 730 days are split");
    assert_eq!(bucket, Bucket::MONTH, "3,100 rows a month, 36,500 a year");
}

/// What the list of differences says of a row each second: with room for 604,800 rows the week comes back.
#[test]
fn a_wider_bound_gives_the_measurements_their_week() {
    let model = example("reference/sensors");
    let limits = Limits { partition_rows: 1e6, ..Limits::default() };
    let designed = design(&model, &Options { rules_only: true, limits, ..Options::default() });
    let (_, _, bucket) = table(&model, &designed, "Measurements").bucket().expect("it is split");
    assert_eq!(bucket, Bucket::WEEK);
}

/// "the daily hot spot of `latest_videos`": at 2,000 uploads a second a day is shared among groups, (`yyyymmdd`, `group_number`).
#[test]
fn a_hot_day_is_sharded() {
    let text =
        std::fs::read_to_string(root().join("examples/reference/killrvideo_application.sql"));
    let text = text.expect("the example is there").replace("100k/day", "2k/s");
    let file = model::sql::read(&text, "killrvideo").expect("the model is good");
    let model = Example { name: "2,000 uploads a second".to_owned(), model: file };
    let designed = design(&model, &Options::default());
    let latest = table(&model, &designed, "LatestVideos");
    assert!(latest.bucket().is_some() && latest.shards() > 1, "{}", latest.name);
    assert!(latest.volume.hottest_writes <= Limits::default().hot_writes, "{:?}", latest.volume);
}

/// Few huge partitions (genres), and a skewed key (last names).
#[test]
fn few_or_skewed_partitions_are_warned_of() {
    for (name, query, column) in [
        ("reference/music", "AlbumsByGenre", "genre"),
        ("reference/hotel", "ReservationsByGuest", "last_name"),
    ] {
        let model = example(name);
        let designed = design(&model, &Options { rules_only: true, ..Options::default() });
        let table = table(&model, &designed, query);
        let at = designed.tables.find_id(|other| other == table).unwrap();
        let found = designed.notes.iter().any(|note| {
            note.kind == NoteKind::Warning
                && note.about == model::plan::NoteSubject::Table(at)
                && note.topic.to_string().contains(column)
                && note.topic.to_string().contains(|c: char| c.is_ascii_digit())
        });
        assert!(found, "{query}: {:#?}", designed.notes);
    }
}

/// "album identity by title+year": two performers may have an album of one title in one year.
#[test]
fn albums_of_two_performers_collide() {
    let text = "\
        CREATE TABLE albums (album_id uuid PRIMARY KEY, title text NOT NULL, year int NOT NULL, performer text NOT NULL);\n\
        -- name: AlbumsByTitle :many\n\
        SELECT title, year, performer FROM albums WHERE title = ? ORDER BY year DESC;\n";
    let file = model::sql::read(text, "music").expect("the model is good");
    let key = ForcedKey {
        read: "AlbumsByTitle".to_owned(),
        partition: vec!["title".to_owned()],
        clustering: vec![("year".to_owned(), true)],
    };
    let options = Options { keys: vec![key], ..Options::default() };
    let designed = design::design(&file.concept, &file.workload, &options);
    let refusals = refusals(&designed);
    assert!(
        refusals.iter().any(|note| note.topic.to_string().contains("album_id")),
        "{refusals:?}"
    );
}

/// Seed 003: "After 10,000 jobs: 10 live rows, 10,000 tombstones".
#[test]
fn a_queue_is_refused_with_its_tombstones() {
    let model = example("seeds/003_queue");
    let designed = design(&model, &Options::default());
    let refusals = refusals(&designed);
    let [refusal] = refusals.as_slice() else { panic!("{refusals:?}") };
    assert!(refusal.topic.to_string().contains("tombstones"), "{}", refusal.topic);
    assert!(refusal.topic.to_string().contains(|c: char| c.is_ascii_digit()), "{}", refusal.topic);
    let help = refusal.topic.help();
    assert!(help.contains("status") || help.contains("batch"), "{help}");
}

#[test]
fn nothing_else_is_refused() {
    for model in examples().iter().filter(|model| model.name != "seeds/003_queue") {
        for rules_only in [false, true] {
            let designed = design(model, &Options { rules_only, ..Options::default() });
            assert!(refusals(&designed).is_empty(), "{}: {:#?}", model.name, refusals(&designed));
        }
    }
}

/// The design with the key of the trap.
fn design_with_key(trap: &KeyPitfall) -> (Example, Design) {
    let model = example(trap.model);
    let key = ForcedKey {
        read: trap.query.to_owned(),
        partition: trap.partition.iter().map(|&name| name.to_owned()).collect(),
        clustering: trap.clustering.iter().map(|&(name, way)| (name.to_owned(), way)).collect(),
    };
    let options = Options { rules_only: true, keys: vec![key], ..Options::default() };
    let designed = design(&model, &options);
    (model, designed)
}

/// The one refusal of a design that says so.
fn refusal(model: &Example, designed: &Design, trap: &KeyPitfall, says: &str) -> Note {
    let all = refusals(designed);
    match all
        .iter()
        .filter(|note| note.topic.to_string().contains(says))
        .collect::<Vec<_>>()
        .as_slice()
    {
        [refusal] => (**refusal).clone(),
        _ => panic!("{} {} {:?}: {all:#?}", model.name, trap.query, trap.partition),
    }
}

fn refusals(designed: &Design) -> Vec<&Note> {
    designed.notes.iter().filter(|note| note.kind == NoteKind::Refusal).collect()
}

/// The table that returns the rows of a query.
fn table<'a>(model: &Example, designed: &'a Design, query: &str) -> &'a PlannedTable {
    let read = model.model.workload.reads.find_id(|read| read.name == query);
    let read = read.unwrap_or_else(|| panic!("{}: there is no {query}", model.name));
    let serves = |table: &&PlannedTable| {
        table.serves.iter().any(|served| served.read == read && served.part == ReadPart::Rows)
    };
    designed
        .tables
        .iter()
        .find(serves)
        .unwrap_or_else(|| panic!("{}: {query} has no table", model.name))
}
