//! The ways to answer a read from one candidate: directly, or with lookups of what the candidate
//! does not store.

use std::collections::BTreeSet;

use model::dependency::Dependencies;
use model::id::{IdList, SourceId};
use model::plan::{ClientStep, ReadPart, ReadPlan};
use model::workload::{Column, Read};

use super::column_needs::{self, ColumnNeeds};
use super::fit::{self, SourceMapping};
use super::lookups::{self, LookupUnit};
use super::main_step::{self, MainStepPlan};
use super::{FurtherRead, ReadWay, index_ways};
use crate::Context;
use crate::candidate::{CandidateId, CandidateTable};
use crate::read_plan::columns::ReadView;
use crate::read_plan::price;

/// A way, and whether it reads more partitions than the limit (or more rows that the client drops), or
/// more buckets than are requested at once.
pub(super) struct WayCandidate {
    pub(super) way: ReadWay,
    pub(super) scan: bool,
    pub(super) long_walk: bool,
}

/// A read and a candidate that has its rows.
pub(super) struct CandidateRead<'a> {
    pub(super) context: Context<'a>,
    pub(super) at: CandidateId,
    pub(super) candidate: &'a CandidateTable,
    pub(super) view: ReadView<'a>,
    pub(super) dependencies: Dependencies<'a>,
    pub(super) needs: ColumnNeeds,
    /// The column of the candidate by whose index rows are found.
    pub(super) index: Option<Column>,
}

/// The ways to answer a read from a candidate. `variants`: what can be left out and looked up.
pub(super) fn find_ways(
    context: Context<'_>,
    (at, candidate): (CandidateId, &CandidateTable),
    read: &Read,
    variants: &[Vec<LookupUnit>],
) -> Vec<WayCandidate> {
    let Some(places) = fit::map_sources(context.concept, &candidate.table, read) else {
        return Vec::new();
    };
    let view = ReadView::for_candidate(context.concept, &candidate.table, read, &places);
    let Some(needs) = ColumnNeeds::from_view(view) else { return Vec::new() };
    let dependencies = Dependencies::new(context.concept, &candidate.table.holds.sources);
    CandidateRead { context, at, candidate, view, dependencies, needs, index: None }
        .find_ways(variants)
}

/// What is looked up, and its columns.
type LookupColumns = (LookupUnit, BTreeSet<Column>);

