//! Types of CQL in Go.

use std::collections::{BTreeMap, BTreeSet};

use super::names::GoNameScope;
use crate::language::UnsupportedProgram;
use crate::program::{AccessProgram, CommandStep, DataType, Fetch, Record};

/// How a value that may be null is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GoNullability {
    /// A pointer to it.
    Pointer,
    /// The type has a nil of its own: slices, maps, big numbers.
    OwnNil,
}

/// The names of the types of a program.
#[derive(Debug, Default)]
pub(super) struct GoTypes {
    users: BTreeMap<String, String>,
    tuples: BTreeMap<DataType, String>,
}

impl GoTypes {
    /// Names the user types and tuples of a program.
    pub(super) fn new(program: &AccessProgram, scope: &mut GoNameScope) -> Self {
        let mut types = Self::default();
        for user in &program.user_types {
            types.users.insert(user.name.clone(), scope.add("type", &user.name));
        }
        let mut found = BTreeSet::new();
        for ty in list_types(program) {
            add_tuples(ty, &mut found);
        }
        for tuple in found {
            let name = scope.add("tuple", &tuple.to_string());
            types.tuples.insert(tuple, name);
        }
        types
    }

    /// The tuples of the program, with their names.
    pub(super) fn tuples(&self) -> impl Iterator<Item = (&[DataType], &str)> {
        self.tuples.iter().filter_map(|(ty, name)| match ty {
            DataType::Tuple(parts) => Some((parts.as_slice(), name.as_str())),
            _ => None,
        })
    }

    /// The type of a value that is not null.
    pub(super) fn plain(&self, ty: &DataType) -> String {
        let name = match ty {
            DataType::Ascii | DataType::Text => "string",
            DataType::Bigint | DataType::Counter => "int64",
            DataType::Blob => "[]byte",
            DataType::Boolean => "bool",
            DataType::Date | DataType::Timestamp => "time.Time",
            DataType::Decimal => "*inf.Dec",
            DataType::Double => "float64",
            DataType::Duration => "gocql.Duration",
            DataType::Float => "float32",
            DataType::Inet => "net.IP",
            DataType::Int => "int32",
            DataType::Smallint => "int16",
            DataType::Time => "time.Duration",
            DataType::Timeuuid | DataType::Uuid => "gocql.UUID",
            DataType::Tinyint => "int8",
            DataType::Varint => "*big.Int",
            DataType::List(element) | DataType::Set(element) | DataType::Vector(element, _) => {
                return format!("[]{}", self.plain(element));
            }
            DataType::Map(key, value) => {
                return format!("map[{}]{}", self.plain(key), self.plain(value));
            }
            DataType::Tuple(_) => return self.tuples.get(ty).cloned().unwrap_or_default(),
            DataType::User(name) => {
                return self.users.get(name).cloned().unwrap_or_else(|| "struct{}".to_owned());
            }
        };
        name.to_owned()
    }

    /// The type of a value that may be null.
    pub(super) fn nullable(&self, ty: &DataType) -> String {
        match nullability(ty) {
            GoNullability::Pointer => format!("*{}", self.plain(ty)),
            GoNullability::OwnNil => self.plain(ty),
        }
    }

    /// The type of a field.
    pub(super) fn field(&self, ty: &DataType, nullable: bool) -> String {
        if nullable { self.nullable(ty) } else { self.plain(ty) }
    }

    /// The function that orders two values.
    pub(super) fn compare(&self, ty: &DataType) -> String {
        match ty {
            DataType::Date => "compareDates".to_owned(),
            DataType::Timestamp => "compareTimestamps".to_owned(),
            DataType::Boolean => "compareBooleans".to_owned(),
            DataType::Blob => "bytes.Compare".to_owned(),
            DataType::Decimal => "compareDecimals".to_owned(),
            DataType::Varint => "compareVarints".to_owned(),
            DataType::Inet => "compareInets".to_owned(),
            DataType::Duration => "compareDurations".to_owned(),
            DataType::Uuid => "compareUUIDs".to_owned(),
            DataType::Timeuuid => "compareTimeUUIDs".to_owned(),
            DataType::Double | DataType::Float => format!("compareFloats[{}]", self.plain(ty)),
            DataType::List(element) | DataType::Set(element) | DataType::Vector(element, _) => {
                format!("compareSlices({})", self.compare(element))
            }
            DataType::Map(..) | DataType::Tuple(_) | DataType::User(_) => {
                format!("compareAny[{}]", self.plain(ty))
            }
            _ => format!("cmp.Compare[{}]", self.plain(ty)),
        }
    }
}

