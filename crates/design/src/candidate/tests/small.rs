//! The candidates of small models: an auction.

use std::collections::BTreeSet;

use model::concept::{Concept, Figure};
use model::id::{AttributeId, ReadId, SourceId};
use model::plan::{ReadPart, ServedRead};
use model::workload::{Column, Read, Workload};

use super::super::{CandidateTable, candidates_for, merge_candidates};
use super::assert_candidate;
use crate::sample::{column, concept, entity, key, marks, read, refers};
use crate::{Context, ForcedKey, Options, mapping};

/// Items of sellers in categories, and bids on them, as in an auction.
fn auction() -> Concept {
    let users = entity("users", "id uuid, name text, region int");
    let items = entity(
        "items",
        "id uuid, seller uuid, category int, title text, status text, ends timestamp, price int",
    );
    let bids = entity("bids", "id uuid, item uuid, bidder uuid, price int, at timestamp");
    let mut items = refers(items, "seller", 0, &users);
    items.attributes[4].distinct = Figure::from_input(4.0);
    let bids = refers(refers(bids, "item", 1, &items), "bidder", 0, &users);
    concept(vec![users, items, bids])
}

fn candidate_marks(concept: &Concept, reads: Vec<Read>) -> Vec<Vec<String>> {
    let (workload, options) = (Workload { reads, writes: Vec::new() }, Options::default());
    let context = Context { concept, workload: &workload, options: &options };
    let of = |read: &Read| {
        let candidates = candidates_for(context, read);
        for candidate in &candidates {
            assert_candidate(context, candidate);
        }
        candidates.iter().map(|candidate| marks(&candidate.table)).collect()
    };
    workload.reads.iter().map(of).collect()
}

#[test]
fn what_is_given_names_the_partition_clusters_or_is_left_to_the_client() {
    let of = auction();
    let by_status = read(&of, "items", "title", &["seller = ?", "status = ?"], "");
    let others = ["seller = ?", "status = ?"].map(|given| read(&of, "items", "id", &[given], ""));
    let alone = &candidate_marks(&of, vec![by_status.clone()])[0];
    assert_eq!(alone, &["K seller, K status, C↑ id"], "nobody else needs larger partitions");
    let reads = std::iter::once(by_status).chain(others).collect();
    let candidates = &candidate_marks(&of, reads)[0];
    assert_eq!(candidates[0], "K seller, K status, C↑ id");
    for expected in ["K seller, C↑ status, C↑ id", "K status, C↑ seller, C↑ id", "K seller, C↑ id"]
    {
        assert!(candidates.iter().any(|one| one == expected), "{expected}: {candidates:?}");
    }
    assert!(
        !candidates.iter().any(|one| one == "K status, C↑ id"),
        "a million rows: {candidates:?}"
    );
}

#[test]
fn a_table_of_several_reads_has_the_sources_of_all() {
    let of = auction();
    let alone = read(&of, "bids", "price", &["item = ?"], "at desc");
    let joined =
        read(&of, "users u, bids b", "b.price, u.name, u.region", &["b.item = ?"], "b.at desc");
    let reads = vec![alone, joined];
    let (workload, options) = (Workload { reads, writes: Vec::new() }, Options::default());
    let context = Context { concept: &of, workload: &workload, options: &options };
    let all = workload.reads.iter().flat_map(|read| candidates_for(context, read)).collect();
    let candidates = merge_candidates(context, all);
    let same: Vec<&CandidateTable> = candidates
        .iter()
        .filter(|candidate| marks(&candidate.table) == "K item, C↓ at, C↑ id")
        .collect();
    let [candidate] = same[..] else { panic!("{}", same.len()) };
    assert_eq!(candidate.table.holds.sources.len(), 2);
    let name = Column { source: SourceId::new(1), attribute: AttributeId::new(1) };
    let price = Column { source: SourceId::new(0), attribute: AttributeId::new(3) };
    let filled = candidate.table_with(context, &BTreeSet::from([name, price]));
    assert_eq!(marks(&filled.table), "K item, C↓ at, C↑ id, price, user_name");
    assert_eq!(filled.sources, [Some(SourceId::new(0)), Some(SourceId::new(1))]);
    let filled = candidate.table_with(context, &BTreeSet::from([price]));
    assert_eq!(marks(&filled.table), "K item, C↓ at, C↑ id, price");
    assert_eq!(filled.sources, [Some(SourceId::new(0)), None]);
    assert_eq!(filled.table.holds.sources.len(), 1);
}

