//! Which tables become one, and which do not.

pub(crate) mod random;

use model::concept::Concept;
use model::id::{IdList, ReadId, ReferenceId, SourceId};
use model::plan::{PlannedTable, ReadPart};
use model::workload::{Read, Workload};

use crate::sample::{column, concept, entity, key, marks, read, refers};
use crate::{Context, Options, mapping};

/// The tables of these reads, shared.
fn merge_reads(concept: &Concept, reads: Vec<Read>) -> Vec<PlannedTable> {
    let (workload, options) = (Workload { reads, writes: Vec::new() }, Options::default());
    let context = Context { concept, workload: &workload, options: &options };
    let mut tables = Vec::new();
    for (at, read) in workload.reads.enumerate_ids() {
        tables.extend(mapping::tables_for(context, read, Some(at), &mut Vec::new()).unwrap());
    }
    super::merge_tables(context, tables)
}

fn merge_marks(concept: &Concept, reads: Vec<Read>) -> Vec<String> {
    merge_reads(concept, reads).iter().map(marks).collect()
}

fn videos() -> Concept {
    let users = entity("users", "userid uuid, email text, name text");
    let users = key(users, &["userid", "email"]);
    let videos = entity(
        "videos",
        "videoid uuid, userid uuid, title text, status text, added timestamp, editor uuid?, views bigint, likes bigint",
    );
    let videos = refers(refers(videos, "userid", 0, &users), "editor", 0, &users);
    let mut concept = concept(vec![users, videos]);
    concept.entities[1].references[1].nullable = true;
    for counter in [6, 7] {
        concept.entities[1].attributes[counter].counter = true;
    }
    concept
}

#[test]
fn the_same_key_with_other_columns_is_one_table() {
    let of = videos();
    let one = read(&of, "users", "email", &["userid = ?"], "");
    let two = read(&of, "users u", "name", &["u.userid any ?"], "");
    let tables = merge_reads(&of, vec![one, two]);
    assert_eq!(tables.iter().map(marks).collect::<Vec<_>>(), ["K userid, email, name"]);
    assert_eq!(
        tables[0].serves.iter().map(|served| served.read).collect::<Vec<_>>(),
        [0, 1].map(ReadId::new)
    );
}

#[test]
fn an_order_serves_its_prefixes_and_its_reverse() {
    let of = videos();
    let ask = |order: &str| read(&of, "videos", "title", &["userid = ?"], order);
    for reads in [
        vec![ask("added desc"), ask("")],
        vec![ask(""), ask("added desc")],
        vec![ask("added desc"), ask("added")],
        vec![ask("added desc"), ask("added desc, videoid")],
    ] {
        assert_eq!(merge_marks(&of, reads), ["K userid, C↓ added, C↑ videoid, title"]);
    }
    let paging = vec![ask("added desc, videoid desc"), ask("added"), ask("added, videoid")];
    assert_eq!(merge_marks(&of, paging), ["K userid, C↓ added, C↓ videoid, title"]);
    let mixed = vec![ask("added desc, videoid desc"), ask("added, videoid desc")];
    assert_eq!(merge_marks(&of, mixed).len(), 2, "neither as stored nor reversed");
    assert_eq!(merge_marks(&of, vec![ask("added desc"), ask("title")]).len(), 2);
}

#[test]
fn a_range_without_an_order_takes_either_direction() {
    let of = videos();
    let newest = read(&of, "videos", "title", &["userid = ?"], "added desc");
    let since = read(&of, "videos", "title", &["userid = ?", "added > ?"], "");
    assert_eq!(merge_marks(&of, vec![since, newest]), ["K userid, C↓ added, C↑ videoid, title"]);
}

#[test]
fn other_rows_are_another_table() {
    let of = videos();
    let all = read(&of, "videos", "title", &["userid = ?"], "");
    let open = read(&of, "videos", "title", &["userid = ?", "status = 'open'"], "");
    let by_status = read(&of, "videos", "title", &["userid = ?", "status = ?"], "");
    assert_eq!(merge_marks(&of, vec![all, open.clone(), by_status]).len(), 3);
    assert_eq!(merge_marks(&of, vec![open.clone(), open]).len(), 1);
}

