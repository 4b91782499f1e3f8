//! What writes do to keep one table up, and what they must read first: for the search, which has no tables yet.
//!
//! Each write is drafted as if the table were the only one. What its statements take is counted as in finished plans
//! (`effort`), but for two things that are known only with all tables: plain statements count as part of a logged batch, as they
//! are unless the write touches one partition only, and of several tables on which a condition could be checked each counts as the one.
//! What is read first from the very table is counted here; all else becomes a [`Wish`].

use std::collections::BTreeSet;
use std::rc::Rc;

use model::id::{AttributeId, IdList, SourceId, TableId, WriteId};
use model::plan::{ColumnRole, Derivation, Effort, Loop, PlannedColumn, PlannedTable, Volume};
use model::workload::{Column, Read, Write, WriteKind};

use super::impact::{Impact, source_columns};
use super::join_graph::JoinGraph;
use super::request::Request;
pub(crate) use super::request_key::RequestKey;
use super::statements::effort;
use super::{draft_write, lookup, request_key, support};
use crate::Context;
use crate::candidate::CandidateTable;

/// What a write does to keep one table up.
#[derive(Clone, Debug)]
pub(crate) struct Upkeep {
    /// The write.
    pub(crate) write: WriteId,
    /// What its statements on the table take, with reads of the very table, each time the write runs.
    pub(crate) effort: Effort,
    /// What it must read first, from whichever table has it.
    pub(crate) requirements: Vec<RowRequirement>,
}

/// Rows that a write must read first; or a table that it must have, to check its condition there.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RowRequirement {
    /// The write.
    pub(crate) write: WriteId,
    /// The same for all wishes of the write that one statement can fulfil, whatever columns each wants.
    pub(crate) key: Rc<RequestKey>,
    pub(super) request: Request,
}

/// How a frame fulfils a wish.
#[derive(Clone, Debug)]
pub(crate) struct Fulfilment {
    /// Columns that the frame must have beside its key.
    pub(crate) columns: BTreeSet<Column>,
    /// What the read takes, each time the write runs.
    pub(crate) effort: Effort,
}

/// What each write does to keep a table up (and the one that remembers its oldest bucket, where it needs one), in the order of
/// the writes; only those that touch it. `None` when one cannot.
pub(crate) fn table_upkeep(
    context: Context<'_>,
    table: &PlannedTable,
    memory: Option<&Volume>,
) -> Option<Vec<Upkeep>> {
    if table.view_of.is_some() || table.remembers.is_some() {
        return Some(Vec::new());
    }
    let writes = context.workload.writes.enumerate_ids();
    let mut touching = writes.filter(|(_, write)| can_affect(context, table, write)).peekable();
    if touching.peek().is_none() {
        return Some(Vec::new());
    }
    let mut tables = vec![table.clone()];
    tables.extend(memory.map(|volume| oldest_bucket_table(table, *volume)));
    let mut upkeeps = Vec::new();
    for (position, write) in touching {
        upkeeps.extend(write_upkeep(context, &tables, (write, position))?);
    }
    Some(upkeeps)
}

/// What the server does at each write to keep a view of a table up. `None` when a write cannot keep the table itself up.
pub(crate) fn view_upkeep(
    context: Context<'_>,
    base: PlannedTable,
    view: PlannedTable,
) -> Option<Vec<Upkeep>> {
    let alone = table_upkeep(context, &base, None)?;
    let tables = [base, PlannedTable { view_of: Some(TableId::new(0)), ..view }];
    let mut upkeeps = Vec::new();
    for before in alone {
        let write = context.workload.writes.member(before.write)?;
        for both in write_upkeep(context, &tables, (write, before.write))? {
            let effort = both.effort + before.effort * -1.0;
            upkeeps.push(Upkeep { write: before.write, effort, requirements: Vec::new() });
        }
    }
    Some(upkeeps)
}

/// Whether a write may change what the table holds.
fn can_affect(context: Context<'_>, table: &PlannedTable, write: &Write) -> bool {
    let holds = &table.holds;
    if !holds.sources.iter().any(|source| source.entity == write.entity) {
        return false;
    }
    let WriteKind::Update(assignments, _) = &write.kind else { return true };
    let shape = JoinGraph { concept: context.concept, sources: &holds.sources };
    let changed = |source: SourceId, attribute: AttributeId| {
        holds.sources.member(source).is_some_and(|held| held.entity == write.entity)
            && assignments.iter().any(|assignment| assignment.attribute == attribute)
    };
    let filters = holds.filters.iter().flat_map(|filter| filter.predicate.columns()).copied();
    let mut columns = table
        .columns
        .iter()
        .flat_map(source_columns)
        .chain(filters)
        .chain(holds.not_null.iter().copied())
        .chain(holds.elements.iter().copied());
    let joined = |source: SourceId| {
        shape.hops(source).iter().any(|hop| {
            let (holder, target) = if hop.to_one { (hop.from, hop.to) } else { (hop.to, hop.from) };
            let reference = hop.reference;
            reference.attributes.iter().any(|attribute| changed(holder, *attribute))
                || reference.target_attributes.iter().any(|at| changed(target, *at))
        })
    };
    columns.any(|column| changed(column.source, column.attribute))
        || holds.sources.ids().any(joined)
}

