//! GRANT, REVOKE and LIST of permissions, on a server without authentication.

use cql::QualifiedName;
use cql::statement::role::{
    GrantPermission, ListPermissions, Permission, Permissions, Resource, ResourceKind,
};
use cql::type_name::TypeName;

use super::BoundCommand;
use super::role::anonymous;
use crate::Result;
use crate::bind::context::Context;
use crate::bind::types;
use crate::refusal::{RoleReason, refuse};

/// Binds GRANT and REVOKE.
pub(super) fn bind_grant(cx: &Context<'_>, statement: &GrantPermission) -> Result<BoundCommand> {
    let resource = &statement.resource;
    check_resource(cx, resource)?;
    check_function_exists(cx, resource)?;
    if let Permissions::List(permissions) = &statement.permissions {
        check_applicable(permissions, resource)?;
    }
    let on_execution = match &resource.kind {
        ResourceKind::Table(name) => cx.keyspace_of(name).err(),
        _ => None,
    };
    Ok(BoundCommand { on_validation: Some(anonymous(cx.span).into()), on_execution })
}

/// Binds LIST of permissions.
pub(super) fn bind_list(cx: &Context<'_>, statement: &ListPermissions) -> Result<BoundCommand> {
    if let Some(resource) = &statement.resource {
        check_resource(cx, resource)?;
    }
    Ok(BoundCommand { on_validation: Some(anonymous(cx.span).into()), on_execution: None })
}

/// Checks what the server's grammar refuses in a resource.
fn check_resource(cx: &Context<'_>, resource: &Resource) -> Result<()> {
    match &resource.kind {
        ResourceKind::Function(name, arguments) => check_function(cx, name, arguments, resource),
        ResourceKind::Mbean(name) => check_object_name(name, resource, false),
        ResourceKind::Mbeans(name) => check_object_name(name, resource, true),
        _ => Ok(()),
    }
}

fn check_function(
    cx: &Context<'_>,
    name: &QualifiedName,
    arguments: &[TypeName],
    resource: &Resource,
) -> Result<()> {
    let Some(keyspace) = &name.keyspace else {
        return refuse(RoleReason::UnqualifiedFunction, name.span());
    };
    for argument in arguments {
        if cx.catalog.keyspace(&keyspace.text).is_none() {
            let span = resource.span;
            return refuse(
                RoleReason::UnknownKeyspace { keyspace: keyspace.text.to_string() },
                span,
            );
        }
        types::resolve(cx.catalog, &keyspace.text, argument)?;
    }
    Ok(())
}

/// GRANT and REVOKE look up the function while they are parsed, and fail if there is none. The
/// server's text contains the whole statement where this one has dots.
fn check_function_exists(cx: &Context<'_>, resource: &Resource) -> Result<()> {
    let ResourceKind::Function(name, arguments) = &resource.kind else { return Ok(()) };
    let Some(keyspace) = &name.keyspace else { return Ok(()) };
    // Not even whether the function exists is checked first.
    if &*keyspace.text == "system" {
        return refuse(RoleReason::NativeFunction, resource.span);
    }
    let mut wanted = Vec::with_capacity(arguments.len());
    for argument in arguments {
        wanted.push(types::resolve(cx.catalog, &keyspace.text, argument)?);
    }
    let own = cx.catalog.keyspace(&keyspace.text);
    if own.is_some_and(|own| own.has_function(&name.name.text, &wanted)) {
        return Ok(());
    }
    refuse(RoleReason::NoValuePresent, resource.span)
}

fn check_object_name(name: &str, resource: &Resource, plural: bool) -> Result<()> {
    let reason = if name.is_empty() {
        RoleReason::EmptyObjectName
    } else if name == "*:*" {
        RoleReason::AllObjects
    } else if !is_object_name(name) {
        RoleReason::ObjectName { name: name.to_owned() }
    } else if plural && !name.contains(['*', '?']) {
        RoleReason::PluralObject { name: name.to_owned() }
    } else {
        return Ok(());
    };
    refuse(reason, resource.span)
}

/// Whether a text is `domain:key=value,...`; an approximation of Java's rules.
fn is_object_name(name: &str) -> bool {
    let is_property = |property: &str| {
        property == "*" || property.split_once('=').is_some_and(|(key, _)| !key.is_empty())
    };
    name.split_once(':').is_some_and(|(_, properties)| properties.split(',').all(is_property))
}

/// Checks that one of the listed permissions applies to the resource.
fn check_applicable(permissions: &[Permission], resource: &Resource) -> Result<()> {
    let (class, applicable) = resource.kind.applicable_permissions();
    if permissions.iter().any(|permission| applicable.contains(permission)) {
        return Ok(());
    }
    refuse(RoleReason::NoPermission { class: class.to_string() }, resource.span)
}
