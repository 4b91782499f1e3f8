//! Attributes and the figures of their values.

use cql::Span;
use cql::types::{NativeType, Type};

use super::{ColumnDefault, Figure, Generation, Growth, ValueLimit};

/// Zipf weights that are summed one by one; the rest is an integral.
const RANKS_SUMMED: u32 = 256;

/// An attribute of an entity: a column of the model file.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Attribute {
    /// Its name.
    pub name: String,
    /// Its CQL type: `timeuuid` with `@time` (and in what references such a column), an array a
    /// list, with `@set` a set (both not frozen).
    pub ty: Type,
    /// Whether it may be null.
    pub nullable: bool,
    /// What an INSERT that omits it writes; `None`: null.
    pub default: Option<ColumnDefault>,
    /// The expression of a generated column, over attributes of the same entity.
    pub generated: Option<Generation>,
    /// What its type says about its values (about the elements, for an array).
    pub limit: Option<ValueLimit>,
    /// Some write does `SET n = n + ?` on it and `@exact` does not forbid: it is stored as a
    /// counter.
    pub counter: bool,
    /// `@exact`.
    pub exact: bool,
    /// It is no column of the file: the id that each row of a table without a key gets. No statement
    /// names it, and `*` does not return it.
    pub hidden: bool,
    /// Average bytes of a value (of an element, for an array).
    pub bytes: Figure<f64>,
    /// Average elements, for an array or map.
    pub items: Figure<f64>,
    /// The growth of their number.
    pub items_growth: Growth,
    /// Distinct values (of elements, for an array).
    pub distinct: Figure<f64>,
    /// Popularity of its values.
    pub skew: Skew,
    /// Its name in the file.
    pub span: Span,
}

impl Attribute {
    /// The average number of elements after some days.
    pub fn items_after(&self, days: f64) -> f64 {
        self.items.value + self.items_growth.increase(days)
    }

    /// The digits after the point to which values are rounded when they are written.
    pub fn scale(&self) -> Option<u32> {
        let is_decimal = self.ty == Type::Native(NativeType::Decimal);
        self.limit.as_ref().filter(|_| is_decimal)?.scale()
    }
}

/// The distribution of the uses of values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Skew {
    /// All alike.
    Uniform,
    /// The k-th most popular is used 1/k^s as often as the first.
    Zipf(f64),
}

/// The share of all uses that the most popular of `values` values has: one over the generalised
/// harmonic number, of which the first terms are summed and the rest is approximated by an
/// integral.
pub fn zipf_share(values: f64, exponent: f64) -> f64 {
    let summed: f64 = (1..=RANKS_SUMMED)
        .map(f64::from)
        .take_while(|rank| *rank <= values)
        .map(|rank| rank.powf(-exponent))
        .sum();
    let (from, to) = (f64::from(RANKS_SUMMED) + 0.5, values + 0.5);
    let rest = if to <= from {
        0.0
    } else if (exponent - 1.0).abs() < 1e-9 {
        (to / from).ln()
    } else {
        (to.powf(1.0 - exponent) - from.powf(1.0 - exponent)) / (1.0 - exponent)
    };
    1.0 / (summed + rest).max(1.0)
}

#[cfg(test)]
mod tests {
    use super::zipf_share;

    fn assert_close(one: f64, other: f64) {
        assert!((one / other - 1.0).abs() < 1e-3, "{one} {other}");
    }

    #[test]
    fn zipf_shares() {
        // 1 + 1/2 + 1/3 + 1/4 = 25/12
        assert_close(zipf_share(4.0, 1.0), 12.0 / 25.0);
        // H(1,000,000) = ln(1,000,000) + 0.57722 = 14.39273
        assert_close(zipf_share(1e6, 1.0), 1.0 / 14.392_73);
        // The zeta function at 2 is pi^2 / 6.
        assert_close(zipf_share(1e9, 2.0), 6.0 / (std::f64::consts::PI * std::f64::consts::PI));
        assert_close(zipf_share(10.0, 0.0), 0.1);
    }
}
