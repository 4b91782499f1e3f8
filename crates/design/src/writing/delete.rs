//! Deletes: the row goes from every table that it made one in.

use model::id::AttributeId;
use model::plan::{IfClause, Precondition, Role};

use super::draft::{Draft, Scope, When};
use super::rows::Effect;
use super::shape::Part;
use super::truth::Truth;
use crate::statement;

impl<'a> Draft<'a> {
    /// Plans a DELETE.
    pub(super) fn plan_delete(&mut self) {
        let Some(entity) = self.entity() else { return };
        let referring: Vec<_> = self
            .context
            .concept
            .entities
            .iter()
            .filter(|other| {
                other.references.iter().any(|reference| reference.target == self.target.entity)
            })
            .map(|other| other.name.clone())
            .collect();
        if !referring.is_empty() {
            self.require(Precondition::Unreferenced { referring, entity: entity.name.clone() });
        }
        self.require_main();
        self.guard_conditions();
        for mut scope in self.scopes_by_roles() {
            if scope.shape.part(scope.source) == Part::Parent {
                if !scope.table.is_counter() {
                    self.take_statics(&mut scope);
                }
                continue;
            }
            if self.reach(&mut scope, When::Before).is_none() {
                continue;
            }
            if scope.table.is_counter() {
                self.count_deleted(&mut scope);
            } else if !self.take_prefix(&mut scope) {
                self.take_row(&mut scope);
            }
        }
    }

    /// Deletes the row (or the rows of its elements).
    fn take_row(&mut self, scope: &mut Scope<'a>) {
        let condition = self.main_condition(scope);
        let _ = self.key(scope, When::Before, false);
        // To delete a row that is not there does no harm; what was read anyway saves the tombstone.
        let asks = self.target.request.is_some() || self.needs_belonging(scope);
        let belongs = if asks { self.belongs(scope, When::Before) } else { Truth::Always };
        if !scope.table.holds.elements.is_empty()
            && let Some(own) = self.own_rows(scope)
        {
            // All elements lie together: one tombstone for them.
            let modification = statement::delete(&scope.table.name, &own.key, &IfClause::Always);
            let sent = self.statement(scope, (modification, &own.key), belongs, Effect::DELETION);
            self.rows.extend(sent);
            return;
        }
        if self.enter_elements(scope, When::Before).is_some() {
            self.take(scope, belongs, &condition);
        }
    }

    /// Whether the key may be null for rows that are not in the table.
    fn needs_belonging(&self, scope: &Scope<'a>) -> bool {
        let key = scope.table.columns.iter().filter(|column| column.is_key());
        key.flat_map(super::values::made_from).any(|column| {
            let known = scope.shape.attribute_at(column, scope.source).is_some_and(|attribute| {
                self.target.known.get(attribute.index()).is_some_and(Option::is_some)
            });
            !known && super::values::may_be_null(scope, column)
        })
    }

    /// Deletes many rows with one tombstone, where all rows under a part of the table's key are meant.
    fn take_prefix(&mut self, scope: &mut Scope<'a>) -> bool {
        use model::plan::Derivation::Attribute;
        let says = |attribute: AttributeId| {
            self.target.known.get(attribute.index()).is_some_and(Option::is_some)
        };
        let makes = scope.shape.makes_rows(scope.source);
        let is_single = !self.target.rows_first || !self.target.conditions.is_empty();
        // A vote is about one row.
        if is_single || !makes || self.is_voted_on(scope) {
            return false;
        }
        let mut prefix = Vec::new();
        for column in scope.table.columns.iter().filter(|column| column.is_key()) {
            let Attribute(of) = column.derivation else { break };
            let Some(attribute) = scope.shape.attribute_at(of, scope.source) else { break };
            if !says(attribute) {
                break;
            }
            prefix.push((column, attribute));
        }
        let partition = scope.table.partition_key().count();
        // With the whole partition the static columns would go, which are not of these rows.
        let has_statics = scope.table.columns.iter().any(|column| column.role == Role::Static);
        let least = partition + usize::from(has_statics);
        let all = self.target.key.iter().all(|key| prefix.iter().any(|(_, at)| at == key));
        if prefix.len() < least || !all {
            return false;
        }
        let mut key = Vec::new();
        for (column, attribute) in &prefix {
            key.push((column.name.clone(), self.before(*attribute)));
        }
        let modification = statement::delete(&scope.table.name, &key, &IfClause::Always);
        scope.loops.clear();
        scope.count = super::count::Count::ONE;
        let planned = self.statement(scope, (modification, &key), Truth::Always, Effect::DELETION);
        self.rows.extend(planned);
        true
    }
}
