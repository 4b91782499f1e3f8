//! The permissions that a statement needs.

use std::sync::Arc;

use cql::QualifiedName;
use cql::statement::StatementKind;
use cql::statement::role::Permission;
use schema::bind::BoundKind;
use schema::bind::select::BoundSelect;
use schema::bind::write::BoundWrite;
use schema::catalog::{Keyspace, Table};

use super::permission;
use super::resource::{self, Resource};
use super::roles::{Grants, Roles};
use super::{calls, schema_permission};
use crate::error::{Error, Result};
use crate::session::context::StatementContext;

/// Tables of `system` that everybody may read, besides all of three keyspaces.
const READABLE: [&str; 5] = ["local", "peers", "peers_v2", "size_estimates", "table_estimates"];
const READABLE_KEYSPACES: [&str; 3] = ["system_schema", "system_traces", "system_virtual_schema"];

/// The user who executes a statement.
pub(super) struct AuthenticatedUser<'a> {
    pub(super) context: &'a StatementContext<'a>,
    pub(super) name: &'a str,
    pub(super) roles: Arc<Roles>,
    pub(super) grants: Arc<Grants>,
}

impl<'a> AuthenticatedUser<'a> {
    /// The user of a statement, who must be logged in.
    pub(super) fn from_context(context: &'a StatementContext<'a>) -> Result<Self> {
        let name =
            context.role().ok_or_else(|| Error::permission_denied("You have not logged in"))?;
        let roles = context.roles()?;
        let grants = roles.user_grants(name);
        Ok(Self { context, name, roles, grants })
    }

    /// Requires a permission on a resource or one of its parents.
    pub(super) fn ensure_permission(
        &self,
        permission: Permission,
        resource: &Resource,
    ) -> Result<()> {
        let is_native = matches!(
            resource, Resource::FunctionsIn(keyspace) | Resource::Function(keyspace, ..)
            if &**keyspace == "system"
        );
        if is_native || self.grants.has_permission(permission, resource) {
            return Ok(());
        }
        Err(Error::permission_denied(format!(
            "User {} has no {} permission on {resource} or any of its parents",
            self.name,
            permission::name(permission)
        )))
    }

    /// Requires a permission on data; system keyspaces are protected.
    pub(super) fn ensure_data(&self, permission: Permission, resource: &Resource) -> Result<()> {
        protect_system(permission, resource)?;
        if permission == Permission::Select && is_readable(resource) {
            return Ok(());
        }
        self.ensure_permission(permission, resource)
    }

    fn ensure_table(&self, permission: Permission, table: &Table) -> Result<()> {
        self.ensure_data(permission, &Resource::for_table(table))
    }

    /// Requires the permissions of a statement.
    pub(super) fn check(&self, statement: Option<&StatementKind>, bound: &BoundKind) -> Result<()> {
        match bound {
            BoundKind::Select(select) => self.check_select(select),
            BoundKind::Write(write) => self.check_write(write),
            BoundKind::Batch(batch) => {
                batch.statements.iter().try_for_each(|write| self.check_write(write))
            }
            BoundKind::Command(_) => match statement {
                Some(StatementKind::Truncate(truncate)) => {
                    let Some((keyspace, name)) = self.qualify(&truncate.table) else {
                        return Ok(());
                    };
                    self.ensure_data(Permission::Modify, &Resource::Table(keyspace, name))
                }
                // Statements on roles check their own permissions; the others need none.
                _ => Ok(()),
            },
            BoundKind::Unbound => {
                statement.map_or(Ok(()), |statement| schema_permission::check(self, statement))
            }
        }
    }

    fn check_select(&self, select: &BoundSelect) -> Result<()> {
        let table = &select.table;
        match self.base_table(table) {
            Some(base) if table.is_view => self.ensure_table(Permission::Select, base)?,
            _ => self.ensure_table(Permission::Select, table)?,
        }
        self.ensure_calls(&calls::collect_from_select(select))?;
        let masked =
            table.columns().iter().enumerate().filter(|(at, column)| {
                column.mask.is_some() && select.restrictions.is_restricted(*at)
            });
        let masked: Vec<&str> = masked.map(|(_, column)| &*column.name).collect();
        let own = Resource::for_table(table);
        let may_ask = masked.is_empty()
            || self.grants.has_permission(Permission::Unmask, &own)
            || self.grants.has_permission(Permission::SelectMasked, &own);
        if may_ask {
            return Ok(());
        }
        Err(Error::permission_denied(format!(
            "User {} has no UNMASK nor SELECT_MASKED permission on table {}.{}, cannot query masked columns [{}]",
            self.name,
            table.keyspace,
            table.name,
            masked.join(", ")
        )))
    }

    fn check_write(&self, write: &BoundWrite) -> Result<()> {
        let table = &write.table;
        self.ensure_table(Permission::Modify, table)?;
        if write.is_conditional() {
            self.ensure_table(Permission::Select, table)?;
        }
        if let Some(keyspace) = self.context.schema.catalog.keyspace(&table.keyspace) {
            let mut views = keyspace.views_of(&table.name).peekable();
            if views.peek().is_some() {
                self.ensure_table(Permission::Select, table)?;
            }
            for view in views {
                self.ensure_table(Permission::Modify, &view.table)?;
            }
        }
        self.ensure_calls(&calls::collect_from_write(write))
    }

    fn ensure_calls(&self, calls: &[Resource]) -> Result<()> {
        calls.iter().try_for_each(|function| self.ensure_permission(Permission::Execute, function))
    }

    /// The base table of a view.
    fn base_table(&self, view: &Table) -> Option<&Arc<Table>> {
        let keyspace = self.context.schema.catalog.keyspace(&view.keyspace)?;
        keyspace.tables.get(&keyspace.views.get(&view.name)?.base_table)
    }

    /// The keyspace and name of an object in a statement; `None` if no keyspace is in use.
    pub(super) fn qualify(&self, name: &QualifiedName) -> Option<(Box<str>, Box<str>)> {
        let keyspace = name.keyspace.as_ref().map(|keyspace| &*keyspace.text);
        Some((keyspace.or(self.context.keyspace)?.into(), name.name.text.clone()))
    }

    /// The functions and aggregates with a name.
    pub(super) fn functions(&self, keyspace: &str, name: &str) -> Vec<Resource> {
        let mut all = resource::functions(&self.context.schema.catalog, keyspace);
        all.retain(|function| matches!(function, Resource::Function(_, own, _) if &**own == name));
        all
    }
}

/// Refuses changes of system keyspaces.
fn protect_system(permission: Permission, resource: &Resource) -> Result<()> {
    let Some(keyspace) = resource.data_keyspace() else { return Ok(()) };
    if !matches!(permission, Permission::Create | Permission::Alter | Permission::Drop) {
        return Ok(());
    }
    if Keyspace::is_local_system(keyspace) {
        let message = format!("{keyspace} keyspace is not user-modifiable.");
        return Err(Error::permission_denied(message));
    }
    let alters_keyspace =
        permission == Permission::Alter && matches!(resource, Resource::Keyspace(_));
    if Keyspace::is_replicated_system(keyspace) && !alters_keyspace {
        let message = format!("Cannot {} {resource}", permission::name(permission));
        return Err(Error::permission_denied(message));
    }
    Ok(())
}

fn is_readable(resource: &Resource) -> bool {
    let Resource::Table(keyspace, name) = resource else { return false };
    READABLE_KEYSPACES.contains(&&**keyspace)
        || (&**keyspace == "system" && READABLE.contains(&&**name))
}
