//! Grants and revocations as changes of the tables of `system_auth`: the permissions of roles, and
//! the index of roles by resource.

use super::permission::PermissionSet;
use super::resource::Resource;
use super::roles::Roles;
use super::store::{self, quote, run};
use crate::error::Result;
use crate::node::Node;

const PERMISSIONS: &str = "system_auth.role_permissions";
/// The table's name, misspelt as in the server.
const INDEX: &str = "system_auth.resource_role_permissons_index";

/// Grants permissions to a role, and returns those that it did not have.
pub(super) fn grant(
    node: &Node,
    roles: &Roles,
    permissions: PermissionSet,
    resource: &Resource,
    role: &str,
) -> Result<PermissionSet> {
    let name = resource.name();
    let new = permissions.difference(roles.role_permissions(role, &name));
    modify(node, '+', new, &name, role)?;
    Ok(new)
}

/// Revokes permissions from a role, and returns those that it had.
pub(super) fn revoke(
    node: &Node,
    roles: &Roles,
    permissions: PermissionSet,
    resource: &Resource,
    role: &str,
) -> Result<PermissionSet> {
    let name = resource.name();
    let lost = permissions.intersection(roles.role_permissions(role, &name));
    modify(node, '-', lost, &name, role)?;
    Ok(lost)
}

fn modify(node: &Node, sign: char, set: PermissionSet, resource: &str, role: &str) -> Result<()> {
    if set.is_empty() {
        return Ok(());
    }
    let names: Vec<_> = set.names().into_iter().map(quote).collect();
    let (names, resource, role) = (names.join(", "), quote(resource), quote(role));
    let update = format!(
        "UPDATE {PERMISSIONS} SET permissions = permissions {sign} {{{names}}} WHERE role = {role} AND resource = {resource}"
    );
    run(node, &update)?;
    let index = if sign == '+' {
        format!("INSERT INTO {INDEX} (resource, role) VALUES ({resource}, {role})")
    } else {
        // The server removes the role from the index even if it keeps other permissions.
        format!("DELETE FROM {INDEX} WHERE resource = {resource} AND role = {role}")
    };
    run(node, &index)
}

/// Revokes all permissions of a role.
pub(super) fn revoke_all_from(node: &Node, role: &str) -> Result<()> {
    let role = quote(role);
    let query = format!("SELECT resource FROM {PERMISSIONS} WHERE role = {role}");
    for row in store::query_rows(node, &query)?.iter() {
        let resource = quote(&store::decode_text(row.first().and_then(Option::as_ref)));
        run(node, &format!("DELETE FROM {INDEX} WHERE resource = {resource} AND role = {role}"))?;
    }
    run(node, &format!("DELETE FROM {PERMISSIONS} WHERE role = {role}"))
}

/// Revokes all permissions on a resource from all roles in the index.
pub(super) fn revoke_all_on(node: &Node, resource: &Resource) -> Result<()> {
    let name = quote(&resource.name());
    let query = format!("SELECT role FROM {INDEX} WHERE resource = {name}");
    for row in store::query_rows(node, &query)?.iter() {
        let role = quote(&store::decode_text(row.first().and_then(Option::as_ref)));
        run(node, &format!("DELETE FROM {PERMISSIONS} WHERE role = {role} AND resource = {name}"))?;
    }
    run(node, &format!("DELETE FROM {INDEX} WHERE resource = {name}"))
}
