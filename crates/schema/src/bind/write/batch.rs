//! BATCH.

use cql::Span;
use cql::statement::write::{Batch, BatchKind, WriteKind};

use super::{BoundAttributes, BoundWrite, attributes, bind_one, check_assignments};
use crate::bind::context::Context;
use crate::refusal::{BatchReason, refuse};
use crate::{Refusal, Result};

/// A batch that the server would prepare.
#[derive(Clone, Debug)]
pub struct BoundBatch {
    /// Logged, unlogged or counter.
    pub kind: BatchKind,
    /// The statements.
    pub statements: Vec<BoundWrite>,
    /// USING; never a TTL.
    pub using: BoundAttributes,
}

impl BoundBatch {
    /// A batch of statements that were bound separately, as in the protocol's BATCH message.
    pub fn from_statements(kind: BatchKind, statements: Vec<BoundWrite>) -> Result<Self> {
        let batch = Self { kind, statements, using: BoundAttributes::default() };
        check(&batch)?;
        Ok(batch)
    }

    /// Whether a statement has an IF clause, which makes the whole batch conditional.
    pub fn is_conditional(&self) -> bool {
        self.statements.iter().any(BoundWrite::is_conditional)
    }
}

/// Binds a batch.
pub(in crate::bind) fn bind(cx: &mut Context<'_>, batch: &Batch) -> Result<BoundBatch> {
    for statement in &batch.statements {
        if let WriteKind::Update(update) = &statement.kind {
            check_assignments(update)?;
        }
    }
    let whole = cx.span;
    let mut statements = Vec::with_capacity(batch.statements.len());
    for statement in &batch.statements {
        cx.span = statement.span;
        statements.push(bind_one(cx, &statement.kind)?);
    }
    cx.span = whole;
    let using = attributes::bind(cx, &batch.using, "[batch]", "[batch]")?;
    let bound = BoundBatch { kind: batch.kind, statements, using };
    check(&bound)?;
    Ok(bound)
}

fn check(batch: &BoundBatch) -> Result<()> {
    if let Some((_, span)) = &batch.using.ttl {
        let help = "set USING TTL on each statement";
        return Err(Refusal::new(BatchReason::GlobalTtl, *span).with_help(help).into());
    }
    check_timestamp(batch)?;
    check_mixing(batch)?;
    if batch.is_conditional() {
        let tables = batch.statements.windows(2);
        let same = |pair: &&[BoundWrite]| {
            pair.iter().all(|write| {
                write.table.keyspace == pair[0].table.keyspace
                    && write.table.name == pair[0].table.name
            })
        };
        if let Some([_, other]) = tables.clone().find(|pair| !same(pair)) {
            return refuse(BatchReason::ManyTables, other.span);
        }
    }
    Ok(())
}

fn first_where(batch: &BoundBatch, is: impl Fn(&BoundWrite) -> bool) -> Option<Span> {
    batch.statements.iter().find(|write| is(write)).map(|write| write.span)
}

fn check_timestamp(batch: &BoundBatch) -> Result<()> {
    let Some((_, span)) = &batch.using.timestamp else { return Ok(()) };
    let both = batch.statements.iter().find_map(|write| write.using.timestamp.as_ref());
    let (reason, span) = if batch.is_conditional() {
        (BatchReason::TimestampWithConditions, *span)
    } else if batch.kind == BatchKind::Counter {
        (BatchReason::TimestampOfCounterBatch, *span)
    } else if let Some((_, inner)) = both {
        (BatchReason::TwoTimestamps, *inner)
    } else if first_where(batch, |write| write.table.is_counter()).is_some() {
        (BatchReason::TimestampWithCounters, *span)
    } else {
        return Ok(());
    };
    refuse(reason, span)
}

fn check_mixing(batch: &BoundBatch) -> Result<()> {
    let counter = first_where(batch, |write| write.table.is_counter());
    let plain = first_where(batch, |write| !write.table.is_counter());
    let computed = first_where(batch, |write| write.table.is_virtual);
    let stored = first_where(batch, |write| !write.table.is_virtual);
    let condition = first_where(batch, BoundWrite::is_conditional);
    let in_counter = batch.kind == BatchKind::Counter;
    let logged = batch.kind == BatchKind::Logged;
    let checks = [
        (in_counter, plain, BatchReason::PlainInCounterBatch),
        (counter.is_some(), plain.and(counter), BatchReason::MixedCounters),
        (logged, counter, BatchReason::CounterInLogged),
        (logged, computed, BatchReason::VirtualInLogged),
        (stored.is_some(), computed, BatchReason::MixedVirtual),
        (condition.is_some(), computed, BatchReason::ConditionsOnVirtual),
    ];
    for (applies, span, reason) in checks {
        if let (true, Some(span)) = (applies, span) {
            return refuse(reason, span);
        }
    }
    Ok(())
}
