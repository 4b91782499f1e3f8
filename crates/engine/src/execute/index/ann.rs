//! [`AnnQuery`]: the similarity of vectors for `ORDER BY column ANN OF vector`.
//!
//! The index is exact: all candidate rows are scored. Cassandra's is approximate and may miss rows.

use cql::ErrorCode;
use schema::access::{IndexSearch, ReadPlan};
use schema::bind::restrictions::RestrictionKind;
use schema::bind::select::BoundSelect;
use schema::bind::term::BoundTerm;

use crate::error::{Error, ReplicaReport, Result};
use crate::execute::Execution;
use crate::node::handle::TableHandle;

/// The maximum magnitude of components.
const COMPONENT_MAX: f32 = 1e17;

/// An ANN query: the vector that rows are compared with, and the similarity function.
#[derive(Clone, Debug)]
pub(crate) struct AnnQuery {
    /// The column, as a position in the table's definition.
    pub(crate) column: usize,
    vector: Vec<f32>,
    similarity: SimilarityFunction,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SimilarityFunction {
    Cosine,
    DotProduct,
    Euclidean,
}

/// The ANN query of a SELECT, if it has one. A vector that cannot be compared is an error.
pub(crate) fn build_ann_query(
    execution: &Execution<'_>,
    handle: &TableHandle,
    plan: &ReadPlan,
    select: &BoundSelect,
) -> Result<Option<AnnQuery>> {
    let search = plan.nearest.and_then(|search| find_ann_query(handle, search, select));
    let Some(nearest) = search else { return Ok(None) };
    let is_wild = |component: &f32| !component.is_finite() || component.abs() > COMPONENT_MAX;
    let is_zero = nearest.vector.iter().all(|component| *component == 0.0);
    let has_no_direction = is_zero && nearest.similarity == SimilarityFunction::Cosine;
    if has_no_direction || nearest.vector.iter().any(is_wild) {
        let message =
            "Operation failed - received 0 responses and 1 failures: UNKNOWN from /127.0.0.1:7000";
        let consistency = execution.parameters.consistency;
        let detail = ReplicaReport::single_replica(consistency, 1).into();
        return Err(Error { detail, ..Error::new(ErrorCode::ReadFailure, message) });
    }
    Ok(Some(nearest))
}

fn find_ann_query(
    handle: &TableHandle,
    search: IndexSearch,
    select: &BoundSelect,
) -> Option<AnnQuery> {
    let restriction = select.restrictions.get(search.restriction)?;
    let column = restriction.first_column();
    let RestrictionKind::Nearest(BoundTerm::Value(Some(vector))) = &restriction.kind else {
        return None;
    };
    let index = handle.indexes.get(search.index)?;
    let option = index.definition.options.get("similarity_function");
    let similarity = match option.map(|name| name.to_ascii_lowercase()).as_deref() {
        Some("dot_product") => SimilarityFunction::DotProduct,
        Some("euclidean") => SimilarityFunction::Euclidean,
        _ => SimilarityFunction::Cosine,
    };
    Some(AnnQuery { column, vector: components(vector), similarity })
}

impl AnnQuery {
    /// The similarity of a value: greater is nearer.
    pub(crate) fn score(&self, value: &[u8]) -> f32 {
        let other = components(value);
        let pairs = || self.vector.iter().zip(&other);
        let dot = || pairs().map(|(a, b)| a * b).sum::<f32>();
        match self.similarity {
            SimilarityFunction::DotProduct => f32::midpoint(1.0, dot()),
            SimilarityFunction::Euclidean => {
                let square: f32 = pairs().map(|(a, b)| (a - b) * (a - b)).sum();
                1.0 / (1.0 + square)
            }
            SimilarityFunction::Cosine => {
                let length = |vector: &[f32]| vector.iter().map(|a| a * a).sum::<f32>().sqrt();
                let lengths = length(&self.vector) * length(&other);
                f32::midpoint(1.0, dot() / lengths)
            }
        }
    }
}

fn components(bytes: &[u8]) -> Vec<f32> {
    bytes.as_chunks::<4>().0.iter().map(|chunk| f32::from_be_bytes(*chunk)).collect()
}
