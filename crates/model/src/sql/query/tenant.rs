//! `@tenant`: every statement must restrict the tenant.
//!
//! One of the tables of a query must have the column and be given it with `=`; rows that refer to
//! one another belong to one tenant, so the tables joined to it need not. A write must give it to
//! its own table.

use super::resolver::Resolver;
use crate::id::{EntityId, IdList, SourceId};
use crate::workload::{Column, Comparison, Condition, Predicate, Source, Upsert, WriteKind};

impl Resolver<'_> {
    /// Reports a query that does not give the tenant.
    pub(super) fn check_read_tenant(&mut self, sources: &[Source], conditions: &[Condition]) {
        let Some(tenant) = self.concept.tenant.as_deref() else { return };
        let columns: Vec<Column> = sources
            .enumerate_ids()
            .filter_map(|(source, it)| {
                let attribute = self.concept.entities[it.entity].attribute_named(tenant)?;
                Some(Column { source, attribute })
            })
            .collect();
        if !columns.iter().any(|&column| has_equality(conditions, column)) {
            let table = sources.first().map(|source| source.entity);
            self.report_no_tenant(tenant, table, columns.is_empty(), "add to WHERE");
        }
    }

    /// Reports a write that does not give the tenant.
    pub(super) fn check_write_tenant(&mut self, entity: EntityId, kind: &WriteKind) {
        let Some(tenant) = self.concept.tenant.as_deref() else { return };
        let attribute = self.concept.entities[entity].attribute_named(tenant);
        let given = attribute.is_some_and(|attribute| match kind {
            WriteKind::Insert(values) | WriteKind::Upsert(Upsert { values, .. }) => {
                values.iter().any(|(given, _)| *given == attribute)
            }
            // Each row sets the same columns.
            WriteKind::Rows(rows) => rows.iter().all(|row| match row {
                WriteKind::Insert(values) | WriteKind::Upsert(Upsert { values, .. }) => {
                    values.iter().any(|(given, _)| *given == attribute)
                }
                _ => false,
            }),
            WriteKind::Update(_, conditions) | WriteKind::Delete(conditions) => {
                has_equality(conditions, Column { source: SourceId::new(0), attribute })
            }
        });
        if !given {
            let insert = !matches!(kind, WriteKind::Update(..) | WriteKind::Delete(_));
            let help = if insert { "also insert the tenant" } else { "add to WHERE" };
            self.report_no_tenant(tenant, Some(entity), attribute.is_none(), help);
        }
    }

    fn report_no_tenant(
        &mut self,
        tenant: &str,
        entity: Option<EntityId>,
        no_column: bool,
        help: &str,
    ) {
        let table = entity.map_or("the table", |entity| &self.concept.entities[entity].name);
        let span = self.named.name_span;
        if no_column {
            let message = format!("{} uses no table with the tenant column {tenant}", self.name());
            self.report("MF380", span, message, format!("add the column {tenant} to {table}"));
        } else {
            let message = format!("{} gives no value for the tenant", self.name());
            self.report("MF380", span, message, format!("{help}: `{tenant} = ?`"));
        }
    }
}

/// Whether conditions restrict a column to one value.
fn has_equality(conditions: &[Condition], restricted: Column) -> bool {
    conditions.iter().any(|condition| {
        matches!(&condition.predicate, Predicate::Compare { column, comparison: Comparison::Equal, .. } if *column == restricted)
    })
}
