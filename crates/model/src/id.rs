//! Typed positions in lists, so that the position of a read cannot be used for a table.
//!
//! An id is the position of a member in its list. `tables[table]` takes a [`TableId`] and no other
//! id; where a position may be outside the list, [`IdList::member`] returns `None`.

use std::fmt;

/// A member of a list that typed positions name.
pub trait Member {
    /// Its position's type.
    type Id: Copy;

    /// The id of a position.
    fn id(position: usize) -> Self::Id;

    /// The position of an id.
    fn position(id: Self::Id) -> usize;
}

/// A list whose members are named by typed positions.
pub trait IdList {
    /// A member.
    type Member: Member;

    /// The ids of all members, in order.
    fn ids(&self) -> IdRange<<Self::Member as Member>::Id>;

    /// The members with their ids.
    fn enumerate_ids<'a>(
        &'a self,
    ) -> impl DoubleEndedIterator<Item = (<Self::Member as Member>::Id, &'a Self::Member)>
    + ExactSizeIterator
    + Clone
    where
        Self::Member: 'a;

    /// The members with their ids, mutably.
    fn enumerate_ids_mut<'a>(
        &'a mut self,
    ) -> impl Iterator<Item = (<Self::Member as Member>::Id, &'a mut Self::Member)>
    where
        Self::Member: 'a;

    /// The member of an id, where there is one.
    fn member(&self, id: <Self::Member as Member>::Id) -> Option<&Self::Member>;

    /// The member of an id, mutably.
    fn member_mut(&mut self, id: <Self::Member as Member>::Id) -> Option<&mut Self::Member>;

    /// The id of the first member that meets a predicate.
    fn find_id(
        &self,
        predicate: impl FnMut(&Self::Member) -> bool,
    ) -> Option<<Self::Member as Member>::Id>;

    /// The id that the next member gets.
    fn next_id(&self) -> <Self::Member as Member>::Id;
}

/// Ids, in order.
pub type IdRange<I> = std::iter::Map<std::ops::Range<usize>, fn(usize) -> I>;

impl<T: Member> IdList for [T] {
    type Member = T;

    fn ids(&self) -> IdRange<T::Id> {
        (0..self.len()).map(T::id)
    }

    fn enumerate_ids<'a>(
        &'a self,
    ) -> impl DoubleEndedIterator<Item = (T::Id, &'a T)> + ExactSizeIterator + Clone
    where
        T: 'a,
    {
        self.iter().enumerate().map(|(position, member)| (T::id(position), member))
    }

    fn enumerate_ids_mut<'a>(&'a mut self) -> impl Iterator<Item = (T::Id, &'a mut T)>
    where
        T: 'a,
    {
        self.iter_mut().enumerate().map(|(position, member)| (T::id(position), member))
    }

    fn member(&self, id: T::Id) -> Option<&T> {
        self.get(T::position(id))
    }

    fn member_mut(&mut self, id: T::Id) -> Option<&mut T> {
        self.get_mut(T::position(id))
    }

    fn find_id(&self, predicate: impl FnMut(&T) -> bool) -> Option<T::Id> {
        self.iter().position(predicate).map(T::id)
    }

    fn next_id(&self) -> T::Id {
        T::id(self.len())
    }
}

/// Declares ids.
macro_rules! ids {
    ($($(#[$doc:meta])+ $id:ident;)+) => {$(
        $(#[$doc])+
        #[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $id(usize);

        impl $id {
            /// The id of a position.
            pub const fn new(position: usize) -> Self {
                Self(position)
            }

            /// Its position.
            pub const fn index(self) -> usize {
                self.0
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
    /// An entity of the concept.
    EntityId;
    /// An attribute of an entity.
    AttributeId;
    /// A reference of an entity.
    ReferenceId;
    /// A read of the workload, and its plan.
    ReadId;
    /// A write of the workload, and its plan.
    WriteId;
    /// An entity in the FROM clause of a read, or among those whose join a table holds.
    SourceId;
    /// A column of the result of a read.
    OutputId;
    /// A parameter of a read or write.
    ParameterId;
    /// A table of a design.
    TableId;
    /// A step of the plan of a read or write.
    StepId;
    /// A loop of a statement of a plan.
    LoopId;
}

/// Implements [`Member`] and indexing by id. Invoked where the member types are declared, so that
/// this module depends on none of them.
macro_rules! members {
    ($($member:ty: $id:ident;)+) => {$(
        impl $crate::id::Member for $member {
            type Id = $crate::id::$id;

            fn id(position: usize) -> Self::Id {
                Self::Id::new(position)
            }

            fn position(id: Self::Id) -> usize {
                id.index()
            }
        }

        impl std::ops::Index<$crate::id::$id> for [$member] {
            type Output = $member;

            fn index(&self, id: $crate::id::$id) -> &$member {
                &self[id.index()]
            }
        }

        impl std::ops::IndexMut<$crate::id::$id> for [$member] {
            fn index_mut(&mut self, id: $crate::id::$id) -> &mut $member {
                &mut self[id.index()]
            }
        }

        impl std::ops::Index<$crate::id::$id> for Vec<$member> {
            type Output = $member;

            fn index(&self, id: $crate::id::$id) -> &$member {
                &self[id.index()]
            }
        }

        impl std::ops::IndexMut<$crate::id::$id> for Vec<$member> {
            fn index_mut(&mut self, id: $crate::id::$id) -> &mut $member {
                &mut self[id.index()]
            }
        }
    )+};
}

pub(crate) use members;
