//! [`SyntaxReason`]: the reasons of syntax errors, with the server's texts where it has them.

use std::fmt;

use super::{Expectation, JavaException, OffendingToken};
use crate::sentences;

sentences! {
    /// Why a text cannot be parsed.
    SyntaxReason {
        Unexpected { expected: Expectation, found: OffendingToken }
            = "expected {expected}, found {found}";
        MissingSemicolon { found: OffendingToken }
            = "expected `;` between two statements, found {found}";
        UnclosedString
            = "the string is never closed";
        UnclosedQuotedName
            = "the quoted name is never closed";
        UnclosedDollarString
            = "the string that starts with $$ is never closed";
        UnclosedComment
            = "the comment is never closed";
        SignedName
            = "a minus sign directly before a name is parsed as the start of a number";
        MalformedNumber
            = "invalid number or uuid";
        TextTooLarge
            = "the text is larger than 4 GiB";
        TooDeep { limit: u32 }
            = "the expression is nested more than {limit} levels deep";
        Newer { syntax: NewerSyntax }
            = "{syntax} is newer than Cassandra 5.0";
        MarkerForName { object: &'static str }
            = "Bind variables cannot be used for {object} names";
        QuotedUserName
            = "Quoted strings are are not supported for user names and USER is deprecated, please use ROLE";
        QuotedIdentity
            = "Quoted strings are are not supported for identity";
        RepeatedRoleOption { option: &'static str }
            = "Multiple definition for property '{option}'";
        BothPasswords
            = "Options 'password' and 'hashed password' are mutually exclusive";
        EmptyObjectName
            = "Empty JMX object name supplied";
        AllObjectNames
            = "Please use ALL MBEANS instead of wildcard pattern";
        InvalidObjectName { name: Box<str> }
            = "{name} is not a valid JMX object name";
        SingleObjectName { name: Box<str> }
            = "Plural form used, but non-pattern JMX object name specified ({name})";
        InapplicablePermissions { class: &'static str }
            = "Resource type {class} does not support any of the requested permissions";
        CompactStorageView
            = "COMPACT STORAGE tables are not allowed starting with version 4.0";
        RepeatedProperty { name: Box<str> }
            = "Multiple definitions for property '{name}'";
        RepeatedMapProperty { name: Box<str> }
            = "Multiple definition for property {name}";
        InvalidPropertyName { name: String, is_marker: bool }
            = "Invalid property name: {name}{}", marker_note(*is_marker);
        InvalidPropertyValue { value: String, name: String, is_marker: bool }
            = "Invalid property value: {value} for property: {name}{}", marker_note(*is_marker);
        UnknownTypeClass { text: Box<str>, class: String }
            = "Error setting type {text}: Unable to find abstract-type class '{class}'";
        FrozenScalar { ty: String }
            = "frozen<> is only allowed on collections, tuples, and user-defined types (got {ty})";
        ReservedTypeName { name: Box<str> }
            = "Invalid (reserved) user type name {name}";
        PrependToOther
            = "Only expressions of the form X = <value> + X are supported.";
        ChangeOfOther { sign: &'static str }
            = "Only expressions of the form X = X {sign}<value> are supported.";
        IncompatibleAssignments { column: Box<str> }
            = "Multiple incompatible setting of column {column}";
        ParserException { statement: Box<str>, exception: JavaException }
            = "Failed parsing statement: [{statement}] reason: {exception}";
    }
}

impl SyntaxReason {
    /// The code of its rule.
    pub fn rule(&self) -> &'static str {
        match self {
            Self::Newer { .. } => "SY002",
            Self::FrozenScalar { .. } => "SV012",
            Self::RepeatedProperty { .. } => "SV016",
            _ => "SY001",
        }
    }

    /// Whether the statement ends before it is complete.
    pub fn is_end_of_statement(&self) -> bool {
        matches!(self, Self::Unexpected { found: OffendingToken::EndOfStatement, .. })
    }
}

fn marker_note(is_marker: bool) -> &'static str {
    if is_marker { " (bind variables are not supported in DDL queries)" } else { "" }
}

/// Syntax of later versions of Cassandra.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewerSyntax {
    /// `a BETWEEN 1 AND 2`
    Between,
    /// `a NOT IN (1, 2)`
    NotIn,
    /// `a NOT CONTAINS 1`
    NotContains,
    /// `CREATE TABLE a LIKE b`
    CreateTableLike,
}

impl fmt::Display for NewerSyntax {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Between => "BETWEEN",
            Self::NotIn => "NOT IN",
            Self::NotContains => "NOT CONTAINS",
            Self::CreateTableLike => "CREATE TABLE ... LIKE",
        })
    }
}
