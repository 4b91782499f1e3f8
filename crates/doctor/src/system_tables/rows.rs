//! Rows of system tables, by the names of their columns.

use cql::types::Type;
use cql::value::{Value, decode};

/// The rows that a statement returned, as serialised by the native protocol.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SystemRows {
    /// Names and types of the columns.
    pub columns: Vec<(String, Type)>,
    /// The rows: a value for each column.
    pub rows: Vec<Vec<Option<Vec<u8>>>>,
}

/// A row; a column that is not there, is null or has another type than asked for has no value.
#[derive(Clone, Copy, Debug)]
pub(super) struct SystemRow<'a> {
    columns: &'a [(String, Type)],
    values: &'a [Option<Vec<u8>>],
}

impl SystemRows {
    pub(super) fn iter(&self) -> impl Iterator<Item = SystemRow<'_>> {
        self.rows.iter().map(|values| SystemRow { columns: &self.columns, values })
    }
}

impl SystemRow<'_> {
    /// The value of a column.
    pub(super) fn value(self, name: &str) -> Option<Value> {
        let at = self.columns.iter().position(|(column, _)| column == name)?;
        let bytes = self.values.get(at)?.as_ref()?;
        decode(&self.columns.get(at)?.1, bytes).ok()
    }

    /// A text, or an address or id as text.
    pub(super) fn text(self, name: &str) -> Option<String> {
        match self.value(name)? {
            Value::Text(text) | Value::Ascii(text) => Some(text),
            Value::Inet(address) => Some(address.to_string()),
            Value::Uuid(id) | Value::Timeuuid(id) => Some(id.to_string()),
            _ => None,
        }
    }

    /// A whole number that is not negative.
    pub(super) fn count(self, name: &str) -> Option<u64> {
        u64::try_from(self.integer(name)?).ok()
    }

    /// A whole number, or a moment in milliseconds since 1970.
    pub(super) fn integer(self, name: &str) -> Option<i64> {
        match self.value(name)? {
            Value::Bigint(value) | Value::Counter(value) | Value::Timestamp(value) => Some(value),
            Value::Int(value) => Some(value.into()),
            Value::Smallint(value) => Some(value.into()),
            Value::Tinyint(value) => Some(value.into()),
            _ => None,
        }
    }

    /// A number.
    pub(super) fn number(self, name: &str) -> Option<f64> {
        match self.value(name)? {
            Value::Double(value) => Some(value),
            Value::Float(value) => Some(value.into()),
            _ => self.integer(name).map(|value| value as f64),
        }
        .filter(|value| value.is_finite())
    }

    /// A truth value.
    pub(super) fn boolean(self, name: &str) -> Option<bool> {
        match self.value(name)? {
            Value::Boolean(value) => Some(value),
            _ => None,
        }
    }

    /// The entries of a map of texts.
    pub(super) fn map(self, name: &str) -> Vec<(String, String)> {
        let Some(Value::Map(entries)) = self.value(name) else { return Vec::new() };
        let text = |value| match value {
            Value::Text(text) | Value::Ascii(text) => Some(text),
            _ => None,
        };
        entries.into_iter().filter_map(|(key, value)| Some((text(key)?, text(value)?))).collect()
    }

    /// The texts of a list or set.
    pub(super) fn texts(self, name: &str) -> Vec<String> {
        let Some(Value::List(values) | Value::Set(values)) = self.value(name) else {
            return Vec::new();
        };
        let text = |value| match value {
            Value::Text(text) | Value::Ascii(text) => Some(text),
            _ => None,
        };
        values.into_iter().filter_map(text).collect()
    }
}
