//! The only source of chance: splitmix64, so that a seed names a run for ever.

/// A seeded stream of numbers.
#[derive(Clone, Debug)]
pub(crate) struct Rng(u64);

impl Rng {
    /// The stream of a seed.
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `n`; 0 where `n` is 0.
    pub(crate) fn number_below(&mut self, n: usize) -> usize {
        let bound = u64::try_from(n.max(1)).unwrap_or(u64::MAX);
        usize::try_from(self.next() % bound).unwrap_or(0)
    }

    /// True in `percent` of a hundred cases.
    pub(crate) fn roll(&mut self, percent: usize) -> bool {
        self.number_below(100) < percent
    }

    /// One of a list that is not empty.
    pub(crate) fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.number_below(list.len())]
    }

    /// One of a list by weight.
    pub(crate) fn pick_weighted<'a, T>(
        &mut self,
        list: &'a [T],
        weight: impl Fn(&T) -> usize,
    ) -> &'a T {
        let mut left = self.number_below(list.iter().map(&weight).sum());
        for item in list {
            if left < weight(item) {
                return item;
            }
            left -= weight(item);
        }
        &list[0]
    }

    /// The list in another order.
    pub(crate) fn shuffle<T>(&mut self, list: &mut [T]) {
        for at in (1..list.len()).rev() {
            list.swap(at, self.number_below(at + 1));
        }
    }
}

#[test]
fn a_seed_names_a_stream() {
    // The reference values of splitmix64 for seed 1234567.
    let mut rng = Rng::new(1_234_567);
    assert_eq!([rng.next(), rng.next()], [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
}
