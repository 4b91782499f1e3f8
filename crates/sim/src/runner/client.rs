//! The client steps of a plan: lookups, filters, order, limit.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use cql::types::{NativeType, Type};
use model::id::{IdList, ReadId, StepId};
use model::plan::{ClientStep, Loop, ReadPart, ReadPlan, ReadStep};
use model::workload::{Limit, Output, OutputValue, Read, SortColumn as Wanted};

use super::frame::{ExecutionFrame, StepRow};
use super::rows::{ColumnNames, PlanRow, disambiguate_name, matches_predicate};
use super::{PlanExecution, compute, fold};
use crate::dataset::Datum;
use crate::relational::ResultColumns;
use crate::server::Failure;
use crate::value::{TypedValue, parse_constant};

/// The number of leading client steps that work on single rows: they run before a walk counts its
/// rows.
pub(super) fn count_row_steps(plan: &ReadPlan) -> usize {
    let alone = |step: &&ClientStep| {
        matches!(step, ClientStep::Attach(_) | ClientStep::Filter(_) | ClientStep::DropStaticRow(_))
    };
    plan.client.iter().take_while(alone).count()
}

impl PlanExecution<'_> {
    /// LIMIT.
    pub(super) fn limit(&self, read: &Read) -> Option<u64> {
        match read.limit? {
            Limit::Number(rows) => Some(rows),
            Limit::Parameter(at) => u64::try_from(self.scope.parameter(at).to_integer()?).ok(),
        }
    }

    /// Applies the leading client steps that work on single rows.
    pub(super) fn apply_row_steps(
        &mut self,
        of: Option<(ReadId, &ReadPlan)>,
        steps: usize,
        mut items: Vec<PlanRow>,
    ) -> Result<Vec<PlanRow>, Failure> {
        let Some((at, plan)) = of else { return Ok(items) };
        for step in plan.client.iter().take(steps) {
            items = self.apply_row_step(at, plan, step, items)?;
        }
        Ok(items)
    }

    /// Applies a step that works on single rows.
    fn apply_row_step(
        &mut self,
        at: ReadId,
        plan: &ReadPlan,
        step: &ClientStep,
        mut items: Vec<PlanRow>,
    ) -> Result<Vec<PlanRow>, Failure> {
        let Some(read) = self.subject.workload.reads.member(at) else { return Ok(items) };
        match step {
            ClientStep::Attach(lookup) => return self.attach(at, read, *lookup, items),
            ClientStep::Filter(condition) => {
                let names = ColumnNames { plan, read };
                items.retain(|item| {
                    matches_predicate(&condition.predicate, self.scope, &|column| {
                        item.get(names, column)
                    })
                });
            }
            ClientStep::DropStaticRow(name) => items.retain(|item| !item.column(name).is_null()),
            _ => {}
        }
        Ok(items)
    }

    /// Adds the result of a lookup to each row.
    fn attach(
        &mut self,
        at: ReadId,
        read: &Read,
        lookup: StepId,
        items: Vec<PlanRow>,
    ) -> Result<Vec<PlanRow>, Failure> {
        let Some(step) = self.steps.get(lookup.index()).copied().flatten() else {
            return Ok(items);
        };
        let part = self.lookup_part(at, step);
        let mut frames = Vec::new();
        let mut owners = Vec::new();
        for (owner, item) in items.iter().enumerate() {
            for frame in self.lookup_turns(step, &item.frame) {
                frames.push(frame);
                owners.push(owner);
            }
        }
        self.trace.lookups += frames.len();
        let found = self.fetch(lookup, step, &frames)?;
        let mut returned: Vec<Vec<ExecutionFrame>> = vec![Vec::new(); items.len()];
        for (owner, rows) in owners.into_iter().zip(found) {
            if let Some(slot) = returned.get_mut(owner) {
                slot.extend(rows);
            }
        }
        for (item, rows) in items.iter().zip(&mut returned) {
            if step.optional && rows.is_empty() {
                rows.push(item.frame.with_row(lookup, StepRow::nulls()));
            }
        }
        let arrays = self.arrays(at, read, step);
        let joined = items.into_iter().zip(returned).filter_map(|(item, rows)| match part {
            ReadPart::Counters => Some(self.with_counters(read, lookup, item, &rows)),
            ReadPart::Elements => Some(with_elements(&arrays, lookup, item, &rows)),
            _ => with_columns(lookup, item, &rows),
        });
        Ok(joined.collect())
    }

    /// The part of the read that a lookup serves.
    fn lookup_part(&self, at: ReadId, step: &ReadStep) -> ReadPart {
        let Some(table) = self.table(step.table) else { return ReadPart::Columns };
        let parts = || table.serves.iter().filter(|served| served.read == at).map(|one| one.part);
        if table.is_counter() && parts().any(|part| part == ReadPart::Counters) {
            return ReadPart::Counters;
        }
        let elements = parts().any(|part| part == ReadPart::Elements);
        let columns = parts().any(|part| part == ReadPart::Columns);
        if elements && !columns { ReadPart::Elements } else { ReadPart::Columns }
    }

    /// The turns of a lookup for one row: the row is the only turn of a loop over rows.
    fn lookup_turns(&self, step: &ReadStep, frame: &ExecutionFrame) -> Vec<ExecutionFrame> {
        let mut frames = vec![ExecutionFrame { rows: frame.rows.clone(), turns: Vec::new() }];
        for turn in &step.loops {
            frames = frames
                .iter()
                .flat_map(|frame| match turn {
                    Loop::Rows(_) => vec![frame.with_turn(TypedValue::null())],
                    other => self.loop_frames(other, frame),
                })
                .collect();
        }
        frames
    }

    /// Counters, 0 where they are absent.
    fn with_counters(
        &self,
        read: &Read,
        lookup: StepId,
        mut item: PlanRow,
        rows: &[ExecutionFrame],
    ) -> PlanRow {
        for (name, value) in rows.first().into_iter().flat_map(|frame| row_columns(lookup, frame)) {
            let value = if value.is_null() { TypedValue::bigint(0) } else { value };
            item.columns.insert(name, value);
        }
        for name in self.counters(read) {
            item.columns.entry(name).or_insert_with(|| TypedValue::bigint(0));
        }
        item
    }

    /// The outputs that are counters.
    fn counters(&self, read: &Read) -> Vec<String> {
        let is_counter = |value| match value {
            OutputValue::Column(column) => {
                let entity = read.sources.member(column.source).map(|source| source.entity);
                let entity = entity.and_then(|at| self.subject.concept.entities.member(at));
                entity
                    .and_then(|entity| entity.attributes.member(column.attribute))
                    .is_some_and(|attribute| attribute.counter)
            }
            _ => false,
        };
        let counters = read.outputs.iter().filter(|output| is_counter(output.value));
        counters.map(|output| output.name.clone()).collect()
    }

    /// The outputs that show arrays of which a step reads the elements: their names and types.
    fn arrays(&self, at: ReadId, read: &Read, step: &ReadStep) -> Vec<(String, Type)> {
        let Some(table) = self.table(step.table) else { return Vec::new() };
        let mut arrays = Vec::new();
        for served in table.serves.iter().filter(|served| served.read == at) {
            for (position, output) in read.outputs.iter().enumerate() {
                let OutputValue::Column(column) = output.value else { continue };
                let shown = served.column(column);
                if shown.is_some_and(|of| table.holds.elements.contains(&of)) {
                    let ty = ResultColumns::from(read).output_type(self.subject.concept, position);
                    arrays.push((output.name.clone(), ty));
                }
            }
        }
        arrays
    }

    /// Applies the remaining client steps, and returns the outputs.
    pub(super) fn finish(
        &mut self,
        at: ReadId,
        read: &Read,
        plan: &ReadPlan,
        settled: usize,
        streams: Vec<Vec<PlanRow>>,
    ) -> Result<Vec<Vec<Datum>>, Failure> {
        let names = ColumnNames { plan, read };
        let mut streams = streams;
        for step in plan.client.iter().skip(settled) {
            if let ClientStep::Merge(order) = step {
                self.trace.merges +=
                    usize::from(streams.iter().filter(|stream| !stream.is_empty()).count() > 1);
                streams = vec![merge_streams(streams, |one, other| {
                    compare_rows(order, names, one, other)
                })];
                continue;
            }
            let items: Vec<PlanRow> = streams.into_iter().flatten().collect();
            streams = vec![self.apply_result_step(at, names, step, items)?];
        }
        let mut items: Vec<PlanRow> = streams.into_iter().flatten().collect();
        if items.is_empty() && fold::is_global_aggregate(read) {
            items.push(fold::empty_row(read));
        }
        let answer = items.into_iter().map(|item| self.output_values(read, &item));
        let Some(ClientStep::Compute(results)) = plan.client.last() else {
            return Ok(answer.collect());
        };
        let concept = self.subject.concept;
        let columns = ResultColumns::from(read);
        let computed = answer.map(|row| {
            let typed = row.into_iter().enumerate();
            let typed: Vec<TypedValue> = typed
                .map(|(at, value)| TypedValue::new(columns.output_type(concept, at), value))
                .collect();
            compute::compute_row(results, &typed)
        });
        Ok(computed.collect())
    }

    /// Applies a step that works on all rows.
    fn apply_result_step(
        &mut self,
        at: ReadId,
        names: ColumnNames<'_>,
        step: &ClientStep,
        mut items: Vec<PlanRow>,
    ) -> Result<Vec<PlanRow>, Failure> {
        let read = names.read;
        match step {
            ClientStep::Sort(order) => {
                items.sort_by(|one, other| compare_rows(order, names, one, other));
            }
            ClientStep::Limit(_) => {
                let limit = self.limit(read).and_then(|rows| usize::try_from(rows).ok());
                items.truncate(limit.unwrap_or(usize::MAX));
            }
            ClientStep::Combine(group) => items = fold::combine(names, group, items),
            ClientStep::Aggregate(group) => items = fold::aggregate(names, group, items),
            ClientStep::Average { sum, count, output } => {
                for item in &mut items {
                    let average = fold::average(&item.column(sum), &item.column(count));
                    item.columns.insert(output.clone(), average);
                }
            }
            ClientStep::EmptySumIsNull { sum, count } => {
                for item in &mut items {
                    if item.column(count).to_integer().unwrap_or(0) == 0 {
                        item.columns.insert(sum.clone(), TypedValue::null());
                    }
                }
            }
            ClientStep::DropEmptyGroups(count) => {
                items.retain(|item| item.column(count).to_integer().unwrap_or(0) != 0);
            }
            ClientStep::AbsentIsZero => items = self.fill_absent_counters(read, items),
            ClientStep::Exists => {
                let found = vec![u8::from(!items.is_empty())];
                let found = TypedValue::new(NativeType::Boolean, Some(found));
                let columns =
                    read.outputs.iter().map(|output| (output.name.clone(), found.clone()));
                items =
                    vec![PlanRow { frame: ExecutionFrame::default(), columns: columns.collect() }];
            }
            _ => return self.apply_row_step(at, names.plan, step, items),
        }
        Ok(items)
    }

    /// Reads an absent counter row, or a counter without updates, as 0.
    fn fill_absent_counters(&self, read: &Read, mut items: Vec<PlanRow>) -> Vec<PlanRow> {
        if items.is_empty() {
            let columns = read.outputs.iter().filter_map(|output| match output.value {
                OutputValue::Column(column) => {
                    let given = fold::equality_value(read, column)?;
                    Some((output.name.clone(), self.scope.evaluate_value(given, None)))
                }
                _ => None,
            });
            items.push(PlanRow { frame: ExecutionFrame::default(), columns: columns.collect() });
        }
        let counted = read
            .outputs
            .iter()
            .filter(|output| matches!(output.value, OutputValue::Count(_) | OutputValue::Sum(_)));
        let mut zeros: Vec<_> = counted.map(|output| output.name.clone()).collect();
        zeros.extend(self.counters(read));
        for item in &mut items {
            for name in &zeros {
                let value = item.columns.entry(name.clone()).or_insert_with(TypedValue::null);
                if value.is_null() {
                    *value = TypedValue::bigint(0);
                }
            }
        }
        items
    }

    /// The outputs of a row, in the bytes of their types.
    fn output_values(&self, read: &Read, item: &PlanRow) -> Vec<Datum> {
        let outputs = read.outputs.iter().enumerate().map(|(at, output)| {
            let ty = ResultColumns::from(read).output_type(self.subject.concept, at);
            let same = |other: &&Output| other.name == output.name;
            let before = read.outputs.iter().take(at).filter(same).count();
            let kept = item.columns.get(&disambiguate_name(&output.name, before));
            let value = kept.cloned().unwrap_or_else(|| item.column(&output.name));
            fold::to_output(&value, &ty)
        });
        outputs.collect()
    }
}

