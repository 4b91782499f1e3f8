//! Types of CQL in Java: their classes, codecs and orders.

use std::collections::BTreeMap;

use crate::naming::{NameCase, NameScope};
use crate::program::DataType;

/// The class of a value that may be null.
pub(super) fn to_boxed(ty: &DataType, user_type: &dyn Fn(&str) -> String) -> String {
    let of = |part: &DataType| to_boxed(part, user_type);
    match ty {
        DataType::Ascii | DataType::Text => "String".to_owned(),
        DataType::Bigint | DataType::Counter => "Long".to_owned(),
        DataType::Blob => "ByteBuffer".to_owned(),
        DataType::Boolean => "Boolean".to_owned(),
        DataType::Date => "LocalDate".to_owned(),
        DataType::Decimal => "BigDecimal".to_owned(),
        DataType::Double => "Double".to_owned(),
        DataType::Duration => "CqlDuration".to_owned(),
        DataType::Float => "Float".to_owned(),
        DataType::Inet => "InetAddress".to_owned(),
        DataType::Int => "Integer".to_owned(),
        DataType::Smallint => "Short".to_owned(),
        DataType::Time => "LocalTime".to_owned(),
        DataType::Timestamp => "Instant".to_owned(),
        DataType::Timeuuid | DataType::Uuid => "UUID".to_owned(),
        DataType::Tinyint => "Byte".to_owned(),
        DataType::Varint => "BigInteger".to_owned(),
        DataType::List(element) => format!("List<{}>", of(element)),
        DataType::Set(element) => format!("Set<{}>", of(element)),
        DataType::Map(key, value) => format!("Map<{}, {}>", of(key), of(value)),
        DataType::Tuple(_) => "TupleValue".to_owned(),
        DataType::User(name) => user_type(name),
        DataType::Vector(element, _) => format!("CqlVector<{}>", of(element)),
    }
}

/// The primitive type of a class, for values that are never null.
pub(super) fn primitive(ty: &DataType) -> Option<&'static str> {
    Some(match ty {
        DataType::Bigint | DataType::Counter => "long",
        DataType::Boolean => "boolean",
        DataType::Double => "double",
        DataType::Float => "float",
        DataType::Int => "int",
        DataType::Smallint => "short",
        DataType::Tinyint => "byte",
        _ => return None,
    })
}

/// The codec of the driver for a type that is no composition.
const fn native_codec(ty: &DataType) -> Option<&'static str> {
    Some(match ty {
        DataType::Ascii => "TypeCodecs.ASCII",
        DataType::Bigint => "TypeCodecs.BIGINT",
        DataType::Blob => "TypeCodecs.BLOB",
        DataType::Boolean => "TypeCodecs.BOOLEAN",
        DataType::Counter => "TypeCodecs.COUNTER",
        DataType::Date => "TypeCodecs.DATE",
        DataType::Decimal => "TypeCodecs.DECIMAL",
        DataType::Double => "TypeCodecs.DOUBLE",
        DataType::Duration => "TypeCodecs.DURATION",
        DataType::Float => "TypeCodecs.FLOAT",
        DataType::Inet => "TypeCodecs.INET",
        DataType::Int => "TypeCodecs.INT",
        DataType::Smallint => "TypeCodecs.SMALLINT",
        DataType::Text => "TypeCodecs.TEXT",
        DataType::Time => "TypeCodecs.TIME",
        DataType::Timestamp => "TypeCodecs.TIMESTAMP",
        DataType::Timeuuid => "TypeCodecs.TIMEUUID",
        DataType::Tinyint => "TypeCodecs.TINYINT",
        DataType::Uuid => "TypeCodecs.UUID",
        DataType::Varint => "TypeCodecs.VARINT",
        _ => return None,
    })
}

/// The type of the driver, for the parts of tuples. That of a user type is known to the session only;
/// such a part is read and set with its codec, which needs none.
pub(super) fn driver_type(ty: &DataType) -> String {
    match ty {
        DataType::List(element) => format!("DataTypes.listOf({})", driver_type(element)),
        DataType::Set(element) => format!("DataTypes.setOf({})", driver_type(element)),
        DataType::Map(key, value) => {
            format!("DataTypes.mapOf({}, {})", driver_type(key), driver_type(value))
        }
        DataType::Tuple(parts) => {
            let parts: Vec<String> = parts.iter().map(driver_type).collect();
            format!("DataTypes.tupleOf({})", parts.join(", "))
        }
        DataType::Vector(element, dimension) => {
            format!("DataTypes.vectorOf({}, {dimension})", driver_type(element))
        }
        DataType::User(_) => {
            "DataTypes.custom(\"org.apache.cassandra.db.marshal.UserType\")".to_owned()
        }
        native => native_codec(native).unwrap_or_default().replace("TypeCodecs.", "DataTypes."),
    }
}

/// The codecs of composed types that a program uses, in the order in which they are declared.
#[derive(Debug)]
pub(super) struct JavaCodecs {
    names: BTreeMap<DataType, String>,
    scope: NameScope<'static>,
    /// The types, after those that they are composed of.
    pub(super) order: Vec<DataType>,
}

impl JavaCodecs {
    pub(super) const fn new() -> Self {
        Self {
            names: BTreeMap::new(),
            scope: NameScope::new(NameCase::ScreamingSnake, &[]),
            order: Vec::new(),
        }
    }

    /// The codec of a type. `parts` are the types of which it is composed.
    pub(super) fn codec(
        &mut self,
        ty: &DataType,
        parts: &dyn Fn(&DataType) -> Vec<DataType>,
    ) -> String {
        if let Some(native) = native_codec(ty) {
            return native.to_owned();
        }
        if let Some(name) = self.names.get(ty) {
            return format!("Codecs.{name}");
        }
        for part in parts(ty) {
            self.codec(&part, parts);
        }
        let name = self.scope.add("codec", &ty.to_string());
        self.names.insert(ty.clone(), name.clone());
        self.order.push(ty.clone());
        format!("Codecs.{name}")
    }
}

/// Zero of a type of numbers.
pub(super) const fn zero(ty: &DataType) -> Option<&'static str> {
    Some(match ty {
        DataType::Bigint | DataType::Counter => "Long.valueOf(0)",
        DataType::Int => "Integer.valueOf(0)",
        DataType::Smallint => "Short.valueOf((short) 0)",
        DataType::Tinyint => "Byte.valueOf((byte) 0)",
        DataType::Varint => "BigInteger.ZERO",
        DataType::Decimal => "BigDecimal.ZERO",
        DataType::Double => "Double.valueOf(0)",
        DataType::Float => "Float.valueOf(0)",
        _ => return None,
    })
}
