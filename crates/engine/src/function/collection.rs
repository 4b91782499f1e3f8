//! The functions `map_keys`, `map_values` and `collection_*`.

use cql::types::Type;
use cql::value;
use schema::bind::function::Function;

use super::aggregate::Accumulator;
use super::{Computation, failure};

/// Computes the function by its name; null gives null.
pub(super) fn compute(function: &Function, value: Option<&[u8]>) -> Computation {
    let (Some(ty), Some(bytes)) = (function.arguments.first(), value) else { return Ok(None) };
    let parts = match value::split(ty, bytes) {
        Ok(parts) => parts,
        Err(error) => return Err(failure::invalid_bytes(error)),
    };
    let every_second = |first: usize| {
        let chosen = parts.iter().skip(first).step_by(2);
        let chosen: Vec<Option<Vec<u8>>> = chosen.map(|part| part.map(<[u8]>::to_vec)).collect();
        value::join(&function.returns, &chosen).ok()
    };
    let width = if matches!(ty, Type::Map(..)) { 2 } else { 1 };
    let kind = match &*function.name.name {
        "map_keys" => return Ok(every_second(0)),
        "map_values" => return Ok(every_second(1)),
        "collection_count" => {
            let count = i32::try_from(parts.len() / width).unwrap_or(i32::MAX);
            return Ok(Some(count.to_be_bytes().to_vec()));
        }
        name => name.strip_prefix("collection_").unwrap_or_default(),
    };
    let mut accumulator = Accumulator::for_name(kind, &function.returns);
    for part in parts {
        accumulator.add(&[part])?;
    }
    accumulator.finish()
}
