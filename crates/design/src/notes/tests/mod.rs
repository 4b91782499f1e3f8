//! Each topic on a small design whose figures are set by hand, so that the expected words follow
//! from arithmetic.

mod checklists;
mod from_sql;
mod queues;
mod workload;

use cql::Span;
use model::concept::{Concept, Figure};
use model::id::{AttributeId, EntityId, ParameterId, ReadId, SourceId, TableId};
use model::plan::topic::KeyTopic;
use model::plan::{
    Bucket, ColumnRole, Derivation, Design, MappingReason, MappingRule, Modification, Note,
    NoteKind, PlannedStatement, PlannedTable, Quantiles, Topic, Update, WritePlan, WriteStep,
};
use model::workload::{
    Assignment, AssignmentValue, Column, Comparison, Condition, Predicate, Read, Supply, Value,
    Workload, Write, WriteKind,
};

use super::Reviewer;
use crate::sample::{concept, entity, key, read, refers};
use crate::{Context, Options, Target};

/// Users and their videos.
fn videos() -> Concept {
    let users = entity("users", "userid uuid, email text, country text");
    let users = key(users, &["userid", "email"]);
    let videos =
        entity("videos", "videoid uuid, userid uuid, added timestamp, rank int?, tags set<text>");
    let videos = refers(videos, "userid", 0, &users);
    concept(vec![users, videos])
}

fn with_name(name: &str, rate: f64, read: Read) -> Read {
    Read { name: name.to_owned(), rate: Figure::from_input(rate), ..read }
}

