//! Types as they are written, before user types are looked up.

use crate::name::QualifiedName;
use crate::span::Span;
use crate::types::NativeType;

/// A type as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeName {
    /// What it is.
    pub kind: TypeNameKind,
    /// Where it stands.
    pub span: Span,
}

/// The forms of a written type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeNameKind {
    /// `int`, `text`, ...
    Native(NativeType),
    /// `list<T>`
    List(Box<TypeName>),
    /// `set<T>`
    Set(Box<TypeName>),
    /// `map<K, V>`
    Map(Box<(TypeName, TypeName)>),
    /// `tuple<T, ...>`
    Tuple(Vec<TypeName>),
    /// `vector<T, n>`; `None` where the number does not fit an `i32` (the server throws a number format error).
    Vector(Box<TypeName>, Option<i32>),
    /// `frozen<T>`
    Frozen(Box<TypeName>),
    /// `[keyspace.]type`
    User(QualifiedName),
    /// `'java.class.Name'`
    Custom(Box<str>),
    /// A template placeholder (lenient mode): any type.
    Placeholder(Box<str>),
}
