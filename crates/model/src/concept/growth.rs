//! Growth: linear, along a curve through figures at dates to come, or at rates that change.

/// A curve has at most this many dates.
pub const DATES_MAX: usize = 8;

/// The growth of a figure.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Growth {
    /// Per day, on average until the last date of the curve.
    pub daily: f64,
    /// Its course.
    pub curve: GrowthCurve,
}

/// The course of a growth: linear between its dates; after the last as before it, or at a rate of
/// its own.
///
/// It is kept as *days of average growth*, so that it applies to each part of what grows: of rows
/// that double in a year, those of a partition double, too.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GrowthCurve {
    dates: [CurveDate; DATES_MAX],
    /// The number of dates; none for linear growth.
    count: usize,
    /// The days of average growth per day after the last date, where rates are given.
    last_slope: Option<f64>,
}

/// A date of a curve.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct CurveDate {
    /// Days from today.
    days: f64,
    /// The days of average growth that have happened by then.
    elapsed: f64,
}

impl Growth {
    /// So much per day.
    pub fn linear(daily: f64) -> Self {
        Self { daily, curve: GrowthCurve::default() }
    }

    /// From a figure of today through others at ascending dates, in days from today. `None` where
    /// dates or figures do not ascend, or are too many.
    pub fn from_dates(today: f64, dates: &[(f64, f64)]) -> Option<Self> {
        let mut before = (0.0, today);
        for &(days, figure) in dates {
            if days <= before.0 || figure < before.1 {
                return None;
            }
            before = (days, figure);
        }
        let daily = if before.0 > 0.0 { (before.1 - today) / before.0 } else { 0.0 };
        let mut curve = GrowthCurve::default();
        if dates.len() > DATES_MAX {
            return None;
        }
        if daily > 0.0 {
            for (place, (days, figure)) in curve.dates.iter_mut().zip(dates) {
                *place = CurveDate { days: *days, elapsed: (figure - today) / daily };
                curve.count += 1;
            }
        }
        Some(Self { daily, curve })
    }

    /// At a rate per day from today on, and at others from ascending dates on, in days from today.
    /// `None` where the dates do not ascend or are too many.
    pub fn from_rates(first: f64, steps: &[(f64, f64)]) -> Option<Self> {
        if steps.is_empty() {
            return Some(Self::linear(first));
        }
        let mut curve = GrowthCurve::default();
        let (mut total, mut before, mut rate) = (0.0, 0.0, first);
        for &(days, next) in steps {
            let place = curve.dates.get_mut(curve.count)?;
            if days <= before {
                return None;
            }
            total += rate * (days - before);
            *place = CurveDate { days, elapsed: total };
            (before, rate) = (days, next);
            curve.count += 1;
        }
        let daily = total / before;
        for date in &mut curve.dates {
            date.elapsed /= daily;
        }
        curve.last_slope = Some(rate / daily);
        Some(Self { daily, curve })
    }

    /// What is added in the days from today.
    pub fn increase(&self, days: f64) -> f64 {
        self.daily * self.curve.elapsed(days)
    }
}

impl GrowthCurve {
    /// Whether it has no dates.
    pub const fn is_linear(&self) -> bool {
        self.count == 0
    }

    /// Whether rates are given, rather than figures at dates.
    pub const fn is_by_rates(&self) -> bool {
        self.last_slope.is_some()
    }

    /// The days of average growth that have happened after so many days.
    pub fn elapsed(&self, days: f64) -> f64 {
        if self.is_linear() {
            return days;
        }
        let mut value = 0.0;
        for (from, to) in self.segments() {
            value = from.elapsed + slope(from, to) * (days - from.days);
            if days <= to.days {
                return value;
            }
        }
        let last = self.last();
        self.last_slope.map_or(value, |slope| last.elapsed + slope * (days - last.days))
    }

    /// The days of average growth that happen in the days before a day: of what lives so long, as
    /// much is there then. Before today, growth was as it is today.
    pub fn elapsed_within(&self, lives_for: f64, day: f64) -> f64 {
        if self.is_linear() {
            return lives_for;
        }
        self.elapsed(day) - self.elapsed(day - lives_for)
    }

    /// The growth from each date on, as a multiple of the average; the first from today.
    pub fn slopes(&self) -> Vec<(f64, f64)> {
        if self.is_linear() {
            return vec![(0.0, 1.0)];
        }
        let of_segments = self.segments().map(|(from, to)| (from.days, slope(from, to)));
        of_segments.chain(self.last_slope.map(|slope| (self.last().days, slope))).collect()
    }

    /// The fastest growth in the days from today, as a multiple of the average.
    pub fn peak(&self, days: f64) -> f64 {
        let within = self.segments().filter(|(from, _)| from.days < days);
        let last = self.last_slope.filter(|_| self.last().days < days);
        within.map(|(from, to)| slope(from, to)).chain(last).reduce(f64::max).unwrap_or(1.0)
    }

