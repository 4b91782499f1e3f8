//! The context in which the operands of a statement are resolved.

use cql::types::{NativeType, Type};
use model::bucket;
use model::id::{IdList, LoopId, StepId};
use model::plan::{Derivation, Loop, Operand, PlannedTable, ReadStep, Select, SelectExpression};
use model::workload::{Column, Parameter, Value};

use super::{ProgramSource, data_type};
use crate::program::{ConstantValue, Expression, ExpressionKind, RowReference};

/// Where the values of a statement come from.
#[derive(Clone, Copy)]
pub(super) struct Scope<'a> {
    pub(super) source: ProgramSource<'a>,
    pub(super) parameters: &'a [Parameter],
    /// The steps that read, by their position among all.
    pub(super) steps: &'a [Option<&'a ReadStep>],
    /// The loops of the statement.
    pub(super) loops: &'a [Loop],
    /// The table from whose attributes buckets and shards are made.
    pub(super) table: Option<&'a PlannedTable>,
    /// Rows of steps are columns of the current row: in lookups of a read.
    pub(super) is_current: bool,
}

impl<'a> Scope<'a> {
    /// The same with the loops and the table of a statement.
    pub(super) fn with_loops(self, loops: &'a [Loop], table: Option<&'a PlannedTable>) -> Self {
        Self { loops, table, ..self }
    }

    /// A parameter.
    pub(super) fn parameter(&self, at: usize) -> (Expression, Type) {
        let ty = self.parameters.get(at).map_or(Type::Native(NativeType::Text), |it| it.ty.clone());
        (Expression { ty: data_type(&ty), kind: ExpressionKind::Parameter(at) }, ty)
    }

    /// The type of the value of a loop.
    pub(super) fn turn_type(&self, at: LoopId) -> Type {
        let unknown = Type::Native(NativeType::Blob);
        match self.loops.member(at) {
            Some(Loop::Values(values)) => self.values_type(values),
            Some(Loop::Elements(of)) => {
                let (_, ty) = self.lower_typed(of, None);
                model::constant::element_type(&ty).cloned().unwrap_or(unknown)
            }
            Some(Loop::Shards(_)) => Type::Native(NativeType::Int),
            Some(Loop::Buckets(walk)) => bucket::column_type(walk.bucket),
            Some(Loop::Rows(_)) | None => unknown,
        }
    }

    /// The type of the values of an IN: constants have that of the parameters beside them.
    pub(super) fn values_type(&self, values: &[Value]) -> Type {
        let given = values.iter().find_map(|value| match value {
            Value::Parameter(at) => self.parameters.member(*at).map(|it| it.ty.clone()),
            Value::Literal(_) => None,
        });
        given.unwrap_or_else(|| match values.first() {
            Some(Value::Literal(text)) => model::constant::own_type(text),
            _ => Type::Native(NativeType::Text),
        })
    }

    /// A column of the row that a step returned.
    pub(super) fn row(&self, step: StepId, column: &str) -> (Expression, Type) {
        let found = self.steps.get(step.index()).copied().flatten();
        let ty = found
            .and_then(|found| column_type(&found.select, self.source.table(found.table), column));
        let Some(ty) = ty else { return null_of(Type::Native(NativeType::Blob)) };
        let row = if self.is_current {
            RowReference::Current
        } else {
            self.find_row(step).unwrap_or_else(|| RowReference::First(step.index()))
        };
        let kind = ExpressionKind::Column { row, name: column.to_owned() };
        (Expression { ty: data_type(&ty), kind }, ty)
    }

    /// The repetition over rows in which the row of a step is known, the innermost first.
    fn find_row(&self, wanted: StepId) -> Option<RowReference> {
        self.loops.iter().enumerate().rev().find_map(|(at, turn)| {
            let Loop::Rows(step) = turn else { return None };
            let path = self.find_path(*step, wanted, self.steps.len())?;
            Some(RowReference::Turn(at, path))
        })
    }

    /// The way from the row of a step to the row under which it was read.
    fn find_path(&self, from: StepId, wanted: StepId, depth: usize) -> Option<Vec<usize>> {
        if from == wanted {
            return Some(Vec::new());
        }
        let step = self.steps.get(from.index()).copied().flatten().filter(|_| depth > 0)?;
        list_parents(step).into_iter().enumerate().find_map(|(at, parent)| {
            let rest = self.find_path(parent, wanted, depth - 1)?;
            Some([vec![at], rest].concat())
        })
    }

    /// The type of what a table's bucket is made from.
    pub(super) fn bucket_source_type(&self) -> Option<Type> {
        let table = self.table?;
        table.bucket().and_then(|(_, of, _)| self.attribute_type(table, of))
    }

    /// The types of what a table's shard is made from.
    pub(super) fn shard_source_types(&self) -> Vec<Type> {
        let Some(table) = self.table else { return Vec::new() };
        let of = table.columns.iter().find_map(|column| match &column.derivation {
            Derivation::Shard { of, .. } => Some(of),
            _ => None,
        });
        of.into_iter().flatten().filter_map(|of| self.attribute_type(table, *of)).collect()
    }

    fn attribute_type(&self, table: &PlannedTable, of: Column) -> Option<Type> {
        table.holds.attribute(self.source.concept, of).map(|attribute| attribute.ty.clone())
    }

    /// The value of an operand in the type in which it is needed.
    pub(super) fn lower(&self, operand: &Operand, wanted: &Type) -> Expression {
        let (value, _) = self.lower_typed(operand, Some(wanted));
        value.convert(data_type(wanted))
    }
}

/// The steps over whose rows a step is repeated.
pub(super) fn list_parents(step: &ReadStep) -> Vec<StepId> {
    let parents = step.loops.iter().filter_map(|turn| match turn {
        Loop::Rows(parent) => Some(*parent),
        _ => None,
    });
    parents.collect()
}

/// The type of a column that a SELECT returns.
pub(super) fn column_type(
    select: &Select,
    table: Option<&PlannedTable>,
    name: &str,
) -> Option<Type> {
    let item = select.items.iter().find(|item| item.name == name)?;
    let of = |column: &str| table?.column(column).map(|column| column.ty.clone());
    match &item.expression {
        SelectExpression::Column(column) => of(column),
        SelectExpression::CountRows => Some(NativeType::Bigint.into()),
        SelectExpression::Aggregate { function, column, cast } => match (function, cast) {
            (model::plan::AggregateFunction::Count, _) => Some(NativeType::Bigint.into()),
            (_, Some(cast)) => Some((*cast).into()),
            (_, None) => of(column),
        },
    }
}

/// Null, of a type.
pub(super) fn null_of(ty: Type) -> (Expression, Type) {
    let kind = ExpressionKind::Constant(ConstantValue::Null);
    (Expression { ty: data_type(&ty), kind }, ty)
}

impl Expression {
    /// The same value in another type.
    pub(super) fn convert(self, ty: crate::program::DataType) -> Self {
        if self.ty == ty {
            return self;
        }
        if matches!(self.kind, ExpressionKind::Constant(ConstantValue::Null)) {
            return Self { ty, kind: self.kind };
        }
        Self { ty, kind: ExpressionKind::Convert(Box::new(self)) }
    }
}
