//! Permissions of schema statements: those they need, those granted to the creator of an object,
//! and those revoked when it is dropped.

use cql::statement::StatementKind;
use cql::statement::function::{CreateAggregate, CreateFunction, DropFunction};
use cql::statement::role::Permission;
use cql::type_name::TypeName;
use cql::{Name, QualifiedName};
use schema::catalog::Catalog;
use schema::ddl::CatalogChange;

use super::change;
use super::check::AuthenticatedUser;
use super::resource::{self, Resource};
use crate::error::{Error, Result};
use crate::session::context::StatementContext;

/// Checks the permissions of a schema statement.
pub(super) fn check(user: &AuthenticatedUser<'_>, statement: &StatementKind) -> Result<()> {
    use Permission::{Alter, Create, Drop};
    let keyspace = |name: &Name, permission| {
        user.ensure_data(permission, &Resource::Keyspace(name.text.clone()))
    };
    // Without a keyspace in use, the statement itself is refused later.
    let tables_of = |name: &QualifiedName, permission| match user.qualify(name) {
        Some((keyspace, _)) => user.ensure_data(permission, &Resource::AllTables(keyspace)),
        None => Ok(()),
    };
    let table = |name: &QualifiedName, permission| match user.qualify(name) {
        Some((keyspace, name)) => user.ensure_data(permission, &Resource::Table(keyspace, name)),
        None => Ok(()),
    };
    let superuser = |statement: &str| {
        let refused = || {
            Error::permission_denied(format!("Only superusers are allowed to {statement} queries"))
        };
        user.grants.is_superuser.then_some(()).ok_or_else(refused)
    };
    match statement {
        StatementKind::CreateKeyspace(_) => user.ensure_permission(Create, &Resource::AllKeyspaces),
        StatementKind::AlterKeyspace(alter) => keyspace(&alter.name, Alter),
        StatementKind::DropKeyspace(drop) => keyspace(&drop.name, Drop),
        StatementKind::CreateTable(create) => tables_of(&create.name, Create),
        StatementKind::AlterTable(alter) => table(&alter.name, Alter),
        StatementKind::DropTable(drop) => table(&drop.name, Drop),
        StatementKind::CreateIndex(create) => table(&create.table, Alter),
        StatementKind::DropIndex(drop) => check_drop_index(user, &drop.name),
        StatementKind::CreateView(create) => match user.qualify(&create.name) {
            Some((keyspace, _)) => {
                let base = create.table.name.text.clone();
                user.ensure_data(Alter, &Resource::Table(keyspace, base))
            }
            None => Ok(()),
        },
        StatementKind::AlterView(alter) => check_view(user, &alter.name),
        StatementKind::DropView(drop) => check_view(user, &drop.name),
        StatementKind::CreateType(create) => tables_of(&create.name, Create),
        StatementKind::AlterType(alter) => tables_of(&alter.name, Alter),
        StatementKind::DropType(drop) => tables_of(&drop.name, Drop),
        StatementKind::CreateFunction(create) => check_create_function(user, create),
        StatementKind::CreateAggregate(create) => check_create_aggregate(user, create),
        StatementKind::DropFunction(drop) => check_drop_function(user, drop),
        StatementKind::CreateTrigger(_) => superuser("perform CREATE TRIGGER"),
        // The spelling is the server's.
        StatementKind::DropTrigger(_) => superuser("perfrom DROP TRIGGER"),
        _ => Ok(()),
    }
}

/// A view needs the permission on its base table.
fn check_view(user: &AuthenticatedUser<'_>, name: &QualifiedName) -> Result<()> {
    let Some((keyspace, name)) = user.qualify(name) else { return Ok(()) };
    let own = user.context.schema.catalog.keyspace(&keyspace);
    let Some(view) = own.and_then(|own| own.views.get(&name)) else { return Ok(()) };
    user.ensure_data(Permission::Alter, &Resource::Table(keyspace, view.base_table.clone()))
}

fn check_drop_index(user: &AuthenticatedUser<'_>, name: &QualifiedName) -> Result<()> {
    let Some((keyspace, name)) = user.qualify(name) else { return Ok(()) };
    let Some(own) = user.context.schema.catalog.keyspace(&keyspace) else { return Ok(()) };
    let is_of =
        |table: &schema::catalog::Table| table.indexes.iter().any(|index| index.name == name);
    match own.tables.values().find(|table| is_of(table)) {
        Some(table) => {
            let resource = Resource::Table(keyspace, table.name.clone());
            user.ensure_data(Permission::Alter, &resource)
        }
        None => Ok(()),
    }
}

fn check_create_function(user: &AuthenticatedUser<'_>, create: &CreateFunction) -> Result<()> {
    let arguments: Vec<_> = create.arguments.iter().map(|(_, ty)| ty.clone()).collect();
    check_create(user, &create.name, &arguments, create.or_replace)
}

fn check_create(
    user: &AuthenticatedUser<'_>,
    name: &QualifiedName,
    arguments: &[TypeName],
    or_replace: bool,
) -> Result<()> {
    let Some((keyspace, name)) = user.qualify(name) else { return Ok(()) };
    let catalog = &user.context.schema.catalog;
    // Without the keyspace, the statement itself is refused later.
    let types = match catalog.keyspace(&keyspace) {
        Some(_) => resource::resolve_types(catalog, &keyspace, arguments)?,
        None => Vec::new(),
    };
    let function = Resource::Function(keyspace.clone(), name.clone(), types);
    if or_replace && user.functions(&keyspace, &name).contains(&function) {
        return user.ensure_permission(Permission::Alter, &function);
    }
    user.ensure_permission(Permission::Create, &Resource::FunctionsIn(keyspace))
}

