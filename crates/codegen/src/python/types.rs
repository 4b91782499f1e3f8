//! Types of CQL in Python: annotations, conversions from and to the driver, and orders.

use std::collections::BTreeSet;

use crate::program::DataType;

use super::names::PythonNames;

/// The annotation of a type. In sets, map keys and user types, arrays must be hashable.
pub(super) fn annotate(names: &PythonNames, ty: &DataType, hashable: bool) -> String {
    let of = |part: &DataType, hashable: bool| annotate(names, part, hashable);
    match ty {
        DataType::Ascii | DataType::Text => "str".to_owned(),
        DataType::Bigint
        | DataType::Counter
        | DataType::Int
        | DataType::Smallint
        | DataType::Tinyint
        | DataType::Varint => "int".to_owned(),
        DataType::Blob => "bytes".to_owned(),
        DataType::Boolean => "bool".to_owned(),
        DataType::Date => "CqlDate".to_owned(),
        DataType::Decimal => "Decimal".to_owned(),
        DataType::Double | DataType::Float => "float".to_owned(),
        DataType::Duration => "Duration".to_owned(),
        DataType::Inet => "Inet".to_owned(),
        DataType::Time => "Time".to_owned(),
        DataType::Timestamp => "datetime".to_owned(),
        DataType::Timeuuid | DataType::Uuid => "UUID".to_owned(),
        DataType::List(element) | DataType::Vector(element, _) if hashable => {
            format!("tuple[{}, ...]", of(element, true))
        }
        DataType::List(element) | DataType::Vector(element, _) => {
            format!("list[{}]", of(element, false))
        }
        DataType::Set(element) if hashable => format!("frozenset[{}]", of(element, true)),
        DataType::Set(element) => format!("set[{}]", of(element, true)),
        DataType::Map(key, value) if hashable => {
            format!("tuple[tuple[{}, {}], ...]", of(key, true), of(value, true))
        }
        DataType::Map(key, value) => format!("dict[{}, {}]", of(key, true), of(value, false)),
        DataType::Tuple(parts) => {
            let parts: Vec<String> =
                parts.iter().map(|part| format!("{} | None", of(part, hashable))).collect();
            format!("tuple[{}]", parts.join(", "))
        }
        DataType::User(name) => format!("{}{}", names.rows_prefix, names.user_type(name)),
    }
}

/// The function that converts a value of the driver; `None` where it stays as it is.
pub(super) fn decoder(names: &PythonNames, ty: &DataType, hashable: bool) -> Option<String> {
    let of = |part: &DataType, hashable: bool| decoder(names, part, hashable);
    let each = |element: &DataType, inner: bool, make: &str| match of(element, inner) {
        Some(element) => format!("support.each({element}, {make})"),
        None => make.to_owned(),
    };
    Some(match ty {
        DataType::Timestamp => "support.utc".to_owned(),
        DataType::Date => "support.to_date".to_owned(),
        DataType::Inet => "support.to_inet".to_owned(),
        DataType::List(element) | DataType::Vector(element, _) if hashable => {
            each(element, true, "support.as_tuple")
        }
        DataType::List(element) | DataType::Vector(element, _) => {
            format!("support.each({}, list)", of(element, false)?)
        }
        DataType::Set(element) if hashable => each(element, true, "support.as_frozenset"),
        DataType::Set(element) => each(element, true, "support.as_set"),
        DataType::Map(key, value) => {
            let make = if hashable { "tuple" } else { "dict" };
            let parts = (of(key, true), of(value, hashable));
            let keep = || "support.keep".to_owned();
            match (parts, hashable) {
                ((None, None), false) => "support.as_dict".to_owned(),
                ((None, None), true) => "support.as_items".to_owned(),
                ((key, value), _) => {
                    let (key, value) = (key.unwrap_or_else(keep), value.unwrap_or_else(keep));
                    format!("support.entries({key}, {value}, {make})")
                }
            }
        }
        DataType::Tuple(parts) => join_parts(parts.iter().map(|part| of(part, hashable)))?,
        DataType::User(name) => {
            format!("{}decode_{}", names.rows_prefix, names.user_type(name))
        }
        _ => return None,
    })
}

/// The function that converts a value for the driver; `None` where it stays as it is.
pub(super) fn encoder(names: &PythonNames, ty: &DataType) -> Option<String> {
    let of = |part: &DataType| encoder(names, part);
    let keep = || "support.keep".to_owned();
    Some(match ty {
        DataType::Timestamp => "support.millis".to_owned(),
        DataType::Date => "support.days".to_owned(),
        DataType::List(element) | DataType::Set(element) | DataType::Vector(element, _) => {
            format!("support.each({}, list)", of(element)?)
        }
        DataType::Map(key, value) => {
            let (key, value) = (of(key).unwrap_or_else(keep), of(value).unwrap_or_else(keep));
            format!("support.entries({key}, {value}, support.map_entries)")
        }
        DataType::Tuple(parts) => join_parts(parts.iter().map(of))?,
        DataType::User(name) => {
            format!("{}encode_{}", names.rows_prefix, names.user_type(name))
        }
        _ => return None,
    })
}

