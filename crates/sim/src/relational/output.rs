//! The types of what reads and writes return.

pub(crate) use model::workload::ResultColumns;
pub(super) use model::workload::{attribute_type, sum_type};
