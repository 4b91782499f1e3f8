//! What differs between two catalogs, as the changes that clients are notified of.

use std::sync::Arc;

use cql::types::Type;
use cql::{ChangeKind, ChangeTarget, SchemaChange};

use super::{Catalog, Keyspace, NameMap, UserAggregate, UserFunction};

/// The changes from one catalog to another, each object after those that it needs, in the order of
/// Cassandra's notifications. What both share costs nothing.
pub fn list_changes(before: &Catalog, after: &Catalog) -> Vec<SchemaChange> {
    let mut list = ChangeList::default();
    let names = Difference::compare_maps(&before.keyspaces, &after.keyspaces);
    for keyspace in names.dropped {
        list.drop_keyspace(keyspace);
    }
    for keyspace in names.created {
        list.create_keyspace(keyspace);
    }
    for (old, new) in names.updated {
        list.update_keyspace(old, new);
    }
    list.0
}

impl UserFunction {
    /// Its name in a notification.
    pub fn change_target(&self) -> ChangeTarget {
        ChangeTarget::Function(self.name.clone(), type_names(&self.types()))
    }
}

impl UserAggregate {
    /// Its name in a notification.
    pub fn change_target(&self) -> ChangeTarget {
        ChangeTarget::Aggregate(self.name.clone(), type_names(&self.arguments))
    }
}

/// The names of the types of arguments, as notifications have them.
pub fn type_names(types: &[Type]) -> Vec<String> {
    types.iter().map(ToString::to_string).collect()
}

/// What differs between two versions of the objects of one kind.
struct Difference<'a, V> {
    dropped: Vec<&'a V>,
    created: Vec<&'a V>,
    /// Before and after.
    updated: Vec<(&'a V, &'a V)>,
}

impl<'a, V: PartialEq> Difference<'a, V> {
    fn compare_maps(before: &'a NameMap<Arc<V>>, after: &'a NameMap<Arc<V>>) -> Self {
        let dropped = before.iter().filter(|(name, _)| !after.contains_key(name));
        let mut difference = Self::new(dropped.map(|(_, object)| object));
        for (name, object) in after {
            difference.add(before.get(name), object);
        }
        difference
    }

    fn compare_lists(
        before: &'a [Arc<V>],
        after: &'a [Arc<V>],
        is_same: impl Fn(&V, &V) -> bool,
    ) -> Self {
        let find = |list: &'a [Arc<V>], wanted: &V| list.iter().find(|one| is_same(one, wanted));
        let mut difference =
            Self::new(before.iter().filter(|object| find(after, object).is_none()));
        for object in after {
            difference.add(find(before, object), object);
        }
        difference
    }

    fn new(dropped: impl Iterator<Item = &'a Arc<V>>) -> Self {
        let dropped = dropped.map(|object| &**object).collect();
        Self { dropped, created: Vec::new(), updated: Vec::new() }
    }

    fn add(&mut self, before: Option<&'a Arc<V>>, after: &'a Arc<V>) {
        match before {
            None => self.created.push(after),
            Some(before) if Arc::ptr_eq(before, after) || before == after => {}
            Some(before) => self.updated.push((before, after)),
        }
    }

    /// The dropped, created and updated objects as targets of notifications.
    fn targets(self, target: impl Fn(&V) -> ChangeTarget) -> [Vec<ChangeTarget>; 3] {
        [
            self.dropped.into_iter().map(&target).collect(),
            self.created.into_iter().map(&target).collect(),
            self.updated.into_iter().map(|(_, after)| target(after)).collect(),
        ]
    }
}

#[derive(Default)]
struct ChangeList(Vec<SchemaChange>);

impl ChangeList {
    fn push(&mut self, change: ChangeKind, keyspace: &Keyspace, target: ChangeTarget) {
        self.0.push(SchemaChange { change, keyspace: keyspace.name.clone(), target });
    }

    fn drop_keyspace(&mut self, keyspace: &Keyspace) {
        let empty = Keyspace::new(keyspace.name.clone(), keyspace.replication.clone());
        self.update_objects(keyspace, &empty);
        self.push(ChangeKind::Dropped, keyspace, ChangeTarget::Keyspace);
    }

    fn create_keyspace(&mut self, keyspace: &Keyspace) {
        self.push(ChangeKind::Created, keyspace, ChangeTarget::Keyspace);
        let empty = Keyspace::new(keyspace.name.clone(), keyspace.replication.clone());
        self.update_objects(&empty, keyspace);
    }

    fn update_keyspace(&mut self, before: &Keyspace, after: &Keyspace) {
        if before.replication != after.replication || before.durable_writes != after.durable_writes
        {
            self.push(ChangeKind::Updated, after, ChangeTarget::Keyspace);
        }
        self.update_objects(before, after);
    }

    fn update_objects(&mut self, before: &Keyspace, after: &Keyspace) {
        let types = Difference::compare_maps(&before.types, &after.types);
        let tables = Difference::compare_maps(&before.tables, &after.tables);
        let views = Difference::compare_maps(&before.views, &after.views);
        let functions =
            Difference::compare_lists(&before.functions, &after.functions, |one, other| {
                one.name == other.name && one.types() == other.types()
            });
        let aggregates =
            Difference::compare_lists(&before.aggregates, &after.aggregates, |one, other| {
                one.name == other.name && one.arguments == other.arguments
            });
        // Each after those that it may need.
        let mut kinds = [
            types.targets(|user_type| ChangeTarget::Type(user_type.name.clone())),
            tables.targets(|table| ChangeTarget::Table(table.name.clone())),
            views.targets(|view| ChangeTarget::Table(view.table.name.clone())),
            functions.targets(UserFunction::change_target),
            aggregates.targets(UserAggregate::change_target),
        ];
        for [dropped, ..] in kinds.iter_mut().rev() {
            self.extend(ChangeKind::Dropped, after, dropped);
        }
        for [_, created, _] in &mut kinds {
            self.extend(ChangeKind::Created, after, created);
        }
        for [.., updated] in &mut kinds {
            self.extend(ChangeKind::Updated, after, updated);
        }
    }

    fn extend(&mut self, change: ChangeKind, keyspace: &Keyspace, targets: &mut Vec<ChangeTarget>) {
        for target in targets.drain(..) {
            self.push(change, keyspace, target);
        }
    }
}
