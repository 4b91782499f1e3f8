//! CREATE, ALTER and DROP TYPE.

use std::cell::RefCell;
use std::sync::Arc;

use cql::statement::user_type::{AlterType, CreateType, DropType, TypeChange};
use cql::type_name::{TypeName, TypeNameKind};
use cql::types::{Frozenness, NativeType, Type, UserType, UserTypeUpdate};
use cql::{Name, Span};

use super::CatalogChange;
use super::access::{DataResource, Permission, authorize, check_keyspace};
use super::existence::{existing_keyspace, skip_or_refuse};
use crate::Result;
use crate::bind::context::Context;
use crate::bind::types;
use crate::catalog::{Keyspace, Table, View};
use crate::java::order::{identifier_hash, sort_by_hash};
use crate::refusal::{TypeReason, refuse};

/// `CREATE TYPE`
pub(super) fn create(cx: &Context<'_>, statement: &CreateType) -> Result<CatalogChange> {
    let (name, span) = (&statement.name.name.text, statement.name.span());
    let keyspace = cx.keyspace_of(&statement.name)?;
    authorize(Permission::Create, DataResource::AllTables(&keyspace), span)?;
    check_keyspace(&keyspace, span)?;
    let found = existing_keyspace(cx, &keyspace, span)?;
    if found.types.contains_key(name) {
        return skip_or_refuse(
            statement.if_not_exists,
            TypeReason::Exists { name: name.to_string() },
            span,
        );
    }
    for (at, (field, _)) in statement.fields.iter().enumerate() {
        if statement.fields.iter().take(at).any(|(earlier, _)| earlier == field) {
            return refuse(
                TypeReason::DuplicateField {
                    field: field.text.to_string(),
                    name: name.to_string(),
                },
                field.span,
            );
        }
    }
    for (_, type_name) in &statement.fields {
        check_field(type_name)?;
    }
    let mut fields = Vec::with_capacity(statement.fields.len());
    for (field, type_name) in &statement.fields {
        fields.push((field.text.clone(), types::resolve(cx.catalog, &keyspace, type_name)?));
    }
    let created = Arc::new(UserType { keyspace, name: name.clone(), fields });
    check_parts(&Type::User(Arc::clone(&created), Frozenness::No), None, span)?;
    Ok(CatalogChange::Type(created))
}

/// `ALTER TYPE`
pub(super) fn alter(cx: &Context<'_>, statement: &AlterType) -> Result<CatalogChange> {
    let (name, span) = (&statement.name.name.text, statement.name.span());
    let keyspace = cx.keyspace_of(&statement.name)?;
    authorize(Permission::Alter, DataResource::AllTables(&keyspace), span)?;
    check_keyspace(&keyspace, span)?;
    let existing = cx.catalog.keyspace(&keyspace);
    let Some((existing, old)) =
        existing.and_then(|existing| Some((existing, existing.types.get(name)?)))
    else {
        return skip_or_refuse(
            statement.if_exists,
            TypeReason::UnknownAltered { keyspace: keyspace.to_string(), name: name.to_string() },
            span,
        );
    };
    let fields = match &statement.change {
        TypeChange::Alter(field, _) => {
            return refuse(TypeReason::AlterFieldType, field.span);
        }
        TypeChange::Add { if_not_exists, field, type_name } => {
            let added = FieldAddition { cx, keyspace: existing, old, field, type_name };
            match added.field_type(*if_not_exists)? {
                None => return Ok(CatalogChange::Nothing),
                Some(ty) => {
                    let mut fields = old.fields.clone();
                    fields.push((field.text.clone(), ty));
                    fields
                }
            }
        }
        TypeChange::Rename { if_exists, fields } => {
            rename_fields(existing, old, *if_exists, fields, span)?
        }
    };
    let updated = UserType { keyspace, name: name.clone(), fields };
    for ty in existing.types.values() {
        check_parts(&Type::User(Arc::clone(ty), Frozenness::No), Some(&updated), span)?;
    }
    let tables = existing.tables.values().map(|table| &**table);
    let views = existing.views.values().map(|view| &*view.table);
    for column in tables.chain(views).flat_map(Table::columns) {
        check_parts(&column.ty, Some(&updated), span)?;
    }
    Ok(CatalogChange::Keyspace(Arc::new(with_updated(existing, &Arc::new(updated)))))
}

