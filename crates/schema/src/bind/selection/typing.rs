//! What a selected expression says about its own type.

use std::sync::Arc;

use cql::Span;
use cql::selectable::{CellInfo, Selectable, SelectableKind};
use cql::types::{Assignment, Frozen, NativeType, Type, UserType};

use super::prepared::{Prepared, PreparedKind};
use crate::bind::assignment::{self, Assignable};
use crate::bind::context::{Context, Receiver};
use crate::bind::term;
use crate::refusal::{NameReason, SelectionReason};
use crate::{Refusal, Result};

impl Assignable for Prepared<'_> {
    fn assignment(&self, cx: &Context<'_>, receiver: &Receiver) -> Result<Assignment> {
        match &self.kind {
            PreparedKind::Term(term) => term.assignment(cx, receiver),
            PreparedKind::Tuple(parts) => match &parts[..] {
                [single] if !matches!(receiver.ty, Type::Tuple(_)) => {
                    single.assignment(cx, receiver)
                }
                _ => term::hold_back(term::check_tuple(cx, parts, receiver, self.span)),
            },
            PreparedKind::Array(parts) => match &receiver.ty {
                Type::List(..) | Type::Vector(..) if parts.is_empty() => Ok(Assignment::Weak),
                Type::List(..) | Type::Vector(..) => assignment::of_elements(cx, parts, receiver),
                other => Err(unsupported_target(other, self.span).into()),
            },
            PreparedKind::Set(parts) => term::set_assignment(cx, parts, receiver),
            PreparedKind::Map(entries) => self.map_assignment(cx, entries, receiver),
            PreparedKind::TypeHint(_, ty, _) => Ok(term::hint_assignment(ty, &receiver.ty)),
            _ => Ok(match self.exact_type(cx, &receiver.keyspace)? {
                Some(ty) => ty.assignment_to(&receiver.ty),
                None => Assignment::No,
            }),
        }
    }

    fn compatible_type(&self, cx: &Context<'_>, keyspace: &str) -> Result<Option<Type>> {
        match &self.kind {
            PreparedKind::Term(term) => term.compatible_type(cx, keyspace),
            PreparedKind::Tuple(parts) if parts.len() != 1 => {
                tuple_of(parts.iter().map(|part| part.compatible_type(cx, keyspace)))
            }
            PreparedKind::Array(parts) => {
                Ok(common_type(cx, parts, keyspace)?
                    .map(|ty| Type::List(Arc::new(ty), Frozen::Yes)))
            }
            PreparedKind::Set(parts) => {
                Ok(common_type(cx, parts, keyspace)?.map(|ty| Type::Set(Arc::new(ty), Frozen::Yes)))
            }
            _ => self.exact_type(cx, keyspace),
        }
    }

    fn text(&self, cx: &Context<'_>, _: &str) -> String {
        self.written(cx)
    }

    fn is_descending(&self) -> bool {
        let PreparedKind::Column(at) = &self.kind else { return false };
        self.table.columns().get(*at).is_some_and(|column| column.descending)
    }

    fn array_length(&self) -> Option<usize> {
        if let PreparedKind::Array(parts) = &self.kind { Some(parts.len()) } else { None }
    }
}

impl<'a> Prepared<'a> {
    /// The type of an expression, where it can have only one.
    pub fn exact_type(&self, cx: &Context<'_>, keyspace: &str) -> Result<Option<Type>> {
        Ok(match &self.kind {
            PreparedKind::Column(at) => {
                self.table.columns().get(*at).map(|column| column.ty.clone())
            }
            PreparedKind::Term(term) => term::exact_type(cx, term, keyspace)?,
            PreparedKind::CellInfo(info, at, _) => {
                let multi_cell =
                    self.table.columns().get(*at).is_some_and(|column| column.ty.is_multi_cell());
                Some(info_type(*info, multi_cell))
            }
            PreparedKind::Call(function, _) => Some(function.returns.clone()),
            PreparedKind::Cast(_, name) => Some(Type::Native(name.ty)),
            PreparedKind::TypeHint(_, ty, _) => Some(ty.clone()),
            PreparedKind::Tuple(parts) if parts.len() == 1 => None,
            PreparedKind::Tuple(parts) => {
                tuple_of(parts.iter().map(|part| part.exact_type(cx, keyspace)))?
            }
            PreparedKind::Array(parts) => {
                first(cx, parts, keyspace)?.map(|ty| Type::List(Arc::new(ty), Frozen::Yes))
            }
            PreparedKind::Set(parts) => {
                first(cx, parts, keyspace)?.map(|ty| Type::Set(Arc::new(ty), Frozen::Yes))
            }
            PreparedKind::Map(_) => None,
            PreparedKind::Field(of, field) => match of.exact_type(cx, keyspace)? {
                Some(Type::User(user, _)) => user
                    .position(&field.text)
                    .and_then(|at| user.fields.get(at))
                    .map(|(_, ty)| ty.clone()),
                _ => None,
            },
            PreparedKind::Element(of, _) => {
                of.exact_type(cx, keyspace)?.as_ref().and_then(element_type)
            }
            PreparedKind::Slice(of, ..) => of.exact_type(cx, keyspace)?.filter(Type::is_collection),
        })
    }

