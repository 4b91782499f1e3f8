//! The values that are sent for the markers of a statement.

/// A value for a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkerValue<'a> {
    /// A serialised value.
    Bytes(&'a [u8]),
    /// Null.
    Null,
    /// Unset: the column stays unchanged.
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

/// The values of all markers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum MarkerValues<'a> {
    /// No values.
    #[default]
    None,
    /// Values in the order of the markers.
    Positional(Vec<MarkerValue<'a>>),
    /// Values by the names of the markers.
    Named(Vec<(&'a str, MarkerValue<'a>)>),
}

impl<'a> MarkerValues<'a> {
    /// Values in the order of the markers.
    pub fn from_positional(values: Vec<MarkerValue<'a>>) -> Self {
        if values.is_empty() { Self::None } else { Self::Positional(values) }
    }

    /// Values by the names of the markers.
    pub fn from_named(values: Vec<(&'a str, MarkerValue<'a>)>) -> Self {
        if values.is_empty() { Self::None } else { Self::Named(values) }
    }

    /// The values, in the order in which they were sent.
    pub fn iter(&self) -> impl Iterator<Item = &MarkerValue<'a>> {
        let (positional, named): (&[_], &[_]) = match self {
            Self::None => (&[], &[]),
            Self::Positional(values) => (values, &[]),
            Self::Named(values) => (&[], values),
        };
        positional.iter().chain(named.iter().map(|(_, value)| value))
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
