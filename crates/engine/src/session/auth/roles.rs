//! [`Roles`]: all roles with their permissions, read from the tables at one time.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, PoisonError, RwLock};

use cql::statement::role::Permission;

use super::permission::PermissionSet;
use super::resource::Resource;
use super::store;
use crate::error::Result;
use crate::node::Node;

/// A role.
#[derive(Clone, Debug, Default)]
pub(super) struct Role {
    pub(super) is_superuser: bool,
    pub(super) can_login: bool,
    pub(super) hash: Option<Box<str>>,
    pub(super) member_of: Vec<Box<str>>,
    /// Its permissions by the names of resources.
    pub(super) permissions: BTreeMap<Box<str>, PermissionSet>,
}

/// All roles by name.
#[derive(Debug, Default)]
pub(crate) struct Roles {
    by_name: BTreeMap<Box<str>, Role>,
    /// Permissions of roles that do not exist.
    stray: BTreeMap<Box<str>, BTreeMap<Box<str>, PermissionSet>>,
    users: RwLock<HashMap<Box<str>, Arc<Grants>>>,
}

/// The effective permissions of a user, from all roles that the user has.
#[derive(Debug, Default)]
pub(super) struct Grants {
    pub(super) is_superuser: bool,
    pub(super) roles: Vec<Box<str>>,
    permissions: HashMap<Box<str>, PermissionSet>,
}

/// The cached roles; they are read again after a write to one of their tables.
#[derive(Debug, Default)]
pub(crate) struct RoleCache(RwLock<Option<(u64, Arc<Roles>)>>);

impl RoleCache {
    /// The current roles.
    pub(crate) fn current(&self, node: &Node) -> Result<Arc<Roles>> {
        let writes = node.role_writes();
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        if let Some((read_at, roles)) = &*known
            && *read_at == writes
        {
            return Ok(Arc::clone(roles));
        }
        drop(known);
        let roles = Arc::new(read(node)?);
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        *known = Some((writes, Arc::clone(&roles)));
        Ok(roles)
    }
}

/// Reads the roles from their tables.
pub(crate) fn read(node: &Node) -> Result<Roles> {
    let mut roles: BTreeMap<Box<str>, Role> = BTreeMap::new();
    let query =
        "SELECT role, is_superuser, can_login, salted_hash, member_of FROM system_auth.roles";
    for row in store::query_rows(node, query)?.iter() {
        let [name, is_superuser, can_login, hash, member_of] = &row[..] else { continue };
        let role = Role {
            is_superuser: *is_superuser == Some(&[1]),
            can_login: *can_login == Some(&[1]),
            hash: hash.map(|hash| store::decode_text(Some(&hash))),
            member_of: store::decode_texts(member_of.as_ref()),
            permissions: BTreeMap::new(),
        };
        roles.insert(store::decode_text(name.as_ref()), role);
    }
    let mut stray: BTreeMap<Box<str>, BTreeMap<_, _>> = BTreeMap::new();
    let query = "SELECT role, resource, permissions FROM system_auth.role_permissions";
    for row in store::query_rows(node, query)?.iter() {
        let [name, resource, permissions] = &row[..] else { continue };
        let permissions = store::decode_texts(permissions.as_ref());
        let permissions = PermissionSet::from_names(permissions.iter().map(|name| &**name));
        let name = store::decode_text(name.as_ref());
        let own = match roles.get_mut(&name) {
            Some(role) => &mut role.permissions,
            None => stray.entry(name).or_default(),
        };
        own.insert(store::decode_text(resource.as_ref()), permissions);
    }
    Ok(Roles { by_name: roles, stray, users: RwLock::default() })
}

impl Roles {
    pub(super) fn get(&self, name: &str) -> Option<&Role> {
        self.by_name.get(name)
    }

    /// The name of a superuser.
    pub(crate) fn superuser(&self) -> Option<&str> {
        self.by_name.iter().find(|(_, role)| role.is_superuser).map(|(name, _)| &**name)
    }

    pub(super) fn contains(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &Box<str>> {
        self.by_name.keys()
    }

    /// All permissions: role, name of the resource, permissions.
    pub(super) fn permissions(&self) -> impl Iterator<Item = (&str, &str, PermissionSet)> {
        let own = self.by_name.iter().map(|(name, role)| (name, &role.permissions));
        own.chain(&self.stray).flat_map(|(name, permissions)| {
            permissions.iter().map(move |(resource, set)| (&**name, &**resource, *set))
        })
    }

    /// The permissions of a role on a resource.
    pub(super) fn role_permissions(&self, role: &str, resource: &str) -> PermissionSet {
        let own = self.by_name.get(role).map(|role| &role.permissions).or(self.stray.get(role));
        own.and_then(|own| own.get(resource)).copied().unwrap_or_default()
    }

    /// A role and the roles it is a member of, directly or transitively.
    pub(super) fn member_roles(&self, name: &str, recursive: bool) -> Vec<Box<str>> {
        let mut members: Vec<Box<str>> = Vec::new();
        let mut open: Vec<&str> = vec![name];
        while let Some(name) = open.pop() {
            let Some(role) = self.by_name.get(name) else { continue };
            if members.iter().any(|own| &**own == name) {
                continue;
            }
            if recursive || members.is_empty() {
                open.extend(role.member_of.iter().map(|own| &**own));
            }
            members.push(name.into());
        }
        members
    }

    /// The effective permissions of a user.
    pub(super) fn user_grants(&self, name: &str) -> Arc<Grants> {
        let known = self.users.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(grants) = known.get(name) {
            return Arc::clone(grants);
        }
        drop(known);
        let roles = self.member_roles(name, true);
        let mut grants = Grants::default();
        for role in roles.iter().filter_map(|name| self.by_name.get(name)) {
            grants.is_superuser |= role.is_superuser;
            for (resource, set) in &role.permissions {
                let own = grants.permissions.entry(resource.clone()).or_default();
                *own = own.union(*set);
            }
        }
        grants.roles = roles;
        let grants = Arc::new(grants);
        let mut known = self.users.write().unwrap_or_else(PoisonError::into_inner);
        known.insert(name.into(), Arc::clone(&grants));
        grants
    }
}

impl Grants {
    /// The permissions on the resource itself, without those on its parents.
    pub(super) fn permissions_on(&self, resource: &Resource) -> PermissionSet {
        if self.is_superuser {
            return resource.applicable_permissions();
        }
        if self.permissions.is_empty() {
            return PermissionSet::default();
        }
        self.permissions.get(&*resource.name()).copied().unwrap_or_default()
    }

    /// Whether a permission was granted on a resource or one of its parents. A grant on all
    /// keyspaces does not include system keyspaces.
    pub(super) fn has_permission(&self, permission: Permission, resource: &Resource) -> bool {
        let is_system = resource.is_system_data();
        resource
            .chain()
            .filter(|resource| {
                self.is_superuser || !is_system || *resource != Resource::AllKeyspaces
            })
            .any(|resource| self.permissions_on(&resource).contains(permission))
    }
}
