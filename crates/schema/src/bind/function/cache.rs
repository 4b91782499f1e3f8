//! Remembers what was found out about a statement's terms. The server asks anew for every overload around a call;
//! nested calls would take time that grows with the power of their depth.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use cql::Span;
use cql::types::{Assignability, Type};

use crate::Result;
use crate::bind::context::Receiver;

/// The calls of one statement, by their place and what they were asked for, and the written types looked up so far.
#[derive(Debug, Default)]
pub(in crate::bind) struct CallCache {
    assignments: RefCell<HashMap<CallKey, Assignability>>,
    types: RefCell<HashMap<CallKey, Option<Type>>>,
    seen: RefCell<HashSet<(u32, u32)>>,
}

/// A call's place, the receiver's keyspace and table, its type.
type CallKey = (u32, u32, Box<str>, Box<str>, Option<Type>);

impl CallCache {
    /// Whether the call at that place fits the receiver.
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

    /// Notes that the written type at that place was looked up.
    pub(in crate::bind) fn mark_resolved(&self, written: Span) {
        self.seen.borrow_mut().insert((written.start, written.end));
    }

    /// Whether the written type at that place was looked up.
    pub(in crate::bind) fn is_resolved(&self, written: Span) -> bool {
        self.seen.borrow().contains(&(written.start, written.end))
    }

    /// The type of the call at that place.
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

/// Terms without a place are not told apart, so nothing is kept of them.
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
