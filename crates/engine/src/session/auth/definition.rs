//! CREATE, ALTER and DROP of roles and users.

use cql::ErrorCode;
use cql::statement::role::{DropRole, Permission, RoleDefinition, RoleOption};

use super::check::AuthenticatedUser;
use super::resource::Resource;
use super::store::{quote, run};
use super::{change, password, store};
use crate::error::{Error, Result};

/// The datacenter of the node.
const DATACENTER: &str = "datacenter1";

/// The options of a role, each given at most once.
#[derive(Default)]
struct RoleOptions<'a> {
    password: Option<&'a str>,
    hashed: Option<&'a str>,
    has_custom: bool,
    superuser: Option<bool>,
    login: Option<bool>,
    datacenters: Option<Vec<&'a str>>,
    cidrs: Option<Vec<&'a str>>,
}

impl<'a> RoleOptions<'a> {
    fn from_definition(definition: &'a RoleDefinition) -> Self {
        let mut options = Self::default();
        let names = |list: &'a [Box<str>]| list.iter().map(|name| &**name);
        for option in &definition.options {
            match option {
                RoleOption::Password(text) => options.password = Some(text),
                RoleOption::HashedPassword(text) => options.hashed = Some(text),
                RoleOption::Options(_) => options.has_custom = true,
                RoleOption::Superuser(value) => options.superuser = Some(*value),
                RoleOption::Login(value) => options.login = Some(*value),
                RoleOption::AllDatacenters => {
                    options.datacenters.get_or_insert_default();
                }
                RoleOption::Datacenters(list) => {
                    options.datacenters.get_or_insert_default().extend(names(list));
                }
                RoleOption::AllCidrs => {
                    options.cidrs.get_or_insert_default();
                }
                RoleOption::Cidrs(list) => {
                    options.cidrs.get_or_insert_default().extend(names(list));
                }
            }
        }
        if definition.user && !definition.alter {
            options.login = Some(true);
        }
        options
    }

    /// Whether there are only options on access from datacenters and addresses.
    fn has_no_property(&self) -> bool {
        self.password.or(self.hashed).is_none()
            && self.superuser.or(self.login).is_none()
            && !self.has_custom
    }

    fn validate(&self) -> Result<()> {
        if self.has_custom {
            let message = "org.apache.cassandra.auth.CassandraRoleManager doesn't support OPTIONS";
            return Err(Error::invalid(message));
        }
        if self.hashed.is_some_and(|text| !password::is_hash(text)) {
            let message = "Invalid hashed password value. Please use jBcrypt.";
            return Err(Error::invalid(message));
        }
        Ok(())
    }

    fn validate_access(&self) -> Result<()> {
        if let Some(names) = &self.datacenters
            && names.iter().any(|name| *name != DATACENTER)
        {
            let names = names.join(", ");
            return Err(Error::invalid(format!(
                "Invalid value(s) for DATACENTERS '[{names}]',All values must be valid datacenters"
            )));
        }
        if let Some(names) = self.cidrs.as_ref().filter(|names| !names.is_empty()) {
            let names = names.join(", ");
            return Err(Error::invalid(format!(
                "Invalid CIDR group(s): [{names}]. Available CIDR Groups are: []"
            )));
        }
        Ok(())
    }
}

impl AuthenticatedUser<'_> {
    /// Requires a permission on a role, with the server's shorter error text.
    pub(super) fn ensure_role(&self, permission: Permission, resource: &Resource) -> Result<()> {
        self.ensure_permission(permission, resource).map_err(|_| {
            Error::permission_denied(format!(
                "User {} does not have sufficient privileges to perform the requested operation",
                self.name
            ))
        })
    }
}

/// Executes CREATE and ALTER.
pub(super) fn define(
    user: &AuthenticatedUser<'_>,
    definition: &RoleDefinition,
    runs: bool,
) -> Result<()> {
    let options = RoleOptions::from_definition(definition);
    if definition.alter {
        alter(user, definition, &options, runs)
    } else {
        create(user, definition, &options, runs)
    }
}