#[test]
fn the_first_source_may_be_the_one_that_goes() {
    let of = auction();
    let joined = read(&of, "users u, bids b", "b.price, u.name", &["b.bidder = ?"], "");
    let reads = vec![joined];
    let (workload, options) = (Workload { reads, writes: Vec::new() }, Options::default());
    let context = Context { concept: &of, workload: &workload, options: &options };
    let candidate = &candidates_for(context, &workload.reads[0])[0];
    let name = Column { source: SourceId::new(0), attribute: AttributeId::new(1) };
    let price = Column { source: SourceId::new(1), attribute: AttributeId::new(3) };
    let filled = candidate.table_with(context, &BTreeSet::from([name, price]));
    assert!(marks(&filled.table).contains("S user_name"), "{}", marks(&filled.table));
    let filled = candidate.table_with(context, &BTreeSet::from([price]));
    assert_eq!(filled.sources, [None, Some(SourceId::new(0))]);
    assert_eq!(filled.table.holds.sources[0].join, None);
    assert_eq!(mapping::find_collision(&of, &filled.table), None);
}

#[test]
fn keys_of_several_attributes_complete() {
    let of = {
        let mut of = auction();
        of.entities[2] = key(of.entities[2].clone(), &["item at"]);
        of
    };
    let by =
        read(&of, "bids b, items i", "b.price", &["i.seller = ?", "b.bidder = ?"], "b.price desc");
    let other = read(&of, "bids b", "b.price", &["b.bidder = ?"], "");
    let candidates = &candidate_marks(&of, vec![by, other])[0];
    assert_eq!(candidates[0], "K seller, K bidder, C↓ price, C↑ item, C↑ at");
    assert!(
        candidates.contains(&"K bidder, C↑ seller, C↓ price, C↑ item, C↑ at".to_owned()),
        "{candidates:?}"
    );
    assert!(candidates.contains(&"K bidder, C↑ item, C↑ at".to_owned()), "{candidates:?}");
}

#[test]
fn a_constant_restricts_or_is_in_the_key_or_is_left_to_the_client() {
    let of = auction();
    let open = read(&of, "items", "title", &["seller = ?", "status = 'open'"], "ends");
    let candidates = &candidate_marks(&of, vec![open])[0];
    assert_eq!(candidates[0], "K seller, C↑ ends, C↑ id");
    let alike = candidates.iter().filter(|one| **one == candidates[0]).count();
    assert_eq!(alike, 2, "one with all rows, of which the client drops those that are not open");
    for expected in [
        "K seller, K status, C↑ ends, C↑ id",
        "K seller, C↑ status, C↑ ends, C↑ id",
        "K seller, C↑ id",
    ] {
        assert!(candidates.iter().any(|one| one == expected), "{expected}: {candidates:?}");
    }
}

#[test]
fn the_range_clusters_or_the_order_does() {
    let of = auction();
    let cheap = read(&of, "items", "title", &["seller = ?", "price < ?"], "ends desc");
    let candidates = &candidate_marks(&of, vec![cheap])[0];
    assert_eq!(candidates[0], "K seller, C↑ price, C↓ ends, C↑ id");
    for expected in ["K seller, C↓ ends, C↑ id", "K seller, C↑ price, C↑ id", "K seller, C↑ id"]
    {
        assert!(candidates.iter().any(|one| one == expected), "{expected}: {candidates:?}");
    }
}

