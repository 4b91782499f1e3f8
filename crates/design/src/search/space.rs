//! The search space: candidate tables, and the reads that they are to answer.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::rc::Rc;

use model::id::{AttributeId, EntityId, IdList, ReadId, SourceId};
use model::plan::{Derivation, ReadPart};
use model::workload::{Column, Join, Limit, Output, Predicate, Read, SortColumn, WriteKind};

use super::views::{self, ViewBase};
use super::ways::{self, FurtherRead};
use crate::Context;
use crate::candidate::{self, CandidateId, CandidateTable, CompleteTable};
use crate::write_plan::upkeep::{self, RowRequirement, Upkeep};

/// The rounds of candidates for what writes must read: as deep as cascades are followed.
const SUPPORT_ROUNDS_MAX: usize = 8;

/// A read of the workload, or a part of one, that the program must satisfy.
#[derive(Clone, Debug)]
pub(super) struct ReadDemand {
    /// The read of the workload that it is, or is a part of.
    pub(super) of: ReadId,
    /// The read itself.
    pub(super) read: Read,
    /// For each of its sources the source of the workload's read, where it is one of them.
    pub(super) sources: Vec<Option<SourceId>>,
    /// How often it runs for each run of that read.
    pub(super) times: f64,
    /// The part of that read that it provides.
    pub(super) part: ReadPart,
}

impl ReadDemand {
    /// A read of the workload itself.
    pub(super) fn for_read(of: ReadId, read: &Read) -> Self {
        let sources = read.sources.ids().map(Some).collect();
        Self { of, read: read.clone(), sources, times: 1.0, part: ReadPart::Rows }
    }

    /// A further read as a part of this one.
    pub(super) fn part_demand(&self, further: &FurtherRead) -> Self {
        let outer = |source: &SourceId| self.sources.member(*source).copied().flatten();
        Self {
            of: self.of,
            read: further.read.clone(),
            sources: further.sources.iter().map(outer).collect(),
            times: self.times * further.times,
            part: further.part,
        }
    }

    /// Its identity: equal for parts of one read that return the same.
    pub(super) fn key(&self) -> ReadDemandKey {
        let Read { outputs, conditions, order, limit, group, sources, .. } = &self.read;
        ReadDemandKey {
            of: self.of,
            part: self.part,
            sources: self.sources.clone(),
            times: self.times.to_bits(),
            joins: sources.iter().map(|source| (source.entity, source.join)).collect(),
            outputs: outputs.clone(),
            tests: conditions.iter().map(|condition| condition.predicate.clone()).collect(),
            order: order.clone(),
            limit: *limit,
            group: group.clone(),
        }
    }
}

/// The identity of a [`ReadDemand`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct ReadDemandKey {
    of: ReadId,
    part: ReadPart,
    sources: Vec<Option<SourceId>>,
    /// The bits of how often it runs.
    times: u64,
    joins: Vec<(EntityId, Option<Join>)>,
    outputs: Vec<Output>,
    tests: Vec<Predicate>,
    order: Vec<SortColumn>,
    limit: Option<Limit>,
    group: Vec<Column>,
}

/// The candidate tables, with what is computed about each of them once.
pub(super) struct SearchSpace<'a> {
    pub(super) context: Context<'a>,
    pub(super) candidates: Vec<CandidateTable>,
    /// The candidates that the server maintains.
    pub(super) views: BTreeMap<CandidateId, ViewBase>,
    filled: BTreeMap<(CandidateId, Option<Column>), CandidateUpkeep>,
}

/// A candidate with at most one column beside its key, and its upkeep.
#[derive(Clone, Debug)]
pub(super) struct CandidateUpkeep {
    pub(super) filled: CompleteTable,
    /// `None` when a write cannot maintain it.
    pub(super) upkeep: Option<Vec<Upkeep>>,
}

impl<'a> SearchSpace<'a> {
    /// The candidates for these reads, for their parts, and for what writes must read to maintain
    /// them.
    ///
    /// What writes must read to maintain the candidates for writes is answered by the candidates
    /// there are; a further round adds one only for what none of them answers, such as the row of a
    /// table that a cascade reaches through another.
    pub(super) fn new(context: Context<'a>, reads: &[&Read]) -> Self {
        let mut candidates = Vec::new();
        for read in reads {
            candidates.extend(candidate::candidates_for(context, read));
            for further in ways::further_reads(context, read) {
                candidates.extend(candidate::candidates_for(context, &further.read));
            }
        }
        let mut space = Self {
            context,
            candidates: candidate::merge_candidates(context, candidates),
            views: BTreeMap::new(),
            filled: BTreeMap::new(),
        };
        for round in 0..SUPPORT_ROUNDS_MAX {
            let more = space.support_candidates(round > 0);
            if more.is_empty() {
                break;
            }
            let all = space.candidates.drain(..).chain(more).collect();
            space.candidates = candidate::merge_candidates(context, all);
            space.filled.clear();
        }
        space.candidates =
            candidate::separate_splits(context, std::mem::take(&mut space.candidates));
        if context.options.search.allow_views {
            for (candidate, view) in views::find_views(context, &space.candidates) {
                space.views.insert(space.candidates.next_id(), view);
                space.candidates.push(candidate);
            }
        }
        space
    }

