//! The same key split in several ways.

use std::collections::BTreeSet;

use model::concept::{Concept, FanOut, Figure, Origin};
use model::id::{AttributeId, ReadId, SourceId, TableId};
use model::plan::{Bucket, PlannedTable, ReadPart, ServedRead};
use model::workload::{Column, Limit, Read, Workload};

use super::super::{CandidateTable, candidates_for, merge_candidates};
use super::assert_candidate;
use crate::sample::{concept, entity, marks, read, refers};
use crate::{Context, Options, partition_split};

/// Users, and what they do: so many a day each.
fn activities(each: f64) -> Concept {
    let mut users = entity("users", "user_id uuid");
    users.rows = Figure::from_input(1e6);
    let activity = entity("activities", "id uuid, user_id uuid, at timestamp, score int");
    let mut activity = refers(activity, "user_id", 0, &users);
    let per = Some(86_400.0);
    activity.references[0].fan_out =
        FanOut { mean: each, p99: each, p999: None, max: each, per, origin: Origin::Given };
    concept(vec![users, activity])
}

fn latest(concept: &Concept) -> Read {
    let mut read = read(concept, "activities", "id, score", &["user_id = ?"], "at desc");
    read.limit = Some(Limit::Number(20));
    read
}

fn splits(table: &PlannedTable) -> (Option<Bucket>, u32) {
    (table.bucket().map(|(_, _, bucket)| bucket), table.shards())
}

const SCORE: Column = Column { source: SourceId::new(0), attribute: AttributeId::new(3) };

#[test]
fn a_bucketed_key_has_finer_buckets() {
    let of = activities(900.0);
    let workload = Workload { reads: vec![latest(&of)], writes: Vec::new() };
    let options = Options::default();
    let context = Context { concept: &of, workload: &workload, options: &options };
    let candidates = candidates_for(context, &workload.reads[0]);
    for candidate in &candidates {
        assert_candidate(context, candidate);
    }
    let columns = BTreeSet::from([SCORE]);
    let filled = candidates[0].table_with(context, &columns);
    assert_eq!(marks(&filled.table), "K user_id, K month, C↓ at, C↑ id, score");
    assert!(filled.memory.is_some(), "a walk has to know its end");
    let explicit: Vec<&CandidateTable> =
        candidates.iter().filter(|candidate| splits(&candidate.table) != (None, 1)).collect();
    let shown: Vec<_> = explicit.iter().map(|candidate| splits(&candidate.table)).collect();
    assert_eq!(shown, [(Some(Bucket::WEEK), 1)]);
    let filled = explicit[0].table_with(context, &columns);
    assert_eq!(marks(&filled.table), "K user_id, K week, C↓ at, C↑ id, score");
    assert!((filled.table.volume.today.mean - 6_300.0).abs() < 1.0, "900 a day in a week");
    assert!(filled.memory.is_some());
    let once = merge_candidates(context, candidates.clone());
    assert_eq!(once.len(), candidates.len());
}

#[test]
fn a_read_of_many_buckets_may_have_shards() {
    let of = activities(900.0);
    let many = Read { limit: Some(Limit::Number(1_000_000)), ..latest(&of) };
    let workload = Workload { reads: vec![many], writes: Vec::new() };
    let options = Options::default();
    let context = Context { concept: &of, workload: &workload, options: &options };
    let candidates = candidates_for(context, &workload.reads[0]);
    let sharded = candidates.iter().find(|candidate| splits(&candidate.table) == (None, 6));
    let filled = sharded.unwrap().table_with(context, &BTreeSet::from([SCORE]));
    assert_eq!(marks(&filled.table), "K user_id, K shard, C↓ at, C↑ id, score");
    assert!(filled.memory.is_none());
}

