//! [`Node`]: the nodes of the tree, and how entries are inserted and removed.
//!
//! A child holds the keys from the separator before it up to the separator after it. All leaves have
//! the same depth. A node that is full is split; where keys arrive in ascending or descending order,
//! the old node stays full and the new one gets the new entry alone. A leaf that becomes small is
//! merged with its neighbour, a branch only goes when its last child does.

use std::ops::Bound;
use std::sync::Arc;

use crate::packed_keys::{PackedKeys, reserve_one};

/// The maximum number of entries of a leaf and of children of a branch. A change of a shared node
/// copies as many values.
pub(crate) const LEN_MAX: usize = 48;
/// A node with more bytes of keys than this is full too, so that long keys are not moved about.
pub(crate) const KEY_BYTES_MAX: usize = 8 << 10;
/// A node with fewer entries is never full.
pub(crate) const LEN_MIN: usize = 4;

#[derive(Clone, Debug)]
pub(crate) enum Node<V> {
    Leaf(Leaf<V>),
    Branch(Branch<V>),
}

#[derive(Clone, Debug)]
pub(crate) struct Leaf<V> {
    pub(crate) keys: PackedKeys,
    pub(crate) values: Vec<V>,
}

#[derive(Debug)]
pub(crate) struct Branch<V> {
    /// The separators: one less than there are children.
    pub(crate) keys: PackedKeys,
    pub(crate) children: Vec<Arc<Node<V>>>,
}

impl<V> Clone for Branch<V> {
    fn clone(&self) -> Self {
        Self { keys: self.keys.clone(), children: self.children.clone() }
    }
}

/// The right half of a node that was split, and the first key that belongs there.
pub(crate) struct Split<V> {
    separator: Box<[u8]>,
    right: Arc<Node<V>>,
}

/// The result of an update.
pub(crate) struct UpdateOutcome<V> {
    /// Whether an entry was inserted.
    pub(crate) is_new: bool,
    pub(crate) split: Option<Split<V>>,
}

impl<V> UpdateOutcome<V> {
    const NONE: Self = Self { is_new: false, split: None };
}

fn is_full(len: usize, keys: &PackedKeys) -> bool {
    len >= LEN_MAX || (keys.byte_len() > KEY_BYTES_MAX && len >= LEN_MIN)
}

impl<V> Node<V> {
    pub(crate) fn with_entry(key: &[u8], value: V) -> Self {
        let mut leaf = Leaf::default();
        leaf.insert(0, key, value);
        Self::Leaf(leaf)
    }

    pub(crate) fn with_halves(left: Arc<Self>, split: Split<V>) -> Self {
        let mut keys = PackedKeys::default();
        keys.insert(0, &split.separator);
        Self::Branch(Branch { keys, children: vec![left, split.right] })
    }

    pub(crate) fn get(&self, key: &[u8]) -> Option<&V> {
        let mut node = self;
        loop {
            match node {
                Self::Leaf(leaf) => return leaf.values.get(leaf.keys.find(key).ok()?),
                Self::Branch(branch) => node = branch.children.get(branch.child_index(key))?,
            }
        }
    }

    /// The number of entries or children.
    fn len(&self) -> usize {
        match self {
            Self::Leaf(leaf) => leaf.values.len(),
            Self::Branch(branch) => branch.children.len(),
        }
    }

    /// The child of a branch that has no other.
    pub(crate) fn only_child(&self) -> Option<Arc<Self>> {
        match self {
            Self::Branch(branch) if branch.children.len() == 1 => branch.children.first().cloned(),
            _ => None,
        }
    }

    /// Passes entries to `visit`, the last first; `false` if it wants no more.
    pub(crate) fn visit_reversed(
        &self,
        start: Bound<&[u8]>,
        end: Bound<&[u8]>,
        visit: &mut dyn FnMut(&[u8], &V) -> bool,
    ) -> bool {
        match self {
            Self::Leaf(leaf) => {
                let (from, to) = (leaf.first_index(start), leaf.end_index(end));
                (from..to).rev().all(|at| {
                    leaf.values.get(at).is_none_or(|value| visit(leaf.keys.get(at), value))
                })
            }
            Self::Branch(branch) => {
                let from = key_of(start).map_or(0, |key| branch.child_index(key));
                let to =
                    key_of(end).map_or(branch.children.len(), |key| branch.child_index(key) + 1);
                let children = branch.children.get(from..to).unwrap_or_default();
                children.iter().rev().all(|child| child.visit_reversed(start, end, visit))
            }
        }
    }
}

/// The key of a bound.
pub(crate) fn key_of(bound: Bound<&[u8]>) -> Option<&[u8]> {
    match bound {
        Bound::Included(key) | Bound::Excluded(key) => Some(key),
        Bound::Unbounded => None,
    }
}

impl<V> Default for Leaf<V> {
    fn default() -> Self {
        Self { keys: PackedKeys::default(), values: Vec::new() }
    }
}

impl<V> Leaf<V> {
    fn insert(&mut self, at: usize, key: &[u8], value: V) {
        self.keys.insert(at, key);
        reserve_one(&mut self.values);
        self.values.insert(at, value);
    }

    /// The index of the first entry after a lower bound.
    pub(crate) fn first_index(&self, start: Bound<&[u8]>) -> usize {
        match start {
            Bound::Unbounded => 0,
            Bound::Included(key) => self.keys.find(key).unwrap_or_else(|at| at),
            Bound::Excluded(key) => self.keys.find(key).map_or_else(|at| at, |at| at + 1),
        }
    }

