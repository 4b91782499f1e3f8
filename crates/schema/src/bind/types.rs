//! The resolution of a [`TypeName`] to a [`Type`] in a keyspace, with the server's errors.

use std::sync::Arc;

use cql::type_name::{NativeName, TypeName, TypeNameKind};
use cql::types::{ClassError, Frozenness, NativeType, Type, parse_class};
use cql::{QualifiedName, Span};

use crate::catalog::Catalog;
use crate::refusal::{NameReason, TypeReason, refuse};
use crate::{Refusal, Result};

/// The maximum number of parts of a type. A server has no limit, and fails when it writes out the
/// types of a result.
pub(crate) const MAX_TYPE_PARTS: usize = 1 << 16;

/// Resolves a type name in a statement on `keyspace`.
pub fn resolve(catalog: &Catalog, keyspace: &str, name: &TypeName) -> Result<Type> {
    let raw = RawType::new(name)?;
    if catalog.keyspace(keyspace).is_none() {
        return refuse(NameReason::AbsentKeyspace { keyspace: keyspace.to_string() }, name.span);
    }
    let resolved = prepare(catalog, keyspace, &raw)?;
    if resolved.count_parts(MAX_TYPE_PARTS, None).is_none() {
        let text = raw.text(Some(keyspace));
        let reason = TypeReason::TooManyParts { name: text, max: MAX_TYPE_PARTS };
        return refuse(reason, name.span);
    }
    Ok(resolved)
}

/// A type name as the server prints it in messages: with `frozen` where it is written or implied.
/// User types have the `keyspace` of the statement once the server has resolved them.
pub fn text(name: &TypeName, keyspace: Option<&str>) -> String {
    RawType::new(name).map_or_else(|_| String::new(), |raw| raw.text(keyspace))
}

/// A type name after `frozen<>` was pushed inwards, which the server does while parsing.
struct RawType<'a> {
    kind: RawTypeKind<'a>,
    frozen: bool,
    span: Span,
}