/// The table that remembers the oldest bucket of the table.
fn oldest_bucket_table(table: &PlannedTable, volume: Volume) -> PlannedTable {
    let is_bucket = |column: &&PlannedColumn| matches!(column.derivation, Derivation::Bucket(..));
    let mut columns: Vec<_> =
        table.partition_key().filter(|column| !is_bucket(column)).cloned().collect();
    columns.extend(table.bucket().map(|(column, _, bucket)| PlannedColumn {
        name: "oldest".to_owned(),
        role: ColumnRole::Regular,
        derivation: Derivation::Oldest(bucket),
        ..column.clone()
    }));
    PlannedTable {
        columns,
        holds: table.holds.clone(),
        remembers: Some(TableId::new(0)),
        volume,
        ..PlannedTable::default()
    }
}

/// What a write does to the first of the tables; none when it has nothing to send. `None` when it cannot do what it must.
fn write_upkeep(
    context: Context<'_>,
    tables: &[PlannedTable],
    (write, position): (&Write, WriteId),
) -> Option<Vec<Upkeep>> {
    let draft = draft_write(context, tables, write, true);
    let kinds = [&draft.first, &draft.rows, &draft.later, &draft.counts].map(Vec::as_slice);
    if kinds.iter().all(|kind| kind.is_empty()) {
        return Some(Vec::new());
    }
    let mut upkeep = Upkeep {
        write: position,
        effort: effort::statements_effort(context, tables, kinds, true),
        requirements: Vec::new(),
    };
    let keys = request_key::request_keys(tables.first()?, &draft.requests);
    for (request, key) in draft.requests.iter().zip(keys) {
        let Some(key) = key else { continue };
        if let Some(own) = &request.own {
            let numbers = (request.times, request.count);
            upkeep.effort += effort::read_effort(context, tables.member(own.table)?, numbers, &[])?;
            continue;
        }
        match upkeep.requirements.iter_mut().find(|wish| wish.key == key) {
            Some(wish) => {
                wish.request.wants.extend(&request.wants);
                wish.request.distinct.extend(&request.distinct);
            }
            None => upkeep.requirements.push(RowRequirement {
                write: position,
                key,
                request: request.clone(),
            }),
        }
    }
    Some(vec![upkeep])
}

impl RowRequirement {
    /// How a frame fulfils it, if it does.
    pub(crate) fn satisfy(
        &self,
        context: Context<'_>,
        frame: &CandidateTable,
    ) -> Option<Fulfilment> {
        if self.request.ensures {
            return self.condition(context, frame);
        }
        let access = lookup::access(context, TableId::new(0), &frame.table, &self.request)?;
        let columns = access.missing.into_iter().collect();
        // With its columns the table may have a bucket, or shards.
        let filled = frame.table_with(context, &columns);
        let access = lookup::access(context, TableId::new(0), &filled.table, &self.request)?;
        let own = access.loops.get(self.request.loops.len()..).unwrap_or_default();
        let numbers = (self.request.times, self.request.count);
        let mut effort = effort::read_effort(context, &filled.table, numbers, own)?;
        let endless = |turn: &Loop| matches!(turn, Loop::Buckets(walk) if walk.retain.is_none());
        if own.iter().any(endless) {
            // A walk over buckets must know its end.
            filled.memory?;
            let times = (self.request.times, self.request.times);
            effort += effort::read_effort(context, &filled.table, times, &[])?;
        }
        Some(Fulfilment { columns, effort })
    }

    /// How the write's condition is checked on a frame: what that takes is part of keeping the frame up.
    fn condition(&self, context: Context<'_>, frame: &CandidateTable) -> Option<Fulfilment> {
        let write = context.workload.writes.member(self.write)?;
        let sources = frame.table.holds.sources.enumerate_ids();
        let same = sources.filter(|(_, source)| source.entity == write.entity);
        same.map(|(source, _)| source).find_map(|source| {
            let of = |column: &Column| Column { source, attribute: column.attribute };
            let in_key = |column: &Column| {
                let keys = frame.table.columns.iter();
                keys.into_iter().any(|key| key.derivation == Derivation::Attribute(*column))
            };
            let columns = self.request.wants.iter().map(of).filter(|column| !in_key(column));
            let columns: BTreeSet<_> = columns.collect();
            let tables = [frame.table_with(context, &columns).table];
            let impact = Impact::new(context, &tables, write, false);
            impact.can_check_condition().then(|| Fulfilment { columns, effort: Effort::default() })
        })
    }

    /// As a read, for which frames can be made; `None` when there can be none.
    pub(crate) fn read(&self, context: Context<'_>) -> Option<Read> {
        support::to_read(context, &self.request, context.workload.writes.member(self.write)?)
    }
}
