//! The CQL types of SQL types, and the types that the file declares.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use cql::types::{Frozenness, NativeType, Type, UserType};
use cql::{Diagnostic, Span, spelling};
use sqlparser::ast::{
    ArrayElemTypeDef, CharacterLength, DataType, ExactNumberInfo, Expr, ObjectName,
};

use super::source::SqlName;
use super::type_change::LabelPosition;
use crate::concept::{Entity, ValueLimit};
use crate::diagnostics::error;

/// SQL type names in all spellings, and their CQL types.
const NATIVE: &[(&str, NativeType)] = &[
    ("uuid", NativeType::Uuid),
    ("text", NativeType::Text),
    ("varchar", NativeType::Text),
    ("character varying", NativeType::Text),
    ("char varying", NativeType::Text),
    ("character", NativeType::Text),
    ("char", NativeType::Text),
    ("bpchar", NativeType::Text),
    ("citext", NativeType::Text),
    ("name", NativeType::Text),
    ("xml", NativeType::Text),
    ("json", NativeType::Text),
    ("jsonb", NativeType::Text),
    ("int", NativeType::Int),
    ("integer", NativeType::Int),
    ("int4", NativeType::Int),
    ("bigint", NativeType::Bigint),
    ("int8", NativeType::Bigint),
    ("smallint", NativeType::Smallint),
    ("int2", NativeType::Smallint),
    ("boolean", NativeType::Boolean),
    ("bool", NativeType::Boolean),
    ("real", NativeType::Float),
    ("float4", NativeType::Float),
    ("double precision", NativeType::Double),
    ("double", NativeType::Double),
    ("float", NativeType::Double),
    ("float8", NativeType::Double),
    ("numeric", NativeType::Decimal),
    ("decimal", NativeType::Decimal),
    ("dec", NativeType::Decimal),
    ("date", NativeType::Date),
    ("time", NativeType::Time),
    ("time without time zone", NativeType::Time),
    ("timestamp", NativeType::Timestamp),
    ("timestamptz", NativeType::Timestamp),
    ("timestamp without time zone", NativeType::Timestamp),
    ("timestamp with time zone", NativeType::Timestamp),
    ("interval", NativeType::Duration),
    ("bytea", NativeType::Blob),
    ("inet", NativeType::Inet),
];

/// Auto-increment integers.
const SERIAL: &[(&str, NativeType)] = &[
    ("serial", NativeType::Int),
    ("serial4", NativeType::Int),
    ("bigserial", NativeType::Bigint),
    ("serial8", NativeType::Bigint),
    ("smallserial", NativeType::Smallint),
    ("serial2", NativeType::Smallint),
];

/// Type names of other databases and of Cassandra, with the name to use instead.
const FOREIGN_TYPES: &[(&str, &str)] = &[
    ("blob", "bytea"),
    ("binary", "bytea"),
    ("varbinary", "bytea"),
    ("bytes", "bytea"),
    ("string", "text"),
    ("nvarchar", "text"),
    ("clob", "text"),
    ("longtext", "text"),
    ("mediumtext", "text"),
    ("tinyint", "smallint"),
    ("datetime", "timestamp"),
    ("timeuuid", "uuid, with -- @time at the end of the line"),
    ("counter", "bigint, and SET n = n + ? in the writes that count"),
    ("ascii", "text"),
    ("varint", "numeric"),
    ("duration", "interval"),
];

/// `PostgreSQL` types without an equivalent in CQL, and the type that stores their values.
const SUBSTITUTE_TYPES: &[(&str, NativeType)] = &[
    ("money", NativeType::Decimal),
    ("oid", NativeType::Bigint),
    ("timetz", NativeType::Text),
    ("time with time zone", NativeType::Text),
    ("cidr", NativeType::Text),
    ("macaddr", NativeType::Text),
    ("macaddr8", NativeType::Text),
    ("bit", NativeType::Text),
    ("bit varying", NativeType::Text),
    ("varbit", NativeType::Text),
    ("tsvector", NativeType::Text),
    ("tsquery", NativeType::Text),
    ("ltree", NativeType::Text),
    ("int4range", NativeType::Text),
    ("int8range", NativeType::Text),
    ("numrange", NativeType::Text),
    ("tsrange", NativeType::Text),
    ("tstzrange", NativeType::Text),
    ("daterange", NativeType::Text),
    ("point", NativeType::Text),
    ("line", NativeType::Text),
    ("lseg", NativeType::Text),
    ("box", NativeType::Text),
    ("path", NativeType::Text),
    ("polygon", NativeType::Text),
    ("circle", NativeType::Text),
];

