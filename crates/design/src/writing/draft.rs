//! A write's plan in the making: what must be read, and the statements so far.

use std::collections::BTreeSet;

use model::concept::Entity;
use model::id::{AttributeId, Numbered, StepId, TableId};
use model::plan::{Guard, Loop, Operand, PlannedStatement, PlannedTable, Precondition};
use model::workload::{Column, Write};

use super::conditions::ConditionTable;
use super::count::{self, Count};
use super::request::{Request, result_name};
use super::shape::Shape;
use super::target::{After, Target};
use super::truth::Truth;
use crate::Context;
use crate::statement::Pair;

/// A plan in the making.
pub(super) struct Draft<'a> {
    pub(super) context: Context<'a>,
    pub(super) write: &'a Write,
    pub(super) tables: &'a [PlannedTable],
    pub(super) target: Target,
    /// The table on which the write's condition is checked, if it is conditional.
    pub(super) main: Option<ConditionTable>,
    /// Reads needed first. Operands name them by their position here until the plan is put together.
    pub(super) requests: Vec<Request>,
    /// Conditional statements, one after the other.
    pub(super) first: Vec<Sent>,
    /// Plain statements.
    pub(super) rows: Vec<Sent>,
    /// Plain statements that must come after those.
    pub(super) later: Vec<Sent>,
    /// Counter updates.
    pub(super) counts: Vec<Sent>,
    /// What every statement is guarded by.
    pub(super) guards: Vec<Guard>,
    pub(super) preconditions: Vec<Precondition>,
    pub(super) remarks: Vec<String>,
    /// The rows must be read before anything else, which the draft did not: it is to be made anew.
    pub(super) restart: bool,
    pub(super) idempotent: bool,
    /// There may be more tables: what they are needed for is left to them.
    pub(super) partial: bool,
}

/// A statement, with what decides how it is sent.
#[derive(Clone, Debug)]
pub(super) struct Sent {
    pub(super) planned: PlannedStatement,
    /// How often it is sent at most.
    pub(super) most: f64,
    /// Where it writes: the values of the table's partition key.
    pub(super) partition: Vec<Pair>,
    /// It has an IF for the sake of another write's IF: whatever it answers, the write goes on.
    pub(super) joins_vote: bool,
}

/// Before the write, or after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    Before,
    After,
}

/// A value, which may be known to be null.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Term {
    Null,
    Is(Operand),
}

/// A table, seen from one of its sources: that of the entity written.
#[derive(Clone)]
pub(super) struct Scope<'a> {
    pub(super) at: TableId,
    pub(super) table: &'a PlannedTable,
    pub(super) shape: Shape<'a>,
    pub(super) source: usize,
    /// More sources that are the very row written, and those of its entity that are not.
    pub(super) also: Vec<usize>,
    pub(super) others: Vec<usize>,
    /// Which of the table's rows are meant by these.
    pub(super) apart: Truth,
    /// The request that finds the table's rows, where a row of the entity is in many.
    pub(super) found: Option<StepId>,
    pub(super) loops: Vec<Loop>,
    pub(super) count: Count,
    /// The values that stand for the elements of arrays.
    pub(super) elements: Vec<(Column, Operand)>,
    /// Rows that refer to the same row as the entity's: the request, and for each source of the table that of the request.
    pub(super) partners: Vec<(StepId, Vec<Option<usize>>)>,
    /// Joined rows that were looked up: by what, and in which request.
    pub(super) parents: Vec<(Request, StepId)>,
}

impl Term {
    /// The same made from the value.
    pub(super) fn map(self, make: impl FnOnce(Operand) -> Operand) -> Self {
        match self {
            Self::Null => Self::Null,
            Self::Is(operand) => Self::Is(make(operand)),
        }
    }

    /// The value; the constant null where it is null.
    pub(super) fn operand(self) -> Operand {
        match self {
            Self::Null => Operand::Literal("null".to_owned()),
            Self::Is(operand) => operand,
        }
    }
}

impl<'a> Draft<'a> {
    pub(super) fn new(
        context: Context<'a>,
        tables: &'a [PlannedTable],
        write: &'a Write,
        rows_first: bool,
    ) -> Self {
        let mut draft = Self {
            context,
            write,
            tables,
            target: Target::of(context, write, rows_first),
            main: None,
            requests: Vec::new(),
            first: Vec::new(),
            rows: Vec::new(),
            later: Vec::new(),
            counts: Vec::new(),
            guards: Vec::new(),
            preconditions: Vec::new(),
            remarks: Vec::new(),
            restart: false,
            idempotent: true,
            partial: false,
        };
        if draft.target.rows_first {
            draft.read_rows_first();
        }
        draft
    }

