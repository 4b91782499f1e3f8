//! Written types: from a [`TypeName`] to the [`Type`] it means in a keyspace, with the server's refusals.

use std::sync::Arc;

use cql::type_name::{NativeName, TypeName, TypeNameKind};
use cql::types::{ClassError, Frozen, NativeType, Type, parse_class};
use cql::{QualifiedName, Span};

use crate::catalog::Catalog;
use crate::refusal::{NameReason, TypeReason};
use crate::{Refusal, Result};

/// The type that a written type means to a statement on `keyspace`.
pub fn resolve(catalog: &Catalog, keyspace: &str, name: &TypeName) -> Result<Type> {
    let raw = Raw::new(name)?;
    if catalog.keyspace(keyspace).is_none() {
        return Err(Refusal::new(
            NameReason::AbsentKeyspace { keyspace: keyspace.to_string() },
            name.span,
        )
        .into());
    }
    prepare(catalog, keyspace, &raw)
}

/// A written type as the server prints it in messages: `frozen` where it was written or follows. User types get the
/// `keyspace` of the statement once the server has looked them up.
pub fn text(name: &TypeName, keyspace: Option<&str>) -> String {
    Raw::new(name).map_or_else(|_| String::new(), |raw| raw.text(keyspace))
}

/// A written type once `frozen<>` has been pushed inwards, which the server does while it parses.
struct Raw<'a> {
    kind: RawKind<'a>,
    frozen: bool,
    span: Span,
}

