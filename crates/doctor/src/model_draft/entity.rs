//! Tables that hold the same rows, as one entity.

use std::collections::BTreeSet;

use model::vocabulary::to_singular;
use schema::catalog::{Column, ColumnKind, Keyspace, Table};

use super::bucket::{Bucket, find_buckets};
use super::open_point::OpenPoint;

/// A table or view of which an entity is made.
#[derive(Clone, Debug)]
pub(super) struct Member<'a> {
    /// The table.
    pub(super) table: &'a Table,
    /// The buckets that are no columns of the entity.
    pub(super) buckets: Vec<Bucket<'a>>,
}

/// What one table of the model file describes.
#[derive(Clone, Debug)]
pub(super) struct Entity<'a> {
    /// Its name.
    pub(super) name: String,
    /// The tables that hold its rows; the key is that of the first.
    pub(super) members: Vec<Member<'a>>,
    /// Its columns: those of the key, then the others.
    pub(super) columns: Vec<&'a Column>,
    /// The columns of its key.
    pub(super) key: Vec<&'a str>,
    /// Columns that no two rows have the same value of.
    pub(super) unique: Vec<&'a str>,
    /// Remarks.
    pub(super) points: Vec<OpenPoint>,
}

impl<'a> Member<'a> {
    fn new(table: &'a Table) -> Self {
        let mut buckets = find_buckets(table);
        buckets.retain(|bucket| bucket.time.is_some());
        Self { table, buckets }
    }

    /// The bucket that a column is.
    pub(super) fn bucket(&self, column: &str) -> Option<&Bucket<'a>> {
        self.buckets.iter().find(|bucket| &*bucket.column.name == column)
    }

    /// The columns without buckets.
    pub(super) fn columns(&self) -> impl Iterator<Item = &'a Column> + '_ {
        self.table.columns().iter().filter(|column| self.bucket(&column.name).is_none())
    }

    /// The columns of the primary key without buckets.
    pub(super) fn key(&self) -> impl Iterator<Item = &'a Column> + '_ {
        self.table.primary_key().iter().filter(|column| self.bucket(&column.name).is_none())
    }

    fn has_column(&self, column: &Column) -> bool {
        self.table.column(&column.name).is_some_and(|own| has_same_type(own, column))
    }

    /// The order of the rows: the set of partition columns, then the clustering columns.
    fn layout(&self) -> (BTreeSet<&'a str>, Vec<(&'a str, bool)>) {
        let partition =
            self.key().filter(|column| column.kind == ColumnKind::Partition).map(|it| &*it.name);
        let clustering = self.table.clustering().iter().map(|it| (&*it.name, it.descending));
        (partition.collect(), clustering.collect())
    }
}

impl<'a> Entity<'a> {
    /// The table whose key it has.
    pub(super) fn base(&self) -> &Member<'a> {
        &self.members[0]
    }

    /// The member that is a table of that name.
    pub(super) fn member(&self, table: &str) -> Option<&Member<'a>> {
        self.members.iter().find(|member| &*member.table.name == table)
    }

    /// The column of that name.
    pub(super) fn column(&self, name: &str) -> Option<&'a Column> {
        self.columns.iter().find(|column| &*column.name == name).copied()
    }

    /// The columns of a set in the order of the table.
    pub(super) fn sort_columns(&self, names: &BTreeSet<&str>) -> Vec<&'a str> {
        let own = self.columns.iter().map(|column| &*column.name);
        own.filter(|name| names.contains(name)).collect()
    }
}

fn has_same_type(one: &Column, other: &Column) -> bool {
    one.ty.freeze() == other.ty.freeze()
}

/// The entities of a keyspace.
pub(super) fn find_entities(keyspace: &Keyspace) -> Vec<Entity<'_>> {
    let mut members: Vec<Member<'_>> =
        keyspace.tables.values().map(|table| Member::new(table)).collect();
    members.sort_by_key(|member| {
        let name = member.table.name.clone();
        let columns = usize::MAX - member.table.columns().len();
        (member.key().count(), name.contains("_by_"), columns, name)
    });
    let mut entities: Vec<Entity<'_>> = Vec::new();
    for member in members {
        let position = entities.iter().position(|entity| is_copy(entity, &member));
        if let Some(entity) = position.and_then(|at| entities.get_mut(at)) {
            entity.points.push(copy_point(entity.base(), &member));
            entity.members.push(member);
            continue;
        }
        let points = find_possible_copy(&entities, &member).into_iter().collect();
        entities.push(Entity {
            name: member.table.name.to_string(),
            members: vec![member],
            columns: Vec::new(),
            key: Vec::new(),
            unique: Vec::new(),
            points,
        });
    }
    add_views(keyspace, &mut entities);
    entities.iter_mut().for_each(complete);
    name_entities(&mut entities);
    entities.sort_by(|one, other| one.name.cmp(&other.name));
    entities
}

