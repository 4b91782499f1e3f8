//! LIST ROLES, LIST USERS and LIST PERMISSIONS.

use std::sync::Arc;

use cql::statement::role::{ListPermissions, ListRoles, Permission};
use cql::types::{Frozenness, NativeType, Type};

use super::check::AuthenticatedUser;
use super::permission::PermissionSet;
use super::resource::Resource;
use crate::error::{Error, Result};
use crate::result::{ResultColumn, ResultMessage, ResultSet};

const TEXT: Type = Type::Native(NativeType::Text);
const BOOLEAN: Type = Type::Native(NativeType::Boolean);

/// The value for roles that may connect from everywhere.
const EVERYWHERE: &[u8] = b"ALL";

/// Executes LIST ROLES and LIST USERS.
pub(super) fn list_roles(
    user: &AuthenticatedUser<'_>,
    statement: &ListRoles,
    runs: bool,
) -> Result<ResultMessage> {
    let of = statement.of.as_ref().map(|name| &*name.text);
    if let Some(name) = of.filter(|name| !user.roles.contains(name)) {
        return Err(Error::invalid(format!("<role {name}> doesn't exist")));
    }
    if !runs {
        return Ok(ResultMessage::Void);
    }
    let recursive = !statement.no_recursive && !statement.users;
    let sees_all = user.grants.permissions_on(&Resource::AllRoles).contains(Permission::Describe);
    let mut names: Vec<Box<str>> = match of {
        None if sees_all => user.roles.names().cloned().collect(),
        None => user.roles.member_roles(user.name, recursive),
        Some(name) if sees_all || user.grants.roles.iter().any(|own| &**own == name) => {
            user.roles.member_roles(name, recursive)
        }
        Some(name) => {
            let message = format!("You are not authorized to view roles granted to {name} ");
            return Err(Error::permission_denied(message));
        }
    };
    if names.is_empty() {
        return Ok(ResultMessage::Void);
    }
    names.sort_by(|a, b| a.encode_utf16().cmp(b.encode_utf16()));
    Ok(ResultMessage::Rows(if statement.users {
        user_rows(user, &names)
    } else {
        role_rows(user, &names)
    }))
}

fn user_rows(user: &AuthenticatedUser<'_>, names: &[Box<str>]) -> ResultSet {
    let columns = [("name", TEXT), ("super", BOOLEAN), ("datacenters", TEXT)];
    let mut rows = ResultSet::new(result_columns("users", columns.to_vec()));
    let can_login = |name: &str| user.roles.get(name).is_some_and(|role| role.can_login);
    for name in names.iter().filter(|name| can_login(name)) {
        rows.push(Some(name.as_bytes()));
        rows.push(Some(&[u8::from(user.roles.user_grants(name).is_superuser)]));
        rows.push(Some(EVERYWHERE));
        rows.end_row();
    }
    rows
}

fn role_rows(user: &AuthenticatedUser<'_>, names: &[Box<str>]) -> ResultSet {
    let options = Type::Map(Arc::new((TEXT, TEXT)), Frozenness::Yes);
    let columns = vec![
        ("role", TEXT),
        ("super", BOOLEAN),
        ("login", BOOLEAN),
        ("options", options),
        ("datacenters", TEXT),
    ];
    let mut rows = ResultSet::new(result_columns("roles", columns));
    for name in names {
        let role = user.roles.get(name).cloned().unwrap_or_default();
        rows.push(Some(name.as_bytes()));
        rows.push(Some(&[u8::from(role.is_superuser)]));
        rows.push(Some(&[u8::from(role.can_login)]));
        rows.push(Some(&[0; 4]));
        rows.push(Some(EVERYWHERE));
        rows.end_row();
    }
    rows
}

fn result_columns(name: &str, columns: Vec<(&str, Type)>) -> Arc<[ResultColumn]> {
    let column = |(own, ty): (&str, Type)| ResultColumn {
        keyspace: "system_auth".into(),
        table: name.into(),
        name: own.into(),
        ty,
    };
    columns.into_iter().map(column).collect()
}

/// Executes LIST PERMISSIONS.
pub(super) fn list_permissions(
    user: &AuthenticatedUser<'_>,
    statement: &ListPermissions,
    runs: bool,
) -> Result<ResultMessage> {
    let context = user.context;
    let catalog = &context.schema.catalog;
    let resource = statement.resource.as_ref();
    let resource = resource
        .map(|resource| Resource::from_statement(catalog, context.keyspace, &resource.kind))
        .transpose()?;
    if let Some(resource) = &resource
        && !resource.exists(catalog, |name| user.roles.contains(name))?
    {
        return Err(Error::invalid(format!("{resource} doesn't exist")));
    }
    let of = statement.of.as_ref().map(|name| &*name.text);
    if let Some(name) = of.filter(|name| !user.roles.contains(name)) {
        return Err(Error::invalid(format!("<role {name}> doesn't exist")));
    }
    if !runs {
        return Ok(ResultMessage::Void);
    }
    authorize(user, of)?;
    let resources: Option<Vec<String>> = resource.map(|resource| {
        let depth = if statement.no_recursive { 1 } else { usize::MAX };
        resource.chain().take(depth).map(|resource| resource.name()).collect()
    });
    let roles = of.map(|name| user.roles.member_roles(name, true));
    let named = PermissionSet::from_statement(&statement.permissions);
    let mut found: Vec<(&str, &str, PermissionSet)> = user
        .roles
        .permissions()
        .filter(|(role, ..)| {
            roles.as_ref().is_none_or(|roles| roles.iter().any(|own| &**own == *role))
        })
        .filter(|(_, resource, _)| {
            resources.as_ref().is_none_or(|resources| resources.iter().any(|own| own == resource))
        })
        .map(|(role, resource, set)| (role, resource, set.intersection(named)))
        .filter(|(.., set)| !set.is_empty())
        .collect();
    if found.is_empty() {
        return Ok(ResultMessage::Void);
    }
    found.sort_by(|a, b| {
        let roles = a.0.encode_utf16().cmp(b.0.encode_utf16());
        roles.then_with(|| a.1.encode_utf16().cmp(b.1.encode_utf16()))
    });
    let columns = ["role", "username", "resource", "permission"].map(|name| (name, TEXT));
    let mut rows = ResultSet::new(result_columns("permissions", columns.to_vec()));
    for (role, resource, set) in found {
        let shown = Resource::from_name(catalog, resource)
            .map_or_else(|| resource.to_owned(), |resource| resource.to_string());
        for name in set.names() {
            for value in [role, role, &shown, name] {
                rows.push(Some(value.as_bytes()));
            }
            rows.end_row();
        }
    }
    Ok(ResultMessage::Rows(rows))
}

/// Users other than superusers may list their own roles, and roles that they may describe.
fn authorize(user: &AuthenticatedUser<'_>, of: Option<&str>) -> Result<()> {
    let describes =
        |resource: &Resource| user.grants.permissions_on(resource).contains(Permission::Describe);
    let is_own = |name: &str| user.grants.roles.iter().any(|own| &**own == name);
    let may_see = user.grants.is_superuser
        || describes(&Resource::AllRoles)
        || of.is_some_and(|name| is_own(name) || describes(&Resource::Role(name.into())));
    if may_see {
        return Ok(());
    }
    let whose = of.unwrap_or("everyone");
    Err(Error::permission_denied(format!("You are not authorized to view {whose}'s permissions")))
}