#[test]
fn what_other_reads_are_given_clusters_first() {
    let of = auction();
    let three = read(&of, "items", "title", &["seller = ?", "category = ?", "status = ?"], "");
    let two = read(&of, "items", "title", &["seller = ?", "status = ?"], "");
    let one = read(&of, "items", "title", &["seller = ?"], "");
    let candidates = &candidate_marks(&of, vec![three, two, one])[0];
    for expected in [
        "K seller, C↑ category, C↑ status, C↑ id",
        "K seller, C↑ status, C↑ category, C↑ id",
        "K seller, K status, C↑ category, C↑ id",
        "K seller, K status, C↑ id",
    ] {
        assert!(candidates.iter().any(|one| one == expected), "{expected}: {candidates:?}");
    }
}

#[test]
fn counts_are_kept_or_made_from_rows() {
    let of = auction();
    let mut count = read(&of, "items", "count(*)", &["seller = ?", "category = ?"], "");
    count.group = vec![column(&of, &count.sources, "status")];
    let other = read(&of, "items", "title", &["seller = ?"], "");
    let candidates = &candidate_marks(&of, vec![count, other])[0];
    assert_eq!(candidates[0], "K seller, K category, C↑ status, ++item_count");
    for expected in [
        "K seller, K category, C↑ status, C↑ id",
        "K seller, C↑ category, C↑ status, ++item_count",
        "K seller, C↑ category, C↑ status, C↑ id",
        "K seller, K category, C↑ id",
    ] {
        assert!(candidates.iter().any(|one| one == expected), "{expected}: {candidates:?}");
    }
    assert!(
        !candidates.iter().any(|one| one == "K seller, C↑ status, ++item_count"),
        "of all categories"
    );
}

#[test]
fn the_tenant_leads_every_partition() {
    let mut of = auction();
    of.tenant = Some("region".to_owned());
    let by = read(&of, "users", "id", &["name = ?", "region = ?"], "");
    let other = read(&of, "users", "id", &["region = ?"], "");
    let candidates = &candidate_marks(&of, vec![by, other])[0];
    assert_eq!(candidates[0], "K region, K name, C↑ id");
    assert!(
        candidates.len() > 1 && candidates.iter().all(|one| one.starts_with("K region")),
        "{candidates:?}"
    );
}

#[test]
fn a_key_that_the_user_wants_is_the_only_one() {
    let of = auction();
    let reads = vec![read(&of, "items", "title", &["seller = ?", "status = ?"], "")];
    let workload = Workload { reads, writes: Vec::new() };
    let clustering = vec![("status".to_owned(), false), ("id".to_owned(), true)];
    let key =
        ForcedKey { read: "Sample".to_owned(), partition: vec!["seller".to_owned()], clustering };
    let options = Options { keys: vec![key], ..Options::default() };
    let context = Context { concept: &of, workload: &workload, options: &options };
    let candidates = candidates_for(context, &workload.reads[0]);
    let shown: Vec<String> = candidates.iter().map(|candidate| marks(&candidate.table)).collect();
    assert_eq!(shown, ["K seller, C↑ status, C↓ id"]);
}

#[test]
fn rows_that_a_null_reference_loses_are_other_rows() {
    let mut of = auction();
    of.entities[1].references[0].nullable = true;
    let alone = read(&of, "items", "title", &["category = ?"], "");
    let joined = read(&of, "items i, users u", "i.title, u.name", &["i.category = ?"], "");
    let reads = vec![alone, joined];
    let (workload, options) = (Workload { reads, writes: Vec::new() }, Options::default());
    let context = Context { concept: &of, workload: &workload, options: &options };
    let all: Vec<CandidateTable> =
        workload.reads.iter().flat_map(|read| candidates_for(context, read)).collect();
    let united = merge_candidates(context, all.clone());
    assert_eq!(united.len(), all.len());
    assert_eq!(united[0].table.holds.sources.len(), 1);
    let last = united.last().unwrap();
    let filled = last.table_with(context, &BTreeSet::new());
    assert_eq!(
        filled.sources,
        [Some(SourceId::new(0)), Some(SourceId::new(1))],
        "the join restricts the rows"
    );
}

