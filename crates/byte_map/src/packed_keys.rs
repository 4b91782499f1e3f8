//! [`PackedKeys`]: sorted byte strings in one allocation, one after the other.

/// Sorted keys.
#[derive(Clone, Debug, Default)]
pub(crate) struct PackedKeys {
    bytes: Vec<u8>,
    /// The end of each key in `bytes`.
    ends: Vec<u32>,
}

/// How many entries a full vector grows by: less than doubling, as most nodes are never full.
pub(crate) const GROWTH: usize = 8;

/// Makes room for one more element in small steps.
pub(crate) fn reserve_one<T>(vector: &mut Vec<T>) {
    if vector.len() == vector.capacity() {
        vector.reserve_exact(vector.len().clamp(2, GROWTH));
    }
}

impl PackedKeys {
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The bytes of all keys together.
    pub(crate) fn byte_len(&self) -> usize {
        self.bytes.len()
    }

    fn start(&self, at: usize) -> usize {
        at.checked_sub(1).and_then(|before| self.ends.get(before)).map_or(0, |end| *end as usize)
    }

    /// The key with that index; empty if there is none.
    #[inline]
    pub(crate) fn get(&self, at: usize) -> &[u8] {
        let end = self.ends.get(at).map_or(0, |end| *end as usize);
        self.bytes.get(self.start(at)..end).unwrap_or_default()
    }

    /// The last key; empty if there is none.
    #[inline]
    pub(crate) fn last(&self) -> &[u8] {
        self.get(self.len().saturating_sub(1))
    }

    /// The index of a key, or the index at which it would be inserted.
    #[inline]
    pub(crate) fn find(&self, key: &[u8]) -> Result<usize, usize> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            match self.get(middle).cmp(key) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return Ok(middle),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        Err(low)
    }

    /// Makes room for a number of keys of that length.
    pub(crate) fn reserve(&mut self, count: usize, length: usize) {
        self.bytes.reserve_exact(count * length);
        self.ends.reserve_exact(count);
    }

    /// Adds a key that is greater than all others.
    #[inline]
    pub(crate) fn push(&mut self, key: &[u8]) {
        self.bytes.extend_from_slice(key);
        self.ends.push(u32::try_from(self.bytes.len()).unwrap_or(u32::MAX));
    }

    pub(crate) fn insert(&mut self, at: usize, key: &[u8]) {
        let start = self.start(at);
        if self.bytes.capacity() - self.bytes.len() < key.len() {
            self.bytes.reserve_exact(key.len() * self.len().clamp(1, GROWTH));
        }
        if start == self.bytes.len() {
            self.bytes.extend_from_slice(key);
        } else {
            self.bytes.splice(start..start, key.iter().copied());
        }
        reserve_one(&mut self.ends);
        let length = u32::try_from(key.len()).unwrap_or(u32::MAX);
        self.ends.insert(at, u32::try_from(start).unwrap_or(u32::MAX));
        for end in self.ends.iter_mut().skip(at) {
            *end = end.saturating_add(length);
        }
    }

    pub(crate) fn remove(&mut self, at: usize) {
        let (start, length) = (self.start(at), self.get(at).len());
        self.bytes.drain(start..start + length);
        self.ends.remove(at);
        for end in self.ends.iter_mut().skip(at) {
            *end = end.saturating_sub(u32::try_from(length).unwrap_or(u32::MAX));
        }
    }

    /// Moves the keys from an index on into a list of their own.
    pub(crate) fn split_off(&mut self, at: usize) -> Self {
        let start = self.start(at);
        let bytes = self.bytes.split_off(start);
        let mut ends = self.ends.split_off(at);
        for end in &mut ends {
            *end = end.saturating_sub(u32::try_from(start).unwrap_or(u32::MAX));
        }
        self.bytes.shrink_to_fit();
        self.ends.shrink_to_fit();
        Self { bytes, ends }
    }

    /// Appends keys that are greater.
    pub(crate) fn append(&mut self, other: &Self) {
        let start = u32::try_from(self.bytes.len()).unwrap_or(u32::MAX);
        self.bytes.extend_from_slice(&other.bytes);
        self.ends.extend(other.ends.iter().map(|end| end.saturating_add(start)));
    }
}
