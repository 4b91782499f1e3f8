//! The statements that were seen, as statements of the model file.

mod condition;
mod insert;
mod name;
mod read;
mod refusal;
mod translation;

mod write;

use std::collections::BTreeSet;

use cql::statement::write::WriteKind;
use cql::{QualifiedName, StatementKind};
use model::sql::Cardinality;
use schema::catalog::Keyspace;

pub use refusal::{UntranslatedReason, UntranslatedStatement};

use self::condition::Scope;
use self::read::ReadContext;
pub use self::translation::StatementAction;
use self::translation::Translation;
use super::entity::{Entity, Member};
use super::open_point::OpenPoint;
use super::rate::{CoveredTimes, StatementRate};
use crate::snapshot::{ObservedStatement, Snapshot, StatementOrigin, StatementShape};

/// The statements that are translated at most: the most frequent ones. A design of more has no end.
const SHAPES_MAX: usize = 300;

/// A statement of the draft.
#[derive(Clone, Debug, PartialEq)]
pub struct DraftStatement {
    /// Its name.
    pub name: String,
    /// The table of the draft that it reads or writes.
    pub table: String,
    /// What it does.
    pub action: StatementAction,
    /// What it returns.
    pub cardinality: Cardinality,
    /// The SQL, without a semicolon.
    pub sql: String,
    /// How often it runs.
    pub rate: StatementRate,
    /// Further directives.
    pub directives: Vec<String>,
    /// What it assumes and leaves out.
    pub points: Vec<OpenPoint>,
    /// The CQL that it was translated from, without values.
    pub seen: Vec<String>,
}

/// What became of all statements.
#[derive(Clone, Debug, Default)]
pub(super) struct StatementList {
    /// The translated ones.
    pub(super) statements: Vec<DraftStatement>,
    /// The others.
    pub(super) untranslated: Vec<UntranslatedStatement>,
    /// How many were of other keyspaces.
    pub(super) elsewhere: usize,
    /// How many were too rare to be looked at.
    pub(super) rare: usize,
}

/// One statement, alone or of a batch, with what was seen of it.
struct SeenStatement<'s> {
    kind: StatementKind,
    shape: &'s StatementShape,
    observed: &'s ObservedStatement,
}

/// Where the rows of a statement belong.
struct Place {
    entity: usize,
    member: usize,
}

/// Translates the statements of a keyspace. `is_large` tells of an entity whether it is too large
/// to be read as a whole.
pub(super) fn translate_statements(
    snapshot: &Snapshot,
    keyspace: &Keyspace,
    entities: &mut [Entity<'_>],
    is_large: &dyn Fn(usize) -> bool,
) -> StatementList {
    let times = CoveredTimes::new(snapshot);
    let mut translator = Translator {
        keyspace,
        times,
        is_large,
        list: StatementList::default(),
        names: BTreeSet::new(),
    };
    let seen = translator.collect(snapshot);
    let inserts = translator.translate_inserts(entities, &seen);
    insert::keep_unique_columns(entities, &inserts);
    for insert in inserts {
        let entity = &entities[insert.entity];
        let mut translation = insert.columns.translate(entity);
        translation.points.extend(insert.points);
        translator.add(entity, translation, insert.rate, &insert.seen);
    }
    for statement in &seen {
        translator.translate(entities, &seen, statement);
    }
    translator.list
}

struct Translator<'c> {
    keyspace: &'c Keyspace,
    times: CoveredTimes,
    is_large: &'c dyn Fn(usize) -> bool,
    list: StatementList,
    names: BTreeSet<String>,
}

