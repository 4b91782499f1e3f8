//! Values that a request carries for the markers of its statement, to and from bytes.

use cql::protocol::{MarkerValue, MarkerValues};

use crate::reader::{Malformed, Reader};
use crate::version::Version;
use crate::writer;

const NULL: i32 = -1;
const UNSET: i32 = -2;

fn read<'a>(reader: &mut Reader<'a>, version: Version) -> Result<MarkerValue<'a>, Malformed> {
    let length = reader.int()?;
    match (usize::try_from(length), length, version) {
        (Ok(length), ..) => reader.take(length).map(MarkerValue::Bytes),
        (Err(_), _, Version::V3) | (Err(_), NULL, _) => Ok(MarkerValue::Null),
        // From version 4 on.
        (Err(_), UNSET, _) => Ok(MarkerValue::Unset),
        (Err(_), ..) => Err(Malformed::protocol(format!("Invalid ByteBuf length {length}"))),
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
    version: Version,
) -> Result<Vec<MarkerValue<'a>>, Malformed> {
    let count = reader.short()?;
    (0..count).map(|_| read(reader, version)).collect()
}

pub(crate) fn read_named<'a>(
    reader: &mut Reader<'a>,
    version: Version,
) -> Result<MarkerValues<'a>, Malformed> {
    let count = reader.short()?;
    let named = (0..count).map(|_| Ok((reader.string()?, read(reader, version)?)));
    Ok(MarkerValues::named(named.collect::<Result<_, Malformed>>()?))
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
