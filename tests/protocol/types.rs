//! Column types as answers name them, and the words CQL has for them.

use std::io;
use std::sync::Arc;

use cql::types::{Frozenness, NativeType, Type, UserType, parse_class};

use super::bytes::{AnswerReader, format_error};

/// Types nest a few deep in sane schemas; an answer that nests deeper is refused.
const DEPTH_MAX: usize = 64;

/// Reads a type. The protocol knows no frozen types: all are taken for frozen.
pub(super) fn read(reader: &mut AnswerReader<'_>) -> io::Result<Type> {
    read_nested(reader, DEPTH_MAX)
}

/// A type in words, as the protocol has it: `map<text, int>`, `ks.address` for a user type, a quoted class name for a vector
/// or a custom one.
pub(crate) fn spell(ty: &Type) -> String {
    match ty {
        Type::Native(native) => native.name().to_owned(),
        Type::List(element, _) => format!("list<{}>", spell(element)),
        Type::Set(element, _) => format!("set<{}>", spell(element)),
        Type::Map(entry, _) => format!("map<{}, {}>", spell(&entry.0), spell(&entry.1)),
        Type::Tuple(types) => {
            format!("tuple<{}>", types.iter().map(spell).collect::<Vec<_>>().join(", "))
        }
        Type::User(user, _) => format!("{}.{}", user.keyspace, user.name),
        Type::Vector(..) => format!("'{}'", ty.class_name()),
        Type::Custom(class) => format!("'{class}'"),
    }
}

fn read_nested(reader: &mut AnswerReader<'_>, depth: usize) -> io::Result<Type> {
    let depth = depth.checked_sub(1).ok_or_else(|| format_error("types nested too deep"))?;
    let code = reader.short()?;
    Ok(match code {
        0x0000 => custom_type(&reader.string()?),
        0x0020 => Type::List(Arc::new(read_nested(reader, depth)?), Frozenness::Yes),
        0x0021 => {
            let entry = (read_nested(reader, depth)?, read_nested(reader, depth)?);
            Type::Map(Arc::new(entry), Frozenness::Yes)
        }
        0x0022 => Type::Set(Arc::new(read_nested(reader, depth)?), Frozenness::Yes),
        0x0030 => user_type(reader, depth)?,
        0x0031 => {
            let count = reader.short()?;
            let parts =
                (0..count).map(|_| read_nested(reader, depth)).collect::<io::Result<Vec<_>>>()?;
            Type::Tuple(parts.into())
        }
        _ => native(code).ok_or_else(|| format_error("an unknown type"))?.into(),
    })
}

/// A vector, a duration before v5, or a type known by its class only.
fn custom_type(class: &str) -> Type {
    match parse_class(class).map(|parsed| parsed.ty) {
        Ok(ty @ (Type::Vector(..) | Type::Native(NativeType::Duration))) => ty,
        _ => Type::Custom(class.into()),
    }
}

fn user_type(reader: &mut AnswerReader<'_>, depth: usize) -> io::Result<Type> {
    let (keyspace, name) = (reader.string()?.into(), reader.string()?.into());
    let mut fields = Vec::new();
    for _ in 0..reader.short()? {
        fields.push((reader.string()?.into(), read_nested(reader, depth)?));
    }
    Ok(Type::User(Arc::new(UserType { keyspace, name, fields }), Frozenness::Yes))
}

fn native(code: u16) -> Option<NativeType> {
    Some(match code {
        0x0001 => NativeType::Ascii,
        0x0002 => NativeType::Bigint,
        0x0003 => NativeType::Blob,
        0x0004 => NativeType::Boolean,
        0x0005 => NativeType::Counter,
        0x0006 => NativeType::Decimal,
        0x0007 => NativeType::Double,
        0x0008 => NativeType::Float,
        0x0009 => NativeType::Int,
        0x000B => NativeType::Timestamp,
        0x000C => NativeType::Uuid,
        0x000D => NativeType::Text,
        0x000E => NativeType::Varint,
        0x000F => NativeType::Timeuuid,
        0x0010 => NativeType::Inet,
        0x0011 => NativeType::Date,
        0x0012 => NativeType::Time,
        0x0013 => NativeType::Smallint,
        0x0014 => NativeType::Tinyint,
        0x0015 => NativeType::Duration,
        _ => return None,
    })
}
