//! The receivers of parts of values, with the server's names for them.

use std::sync::Arc;

use cql::types::{Frozenness, NativeType, Type};

use crate::bind::context::Receiver;

fn make_receiver(receiver: &Receiver, name: String, ty: Type) -> Receiver {
    Receiver {
        keyspace: receiver.keyspace.clone(),
        table: receiver.table.clone(),
        name: name.into(),
        ty,
    }
}

/// `idx(l)`: the position in a list.
pub(crate) fn index_receiver(list: &Receiver) -> Receiver {
    make_receiver(list, format!("idx({})", list.name), Type::Native(NativeType::Int))
}

/// `value(c)`: an element of a list, set or vector, a value of a map; `None` for other types.
pub(crate) fn value_receiver(collection: &Receiver) -> Option<Receiver> {
    let ty = match &collection.ty {
        Type::List(element, _) | Type::Set(element, _) | Type::Vector(element, _) => element,
        Type::Map(entry, _) => &entry.1,
        _ => return None,
    };
    Some(make_receiver(collection, format!("value({})", collection.name), ty.clone()))
}

/// `key(m)`: a key of a map; `None` for other types.
pub(crate) fn key_receiver(map: &Receiver) -> Option<Receiver> {
    let Type::Map(entry, _) = &map.ty else { return None };
    Some(make_receiver(map, format!("key({})", map.name), entry.0.clone()))
}

/// `u.f`: a field of a user type; `None` for other types and where there is no such field.
pub(crate) fn field_receiver(user: &Receiver, field: usize) -> Option<Receiver> {
    let Type::User(definition, _) = &user.ty else { return None };
    let (name, ty) = definition.fields.get(field)?;
    Some(make_receiver(user, format!("{}.{name}", user.name), ty.clone()))
}

/// `t[0]`: a component of a tuple, or of a user type written as one; `None` if there is no such
/// component.
pub(crate) fn component_receiver(tuple: &Receiver, component: usize) -> Option<Receiver> {
    let ty = match &tuple.ty {
        Type::Tuple(types) => types.get(component)?,
        Type::User(user, _) => &user.fields.get(component)?.1,
        _ => return None,
    };
    Some(make_receiver(tuple, format!("{}[{component}]", tuple.name), ty.clone()))
}

/// `in(c)`: the list for a marker after IN.
pub(crate) fn list_receiver(column: &Receiver) -> Receiver {
    let list = Type::List(Arc::new(column.ty.clone()), Frozenness::Yes);
    make_receiver(column, format!("in({})", column.name), list)
}

/// `(a,b)`: the tuple for a marker; `None` without columns.
pub(crate) fn tuple_receiver(columns: &[Receiver]) -> Option<Receiver> {
    let (first, name, ty) = tuple_of(columns)?;
    Some(make_receiver(first, format!("({name})"), ty))
}

/// `in(a,b)`: the list of tuples for a marker after IN; `None` without columns.
pub(crate) fn tuple_list_receiver(columns: &[Receiver]) -> Option<Receiver> {
    let (first, name, ty) = tuple_of(columns)?;
    Some(make_receiver(first, format!("in({name})"), Type::List(Arc::new(ty), Frozenness::Yes)))
}

fn tuple_of(columns: &[Receiver]) -> Option<(&Receiver, String, Type)> {
    let names: Vec<&str> = columns.iter().map(|column| &*column.name).collect();
    let types = columns.iter().map(|column| column.ty.freeze()).collect();
    Some((columns.first()?, names.join(","), Type::Tuple(types)))
}