fn copy_point(base: &Member<'_>, copy: &Member<'_>) -> OpenPoint {
    OpenPoint::Copy {
        table: copy.table.name.to_string(),
        base: base.table.name.to_string(),
        shared: copy.columns().filter(|column| base.has_column(column)).count(),
        is_view: copy.table.is_view,
    }
}

fn add_views<'a>(keyspace: &'a Keyspace, entities: &mut [Entity<'a>]) {
    for view in keyspace.views.values() {
        let base = entities.iter_mut().find(|entity| entity.member(&view.base_table).is_some());
        if let Some(entity) = base {
            let member = Member::new(&view.table);
            entity.points.push(copy_point(entity.base(), &member));
            entity.members.push(member);
        }
    }
}

/// Whether a table certainly holds the rows of an entity in another order.
fn is_copy(entity: &Entity<'_>, member: &Member<'_>) -> bool {
    let base = entity.base();
    let has_conflict = |column: &Column| {
        let known = entity.members.iter().filter_map(|own| own.table.column(&column.name));
        known.into_iter().any(|own| !has_same_type(own, column))
    };
    has_each_key(base, member)
        && !base.table.is_counter()
        && !member.table.is_counter()
        && !member.columns().any(has_conflict)
        && entity.members.iter().all(|own| own.layout() != member.layout())
        && has_related_name(&base.table.name, &member.table.name)
}

/// Whether each of two tables has the key columns of the other.
fn has_each_key(one: &Member<'_>, other: &Member<'_>) -> bool {
    one.key().all(|column| other.has_column(column) && other.bucket(&column.name).is_none())
        && other.key().all(|column| one.has_column(column) && one.bucket(&column.name).is_none())
}

/// An entity that has the same key attributes, but another name or the same order.
fn find_possible_copy(entities: &[Entity<'_>], member: &Member<'_>) -> Option<OpenPoint> {
    // Many tables have a time or a name, so all columns must agree where the names of tables do not.
    let has_same_columns = |entity: &Entity<'_>| {
        let regulars = member.table.regulars();
        regulars.len() > 1 && regulars.iter().all(|column| entity.base().has_column(column))
    };
    let found = entities.iter().find(|entity| {
        let base = entity.base();
        has_each_key(base, member)
            && base.table.is_counter() == member.table.is_counter()
            && (has_related_name(&base.table.name, &member.table.name) || has_same_columns(entity))
    })?;
    Some(OpenPoint::PossibleCopy { other: found.base().table.name.to_string() })
}

/// Whether the words of one name, up to `_by_`, are all in the other.
fn has_related_name(one: &str, other: &str) -> bool {
    let words = |name: &str| -> BTreeSet<String> {
        stem(name).split('_').filter(|word| !word.is_empty()).map(to_singular).collect()
    };
    let (one, other) = (words(one), words(other));
    !one.is_empty() && !other.is_empty() && (one.is_subset(&other) || other.is_subset(&one))
}

/// The part of a name before `_by_`.
fn stem(name: &str) -> &str {
    name.split_once("_by_").map_or(name, |(stem, _)| stem)
}

/// Collects the columns, keys and remarks of an entity from its members.
fn complete(entity: &mut Entity<'_>) {
    let base = entity.members[0].clone();
    entity.key = base.key().map(|column| &*column.name).collect();
    entity.columns = base.columns().collect();
    for member in entity.members.clone() {
        let name = member.table.name.to_string();
        for bucket in find_buckets(member.table) {
            let (table, column) = (name.clone(), bucket.column.name.to_string());
            entity.points.push(match bucket.time {
                Some(time) => {
                    OpenPoint::BucketLeftOut { table, column, time: time.name.to_string() }
                }
                None => OpenPoint::BucketKept { column },
            });
        }
        let new: Vec<_> = member.columns().filter(|it| entity.column(&it.name).is_none()).collect();
        for column in new {
            let (column_name, copy) = (column.name.to_string(), name.clone());
            entity.points.push(OpenPoint::ColumnOfCopy { column: column_name, copy });
            entity.columns.push(column);
        }
        for column in member.table.statics() {
            let key: Vec<&str> = member.table.partition_key().iter().map(|it| &*it.name).collect();
            let (column, key) = (column.name.to_string(), key.join(", "));
            entity.points.push(OpenPoint::StaticColumn { column, key });
        }
        let key: Vec<_> = member.key().collect();
        if let [column] = key.as_slice()
            && entity.key.as_slice() != [&*column.name]
        {
            entity.unique.push(&column.name);
        }
    }
}

/// Names entities without `_by_`, where the name is free.
fn name_entities(entities: &mut [Entity<'_>]) {
    let tables: Vec<String> = entities.iter().map(|entity| entity.name.clone()).collect();
    let mut stems: Vec<String> = tables.iter().map(|name| stem(name).to_owned()).collect();
    stems.sort_unstable();
    for entity in entities {
        let stem = stem(&entity.name).to_owned();
        let uses = stems.iter().filter(|known| **known == stem).count();
        if uses == 1 && !stem.is_empty() {
            entity.name = stem;
        }
    }
}
