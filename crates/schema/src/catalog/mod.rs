//! [`Catalog`]: the whole schema as one value.
//!
//! It is built from schema statements and shared by reference. Objects are in `Arc`s, so that a
//! changed catalog shares what did not change.

mod apply;
mod change;
mod column;
mod difference;
mod function;
mod index;
mod keyspace;
mod name_map;
mod options;
mod system;
mod table;
mod view;

use std::collections::BTreeSet;
use std::sync::Arc;

pub use change::CatalogChange;
pub use column::{Column, ColumnKind, ColumnMask};
pub use difference::{list_changes, type_names};
pub use function::{UserAggregate, UserFunction};
pub use index::{Index, IndexClass, IndexPart};
pub use keyspace::{Keyspace, Replication};
pub use name_map::{NameMap, NamedObjects};
pub use options::{OptionMap, TableParams};
pub use system::TEST_KEYSPACE;
pub use table::{DroppedColumn, Table, TableFlags, Trigger};
pub use view::View;

/// All keyspaces.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Catalog {
    /// The keyspaces by name.
    pub keyspaces: NameMap<Arc<Keyspace>>,
    /// The names of the cluster's datacenters, to which replication is restricted; empty if the
    /// cluster is unknown.
    pub datacenters: BTreeSet<Box<str>>,
}

impl Catalog {
    /// The keyspace with that name.
    pub fn keyspace(&self, name: &str) -> Option<&Arc<Keyspace>> {
        self.keyspaces.get(name)
    }

    /// The table or view with that name; a view is read like a table.
    pub fn table(&self, keyspace: &str, name: &str) -> Option<&Arc<Table>> {
        let keyspace = self.keyspaces.get(keyspace)?;
        keyspace.tables.get(name).or_else(|| keyspace.views.get(name).map(|view| &view.table))
    }
}