impl Translator<'_> {
    /// The statements of the keyspace, those of batches one by one.
    fn collect<'s>(&mut self, snapshot: &'s Snapshot) -> Vec<SeenStatement<'s>> {
        let mut seen = Vec::new();
        let mut shapes: Vec<_> = snapshot.statements.iter().collect();
        shapes.sort_by_key(|(_, observed)| std::cmp::Reverse(observed.count));
        self.list.rare = shapes.len().saturating_sub(SHAPES_MAX);
        shapes.truncate(SHAPES_MAX);
        // The order of the texts, which does not change with the counts.
        shapes.sort_by_key(|(shape, _)| *shape);
        for (shape, observed) in shapes {
            let parsed = cql::parse(&shape.text);
            if !parsed.errors.is_empty() {
                self.refuse(shape, observed, UntranslatedReason::Unreadable);
                continue;
            }
            let mut kinds: Vec<StatementKind> = Vec::new();
            for statement in parsed.statements {
                match statement.kind {
                    StatementKind::Batch(batch) => {
                        kinds.extend(batch.statements.into_iter().map(|part| match part.kind {
                            WriteKind::Insert(insert) => StatementKind::Insert(Box::new(insert)),
                            WriteKind::Update(update) => StatementKind::Update(Box::new(update)),
                            WriteKind::Delete(delete) => StatementKind::Delete(Box::new(delete)),
                        }));
                    }
                    other if other.is_data_manipulation() => kinds.push(other),
                    _ => {}
                }
            }
            for kind in kinds {
                if self.is_own(shape, table_name(&kind)) {
                    seen.push(SeenStatement { kind, shape, observed });
                } else {
                    self.list.elsewhere += 1;
                }
            }
        }
        seen
    }

    /// Whether a statement is about a table of the keyspace.
    fn is_own(&self, shape: &StatementShape, table: Option<&QualifiedName>) -> bool {
        let Some(table) = table else { return false };
        match &table.keyspace {
            Some(keyspace) => keyspace.text == self.keyspace.name,
            None if shape.keyspace.is_empty() => {
                self.keyspace.table_or_view(&table.name.text).is_some()
            }
            None => *shape.keyspace == *self.keyspace.name,
        }
    }

    fn refuse(
        &mut self,
        shape: &StatementShape,
        observed: &ObservedStatement,
        reason: UntranslatedReason,
    ) {
        let (text, count) = (shape.text.clone(), observed.count);
        self.list.untranslated.push(UntranslatedStatement { text, count, reason });
    }

    /// Translates everything but INSERT.
    fn translate(
        &mut self,
        entities: &[Entity<'_>],
        all: &[SeenStatement<'_>],
        seen: &SeenStatement<'_>,
    ) {
        if matches!(seen.kind, StatementKind::Insert(_)) {
            return;
        }
        let Some(place) = table_name(&seen.kind).and_then(|table| find_place(entities, table))
        else {
            self.refuse(seen.shape, seen.observed, UntranslatedReason::UnknownTable);
            return;
        };
        let entity = &entities[place.entity];
        let scope = scope(entities, &place);
        let translated = match &seen.kind {
            StatementKind::Select(select) => {
                let context = ReadContext {
                    is_replica_read: is_replica_read(seen.observed),
                    is_large: (self.is_large)(place.entity),
                };
                read::translate(scope, select, context)
            }
            StatementKind::Update(_)
                if place.member > 0 && is_base_changed(entities, all, place.entity, is_update) =>
            {
                Err(UntranslatedReason::UpdatesCopy(entity.name.clone()))
            }
            StatementKind::Update(update) => {
                let has_inserts = all.iter().any(|other| {
                    matches!(&other.kind, StatementKind::Insert(insert) if entity.member(&insert.table.name.text).is_some())
                });
                write::translate_update(scope, update, has_inserts)
            }
            StatementKind::Delete(_) if place.member > 0 => {
                Err(UntranslatedReason::DeletesFromCopy(entity.name.clone()))
            }
            StatementKind::Delete(delete) => write::translate_delete(scope, delete),
            _ => return,
        };
        match translated {
            Ok(mut translation) => {
                let values = seen.observed.max_in_values.filter(|values| *values > 1);
                let values = values.filter(|_| translation.has_list);
                translation.points.extend(values.map(|most| OpenPoint::ListLength { most }));
                let rate = self.times.rate(seen.observed);
                self.add(entity, translation, rate, std::slice::from_ref(&seen.shape.text));
            }
            Err(reason) => self.refuse(seen.shape, seen.observed, reason),
        }
    }

    /// Adds a statement, or its rate to an equal one.
    fn add(
        &mut self,
        entity: &Entity<'_>,
        translation: Translation,
        rate: StatementRate,
        seen: &[String],
    ) {
        let known = self.list.statements.iter_mut().find(|known| known.sql == translation.sql);
        if let Some(known) = known {
            known.rate.add(rate);
            known.seen.extend(seen.iter().cloned());
            for point in translation.points {
                if !known.points.contains(&point) {
                    known.points.push(point);
                }
            }
            return;
        }
        let name = name::name_statement(entity, &translation, &mut self.names);
        let mut points: Vec<OpenPoint> = Vec::new();
        for point in translation.points {
            if !points.contains(&point) {
                points.push(point);
            }
        }
        let Translation { sql, cardinality, action, directives, .. } = translation;
        let table = entity.name.clone();
        let seen = seen.to_vec();
        self.list.statements.push(DraftStatement {
            name,
            table,
            action,
            cardinality,
            sql,
            rate,
            directives,
            points,
            seen,
        });
    }
}

/// Whether the text is what replicas print of a read, and not what a client sent.
fn is_replica_read(observed: &ObservedStatement) -> bool {
    let replica = [StatementOrigin::SlowQueryLog, StatementOrigin::TombstoneWarning];
    !observed.origins.is_empty() && observed.origins.iter().all(|origin| replica.contains(origin))
}

fn is_update(kind: &StatementKind) -> bool {
    matches!(kind, StatementKind::Update(_))
}

/// Whether a statement of a kind changes the base table of an entity.
fn is_base_changed(
    entities: &[Entity<'_>],
    all: &[SeenStatement<'_>],
    entity: usize,
    is_kind: fn(&StatementKind) -> bool,
) -> bool {
    all.iter().filter(|seen| is_kind(&seen.kind)).any(|seen| {
        let place = table_name(&seen.kind).and_then(|table| find_place(entities, table));
        place.is_some_and(|place| place.entity == entity && place.member == 0)
    })
}

fn scope<'a, 'e>(entities: &'e [Entity<'a>], place: &Place) -> Scope<'a, 'e> {
    let entity = &entities[place.entity];
    let member: &Member<'a> = &entity.members[place.member];
    Scope { entity, member }
}

fn find_place(entities: &[Entity<'_>], table: &QualifiedName) -> Option<Place> {
    entities.iter().enumerate().find_map(|(at, entity)| {
        let is_own = |member: &Member<'_>| member.table.name == table.name.text;
        Some(Place { entity: at, member: entity.members.iter().position(is_own)? })
    })
}

/// The keyspace, empty if it is not told, and the table that a statement reads or writes.
pub(super) fn find_table(shape: &StatementShape) -> Option<(String, String)> {
    let parsed = cql::parse(&shape.text);
    let table = table_name(&parsed.statements.first()?.kind)?;
    let stated = table.keyspace.as_ref().map(|keyspace| keyspace.text.to_string());
    Some((stated.unwrap_or_else(|| shape.keyspace.clone()), table.name.text.to_string()))
}

/// The table that a statement reads or writes.
fn table_name(kind: &StatementKind) -> Option<&QualifiedName> {
    match kind {
        StatementKind::Select(select) => Some(&select.table),
        StatementKind::Insert(insert) => Some(&insert.table),
        StatementKind::Update(update) => Some(&update.table),
        StatementKind::Delete(delete) => Some(&delete.table),
        _ => None,
    }
}
