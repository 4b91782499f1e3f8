//! [`Schema`]: the catalog with the handles of its tables, and the transition to the next schema.
//!
//! A schema is an immutable value: a statement uses the one that was current when it started. A
//! change builds a new one, which shares the handles of all tables that did not change, and the
//! maps they are in: the cost of a change does not depend on the number of tables.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use byte_map::ByteMap;
use cql::{SchemaVersion, TableId};
use schema::catalog::{self, Catalog, Keyspace, NameMap, View};
use schema::ddl::CatalogChange;
use storage::{Layout, Store};

use super::handle::{self, TableHandle};
use super::system_table::is_computed;
use super::{index, name_id};

/// A schema and the handles of its tables.
#[derive(Debug, Default)]
pub(crate) struct Schema {
    /// The catalog that statements are bound to.
    pub catalog: Catalog,
    /// A new id for every change.
    pub version: SchemaVersion,
    /// The handles by keyspace and name.
    tables: NameMap<NameMap<Arc<TableHandle>>>,
    /// The handles by id.
    by_id: ByteMap<Arc<TableHandle>>,
    /// Cached rows of computed tables that depend on the schema alone.
    computed: Mutex<HashMap<TableId, Arc<storage::Memtable>>>,
}

impl Schema {
    /// The rows of a computed table that depends on the schema alone; they are computed once.
    pub(crate) fn cache_rows(
        &self,
        id: &TableId,
        make: impl FnOnce() -> storage::Memtable,
    ) -> Arc<storage::Memtable> {
        let mut computed = self.computed.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(computed.entry(*id).or_insert_with(|| make().into()))
    }

    /// The table with that id.
    pub(crate) fn table_by_id(&self, id: &TableId) -> Option<&Arc<TableHandle>> {
        self.by_id.get(&id.0)
    }

    /// The table or view with that name.
    pub(crate) fn table(&self, keyspace: &str, name: &str) -> Option<&Arc<TableHandle>> {
        self.tables.get(keyspace)?.get(name)
    }

    /// The handle of a table that a statement is bound to.
    pub(crate) fn handle(&self, table: &catalog::Table) -> Option<&Arc<TableHandle>> {
        self.table(&table.keyspace, &table.name)
    }

    /// All tables and views, by keyspace and name.
    pub(crate) fn tables(&self) -> impl Iterator<Item = &Arc<TableHandle>> {
        self.tables.values().flat_map(NameMap::values)
    }

    /// The schema of a new node.
    pub(crate) fn initial(version: SchemaVersion) -> SchemaTransition {
        let catalog = Catalog::with_system_tables();
        let mut transition = SchemaTransition::new(&Self::default(), catalog, version);
        for keyspace in transition.schema.catalog.clone().keyspaces.values() {
            transition.update_keyspace(keyspace, None);
        }
        transition
    }

    /// The same schema with another version.
    pub(crate) fn with_version(&self, version: SchemaVersion) -> Self {
        Self {
            catalog: self.catalog.clone(),
            version,
            tables: self.tables.clone(),
            by_id: self.by_id.clone(),
            computed: Mutex::default(),
        }
    }

    /// The schema with the tables by which tests control the node; `None` if a keyspace has their
    /// name.
    pub(crate) fn add_test_tables(&self) -> Option<SchemaTransition> {
        if self.catalog.keyspaces.contains_key(catalog::TEST_KEYSPACE) {
            return None;
        }
        let mut catalog = self.catalog.clone();
        catalog.add_test_tables();
        let mut transition = SchemaTransition::new(self, catalog, self.version);
        let added = transition.schema.catalog.keyspace(catalog::TEST_KEYSPACE).cloned()?;
        transition.update_keyspace(&added, None);
        Some(transition)
    }

    /// The schema after a change; `new_id` is the id of a table or view that it creates.
    pub(crate) fn apply_change(
        &self,
        change: CatalogChange,
        version: SchemaVersion,
        new_id: TableId,
    ) -> SchemaTransition {
        let scope = ChangeScope::new(&self.catalog, &change);
        let mut catalog = self.catalog.clone();
        catalog.apply(change);
        let mut transition = SchemaTransition::new(self, catalog, version);
        match scope {
            ChangeScope::Nothing => {}
            ChangeScope::Keyspace(name) => transition.change_keyspace(&name, new_id),
            ChangeScope::Tables(keyspace, names) => {
                if let Some(keyspace) = transition.schema.catalog.keyspace(&keyspace).cloned() {
                    for name in names {
                        transition.update_table(&keyspace, &name, Some(new_id));
                    }
                }
            }
        }
        transition
    }
}

