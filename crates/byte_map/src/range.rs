//! [`Range`]: entries in order.

use std::ops::Bound;

use crate::node::{Branch, Leaf, Node, key_of};

/// An iterator over the entries between two bounds.
#[derive(Debug)]
pub struct Range<'a, V> {
    /// The branches on the path to the leaf, and which of their children leads there.
    path: Vec<(&'a Branch<V>, usize)>,
    leaf: Option<&'a Leaf<V>>,
    /// The index of the next entry in the leaf.
    at: usize,
    /// The index after the last entry of the range in the leaf.
    limit: usize,
    end: Bound<&'a [u8]>,
}

impl<V> Clone for Range<'_, V> {
    fn clone(&self) -> Self {
        Self { path: self.path.clone(), ..*self }
    }
}

impl<'a, V> Range<'a, V> {
    pub(crate) fn new(
        root: Option<&'a Node<V>>,
        start: Bound<&[u8]>,
        end: Bound<&'a [u8]>,
    ) -> Self {
        let mut range = Self { path: Vec::new(), leaf: None, at: 0, limit: 0, end };
        if let Some(root) = root {
            range.descend(root, start);
        }
        range
    }

    /// Goes down to the first leaf of a node with entries after a lower bound.
    fn descend(&mut self, mut node: &'a Node<V>, start: Bound<&[u8]>) {
        loop {
            match node {
                Node::Leaf(leaf) => {
                    self.leaf = Some(leaf);
                    (self.at, self.limit) = (leaf.first_index(start), leaf.end_index(self.end));
                    return;
                }
                Node::Branch(branch) => {
                    let at = key_of(start).map_or(0, |key| branch.child_index(key));
                    self.path.push((branch, at));
                    let Some(child) = branch.children.get(at) else { return };
                    node = child;
                }
            }
        }
    }

    /// Goes to the next leaf; `None` after the last one.
    fn advance(&mut self) -> Option<()> {
        self.leaf = None;
        loop {
            let (branch, at) = self.path.last_mut()?;
            *at += 1;
            let (branch, at) = (*branch, *at);
            if let Some(child) = branch.children.get(at) {
                self.descend(child, Bound::Unbounded);
                return Some(());
            }
            self.path.pop();
        }
    }
}

impl<'a, V> Iterator for Range<'a, V> {
    type Item = (&'a [u8], &'a V);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let leaf = self.leaf?;
            if self.at < self.limit {
                let at = self.at;
                self.at += 1;
                return Some((leaf.keys.get(at), leaf.values.get(at)?));
            }
            if self.limit < leaf.values.len() {
                // The upper bound is inside this leaf.
                self.leaf = None;
                return None;
            }
            self.advance()?;
        }
    }
}
