//! Types of TypeScript for those of CQL, and the codecs that convert their values.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::layout::{TypescriptCode, TypescriptWriter, quote};
use super::names::TypescriptUserType;
use crate::naming::{NameCase, to_case};
use crate::program::{DataType, Record};

/// The types of a program: codecs of types with parts are constants, made once.
#[derive(Debug)]
pub(super) struct TypescriptTypes<'a> {
    user_types: &'a BTreeMap<String, TypescriptUserType>,
    /// The constants of codecs, in the order in which they are needed.
    codecs: RefCell<Vec<(DataType, String)>>,
    /// The prefix of the names of user types.
    model: &'static str,
}

impl<'a> TypescriptTypes<'a> {
    /// No codec is needed yet; `model` is what stands before the names of user types.
    pub(super) const fn new(
        user_types: &'a BTreeMap<String, TypescriptUserType>,
        model: &'static str,
    ) -> Self {
        Self { user_types, codecs: RefCell::new(Vec::new()), model }
    }

    /// The type of the values of a type.
    pub(super) fn name(&self, ty: &DataType) -> String {
        match ty {
            DataType::Ascii | DataType::Text => "string".to_owned(),
            DataType::Bigint | DataType::Counter | DataType::Varint => "bigint".to_owned(),
            DataType::Blob => "Buffer".to_owned(),
            DataType::Boolean => "boolean".to_owned(),
            DataType::Date => "types.LocalDate".to_owned(),
            DataType::Decimal => "types.BigDecimal".to_owned(),
            DataType::Double
            | DataType::Float
            | DataType::Int
            | DataType::Smallint
            | DataType::Tinyint => "number".to_owned(),
            DataType::Duration => "types.Duration".to_owned(),
            DataType::Inet => "types.InetAddress".to_owned(),
            DataType::Time => "types.LocalTime".to_owned(),
            DataType::Timestamp => "Date".to_owned(),
            DataType::Timeuuid => "types.TimeUuid".to_owned(),
            DataType::Uuid => "types.Uuid".to_owned(),
            DataType::List(element) | DataType::Set(element) | DataType::Vector(element, _) => {
                format!("readonly {}[]", self.element_name(element))
            }
            DataType::Map(key, value) => {
                format!("ReadonlyMap<{}, {}>", self.name(key), self.name(value))
            }
            DataType::Tuple(parts) => {
                let parts: Vec<_> =
                    parts.iter().map(|part| format!("{} | null", self.name(part))).collect();
                format!("readonly [{}]", parts.join(", "))
            }
            DataType::User(name) => match self.user_types.get(name) {
                Some(user) => format!("{}{}", self.model, user.name),
                None => "unknown".to_owned(),
            },
        }
    }

    fn element_name(&self, element: &DataType) -> String {
        let name = self.name(element);
        if name.starts_with("readonly ") { format!("({name})") } else { name }
    }

    /// The type of a value that may be null.
    pub(super) fn nullable_name(&self, ty: &DataType, nullable: bool) -> String {
        if nullable { format!("{} | null", self.name(ty)) } else { self.name(ty) }
    }

    /// The codec of a type.
    pub(super) fn codec(&self, ty: &DataType) -> String {
        let is_simple = ty.element().is_none()
            && !matches!(ty, DataType::Map(..) | DataType::Tuple(_) | DataType::User(_));
        if is_simple {
            return format!("h.{ty}");
        }
        let known = self.find_codec(ty);
        if let Some(name) = known {
            return name;
        }
        // Those of the parts come first.
        for part in list_parts(ty) {
            self.codec(part);
        }
        if let DataType::User(name) = ty {
            let fields = self.user_types.get(name).map(|user| user.record.fields.clone());
            for field in fields.unwrap_or_default() {
                self.codec(&field.ty);
            }
        }
        let name = self.unique_name(ty);
        self.codecs.borrow_mut().push((ty.clone(), name.clone()));
        name
    }

    fn find_codec(&self, ty: &DataType) -> Option<String> {
        let codecs = self.codecs.borrow();
        codecs.iter().find(|(known, _)| known == ty).map(|(_, name)| name.clone())
    }

    fn unique_name(&self, ty: &DataType) -> String {
        let usual = to_case(NameCase::Camel, &format!("{ty} codec"));
        let codecs = self.codecs.borrow();
        let mut name = usual.clone();
        let mut number = 2;
        while codecs.iter().any(|(_, known)| *known == name) {
            name = format!("{usual}{number}");
            number += 1;
        }
        name
    }

    /// The constants of the codecs that were needed.
    pub(super) fn write_codecs(&self, writer: &mut TypescriptWriter) {
        for (ty, name) in self.codecs.borrow().iter() {
            let before = format!("const {name} = ");
            let codec = |part: &DataType| TypescriptCode::text(self.codec(part));
            let made = match ty {
                DataType::List(element) => TypescriptCode::call("h.list", vec![codec(element)]),
                DataType::Set(element) => TypescriptCode::call("h.set", vec![codec(element)]),
                DataType::Map(key, value) => {
                    TypescriptCode::call("h.map", vec![codec(key), codec(value)])
                }
                DataType::Vector(element, dimension) => {
                    let dimension = TypescriptCode::text(dimension.to_string());
                    TypescriptCode::call("h.vector", vec![codec(element), dimension])
                }
                DataType::Tuple(parts) => {
                    let made = format!("h.tuple<{}>", self.name(ty));
                    TypescriptCode::call(made, parts.iter().map(codec).collect())
                }
                DataType::User(user) => {
                    self.write_user_codec(writer, name, user);
                    continue;
                }
                _ => continue,
            };
            writer.code(&before, &made, ";");
        }
    }

    fn write_user_codec(&self, writer: &mut TypescriptWriter, name: &str, user: &str) {
        let Some(known) = self.user_types.get(user) else { return };
        let first =
            format!("const {name} = h.userType<{}{}>({}, [", self.model, known.name, quote(user));
        let fields = known.record.fields.iter().zip(&known.fields);
        if let ([field], [property]) = (&known.record.fields[..], &known.fields[..]) {
            let codec = self.codec(&field.ty);
            writer.line(format!(
                "{first}[{}, {}, {codec}]]);",
                quote(&field.name),
                quote(property)
            ));
            return;
        }
        writer.block(&first, "]);", |writer| {
            for (field, property) in fields {
                let codec = self.codec(&field.ty);
                writer.line(format!("[{}, {}, {codec}],", quote(&field.name), quote(property)));
            }
        });
    }

    /// An interface of a record.
    pub(super) fn write_interface(
        &self,
        writer: &mut TypescriptWriter,
        head: &str,
        record: &Record,
        properties: &[String],
    ) {
        if record.fields.is_empty() {
            let name = head.rsplit(' ').next().unwrap_or_default();
            writer.line(format!("export type {name} = object;"));
            return;
        }
        writer.block(&format!("{head} {{"), "}", |writer| {
            for (field, property) in record.fields.iter().zip(properties) {
                let ty = self.nullable_name(&field.ty, field.nullable);
                writer.line(format!("readonly {property}: {ty};"));
            }
        });
    }
}

fn list_parts(ty: &DataType) -> Vec<&DataType> {
    match ty {
        DataType::List(part) | DataType::Set(part) | DataType::Vector(part, _) => vec![part],
        DataType::Map(key, value) => vec![key, value],
        DataType::Tuple(parts) => parts.iter().collect(),
        _ => Vec::new(),
    }
}
