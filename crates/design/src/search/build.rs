//! The integer program of a space: what may be had, what is to be answered, and in which ways.

use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

use model::id::{Numbered, ReadId, WriteId};
use model::plan::Effort;
use model::workload::{Column, Read};

use super::space::{Question, QuestionKey, Space};
use super::terms::{Rate, Rates, Terms};
use super::ways::{self, Main};
use crate::cost;
use crate::frame::FrameId;
use crate::writing::upkeep::{RequestKey, Upkeep, Wish};
use solver::{Demand, DemandId, IdVec, Item, ItemId, Program, Solution, Way, WayId};

/// A program, and what its parts stand for.
pub(super) struct Built {
    /// Without costs: those are the terms at some rates.
    program: Program,
    item_terms: IdVec<ItemId, Terms>,
    way_terms: IdVec<DemandId, IdVec<WayId, Terms>>,
    pub(super) things: IdVec<ItemId, Thing>,
    pub(super) demands: IdVec<DemandId, Asked>,
    /// Ways that a bound forbids: the read, what they are, and the figure.
    pub(super) beyond: Vec<(ReadId, Taken, String)>,
}

/// What an item stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Thing {
    /// A table with its key.
    Frame(FrameId),
    /// A column of it.
    Column(FrameId, Column),
    /// An index on that column.
    Index(FrameId, Column),
    /// The statements of a write on a frame that its columns ask for and its key does not.
    Touch(WriteId, FrameId),
    /// A read of a frame that a write needs first.
    Support(WriteId, FrameId),
}

/// What a demand stands for.
#[derive(Clone, Debug)]
pub(super) enum Asked {
    /// A read, with what each way is.
    Question(Box<Question>, IdVec<WayId, Taken>),
    /// Rows that a write needs first, with what each way takes.
    Wish(Box<Wish>, IdVec<WayId, Taken>),
    /// What cannot be.
    Never,
}

/// What a way stands for.
#[derive(Clone, Debug)]
pub(super) struct Taken {
    /// The frame and the columns of it that are read; `None` where all is left to further questions.
    pub(super) main: Option<Main>,
    /// A few words.
    pub(super) words: String,
}

impl Built {
    /// The program at these rates.
    pub(super) fn at(&self, rates: &Rates) -> Program {
        let mut program = self.program.clone();
        for (item, terms) in program.items.iter_mut().zip(&self.item_terms) {
            item.cost = terms.at(rates);
        }
        for (demand, terms) in program.demands.iter_mut().zip(&self.way_terms) {
            for (way, terms) in demand.ways.iter_mut().zip(terms) {
                way.cost = terms.at(rates);
            }
        }
        program
    }

    /// How much a solution costs more for each run more of a read or write.
    pub(super) fn slope(&self, of: Rate, solution: &Solution) -> f64 {
        let had = self.item_terms.iter().zip(&solution.items).filter(|(_, had)| **had);
        let items: f64 = had.map(|(terms, _)| terms.slope(of)).sum();
        let taken = self.way_terms.iter().zip(&solution.ways);
        let taken = taken.filter_map(|(terms, way)| terms.at((*way)?));
        items + taken.map(|terms| terms.slope(of)).sum::<f64>()
    }

    /// Lets go of the reads that no way answers: their positions in the workload.
    pub(super) fn release_unanswered(&mut self) -> Vec<ReadId> {
        let mut left = Vec::new();
        for (demand, asked) in self.program.demands.iter_mut().zip(&self.demands) {
            let Asked::Question(question, _) = asked else { continue };
            if demand.always && demand.ways.is_empty() {
                demand.always = false;
                left.push(question.of);
            }
        }
        left
    }

    /// The item of a frame.
    pub(super) fn frame_item(&self, frame: FrameId) -> Option<ItemId> {
        self.things.find_id(|thing| *thing == Thing::Frame(frame))
    }

    /// Tables among the items, and ways in all: what was looked at.
    pub(super) fn counts(&self) -> (usize, usize) {
        let frames = self.things.iter().filter(|thing| matches!(thing, Thing::Frame(_))).count();
        (frames, self.program.demands.iter().map(|demand| demand.ways.len()).sum())
    }
}