#[test]
fn a_table_for_reads_says_why_and_keeps_their_sources() {
    let of = auction();
    let alone = read(&of, "bids", "price", &["item = ?"], "at desc");
    let joined =
        read(&of, "users u, bids b", "b.price, u.name", &["u.id = ?", "b.item = ?"], "b.at desc");
    let reads = vec![alone, joined];
    let (workload, options) = (Workload { reads, writes: Vec::new() }, Options::default());
    let context = Context { concept: &of, workload: &workload, options: &options };
    let all = workload.reads.iter().flat_map(|read| candidates_for(context, read)).collect();
    let candidates = merge_candidates(context, all);
    let candidate = candidates
        .iter()
        .find(|candidate| marks(&candidate.table) == "K item, C↓ at, C↑ id")
        .unwrap();
    let served = |read: ReadId, sources: &[SourceId]| ServedRead {
        read,
        sources: sources.iter().map(|source| Some(*source)).collect(),
        part: ReadPart::Rows,
    };
    let [price, bidder] = [3, 2]
        .map(AttributeId::new)
        .map(|attribute| Column { source: SourceId::new(0), attribute });
    let serves = vec![
        served(ReadId::new(0), &[SourceId::new(0)]),
        served(ReadId::new(1), &[SourceId::new(1), SourceId::new(0)]),
    ];
    let columns = BTreeSet::from([price, bidder]);
    let table = candidate.clone().into_table(context, &columns, serves.clone());
    assert_eq!(marks(&table), "K item, C↓ at, C↑ id, bidder, price");
    assert_eq!(table.serves, serves);
    assert_eq!(table.holds.sources.len(), 2, "the second read speaks of users");
    let reads = |name: &str| -> Vec<Option<ReadId>> {
        table.column(name).unwrap().reasons.iter().map(|reason| reason.read).collect()
    };
    assert_eq!(reads("price"), [Some(ReadId::new(0)), Some(ReadId::new(1))]);
    assert_eq!(reads("bidder"), [Some(ReadId::new(1))]);
    let table = candidate.clone().into_table(
        context,
        &columns,
        vec![served(ReadId::new(0), &[SourceId::new(0)])],
    );
    assert_eq!(table.holds.sources.len(), 1);
    let key = table.column("item").unwrap();
    assert!(
        key.reasons.iter().all(|reason| reason.read == Some(ReadId::new(0))),
        "{:?}",
        key.reasons
    );
}

#[test]
fn a_partition_may_be_named_by_several_entities() {
    let of = auction();
    let conditions = ["u.region = ?", "i.category = ?", "i.ends >= ?"];
    let by = read(&of, "items i, users u", "i.title", &conditions, "");
    let all = read(&of, "items", "title", &["category = ?", "ends >= ?"], "");
    let local = read(&of, "items i, users u", "i.title", &["u.region = ?"], "");
    let candidates = candidate_marks(&of, vec![by, all, local]);
    assert_eq!(candidates[0][0], "K region, K category, C↑ ends, C↑ id");
    for expected in [
        "K category, C↑ region, C↑ ends, C↑ id",
        "K region, C↑ category, C↑ ends, C↑ id",
        "K region, K category, C↑ id",
        "K category, C↑ ends, C↑ id",
    ] {
        assert!(candidates[0].iter().any(|one| one == expected), "{expected}: {:?}", candidates[0]);
    }
    assert_eq!(candidates[1][0], "K category, C↑ ends, C↑ id");
}