#[test]
fn few_rows_are_not_split() {
    let of = activities(1.0);
    let workload = Workload { reads: vec![latest(&of)], writes: Vec::new() };
    let options = Options::default();
    let context = Context { concept: &of, workload: &workload, options: &options };
    let candidates = candidates_for(context, &workload.reads[0]);
    assert!(candidates.iter().all(|candidate| splits(&candidate.table) == (None, 1)));
}

fn rows_of(read: ReadId) -> Vec<ServedRead> {
    vec![ServedRead { read, sources: vec![Some(SourceId::new(0))], part: ReadPart::Rows }]
}

#[test]
fn a_split_that_was_chosen_stays_and_is_remembered() {
    let of = activities(900.0);
    let workload = Workload { reads: vec![latest(&of)], writes: Vec::new() };
    let options = Options::default();
    let context = Context { concept: &of, workload: &workload, options: &options };
    let candidates = candidates_for(context, &workload.reads[0]);
    let weekly = candidates.iter().find(|one| splits(&one.table).0 == Some(Bucket::WEEK)).unwrap();
    let table =
        weekly.clone().into_table(context, &BTreeSet::from([SCORE]), rows_of(ReadId::new(0)));
    let mut tables = vec![PlannedTable { name: "weekly".to_owned(), ..table }];
    partition_split::split(context, &mut tables, 0, &mut Vec::new());
    let [table, memory] = &tables[..] else { panic!("{}", tables.len()) };
    assert_eq!(marks(table), "K user_id, K week, C↓ at, C↑ id, score");
    assert!((table.volume.today.mean - 6_300.0).abs() < 1.0);
    assert_eq!(
        (marks(memory).as_str(), memory.remembers),
        ("K user_id, oldest", Some(TableId::new(0)))
    );
    // One that the bound alone splits is left to it.
    let table = candidates[0].clone().into_table(
        context,
        &BTreeSet::from([SCORE]),
        rows_of(ReadId::new(0)),
    );
    assert_eq!(splits(&table), (None, 1));
}

#[test]
fn without_equality_the_memory_is_one_row() {
    let mut of = activities(900.0);
    of.entities[1].grows = Figure::from_input(1e5);
    let mut newest = read(&of, "activities", "id, score", &[], "at desc");
    newest.limit = Some(Limit::Number(20));
    let workload = Workload { reads: vec![newest], writes: Vec::new() };
    let options = Options::default();
    let context = Context { concept: &of, workload: &workload, options: &options };
    let candidates = candidates_for(context, &workload.reads[0]);
    let hourly = candidates.iter().find(|one| splits(&one.table).0 == Some(Bucket::HOUR)).unwrap();
    let table = hourly.clone().into_table(context, &BTreeSet::new(), rows_of(ReadId::new(0)));
    assert_eq!(marks(&table), "K hour, C↓ at, C↑ id");
    let mut tables = vec![table];
    partition_split::split(context, &mut tables, 0, &mut Vec::new());
    assert_eq!(marks(&tables[1]), "K bucket, oldest");
}

#[test]
fn reads_that_cannot_walk_do_not_undo_a_bucket() {
    // Both would have the same key; the second sorts by score, for which buckets would all have to
    // be read.
    let of = activities(900.0);
    let top = read(&of, "activities", "id, score", &["user_id = ?"], "score desc");
    let workload = Workload { reads: vec![latest(&of), top], writes: Vec::new() };
    let options = Options::default();
    let context = Context { concept: &of, workload: &workload, options: &options };
    let all = workload.reads.iter().flat_map(|read| candidates_for(context, read)).collect();
    let candidates = merge_candidates(context, all);
    let columns = BTreeSet::from([SCORE]);
    let first = &candidates[0];
    assert_eq!(splits(&first.table_with(context, &columns).table), (Some(Bucket::MONTH), 1));
    let mut serves = rows_of(ReadId::new(0));
    serves.extend(rows_of(ReadId::new(1)));
    let table = first.clone().into_table(context, &columns, serves);
    assert_eq!(splits(&table), (Some(Bucket::MONTH), 1), "as it was priced");
}
