//! [`SchemaElement`]: the objects that DESCRIBE prints.

use std::collections::BTreeSet;

use cql::printer::identifier;
use cql::types::{Type, UserType};
use schema::catalog::{Index, Keyspace, Table, UserAggregate, UserFunction, View};

use super::cql_builder::fold_case;
use super::{function, table};
use crate::node::schema::Schema;

/// An object with a name and a CREATE statement.
#[derive(Clone, Copy)]
pub(super) enum SchemaElement<'a> {
    Keyspace(&'a Keyspace),
    Type(&'a UserType),
    Function(&'a UserFunction),
    Aggregate(&'a UserAggregate),
    Table(&'a Table),
    Index(&'a Table, &'a Index),
    View(&'a View),
}

impl<'a> SchemaElement<'a> {
    /// A keyspace and everything in it.
    pub(super) fn keyspace_elements(keyspace: &'a Keyspace) -> Vec<Self> {
        let mut all = vec![Self::Keyspace(keyspace)];
        all.extend(sort_types_by_use(keyspace));
        all.extend(Self::functions(keyspace));
        all.extend(Self::aggregates(keyspace));
        for table in Self::tables(keyspace) {
            all.extend(Self::table_elements(keyspace, table.own_name()));
        }
        all
    }

    /// The tables of a keyspace.
    pub(super) fn tables(keyspace: &'a Keyspace) -> Vec<Self> {
        sort_elements(keyspace.tables.values().map(|table| Self::Table(table)).collect())
    }

    /// The types of a keyspace, by name.
    pub(super) fn types(keyspace: &'a Keyspace) -> Vec<Self> {
        sort_elements(keyspace.types.values().map(|user| Self::Type(user)).collect())
    }

    /// The functions of a keyspace.
    pub(super) fn functions(keyspace: &'a Keyspace) -> Vec<Self> {
        sort_elements(keyspace.functions.iter().map(|function| Self::Function(function)).collect())
    }

    /// The aggregates of a keyspace.
    pub(super) fn aggregates(keyspace: &'a Keyspace) -> Vec<Self> {
        sort_elements(
            keyspace.aggregates.iter().map(|aggregate| Self::Aggregate(aggregate)).collect(),
        )
    }

    /// A table, then its indexes and views; empty if it does not exist.
    pub(super) fn table_elements(keyspace: &'a Keyspace, name: &str) -> Vec<Self> {
        let Some(table) = keyspace.tables.get(name) else { return Vec::new() };
        let indexes = table.indexes.iter().map(|index| Self::Index(table, index)).collect();
        let views = keyspace.views_of(&table.name).map(|view| Self::View(view)).collect();
        let mut all = vec![Self::Table(table)];
        all.extend(sort_elements(indexes));
        all.extend(sort_elements(views));
        all
    }

    /// An index; empty if it does not exist.
    pub(super) fn index(keyspace: &'a Keyspace, name: &str) -> Vec<Self> {
        keyspace.index(name).map(|(table, index)| Self::Index(table, index)).into_iter().collect()
    }

    /// A view; empty if it does not exist.
    pub(super) fn view(keyspace: &'a Keyspace, name: &str) -> Vec<Self> {
        keyspace.views.get(name).map(|view| Self::View(view)).into_iter().collect()
    }

    /// The name of its keyspace, quoted where needed.
    pub(super) fn keyspace(self) -> String {
        identifier(match self {
            Self::Keyspace(keyspace) => &keyspace.name,
            Self::Type(user) => &user.keyspace,
            Self::Function(function) => &function.keyspace,
            Self::Aggregate(aggregate) => &aggregate.keyspace,
            Self::Table(table) | Self::Index(table, _) => &table.keyspace,
            Self::View(view) => &view.table.keyspace,
        })
    }

    /// The kind of object.
    pub(super) fn kind(self) -> &'static str {
        match self {
            Self::Keyspace(_) => "keyspace",
            Self::Type(_) => "type",
            Self::Function(_) => "function",
            Self::Aggregate(_) => "aggregate",
            Self::Table(_) => "table",
            Self::Index(..) => "index",
            Self::View(_) => "materialized_view",
        }
    }

    /// The name without the arguments of a function.
    pub(super) fn own_name(self) -> &'a str {
        match self {
            Self::Keyspace(keyspace) => &keyspace.name,
            Self::Type(user) => &user.name,
            Self::Function(function) => &function.name,
            Self::Aggregate(aggregate) => &aggregate.name,
            Self::Table(table) => &table.name,
            Self::Index(_, index) => &index.name,
            Self::View(view) => &view.table.name,
        }
    }

    /// The arguments of a function in parentheses.
    fn arguments(self) -> String {
        match self {
            Self::Function(function) => function::argument_list(&function.types()),
            Self::Aggregate(aggregate) => function::argument_list(&aggregate.arguments),
            _ => String::new(),
        }
    }

    /// The name, quoted where needed.
    pub(super) fn display_name(self) -> String {
        format!("{}{}", identifier(self.own_name()), self.arguments())
    }

    /// Its CREATE statement.
    pub(super) fn create_statement(self, schema: &Schema, with_internals: bool) -> String {
        match self {
            Self::Keyspace(keyspace) => table::describe_keyspace(keyspace),
            Self::Type(user) => function::describe_type(user),
            Self::Function(function) => function::describe_function(function),
            Self::Aggregate(aggregate) => function::describe_aggregate(aggregate),
            Self::Table(table) => table::describe_table(schema, table, with_internals),
            Self::Index(of, index) => table::describe_index(of, index),
            Self::View(view) => table::describe_view(schema, view, with_internals),
        }
    }
}

fn sort_elements(mut elements: Vec<SchemaElement<'_>>) -> Vec<SchemaElement<'_>> {
    elements.sort_by_cached_key(|element| {
        fold_case(&format!("{}{}", element.own_name(), element.arguments()))
    });
    elements
}

/// The types of a keyspace, each after the types it depends on.
fn sort_types_by_use(keyspace: &Keyspace) -> Vec<SchemaElement<'_>> {
    let mut names = Vec::new();
    let mut seen = BTreeSet::new();
    for user in keyspace.types.values() {
        collect_user_type(user, &mut names, &mut seen);
    }
    names
        .iter()
        .filter_map(|name| keyspace.types.get(name))
        .map(|one| SchemaElement::Type(one))
        .collect()
}

fn collect_user_type(user: &UserType, names: &mut Vec<String>, seen: &mut BTreeSet<String>) {
    user.fields.iter().for_each(|(_, ty)| collect_types(ty, names, seen));
    if seen.insert(user.name.to_string()) {
        names.push(user.name.to_string());
    }
}

fn collect_types(ty: &Type, names: &mut Vec<String>, seen: &mut BTreeSet<String>) {
    match ty {
        Type::User(user, _) => collect_user_type(user, names, seen),
        other => other.parts().into_iter().for_each(|part| collect_types(part, names, seen)),
    }
}