    fn map_assignment(
        &self,
        cx: &Context<'_>,
        entries: &'a [(Selectable, Selectable)],
        receiver: &Receiver,
    ) -> Result<Assignment> {
        if let Type::User(user, _) = &receiver.ty {
            let mut fields = Vec::with_capacity(entries.len());
            for (key, value) in entries {
                let at = field_position(user, key)?;
                let name = user.fields.get(at).map_or("", |(name, _)| &**name);
                fields.push((name, Prepared::new(cx, self.table, value)?));
            }
            let fields: Vec<_> = fields.iter().map(|(name, value)| (*name, value)).collect();
            return term::hold_back(term::check_user_type(cx, &fields, receiver, self.span));
        }
        let entries = prepare_entries(cx, self, entries)?;
        let entries = entries.iter().map(|(key, value)| (key, value));
        term::map_assignment(cx, entries, receiver, self.span)
    }
}

/// The parts of a map, looked up.
pub(super) fn prepare_entries<'a>(
    cx: &Context<'_>,
    map: &Prepared<'a>,
    entries: &'a [(Selectable, Selectable)],
) -> Result<Vec<(Prepared<'a>, Prepared<'a>)>> {
    entries
        .iter()
        .map(|(key, value)| {
            let key = Prepared::new(cx, map.table, key)?;
            Ok((key, Prepared::new(cx, map.table, value)?))
        })
        .collect()
}

/// The position of the field that a key of `{x: y}` names.
pub(super) fn field_position(user: &UserType, key: &Selectable) -> Result<usize> {
    let SelectableKind::Column(name) = &key.kind else {
        return Err(Refusal::new(
            SelectionReason::NotAField { key: raw_text(key), ty: user.name.to_string() },
            key.span,
        )
        .into());
    };
    user.position(&name.text).ok_or_else(|| {
        Box::new(Refusal::new(
            NameReason::UnknownField { field: name.text.to_string(), ty: user.name.to_string() },
            key.span,
        ))
    })
}

/// The server has no text of its own for most raw expressions and prints a Java object's.
fn raw_text(key: &Selectable) -> String {
    match &key.kind {
        SelectableKind::Term(term) => term::text(term),
        _ => "expression".to_owned(),
    }
}

/// What `x[key]` is of.
pub(super) fn element_type(collection: &Type) -> Option<Type> {
    match collection {
        Type::Map(entry, _) => Some(entry.1.clone()),
        Type::Set(element, _) => Some((**element).clone()),
        Type::List(..) => Some(Type::Native(NativeType::Timeuuid)),
        _ => None,
    }
}

/// The type of a cell's property; one per cell where there are many.
pub(super) fn info_type(info: CellInfo, multi_cell: bool) -> Type {
    let one = Type::Native(match info {
        CellInfo::Ttl => NativeType::Int,
        CellInfo::WriteTime | CellInfo::MaxWriteTime => NativeType::Bigint,
    });
    if multi_cell && info != CellInfo::MaxWriteTime {
        Type::List(Arc::new(one), Frozen::Yes)
    } else {
        one
    }
}

/// The failure of a server that takes `[x, y]` for nothing but a list or a vector.
pub(super) fn unsupported_target(ty: &Type, span: Span) -> Refusal {
    Refusal::new(SelectionReason::UnsupportedTarget { ty: ty.to_string() }, span)
}

fn tuple_of(types: impl Iterator<Item = Result<Option<Type>>>) -> Result<Option<Type>> {
    let types = types.collect::<Result<Option<Vec<Type>>>>()?;
    Ok(types.map(|types| Type::Tuple(types.iter().map(Type::freeze).collect())))
}

fn first(cx: &Context<'_>, parts: &[Prepared<'_>], keyspace: &str) -> Result<Option<Type>> {
    parts.iter().find_map(|part| part.exact_type(cx, keyspace).transpose()).transpose()
}

fn common_type(cx: &Context<'_>, parts: &[Prepared<'_>], keyspace: &str) -> Result<Option<Type>> {
    let types = parts.iter().filter_map(|part| part.compatible_type(cx, keyspace).transpose());
    let types = types.collect::<Result<Vec<Type>>>()?;
    Ok(assignment::common_type(&types).cloned())
}
