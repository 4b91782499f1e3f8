//! User types: CREATE, ALTER, DROP.

use crate::name::{Name, QualifiedName};
use crate::type_name::TypeName;

/// `CREATE TYPE [IF NOT EXISTS] t (...)`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CreateType {
    /// `IF NOT EXISTS`
    pub if_not_exists: bool,
    /// The name of the type.
    pub name: QualifiedName,
    /// Its fields.
    pub fields: Vec<(Name, TypeName)>,
}

/// `ALTER TYPE [IF EXISTS] t ...`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlterType {
    /// `IF EXISTS`
    pub if_exists: bool,
    /// The name of the type.
    pub name: QualifiedName,
    /// The change.
    pub change: TypeChange,
}

/// The forms of ALTER TYPE.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeChange {
    /// `ALTER f TYPE t`
    Alter(Name, TypeName),
    /// `ADD [IF NOT EXISTS] f t`
    Add {
        /// `IF NOT EXISTS`
        if_not_exists: bool,
        /// The name of the field.
        field: Name,
        /// The type of its values.
        type_name: TypeName,
    },
    /// `RENAME [IF EXISTS] a TO b AND ...`
    Rename {
        /// `IF EXISTS`
        if_exists: bool,
        /// Old and new names.
        fields: Vec<(Name, Name)>,
    },
}

/// `DROP TYPE [IF EXISTS] t`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DropType {
    /// `IF EXISTS`
    pub if_exists: bool,
    /// The name of the type.
    pub name: QualifiedName,
}
