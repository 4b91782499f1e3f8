//! Builds the integer program of a search space.
//!
//! Items and demands refer to one another without end (a column needs a read before a write, which
//! needs a column of another candidate, ...), so the program is built from a work list: an item or
//! demand is created once when first referred to, and its costs and ways are filled in later.
//!
//! A column is priced by itself, as the difference to the candidate with its key alone. That is
//! exact for bytes, which add up. Statements do not: two columns that the same write changes need
//! one statement. They become a shared item ([`ItemKind::ExtraWrite`]) that both columns need.

use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

use model::id::{IdList, ReadId, WriteId};
use model::plan::Effort;
use model::workload::{Column, Read};

use super::rate_dependent_cost::{RateDependentCost, RateId, Rates};
use super::space::{ReadDemand, ReadDemandKey, SearchSpace};
use super::ways::{self, MainCandidate};
use crate::candidate::CandidateId;
use crate::cost;
use crate::write_plan::upkeep::{self, RequestKey, RowRequirement, Upkeep};
use solver::{Demand, DemandId, IdVec, Item, ItemId, Program, Solution, Way, WayId};

/// A program, and what its items, demands and ways stand for.
pub(super) struct SearchProgram {
    /// Without costs: `with_rates` fills them in from the terms.
    program: Program,
    item_terms: IdVec<ItemId, RateDependentCost>,
    way_terms: IdVec<DemandId, IdVec<WayId, RateDependentCost>>,
    pub(super) item_kinds: IdVec<ItemId, ItemKind>,
    pub(super) demands: IdVec<DemandId, DemandKind>,
    /// Ways that violate a limit: the read, the way, and the violation.
    pub(super) exclusions: Vec<(ReadId, WayKind, String)>,
}

/// What an item stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ItemKind {
    /// A candidate table with its key alone.
    Candidate(CandidateId),
    /// A column of it.
    Column(CandidateId, Column),
    /// An index on that column.
    Index(CandidateId, Column),
    /// Statements of a write on a candidate that are caused by its columns, not by its key.
    ExtraWrite(WriteId, CandidateId),
    /// A read of a candidate before a write.
    Support(WriteId, CandidateId),
}

/// What a demand stands for.
#[derive(Clone, Debug)]
pub(super) enum DemandKind {
    /// A read or a part of one, with its ways.
    Read(Box<ReadDemand>, IdVec<WayId, WayKind>),
    /// Rows that a write must read first, with its ways.
    Requirement(Box<RowRequirement>, IdVec<WayId, WayKind>),
    /// Something impossible, which has no ways: whatever raises it cannot be selected.
    Never,
}

/// What a way stands for.
#[derive(Clone, Debug)]
pub(super) struct WayKind {
    /// The candidate and its columns that are read; `None` where further reads do everything.
    pub(super) main: Option<MainCandidate>,
    /// A description for reports.
    pub(super) words: String,
}

impl SearchProgram {
    /// The program at these rates.
    pub(super) fn with_rates(&self, rates: &Rates) -> Program {
        let mut program = self.program.clone();
        for (item, terms) in program.items.iter_mut().zip(&self.item_terms) {
            item.cost = terms.evaluate(rates);
        }
        for (demand, terms) in program.demands.iter_mut().zip(&self.way_terms) {
            for (way, terms) in demand.ways.iter_mut().zip(terms) {
                way.cost = terms.evaluate(rates);
            }
        }
        program
    }

    /// How much the cost of a solution grows with the rate of a read or write.
    pub(super) fn slope(&self, of: RateId, solution: &Solution) -> f64 {
        let selected =
            self.item_terms.iter().zip(&solution.items).filter(|(_, selected)| **selected);
        let items: f64 = selected.map(|(terms, _)| terms.slope(of)).sum();
        let taken = self.way_terms.iter().zip(&solution.ways);
        let taken = taken.filter_map(|(terms, way)| terms.member((*way)?));
        items + taken.map(|terms| terms.slope(of)).sum::<f64>()
    }

    /// Releases the reads that no way answers, so that the program stays feasible; returns them.
    /// For what writes read for their results, a table is added later.
    pub(super) fn release_unanswered(&mut self) -> Vec<ReadId> {
        let mut left = Vec::new();
        for (demand, kind) in self.program.demands.iter_mut().zip(&self.demands) {
            if !demand.always || !demand.ways.is_empty() {
                continue;
            }
            demand.always = false;
            if let DemandKind::Read(read_demand, _) = kind {
                left.push(read_demand.of);
            }
        }
        left
    }

    /// The item of a candidate.
    pub(super) fn candidate_item(&self, candidate: CandidateId) -> Option<ItemId> {
        self.item_kinds.find_id(|kind| *kind == ItemKind::Candidate(candidate))
    }

