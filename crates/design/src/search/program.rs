//! The integer program of a space: what may be had, what is to be answered, and in which ways.

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
use crate::write_plan::upkeep::{RequestKey, RowRequirement, Upkeep};
use solver::{Demand, DemandId, IdVec, Item, ItemId, Program, Solution, Way, WayId};

/// A program, and what its parts stand for.
pub(super) struct SearchProgram {
    /// Without costs: those are the terms at some rates.
    program: Program,
    item_terms: IdVec<ItemId, RateDependentCost>,
    way_terms: IdVec<DemandId, IdVec<WayId, RateDependentCost>>,
    pub(super) item_kinds: IdVec<ItemId, ItemKind>,
    pub(super) demands: IdVec<DemandId, DemandKind>,
    /// Ways that a bound forbids: the read, what they are, and the figure.
    pub(super) exclusions: Vec<(ReadId, WayKind, String)>,
}

/// What an item stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ItemKind {
    /// A table with its key.
    Candidate(CandidateId),
    /// A column of it.
    Column(CandidateId, Column),
    /// An index on that column.
    Index(CandidateId, Column),
    /// The statements of a write on a frame that its columns ask for and its key does not.
    ExtraWrite(WriteId, CandidateId),
    /// A read of a frame that a write needs first.
    Support(WriteId, CandidateId),
}

/// What a demand stands for.
#[derive(Clone, Debug)]
pub(super) enum DemandKind {
    /// A read, with what each way is.
    Read(Box<ReadDemand>, IdVec<WayId, WayKind>),
    /// Rows that a write needs first, with what each way takes.
    Requirement(Box<RowRequirement>, IdVec<WayId, WayKind>),
    /// What cannot be.
    Never,
}

/// What a way stands for.
#[derive(Clone, Debug)]
pub(super) struct WayKind {
    /// The frame and the columns of it that are read; `None` where all is left to further questions.
    pub(super) main: Option<MainCandidate>,
    /// A few words.
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

    /// How much a solution costs more for each run more of a read or write.
    pub(super) fn slope(&self, of: RateId, solution: &Solution) -> f64 {
        let had = self.item_terms.iter().zip(&solution.items).filter(|(_, had)| **had);
        let items: f64 = had.map(|(terms, _)| terms.slope(of)).sum();
        let taken = self.way_terms.iter().zip(&solution.ways);
        let taken = taken.filter_map(|(terms, way)| terms.member((*way)?));
        items + taken.map(|terms| terms.slope(of)).sum::<f64>()
    }

    /// Lets go of the reads that no way answers: their positions in the workload.
    pub(super) fn release_unanswered(&mut self) -> Vec<ReadId> {
        let mut left = Vec::new();
        for (demand, asked) in self.program.demands.iter_mut().zip(&self.demands) {
            let DemandKind::Read(question, _) = asked else { continue };
            if demand.always && demand.ways.is_empty() {
                demand.always = false;
                left.push(question.of);
            }
        }
        left
    }

    /// The item of a frame.
    pub(super) fn candidate_item(&self, frame: CandidateId) -> Option<ItemId> {
        self.item_kinds.find_id(|thing| *thing == ItemKind::Candidate(frame))
    }

    /// Tables among the items, and ways in all: what was looked at.
    pub(super) fn counts(&self) -> (usize, usize) {
        let frames =
            self.item_kinds.iter().filter(|thing| matches!(thing, ItemKind::Candidate(_))).count();
        (frames, self.program.demands.iter().map(|demand| demand.ways.len()).sum())
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
    while let Some(next) = builder.open.pop_front() {
        builder.process(next);
    }
    builder.built
}

/// What an item is told apart by.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum ItemKey {
    Candidate(CandidateId),
    Column(CandidateId, Column),
    Index(CandidateId, Column),
    /// The write, the frame, and the bits of the price.
    ExtraWrite(WriteId, CandidateId, u64),
    Support(WriteId, Rc<RequestKey>, CandidateId),
}

/// What is still to be worked out.
enum WorkItem {
    Candidate(ItemId, CandidateId),
    Column(ItemId, CandidateId, Column),
    /// The last says how many questions led to it.
    Read(DemandId, Box<ReadDemand>, usize),
    Requirement(DemandId, Box<RowRequirement>),
}

/// A wish, and the demand that it became.
type RequirementDemand = (RowRequirement, DemandId);

