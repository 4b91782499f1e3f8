//! Each topic on a small design whose figures are set by hand, so that the expected words follow from arithmetic.

mod from_sql;

use cql::Span;
use model::concept::{Concept, Stated};
use model::id::{AttributeId, EntityId, ParameterId, ReadId, SourceId, TableId};
use model::plan::{
    Bucket, Derivation, Design, Modification, NoteKind, PlannedStatement, PlannedTable, Quantiles,
    Reason, Role, Rule, Update, WritePlan, WriteStep,
};
use model::workload::{
    Assignment, AssignmentValue, Column, Comparison, Condition, Limit, Read, Supply, Test, Value,
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

fn named(name: &str, rate: f64, read: Read) -> Read {
    Read { name: name.to_owned(), rate: Stated::given(rate), ..read }
}

fn write(name: &str, entity: EntityId, rate: f64, kind: WriteKind) -> Write {
    Write {
        name: name.to_owned(),
        rate: Stated::given(rate),
        after: Vec::new(),
        consistency: "LOCAL_QUORUM".to_owned(),
        strict: false,
        entity,
        kind,
        parameters: Vec::new(),
        sql: String::new(),
        span: Span::default(),
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
struct Case {
    concept: Concept,
    workload: Workload,
    options: Options,
    design: Design,
}

impl Case {
    fn new(concept: Concept, reads: Vec<Read>, writes: Vec<Write>) -> Self {
        let workload = Workload { reads, writes };
        let options = Options { rules_only: true, ..Options::default() };
        let mut design = crate::design(&concept, &workload, &options);
        for table in &mut design.tables {
            table.volume = many();
        }
        for plan in &mut design.reads {
            plan.partitions = 1.0;
        }
        Self { concept, workload, options, design }
    }

    fn table(&mut self, at: usize) -> &mut PlannedTable {
        &mut self.design.tables[at]
    }

    fn said(&self) -> Vec<(NoteKind, String)> {
        let context =
            Context { concept: &self.concept, workload: &self.workload, options: &self.options };
        let unforced = || crate::unforced_tables(context);
        let notes = Reviewer::new(context, &unforced).notes(&self.design);
        notes.into_iter().map(|note| (note.kind, note.topic.to_string())).collect()
    }

    #[track_caller]
    fn says(&self, kind: NoteKind, parts: &[&str]) {
        let said = self.said();
        let all = |text: &str| parts.iter().all(|part| text.contains(part));
        assert!(
            said.iter().any(|(of, text)| *of == kind && all(text)),
            "{parts:?} not in {said:#?}"
        );
    }

    #[track_caller]
    fn is_silent(&self) {
        assert_eq!(self.said(), []);
    }

    /// The points of a checklist: whether each holds, and its evidence.
    fn points(&self, list: usize) -> Vec<(Option<bool>, String)> {
        let context =
            Context { concept: &self.concept, workload: &self.workload, options: &self.options };
        let unforced = || crate::unforced_tables(context);
        let lists = Reviewer::new(context, &unforced).checklists(&self.design);
        lists[list].points.iter().map(|point| (point.holds, point.evidence.clone())).collect()
    }
}

/// A volume that nobody minds: 100,000 partitions of ten rows.
fn many() -> model::plan::Volume {
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
    named("VideosOfUser", 100.0, by_user)
}

fn case() -> Case {
    let concept = videos();
    let by_user = videos_of_user(&concept);
    Case::new(concept, vec![by_user], Vec::new())
}

#[test]
fn a_plain_design_says_nothing() {
    case().is_silent();
}

#[test]
fn reads_of_many_partitions() {
    let mut case = case();
    case.design.reads[0].partitions = 16.0;
    case.is_silent();
    case.design.reads[0].partitions = 17.0;
    case.says(NoteKind::Warning, &["`VideosOfUser` reads 17 partitions", "more than 16"]);
    case.design.reads[0].partitions = 101.0;
    case.design.reads[0].partitions_at_most = 1_800.0;
    case.says(NoteKind::Warning, &["101 partitions", "at most 1.8k", "a scan"]);
    case.options.limits.strict = true;
    case.says(NoteKind::Refusal, &["a scan (more than 100)"]);
}

#[test]
fn hot_partitions() {
    let mut case = case();
    case.table(0).volume.hottest_writes = 1_000.0;
    case.table(0).volume.hottest_reads = 5_000.0;
    case.is_silent();
    case.table(0).volume.hottest_writes = 2_500.0;
    case.table(0).volume.hottest_reads = 6_000.0;
    case.says(NoteKind::Warning, &["`videos_by_user` takes 2.5k/s writes, more than 1k/s"]);
    case.says(NoteKind::Warning, &["`videos_by_user` is read 6k/s, more than 5k/s"]);
}

#[test]
fn few_partitions() {
    let mut case = case();
    let volume = &mut case.table(0).volume;
    volume.partitions = 195.0;
    volume.today = Quantiles::even(50_000.0);
    // 195 partitions of 5 MB; 3 copies on 6 nodes are 97.5 a node, of which sqrt(2 ln 6 / 97.5) = 19 % are chance.
    case.says(NoteKind::Warning, &["only 195 partitions", "975 MB", "about 19 % more"]);
    // One of them half of all: nothing else matters then.
    case.table(0).volume.today.max = 195.0 * 50_000.0 / 2.0;
    case.says(NoteKind::Warning, &["largest partition alone is 50 % of it, on 3 of 6 nodes"]);
    case.table(0).volume.partitions = 1.0;
    case.table(0).volume.today = Quantiles::even(1.2e6);
    case.says(
        NoteKind::Warning,
        &[
            "only 1 partition, one for each `userid` (120 MB in all)",
            "at most 3 of 6 nodes hold any of it",
        ],
    );
    // 1 partition of 50 rows: nobody minds.
    case.table(0).volume.today = Quantiles::even(50.0);
    case.is_silent();
    assert_eq!(case.points(0)[0].0, Some(true));
    assert!(case.points(0)[0].1.contains("small enough for any number: videos_by_user"));
}

/// A key that the user wants.
fn force(table: &mut PlannedTable) {
    let reason = Reason { rule: Rule::Forced, read: Some(ReadId::new(0)), text: String::new() };
    table.columns[0].reasons.push(reason);
}

#[test]
fn keys_above_the_bound() {
    let mut case = case();
    force(case.table(0));
    case.is_silent();
    let volume = &mut case.table(0).volume;
    volume.per_day = Quantiles { p999: 1_000.0, ..Quantiles::even(1.0) };
    // 10 + 1,000 a day * 1,826 days = 1.8M rows of 100 bytes = 183 MB; 300k rows are passed after 300 days.
    case.table(0).columns[0].reasons.pop();
    case.says(
        NoteKind::Refusal,
        &["`videos_by_user` comes to 1.8M rows", "no column of its clustering key"],
    );
    force(case.table(0));
    let figures = ["`(userid), added, videoid`", "1.8M rows and 183 MB", "or 100 MB in 300 days"];
    case.says(NoteKind::Refusal, &figures);
    let growth = &case.points(1)[2];
    assert_eq!(growth.0, Some(false));
    // 100 MB are 1M rows, after 1,000 days.
    assert!(
        growth.1.contains("videos_by_user first past 100 MB at p99.9 after 2.7 years"),
        "{}",
        growth.1
    );
    case.table(0).volume.grows_for = Some(30.0);
    case.is_silent();
    assert_eq!(case.points(1)[2].0, Some(true));
    case.table(0).volume = many();
    case.table(0).volume.today = Quantiles::even(400_000.0);
    case.says(NoteKind::Refusal, &["400k rows and 40 MB", "today"]);
}

#[test]
fn keys_that_do_not_tell_rows_apart() {
    // Without the video's id, two videos of one moment are one.
    let mut case = case();
    force(case.table(0));
    case.table(0).columns.retain(|column| column.name != "videoid");
    case.says(
        NoteKind::Refusal,
        &["`(userid), added`", "not unique", "added = '2026-01-01", "videos.videoid", "overwrite"],
    );
    assert_eq!(case.points(0)[4], (Some(false), "not for `videos_by_user`".to_owned()));
}

#[test]
fn words_are_not_used_evenly() {
    let concept = videos();
    let by_country = read(&concept, "users", "userid", &["country = ?"], "");
    let mut case = Case::new(concept, vec![named("ByCountry", 1.0, by_country)], Vec::new());
    case.is_silent();
    // A million values: 1 of 14.4 rows has the most frequent; of 10M rows 695k.
    case.table(0).volume.partitions = 1e6;
    case.says(
        NoteKind::Warning,
        &["each `country` (1M of 10 rows on average)", "6.9 % of all, 695k rows"],
    );
    case.concept.entities[0].attributes[2].skew = model::concept::Skew::Zipf(0.5);
    case.is_silent();
}

#[test]
fn time_alone() {
    let concept = videos();
    let latest = read(&concept, "videos", "videoid, added", &[], "added desc");
    let mut case = Case::new(concept, vec![named("Latest", 10.0, latest)], Vec::new());
    let clustering = case.design.tables[0].clustering().next().unwrap().derivation.clone();
    let Derivation::Attribute(of) = clustering else { panic!("{clustering:?}") };
    let table = case.table(0);
    table.volume.hottest_writes = 1.2;
    table.columns[0].derivation = Derivation::Bucket(of, Bucket::Day);
    case.says(
        NoteKind::Warning,
        &["time alone is the partition key", "(1.2/s at the hottest)", "on 3 of 6 nodes"],
    );
}

#[test]
fn keys_that_change() {
    let concept = videos();
    let by_country = read(&concept, "users", "userid", &["country = ?"], "");
    let by_id = read(&concept, "users", "userid, country", &["userid = ?"], "");
    let reads = vec![named("UsersByCountry", 10.0, by_country), named("User", 1_000.0, by_id)];
    let moves = |attribute| {
        let assignment = Assignment {
            attribute,
            value: AssignmentValue::Set(Value::Literal("'UK'".to_owned())),
        };
        write("Move", EntityId::new(0), 0.5, WriteKind::Update(vec![assignment], Vec::new()))
    };
    let case = Case::new(concept.clone(), reads.clone(), vec![moves(AttributeId::new(2))]);
    case.says(NoteKind::Warning, &["`Move` changes `country`", "`users_by_country`", "(30/min)"]);
    assert_eq!(case.points(0)[1], (Some(false), "changed by `Move`".to_owned()));
    // The e-mail is in no key here.
    let case = Case::new(concept, reads, vec![moves(AttributeId::new(1))]);
    assert!(case.said().iter().all(|(kind, _)| *kind != NoteKind::Warning));
    assert_eq!(case.points(0)[1].0, Some(true));
}

#[test]
fn lists_of_values() {
    let concept = videos();
    let with = |values: usize| {
        let list = vec!["?"; values].join(",");
        let by_ids =
            read(&concept, "videos", "videoid, added", &[&format!("videoid in {list}")], "");
        Case::new(concept.clone(), vec![named("ByIds", 1.0, by_ids)], Vec::new())
    };
    with(20).is_silent();
    with(21).says(NoteKind::Warning, &["`ByIds` lists 21 values of `videoid`"]);
    with(101).says(NoteKind::Warning, &["too many for one request"]);
    with(501).says(NoteKind::Refusal, &["never send more than 500"]);
    assert_eq!(with(20).points(1)[9], (Some(true), "longest: ByIds, 20 values".to_owned()));
    assert_eq!(with(21).points(1)[9].0, Some(false));
}

#[test]
fn collections_near_their_limit() {
    let mut concept = videos();
    let by_id = |concept: &Concept| read(concept, "videos", "videoid, tags", &["videoid = ?"], "");
    concept.entities[1].attributes[4].items = Stated::given(50.0);
    let read = by_id(&concept);
    Case::new(concept.clone(), vec![read.clone()], Vec::new()).is_silent();
    concept.entities[1].attributes[4].items = Stated::given(80.0);
    let case = Case::new(concept.clone(), vec![read.clone()], Vec::new());
    case.says(
        NoteKind::Warning,
        &["`videos.tags` holds 80 elements (2.6 KB), near the 100 elements"],
    );
    // Ten elements, and one more a second for a million rows: 31.6 a year each; ten times that is too much.
    concept.entities[1].attributes[4].items = Stated::given(10.0);
    let append = |rate| {
        let value = AssignmentValue::Append(Value::Parameter(ParameterId::new(0)));
        let assignment = Assignment { attribute: AttributeId::new(4), value };
        let test = Test::Compare {
            column: Column { source: SourceId::new(0), attribute: AttributeId::new(0) },
            comparison: Comparison::Equal,
            value: Value::Parameter(ParameterId::new(1)),
        };
        let by_key = Condition { test, span: Span::default() };
        write("Tag", EntityId::new(1), rate, WriteKind::Update(vec![assignment], vec![by_key]))
    };
    Case::new(concept.clone(), vec![read.clone()], vec![append(1.0)]).is_silent();
    let case = Case::new(concept, vec![read], vec![append(10.0)]);
    case.says(NoteKind::Warning, &["`Tag` appends 10/s, 316 elements a row and year"]);
}

#[test]
fn tombstones_of_a_read() {
    let concept = videos();
    let by_user = videos_of_user(&concept);
    let delete = write("Remove", EntityId::new(1), 2.0, WriteKind::Delete(Vec::new()));
    let mut case = Case::new(concept, vec![by_user], vec![delete]);
    case.design.writes[0] = statement(TableId::new(0), 1.0);
    // 2 a second for 10 days are 1.728M; over 100,000 partitions 17 each.
    case.is_silent();
    case.table(0).volume.partitions = 1_000.0;
    case.says(
        NoteKind::Warning,
        &["will meet 1.7k tombstones", "(2/s made there, each kept 10 days)", "warns at 1k"],
    );
    let deletes = &case.points(1)[6];
    assert_eq!(deletes.0, Some(false));
    case.table(0).volume.partitions = 10.0;
    case.says(NoteKind::Warning, &["173k tombstones", "fails it at 100k tombstones"]);
}

#[test]
fn queues_are_refused() {
    let jobs = entity("jobs", "queue text, jobid timeuuid, payload text");
    let concept = concept(vec![key(jobs, &["queue jobid"])]);
    let mut poll = read(&concept, "jobs", "jobid, payload", &["queue = ?"], "jobid");
    poll.limit = Some(Limit::Number(10));
    let mut remove =
        write("Remove", EntityId::new(0), 10_000.0 / 3_600.0, WriteKind::Delete(Vec::new()));
    remove.after = vec![ReadId::new(0)];
    let reads = vec![named("Poll", 10.0, poll.clone())];
    let mut case = Case::new(concept.clone(), reads, vec![remove.clone()]);
    case.design.writes[0] = statement(TableId::new(0), 1.0);
    case.table(0).volume.partitions = 10.0;
    // 10,000 an hour for 240 hours in 10 queues: 240,000 in each.
    case.says(
        NoteKind::Refusal,
        &["`Poll` and `Remove` are a queue", "240k tombstones", "2.8/s over 10 days"],
    );
    // The newest first is no queue, and neither is a read that goes on from a position.
    let no_queue = |read: Read| {
        let mut case =
            Case::new(concept.clone(), vec![named("Poll", 10.0, read)], vec![remove.clone()]);
        case.design.writes[0] = statement(TableId::new(0), 1.0);
        assert!(!case.said().iter().any(|(kind, _)| *kind == NoteKind::Refusal));
    };
    let mut newest = poll.clone();
    newest.order[0].descending = true;
    no_queue(newest);
    let mut since = read(&concept, "jobs", "jobid, payload", &["queue = ?", "jobid > ?"], "jobid");
    since.limit = poll.limit;
    no_queue(since);
}

#[test]
fn order_by_what_may_be_null() {
    let concept = videos();
    let by_rank = read(&concept, "videos", "videoid, rank", &["userid = ?"], "rank");
    let case = Case::new(concept.clone(), vec![named("ByRank", 1.0, by_rank)], Vec::new());
    case.says(NoteKind::Assumption, &["`ByRank` orders by `rank`, which may be null"]);
    assert_eq!(case.said().len(), 1);
    // Its nulls cannot match: they are not stored.
    let ranked = read(&concept, "videos", "videoid, rank", &["userid = ?", "rank > ?"], "rank");
    Case::new(concept, vec![named("Ranked", 1.0, ranked)], Vec::new()).is_silent();
}

#[test]
fn levels_that_do_not_overlap() {
    let concept = videos();
    let mut by_user = videos_of_user(&concept);
    by_user.consistency = "ONE".to_owned();
    let insert = write("Add", EntityId::new(1), 1.0, WriteKind::Insert(Vec::new()));
    let mut case = Case::new(concept, vec![by_user], vec![insert]);
    case.design.writes[0] = statement(TableId::new(0), 0.0);
    case.says(
        NoteKind::Warning,
        &[
            "`VideosOfUser` reads at ONE and may miss what `Add` wrote at LOCAL_QUORUM",
            "(3 in dc1)",
        ],
    );
    case.workload.writes[0].consistency = "ALL".to_owned();
    case.is_silent();
}

#[test]
fn copies_that_multiply() {
    let concept = videos();
    let mut case = Case::new(
        concept,
        vec![videos_of_user(&videos())],
        vec![write("Rename", EntityId::new(1), 2.0, WriteKind::Update(Vec::new(), Vec::new()))],
    );
    case.design.writes[0].amplification = 100.0;
    case.is_silent();
    case.design.writes[0].amplification = 5_000.0;
    case.says(NoteKind::Warning, &["`Rename` writes 5k rows each time (10k/s in all)"]);
    // Two lists of a thing, 10 each, make 100 rows of it: fine. With 20 tags, 200 are not.
    let mut things = entity("things", "id uuid, tags set<text>, places set<text>");
    let of = |things: &model::concept::Entity| {
        let concept = crate::sample::concept(vec![things.clone()]);
        let both = read(&concept, "things", "id", &["? in tags", "? in places"], "");
        Case::new(concept, vec![named("Both", 1.0, both)], Vec::new())
    };
    of(&things).is_silent();
    things.attributes[1].items = Stated::given(20.0);
    of(&things).says(NoteKind::Warning, &["20 `tags` and 10 `places`: 200 rows for one fact"]);
}

#[test]
fn what_is_stored_nowhere_and_what_nobody_supplies() {
    let concept = videos();
    let mut by_user = videos_of_user(&concept);
    by_user.parameters[0].supply = Supply::Nobody;
    let add = write("AddUser", EntityId::new(0), 1.0, WriteKind::Insert(Vec::new()));
    let mut case = Case::new(concept, vec![by_user], vec![add]);
    case.says(
        NoteKind::Warning,
        &["`VideosOfUser` needs `userid`, which no step before it returns"],
    );
    case.says(NoteKind::Warning, &["`users` is written by `AddUser` and read by no query"]);
    case.design.writes[0] = statement(TableId::new(0), 0.0);
    assert_eq!(case.said().len(), 1);
}

/// Users by country, asked rarely, beside users by id; a rare search of a user's videos by rank.
fn rare(distinct: f64) -> Case {
    let mut concept = videos();
    concept.entities[0].attributes[2].distinct = Stated::given(distinct);
    let by_country = read(&concept, "users", "userid, email", &["country = ?"], "");
    let by_id = read(&concept, "users", "userid, email, country", &["userid = ?"], "");
    let reads = vec![named("UsersByCountry", 2.0, by_country), named("User", 1_000.0, by_id)];
    let add = write("AddUser", EntityId::new(0), 4.0, WriteKind::Insert(Vec::new()));
    let mut case = Case::new(concept, reads, vec![add]);
    case.design.writes[0] = statement(TableId::new(0), 0.0);
    case
}

#[test]
fn an_index_instead_of_a_table() {
    let mut case = rare(1_000.0);
    // 4 rows a second, 100 bytes, 3 copies; 1e5 * (30 + 10 * 100) bytes * 3 to store; 2 reads on 6 nodes.
    let price = [
        "`UsersByCountry` (2/s)",
        "4/s rows or 1.2 KB/s on 3 copies",
        "309 MB to store in 5 years",
    ];
    case.says(NoteKind::Alternative, &price);
    case.says(NoteKind::Alternative, &["a storage-attached index on `users.country` would ask all 6 nodes each time (12/s requests)"]);
    case.options.target = Target::Cassandra41;
    case.says(
        NoteKind::Alternative,
        &["a secondary index on `users.country` would ask all 6 nodes"],
    );
    case.options.target = Target::Scylla;
    case.says(
        NoteKind::Alternative,
        &["a global secondary index", "two reads each time", "4/s in all"],
    );
    // The home page gets its table.
    case.workload.reads[0].rate = Stated::given(200.0);
    case.is_silent();
}

#[test]
fn no_index_where_the_seeds_forbid_it() {
    // Few rows share a value: a classic index would be as large as the table.
    let mut case = rare(900_000.0);
    case.options.target = Target::Cassandra41;
    case.is_silent();
    case.options.target = Target::Cassandra50;
    case.says(NoteKind::Alternative, &["storage-attached"]);
    // Too few values.
    rare(5.0).is_silent();
    // Too many rows to return.
    let mut case = rare(1_000.0);
    case.table(0).volume.today = Quantiles::even(5_000.0);
    assert!(!case.said().iter().any(|(kind, _)| *kind == NoteKind::Alternative));
}

#[test]
fn counters_are_approximate() {
    let mut case = case();
    let mut counter = case.table(0).columns[0].clone();
    counter.name = "views".to_owned();
    counter.role = Role::Counter;
    case.table(0).columns.push(counter);
    case.says(
        NoteKind::Assumption,
        &["`views` of `videos_by_user` may be off", "must not be sent again"],
    );
    assert_eq!(case.points(1)[7], (Some(true), "`videos_by_user`".to_owned()));
    case.table(0).columns[0].role = Role::Regular;
    assert_eq!(case.points(1)[7].0, Some(false));
}

#[test]
fn the_checklists_are_those_of_the_seeds() {
    let case = case();
    let rules = case.points(0);
    let anti_patterns = case.points(1);
    assert_eq!((rules.len(), anti_patterns.len()), (11, 10));
    assert!(rules.iter().chain(&anti_patterns).all(|(holds, _)| *holds != Some(false)));
    assert!(rules.iter().chain(&anti_patterns).all(|(_, evidence)| !evidence.is_empty()));
    assert_eq!(rules[2].1, "VideosOfUser (100/s) reads 1 partition of videos_by_user");
    assert_eq!(rules[3].1, "all 2 clustering columns, in this order");
    assert_eq!(rules[5].1, "largest: videos_by_user, 1 KB in 10 rows at p99.9 after 5 years");
    assert_eq!(anti_patterns[8].1, "the 1 query, on 1 table");
}