    /// The number of candidates and of ways.
    pub(super) fn counts(&self) -> (usize, usize) {
        let candidates =
            self.item_kinds.iter().filter(|kind| matches!(kind, ItemKind::Candidate(_))).count();
        (candidates, self.program.demands.iter().map(|demand| demand.ways.len()).sum())
    }
}

/// Builds the program for the reads at these positions of the workload.
pub(super) fn build(space: &mut SearchSpace<'_>, reads: &[ReadId]) -> SearchProgram {
    let mut builder = ProgramBuilder {
        space,
        built: SearchProgram {
            program: Program::default(),
            item_terms: IdVec::new(),
            way_terms: IdVec::new(),
            item_kinds: IdVec::new(),
            demands: IdVec::new(),
            exclusions: Vec::new(),
        },
        items: HashMap::new(),
        read_demands: HashMap::new(),
        requirements: HashMap::new(),
        open: VecDeque::new(),
    };
    for at in reads {
        let Some(read) = builder.space.context.workload.reads.member(*at) else { continue };
        let demand = builder.read_demand(ReadDemand::for_read(*at, read), 0);
        builder.built.program.demands[demand].always = true;
    }
    for requirement in upkeep::returning_requirements(builder.space.context) {
        let demand = builder.requirement_demand(requirement);
        builder.built.program.demands[demand].always = true;
    }
    while let Some(next) = builder.open.pop_front() {
        builder.process(next);
    }
    builder.built
}

/// The identity of an item.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum ItemKey {
    Candidate(CandidateId),
    Column(CandidateId, Column),
    Index(CandidateId, Column),
    /// The write, the candidate, and the bits of the price: columns that cause the same additional
    /// statements share the item, and equal prices are how that is recognised.
    ExtraWrite(WriteId, CandidateId, u64),
    Support(WriteId, Rc<RequestKey>, CandidateId),
}

/// An item or demand whose costs or ways are still to be filled in.
enum WorkItem {
    Candidate(ItemId, CandidateId),
    Column(ItemId, CandidateId, Column),
    /// The last field is the depth: how many reads led to it.
    Read(DemandId, Box<ReadDemand>, usize),
    Requirement(DemandId, Box<RowRequirement>),
}

/// A requirement, and its demand.
type RequirementDemand = (RowRequirement, DemandId);

pub(super) struct ProgramBuilder<'b, 'a> {
    pub(super) space: &'b mut SearchSpace<'a>,
    built: SearchProgram,
    items: HashMap<ItemKey, ItemId>,
    read_demands: HashMap<ReadDemandKey, DemandId>,
    /// By write and key of the request: requirements with equal keys differ at most in their
    /// columns.
    requirements: HashMap<(WriteId, Rc<RequestKey>), Vec<RequirementDemand>>,
    open: VecDeque<WorkItem>,
}

impl ProgramBuilder<'_, '_> {
    fn process(&mut self, next: WorkItem) {
        match next {
            WorkItem::Candidate(item, candidate) => self.price_candidate(item, candidate),
            WorkItem::Column(item, candidate, column) => self.price_column(item, candidate, column),
            WorkItem::Read(demand, read_demand, depth) => {
                self.add_read_ways(demand, *read_demand, depth);
            }
            WorkItem::Requirement(demand, requirement) => {
                self.add_requirement_ways(demand, *requirement);
            }
        }
    }

    /// The item of a key, created if it is new (`true`).
    fn intern_item(&mut self, key: ItemKey, kind: ItemKind) -> (ItemId, bool) {
        if let Some(item) = self.items.get(&key) {
            return (*item, false);
        }
        let item = self.built.program.items.push(Item::default());
        self.items.insert(key, item);
        self.built.item_kinds.push(kind);
        self.built.item_terms.push(RateDependentCost::default());
        (item, true)
    }

    fn add_demand(&mut self) -> DemandId {
        self.built.way_terms.push(IdVec::new());
        self.built.demands.push(DemandKind::Never);
        self.built.program.demands.push(Demand::default())
    }

    fn candidate_item(&mut self, candidate: CandidateId) -> ItemId {
        let (item, new) =
            self.intern_item(ItemKey::Candidate(candidate), ItemKind::Candidate(candidate));
        if new {
            self.open.push_back(WorkItem::Candidate(item, candidate));
        }
        item
    }

    fn column_item(&mut self, candidate: CandidateId, column: Column) -> ItemId {
        let (item, new) = self
            .intern_item(ItemKey::Column(candidate, column), ItemKind::Column(candidate, column));
        if new {
            let candidate_item = self.candidate_item(candidate);
            self.built.program.items[item].needs.push(candidate_item);
            self.open.push_back(WorkItem::Column(item, candidate, column));
        }
        item
    }

