//! Values that a request carries for the markers of its statement.

use crate::reader::{Malformed, Reader};
use crate::version::Version;
use crate::writer;

const NULL: i32 = -1;
const UNSET: i32 = -2;

/// The value of a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value<'a> {
    /// These bytes.
    Bytes(&'a [u8]),
    /// Null.
    Null,
    /// Leave what it would set as it is; from version 4 on.
    Unset,
}

impl<'a> Value<'a> {
    pub(crate) fn read(reader: &mut Reader<'a>, version: Version) -> Result<Self, Malformed> {
        let length = reader.int()?;
        match (usize::try_from(length), length, version) {
            (Ok(length), ..) => reader.take(length).map(Self::Bytes),
            (Err(_), _, Version::V3) | (Err(_), NULL, _) => Ok(Self::Null),
            (Err(_), UNSET, _) => Ok(Self::Unset),
            (Err(_), ..) => Err(Malformed::protocol(format!("Invalid ByteBuf length {length}"))),
        }
    }

    pub(crate) fn put(self, out: &mut Vec<u8>) {
        match self {
            Self::Bytes(bytes) => writer::bytes(out, Some(bytes)),
            Self::Null => writer::int(out, NULL),
            Self::Unset => writer::int(out, UNSET),
        }
    }

    /// The bytes, unless null or unset.
    pub fn bytes(self) -> Option<&'a [u8]> {
        match self {
            Self::Bytes(bytes) => Some(bytes),
            Self::Null | Self::Unset => None,
        }
    }
}

/// The values of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Values<'a> {
    /// In the order of the markers.
    Positional(Vec<Value<'a>>),
    /// By the names of the markers.
    Named(Vec<(&'a str, Value<'a>)>),
}

impl Default for Values<'_> {
    fn default() -> Self {
        Self::Positional(Vec::new())
    }
}

impl<'a> Values<'a> {
    pub(crate) fn read_positional(
        reader: &mut Reader<'a>,
        version: Version,
    ) -> Result<Vec<Value<'a>>, Malformed> {
        let count = reader.short()?;
        (0..count).map(|_| Value::read(reader, version)).collect()
    }

    pub(crate) fn read_named(reader: &mut Reader<'a>, version: Version) -> Result<Self, Malformed> {
        let count = reader.short()?;
        let named = (0..count).map(|_| Ok((reader.string()?, Value::read(reader, version)?)));
        let named = named.collect::<Result<Vec<_>, Malformed>>()?;
        Ok(if named.is_empty() { Self::default() } else { Self::Named(named) })
    }

    pub(crate) fn put_positional(out: &mut Vec<u8>, values: &[Value<'_>]) {
        let count = writer::short_count(out, values.len());
        for value in values.iter().take(count) {
            value.put(out);
        }
    }

    pub(crate) fn put(&self, out: &mut Vec<u8>) {
        match self {
            Self::Positional(values) => Self::put_positional(out, values),
            Self::Named(values) => {
                let count = writer::short_count(out, values.len());
                for (name, value) in values.iter().take(count) {
                    writer::string(out, name);
                    value.put(out);
                }
            }
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Positional(values) => values.is_empty(),
            Self::Named(values) => values.is_empty(),
        }
    }
}
