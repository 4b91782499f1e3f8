//! Growth: linear, or along a curve through figures at dates to come.

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

/// The course of a growth: linear between its dates, and after the last as before it.
///
/// It is kept as *days of average growth*, so that it applies to each part of what grows: of rows
/// that double in a year, those of a partition double, too.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GrowthCurve {
    dates: [CurveDate; DATES_MAX],
    /// The number of dates; none for linear growth.
    count: usize,
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

    /// The days of average growth that have happened after so many days.
    pub fn elapsed(&self, days: f64) -> f64 {
        if self.is_linear() {
            return days;
        }
        let mut value = 0.0;
        for (from, to) in self.segments() {
            value = from.elapsed + slope(from, to) * (days - from.days);
            if days <= to.days {
                break;
            }
        }
        value
    }

    /// The fastest growth in the days from today, as a multiple of the average.
    pub fn peak(&self, days: f64) -> f64 {
        let within = self.segments().filter(|(from, _)| from.days < days);
        within.map(|(from, to)| slope(from, to)).reduce(f64::max).unwrap_or(1.0)
    }

    /// Its dates, in days from today.
    pub fn dates(&self) -> impl Iterator<Item = f64> {
        self.dates.into_iter().take(self.count).map(|date| date.days)
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
        let many: Vec<_> = (1..20).map(|n| (f64::from(n), f64::from(n))).collect();
        assert_eq!(Growth::from_dates(0.5, &many), None);
    }
}
