//! INSERTs into entities and their copies.

use cql::StatementKind;

use super::super::entity::Entity;
use super::super::open_point::{OpenPoint, StatementChange};
use super::super::rate::StatementRate;
use super::refusal::{UntranslatedReason, UntranslatedStatement};
use super::write::{self, InsertedColumns};
use super::{SeenStatement, Translator, find_place, scope};

/// Columns are only unique and not null if every INSERT gives them.
pub(super) fn keep_unique_columns(entities: &mut [Entity<'_>], inserts: &[EntityInsert]) {
    for (at, entity) in entities.iter_mut().enumerate() {
        let own: Vec<&EntityInsert> = inserts.iter().filter(|insert| insert.entity == at).collect();
        entity.unique.retain(|name| own.iter().all(|insert| insert.columns.names.contains(*name)));
        let unique = entity.unique.clone();
        for column in unique {
            let copy = entity.members.iter().find(|member| {
                let mut key = member.key();
                key.next().is_some_and(|only| &*only.name == column) && key.next().is_none()
            });
            let copy = copy.map(|member| member.table.name.to_string()).unwrap_or_default();
            entity.points.push(OpenPoint::UniqueByCopy { column: column.to_owned(), copy });
        }
    }
}

/// An INSERT into an entity, with those into its copies.
pub(super) struct EntityInsert {
    /// The position of the entity.
    pub(super) entity: usize,
    /// Whether it goes to the table whose key the entity has.
    is_base: bool,
    /// The columns.
    pub(super) columns: InsertedColumns,
    /// How often it runs.
    pub(super) rate: StatementRate,
    /// Remarks.
    pub(super) points: Vec<OpenPoint>,
    /// The statements that it was seen as.
    pub(super) seen: Vec<String>,
}

impl Translator<'_> {
    /// The INSERTs, those into copies with the one into the entity that they accompany.
    pub(super) fn translate_inserts(
        &mut self,
        entities: &[Entity<'_>],
        seen: &[SeenStatement<'_>],
    ) -> Vec<EntityInsert> {
        let mut inserts: Vec<EntityInsert> = Vec::new();
        let mut copies: Vec<EntityInsert> = Vec::new();
        for statement in seen {
            let StatementKind::Insert(insert) = &statement.kind else { continue };
            let found = find_place(entities, &insert.table).ok_or(UntranslatedReason::UnknownTable);
            let columns = found.and_then(|place| {
                let scope = scope(entities, &place);
                Ok((write::collect_inserted_columns(scope, insert)?, place))
            });
            let (columns, place) = match columns {
                Ok(found) => found,
                Err(reason) => {
                    self.refuse(statement.shape, statement.observed, reason);
                    continue;
                }
            };
            let entity = &entities[place.entity];
            let is_base = place.member == 0;
            if is_base && !columns.has_key(entity) {
                let reason = UntranslatedReason::KeyMissing(entity.name.clone());
                self.refuse(statement.shape, statement.observed, reason);
                continue;
            }
            let table = entity.members[place.member].table.name.to_string();
            let mut points = write::using_points(&insert.using);
            if !is_base {
                points.push(OpenPoint::AlsoOnCopy { copy: table });
            }
            let rate = self.times.rate(statement.observed);
            let seen = vec![statement.shape.text.clone()];
            let drafted =
                EntityInsert { entity: place.entity, is_base, columns, rate, points, seen };
            if is_base { inserts.push(drafted) } else { copies.push(drafted) }
        }
        for copy in copies {
            self.add_copy_insert(entities, &mut inserts, copy);
        }
        inserts
    }

    /// Adds an INSERT into a copy to the one into the entity with most columns.
    fn add_copy_insert(
        &mut self,
        entities: &[Entity<'_>],
        inserts: &mut Vec<EntityInsert>,
        copy: EntityInsert,
    ) {
        let own = inserts.iter_mut().filter(|insert| insert.entity == copy.entity);
        let base = own.max_by_key(|insert| (insert.is_base, insert.columns.names.len()));
        let Some(insert) = base else {
            let entity = &entities[copy.entity];
            if copy.columns.has_key(entity) {
                let change = OpenPoint::Change(StatementChange::WritesCopy);
                let points = copy.points.into_iter().chain([change]).collect();
                inserts.push(EntityInsert { points, ..copy });
            } else {
                let reason = UntranslatedReason::KeyMissing(entity.name.clone());
                for text in copy.seen {
                    let reason = reason.clone();
                    self.list.untranslated.push(UntranslatedStatement { text, count: 0, reason });
                }
            }
            return;
        };
        insert.columns.names.extend(copy.columns.names);
        insert.rate.take_larger(copy.rate);
        insert.points.extend(copy.points);
        insert.seen.extend(copy.seen);
    }
}
