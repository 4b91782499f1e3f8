//! Conditional writes: what the statement asks of the row, uniqueness, and `@strict`.

use std::collections::BTreeSet;

use cql::relation::Operator;
use model::id::{AttributeId, Numbered, TableId};
use model::plan::{IfClause, Operand, Precondition, Relation, Role};
use model::workload::{Column, Test, Write, WriteKind};

use super::draft::{Draft, Scope, Term};
use super::statics::kept_by_entity;
use super::target::{After, operand};
use super::truth::Truth;
use super::values::meets;

/// The table on which the condition of a write is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ConditionTable {
    /// One of those drafted.
    Drafted(TableId),
    /// One that is not among them: only some tables are drafted.
    Other,
}

/// The position of the key of the entity written that the table's primary key is.
pub(super) fn unique_key(scope: &Scope<'_>) -> Option<usize> {
    if !scope.shape.makes_rows(scope.source) || scope.table.is_counter() {
        return None;
    }
    let key = scope.table.columns.iter().filter(|column| column.is_key());
    let attributes: Option<Vec<_>> = key
        .map(|column| match column.derivation {
            model::plan::Derivation::Attribute(of) => scope.shape.attribute_at(of, scope.source),
            _ => None,
        })
        .collect();
    let attributes: BTreeSet<_> = attributes?.into_iter().collect();
    let keys = &scope.shape.entity(scope.source)?.keys;
    keys.iter().position(|key| key.iter().copied().collect::<BTreeSet<_>>() == attributes)
}

impl<'a> Draft<'a> {
    /// Chooses the table on which the write's condition is checked; asks for one where there is none.
    pub(super) fn require_main(&mut self) {
        if matches!(self.write.kind, WriteKind::Insert(_)) {
            let by_key = |scope: &Scope<'a>| unique_key(scope) == Some(0);
            if self.write.strict && !self.scopes().iter().any(by_key) {
                self.ensure(BTreeSet::new(), "@strict asks whether the key exists");
            }
            return;
        }
        let many = self.target.rows_first || !self.target.loops.is_empty();
        if !self.is_conditional() {
            return;
        }
        if many {
            // Rows that are read first exist; what else is asked of them guards the statements.
            self.restart |= !self.target.rows_first;
            return;
        }
        let wants: BTreeSet<_> = self.condition_attributes().into_iter().collect();
        match self.find_main(&wants) {
            Some(at) => self.main = Some(ConditionTable::Drafted(at)),
            None if self.changes_counters_only() => {
                self.remark(
                    "a counter cannot be changed under a condition: the condition is checked on what was read before",
                );
            }
            None => {
                let columns = wants.into_iter().chain(self.target.changed());
                let columns = columns.filter(|attribute| !self.is_counter(*attribute));
                let columns = columns.map(|attribute| Column { source: 0, attribute }).collect();
                self.ensure(columns, "the write's condition is checked on it");
                if self.partial {
                    self.main = Some(ConditionTable::Other);
                }
            }
        }
    }

    /// The table on which the write's condition can be checked.
    fn find_main(&self, wants: &BTreeSet<AttributeId>) -> Option<TableId> {
        let scopes = self.scopes();
        let found = scopes.iter().find(|scope| self.can_be_main(scope, wants));
        let found = found.or_else(|| scopes.iter().find(|scope| self.statics_can(scope, wants)));
        found.map(|scope| scope.at)
    }

    /// Whether the write's condition can be checked on the tables there are.
    pub(super) fn checks_here(&self) -> bool {
        if matches!(self.write.kind, WriteKind::Insert(_)) {
            return self.scopes().iter().any(|scope| unique_key(scope) == Some(0));
        }
        let wants = self.condition_attributes().into_iter().collect();
        self.find_main(&wants).is_some()
    }

    /// States that unique keys are not taken which no table has for its own, so that nothing can check them.
    pub(super) fn state_unchecked_keys(&mut self) {
        let Some(entity) = self.entity() else { return };
        let checked: Vec<_> = self.scopes().iter().filter_map(unique_key).collect();
        for (at, key) in entity.keys.iter().enumerate().skip(1) {
            if checked.contains(&at) || !key.iter().any(|part| self.target.changes(*part)) {
                continue;
            }
            let attributes = key.iter().filter_map(|part| entity.attributes.at(*part));
            let attributes = attributes.map(|attribute| attribute.name.clone()).collect();
            self.require(Precondition::UniqueKey { entity: entity.name.clone(), attributes });
        }
    }

