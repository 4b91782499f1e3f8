//! The normal form of values: values that the server does not distinguish become equal.

use cql::types::{NativeType, Type};
use cql::value;

use crate::dataset::Datum;

/// The normal form of a value: an empty collection is null, a set is sorted, a decimal has no
/// trailing zeros.
pub(crate) fn normalise(ty: &Type, bytes: Datum) -> Datum {
    let bytes = bytes?;
    match ty {
        Type::List(..) | Type::Map(..) => {
            let count: Option<[u8; 4]> = bytes.first_chunk().copied();
            count.is_some_and(|count| count != [0; 4]).then_some(bytes)
        }
        Type::Set(element, _) => normalise_set(ty, element, &bytes),
        Type::Native(NativeType::Decimal) => Some(strip_zeros(&bytes).unwrap_or(bytes)),
        _ => Some(bytes),
    }
}

/// An array without the order and the duplicates of its elements.
pub(crate) fn normalise_set(ty: &Type, element: &Type, bytes: &[u8]) -> Datum {
    let mut parts = value::split(ty, bytes).ok()?;
    parts.sort_by(|one, other| match (one, other) {
        (Some(one), Some(other)) => value::compare(element, one, other),
        _ => one.is_some().cmp(&other.is_some()),
    });
    parts.dedup();
    let parts: Vec<Datum> = parts.into_iter().map(|part| part.map(<[u8]>::to_vec)).collect();
    if parts.is_empty() { None } else { value::join(ty, &parts).ok() }
}

/// A decimal without trailing zeros.
fn strip_zeros(bytes: &[u8]) -> Option<Vec<u8>> {
    let decimal = value::Decimal::from_bytes(bytes)?;
    let digits = decimal.unscaled.to_string();
    let short = digits.trim_end_matches('0');
    let cut = i32::try_from(digits.len() - short.len()).ok()?;
    let (short, scale) =
        if short.is_empty() || short == "-" { ("0", 0) } else { (short, decimal.scale - cut) };
    value::from_text(&NativeType::Decimal.into(), &format!("{short}e{}", -scale), 0).ok()
}

#[cfg(test)]
mod tests {
    use cql::types::{NativeType, Type};
    use cql::value::from_text;

    use super::normalise;

    #[test]
    fn decimals_are_the_same_whatever_zeros_they_end_with() {
        let ty = Type::from(NativeType::Decimal);
        let of = |text| normalise(&ty, from_text(&ty, text, 0).ok());
        assert_eq!(of("1.50"), of("1.5"));
        assert_eq!(of("100"), of("1e2"));
        assert_eq!(of("0.00"), of("0"));
        assert_ne!(of("0.01"), of("0.1"));
    }
}
