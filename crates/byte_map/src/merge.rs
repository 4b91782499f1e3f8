//! [`MapBuilder`]: builds a map from entries in order, and merges a sorted run into a map.
//!
//! An insertion descends the tree and moves half a leaf. A run that is not much shorter than the map
//! goes through all leaves instead and writes those that get entries once; the others stay as they
//! are.

use std::sync::Arc;

use crate::ByteMap;
use crate::node::{Branch, KEY_BYTES_MAX, LEN_MAX, LEN_MIN, Leaf, Node};
use crate::packed_keys::PackedKeys;

/// The number of entries of a new node: it has room for some more before it is split.
const LEN_BUILT: usize = LEN_MAX * 3 / 4;
/// A run is merged leaf by leaf if it has at least one entry for so many entries of the map.
const ENTRIES_PER_MERGED: usize = 16;

impl<V: Clone> ByteMap<V> {
    /// Merges items that are in the order of their keys; a key may occur several times. `merge` gets
    /// the value of the key, which it may change, and returns the one to insert if there is none.
    pub fn merge_sorted<K: AsRef<[u8]>, T>(
        &mut self,
        items: impl ExactSizeIterator<Item = (K, T)>,
        mut merge: impl FnMut(Option<&mut V>, T) -> Option<V>,
    ) {
        if items.len() < self.len() / ENTRIES_PER_MERGED {
            for (key, item) in items {
                self.update(key.as_ref(), |value| merge(value, item));
            }
            return;
        }
        let mut builder = MapBuilder::new();
        let mut items = items.peekable();
        let mut leaves = Vec::new();
        if let Some(root) = self.root.take() {
            collect_leaves(root, &mut leaves);
        }
        for node in leaves {
            let is_changed = match (&*node, items.peek()) {
                (Node::Leaf(leaf), Some((key, _))) => key.as_ref() <= leaf.keys.last(),
                _ => false,
            };
            if !is_changed {
                builder.push_leaf(node);
                continue;
            }
            let Node::Leaf(leaf) = Arc::unwrap_or_clone(node) else { continue };
            for (at, value) in leaf.values.into_iter().enumerate() {
                let key = leaf.keys.get(at);
                while let Some((new, item)) = items.next_if(|(new, _)| new.as_ref() < key) {
                    builder.merge(new.as_ref(), item, &mut merge);
                }
                builder.push(key, value);
            }
            while let Some((_, item)) =
                items.next_if(|(new, _)| new.as_ref() == builder.leaf.keys.last())
            {
                builder.merge_into_last(item, &mut merge);
            }
        }
        for (key, item) in items {
            builder.merge(key.as_ref(), item, &mut merge);
        }
        *self = builder.finish();
    }
}

/// The leaves of a tree in order.
fn collect_leaves<V: Clone>(node: Arc<Node<V>>, leaves: &mut Vec<Arc<Node<V>>>) {
    if matches!(&*node, Node::Leaf(_)) {
        leaves.push(node);
    } else if let Node::Branch(branch) = Arc::unwrap_or_clone(node) {
        branch.children.into_iter().for_each(|child| collect_leaves(child, leaves));
    }
}

/// A node with its first key.
struct BuiltNode<V> {
    first: Box<[u8]>,
    node: Arc<Node<V>>,
}

/// Builds a map from entries in ascending order.
struct MapBuilder<V> {
    /// The nodes of a level.
    nodes: Vec<BuiltNode<V>>,
    /// The leaf that is being filled.
    leaf: Leaf<V>,
    /// The number of entries in all leaves before.
    len: usize,
}

impl<V: Clone> MapBuilder<V> {
    fn new() -> Self {
        Self { nodes: Vec::new(), leaf: Leaf::default(), len: 0 }
    }

    /// Adds an entry, or merges an item into the last one if it has the same key.
    fn merge<T>(
        &mut self,
        key: &[u8],
        item: T,
        merge: &mut impl FnMut(Option<&mut V>, T) -> Option<V>,
    ) {
        if self.leaf.keys.last() == key && !self.leaf.values.is_empty() {
            self.merge_into_last(item, merge);
        } else if let Some(value) = merge(None, item) {
            self.push(key, value);
        }
    }

    fn merge_into_last<T>(
        &mut self,
        item: T,
        merge: &mut impl FnMut(Option<&mut V>, T) -> Option<V>,
    ) {
        if let Some(value) = self.leaf.values.last_mut() {
            merge(Some(value), item);
        }
    }

    /// Adds an entry with a greater key than all before. A leaf is ended by the entry after it, so
    /// that the last entry can still be changed.
    fn push(&mut self, key: &[u8], value: V) {
        if is_built(self.leaf.values.len(), &self.leaf.keys) {
            self.end_leaf();
        }
        if self.leaf.values.is_empty() {
            self.leaf.values.reserve_exact(LEN_BUILT);
            self.leaf.keys.reserve(LEN_BUILT, key.len());
        }
        self.leaf.keys.push(key);
        self.leaf.values.push(value);
    }

    /// Adds a leaf with greater keys than all before.
    fn push_leaf(&mut self, node: Arc<Node<V>>) {
        self.end_leaf();
        if let Node::Leaf(leaf) = &*node {
            self.len += leaf.values.len();
            self.nodes.push(BuiltNode { first: leaf.keys.get(0).into(), node });
        }
    }

    fn end_leaf(&mut self) {
        if !self.leaf.values.is_empty() {
            let leaf = std::mem::take(&mut self.leaf);
            self.len += leaf.values.len();
            let first = leaf.keys.get(0).into();
            self.nodes.push(BuiltNode { first, node: Arc::new(Node::Leaf(leaf)) });
        }
    }

    /// Builds the branches, level by level.
    fn finish(mut self) -> ByteMap<V> {
        self.end_leaf();
        while self.nodes.len() > 1 {
            let mut branches = Vec::with_capacity(self.nodes.len() / LEN_BUILT + 1);
            let mut nodes = self.nodes.into_iter();
            while let Some(BuiltNode { first, node }) = nodes.next() {
                let mut branch = Branch { keys: PackedKeys::default(), children: vec![node] };
                while !is_built(branch.children.len(), &branch.keys)
                    && let Some(next) = nodes.next()
                {
                    branch.keys.push(&next.first);
                    branch.children.push(next.node);
                }
                branches.push(BuiltNode { first, node: Arc::new(Node::Branch(branch)) });
            }
            self.nodes = branches;
        }
        let root = self.nodes.pop().map(|built| built.node);
        ByteMap { root, len: self.len }
    }
}

/// Whether a new node has enough entries or children.
fn is_built(len: usize, keys: &PackedKeys) -> bool {
    len >= LEN_BUILT || (keys.byte_len() > KEY_BYTES_MAX && len >= LEN_MIN)
}
