//! [`Context`]: the state of binding a statement: the catalog, the keyspace in use, and the bind
//! markers so far.

use std::sync::Arc;

use cql::statement::Statement;
use cql::types::Type;
use cql::{QualifiedName, Span};

use super::function::CallCache;
use crate::catalog::{Catalog, Table};
use crate::refusal::{NameReason, refuse};
use crate::{Refusal, Result};

/// The target of a value: a column, an argument, an element of a collection. Messages name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receiver {
    /// The keyspace of its table.
    pub keyspace: Box<str>,
    /// The name of its table.
    pub table: Box<str>,
    /// The name in messages: `v`, `value(v)`, `[limit]`.
    pub name: Box<str>,
    /// The type of its values.
    pub ty: Type,
}

/// A bind marker, with the receiver of its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoundMarker {
    /// The name (the marker's own, or the receiver's) and type.
    pub receiver: Receiver,
    /// The position of the partition key column whose whole value it is, if it is one.
    pub partition_key: Option<usize>,
}

/// The state of binding one statement.
#[derive(Debug)]
pub struct Context<'a> {
    /// The schema of the statement.
    pub catalog: &'a Catalog,
    /// The keyspace in use.
    pub keyspace: Option<&'a str>,
    /// The markers by index; `None` for those that were not met yet.
    pub markers: Vec<Option<BoundMarker>>,
    /// The position of the statement, for errors without a better one.
    pub span: Span,
    /// The value of the timestamp `'now'`, in milliseconds since 1970.
    pub now_ms: i64,
    pub(super) calls: CallCache,
    marker_names: Vec<Option<Box<str>>>,
}

impl<'a> Context<'a> {
    /// A context for one statement.
    pub fn new(catalog: &'a Catalog, keyspace: Option<&'a str>, statement: &Statement) -> Self {
        let marker_names = statement
            .markers
            .iter()
            .map(|marker| Some(marker.name.as_ref()?.text.clone()))
            .collect();
        let markers = vec![None; statement.markers.len()];
        Self { markers, marker_names, ..Self::for_schema(catalog, keyspace, statement.span) }
    }

    /// A context for a part of a schema statement, which has no markers.
    pub fn for_schema(catalog: &'a Catalog, keyspace: Option<&'a str>, span: Span) -> Self {
        Self {
            catalog,
            keyspace,
            markers: Vec::new(),
            span,
            now_ms: 0,
            calls: CallCache::default(),
            marker_names: Vec::new(),
        }
    }

    /// Records the receiver of a marker. A later use of the same index overwrites it, as in the
    /// server.
    pub(crate) fn add_marker(
        &mut self,
        index: u32,
        receiver: &Receiver,
        partition_key: Option<usize>,
    ) {
        let at = index as usize;
        let mut receiver = receiver.clone();
        if let Some(Some(name)) = self.marker_names.get(at) {
            receiver.name.clone_from(name);
        }
        if let Some(slot) = self.markers.get_mut(at) {
            *slot = Some(BoundMarker { receiver, partition_key });
        }
    }

    /// The keyspace of a qualified name.
    pub fn keyspace_of(&self, name: &QualifiedName) -> Result<Box<str>> {
        match (&name.keyspace, self.keyspace) {
            (Some(keyspace), _) => Ok(keyspace.text.clone()),
            (None, Some(keyspace)) => Ok(keyspace.into()),
            (None, None) => refuse(NameReason::NoKeyspace, name.span()),
        }
    }

    /// The table or view that a query or write names.
    pub fn table(&self, name: &QualifiedName) -> Result<Arc<Table>> {
        let keyspace = self.keyspace_of(name)?;
        let Some(known) = self.catalog.keyspace(&keyspace) else {
            return refuse(
                NameReason::MissingKeyspace { keyspace: keyspace.to_string() },
                name.span(),
            );
        };
        known.table_or_view(&name.name.text).cloned().ok_or_else(|| {
            Box::new(Refusal::new(
                NameReason::MissingTable { table: name.name.text.to_string() },
                name.span(),
            ))
        })
    }
}
