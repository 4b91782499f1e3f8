//! The types of selected expressions, as far as they are known without a receiver.

use std::sync::Arc;

use cql::Span;
use cql::selectable::{CellInfo, Selectable, SelectableKind};
use cql::types::{Assignability, Frozenness, NativeType, Type, UserType};

use super::selectable::{PreparedSelectable, PreparedSelectableKind};
use crate::bind::assignment::{self, AssignmentTestable};
use crate::bind::context::{Context, Receiver};
use crate::bind::term;
use crate::refusal::{NameReason, SelectionReason, refuse};
use crate::{Refusal, Result};

impl AssignmentTestable for PreparedSelectable<'_> {
    fn test_assignment(&self, cx: &Context<'_>, receiver: &Receiver) -> Result<Assignability> {
        match &self.kind {
            PreparedSelectableKind::Term(term) => term.test_assignment(cx, receiver),
            PreparedSelectableKind::Tuple(parts) => match &parts[..] {
                [single] if !matches!(receiver.ty, Type::Tuple(_)) => {
                    single.test_assignment(cx, receiver)
                }
                _ => term::suppress_refusal(term::check_tuple(cx, parts, receiver, self.span)),
            },
            PreparedSelectableKind::Array(parts) => match &receiver.ty {
                Type::List(..) | Type::Vector(..) if parts.is_empty() => Ok(Assignability::Weak),
                Type::List(..) | Type::Vector(..) => assignment::test_elements(cx, parts, receiver),
                other => Err(target_refusal(other, self.span).into()),
            },
            PreparedSelectableKind::Set(parts) => term::set_assignment(cx, parts, receiver),
            PreparedSelectableKind::Map(entries) => self.map_assignment(cx, entries, receiver),
            PreparedSelectableKind::TypeHint(_, ty, _) => {
                Ok(term::hint_assignment(ty, &receiver.ty))
            }
            _ => Ok(match self.exact_type(cx, &receiver.keyspace)? {
                Some(ty) => ty.test_assignment(&receiver.ty),
                None => Assignability::No,
            }),
        }
    }

    fn compatible_type(&self, cx: &Context<'_>, keyspace: &str) -> Result<Option<Type>> {
        match &self.kind {
            PreparedSelectableKind::Term(term) => term.compatible_type(cx, keyspace),
            PreparedSelectableKind::Tuple(parts) if parts.len() != 1 => {
                tuple_of(parts.iter().map(|part| part.compatible_type(cx, keyspace)))
            }
            PreparedSelectableKind::Array(parts) => Ok(common_type(cx, parts, keyspace)?
                .map(|ty| Type::List(Arc::new(ty), Frozenness::Yes))),
            PreparedSelectableKind::Set(parts) => Ok(common_type(cx, parts, keyspace)?
                .map(|ty| Type::Set(Arc::new(ty), Frozenness::Yes))),
            _ => self.exact_type(cx, keyspace),
        }
    }

    fn text(&self, cx: &Context<'_>, _: &str) -> String {
        self.render(cx)
    }

    fn is_descending(&self) -> bool {
        let PreparedSelectableKind::Column(at) = &self.kind else { return false };
        self.table.columns().get(*at).is_some_and(|column| column.descending)
    }

    fn array_length(&self) -> Option<usize> {
        if let PreparedSelectableKind::Array(parts) = &self.kind { Some(parts.len()) } else { None }
    }
}

impl<'a> PreparedSelectable<'a> {
    /// The type of an expression, if it can have only one.
    pub(crate) fn exact_type(&self, cx: &Context<'_>, keyspace: &str) -> Result<Option<Type>> {
        Ok(match &self.kind {
            PreparedSelectableKind::Column(at) => {
                self.table.columns().get(*at).map(|column| column.ty.clone())
            }
            PreparedSelectableKind::Term(term) => term::exact_type(cx, term, keyspace)?,
            PreparedSelectableKind::CellInfo(info, at, _) => {
                let multi_cell =
                    self.table.columns().get(*at).is_some_and(|column| column.ty.is_multi_cell());
                Some(info_type(*info, multi_cell))
            }
            PreparedSelectableKind::Call(function, _) => Some(function.returns.clone()),
            PreparedSelectableKind::Cast(_, name) => Some(Type::Native(name.ty)),
            PreparedSelectableKind::TypeHint(_, ty, _) => Some(ty.clone()),
            PreparedSelectableKind::Tuple(parts) if parts.len() == 1 => None,
            PreparedSelectableKind::Tuple(parts) => {
                tuple_of(parts.iter().map(|part| part.exact_type(cx, keyspace)))?
            }
            PreparedSelectableKind::Array(parts) => {
                first(cx, parts, keyspace)?.map(|ty| Type::List(Arc::new(ty), Frozenness::Yes))
            }
            PreparedSelectableKind::Set(parts) => {
                first(cx, parts, keyspace)?.map(|ty| Type::Set(Arc::new(ty), Frozenness::Yes))
            }
            PreparedSelectableKind::Map(_) => None,
            PreparedSelectableKind::Field(of, field) => match of.exact_type(cx, keyspace)? {
                Some(Type::User(user, _)) => user
                    .position(&field.text)
                    .and_then(|at| user.fields.get(at))
                    .map(|(_, ty)| ty.clone()),
                _ => None,
            },
            PreparedSelectableKind::Element(of, _) => {
                of.exact_type(cx, keyspace)?.as_ref().and_then(element_type)
            }
            PreparedSelectableKind::Slice(of, ..) => {
                of.exact_type(cx, keyspace)?.filter(Type::is_collection)
            }
        })
    }

