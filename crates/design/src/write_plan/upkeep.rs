//! The upkeep of one table: what writes do to maintain it and what they must read first. Used by
//! the search, which has no set of tables yet.
//!
//! Each write is drafted as if the table were the only one. The effort of its statements is counted
//! as in finished plans (`effort`), except for two things that depend on all tables: plain
//! statements count as part of a logged batch, which they are unless the write touches a single
//! partition, and each table on which a condition could be checked counts as the one on which it
//! is. Reads of the table itself are counted here; all others become a [`RowRequirement`], which
//! the program of the search turns into a demand that any candidate may satisfy.

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

/// What a write does to maintain one table.
#[derive(Clone, Debug)]
pub(crate) struct Upkeep {
    /// The write.
    pub(crate) write: WriteId,
    /// The effort of its statements on the table, including reads of the table itself, for each
    /// run.
    pub(crate) effort: Effort,
    /// What it must read first, from whichever table has it.
    pub(crate) requirements: Vec<RowRequirement>,
}

/// Rows that a write must read first, or a table on which it must check its condition.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RowRequirement {
    /// The write.
    pub(crate) write: WriteId,
    /// Equal for all requirements of the write that one statement can satisfy, whatever columns
    /// each needs.
    pub(crate) key: Rc<RequestKey>,
    pub(super) request: Request,
}

/// How a candidate satisfies a requirement.
#[derive(Clone, Debug)]
pub(crate) struct Fulfilment {
    /// Columns that the candidate must have beside its key.
    pub(crate) columns: BTreeSet<Column>,
    /// The effort of the read, for each run of the write.
    pub(crate) effort: Effort,
}

/// The upkeep of a table (and of the one that remembers its oldest bucket, if it needs one) by each
/// write that affects it, in the order of the writes. `None` when one of them cannot maintain it.
pub(crate) fn table_upkeep(
    context: Context<'_>,
    table: &PlannedTable,
    memory: Option<&Volume>,
) -> Option<Vec<Upkeep>> {
    if table.view_of.is_some() || table.remembers.is_some() {
        return Some(Vec::new());
    }
    let writes = context.workload.writes.enumerate_ids();
    let shown = std::slice::from_ref(table);
    let mut touching = writes.filter(|(at, _)| can_change(context, shown, *at)).peekable();
    if touching.peek().is_none() {
        return Some(Vec::new());
    }
    let mut tables = vec![table.clone()];
    tables.extend(memory.map(|volume| oldest_bucket_table(table, volume)));
    let mut upkeeps = Vec::new();
    for (position, write) in touching {
        upkeeps.extend(write_upkeep(context, &tables, (write, position))?);
    }
    Some(upkeeps)
}

/// The server's upkeep of a view of a table. `None` when a write cannot maintain the table itself.
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

/// Whether a write, or one that it implies, may change what one of the tables holds.
pub(super) fn can_change(context: Context<'_>, tables: &[PlannedTable], write: WriteId) -> bool {
    let mut seen = BTreeSet::new();
    let mut open = vec![write];
    while let Some(at) = open.pop() {
        let Some(write) = context.workload.writes.member(at).filter(|_| seen.insert(at)) else {
            continue;
        };
        if tables.iter().any(|table| can_affect(context, table, write)) {
            return true;
        }
        open.extend(&write.implies);
    }
    false
}