/// Builds the program for the reads at these positions of the workload.
pub(super) fn build(space: &mut Space<'_>, reads: &[ReadId]) -> Built {
    let mut builder = Builder {
        space,
        built: Built {
            program: Program::default(),
            item_terms: IdVec::new(),
            way_terms: IdVec::new(),
            things: IdVec::new(),
            demands: IdVec::new(),
            beyond: Vec::new(),
        },
        items: HashMap::new(),
        questions: HashMap::new(),
        wishes: HashMap::new(),
        open: VecDeque::new(),
    };
    for at in reads {
        let Some(read) = builder.space.context.workload.reads.at(*at) else { continue };
        let demand = builder.question(Question::of_read(*at, read), 0);
        builder.built.program.demands[demand].always = true;
    }
    while let Some(next) = builder.open.pop_front() {
        builder.go_on(next);
    }
    builder.built
}

/// What an item is told apart by.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum ItemKey {
    Frame(FrameId),
    Column(FrameId, Column),
    Index(FrameId, Column),
    /// The write, the frame, and the bits of the price.
    Touch(WriteId, FrameId, u64),
    Support(WriteId, Rc<RequestKey>, FrameId),
}

/// What is still to be worked out.
enum Open {
    Frame(ItemId, FrameId),
    Column(ItemId, FrameId, Column),
    /// The last says how many questions led to it.
    Question(DemandId, Box<Question>, usize),
    Wish(DemandId, Box<Wish>),
}

/// A wish, and the demand that it became.
type WishDemand = (Wish, DemandId);

pub(super) struct Builder<'b, 'a> {
    pub(super) space: &'b mut Space<'a>,
    built: Built,
    items: HashMap<ItemKey, ItemId>,
    questions: HashMap<QuestionKey, DemandId>,
    /// By write and key of the request: those that are alike differ at most in the columns that they want.
    wishes: HashMap<(WriteId, Rc<RequestKey>), Vec<WishDemand>>,
    open: VecDeque<Open>,
}

impl Builder<'_, '_> {
    fn go_on(&mut self, next: Open) {
        match next {
            Open::Frame(item, frame) => self.work_out_frame(item, frame),
            Open::Column(item, frame, column) => self.work_out_column(item, frame, column),
            Open::Question(demand, question, depth) => {
                self.work_out_question(demand, *question, depth);
            }
            Open::Wish(demand, wish) => self.work_out_wish(demand, *wish),
        }
    }

    /// The item of that key, made if it is new (`true`).
    fn item(&mut self, key: ItemKey, thing: Thing) -> (ItemId, bool) {
        if let Some(item) = self.items.get(&key) {
            return (*item, false);
        }
        let item = self.built.program.items.push(Item::default());
        self.items.insert(key, item);
        self.built.things.push(thing);
        self.built.item_terms.push(Terms::default());
        (item, true)
    }

    fn demand(&mut self) -> DemandId {
        self.built.way_terms.push(IdVec::new());
        self.built.demands.push(Asked::Never);
        self.built.program.demands.push(Demand::default())
    }

    fn frame(&mut self, frame: FrameId) -> ItemId {
        let (item, new) = self.item(ItemKey::Frame(frame), Thing::Frame(frame));
        if new {
            self.open.push_back(Open::Frame(item, frame));
        }
        item
    }

    fn column(&mut self, frame: FrameId, column: Column) -> ItemId {
        let (item, new) = self.item(ItemKey::Column(frame, column), Thing::Column(frame, column));
        if new {
            let frame_item = self.frame(frame);
            self.built.program.items[item].needs.push(frame_item);
            self.open.push_back(Open::Column(item, frame, column));
        }
        item
    }

    /// An index, which needs its column.
    fn index(&mut self, frame: FrameId, column: Column) -> ItemId {
        let (item, new) = self.item(ItemKey::Index(frame, column), Thing::Index(frame, column));
        if new {
            let on = self.column(frame, column);
            self.built.program.items[item].needs.push(on);
            self.built.item_terms[item] = self.terms_of_index(frame, column).unwrap_or_default();
        }
        item
    }