/// Refuses a type with too many parts, of which one may be updated.
fn check_parts(ty: &Type, updated: Option<&UserType>, span: Span) -> Result<()> {
    if ty.count_parts(types::MAX_TYPE_PARTS, updated).is_some() {
        return Ok(());
    }
    refuse(TypeReason::TooManyParts { name: ty.to_string(), max: types::MAX_TYPE_PARTS }, span)
}

/// `DROP TYPE`
pub(super) fn drop(cx: &Context<'_>, statement: &DropType) -> Result<CatalogChange> {
    let (name, span) = (&statement.name.name.text, statement.name.span());
    let keyspace = cx.keyspace_of(&statement.name)?;
    authorize(Permission::Drop, DataResource::AllTables(&keyspace), span)?;
    check_keyspace(&keyspace, span)?;
    let Some(found) = cx.catalog.keyspace(&keyspace).filter(|found| found.types.contains_key(name))
    else {
        return skip_or_refuse(
            statement.if_exists,
            TypeReason::UnknownDropped { keyspace: keyspace.to_string(), name: name.to_string() },
            span,
        );
    };
    let in_use = |what: &str, users: Vec<String>| {
        if users.is_empty() {
            return Ok(());
        }
        refuse(
            TypeReason::InUse {
                keyspace: keyspace.to_string(),
                name: name.to_string(),
                what: what.to_string(),
                users: users.join(", "),
            },
            span,
        )
    };
    in_use("functions", functions_using(found, name))?;
    let types =
        found.types.values().filter(|ty| ty.fields.iter().any(|(_, ty)| ty.has_user_type(name)));
    in_use("user types", types.map(|ty| ty.name.to_string()).collect())?;
    let tables = found.tables_by_change().into_iter().filter(|table| has_user_type(table, name));
    in_use("tables", tables.map(|table| table.name.to_string()).collect())?;
    Ok(CatalogChange::DropType { keyspace, name: name.clone() })
}

fn has_user_type(table: &Table, user_type: &str) -> bool {
    table.columns().iter().any(|column| column.ty.has_user_type(user_type))
}

fn functions_using(keyspace: &Keyspace, name: &str) -> Vec<String> {
    let functions = keyspace.functions.iter().filter(|function| {
        function.returns.has_user_type(name)
            || function.arguments.iter().any(|(_, ty)| ty.has_user_type(name))
    });
    let aggregates = keyspace.aggregates.iter().filter(|aggregate| {
        let mut types =
            aggregate.arguments.iter().chain([&aggregate.returns, &aggregate.state_type]);
        types.any(|ty| ty.has_user_type(name))
    });
    functions
        .map(|function| format!("{}.{}", function.keyspace, function.name))
        .chain(aggregates.map(|aggregate| format!("{}.{}", aggregate.keyspace, aggregate.name)))
        .collect()
}

/// Checks that a field is not a counter, and that a user type in it is frozen.
fn check_field(type_name: &TypeName) -> Result<()> {
    match &type_name.kind {
        TypeNameKind::Native(native) if native.ty == NativeType::Counter => {
            refuse(TypeReason::CounterField, type_name.span)
        }
        TypeNameKind::User(_) => refuse(TypeReason::NonFrozenField, type_name.span),
        _ => Ok(()),
    }
}

/// `keyspace.type`, each quoted where needed.
fn full_name(user_type: &UserType) -> String {
    let quoted = cql::printer::identifier;
    format!("{}.{}", quoted(&user_type.keyspace), quoted(&user_type.name))
}

/// A field to add.
struct FieldAddition<'a> {
    cx: &'a Context<'a>,
    keyspace: &'a Keyspace,
    old: &'a UserType,
    field: &'a Name,
    type_name: &'a TypeName,
}

