//! [`ByteMap`]: a persistent map with byte strings as keys, in their order.
//!
//! It is a B+ tree whose nodes are shared. A clone shares all of them and costs nothing; a change
//! copies the shared nodes on the path to its leaf and changes the others in place. So a reader
//! holds a version of the map for as long as it likes, and a writer pays for it with a few copied
//! nodes.
//!
//! - `packed_keys` keeps the keys of a node in one allocation. A search compares neighbouring bytes,
//!   and the copy of a node copies bytes rather than keys.
//! - `node` inserts and removes.
//! - `range` iterates.
//! - `merge` merges a sorted run.

#![warn(clippy::indexing_slicing)]

mod merge;
mod node;
mod packed_keys;
mod range;
#[cfg(test)]
mod tests;

use std::fmt;
use std::ops::Bound;
use std::sync::Arc;

use node::Node;
pub use range::Range;

/// A persistent ordered map; see the crate's documentation.
pub struct ByteMap<V> {
    root: Option<Arc<Node<V>>>,
    len: usize,
}

impl<V> Clone for ByteMap<V> {
    /// A version that later changes of the original do not reach. It takes constant time.
    fn clone(&self) -> Self {
        Self { root: self.root.clone(), len: self.len }
    }
}

impl<V> Default for ByteMap<V> {
    fn default() -> Self {
        Self { root: None, len: 0 }
    }
}

impl<V: fmt::Debug> fmt::Debug for ByteMap<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<V: PartialEq> PartialEq for ByteMap<V> {
    fn eq(&self, other: &Self) -> bool {
        self.is_same(other) || (self.len == other.len && self.iter().eq(other.iter()))
    }
}

impl<V> ByteMap<V> {
    /// The number of entries.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether both are the same version: neither was changed since it was cloned from the other.
    pub fn is_same(&self, other: &Self) -> bool {
        match (&self.root, &other.root) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (a, b) => a.is_none() && b.is_none(),
        }
    }

    /// The value of a key.
    pub fn get(&self, key: &[u8]) -> Option<&V> {
        self.root.as_ref()?.get(key)
    }

    /// The entries between two bounds in order; none if the bounds are reversed.
    pub fn range<'a>(&'a self, start: Bound<&[u8]>, end: Bound<&'a [u8]>) -> Range<'a, V> {
        Range::new(self.root.as_deref(), start, end)
    }

    /// All entries in order.
    pub fn iter(&self) -> Range<'_, V> {
        self.range(Bound::Unbounded, Bound::Unbounded)
    }

    /// Passes the entries between two bounds to `visit`, the last first, until it returns `false`.
    pub fn visit_reversed(
        &self,
        start: Bound<&[u8]>,
        end: Bound<&[u8]>,
        visit: &mut dyn FnMut(&[u8], &V) -> bool,
    ) {
        if let Some(root) = &self.root {
            root.visit_reversed(start, end, visit);
        }
    }
}

impl<V: Clone> ByteMap<V> {
    /// Changes the value of a key in one descent: `change` gets the value, which it may change, and
    /// returns the one to insert if there is none.
    pub fn update(&mut self, key: &[u8], change: impl FnOnce(Option<&mut V>) -> Option<V>) {
        let Some(root) = &mut self.root else {
            if let Some(value) = change(None) {
                self.root = Some(Arc::new(Node::with_entry(key, value)));
                self.len = 1;
            }
            return;
        };
        let outcome = Arc::make_mut(root).update(key, change);
        self.len += usize::from(outcome.is_new);
        if let Some(split) = outcome.split {
            let left = Arc::clone(root);
            // The two halves and this handle share `left` only until the next line.
            self.root = Some(Arc::new(Node::with_halves(left, split)));
        }
    }

    /// Sets the value of a key.
    pub fn insert(&mut self, key: &[u8], value: V) {
        self.update(key, |own| match own {
            Some(own) => {
                *own = value;
                None
            }
            None => Some(value),
        });
    }

    /// The value of a key, to be changed.
    pub fn value_mut(&mut self, key: &[u8]) -> Option<&mut V> {
        // An absent key must not copy nodes.
        self.get(key)?;
        Arc::make_mut(self.root.as_mut()?).value_mut(key)
    }

    /// Removes a key and returns its value.
    pub fn remove(&mut self, key: &[u8]) -> Option<V> {
        self.get(key)?;
        let root = self.root.as_mut()?;
        let value = Arc::make_mut(root).remove(key)?;
        self.len -= 1;
        if self.len == 0 {
            self.root = None;
        } else if let Some(only) = root.only_child() {
            self.root = Some(only);
        }
        Some(value)
    }
}

impl<K: AsRef<[u8]>, V: Clone> FromIterator<(K, V)> for ByteMap<V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = Self::default();
        for (key, value) in entries {
            map.insert(key.as_ref(), value);
        }
        map
    }
}

impl<'a, V> IntoIterator for &'a ByteMap<V> {
    type Item = (&'a [u8], &'a V);
    type IntoIter = Range<'a, V>;

    fn into_iter(self) -> Range<'a, V> {
        self.iter()
    }
}
