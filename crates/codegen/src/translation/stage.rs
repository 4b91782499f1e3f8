//! The client steps of a read.

use cql::types::{NativeType, Type};
use model::id::{IdList, ReadId, StepId};
use model::plan::{ClientStep, ReadPart, ReadPlan, ReadStep};
use model::workload::{
    Column, Comparison, OutputValue, Predicate, Read, ResultColumns, SortColumn, Value,
};

use super::data_type;
use super::operand::lower_constant;
use super::scope::{Scope, null_of};
use crate::program::{
    AggregateKind, AttachedPart, DataType, Expression, ExpressionKind, Fetch, Field, FoldKind,
    Record, RowReference, SortKey, Stage,
};

/// The state while the stages of a read are made.
pub(super) struct StageLowering<'a> {
    scope: Scope<'a>,
    at: ReadId,
    read: &'a Read,
    plan: &'a ReadPlan,
    fetches: &'a [Fetch],
    /// The rows before an aggregation.
    row: Record,
    /// The rows after it.
    aggregated: Option<Record>,
}

impl<'a> StageLowering<'a> {
    pub(super) const fn new(
        scope: Scope<'a>,
        at: ReadId,
        read: &'a Read,
        plan: &'a ReadPlan,
        fetches: &'a [Fetch],
        row: Record,
    ) -> Self {
        Self { scope, at, read, plan, fetches, row, aggregated: None }
    }

    /// The current rows.
    pub(super) const fn record(&self) -> &Record {
        match &self.aggregated {
            Some(record) => record,
            None => &self.row,
        }
    }

    /// The rows before an aggregation.
    pub(super) fn first_record(&self) -> Record {
        self.row.clone()
    }

    /// All stages.
    pub(super) fn lower_stages(&mut self) -> Vec<Stage> {
        let mut stages = Vec::new();
        for step in &self.plan.client {
            stages.extend(self.lower_stage(step));
        }
        let folds = |value| !matches!(value, OutputValue::Column(_) | OutputValue::Exists);
        if self.read.group.is_empty() && self.read.outputs.iter().any(|it| folds(it.value)) {
            let counts = self.read.outputs.iter();
            let counts = counts.filter(|it| matches!(it.value, OutputValue::Count(_)));
            let names: Vec<_> = counts.map(|output| output.name.clone()).collect();
            for name in &names {
                self.add_field(name, DataType::Bigint);
            }
            stages.push(Stage::RowOfZeros(names));
        }
        stages
    }

    fn lower_stage(&mut self, step: &ClientStep) -> Option<Stage> {
        Some(match step {
            ClientStep::Filter(condition) => {
                let column = |column| self.column(column);
                Stage::Filter(self.scope.lower_predicate(&condition.predicate, &column))
            }
            ClientStep::Merge(order) => Stage::Merge(self.lower_order(order)),
            ClientStep::Sort(order) => Stage::Sort(self.lower_order(order)),
            ClientStep::Limit(_) => Stage::Limit,
            ClientStep::Combine(group) => Stage::Combine {
                group: group.iter().map(|column| self.column(*column).0).collect(),
                folds: self.list_folds(),
            },
            ClientStep::Aggregate(group) => self.lower_aggregate(group),
            ClientStep::Average { sum, count, output } => {
                self.add_field(output, DataType::Double);
                let (sum, count, output) = (sum.clone(), count.clone(), output.clone());
                Stage::Average { sum, count, output }
            }
            ClientStep::EmptySumIsNull { sum, count } => {
                Stage::EmptySumIsNull { sum: sum.clone(), count: count.clone() }
            }
            ClientStep::DropEmptyGroups(count) => Stage::DropEmptyGroups(count.clone()),
            ClientStep::AbsentIsZero => self.lower_absent(),
            ClientStep::Attach(step) => self.lower_attach(*step)?,
            ClientStep::DropStaticRow(column) => Stage::DropStaticRow(column.clone()),
            ClientStep::Exists => {
                let names: Vec<_> =
                    self.read.outputs.iter().map(|output| output.name.clone()).collect();
                for name in &names {
                    self.add_field(name, DataType::Boolean);
                }
                Stage::Exists(names)
            }
            // The result computes them.
            ClientStep::Compute(_) => return None,
        })
    }

    fn add_field(&mut self, name: &str, ty: DataType) {
        let record = self.aggregated.as_mut().unwrap_or(&mut self.row);
        if record.field(name).is_none() {
            record.fields.push(Field { name: name.to_owned(), ty, nullable: true });
        }
    }