    /// The index after the last entry before an upper bound.
    pub(crate) fn end_index(&self, end: Bound<&[u8]>) -> usize {
        match end {
            Bound::Unbounded => self.values.len(),
            Bound::Included(key) => self.keys.find(key).map_or_else(|at| at, |at| at + 1),
            Bound::Excluded(key) => self.keys.find(key).unwrap_or_else(|at| at),
        }
    }

    /// Inserts an entry; a full leaf is split first.
    fn insert_or_split(&mut self, at: usize, key: &[u8], value: V) -> Option<Split<V>> {
        let len = self.values.len();
        if !is_full(len, &self.keys) {
            self.insert(at, key, value);
            return None;
        }
        let middle = if at == 0 || at == len { at } else { len / 2 };
        let mut right =
            Self { keys: self.keys.split_off(middle), values: self.values.split_off(middle) };
        self.values.shrink_to_fit();
        if at < middle || middle == 0 {
            self.insert(at, key, value);
        } else {
            right.insert(at - middle, key, value);
        }
        let separator = right.keys.get(0).into();
        Some(Split { separator, right: Arc::new(Node::Leaf(right)) })
    }
}

impl<V> Branch<V> {
    /// The index of the child that holds a key.
    pub(crate) fn child_index(&self, key: &[u8]) -> usize {
        self.keys.find(key).map_or_else(|at| at, |at| at + 1)
    }

    /// Adds the right half of child `at`; a branch that is full is split then.
    fn add_half(&mut self, at: usize, split: Split<V>) -> Option<Split<V>> {
        self.keys.insert(at, &split.separator);
        reserve_one(&mut self.children);
        self.children.insert(at + 1, split.right);
        let len = self.children.len();
        if len <= LEN_MIN || !is_full(len - 1, &self.keys) {
            return None;
        }
        let middle = match at {
            0 => 1,
            at if at + 2 == len => len - 1,
            _ => len / 2,
        };
        let separator = self.keys.get(middle - 1).into();
        let right =
            Self { keys: self.keys.split_off(middle), children: self.children.split_off(middle) };
        self.keys.remove(middle - 1);
        self.children.shrink_to_fit();
        Some(Split { separator, right: Arc::new(Node::Branch(right)) })
    }
}

impl<V: Clone> Node<V> {
    /// See [`crate::ByteMap::update`].
    pub(crate) fn update(
        &mut self,
        key: &[u8],
        change: impl FnOnce(Option<&mut V>) -> Option<V>,
    ) -> UpdateOutcome<V> {
        match self {
            Self::Leaf(leaf) => match leaf.keys.find(key) {
                Ok(at) => {
                    change(leaf.values.get_mut(at));
                    UpdateOutcome::NONE
                }
                Err(at) => {
                    let Some(value) = change(None) else { return UpdateOutcome::NONE };
                    UpdateOutcome { is_new: true, split: leaf.insert_or_split(at, key, value) }
                }
            },
            Self::Branch(branch) => {
                let at = branch.child_index(key);
                let Some(child) = branch.children.get_mut(at) else { return UpdateOutcome::NONE };
                let UpdateOutcome { is_new, split } = Arc::make_mut(child).update(key, change);
                UpdateOutcome { is_new, split: split.and_then(|split| branch.add_half(at, split)) }
            }
        }
    }

    pub(crate) fn value_mut(&mut self, key: &[u8]) -> Option<&mut V> {
        match self {
            Self::Leaf(leaf) => leaf.values.get_mut(leaf.keys.find(key).ok()?),
            Self::Branch(branch) => {
                let at = branch.child_index(key);
                Arc::make_mut(branch.children.get_mut(at)?).value_mut(key)
            }
        }
    }

    /// Removes a key; the caller removes a node that became empty.
    pub(crate) fn remove(&mut self, key: &[u8]) -> Option<V> {
        match self {
            Self::Leaf(leaf) => {
                let at = leaf.keys.find(key).ok()?;
                leaf.keys.remove(at);
                Some(leaf.values.remove(at))
            }
            Self::Branch(branch) => {
                let at = branch.child_index(key);
                let child = Arc::make_mut(branch.children.get_mut(at)?);
                let value = child.remove(key)?;
                if child.len() == 0 {
                    branch.remove_child(at);
                } else if child.len() < LEN_MAX / 4 {
                    branch.merge_leaves(at);
                }
                Some(value)
            }
        }
    }
}

impl<V: Clone> Branch<V> {
    fn remove_child(&mut self, at: usize) {
        self.children.remove(at);
        if self.keys.len() > 0 {
            self.keys.remove(at.saturating_sub(1));
        }
    }

    /// Merges a small leaf with the one before or after it, if both together are at most half full.
    fn merge_leaves(&mut self, at: usize) {
        let left = at.saturating_sub(1);
        let [Some(a), Some(b)] = [left, left + 1].map(|at| self.children.get(at)) else { return };
        let (Node::Leaf(_), Node::Leaf(right)) = (&**a, &**b) else { return };
        if a.len() + b.len() > LEN_MAX / 2 {
            return;
        }
        let right = right.clone();
        let Some(Node::Leaf(a)) = self.children.get_mut(left).map(Arc::make_mut) else { return };
        a.keys.append(&right.keys);
        a.values.extend(right.values);
        self.children.remove(left + 1);
        self.keys.remove(left);
    }
}
