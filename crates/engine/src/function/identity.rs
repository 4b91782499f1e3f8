//! New ids: random ones, and time-based ones that no other call gives.

use std::sync::atomic::{AtomicU64, Ordering};

/// Ticks of 100 nanoseconds between the start of the Gregorian calendar and 1970.
const GREGORIAN_TICKS: u64 = 122_192_928_000_000_000;
/// What a step of the random sequence adds.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// A source of ids. All of its randomness is in the seed that it is made of.
#[derive(Debug)]
pub struct Ids {
    high: AtomicU64,
    low: AtomicU64,
    last_tick: AtomicU64,
    node: u64,
}

impl Ids {
    /// A source from a seed; two of different seeds give different ids.
    pub fn new(seed: [u8; 16]) -> Self {
        let half = |bytes: Option<&[u8; 8]>| scatter(bytes.map_or(0, |b| u64::from_be_bytes(*b)));
        let (high, low) = (half(seed.first_chunk()), half(seed.last_chunk()));
        // Variant bits for the clock sequence, the multicast bit for a node that is no network card's.
        let node =
            (scatter(high ^ low.rotate_left(32)) & 0x3fff_ffff_ffff_ffff) | 0x8000_0100_0000_0000;
        Self {
            high: AtomicU64::new(high),
            low: AtomicU64::new(low),
            last_tick: AtomicU64::new(0),
            node,
        }
    }

    /// A random id.
    pub fn uuid(&self) -> [u8; 16] {
        let high = scatter(self.high.fetch_add(STEP, Ordering::Relaxed));
        let low = scatter(self.low.fetch_add(STEP, Ordering::Relaxed));
        let high = (high & !0xf000) | 0x4000;
        let low = (low & 0x3fff_ffff_ffff_ffff) | 0x8000_0000_0000_0000;
        joined(high, low)
    }

    /// A time-based id of that moment, in microseconds since 1970, or of the first tick after the last one given.
    pub fn time_uuid(&self, now_us: i64) -> [u8; 16] {
        let now = u64::try_from(now_us).unwrap_or(0).saturating_mul(10) + GREGORIAN_TICKS;
        let after = |last: u64| Some(now.max(last + 1));
        let last = self.last_tick.fetch_update(Ordering::Relaxed, Ordering::Relaxed, after);
        let tick = now.max(last.unwrap_or(0) + 1);
        let high = (tick << 32) | ((tick >> 16) & 0xffff_0000) | 0x1000 | ((tick >> 48) & 0x0fff);
        joined(high, self.node)
    }
}

fn joined(high: u64, low: u64) -> [u8; 16] {
    ((u128::from(high) << 64) | u128::from(low)).to_be_bytes()
}

/// Spreads the bits of a number over all of it (the finalizer of `SplitMix64`).
fn scatter(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

#[cfg(test)]
mod tests {
    use super::Ids;

    #[test]
    fn ids_differ_and_have_their_versions() {
        let ids = Ids::new([7; 16]);
        let time: Vec<_> = (0..3).map(|_| ids.time_uuid(1_436_700_000_000_000)).collect();
        assert!(time[0] != time[1] && time[1] != time[2]);
        for id in &time {
            assert_eq!(cql::value::Uuid(*id).version(), 1);
        }
        let random = [ids.uuid(), ids.uuid()];
        assert_ne!(random[0], random[1]);
        assert_eq!(cql::value::Uuid(random[0]).version(), 4);
    }
}