    /// Whether the write asks something of the row that it changes.
    fn is_conditional(&self) -> bool {
        self.write.strict || !self.target.conditions.is_empty() || self.added().next().is_some()
    }

    /// Attributes that are added to and are no counters.
    fn added(&self) -> impl Iterator<Item = AttributeId> {
        self.target.changed().filter(|attribute| {
            matches!(self.target.after[attribute.index()], After::Plus(_) | After::Less(_))
                && !self.is_counter(*attribute)
        })
    }

    fn is_counter(&self, attribute: AttributeId) -> bool {
        self.entity()
            .and_then(|entity| entity.attributes.at(attribute))
            .is_some_and(|attribute| attribute.counter)
    }

    fn changes_counters_only(&self) -> bool {
        matches!(self.write.kind, WriteKind::Update(..))
            && self.target.changed().all(|attribute| self.is_counter(attribute))
    }

    /// The attributes that the condition looks at.
    fn condition_attributes(&self) -> Vec<AttributeId> {
        let tests = self.target.conditions.iter().filter(|condition| expressible(&condition.test));
        tests
            .flat_map(|condition| condition.test.columns())
            .copied()
            .map(|column| column.attribute)
            .chain(self.added())
            .collect()
    }

    /// Whether a table can check the condition: found by the key alone, and unmoved by the write.
    fn can_be_main(&self, scope: &Scope<'a>, wants: &BTreeSet<AttributeId>) -> bool {
        let holds = &scope.table.holds;
        let plain =
            holds.filters.is_empty() && holds.not_null.is_empty() && holds.elements.is_empty();
        if unique_key(scope).is_none() || !plain {
            return false;
        }
        let of_source = |attribute: AttributeId| Column { source: scope.source, attribute };
        let stored = |attribute: AttributeId| {
            let column = of_source(attribute);
            scope
                .table
                .columns
                .iter()
                .any(|planned| !planned.is_key() && scope.stores(planned, column))
        };
        let key = scope.table.columns.iter().filter(|column| column.is_key());
        let known = key.flat_map(super::values::made_from).all(|column| {
            let attribute = scope.shape.attribute_at(column, scope.source);
            attribute
                .is_some_and(|at| self.target.known.get(at.index()).is_some_and(Option::is_some))
        });
        let changes_here = match self.write.kind {
            WriteKind::Update(..) => {
                self.target.changed().any(stored) && !self.affects_belonging(scope)
            }
            _ => true,
        };
        known && changes_here && wants.iter().all(|attribute| stored(*attribute))
    }

    /// Whether the static columns of a table can check the condition.
    fn statics_can(&self, scope: &Scope<'a>, wants: &BTreeSet<AttributeId>) -> bool {
        let stored = |attribute: AttributeId| {
            let column = Column { source: scope.source, attribute };
            scope
                .table
                .columns
                .iter()
                .any(|planned| planned.role == Role::Static && scope.stores(planned, column))
        };
        let partition = scope.table.partition_key().flat_map(super::values::made_from);
        let known = partition.into_iter().all(|column| {
            let attribute = scope.shape.attribute_at(column, scope.source);
            attribute
                .is_some_and(|at| self.target.known.get(at.index()).is_some_and(Option::is_some))
        });
        matches!(self.write.kind, WriteKind::Update(..))
            && kept_by_entity(self.context, scope.table, scope.source)
            && known
            && !wants.is_empty()
            && wants.iter().all(|attribute| stored(*attribute))
            && self.target.changed().any(stored)
            && !self.target.changed().any(|attribute| {
                scope.shape.hold_key(scope.source, |column| column.attribute == attribute)
            })
    }

