//! The order in which a Java hash table gives its keys; some of the server's messages depend on it.

/// Sorts keys as a hash table of just these keys would give them. Keys that share a slot keep their order.
pub(super) fn sort<T>(keys: &mut [T], hash: impl Fn(&T) -> i32) {
    // A table starts with 16 slots and doubles when three quarters are taken.
    let slots = (keys.len() * 4).div_ceil(3).next_power_of_two().max(16);
    keys.sort_by_key(|key| {
        let hash = hash(key).cast_unsigned();
        (hash ^ hash >> 16) as usize & (slots - 1)
    });
}

/// The hash of a string.
pub(super) fn of_text(text: &str) -> i32 {
    text.encode_utf16().fold(0, |hash: i32, unit| hash.wrapping_mul(31).wrapping_add(unit.into()))
}

/// The hash of a byte buffer.
pub(super) fn of_bytes(bytes: &[u8]) -> i32 {
    bytes
        .iter()
        .rev()
        .fold(1, |hash: i32, byte| hash.wrapping_mul(31).wrapping_add(byte.cast_signed().into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_print_as_on_the_node() {
        let mut names = ["nodc", "datacenter1", "abc"];
        sort(&mut names, |name| of_text(name));
        assert_eq!(names, ["nodc", "abc", "datacenter1"]);
    }
}
