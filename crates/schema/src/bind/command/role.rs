//! Roles, users and identities, as a server without authentication answers: nobody is logged in, so what is valid in
//! itself is not allowed.

use cql::statement::role::{RoleDefinition, RoleOption};
use cql::{ErrorCode, Name, Span};

use super::BoundCommand;
use crate::bind::context::invalid;
use crate::java::order::{sorted, string_hash};
use crate::{Refusal, Result};

/// The only datacenter of a single node with the simple snitch.
const DATACENTER: &str = "datacenter1";

/// The role that every server starts with.
const SUPERUSER: &str = "cassandra";

/// Nobody is logged in.
pub(super) fn anonymous(span: Span) -> Refusal {
    unauthorized("You have to be logged in and not anonymous to perform this request", span)
}

fn unauthorized(message: &str, span: Span) -> Refusal {
    Refusal::text("RO001", ErrorCode::Unauthorized, message, span)
}

/// A command that has nothing else to be refused.
pub(super) fn refuse_anonymous(span: Span) -> BoundCommand {
    BoundCommand::validated(Err(anonymous(span).into()))
}

/// Binds DROP ROLE. The role is looked up before anybody asks who is logged in.
pub(super) fn bind_drop(role: &Name, span: Span) -> BoundCommand {
    let on_execution = match &*role.text {
        "" => Some(invalid("RO002", "Key may not be empty", role.span)),
        SUPERUSER => {
            let message = "Only superusers can drop a role with superuser status";
            Some(unauthorized(message, role.span))
        }
        _ => None,
    };
    BoundCommand {
        on_validation: Some(anonymous(span).into()),
        on_execution: on_execution.map(Into::into),
    }
}

/// Binds CREATE and ALTER of roles and users.
pub(super) fn bind_definition(definition: &RoleDefinition, span: Span) -> Result<BoundCommand> {
    check_options(definition, span)?;
    Ok(BoundCommand {
        on_validation: Some(validate(definition, span).into()),
        on_execution: authorize(definition, span),
    })
}

/// The server's grammar refuses options that are given twice.
fn check_options(definition: &RoleDefinition, span: Span) -> Result<()> {
    let mut seen: Vec<&'static str> = Vec::new();
    for name in definition.options.iter().filter_map(property) {
        let message = match name {
            name if seen.contains(&name) => format!("Multiple definition for property '{name}'"),
            "PASSWORD" | "HASHED_PASSWORD" if seen.iter().any(|one| one.ends_with("PASSWORD")) => {
                "Options 'password' and 'hashed password' are mutually exclusive".to_owned()
            }
            _ => {
                seen.push(name);
                continue;
            }
        };
        return Err(Refusal::text("RO002", ErrorCode::Syntax, message, span).into());
    }
    Ok(())
}

/// The server's name of an option that is a property of a role.
fn property(option: &RoleOption) -> Option<&'static str> {
    match option {
        RoleOption::Password(_) => Some("PASSWORD"),
        RoleOption::HashedPassword(_) => Some("HASHED_PASSWORD"),
        RoleOption::Options(_) => Some("OPTIONS"),
        RoleOption::Superuser(_) => Some("SUPERUSER"),
        RoleOption::Login(_) => Some("LOGIN"),
        RoleOption::AllDatacenters
        | RoleOption::Datacenters(_)
        | RoleOption::AllCidrs
        | RoleOption::Cidrs(_) => None,
    }
}

/// What execution looks at first. Nobody is a superuser.
fn authorize(definition: &RoleDefinition, span: Span) -> Option<Box<Refusal>> {
    let superuser = definition.options.iter().find_map(|option| match option {
        RoleOption::Superuser(value) => Some(*value),
        _ => None,
    });
    let of_datacenters = |option: &RoleOption| {
        matches!(option, RoleOption::AllDatacenters | RoleOption::Datacenters(_))
    };
    let of_cidrs =
        |option: &RoleOption| matches!(option, RoleOption::AllCidrs | RoleOption::Cidrs(_));
    let message = match (definition.alter, superuser) {
        (false, Some(true)) => "Only superusers can create a role with superuser status",
        (true, Some(_)) => "Only superusers are allowed to alter superuser status",
        (true, None) if definition.options.iter().any(of_datacenters) => {
            "Only superusers are allowed to alter access to datacenters."
        }
        (true, None) if definition.options.iter().any(of_cidrs) => {
            "Only superusers are allowed to alter access from CIDR groups."
        }
        _ => return None,
    };
    Some(unauthorized(message, span).into())
}

fn validate(definition: &RoleDefinition, span: Span) -> Refusal {
    let unsupported = definition.options.iter().filter_map(property);
    let unsupported = unsupported.filter(|name| !matches!(*name, "SUPERUSER" | "LOGIN")).min();
    let message = if let Some(option) = unsupported {
        format!("org.apache.cassandra.auth.CassandraRoleManager doesn't support {option}")
    } else if definition.alter && definition.options.is_empty() {
        "ALTER [ROLE|USER] can't be empty".to_owned()
    } else if !definition.alter && definition.name.text.is_empty() {
        "Role name can't be an empty string".to_owned()
    } else if let Some(message) = check_access(definition) {
        message
    } else {
        return anonymous(span);
    };
    invalid("RO002", message, span)
}

fn check_access(definition: &RoleDefinition) -> Option<String> {
    let datacenters = definition.options.iter().find_map(|option| match option {
        RoleOption::Datacenters(names) if names.iter().any(|name| &**name != DATACENTER) => {
            Some(format!(
                "Invalid value(s) for DATACENTERS '{}',All values must be valid datacenters",
                list(names)
            ))
        }
        _ => None,
    });
    let cidrs = || {
        definition.options.iter().find_map(|option| match option {
            RoleOption::Cidrs(names) if !names.is_empty() => Some(format!(
                "Invalid CIDR group(s): {}. Available CIDR Groups are: []",
                list(names)
            )),
            _ => None,
        })
    };
    datacenters.or_else(cidrs)
}

/// A set of names as Java prints it.
fn list(names: &[Box<str>]) -> String {
    let mut seen = std::collections::HashSet::new();
    let names = names.iter().map(|name| &**name).filter(|name| seen.insert(*name));
    format!("[{}]", sorted(names, |name| string_hash(name)).join(", "))
}
