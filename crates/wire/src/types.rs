//! Column types in metadata: a number, followed by the component types of collections, tuples and
//! user types.

use std::sync::Arc;

use cql::types::{Frozenness, NativeType, Type, UserType, parse_class};

use crate::protocol_version::ProtocolVersion;
use crate::reader::{DecodeError, Reader};
use crate::writer;

/// The maximum nesting of types. Real schemas nest a few levels; a deeper response is refused, as
/// decoding is recursive.
const DEPTH_MAX: usize = 64;

const CUSTOM: u16 = 0x0000;
const LIST: u16 = 0x0020;
const MAP: u16 = 0x0021;
const SET: u16 = 0x0022;
const USER: u16 = 0x0030;
const TUPLE: u16 = 0x0031;
/// An old number of `text`, decoded but never encoded.
const OLD_TEXT: u16 = 0x000A;

/// The numbers of the native types, with the first version that has them.
const NATIVE_TYPES: [(NativeType, u16, ProtocolVersion); 20] = [
    (NativeType::Ascii, 0x0001, ProtocolVersion::V3),
    (NativeType::Bigint, 0x0002, ProtocolVersion::V3),
    (NativeType::Blob, 0x0003, ProtocolVersion::V3),
    (NativeType::Boolean, 0x0004, ProtocolVersion::V3),
    (NativeType::Counter, 0x0005, ProtocolVersion::V3),
    (NativeType::Decimal, 0x0006, ProtocolVersion::V3),
    (NativeType::Double, 0x0007, ProtocolVersion::V3),
    (NativeType::Float, 0x0008, ProtocolVersion::V3),
    (NativeType::Int, 0x0009, ProtocolVersion::V3),
    (NativeType::Timestamp, 0x000B, ProtocolVersion::V3),
    (NativeType::Uuid, 0x000C, ProtocolVersion::V3),
    (NativeType::Text, 0x000D, ProtocolVersion::V3),
    (NativeType::Varint, 0x000E, ProtocolVersion::V3),
    (NativeType::Timeuuid, 0x000F, ProtocolVersion::V3),
    (NativeType::Inet, 0x0010, ProtocolVersion::V3),
    (NativeType::Date, 0x0011, ProtocolVersion::V4),
    (NativeType::Time, 0x0012, ProtocolVersion::V4),
    (NativeType::Smallint, 0x0013, ProtocolVersion::V4),
    (NativeType::Tinyint, 0x0014, ProtocolVersion::V4),
    (NativeType::Duration, 0x0015, ProtocolVersion::V5),
];

/// Appends a type. A type without a number in this version is sent as a custom type by its Java
/// class.
pub(crate) fn put(out: &mut Vec<u8>, version: ProtocolVersion, ty: &Type) {
    match ty {
        Type::Native(native) => {
            let known =
                NATIVE_TYPES.iter().find(|(known, _, since)| known == native && *since <= version);
            match known {
                Some((_, number, _)) => writer::short(out, *number),
                None => put_class(out, ty),
            }
        }
        Type::List(element, _) => {
            writer::short(out, LIST);
            put(out, version, element);
        }
        Type::Set(element, _) => {
            writer::short(out, SET);
            put(out, version, element);
        }
        Type::Map(entry, _) => {
            writer::short(out, MAP);
            put(out, version, &entry.0);
            put(out, version, &entry.1);
        }
        Type::Tuple(types) => {
            writer::short(out, TUPLE);
            let count = writer::short_count(out, types.len());
            types.iter().take(count).for_each(|ty| put(out, version, ty));
        }
        Type::User(user, _) => put_user(out, version, user),
        Type::Vector(..) | Type::Custom(_) => put_class(out, ty),
    }
}

fn put_user(out: &mut Vec<u8>, version: ProtocolVersion, user: &UserType) {
    writer::short(out, USER);
    writer::string(out, &user.keyspace);
    writer::string(out, &user.name);
    let count = writer::short_count(out, user.fields.len());
    for (name, ty) in user.fields.iter().take(count) {
        writer::string(out, name);
        put(out, version, ty);
    }
}

fn put_class(out: &mut Vec<u8>, ty: &Type) {
    writer::short(out, CUSTOM);
    writer::string(out, &ty.class_name());
}

/// Decodes a type. The protocol does not say what is frozen: the outermost type is taken as not
/// frozen, inner ones as frozen.
pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Type, DecodeError> {
    read_nested(reader, Frozenness::No, DEPTH_MAX)
}

fn read_nested(
    reader: &mut Reader<'_>,
    frozen: Frozenness,
    depth: usize,
) -> Result<Type, DecodeError> {
    let depth =
        depth.checked_sub(1).ok_or_else(|| DecodeError::protocol("Types nested too deep"))?;
    let number = reader.short()?;
    let mut part = || read_nested(reader, Frozenness::Yes, depth);
    Ok(match number {
        LIST => Type::List(Arc::new(part()?), frozen),
        SET => Type::Set(Arc::new(part()?), frozen),
        MAP => Type::Map(Arc::new((part()?, part()?)), frozen),
        TUPLE => {
            let count = reader.short()?;
            let parts = (0..count).map(|_| read_nested(reader, Frozenness::Yes, depth));
            Type::Tuple(parts.collect::<Result<_, _>>()?)
        }
        USER => Type::User(Arc::new(read_user(reader, depth)?), frozen),
        CUSTOM => {
            let class = reader.string()?;
            let parsed = parse_class(class);
            parsed.map_err(|error| DecodeError::protocol(error.message()))?.ty
        }
        OLD_TEXT => NativeType::Text.into(),
        _ => {
            let known = NATIVE_TYPES.iter().find(|(_, known, _)| *known == number);
            let unknown = || DecodeError::protocol(format!("Unknown option id {number}"));
            known.ok_or_else(unknown)?.0.into()
        }
    })
}

fn read_user(reader: &mut Reader<'_>, depth: usize) -> Result<UserType, DecodeError> {
    let (keyspace, name) = (reader.string()?.into(), reader.string()?.into());
    let count = reader.short()?;
    let fields = (0..count)
        .map(|_| Ok((reader.string()?.into(), read_nested(reader, Frozenness::Yes, depth)?)));
    Ok(UserType { keyspace, name, fields: fields.collect::<Result<_, DecodeError>>()? })
}
