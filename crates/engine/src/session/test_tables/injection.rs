//! Runs statements that faults may hit.

use cql::{BatchKind, ErrorCode, StatementKind};
use schema::bind::BoundKind;
use schema::bind::restrictions::StatementType;
use schema::catalog::{TEST_KEYSPACE, Table};

use crate::error::{Error, ErrorDetail, ReplicaReport, Result};
use crate::node::test_hooks::{Fault, FaultKind, FaultTarget, StatementClass};
use crate::result::ResultMessage;
use crate::session::consistency;
use crate::session::context::StatementContext;
use crate::session::statement::RunningStatement;

/// Runs a statement, with the delay and the error of the fault that hits it, if one does.
pub(in crate::session) fn run_with_faults(
    context: &StatementContext<'_>,
    running: RunningStatement<'_>,
    run: fn(&StatementContext<'_>, RunningStatement<'_>) -> Result<ResultMessage>,
) -> Result<ResultMessage> {
    let statement = HitStatement { context, running };
    let Some(hooks) = &context.node.test_hooks else { return run(context, running) };
    let hit = statement.target().and_then(|target| {
        // The upper 53 bits are as many as a number from 0 to 1 has.
        let draw = || (context.node.entropy.next() >> 11) as f64 / (1_u64 << 53) as f64;
        hooks.faults.hit(&target, draw)
    });
    let Some(fault) = hit else { return run(context, running) };
    if !fault.delay.is_zero() {
        (hooks.pause)(fault.delay);
    }
    if fault.kind == FaultKind::Slow {
        return run(context, running);
    }
    if fault.is_applied {
        run(context, running)?;
    }
    Err(statement.error(&fault))
}

/// A statement that faults may hit.
struct HitStatement<'a> {
    context: &'a StatementContext<'a>,
    running: RunningStatement<'a>,
}

impl HitStatement<'_> {
    /// What the statement does to which tables; `None` if no fault can hit it.
    fn target(&self) -> Option<FaultTarget<'_>> {
        let class = match &self.running.bound.kind {
            BoundKind::Select(_) => StatementClass::Select,
            BoundKind::Write(write) => match write.statement {
                StatementType::Insert => StatementClass::Insert,
                StatementType::Delete => StatementClass::Delete,
                _ => StatementClass::Update,
            },
            BoundKind::Batch(_) => StatementClass::Batch,
            BoundKind::Unbound => {
                let keyspace = self.context.keyspace.unwrap_or_default();
                let tables = vec![(keyspace, false, "")];
                return Some(FaultTarget { class: StatementClass::Schema, tables });
            }
            BoundKind::Command(_) => return self.truncate_target(),
        };
        let tables: Vec<_> = self.tables().map(|table| self.name(table)).collect();
        let is_control = tables.iter().any(|(keyspace, ..)| *keyspace == TEST_KEYSPACE);
        (!is_control).then_some(FaultTarget { class, tables })
    }

    fn truncate_target(&self) -> Option<FaultTarget<'_>> {
        let Some(StatementKind::Truncate(truncate)) =
            self.running.statement.map(|statement| &statement.kind)
        else {
            return None;
        };
        let keyspace = truncate.table.keyspace.as_ref().map(|name| &*name.text);
        let keyspace = keyspace.or(self.context.keyspace)?;
        let table = self.context.schema.table(keyspace, &truncate.table.name.text)?;
        let tables = vec![self.name(&table.definition)];
        let is_control = keyspace == TEST_KEYSPACE;
        (!is_control).then_some(FaultTarget { class: StatementClass::Truncate, tables })
    }

    fn name<'t>(&self, table: &'t Table) -> (&'t str, bool, &'t str) {
        let keyspace = self.context.schema.catalog.keyspace(&table.keyspace);
        (&table.keyspace, keyspace.is_some_and(|keyspace| keyspace.system), &table.name)
    }

    fn tables(&self) -> Box<dyn Iterator<Item = &Table> + '_> {
        match &self.running.bound.kind {
            BoundKind::Select(select) => Box::new(std::iter::once(&*select.table)),
            BoundKind::Write(write) => Box::new(std::iter::once(&*write.table)),
            BoundKind::Batch(batch) => Box::new(batch.statements.iter().map(|write| &*write.table)),
            _ => Box::new(std::iter::empty()),
        }
    }

    /// The protocol's name of the kind of write.
    fn write_type(&self) -> &'static str {
        match &self.running.bound.kind {
            BoundKind::Write(write) if write.is_conditional() => "CAS",
            BoundKind::Write(write) if write.table.is_counter() => "COUNTER",
            BoundKind::Batch(batch) if batch.is_conditional() => "CAS",
            BoundKind::Batch(batch) => match batch.kind {
                BatchKind::Logged => "BATCH",
                BatchKind::Unlogged => "UNLOGGED_BATCH",
                BatchKind::Counter => "COUNTER",
            },
            _ => "SIMPLE",
        }
    }

    /// The error of a fault, with Cassandra's texts.
    fn error(&self, fault: &Fault) -> Error {
        let level = self.context.parameters.consistency;
        let table = self.tables().next();
        let required = fault.required.unwrap_or_else(|| {
            table
                .map_or(1, |table| consistency::count_required_replicas(self.context, table, level))
        });
        let received = fault.received.unwrap_or(required.saturating_sub(1));
        let is_read = matches!(self.running.bound.kind, BoundKind::Select(_));
        let (code, text) = match (fault.kind, is_read) {
            (FaultKind::Timeout, true) => (ErrorCode::ReadTimeout, timeout_text(received)),
            (FaultKind::Timeout, false) => (ErrorCode::WriteTimeout, timeout_text(received)),
            (FaultKind::Failure, true) => (ErrorCode::ReadFailure, failure_text(received)),
            (FaultKind::Failure, false) => (ErrorCode::WriteFailure, failure_text(received)),
            (FaultKind::Unavailable, _) => {
                let text = format!("Cannot achieve consistency level {}", level.name());
                (ErrorCode::Unavailable, text)
            }
            (FaultKind::Overloaded, _) => (ErrorCode::Overloaded, OVERLOADED.to_owned()),
            (FaultKind::Bootstrapping, _) => (ErrorCode::IsBootstrapping, BOOTSTRAPPING.to_owned()),
            (FaultKind::ServerError | FaultKind::Slow, _) => {
                (ErrorCode::Server, "a fault of helenus.faults".to_owned())
            }
        };
        let detail = match code {
            ErrorCode::Unavailable => {
                ErrorDetail::Unavailable { consistency: level, required, alive: received }
            }
            ErrorCode::Overloaded | ErrorCode::IsBootstrapping | ErrorCode::Server => {
                ErrorDetail::None
            }
            _ => ErrorDetail::Replicas(Box::new(ReplicaReport {
                consistency: level,
                received,
                required,
                failures: 1,
                is_data_present: fault.is_data_present,
                write_type: fault.write_type.clone().unwrap_or_else(|| self.write_type().into()),
            })),
        };
        let message = fault.message.as_deref().map_or(text, str::to_owned);
        Error { detail, ..Error::new(code, message) }
    }
}

const OVERLOADED: &str = "Server is in overloaded state. Cannot accept more requests at this point";
const BOOTSTRAPPING: &str = "Cannot read from a bootstrapping node";

fn timeout_text(received: i32) -> String {
    format!("Operation timed out - received only {received} responses.")
}

fn failure_text(received: i32) -> String {
    format!(
        "Operation failed - received {received} responses and 1 failures: UNKNOWN from /127.0.0.1:7000"
    )
}