    /// The name of a column of the read in the rows.
    fn name(&self, column: Column) -> Option<&str> {
        let planned = self.plan.columns.iter().find(|(of, _)| *of == column);
        planned.map(|(_, name)| name.as_str()).or_else(|| {
            let shows = |value: OutputValue| value == OutputValue::Column(column);
            let output = self.read.outputs.iter().find(|output| shows(output.value));
            output.map(|output| output.name.as_str())
        })
    }

    /// A column of the read, as the current row has it, and the type that constants beside it have.
    fn column(&self, column: Column) -> (Expression, Type) {
        let source = self.read.sources.member(column.source);
        let entity = source.and_then(|it| self.scope.source.concept.entities.member(it.entity));
        let attribute = entity.and_then(|entity| entity.attributes.member(column.attribute));
        let ty = attribute.map_or(Type::Native(NativeType::Blob), |it| it.ty.clone());
        match self.name(column).and_then(|name| self.record().field(name)) {
            Some(field) => (current_column(field), ty),
            None => null_of(ty),
        }
    }

    fn lower_order(&self, order: &[SortColumn]) -> Vec<SortKey> {
        let key = |wanted: &SortColumn| {
            let (value, ty) = self.column(wanted.column);
            let null_as = wanted.null_as.as_deref().and_then(|text| {
                match lower_constant(text, Some(&ty)).0.kind {
                    ExpressionKind::Constant(constant) => Some(constant),
                    _ => None,
                }
            });
            SortKey { value, descending: wanted.descending, null_as }
        };
        order.iter().map(key).collect()
    }

    /// How columns of several rows become one; those not named keep the first value.
    fn list_folds(&self) -> Vec<(String, FoldKind)> {
        let outputs = self.read.outputs.iter().filter_map(|output| {
            let fold = match output.value {
                OutputValue::Column(_) | OutputValue::Average(_) | OutputValue::Exists => {
                    return None;
                }
                OutputValue::Count(_) | OutputValue::Sum(_) => FoldKind::Sum,
                OutputValue::Least(_) => FoldKind::Least,
                OutputValue::Greatest(_) => FoldKind::Greatest,
            };
            Some((output.name.clone(), fold))
        });
        let parts = self.plan.client.iter().flat_map(|step| match step {
            ClientStep::Average { sum, count, .. } => vec![sum, count],
            ClientStep::DropEmptyGroups(count) | ClientStep::EmptySumIsNull { count, .. } => {
                vec![count]
            }
            _ => Vec::new(),
        });
        let parts = parts.map(|name| (name.clone(), FoldKind::Sum));
        let mut folds: Vec<(String, FoldKind)> = Vec::new();
        for (name, fold) in outputs.chain(parts) {
            let is_there = folds.iter().any(|(other, _)| *other == name);
            if !is_there && self.record().field(&name).is_some() {
                folds.push((name, fold));
            }
        }
        folds
    }

    fn lower_aggregate(&mut self, group: &[Column]) -> Stage {
        let columns = ResultColumns::from(self.read);
        let concept = self.scope.source.concept;
        let mut record = Record { name: self.row.name.clone(), fields: Vec::new() };
        let mut values = Vec::new();
        let mut add = |name: &str, ty: DataType, value: AggregateKind| {
            if record.field(name).is_none() {
                record.fields.push(Field { name: name.to_owned(), ty, nullable: true });
                values.push(value);
            }
        };
        for (at, output) in self.read.outputs.iter().enumerate() {
            let ty = data_type(&columns.output_type(concept, at));
            let of = |column: Column| self.column(column).0;
            let (ty, value) = match output.value {
                OutputValue::Column(column) => {
                    let value = of(column);
                    (value.ty.clone(), AggregateKind::First(value))
                }
                OutputValue::Count(None) => (ty, AggregateKind::CountRows),
                OutputValue::Count(Some(column)) => (ty, AggregateKind::Count(of(column))),
                OutputValue::Sum(column) => {
                    (ty.clone(), AggregateKind::Sum(of(column).convert(ty)))
                }
                OutputValue::Average(column) => {
                    (ty, AggregateKind::Average(of(column).convert(DataType::Double)))
                }
                OutputValue::Least(column) => {
                    let value = of(column);
                    (value.ty.clone(), AggregateKind::Least(value))
                }
                OutputValue::Greatest(column) => {
                    let value = of(column);
                    (value.ty.clone(), AggregateKind::Greatest(value))
                }
                OutputValue::Exists => (ty, AggregateKind::Null),
            };
            add(&output.name, ty, value);
        }
        // The group columns are kept for sorting.
        for (column, name) in &self.plan.columns {
            let value = self.column(*column).0;
            add(name, value.ty.clone(), AggregateKind::First(value));
        }
        let group = group.iter().map(|column| self.column(*column).0).collect();
        self.aggregated = Some(record.clone());
        Stage::Aggregate { group, record, values }
    }

