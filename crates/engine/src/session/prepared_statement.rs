//! [`PreparedStatement`]: a statement that is bound once and executed many times.

use std::sync::Arc;

use cql::statement::write::WriteKind;
use cql::{ErrorCode, SchemaVersion, Statement, StatementId, StatementKind};
use schema::access::{self, AccessPlan};
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
        is_fully_qualified(&self.statement.kind)
    }

    pub(crate) fn as_running(&self) -> RunningStatement<'_> {
        let Self { statement, bound, plan, text, .. } = self;
        let origin = StatementOrigin::Prepared;
        RunningStatement { statement: Some(statement), bound, plan, text, origin }
    }

    /// The id of the statement, as Cassandra computes it: from the text alone if it is fully
    /// qualified, otherwise from the keyspace in use as well.
    pub fn id(&self) -> StatementId {
        let keyspace = self.keyspace.as_deref().filter(|_| !self.is_fully_qualified());
        let keyspace = keyspace.unwrap_or_default();
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

fn is_fully_qualified(statement: &StatementKind) -> bool {
    match statement {
        StatementKind::Select(select) => select.table.keyspace.is_some(),
        StatementKind::Insert(insert) => insert.table.keyspace.is_some(),
        StatementKind::Update(update) => update.table.keyspace.is_some(),
        StatementKind::Delete(delete) => delete.table.keyspace.is_some(),
        StatementKind::Truncate(truncate) => truncate.table.keyspace.is_some(),
        StatementKind::Batch(batch) => {
            batch.statements.iter().all(|statement| match &statement.kind {
                WriteKind::Insert(insert) => insert.table.keyspace.is_some(),
                WriteKind::Update(update) => update.table.keyspace.is_some(),
                WriteKind::Delete(delete) => delete.table.keyspace.is_some(),
            })
        }
        _ => false,
    }
}

/// The columns of a statement's result.
pub(crate) fn result_columns(bound: &BoundStatement) -> Arc<[ResultColumn]> {
    match &bound.kind {
        BoundKind::Select(select) => ResultColumn::for_select(select),
        _ => Arc::default(),
    }
}