pub(super) struct ProgramBuilder<'b, 'a> {
    pub(super) space: &'b mut SearchSpace<'a>,
    built: SearchProgram,
    items: HashMap<ItemKey, ItemId>,
    read_demands: HashMap<ReadDemandKey, DemandId>,
    /// By write and key of the request: those that are alike differ at most in the columns that they want.
    requirements: HashMap<(WriteId, Rc<RequestKey>), Vec<RequirementDemand>>,
    open: VecDeque<WorkItem>,
}

impl ProgramBuilder<'_, '_> {
    fn process(&mut self, next: WorkItem) {
        match next {
            WorkItem::Candidate(item, frame) => self.price_candidate(item, frame),
            WorkItem::Column(item, frame, column) => self.price_column(item, frame, column),
            WorkItem::Read(demand, question, depth) => {
                self.add_read_ways(demand, *question, depth);
            }
            WorkItem::Requirement(demand, wish) => self.add_requirement_ways(demand, *wish),
        }
    }

    /// The item of that key, made if it is new (`true`).
    fn intern_item(&mut self, key: ItemKey, thing: ItemKind) -> (ItemId, bool) {
        if let Some(item) = self.items.get(&key) {
            return (*item, false);
        }
        let item = self.built.program.items.push(Item::default());
        self.items.insert(key, item);
        self.built.item_kinds.push(thing);
        self.built.item_terms.push(RateDependentCost::default());
        (item, true)
    }

    fn add_demand(&mut self) -> DemandId {
        self.built.way_terms.push(IdVec::new());
        self.built.demands.push(DemandKind::Never);
        self.built.program.demands.push(Demand::default())
    }

    fn candidate_item(&mut self, frame: CandidateId) -> ItemId {
        let (item, new) = self.intern_item(ItemKey::Candidate(frame), ItemKind::Candidate(frame));
        if new {
            self.open.push_back(WorkItem::Candidate(item, frame));
        }
        item
    }

    fn column_item(&mut self, frame: CandidateId, column: Column) -> ItemId {
        let (item, new) =
            self.intern_item(ItemKey::Column(frame, column), ItemKind::Column(frame, column));
        if new {
            let frame_item = self.candidate_item(frame);
            self.built.program.items[item].needs.push(frame_item);
            self.open.push_back(WorkItem::Column(item, frame, column));
        }
        item
    }

    /// An index, which needs its column.
    fn index_item(&mut self, frame: CandidateId, column: Column) -> ItemId {
        let (item, new) =
            self.intern_item(ItemKey::Index(frame, column), ItemKind::Index(frame, column));
        if new {
            let on = self.column_item(frame, column);
            self.built.program.items[item].needs.push(on);
            self.built.item_terms[item] = self.index_cost(frame, column).unwrap_or_default();
        }
        item
    }

    fn read_demand(&mut self, question: ReadDemand, depth: usize) -> DemandId {
        let key = question.key();
        if let Some(demand) = self.read_demands.get(&key) {
            return *demand;
        }
        let demand = self.add_demand();
        self.read_demands.insert(key, demand);
        self.open.push_back(WorkItem::Read(demand, Box::new(question), depth));
        demand
    }

    fn requirement_demand(&mut self, wish: RowRequirement) -> DemandId {
        let key = (wish.write, Rc::clone(&wish.key));
        let alike = self.requirements.get(&key).into_iter().flatten();
        if let Some((_, demand)) = alike.into_iter().find(|(other, _)| *other == wish) {
            return *demand;
        }
        let demand = self.add_demand();
        self.requirements.entry(key).or_default().push((wish.clone(), demand));
        self.open.push_back(WorkItem::Requirement(demand, Box::new(wish)));
        demand
    }

    pub(super) fn price(&self, effort: &Effort) -> f64 {
        self.space.context.options.search.prices.price(effort)
    }

    /// What a table costs for being there, and for being kept up.
    fn price_candidate(&mut self, item: ItemId, frame: CandidateId) {
        let context = self.space.context;
        let Some(kept) = self.space.candidate_upkeep(frame, None).cloned() else { return };
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
        self.require_base(item, frame, &[]);
        let Some(upkeep) = kept.upkeep else {
            let never = self.add_demand();
            self.built.program.items[item].raises.push(never);
            return;
        };
        for upkeep in upkeep {
            terms.add(RateId::Write(upkeep.write), self.price(&upkeep.effort));
            for wish in upkeep.requirements {
                let demand = self.requirement_demand(wish);
                self.built.program.items[item].raises.push(demand);
            }
        }
        self.built.item_terms[item] = terms;
    }

