//! The tables of a solution, with what each serves.

use std::collections::{BTreeMap, BTreeSet};

use model::id::{IdList, ReadId, SourceId, TableId, WriteId};
use model::plan::{PlannedTable, ReadPart, ServedRead};
use model::workload::Column;

use super::program::{DemandKind, SearchProgram, WayKind};
use super::space::{ReadDemand, SearchSpace};
use super::{views, ways};
use crate::candidate::CandidateId;
use solver::Solution;

/// What a solution uses of a candidate.
#[derive(Clone, Debug, Default)]
pub(super) struct CandidateUse {
    pub(super) columns: BTreeSet<Column>,
    pub(super) serves: Vec<ServedRead>,
    pub(super) supports: BTreeSet<WriteId>,
    pub(super) indexes: BTreeMap<Column, Vec<(ReadId, ReadPart)>>,
}

/// What a solution uses of each candidate.
pub(super) fn candidate_uses(
    space: &SearchSpace<'_>,
    built: &SearchProgram,
    solution: &Solution,
) -> BTreeMap<CandidateId, CandidateUse> {
    let mut candidates: BTreeMap<CandidateId, CandidateUse> = BTreeMap::new();
    for (kind, way) in built.demands.iter().zip(&solution.ways) {
        let Some(way) = *way else { continue };
        match kind {
            DemandKind::Read(read_demand, taken) => {
                let Some(main) = taken.member(way).and_then(|taken| taken.main.as_ref()) else {
                    continue;
                };
                let chosen = candidates.entry(main.candidate).or_default();
                chosen.columns.extend(&main.columns);
                let served = to_served(space, read_demand, &main.sources);
                if let Some(index) = main.index {
                    chosen.indexes.entry(index).or_default().push((served.read, served.part));
                }
                if !chosen.serves.contains(&served) {
                    chosen.serves.push(served);
                }
            }
            DemandKind::Requirement(requirement, taken) => {
                let Some(main) = taken.member(way).and_then(|taken: &WayKind| taken.main.as_ref())
                else {
                    continue;
                };
                let chosen = candidates.entry(main.candidate).or_default();
                chosen.columns.extend(&main.columns);
                chosen.supports.insert(requirement.write);
            }
            DemandKind::Never => {}
        }
    }
    // A base must store what its view does.
    for (candidate, view) in &space.views {
        let Some(columns) = candidates.get(candidate).map(|chosen| chosen.columns.clone()) else {
            continue;
        };
        candidates.entry(view.base).or_default().columns.extend(view.base_columns(&columns));
    }
    candidates
}

/// What a candidate serves of a read of the workload.
fn to_served(
    space: &SearchSpace<'_>,
    read_demand: &ReadDemand,
    sources: &[Option<SourceId>],
) -> ServedRead {
    let workload = space.context.workload;
    let count = workload.reads.member(read_demand.of).map_or(0, |read| read.sources.len());
    let mut all = vec![None; count];
    for (outer, candidate) in read_demand.sources.iter().zip(sources) {
        if let Some(slot) = outer.and_then(|outer| all.member_mut(outer)) {
            *slot = *candidate;
        }
    }
    ServedRead { read: read_demand.of, sources: all, part: read_demand.part }
}

/// The tables, those of the reads first and in their order.
pub(super) fn build_tables(
    space: &SearchSpace<'_>,
    candidates: BTreeMap<CandidateId, CandidateUse>,
) -> Vec<PlannedTable> {
    let mut tables: Vec<(CandidateId, Vec<Option<SourceId>>, PlannedTable)> = Vec::new();
    for (at, mut chosen) in candidates {
        let Some(candidate) = space.candidates.member(at) else { continue };
        chosen.serves.sort_by_key(|served| (served.read, served.part));
        let filled = candidate.table_serving(space.context, &chosen.columns, &chosen.serves);
        let supports = if chosen.serves.is_empty() { chosen.supports } else { BTreeSet::new() };
        let mut table = candidate.clone().into_table(space.context, &chosen.columns, chosen.serves);
        table.supports = supports.into_iter().collect();
        for index in chosen.indexes {
            table.indexes.extend(ways::index_on(space.context, &table, &filled.sources, index));
        }
        tables.push((at, filled.sources, table));
    }
    tables.sort_by_key(|(.., table)| {
        let first = |served: &ServedRead| (served.part != ReadPart::Rows, served.read);
        let first = table.serves.iter().map(first).min();
        // Tables that serve no read come last.
        (first.is_none(), first)
    });
    for at in 0..tables.len() {
        let Some(view) = space.views.get(&tables[at].0) else { continue };
        let Some(base) = tables.iter().position(|(candidate, ..)| *candidate == view.base) else {
            continue;
        };
        let (_, sources, base_table) = tables[base].clone();
        let source = view.source_in(&sources);
        let table = &mut tables[at].2;
        table.view_of = Some(TableId::new(base));
        views::name_as_in_base(table, &base_table, source);
    }
    tables.into_iter().map(|(.., table)| table).collect()
}
