//! The second step of binding a selection: gives every part its type and name, and binds its terms.

use cql::Name;
use cql::selectable::CellInfo;
use cql::term::Term;
use cql::type_name::NativeName;
use cql::types::{NativeType, Type};

use super::Expression;
use super::composite;
use super::selectable::{PreparedSelectable, PreparedSelectableKind, info_name};
use super::typing::{element_type, info_type};
use crate::bind::assignment::AssignmentTestable;
use crate::bind::context::{Context, Receiver};
use crate::bind::function::{self, Call, SYSTEM};
use crate::bind::term::{self, BoundTerm, key_receiver, value_receiver};
use crate::refusal::{SelectionReason, refuse};
use crate::{Refusal, Result};

/// A bound part of a selection.
pub(super) struct BoundSelectable {
    /// Its name as a result column.
    pub(super) name: String,
    /// Its type.
    pub(super) ty: Type,
    /// Its expression.
    pub(super) expression: Expression,
    /// Whether it aggregates rows.
    pub(super) is_aggregate: bool,
}

impl BoundSelectable {
    /// A part that is not an aggregate.
    pub(super) fn new(name: String, ty: Type, expression: Expression) -> Self {
        Self { name, ty, expression, is_aggregate: false }
    }
}

/// Binds an expression. `expected` is the expected type, if it is known; columns are added to
/// `read`.
pub(super) fn bind(
    cx: &mut Context<'_>,
    selected: &PreparedSelectable<'_>,
    expected: Option<&Type>,
    read: &mut Vec<usize>,
) -> Result<BoundSelectable> {
    match &selected.kind {
        PreparedSelectableKind::Column(at) => Ok(column(selected, *at, read)),
        PreparedSelectableKind::Term(term) => bind_term(cx, selected, term, expected),
        PreparedSelectableKind::CellInfo(info, at, of) => {
            bind_info(cx, selected, (*info, *at, of), expected, read)
        }
        PreparedSelectableKind::Call(function, arguments) => {
            let expected = function.arguments.iter().map(Some).chain(std::iter::repeat(None));
            let arguments = composite::bind_each(cx, arguments, expected, read)?;
            call(selected, function, arguments)
        }
        PreparedSelectableKind::Cast(value, ty) => bind_cast(cx, selected, value, *ty, read),
        PreparedSelectableKind::TypeHint(name, ty, value) => {
            let receiver = receiver(selected, selected.render(cx), ty.clone());
            if !value.test_assignment(cx, &receiver)?.is_assignable() {
                let (value, ty) = (receiver.name.to_string(), ty.to_string());
                return refuse(SelectionReason::Assign { value, ty }, selected.span);
            }
            let bound = bind(cx, value, Some(ty), read)?;
            Ok(BoundSelectable { name: format!("({name}){}", bound.name), ty: ty.clone(), ..bound })
        }
        PreparedSelectableKind::Tuple(parts) => {
            composite::tuple(cx, selected, parts, expected, read)
        }
        PreparedSelectableKind::Array(parts) => {
            composite::array(cx, selected, parts, expected, read)
        }
        PreparedSelectableKind::Set(parts) => composite::set(cx, selected, parts, expected, read),
        PreparedSelectableKind::Map(entries) => {
            composite::map(cx, selected, entries, expected, read)
        }
        PreparedSelectableKind::Field(of, field) => bind_field(cx, selected, of, field, read),
        PreparedSelectableKind::Element(of, key) => bind_element(cx, selected, of, key, read),
        PreparedSelectableKind::Slice(of, from, to) => {
            bind_slice(cx, selected, of, (*from, *to), (expected, read))
        }
    }
}

fn column(selected: &PreparedSelectable<'_>, at: usize, read: &mut Vec<usize>) -> BoundSelectable {
    add_column(at, read);
    let (name, ty) = selected.table.columns().get(at).map_or_else(
        || (String::new(), NativeType::Blob.into()),
        |column| (column.name.to_string(), column.ty.clone()),
    );
    BoundSelectable::new(name, ty, Expression::Column(at))
}

fn add_column(column: usize, read: &mut Vec<usize>) {
    if !read.contains(&column) {
        read.push(column);
    }
}

fn receiver(selected: &PreparedSelectable<'_>, name: String, ty: Type) -> Receiver {
    Receiver {
        keyspace: selected.table.keyspace.clone(),
        table: selected.table.name.clone(),
        name: name.into(),
        ty,
    }
}

