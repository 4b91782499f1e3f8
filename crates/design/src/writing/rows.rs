//! Statements that put a row into a table, change it there, and take it away.

use cql::types::Type;
use model::id::Numbered;
use model::plan::{
    AssignmentOperator, ColumnAssignment, Derivation, IfClause, Modification, Operand,
    PlannedColumn, PlannedStatement, Role,
};
use model::workload::WriteKind;

use super::draft::{Draft, Scope, Sent, Term, When};
use super::target::After;
use super::truth::Truth;
use crate::statement::{self, Brackets, Pair};

/// What a statement does to its table.
#[derive(Clone, Copy)]
pub(super) struct Effect {
    /// Rows each time it is sent.
    pub(super) rows: f64,
    /// Tombstones each time it is sent.
    pub(super) tombstones: f64,
}

impl Effect {
    /// One row.
    pub(super) const ROW: Self = Self { rows: 1.0, tombstones: 0.0 };
    /// One row or partition deleted.
    pub(super) const DELETION: Self = Self { rows: 1.0, tombstones: 1.0 };
}

impl<'a> Draft<'a> {
    /// A statement of a table, under the guards; `None` when it is never sent. Among `pairs` is the partition key.
    pub(super) fn statement(
        &self,
        scope: &Scope<'a>,
        (modification, pairs): (Modification, &[Pair]),
        belongs: Truth,
        effect: Effect,
    ) -> Option<Sent> {
        let planned = PlannedStatement {
            table: scope.at,
            modification,
            loops: scope.loops.clone(),
            guards: self.guarded(Truth::all([scope.apart.clone(), belongs]))?,
            condition: None,
            rows: effect.rows * scope.count.mean,
            tombstones: effect.tombstones * scope.count.mean,
            reason: self.purpose(scope),
        };
        let mut partition = pairs.to_vec();
        partition
            .retain(|(name, _)| scope.table.partition_key().any(|column| column.name == *name));
        Some(Sent { planned, most: scope.count.most, partition, joins_vote: false })
    }

    /// What a table is kept for.
    pub(super) fn purpose(&self, scope: &Scope<'a>) -> String {
        let reads: Vec<_> = scope
            .table
            .serves
            .iter()
            .filter_map(|served| self.context.workload.reads.at(served.read))
            .map(|read| read.name.as_str())
            .collect();
        if reads.is_empty() {
            format!("{} is how writes find rows", scope.table.name)
        } else {
            format!("{} serves {}", scope.table.name, reads.join(", "))
        }
    }

    /// Puts the row into the table as it is after the write.
    pub(super) fn put(&mut self, scope: &mut Scope<'a>, belongs: &Truth, condition: &IfClause) {
        if *belongs == Truth::Never {
            return;
        }
        let table = scope.table;
        let is_update = matches!(self.write.kind, WriteKind::Update(..));
        let mut values: Vec<Pair> = Vec::new();
        let mut tombstones = 0.0;
        for column in &table.columns {
            if column.role == Role::Static && self.has_keeper(scope, column) {
                continue;
            }
            match self.column(scope, column, When::After) {
                // A collection written whole has a marker before it that deletes what was there; reads do not count it.
                Term::Is(value) => values.push((column.name.clone(), value)),
                Term::Null if column.is_key() => return,
                // A row that may be there already must lose what it had.
                Term::Null if is_update && self.affects_column(scope, column) => {
                    tombstones += 1.0;
                    values.push((column.name.clone(), Term::Null.operand()));
                }
                Term::Null => {}
            }
        }
        let modification = statement::insert(&table.name, &values, condition, None);
        let effect = Effect { tombstones, ..Effect::ROW };
        let Some(planned) = self.statement(scope, (modification, &values), belongs.clone(), effect)
        else {
            return;
        };
        self.send(planned, condition);
        self.patch(scope, belongs);
        self.remember(scope, belongs);
    }

    /// Appends to or removes from the arrays of a row just put.
    fn patch(&mut self, scope: &mut Scope<'a>, belongs: &Truth) {
        let table = scope.table;
        let regular = table.columns.iter().filter(|column| !column.is_key());
        for column in regular {
            let Derivation::Attribute(of) = column.derivation else { continue };
            let Some(after) = self.becomes(scope, of) else { continue };
            let Some(assignment) = element_assignment(column, &after) else { continue };
            let of_partition = column.role == Role::Static;
            let Some(key) = self.key(scope, When::After, of_partition) else { continue };
            let modification =
                statement::update(&table.name, vec![assignment], &key, &IfClause::Always);
            let planned = self.statement(scope, (modification, &key), belongs.clone(), Effect::ROW);
            // An element of a list is looked for when the statement runs, so the row must be there by then.
            let removes_from_list =
                matches!(after, After::Remove(_)) && matches!(column.ty, Type::List(..));
            if removes_from_list {
                self.later.extend(planned);
            } else {
                self.rows.extend(planned);
            }
            self.note_element(&column.ty, &after);
        }
    }

    /// Changes the columns outside the key; the row stays where it is.
    pub(super) fn change(&mut self, scope: &mut Scope<'a>, belongs: &Truth, condition: &IfClause) {
        let table = scope.table;
        let mut assignments = Vec::new();
        let mut tombstones = 0.0;
        let regular = |column: &&PlannedColumn| column.role == Role::Regular;
        for column in table.columns.iter().filter(regular) {
            if self.affects_column(scope, column) {
                let (assignment, deletes) = self.assignment(scope, column);
                assignments.push(assignment);
                tombstones += deletes;
            }
        }
        if assignments.is_empty() {
            return;
        }
        let Some(key) = self.key(scope, When::Before, false) else { return };
        let joins_vote = *condition == IfClause::Always && self.is_voted_on(scope);
        let asks = if joins_vote { &IfClause::Exists } else { condition };
        let modification = statement::update(&table.name, assignments, &key, asks);
        let effect = Effect { tombstones, ..Effect::ROW };
        let planned = self.statement(scope, (modification, &key), belongs.clone(), effect);
        match planned {
            Some(planned) if joins_vote => self.send_with_vote(scope, planned),
            Some(planned) => self.send(planned, condition),
            None => {}
        }
    }

