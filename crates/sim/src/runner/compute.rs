//! Results that the client computes from the outputs of a row.

use model::expression::{Expression, Scalar, evaluate};
use model::id::OutputId;
use model::workload::ComputedOutput;

use super::fold;
use crate::dataset::Datum;
use crate::value::TypedValue;

/// The results of a row with these outputs.
pub(super) fn compute_row(results: &[ComputedOutput], outputs: &[TypedValue]) -> Vec<Datum> {
    results.iter().map(|result| compute(&result.value, outputs)).collect()
}

fn compute(expression: &Expression<OutputId>, outputs: &[TypedValue]) -> Datum {
    let output = |at: &OutputId| outputs.get(at.index()).cloned().unwrap_or_else(TypedValue::null);
    if let Expression::Column(at) = expression {
        return output(at).bytes;
    }
    let value = evaluate(expression, &mut |at| {
        let value = output(at);
        Scalar::from_bytes(&value.ty, value.bytes.as_deref())
    })?;
    let ty = expression.ty(&|at| output(at).ty);
    fold::to_output(&TypedValue::new(value.ty(), value.to_bytes()), &ty)
}
