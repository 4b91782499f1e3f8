//! The encoding of the values for a statement's markers.

use cql::protocol::{MarkerValue, MarkerValues};

use crate::protocol_version::ProtocolVersion;
use crate::reader::{DecodeError, Reader};
use crate::writer;

const NULL: i32 = -1;
const UNSET: i32 = -2;

fn read_value<'a>(
    reader: &mut Reader<'a>,
    version: ProtocolVersion,
) -> Result<MarkerValue<'a>, DecodeError> {
    let length = reader.int()?;
    match (usize::try_from(length), length, version) {
        (Ok(length), ..) => reader.take(length).map(MarkerValue::Bytes),
        (Err(_), _, ProtocolVersion::V3) | (Err(_), NULL, _) => Ok(MarkerValue::Null),
        // Unset values exist from version 4 on.
        (Err(_), UNSET, _) => Ok(MarkerValue::Unset),
        (Err(_), ..) => Err(DecodeError::protocol(format!("Invalid ByteBuf length {length}"))),
    }
}

fn put_value(out: &mut Vec<u8>, value: MarkerValue<'_>) {
    match value {
        MarkerValue::Bytes(bytes) => writer::bytes(out, Some(bytes)),
        MarkerValue::Null => writer::int(out, NULL),
        MarkerValue::Unset => writer::int(out, UNSET),
    }
}

pub(crate) fn read_positional<'a>(
    reader: &mut Reader<'a>,
    version: ProtocolVersion,
) -> Result<Vec<MarkerValue<'a>>, DecodeError> {
    let count = reader.short()?;
    (0..count).map(|_| read_value(reader, version)).collect()
}

pub(crate) fn read_named<'a>(
    reader: &mut Reader<'a>,
    version: ProtocolVersion,
) -> Result<MarkerValues<'a>, DecodeError> {
    let count = reader.short()?;
    let named = (0..count).map(|_| Ok((reader.string()?, read_value(reader, version)?)));
    Ok(MarkerValues::from_named(named.collect::<Result<_, DecodeError>>()?))
}

pub(crate) fn put_positional(out: &mut Vec<u8>, values: &[MarkerValue<'_>]) {
    let count = writer::short_count(out, values.len());
    for value in values.iter().take(count) {
        put_value(out, *value);
    }
}

pub(crate) fn put(out: &mut Vec<u8>, values: &MarkerValues<'_>) {
    match values {
        MarkerValues::None => put_positional(out, &[]),
        MarkerValues::Positional(values) => put_positional(out, values),
        MarkerValues::Named(values) => {
            let count = writer::short_count(out, values.len());
            for (name, value) in values.iter().take(count) {
                writer::string(out, name);
                put_value(out, *value);
            }
        }
    }
}
