//! What every binder needs: the catalog, the keyspace in use, and the bind markers met so far.

use std::sync::Arc;

use cql::statement::Statement;
use cql::types::Type;
use cql::{QualifiedName, Span};

use super::function::CallCache;
use crate::catalog::{Catalog, Table};
use crate::refusal::NameReason;
use crate::{Refusal, Result};

/// Where a value goes: a column, an argument, an element of a collection. Messages name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receiver {
    /// The keyspace it belongs to.
    pub keyspace: Box<str>,
    /// The table it belongs to.
    pub table: Box<str>,
    /// Its name, as messages print it: `v`, `value(v)`, `[limit]`.
    pub name: Box<str>,
    /// Its type.
    pub ty: Type,
}

/// A bind marker that a statement left open, with what it must be bound to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoundMarker {
    /// Name and type: the marker's own name, or the receiver's.
    pub receiver: Receiver,
    /// The partition key position it fills, if it stands for a partition key column as a whole.
    pub partition_key: Option<usize>,
}

/// The state of binding one statement.
#[derive(Debug)]
pub struct Context<'a> {
    /// The schema.
    pub catalog: &'a Catalog,
    /// The keyspace in use.
    pub keyspace: Option<&'a str>,
    /// The markers, by their index; `None` while not yet met.
    pub markers: Vec<Option<BoundMarker>>,
    /// The statement's place, for errors that have no better one.
    pub span: Span,
    /// What the timestamp `'now'` stands for, in milliseconds since 1970.
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

    /// A context for a part of the schema, which has no markers.
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

    /// Notes what a marker is bound to. A later use of the same index overwrites, as in the server.
    pub fn add_marker(&mut self, index: u32, receiver: &Receiver, partition_key: Option<usize>) {
        let at = index as usize;
        let mut receiver = receiver.clone();
        if let Some(Some(name)) = self.marker_names.get(at) {
            receiver.name.clone_from(name);
        }
        if let Some(slot) = self.markers.get_mut(at) {
            *slot = Some(BoundMarker { receiver, partition_key });
        }
    }

    /// The keyspace a qualified name means.
    pub fn keyspace_of(&self, name: &QualifiedName) -> Result<Box<str>> {
        match (&name.keyspace, self.keyspace) {
            (Some(keyspace), _) => Ok(keyspace.text.clone()),
            (None, Some(keyspace)) => Ok(keyspace.into()),
            (None, None) => Err(Refusal::new(NameReason::NoKeyspace, name.span()).into()),
        }
    }

    /// The table or view a query or write names.
    pub fn table(&self, name: &QualifiedName) -> Result<Arc<Table>> {
        let keyspace = self.keyspace_of(name)?;
        let Some(known) = self.catalog.keyspace(&keyspace) else {
            return Err(Refusal::new(
                NameReason::MissingKeyspace { keyspace: keyspace.to_string() },
                name.span(),
            )
            .into());
        };
        known.table_or_view(&name.name.text).cloned().ok_or_else(|| {
            Box::new(Refusal::new(
                NameReason::MissingTable { table: name.name.text.to_string() },
                name.span(),
            ))
        })
    }
}
