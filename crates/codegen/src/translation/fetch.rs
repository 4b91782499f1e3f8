//! Statements that read, and the loops around statements.

use model::id::IdList;
use model::plan::{BucketWalk, Derivation, Loop, ReadStep, StatementText};

use super::data_type;
use super::operand::lower_width;
use super::scope::{Scope, column_type, list_parents};
use crate::program::{Expression, Fetch, Field, Repetition, Statement, Walk};
use model::plan::PlannedTable;

impl<'a> Scope<'a> {
    /// A step that reads.
    pub(super) fn lower_fetch(self, step: &'a ReadStep, consistency: &str) -> Fetch {
        let scope = self.with_loops(&step.loops, self.source.operand_table(step.table));
        let table = self.source.table(step.table);
        let text = step.select.text();
        let columns = step.select.items.iter().map(|item| Field {
            name: item.name.clone(),
            ty: column_type(&step.select, table, &item.name)
                .map_or(crate::program::DataType::Blob, |ty| data_type(&ty)),
            nullable: true,
        });
        let statement = Statement {
            columns: columns.collect(),
            idempotent: true,
            conditional: false,
            ..lower_statement(&text, table, consistency)
        };
        Fetch {
            values: scope.lower_markers(&text, table),
            statement,
            repetitions: scope.lower_repetitions(),
            parents: list_parents(step).into_iter().map(model::id::StepId::index).collect(),
            optional: step.optional,
        }
    }

    /// The values of the markers of a statement on a table.
    pub(super) fn lower_markers(
        &self,
        text: &StatementText<'_>,
        table: Option<&PlannedTable>,
    ) -> Vec<Expression> {
        let value = |marker: &model::plan::Marker<'_>| match table
            .and_then(|table| marker.receiver.ty(table))
        {
            Some(ty) => self.lower(marker.operand, &ty),
            None => self.lower_typed(marker.operand, None).0,
        };
        text.markers.iter().map(value).collect()
    }

    /// The loops of the statement.
    pub(super) fn lower_repetitions(&self) -> Vec<Repetition> {
        let lower = |(at, turn): (usize, &Loop)| match turn {
            Loop::Values(values) => {
                let ty = self.values_type(values);
                let element = data_type(&ty);
                let values = values
                    .iter()
                    .map(|value| self.lower_value(value, Some(&ty)).0.convert(element.clone()));
                Repetition::Values(values.collect(), element)
            }
            Loop::Elements(of) => {
                let (array, ty) = self.lower_typed(of, None);
                let element = model::constant::element_type(&ty)
                    .map_or(crate::program::DataType::Blob, data_type);
                Repetition::Elements(array, element)
            }
            Loop::Shards(count) => Repetition::Shards(*count),
            Loop::Buckets(walk) => {
                // The operands of a walk see the loops around it only.
                let around = self.loops.get(..at).unwrap_or_default();
                let scope = Scope { loops: around, ..*self };
                Repetition::Buckets(Box::new(scope.lower_walk(walk)))
            }
            Loop::Rows(step) => Repetition::Rows(step.index()),
        };
        self.loops.iter().enumerate().map(lower).collect()
    }

    fn lower_walk(&self, walk: &BucketWalk) -> Walk {
        let bound = |operand: &Option<model::plan::Operand>| {
            operand.as_ref().map(|operand| self.lower_typed(operand, None).0)
        };
        let ends = walk.oldest.or(walk.newest);
        let step = ends.and_then(|at| self.steps.get(at.index()).copied().flatten());
        let table = step.and_then(|step| self.source.table(step.table));
        let find = |is_newest: bool| {
            let items = step.into_iter().flat_map(|step| &step.select.items);
            let mut names = items.filter_map(|item| item.expression.column().map(|it| (it, item)));
            let found = names.find(|(column, _)| {
                let column = table.and_then(|table| table.column(column));
                let derivation = column.map(|column| &column.derivation);
                matches!(derivation, Some(Derivation::Newest(_))) == is_newest
            });
            found.map(|(_, item)| item.name.clone())
        };
        #[expect(clippy::cast_possible_truncation, reason = "a retention is far below 2^63 ms")]
        let retention_ms = walk.retain.map(|seconds| (seconds * 1000.0) as i64);
        Walk {
            width: lower_width(walk.bucket),
            newest_first: walk.newest_first,
            from: bound(&walk.from),
            to: bound(&walk.to),
            retention_ms,
            ends: ends.map(model::id::StepId::index),
            oldest_column: find(false),
            newest_column: walk.newest.and_then(|_| find(true)),
            stops_at_limit: walk.stops_at_limit,
            ahead: walk.ahead,
        }
    }
}

/// A statement as it is prepared; it neither returns rows nor has a condition.
pub(super) fn lower_statement(
    text: &StatementText<'_>,
    table: Option<&PlannedTable>,
    consistency: &str,
) -> Statement {
    let marker = |marker: &model::plan::Marker<'_>| {
        let name = match marker.receiver {
            model::plan::Receiver::Column(name)
            | model::plan::Receiver::ListOf(name)
            | model::plan::Receiver::ElementOf(name) => name,
            model::plan::Receiver::Limit => "limit",
            model::plan::Receiver::Timestamp => "timestamp",
        };
        let ty = table.and_then(|table| marker.receiver.ty(table));
        Field {
            name: name.to_owned(),
            ty: ty.map_or(crate::program::DataType::Blob, |ty| data_type(&ty)),
            nullable: true,
        }
    };
    Statement {
        cql: text.cql.clone(),
        table: table.map(|table| table.name.clone()).unwrap_or_default(),
        markers: text.markers.iter().map(marker).collect(),
        columns: Vec::new(),
        idempotent: true,
        conditional: false,
        consistency: consistency.to_owned(),
    }
}

/// The steps that read, of the steps of a read.
pub(super) fn list_steps(steps: &[ReadStep]) -> Vec<Option<&ReadStep>> {
    debug_assert!(steps.ids().len() == steps.len());
    steps.iter().map(Some).collect()
}
