//! [`PreparedStatement`]: a statement that is bound once and executed many times.

use std::sync::Arc;

use cql::statement::write::{BatchStatement, WriteKind};
use cql::{
    ChangeKind, ChangeTarget, ErrorCode, QualifiedName, SchemaChange, SchemaVersion, Statement,
    StatementId, StatementKind,
};
use schema::access::{self, AccessPlan, Partitions};
use schema::bind::selection::Expression;
use schema::bind::{BoundKind, BoundStatement};

use crate::error::{Error, ErrorDetail};
use crate::execute::fast::FastPath;
use crate::node::name_id;
use crate::node::schema::Schema;
use crate::result::ResultColumn;
use crate::session::statement::{RunningStatement, StatementOrigin};

/// A prepared statement.
#[derive(Clone, Debug)]
pub struct PreparedStatement {
    /// The text of the statement.
    pub text: Box<str>,
    /// The keyspace in use when it was prepared.
    pub keyspace: Option<Box<str>>,
    /// The markers, as columns.
    pub markers: Vec<ResultColumn>,
    /// The markers that form the partition key, in key order; empty if they do not form all of it.
    pub partition_key: Vec<u16>,
    /// The columns of its result; empty if it returns no rows.
    pub columns: Arc<[ResultColumn]>,
    pub(crate) statement: Statement,
    pub(crate) bound: BoundStatement,
    pub(crate) plan: AccessPlan,
    pub(crate) schema_version: SchemaVersion,
    pub(crate) fast: Option<FastPath>,
}

impl PreparedStatement {
    /// Whether it reads or writes a single row by its full key, which takes microseconds.
    pub fn is_single_row(&self) -> bool {
        self.fast.is_some()
    }

    /// Whether it usually takes microseconds: it reads or writes a single row, or reads stored
    /// columns of one partition, where its time is checked after every few rows.
    pub fn is_usually_short(&self) -> bool {
        self.is_single_row() || self.is_read_of_one_partition()
    }

    fn is_read_of_one_partition(&self) -> bool {
        let (AccessPlan::Read(plan), BoundKind::Select(select)) = (&self.plan, &self.bound.kind)
        else {
            return false;
        };
        let mut selected = select.selection.columns.iter();
        plan.partitions == Partitions::One
            && !plan.table.is_virtual
            && plan.index.is_none()
            && plan.filtering.checks.is_empty()
            && !plan.aggregates
            && selected.all(|column| matches!(column.expression, Expression::Column(_)))
    }

    /// An upper estimate of its memory. Syntax tree, bound statement and plan grow with the tokens;
    /// a long literal is a single one, and its text is in each of them.
    pub fn byte_size(&self) -> usize {
        const FIXED: usize = 4096;
        const TEXT_COPIES: usize = 5;
        const PER_TOKEN: usize = 320;
        const PER_COLUMN: usize = 128;
        FIXED
            + self.text.len() * TEXT_COPIES
            + cql::count_tokens(&self.text) * PER_TOKEN
            + (self.markers.len() + self.columns.len()) * PER_COLUMN
    }

    pub(crate) fn new(
        text: &str,
        keyspace: Option<&str>,
        schema: &Schema,
        statement: Statement,
        bound: BoundStatement,
    ) -> Self {
        let key = bound.partition_key_markers().into_iter().flatten();
        let partition_key: Option<_> = key.map(|at| u16::try_from(at).ok()).collect();
        let markers = bound.markers.iter().flatten().map(|marker| ResultColumn {
            keyspace: marker.receiver.keyspace.clone(),
            table: marker.receiver.table.clone(),
            name: marker.receiver.name.clone(),
            ty: marker.receiver.ty.clone(),
        });
        let plan = access::plan(&bound.kind);
        Self {
            text: text.into(),
            keyspace: keyspace.map(Into::into),
            markers: markers.collect(),
            partition_key: partition_key.unwrap_or_default(),
            columns: result_columns(&bound),
            fast: FastPath::for_statement(schema, &plan, &bound),
            plan,
            statement,
            bound,
            schema_version: schema.version,
        }
    }

