//! Identity of requests across the drafts of different tables.
//!
//! The search drafts each write for each candidate alone. Two candidates that need the same rows
//! read must share that cost, so their requests have to be recognised as the same although they
//! were created independently.

use std::rc::Rc;

use model::id::{EntityId, StepId};
use model::plan::{Derivation, Loop, Operand, PlannedTable};
use model::workload::{Column, Condition, Join, Predicate, Value};

use super::request::Request;

/// What distinguishes a request from those for other rows of the same write. The requested columns
/// play no part: one statement can return all of them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct RequestKey {
    /// Set when the request reads the written table by its own column names, so no other can serve
    /// it.
    own: Option<OwnTable>,
    /// The entities of the join, and how they are joined.
    sources: Vec<(EntityId, Option<Join>)>,
    filters: Vec<Predicate>,
    not_null: Vec<Column>,
    element: Option<Column>,
    optional: bool,
    ensures: bool,
    /// The known columns, whether each must be restricted, and their values.
    known: Vec<(Column, bool, Operand)>,
    loops: Vec<LoopKey>,
    /// The earlier requests whose rows it uses; operands and loops refer to them by position in
    /// this list.
    uses: Vec<Rc<RequestKey>>,
}

/// The table that is read itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct OwnTable {
    key: Vec<(String, Derivation)>,
    filters: Vec<Condition>,
}

/// What a request is repeated over.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum LoopKey {
    Values(Vec<Value>),
    Elements(Operand),
    Shards(u32),
    Buckets,
    Rows(StepId),
}

/// The key of each request of a table's draft; `None` for those that nothing uses.
pub(super) fn request_keys(
    table: &PlannedTable,
    requests: &[Request],
) -> Vec<Option<Rc<RequestKey>>> {
    let mut keys: Vec<Option<Rc<RequestKey>>> = Vec::new();
    for request in requests {
        let key = (!request.unused).then(|| Rc::new(request_key(table, request, &keys)));
        keys.push(key);
    }
    keys
}

/// The key of a request. `before` are those of the requests before it, which it may use.
fn request_key(
    table: &PlannedTable,
    request: &Request,
    before: &[Option<Rc<RequestKey>>],
) -> RequestKey {
    let mut uses = StepNumbering { before, named: Vec::new() };
    let known = request
        .known
        .iter()
        .map(|(column, operand)| (*column, request.enough.contains(column), uses.operand(operand)));
    let known = known.collect();
    let loops = request.loops.iter().map(|turn| match turn {
        Loop::Values(values) => LoopKey::Values(values.clone()),
        Loop::Elements(of) => LoopKey::Elements(uses.operand(of)),
        Loop::Shards(count) => LoopKey::Shards(*count),
        // A request has no bucket loops yet: they come with the table that is read.
        Loop::Buckets(_) => LoopKey::Buckets,
        Loop::Rows(step) => LoopKey::Rows(uses.step(*step)),
    });
    let loops = loops.collect();
    RequestKey {
        own: request.own.as_ref().map(|_| OwnTable::new(table)),
        sources: request.sources.iter().map(|source| (source.entity, source.join)).collect(),
        filters: request.filters.iter().map(|filter| filter.predicate.clone()).collect(),
        not_null: request.not_null.clone(),
        element: request.element,
        optional: request.optional,
        ensures: request.ensures,
        known,
        loops,
        uses: uses.named.into_iter().filter_map(|step| before.get(step.index())?.clone()).collect(),
    }
}

impl OwnTable {
    fn new(table: &PlannedTable) -> Self {
        let key = table.columns.iter().filter(|column| column.is_key());
        Self {
            key: key.map(|column| (column.name.clone(), column.derivation.clone())).collect(),
            filters: table.holds.filters.clone(),
        }
    }
}

/// Numbers earlier requests in the order of use: their positions differ from draft to draft.
struct StepNumbering<'a> {
    before: &'a [Option<Rc<RequestKey>>],
    named: Vec<StepId>,
}

impl StepNumbering<'_> {
    fn step(&mut self, step: StepId) -> StepId {
        let key = |step: StepId| self.before.get(step.index()).and_then(Option::as_ref);
        let known = self.named.iter().position(|named| *named == step || key(*named) == key(step));
        StepId::new(known.unwrap_or_else(|| {
            self.named.push(step);
            self.named.len() - 1
        }))
    }

    fn operand(&mut self, operand: &Operand) -> Operand {
        let mut operand = operand.clone();
        self.rename(&mut operand);
        operand
    }

    fn rename(&mut self, operand: &mut Operand) {
        if let Operand::Row { step, .. } = operand {
            *step = self.step(*step);
        }
        for part in operand.parts_mut() {
            self.rename(part);
        }
    }
}
