//! The compatibility of types, for ALTER, functions and assignments.
//!
//! Cassandra has three relations, each weaker than the one before: *compatible* (same bytes, same
//! order), *value-compatible* (the bytes can be read), *assignable*.

use super::class_name::MARSHAL;
use super::{Frozenness, NativeType, Type};

/// Whether a value of one type can be assigned to a receiver of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Assignability {
    /// The same type, apart from freezing.
    Exact,
    /// Another type that can read it.
    Weak,
    /// Not assignable.
    No,
}

impl Assignability {
    /// Exactly or weakly.
    pub fn is_assignable(self) -> bool {
        self != Self::No
    }
}

impl Type {
    /// Whether this type can replace `previous`: same values, same order.
    pub fn is_compatible_with(&self, previous: &Self) -> bool {
        match (self, previous) {
            (Self::Native(new), Self::Native(old)) => is_native_compatible(*new, *old),
            (Self::Native(NativeType::Timestamp), Self::Custom(class)) => is_old_date(class),
            (Self::Custom(class), Self::Native(NativeType::Timestamp)) => is_old_date(class),
            (Self::List(..) | Self::Set(..) | Self::Map(..), _) => {
                self.is_collection_compatible(previous)
            }
            (Self::Tuple(_) | Self::User(..), Self::Tuple(_) | Self::User(..)) => {
                has_compatible_parts(self, previous, Self::is_compatible_with)
            }
            _ => self == previous,
        }
    }

    /// Whether values of `previous` can be read by this type with a reasonable meaning.
    pub fn is_value_compatible_with(&self, previous: &Self) -> bool {
        let Self::User(user, frozen) = self else {
            return self.is_value_compatible_internal(previous);
        };
        if let Self::User(old, old_frozen) = previous {
            let fields = user.fields.iter().zip(&old.fields);
            return frozen == old_frozen
                && user.keyspace == old.keyspace
                && user.fields.len() >= old.fields.len()
                && fields.into_iter().all(|((_, new), (_, old))| new.is_compatible_with(old));
        }
        false
    }

    /// Value-compatible, and stored with the same length and number of cells.
    pub fn is_serialization_compatible_with(&self, previous: &Self) -> bool {
        if !self.is_value_compatible_with(previous) {
            return false;
        }
        match (self, previous) {
            (Self::List(new, _), Self::List(old, _)) => new.is_serialization_compatible_with(old),
            (Self::Map(new, _), Self::Map(old, _)) => {
                new.1.is_serialization_compatible_with(&old.1)
            }
            (Self::Set(..), _) => true,
            _ => {
                self.value_length_if_fixed() == previous.value_length_if_fixed()
                    && self.is_multi_cell() == previous.is_multi_cell()
            }
        }
    }

    /// Whether a value of this type can be assigned to a receiver of that type.
    pub fn test_assignment(&self, receiver: &Self) -> Assignability {
        let frozen;
        let receiver = if self.is_freezable() && !self.is_multi_cell() {
            frozen = receiver.freeze();
            &frozen
        } else {
            receiver
        };
        if self == receiver {
            Assignability::Exact
        } else if receiver.is_value_compatible_with(self) {
            Assignability::Weak
        } else {
            Assignability::No
        }
    }

    /// Value compatibility without the special rule for user types, as required of the elements of
    /// a list.
    fn is_value_compatible_internal(&self, previous: &Self) -> bool {
        match (self, previous) {
            (Self::Native(NativeType::Blob), _) => true,
            (Self::Native(new), Self::Native(old)) => is_native_value_compatible(*new, *old),
            (
                Self::Native(NativeType::Timestamp | NativeType::Bigint | NativeType::Varint),
                Self::Custom(class),
            ) => is_old_date(class),
            (Self::Custom(class), Self::Native(NativeType::Timestamp | NativeType::Bigint)) => {
                is_old_date(class)
            }
            (Self::List(new, Frozenness::Yes), Self::List(old, Frozenness::Yes)) => {
                new.is_value_compatible_internal(old)
            }
            (Self::Map(new, Frozenness::Yes), Self::Map(old, Frozenness::Yes)) => {
                new.0.is_compatible_with(&old.0) && new.1.is_value_compatible_with(&old.1)
            }
            (Self::Tuple(_) | Self::User(..), Self::Tuple(_) | Self::User(..)) => {
                has_compatible_parts(self, previous, Self::is_value_compatible_with)
            }
            _ => self.is_compatible_with(previous),
        }
    }

    /// A frozen collection compares its contents; a multi-cell one is ordered by its keys only.
    fn is_collection_compatible(&self, previous: &Self) -> bool {
        match (self, previous) {
            (Self::List(new, Frozenness::Yes), Self::List(old, Frozenness::Yes)) => {
                new.is_compatible_with(old)
            }
            (Self::List(new, Frozenness::No), Self::List(old, Frozenness::No)) => {
                new.is_serialization_compatible_with(old)
            }
            (Self::Set(new, frozen), Self::Set(old, old_frozen)) => {
                frozen == old_frozen && new.is_compatible_with(old)
            }
            (Self::Map(new, Frozenness::Yes), Self::Map(old, Frozenness::Yes)) => {
                new.0.is_compatible_with(&old.0) && new.1.is_compatible_with(&old.1)
            }
            (Self::Map(new, Frozenness::No), Self::Map(old, Frozenness::No)) => {
                new.0.is_compatible_with(&old.0) && new.1.is_serialization_compatible_with(&old.1)
            }
            _ => false,
        }
    }
}

/// Whether components were added at the end, but none removed.
fn has_compatible_parts(new: &Type, old: &Type, holds: fn(&Type, &Type) -> bool) -> bool {
    let (new, old) = (new.parts(), old.parts());
    new.len() >= old.len() && new.iter().zip(&old).all(|(new, old)| holds(new, old))
}

fn is_native_compatible(new: NativeType, old: NativeType) -> bool {
    use NativeType::{Ascii, Blob, Text};
    new == old || matches!((new, old), (Blob, Ascii | Text) | (Text, Ascii))
}

fn is_native_value_compatible(new: NativeType, old: NativeType) -> bool {
    use NativeType::{Bigint, Date, Int, Time, Timestamp, Timeuuid, Uuid, Varint};
    is_native_compatible(new, old)
        || matches!(
            (new, old),
            (Varint, Int | Bigint | Timestamp)
                | (Bigint, Timestamp)
                | (Timestamp | Time, Bigint)
                | (Date, Int)
                | (Uuid, Timeuuid)
        )
}

/// Whether a class is the old timestamp type, which sorts negative times last.
fn is_old_date(class: &str) -> bool {
    class.strip_prefix(MARSHAL) == Some("DateType")
}
