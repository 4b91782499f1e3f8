//! [`PermissionSet`]: a set of permissions.

use cql::statement::role::{Permission, Permissions};

/// All permissions with the server's names, in the server's order.
const ALL: [(Permission, &str); 10] = [
    (Permission::Create, "CREATE"),
    (Permission::Alter, "ALTER"),
    (Permission::Drop, "DROP"),
    (Permission::Select, "SELECT"),
    (Permission::Modify, "MODIFY"),
    (Permission::Authorize, "AUTHORIZE"),
    (Permission::Describe, "DESCRIBE"),
    (Permission::Execute, "EXECUTE"),
    (Permission::Unmask, "UNMASK"),
    (Permission::SelectMasked, "SELECT_MASKED"),
];

/// A set of permissions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PermissionSet(u16);

impl PermissionSet {
    pub(super) const fn new(permissions: &[Permission]) -> Self {
        let (mut bits, mut at) = (0, 0);
        while at < permissions.len() {
            bits |= 1 << permissions[at] as u16;
            at += 1;
        }
        Self(bits)
    }

    /// The permissions in a statement.
    pub(super) fn from_statement(permissions: &Permissions) -> Self {
        match permissions {
            Permissions::All => Self::new(&ALL.map(|(permission, _)| permission)),
            Permissions::List(list) => Self::new(list),
        }
    }

    /// The permissions with these names; unknown names are ignored.
    pub(super) fn from_names<'a>(names: impl Iterator<Item = &'a str>) -> Self {
        let bit = |name: &str| ALL.iter().find(|(_, own)| *own == name);
        let found = names.filter_map(bit).map(|(permission, _)| 1 << *permission as u16);
        Self(found.fold(0, |bits, bit: u16| bits | bit))
    }

    pub(super) fn contains(self, permission: Permission) -> bool {
        self.0 & (1 << permission as u16) != 0
    }

    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(super) fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(super) fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) fn difference(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The permissions, in the server's order.
    pub(super) fn iter(self) -> impl Iterator<Item = (Permission, &'static str)> {
        ALL.into_iter().filter(move |(permission, _)| self.contains(*permission))
    }

    /// The names of the permissions, in the server's order.
    pub(super) fn names(self) -> Vec<&'static str> {
        self.iter().map(|(_, name)| name).collect()
    }
}

/// The server's name of a permission.
pub(super) fn name(permission: Permission) -> &'static str {
    ALL.iter().find(|(own, _)| *own == permission).map_or("", |(_, name)| name)
}
