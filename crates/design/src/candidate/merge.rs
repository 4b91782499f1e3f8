//! The candidates of many reads, each once, with the sources of all that hold the same rows.

use std::collections::{BTreeMap, HashMap};

use model::concept::Concept;
use model::id::{IdList, ReadId, SourceId};
use model::plan::{ColumnRole, Derivation, Direction, PlannedTable, RowDefinition};
use model::workload::{Join, Source};

use super::CandidateTable;
use super::column_splits::all_columns;
use crate::naming;
use crate::table_merge::key_part::{KeyPart, KeyPartInterner};
use crate::table_merge::row_set::{ReferencePath, RowSet, RowSetKey};
use crate::{Context, partition_split};

/// The identity of a candidate.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum CandidateKey {
    /// Rows of one maker: which, the partition key in any order, what clusters, and counters.
    OneMaker {
        rows: usize,
        partition: Vec<KeyPart>,
        clustering: Vec<(KeyPart, Direction)>,
        counters: Vec<KeyPart>,
    },
    /// Rows of several makers, or a key that the user forces: all of it.
    Other { holds: RowDefinition, key: Vec<(Derivation, ColumnRole)>, forced: Option<Vec<ReadId>> },
}

/// The paths of references from a maker that exist for each of the same rows: the shorter first,
/// each with the source at its end.
type SourcePaths = BTreeMap<(usize, ReferencePath), Source>;

/// The candidates of all reads given, each once; sources that one of them brings are given to all
/// over the same rows.
pub(crate) fn merge_candidates(
    context: Context<'_>,
    candidates: Vec<CandidateTable>,
) -> Vec<CandidateTable> {
    let mut groups: BTreeMap<RowSetKey, usize> = BTreeMap::new();
    let mut ways: Vec<SourcePaths> = Vec::new();
    let mut sorted: Vec<(CandidateTable, Option<(RowSet, usize)>)> =
        Vec::with_capacity(candidates.len());
    for candidate in candidates {
        let rows = RowSet::new(context.concept, &candidate.table.holds);
        let rows = rows.filter(|_| !partition_split::is_forced(&candidate.table)).map(|rows| {
            let gist = rows.key(context.concept);
            let group = *groups.entry(gist).or_insert(ways.len());
            if group == ways.len() {
                ways.push(SourcePaths::new());
            }
            collect(&mut ways[group], &candidate.table, &rows);
            (rows, group)
        });
        sorted.push((candidate, rows));
    }
    let mut words = KeyPartInterner::default();
    let mut kept: Vec<CandidateTable> = Vec::new();
    let mut alike: HashMap<CandidateKey, Vec<usize>> = HashMap::new();
    for (mut candidate, rows) in sorted {
        if let Some((rows, group)) = &rows {
            add_sources(&mut candidate.table, rows, &ways[*group]);
        }
        let key = candidate_key(&candidate.table, rows.as_ref(), &mut words);
        let others = alike.entry(key).or_default();
        let same =
            others.iter().copied().find(|at| has_same_split(context, &kept[*at], &candidate));
        if let Some(at) = same {
            explain(context.concept, &mut kept[at].table, &candidate.table);
        } else {
            others.push(kept.len());
            kept.push(candidate);
        }
    }
    kept
}

/// Adds the paths of a table that exist for every row.
fn collect(ways: &mut SourcePaths, table: &PlannedTable, rows: &RowSet) {
    for (path, source) in rows.paths.iter().zip(&table.holds.sources) {
        ways.entry((path.len(), path.clone())).or_insert_with(|| source.clone());
    }
}

/// Adds the sources that others over the same rows lead to.
fn add_sources(table: &mut PlannedTable, rows: &RowSet, ways: &SourcePaths) {
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
            alias: naming::free_name(&taken, &source.alias),
            join: Some(Join {
                with: SourceId::new(with),
                reference: *reference,
                to_one: true,
                optional: source.is_optional(),
            }),
        });
        paths.push(path.clone());
    }
}

fn candidate_key(
    table: &PlannedTable,
    rows: Option<&(RowSet, usize)>,
    words: &mut KeyPartInterner,
) -> CandidateKey {
    let Some((rows, group)) = rows else {
        let key = table.columns.iter().map(|column| (column.derivation.clone(), column.role));
        let reads: Vec<ReadId> = table.serves.iter().map(|served| served.read).collect();
        let forced = partition_split::is_forced(table).then_some(reads);
        return CandidateKey::Other { holds: table.holds.clone(), key: key.collect(), forced };
    };
    let mut partition = Vec::new();
    let mut clustering = Vec::new();
    let mut counters = Vec::new();
    for column in &table.columns {
        let word = words.intern(&column.derivation, rows);
        match column.role {
            ColumnRole::Partition => partition.push(word),
            ColumnRole::Clustering(direction) => clustering.push((word, direction)),
            ColumnRole::Static | ColumnRole::Regular | ColumnRole::Counter => counters.push(word),
        }
    }
    partition.sort_unstable();
    counters.sort_unstable();
    CandidateKey::OneMaker { rows: *group, partition, clustering, counters }
}

/// Whether two candidates that are equal otherwise are bucketed by the same time and remember their
/// oldest bucket alike, or are not split at all.
fn has_same_split(context: Context<'_>, one: &CandidateTable, other: &CandidateTable) -> bool {
    let is_split = one.table.bucket().is_some() || one.table.shards() > 1;
    let time = |candidate: &CandidateTable| partition_split::bucket_time(context, &candidate.table);
    let (first, second) = (time(one), time(other));
    let place = |time: Option<model::workload::Column>, candidate: &CandidateTable| {
        let of = time?;
        candidate.table.holds.sources.member(of.source).map(|source| (source.entity, of.attribute))
    };
    let is_same_time = || is_split || place(first, one) == place(second, other);
    let remembers = |candidate: &CandidateTable| {
        let columns = all_columns(context, &candidate.table);
        candidate.table_with(context, &columns).memory.is_some()
    };
    (is_same_time() && remembers(one) == remembers(other))
        || !(one.can_be_split(context) || other.can_be_split(context))
}

/// Adds the reasons that another candidate has for the same key.
fn explain(concept: &Concept, table: &mut PlannedTable, other: &PlannedTable) {
    let (Some(rows), Some(others)) =
        (RowSet::new(concept, &table.holds), RowSet::new(concept, &other.holds))
    else {
        return;
    };
    for column in &other.columns {
        let Some(same) = others.translate(&column.derivation, &rows.paths) else { continue };
        let there = table.columns.iter_mut().find(|one| one.derivation == same);
        let Some(there) = there else { continue };
        for reason in &column.reasons {
            if !there.reasons.contains(reason) {
                there.reasons.push(reason.clone());
            }
        }
    }
}