    /// An index, which needs its column.
    fn index_item(&mut self, candidate: CandidateId, column: Column) -> ItemId {
        let (item, new) =
            self.intern_item(ItemKey::Index(candidate, column), ItemKind::Index(candidate, column));
        if new {
            let on = self.column_item(candidate, column);
            self.built.program.items[item].needs.push(on);
            self.built.item_terms[item] = self.index_cost(candidate, column).unwrap_or_default();
        }
        item
    }

    fn read_demand(&mut self, read_demand: ReadDemand, depth: usize) -> DemandId {
        let key = read_demand.key();
        if let Some(demand) = self.read_demands.get(&key) {
            return *demand;
        }
        let demand = self.add_demand();
        self.read_demands.insert(key, demand);
        self.open.push_back(WorkItem::Read(demand, Box::new(read_demand), depth));
        demand
    }

    fn requirement_demand(&mut self, requirement: RowRequirement) -> DemandId {
        let key = (requirement.write, Rc::clone(&requirement.key));
        let alike = self.requirements.get(&key).into_iter().flatten();
        if let Some((_, demand)) = alike.into_iter().find(|(other, _)| *other == requirement) {
            return *demand;
        }
        let demand = self.add_demand();
        self.requirements.entry(key).or_default().push((requirement.clone(), demand));
        self.open.push_back(WorkItem::Requirement(demand, Box::new(requirement)));
        demand
    }

    pub(super) fn price(&self, effort: &Effort) -> f64 {
        self.space.context.options.search.prices.price(effort)
    }

    /// The cost of a candidate with its key alone: the table, and its upkeep.
    fn price_candidate(&mut self, item: ItemId, candidate: CandidateId) {
        let context = self.space.context;
        let Some(kept) = self.space.candidate_upkeep(candidate, None).cloned() else { return };
        let table = &kept.filled.table;
        let bytes = table.volume.table_bytes_after(0.0);
        let mut terms = RateDependentCost::from_constant(cost::table_cost(context, table));
        let mut tables = 1.0;
        if let Some(memory) = &kept.filled.memory {
            terms.extend(&RateDependentCost::from_constant(cost::bucket_table_cost(
                context, memory,
            )));
            tables += 1.0;
        }
        self.built.program.items[item].weights = vec![tables, bytes];
        self.require_base(item, candidate, &[]);
        let Some(upkeep) = kept.upkeep else {
            let never = self.add_demand();
            self.built.program.items[item].raises.push(never);
            return;
        };
        for upkeep in upkeep {
            terms.add(RateId::Write(upkeep.write), self.price(&upkeep.effort));
            for requirement in upkeep.requirements {
                let demand = self.requirement_demand(requirement);
                self.built.program.items[item].raises.push(demand);
            }
        }
        self.built.item_terms[item] = terms;
    }

    /// Makes a view need its base, with the same columns.
    fn require_base(&mut self, item: ItemId, candidate: CandidateId, columns: &[Column]) {
        let Some(view) = self.space.views.get(&candidate).cloned() else { return };
        let mut needs = vec![self.candidate_item(view.base)];
        for column in view.base_columns(columns) {
            if !self.space.is_in_key(view.base, column) {
                needs.push(self.column_item(view.base, column));
            }
        }
        self.built.program.items[item].needs.extend(needs);
    }

    /// The cost of a column: the difference that it makes to the candidate with its key alone.
    fn price_column(&mut self, item: ItemId, candidate: CandidateId, column: Column) {
        let context = self.space.context;
        let Some(bare) = self.space.candidate_upkeep(candidate, None).cloned() else { return };
        let Some(kept) = self.space.candidate_upkeep(candidate, Some(column)).cloned() else {
            return;
        };
        let more = cost::table_cost(context, &kept.filled.table)
            - cost::table_cost(context, &bare.filled.table);
        let bytes = kept.filled.table.volume.table_bytes_after(0.0)
            - bare.filled.table.volume.table_bytes_after(0.0);
        self.built.program.items[item].weights = vec![0.0, bytes.max(0.0)];
        self.require_base(item, candidate, &[column]);
        let mut terms = RateDependentCost::from_constant(more);
        let Some(upkeep) = kept.upkeep else {
            let never = self.add_demand();
            self.built.program.items[item].raises.push(never);
            return;
        };
        let before = bare.upkeep.unwrap_or_default();
        for upkeep in upkeep {
            let base = before.iter().find(|other| other.write == upkeep.write);
            self.price_extra_upkeep(item, candidate, &upkeep, base, &mut terms);
        }
        self.built.item_terms[item] = terms;
    }