/// The type of an expression, or else the expected one.
pub(super) fn type_or_expected(
    cx: &Context<'_>,
    selected: &PreparedSelectable<'_>,
    expected: Option<&Type>,
) -> Result<Type> {
    let own = selected.exact_type(cx, &selected.table.keyspace)?;
    if let Some(known) = own.or_else(|| expected.cloned()) {
        return Ok(known);
    }
    selected.check_printable(cx)?;
    let written = selected.render(cx);
    let help = format!("write `(type) {written}`");
    Err(Refusal::new(SelectionReason::UninferredTerm { term: written }, selected.span)
        .with_help(help)
        .into())
}

fn bind_term(
    cx: &mut Context<'_>,
    selected: &PreparedSelectable<'_>,
    term: &Term,
    expected: Option<&Type>,
) -> Result<BoundSelectable> {
    let ty = type_or_expected(cx, selected, expected)?;
    let receiver = receiver(selected, "[selection]".to_owned(), ty);
    let bound = term::prepare(cx, term, &receiver, None)?;
    Ok(BoundSelectable::new(selected.render(cx), receiver.ty, Expression::Term(bound)))
}

fn bind_info(
    cx: &mut Context<'_>,
    selected: &PreparedSelectable<'_>,
    (info, at, of): (CellInfo, usize, &PreparedSelectable<'_>),
    expected: Option<&Type>,
    read: &mut Vec<usize>,
) -> Result<BoundSelectable> {
    let column = selected.table.columns().get(at);
    if let Some(key) = column.filter(|column| column.is_primary_key()) {
        return refuse(
            SelectionReason::FunctionOfKey {
                function: info_name(info).to_string(),
                column: key.name.to_string(),
            },
            selected.span,
        );
    }
    let bound = bind(cx, of, expected, read)?;
    add_column(at, read);
    let ty = info_type(info, bound.ty.is_multi_cell());
    let name = format!("{}({})", info_name(info), bound.name);
    let of = Box::new(bound.expression);
    Ok(BoundSelectable::new(name, ty, Expression::CellInfo { info, column: at, of }))
}

fn call(
    selected: &PreparedSelectable<'_>,
    function: &std::sync::Arc<function::Function>,
    arguments: Vec<BoundSelectable>,
) -> Result<BoundSelectable> {
    let nested = arguments.iter().any(|argument| argument.is_aggregate);
    if function.is_aggregate() && nested {
        return refuse(SelectionReason::NestedAggregate, selected.span);
    }
    let names: Vec<String> = arguments.iter().map(|argument| argument.name.clone()).collect();
    let arguments = arguments.into_iter().map(|argument| argument.expression).collect();
    Ok(BoundSelectable {
        name: function.column_name(&names),
        ty: function.result_type(),
        expression: Expression::Call { function: function.clone(), arguments },
        is_aggregate: function.is_aggregate() || nested,
    })
}

/// A cast to the same type is dropped, also from the name of the column. A column in descending
/// order has a type that no cast names.
fn bind_cast(
    cx: &mut Context<'_>,
    selected: &PreparedSelectable<'_>,
    value: &PreparedSelectable<'_>,
    target: NativeName,
    read: &mut Vec<usize>,
) -> Result<BoundSelectable> {
    let bound = bind(cx, value, None, read)?;
    let ty = target.ty;
    let is_foreign_timeuuid = bound.ty == function::legacy_timeuuid_type();
    let is_same =
        bound.ty == Type::Native(ty) || (ty == NativeType::Timeuuid && is_foreign_timeuuid);
    if is_same && !value.is_descending() {
        return Ok(bound);
    }
    let name = format!("cast_as_{}", target.text());
    let written = Call {
        qualifier: Some(SYSTEM),
        name: &name,
        arguments: &[value],
        keyspace: &selected.table.keyspace,
        table: Some((&selected.table.keyspace, &selected.table.name)),
        receiver: None,
        descending: false,
        span: selected.span,
    };
    let Some(function) = function::resolve(cx, &written)? else {
        return Err(no_cast(selected, target, read).into());
    };
    call(selected, &function, vec![bound])
}

/// The message names the first column of the whole selection, whatever cannot be cast.
fn no_cast(selected: &PreparedSelectable<'_>, target: NativeName, read: &[usize]) -> Refusal {
    let column = read.first().and_then(|at| selected.table.columns().get(*at));
    let Some(column) = column else {
        return Refusal::new(SelectionReason::CastOfNothing, selected.span);
    };
    Refusal::new(
        SelectionReason::Cast { column: column.name.to_string(), target: target.text().to_owned() },
        selected.span,
    )
}

fn bind_field(
    cx: &mut Context<'_>,
    selected: &PreparedSelectable<'_>,
    of: &PreparedSelectable<'_>,
    field: &Name,
    read: &mut Vec<usize>,
) -> Result<BoundSelectable> {
    let expected = match &of.kind {
        PreparedSelectableKind::Tuple(parts) => match parts.first() {
            Some(first) => first.exact_type(cx, &selected.table.keyspace)?,
            None => None,
        },
        _ => None,
    };
    let bound = bind(cx, of, expected.as_ref(), read)?;
    let Type::User(user, _) = &bound.ty else {
        return refuse(
            SelectionReason::FieldOfOthers { selected: of.render(cx), ty: bound.ty.to_string() },
            selected.span,
        );
    };
    let resolved = user.position(&field.text).and_then(|at| Some((at, user.fields.get(at)?)));
    let Some((at, (name, ty))) = resolved else {
        return refuse(
            SelectionReason::NoField {
                selected: of.render(cx),
                ty: bound.ty.to_string(),
                field: field.text.to_string(),
            },
            field.span,
        );
    };
    Ok(BoundSelectable {
        name: format!("{}.{name}", bound.name),
        ty: ty.clone(),
        expression: Expression::Field(Box::new(bound.expression), at),
        is_aggregate: bound.is_aggregate,
    })
}

fn bind_element(
    cx: &mut Context<'_>,
    selected: &PreparedSelectable<'_>,
    of: &PreparedSelectable<'_>,
    key: &Term,
    read: &mut Vec<usize>,
) -> Result<BoundSelectable> {
    let bound = bind(cx, of, None, read)?;
    if !bound.ty.is_collection() {
        return refuse(
            SelectionReason::ElementOfOthers { selected: of.render(cx), ty: bound.ty.to_string() },
            selected.span,
        );
    }
    let place = part_receiver(cx, of, &bound, "Element", selected)?;
    let key = term::prepare(cx, key, &place, None)?;
    let ty = element_type(&bound.ty).unwrap_or(NativeType::Blob.into());
    let name = bound.name.into();
    let of = Box::new(bound.expression);
    Ok(BoundSelectable {
        name: selected.render(cx),
        ty,
        expression: Expression::Element { of, name, key },
        is_aggregate: bound.is_aggregate,
    })
}

fn bind_slice(
    cx: &mut Context<'_>,
    selected: &PreparedSelectable<'_>,
    of: &PreparedSelectable<'_>,
    (from, to): (Option<&Term>, Option<&Term>),
    (expected, read): (Option<&Type>, &mut Vec<usize>),
) -> Result<BoundSelectable> {
    let bound = bind(cx, of, expected, read)?;
    if !bound.ty.is_collection() {
        return refuse(
            SelectionReason::SliceOfOthers { selected: of.render(cx), ty: bound.ty.to_string() },
            selected.span,
        );
    }
    let place = part_receiver(cx, of, &bound, "Slice", selected)?;
    let mut limit = |term: Option<&Term>| -> Result<Option<BoundTerm>> {
        term.map(|term| term::prepare(cx, term, &place, None)).transpose()
    };
    let (from, to) = (limit(from)?, limit(to)?);
    let name = bound.name.into();
    let of = Box::new(bound.expression);
    Ok(BoundSelectable {
        name: selected.render(cx),
        ty: bound.ty,
        expression: Expression::Slice { of, name, from, to },
        is_aggregate: bound.is_aggregate,
    })
}

/// The receiver of a set's element or a map's key; lists have none.
fn part_receiver(
    cx: &Context<'_>,
    of: &PreparedSelectable<'_>,
    bound: &BoundSelectable,
    what: &str,
    selected: &PreparedSelectable<'_>,
) -> Result<Receiver> {
    let collection = receiver(selected, bound.name.clone(), bound.ty.clone());
    let place = match &bound.ty {
        Type::Set(..) => value_receiver(&collection),
        Type::Map(..) => key_receiver(&collection),
        _ => None,
    };
    place.ok_or_else(|| {
        Box::new(Refusal::new(
            SelectionReason::ListSelection { what: what.to_string(), selected: of.render(cx) },
            selected.span,
        ))
    })
}