    fn question(&mut self, question: Question, depth: usize) -> DemandId {
        let key = question.key();
        if let Some(demand) = self.questions.get(&key) {
            return *demand;
        }
        let demand = self.demand();
        self.questions.insert(key, demand);
        self.open.push_back(Open::Question(demand, Box::new(question), depth));
        demand
    }

    fn wish(&mut self, wish: Wish) -> DemandId {
        let key = (wish.write, Rc::clone(&wish.key));
        let alike = self.wishes.get(&key).into_iter().flatten();
        if let Some((_, demand)) = alike.into_iter().find(|(other, _)| *other == wish) {
            return *demand;
        }
        let demand = self.demand();
        self.wishes.entry(key).or_default().push((wish.clone(), demand));
        self.open.push_back(Open::Wish(demand, Box::new(wish)));
        demand
    }

    pub(super) fn price(&self, effort: &Effort) -> f64 {
        self.space.context.options.search.prices.of(effort)
    }

    /// What a table costs for being there, and for being kept up.
    fn work_out_frame(&mut self, item: ItemId, frame: FrameId) {
        let context = self.space.context;
        let Some(kept) = self.space.kept(frame, None).cloned() else { return };
        let table = &kept.filled.table;
        let bytes = table.volume.table_bytes_after(0.0);
        let mut terms = Terms::fixed(cost::of_table(context, table));
        let mut tables = 1.0;
        if let Some(memory) = &kept.filled.memory {
            terms.extend(&Terms::fixed(cost::of_memory(context, memory)));
            tables += 1.0;
        }
        self.built.program.items[item].weights = vec![tables, bytes];
        self.need_base(item, frame, &[]);
        let Some(upkeep) = kept.upkeep else {
            let never = self.demand();
            self.built.program.items[item].raises.push(never);
            return;
        };
        for upkeep in upkeep {
            terms.add(Rate::Write(upkeep.write), self.price(&upkeep.effort));
            for wish in upkeep.wishes {
                let demand = self.wish(wish);
                self.built.program.items[item].raises.push(demand);
            }
        }
        self.built.item_terms[item] = terms;
    }

    /// What is kept up by the server needs its base, with the same columns.
    fn need_base(&mut self, item: ItemId, frame: FrameId, columns: &[Column]) {
        let Some(view) = self.space.views.get(&frame).cloned() else { return };
        let mut needs = vec![self.frame(view.base)];
        for column in view.of_base(columns) {
            if !self.space.is_in_key(view.base, column) {
                needs.push(self.column(view.base, column));
            }
        }
        self.built.program.items[item].needs.extend(needs);
    }

    /// What a column costs more than the table without it.
    fn work_out_column(&mut self, item: ItemId, frame: FrameId, column: Column) {
        let context = self.space.context;
        let Some(bare) = self.space.kept(frame, None).cloned() else { return };
        let Some(kept) = self.space.kept(frame, Some(column)).cloned() else { return };
        let more = cost::of_table(context, &kept.filled.table)
            - cost::of_table(context, &bare.filled.table);
        let bytes = kept.filled.table.volume.table_bytes_after(0.0)
            - bare.filled.table.volume.table_bytes_after(0.0);
        self.built.program.items[item].weights = vec![0.0, bytes.max(0.0)];
        self.need_base(item, frame, &[column]);
        let mut terms = Terms::fixed(more);
        let Some(upkeep) = kept.upkeep else {
            let never = self.demand();
            self.built.program.items[item].raises.push(never);
            return;
        };
        let before = bare.upkeep.unwrap_or_default();
        for upkeep in upkeep {
            let base = before.iter().find(|other| other.write == upkeep.write);
            self.more_upkeep(item, frame, &upkeep, base, &mut terms);
        }
        self.built.item_terms[item] = terms;
    }