impl CandidateRead<'_> {
    /// The direct way, and one for each variant that leaves something out.
    pub(super) fn find_ways(&self, variants: &[Vec<LookupUnit>]) -> Vec<WayCandidate> {
        let mut found: Vec<WayCandidate> = self.way(&[]).into_iter().collect();
        let mut seen = BTreeSet::new();
        for variant in variants {
            let left: Vec<_> = self.lookup_columns(variant);
            // With nothing left out it is the direct way again.
            if left.is_empty() || !seen.insert(left.clone()) {
                continue;
            }
            found.extend(self.way(&left));
        }
        found
    }

    /// The parts of a variant that the candidate need not store.
    fn lookup_columns(&self, variant: &[LookupUnit]) -> Vec<LookupColumns> {
        let with_columns = variant.iter().map(|unit| {
            let key: Vec<Column> =
                self.key(unit).iter().map(|one| self.view.canonical_in_read(*one)).collect();
            let within = |column: &&Column| {
                unit.members.contains(&column.source)
                    && !key.contains(&self.view.canonical_in_read(**column))
            };
            let columns: BTreeSet<Column> =
                self.needs.shown.iter().filter(within).copied().collect();
            (unit.clone(), columns)
        });
        with_columns.filter(|(_, columns)| !columns.is_empty()).collect()
    }

    fn key(&self, unit: &LookupUnit) -> Vec<Column> {
        lookups::lookup_key(self.context, self.view.read, unit.root)
    }

    /// The way in which `left` is looked up and everything else is read from the candidate.
    fn way(&self, left: &[LookupColumns]) -> Option<WayCandidate> {
        let view = self.view;
        let apart = self.counters();
        let gone = |column: &Column| left.iter().any(|(_, columns)| columns.contains(column));
        let kept: Vec<Column> =
            self.needs.shown.iter().filter(|column| !gone(column)).copied().collect();
        let keys = left.iter().chain(&apart).flat_map(|(unit, _)| self.key(unit));
        let fixed = |column: &Column| view.is_one_value(*column);
        let keys: Vec<Column> = keys.filter(|column| !fixed(column)).collect();
        let needed = self.needs.used.iter().chain(&kept).chain(&keys);
        let mut columns = BTreeSet::new();
        for column in needed.filter(|column| !column_needs::is_in_key(view, **column)) {
            columns.insert(column_needs::candidate_column(view, &self.dependencies, *column)?);
        }
        columns.extend(self.index);
        let sources = self.sources(left, &kept)?;
        let wanted = main_step::CandidateNeeds { sources, columns, index: self.index };
        let tried =
            main_step::plan_main_step(self.context, (self.at, self.candidate), view.read, wanted)?;
        self.complete_way(left, &apart, tried)
    }

    /// The counters that are looked up, by source.
    fn counters(&self) -> Vec<LookupColumns> {
        let sources: BTreeSet<SourceId> =
            self.needs.counters.iter().map(|column| column.source).collect();
        let of = |root: SourceId| {
            let within = |column: &&Column| column.source == root;
            let columns = self.needs.counters.iter().filter(within).copied().collect();
            (LookupUnit { root, members: vec![root] }, columns)
        };
        sources.into_iter().map(of).collect()
    }

    /// For each source of the read that of the candidate, where something of it is read there;
    /// `None` where the candidate lacks a source without whose row there is none, and it is not
    /// looked up.
    fn sources(&self, left: &[LookupColumns], kept: &[Column]) -> Option<SourceMapping> {
        let view = self.view;
        let read = view.read;
        let mut used: BTreeSet<SourceId> =
            self.needs.used.iter().chain(kept).map(|column| column.source).collect();
        let conditions = read.conditions.iter().flat_map(|condition| condition.predicate.columns());
        used.extend(conditions.map(|column| column.source));
        used.extend(read.order.iter().map(|ordering| ordering.column.source));
        let mut places = view.sources.to_vec();
        for (at, place) in places.enumerate_ids_mut() {
            let looked_up = left.iter().any(|(unit, _)| unit.members.contains(&at));
            let leads =
                || lookups::reachable_sources(read, at).iter().any(|other| used.contains(other));
            if place.is_none() {
                if view.can_be_absent(at) && !looked_up {
                    return None;
                }
            } else if looked_up && !view.can_be_absent(at) && !leads() {
                *place = None;
            }
        }
        // The sources that make the rows are needed whatever is looked up.
        for maker in fit::makers(&read.sources) {
            places[maker] = view.sources[maker];
        }
        Some(places)
    }

    /// The number of rows for which something is looked up. Where a looked-up row may be absent and
    /// thereby removes a result row, the limit can only be applied after the lookups.
    fn rows_at_lookups(&self, left: &[LookupColumns], plan: &ReadPlan) -> f64 {
        let view = self.view;
        let looked_up = |at: &SourceId| left.iter().any(|(unit, _)| unit.members.contains(at));
        let lacks = |at: &SourceId| view.sources.member(*at).copied().flatten().is_none();
        let mut sources = view.read.sources.ids();
        if !sources.any(|at| looked_up(&at) && lacks(&at) && view.can_be_absent(at)) {
            return price::rows_returned(self.context, view.read, plan);
        }
        let mut plan = plan.clone();
        plan.client.retain(|step| matches!(step, ClientStep::Filter(_)));
        price::rows_returned(self.context, view.read, &plan)
    }

    /// Completes a way with its lookups.
    fn complete_way(
        &self,
        left: &[LookupColumns],
        apart: &[LookupColumns],
        tried: MainStepPlan,
    ) -> Option<WayCandidate> {
        let view = self.view;
        let rows = self.rows_at_lookups(left, &tried.plan);
        let mut further: Vec<FurtherRead> = Vec::new();
        let parts = left.iter().map(|one| (one, ReadPart::Columns));
        for ((unit, columns), part) in
            parts.chain(apart.iter().map(|one| (one, ReadPart::Counters)))
        {
            let once = self.key(unit).iter().all(|column| view.is_one_value(*column));
            let times = if once { 1.0 } else { rows };
            let found =
                lookups::lookup_read(self.context, view.read, unit, columns, (part, times))?;
            further.push(found);
        }
        let mut words = describe_lookups(self.context, &further);
        if let Some(index) = self.index {
            words = index_ways::describe_way(&self.dependencies, index, &words);
        }
        Some(WayCandidate {
            way: ReadWay { main: Some(tried.main), further, words },
            scan: tried.scan,
            long_walk: tried.long_walk,
        })
    }
}

/// The description of a way.
fn describe_lookups(context: Context<'_>, further: &[FurtherRead]) -> String {
    if further.is_empty() {
        return "one table".to_owned();
    }
    let named = further.iter().map(|further| {
        let entity = further.read.sources.first().map(|source| source.entity);
        let entity = entity.and_then(|entity| context.concept.entities.member(entity));
        let name = entity.map_or("", |entity| &entity.name);
        let lookups = if further.times > 1.0 { "lookups" } else { "lookup" };
        format!(
            "{} {lookups} of {name}",
            model::figures::format_count(further.times.max(1.0).round())
        )
    });
    format!("index table and {}", named.collect::<Vec<_>>().join(", "))
}