    fn map_assignment(
        &self,
        cx: &Context<'_>,
        entries: &'a [(Selectable, Selectable)],
        receiver: &Receiver,
    ) -> Result<Assignability> {
        if let Type::User(user, _) = &receiver.ty {
            let mut fields = Vec::with_capacity(entries.len());
            for (key, value) in entries {
                let at = field_position(user, key)?;
                let name = user.fields.get(at).map_or("", |(name, _)| &**name);
                fields.push((name, PreparedSelectable::new(cx, self.table, value)?));
            }
            let fields: Vec<_> = fields.iter().map(|(name, value)| (*name, value)).collect();
            return term::suppress_refusal(term::check_user_type(cx, &fields, receiver, self.span));
        }
        let entries = prepare_entries(cx, self, entries)?;
        let entries = entries.iter().map(|(key, value)| (key, value));
        term::map_assignment(cx, entries, receiver, self.span)
    }
}

/// Resolves the parts of a map.
pub(super) fn prepare_entries<'a>(
    cx: &Context<'_>,
    map: &PreparedSelectable<'a>,
    entries: &'a [(Selectable, Selectable)],
) -> Result<Vec<(PreparedSelectable<'a>, PreparedSelectable<'a>)>> {
    entries
        .iter()
        .map(|(key, value)| {
            let key = PreparedSelectable::new(cx, map.table, key)?;
            Ok((key, PreparedSelectable::new(cx, map.table, value)?))
        })
        .collect()
}

/// The position of the field that a key of `{x: y}` names.
pub(super) fn field_position(user: &UserType, key: &Selectable) -> Result<usize> {
    let SelectableKind::Column(name) = &key.kind else {
        return refuse(
            SelectionReason::NotAField { key: raw_text(key), ty: user.name.to_string() },
            key.span,
        );
    };
    user.position(&name.text).ok_or_else(|| {
        Box::new(Refusal::new(
            NameReason::UnknownField { field: name.text.to_string(), ty: user.name.to_string() },
            key.span,
        ))
    })
}

/// The text of a raw expression: for most of them the server prints a Java object.
fn raw_text(key: &Selectable) -> String {
    match &key.kind {
        SelectableKind::Term(term) => term::text(term),
        _ => "expression".to_owned(),
    }
}

/// The type of `x[key]`.
pub(super) fn element_type(collection: &Type) -> Option<Type> {
    match collection {
        Type::Map(entry, _) => Some(entry.1.clone()),
        Type::Set(element, _) => Some((**element).clone()),
        Type::List(..) => Some(Type::Native(NativeType::Timeuuid)),
        _ => None,
    }
}

/// The type of a cell's property; a list for a multi-cell column.
pub(super) fn info_type(info: CellInfo, multi_cell: bool) -> Type {
    let ty = Type::Native(match info {
        CellInfo::Ttl => NativeType::Int,
        CellInfo::WriteTime | CellInfo::MaxWriteTime => NativeType::Bigint,
    });
    if multi_cell && info != CellInfo::MaxWriteTime {
        Type::List(Arc::new(ty), Frozenness::Yes)
    } else {
        ty
    }
}

/// The failure of the server if `[x, y]` is neither a list nor a vector.
pub(super) fn target_refusal(ty: &Type, span: Span) -> Refusal {
    Refusal::new(SelectionReason::UnsupportedTarget { ty: ty.to_string() }, span)
}

fn tuple_of(types: impl Iterator<Item = Result<Option<Type>>>) -> Result<Option<Type>> {
    let types = types.collect::<Result<Option<Vec<Type>>>>()?;
    Ok(types.map(|types| Type::Tuple(types.iter().map(Type::freeze).collect())))
}

fn first(
    cx: &Context<'_>,
    parts: &[PreparedSelectable<'_>],
    keyspace: &str,
) -> Result<Option<Type>> {
    parts.iter().find_map(|part| part.exact_type(cx, keyspace).transpose()).transpose()
}

fn common_type(
    cx: &Context<'_>,
    parts: &[PreparedSelectable<'_>],
    keyspace: &str,
) -> Result<Option<Type>> {
    let types = parts.iter().filter_map(|part| part.compatible_type(cx, keyspace).transpose());
    let types = types.collect::<Result<Vec<Type>>>()?;
    Ok(assignment::common_type(&types).cloned())
}