/// Whether a write may change what the table holds.
fn can_affect(context: Context<'_>, table: &PlannedTable, write: &Write) -> bool {
    let holds = &table.holds;
    if !holds.sources.iter().any(|source| source.entity == write.entity) {
        return false;
    }
    let assignments = match &write.kind {
        WriteKind::Update(..) if !write.implies.is_empty() => return false,
        WriteKind::Insert(_) | WriteKind::Delete(_) => return true,
        WriteKind::Upsert(_) | WriteKind::Rows(_) => return false,
        WriteKind::Update(assignments, _) => assignments,
    };
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
fn oldest_bucket_table(table: &PlannedTable, volume: &Volume) -> PlannedTable {
    let is_bucket = |column: &&PlannedColumn| matches!(column.derivation, Derivation::Bucket(..));
    let mut columns: Vec<_> =
        table.partition_key().filter(|column| !is_bucket(column)).cloned().collect();
    if let Some((column, _, bucket)) = table.bucket() {
        let end = |name: &str, derivation: Derivation| PlannedColumn {
            name: name.to_owned(),
            role: ColumnRole::Regular,
            derivation,
            ..column.clone()
        };
        columns.push(end("oldest", Derivation::Oldest(bucket)));
        let is_range = bucket.days().is_none();
        columns.extend(is_range.then(|| end("newest", Derivation::Newest(bucket))));
    }
    PlannedTable {
        columns,
        holds: table.holds.clone(),
        remembers: Some(TableId::new(0)),
        volume: *volume,
        ..PlannedTable::default()
    }
}

/// The upkeep of the first of the tables by a write; empty when it sends nothing. `None` when it
/// cannot do what it must.
fn write_upkeep(
    context: Context<'_>,
    tables: &[PlannedTable],
    (write, position): (&Write, WriteId),
) -> Option<Vec<Upkeep>> {
    let draft = draft_write(context, tables, write, true);
    let kinds = [&draft.first, &draft.rows, &draft.later, &draft.counts].map(Vec::as_slice);
    if kinds.iter().all(|kind| kind.is_empty()) && draft.runs.is_empty() {
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
        match upkeep.requirements.iter_mut().find(|requirement| requirement.key == key) {
            Some(requirement) => {
                requirement.request.wants.extend(&request.wants);
                requirement.request.distinct.extend(&request.distinct);
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

/// What writes must read for the rows that they return, whatever tables there are.
pub(crate) fn returning_requirements(context: Context<'_>) -> Vec<RowRequirement> {
    let writes = context.workload.writes.enumerate_ids();
    let returning = writes.filter(|(_, write)| write.returning.is_some());
    let required = returning.flat_map(|(position, write)| {
        let draft = draft_write(context, &[], write, true);
        let keys = request_key::request_keys(&PlannedTable::default(), &draft.requests);
        let requests = draft.requests.into_iter().zip(keys);
        let required = requests.filter_map(|(request, key)| {
            Some(RowRequirement { write: position, key: key?, request })
        });
        required.collect::<Vec<_>>()
    });
    required.collect()
}

impl RowRequirement {
    /// How a candidate satisfies the requirement, if it does.
    pub(crate) fn satisfy(
        &self,
        context: Context<'_>,
        candidate: &CandidateTable,
    ) -> Option<Fulfilment> {
        if self.request.ensures {
            return self.condition(context, candidate);
        }
        let access = lookup::access(context, TableId::new(0), &candidate.table, &self.request)?;
        let columns = access.missing.into_iter().collect();
        if !candidate.can_store(context, &columns) {
            return None;
        }
        // The additional columns may enlarge the partitions so that a bucket or shards are needed.
        let filled = candidate.table_with(context, &columns);
        let access = lookup::access(context, TableId::new(0), &filled.table, &self.request)?;
        let own = access.loops.get(self.request.loops.len()..).unwrap_or_default();
        let numbers = (self.request.times, self.request.count);
        let mut effort = effort::read_effort(context, &filled.table, numbers, own)?;
        let endless = |turn: &Loop| matches!(turn, Loop::Buckets(walk) if walk.retain.is_none());
        if own.iter().any(endless) {
            // A walk over buckets needs a table that remembers the oldest one.
            filled.memory?;
            let times = (self.request.times, self.request.times);
            effort += effort::read_effort(context, &filled.table, times, &[])?;
        }
        Some(Fulfilment { columns, effort })
    }

    /// How the write's condition is checked on a candidate; its effort is part of the candidate's
    /// upkeep.
    fn condition(&self, context: Context<'_>, candidate: &CandidateTable) -> Option<Fulfilment> {
        let write = context.workload.writes.member(self.write)?;
        let sources = candidate.table.holds.sources.enumerate_ids();
        let same = sources.filter(|(_, source)| source.entity == write.entity);
        same.map(|(source, _)| source).find_map(|source| {
            let of = |column: &Column| Column { source, attribute: column.attribute };
            let in_key = |column: &Column| {
                let keys = candidate.table.columns.iter();
                keys.into_iter().any(|key| key.derivation == Derivation::Attribute(*column))
            };
            let columns = self.request.wants.iter().map(of).filter(|column| !in_key(column));
            let columns: BTreeSet<_> = columns.collect();
            let tables = [candidate.table_with(context, &columns).table];
            let impact = Impact::new(context, &tables, write, false);
            impact.can_check_condition().then(|| Fulfilment { columns, effort: Effort::default() })
        })
    }

    /// What is read, and why, in words.
    pub(crate) fn reason(&self) -> &str {
        if self.request.reason.is_empty() { "rows first" } else { &self.request.reason }
    }

    /// The requirement as a read, for which candidates can be generated; `None` when there are
    /// none.
    pub(crate) fn read(&self, context: Context<'_>) -> Option<Read> {
        support::to_read(context, &self.request, context.workload.writes.member(self.write)?)
    }
}
