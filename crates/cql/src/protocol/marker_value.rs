//! Values that come with a statement for its markers.

/// A value for a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkerValue<'a> {
    /// Bytes.
    Bytes(&'a [u8]),
    /// Null.
    Null,
    /// Nothing: leave alone what it is for.
    Unset,
}

impl<'a> MarkerValue<'a> {
    /// The bytes, unless null or unset.
    pub fn bytes(self) -> Option<&'a [u8]> {
        match self {
            Self::Bytes(bytes) => Some(bytes),
            Self::Null | Self::Unset => None,
        }
    }
}

/// The values for markers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum MarkerValues<'a> {
    /// There are none.
    #[default]
    None,
    /// In the order of the markers.
    Positional(Vec<MarkerValue<'a>>),
    /// By the names of the markers.
    Named(Vec<(&'a str, MarkerValue<'a>)>),
}

impl<'a> MarkerValues<'a> {
    /// In the order of the markers.
    pub fn from_positional(values: Vec<MarkerValue<'a>>) -> Self {
        if values.is_empty() { Self::None } else { Self::Positional(values) }
    }

    /// By the names of the markers.
    pub fn from_named(values: Vec<(&'a str, MarkerValue<'a>)>) -> Self {
        if values.is_empty() { Self::None } else { Self::Named(values) }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::None => true,
            Self::Positional(values) => values.is_empty(),
            Self::Named(values) => values.is_empty(),
        }
    }
}