/// The columns of the row that a step returned.
fn row_columns(step: StepId, frame: &ExecutionFrame) -> impl Iterator<Item = (String, TypedValue)> {
    let row = frame.rows.get(&step);
    row.into_iter().flat_map(|row| row.iter()).map(|(name, value)| (name.to_owned(), value))
}

/// The array of the values of the only column in all rows.
fn with_elements(
    arrays: &[(String, Type)],
    lookup: StepId,
    mut item: PlanRow,
    rows: &[ExecutionFrame],
) -> PlanRow {
    let elements = || rows.iter().flat_map(|frame| row_columns(lookup, frame).take(1));
    for (name, ty) in arrays {
        let parts: Vec<Datum> = elements().map(|(_, value)| value.bytes).collect();
        let array = Some(parts).filter(|parts| !parts.is_empty());
        let array = array.and_then(|parts| cql::value::join(ty, &parts).ok());
        item.columns.insert(name.clone(), TypedValue::new(ty.clone(), array));
    }
    item
}

/// The columns of the joined row; `None` where there is no row.
fn with_columns(lookup: StepId, mut item: PlanRow, rows: &[ExecutionFrame]) -> Option<PlanRow> {
    let frame = rows.first()?;
    for (name, value) in row_columns(lookup, frame) {
        // The read may have several outputs of that name.
        let free = (0..).map(|before| disambiguate_name(&name, before));
        let free = free.take(item.columns.len() + 1).find(|kept| !item.columns.contains_key(kept));
        item.columns.insert(free.unwrap_or(name), value);
    }
    if let Some(row) = frame.rows.get(&lookup) {
        item.frame.rows.insert(lookup, row.clone());
    }
    Some(item)
}