enum RawTypeKind<'a> {
    Native(NativeName),
    List(Box<RawType<'a>>),
    Set(Box<RawType<'a>>),
    Map(Box<(RawType<'a>, RawType<'a>)>),
    Tuple(Vec<RawType<'a>>),
    Vector(Box<RawType<'a>>, Option<i32>),
    User(&'a QualifiedName),
    Custom(Type),
    Placeholder(&'a str),
}

impl<'a> RawType<'a> {
    fn new(name: &'a TypeName) -> Result<Self> {
        let inside = |name: &'a TypeName| Self::new(name).map(Box::new);
        let mut frozen = false;
        let kind = match &name.kind {
            TypeNameKind::Native(native) => RawTypeKind::Native(*native),
            TypeNameKind::List(element) => RawTypeKind::List(inside(element)?),
            TypeNameKind::Set(element) => RawTypeKind::Set(inside(element)?),
            TypeNameKind::Map(entry) => {
                RawTypeKind::Map(Box::new((Self::new(&entry.0)?, Self::new(&entry.1)?)))
            }
            TypeNameKind::Tuple(types) => {
                frozen = true;
                let types = types.iter().map(|ty| Self::new(ty).map(Self::freeze_where_possible));
                RawTypeKind::Tuple(types.collect::<Result<_>>()?)
            }
            TypeNameKind::Vector(element, dimension) => {
                frozen = true;
                RawTypeKind::Vector(inside(element)?, *dimension)
            }
            TypeNameKind::Frozen(inner) => {
                let inner = Self::new(inner)?;
                if !inner.is_freezable() {
                    return refuse(TypeReason::FrozenPlain { ty: inner.text(None) }, name.span);
                }
                return Ok(inner.freeze_where_possible());
            }
            TypeNameKind::User(user) => RawTypeKind::User(user),
            TypeNameKind::Custom(class) => RawTypeKind::Custom(class_type(class, name.span)?),
            TypeNameKind::Placeholder(text) => RawTypeKind::Placeholder(text),
        };
        Ok(Self { kind, frozen, span: name.span })
    }

    fn is_freezable(&self) -> bool {
        !matches!(
            self.kind,
            RawTypeKind::Native(_) | RawTypeKind::Custom(_) | RawTypeKind::Placeholder(_)
        )
    }

    /// Freezes collections all the way down; tuples and vectors are unchanged.
    fn freeze_where_possible(self) -> Self {
        let boxed = |inner: Box<Self>| Box::new(inner.freeze_where_possible());
        let kind = match self.kind {
            RawTypeKind::List(element) => RawTypeKind::List(boxed(element)),
            RawTypeKind::Set(element) => RawTypeKind::Set(boxed(element)),
            RawTypeKind::Map(entry) => {
                let (key, value) = *entry;
                RawTypeKind::Map(Box::new((
                    key.freeze_where_possible(),
                    value.freeze_where_possible(),
                )))
            }
            kind @ (RawTypeKind::Native(_)
            | RawTypeKind::Custom(_)
            | RawTypeKind::Placeholder(_)) => {
                return Self { kind, frozen: false, span: self.span };
            }
            kind => kind,
        };
        Self { kind, frozen: true, span: self.span }
    }

    fn is_native(&self, native: NativeType) -> bool {
        matches!(self.kind, RawTypeKind::Native(own) if own.ty == native)
    }

    fn text(&self, keyspace: Option<&str>) -> String {
        let (start, end) = if self.frozen { ("frozen<", ">") } else { ("", "") };
        match &self.kind {
            RawTypeKind::Native(native) => native.text().to_owned(),
            RawTypeKind::List(element) => format!("{start}list<{}>{end}", element.text(keyspace)),
            RawTypeKind::Set(element) => format!("{start}set<{}>{end}", element.text(keyspace)),
            RawTypeKind::Map(entry) => {
                format!("{start}map<{}, {}>{end}", entry.0.text(keyspace), entry.1.text(keyspace))
            }
            RawTypeKind::Tuple(types) => {
                let types: Vec<_> = types.iter().map(|ty| ty.text(keyspace)).collect();
                format!("tuple<{}>", types.join(", "))
            }
            RawTypeKind::Vector(element, dimension) => {
                format!("vector<{}, {}>", element.text(keyspace), dimension.unwrap_or(0))
            }
            RawTypeKind::User(name) => {
                match name.keyspace.as_ref().map(|own| &*own.text).or(keyspace) {
                    Some(keyspace) => format!("{start}{keyspace}.{}{end}", name.name.text),
                    None => format!("{start}{}{end}", name.name.text),
                }
            }
            RawTypeKind::Custom(ty) => format!("'{}'", ty.class_name()),
            RawTypeKind::Placeholder(text) => (*text).to_owned(),
        }
    }
}

fn prepare(catalog: &Catalog, keyspace: &str, raw: &RawType<'_>) -> Result<Type> {
    let kept = if raw.frozen { Frozenness::Yes } else { Frozenness::No };
    match &raw.kind {
        RawTypeKind::Native(native) => Ok(Type::Native(native.ty)),
        RawTypeKind::Custom(ty) => Ok(ty.clone()),
        RawTypeKind::Placeholder(text) => Ok(Type::Custom((*text).into())),
        RawTypeKind::List(element) => {
            check_element(raw, element, false)?;
            Ok(Type::List(Arc::new(prepare(catalog, keyspace, element)?), kept))
        }
        RawTypeKind::Set(element) => {
            check_element(raw, element, true)?;
            Ok(Type::Set(Arc::new(prepare(catalog, keyspace, element)?), kept))
        }
        RawTypeKind::Map(entry) => {
            check_element(raw, &entry.1, false)?;
            check_key(raw, &entry.0)?;
            let value = prepare(catalog, keyspace, &entry.1)?;
            Ok(Type::Map(Arc::new((prepare(catalog, keyspace, &entry.0)?, value)), kept))
        }
        RawTypeKind::Tuple(types) => {
            let types = types.iter().map(|ty| {
                if ty.is_native(NativeType::Counter) {
                    return refuse(TypeReason::CounterInTuple, ty.span);
                }
                prepare(catalog, keyspace, ty)
            });
            Ok(Type::Tuple(types.collect::<Result<Vec<_>>>()?.into()))
        }
        RawTypeKind::Vector(element, dimension) => {
            let element = prepare(catalog, keyspace, element)?;
            let given = dimension.unwrap_or(0);
            if let Ok(dimension @ 1..) = u32::try_from(given) {
                return Ok(Type::Vector(Arc::new(element), dimension));
            }
            let help = "specify the number of elements: vector<float, 3>";
            Err(Refusal::new(TypeReason::VectorDimension { given: given.to_string() }, raw.span)
                .with_help(help)
                .into())
        }
        RawTypeKind::User(name) => user_type(catalog, keyspace, name, kept),
    }
}

fn check_element(raw: &RawType<'_>, element: &RawType<'_>, of_set: bool) -> Result<()> {
    check_nested(raw, element)?;
    if element.is_native(NativeType::Counter) {
        return refuse(TypeReason::CounterInCollection { ty: raw.text(None) }, element.span);
    }
    if of_set && element.is_native(NativeType::Duration) {
        return refuse(TypeReason::DurationsInSet { ty: raw.text(None) }, element.span);
    }
    Ok(())
}

fn check_key(raw: &RawType<'_>, key: &RawType<'_>) -> Result<()> {
    if key.is_native(NativeType::Counter) {
        return refuse(TypeReason::CounterInCollection { ty: raw.text(None) }, key.span);
    }
    if key.is_native(NativeType::Duration) {
        return refuse(TypeReason::DurationKeys { ty: raw.text(None) }, key.span);
    }
    check_nested(raw, key)
}

fn check_nested(raw: &RawType<'_>, inner: &RawType<'_>) -> Result<()> {
    if raw.frozen || inner.frozen {
        return Ok(());
    }
    let what = match inner.kind {
        RawTypeKind::List(_) | RawTypeKind::Set(_) | RawTypeKind::Map(_) => "collections",
        RawTypeKind::User(_) => "UDTs",
        _ => return Ok(()),
    };
    let help = format!("write `frozen<{}>` for the inner type", inner.text(None));
    Err(Refusal::new(
        TypeReason::NonFrozenInside { what: what.to_string(), ty: raw.text(None) },
        inner.span,
    )
    .with_help(help)
    .into())
}

fn user_type(
    catalog: &Catalog,
    keyspace: &str,
    name: &QualifiedName,
    frozen: Frozenness,
) -> Result<Type> {
    if let Some(own) = &name.keyspace
        && &*own.text != keyspace
    {
        return refuse(
            TypeReason::OtherKeyspace { keyspace: keyspace.to_string(), own: own.text.to_string() },
            name.span(),
        );
    }
    let existing =
        catalog.keyspace(keyspace).and_then(|keyspace| keyspace.types.get(&name.name.text));
    existing.map(|user| Type::User(user.clone(), frozen)).ok_or_else(|| {
        Box::new(Refusal::new(
            TypeReason::Unknown {
                keyspace: keyspace.to_string(),
                name: name.name.text.to_string(),
            },
            name.span(),
        ))
    })
}

/// Parses a Java class name. The server does so while parsing, so an error is a syntax error.
fn class_type(class: &str, span: Span) -> Result<Type> {
    parse_class(class).map(|parsed| parsed.ty).map_err(|error| {
        let class = class.to_owned();
        let reason = match error {
            ClassError::Syntax(failure) => TypeReason::ClassSyntax { class, failure },
            ClassError::Configuration(failure) => TypeReason::ClassConfiguration { class, failure },
        };
        Box::new(Refusal::new(reason, span))
    })
}
