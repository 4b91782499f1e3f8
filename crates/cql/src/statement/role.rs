//! Roles, users, identities and permissions.

use crate::name::{Name, QualifiedName};
use crate::span::Span;
use crate::term::Term;
use crate::type_name::TypeName;

/// `CREATE|ALTER ROLE|USER r [WITH ...]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoleDefinition {
    /// ALTER rather than CREATE.
    pub alter: bool,
    /// The old USER form: `WITH PASSWORD '...' SUPERUSER`, and a login by default.
    pub user: bool,
    /// `IF NOT EXISTS` (CREATE) or `IF EXISTS` (ALTER).
    pub if_clause: bool,
    /// The name of the role.
    pub name: Name,
    /// The options.
    pub options: Vec<RoleOption>,
}

/// One option of a role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RoleOption {
    /// `PASSWORD = '...'`
    Password(Box<str>),
    /// `HASHED PASSWORD = '...'`
    HashedPassword(Box<str>),
    /// `OPTIONS = {...}`
    Options(Vec<(Term, Term)>),
    /// `SUPERUSER = true`, or the bare word in the USER form.
    Superuser(bool),
    /// `LOGIN = true`
    Login(bool),
    /// `ACCESS TO ALL DATACENTERS`
    AllDatacenters,
    /// `ACCESS TO DATACENTERS {'a', 'b'}`
    Datacenters(Vec<Box<str>>),
    /// `ACCESS FROM ALL CIDRS`
    AllCidrs,
    /// `ACCESS FROM CIDRS {'a', 'b'}`
    Cidrs(Vec<Box<str>>),
}

/// `DROP ROLE|USER [IF EXISTS] r`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DropRole {
    /// The old USER form.
    pub user: bool,
    /// `IF EXISTS`
    pub if_exists: bool,
    /// The name of the role.
    pub name: Name,
}

/// `LIST ROLES [OF r] [NORECURSIVE]`, or `LIST USERS`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListRoles {
    /// `LIST USERS`
    pub users: bool,
    /// `OF r`
    pub of: Option<Name>,
    /// `NORECURSIVE`
    pub no_recursive: bool,
}

/// `GRANT r TO s`, `REVOKE r FROM s`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrantRole {
    /// REVOKE rather than GRANT.
    pub revoke: bool,
    /// The role that is granted.
    pub role: Name,
    /// The role that receives it.
    pub grantee: Name,
}

/// `GRANT p ON r TO s`, `REVOKE p ON r FROM s`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrantPermission {
    /// REVOKE rather than GRANT.
    pub revoke: bool,
    /// The permissions.
    pub permissions: Permissions,
    /// The resource of the permissions.
    pub resource: Resource,
    /// The role that receives them.
    pub grantee: Name,
}

/// `LIST p [ON r] [OF s] [NORECURSIVE]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListPermissions {
    /// The permissions.
    pub permissions: Permissions,
    /// The resource of the permissions.
    pub resource: Option<Resource>,
    /// The role that has them.
    pub of: Option<Name>,
    /// `NORECURSIVE`
    pub no_recursive: bool,
}

/// `ALL` or a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Permissions {
    /// `ALL [PERMISSIONS]`
    All,
    /// `SELECT, MODIFY`
    List(Vec<Permission>),
}

/// A permission.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Permission {
    /// CREATE
    Create,
    /// ALTER
    Alter,
    /// DROP
    Drop,
    /// SELECT
    Select,
    /// MODIFY
    Modify,
    /// AUTHORIZE
    Authorize,
    /// DESCRIBE
    Describe,
    /// EXECUTE
    Execute,
    /// UNMASK
    Unmask,
    /// `SELECT_MASKED`
    SelectMasked,
}

/// The resource of a permission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resource {
    /// The kind of resource.
    pub kind: ResourceKind,
    /// Its position in the source.
    pub span: Span,
}

/// The kinds of resources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResourceKind {
    /// `ALL KEYSPACES`
    AllKeyspaces,
    /// `KEYSPACE k`
    Keyspace(Name),
    /// `ALL TABLES IN KEYSPACE k`
    AllTables(Name),
    /// `[TABLE] t`
    Table(QualifiedName),
    /// `ALL ROLES`
    AllRoles,
    /// `ROLE r`
    Role(Name),
    /// `ALL FUNCTIONS`
    AllFunctions,
    /// `ALL FUNCTIONS IN KEYSPACE k`
    FunctionsIn(Name),
    /// `FUNCTION f(types)`
    Function(QualifiedName, Vec<TypeName>),
    /// `ALL MBEANS`
    AllMbeans,
    /// `MBEAN 'name'`
    Mbean(Box<str>),
    /// `MBEANS 'pattern'`
    Mbeans(Box<str>),
}

impl ResourceKind {
    /// The server's name for the kind of resource, and the permissions that apply to it.
    pub fn applicable_permissions(&self) -> (&'static str, &'static [Permission]) {
        use Permission::{
            Alter, Authorize, Create, Describe, Drop, Execute, Modify, Select, SelectMasked, Unmask,
        };
        match self {
            Self::AllKeyspaces | Self::Keyspace(_) | Self::AllTables(_) => (
                "DataResource",
                &[Create, Alter, Drop, Select, Modify, Authorize, Unmask, SelectMasked],
            ),
            Self::Table(_) => {
                ("DataResource", &[Alter, Drop, Select, Modify, Authorize, Unmask, SelectMasked])
            }
            Self::AllRoles => ("RoleResource", &[Create, Alter, Drop, Authorize, Describe]),
            Self::Role(_) => ("RoleResource", &[Alter, Drop, Authorize, Describe]),
            Self::AllFunctions | Self::FunctionsIn(_) => {
                ("FunctionResource", &[Create, Alter, Drop, Authorize, Execute])
            }
            Self::Function(..) => ("FunctionResource", &[Alter, Drop, Authorize, Execute]),
            Self::AllMbeans | Self::Mbean(_) | Self::Mbeans(_) => {
                ("JMXResource", &[Authorize, Describe, Execute, Modify, Select])
            }
        }
    }
}

/// `ADD IDENTITY [IF NOT EXISTS] 'i' TO ROLE 'r'`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddIdentity {
    /// `IF NOT EXISTS`
    pub if_not_exists: bool,
    /// The name of the identity.
    pub identity: Name,
    /// The name of the role.
    pub role: Name,
}

/// `DROP IDENTITY [IF EXISTS] 'i'`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DropIdentity {
    /// `IF EXISTS`
    pub if_exists: bool,
    /// The name of the identity.
    pub identity: Name,
}
