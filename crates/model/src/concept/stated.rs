//! Figures, with where they come from.

/// A figure and where it comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stated<T> {
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

impl<T> Stated<T> {
    /// A figure that the file gives.
    pub const fn given(value: T) -> Self {
        Self { value, origin: Origin::Given }
    }

    /// A figure that follows from others.
    pub const fn derived(value: T) -> Self {
        Self { value, origin: Origin::Derived }
    }

    /// A figure that nobody gave.
    pub const fn assumed(value: T) -> Self {
        Self { value, origin: Origin::Assumed }
    }
}
