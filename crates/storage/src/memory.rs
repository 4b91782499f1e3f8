//! Estimates of the memory that rows and keys occupy, within a tenth of what an allocator with size
//! classes takes.

use std::sync::atomic::{AtomicU64, Ordering};

/// The memory of what is derived from the rows of a table and kept beside them: its indexes.
#[derive(Debug, Default)]
pub struct DerivedMemory(AtomicU64);

impl DerivedMemory {
    /// Adds bytes.
    pub fn grow(&self, bytes: u64) {
        self.0.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Subtracts bytes that were added before.
    pub fn shrink(&self, bytes: u64) {
        self.0.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// The bytes.
    pub fn byte_size(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// The counters of an `Arc`.
const SHARED_OVERHEAD: usize = 16;
/// The bytes of a node of a map besides its entries.
pub(crate) const NODE_BYTES: isize = 176;
/// The entries of a node that has been filled in random order, on average.
const NODE_ENTRIES: usize = 34;

/// What the allocator needs for each allocation besides its bytes.
const ALLOCATION_OVERHEAD: usize = 4;

/// The bytes that an allocation of that length takes: small ones are multiples of 16, larger ones
/// of a quarter of the power of two below them.
pub fn allocation_bytes(length: usize) -> usize {
    let step = (length.max(1).next_power_of_two() / 8).max(16);
    length.next_multiple_of(step) + ALLOCATION_OVERHEAD
}

/// The bytes of a shared allocation of that length.
pub(crate) fn arc_bytes(length: usize) -> isize {
    allocation_bytes(length + SHARED_OVERHEAD).cast_signed()
}

/// The bytes of an entry in a map with values of that type: its key, the end of the key, the value,
/// and its share of the node, which has room for some more entries.
pub(crate) fn entry_bytes<V>(key_length: usize) -> isize {
    let entry = key_length + size_of::<u32>() + size_of::<V>();
    (entry + entry / 9 + NODE_BYTES.unsigned_abs() / NODE_ENTRIES).cast_signed()
}
