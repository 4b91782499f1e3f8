//! Roles, users, identities and permissions.

use super::{Print, Printer};
use crate::name::Name;
use crate::statement::role::{
    AddIdentity, DropIdentity, DropRole, GrantPermission, GrantRole, ListPermissions, ListRoles,
    Permission, Permissions, Resource, ResourceKind, RoleDefinition, RoleOption,
};

impl Print for RoleDefinition {
    fn print(&self, printer: &mut Printer) {
        printer.text(if self.alter { "ALTER " } else { "CREATE " });
        printer.text(if self.user { "USER " } else { "ROLE " });
        let condition = if self.alter { "IF EXISTS " } else { "IF NOT EXISTS " };
        printer.text_if(self.if_clause, condition);
        if self.user {
            printer.plain_name(&self.name);
            self.options.iter().for_each(|option| user_option(printer, option));
            return;
        }
        printer.role_name(&self.name);
        for (i, option) in self.options.iter().enumerate() {
            printer.with_indent(Printer::clause);
            printer.text(if i == 0 { "WITH " } else { "AND " });
            printer.node(option);
        }
    }
}

/// An option of the old USER form.
fn user_option(printer: &mut Printer, option: &RoleOption) {
    let (word, password) = match option {
        RoleOption::Superuser(true) => return printer.text(" SUPERUSER"),
        RoleOption::Superuser(false) => return printer.text(" NOSUPERUSER"),
        RoleOption::Password(password) => (" WITH PASSWORD ", password),
        RoleOption::HashedPassword(password) => (" WITH HASHED PASSWORD ", password),
        _ => return,
    };
    printer.text(word);
    printer.string(password);
}

impl Print for RoleOption {
    fn print(&self, printer: &mut Printer) {
        match self {
            Self::Password(password) => {
                printer.text("PASSWORD = ");
                printer.string(password);
            }
            Self::HashedPassword(password) => {
                printer.text("HASHED PASSWORD = ");
                printer.string(password);
            }
            Self::Options(entries) => {
                printer.text("OPTIONS = ");
                printer.map(entries);
            }
            Self::Superuser(value) => {
                printer.text(if *value { "SUPERUSER = true" } else { "SUPERUSER = false" });
            }
            Self::Login(value) => {
                printer.text(if *value { "LOGIN = true" } else { "LOGIN = false" });
            }
            Self::AllDatacenters => printer.text("ACCESS TO ALL DATACENTERS"),
            Self::AllCidrs => printer.text("ACCESS FROM ALL CIDRS"),
            Self::Datacenters(names) | Self::Cidrs(names) => {
                let datacenters = matches!(self, Self::Datacenters(_));
                printer.text(if datacenters {
                    "ACCESS TO DATACENTERS {"
                } else {
                    "ACCESS FROM CIDRS {"
                });
                printer.strings(names);
                printer.text("}");
            }
        }
    }
}

impl Print for DropRole {
    fn print(&self, printer: &mut Printer) {
        printer.text(if self.user { "DROP USER " } else { "DROP ROLE " });
        printer.text_if(self.if_exists, "IF EXISTS ");
        if self.user { printer.plain_name(&self.name) } else { printer.role_name(&self.name) }
    }
}

fn role_scope(printer: &mut Printer, of: Option<&Name>, no_recursive: bool) {
    if let Some(role) = of {
        printer.text(" OF ");
        printer.role_name(role);
    }
    printer.text_if(no_recursive, " NORECURSIVE");
}

impl Print for ListRoles {
    fn print(&self, printer: &mut Printer) {
        printer.text(if self.users { "LIST USERS" } else { "LIST ROLES" });
        role_scope(printer, self.of.as_ref(), self.no_recursive);
    }
}

impl Print for GrantRole {
    fn print(&self, printer: &mut Printer) {
        printer.text(if self.revoke { "REVOKE " } else { "GRANT " });
        printer.role_name(&self.role);
        printer.text(if self.revoke { " FROM " } else { " TO " });
        printer.role_name(&self.grantee);
    }
}

impl Print for GrantPermission {
    fn print(&self, printer: &mut Printer) {
        printer.text(if self.revoke { "REVOKE " } else { "GRANT " });
        printer.node(&self.permissions);
        printer.text(" ON ");
        printer.node(&self.resource);
        printer.text(if self.revoke { " FROM " } else { " TO " });
        printer.role_name(&self.grantee);
    }
}

impl Print for ListPermissions {
    fn print(&self, printer: &mut Printer) {
        printer.text("LIST ");
        printer.node(&self.permissions);
        if let Some(resource) = &self.resource {
            printer.text(" ON ");
            printer.node(resource);
        }
        role_scope(printer, self.of.as_ref(), self.no_recursive);
    }
}

impl Print for Permissions {
    fn print(&self, printer: &mut Printer) {
        match self {
            Self::All => printer.text("ALL PERMISSIONS"),
            Self::List(permissions) => printer.list(permissions),
        }
    }
}

impl Print for Permission {
    fn print(&self, printer: &mut Printer) {
        printer.text(match self {
            Self::Create => "CREATE",
            Self::Alter => "ALTER",
            Self::Drop => "DROP",
            Self::Select => "SELECT",
            Self::Modify => "MODIFY",
            Self::Authorize => "AUTHORIZE",
            Self::Describe => "DESCRIBE",
            Self::Execute => "EXECUTE",
            Self::Unmask => "UNMASK",
            Self::SelectMasked => "SELECT_MASKED",
        });
    }
}

impl Print for Resource {
    fn print(&self, printer: &mut Printer) {
        let (word, name) = match &self.kind {
            ResourceKind::AllKeyspaces => ("ALL KEYSPACES", None),
            ResourceKind::AllRoles => ("ALL ROLES", None),
            ResourceKind::AllFunctions => ("ALL FUNCTIONS", None),
            ResourceKind::AllMbeans => ("ALL MBEANS", None),
            ResourceKind::Keyspace(name) => ("KEYSPACE ", Some(name)),
            ResourceKind::AllTables(name) => ("ALL TABLES IN KEYSPACE ", Some(name)),
            ResourceKind::FunctionsIn(name) => ("ALL FUNCTIONS IN KEYSPACE ", Some(name)),
            ResourceKind::Role(name) => {
                printer.text("ROLE ");
                return printer.role_name(name);
            }
            ResourceKind::Table(name) => {
                printer.text("TABLE ");
                return printer.node(name);
            }
            ResourceKind::Function(name, types) => {
                printer.text("FUNCTION ");
                printer.function(name);
                printer.text(" (");
                printer.list(types);
                return printer.text(")");
            }
            ResourceKind::Mbean(name) | ResourceKind::Mbeans(name) => {
                let plural = matches!(self.kind, ResourceKind::Mbeans(_));
                printer.text(if plural { "MBEANS " } else { "MBEAN " });
                return printer.string(name);
            }
        };
        printer.text(word);
        if let Some(name) = name {
            printer.node(name);
        }
    }
}

impl Print for AddIdentity {
    fn print(&self, printer: &mut Printer) {
        printer.text("ADD IDENTITY ");
        printer.text_if(self.if_not_exists, "IF NOT EXISTS ");
        printer.plain_name(&self.identity);
        printer.text(" TO ROLE ");
        printer.plain_name(&self.role);
    }
}

impl Print for DropIdentity {
    fn print(&self, printer: &mut Printer) {
        printer.text("DROP IDENTITY ");
        printer.text_if(self.if_exists, "IF EXISTS ");
        printer.plain_name(&self.identity);
    }
}