/// The order of two rows. Nulls come last, and first in descending order, as in `PostgreSQL`.
fn compare_rows(
    order: &[Wanted],
    names: ColumnNames<'_>,
    one: &PlanRow,
    other: &PlanRow,
) -> Ordering {
    for wanted in order {
        let value = |item: &PlanRow| {
            let value = item.get(names, wanted.column);
            match &wanted.null_as {
                Some(text) if value.is_null() => parse_constant(&value.ty, text),
                _ => value,
            }
        };
        let found = value(one).compare(&value(other));
        let found = if wanted.descending { found.reverse() } else { found };
        if found.is_ne() {
            return found;
        }
    }
    Ordering::Equal
}

/// Merges sorted streams: the smallest of their heads is taken each time.
fn merge_streams(
    streams: Vec<Vec<PlanRow>>,
    order: impl Fn(&PlanRow, &PlanRow) -> Ordering,
) -> Vec<PlanRow> {
    let mut heads: BTreeMap<usize, (PlanRow, std::vec::IntoIter<PlanRow>)> = BTreeMap::new();
    for (at, stream) in streams.into_iter().enumerate() {
        let mut rest = stream.into_iter();
        if let Some(head) = rest.next() {
            heads.insert(at, (head, rest));
        }
    }
    let mut all = Vec::new();
    loop {
        let least = heads.iter().min_by(|(_, (one, _)), (_, (other, _))| order(one, other));
        let Some(at) = least.map(|(at, _)| *at) else { return all };
        let Some((head, mut rest)) = heads.remove(&at) else { return all };
        all.push(head);
        if let Some(next) = rest.next() {
            heads.insert(at, (next, rest));
        }
    }
}