    /// The condition of the statement that the others wait for.
    pub(super) fn main_condition(&mut self, scope: &Scope<'a>) -> IfClause {
        if self.main != Some(ConditionTable::Drafted(scope.at)) {
            return IfClause::Always;
        }
        let mut relations: Vec<Relation> = Vec::new();
        let conditions = self.target.conditions.clone();
        for condition in &conditions {
            relations.extend(relation(scope, &condition.test));
        }
        let added: Vec<_> = self.added().collect();
        for attribute in added {
            let column = Column { source: scope.source, attribute };
            let stored = scope.table.columns.iter().find(|planned| scope.stores(planned, column));
            if let Some(stored) = stored {
                let before = self.read_before(attribute);
                relations.push(Relation::equal(&stored.name, before));
                self.remark(format!(
                    "read {} again and repeat when the condition does not hold: another write came first",
                    stored.name
                ));
            }
        }
        if relations.is_empty() { IfClause::Exists } else { IfClause::Columns(relations) }
    }

    /// Whether rows of a table come by an INSERT with IF: a write without IF would not wait for the vote, and either could win.
    pub(super) fn is_voted_on(&self, scope: &Scope<'a>) -> bool {
        let Some(key) = unique_key(scope) else { return false };
        let entity = self.context.concept.entities.at(self.target.entity);
        let parts = entity.and_then(|entity| entity.keys.get(key)).map_or(&[][..], Vec::as_slice);
        let votes = |write: &&Write| match &write.kind {
            WriteKind::Insert(_) => key > 0 || write.strict,
            WriteKind::Update(assignments, _) => {
                key > 0 && assignments.iter().any(|it| parts.contains(&it.attribute))
            }
            WriteKind::Delete(_) => false,
        };
        let mut writes = self.context.workload.writes.iter();
        writes.any(|write| write.entity == self.target.entity && votes(&write))
    }

    /// The condition of an INSERT: a key that must not be taken yet.
    pub(super) fn insert_condition(&self, scope: &Scope<'a>) -> IfClause {
        match unique_key(scope) {
            Some(0) if self.write.strict => IfClause::NotExists,
            Some(key) if key > 0 => IfClause::NotExists,
            _ => IfClause::Always,
        }
    }

    /// Guards every statement by what no `IF` checks.
    pub(super) fn guard_conditions(&mut self) {
        let main = self.main.is_some();
        let conditions = self.target.conditions.clone();
        let left = conditions.iter().filter(|condition| !main || !expressible(&condition.test));
        for condition in left {
            let truth =
                meets(&condition.test, |column| Term::Is(self.read_before(column.attribute)));
            if let Truth::If(guard) = truth {
                self.guards.push(guard);
            }
        }
    }
}

/// Whether an `IF` can ask it.
fn expressible(test: &Test) -> bool {
    !matches!(test, Test::Row { .. })
}

/// A test as conditions of an `IF`.
fn relation(scope: &Scope<'_>, test: &Test) -> Vec<Relation> {
    let name = |column: &Column| {
        let column = Column { source: scope.source, attribute: column.attribute };
        let stored = scope.table.columns.iter().find(|planned| scope.stores(planned, column));
        stored.map(|stored| stored.name.clone()).unwrap_or_default()
    };
    let compare = |column: &Column, operator, value| Relation::Column {
        column: name(column),
        operator,
        value,
    };
    match test {
        Test::Compare { column, comparison, value } => {
            vec![compare(column, comparison.operator(), operand(value))]
        }
        Test::In { column, values } => vec![match values.as_slice() {
            [single] => compare(column, Operator::Eq, operand(single)),
            several => {
                Relation::In { column: name(column), values: several.iter().map(operand).collect() }
            }
        }],
        Test::AnyOf { column, parameter } => {
            let list = Operand::Parameter(*parameter);
            vec![Relation::InList { column: name(column), list }]
        }
        Test::Holds { column, value } => {
            vec![compare(column, Operator::Contains, operand(value))]
        }
        Test::Prefix { column, value } => {
            let end = Operand::AfterPrefix(Box::new(operand(value)));
            vec![compare(column, Operator::Gte, operand(value)), compare(column, Operator::Lt, end)]
        }
        Test::NotNull { column } => {
            vec![compare(column, Operator::Neq, Operand::Literal("null".to_owned()))]
        }
        Test::Row { .. } => Vec::new(),
    }
}
