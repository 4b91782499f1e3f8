//! IP addresses of 4 and 16 bytes.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::error::{TextForm, ValueError, refuse, refuse_form};
use crate::hex::bytes_to_hex;

/// Parses an address. Host names are not resolved, except `localhost`.
pub(super) fn parse_inet(text: &str) -> Result<Vec<u8>, ValueError> {
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let bracketed = text.strip_prefix('[').map(|rest| rest.strip_suffix(']'));
    let found = match bracketed {
        Some(inside) => inside.and_then(v6),
        None if text == "localhost" => Some(vec![127, 0, 0, 1]),
        None => v4(text).map(Vec::from).or_else(|| v6(text)),
    };
    match found {
        Some(bytes) => Ok(bytes),
        None => refuse_form(TextForm::Number, format!("Unable to make inet address from '{text}'")),
    }
}

/// Parses one to four numbers in at most 15 characters; the last one fills the remaining bytes.
fn v4(text: &str) -> Option<[u8; 4]> {
    let parts: Vec<&str> = text.split('.').collect();
    if parts.len() > 4 || text.len() > 15 {
        return None;
    }
    let mut address = 0_u32;
    for (i, part) in parts.iter().enumerate() {
        if part.is_empty() || !part.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let number: u64 = part.parse().ok()?;
        let last = i + 1 == parts.len();
        let bytes_left = if last { 4 - i } else { 1 };
        if number >> (8 * bytes_left) != 0 {
            return None;
        }
        let shift = if last { 0 } else { 8 * (3 - i) };
        address |= u32::try_from(number).ok()? << shift;
    }
    Some(address.to_be_bytes())
}

/// Parses an IPv6 address with an optional numeric scope, which is dropped. A mapped address gives
/// four bytes.
fn v6(text: &str) -> Option<Vec<u8>> {
    let address = match text.split_once('%') {
        Some((address, scope))
            if !scope.is_empty() && scope.bytes().all(|b| b.is_ascii_digit()) =>
        {
            address
        }
        Some(_) => return None,
        None => text,
    };
    let octets = match address.split_once("::") {
        Some((head, tail)) => {
            let (head, tail) = (groups(head, false)?, groups(tail, true)?);
            let zeros = 16_usize.checked_sub(head.len() + tail.len()).filter(|zeros| *zeros > 0)?;
            [head, vec![0; zeros], tail].concat()
        }
        None => groups(address, true)?,
    };
    let address = Ipv6Addr::from(<[u8; 16]>::try_from(octets).ok()?);
    Some(match address.to_ipv4_mapped() {
        Some(mapped) => mapped.octets().to_vec(),
        None => address.octets().to_vec(),
    })
}

/// The bytes of groups of hexadecimal digits between colons, with any number of leading zeros. The
/// last one may be an IPv4 address.
fn groups(text: &str, is_end: bool) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    if text.is_empty() {
        return Some(out);
    }
    let mut parts = text.split(':').peekable();
    while let Some(part) = parts.next() {
        if parts.peek().is_none() && is_end && part.contains('.') {
            out.extend(v4(part).filter(|_| part.matches('.').count() == 3)?);
            break;
        }
        if part.is_empty() || !part.bytes().all(|b| b.is_ascii_hexdigit()) {
            return None;
        }
        let digits = part.trim_start_matches('0');
        let group = if digits.is_empty() { 0 } else { u16::from_str_radix(digits, 16).ok()? };
        out.extend(group.to_be_bytes());
    }
    Some(out)
}

/// The address of 4 or 16 bytes.
pub(super) fn decode_inet(bytes: &[u8]) -> Option<IpAddr> {
    if let Ok(octets) = <[u8; 4]>::try_from(bytes) {
        return Some(IpAddr::V4(Ipv4Addr::from(octets)));
    }
    <[u8; 16]>::try_from(bytes).ok().map(|octets| IpAddr::V6(Ipv6Addr::from(octets)))
}

/// Validates 4, 16 or no bytes.
pub(super) fn validate_inet(bytes: &[u8]) -> Result<(), ValueError> {
    match bytes.len() {
        0 | 4 | 16 => Ok(()),
        _ => refuse(format!("Expected 4 or 16 byte inetaddress; got {}", bytes_to_hex(bytes))),
    }
}

/// Java's format: no group of zeros is omitted, and a mapped address is printed as IPv4.
pub(super) fn print_inet(address: IpAddr) -> String {
    match address {
        IpAddr::V4(v4) => v4.to_string(),
        IpAddr::V6(v6) => match v6.to_ipv4_mapped() {
            Some(v4) => v4.to_string(),
            None => v6.segments().map(|group| format!("{group:x}")).join(":"),
        },
    }
}
