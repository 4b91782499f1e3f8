//! LIST of roles, users and permissions.

use std::sync::Arc;

use cql::statement::role::{ListPermissions, ListRoles, Permission};
use cql::types::{Frozen, NativeType, Type};

use super::check::User;
use super::permission::PermissionSet;
use super::resource::Resource;
use crate::answer::{Outcome, ResultColumn, Rows};
use crate::error::{Error, Result};

const TEXT: Type = Type::Native(NativeType::Text);
const BOOLEAN: Type = Type::Native(NativeType::Boolean);

/// What the server writes for roles that may come from everywhere.
const EVERYWHERE: &[u8] = b"ALL";

/// Carries out LIST ROLES and LIST USERS.
pub(super) fn roles(user: &User<'_>, statement: &ListRoles, runs: bool) -> Result<Outcome> {
    let of = statement.of.as_ref().map(|name| &*name.text);
    if let Some(name) = of.filter(|name| !user.roles.exists(name)) {
        return Err(Error::invalid(format!("<role {name}> doesn't exist")));
    }
    if !runs {
        return Ok(Outcome::Void);
    }
    let recursive = !statement.no_recursive && !statement.users;
    let sees_all = user.grants.on(&Resource::AllRoles).contains(Permission::Describe);
    let mut names: Vec<Box<str>> = match of {
        None if sees_all => user.roles.names().cloned().collect(),
        None => user.roles.of(user.name, recursive),
        Some(name) if sees_all || user.grants.roles.iter().any(|own| &**own == name) => {
            user.roles.of(name, recursive)
        }
        Some(name) => {
            let message = format!("You are not authorized to view roles granted to {name} ");
            return Err(Error::unauthorized(message));
        }
    };
    if names.is_empty() {
        return Ok(Outcome::Void);
    }
    names.sort_by(|a, b| a.encode_utf16().cmp(b.encode_utf16()));
    Ok(Outcome::Rows(if statement.users { users(user, &names) } else { all(user, &names) }))
}

fn users(user: &User<'_>, names: &[Box<str>]) -> Rows {
    let columns = [("name", TEXT), ("super", BOOLEAN), ("datacenters", TEXT)];
    let mut rows = Rows::new(table("users", columns.to_vec()));
    let can_login = |name: &str| user.roles.get(name).is_some_and(|role| role.can_login);
    for name in names.iter().filter(|name| can_login(name)) {
        rows.push(Some(name.as_bytes()));
        rows.push(Some(&[u8::from(user.roles.user(name).is_superuser)]));
        rows.push(Some(EVERYWHERE));
        rows.end_row();
    }
    rows
}

fn all(user: &User<'_>, names: &[Box<str>]) -> Rows {
    let options = Type::Map(Arc::new((TEXT, TEXT)), Frozen::Yes);
    let columns = vec![
        ("role", TEXT),
        ("super", BOOLEAN),
        ("login", BOOLEAN),
        ("options", options),
        ("datacenters", TEXT),
    ];
    let mut rows = Rows::new(table("roles", columns));
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

fn table(name: &str, columns: Vec<(&str, Type)>) -> Arc<[ResultColumn]> {
    let column = |(own, ty): (&str, Type)| ResultColumn {
        keyspace: "system_auth".into(),
        table: name.into(),
        name: own.into(),
        ty,
    };
    columns.into_iter().map(column).collect()
}

/// Carries out LIST of permissions.
pub(super) fn permissions(
    user: &User<'_>,
    statement: &ListPermissions,
    runs: bool,
) -> Result<Outcome> {
    let context = user.context;
    let catalog = &context.schema.catalog;
    let resource = statement.resource.as_ref();
    let resource = resource
        .map(|resource| Resource::named(catalog, context.keyspace, &resource.kind))
        .transpose()?;
    if let Some(resource) = &resource
        && !resource.exists(catalog, |name| user.roles.exists(name))?
    {
        return Err(Error::invalid(format!("{resource} doesn't exist")));
    }
    let of = statement.of.as_ref().map(|name| &*name.text);
    if let Some(name) = of.filter(|name| !user.roles.exists(name)) {
        return Err(Error::invalid(format!("<role {name}> doesn't exist")));
    }
    if !runs {
        return Ok(Outcome::Void);
    }
    authorize(user, of)?;
    let wanted: Option<Vec<String>> = resource.map(|resource| {
        let depth = if statement.no_recursive { 1 } else { usize::MAX };
        resource.chain().take(depth).map(|one| one.name()).collect()
    });
    let roles = of.map(|name| user.roles.of(name, true));
    let named = PermissionSet::named(&statement.permissions);
    let mut found: Vec<(&str, &str, PermissionSet)> = user
        .roles
        .permissions()
        .filter(|(role, ..)| {
            roles.as_ref().is_none_or(|roles| roles.iter().any(|own| &**own == *role))
        })
        .filter(|(_, resource, _)| {
            wanted.as_ref().is_none_or(|wanted| wanted.iter().any(|own| own == resource))
        })
        .map(|(role, resource, set)| (role, resource, set.and(named)))
        .filter(|(.., set)| !set.is_empty())
        .collect();
    if found.is_empty() {
        return Ok(Outcome::Void);
    }
    found.sort_by(|a, b| {
        let roles = a.0.encode_utf16().cmp(b.0.encode_utf16());
        roles.then_with(|| a.1.encode_utf16().cmp(b.1.encode_utf16()))
    });
    let columns = ["role", "username", "resource", "permission"].map(|name| (name, TEXT));
    let mut rows = Rows::new(table("permissions", columns.to_vec()));
    for (role, resource, set) in found {
        let shown = Resource::stored(catalog, resource)
            .map_or_else(|| resource.to_owned(), |resource| resource.to_string());
        for name in set.names() {
            for value in [role, role, &shown, name] {
                rows.push(Some(value.as_bytes()));
            }
            rows.end_row();
        }
    }
    Ok(Outcome::Rows(rows))
}

/// Others than superusers see their own, and those of roles that they may describe.
fn authorize(user: &User<'_>, of: Option<&str>) -> Result<()> {
    let describes = |resource: &Resource| user.grants.on(resource).contains(Permission::Describe);
    let is_own = |name: &str| user.grants.roles.iter().any(|own| &**own == name);
    let may_see = user.grants.is_superuser
        || describes(&Resource::AllRoles)
        || of.is_some_and(|name| is_own(name) || describes(&Resource::Role(name.into())));
    if may_see {
        return Ok(());
    }
    let whose = of.unwrap_or("everyone");
    Err(Error::unauthorized(format!("You are not authorized to view {whose}'s permissions")))
}