/// The tables whose handles a change may affect.
enum ChangeScope {
    /// None.
    Nothing,
    /// All of a keyspace, which may be created, replaced or dropped.
    Keyspace(Box<str>),
    /// Some tables and views of a keyspace.
    Tables(Box<str>, Vec<Box<str>>),
}

impl ChangeScope {
    /// The scope of a change, in the catalog before it.
    fn new(catalog: &Catalog, change: &CatalogChange) -> Self {
        let with_views = |keyspace: &str, name: &str| {
            let own = catalog.keyspace(keyspace);
            let views = own.into_iter().flat_map(|own| own.views_of(name));
            let mut names: Vec<Box<str>> = vec![name.into()];
            names.extend(views.map(|view| view.table.name.clone()));
            Self::Tables(keyspace.into(), names)
        };
        match change {
            CatalogChange::Keyspace(keyspace) => Self::Keyspace(keyspace.name.clone()),
            CatalogChange::DropKeyspace(name) => Self::Keyspace(name.clone()),
            CatalogChange::Table(table) => with_views(&table.keyspace, &table.name),
            CatalogChange::DropTable { keyspace, name } => with_views(keyspace, name),
            CatalogChange::View(view) => Self::Tables(
                view.table.keyspace.clone(),
                vec![view.table.name.clone(), view.base_table.clone()],
            ),
            CatalogChange::DropView { keyspace, name } => {
                let own = catalog.keyspace(keyspace).and_then(|own| own.views.get(name));
                let base = own.map(|view| view.base_table.clone());
                let names = std::iter::once(name.clone()).chain(base).collect();
                Self::Tables(keyspace.clone(), names)
            }
            CatalogChange::Nothing
            | CatalogChange::Type(_)
            | CatalogChange::DropType { .. }
            | CatalogChange::Function(_)
            | CatalogChange::DropFunction { .. }
            | CatalogChange::Aggregate(_)
            | CatalogChange::DropAggregate { .. } => Self::Nothing,
        }
    }
}

/// A new schema, and the changes of the store that must precede it.
#[must_use]
pub(crate) struct SchemaTransition {
    schema: Schema,
    actions: Vec<StoreAction>,
}

enum StoreAction {
    /// Adds a new table.
    Add(TableId, Arc<storage::Memtable>),
    /// Changes the layout of a table.
    SetLayout(Arc<storage::Memtable>, Layout),
    /// Changes the layout of a table without clustering columns whose COMPACT STORAGE was dropped:
    /// the cells of its rows become static.
    MakeCellsStatic(Arc<storage::Memtable>, Layout),
    /// Removes a dropped table with its rows.
    Drop(TableId),
}

impl SchemaTransition {
    /// A schema with a new catalog and the handles of the old one.
    fn new(old: &Schema, catalog: Catalog, version: SchemaVersion) -> Self {
        let schema = Schema {
            catalog,
            version,
            tables: old.tables.clone(),
            by_id: old.by_id.clone(),
            computed: Mutex::default(),
        };
        Self { schema, actions: Vec::new() }
    }

    /// Updates the handles of a keyspace, which the catalog may no longer have.
    fn change_keyspace(&mut self, name: &str, new_id: TableId) {
        let keyspace = self.schema.catalog.keyspace(name).cloned();
        let known = self.schema.tables.get(name).cloned().unwrap_or_default();
        for (table, handle) in &known {
            if keyspace.as_ref().is_none_or(|keyspace| keyspace.table_or_view(table).is_none()) {
                self.remove_handle(name, handle);
            }
        }
        match keyspace {
            Some(keyspace) => self.update_keyspace(&keyspace, Some(new_id)),
            None => drop(self.schema.tables.remove(name)),
        }
    }

    fn update_keyspace(&mut self, keyspace: &Keyspace, new_id: Option<TableId>) {
        for name in keyspace.tables.keys().chain(keyspace.views.keys()) {
            self.update_table(keyspace, name, new_id);
        }
    }

