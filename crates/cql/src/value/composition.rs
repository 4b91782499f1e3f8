//! The composition of values from their parts.

use super::collection::{append_parts, pack};
use super::error::{ValueError, refuse};
use super::vector;
use crate::types::Type;

/// The bytes of a value with these parts, which are in the order of the type (sets and maps are not
/// sorted here).
pub fn join(ty: &Type, parts: &[Option<Vec<u8>>]) -> Result<Vec<u8>, ValueError> {
    match ty {
        Type::List(..) | Type::Set(..) => pack(parts.len(), parts),
        Type::Map(..) => pack(parts.len() / 2, parts),
        Type::Vector(element, _) => {
            let present: Option<Vec<Vec<u8>>> = parts.iter().cloned().collect();
            match present {
                Some(present) => Ok(vector::pack(element, &present)),
                None => refuse("null is not supported inside vectors"),
            }
        }
        _ => {
            let mut out = Vec::new();
            append_parts(&mut out, parts)?;
            Ok(out)
        }
    }
}
