//! Inserts: a row for every table that the new row makes one in.

use model::plan::Precondition;

use super::conditions::unique_key;
use super::draft::{Draft, When};
use super::shape::Part;
use model::id::Numbered;

impl Draft<'_> {
    /// Plans an INSERT.
    pub(super) fn plan_insert(&mut self) {
        let Some(entity) = self.entity() else { return };
        if !self.write.strict {
            self.require(Precondition::FreeKey { entity: entity.name.clone() });
        }
        for reference in &entity.references {
            if let Some(target) = self.context.concept.entities.at(reference.target) {
                self.require(Precondition::ReferencedRowExists {
                    entity: target.name.clone(),
                    nullable: reference.nullable,
                });
            }
        }
        self.state_unchecked_keys();
        self.require_main();
        for mut scope in self.scopes_by_roles() {
            if scope.shape.part(scope.source) == Part::Parent {
                if !scope.table.is_counter() && !self.put_statics(&mut scope) {
                    self.remark(format!(
                        "nothing to do in {}: no rows refer to a new row of {} yet",
                        scope.table.name, entity.name
                    ));
                }
                continue;
            }
            if self.reach(&mut scope, When::After).is_none() {
                continue;
            }
            let belongs = self.belongs(&mut scope, When::After);
            if self.enter_elements(&mut scope, When::After).is_none() {
                continue;
            }
            if scope.table.is_counter() {
                self.count_in(&mut scope, &belongs);
            } else {
                let condition = self.insert_condition(&scope);
                self.put(&mut scope, &belongs, &condition);
            }
        }
        // What is more likely to be taken is asked for first: the primary key last.
        let primary: Vec<_> = self
            .scopes()
            .iter()
            .filter(|scope| unique_key(scope) == Some(0))
            .map(|scope| scope.at)
            .collect();
        self.first.sort_by_key(|sent| primary.contains(&sent.planned.table));
    }
}