fn check_create_aggregate(user: &AuthenticatedUser<'_>, create: &CreateAggregate) -> Result<()> {
    check_create(user, &create.name, &create.arguments, create.or_replace)?;
    let Some((keyspace, _)) = user.qualify(&create.name) else { return Ok(()) };
    let catalog = &user.context.schema.catalog;
    let execute = |function: &Name, arguments: &[TypeName]| {
        let types = resource::resolve_types(catalog, &keyspace, arguments)?;
        // The server looks up the function for the permissions of a superuser.
        let own = catalog.keyspace(&keyspace);
        let is_missing = own.is_some_and(|own| !own.has_function(&function.text, &types));
        if is_missing && user.grants.is_superuser {
            return Err(Error::server("java.util.NoSuchElementException: No value present"));
        }
        let function = Resource::Function(keyspace.clone(), function.text.clone(), types);
        user.ensure_permission(Permission::Execute, &function)
    };
    let state = std::slice::from_ref(&create.state_type);
    execute(&create.state_function, &[state, &create.arguments].concat())?;
    create.final_function.as_ref().map_or(Ok(()), |function| execute(function, state))
}

fn check_drop_function(user: &AuthenticatedUser<'_>, drop: &DropFunction) -> Result<()> {
    let Some((keyspace, name)) = user.qualify(&drop.name) else { return Ok(()) };
    let catalog = &user.context.schema.catalog;
    if catalog.keyspace(&keyspace).is_none() {
        return Ok(());
    }
    let argument_types = drop.arguments.as_ref();
    let argument_types = argument_types
        .map(|types| resource::resolve_types(catalog, &keyspace, types))
        .transpose()?;
    let fits = |function: &Resource| {
        matches!(function, Resource::Function(_, _, types)
            if argument_types.as_ref().is_none_or(|argument_types| argument_types == types))
    };
    let functions = user.functions(&keyspace, &name);
    functions
        .iter()
        .filter(|function| fits(function))
        .try_for_each(|function| user.ensure_permission(Permission::Drop, function))
}

/// The resources that a change creates or drops.
#[derive(Default)]
pub(crate) struct ResourceChanges {
    created: Vec<Resource>,
    dropped: Vec<Resource>,
}

impl ResourceChanges {
    /// The resources of a change of this catalog.
    pub(crate) fn from_change(catalog: &Catalog, change: &CatalogChange) -> Self {
        let has_table = |keyspace: &str, name: &str| catalog.table(keyspace, name).is_some();
        let function = |keyspace: &str, name: &str, types: Vec<_>| {
            Resource::Function(keyspace.into(), name.into(), types)
        };
        let has = |function: &Resource, keyspace| {
            resource::functions(catalog, keyspace).contains(function)
        };
        let created = match change {
            CatalogChange::Keyspace(new) if catalog.keyspace(&new.name).is_none() => {
                vec![Resource::Keyspace(new.name.clone()), Resource::FunctionsIn(new.name.clone())]
            }
            CatalogChange::Table(new) if !has_table(&new.keyspace, &new.name) => {
                vec![Resource::for_table(new)]
            }
            CatalogChange::Function(new) => {
                let resource = function(&new.keyspace, &new.name, new.types());
                if has(&resource, &new.keyspace) { Vec::new() } else { vec![resource] }
            }
            CatalogChange::Aggregate(new) => {
                let resource = function(&new.keyspace, &new.name, new.arguments.clone());
                if has(&resource, &new.keyspace) { Vec::new() } else { vec![resource] }
            }
            _ => Vec::new(),
        };
        let dropped = match change {
            CatalogChange::DropKeyspace(name) => keyspace_resources(catalog, name),
            CatalogChange::DropTable { keyspace, name }
            | CatalogChange::DropView { keyspace, name } => {
                vec![Resource::Table(keyspace.clone(), name.clone())]
            }
            CatalogChange::DropFunction { keyspace, name, arguments }
            | CatalogChange::DropAggregate { keyspace, name, arguments } => {
                vec![function(keyspace, name, arguments.clone())]
            }
            _ => Vec::new(),
        };
        Self { created, dropped }
    }

    /// Grants the creator all permissions on created resources, and revokes those on dropped ones.
    pub(crate) fn apply(self, context: &StatementContext<'_>) -> Result<()> {
        let node = context.node;
        if !node.settings.authentication {
            return Ok(());
        }
        if let Some(creator) = context.role() {
            for resource in &self.created {
                let roles = context.roles()?;
                change::grant(node, &roles, resource.applicable_permissions(), resource, creator)?;
            }
        }
        self.dropped.iter().try_for_each(|resource| change::revoke_all_on(node, resource))
    }
}

fn keyspace_resources(catalog: &Catalog, name: &str) -> Vec<Resource> {
    let mut all = vec![
        Resource::Keyspace(name.into()),
        Resource::AllTables(name.into()),
        Resource::FunctionsIn(name.into()),
    ];
    all.extend(resource::functions(catalog, name));
    if let Some(own) = catalog.keyspace(name) {
        let views = own.views.values().map(|view| &view.table);
        all.extend(own.tables.values().chain(views).map(|table| Resource::for_table(table)));
    }
    all
}
