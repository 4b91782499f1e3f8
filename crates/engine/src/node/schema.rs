//! [`Schema`]: the catalog with the handles of its tables, and the transition to the next schema.
//!
//! A schema is an immutable value: a statement uses the one that was current when it started. A
//! change builds a new one, which shares the handles of all tables that did not change.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use cql::{SchemaVersion, TableId};
use schema::catalog::{self, Catalog, View};
use schema::ddl::CatalogChange;
use storage::{Layout, Store};

use super::handle::{self, TableHandle};
use super::system_table::is_computed;
use super::{index, name_id};

type TableHandles = HashMap<Box<str>, Arc<TableHandle>>;

/// A schema and the handles of its tables.
#[derive(Debug, Default)]
pub(crate) struct Schema {
    /// The catalog that statements are bound to.
    pub catalog: Catalog,
    /// A new id for every change.
    pub version: SchemaVersion,
    tables: HashMap<Box<str>, TableHandles>,
    by_id: HashMap<TableId, Arc<TableHandle>>,
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
        self.by_id.get(id)
    }

    /// The table or view with that name.
    pub(crate) fn table(&self, keyspace: &str, name: &str) -> Option<&Arc<TableHandle>> {
        self.tables.get(keyspace)?.get(name)
    }

    /// The handle of a table that a statement is bound to.
    pub(crate) fn handle(&self, table: &catalog::Table) -> Option<&Arc<TableHandle>> {
        self.table(&table.keyspace, &table.name)
    }

    /// All tables and views, in no order.
    pub(crate) fn tables(&self) -> impl Iterator<Item = &Arc<TableHandle>> {
        self.tables.values().flat_map(HashMap::values)
    }

    /// The schema of a new node.
    pub(crate) fn initial(version: SchemaVersion) -> SchemaTransition {
        let catalog = Catalog::with_system_tables();
        SchemaTransition::new(catalog, version, &Self::default(), None)
    }

    /// The schema after a change; `new_id` is the id of a table or view that it creates.
    pub(crate) fn apply_change(
        &self,
        change: CatalogChange,
        version: SchemaVersion,
        new_id: TableId,
    ) -> SchemaTransition {
        let mut catalog = self.catalog.clone();
        catalog.apply(change);
        SchemaTransition::new(catalog, version, self, Some(new_id))
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
    /// Builds the handles of a catalog, reusing those of tables that did not change.
    fn new(
        catalog: Catalog,
        version: SchemaVersion,
        old: &Schema,
        new_id: Option<TableId>,
    ) -> Self {
        let mut actions = Vec::new();
        let mut tables: HashMap<Box<str>, TableHandles> =
            HashMap::with_capacity(catalog.keyspaces.len());
        for (name, keyspace) in &catalog.keyspaces {
            let unchanged =
                old.catalog.keyspaces.get(name).is_some_and(|own| Arc::ptr_eq(own, keyspace));
            if let Some(same) = old.tables.get(name).filter(|_| unchanged) {
                tables.insert(name.clone(), same.clone());
                continue;
            }
            let plain = keyspace.tables.values().map(|table| (table, None));
            let views = keyspace.views.values().map(|view| (&view.table, Some(view)));
            let handles = plain.chain(views).map(|(table, view)| {
                let views = keyspace.views_of(&table.name).map(|view| view.table.name.clone());
                let base = view.and_then(|view| keyspace.tables.get(&view.base_table));
                let strict_liveness =
                    base.is_some_and(|base| base.primary_key().len() < table.primary_key().len());
                let views = views.collect();
                let builder =
                    TableHandleBuilder { definition: table, view, views, strict_liveness, new_id };
                (table.name.clone(), builder.build(old.table(name, &table.name), &mut actions))
            });
            tables.insert(name.clone(), handles.collect());
        }
        let handles = tables.values().flat_map(HashMap::values);
        let by_id = handles.map(|handle| (handle.id, Arc::clone(handle))).collect();
        let schema = Schema { catalog, version, tables, by_id, computed: Mutex::default() };
        let is_dropped = |table: &&Arc<TableHandle>| {
            let current = schema.table(&table.definition.keyspace, &table.definition.name);
            current.is_none_or(|current| current.id != table.id)
        };
        actions.extend(old.tables().filter(is_dropped).map(|table| StoreAction::Drop(table.id)));
        Self { schema, actions }
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
            is_computed: is_computed(keyspace, &self.definition.name),
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