/// Types that are stored as text, of which equal values may have different texts, or another order.
const TEXT_FORMS: &[&str] = &[
    "xml",
    "json",
    "jsonb",
    "timetz",
    "time with time zone",
    "cidr",
    "tsvector",
    "tsquery",
    "ltree",
    "int4range",
    "int8range",
    "numrange",
    "tsrange",
    "tstzrange",
    "daterange",
    "point",
    "line",
    "lseg",
    "box",
    "path",
    "polygon",
    "circle",
];

/// The SQL types that have an equivalent, in all spellings, and their CQL types.
pub fn type_names() -> impl Iterator<Item = (&'static str, NativeType)> {
    NATIVE.iter().chain(SERIAL).copied()
}

/// The maximum of fields of a composite type, nested ones included.
const FIELDS_MAX: usize = 1_000;

/// A resolved SQL type.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(super) struct SqlType {
    /// CQL's type; an array is a list, not frozen.
    pub ty: Type,
    /// Auto-increment.
    pub serial: bool,
    /// `NOT NULL` of a domain.
    pub not_null: bool,
    /// The default of a domain.
    pub default: Option<Box<Expr>>,
    /// The CHECKs of a domain, over VALUE.
    pub checks: Vec<Expr>,
    /// The CHECKs of a domain that the parser does not know.
    pub unread_checks: Vec<String>,
    /// What it says about its values.
    pub limit: Option<ValueLimit>,
    /// CQL has no equivalent: its values are stored as another type.
    pub kept: bool,
    /// Texts that are compared without regard to case.
    pub case_insensitive: bool,
    /// Times with more than milliseconds.
    pub microseconds: bool,
    /// Stored as a text that is compared differently from the value.
    pub text_form: bool,
}

impl SqlType {
    /// A type without further properties.
    pub(super) fn from_type(ty: Type) -> Self {
        Self {
            ty,
            serial: false,
            not_null: false,
            default: None,
            checks: Vec::new(),
            unread_checks: Vec::new(),
            limit: None,
            kept: false,
            case_insensitive: false,
            microseconds: false,
            text_form: false,
        }
    }
}

/// The types that the file declares.
#[derive(Clone, Debug, Default)]
pub(super) struct TypeRegistry {
    declared: HashMap<String, (SqlType, usize)>,
    names: Vec<String>,
    composites: Vec<Arc<UserType>>,
}

impl TypeRegistry {
    /// An enum.
    pub(super) fn add_enum(&mut self, name: SqlName, labels: Vec<String>) -> Option<Diagnostic> {
        let limit = Some(ValueLimit::Labels(labels));
        let ty = SqlType { limit, ..SqlType::from_type(NativeType::Text.into()) };
        self.add(name, ty, 1)
    }

    /// Adds a label to an enum that is declared; returns whether there is one with the label beside
    /// which it stands.
    pub(super) fn add_label(
        &mut self,
        name: &str,
        label: &str,
        position: LabelPosition<'_>,
    ) -> bool {
        let declared = self.declared.get_mut(name);
        let Some(ValueLimit::Labels(labels)) = declared.and_then(|(ty, _)| ty.limit.as_mut())
        else {
            return false;
        };
        let place = |other: &str| labels.iter().position(|known| known == other);
        let at = match position {
            LabelPosition::Last => Some(labels.len()),
            LabelPosition::Before(other) => place(other),
            LabelPosition::After(other) => place(other).map(|at| at + 1),
        };
        if let Some(at) = at
            && !labels.iter().any(|known| known == label)
        {
            labels.insert(at, label.to_owned());
        }
        at.is_some()
    }

    /// A type that has no equivalent in CQL, and the type that stores its values.
    pub(super) fn add_substitute(&mut self, name: SqlName, ty: NativeType) -> Option<Diagnostic> {
        self.add(name, SqlType { kept: true, ..SqlType::from_type(ty.into()) }, 1)
    }

    /// A domain: another name for a type.
    pub(super) fn add_domain(&mut self, name: SqlName, ty: SqlType) -> Option<Diagnostic> {
        let size = self.field_count(&ty.ty);
        self.add(name, ty, size)
    }

