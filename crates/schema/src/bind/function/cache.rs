//! Memoisation of the resolution of calls. The server resolves arguments anew for every overload of
//! the call around them; without the cache, nested calls would take time exponential in their
//! depth.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use cql::Span;
use cql::types::{Assignability, Type};

use crate::Result;
use crate::bind::context::Receiver;

/// The calls of a statement by position and receiver, and the type names resolved so far.
#[derive(Debug, Default)]
pub(in crate::bind) struct CallCache {
    assignments: RefCell<HashMap<CallKey, Assignability>>,
    types: RefCell<HashMap<CallKey, Option<Type>>>,
    seen: RefCell<HashSet<(u32, u32)>>,
}

/// The position of a call, the receiver's keyspace and table, and its type.
type CallKey = (u32, u32, Box<str>, Box<str>, Option<Type>);

impl CallCache {
    /// Whether the call at that position can be assigned to the receiver.
    pub(super) fn assignment(
        &self,
        span: Span,
        receiver: &Receiver,
        find: impl FnOnce() -> Result<Assignability>,
    ) -> Result<Assignability> {
        let (keyspace, table) = (receiver.keyspace.clone(), receiver.table.clone());
        let key = (span.start, span.end, keyspace, table, Some(receiver.ty.clone()));
        compute_once(&self.assignments, key, find)
    }

    /// Records that the type name at that position was resolved.
    pub(in crate::bind) fn mark_resolved(&self, written: Span) {
        self.seen.borrow_mut().insert((written.start, written.end));
    }

    /// Whether the type name at that position was resolved.
    pub(in crate::bind) fn is_resolved(&self, written: Span) -> bool {
        self.seen.borrow().contains(&(written.start, written.end))
    }

    /// The type of the call at that position.
    pub(super) fn call_type(
        &self,
        span: Span,
        keyspace: &str,
        find: impl FnOnce() -> Result<Option<Type>>,
    ) -> Result<Option<Type>> {
        let key = (span.start, span.end, keyspace.into(), "".into(), None);
        compute_once(&self.types, key, find)
    }
}

/// Terms without a position cannot be distinguished, so they are not cached.
fn compute_once<T: Clone>(
    kept: &RefCell<HashMap<CallKey, T>>,
    key: CallKey,
    find: impl FnOnce() -> Result<T>,
) -> Result<T> {
    if key.0 == key.1 {
        return find();
    }
    if let Some(found) = kept.borrow().get(&key) {
        return Ok(found.clone());
    }
    let found = find()?;
    kept.borrow_mut().insert(key, found.clone());
    Ok(found)
}
