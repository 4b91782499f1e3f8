//! Statements that have no equal in a model file.

use std::fmt;

/// A statement that was seen and is only a comment in the draft.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UntranslatedStatement {
    /// Its text, without values.
    pub text: String,
    /// Occurrences.
    pub count: u64,
    /// Why it is not translated.
    pub reason: UntranslatedReason,
}

/// Why a statement is not translated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UntranslatedReason {
    /// It reads ranges of tokens.
    TokenRange,
    /// It reads a large table from its first to its last row.
    FullRead,
    /// The schema does not have the table.
    UnknownTable,
    /// The table does not have the column.
    UnknownColumn(String),
    /// It is no statement of CQL, or its end is missing.
    Unreadable,
    /// A condition on keys or values of a map.
    MapCondition(String),
    /// A condition on an element or a field.
    ElementCondition(String),
    /// `(a, b) IN (...)`
    TupleIn,
    /// `<>` and NOT IN.
    Negation,
    /// A search in a custom index, or for the nearest vectors.
    CustomSearch,
    /// A delete from a copy, while the rows of the entity are not deleted.
    DeletesFromCopy(String),
    /// An update of a copy, beside updates of the entity.
    UpdatesCopy(String),
    /// A row of the copy does not have the key of the entity.
    KeyMissing(String),
    /// A delete of a bucket or shard, which the entity does not have.
    DeletesBucket(String),
    /// It sets nothing that the entity has.
    Empty,
    /// The reader of model files refuses the translation.
    Refused(String),
}

impl fmt::Display for UntranslatedReason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TokenRange => out.write_str(
                "it reads ranges of tokens, as exports and jobs over all rows do; no table is designed for it",
            ),
            Self::FullRead => out.write_str(
                "it reads a large table as a whole; write it as a query if requests do that",
            ),
            Self::UnknownTable => out.write_str("the schema has no such table"),
            Self::UnknownColumn(column) => write!(out, "the table has no column {column}"),
            Self::Unreadable => out.write_str("it is not a complete statement of CQL"),
            Self::MapCondition(column) => write!(
                out,
                "it searches in the map {column}; write its entries as a table of their own to search them"
            ),
            Self::ElementCondition(column) => write!(
                out,
                "it compares a part of {column}; write that part as a column to search it"
            ),
            Self::TupleIn => {
                out.write_str("it lists pairs of values; write a query for one of them")
            }
            Self::Negation => {
                out.write_str("it excludes values; write a query for those that are wanted")
            }
            Self::CustomSearch => {
                out.write_str("it searches an index by other means than comparison")
            }
            Self::DeletesFromCopy(base) => write!(
                out,
                "it deletes from a copy, because a row of {base} was deleted or changed; write that write instead"
            ),
            Self::UpdatesCopy(base) => {
                write!(out, "it updates a copy of {base}; the update of {base} is above")
            }
            Self::KeyMissing(base) => write!(out, "it does not give the key of {base}"),
            Self::DeletesBucket(column) => {
                write!(out, "it deletes by {column}, which is no column here; write the condition that is meant")
            }
            Self::Empty => out.write_str("it writes nothing that is a column here"),
            Self::Refused(message) => out.write_str(message),
        }
    }
}
