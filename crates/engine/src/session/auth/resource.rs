//! [`Resource`]: what permissions are granted on: data, roles, functions, and JMX beans.

use std::fmt;

use cql::statement::role::{Permission, ResourceKind};
use cql::types::{Type, parse_class};
use cql::{QualifiedName, type_name::TypeName};
use schema::bind::types;
use schema::catalog::{Catalog, Keyspace};

use super::permission::PermissionSet;
use crate::error::{Error, Result};

/// A resource.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Resource {
    AllKeyspaces,
    Keyspace(Box<str>),
    AllTables(Box<str>),
    Table(Box<str>, Box<str>),
    AllRoles,
    Role(Box<str>),
    AllFunctions,
    FunctionsIn(Box<str>),
    Function(Box<str>, Box<str>, Vec<Type>),
    AllMbeans,
    Mbean(Box<str>),
}

/// The prefixes of the names of the server's own beans.
const MBEAN_PREFIXES: [&str; 4] =
    ["org.apache.cassandra", "java.lang:", "java.util.logging:", "java.nio:"];

impl Resource {
    /// The resource in a statement.
    pub(super) fn from_statement(
        catalog: &Catalog,
        keyspace: Option<&str>,
        kind: &ResourceKind,
    ) -> Result<Self> {
        Ok(match kind {
            ResourceKind::AllKeyspaces => Self::AllKeyspaces,
            ResourceKind::Keyspace(name) => Self::Keyspace(name.text.clone()),
            ResourceKind::AllTables(name) => Self::AllTables(name.text.clone()),
            ResourceKind::Table(name) => Self::from_table_name(keyspace, name)?,
            ResourceKind::AllRoles => Self::AllRoles,
            ResourceKind::Role(name) => Self::Role(name.text.clone()),
            ResourceKind::AllFunctions => Self::AllFunctions,
            ResourceKind::FunctionsIn(name) => Self::FunctionsIn(name.text.clone()),
            ResourceKind::Function(name, arguments) => {
                let own = name.keyspace.as_ref().map(|own| &*own.text).unwrap_or_default();
                let types = resolve_types(catalog, own, arguments)?;
                Self::Function(own.into(), name.name.text.clone(), types)
            }
            ResourceKind::AllMbeans => Self::AllMbeans,
            ResourceKind::Mbean(name) | ResourceKind::Mbeans(name) => Self::Mbean(name.clone()),
        })
    }

    fn from_table_name(keyspace: Option<&str>, name: &QualifiedName) -> Result<Self> {
        let own = name.keyspace.as_ref().map(|own| &*own.text).or(keyspace);
        let own = own.ok_or_else(|| {
            Error::invalid(
                "No keyspace has been specified. USE a keyspace, or explicitly specify keyspace.tablename",
            )
        })?;
        Ok(Self::Table(own.into(), name.name.text.clone()))
    }

    pub(super) fn for_table(table: &schema::catalog::Table) -> Self {
        Self::Table(table.keyspace.clone(), table.name.clone())
    }

    /// The parent of the resource, if it has one.
    pub(super) fn parent(&self) -> Option<Self> {
        match self {
            Self::AllKeyspaces | Self::AllRoles | Self::AllFunctions | Self::AllMbeans => None,
            Self::Keyspace(_) => Some(Self::AllKeyspaces),
            Self::AllTables(keyspace) => Some(Self::Keyspace(keyspace.clone())),
            Self::Table(keyspace, _) => Some(Self::AllTables(keyspace.clone())),
            Self::Role(_) => Some(Self::AllRoles),
            Self::FunctionsIn(_) => Some(Self::AllFunctions),
            Self::Function(keyspace, ..) => Some(Self::FunctionsIn(keyspace.clone())),
            Self::Mbean(_) => Some(Self::AllMbeans),
        }
    }

    /// The resource and all of its parents.
    pub(super) fn chain(&self) -> impl Iterator<Item = Self> + use<> {
        std::iter::successors(Some(self.clone()), Self::parent)
    }

    /// The keyspace of a data resource.
    pub(super) fn data_keyspace(&self) -> Option<&str> {
        match self {
            Self::Keyspace(keyspace) | Self::AllTables(keyspace) | Self::Table(keyspace, _) => {
                Some(keyspace)
            }
            _ => None,
        }
    }

    /// Whether it is data of a system keyspace.
    pub(super) fn is_system_data(&self) -> bool {
        self.data_keyspace().is_some_and(|keyspace| {
            Keyspace::is_local_system(keyspace) || Keyspace::is_replicated_system(keyspace)
        })
    }

    /// The permissions that apply to it.
    pub(super) fn applicable_permissions(&self) -> PermissionSet {
        use Permission::{
            Alter, Authorize, Create, Describe, Drop, Execute, Modify, Select, SelectMasked, Unmask,
        };
        let of = |permissions: &[Permission]| PermissionSet::new(permissions);
        match self {
            Self::AllKeyspaces | Self::Keyspace(_) | Self::AllTables(_) => {
                of(&[Create, Alter, Drop, Select, Modify, Authorize, Unmask, SelectMasked])
            }
            Self::Table(..) => of(&[Alter, Drop, Select, Modify, Authorize, Unmask, SelectMasked]),
            Self::AllRoles => of(&[Create, Alter, Drop, Authorize, Describe]),
            Self::Role(_) => of(&[Alter, Drop, Authorize, Describe]),
            Self::AllFunctions | Self::FunctionsIn(_) => {
                of(&[Create, Alter, Drop, Authorize, Execute])
            }
            Self::Function(..) => of(&[Alter, Drop, Authorize, Execute]),
            Self::AllMbeans | Self::Mbean(_) => of(&[Authorize, Describe, Execute, Modify, Select]),
        }
    }

