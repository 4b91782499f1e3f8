//! The iteration order of a Java `HashMap`.
//!
//! If a statement has several errors, the server reports the one that its map yields first; if it
//! lists keys, it lists them in that order. A map is an array of buckets, whose length is a power
//! of two and which is at most three quarters full; the bucket of a key is its hash modulo that
//! length, and keys of one bucket stay in insertion order.

/// The keys in the order of a map of default size.
pub(crate) fn sort_by_hash<T>(
    keys: impl IntoIterator<Item = T>,
    hash: impl Fn(&T) -> i32,
) -> Vec<T> {
    let mut keys: Vec<T> = keys.into_iter().collect();
    let capacity = grow_capacity(16, keys.len());
    keys.sort_by_key(|key| bucket(hash(key), capacity));
    keys
}

/// Strings in the format of a Java set: `[a, b]`.
pub fn set_text<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let distinct: std::collections::BTreeSet<&str> = names.into_iter().collect();
    format!("[{}]", sort_by_hash(distinct, |name| string_hash(name)).join(", "))
}

/// The hash of a string (`String.hashCode`).
pub(crate) fn string_hash(text: &str) -> i32 {
    text.encode_utf16()
        .fold(0, |hash: i32, unit| hash.wrapping_mul(31).wrapping_add(i32::from(unit)))
}

/// The hash of an identifier: of the bytes of its name, from the last to the first
/// (`ByteBuffer.hashCode`).
pub(crate) fn identifier_hash(name: &str) -> i32 {
    bytes_hash(name.as_bytes())
}

/// The hash of a buffer.
pub(crate) fn bytes_hash(bytes: &[u8]) -> i32 {
    bytes.iter().rev().fold(1, |hash: i32, byte| {
        hash.wrapping_mul(31).wrapping_add(i32::from(byte.cast_signed()))
    })
}

fn bucket(hash: i32, capacity: usize) -> usize {
    let hash = hash.cast_unsigned();
    (hash ^ (hash >> 16)) as usize & (capacity - 1)
}

fn grow_capacity(mut capacity: usize, entries: usize) -> usize {
    while entries * 4 > capacity * 3 {
        capacity *= 2;
    }
    capacity
}

/// Option names with their values, as `{'a': 'b'}` of a statement becomes a Java map that is copied
/// several times.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct JavaOptionMap {
    entries: Vec<(Box<str>, Box<str>)>,
    capacity: usize,
}

impl JavaOptionMap {
    /// The map of a literal; names are distinct.
    pub(crate) fn new(entries: Vec<(Box<str>, Box<str>)>) -> Self {
        let capacity = entries.len().max(1).next_power_of_two();
        Self::from_entries(entries, capacity)
    }

    /// A map created with this capacity, a power of two; names are distinct.
    pub(crate) fn from_entries(entries: Vec<(Box<str>, Box<str>)>, capacity: usize) -> Self {
        let mut map = Self { entries, capacity };
        map.sort();
        map
    }

    /// A copy, whose order may differ.
    pub(crate) fn copy(&self) -> Self {
        let length = self.entries.len();
        let capacity = (length * 4 / 3 + 1).next_power_of_two();
        Self::from_entries(self.entries.clone(), capacity)
    }

    /// The value of a name.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.entries.iter().find(|(own, _)| &**own == name).map(|(_, value)| &**value)
    }

    /// Removes a name and returns its value.
    pub(crate) fn remove(&mut self, name: &str) -> Option<Box<str>> {
        let at = self.entries.iter().position(|(own, _)| &**own == name)?;
        Some(self.entries.remove(at).1)
    }

    /// Adds a value unless the name exists.
    pub(crate) fn put_if_absent(&mut self, name: &str, value: &str) {
        if self.get(name).is_none() {
            self.entries.push((name.into(), value.into()));
            self.sort();
        }
    }

    /// Keeps the entries that satisfy the predicate.
    pub(crate) fn retain(&mut self, keep: impl Fn(&str, &str) -> bool) {
        self.entries.retain(|(name, value)| keep(name, value));
    }

    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Names and values in the map's order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.entries.iter().map(|(name, value)| (&**name, &**value))
    }

    /// The names in the format of a Java set: `[a, b]`.
    pub(crate) fn names(&self) -> String {
        let names: Vec<_> = self.iter().map(|(name, _)| name).collect();
        format!("[{}]", names.join(", "))
    }

    /// The format of a Java map: `{a=b, c=d}`.
    pub(crate) fn text(&self) -> String {
        let entries: Vec<_> = self.iter().map(|(name, value)| format!("{name}={value}")).collect();
        format!("{{{}}}", entries.join(", "))
    }

    fn sort(&mut self) {
        self.capacity = grow_capacity(self.capacity, self.entries.len());
        let capacity = self.capacity;
        self.entries.sort_by_key(|(name, _)| bucket(string_hash(name), capacity));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_javas() {
        assert_eq!(string_hash("foo"), 101_574);
        assert_eq!(string_hash("compaction_window_unit"), -1_928_294_087);
        assert_eq!(identifier_hash("zz"), 4_865);
    }

    #[test]
    fn sets_print_as_on_the_node() {
        let names = ["nodc", "datacenter1", "abc"];
        assert_eq!(sort_by_hash(names, |name| string_hash(name)), ["nodc", "abc", "datacenter1"]);
    }

    #[test]
    fn unknown_properties_come_in_the_servers_order() {
        assert_eq!(sort_by_hash(["foo", "bar"], |key| string_hash(key)), ["bar", "foo"]);
    }
}
