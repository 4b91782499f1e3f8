//! Values that a request carries for the markers of its statement, to and from bytes.

use cql::protocol::{Value, Values};

use crate::reader::{Malformed, Reader};
use crate::version::Version;
use crate::writer;

const NULL: i32 = -1;
const UNSET: i32 = -2;

fn read<'a>(reader: &mut Reader<'a>, version: Version) -> Result<Value<'a>, Malformed> {
    let length = reader.int()?;
    match (usize::try_from(length), length, version) {
        (Ok(length), ..) => reader.take(length).map(Value::Bytes),
        (Err(_), _, Version::V3) | (Err(_), NULL, _) => Ok(Value::Null),
        // From version 4 on.
        (Err(_), UNSET, _) => Ok(Value::Unset),
        (Err(_), ..) => Err(Malformed::protocol(format!("Invalid ByteBuf length {length}"))),
    }
}

fn put_value(out: &mut Vec<u8>, value: Value<'_>) {
    match value {
        Value::Bytes(bytes) => writer::bytes(out, Some(bytes)),
        Value::Null => writer::int(out, NULL),
        Value::Unset => writer::int(out, UNSET),
    }
}

pub(crate) fn read_positional<'a>(
    reader: &mut Reader<'a>,
    version: Version,
) -> Result<Vec<Value<'a>>, Malformed> {
    let count = reader.short()?;
    (0..count).map(|_| read(reader, version)).collect()
}

pub(crate) fn read_named<'a>(
    reader: &mut Reader<'a>,
    version: Version,
) -> Result<Values<'a>, Malformed> {
    let count = reader.short()?;
    let named = (0..count).map(|_| Ok((reader.string()?, read(reader, version)?)));
    Ok(Values::named(named.collect::<Result<_, Malformed>>()?))
}

pub(crate) fn put_positional(out: &mut Vec<u8>, values: &[Value<'_>]) {
    let count = writer::short_count(out, values.len());
    for value in values.iter().take(count) {
        put_value(out, *value);
    }
}

pub(crate) fn put(out: &mut Vec<u8>, values: &Values<'_>) {
    match values {
        Values::None => put_positional(out, &[]),
        Values::Positional(values) => put_positional(out, values),
        Values::Named(values) => {
            let count = writer::short_count(out, values.len());
            for (name, value) in values.iter().take(count) {
                writer::string(out, name);
                put_value(out, *value);
            }
        }
    }
}