    /// The entity written.
    pub(super) fn entity(&self) -> Option<&'a Entity> {
        self.context.concept.entities.at(self.target.entity)
    }

    /// The name of the entity written.
    pub(super) fn name(&self) -> &'a str {
        self.entity().map_or("", |entity| &entity.name)
    }

    pub(super) fn remark(&mut self, text: impl Into<String>) {
        let text = text.into();
        if !self.remarks.contains(&text) {
            self.remarks.push(text);
        }
    }

    pub(super) fn require(&mut self, precondition: Precondition) {
        if !self.preconditions.contains(&precondition) {
            self.preconditions.push(precondition);
        }
    }

    /// The tables that hold the entity, once for each of their sources that is it.
    pub(super) fn scopes(&self) -> Vec<Scope<'a>> {
        let mut scopes = Vec::new();
        for (at, table) in self.tables.numbered() {
            // What the server or another table's path keeps up.
            if table.remembers.is_some() || table.view_of.is_some() {
                continue;
            }
            let shape = Shape { concept: self.context.concept, sources: &table.holds.sources };
            for (source, held) in table.holds.sources.iter().enumerate() {
                if held.entity == self.target.entity {
                    scopes.push(Scope {
                        at,
                        table,
                        shape,
                        source,
                        also: Vec::new(),
                        others: Vec::new(),
                        apart: Truth::Always,
                        found: None,
                        loops: self.target.loops.clone(),
                        count: self.target.count,
                        elements: Vec::new(),
                        partners: Vec::new(),
                        parents: Vec::new(),
                    });
                }
            }
        }
        scopes
    }

    /// Asks for the rows that the write is about, before anything else.
    fn read_rows_first(&mut self) {
        let Some(entity) = self.entity() else { return };
        let request = self.lookup_of_target(entity);
        self.requests.push(request);
        for slot in &mut self.target.known {
            if slot.as_ref().is_some_and(|operand| matches!(operand, Operand::Turn(_))) {
                *slot = None;
            }
        }
        self.target.request = Some(StepId::new(0));
        self.target.loops = vec![Loop::Rows(StepId::new(0))];
        if !entity.keys.iter().any(|key| key.iter().all(|part| self.target.key.contains(part))) {
            let reads = count::rows_under(entity, &self.target.key);
            self.target.count = self.target.count.times(reads);
        }
        if let Some(request) = self.requests.first_mut() {
            request.count = self.target.count;
        }
    }

    /// The request for the row before the write.
    fn lookup_of_target(&self, entity: &Entity) -> Request {
        let known = self.target.key.iter().filter_map(|attribute| {
            let operand = self.target.known.get(attribute.index())?.clone()?;
            Some((Column { source: 0, attribute: *attribute }, operand))
        });
        let mut request = Request::of_entity(self.target.entity, &entity.name, known.collect());
        request.loops.clone_from(&self.target.loops);
        (request.times, request.count) = (self.target.count, self.target.count);
        request.reason = format!("the row of {} as it is before", entity.name);
        // A whole key needs no more; the tenant may stand beside it.
        let held = |key: &&Vec<AttributeId>| key.iter().all(|part| self.target.key.contains(part));
        if let Some(key) = entity.keys.iter().find(held) {
            request.enough.retain(|column| key.contains(&column.attribute));
        }
        let key = entity.primary_key().iter();
        request.distinct.extend(key.map(|part| Column { source: 0, attribute: *part }));
        request
    }

    /// An attribute of the row before the write.
    pub(super) fn before(&mut self, attribute: AttributeId) -> Operand {
        let slots = [&self.target.known, &self.target.assumed];
        let assumed = self.main.is_some();
        let said = slots
            .iter()
            .take(1 + usize::from(assumed))
            .find_map(|slot| slot.get(attribute.index())?.clone());
        said.unwrap_or_else(|| self.read_before(attribute))
    }

    /// An attribute of the row before the write, as it was read.
    pub(super) fn read_before(&mut self, attribute: AttributeId) -> Operand {
        let Some(entity) = self.entity() else { return Operand::Literal("null".to_owned()) };
        let at = if let Some(at) = self.target.request {
            at
        } else {
            // Turns over keys cannot be matched with the rows that they read: the rows must come first.
            self.restart |= !self.target.loops.is_empty();
            let request = self.lookup_of_target(entity);
            let at = self.ask(request);
            self.target.request = Some(at);
            at
        };
        self.want(at, Column { source: 0, attribute })
    }

    /// Asks for rows to be read first.
    pub(super) fn ask(&mut self, request: Request) -> StepId {
        let at = self.requests.next_id();
        self.requests.push(request);
        at
    }

    /// Wants a column of the rows of a request.
    pub(super) fn want(&mut self, at: StepId, column: Column) -> Operand {
        let concept = self.context.concept;
        let Some(request) = self.requests.at_mut(at) else {
            return Operand::Literal("null".to_owned());
        };
        let shape = Shape { concept, sources: &request.sources };
        let column = shape.canonical(column);
        let name = result_name(shape, column);
        request.wants.insert(column);
        Operand::Row { step: at, column: name }
    }

    /// An attribute of the row at one time.
    pub(super) fn attribute(&mut self, attribute: AttributeId, when: When) -> Term {
        let after = self.target.after.get(attribute.index()).cloned().unwrap_or(After::Same);
        let zero = || Box::new(Operand::Literal("0".to_owned()));
        match after {
            _ if when == When::Before => Term::Is(self.before(attribute)),
            After::Null => Term::Null,
            After::To(operand) => Term::Is(operand),
            // n + v is n - (0 - v).
            After::Plus(operand) => {
                let negative = Operand::Minus(zero(), Box::new(operand));
                let before = Box::new(self.before(attribute));
                Term::Is(Operand::Minus(before, Box::new(negative)))
            }
            After::Less(operand) => {
                let before = Box::new(self.before(attribute));
                Term::Is(Operand::Minus(before, Box::new(operand)))
            }
            // What is appended or removed is patched in afterwards.
            After::Same | After::Append(_) | After::Remove(_) => Term::Is(self.before(attribute)),
        }
    }

    /// Whether the write changes what a column of the table's sources is: itself, or the row that it is joined from.
    pub(super) fn affects(&self, scope: &Scope<'a>, column: Column) -> bool {
        if let Some(attribute) = scope.attribute(column) {
            return self.target.changes(attribute);
        }
        let routes = scope.shape.routes(scope.source);
        let mut at = column.source;
        for _ in 0..routes.len() {
            let Some(hop) = routes.get(at).copied().flatten() else { return false };
            let refers = |attribute: &AttributeId| self.target.changes(*attribute);
            if scope.is_written(hop.from) && hop.to_one {
                return hop.reference.attributes.iter().any(refers);
            }
            at = hop.from;
        }
        false
    }

    /// The guards of a statement: what all are guarded by, and its own; `None` when it is never sent.
    pub(super) fn guarded(&self, truth: Truth) -> Option<Vec<Guard>> {
        let all = self.guards.iter().cloned().map(Truth::If);
        Truth::all(all.chain([truth])).guards()
    }

    /// Wants no columns but the table: it must exist.
    pub(super) fn ensure(&mut self, wants: BTreeSet<Column>, reason: &str) {
        let Some(entity) = self.entity() else { return };
        let key = entity.primary_key().iter();
        let known = key.map(|part| {
            (Column { source: 0, attribute: *part }, Operand::Literal("null".to_owned()))
        });
        let mut request = Request::of_entity(self.target.entity, &entity.name, known.collect());
        request.wants = wants;
        request.ensures = true;
        reason.clone_into(&mut request.reason);
        self.requests.push(request);
    }
}

impl Scope<'_> {
    /// The sources that are the row written.
    pub(super) fn written(&self) -> impl Iterator<Item = usize> {
        [self.source].into_iter().chain(self.also.iter().copied())
    }

    /// Whether a source is the row written.
    pub(super) fn is_written(&self, source: usize) -> bool {
        self.written().any(|written| written == source)
    }

    /// The attribute of the row written that a column is equal to.
    pub(super) fn attribute(&self, column: Column) -> Option<AttributeId> {
        self.written().find_map(|source| self.shape.attribute_at(column, source))
    }

    /// Whether a planned column keeps a column of the table's sources as it is (a constant for null apart).
    pub(super) fn stores(&self, planned: &model::plan::PlannedColumn, column: Column) -> bool {
        use model::plan::Derivation::{Attribute, Coalesced};
        matches!(&planned.derivation, Attribute(of) | Coalesced(of, _) if self.shape.same(*of, column))
    }
}
