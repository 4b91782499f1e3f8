//! GRANT and REVOKE of roles and permissions, and identities.

use cql::statement::role::{
    AddIdentity, DropIdentity, GrantPermission, GrantRole, Permission, Permissions,
};

use super::change;
use super::check::AuthenticatedUser;
use super::permission::PermissionSet;
use super::resource::Resource;
use super::store::{self, quote, run};
use crate::error::{Error, Result};

/// Executes GRANT and REVOKE of a role.
pub(super) fn apply_role(
    user: &AuthenticatedUser<'_>,
    statement: &GrantRole,
    runs: bool,
) -> Result<()> {
    let (role, grantee) = (&*statement.role.text, &*statement.grantee.text);
    if runs {
        user.ensure_role(Permission::Authorize, &Resource::Role(role.into()))?;
    }
    for name in [role, grantee] {
        if !user.roles.contains(name) {
            return Err(Error::invalid(format!("{name} doesn't exist")));
        }
    }
    if !runs {
        return Ok(());
    }
    let has = |who: &str, what: &str, recursive| {
        user.roles.member_roles(who, recursive).iter().any(|name| &**name == what)
    };
    let refuse = |text: String| Err(Error::invalid(text));
    let node = user.context.node;
    let (quoted_role, quoted_grantee) = (quote(role), quote(grantee));
    let sign = if statement.revoke { '-' } else { '+' };
    if statement.revoke {
        if !has(grantee, role, false) {
            return refuse(format!("{grantee} is not a member of {role}"));
        }
    } else if has(grantee, role, true) {
        return refuse(format!("{grantee} is a member of {role}"));
    } else if has(role, grantee, true) {
        return refuse(format!("{role} is a member of {grantee}"));
    }
    let update = format!(
        "UPDATE system_auth.roles SET member_of = member_of {sign} {{{quoted_role}}} WHERE role = {quoted_grantee}"
    );
    run(node, &update)?;
    let members = if statement.revoke {
        format!(
            "DELETE FROM system_auth.role_members WHERE role = {quoted_role} AND member = {quoted_grantee}"
        )
    } else {
        format!(
            "INSERT INTO system_auth.role_members (role, member) VALUES ({quoted_role}, {quoted_grantee})"
        )
    };
    run(node, &members)
}

/// Executes GRANT and REVOKE of permissions.
pub(super) fn apply_permissions(
    user: &AuthenticatedUser<'_>,
    statement: &GrantPermission,
    runs: bool,
) -> Result<()> {
    let context = user.context;
    let catalog = &context.schema.catalog;
    let resource = Resource::from_statement(catalog, context.keyspace, &statement.resource.kind)?;
    let permissions = PermissionSet::from_statement(&statement.permissions)
        .intersection(resource.applicable_permissions());
    if runs {
        user.ensure_permission(Permission::Authorize, &resource)?;
        for (permission, _) in permissions.iter() {
            user.ensure_permission(permission, &resource)?;
        }
    }
    let grantee = &*statement.grantee.text;
    if !user.roles.contains(grantee) {
        return Err(Error::invalid(format!("Role {grantee} doesn't exist")));
    }
    if !resource.exists(catalog, |name| user.roles.contains(name))? {
        return Err(Error::invalid(format!("Resource {resource} doesn't exist")));
    }
    if !statement.revoke {
        check_system(user, &resource, permissions)?;
    }
    if !runs {
        return Ok(());
    }
    let (done, failed) = if statement.revoke {
        let done = change::revoke(context.node, &user.roles, permissions, &resource, grantee)?;
        (done, "was not granted")
    } else {
        let done = change::grant(context.node, &user.roles, permissions, &resource, grantee)?;
        (done, "was already granted")
    };
    let left = permissions.difference(done);
    let every = PermissionSet::from_statement(&Permissions::All);
    if !left.is_empty() && permissions != every {
        let left = left.names().join(", ");
        context.warn(format!("Role '{grantee}' {failed} {left} on {resource}"));
    }
    Ok(())
}

/// Refuses all but two permissions on system tables.
fn check_system(
    user: &AuthenticatedUser<'_>,
    resource: &Resource,
    permissions: PermissionSet,
) -> Result<()> {
    let keyspace = resource.data_keyspace().filter(|_| resource.is_system_data());
    let keyspace = keyspace.and_then(|name| user.context.schema.catalog.keyspace(name));
    let allowed = PermissionSet::new(&[Permission::Select, Permission::Alter]);
    if keyspace.is_some_and(|own| !own.is_virtual) && !permissions.difference(allowed).is_empty() {
        return Err(Error::permission_denied(
            "Granting permissions on system keyspaces is strictly limited, this operation is not permitted",
        ));
    }
    Ok(())
}

/// Executes ADD IDENTITY.
pub(super) fn add_identity(
    user: &AuthenticatedUser<'_>,
    statement: &AddIdentity,
    runs: bool,
) -> Result<()> {
    let (identity, role) = (&*statement.identity.text, &*statement.role.text);
    if runs {
        user.ensure_role(Permission::Create, &Resource::Role(user.name.into()))?;
    }
    if !user.roles.contains(role) {
        let message = format!("Can not add identity for non-existent role '{role}'");
        return Err(Error::invalid(message));
    }
    if identity_exists(user, identity)? {
        if statement.if_not_exists {
            return Ok(());
        }
        return Err(Error::invalid(format!("{identity} already exists")));
    }
    if !runs {
        return Ok(());
    }
    let insert = format!(
        "INSERT INTO system_auth.identity_to_role (identity, role) VALUES ({}, {})",
        quote(identity),
        quote(role)
    );
    run(user.context.node, &insert)
}

/// Executes DROP IDENTITY.
pub(super) fn drop_identity(
    user: &AuthenticatedUser<'_>,
    statement: &DropIdentity,
    runs: bool,
) -> Result<()> {
    let identity = &*statement.identity.text;
    if runs {
        user.ensure_role(Permission::Drop, &Resource::Role(user.name.into()))?;
    }
    if !identity_exists(user, identity)? {
        if statement.if_exists {
            return Ok(());
        }
        return Err(Error::invalid(format!("identity '{identity}' doesn't exist")));
    }
    if !runs {
        return Ok(());
    }
    let identity = quote(identity);
    let delete = format!("DELETE FROM system_auth.identity_to_role WHERE identity = {identity}");
    run(user.context.node, &delete)
}

fn identity_exists(user: &AuthenticatedUser<'_>, identity: &str) -> Result<bool> {
    // A key cannot be empty.
    if identity.is_empty() {
        return Ok(false);
    }
    let identity = quote(identity);
    let query =
        format!("SELECT identity FROM system_auth.identity_to_role WHERE identity = {identity}");
    Ok(store::query_rows(user.context.node, &query)?.count > 0)
}
