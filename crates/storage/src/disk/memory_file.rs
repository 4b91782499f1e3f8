//! [`FileBytes`]: a file of a disk in memory, as it is and as a loss of power leaves it.

use std::ops::Range;

/// What a loss of power keeps or loses as a whole. Those of real disks are larger; these divide the
/// small files of tests as well.
const SECTOR: usize = 16;

/// The bytes of a file, and those that were synced.
#[derive(Clone, Debug, Default)]
pub(super) struct FileBytes {
    bytes: Vec<u8>,
    /// The bytes at the last sync.
    synced: Vec<u8>,
    /// What was written since the last sync.
    unsynced: Range<usize>,
    /// The file was extended with zeros up to here.
    zeroed: usize,
}

/// Decides what a loss of power keeps, at random.
pub(super) struct TornWrites(u64);

impl TornWrites {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number up to a maximum, by Marsaglia's xorshift64.
    fn next_up_to(&mut self, maximum: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % (maximum as u64 + 1)).unwrap_or(0)
    }
}

impl FileBytes {
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Flips bits of a byte, also as it is after a crash; `false` if there is no such byte.
    pub(super) fn damage(&mut self, offset: usize, bits: u8) -> bool {
        if let Some(byte) = self.synced.get_mut(offset) {
            *byte ^= bits;
        }
        let byte = self.bytes.get_mut(offset);
        byte.map(|byte| *byte ^= bits).is_some()
    }

    pub(super) fn write(&mut self, offset: usize, written: &[u8]) {
        let end = offset + written.len();
        if self.bytes.len() < end {
            self.bytes.resize(end, 0);
        }
        if let Some(place) = self.bytes.get_mut(offset..end) {
            place.copy_from_slice(written);
        }
        self.unsynced = self.union(offset..end);
    }

    pub(super) fn extend(&mut self, size: usize) {
        let end = self.bytes.len();
        if end < size {
            self.bytes.resize(size, 0);
            self.unsynced = self.union(end..size);
            self.zeroed = size;
        }
    }

    pub(super) fn truncate(&mut self, size: usize) {
        self.bytes.truncate(size);
        self.synced.clone_from(&self.bytes);
        self.unsynced = 0..0;
        self.zeroed = self.zeroed.min(size);
    }

    pub(super) fn sync(&mut self) {
        self.synced.resize(self.bytes.len(), 0);
        copy(&self.bytes, &mut self.synced, self.unsynced.clone());
        self.unsynced = 0..0;
    }

    /// The file after a loss of power, when all of it is synced: what was synced before and, with
    /// torn writes, some of the rest.
    pub(super) fn crash(&self, torn: Option<&mut TornWrites>) -> Self {
        let mut bytes = self.synced.clone();
        if let Some(torn) = torn {
            let grown = self.bytes.len().saturating_sub(bytes.len());
            bytes.resize(bytes.len() + torn.next_up_to(grown), 0);
            let in_place = self.zeroed.min(self.unsynced.end);
            for start in (self.unsynced.start..in_place).step_by(SECTOR) {
                if torn.next_up_to(1) == 1 {
                    copy(&self.bytes, &mut bytes, start..in_place.min(start + SECTOR));
                }
            }
            let behind = in_place.max(self.unsynced.start)..self.unsynced.end;
            copy(&self.bytes, &mut bytes, behind);
        }
        Self { synced: bytes.clone(), bytes, unsynced: 0..0, zeroed: self.zeroed }
    }

    fn union(&self, other: Range<usize>) -> Range<usize> {
        if self.unsynced.is_empty() {
            return other;
        }
        self.unsynced.start.min(other.start)..self.unsynced.end.max(other.end)
    }
}

/// Copies a range as far as both have it.
fn copy(from: &[u8], to: &mut [u8], range: Range<usize>) {
    let end = range.end.min(to.len()).min(from.len());
    let range = range.start.min(end)..end;
    if let (Some(from), Some(to)) = (from.get(range.clone()), to.get_mut(range)) {
        to.copy_from_slice(from);
    }
}