    /// A composite type.
    pub(super) fn add_composite(
        &mut self,
        keyspace: &str,
        name: SqlName,
        fields: Vec<(Box<str>, Type)>,
    ) -> Option<Diagnostic> {
        let size = 1 + fields.iter().map(|(_, ty)| self.field_count(ty)).sum::<usize>();
        if size > FIELDS_MAX {
            let message = format!("type {} has more than {FIELDS_MAX} fields", name.text);
            return Some(error("MF203", name.span, message, "split the type"));
        }
        let user = UserType { keyspace: keyspace.into(), name: name.text.as_str().into(), fields };
        let user = Arc::new(user);
        self.composites.push(user.clone());
        self.add(name, SqlType::from_type(Type::User(user, Frozenness::Yes)), size)
    }

    fn add(&mut self, name: SqlName, ty: SqlType, size: usize) -> Option<Diagnostic> {
        if self.declared.contains_key(&name.text) {
            let message = format!("type {} is declared twice", name.text);
            return Some(error("MF201", name.span, message, "remove one of the declarations"));
        }
        self.names.push(name.text.clone());
        self.declared.insert(name.text, (ty, size));
        None
    }

    /// The number of fields of a type, nested ones included, from the recorded sizes of declared
    /// types: a recursive count could be exponential.
    fn field_count(&self, ty: &Type) -> usize {
        match ty {
            Type::User(user, _) => self.declared.get(&*user.name).map_or(1, |(_, size)| *size),
            Type::List(element, _) | Type::Set(element, _) => self.field_count(element),
            _ => 1,
        }
    }

    /// The composite types that attributes have, in the order of the file.
    pub(super) fn into_used_types(self, entities: &[Entity]) -> Vec<Arc<UserType>> {
        let attributes = entities.iter().flat_map(|entity| &entity.attributes);
        let mut waiting: Vec<&Type> = attributes.map(|attribute| &attribute.ty).collect();
        let mut used = HashSet::new();
        while let Some(ty) = waiting.pop() {
            match ty {
                Type::User(user, _) if !used.insert(&*user.name) => {}
                other => waiting.extend(other.parts()),
            }
        }
        self.composites.iter().filter(|user| used.contains(&*user.name)).cloned().collect()
    }

    /// The CQL type of an SQL type; `place` is for the error.
    pub(super) fn resolve(&self, ty: &DataType, place: Span) -> Result<SqlType, Diagnostic> {
        let element = match ty {
            DataType::Array(
                ArrayElemTypeDef::SquareBracket(element, _)
                | ArrayElemTypeDef::Qualified(element, _),
            ) => element,
            DataType::Custom(name, length) => {
                let name = custom_name(name);
                return match vector_type(&name, length) {
                    Some(vector) if !self.declared.contains_key(&name) => {
                        Ok(SqlType::from_type(vector))
                    }
                    _ => self.resolve_name(&name, place),
                };
            }
            _ => {
                let resolved = self.resolve_name(&spell_type(ty), place)?;
                if let Some(scale) = negative_scale(ty) {
                    let message = format!("a numeric of scale {scale} has no equivalent in CQL");
                    return Err(error("MF203", place, message, "use a scale of 0 or more"));
                }
                let (limit, microseconds) = (value_limit(ty).or(resolved.limit), is_fine_time(ty));
                return Ok(SqlType { limit, microseconds, ..resolved });
            }
        };
        if matches!(**element, DataType::Array(_)) {
            let help = "use a one-dimensional array, or a separate table";
            return Err(error("MF203", place, "CQL has no type for an array of arrays", help));
        }
        let element = self.resolve(element, place)?;
        let ty = Type::List(Arc::new(element.ty.freeze()), Frozenness::No);
        Ok(SqlType { ty, not_null: false, default: None, checks: Vec::new(), ..element })
    }