    /// Updates the handle of a table or view of the catalog's keyspace, which may no longer have
    /// it. The old handle is reused if nothing changed.
    fn update_table(&mut self, keyspace: &Keyspace, name: &str, new_id: Option<TableId>) {
        let old = self.schema.table(&keyspace.name, name).cloned();
        let Some(definition) = keyspace.table_or_view(name) else {
            if let Some(old) = &old {
                self.remove_handle(&keyspace.name, old);
            }
            return;
        };
        let view = keyspace.views.get(name).filter(|_| !keyspace.tables.contains_key(name));
        let views = keyspace.views_of(name).map(|view| view.table.name.clone()).collect();
        let base = view.and_then(|view| keyspace.tables.get(&view.base_table));
        let strict_liveness =
            base.is_some_and(|base| base.primary_key().len() < definition.primary_key().len());
        let builder = TableHandleBuilder { definition, view, views, strict_liveness, new_id };
        let handle = builder.build(old.as_ref(), &mut self.actions);
        if !self.schema.tables.contains_key(&keyspace.name) {
            self.schema.tables.insert(&keyspace.name, NameMap::default());
        }
        if let Some(tables) = self.schema.tables.value_mut(&keyspace.name) {
            tables.insert(name, Arc::clone(&handle));
        }
        let id = handle.id;
        self.schema.by_id.insert(&id.0, handle);
    }

    fn remove_handle(&mut self, keyspace: &str, handle: &TableHandle) {
        if let Some(tables) = self.schema.tables.value_mut(keyspace) {
            tables.remove(&handle.definition.name);
        }
        self.schema.by_id.remove(&handle.id.0);
        self.actions.push(StoreAction::Drop(handle.id));
    }

    /// Applies the changes to the store and returns the new schema.
    pub(crate) fn apply_to(self, store: &Store) -> Schema {
        for action in self.actions {
            match action {
                StoreAction::Add(id, table) => store.add_table(id, table),
                StoreAction::SetLayout(table, layout) => table.set_layout(layout),
                StoreAction::MakeCellsStatic(table, layout) => {
                    table.rewrite(layout, handle::move_cells_to_static);
                }
                StoreAction::Drop(id) => store.drop_table(&id),
            }
        }
        self.schema
    }
}

/// Builds the handle of one table.
struct TableHandleBuilder<'a> {
    definition: &'a Arc<catalog::Table>,
    view: Option<&'a Arc<View>>,
    views: Vec<Box<str>>,
    strict_liveness: bool,
    new_id: Option<TableId>,
}

impl TableHandleBuilder<'_> {
    fn build(
        self,
        old: Option<&Arc<TableHandle>>,
        actions: &mut Vec<StoreAction>,
    ) -> Arc<TableHandle> {
        if let Some(old) = old
            && Arc::ptr_eq(&old.definition, self.definition)
            && old.views == self.views
        {
            return Arc::clone(old);
        }
        let handle::ColumnNumbering { layout, ids, unseen } =
            handle::number_columns(self.definition, old.map(|old| &**old));
        let id = old.map_or_else(|| self.table_id(), |old| old.id);
        let rows = if let Some(old) = old {
            let action =
                if old.definition.is_static_compact() && !self.definition.is_static_compact() {
                    StoreAction::MakeCellsStatic
                } else {
                    StoreAction::SetLayout
                };
            actions.push(action(Arc::clone(&old.rows), layout.clone()));
            Arc::clone(&old.rows)
        } else {
            let table = Arc::new(storage::Memtable::new(layout.clone()));
            actions.push(StoreAction::Add(id, Arc::clone(&table)));
            table
        };
        let keyspace = &*self.definition.keyspace;
        let mut handle = TableHandle {
            id,
            definition: Arc::clone(self.definition),
            view: self.view.cloned(),
            column_ids: ids,
            unseen_ids: unseen,
            layout: layout.into(),
            rows,
            is_computed: self.definition.is_virtual || is_computed(keyspace, &self.definition.name),
            metrics: old.map(|old| Arc::clone(&old.metrics)).unwrap_or_default(),
            indexes: Vec::new(),
            views: self.views,
            view_plans: OnceLock::new(),
            strict_liveness: self.strict_liveness,
        };
        handle.indexes = index::build_handles(&handle, old.map(|old| &**old));
        handle.into()
    }

    /// The id of a new table: that of WITH ID, the generated one or, for a system table, one
    /// derived from its name.
    fn table_id(&self) -> TableId {
        let explicit = self.definition.id.as_deref().and_then(parse_id);
        explicit.or(self.new_id).unwrap_or_else(|| {
            let name = [&*self.definition.keyspace, &*self.definition.name].concat();
            TableId(name_id::from_name(name.as_bytes()))
        })
    }
}

fn parse_id(text: &str) -> Option<TableId> {
    let digits: String = text.chars().filter(|c| *c != '-').collect();
    u128::from_str_radix(&digits, 16).ok().map(|id| TableId(id.to_be_bytes()))
}
