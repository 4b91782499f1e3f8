//! Roles and permissions: authentication and authorization. Without authentication everything is
//! permitted.
//!
//! Roles and permissions are stored in the tables of `system_auth`, written by statements as in the
//! server (`store`; `definition`, `grant`, `change`), and cached until one of these tables is
//! written (`roles`). Every statement is checked before it is executed (`check`, `calls`,
//! `schema_permission`); statements on roles and permissions (`list` and the above) check what they
//! need themselves. `resource` and `permission` are the types, `password` hashes passwords.

mod calls;
mod change;
mod check;
mod definition;
mod grant;
mod list;
mod password;
mod permission;
mod resource;
pub(crate) mod roles;
mod schema_permission;
mod store;
#[cfg(test)]
mod tests;

use std::sync::PoisonError;

use cql::ErrorCode;
use cql::statement::StatementKind;
use cql::statement::role::Permission;
use schema::bind::BoundKind;

use crate::error::{Error, Result};
use crate::node::Node;
use crate::result::ResultMessage;
use crate::session::context::StatementContext;

use check::AuthenticatedUser;
use resource::Resource;
use roles::RoleCache;
pub(crate) use schema_permission::ResourceChanges;

/// The superuser of a new database; its password is the same.
const SUPERUSER: &str = "cassandra";

/// Creates the default superuser if there are no roles.
pub(crate) fn set_up_default_role(node: &Node, roles: &RoleCache) -> Result<()> {
    if !node.settings.authentication || roles.current(node)?.names().next().is_some() {
        return Ok(());
    }
    let hash = password::hash(&*node.entropy, SUPERUSER)?;
    let insert = format!(
        "INSERT INTO system_auth.roles (role, is_superuser, can_login, salted_hash) VALUES ({}, true, true, {}) USING TIMESTAMP 0",
        store::quote(SUPERUSER),
        store::quote(&hash)
    );
    store::run(node, &insert)
}

/// Checks a login: the role exists, the password matches, and the role may log in.
pub(crate) fn login(node: &Node, roles: &RoleCache, name: &str, password: &str) -> Result<()> {
    let refuse = |message: String| Err(Error::new(ErrorCode::BadCredentials, message));
    let roles = roles.current(node)?;
    let role = roles.get(name);
    let hash = role.and_then(|role| role.hash.as_deref());
    let is_match = hash.is_some_and(|hash| password::is_match(password, hash));
    if hash.is_none() {
        password::spend_hash_time(password);
    }
    if !is_match {
        return refuse(format!("Provided username {name} and/or password are incorrect"));
    }
    if !role.is_some_and(|role| role.can_login) {
        return refuse(format!("{name} is not permitted to log in"));
    }
    Ok(())
}

/// Checks the permissions of a statement.
pub(crate) fn check(
    context: &StatementContext<'_>,
    statement: Option<&StatementKind>,
    bound: &BoundKind,
) -> Result<()> {
    if !context.is_checked() {
        return Ok(());
    }
    AuthenticatedUser::from_context(context)?.check(statement, bound)
}

/// Whether a statement is on roles, permissions or identities.
pub(crate) fn is_auth_statement(context: &StatementContext<'_>, statement: &StatementKind) -> bool {
    context.is_checked()
        && matches!(
            statement,
            StatementKind::Role(_)
                | StatementKind::DropRole(_)
                | StatementKind::ListRoles(_)
                | StatementKind::GrantRole(_)
                | StatementKind::GrantPermission(_)
                | StatementKind::ListPermissions(_)
                | StatementKind::AddIdentity(_)
                | StatementKind::DropIdentity(_)
        )
}

/// Executes a statement on roles, permissions or identities.
pub(crate) fn execute(
    context: &StatementContext<'_>,
    statement: &StatementKind,
) -> Result<ResultMessage> {
    // Serialised, so that each sees the effects of those before it.
    let changes = &context.node.role_changes;
    let _one_at_a_time = changes.lock().unwrap_or_else(PoisonError::into_inner);
    dispatch(&AuthenticatedUser::from_context(context)?, statement, true)
}

/// Checks such a statement on PREPARE.
pub(crate) fn validate(context: &StatementContext<'_>, statement: &StatementKind) -> Result<()> {
    dispatch(&AuthenticatedUser::from_context(context)?, statement, false).map(drop)
}

fn dispatch(
    user: &AuthenticatedUser<'_>,
    statement: &StatementKind,
    runs: bool,
) -> Result<ResultMessage> {
    let done = match statement {
        StatementKind::ListRoles(list) => return list::list_roles(user, list, runs),
        StatementKind::ListPermissions(list) => return list::list_permissions(user, list, runs),
        StatementKind::Role(definition) => definition::define(user, definition, runs),
        StatementKind::DropRole(drop) => definition::drop_role(user, drop, runs),
        StatementKind::GrantRole(grant) => grant::apply_role(user, grant, runs),
        StatementKind::GrantPermission(grant) => grant::apply_permissions(user, grant, runs),
        StatementKind::AddIdentity(add) => grant::add_identity(user, add, runs),
        StatementKind::DropIdentity(drop) => grant::drop_identity(user, drop, runs),
        _ => Err(Error::server("not a statement on roles or permissions")),
    };
    done.map(|()| ResultMessage::Void)
}

/// Whether the user sees the columns of a table without their masks.
pub(crate) fn can_unmask(context: &StatementContext<'_>, table: &schema::catalog::Table) -> bool {
    if !context.is_checked() {
        return true;
    }
    let allowed = |user: AuthenticatedUser<'_>| {
        user.grants.has_permission(Permission::Unmask, &Resource::for_table(table))
    };
    AuthenticatedUser::from_context(context).is_ok_and(allowed)
}

/// Whether the user is a superuser. The server itself is one, and everybody if authentication is
/// off.
pub(crate) fn is_superuser(context: &StatementContext<'_>) -> bool {
    !context.is_checked()
        || AuthenticatedUser::from_context(context).is_ok_and(|user| user.grants.is_superuser)
}