    /// What an UPDATE does with a column, and the tombstones of it.
    pub(super) fn assignment(
        &mut self,
        scope: &mut Scope<'a>,
        column: &PlannedColumn,
    ) -> (ColumnAssignment, f64) {
        if let Derivation::Attribute(of) = column.derivation
            && let Some(after) = self.becomes(scope, of)
            && let Some(assignment) = element_assignment(column, &after)
        {
            self.note_element(&column.ty, &after);
            let tombstones = f64::from(u8::from(matches!(after, After::Remove(_))));
            return (assignment, tombstones);
        }
        let value = self.column(scope, column, When::After);
        let deletes = f64::from(u8::from(value == Term::Null));
        (ColumnAssignment::new(&column.name, AssignmentOperator::Set, value.operand()), deletes)
    }

    /// Says what appending to or removing from a collection entails.
    fn note_element(&mut self, ty: &Type, after: &After) {
        if matches!((ty, after), (Type::List(..), After::Append(_))) {
            self.idempotent = false;
            self.remark("appending to a list again appends a second time: @set makes it a set");
        }
    }

    /// Takes the row away as it was before the write.
    pub(super) fn take(&mut self, scope: &mut Scope<'a>, gone: Truth, condition: &IfClause) {
        if gone == Truth::Never {
            return;
        }
        let Some(key) = self.key(scope, When::Before, false) else { return };
        let joins_vote = *condition == IfClause::Always && self.is_voted_on(scope);
        let asks = if joins_vote { &IfClause::Exists } else { condition };
        let modification = statement::delete(&scope.table.name, &key, asks);
        let planned = self.statement(scope, (modification, &key), gone, Effect::DELETION);
        match planned {
            Some(planned) if joins_vote => self.send_with_vote(scope, planned),
            Some(planned) => self.send(planned, condition),
            None => {}
        }
    }

    /// Files a statement that has an IF because rows of its table come by an INSERT with one: after all others, each alone.
    fn send_with_vote(&mut self, scope: &Scope<'a>, mut sent: Sent) {
        sent.joins_vote = true;
        self.idempotent = false;
        self.remark(format!(
            "rows of {} are inserted with IF NOT EXISTS: what changes them waits for the same vote, outside of any batch; send it until it is answered",
            scope.table.name
        ));
        self.later.push(sent);
    }

    /// Files a statement under those that are conditional or those that are not.
    pub(super) fn send(&mut self, mut sent: Sent, condition: &IfClause) {
        let refusal = match condition {
            IfClause::Always => {
                self.rows.push(sent);
                return;
            }
            IfClause::NotExists => "not applied: the key is taken, and the write ends here",
            IfClause::Exists => "not applied: there is no such row, and the write ends here",
            IfClause::Columns(_) => {
                "not applied: the condition does not hold, and the write ends here"
            }
        };
        sent.planned.condition = Some(refusal.to_owned());
        self.idempotent = false;
        self.first.push(sent);
    }

    /// Tells the table that remembers the oldest bucket of the row just put.
    fn remember(&mut self, scope: &mut Scope<'a>, belongs: &Truth) {
        let of = scope.at;
        let tables = self.tables.numbered();
        let memory = tables.filter(|(_, table)| table.remembers == Some(of));
        for (at, table) in memory {
            let Some((bucket, _, _)) = scope.table.bucket() else { continue };
            let Term::Is(oldest) = self.column(scope, bucket, When::After) else { continue };
            let mut values = Vec::new();
            for column in &table.columns {
                let of = scope.table.column(&column.name).filter(|_| column.is_key());
                let value = match of {
                    Some(of) => self.column(scope, of, When::After),
                    None if column.is_key() => self.column(scope, column, When::After),
                    None => Term::Is(oldest.clone()),
                };
                if let Term::Is(value) = value {
                    values.push((column.name.clone(), value));
                }
            }
            let timestamp = Operand::OldestWins(Box::new(oldest));
            let modification =
                statement::insert(&table.name, &values, &IfClause::Always, Some(timestamp));
            let sent = self.statement(scope, (modification, &values), belongs.clone(), Effect::ROW);
            self.rows.extend(sent.map(|mut sent| {
                sent.planned.table = at;
                sent.planned.reason = format!(
                    "{} remembers the oldest bucket of {}: the older one has the later timestamp and wins",
                    table.name, scope.table.name
                );
                sent.partition = values;
                sent
            }));
        }
    }
}

/// How a collection follows an array that gains or loses an element.
fn element_assignment(column: &PlannedColumn, after: &After) -> Option<ColumnAssignment> {
    let brackets = match column.ty {
        Type::List(..) => Brackets::List,
        _ => Brackets::Set,
    };
    let (operator, element) = match after {
        After::Append(element) => (AssignmentOperator::Add, element),
        After::Remove(element) => (AssignmentOperator::Subtract, element),
        _ => return None,
    };
    let is_changed_in_part = column.ty.is_collection() && column.ty.is_multi_cell();
    let value = statement::collection_of(element, brackets);
    is_changed_in_part.then(|| ColumnAssignment::new(&column.name, operator, value))
}
