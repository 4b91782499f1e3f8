//! Queries and writes, resolved against the tables of the file.

use cql::Diagnostic;

use super::Assumption;
use super::source::{Named, Places};
use crate::concept::Concept;
use crate::workload::Workload;

/// Resolves the named statements: what is wrong in them goes to `complaints`, what is merely odd to `warnings`.
pub(super) fn resolve(
    _concept: &mut Concept,
    _queries: &[Named],
    _places: &Places<'_>,
    _complaints: &mut Vec<Diagnostic>,
    _assumptions: &mut Vec<Assumption>,
    _warnings: &mut Vec<Diagnostic>,
) -> Workload {
    Workload::default()
}
