//! Column types as answers name them, read into the words CQL has for them.

use std::io;

use super::bytes::{Reader, malformed};

/// Types nest a few deep in sane schemas; an answer that nests deeper is refused.
const DEPTH_MAX: usize = 64;

/// Reads a type and spells it: `map<text, int>`, `ks.address` for a user type, a quoted class name for a custom one.
pub(super) fn spell(reader: &mut Reader<'_>) -> io::Result<String> {
    nested(reader, DEPTH_MAX)
}

fn nested(reader: &mut Reader<'_>, depth: usize) -> io::Result<String> {
    let depth = depth.checked_sub(1).ok_or_else(|| malformed("types nested too deep"))?;
    let code = reader.short()?;
    Ok(match code {
        0x0000 => format!("'{}'", reader.string()?),
        0x0020 => format!("list<{}>", nested(reader, depth)?),
        0x0021 => format!("map<{}, {}>", nested(reader, depth)?, nested(reader, depth)?),
        0x0022 => format!("set<{}>", nested(reader, depth)?),
        0x0030 => user_type(reader, depth)?,
        0x0031 => {
            let count = reader.short()?;
            let parts =
                (0..count).map(|_| nested(reader, depth)).collect::<io::Result<Vec<_>>>()?;
            format!("tuple<{}>", parts.join(", "))
        }
        _ => native(code).ok_or_else(|| malformed("an unknown type"))?.to_owned(),
    })
}

fn user_type(reader: &mut Reader<'_>, depth: usize) -> io::Result<String> {
    let (keyspace, name) = (reader.string()?, reader.string()?);
    for _ in 0..reader.short()? {
        reader.string()?;
        nested(reader, depth)?;
    }
    Ok(format!("{keyspace}.{name}"))
}

fn native(code: u16) -> Option<&'static str> {
    Some(match code {
        0x0001 => "ascii",
        0x0002 => "bigint",
        0x0003 => "blob",
        0x0004 => "boolean",
        0x0005 => "counter",
        0x0006 => "decimal",
        0x0007 => "double",
        0x0008 => "float",
        0x0009 => "int",
        0x000B => "timestamp",
        0x000C => "uuid",
        0x000D => "text",
        0x000E => "varint",
        0x000F => "timeuuid",
        0x0010 => "inet",
        0x0011 => "date",
        0x0012 => "time",
        0x0013 => "smallint",
        0x0014 => "tinyint",
        0x0015 => "duration",
        _ => return None,
    })
}