    /// The additional upkeep of a column by one write. Statements are shared with other columns,
    /// bytes are not.
    fn price_extra_upkeep(
        &mut self,
        item: ItemId,
        candidate: CandidateId,
        upkeep: &Upkeep,
        base: Option<&Upkeep>,
        terms: &mut RateDependentCost,
    ) {
        let before = base.map(|base| base.effort).unwrap_or_default();
        let rate = RateId::Write(upkeep.write);
        let (statements, bytes) = split_effort(upkeep.effort);
        let (statements_before, bytes_before) = split_effort(before);
        let more = self.price(&statements) - self.price(&statements_before);
        terms.add(rate, self.price(&bytes) - self.price(&bytes_before));
        if more > 1e-12 {
            let key = ItemKey::ExtraWrite(upkeep.write, candidate, more.to_bits());
            let (extra_write, new) =
                self.intern_item(key, ItemKind::ExtraWrite(upkeep.write, candidate));
            if new {
                self.built.item_terms[extra_write] = RateDependentCost::for_rate(rate, more);
            }
            self.built.program.items[item].needs.push(extra_write);
        }
        let known = base.map_or(&[][..], |base| &base.requirements);
        for requirement in &upkeep.requirements {
            if !known.contains(requirement) {
                let demand = self.requirement_demand(requirement.clone());
                self.built.program.items[item].raises.push(demand);
            }
        }
    }

    /// The ways to answer a read.
    fn add_read_ways(&mut self, demand: DemandId, read_demand: ReadDemand, depth: usize) {
        let context = self.space.context;
        let ReadDemand { of, times, .. } = read_demand;
        let mut taken = IdVec::new();
        for way in ways::find_ways(context, &self.space.candidates, &read_demand.read, depth == 0) {
            let beyond = way.main.as_ref().and_then(|main| main.violation.clone());
            if let Some(figure) = beyond {
                let taken = WayKind { main: way.main, words: way.words };
                self.built.exclusions.push((of, taken, figure));
                continue;
            }
            let mut terms = RateDependentCost::default();
            let mut items = Vec::new();
            if let Some(main) = &way.main {
                let effort = cost::parallel_effort(context, main.effort, times);
                terms.add(RateId::Read(of), self.price(&effort));
                items.push(self.candidate_item(main.candidate));
                items.extend(
                    main.columns.iter().map(|column| self.column_item(main.candidate, *column)),
                );
                items.extend(main.index.map(|column| self.index_item(main.candidate, column)));
            }
            let parts = way
                .further
                .iter()
                .map(|further| self.read_demand(read_demand.part_demand(further), depth + 1))
                .collect();
            self.add_way(demand, items, parts, terms);
            taken.push(WayKind { main: way.main, words: way.words });
        }
        self.built.demands[demand] = DemandKind::Read(Box::new(read_demand), taken);
    }

    /// The ways to read what a write must read first.
    fn add_requirement_ways(&mut self, demand: DemandId, requirement: RowRequirement) {
        let context = self.space.context;
        let mut taken = IdVec::new();
        for candidate in self.space.candidates.ids() {
            // A view may be out of date.
            if self.space.views.contains_key(&candidate) {
                continue;
            }
            let Some(answer) = requirement.satisfy(context, &self.space.candidates[candidate])
            else {
                continue;
            };
            let key = ItemKey::Support(requirement.write, Rc::clone(&requirement.key), candidate);
            let (support, new) =
                self.intern_item(key, ItemKind::Support(requirement.write, candidate));
            if new {
                let price = self.price(&answer.effort);
                self.built.item_terms[support] =
                    RateDependentCost::for_rate(RateId::Write(requirement.write), price);
            }
            let mut items = vec![self.candidate_item(candidate), support];
            items.extend(answer.columns.iter().map(|column| self.column_item(candidate, *column)));
            self.add_way(demand, items, Vec::new(), RateDependentCost::default());
            let main = MainCandidate {
                candidate,
                sources: Vec::new(),
                columns: answer.columns,
                index: None,
                effort: answer.effort,
                violation: None,
            };
            taken.push(WayKind { main: Some(main), words: String::new() });
        }
        self.built.demands[demand] = DemandKind::Requirement(Box::new(requirement), taken);
    }

    fn add_way(
        &mut self,
        demand: DemandId,
        items: Vec<ItemId>,
        raises: Vec<DemandId>,
        terms: RateDependentCost,
    ) {
        self.built.program.demands[demand].ways.push(Way { cost: 0.0, items, raises });
        self.built.way_terms[demand].push(terms);
    }
}

/// An effort as its statements and its bytes.
fn split_effort(effort: Effort) -> (Effort, Effort) {
    let bytes =
        Effort { bytes: effort.bytes, written_bytes: effort.written_bytes, ..Effort::default() };
    (Effort { bytes: 0.0, written_bytes: 0.0, ..effort }, bytes)
}

/// The reads of the workload at these positions.
pub(super) fn select_reads<'a>(reads: &'a [Read], at: &[ReadId]) -> Vec<&'a Read> {
    at.iter().filter_map(|at| reads.member(*at)).collect()
}
