//! Typed positions of items, demands, ways and nodes, and the lists that they index.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// A position in lists that are indexed by one kind of id.
pub trait Id: Copy {
    /// The id of a position.
    fn new(position: usize) -> Self;

    /// Its position.
    fn index(self) -> usize;
}

/// Declares ids. 32 bits are enough, and keep an `Option` of an id as small as a `usize`.
macro_rules! ids {
    ($($(#[$doc:meta])+ $visibility:vis $id:ident;)+) => {$(
        $(#[$doc])+
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $visibility struct $id(u32);

        impl Id for $id {
            fn new(position: usize) -> Self {
                // No list is that long: the last id refers to nothing.
                Self(u32::try_from(position).unwrap_or(u32::MAX))
            }

            fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Debug for $id {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(out)
            }
        }
    )+};
}

ids! {
    /// An item of a program.
    pub ItemId;
    /// A demand of a program, or of a graph.
    pub DemandId;
    /// A way of a demand, among the ways of that demand.
    pub WayId;
    /// A variable of a program in linear form.
    pub VariableId;
    /// A node of a graph.
    pub(super) NodeId;
}

/// A list indexed by ids of one kind.
#[derive(Clone, PartialEq)]
pub struct IdVec<I, T> {
    members: Vec<T>,
    id: PhantomData<I>,
}

impl<I: Id, T> IdVec<I, T> {
    /// A list without members.
    pub const fn new() -> Self {
        Self { members: Vec::new(), id: PhantomData }
    }

    /// How many members it has.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Whether it has no members.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Adds a member behind all others; its id.
    pub fn push(&mut self, member: T) -> I {
        let id = self.next_id();
        self.members.push(member);
        id
    }

    /// The id that the next member gets.
    pub fn next_id(&self) -> I {
        I::new(self.members.len())
    }

    /// The member of an id, where there is one.
    pub fn member(&self, id: I) -> Option<&T> {
        self.members.get(id.index())
    }

    /// The member of an id, mutably, where there is one.
    pub fn member_mut(&mut self, id: I) -> Option<&mut T> {
        self.members.get_mut(id.index())
    }

    /// The members, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.members.iter()
    }

    /// The members, in order, mutably.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.members.iter_mut()
    }

    /// The ids of all members, in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + use<I, T> {
        (0..self.members.len()).map(I::new)
    }

    /// The members with their ids.
    pub fn enumerate_ids(&self) -> impl Iterator<Item = (I, &T)> {
        self.iter().enumerate().map(|(position, member)| (I::new(position), member))
    }

    /// The members with their ids, mutably.
    pub fn enumerate_ids_mut(&mut self) -> impl Iterator<Item = (I, &mut T)> {
        self.iter_mut().enumerate().map(|(position, member)| (I::new(position), member))
    }

    /// The id of the first member that satisfies the predicate.
    pub fn find_id(&self, holds: impl FnMut(&T) -> bool) -> Option<I> {
        self.members.iter().position(holds).map(I::new)
    }
}

impl<I: Id, T: Clone> IdVec<I, T> {
    /// A list of `len` copies of one member.
    pub fn from_elem(member: T, len: usize) -> Self {
        Self { members: vec![member; len], id: PhantomData }
    }
}

impl<I, T> Default for IdVec<I, T> {
    fn default() -> Self {
        Self { members: Vec::new(), id: PhantomData }
    }
}

impl<I, T: fmt::Debug> fmt::Debug for IdVec<I, T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.members.fmt(out)
    }
}

impl<I: Id, T> Index<I> for IdVec<I, T> {
    type Output = T;

    fn index(&self, id: I) -> &T {
        &self.members[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for IdVec<I, T> {
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.members[id.index()]
    }
}

impl<I, T> FromIterator<T> for IdVec<I, T> {
    fn from_iter<M: IntoIterator<Item = T>>(members: M) -> Self {
        Self { members: members.into_iter().collect(), id: PhantomData }
    }
}

impl<'a, I: Id, T> IntoIterator for &'a IdVec<I, T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, I: Id, T> IntoIterator for &'a mut IdVec<I, T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}
