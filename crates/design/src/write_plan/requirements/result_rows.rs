//! The rows that a write returns: the values after it, or before it where the row is deleted.
//!
//! Values come from the statement as far as it has them. All others, and whether there is a row at
//! all, are read first, unless a conditional statement tells that the row exists.

use model::id::{AttributeId, IdList};
use model::plan::{Guard, Loop, Operand, PlanRemark};
use model::workload::{DerivedPart, WriteKind};

use super::RowWriter;
use super::row_values::WriteMoment;
use crate::write_plan::impact::target::AttributeChange;

/// The rows that are returned: one at each turn of the loops at which the guards hold.
#[derive(Clone, Debug)]
pub(in crate::write_plan) struct ReturnDraft {
    /// The outputs, in their order.
    pub(in crate::write_plan) values: Vec<Operand>,
    pub(in crate::write_plan) loops: Vec<Loop>,
    pub(in crate::write_plan) guards: Vec<Guard>,
}

impl RowWriter<'_> {
    /// Resolves what the write returns; derived writes return the rows of those that consist of
    /// them.
    pub(super) fn return_rows(&mut self) {
        let impact = &self.values.impact;
        let write = impact.write;
        let Some(returning) = &write.returning else { return };
        let moment = match write.kind {
            WriteKind::Upsert(_) | WriteKind::Rows(_) => return,
            WriteKind::Insert(_) | WriteKind::Update(..) => WriteMoment::After,
            WriteKind::Delete(_) => WriteMoment::Before,
        };
        let is_known_to_exist = matches!(write.kind, WriteKind::Insert(_))
            || write.derived == Some(DerivedPart::ExistingRow)
            || self.values.main.is_some();
        if impact.target.rows_first {
            self.read_key();
        } else if !is_known_to_exist {
            self.values.restart = true;
            return;
        }
        let values: Vec<_> =
            returning.attributes().map(|attribute| self.find_result(attribute, moment)).collect();
        let is_read = |value: &Operand| matches!(value, Operand::Row { .. });
        if self.values.main.is_some() && values.iter().any(is_read) {
            self.remark(PlanRemark::ReturnedAsRead);
        }
        let loops = self.values.impact.target.loops.clone();
        self.returned = Some(ReturnDraft { values, loops, guards: self.guards.clone() });
    }

    /// Requests a column of the rows that are read first, so that there is something to read.
    fn read_key(&mut self) {
        let Some(entity) = self.values.impact.entity() else { return };
        if let Some(first) = entity.primary_key().first() {
            self.values.read_before(*first);
        }
    }

    /// The value of an attribute; a counter begins with 0.
    fn find_result(&mut self, attribute: AttributeId, moment: WriteMoment) -> Operand {
        let impact = &self.values.impact;
        let own = impact.entity().and_then(|entity| entity.attributes.member(attribute));
        let is_counter = own.is_some_and(|own| own.counter);
        if is_counter && matches!(impact.write.kind, WriteKind::Insert(_)) {
            return Operand::Literal("0".to_owned());
        }
        let change = impact.target.after.get(attribute.index()).cloned();
        let value = self.values.attribute(attribute, moment).operand();
        match change {
            Some(AttributeChange::Append(element)) => {
                Operand::Appended(Box::new(value), Box::new(element))
            }
            Some(AttributeChange::Remove(element)) => {
                Operand::Without(Box::new(value), Box::new(element))
            }
            _ => value,
        }
    }
}