fn join_parts(parts: impl Iterator<Item = Option<String>>) -> Option<String> {
    let parts: Vec<Option<String>> = parts.collect();
    parts.iter().any(Option::is_some).then(|| {
        let parts = parts.into_iter().map(|part| part.unwrap_or_else(|| "support.keep".to_owned()));
        format!("support.parts({})", parts.collect::<Vec<_>>().join(", "))
    })
}

/// The function that makes keys of the order of a type; `None` where values have that order.
pub(super) fn order_key(names: &PythonNames, ty: &DataType) -> Option<String> {
    let of = |part: &DataType| order_key(names, part).unwrap_or_else(|| "support.keep".to_owned());
    Some(match ty {
        DataType::Double => "support.float_key".to_owned(),
        DataType::Float => "support.single_key".to_owned(),
        DataType::Uuid => "support.uuid_key".to_owned(),
        DataType::Timeuuid => "support.timeuuid_key".to_owned(),
        DataType::Date => "support.date_key".to_owned(),
        DataType::Time => "support.time_key".to_owned(),
        DataType::Inet => "support.inet_key".to_owned(),
        DataType::Duration => "support.duration_key".to_owned(),
        DataType::Timestamp => "support.millis".to_owned(),
        DataType::List(element) | DataType::Vector(element, _) => {
            format!("support.elements_key({})", of(element))
        }
        DataType::Set(element) => format!("support.set_key({})", of(element)),
        DataType::Map(key, value) => format!("support.map_key({}, {})", of(key), of(value)),
        DataType::Tuple(parts) => {
            let parts: Vec<String> = parts.iter().map(of).collect();
            format!("support.parts_key({})", parts.join(", "))
        }
        DataType::User(name) => {
            let fields = names.user_fields(name).iter();
            let parts: Vec<String> = fields.map(|field| of(&field.ty)).collect();
            format!("support.parts_key({})", parts.join(", "))
        }
        _ => return None,
    })
}

/// The type of the driver.
pub(super) fn driver_type(names: &PythonNames, ty: &DataType) -> String {
    let of = |part: &DataType| driver_type(names, part);
    match ty {
        DataType::List(element) => format!("support.list_type({})", of(element)),
        DataType::Set(element) => format!("support.set_type({})", of(element)),
        DataType::Map(key, value) => format!("support.map_type({}, {})", of(key), of(value)),
        DataType::Vector(element, size) => format!("support.vector_type({}, {size})", of(element)),
        DataType::Tuple(parts) => {
            let parts: Vec<String> = parts.iter().map(of).collect();
            format!("support.tuple_type({})", parts.join(", "))
        }
        DataType::User(name) => format!("{}type_{}", names.rows_prefix, names.user_type(name)),
        native => format!("support.native(\"{native}\")"),
    }
}

/// The import lines for annotations of these types.
pub(super) fn list_imports<'a>(types: impl Iterator<Item = &'a DataType>) -> PythonImports {
    let mut imports = PythonImports::default();
    types.for_each(|ty| imports.add(ty));
    imports
}

/// The names that annotations use.
#[derive(Debug, Default)]
pub(super) struct PythonImports {
    standard: BTreeSet<(&'static str, &'static str)>,
    own: BTreeSet<&'static str>,
}

impl PythonImports {
    fn add(&mut self, ty: &DataType) {
        match ty {
            DataType::Timestamp => _ = self.standard.insert(("datetime", "datetime")),
            DataType::Decimal => _ = self.standard.insert(("decimal", "Decimal")),
            DataType::Uuid | DataType::Timeuuid => _ = self.standard.insert(("uuid", "UUID")),
            DataType::Date => _ = self.own.insert("CqlDate"),
            DataType::Duration => _ = self.own.insert("Duration"),
            DataType::Inet => _ = self.own.insert("Inet"),
            DataType::Time => _ = self.own.insert("Time"),
            DataType::List(part) | DataType::Set(part) | DataType::Vector(part, _) => {
                self.add(part);
            }
            DataType::Map(key, value) => {
                self.add(key);
                self.add(value);
            }
            DataType::Tuple(parts) => parts.iter().for_each(|part| self.add(part)),
            _ => {}
        }
    }

    /// `from uuid import UUID`, and another line, in the order of their modules.
    pub(super) fn lines_with(&self, other: Option<&str>) -> Vec<String> {
        let lines = self.standard.iter();
        let lines = lines.map(|(module, name)| format!("from {module} import {name}"));
        let mut lines: Vec<String> = lines.chain(other.map(str::to_owned)).collect();
        lines.sort();
        lines
    }

    /// `CqlDate, Inet`
    pub(super) fn own_names(&self) -> Vec<&'static str> {
        self.own.iter().copied().collect()
    }
}
