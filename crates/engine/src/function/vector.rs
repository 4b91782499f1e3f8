//! The similarity functions of vectors.

use schema::bind::function::Function;
use schema::refusal::ComputationReason;

use super::{Computation, failure};

/// Computes `similarity_cosine`, `similarity_euclidean` or `similarity_dot_product`.
pub(super) fn similarity(function: &Function, arguments: &[Option<&[u8]>]) -> Computation {
    let [Some(left), Some(right)] = arguments else { return Ok(None) };
    let (left, right) = (decode_floats(left), decode_floats(right));
    let name = &*function.name.name;
    let alike = match name {
        "similarity_cosine" => {
            if left.iter().all(|component| *component == 0.0)
                || right.iter().all(|component| *component == 0.0)
            {
                let function = function.name.to_string();
                return Err(failure::refusal(ComputationReason::ZeroVector { function }));
            }
            0.5 * (1.0 + cosine(&left, &right))
        }
        "similarity_euclidean" => {
            let pairs = left.iter().zip(&right);
            let distance: f32 = pairs.map(|(a, b)| (a - b) * (a - b)).sum();
            1.0 / (1.0 + distance)
        }
        _ => 0.5 * (1.0 + dot(&left, &right)),
    };
    Ok(Some(alike.to_be_bytes().to_vec()))
}

fn decode_floats(bytes: &[u8]) -> Vec<f32> {
    bytes.as_chunks::<4>().0.iter().map(|chunk| f32::from_be_bytes(*chunk)).collect()
}

fn dot(left: &[f32], right: &[f32]) -> f32 {
    left.iter().zip(right).map(|(a, b)| a * b).sum()
}

fn cosine(left: &[f32], right: &[f32]) -> f32 {
    let lengths = f64::from(dot(left, left)) * f64::from(dot(right, right));
    #[expect(clippy::cast_possible_truncation, reason = "the result is a float")]
    let cosine = (f64::from(dot(left, right)) / lengths.sqrt()) as f32;
    cosine
}
