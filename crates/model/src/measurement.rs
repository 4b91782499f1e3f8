//! Volumes that were measured in a database, and the directives that they stand for.

use crate::concept::FanOutCourse;
use crate::directive::{DirectiveKind, EachFigures};

/// Popularities that differ by less are even.
const EVEN_RATIO: f64 = 1.5;

/// The least values with a known popularity that show a distribution.
const FITTED_VALUES_MIN: usize = 3;

/// What was measured in a database.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measurements {
    /// Its tables.
    pub tables: Vec<MeasuredTable>,
    /// Its statements.
    pub statements: Vec<MeasuredStatement>,
}

/// The volumes of a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeasuredTable {
    /// Its name, without the schema.
    pub name: String,
    /// Its rows; `None` where the database does not know them.
    pub rows: Option<f64>,
    /// Its columns.
    pub columns: Vec<MeasuredColumn>,
}

/// The values of a column.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeasuredColumn {
    /// Its name.
    pub name: String,
    /// Its distinct values; below zero, their share of the rows with a minus sign.
    pub distinct: f64,
    /// The average bytes of a value.
    pub bytes: f64,
    /// The share of the rows in which it is null.
    pub nulls: f64,
    /// The shares of the rows that have the most common values, the most common first.
    pub shares: Vec<f64>,
    /// The average number of elements of an array.
    pub items: Option<f64>,
}

/// How often a statement ran.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredStatement {
    /// Its text, with parameters in place of constants.
    pub sql: String,
    /// Times per second.
    pub rate: f64,
}

impl Measurements {
    /// The table of a name.
    pub fn table(&self, name: &str) -> Option<&MeasuredTable> {
        self.tables.iter().find(|table| table.name == name)
    }
}

impl MeasuredTable {
    /// `@rows`
    pub(crate) fn directives(&self) -> Vec<DirectiveKind> {
        self.rows
            .filter(|rows| *rows >= 1.0)
            .map(|rows| DirectiveKind::Rows(rows.into()))
            .into_iter()
            .collect()
    }
}

impl MeasuredColumn {
    /// `@distinct`, `@bytes`, `@items` and `@skew` of a column in a table of so many rows.
    pub(crate) fn directives(&self, rows: f64) -> Vec<DirectiveKind> {
        let distinct = Some(self.count_distinct(rows)).filter(|it| *it >= 1.0);
        let bytes = Some(self.bytes).filter(|it| *it > 0.0);
        let items = self.items.filter(|it| *it > 0.0);
        let skew = self.fit_zipf().map(round);
        let figures = [
            distinct.map(DirectiveKind::Distinct),
            bytes.map(DirectiveKind::Bytes),
            items.map(|items| DirectiveKind::Items(items.into())),
            skew.map(DirectiveKind::Skew),
        ];
        figures.into_iter().flatten().collect()
    }

    /// The distinct values among so many rows.
    pub fn count_distinct(&self, rows: f64) -> f64 {
        if self.distinct < 0.0 { (-self.distinct * rows).round() } else { self.distinct }
    }

    /// The rows for each of so many referenced rows.
    pub fn fan_out(&self, rows: f64, parents: f64) -> Option<EachFigures> {
        if rows < 1.0 || parents < 1.0 {
            return None;
        }
        let filled = rows * (1.0 - self.nulls);
        let mean = filled / parents;
        let (p99, max) = match self.shares.first() {
            Some(most) => (self.rows_at_rank(rows, parents / 100.0), most * rows),
            // No value is common: they are spread by chance.
            None => (mean + 2.33 * mean.sqrt(), mean + 4.0 * mean.sqrt()),
        };
        let (mean, p99) = (round(mean), round(p99.max(mean)));
        let (max, course) = (round(max).max(p99), FanOutCourse::default());
        Some(EachFigures { mean, p99, p999: None, max, per: None, course })
    }

    /// The rows of the value at a rank, the most common value having the first.
    fn rows_at_rank(&self, rows: f64, rank: f64) -> f64 {
        let known = self.shares.len();
        #[expect(clippy::cast_precision_loss, reason = "few values are common")]
        let count = known as f64;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small rank")]
        let at = (rank.max(1.0).min(count) - 1.0) as usize;
        let share = self.shares.get(at).copied().unwrap_or_default();
        if rank <= count {
            return share * rows;
        }
        // Behind the common values: along the curve that they show, between them and the average of
        // the others.
        let others = (self.count_distinct(rows) - count).max(1.0);
        let average = (1.0 - self.nulls - self.shares.iter().sum::<f64>()).max(0.0) / others;
        let curve = self.fit_zipf().map_or(average, |exponent| {
            self.shares.first().copied().unwrap_or_default() * rank.powf(-exponent)
        });
        rows * curve.clamp(average.min(share), share)
    }

    /// The exponent of the curve through the shares of the common values; `None` where they are even.
    fn fit_zipf(&self) -> Option<f64> {
        let (first, last) = (*self.shares.first()?, *self.shares.last()?);
        if self.shares.len() < FITTED_VALUES_MIN || last <= 0.0 || first / last < EVEN_RATIO {
            return None;
        }
        let points = (1..)
            .map(f64::from)
            .zip(&self.shares)
            .map(|(rank, share): (f64, &f64)| (rank.ln(), share.ln()));
        let (mut count, mut x, mut y, mut xx, mut xy) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for (rank, share) in points {
            count += 1.0;
            x += rank;
            y += share;
            xx += rank * rank;
            xy += rank * share;
        }
        let slope = (count * xy - x * y) / (count * xx - x * x);
        (slope.is_finite() && slope < 0.0).then(|| (-slope).min(10.0))
    }
}

/// A figure with as many digits as a sample can tell.
fn round(figure: f64) -> f64 {
    if figure >= 100.0 { figure.round() } else { (figure * 1_000.0).round() / 1_000.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn even_values_have_no_skew() {
        let even = MeasuredColumn { distinct: 4.0, shares: vec![0.25; 4], ..Default::default() };
        assert_eq!(even.fit_zipf(), None);
        let each = even.fan_out(1_000.0, 4.0).unwrap();
        assert_eq!((each.mean, each.p99, each.max), (250.0, 250.0, 250.0));
    }

    #[test]
    fn common_values_show_a_curve() {
        // The shares of zipf 1 over 1,000 values, of which the first 100 are known.
        let total: f64 = (1..=1_000).map(|rank| 1.0 / f64::from(rank)).sum();
        let shares = (1..=100).map(|rank| 1.0 / f64::from(rank) / total).collect();
        let column = MeasuredColumn { distinct: 1_000.0, shares, ..Default::default() };
        assert!((column.fit_zipf().unwrap() - 1.0).abs() < 0.001);
        let each = column.fan_out(1e6, 1_000.0).unwrap();
        assert_eq!((each.mean, each.p99, each.max), (1_000.0, 13_359.0, 133_592.0));
        // One in a hundred of 100,000 rows referred to is behind the known values.
        let each = column.fan_out(1e6, 1e5).unwrap();
        assert!(each.p99 < 1_336.0 && each.p99 >= each.mean, "{each:?}");
    }

    #[test]
    fn shares_of_rows_are_counts() {
        let unique = MeasuredColumn { distinct: -1.0, ..Default::default() };
        assert!((unique.count_distinct(1e6) - 1e6).abs() < 0.5);
        assert_eq!(unique.fan_out(0.0, 5.0), None);
    }
}