/// How null is kept.
pub(super) const fn nullability(ty: &DataType) -> GoNullability {
    match ty {
        DataType::Blob
        | DataType::Decimal
        | DataType::Inet
        | DataType::Varint
        | DataType::List(_)
        | DataType::Set(_)
        | DataType::Vector(..)
        | DataType::Map(..) => GoNullability::OwnNil,
        _ => GoNullability::Pointer,
    }
}

/// Whether Go's operators compare two values as CQL does.
pub(super) const fn has_operators(ty: &DataType) -> bool {
    matches!(
        ty,
        DataType::Ascii
            | DataType::Text
            | DataType::Bigint
            | DataType::Counter
            | DataType::Int
            | DataType::Smallint
            | DataType::Tinyint
            | DataType::Time
    )
}

/// Refuses maps whose keys Go cannot compare: slices (blobs, addresses, collections), and pointers, which are compared by
/// their addresses (decimals, varints, parts of tuples and user types).
pub(super) fn check_types(program: &AccessProgram) -> Result<(), UnsupportedProgram> {
    match list_types(program).into_iter().find_map(find_unsupported) {
        None => Ok(()),
        Some(ty) => Err(UnsupportedProgram {
            place: program.source.clone(),
            what: format!("{ty}: gocql reads it as a Go map, and such values are no keys of one"),
            help: "use keys of text, numbers, ids or times".to_owned(),
        }),
    }
}

fn find_unsupported(ty: &DataType) -> Option<&DataType> {
    match ty {
        DataType::Map(key, value) => {
            let is_allowed = !matches!(
                **key,
                DataType::Decimal | DataType::User(_) | DataType::Tuple(_) | DataType::Varint
            );
            if !is_allowed || nullability(key) == GoNullability::OwnNil {
                return Some(ty);
            }
            find_unsupported(value)
        }
        DataType::Tuple(parts) => parts.iter().find_map(find_unsupported),
        _ => ty.element().and_then(find_unsupported),
    }
}

fn add_tuples(ty: &DataType, found: &mut BTreeSet<DataType>) {
    match ty {
        DataType::Tuple(parts) => {
            for part in parts {
                add_tuples(part, found);
            }
            found.insert(ty.clone());
        }
        DataType::Map(key, value) => {
            add_tuples(key, found);
            add_tuples(value, found);
        }
        _ => {
            if let Some(element) = ty.element() {
                add_tuples(element, found);
            }
        }
    }
}

/// The types of all parameters, columns and results.
fn list_types(program: &AccessProgram) -> Vec<&DataType> {
    fn list_record_types(record: &Record) -> impl Iterator<Item = &DataType> {
        record.fields.iter().map(|field| &field.ty)
    }
    fn list_fetch_types(fetch: &Fetch) -> impl Iterator<Item = &DataType> {
        fetch.statement.columns.iter().chain(&fetch.statement.markers).map(|field| &field.ty)
    }
    let mut types: Vec<&DataType> = program.user_types.iter().flat_map(list_record_types).collect();
    for query in &program.queries {
        types.extend(query.parameters.iter().map(|parameter| &parameter.ty));
        types.extend(list_record_types(&query.result).chain(list_record_types(&query.row)));
        types.extend(query.steps.iter().flat_map(list_fetch_types));
    }
    for command in &program.commands {
        types.extend(command.parameters.iter().map(|parameter| &parameter.ty));
        if let crate::program::ApplicationResult::Rows(record, _) = &command.result {
            types.extend(list_record_types(record));
        }
        for step in &command.steps {
            match step {
                CommandStep::Read(fetch) => types.extend(list_fetch_types(fetch)),
                CommandStep::Batch { sends, .. } => {
                    let markers = sends.iter().flat_map(|send| &send.statement.markers);
                    types.extend(markers.map(|field| &field.ty));
                }
                CommandStep::Send(send) => {
                    types.extend(send.statement.markers.iter().map(|field| &field.ty));
                }
                CommandStep::Run(_) => {}
            }
        }
    }
    types
}
