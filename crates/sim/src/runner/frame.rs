//! The values available to the operands of a statement at one turn of its loops.

use std::collections::BTreeMap;
use std::rc::Rc;

use cql::types::Type;

use crate::dataset::Datum;
use crate::value::TypedValue;
use model::id::StepId;

/// A row that a step returned.
#[derive(Clone, Debug)]
pub(super) struct StepRow {
    pub(super) columns: Rc<[(String, Type)]>,
    pub(super) values: Vec<Datum>,
}

/// The rows of earlier steps, and the turns of the loops so far.
#[derive(Clone, Debug, Default)]
pub(super) struct ExecutionFrame {
    /// The current row of each step, with those under which it was read.
    pub(super) rows: BTreeMap<StepId, Rc<StepRow>>,
    /// The value of each loop; null for a loop over rows.
    pub(super) turns: Vec<TypedValue>,
}

impl StepRow {
    /// The column of that name; `None` where there is none.
    pub(super) fn get(&self, name: &str) -> Option<TypedValue> {
        let at = self.columns.iter().position(|(column, _)| column == name)?;
        let (_, ty) = self.columns.get(at)?;
        Some(TypedValue::new(ty.clone(), self.values.get(at).cloned().flatten()))
    }

    /// A row of nulls: it has no columns.
    pub(super) fn nulls() -> Rc<Self> {
        Rc::new(Self { columns: Rc::new([]), values: Vec::new() })
    }

    /// All columns.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, TypedValue)> {
        self.columns
            .iter()
            .zip(&self.values)
            .map(|((name, ty), value)| (name.as_str(), TypedValue::new(ty.clone(), value.clone())))
    }
}

impl ExecutionFrame {
    /// The frame with one more turn.
    pub(super) fn with_turn(&self, value: TypedValue) -> Self {
        let mut frame = self.clone();
        frame.turns.push(value);
        frame
    }

    /// Whether it has all rows of another frame.
    pub(super) fn is_under(&self, other: &Self) -> bool {
        let is_same = |(step, row): (&StepId, &Rc<StepRow>)| {
            self.rows.get(step).is_some_and(|own| Rc::ptr_eq(own, row))
        };
        other.rows.iter().all(is_same)
    }

    /// The frame with the row of a step, before the turns of the next statement.
    pub(super) fn with_row(&self, step: StepId, row: Rc<StepRow>) -> Self {
        let mut rows = self.rows.clone();
        rows.insert(step, row);
        Self { rows, turns: Vec::new() }
    }
}