    /// Whether it exists; roles are checked by the caller.
    pub(super) fn exists(
        &self,
        catalog: &Catalog,
        has_role: impl Fn(&str) -> bool,
    ) -> Result<bool> {
        let keyspace = |name: &str| catalog.keyspace(name);
        if let Self::FunctionsIn(name) | Self::Function(name, ..) = self
            && &**name == "system"
        {
            let message = "Altering permissions on builtin functions is not supported";
            return Err(Error::invalid(message));
        }
        Ok(match self {
            Self::AllKeyspaces | Self::AllRoles | Self::AllFunctions | Self::AllMbeans => true,
            Self::Keyspace(name) | Self::AllTables(name) | Self::FunctionsIn(name) => {
                keyspace(name).is_some()
            }
            Self::Table(own, name) => catalog.table(own, name).is_some(),
            Self::Role(name) => has_role(name),
            Self::Function(own, name, types) => {
                keyspace(own).is_some_and(|own| own.has_function(name, types))
            }
            // The beans of a server vary at run time, so only the prefix is checked.
            Self::Mbean(name) => MBEAN_PREFIXES.iter().any(|start| name.starts_with(start)),
        })
    }

    /// The name under which it is stored.
    pub(super) fn name(&self) -> String {
        match self {
            Self::AllKeyspaces => "data".to_owned(),
            Self::Keyspace(keyspace) => format!("data/{keyspace}"),
            Self::AllTables(keyspace) => format!("data/{keyspace}/*"),
            Self::Table(keyspace, table) => format!("data/{keyspace}/{table}"),
            Self::AllRoles => "roles".to_owned(),
            Self::Role(role) => format!("roles/{role}"),
            Self::AllFunctions => "functions".to_owned(),
            Self::FunctionsIn(keyspace) => format!("functions/{keyspace}"),
            Self::Function(keyspace, name, types) => {
                let types: Vec<_> = types.iter().map(Type::class_name).collect();
                format!("functions/{keyspace}/{name}[{}]", types.join("^"))
            }
            Self::AllMbeans => "mbean".to_owned(),
            Self::Mbean(name) => format!("mbean/{name}"),
        }
    }

    /// The resource with a stored name.
    pub(super) fn from_name(catalog: &Catalog, name: &str) -> Option<Self> {
        let (root, rest) = match name.split_once('/') {
            Some((root, rest)) => (root, Some(rest)),
            None => (name, None),
        };
        Some(match (root, rest) {
            ("data", None) => Self::AllKeyspaces,
            ("data", Some(rest)) => match rest.split_once('/') {
                None => Self::Keyspace(rest.into()),
                Some((keyspace, "*")) => Self::AllTables(keyspace.into()),
                Some((keyspace, table)) => Self::Table(keyspace.into(), table.into()),
            },
            ("roles", None) => Self::AllRoles,
            ("roles", Some(role)) => Self::Role(role.into()),
            ("functions", None) => Self::AllFunctions,
            ("functions", Some(rest)) => match rest.split_once('/') {
                None => Self::FunctionsIn(rest.into()),
                Some((keyspace, signature)) => functions(catalog, keyspace)
                    .into_iter()
                    .find(|function| function.name() == name)
                    .or_else(|| parse_function(keyspace, signature))?,
            },
            ("mbean", None) => Self::AllMbeans,
            ("mbean", Some(bean)) => Self::Mbean(bean.into()),
            _ => return None,
        })
    }
}

/// A function that exists no longer, from its name and the classes of its arguments.
fn parse_function(keyspace: &str, signature: &str) -> Option<Resource> {
    let (name, classes) = signature.strip_suffix(']')?.split_once('[')?;
    let types = classes.split('^').filter(|class| !class.is_empty());
    let types = types.map(|class| Some(parse_class(class).ok()?.ty)).collect::<Option<_>>()?;
    Some(Resource::Function(keyspace.into(), name.into(), types))
}

/// The functions and aggregates of a keyspace.
pub(super) fn functions(catalog: &Catalog, keyspace: &str) -> Vec<Resource> {
    let Some(own) = catalog.keyspace(keyspace) else { return Vec::new() };
    let plain = own.functions.iter().map(|function| (&function.name, function.types()));
    let aggregates =
        own.aggregates.iter().map(|aggregate| (&aggregate.name, aggregate.arguments.clone()));
    plain
        .chain(aggregates)
        .map(|(name, types)| Resource::Function(keyspace.into(), name.clone(), types))
        .collect()
}

/// Resolves argument types as in function definitions.
pub(super) fn resolve_types(
    catalog: &Catalog,
    keyspace: &str,
    arguments: &[TypeName],
) -> Result<Vec<Type>> {
    arguments.iter().map(|name| Ok(types::resolve(catalog, keyspace, name)?)).collect()
}

impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AllKeyspaces => f.write_str("<all keyspaces>"),
            Self::Keyspace(keyspace) => write!(f, "<keyspace {keyspace}>"),
            Self::AllTables(keyspace) => write!(f, "<all tables in {keyspace}>"),
            Self::Table(keyspace, table) => write!(f, "<table {keyspace}.{table}>"),
            Self::AllRoles => f.write_str("<all roles>"),
            Self::Role(role) => write!(f, "<role {role}>"),
            Self::AllFunctions => f.write_str("<all functions>"),
            Self::FunctionsIn(keyspace) => write!(f, "<all functions in {keyspace}>"),
            Self::Function(keyspace, name, types) => {
                let types: Vec<_> = types.iter().map(ToString::to_string).collect();
                write!(f, "<function {keyspace}.{name}({})>", types.join(", "))
            }
            Self::AllMbeans => f.write_str("<all mbeans>"),
            Self::Mbean(name) => write!(f, "<mbean {name}>"),
        }
    }
}