fn create(
    user: &AuthenticatedUser<'_>,
    definition: &RoleDefinition,
    options: &RoleOptions<'_>,
    runs: bool,
) -> Result<()> {
    if runs {
        user.ensure_role(Permission::Create, &Resource::AllRoles)?;
        if options.superuser == Some(true) && !user.grants.is_superuser {
            let message = "Only superusers can create a role with superuser status";
            return Err(Error::permission_denied(message));
        }
    }
    let name = &*definition.name.text;
    options.validate()?;
    if name.is_empty() {
        return Err(Error::invalid("Role name can't be an empty string"));
    }
    options.validate_access()?;
    if user.roles.contains(name) {
        if definition.if_clause {
            return Ok(());
        }
        return Err(Error::invalid(format!("{name} already exists")));
    }
    if !runs {
        return Ok(());
    }
    let node = user.context.node;
    if !find_identities(user, name)?.is_empty() {
        return Err(Error::server(format!(
            "java.lang.IllegalStateException: Cannot create a role '{name}' when identities already exists for it"
        )));
    }
    let (column, value) = match new_password_hash(user, name, options)? {
        Some(hash) => (", salted_hash", format!(", {}", quote(&hash))),
        None => ("", String::new()),
    };
    let insert = format!(
        "INSERT INTO system_auth.roles (role, is_superuser, can_login{column}) VALUES ({}, {}, {}{value})",
        quote(name),
        options.superuser.unwrap_or(false),
        options.login.unwrap_or(false)
    );
    run(node, &insert)?;
    allow_all_cidrs(user, name)?;
    let resource = Resource::Role(name.into());
    let roles = user.context.roles()?;
    change::grant(node, &roles, resource.applicable_permissions(), &resource, user.name).map(drop)
}

/// Removes the CIDR groups of a role that may connect from everywhere.
fn allow_all_cidrs(user: &AuthenticatedUser<'_>, role: &str) -> Result<()> {
    let role = quote(role);
    let update =
        format!("UPDATE system_auth.cidr_permissions SET cidr_groups = {{}} WHERE role = {role}");
    run(user.context.node, &update)
}

/// The hash of a new password; when it was set is recorded.
fn new_password_hash(
    user: &AuthenticatedUser<'_>,
    role: &str,
    options: &RoleOptions<'_>,
) -> Result<Option<String>> {
    let node = user.context.node;
    let hash = match (options.hashed, options.password) {
        (Some(hash), _) => hash.to_owned(),
        (None, Some(password)) => password::hash(&*node.entropy, password)?,
        (None, None) => return Ok(None),
    };
    node.password_times.record(role, node.clock.now_micros());
    Ok(Some(hash))
}

/// Refuses to change a password soon after it was set, unless its hash is given.
fn check_password_time(
    user: &AuthenticatedUser<'_>,
    role: &str,
    options: &RoleOptions<'_>,
) -> Result<()> {
    let node = user.context.node;
    if options.password.is_none() || !node.password_times.is_recent(role, node.clock.now_micros()) {
        return Ok(());
    }
    let message = format!("Password for role {role} can only be changed every 5000ms.");
    Err(Error::new(ErrorCode::Overloaded, message))
}

fn alter(
    user: &AuthenticatedUser<'_>,
    definition: &RoleDefinition,
    options: &RoleOptions<'_>,
    runs: bool,
) -> Result<()> {
    let name = &*definition.name.text;
    if runs {
        authorize_alter(user, name, options)?;
    }
    options.validate()?;
    let has_access = options.datacenters.is_some() || options.cidrs.is_some();
    if options.has_no_property() && !has_access {
        return Err(Error::invalid("ALTER [ROLE|USER] can't be empty"));
    }
    options.validate_access()?;
    if !user.roles.contains(name) {
        if definition.if_clause {
            return Ok(());
        }
        return Err(Error::invalid(format!("Role {name} doesn't exist")));
    }
    if !runs {
        return Ok(());
    }
    check_password_time(user, name, options)?;
    let mut assignments = Vec::new();
    assignments.extend(options.login.map(|value| format!("can_login = {value}")));
    assignments.extend(options.superuser.map(|value| format!("is_superuser = {value}")));
    let hash = new_password_hash(user, name, options)?;
    assignments.extend(hash.map(|hash| format!("salted_hash = {}", quote(&hash))));
    if !assignments.is_empty() {
        let update = format!(
            "UPDATE system_auth.roles SET {} WHERE role = {}",
            assignments.join(", "),
            quote(name)
        );
        run(user.context.node, &update)?;
    }
    if options.datacenters.is_some() {
        let message = "ACCESS TO DATACENTERS operations not supported by AllowAllNetworkAuthorizer";
        return Err(Error::invalid(message));
    }
    if options.cidrs.is_some() {
        allow_all_cidrs(user, name)?;
    }
    Ok(())
}

