//! The conversion of the driver's column types into [`cql::types::Type`].

use std::sync::Arc;

use cql::types::{Frozenness, NativeType, Type, UserType};
use scylla::cluster::metadata::{CollectionType, ColumnType, NativeType as DriverType};

/// The type of a column; `None` for a type that CQL 5.0 does not have.
pub(crate) fn from_driver(column: &ColumnType<'_>) -> Option<Type> {
    Some(match column {
        ColumnType::Native(native) => Type::Native(native_type(native)?),
        ColumnType::Collection { frozen: is_frozen, typ } => {
            let frozen = to_frozen(*is_frozen);
            match typ {
                CollectionType::List(element) => {
                    Type::List(Arc::new(from_driver(element)?), frozen)
                }
                CollectionType::Set(element) => Type::Set(Arc::new(from_driver(element)?), frozen),
                CollectionType::Map(key, value) => {
                    Type::Map(Arc::new((from_driver(key)?, from_driver(value)?)), frozen)
                }
                _ => return None,
            }
        }
        ColumnType::Vector { typ, dimensions } => {
            Type::Vector(Arc::new(from_driver(typ)?), u32::from(*dimensions))
        }
        ColumnType::UserDefinedType { frozen: is_frozen, definition } => {
            let field = |(name, ty): &(std::borrow::Cow<'_, str>, ColumnType<'_>)| {
                Some((Box::from(&**name), from_driver(ty)?))
            };
            let user = UserType {
                keyspace: Box::from(&*definition.keyspace),
                name: Box::from(&*definition.name),
                fields: definition.field_types.iter().map(field).collect::<Option<_>>()?,
            };
            Type::User(Arc::new(user), to_frozen(*is_frozen))
        }
        ColumnType::Tuple(parts) => {
            Type::Tuple(parts.iter().map(from_driver).collect::<Option<_>>()?)
        }
        _ => return None,
    })
}

fn to_frozen(is_frozen: bool) -> Frozenness {
    if is_frozen { Frozenness::Yes } else { Frozenness::No }
}

fn native_type(native: &DriverType) -> Option<NativeType> {
    Some(match native {
        DriverType::Ascii => NativeType::Ascii,
        DriverType::Boolean => NativeType::Boolean,
        DriverType::Blob => NativeType::Blob,
        DriverType::Counter => NativeType::Counter,
        DriverType::Date => NativeType::Date,
        DriverType::Decimal => NativeType::Decimal,
        DriverType::Double => NativeType::Double,
        DriverType::Duration => NativeType::Duration,
        DriverType::Float => NativeType::Float,
        DriverType::Int => NativeType::Int,
        DriverType::BigInt => NativeType::Bigint,
        DriverType::Text => NativeType::Text,
        DriverType::Timestamp => NativeType::Timestamp,
        DriverType::Inet => NativeType::Inet,
        DriverType::SmallInt => NativeType::Smallint,
        DriverType::TinyInt => NativeType::Tinyint,
        DriverType::Time => NativeType::Time,
        DriverType::Timeuuid => NativeType::Timeuuid,
        DriverType::Uuid => NativeType::Uuid,
        DriverType::Varint => NativeType::Varint,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_types_are_ours() {
        let int = || Box::new(ColumnType::Native(DriverType::Int));
        let list = ColumnType::Collection { frozen: true, typ: CollectionType::List(int()) };
        let map = ColumnType::Collection {
            frozen: false,
            typ: CollectionType::Map(int(), Box::new(list)),
        };
        let ty = from_driver(&map).expect("a known type");
        assert_eq!(ty.to_string(), "map<int, frozen<list<int>>>");
        let tuple = ColumnType::Tuple(vec![
            ColumnType::Native(DriverType::BigInt),
            ColumnType::Vector { typ: int(), dimensions: 3 },
        ]);
        let ty = from_driver(&tuple).expect("a known type");
        assert_eq!(ty.to_string(), "frozen<tuple<bigint, vector<int, 3>>>");
    }
}