#[test]
fn a_join_that_loses_no_row_serves_the_read_without_it() {
    let of = videos();
    let alone = read(&of, "videos", "title", &["userid = ?"], "added desc");
    let joined =
        read(&of, "users u, videos v", "v.title, u.name", &["u.userid = ?"], "v.added desc");
    let expected = "K userid, C↓ added, C↑ videoid, S user_name, title";
    let tables = merge_reads(&of, vec![alone.clone(), joined.clone()]);
    assert_eq!(tables.iter().map(marks).collect::<Vec<_>>(), [expected]);
    assert_eq!(tables[0].holds.sources.len(), 2);
    assert_eq!(tables[0].serves[0].sources, [Some(SourceId::new(0))]);
    assert_eq!(
        tables[0].serves[1].sources,
        [Some(SourceId::new(1)), Some(SourceId::new(0))],
        "users, then videos"
    );
    let tables = merge_reads(&of, vec![joined, alone]);
    assert_eq!(tables.iter().map(marks).collect::<Vec<_>>(), [expected]);
    assert_eq!(tables[0].serves[1].sources, [Some(SourceId::new(1))]);
}

#[test]
fn a_join_that_loses_rows_does_not() {
    let of = videos();
    let alone = read(&of, "videos", "title", &["userid = ?"], "");
    let mut joined = read(&of, "videos v, users u", "v.title, u.name", &["v.userid = ?"], "");
    joined.sources[1].join.as_mut().unwrap().reference = ReferenceId::new(1);
    assert_eq!(merge_marks(&of, vec![alone, joined]).len(), 2, "a video may have no editor");
}

#[test]
fn a_table_of_one_row_has_no_statics() {
    let of = videos();
    let joined = read(&of, "videos v, users u", "v.title, u.name", &["v.videoid = ?"], "");
    let alone = read(&of, "videos", "title, added", &["videoid = ?"], "");
    assert_eq!(merge_marks(&of, vec![joined, alone]), ["K videoid, title, added, user_name"]);
}

#[test]
fn counters_share_with_counters_only() {
    let of = videos();
    let plain = read(&of, "videos", "title", &["videoid = ?"], "");
    let views = read(&of, "videos", "views", &["videoid = ?"], "");
    let both = read(&of, "videos", "title, likes", &["videoid = ?"], "");
    let tables = merge_reads(&of, vec![plain, views, both]);
    assert_eq!(
        tables.iter().map(marks).collect::<Vec<_>>(),
        ["K videoid, title", "K videoid, ++views, ++likes"]
    );
    let parts: Vec<_> = tables[1].serves.iter().map(|one| (one.read, one.part)).collect();
    assert_eq!(parts, [(ReadId::new(1), ReadPart::Rows), (ReadId::new(2), ReadPart::Counters)]);
}

#[test]
fn counts_of_the_same_groups_share() {
    let of = videos();
    let count = |group: &[&str]| {
        let mut count = read(&of, "videos", "count(*)", &["userid = ?"], "");
        count.group = group.iter().map(|name| column(&of, &count.sources, name)).collect();
        count
    };
    assert_eq!(
        merge_marks(&of, vec![count(&["status"]), count(&["status"])]),
        ["K userid, C↑ status, ++video_count"]
    );
    assert_eq!(
        merge_marks(&of, vec![count(&[]), count(&["status"])]).len(),
        2,
        "a count is not added up from those of its groups"
    );
}

#[test]
fn an_order_by_what_may_be_null_loses_no_rows_of_others() {
    let of = videos();
    let all = read(&of, "videos", "title", &["userid = ?"], "");
    let ordered = read(&of, "videos", "title", &["userid = ?"], "editor");
    assert_eq!(merge_marks(&of, vec![all, ordered.clone()]).len(), 2);
    assert_eq!(merge_marks(&of, vec![ordered.clone(), ordered]).len(), 1);
}

#[test]
fn a_narrow_table_is_not_split_for_a_wide_one() {
    let mut of = videos();
    // A user has 10 videos on average and 1,000 at most; with a script of 1 MB each, that is 1 GB.
    of.entities[1].attributes[3].bytes.value = 1e6;
    let titles = read(&of, "videos", "title", &["userid = ?"], "");
    let scripts = read(&of, "videos", "status", &["userid = ?"], "");
    assert_eq!(
        merge_marks(&of, vec![titles, scripts]),
        ["K userid, C↑ videoid, title", "K userid, C↑ videoid, status"]
    );
}