    fn lower_absent(&mut self) -> Stage {
        let columns = ResultColumns::from(self.read);
        for (at, output) in self.read.outputs.iter().enumerate() {
            let ty = data_type(&columns.output_type(self.scope.source.concept, at));
            self.add_field(&output.name, ty);
        }
        let given = self.read.outputs.iter().filter_map(|output| {
            let OutputValue::Column(column) = output.value else { return None };
            let value = find_equality(self.read, column)?;
            let (_, ty) = self.column(column);
            let field = self.record().field(&output.name)?;
            let (value, _) = self.scope.lower_value(value, Some(&ty));
            Some((output.name.clone(), value.convert(field.ty.clone())))
        });
        let given = given.collect();
        let counted = self.read.outputs.iter();
        let counted = counted
            .filter(|output| matches!(output.value, OutputValue::Count(_) | OutputValue::Sum(_)));
        let mut zeros: Vec<_> = counted.map(|output| output.name.clone()).collect();
        zeros.extend(self.list_counters());
        Stage::AbsentIsZero { given, zeros }
    }

    /// The outputs that are counters.
    fn list_counters(&self) -> Vec<String> {
        let is_counter = |value| match value {
            OutputValue::Column(column) => {
                let source = self.read.sources.member(column.source);
                let entity =
                    source.and_then(|it| self.scope.source.concept.entities.member(it.entity));
                entity
                    .and_then(|entity| entity.attributes.member(column.attribute))
                    .is_some_and(|attribute| attribute.counter)
            }
            _ => false,
        };
        let counters = self.read.outputs.iter().filter(|output| is_counter(output.value));
        counters.map(|output| output.name.clone()).collect()
    }

    fn lower_attach(&mut self, at: StepId) -> Option<Stage> {
        let step = self.plan.steps.member(at)?;
        let fetch = self.fetches.get(at.index())?;
        let part = match self.find_part(step) {
            ReadPart::Counters => {
                for field in &fetch.statement.columns {
                    self.add_field(&field.name, field.ty.clone());
                }
                let counters = self.list_counters();
                for name in &counters {
                    self.add_field(name, DataType::Bigint);
                }
                AttachedPart::Counters(counters)
            }
            ReadPart::Elements => {
                let arrays = self.list_arrays(step);
                for (name, ty) in &arrays {
                    self.add_field(name, ty.clone());
                }
                AttachedPart::Elements(arrays.into_iter().map(|(name, _)| name).collect())
            }
            _ => {
                for field in &fetch.statement.columns {
                    self.add_field(&field.name, field.ty.clone());
                }
                AttachedPart::Columns
            }
        };
        Some(Stage::Attach { step: at.index(), part })
    }

    /// The part of the read that a lookup serves.
    fn find_part(&self, step: &ReadStep) -> ReadPart {
        let Some(table) = self.scope.source.table(step.table) else { return ReadPart::Columns };
        let parts = || table.serves.iter().filter(|it| it.read == self.at).map(|one| one.part);
        if table.is_counter() && parts().any(|part| part == ReadPart::Counters) {
            return ReadPart::Counters;
        }
        let elements = parts().any(|part| part == ReadPart::Elements);
        let columns = parts().any(|part| part == ReadPart::Columns);
        if elements && !columns { ReadPart::Elements } else { ReadPart::Columns }
    }

    /// The outputs that show arrays of which a step reads the elements.
    fn list_arrays(&self, step: &ReadStep) -> Vec<(String, DataType)> {
        let Some(table) = self.scope.source.table(step.table) else { return Vec::new() };
        let columns = ResultColumns::from(self.read);
        let mut arrays = Vec::new();
        for served in table.serves.iter().filter(|served| served.read == self.at) {
            for (position, output) in self.read.outputs.iter().enumerate() {
                let OutputValue::Column(column) = output.value else { continue };
                let shown = served.column(column);
                if shown.is_some_and(|of| table.holds.elements.contains(&of)) {
                    let ty = columns.output_type(self.scope.source.concept, position);
                    arrays.push((output.name.clone(), data_type(&ty)));
                }
            }
        }
        arrays
    }
}

/// A column of the current row.
fn current_column(field: &Field) -> Expression {
    let kind = ExpressionKind::Column { row: RowReference::Current, name: field.name.clone() };
    Expression { ty: field.ty.clone(), kind }
}

/// The value that a read restricts a column to.
fn find_equality(read: &Read, wanted: Column) -> Option<&Value> {
    read.conditions.iter().find_map(|condition| match &condition.predicate {
        Predicate::Compare { column, comparison: Comparison::Equal, value }
            if *column == wanted =>
        {
            Some(value)
        }
        _ => None,
    })
}