    /// Its dates, in days from today.
    pub fn dates(&self) -> impl Iterator<Item = f64> {
        self.dates.into_iter().take(self.count).map(|date| date.days)
    }

    fn last(&self) -> CurveDate {
        self.dates.into_iter().take(self.count).next_back().unwrap_or_default()
    }

    /// The spans from one date to the next, the first from today.
    fn segments(&self) -> impl Iterator<Item = (CurveDate, CurveDate)> {
        let ends = self.dates.into_iter().take(self.count);
        std::iter::once(CurveDate::default()).chain(self.dates).zip(ends)
    }
}

/// Days of average growth per day.
fn slope(from: CurveDate, to: CurveDate) -> f64 {
    (to.elapsed - from.elapsed) / (to.days - from.days)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_goes_through_its_dates() {
        // The growth of seed 003: 1,000 rows in the first month, 15 M after five years.
        let dates = [(180.0, 50e3), (365.0, 500e3), (1_095.0, 5e6), (1_825.0, 15e6)];
        let growth = Growth::from_dates(1_000.0, &dates).unwrap();
        for (days, rows) in dates {
            assert!((1_000.0 + growth.increase(days) - rows).abs() < 1e-3, "{days}");
        }
        // Halfway between two dates half of the difference; after the last as before it: 10 M in
        // 730 days.
        assert!((1_000.0 + growth.increase(90.0) - 25_500.0).abs() < 1e-6);
        assert!((1_000.0 + growth.increase(2_555.0) - 25e6).abs() < 1e-2);
        assert_eq!(growth.curve.dates().collect::<Vec<_>>(), [180.0, 365.0, 1_095.0, 1_825.0]);
        // 10 M in two years are 5/3 of 15 M in five, less the rows of today.
        assert!((growth.curve.peak(1_825.0) - 10e6 / 2.0 / (14.999e6 / 5.0)).abs() < 1e-9);
        assert!(growth.curve.peak(100.0) < 0.1);
    }

    #[test]
    fn rates_change_in_steps() {
        // 10 a day for 100 days, 40 a day for 100 days, then 5 a day.
        let growth = Growth::from_rates(10.0, &[(100.0, 40.0), (200.0, 5.0)]).unwrap();
        let mut total = 0.0;
        for day in 0..400_i32 {
            let days = f64::from(day);
            assert!((growth.increase(days) - total).abs() < 1e-6, "{day}");
            total += if day < 100 {
                10.0
            } else if day < 200 {
                40.0
            } else {
                5.0
            };
        }
        assert_eq!((growth.daily, growth.curve.count), (25.0, 2));
        assert_eq!(growth.curve.slopes(), [(0.0, 0.4), (100.0, 1.6), (200.0, 0.2)]);
        assert_eq!((growth.curve.peak(50.0), growth.curve.peak(150.0)), (0.4, 1.6));
        let rising = Growth::from_rates(1.0, &[(10.0, 7.0)]).unwrap();
        assert_eq!((rising.curve.peak(10.0), rising.curve.peak(11.0)), (1.0, 7.0));
    }

    #[test]
    fn what_expires_is_what_came_within_its_life() {
        // 10 a day, from day 100 on 40: of what lives 30 days, 300 are there until then, and 1,200
        // from day 130 on.
        let growth = Growth::from_rates(10.0, &[(100.0, 40.0)]).unwrap();
        for (day, there) in [(0.0, 300.0), (100.0, 300.0), (110.0, 600.0), (130.0, 1_200.0)] {
            let found = growth.daily * growth.curve.elapsed_within(30.0, day);
            assert!((found - there).abs() < 1e-9, "{day}: {found}");
        }
        let even = Growth::linear(3.0).curve;
        assert_eq!((even.is_linear(), even.elapsed_within(30.0, 1e9)), (true, 30.0));
    }

    #[test]
    fn without_dates_it_is_linear() {
        let growth = Growth::linear(5.0);
        assert!(growth.curve.is_linear());
        assert_eq!((growth.increase(10.0), growth.curve.peak(10.0)), (50.0, 1.0));
        let still = Growth::from_dates(7.0, &[(30.0, 7.0)]).unwrap();
        assert_eq!((still.increase(100.0), still.curve.is_linear()), (0.0, true));
    }

    #[test]
    fn what_does_not_ascend_is_no_curve() {
        assert_eq!(Growth::from_dates(5.0, &[(30.0, 4.0)]), None);
        assert_eq!(Growth::from_dates(5.0, &[(30.0, 6.0), (30.0, 7.0)]), None);
        assert_eq!(Growth::from_rates(5.0, &[(30.0, 6.0), (30.0, 7.0)]), None);
        let many: Vec<_> = (1..20).map(|n| (f64::from(n), f64::from(n))).collect();
        assert_eq!(Growth::from_dates(0.5, &many), None);
        assert_eq!(Growth::from_rates(0.5, &many), None);
    }
}
