//! Types of Rust.

use std::collections::BTreeMap;

use crate::language::Renaming;
use crate::naming::{NameCase, NameScope, find_change, to_case};
use crate::program::{DataType, Field, Record};

use super::names::{COLUMN_WORDS, KEYWORDS};

/// The user types of a program, by their names in CQL.
#[derive(Debug, Default)]
pub(super) struct RustTypes {
    /// The name in Rust, and whether the type has a total order in Rust.
    users: BTreeMap<String, (String, bool)>,
}

/// A structure of Rust that stands for a record.
#[derive(Clone, Debug, Default)]
pub(super) struct RustRecord {
    /// Its name.
    pub(super) name: String,
    /// Its fields.
    pub(super) fields: Vec<RustField>,
}

/// A field of a structure.
#[derive(Clone, Debug)]
pub(super) struct RustField {
    /// The name of the column.
    pub(super) column: String,
    /// The name in Rust.
    pub(super) name: String,
    /// The type of the column.
    pub(super) ty: DataType,
    /// Whether it is an `Option`.
    pub(super) nullable: bool,
}

impl RustRecord {
    /// A structure for a record; all fields are options if `is_optional`.
    pub(super) fn new(name: String, fields: &[Field], is_optional: bool) -> Self {
        let mut scope = NameScope::new(NameCase::Snake, KEYWORDS)
            .reserve(COLUMN_WORDS)
            .keep_exact(fields.iter().map(|field| &field.name));
        let field = |field: &Field| RustField {
            column: field.name.clone(),
            name: scope.add("column", &field.name),
            ty: field.ty.clone(),
            nullable: is_optional || field.nullable,
        };
        Self { name, fields: fields.iter().map(field).collect() }
    }

    /// The columns whose names could not be kept.
    pub(super) fn list_renamings<'r>(&'r self, of: &'r str) -> impl Iterator<Item = Renaming> + 'r {
        self.fields.iter().filter_map(move |field| {
            let usual = to_case(NameCase::Snake, &field.column);
            let lost = find_change(&field.column, &usual, &field.name)?.to_owned();
            let of = format!("{of}: column {}", field.column);
            Some(Renaming { of, usual: lost, used: field.name.clone() })
        })
    }

    /// The field of a column.
    pub(super) fn field(&self, column: &str) -> Option<&RustField> {
        self.fields.iter().find(|field| field.column == column)
    }
}

impl RustTypes {
    /// Adds a user type; those that it uses were added before.
    pub(super) fn add(&mut self, user: &Record, name: String) {
        let is_ordered = user.fields.iter().all(|field| self.is_ordered(&field.ty));
        self.users.insert(user.name.clone(), (name, is_ordered));
    }

    /// The name of a user type.
    pub(super) fn user(&self, name: &str) -> &str {
        self.users.get(name).map_or("()", |(name, _)| name)
    }

    /// The type of a value.
    pub(super) fn name(&self, ty: &DataType) -> String {
        let plain = match ty {
            DataType::Ascii | DataType::Text => "String",
            DataType::Bigint | DataType::Counter => "i64",
            DataType::Blob => "Vec<u8>",
            DataType::Boolean => "bool",
            DataType::Date => "CqlDate",
            DataType::Decimal => "CqlDecimal",
            DataType::Double => "f64",
            DataType::Duration => "CqlDuration",
            DataType::Float => "f32",
            DataType::Inet => "IpAddr",
            DataType::Int => "i32",
            DataType::Smallint => "i16",
            DataType::Time => "CqlTime",
            DataType::Timestamp => "CqlTimestamp",
            DataType::Timeuuid => "CqlTimeuuid",
            DataType::Tinyint => "i8",
            DataType::Uuid => "Uuid",
            DataType::Varint => "CqlVarint",
            DataType::User(name) => self.user(name),
            DataType::List(element) | DataType::Vector(element, _) => {
                return format!("Vec<{}>", self.name(element));
            }
            DataType::Set(element) if self.is_ordered(element) => {
                return format!("BTreeSet<{}>", self.name(element));
            }
            DataType::Set(element) => return format!("Vec<{}>", self.name(element)),
            DataType::Map(key, value) => {
                let map = if self.is_ordered(key) { "BTreeMap" } else { "CqlPairs" };
                return format!("{map}<{}, {}>", self.name(key), self.name(value));
            }
            DataType::Tuple(parts) => {
                let parts = parts.iter().map(|part| format!("Option<{}>", self.name(part)));
                let parts: Vec<_> = parts.collect();
                let comma = if parts.len() == 1 { "," } else { "" };
                return format!("({}{comma})", parts.join(", "));
            }
        };
        plain.to_owned()
    }

    /// The type of a field, which may be an option.
    pub(super) fn field(&self, ty: &DataType, nullable: bool) -> String {
        let name = self.name(ty);
        if nullable { format!("Option<{name}>") } else { name }
    }

    /// The type with which the driver reads a column.
    pub(super) fn column(&self, ty: &DataType) -> String {
        match ty {
            DataType::Counter => "Option<Counter>".to_owned(),
            _ => self.field(ty, true),
        }
    }

    /// Whether Rust orders the values, as the keys of sets and maps need.
    pub(super) fn is_ordered(&self, ty: &DataType) -> bool {
        match ty {
            DataType::Date
            | DataType::Decimal
            | DataType::Double
            | DataType::Duration
            | DataType::Float
            | DataType::Time
            | DataType::Varint => false,
            DataType::List(part) | DataType::Vector(part, _) | DataType::Set(part) => {
                self.is_ordered(part)
            }
            DataType::Map(key, value) => self.is_ordered(key) && self.is_ordered(value),
            DataType::Tuple(parts) => parts.iter().all(|part| self.is_ordered(part)),
            DataType::User(name) => self.users.get(name).is_some_and(|(_, ordered)| *ordered),
            _ => true,
        }
    }

    /// The expression of the driver's type.
    pub(super) fn driver_type(ty: &DataType) -> Option<String> {
        let native = match ty {
            DataType::Ascii => "Ascii",
            DataType::Bigint => "BigInt",
            DataType::Blob => "Blob",
            DataType::Boolean => "Boolean",
            DataType::Counter => "Counter",
            DataType::Date => "Date",
            DataType::Decimal => "Decimal",
            DataType::Double => "Double",
            DataType::Duration => "Duration",
            DataType::Float => "Float",
            DataType::Inet => "Inet",
            DataType::Int => "Int",
            DataType::Smallint => "SmallInt",
            DataType::Text => "Text",
            DataType::Time => "Time",
            DataType::Timestamp => "Timestamp",
            DataType::Timeuuid => "Timeuuid",
            DataType::Tinyint => "TinyInt",
            DataType::Uuid => "Uuid",
            DataType::Varint => "Varint",
            _ => return None,
        };
        Some(format!("ColumnType::Native(NativeType::{native})"))
    }
}

/// Whether values are copied, not cloned.
pub(super) fn is_copied(ty: &DataType) -> bool {
    match ty {
        DataType::Bigint
        | DataType::Boolean
        | DataType::Counter
        | DataType::Date
        | DataType::Double
        | DataType::Duration
        | DataType::Float
        | DataType::Inet
        | DataType::Int
        | DataType::Smallint
        | DataType::Time
        | DataType::Timestamp
        | DataType::Timeuuid
        | DataType::Tinyint
        | DataType::Uuid => true,
        DataType::Tuple(parts) => parts.iter().all(is_copied),
        _ => false,
    }
}
