//! Binding: checks a statement against a catalog, and resolves its names and types.
//!
//! The server's three steps are separate functions, so that the result of each is available:
//! PREPARE is [`bind`] and [`validate`]; a QUERY without markers is [`bind`] and
//! `check_execution`.
//!
//! - `select` with `selection`, and `write`, bind the statements; `command` the others.
//! - `restrictions` analyses WHERE clauses, `term` binds values, `function` resolves calls, `types`
//!   resolves type names, `json` decodes documents; `context` and `assignment` are shared by them.
//!
//! - `substitute` replaces markers by values.

pub mod assignment;
pub mod command;
pub mod context;
pub mod function;
pub mod json;
pub mod restrictions;
pub mod select;
pub mod selection;
pub mod substitute;
pub mod term;
pub mod types;
pub mod write;

use cql::Span;
use cql::statement::{Statement, StatementKind};

use command::BoundCommand;
use context::{BoundMarker, Context};
use select::BoundSelect;
use write::{BoundBatch, BoundWrite};

use crate::catalog::Table;
use crate::refusal::{CommandReason, TermReason};
use crate::{Catalog, Refusal, Result};

/// A statement that the server would prepare, with its markers.
#[derive(Clone, Debug)]
pub struct BoundStatement {
    /// The kind of statement, with its contents.
    pub kind: BoundKind,
    /// Its markers by index; `None` for one where no value is bound.
    pub markers: Vec<Option<BoundMarker>>,
    /// The time when it was bound, in milliseconds since 1970.
    pub now_ms: i64,
    /// Where it stands.
    pub span: Span,
}

impl BoundStatement {
    /// The table that it reads or writes, if it is a single one.
    fn table(&self) -> Option<&Table> {
        match &self.kind {
            BoundKind::Select(select) => Some(&select.table),
            BoundKind::Write(write) => Some(&write.table),
            BoundKind::Batch(batch) => {
                let first = &batch.statements.first()?.table;
                let is_same = |table: &Table| {
                    (&table.keyspace, &table.name) == (&first.keyspace, &first.name)
                };
                batch.statements.iter().all(|write| is_same(&write.table)).then_some(first)
            }
            BoundKind::Command(_) | BoundKind::Unbound => None,
        }
    }

    /// The markers of the partition key, in key order; `None` if they do not form all of it. The
    /// last marker for a column counts.
    pub fn partition_key_markers(&self) -> Option<Vec<usize>> {
        let marker_for = |position: usize| {
            let gives = |marker: &Option<BoundMarker>| {
                marker.as_ref().is_some_and(|marker| marker.partition_key == Some(position))
            };
            self.markers.iter().rposition(gives)
        };
        (0..self.table()?.partition_key().len()).map(marker_for).collect()
    }
}

/// The kinds of bound statements.
#[derive(Clone, Debug)]
pub enum BoundKind {
    /// SELECT
    Select(Box<BoundSelect>),
    /// INSERT, UPDATE, DELETE
    Write(Box<BoundWrite>),
    /// BATCH
    Batch(BoundBatch),
    /// USE, TRUNCATE, DESCRIBE; roles, permissions, identities.
    Command(BoundCommand),
    /// Nothing to bind: a schema statement (see [`crate::ddl::change`]), a shell command, or text
    /// that did not parse.
    Unbound,
}

/// Binds a statement, or returns the server's error. `now_ms` is the time in milliseconds since
/// 1970.
pub fn bind(
    catalog: &Catalog,
    keyspace: Option<&str>,
    now_ms: i64,
    statement: &Statement,
) -> Result<BoundStatement> {
    let mut cx = Context::new(catalog, keyspace, statement);
    cx.now_ms = now_ms;
    let kind = match &statement.kind {
        StatementKind::Select(select) => BoundKind::Select(select::bind(&mut cx, select)?.into()),
        StatementKind::Insert(insert) => {
            BoundKind::Write(write::bind_insert(&mut cx, insert)?.into())
        }
        StatementKind::Update(update) => {
            BoundKind::Write(write::bind_update(&mut cx, update)?.into())
        }
        StatementKind::Delete(delete) => {
            BoundKind::Write(write::bind_delete(&mut cx, delete)?.into())
        }
        StatementKind::Batch(batch) => BoundKind::Batch(write::bind_batch(&mut cx, batch)?),
        other => match command::bind(&cx, other) {
            Some(command) => BoundKind::Command(command?),
            None => BoundKind::Unbound,
        },
    };
    Ok(BoundStatement { kind, markers: cx.markers, now_ms, span: statement.span })
}

/// Refuses to prepare a statement with more markers than the protocol can count in two bytes.
pub fn check_marker_count(statement: &Statement) -> Result<()> {
    const MARKERS_MAX: usize = 65_535;
    let count = statement.markers.len();
    if count > MARKERS_MAX {
        let (count, most) = (count.to_string(), MARKERS_MAX.to_string());
        return Err(Refusal::new(CommandReason::TooManyMarkers { count, most }, statement.span)
            .with_help("split the values over several statements")
            .into());
    }
    Ok(())
}

/// The errors of PREPARE for a bound statement.
pub fn validate(statement: &BoundStatement) -> Result<()> {
    match &statement.kind {
        BoundKind::Unbound => return Ok(()),
        BoundKind::Select(_) => {}
        BoundKind::Write(write) => write::validate(write)?,
        BoundKind::Batch(batch) => write::validate_batch(batch)?,
        BoundKind::Command(command) => return command.validate(),
    }
    check_markers(statement)
}

/// A marker without a receiver (`USING TTL ? AND TTL ?`: the last one counts) cannot be described
/// by the server.
fn check_markers(statement: &BoundStatement) -> Result<()> {
    let null = match &statement.markers[..] {
        [None] => "the return value of \"java.util.List.get(int)\"",
        [None, ..] => "\"first\"",
        markers if markers.iter().any(Option::is_none) => "\"name\"",
        _ => return Ok(()),
    };
    Err(Refusal::new(TermReason::NamelessMarker { null: null.to_string() }, statement.span)
        .with_help("write TIMESTAMP and TTL once each")
        .into())
}

/// The errors of executing a bound statement without markers, before any row is read; what follows
/// from the conditions of a write is left to the caller, who has the rows
/// ([`write::check_applied`]).
pub fn check_start(statement: &BoundStatement, page_size: Option<u32>) -> Result<()> {
    let now_ms = statement.now_ms;
    match &statement.kind {
        BoundKind::Write(write) => {
            write::validate(write)?;
            write::check_start(write, now_ms)
        }
        BoundKind::Batch(batch) => {
            write::validate_batch(batch)?;
            write::check_batch_start(batch, now_ms)
        }
        _ => check_execution(statement, page_size),
    }
}

/// The errors of executing a bound statement without markers, including those of [`validate`].
pub(crate) fn check_execution(statement: &BoundStatement, page_size: Option<u32>) -> Result<()> {
    let now_ms = statement.now_ms;
    match &statement.kind {
        BoundKind::Select(select) => select::check_execution(select, page_size),
        BoundKind::Write(write) => {
            write::validate(write)?;
            write::check_execution(write, now_ms)
        }
        BoundKind::Batch(batch) => {
            write::validate_batch(batch)?;
            write::check_batch_execution(batch, now_ms)
        }
        BoundKind::Command(command) => command.check_execution(),
        BoundKind::Unbound => Ok(()),
    }
}
