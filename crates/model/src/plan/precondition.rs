//! Preconditions of a write.

use std::fmt;

/// A condition that must hold before a write and that the statements do not check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Precondition {
    /// The key is not taken.
    FreeKey {
        /// The table of the model.
        entity: String,
    },
    /// The row is there.
    RowExists {
        /// The table of the model.
        entity: String,
    },
    /// The row that is referred to is there.
    ReferencedRowExists {
        /// The table of the model that is referred to.
        entity: String,
        /// Whether the reference may be null.
        nullable: bool,
    },
    /// No row refers to the row any more.
    Unreferenced {
        /// The tables of the model whose rows refer to it.
        referring: Vec<String>,
        /// The table of the model.
        entity: String,
    },
    /// No other row has the same values of a unique key.
    UniqueKey {
        /// The table of the model.
        entity: String,
        /// The columns of the key.
        attributes: Vec<String>,
    },
    /// A CHECK constraint holds.
    CheckHolds {
        /// The table of the model.
        entity: String,
        /// The condition, as the file has it.
        condition: String,
    },
    /// A sum is a value of its column's type.
    SumInRange {
        /// The table of the model.
        entity: String,
        /// The column.
        attribute: String,
        /// Its type.
        ty: String,
    },
    /// No other row has the same values of a UNIQUE constraint that is no key.
    UniqueValues {
        /// The table of the model.
        entity: String,
        /// Its columns.
        attributes: Vec<String>,
        /// The condition of a partial index.
        condition: Option<String>,
    },
    /// The row does not refer to itself, not even through others.
    NoSelfReference {
        /// The table of the model.
        entity: String,
    },
    /// The array does not hold the element.
    NewElement,
}

impl fmt::Display for Precondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FreeKey { entity } => {
                write!(f, "no row of {entity} has this key yet: an INSERT would overwrite it")
            }
            Self::RowExists { entity } => {
                write!(f, "the row of {entity} exists: an UPDATE of a missing row would create it")
            }
            Self::ReferencedRowExists { entity, nullable } => {
                let any = if *nullable { ", if any," } else { "" };
                write!(f, "the referenced row of {entity}{any} exists")
            }
            Self::Unreferenced { referring, entity } => {
                let referring = referring.join(" or ");
                write!(f, "no row of {referring} references the row of {entity} any more")
            }
            Self::UniqueKey { entity, attributes } => write!(
                f,
                "no other row of {entity} has the same {}: no table has exactly this key, so it is not enforced",
                attributes.join(" and ")
            ),
            Self::CheckHolds { entity, condition } => {
                write!(f, "the row of {entity} meets CHECK ({condition}): it is not enforced")
            }
            Self::SumInRange { entity, attribute, ty } => {
                write!(f, "the new {attribute} of {entity} fits {ty}: it is not enforced")
            }
            Self::UniqueValues { entity, attributes, condition } => {
                let attributes = attributes.join(" and ");
                write!(f, "no other row of {entity}")?;
                if let Some(condition) = condition {
                    write!(f, " with {condition}")?;
                }
                write!(f, " has the same {attributes}: it is not enforced")
            }
            Self::NoSelfReference { entity } => {
                write!(
                    f,
                    "the row of {entity} does not reference itself, not even through other rows"
                )
            }
            Self::NewElement => f.write_str("the element is not in the array yet"),
        }
    }
}
