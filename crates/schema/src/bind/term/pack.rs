//! The serialisation of literals whose parts are all constant.

use cql::Span;
use cql::types::{NativeType, Type};
use cql::value::compare;

use super::BoundTerm;
use crate::refusal::{ValueReason, refuse};
use crate::{Refusal, Result};

/// A list, set, vector, tuple or user type: bytes if all its elements are, otherwise unchanged.
pub fn collection(ty: &Type, elements: Vec<BoundTerm>, span: Span) -> Result<BoundTerm> {
    let Some(values) = constants(&elements) else {
        return Ok(BoundTerm::Collection { ty: ty.clone(), elements });
    };
    let mut bytes = Vec::new();
    match ty {
        Type::Tuple(_) | Type::User(..) => {
            for value in &values {
                append(&mut bytes, *value);
            }
        }
        Type::Vector(element, _) => {
            let is_present = |bytes: &&[u8]| !is_null(element, bytes);
            let present = values.iter().map(|value| value.filter(is_present));
            let Some(present) = present.collect::<Option<Vec<_>>>() else {
                return refuse(ValueReason::NullInVector, span);
            };
            for value in present {
                if element.value_length_if_fixed().is_none() {
                    append_vint(&mut bytes, value.len() as u64);
                }
                bytes.extend_from_slice(value);
            }
        }
        Type::Set(element, _) => {
            let mut present = not_null(&values, span)?;
            present.sort_by(|a, b| compare(element, a, b));
            present.dedup_by(|a, b| compare(element, a, b).is_eq());
            append_counted(&mut bytes, present.len(), &present);
        }
        _ => {
            let present = not_null(&values, span)?;
            append_counted(&mut bytes, present.len(), &present);
        }
    }
    Ok(BoundTerm::Value(Some(bytes.into())))
}

/// A map: bytes if all its entries are, otherwise unchanged. Of equal keys the last one counts.
pub fn map(ty: &Type, entries: Vec<(BoundTerm, BoundTerm)>, span: Span) -> Result<BoundTerm> {
    let (keys, values): (Vec<_>, Vec<_>) = entries.into_iter().unzip();
    let (Some(key_bytes), Some(value_bytes), Type::Map(entry, _)) =
        (constants(&keys), constants(&values), ty)
    else {
        let entries = keys.into_iter().zip(values).collect();
        return Ok(BoundTerm::Map { ty: ty.clone(), entries });
    };
    let key_bytes = not_null(&key_bytes, span)?;
    let value_bytes = not_null(&value_bytes, span)?;
    let mut sorted: Vec<_> = key_bytes.into_iter().zip(value_bytes).rev().collect();
    sorted.sort_by(|a, b| compare(&entry.0, a.0, b.0));
    sorted.dedup_by(|a, b| compare(&entry.0, a.0, b.0).is_eq());
    let parts: Vec<&[u8]> = sorted.iter().flat_map(|(key, value)| [*key, *value]).collect();
    let mut bytes = Vec::new();
    append_counted(&mut bytes, sorted.len(), &parts);
    Ok(BoundTerm::Value(Some(bytes.into())))
}

fn constants(terms: &[BoundTerm]) -> Option<Vec<Option<&[u8]>>> {
    let bytes = terms.iter().map(|term| match term {
        BoundTerm::Value(value) => Some(value.as_deref()),
        _ => None,
    });
    bytes.collect()
}

fn not_null<'a>(values: &[Option<&'a [u8]>], span: Span) -> Result<Vec<&'a [u8]>> {
    values
        .iter()
        .copied()
        .collect::<Option<_>>()
        .ok_or_else(|| Box::new(Refusal::new(ValueReason::NullInCollection, span)))
}

/// Whether bytes count as null: an empty value is a value only for texts and blobs.
fn is_null(ty: &Type, bytes: &[u8]) -> bool {
    let has_empty_values =
        matches!(ty, Type::Native(NativeType::Ascii | NativeType::Blob | NativeType::Text));
    bytes.is_empty() && !has_empty_values
}

/// The number of elements, then each preceded by its length.
fn append_counted(out: &mut Vec<u8>, count: usize, parts: &[&[u8]]) {
    append_length(out, count);
    for part in parts {
        append(out, Some(part));
    }
}

/// A value preceded by its length; that of null is -1.
fn append(out: &mut Vec<u8>, value: Option<&[u8]>) {
    match value {
        Some(bytes) => {
            append_length(out, bytes.len());
            out.extend_from_slice(bytes);
        }
        None => out.extend_from_slice(&(-1_i32).to_be_bytes()),
    }
}

/// Statements are far shorter than the length at which this saturates.
fn append_length(out: &mut Vec<u8>, length: usize) {
    out.extend_from_slice(&i32::try_from(length).unwrap_or(i32::MAX).to_be_bytes());
}

/// Cassandra's unsigned variable-length integer: the number of leading ones is the number of
/// further bytes.
fn append_vint(out: &mut Vec<u8>, value: u64) {
    let bits = 64 - (value | 1).leading_zeros();
    let further = ((bits - 1) / 7).min(8) as usize;
    let bytes = value.to_be_bytes();
    if further == 8 {
        out.push(0xff);
        out.extend_from_slice(&bytes);
        return;
    }
    let start = 7 - further;
    let ones = !(0xff_u8 >> further);
    let mut used = bytes.iter().skip(start).copied();
    out.push(used.next().unwrap_or(0) | ones);
    out.extend(used);
}

#[cfg(test)]
mod tests {
    use super::append_vint;

    #[test]
    fn vints() {
        let cases: [(u64, &[u8]); 6] = [
            (0, &[0]),
            (127, &[127]),
            (128, &[0x80, 0x80]),
            (16_383, &[0xbf, 0xff]),
            (16_384, &[0xc0, 0x40, 0x00]),
            (1 << 56, &[0xff, 1, 0, 0, 0, 0, 0, 0, 0]),
        ];
        for (value, expected) in cases {
            let mut bytes = Vec::new();
            append_vint(&mut bytes, value);
            assert_eq!(bytes, expected, "{value}");
        }
    }
}