impl FieldAddition<'_> {
    /// The type of the new field; `None` if the field exists and IF NOT EXISTS is given.
    fn field_type(&self, if_not_exists: bool) -> Result<Option<Type>> {
        check_field(self.type_name)?;
        let (field, owner) = (&self.field.text, full_name(self.old));
        if self.old.position(field).is_some() {
            if if_not_exists {
                return Ok(None);
            }
            return refuse(
                TypeReason::FieldExists { field: field.to_string(), owner },
                self.field.span,
            );
        }
        let ty = types::resolve(self.cx.catalog, &self.keyspace.name, self.type_name)?;
        let text = types::text(self.type_name, Some(&self.keyspace.name));
        if ty.has_user_type(&self.old.name) {
            return refuse(
                TypeReason::CircularField { field: field.to_string(), ty: text, owner },
                self.type_name.span,
            );
        }
        let tables = self.tables_keyed_by_it();
        if !tables.is_empty() {
            return refuse(
                TypeReason::FieldOfKey {
                    field: field.to_string(),
                    ty: text,
                    owner,
                    tables: tables.join(", "),
                },
                self.field.span,
            );
        }
        Ok(Some(ty))
    }

    fn tables_keyed_by_it(&self) -> Vec<String> {
        let views = self.keyspace.views.values().map(|view| &view.table);
        let keyed = self.keyspace.tables_by_change().into_iter().chain(views).filter(|table| {
            table.partition_key().iter().any(|column| column.ty.has_user_type(&self.old.name))
        });
        keyed.map(|table| table.qualified_name()).collect()
    }
}

fn rename_fields(
    keyspace: &Keyspace,
    old: &UserType,
    if_exists: bool,
    pairs: &[(Name, Name)],
    span: Span,
) -> Result<Vec<(Box<str>, Type)>> {
    let dependents: Vec<_> = keyspace
        .aggregates
        .iter()
        .filter(|aggregate| {
            aggregate.initial.is_some() && aggregate.state_type.has_user_type(&old.name)
        })
        .map(|aggregate| format!("{}.{}", aggregate.keyspace, aggregate.name))
        .collect();
    if !dependents.is_empty() {
        return refuse(
            TypeReason::InInitialState { ty: full_name(old), aggregates: dependents.join(", ") },
            span,
        );
    }
    let mut fields = old.fields.clone();
    for (from, to) in sort_by_hash(pairs, |pair| identifier_hash(&pair.0.text)) {
        match old.position(&from.text).and_then(|at| fields.get_mut(at)) {
            Some(field) => field.0.clone_from(&to.text),
            None if if_exists => {}
            None => {
                return refuse(
                    TypeReason::UnknownRenamed { field: from.text.to_string(), ty: full_name(old) },
                    from.span,
                );
            }
        }
    }
    for (name, _) in &fields {
        if fields.iter().filter(|(other, _)| other == name).count() > 1 {
            // The server intends to name the type, but names the keyspace.
            return refuse(
                TypeReason::DuplicateRenamed {
                    field: name.to_string(),
                    keyspace: keyspace.name.to_string(),
                },
                span,
            );
        }
    }
    Ok(fields)
}

/// The keyspace with the new definition of a type wherever it is used.
fn with_updated(keyspace: &Keyspace, updated: &Arc<UserType>) -> Keyspace {
    let update = RefCell::new(UserTypeUpdate::new(Arc::clone(updated)));
    let replace = |ty: &mut Type| *ty = update.borrow_mut().apply(ty);
    let replace_columns = |table: &mut Table| {
        let mut columns = table.columns().to_vec();
        for column in &mut columns {
            replace(&mut column.ty);
        }
        table.set_columns(columns);
    };
    let mut keyspace = keyspace.clone();
    keyspace.types.insert(updated.name.clone(), updated.clone());
    keyspace.types.replace_values(|ty| {
        (ty.name != updated.name).then(|| update.borrow_mut().apply_to_user_type(ty))
    });
    let replace_table = |table: &Arc<Table>| {
        let mut replaced = has_user_type(table, &updated.name).then(|| Table::clone(table))?;
        replace_columns(&mut replaced);
        Some(Arc::new(replaced))
    };
    keyspace.tables.replace_values(replace_table);
    keyspace.views.replace_values(|view| {
        Some(View { table: replace_table(&view.table)?, ..View::clone(view) }.into())
    });
    for function in &mut keyspace.functions {
        let function = Arc::make_mut(function);
        replace(&mut function.returns);
        for (_, ty) in &mut function.arguments {
            replace(ty);
        }
    }
    for aggregate in &mut keyspace.aggregates {
        let aggregate = Arc::make_mut(aggregate);
        replace(&mut aggregate.returns);
        replace(&mut aggregate.state_type);
        aggregate.arguments.iter_mut().for_each(replace);
    }
    keyspace
}
