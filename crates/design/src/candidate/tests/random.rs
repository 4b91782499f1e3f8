//! Candidates of random models and reads: whatever they are, keys tell rows apart, and uniting and
//! filling keep that.

use std::collections::BTreeSet;

use model::id::{IdList, SourceId};
use model::plan::{ColumnRole, Derivation, PlannedTable};
use model::workload::{Column, Read, Workload};

use super::super::{CandidateTable, CompleteTable, candidates_for, merge_candidates};
use super::assert_candidate;
use crate::table_merge::tests::random::{Dice, model, random_read};
use crate::{Context, Options, mapping};

/// What every table must be.
fn assert_table(context: Context<'_>, table: &PlannedTable) {
    assert_eq!(mapping::find_collision(context.concept, table), None, "{table:#?}");
    let names: BTreeSet<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
    assert_eq!(names.len(), table.columns.len(), "two columns of one name in {table:#?}");
    let places: Vec<u8> = table.columns.iter().map(|column| column.role.rank()).collect();
    assert!(places.is_sorted(), "key, static, regular: {table:#?}");
    let statics = table.columns.iter().any(|column| column.role == ColumnRole::Static);
    assert!(!statics || table.clustering().next().is_some());
    let mut joined = table.holds.sources.enumerate_ids();
    assert!(joined.all(|(at, source)| match source.join {
        Some(join) => join.with < at,
        None => at == SourceId::new(0),
    }));
}

#[test]
fn keys_tell_rows_apart_whatever_is_stored() {
    let mut dice = Dice(11);
    let (mut made, mut left) = (0, 0);
    for _ in 0..60 {
        let concept = model(&mut dice);
        let reads: Vec<Read> = (0..6).map(|_| random_read(&concept, &mut dice)).collect();
        let (workload, options) = (Workload { reads, writes: Vec::new() }, Options::default());
        let context = Context { concept: &concept, workload: &workload, options: &options };
        let all: Vec<CandidateTable> =
            workload.reads.iter().flat_map(|read| candidates_for(context, read)).collect();
        made += all.len();
        let candidates = merge_candidates(context, all);
        left += candidates.len();
        for candidate in &candidates {
            assert_candidate(context, candidate);
            let sources = candidate.table.holds.sources.enumerate_ids();
            let all = sources.flat_map(|(source, of)| {
                let attributes = concept.entities[of.entity].attributes.ids();
                attributes.map(move |attribute| Column { source, attribute })
            });
            let some: BTreeSet<Column> = all.filter(|_| dice.roll(3) == 0).collect();
            let filled = candidate.table_with(context, &some);
            assert_table(context, &filled.table);
            for column in some {
                assert_stored(context, candidate, &filled, column);
            }
        }
    }
    assert!(made > 1_500 && left < made, "{made} candidates, {left} united");
}

/// A column that was asked for is in the table, if it can be.
fn assert_stored(
    context: Context<'_>,
    candidate: &CandidateTable,
    filled: &CompleteTable,
    column: Column,
) {
    let of = mapping::dependencies_of(context.concept, &candidate.table.holds);
    let attribute = &of.entity(column.source).attributes[column.attribute];
    if attribute.counter || mapping::is_too_large(attribute) || candidate.table.is_counter() {
        return;
    }
    let wanted = of.canonical_column(column);
    let source = filled.sources[wanted.source].unwrap();
    let derivation = Derivation::Attribute(Column { source, ..wanted });
    assert!(filled.table.columns.iter().any(|one| one.derivation == derivation));
}