    /// Whether all tables are qualified by a keyspace, so that the one in use does not matter.
    pub(crate) fn is_fully_qualified(&self) -> bool {
        tables(&self.statement.kind)
            .is_some_and(|tables| tables.iter().all(|table| table.keyspace.is_some()))
    }

    /// The keyspace of unqualified names, if the statement has some.
    pub fn keyspace_of_names(&self) -> Option<&str> {
        self.keyspace.as_deref().filter(|_| !self.is_fully_qualified())
    }

    /// Whether a change of the schema drops one of its tables. After other changes it is bound again
    /// when it is executed next, and must be prepared again only if its columns have changed.
    pub fn is_affected_by(&self, change: &SchemaChange) -> bool {
        if change.change != ChangeKind::Dropped {
            return false;
        }
        let concerns = |table: &QualifiedName| {
            let keyspace = table.keyspace.as_ref().map(|keyspace| &*keyspace.text);
            let is_in_keyspace = keyspace.or(self.keyspace.as_deref()) == Some(&*change.keyspace);
            is_in_keyspace
                && match &change.target {
                    ChangeTarget::Keyspace => true,
                    ChangeTarget::Table(name) => *name == table.name.text,
                    _ => false,
                }
        };
        tables(&self.statement.kind).into_iter().flatten().any(concerns)
    }

    pub(crate) fn as_running(&self) -> RunningStatement<'_> {
        let Self { statement, bound, plan, text, .. } = self;
        let origin = StatementOrigin::Prepared;
        RunningStatement { statement: Some(statement), bound, plan, text, origin, times: None }
    }

    /// The id of the statement, as Cassandra computes it: from the text alone if it is fully
    /// qualified, otherwise from the keyspace in use as well.
    pub fn id(&self) -> StatementId {
        let keyspace = self.keyspace_of_names().unwrap_or_default();
        StatementId(name_id::md5_digest(&[keyspace.as_bytes(), self.text.as_bytes()]))
    }

    /// The error that asks the client to prepare it again.
    pub(crate) fn stale_error(&self) -> Error {
        let message =
            format!("Prepared query is not valid any more since the schema changed: {}", self.text);
        let detail = ErrorDetail::Unprepared(StatementId::default());
        Error { detail, ..Error::new(ErrorCode::Unprepared, message) }
    }
}

/// The tables of a statement on rows; `None` for all others.
fn tables(statement: &StatementKind) -> Option<Vec<&QualifiedName>> {
    Some(match statement {
        StatementKind::Select(select) => vec![&select.table],
        StatementKind::Insert(insert) => vec![&insert.table],
        StatementKind::Update(update) => vec![&update.table],
        StatementKind::Delete(delete) => vec![&delete.table],
        StatementKind::Truncate(truncate) => vec![&truncate.table],
        StatementKind::Batch(batch) => {
            let tables = batch.statements.iter().map(|BatchStatement { kind, .. }| match kind {
                WriteKind::Insert(insert) => &insert.table,
                WriteKind::Update(update) => &update.table,
                WriteKind::Delete(delete) => &delete.table,
            });
            tables.collect()
        }
        _ => return None,
    })
}

/// Refuses a statement if writing out the types of its result and markers would take too long.
pub(crate) fn check_types(bound: &BoundStatement) -> Result<(), Error> {
    const MAX_PARTS: usize = 1 << 20;
    let columns = match &bound.kind {
        BoundKind::Select(select) => select.selection.result_columns(),
        _ => Vec::new(),
    };
    let markers = bound.markers.iter().flatten().map(|marker| &marker.receiver.ty);
    let mut left = MAX_PARTS;
    for ty in columns.iter().map(|(_, ty)| ty).chain(markers) {
        let Some(rest) = ty.count_parts(left, None).and_then(|parts| left.checked_sub(parts))
        else {
            let message = format!("The types of the result have more than {MAX_PARTS} components");
            return Err(Error::invalid(message));
        };
        left = rest;
    }
    Ok(())
}

/// The columns of a statement's result.
pub(crate) fn result_columns(bound: &BoundStatement) -> Arc<[ResultColumn]> {
    match &bound.kind {
        BoundKind::Select(select) => ResultColumn::for_select(select),
        _ => Arc::default(),
    }
}
