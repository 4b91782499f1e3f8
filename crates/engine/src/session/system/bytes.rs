//! Serialisation of values.

use std::net::IpAddr;

/// A text.
pub(in crate::session) fn text(text: &str) -> Vec<u8> {
    text.as_bytes().to_vec()
}

/// An `int`.
pub(in crate::session) fn int(value: i32) -> Vec<u8> {
    value.to_be_bytes().to_vec()
}

/// A `bigint`, or a `timestamp` in milliseconds.
pub(in crate::session) fn bigint(value: i64) -> Vec<u8> {
    value.to_be_bytes().to_vec()
}

/// A `double`.
pub(in crate::session) fn double(value: f64) -> Vec<u8> {
    value.to_be_bytes().to_vec()
}

/// A `boolean`.
pub(in crate::session) fn boolean(value: bool) -> Vec<u8> {
    vec![u8::from(value)]
}

/// An `inet`.
pub(crate) fn inet(address: IpAddr) -> Vec<u8> {
    match address {
        IpAddr::V4(address) => address.octets().to_vec(),
        IpAddr::V6(address) => address.octets().to_vec(),
    }
}

/// A list, or a set whose elements are sorted.
pub(super) fn list<V: AsRef<[u8]>>(elements: impl IntoIterator<Item = V>) -> Vec<u8> {
    collection(elements, 1)
}

/// A map whose keys are sorted.
pub(super) fn map<K: AsRef<[u8]>, V: AsRef<[u8]>>(
    entries: impl IntoIterator<Item = (K, V)>,
) -> Vec<u8> {
    let parts = entries
        .into_iter()
        .flat_map(|(key, value)| [key.as_ref().to_vec(), value.as_ref().to_vec()]);
    collection(parts, 2)
}

/// The number of elements of `width` parts each, then every part preceded by its length.
fn collection<V: AsRef<[u8]>>(parts: impl IntoIterator<Item = V>, width: i32) -> Vec<u8> {
    let mut out = vec![0; 4];
    let mut count = 0_i32;
    for part in parts {
        let part = part.as_ref();
        out.extend(i32::try_from(part.len()).unwrap_or(i32::MAX).to_be_bytes());
        out.extend(part);
        count = count.saturating_add(1);
    }
    if let Some(head) = out.first_chunk_mut() {
        *head = (count / width).to_be_bytes();
    }
    out
}