    /// A candidate with at most one column beside its key.
    pub(super) fn candidate_upkeep(
        &mut self,
        candidate: CandidateId,
        column: Option<Column>,
    ) -> Option<&CandidateUpkeep> {
        let context = self.context;
        let table = self.candidates.member(candidate)?;
        let view = self.views.get(&candidate);
        let base = view.and_then(|view| {
            let base = self.candidates.member(view.base)?;
            Some(base.table_with(context, &view.base_columns(&column)).table)
        });
        Some(self.filled.entry((candidate, column)).or_insert_with(|| {
            let columns: BTreeSet<Column> = column.into_iter().collect();
            let filled = table.table_with(context, &columns);
            let upkeep = match base {
                Some(base) => upkeep::view_upkeep(context, base, filled.table.clone()),
                None => upkeep::table_upkeep(context, &filled.table, filled.memory.as_ref()),
            };
            CandidateUpkeep { filled, upkeep }
        }))
    }

    /// Whether a column is part of a candidate's key.
    pub(super) fn is_in_key(&self, candidate: CandidateId, column: Column) -> bool {
        let key = self
            .candidates
            .member(candidate)
            .into_iter()
            .flat_map(|candidate| &candidate.table.columns);
        let derivation = Derivation::Attribute(column);
        key.into_iter().any(|stored| stored.derivation == derivation)
    }

    /// The candidates that satisfy the requirements of writes: for the keys of all candidates, and
    /// for each column that one may have; with `unanswered_only`, of those that no candidate
    /// satisfies.
    fn support_candidates(&mut self, unanswered_only: bool) -> Vec<CandidateTable> {
        let mut seen = HashSet::new();
        let mut requirements: Vec<RowRequirement> = Vec::new();
        for requirement in upkeep::returning_requirements(self.context) {
            if seen.insert((requirement.write, Rc::clone(&requirement.key))) {
                requirements.push(requirement);
            }
        }
        for candidate in self.candidates.ids() {
            for column in [None].into_iter().chain(self.sample_columns(candidate)) {
                let Some(upkeep) =
                    self.candidate_upkeep(candidate, column).and_then(|kept| kept.upkeep.clone())
                else {
                    continue;
                };
                for requirement in upkeep.into_iter().flat_map(|upkeep| upkeep.requirements) {
                    if seen.insert((requirement.write, Rc::clone(&requirement.key))) {
                        requirements.push(requirement);
                    }
                }
            }
        }
        self.filled.clear();
        let context = self.context;
        if unanswered_only {
            requirements.retain(|requirement| {
                let mut candidates = self.candidates.iter();
                !candidates.any(|candidate| requirement.satisfy(context, candidate).is_some())
            });
        }
        let reads: Vec<Read> =
            requirements.iter().filter_map(|requirement| requirement.read(context)).collect();
        reads
            .iter()
            .flat_map(|read| candidate::candidates_for(context, read).into_iter().take(1))
            .collect()
    }

    /// For each source of a candidate one column, and one that each write to it changes: enough to
    /// learn what maintaining such columns requires.
    fn sample_columns(&self, candidate: CandidateId) -> Vec<Option<Column>> {
        let Some(candidate) = self.candidates.member(candidate) else { return Vec::new() };
        let mut columns = Vec::new();
        for (at, source) in candidate.table.holds.sources.enumerate_ids() {
            let Some(entity) = self.context.concept.entities.member(source.entity) else {
                continue;
            };
            let plain = |at: &AttributeId| {
                let known = entity.attributes.member(*at);
                !entity.primary_key().contains(at) && known.is_some_and(|one| !one.counter)
            };
            let writes = self.context.workload.writes.iter();
            let changed =
                writes.filter(|write| write.entity == source.entity).filter_map(|write| {
                    let WriteKind::Update(assignments, _) = &write.kind else { return None };
                    assignments.iter().map(|assignment| assignment.attribute).find(plain)
                });
            let mut wanted: Vec<AttributeId> = changed.collect();
            wanted.extend(entity.attributes.ids().find(plain));
            wanted.sort_unstable();
            wanted.dedup();
            let column = |attribute| Some(Column { source: at, attribute });
            columns.extend(wanted.into_iter().map(column));
        }
        columns
    }
}
