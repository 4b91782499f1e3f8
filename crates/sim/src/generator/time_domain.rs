//! The domain of bucketed times: at bucket borders, inside buckets, with empty buckets in between.

use model::plan::Bucket;

use super::calendar::{DAY, bucket_start};
use super::random::Random;

/// The buckets with times, counted back from now: one in between is empty.
const BUCKETS_BACK: [i64; 5] = [0, 1, 2, 4, 5];

/// The same for dates, of which each day has only one.
const DAYS_BACK: [i64; 16] = [0, 1, 2, 4, 5, 6, 7, 9, 10, 11, 12, 14, 15, 16, 17, 20];

/// The same where finer buckets exist too: few, so that walks through the finer ones stay short.
const BUCKETS_BACK_FEW: [i64; 3] = [0, 1, 3];

/// The days of new dates.
const DAYS_FRESH: i64 = 20_000;

/// The times of an attribute.
#[derive(Clone, Debug, Default)]
pub(super) struct TimeDomain {
    /// Spans: the first and the last millisecond of each.
    spans: Vec<(i64, i64)>,
    /// A span before all of them, where times are cut into buckets.
    before: Option<(i64, i64)>,
    /// The span of new times, where they are not cut into buckets that a read would walk through.
    fresh: Option<(i64, i64)>,
}

impl TimeDomain {
    /// Times (or dates) in buckets of these widths, from `oldest` to `now`.
    pub(super) fn new(buckets: &[Bucket], dates: bool, oldest: i64, now: i64) -> Self {
        let mut widths: Vec<Bucket> =
            buckets.iter().copied().filter(|it| !matches!(it, Bucket::Range(_))).collect();
        widths.sort_unstable();
        widths.dedup();
        if widths.is_empty() {
            widths.extend([Bucket::DAY, Bucket::MONTH]);
        }
        let (mut spans, mut before) = (Vec::new(), None);
        for (at, bucket) in widths.iter().enumerate() {
            let back: &[i64] = match (at, *bucket) {
                (0, Bucket::Hours(_) | Bucket::DAY) if dates => &DAYS_BACK,
                (0, _) => &BUCKETS_BACK,
                _ => &BUCKETS_BACK_FEW,
            };
            let older = back.last().map_or(1, |last| last + 1);
            before =
                bucket_span(*bucket, now, older).map(|(first, last)| (first.max(oldest), last));
            for &back in back {
                let first = bucket_start(*bucket, now, back).unwrap_or(now).max(oldest);
                let next = bucket_start(*bucket, now, back - 1).unwrap_or(now);
                let last = (next - 1).min(now);
                if first <= last {
                    spans.push((first, last));
                }
            }
        }
        if spans.is_empty() {
            spans.push((oldest.min(now), now));
        }
        let before = before.filter(|(first, last)| first <= last && !buckets.is_empty());
        let first = oldest.max(now - DAYS_FRESH * DAY);
        let fresh = (buckets.is_empty() && dates && first <= now).then_some((first, now));
        Self { spans, before, fresh }
    }

    /// A time that is very likely new: for dates, of which each day has only one, on any of many
    /// days.
    pub(super) fn draw_fresh(&self, random: &mut Random) -> i64 {
        match self.fresh {
            Some((first, last)) => random.next_between(first, last),
            None => self.draw(random),
        }
    }

    /// A time in a bucket older than all others; `None` without buckets, or without one that old.
    pub(super) fn draw_older(&self, random: &mut Random) -> Option<i64> {
        self.before.map(|(first, last)| random.next_between(first, last))
    }

    /// A time: at a border, a shared one, or any.
    pub(super) fn draw(&self, random: &mut Random) -> i64 {
        let (first, last) = random.pick(&self.spans).copied().unwrap_or_default();
        match random.next_below(10) {
            0 | 1 => first,
            2 | 3 => last,
            4 | 5 => first + (last - first) / 8 * random.next_between(1, 7),
            _ => random.next_between(first, last),
        }
    }
}

/// The first and the last millisecond of a bucket, counted back from now.
fn bucket_span(bucket: Bucket, now: i64, back: i64) -> Option<(i64, i64)> {
    Some((bucket_start(bucket, now, back)?, bucket_start(bucket, now, back - 1)? - 1))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn times_fall_into_several_buckets_with_gaps_and_borders() {
        let now = 1_767_225_600_000 + 12_345;
        for buckets in [
            vec![Bucket::HOUR],
            vec![Bucket::WEEK],
            vec![Bucket::HOUR, Bucket::MONTH],
            vec![Bucket::YEAR],
        ] {
            let times = TimeDomain::new(&buckets, false, i64::MIN / 2, now);
            let mut random = Random::new(3);
            let drawn: BTreeSet<i64> = (0..400).map(|_| times.draw(&mut random)).collect();
            assert!(drawn.iter().all(|time| *time <= now));
            for bucket in &buckets {
                let starts: Vec<i64> =
                    (0..8).filter_map(|it| bucket_start(*bucket, now, it)).collect();
                let within = |it: usize| drawn.range(starts[it]..starts[it - 1]).next().is_some();
                let filled = (1..8).filter(|it| within(*it)).count();
                assert!((2..7).contains(&filled), "{bucket:?} {filled}");
                assert!(starts.iter().any(|it| drawn.contains(it)), "{bucket:?}");
                assert!(starts.iter().any(|it| drawn.contains(&(it - 1))), "{bucket:?}");
            }
        }
    }

    #[test]
    fn new_dates_are_many_unless_they_are_bucketed() {
        let now = 1_767_225_600_000;
        let count = |buckets: &[Bucket]| {
            let times = TimeDomain::new(buckets, true, i64::MIN / 2, now);
            let mut random = Random::new(3);
            let days = (0..1_000).map(|_| times.draw_fresh(&mut random).div_euclid(DAY));
            days.collect::<BTreeSet<i64>>().len()
        };
        assert!(count(&[]) > 900);
        assert!(count(&[Bucket::DAY]) < 30);
    }

    #[test]
    fn nothing_is_older_than_the_oldest() {
        let now = 1_767_225_600_000;
        let times = TimeDomain::new(&[Bucket::MONTH], false, now - 1_000, now);
        let mut random = Random::new(3);
        assert!((0..100).all(|_| (now - 1_000..=now).contains(&times.draw(&mut random))));
    }
}
