//! The frames of many reads, each once, with the sources of all that hold the same rows.

use std::collections::{BTreeMap, HashMap};

use model::concept::Concept;
use model::id::{Numbered, ReadId, SourceId};
use model::plan::{Derivation, Direction, Holds, PlannedTable, Role};
use model::workload::{Join, Source};

use super::Frame;
use crate::naming;
use crate::sharing::row_set::{Gist, Path, RowSet};
use crate::sharing::words::{Word, Words};
use crate::{Context, splitting};

/// What tells a frame from others.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum FrameKey {
    /// Rows of one maker: which, the partition key in any order, what clusters, and counters.
    OfOne {
        rows: usize,
        partition: Vec<Word>,
        clustering: Vec<(Word, Direction)>,
        counters: Vec<Word>,
    },
    /// Rows of several makers, or a key that the user wants: all of it.
    Other { holds: Holds, key: Vec<(Derivation, Role)>, forced: Option<Vec<ReadId>> },
}

/// The ways from a maker that are there for each of the same rows: the shorter first, each with the source at its end.
type Ways = BTreeMap<(usize, Path), Source>;

/// The frames of all reads given, each once; sources that one of them brings are given to all over the same rows.
pub(crate) fn united(context: Context<'_>, frames: Vec<Frame>) -> Vec<Frame> {
    let mut groups: BTreeMap<Gist, usize> = BTreeMap::new();
    let mut ways: Vec<Ways> = Vec::new();
    let mut sorted: Vec<(Frame, Option<(RowSet, usize)>)> = Vec::with_capacity(frames.len());
    for frame in frames {
        let rows = RowSet::new(context.concept, &frame.table.holds);
        let rows = rows.filter(|_| !splitting::is_forced(&frame.table)).map(|rows| {
            let gist = rows.gist(context.concept);
            let group = *groups.entry(gist).or_insert(ways.len());
            if group == ways.len() {
                ways.push(Ways::new());
            }
            collect(&mut ways[group], &frame.table, &rows);
            (rows, group)
        });
        sorted.push((frame, rows));
    }
    let mut words = Words::default();
    let mut kept: Vec<Frame> = Vec::new();
    let mut alike: HashMap<FrameKey, Vec<usize>> = HashMap::new();
    for (mut frame, rows) in sorted {
        if let Some((rows, group)) = &rows {
            add_sources(&mut frame.table, rows, &ways[*group]);
        }
        let key = key_of(&frame.table, rows.as_ref(), &mut words);
        let others = alike.entry(key).or_default();
        let same = others.iter().copied().find(|at| splits_alike(context, &kept[*at], &frame));
        if let Some(at) = same {
            explain(context.concept, &mut kept[at].table, &frame.table);
        } else {
            others.push(kept.len());
            kept.push(frame);
        }
    }
    kept
}

/// Adds the ways of a table that are there for every row.
fn collect(ways: &mut Ways, table: &PlannedTable, rows: &RowSet) {
    for (path, source) in rows.paths.iter().zip(&table.holds.sources) {
        ways.entry((path.len(), path.clone())).or_insert_with(|| source.clone());
    }
}

/// Adds the sources that others over the same rows lead to.
fn add_sources(table: &mut PlannedTable, rows: &RowSet, ways: &Ways) {
    let mut paths = rows.paths.clone();
    for ((_, path), source) in ways {
        if paths.contains(path) {
            continue;
        }
        let Some((reference, before)) = path.split_last() else { continue };
        let Some(with) = paths.iter().position(|other| other == before) else { continue };
        let taken = table.holds.sources.iter().map(|source| source.alias.clone()).collect();
        table.holds.sources.push(Source {
            entity: source.entity,
            alias: naming::unused_name(&taken, &source.alias),
            join: Some(Join { with: SourceId::new(with), reference: *reference, to_one: true }),
        });
        paths.push(path.clone());
    }
}

fn key_of(table: &PlannedTable, rows: Option<&(RowSet, usize)>, words: &mut Words) -> FrameKey {
    let Some((rows, group)) = rows else {
        let key = table.columns.iter().map(|column| (column.derivation.clone(), column.role));
        let reads: Vec<ReadId> = table.serves.iter().map(|served| served.read).collect();
        let forced = splitting::is_forced(table).then_some(reads);
        return FrameKey::Other { holds: table.holds.clone(), key: key.collect(), forced };
    };
    let mut partition = Vec::new();
    let mut clustering = Vec::new();
    let mut counters = Vec::new();
    for column in &table.columns {
        let word = words.of(&column.derivation, rows);
        match column.role {
            Role::Partition => partition.push(word),
            Role::Clustering(direction) => clustering.push((word, direction)),
            Role::Static | Role::Regular | Role::Counter => counters.push(word),
        }
    }
    partition.sort_unstable();
    counters.sort_unstable();
    FrameKey::OfOne { rows: *group, partition, clustering, counters }
}

/// Whether two frames that are otherwise the same are bucketed by the same time, or come to no split at all.
fn splits_alike(context: Context<'_>, one: &Frame, other: &Frame) -> bool {
    if one.table.bucket().is_some() || one.table.shards() > 1 {
        return true;
    }
    let time = |frame: &Frame| splitting::walked_time(context, &frame.table);
    let (first, second) = (time(one), time(other));
    let place = |time: Option<model::workload::Column>, frame: &Frame| {
        let of = time?;
        frame.table.holds.sources.at(of.source).map(|source| (source.entity, of.attribute))
    };
    place(first, one) == place(second, other)
        || !(one.could_be_split(context) || other.could_be_split(context))
}

/// Adds the reasons that another frame has for the same key.
fn explain(concept: &Concept, table: &mut PlannedTable, other: &PlannedTable) {
    let (Some(rows), Some(others)) =
        (RowSet::new(concept, &table.holds), RowSet::new(concept, &other.holds))
    else {
        return;
    };
    for column in &other.columns {
        let Some(same) = others.translated(&column.derivation, &rows.paths) else { continue };
        let there = table.columns.iter_mut().find(|one| one.derivation == same);
        let Some(there) = there else { continue };
        for reason in &column.reasons {
            if !there.reasons.contains(reason) {
                there.reasons.push(reason.clone());
            }
        }
    }
}
