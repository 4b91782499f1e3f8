//! Copies or lookups, by the rates alone.

use model::id::IdList;
use model::plan::{Design, NoteSubject, RateFlip};
use model::sql::ModelFile;

use super::{example, key, options, search_file};
use crate::prices::HELENUS;
use crate::{Options, SearchOptions};

const CHANGE: &str = "ChangeAge";

/// The groups of users, read and changed so often.
fn groups(reads: f64, changes: f64) -> ModelFile {
    let mut file = example("seeds/004_groups.sql");
    for read in &mut file.workload.reads {
        read.rate.value = reads;
    }
    for write in file.workload.writes.iter_mut().filter(|write| write.name == CHANGE) {
        write.rate.value = changes;
    }
    file
}

/// Whether a table of a group's users has what a change of a user changes.
fn has_copies(design: &Design) -> bool {
    design
        .tables
        .iter()
        .any(|table| key(table).starts_with("K groupname") && table.column("age").is_some())
}

/// Whether the users are looked up one by one.
fn has_lookups(design: &Design) -> bool {
    design.tables.iter().any(|table| key(table) == "K username" && table.column("age").is_some())
        && design.reads.iter().any(|plan| plan.steps.len() > 1)
}

#[test]
fn many_reads_make_copies_and_many_changes_make_lookups() {
    let (read_often, _) = search_file(&groups(1_000.0, 0.001), &options(&HELENUS, false));
    assert!(has_copies(&read_often) && !has_lookups(&read_often), "{:#?}", read_often.tables);
    let (changed_often, _) = search_file(&groups(0.001, 1_000.0), &options(&HELENUS, false));
    assert!(
        has_lookups(&changed_often) && !has_copies(&changed_often),
        "{:#?}",
        changed_often.tables
    );
}

#[test]
fn the_rate_at_which_it_flips_is_said() {
    let file = groups(1.0, 0.01);
    let (design, choice) = search_file(&file, &options(&HELENUS, true));
    assert!(has_copies(&design), "{:#?}", design.tables);
    let change = file.workload.writes.find_id(|write| write.name == CHANGE);
    let of_change =
        |flip: &&RateFlip| change.map(NoteSubject::Write) == Some(flip.about) && flip.at > flip.now;
    let flip = choice.flips.iter().find(of_change).unwrap_or_else(|| panic!("{:#?}", choice.flips));
    let keys = |changes: f64| {
        let (design, _) = search_file(&groups(1.0, changes), &options(&HELENUS, false));
        let mut keys: Vec<String> = design.tables.iter().map(key).collect();
        keys.sort();
        keys
    };
    let now = keys(0.01);
    assert_eq!(keys(flip.at * 0.99), now, "below {}", flip.at);
    assert_ne!(keys(flip.at * 1.01), now, "above {}", flip.at);
}

#[test]
fn a_copy_is_found_whatever_column_of_it_changes() {
    // `name` never changes: what maintaining `note` requires is known nevertheless.
    let file = super::read(
        "-- @rows 1M
        CREATE TABLE authors (author uuid PRIMARY KEY, name text NOT NULL, note text NOT NULL);
        -- @rows 10M
        CREATE TABLE books (book uuid PRIMARY KEY, author uuid NOT NULL REFERENCES authors,
          shelf text NOT NULL, -- @distinct 5k
          title text NOT NULL);
        -- name: Shelf :many
        -- @rate 100/s
        SELECT b.book, b.title, a.note FROM books b JOIN authors a ON a.author = b.author WHERE b.shelf = ?;
        -- name: Change :exec
        -- @rate 1/s
        UPDATE authors SET note = ? WHERE author = ?;",
    );
    let bounded = SearchOptions { tables_most: Some(100), ..options(&HELENUS, false).search };
    let (design, _) = search_file(&file, &Options { search: bounded, ..Options::default() });
    assert_eq!(design.reads[0].steps.len(), 1, "{:#?}", design.tables);
}
