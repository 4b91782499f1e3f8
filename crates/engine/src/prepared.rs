//! A prepared statement.

use std::sync::Arc;

use cql::statement::write::WriteKind;
use cql::{Statement, StatementKind};
use schema::bind::select::BoundSelect;
use schema::bind::{Bound, BoundStatement};

use crate::answer::ResultColumn;
use crate::error::{Detail, Error, UNPREPARED};
use crate::fast::Fast;
use crate::name_id;
use crate::schema::Schema;
use crate::session::Running;
use crate::values::Manner;

/// A statement that was prepared: bound once, run many times.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// Its text.
    pub text: Box<str>,
    /// The keyspace in use when it was prepared.
    pub keyspace: Option<Box<str>>,
    /// What its markers stand for.
    pub markers: Vec<ResultColumn>,
    /// Which of its markers give the partition key, in the order of the key; empty if they do not give all of it.
    pub partition_key: Vec<u16>,
    /// The columns of its result; none if it has no rows.
    pub columns: Arc<[ResultColumn]>,
    pub(crate) statement: Statement,
    pub(crate) bound: BoundStatement,
    pub(crate) schema_version: [u8; 16],
    pub(crate) fast: Option<Fast>,
}

impl Prepared {
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
        Self {
            text: text.into(),
            keyspace: keyspace.map(Into::into),
            markers: markers.collect(),
            partition_key: partition_key.unwrap_or_default(),
            columns: result_columns(&bound),
            fast: Fast::of(schema, &bound),
            statement,
            bound,
            schema_version: schema.version,
        }
    }

    /// Whether it names the keyspace of every table, so that the one in use does not matter.
    pub fn is_fully_qualified(&self) -> bool {
        is_fully_qualified(&self.statement.kind)
    }

    pub(crate) fn running(&self) -> Running<'_> {
        let Self { statement, bound, text, .. } = self;
        Running { statement, bound, text, manner: Manner::Prepared }
    }

    /// Its id, as Cassandra makes it: that of its text alone when it names its keyspace, else that of the keyspace in use as
    /// well.
    pub fn id(&self) -> [u8; 16] {
        let keyspace = self.keyspace.as_deref().filter(|_| !self.is_fully_qualified());
        name_id::digest(&[keyspace.unwrap_or_default().as_bytes(), self.text.as_bytes()])
    }

    /// The refusal to run it: the client must prepare it again.
    pub(crate) fn is_stale(&self) -> Error {
        let message =
            format!("Prepared query is not valid any more since the schema changed: {}", self.text);
        Error { detail: Detail::Unprepared([0; 16]), ..Error::new(UNPREPARED, message) }
    }
}

fn is_fully_qualified(statement: &StatementKind) -> bool {
    match statement {
        StatementKind::Select(select) => select.table.keyspace.is_some(),
        StatementKind::Insert(insert) => insert.table.keyspace.is_some(),
        StatementKind::Update(update) => update.table.keyspace.is_some(),
        StatementKind::Delete(delete) => delete.table.keyspace.is_some(),
        StatementKind::Truncate(truncate) => truncate.table.keyspace.is_some(),
        StatementKind::Batch(batch) => batch.statements.iter().all(|one| match &one.kind {
            WriteKind::Insert(insert) => insert.table.keyspace.is_some(),
            WriteKind::Update(update) => update.table.keyspace.is_some(),
            WriteKind::Delete(delete) => delete.table.keyspace.is_some(),
        }),
        _ => false,
    }
}

/// The columns of a statement's result.
pub(crate) fn result_columns(bound: &BoundStatement) -> Arc<[ResultColumn]> {
    if let Bound::Select(select) = &bound.kind { select_columns(select) } else { Arc::default() }
}

/// The columns of a SELECT's result.
pub(crate) fn select_columns(select: &BoundSelect) -> Arc<[ResultColumn]> {
    let columns = select.selection.result_columns().into_iter().map(|(name, ty)| ResultColumn {
        keyspace: select.table.keyspace.clone(),
        table: select.table.name.clone(),
        name: name.into(),
        ty,
    });
    columns.collect()
}
