//! [`Definitions`]: what the tables of a design hold, as far as copies are compared by it.

use std::collections::BTreeSet;

use model::concept::{AttributeRef, Concept};
use model::id::{EntityId, IdList, TableId};
use model::plan::{Design, PlannedTable};
use model::sql::ModelFile;
use model::workload::Column;

use super::verification_plan::{TableRole, VerificationPlan};

/// The entities of an application and the tables of its design.
#[derive(Clone, Debug)]
pub(crate) struct Definitions {
    pub(super) concept: Concept,
    pub(super) tables: Vec<PlannedTable>,
    /// The nullable attributes that the design assumes never to be null.
    pub(super) never_null: BTreeSet<AttributeRef>,
}

impl Definitions {
    /// Those of a design.
    pub(crate) fn from_design(file: &ModelFile, design: &Design) -> Self {
        Self {
            concept: file.concept.clone(),
            tables: design.tables.clone(),
            never_null: design.never_null_attributes().collect(),
        }
    }

    /// The keyspace that the design names.
    pub(crate) fn keyspace(&self) -> &str {
        &self.concept.keyspace
    }

    /// Fails for a table that is not in the design or cannot be verified, with the reason.
    pub(crate) fn check_table(&self, name: &str) -> Result<(), String> {
        let names = || self.tables.iter().map(|table| table.name.as_str());
        let Some(at) = names().position(|table| table == name) else {
            let hint = cql::spelling::hint(cql::spelling::find_nearest(name, names()));
            return Err(format!("the design has no table {name}{hint}"));
        };
        match VerificationPlan::new(self).roles.get(at) {
            Some(TableRole::Copy(_)) => Ok(()),
            Some(TableRole::Unverified(reason)) => {
                Err(format!("{name} cannot be verified: {reason}"))
            }
            Some(TableRole::Base) | None => {
                Err(format!("{name} is a base: verify the tables that are copied from it"))
            }
        }
    }

    /// The name of a table.
    pub(super) fn table_name(&self, at: TableId) -> &str {
        self.tables.member(at).map_or("", |table| &table.name)
    }

    /// The name of an entity.
    pub(super) fn entity_name(&self, at: EntityId) -> &str {
        self.concept.entities.member(at).map_or("", |entity| &entity.name)
    }

    /// `entity.attribute`
    pub(super) fn attribute_name(&self, of: AttributeRef) -> String {
        let attribute = self.concept.attribute(of).map_or("", |attribute| &attribute.name);
        format!("{}.{attribute}", self.entity_name(of.entity))
    }

    /// Whether an attribute may be null.
    pub(super) fn is_nullable(&self, of: AttributeRef) -> bool {
        let is_nullable = self.concept.attribute(of).is_some_and(|attribute| attribute.nullable);
        is_nullable && !self.never_null.contains(&of)
    }

    /// The column whose buckets a table records.
    pub(super) fn bucket_column(&self, table: &PlannedTable) -> Option<Column> {
        Some(self.tables.member(table.remembers?)?.bucket()?.1)
    }
}
