//! [`TypeName`]: types in statements, before user types are resolved.

use crate::name::QualifiedName;
use crate::span::Span;
use crate::types::NativeType;

/// A type in a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeName {
    /// The form and parameters.
    pub kind: TypeNameKind,
    /// Its position in the source.
    pub span: Span,
}

/// A native type as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NativeName {
    /// The type.
    pub ty: NativeType,
    /// Text under its other name: the same type, but the server prints this name, and treats casts
    /// to it as to a different type.
    pub is_varchar: bool,
}

impl NativeName {
    /// The name as written.
    pub const fn text(self) -> &'static str {
        if self.is_varchar { "varchar" } else { self.ty.name() }
    }
}

/// The forms of a written type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeNameKind {
    /// `int`, `text`, ...
    Native(NativeName),
    /// `list<T>`
    List(Box<TypeName>),
    /// `set<T>`
    Set(Box<TypeName>),
    /// `map<K, V>`
    Map(Box<(TypeName, TypeName)>),
    /// `tuple<T, ...>`
    Tuple(Vec<TypeName>),
    /// `vector<T, n>`; `None` if the number does not fit an `i32` (the server throws a number
    /// format error).
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
