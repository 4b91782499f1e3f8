//! Figures, with where they come from.

/// A figure and where it comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure<T> {
    /// The figure.
    pub value: T,
    /// Where it comes from.
    pub origin: Origin,
}

/// Where a figure comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The file says it.
    Given,
    /// It follows from what the file says.
    Derived,
    /// Nobody said it.
    Assumed,
}

impl<T> Figure<T> {
    /// A figure that the file gives.
    pub const fn from_input(value: T) -> Self {
        Self { value, origin: Origin::Given }
    }

    /// A figure that follows from others.
    pub const fn from_derivation(value: T) -> Self {
        Self { value, origin: Origin::Derived }
    }

    /// A figure that nobody gave.
    pub const fn from_assumption(value: T) -> Self {
        Self { value, origin: Origin::Assumed }
    }
}
