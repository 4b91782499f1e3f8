//! JSON in INSERT JSON and `from_json`: a small, bounded parser, and the conversion to CQL types.
//!
//! ```text
//! text -- read --> Json -- decode(type) --> bytes
//! ```
//!
//! Errors have the server's texts, which are those of its JSON library and of its type classes.

mod decode;
mod number;
mod reader;
mod string;

use std::collections::HashMap;
use std::fmt;

pub use decode::{DecodeError, decode};
pub use reader::read;
pub(crate) use reader::read_object;

use crate::java::number::double_text;

/// A JSON value. Numbers keep the distinctions that the server's messages make.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    /// `null`
    Null,
    /// `true`, `false`
    Boolean(bool),
    /// A 32-bit integer.
    Integer(i32),
    /// A 64-bit integer.
    Long(i64),
    /// The digits of a larger integer.
    Big(Box<str>),
    /// A number with a fraction or an exponent.
    Double(f64),
    /// A string.
    Text(Box<str>),
    /// An array.
    List(Vec<Json>),
    /// An object, in the order written; of a repeated name the last value counts, at the position
    /// of the first.
    Object(JsonObject),
}

/// The members of an object.
pub type JsonObject = Vec<(Box<str>, Json)>;

impl Json {
    /// The name of the Java class of the value in the server, for messages.
    pub fn class(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean(_) => "Boolean",
            Self::Integer(_) => "Integer",
            Self::Long(_) => "Long",
            Self::Big(_) => "BigInteger",
            Self::Double(_) => "Double",
            Self::Text(_) => "String",
            Self::List(_) => "ArrayList",
            Self::Object(_) => "LinkedHashMap",
        }
    }
}

/// Java's format: `{a=1, b=[x, null]}`.
impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Boolean(value) => write!(f, "{value}"),
            Self::Integer(value) => write!(f, "{value}"),
            Self::Long(value) => write!(f, "{value}"),
            Self::Big(digits) => f.write_str(digits),
            Self::Double(value) => f.write_str(&double_text(*value)),
            Self::Text(text) => f.write_str(text),
            Self::List(elements) => {
                f.write_str("[")?;
                for (at, element) in elements.iter().enumerate() {
                    write!(f, "{}{element}", if at == 0 { "" } else { ", " })?;
                }
                f.write_str("]")
            }
            Self::Object(members) => {
                f.write_str("{")?;
                for (at, (name, value)) in members.iter().enumerate() {
                    write!(f, "{}{name}={value}", if at == 0 { "" } else { ", " })?;
                }
                f.write_str("}")
            }
        }
    }
}

/// Normalises names of columns and fields: `"Quoted"` keeps its case, others are lowered. A name
/// that changes moves to the end, unless the new one exists already: then its value changes in
/// place.
pub(crate) fn fold_names(members: JsonObject) -> JsonObject {
    let names: Vec<Box<str>> = members.iter().map(|(name, _)| name.clone()).collect();
    let mut folded = ObjectBuilder::default();
    for (name, value) in members {
        folded.put(name, value);
    }
    for name in names {
        let quoted = name.len() >= 2 && name.starts_with('"') && name.ends_with('"');
        let unquoted = name.get(1..name.len().saturating_sub(1)).filter(|_| quoted);
        let new: Box<str> = unquoted.map_or_else(|| name.to_lowercase().into(), Into::into);
        if new != name
            && let Some(value) = folded.take(&name)
        {
            folded.put(new, value);
        }
    }
    folded.into_vec()
}

/// Builds the members of an object: in order, and indexed by name.
#[derive(Default)]
struct ObjectBuilder {
    entries: Vec<Option<(Box<str>, Json)>>,
    places: HashMap<Box<str>, usize>,
}

impl ObjectBuilder {
    fn put(&mut self, name: Box<str>, value: Json) {
        let known = self.places.get(&name).and_then(|at| self.entries.get_mut(*at));
        if let Some(Some((_, existing))) = known {
            *existing = value;
            return;
        }
        self.places.insert(name.clone(), self.entries.len());
        self.entries.push(Some((name, value)));
    }

    fn take(&mut self, name: &str) -> Option<Json> {
        let at = self.places.remove(name)?;
        self.entries.get_mut(at)?.take().map(|(_, value)| value)
    }

    fn into_vec(self) -> JsonObject {
        self.entries.into_iter().flatten().collect()
    }
}