fn authorize_alter(
    user: &AuthenticatedUser<'_>,
    name: &str,
    options: &RoleOptions<'_>,
) -> Result<()> {
    let refuse = |message: &str| Err(Error::permission_denied(message));
    let is_own = user.grants.roles.iter().any(|role| &**role == name);
    if options.superuser.is_some() && is_own {
        return refuse(
            "You aren't allowed to alter your own superuser status or that of a role granted to you",
        );
    }
    if user.grants.is_superuser {
        return Ok(());
    }
    if options.superuser.is_some() {
        return refuse("Only superusers are allowed to alter superuser status");
    }
    if options.datacenters.is_some() {
        return refuse("Only superusers are allowed to alter access to datacenters.");
    }
    if options.cidrs.is_some() {
        return refuse("Only superusers are allowed to alter access from CIDR groups.");
    }
    if user.name != name {
        return user.ensure_role(Permission::Alter, &Resource::Role(name.into()));
    }
    if options.login.is_some() {
        return refuse("You aren't allowed to alter LOGIN");
    }
    if options.has_custom {
        return refuse("You aren't allowed to alter OPTIONS");
    }
    Ok(())
}

/// Executes DROP.
pub(super) fn drop_role(
    user: &AuthenticatedUser<'_>,
    statement: &DropRole,
    runs: bool,
) -> Result<()> {
    let name = &*statement.name.text;
    let resource = Resource::Role(name.into());
    if runs {
        user.ensure_role(Permission::Drop, &resource)?;
        if user.roles.user_grants(name).is_superuser && !user.grants.is_superuser {
            let message = "Only superusers can drop a role with superuser status";
            return Err(Error::permission_denied(message));
        }
    }
    let exists = user.roles.contains(name);
    if !exists && !statement.if_exists {
        return Err(Error::invalid(format!("{name} doesn't exist")));
    }
    if name == user.name {
        return Err(Error::invalid("Cannot DROP primary role for current login"));
    }
    if !exists || !runs {
        return Ok(());
    }
    let node = user.context.node;
    let role = quote(name);
    run(node, &format!("DELETE FROM system_auth.roles WHERE role = {role}"))?;
    let query = format!("SELECT member FROM system_auth.role_members WHERE role = {role}");
    for row in store::query_rows(node, &query)?.iter() {
        let member = quote(&store::decode_text(row.first().and_then(Option::as_ref)));
        let update = format!(
            "UPDATE system_auth.roles SET member_of = member_of - {{{role}}} WHERE role = {member}"
        );
        run(node, &update)?;
    }
    run(node, &format!("DELETE FROM system_auth.role_members WHERE role = {role}"))?;
    for identity in find_identities(user, name)? {
        let identity = quote(&identity);
        run(
            node,
            &format!("DELETE FROM system_auth.identity_to_role WHERE identity = {identity}"),
        )?;
    }
    change::revoke_all_from(node, name)?;
    change::revoke_all_on(node, &resource)?;
    run(node, &format!("DELETE FROM system_auth.cidr_permissions WHERE role = {role}"))
}

fn find_identities(user: &AuthenticatedUser<'_>, role: &str) -> Result<Vec<Box<str>>> {
    let query = format!(
        "SELECT identity FROM system_auth.identity_to_role WHERE role = {} ALLOW FILTERING",
        quote(role)
    );
    let rows = store::query_rows(user.context.node, &query)?;
    Ok(rows.iter().map(|row| store::decode_text(row.first().and_then(Option::as_ref))).collect())
}
