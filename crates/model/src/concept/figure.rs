//! Figures with their origin: given, derived or assumed.

/// A figure and its origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure<T> {
    /// The number itself.
    pub value: T,
    /// Where it comes from.
    pub origin: Origin,
}

/// Where a figure comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The file (or the command line) states it.
    Given,
    /// It follows from figures that the file states.
    Derived,
    /// A default: the file states nothing that it follows from.
    Assumed,
}

impl<T> Figure<T> {
    /// A figure that the file (or the command line) gives.
    pub const fn from_input(value: T) -> Self {
        Self { value, origin: Origin::Given }
    }

    /// A figure that follows from others.
    pub const fn from_derivation(value: T) -> Self {
        Self { value, origin: Origin::Derived }
    }

    /// A figure that is assumed.
    pub const fn from_assumption(value: T) -> Self {
        Self { value, origin: Origin::Assumed }
    }
}
