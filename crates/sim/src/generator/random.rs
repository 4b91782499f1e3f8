//! Deterministic random numbers (splitmix64).

/// A source of random numbers (splitmix64).
#[derive(Clone, Debug)]
pub(crate) struct Random {
    state: u64,
}

impl Random {
    /// A source with this seed.
    pub(crate) const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next 64 bits.
    pub(crate) const fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`; 0 where `end` is 0.
    pub(crate) fn next_below(&mut self, end: usize) -> usize {
        let number = self.next() % (end.max(1) as u64);
        usize::try_from(number).unwrap_or(0)
    }

    /// A number from `low` to `high`, both included.
    pub(crate) fn next_between(&mut self, low: i64, high: i64) -> i64 {
        let width = high.saturating_sub(low).saturating_add(1).max(1).unsigned_abs();
        low.saturating_add((self.next() % width).cast_signed())
    }

    /// True with this probability.
    pub(crate) fn next_bool(&mut self, share: f64) -> bool {
        self.next_share() < share
    }

    /// A number from 0 to below 1.
    pub(crate) fn next_share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A random member of a slice.
    pub(crate) fn pick<'t, T>(&mut self, items: &'t [T]) -> Option<&'t T> {
        items.get(self.next_below(items.len()))
    }

    /// A rank below `end`, the k-th about 1/k^s as often as the first.
    pub(crate) fn next_rank(&mut self, end: usize, s: f64) -> usize {
        let (share, ranks) = (self.next_share(), end.max(1) as f64 + 1.0);
        let drawn = if (s - 1.0).abs() < 1e-6 {
            ranks.powf(share)
        } else {
            let power = 1.0 - s;
            (share * (ranks.powf(power) - 1.0) + 1.0).powf(1.0 / power)
        };
        to_whole(drawn - 1.0).min(end.max(1) - 1)
    }
}

/// The whole part of a number that is not negative and not large.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the cast of a float stops at the bounds of the integer"
)]
pub(super) fn to_whole(number: f64) -> usize {
    number as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_numbers() {
        // The first numbers of splitmix64 from seed 1234567, as its author publishes them.
        let mut random = Random::new(1_234_567);
        assert_eq!(random.next(), 6_457_827_717_110_365_317);
        assert_eq!(random.next(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn first_ranks_are_the_most_popular() {
        let mut random = Random::new(7);
        let mut counts = [0; 20];
        for _ in 0..10_000 {
            counts[random.next_rank(20, 1.0)] += 1;
        }
        assert!(counts[0] > 1_500 && counts[0] > 3 * counts[4] && counts[19] > 50, "{counts:?}");
    }
}