enum RawKind<'a> {
    Native(NativeName),
    List(Box<Raw<'a>>),
    Set(Box<Raw<'a>>),
    Map(Box<(Raw<'a>, Raw<'a>)>),
    Tuple(Vec<Raw<'a>>),
    Vector(Box<Raw<'a>>, Option<i32>),
    User(&'a QualifiedName),
    Custom(Type),
    Placeholder(&'a str),
}

impl<'a> Raw<'a> {
    fn new(name: &'a TypeName) -> Result<Self> {
        let inside = |name: &'a TypeName| Self::new(name).map(Box::new);
        let mut frozen = false;
        let kind = match &name.kind {
            TypeNameKind::Native(native) => RawKind::Native(*native),
            TypeNameKind::List(element) => RawKind::List(inside(element)?),
            TypeNameKind::Set(element) => RawKind::Set(inside(element)?),
            TypeNameKind::Map(entry) => {
                RawKind::Map(Box::new((Self::new(&entry.0)?, Self::new(&entry.1)?)))
            }
            TypeNameKind::Tuple(types) => {
                frozen = true;
                let types = types.iter().map(|ty| Self::new(ty).map(Self::freeze_where_possible));
                RawKind::Tuple(types.collect::<Result<_>>()?)
            }
            TypeNameKind::Vector(element, dimension) => {
                frozen = true;
                RawKind::Vector(inside(element)?, *dimension)
            }
            TypeNameKind::Frozen(inner) => {
                let inner = Self::new(inner)?;
                if !inner.supports_freezing() {
                    return Err(Refusal::new(
                        TypeReason::FrozenPlain { ty: inner.text(None) },
                        name.span,
                    )
                    .into());
                }
                return Ok(inner.freeze_where_possible());
            }
            TypeNameKind::User(user) => RawKind::User(user),
            TypeNameKind::Custom(class) => RawKind::Custom(class_type(class, name.span)?),
            TypeNameKind::Placeholder(text) => RawKind::Placeholder(text),
        };
        Ok(Self { kind, frozen, span: name.span })
    }

    fn supports_freezing(&self) -> bool {
        !matches!(self.kind, RawKind::Native(_) | RawKind::Custom(_) | RawKind::Placeholder(_))
    }

    /// Collections freeze all the way down, tuples and vectors are what they are.
    fn freeze_where_possible(self) -> Self {
        let boxed = |inner: Box<Self>| Box::new(inner.freeze_where_possible());
        let kind = match self.kind {
            RawKind::List(element) => RawKind::List(boxed(element)),
            RawKind::Set(element) => RawKind::Set(boxed(element)),
            RawKind::Map(entry) => {
                let (key, value) = *entry;
                RawKind::Map(Box::new((key.freeze_where_possible(), value.freeze_where_possible())))
            }
            kind @ (RawKind::Native(_) | RawKind::Custom(_) | RawKind::Placeholder(_)) => {
                return Self { kind, frozen: false, span: self.span };
            }
            kind => kind,
        };
        Self { kind, frozen: true, span: self.span }
    }

    fn is(&self, native: NativeType) -> bool {
        matches!(self.kind, RawKind::Native(own) if own.ty == native)
    }

    fn text(&self, keyspace: Option<&str>) -> String {
        let (start, end) = if self.frozen { ("frozen<", ">") } else { ("", "") };
        match &self.kind {
            RawKind::Native(native) => native.text().to_owned(),
            RawKind::List(element) => format!("{start}list<{}>{end}", element.text(keyspace)),
            RawKind::Set(element) => format!("{start}set<{}>{end}", element.text(keyspace)),
            RawKind::Map(entry) => {
                format!("{start}map<{}, {}>{end}", entry.0.text(keyspace), entry.1.text(keyspace))
            }
            RawKind::Tuple(types) => {
                let types: Vec<_> = types.iter().map(|ty| ty.text(keyspace)).collect();
                format!("tuple<{}>", types.join(", "))
            }
            RawKind::Vector(element, dimension) => {
                format!("vector<{}, {}>", element.text(keyspace), dimension.unwrap_or(0))
            }
            RawKind::User(name) => {
                match name.keyspace.as_ref().map(|own| &*own.text).or(keyspace) {
                    Some(keyspace) => format!("{start}{keyspace}.{}{end}", name.name.text),
                    None => format!("{start}{}{end}", name.name.text),
                }
            }
            RawKind::Custom(ty) => format!("'{}'", ty.class_name()),
            RawKind::Placeholder(text) => (*text).to_owned(),
        }
    }
}

fn prepare(catalog: &Catalog, keyspace: &str, raw: &Raw<'_>) -> Result<Type> {
    let kept = if raw.frozen { Frozen::Yes } else { Frozen::No };
    match &raw.kind {
        RawKind::Native(native) => Ok(Type::Native(native.ty)),
        RawKind::Custom(ty) => Ok(ty.clone()),
        RawKind::Placeholder(text) => Ok(Type::Custom((*text).into())),
        RawKind::List(element) => {
            check_element(raw, element, false)?;
            Ok(Type::List(Arc::new(prepare(catalog, keyspace, element)?), kept))
        }
        RawKind::Set(element) => {
            check_element(raw, element, true)?;
            Ok(Type::Set(Arc::new(prepare(catalog, keyspace, element)?), kept))
        }
        RawKind::Map(entry) => {
            check_element(raw, &entry.1, false)?;
            check_key(raw, &entry.0)?;
            let value = prepare(catalog, keyspace, &entry.1)?;
            Ok(Type::Map(Arc::new((prepare(catalog, keyspace, &entry.0)?, value)), kept))
        }
        RawKind::Tuple(types) => {
            let types = types.iter().map(|ty| {
                if ty.is(NativeType::Counter) {
                    return Err(Refusal::new(TypeReason::CounterInTuple, ty.span).into());
                }
                prepare(catalog, keyspace, ty)
            });
            Ok(Type::Tuple(types.collect::<Result<Vec<_>>>()?.into()))
        }
        RawKind::Vector(element, dimension) => {
            let element = prepare(catalog, keyspace, element)?;
            let given = dimension.unwrap_or(0);
            if let Ok(dimension @ 1..) = u32::try_from(given) {
                return Ok(Type::Vector(Arc::new(element), dimension));
            }
            let help = "give the number of elements: vector<float, 3>";
            Err(Refusal::new(TypeReason::VectorDimension { given: given.to_string() }, raw.span)
                .with_help(help)
                .into())
        }
        RawKind::User(name) => user_type(catalog, keyspace, name, kept),
    }
}

fn check_element(raw: &Raw<'_>, element: &Raw<'_>, of_set: bool) -> Result<()> {
    check_nested(raw, element)?;
    if element.is(NativeType::Counter) {
        return Err(Refusal::new(
            TypeReason::CounterInCollection { ty: raw.text(None) },
            element.span,
        )
        .into());
    }
    if of_set && element.is(NativeType::Duration) {
        return Err(
            Refusal::new(TypeReason::DurationsInSet { ty: raw.text(None) }, element.span).into()
        );
    }
    Ok(())
}

fn check_key(raw: &Raw<'_>, key: &Raw<'_>) -> Result<()> {
    if key.is(NativeType::Counter) {
        return Err(
            Refusal::new(TypeReason::CounterInCollection { ty: raw.text(None) }, key.span).into()
        );
    }
    if key.is(NativeType::Duration) {
        return Err(Refusal::new(TypeReason::DurationKeys { ty: raw.text(None) }, key.span).into());
    }
    check_nested(raw, key)
}

fn check_nested(raw: &Raw<'_>, inner: &Raw<'_>) -> Result<()> {
    if raw.frozen || inner.frozen {
        return Ok(());
    }
    let what = match inner.kind {
        RawKind::List(_) | RawKind::Set(_) | RawKind::Map(_) => "collections",
        RawKind::User(_) => "UDTs",
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
    frozen: Frozen,
) -> Result<Type> {
    if let Some(own) = &name.keyspace
        && &*own.text != keyspace
    {
        return Err(Refusal::new(
            TypeReason::OtherKeyspace { keyspace: keyspace.to_string(), own: own.text.to_string() },
            name.span(),
        )
        .into());
    }
    let found = catalog.keyspace(keyspace).and_then(|keyspace| keyspace.types.get(&name.name.text));
    found.map(|user| Type::User(user.clone(), frozen)).ok_or_else(|| {
        Box::new(Refusal::new(
            TypeReason::Unknown {
                keyspace: keyspace.to_string(),
                name: name.name.text.to_string(),
            },
            name.span(),
        ))
    })
}

/// A Java class name. The server reads it while it parses, so what is wrong with it is a syntax error.
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
