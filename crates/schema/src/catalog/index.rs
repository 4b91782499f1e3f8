//! [`Index`]: secondary indexes.

use std::collections::BTreeMap;

/// A secondary index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Index {
    /// The name of the index.
    pub name: Box<str>,
    /// The implementation.
    pub class: IndexClass,
    /// The indexed column.
    pub column: Box<str>,
    /// The indexed part of the column.
    pub part: IndexPart,
    /// Its options, including `target` and, for custom ones, `class_name` as written.
    pub options: BTreeMap<Box<str>, Box<str>>,
}

/// The implementations of indexes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IndexClass {
    /// The built-in index in a local table (2i).
    Legacy,
    /// Storage-attached (SAI).
    Sai,
    /// SASI.
    Sasi,
    /// Another Java class.
    Custom(Box<str>),
}

/// The part of a column that is indexed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IndexPart {
    /// The value of a column that is not a collection; also what SASI and SAI call simple.
    Simple,
    /// Elements of a list or set, values of a map.
    Values,
    /// Keys of a map.
    Keys,
    /// Entries of a map.
    Entries,
    /// A frozen collection as a whole.
    Full,
}
