//! Types as Java class names, as in schemas of old versions, data files and custom types of the
//! protocol: `org.apache.cassandra.db.marshal.ListType(org.apache.cassandra.db.marshal.Int32Type)`.

use std::fmt::Write;

use super::{Frozenness, NativeType, Type, UserType};

/// The package of Cassandra's types.
pub(super) const MARSHAL: &str = "org.apache.cassandra.db.marshal.";

impl NativeType {
    /// The simple name of its class.
    pub const fn class(self) -> &'static str {
        match self {
            Self::Ascii => "AsciiType",
            Self::Bigint => "LongType",
            Self::Blob => "BytesType",
            Self::Boolean => "BooleanType",
            Self::Counter => "CounterColumnType",
            Self::Date => "SimpleDateType",
            Self::Decimal => "DecimalType",
            Self::Double => "DoubleType",
            Self::Duration => "DurationType",
            Self::Float => "FloatType",
            Self::Inet => "InetAddressType",
            Self::Int => "Int32Type",
            Self::Smallint => "ShortType",
            Self::Text => "UTF8Type",
            Self::Time => "TimeType",
            Self::Timestamp => "TimestampType",
            Self::Timeuuid => "TimeUUIDType",
            Self::Tinyint => "ByteType",
            Self::Uuid => "UUIDType",
            Self::Varint => "IntegerType",
        }
    }

    /// The type of that class. The class of a function's timeuuid argument is the same type.
    pub(super) fn from_class(simple: &str) -> Option<Self> {
        if simple == "LegacyTimeUUIDType" {
            return Some(Self::Timeuuid);
        }
        Self::ALL.into_iter().find(|native| native.class() == simple)
    }
}

impl Type {
    /// The Java class of this type with its parameters.
    pub fn class_name(&self) -> String {
        let mut out = String::new();
        write_class(&mut out, self, FrozenWrapper::Shown);
        out
    }
}

/// Whether `FrozenType(...)` is written around a frozen type: inside a frozen type, and inside
/// every tuple, it is implied.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FrozenWrapper {
    Shown,
    Implied,
}

fn write_class(out: &mut String, ty: &Type, freezing: FrozenWrapper) {
    let show_frozen = ty.is_freezable() && !ty.is_multi_cell() && freezing == FrozenWrapper::Shown;
    if show_frozen {
        out.push_str(MARSHAL);
        out.push_str("FrozenType(");
    }
    let inside = |frozen: Frozenness| {
        if frozen == Frozenness::Yes { FrozenWrapper::Implied } else { freezing }
    };
    if let Type::Custom(class) = ty {
        out.push_str(class);
    } else {
        out.push_str(MARSHAL);
    }
    match ty {
        Type::Custom(_) => {}
        Type::Native(native) => out.push_str(native.class()),
        Type::List(element, frozen) => {
            write_parameters(out, "ListType", &[element], inside(*frozen));
        }
        Type::Set(element, frozen) => write_parameters(out, "SetType", &[element], inside(*frozen)),
        Type::Map(entry, frozen) => {
            write_parameters(out, "MapType", &[&entry.0, &entry.1], inside(*frozen));
        }
        Type::Tuple(types) => {
            write_parameters(
                out,
                "TupleType",
                &types.iter().collect::<Vec<_>>(),
                FrozenWrapper::Implied,
            );
        }
        Type::User(user, frozen) => write_user(out, user, inside(*frozen)),
        Type::Vector(element, dimension) => {
            out.push_str("VectorType(");
            write_class(out, element, freezing);
            let _ = write!(out, " , {dimension})");
        }
    }
    if show_frozen {
        out.push(')');
    }
}

fn write_parameters(out: &mut String, simple: &str, types: &[&Type], freezing: FrozenWrapper) {
    out.push_str(simple);
    out.push('(');
    for (i, ty) in types.iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        write_class(out, ty, freezing);
    }
    out.push(')');
}

/// Names are written as the hexadecimal digits of their UTF-8 bytes, except that of the keyspace.
fn write_user(out: &mut String, user: &UserType, freezing: FrozenWrapper) {
    out.push_str("UserType(");
    out.push_str(&user.keyspace);
    out.push(',');
    write_hex(out, &user.name);
    for (name, ty) in &user.fields {
        out.push(',');
        write_hex(out, name);
        out.push(':');
        write_class(out, ty, freezing);
    }
    out.push(')');
}

fn write_hex(out: &mut String, name: &str) {
    for byte in name.bytes() {
        let _ = write!(out, "{byte:02x}");
    }
}
