//! Preconditions of a write.

use std::fmt;

use crate::concept::Constraint;

/// A condition that must hold before a write and that the statements do not check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Precondition {
    /// The key is not taken.
    FreeKey {
        /// The table of the model.
        entity: String,
        /// Its primary key.
        constraint: Constraint,
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
        /// The foreign key.
        constraint: Constraint,
    },
    /// No row refers to the row any more.
    Unreferenced {
        /// The tables of the model whose rows refer to it.
        referring: Vec<String>,
        /// The table of the model.
        entity: String,
        /// Their foreign keys.
        constraints: Vec<Constraint>,
    },
    /// No other row has the same values of a unique key.
    UniqueKey {
        /// The table of the model.
        entity: String,
        /// The columns of the key.
        attributes: Vec<String>,
        /// A table has exactly this key, but other rows of the statement are written already when
        /// it refuses one.
        is_checked: bool,
        /// The key.
        constraint: Constraint,
    },
    /// A CHECK constraint, or another one on rows, holds.
    CheckHolds {
        /// The table of the model.
        entity: String,
        /// The clause, as SQL declares it.
        clause: String,
        /// The constraint.
        constraint: Constraint,
    },
    /// A sum is a value of its column's type.
    SumInRange {
        /// The table of the model.
        entity: String,
        /// The column.
        attribute: String,
        /// Its type.
        ty: String,
        /// That the type has such values.
        constraint: Constraint,
    },
    /// No other row has the same values of a UNIQUE constraint that is no key.
    UniqueValues {
        /// The table of the model.
        entity: String,
        /// Its columns.
        attributes: Vec<String>,
        /// The condition of a partial index.
        condition: Option<String>,
        /// The constraint.
        constraint: Constraint,
    },
    /// The row does not refer to itself, not even through others.
    NoSelfReference {
        /// The table of the model.
        entity: String,
    },
    /// The array does not hold the element.
    NewElement,
}

impl Precondition {
    /// Whether it demands that a write does not violate this constraint.
    pub fn has_constraint(&self, violated: Constraint) -> bool {
        match self {
            Self::FreeKey { constraint, .. }
            | Self::ReferencedRowExists { constraint, .. }
            | Self::UniqueKey { constraint, .. }
            | Self::CheckHolds { constraint, .. }
            | Self::SumInRange { constraint, .. }
            | Self::UniqueValues { constraint, .. } => *constraint == violated,
            Self::Unreferenced { constraints, .. } => constraints.contains(&violated),
            Self::RowExists { .. } | Self::NoSelfReference { .. } | Self::NewElement => false,
        }
    }
}

impl fmt::Display for Precondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FreeKey { entity, .. } => {
                write!(f, "no row of {entity} has this key yet: an INSERT would overwrite it")
            }
            Self::RowExists { entity } => {
                write!(f, "the row of {entity} exists: an UPDATE of a missing row would create it")
            }
            Self::ReferencedRowExists { entity, nullable, .. } => {
                let any = if *nullable { ", if any," } else { "" };
                write!(f, "the referenced row of {entity}{any} exists")
            }
            Self::Unreferenced { referring, entity, .. } => {
                let referring = referring.join(" or ");
                write!(f, "no row of {referring} references the row of {entity} any more")
            }
            Self::UniqueKey { entity, attributes, is_checked, .. } => {
                let attributes = attributes.join(" and ");
                let reason = if *is_checked {
                    "the rows of the statement are inserted one by one"
                } else {
                    "no table has exactly this key, so it is not enforced"
                };
                write!(f, "no other row of {entity} has the same {attributes}: {reason}")
            }
            Self::CheckHolds { entity, clause, .. } => {
                write!(f, "the row of {entity} meets {clause}: it is not enforced")
            }
            Self::SumInRange { entity, attribute, ty, .. } => {
                write!(f, "the new {attribute} of {entity} fits {ty}: it is not enforced")
            }
            Self::UniqueValues { entity, attributes, condition, .. } => {
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