    fn resolve_name(&self, name: &str, place: Span) -> Result<SqlType, Diagnostic> {
        if let Some((declared, _)) = self.declared.get(name) {
            return Ok(declared.clone());
        }
        let find = |types: &[(&str, NativeType)]| {
            types.iter().find(|(known, _)| *known == name).map(|(_, native)| *native)
        };
        if name == "hstore" {
            let text = || Type::from(NativeType::Text);
            return Ok(SqlType::from_type(Type::Map(Arc::new((text(), text())), Frozenness::No)));
        }
        if let Some(native) = find(SERIAL) {
            return Ok(SqlType { serial: true, ..SqlType::from_type(native.into()) });
        }
        let text_form = TEXT_FORMS.contains(&name);
        if let Some(native) = find(SUBSTITUTE_TYPES) {
            return Ok(SqlType { kept: true, text_form, ..SqlType::from_type(native.into()) });
        }
        match find(NATIVE) {
            Some(native) => {
                let case_insensitive = name == "citext";
                Ok(SqlType { case_insensitive, text_form, ..SqlType::from_type(native.into()) })
            }
            None if name.starts_with("interval ") => {
                Ok(SqlType::from_type(NativeType::Duration.into()))
            }
            None => Err(self.unknown_type(name, place)),
        }
    }

    fn unknown_type(&self, name: &str, place: Span) -> Diagnostic {
        let known = NATIVE.iter().chain(SERIAL).map(|(name, _)| *name);
        let elsewhere =
            FOREIGN_TYPES.iter().find(|(other, _)| *other == name).map(|(_, ours)| *ours);
        let names = self.names.iter().take(TYPES_COMPARED_MAX).map(String::as_str);
        let help = match elsewhere.or_else(|| spelling::find_nearest(name, names.chain(known))) {
            Some(nearest) => format!("write {nearest}"),
            None => format!(
                "use a type such as text or bytea, or declare it above with CREATE TYPE {name}"
            ),
        };
        error("MF203", place, format!("type {name} does not exist"), help)
    }
}

/// The search for a similar name compares no more declared types than this.
const TYPES_COMPARED_MAX: usize = 500;

/// The type of an embedding: `vector(n)` of pgvector.
fn vector_type(name: &str, length: &[String]) -> Option<Type> {
    let [length] = length else { return None };
    let dimension = length.parse().ok().filter(|dimension| (1..=8_192).contains(dimension))?;
    (name == "vector").then(|| Type::Vector(Arc::new(NativeType::Float.into()), dimension))
}

/// The last part of a type's name: `citext` of `public.citext`.
fn custom_name(name: &ObjectName) -> String {
    SqlName::from_object_name(name).map(|name| name.text).unwrap_or_default()
}

/// What the lengths and digits of a type say about its values.
fn value_limit(ty: &DataType) -> Option<ValueLimit> {
    let length = |length: &Option<CharacterLength>| match length {
        Some(CharacterLength::IntegerLength { length, .. }) => u32::try_from(*length).ok(),
        _ => None,
    };
    match ty {
        // One character is meant where none is given.
        DataType::Character(given) | DataType::Char(given) => {
            let exact = if given.is_none() { Some(1) } else { length(given) };
            exact.map(ValueLimit::Exactly)
        }
        DataType::CharacterVarying(given)
        | DataType::CharVarying(given)
        | DataType::Varchar(given) => length(given).map(ValueLimit::Longest),
        _ => {
            let (precision, scale) = match decimal_digits(ty)? {
                ExactNumberInfo::None => return None,
                ExactNumberInfo::Precision(precision) => (*precision, 0),
                ExactNumberInfo::PrecisionAndScale(precision, scale) => (*precision, *scale),
            };
            let (precision, scale) = (u32::try_from(precision).ok()?, u32::try_from(scale).ok()?);
            Some(ValueLimit::Digits { precision, scale })
        }
    }
}

/// Whether a time has more than milliseconds.
fn is_fine_time(ty: &DataType) -> bool {
    matches!(ty, DataType::Timestamp(precision, _) if precision.is_none_or(|digits| digits > 3))
}

/// The scale of a numeric whose digits end before the point.
fn negative_scale(ty: &DataType) -> Option<i64> {
    match decimal_digits(ty)? {
        ExactNumberInfo::PrecisionAndScale(_, scale) if *scale < 0 => Some(*scale),
        _ => None,
    }
}

/// The digits of a decimal.
const fn decimal_digits(ty: &DataType) -> Option<&ExactNumberInfo> {
    match ty {
        DataType::Numeric(info) | DataType::Decimal(info) | DataType::Dec(info) => Some(info),
        _ => None,
    }
}

/// The parser's spelling in lower case, without lengths.
fn spell_type(ty: &DataType) -> String {
    let text = ty.to_string().to_lowercase();
    match (text.find('('), text.rfind(')')) {
        (Some(open), Some(close)) if open < close => {
            format!("{}{}", &text[..open], &text[close + 1..])
        }
        _ => text,
    }
}