    /// What a write does more for a column than for the key. Statements are shared with other columns, bytes are not.
    fn more_upkeep(
        &mut self,
        item: ItemId,
        frame: FrameId,
        upkeep: &Upkeep,
        base: Option<&Upkeep>,
        terms: &mut Terms,
    ) {
        let before = base.map(|base| base.effort).unwrap_or_default();
        let rate = Rate::Write(upkeep.write);
        let (statements, bytes) = apart(upkeep.effort);
        let (statements_before, bytes_before) = apart(before);
        let more = self.price(&statements) - self.price(&statements_before);
        terms.add(rate, self.price(&bytes) - self.price(&bytes_before));
        if more > 1e-12 {
            let key = ItemKey::Touch(upkeep.write, frame, more.to_bits());
            let (touch, new) = self.item(key, Thing::Touch(upkeep.write, frame));
            if new {
                self.built.item_terms[touch] = Terms::each(rate, more);
            }
            self.built.program.items[item].needs.push(touch);
        }
        let known = base.map_or(&[][..], |base| &base.wishes);
        for wish in &upkeep.wishes {
            if !known.contains(wish) {
                let demand = self.wish(wish.clone());
                self.built.program.items[item].raises.push(demand);
            }
        }
    }

    /// The ways to answer a read.
    fn work_out_question(&mut self, demand: DemandId, question: Question, depth: usize) {
        let context = self.space.context;
        let Question { of, times, .. } = question;
        let mut taken = IdVec::new();
        for way in ways::ways(context, &self.space.frames, &question.read, depth == 0) {
            let beyond = way.main.as_ref().and_then(|main| main.beyond.clone());
            if let Some(figure) = beyond {
                let taken = Taken { main: way.main, words: way.words };
                self.built.beyond.push((of, taken, figure));
                continue;
            }
            let mut terms = Terms::default();
            let mut items = Vec::new();
            if let Some(main) = &way.main {
                let effort = cost::at_once(context, main.effort, times);
                terms.add(Rate::Read(of), self.price(&effort));
                items.push(self.frame(main.frame));
                items.extend(main.columns.iter().map(|column| self.column(main.frame, *column)));
                items.extend(main.index.map(|column| self.index(main.frame, column)));
            }
            let parts =
                way.asks.iter().map(|asks| self.question(question.part(asks), depth + 1)).collect();
            self.add_way(demand, items, parts, terms);
            taken.push(Taken { main: way.main, words: way.words });
        }
        self.built.demands[demand] = Asked::Question(Box::new(question), taken);
    }

    /// The ways to read what a write needs first.
    fn work_out_wish(&mut self, demand: DemandId, wish: Wish) {
        let context = self.space.context;
        let mut taken = IdVec::new();
        for frame in self.space.frames.ids() {
            // What a view says may be old.
            if self.space.views.contains_key(&frame) {
                continue;
            }
            let Some(answer) = wish.answer(context, &self.space.frames[frame]) else { continue };
            let key = ItemKey::Support(wish.write, Rc::clone(&wish.key), frame);
            let (support, new) = self.item(key, Thing::Support(wish.write, frame));
            if new {
                let price = self.price(&answer.effort);
                self.built.item_terms[support] = Terms::each(Rate::Write(wish.write), price);
            }
            let mut items = vec![self.frame(frame), support];
            items.extend(answer.columns.iter().map(|column| self.column(frame, *column)));
            self.add_way(demand, items, Vec::new(), Terms::default());
            let main = Main {
                frame,
                sources: Vec::new(),
                columns: answer.columns,
                index: None,
                effort: answer.effort,
                beyond: None,
            };
            taken.push(Taken { main: Some(main), words: String::new() });
        }
        self.built.demands[demand] = Asked::Wish(Box::new(wish), taken);
    }

    fn add_way(
        &mut self,
        demand: DemandId,
        items: Vec<ItemId>,
        raises: Vec<DemandId>,
        terms: Terms,
    ) {
        self.built.program.demands[demand].ways.push(Way { cost: 0.0, items, raises });
        self.built.way_terms[demand].push(terms);
    }
}

/// An effort as its statements and its bytes.
fn apart(effort: Effort) -> (Effort, Effort) {
    let bytes =
        Effort { bytes: effort.bytes, written_bytes: effort.written_bytes, ..Effort::default() };
    (Effort { bytes: 0.0, written_bytes: 0.0, ..effort }, bytes)
}

/// The reads of the workload at these positions.
pub(super) fn reads_at<'a>(reads: &'a [Read], at: &[ReadId]) -> Vec<&'a Read> {
    at.iter().filter_map(|at| reads.at(*at)).collect()
}
