//! The application of a [`CatalogChange`].

use std::sync::Arc;

use super::CatalogChange;
use super::{Catalog, Keyspace};

impl Catalog {
    /// Applies a change. A change of an object whose keyspace does not exist has no effect.
    pub fn apply(&mut self, change: CatalogChange) {
        match change {
            CatalogChange::Nothing => {}
            CatalogChange::Keyspace(keyspace) => {
                self.keyspaces.insert(keyspace.name.clone(), keyspace);
            }
            CatalogChange::DropKeyspace(name) => {
                self.keyspaces.remove(&name);
            }
            CatalogChange::Table(table) => {
                self.update(&table.keyspace.clone(), |keyspace| {
                    keyspace.put_table(Arc::unwrap_or_clone(table));
                });
            }
            CatalogChange::DropTable { keyspace, name } => self.update(&keyspace, |keyspace| {
                keyspace.remove_table(&name);
            }),
            CatalogChange::Type(user_type) => {
                self.update(&user_type.keyspace.clone(), |keyspace| {
                    keyspace.types.insert(user_type.name.clone(), user_type);
                });
            }
            CatalogChange::DropType { keyspace, name } => self.update(&keyspace, |keyspace| {
                keyspace.types.remove(&name);
            }),
            CatalogChange::View(view) => {
                self.update(&view.table.keyspace.clone(), |keyspace| {
                    keyspace.views.insert(view.table.name.clone(), view);
                });
            }
            CatalogChange::DropView { keyspace, name } => self.update(&keyspace, |keyspace| {
                keyspace.views.remove(&name);
            }),
            CatalogChange::Function(function) => {
                self.update(&function.keyspace.clone(), |keyspace| {
                    keyspace
                        .functions
                        .retain(|own| own.name != function.name || own.types() != function.types());
                    // The server keeps the overloads of a name together.
                    let last = keyspace.functions.iter().rposition(|own| own.name == function.name);
                    let at = last.map_or(keyspace.functions.len(), |last| last + 1);
                    keyspace.functions.insert(at, function);
                });
            }
            CatalogChange::DropFunction { keyspace, name, arguments } => {
                self.update(&keyspace, |keyspace| {
                    keyspace.functions.retain(|own| own.name != name || own.types() != arguments);
                });
            }
            CatalogChange::Aggregate(aggregate) => {
                self.update(&aggregate.keyspace.clone(), |keyspace| {
                    keyspace.aggregates.retain(|own| {
                        own.name != aggregate.name || own.arguments != aggregate.arguments
                    });
                    keyspace.aggregates.push(aggregate);
                });
            }
            CatalogChange::DropAggregate { keyspace, name, arguments } => {
                self.update(&keyspace, |keyspace| {
                    keyspace
                        .aggregates
                        .retain(|own| own.name != name || own.arguments != arguments);
                });
            }
        }
    }

    fn update(&mut self, keyspace: &str, change: impl FnOnce(&mut Keyspace)) {
        if let Some(keyspace) = self.keyspaces.value_mut(keyspace) {
            change(Arc::make_mut(keyspace));
        }
    }
}