fn write(name: &str, entity: EntityId, rate: f64, kind: WriteKind) -> Write {
    Write {
        name: name.to_owned(),
        rate: Figure::from_input(rate),
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

/// A statement on a table that writes a row and makes so many tombstones.
fn statement(table: TableId, tombstones: f64) -> WritePlan {
    let statement = PlannedStatement {
        table,
        modification: Modification::Update(Update::default()),
        loops: Vec::new(),
        guards: Vec::new(),
        condition: None,
        rows: 1.0,
        tombstones,
        reason: String::new(),
    };
    WritePlan { steps: vec![WriteStep::Statement(statement)], ..WritePlan::default() }
}

/// A case: what is designed, and what is then set by hand.
struct ReviewCase {
    concept: Concept,
    workload: Workload,
    options: Options,
    design: Design,
}

impl ReviewCase {
    fn new(concept: Concept, reads: Vec<Read>, writes: Vec<Write>) -> Self {
        let workload = Workload { reads, writes };
        let options = Options { rules_only: true, ..Options::default() };
        let mut design = crate::design(&concept, &workload, &options);
        for table in &mut design.tables {
            table.volume = harmless_volume();
        }
        for plan in &mut design.reads {
            plan.partitions = 1.0;
        }
        Self { concept, workload, options, design }
    }

    fn table(&mut self, at: usize) -> &mut PlannedTable {
        &mut self.design.tables[at]
    }

    fn note_texts(&self) -> Vec<(NoteKind, String)> {
        let context =
            Context { concept: &self.concept, workload: &self.workload, options: &self.options };
        let unforced = || crate::derive_tables(context);
        let notes = Reviewer::new(context, &unforced).notes(&self.design);
        // It is said of every text that is a whole partition key.
        let is_other = |note: &Note| !matches!(note.topic, Topic::Key(KeyTopic::NeverEmpty { .. }));
        let notes = notes.into_iter().filter(is_other);
        notes.map(|note| (note.kind, note.topic.to_string())).collect()
    }

    #[track_caller]
    fn assert_note(&self, kind: NoteKind, parts: &[&str]) {
        let said = self.note_texts();
        let all = |text: &str| parts.iter().all(|part| text.contains(part));
        assert!(
            said.iter().any(|(of, text)| *of == kind && all(text)),
            "{parts:?} not in {said:#?}"
        );
    }

    #[track_caller]
    fn assert_silent(&self) {
        assert_eq!(self.note_texts(), []);
    }

    /// The points of a checklist: whether each holds, and its evidence.
    fn points(&self, list: usize) -> Vec<(Option<bool>, String)> {
        let context =
            Context { concept: &self.concept, workload: &self.workload, options: &self.options };
        let unforced = || crate::derive_tables(context);
        let lists = Reviewer::new(context, &unforced).checklists(&self.design);
        lists[list].points.iter().map(|point| (point.holds, point.evidence.clone())).collect()
    }
}

/// A volume without notes: 100,000 partitions of ten rows.
fn harmless_volume() -> model::plan::Volume {
    model::plan::Volume {
        partitions: 1e5,
        today: Quantiles::even(10.0),
        fixed_bytes: 30.0,
        row_bytes: 100.0,
        row_cells: 3.0,
        ..model::plan::Volume::default()
    }
}

fn videos_of_user(concept: &Concept) -> Read {
    let by_user = read(concept, "videos", "videoid, added", &["userid = ?"], "added desc, videoid");
    with_name("VideosOfUser", 100.0, by_user)
}

fn plain_case() -> ReviewCase {
    let concept = videos();
    let by_user = videos_of_user(&concept);
    ReviewCase::new(concept, vec![by_user], Vec::new())
}

#[test]
fn a_plain_design_says_nothing() {
    plain_case().assert_silent();
}

#[test]
fn reads_of_many_partitions() {
    let mut case = plain_case();
    case.design.reads[0].partitions = 16.0;
    case.assert_silent();
    case.design.reads[0].partitions = 17.0;
    case.assert_note(NoteKind::Warning, &["`VideosOfUser` reads 17 partitions", "more than 16"]);
    case.design.reads[0].partitions = 101.0;
    case.design.reads[0].partitions_at_most = 1_800.0;
    case.assert_note(NoteKind::Warning, &["101 partitions", "at most 1.8k", "a scan"]);
    case.options.limits.strict = true;
    case.assert_note(NoteKind::Refusal, &["a scan (more than 100)"]);
}

#[test]
fn hot_partitions() {
    let mut case = plain_case();
    case.table(0).volume.hottest_writes = 1_000.0;
    case.table(0).volume.hottest_reads = 5_000.0;
    case.assert_silent();
    case.table(0).volume.hottest_writes = 2_500.0;
    case.table(0).volume.hottest_reads = 6_000.0;
    case.assert_note(
        NoteKind::Warning,
        &["`videos_by_user` receives 2.5k/s writes, more than 1k/s"],
    );
    case.assert_note(NoteKind::Warning, &["`videos_by_user` is read 6k/s, more than 5k/s"]);
}

#[test]
fn few_partitions() {
    let mut case = plain_case();
    let volume = &mut case.table(0).volume;
    volume.partitions = 195.0;
    volume.today = Quantiles::even(50_000.0);
    // 195 partitions of 5 MB; 3 copies on 6 nodes are 97.5 a node, of which sqrt(2 ln 6 / 97.5) =
    // 19 % are chance.
    case.assert_note(NoteKind::Warning, &["only 195 partitions", "975 MB", "about 19 % more"]);
    // One of them half of all: nothing else matters then.
    case.table(0).volume.today.max = 195.0 * 50_000.0 / 2.0;
    case.assert_note(
        NoteKind::Warning,
        &["largest partition alone is 50 % of it, on 3 of 6 nodes"],
    );
    case.table(0).volume.partitions = 1.0;
    case.table(0).volume.today = Quantiles::even(1.2e6);
    case.assert_note(
        NoteKind::Warning,
        &[
            "only 1 partition, one for each `userid` (120 MB in total)",
            "at most 3 of 6 nodes store any of it",
        ],
    );
    // 1 partition of 50 rows: no note.
    case.table(0).volume.today = Quantiles::even(50.0);
    case.assert_silent();
    assert_eq!(case.points(0)[0].0, None);
    assert!(
        case.points(0)[0].1.contains("small enough for any number of partitions: videos_by_user")
    );
}

/// Marks the key as forced by the user.
fn force(table: &mut PlannedTable) {
    let reason = MappingReason {
        rule: MappingRule::Forced,
        read: Some(ReadId::new(0)),
        text: String::new(),
    };
    table.columns[0].reasons.push(reason);
}

#[test]
fn keys_above_the_bound() {
    let mut case = plain_case();
    force(case.table(0));
    case.assert_silent();
    let volume = &mut case.table(0).volume;
    volume.per_day = Quantiles { p999: 1_000.0, ..Quantiles::even(1.0) };
    // 10 + 1,000 a day * 1,826 days = 1.8M rows of 100 bytes = 183 MB; 300k rows are passed after
    // 300 days.
    case.table(0).columns[0].reasons.pop();
    case.assert_note(
        NoteKind::Refusal,
        &["`videos_by_user` reaches 1.8M rows", "no column of its clustering key"],
    );
    force(case.table(0));
    let figures = ["`(userid), added, videoid`", "1.8M rows and 183 MB", "or 100 MB in 300 days"];
    case.assert_note(NoteKind::Refusal, &figures);
    let growth = &case.points(1)[2];
    assert_eq!(growth.0, Some(false));
    // 100 MB are 1M rows, after 1,000 days.
    assert!(
        growth.1.contains("videos_by_user is the first to exceed 100 MB at p99.9, after 2.7 years"),
        "{}",
        growth.1
    );
    case.table(0).volume.grows_for = Some(30.0);
    case.assert_silent();
    assert_eq!(case.points(1)[2].0, Some(true));
    case.table(0).volume = harmless_volume();
    case.table(0).volume.today = Quantiles::even(400_000.0);
    case.assert_note(NoteKind::Refusal, &["400k rows and 40 MB", "today"]);
}

#[test]
fn keys_that_do_not_tell_rows_apart() {
    // Without the video's id, two videos of one moment are one.
    let mut case = plain_case();
    force(case.table(0));
    case.table(0).columns.retain(|column| column.name != "videoid");
    case.assert_note(
        NoteKind::Refusal,
        &["`(userid), added`", "not unique", "added = '2026-01-01", "videos.videoid", "overwrite"],
    );
    assert_eq!(case.points(0)[4], (Some(false), "not unique: `videos_by_user`".to_owned()));
}

#[test]
fn words_are_not_used_evenly() {
    let concept = videos();
    let by_country = read(&concept, "users", "userid", &["country = ?"], "");
    let mut case =
        ReviewCase::new(concept, vec![with_name("ByCountry", 1.0, by_country)], Vec::new());
    case.assert_silent();
    // A million values: 1 of 14.4 rows has the most frequent; of 10M rows 695k.
    case.table(0).volume.partitions = 1e6;
    case.assert_note(
        NoteKind::Warning,
        &["each `country` (1M of 10 rows on average)", "6.9 % of all, 695k rows"],
    );
    case.concept.entities[0].attributes[2].skew = model::concept::Skew::Zipf(0.5);
    case.assert_silent();
}

#[test]
fn time_alone() {
    let concept = videos();
    let latest = read(&concept, "videos", "videoid, added", &[], "added desc");
    let mut case = ReviewCase::new(concept, vec![with_name("Latest", 10.0, latest)], Vec::new());
    let clustering = case.design.tables[0].clustering().next().unwrap().derivation.clone();
    let Derivation::Attribute(of) = clustering else { panic!("{clustering:?}") };
    let table = case.table(0);
    table.volume.hottest_writes = 1.2;
    table.columns[0].derivation = Derivation::Bucket(of, Bucket::DAY);
    case.assert_note(
        NoteKind::Warning,
        &["time alone is the partition key", "(1.2/s at the hottest)", "on 3 of 6 nodes"],
    );
}

#[test]
fn keys_that_change() {
    let concept = videos();
    let by_country = read(&concept, "users", "userid", &["country = ?"], "");
    let by_id = read(&concept, "users", "userid, country", &["userid = ?"], "");
    let reads =
        vec![with_name("UsersByCountry", 10.0, by_country), with_name("User", 1_000.0, by_id)];
    let moves = |attribute| {
        let assignment = Assignment {
            attribute,
            value: AssignmentValue::Set(Value::Literal("'UK'".to_owned())),
        };
        write("Move", EntityId::new(0), 0.5, WriteKind::Update(vec![assignment], Vec::new()))
    };
    let case = ReviewCase::new(concept.clone(), reads.clone(), vec![moves(AttributeId::new(2))]);
    case.assert_note(
        NoteKind::Warning,
        &["`Move` changes `country`", "`users_by_country`", "(30/min)"],
    );
    assert_eq!(case.points(0)[1], (Some(false), "changed by `Move`".to_owned()));
    // The e-mail is in no key here.
    let case = ReviewCase::new(concept, reads, vec![moves(AttributeId::new(1))]);
    assert!(case.note_texts().iter().all(|(kind, _)| *kind != NoteKind::Warning));
    assert_eq!(case.points(0)[1].0, Some(true));
}

#[test]
fn lists_of_values() {
    let concept = videos();
    let with = |values: usize| {
        let list = vec!["?"; values].join(",");
        let by_ids =
            read(&concept, "videos", "videoid, added", &[&format!("videoid in {list}")], "");
        ReviewCase::new(concept.clone(), vec![with_name("ByIds", 1.0, by_ids)], Vec::new())
    };
    with(20).assert_silent();
    with(21).assert_note(NoteKind::Warning, &["`ByIds` lists 21 values of `videoid`"]);
    with(101).assert_note(NoteKind::Warning, &["too many for one request"]);
    with(501).assert_note(NoteKind::Refusal, &["never send more than 500"]);
    assert_eq!(with(20).points(1)[9], (Some(true), "longest: ByIds, 20 values".to_owned()));
    assert_eq!(with(21).points(1)[9].0, Some(false));
}

#[test]
fn collections_near_their_limit() {
    let mut concept = videos();
    let by_id = |concept: &Concept| read(concept, "videos", "videoid, tags", &["videoid = ?"], "");
    concept.entities[1].attributes[4].items = Figure::from_input(50.0);
    let read = by_id(&concept);
    ReviewCase::new(concept.clone(), vec![read.clone()], Vec::new()).assert_silent();
    concept.entities[1].attributes[4].items = Figure::from_input(80.0);
    let case = ReviewCase::new(concept.clone(), vec![read.clone()], Vec::new());
    case.assert_note(
        NoteKind::Warning,
        &["`videos.tags` holds 80 elements (2.6 KB), close to the recommended maximum of 100 elements"],
    );
    // Ten elements, and one more a second for a million rows: 31.6 a year each; ten times that is
    // too much.
    concept.entities[1].attributes[4].items = Figure::from_input(10.0);
    let append = |rate| {
        let value = AssignmentValue::Append(Value::Parameter(ParameterId::new(0)));
        let assignment = Assignment { attribute: AttributeId::new(4), value };
        let test = Predicate::Compare {
            column: Column { source: SourceId::new(0), attribute: AttributeId::new(0) },
            comparison: Comparison::Equal,
            value: Value::Parameter(ParameterId::new(1)),
        };
        let by_key = Condition { predicate: test, span: Span::default() };
        write("Tag", EntityId::new(1), rate, WriteKind::Update(vec![assignment], vec![by_key]))
    };
    ReviewCase::new(concept.clone(), vec![read.clone()], vec![append(1.0)]).assert_silent();
    let case = ReviewCase::new(concept, vec![read], vec![append(10.0)]);
    case.assert_note(NoteKind::Warning, &["`Tag` appends 10/s, 316 elements per row and year"]);
}

#[test]
fn tombstones_of_a_read() {
    let concept = videos();
    let by_user = videos_of_user(&concept);
    let by_key = Predicate::Compare {
        column: Column { source: SourceId::new(0), attribute: AttributeId::new(0) },
        comparison: Comparison::Equal,
        value: Value::Parameter(ParameterId::new(0)),
    };
    let by_key = Condition { predicate: by_key, span: Span::default() };
    let delete = write("Remove", EntityId::new(1), 2.0, WriteKind::Delete(vec![by_key]));
    let mut case = ReviewCase::new(concept, vec![by_user], vec![delete]);
    // The rows of the model, each in the table once.
    case.table(0).volume.partitions = 1e5;
    case.design.reads[0].effort.tombstones = 1_000.0;
    case.assert_silent();
    // The note, the checklist and the price have one figure.
    case.design.reads[0].effort.tombstones = 1_728.0;
    case.assert_note(
        NoteKind::Warning,
        &["will read 1.7k tombstones", "(2/s created there, each kept for 10 days)", "warns at 1k"],
    );
    let deletes = &case.points(1)[6];
    assert_eq!(deletes.0, Some(false));
    assert!(deletes.1.contains("a read (VideosOfUser) scans 1.7k"), "{}", deletes.1);
    case.design.reads[0].effort.tombstones = 172_800.0;
    case.assert_note(NoteKind::Warning, &["173k tombstones", "fails the read at 100k tombstones"]);
}

#[test]
fn order_by_what_may_be_null() {
    let concept = videos();
    let by_rank = read(&concept, "videos", "videoid, rank", &["userid = ?"], "rank");
    let case =
        ReviewCase::new(concept.clone(), vec![with_name("ByRank", 1.0, by_rank)], Vec::new());
    case.assert_note(NoteKind::Assumption, &["`ByRank` orders by `rank`, which may be null"]);
    assert_eq!(case.note_texts().len(), 1);
    // Its nulls cannot match: they are not stored.
    let ranked = read(&concept, "videos", "videoid, rank", &["userid = ?", "rank > ?"], "rank");
    ReviewCase::new(concept, vec![with_name("Ranked", 1.0, ranked)], Vec::new()).assert_silent();
}

#[test]
fn levels_that_do_not_overlap() {
    let concept = videos();
    let mut by_user = videos_of_user(&concept);
    by_user.consistency = "ONE".to_owned();
    let insert = write("Add", EntityId::new(1), 1.0, WriteKind::Insert(Vec::new()));
    let mut case = ReviewCase::new(concept, vec![by_user], vec![insert]);
    case.design.writes[0] = statement(TableId::new(0), 0.0);
    case.assert_note(
        NoteKind::Warning,
        &[
            "`VideosOfUser` reads at ONE and may miss what `Add` wrote at LOCAL_QUORUM",
            "(3 in dc1)",
        ],
    );
    case.workload.writes[0].consistency = "ALL".to_owned();
    case.assert_silent();
}

#[test]
fn copies_that_multiply() {
    let concept = videos();
    let mut case = ReviewCase::new(
        concept,
        vec![videos_of_user(&videos())],
        vec![write("Rename", EntityId::new(1), 2.0, WriteKind::Update(Vec::new(), Vec::new()))],
    );
    case.design.writes[0].amplification = 100.0;
    case.assert_silent();
    case.design.writes[0].amplification = 5_000.0;
    case.assert_note(NoteKind::Warning, &["`Rename` writes 5k rows each time (10k/s in total)"]);
    // Two lists of a thing, 10 each, make 100 rows of it: fine. With 20 tags, 200 are not.
    let mut things = entity("things", "id uuid, tags set<text>, places set<text>");
    let of = |things: &model::concept::Entity| {
        let concept = crate::sample::concept(vec![things.clone()]);
        let both = read(&concept, "things", "id", &["? in tags", "? in places"], "");
        ReviewCase::new(concept, vec![with_name("Both", 1.0, both)], Vec::new())
    };
    of(&things).assert_silent();
    things.attributes[1].items = Figure::from_input(20.0);
    of(&things)
        .assert_note(NoteKind::Warning, &["20 `tags` and 10 `places`: 200 rows for one fact"]);
}

#[test]
fn what_is_stored_nowhere_and_what_nobody_supplies() {
    let concept = videos();
    let mut by_user = videos_of_user(&concept);
    by_user.parameters[0].supply = Supply::Nobody;
    let add = write("AddUser", EntityId::new(0), 1.0, WriteKind::Insert(Vec::new()));
    let mut case = ReviewCase::new(concept, vec![by_user], vec![add]);
    case.assert_note(
        NoteKind::Warning,
        &["`VideosOfUser` needs `userid`, which no earlier step returns"],
    );
    case.assert_note(NoteKind::Warning, &["`users` is written by `AddUser` and read by no query"]);
    case.design.writes[0] = statement(TableId::new(0), 0.0);
    assert_eq!(case.note_texts().len(), 1);
}

/// Users by country, asked rarely, beside users by id; a rare search of a user's videos by rank.
fn rare_case(distinct: f64) -> ReviewCase {
    let mut concept = videos();
    concept.entities[0].attributes[2].distinct = Figure::from_input(distinct);
    let by_country = read(&concept, "users", "userid, email", &["country = ?"], "");
    let by_id = read(&concept, "users", "userid, email, country", &["userid = ?"], "");
    let reads =
        vec![with_name("UsersByCountry", 2.0, by_country), with_name("User", 1_000.0, by_id)];
    let add = write("AddUser", EntityId::new(0), 4.0, WriteKind::Insert(Vec::new()));
    let mut case = ReviewCase::new(concept, reads, vec![add]);
    case.design.writes[0] = statement(TableId::new(0), 0.0);
    case
}

#[test]
fn an_index_instead_of_a_table() {
    let mut case = rare_case(1_000.0);
    // 4 rows a second, 100 bytes, 3 copies; 1e5 * (30 + 10 * 100) bytes * 3 to store; 2 reads on 6
    // nodes.
    let price = [
        "`UsersByCountry` (2/s)",
        "4/s rows or 1.2 KB/s on 3 copies",
        "309 MB to store in 5 years",
    ];
    case.assert_note(NoteKind::Alternative, &price);
    case.assert_note(NoteKind::Alternative, &["a storage-attached index on `users.country` would query all 6 nodes each time (12/s requests)"]);
    case.options.target = Target::Cassandra41;
    case.assert_note(
        NoteKind::Alternative,
        &["a secondary index on `users.country` would query all 6 nodes"],
    );
    case.options.target = Target::Scylla;
    case.assert_note(
        NoteKind::Alternative,
        &["a global secondary index", "two reads each time", "4/s in total"],
    );
    // The home page gets its table.
    case.workload.reads[0].rate = Figure::from_input(200.0);
    case.assert_silent();
}

#[test]
fn no_index_where_the_seeds_forbid_it() {
    // Few rows share a value: a classic index would be as large as the table.
    let mut case = rare_case(900_000.0);
    case.options.target = Target::Cassandra41;
    case.assert_silent();
    case.options.target = Target::Cassandra50;
    case.assert_note(NoteKind::Alternative, &["storage-attached"]);
    // Too few values.
    rare_case(5.0).assert_silent();
    // Too many rows to return.
    let mut case = rare_case(1_000.0);
    case.table(0).volume.today = Quantiles::even(5_000.0);
    assert!(!case.note_texts().iter().any(|(kind, _)| *kind == NoteKind::Alternative));
}

#[test]
fn counters_are_approximate() {
    let mut case = plain_case();
    let mut counter = case.table(0).columns[0].clone();
    counter.name = "views".to_owned();
    counter.role = ColumnRole::Counter;
    case.table(0).columns.push(counter);
    case.assert_note(
        NoteKind::Assumption,
        &["`views` of `videos_by_user` may be inaccurate", "must not be retried"],
    );
    assert_eq!(case.points(1)[7], (Some(true), "`videos_by_user`".to_owned()));
    case.table(0).columns[0].role = ColumnRole::Regular;
    assert_eq!(case.points(1)[7].0, Some(false));
}

#[test]
fn the_checklists_are_those_of_the_seeds() {
    let case = plain_case();
    let rules = case.points(0);
    let anti_patterns = case.points(1);
    assert_eq!((rules.len(), anti_patterns.len()), (11, 10));
    assert!(rules.iter().chain(&anti_patterns).all(|(holds, _)| *holds != Some(false)));
    assert!(rules.iter().chain(&anti_patterns).all(|(_, evidence)| !evidence.is_empty()));
    assert_eq!(rules[2].1, "VideosOfUser (100/s) reads 1 partition of videos_by_user");
    assert_eq!(rules[3].1, "all 2 clustering columns in this order");
    assert_eq!(rules[5].1, "largest: videos_by_user, 1 KB in 10 rows at p99.9 after 5 years");
    assert_eq!(anti_patterns[8].1, "the 1 query, on 1 table");
}
