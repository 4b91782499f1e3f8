//! Roles, users and identities, on a server without authentication: nobody is logged in, so valid
//! statements are not permitted.

use cql::statement::role::{RoleDefinition, RoleOption};
use cql::{Name, Span};

use super::BoundCommand;
use crate::java::order::{sort_by_hash, string_hash};
use crate::refusal::{RoleReason, refuse};
use crate::{Refusal, Result};

/// The only datacenter of a single node with the simple snitch.
const DATACENTER: &str = "datacenter1";

/// The role that every server has at the start.
const SUPERUSER: &str = "cassandra";

/// The error for an anonymous user.
pub(super) fn anonymous(span: Span) -> Refusal {
    Refusal::new(RoleReason::Anonymous, span)
}

/// A command with no other errors.
pub(super) fn refuse_anonymous(span: Span) -> BoundCommand {
    BoundCommand::from_validation(Err(anonymous(span).into()))
}

/// Binds DROP ROLE. The role is looked up before the user is checked.
pub(super) fn bind_drop(role: &Name, span: Span) -> BoundCommand {
    let on_execution = match &*role.text {
        "" => Some(Refusal::new(RoleReason::EmptyKey, role.span)),
        SUPERUSER => Some(Refusal::new(RoleReason::DropSuperuser, role.span)),
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

/// Checks options that the server's grammar refuses when given twice.
fn check_options(definition: &RoleDefinition, span: Span) -> Result<()> {
    let mut seen: Vec<&'static str> = Vec::new();
    for name in definition.options.iter().filter_map(property) {
        let reason = match name {
            name if seen.contains(&name) => RoleReason::PropertyTwice { name },
            "PASSWORD" | "HASHED_PASSWORD"
                if seen.iter().any(|option| option.ends_with("PASSWORD")) =>
            {
                RoleReason::TwoPasswords
            }
            _ => {
                seen.push(name);
                continue;
            }
        };
        return refuse(reason, span);
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

/// The first check of the execution. Nobody is a superuser.
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
    let reason = match (definition.alter, superuser) {
        (false, Some(true)) => RoleReason::CreateSuperuser,
        (true, Some(_)) => RoleReason::AlterSuperuser,
        (true, None) if definition.options.iter().any(of_datacenters) => {
            RoleReason::AlterDatacenters
        }
        (true, None) if definition.options.iter().any(of_cidrs) => RoleReason::AlterCidrs,
        _ => return None,
    };
    Some(Refusal::new(reason, span).into())
}

fn validate(definition: &RoleDefinition, span: Span) -> Refusal {
    let unsupported = definition.options.iter().filter_map(property);
    let unsupported = unsupported.filter(|name| !matches!(*name, "SUPERUSER" | "LOGIN")).min();
    let reason = if let Some(option) = unsupported {
        RoleReason::UnsupportedOption { option }
    } else if definition.alter && definition.options.is_empty() {
        RoleReason::EmptyAlter
    } else if !definition.alter && definition.name.text.is_empty() {
        RoleReason::EmptyName
    } else if let Some(reason) = check_access(definition) {
        reason
    } else {
        return anonymous(span);
    };
    Refusal::new(reason, span)
}

fn check_access(definition: &RoleDefinition) -> Option<RoleReason> {
    let datacenters = definition.options.iter().find_map(|option| match option {
        RoleOption::Datacenters(names) if names.iter().any(|name| &**name != DATACENTER) => {
            Some(RoleReason::UnknownDatacenters { names: list(names) })
        }
        _ => None,
    });
    let cidrs = || {
        definition.options.iter().find_map(|option| match option {
            RoleOption::Cidrs(names) if !names.is_empty() => {
                Some(RoleReason::UnknownCidrs { names: list(names) })
            }
            _ => None,
        })
    };
    datacenters.or_else(cidrs)
}

/// A set of names in Java's format.
fn list(names: &[Box<str>]) -> String {
    let mut seen = std::collections::HashSet::new();
    let names = names.iter().map(|name| &**name).filter(|name| seen.insert(*name));
    format!("[{}]", sort_by_hash(names, |name| string_hash(name)).join(", "))
}