    /// What is kept up by the server needs its base, with the same columns.
    fn require_base(&mut self, item: ItemId, frame: CandidateId, columns: &[Column]) {
        let Some(view) = self.space.views.get(&frame).cloned() else { return };
        let mut needs = vec![self.candidate_item(view.base)];
        for column in view.base_columns(columns) {
            if !self.space.is_in_key(view.base, column) {
                needs.push(self.column_item(view.base, column));
            }
        }
        self.built.program.items[item].needs.extend(needs);
    }

    /// What a column costs more than the table without it.
    fn price_column(&mut self, item: ItemId, frame: CandidateId, column: Column) {
        let context = self.space.context;
        let Some(bare) = self.space.candidate_upkeep(frame, None).cloned() else { return };
        let Some(kept) = self.space.candidate_upkeep(frame, Some(column)).cloned() else { return };
        let more = cost::table_cost(context, &kept.filled.table)
            - cost::table_cost(context, &bare.filled.table);
        let bytes = kept.filled.table.volume.table_bytes_after(0.0)
            - bare.filled.table.volume.table_bytes_after(0.0);
        self.built.program.items[item].weights = vec![0.0, bytes.max(0.0)];
        self.require_base(item, frame, &[column]);
        let mut terms = RateDependentCost::from_constant(more);
        let Some(upkeep) = kept.upkeep else {
            let never = self.add_demand();
            self.built.program.items[item].raises.push(never);
            return;
        };
        let before = bare.upkeep.unwrap_or_default();
        for upkeep in upkeep {
            let base = before.iter().find(|other| other.write == upkeep.write);
            self.price_extra_upkeep(item, frame, &upkeep, base, &mut terms);
        }
        self.built.item_terms[item] = terms;
    }

    /// What a write does more for a column than for the key. Statements are shared with other columns, bytes are not.
    fn price_extra_upkeep(
        &mut self,
        item: ItemId,
        frame: CandidateId,
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
            let key = ItemKey::ExtraWrite(upkeep.write, frame, more.to_bits());
            let (touch, new) = self.intern_item(key, ItemKind::ExtraWrite(upkeep.write, frame));
            if new {
                self.built.item_terms[touch] = RateDependentCost::for_rate(rate, more);
            }
            self.built.program.items[item].needs.push(touch);
        }
        let known = base.map_or(&[][..], |base| &base.requirements);
        for wish in &upkeep.requirements {
            if !known.contains(wish) {
                let demand = self.requirement_demand(wish.clone());
                self.built.program.items[item].raises.push(demand);
            }
        }
    }

    /// The ways to answer a read.
    fn add_read_ways(&mut self, demand: DemandId, question: ReadDemand, depth: usize) {
        let context = self.space.context;
        let ReadDemand { of, times, .. } = question;
        let mut taken = IdVec::new();
        for way in ways::find_ways(context, &self.space.candidates, &question.read, depth == 0) {
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
                items.push(self.candidate_item(main.frame));
                items.extend(
                    main.columns.iter().map(|column| self.column_item(main.frame, *column)),
                );
                items.extend(main.index.map(|column| self.index_item(main.frame, column)));
            }
            let parts = way
                .asks
                .iter()
                .map(|asks| self.read_demand(question.part_demand(asks), depth + 1))
                .collect();
            self.add_way(demand, items, parts, terms);
            taken.push(WayKind { main: way.main, words: way.words });
        }
        self.built.demands[demand] = DemandKind::Read(Box::new(question), taken);
    }

    /// The ways to read what a write needs first.
    fn add_requirement_ways(&mut self, demand: DemandId, wish: RowRequirement) {
        let context = self.space.context;
        let mut taken = IdVec::new();
        for frame in self.space.candidates.ids() {
            // What a view says may be old.
            if self.space.views.contains_key(&frame) {
                continue;
            }
            let Some(answer) = wish.satisfy(context, &self.space.candidates[frame]) else {
                continue;
            };
            let key = ItemKey::Support(wish.write, Rc::clone(&wish.key), frame);
            let (support, new) = self.intern_item(key, ItemKind::Support(wish.write, frame));
            if new {
                let price = self.price(&answer.effort);
                self.built.item_terms[support] =
                    RateDependentCost::for_rate(RateId::Write(wish.write), price);
            }
            let mut items = vec![self.candidate_item(frame), support];
            items.extend(answer.columns.iter().map(|column| self.column_item(frame, *column)));
            self.add_way(demand, items, Vec::new(), RateDependentCost::default());
            let main = MainCandidate {
                frame,
                sources: Vec::new(),
                columns: answer.columns,
                index: None,
                effort: answer.effort,
                violation: None,
            };
            taken.push(WayKind { main: Some(main), words: String::new() });
        }
        self.built.demands[demand] = DemandKind::Requirement(Box::new(wish), taken);
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
