//! How a value that is counted or summed is kept, and what the other ways would cost.

use std::fmt;

use crate::figures::{format_count, format_rate};

/// The ways to keep a value that is counted or summed, one of them chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct AggregateTopic {
    /// The value: `` `views` of `pages` ``, or `` the count of `LikesOfPost` ``.
    pub value: String,
    /// The way that is taken.
    pub chosen: AggregateMethod,
    /// What decides against a counter; `None` where it is one, or could be.
    pub reason: Option<AggregateReason>,
    /// The prices of the ways, by their order in [`AggregateMethod`]; `None` where one does not apply.
    pub prices: [Option<f64>; 3],
    /// The unit of the prices.
    pub unit: &'static str,
    /// Additions per second to the most popular row.
    pub hottest: f64,
    /// The value is that of a query, whose rows are there anyway.
    pub is_of_query: bool,
}

/// Ways to keep a value that is counted or summed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AggregateMethod {
    /// A counter.
    Counter,
    /// A number that is read, and written if it is unchanged.
    ConditionalWrite,
    /// A row for each addition, which reads add up.
    Rows,
}

/// What decides against a counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AggregateReason {
    /// `@exact`.
    Exact,
    /// Rows expire, which counters cannot.
    Retention,
    /// A statement needs of the value what a counter does not offer.
    Use,
    /// Rows that are there anyway cost less at the stated rates.
    Price,
}

impl AggregateTopic {
    /// Conditional writes per second that one row can take: each takes four round trips between the
    /// replicas, and those that meet are repeated.
    pub const CONDITIONAL_MAX: f64 = 100.0;

    /// Whether the conditional writes to one row are too many.
    pub fn is_contended(&self) -> bool {
        self.chosen == AggregateMethod::ConditionalWrite && self.hottest > Self::CONDITIONAL_MAX
    }

    fn price(&self, method: AggregateMethod) -> Option<f64> {
        self.prices.get(method as usize).copied().flatten()
    }

    fn write_alternative(
        &self,
        f: &mut fmt::Formatter<'_>,
        method: AggregateMethod,
    ) -> fmt::Result {
        let Some(price) = self.price(method) else { return Ok(()) };
        let price = format!("{} {}", format_count(price), self.unit);
        match method {
            AggregateMethod::Counter => match self.reason {
                None | Some(AggregateReason::Price) => {
                    write!(f, "; a counter would cost {price}")
                }
                Some(_) => write!(f, "; a counter would cost {price}, but is ruled out"),
            },
            AggregateMethod::ConditionalWrite => write!(
                f,
                "; conditional writes would cost {price}, with {} on the most popular row, which takes about {}",
                format_rate(self.hottest),
                format_rate(Self::CONDITIONAL_MAX)
            ),
            AggregateMethod::Rows if self.is_of_query => {
                write!(f, "; reading the rows each time would cost {price}")
            }
            AggregateMethod::Rows => {
                write!(f, "; a row for each addition, summed by the reads, would cost {price}")
            }
        }
    }

    /// The advice: one imperative.
    pub(super) const fn help(&self) -> &'static str {
        match (self.chosen, self.reason) {
            (AggregateMethod::Counter, _) => {
                "write @exact where the value must be exact; for a period, such as a day, make the day part of the key"
            }
            (AggregateMethod::ConditionalWrite, _) => {
                "spread the value over several rows that are added up, or remove what a counter cannot do"
            }
            (AggregateMethod::Rows, Some(AggregateReason::Price)) => {
                "state the rates of the writes and of the query, which decide"
            }
            (AggregateMethod::Rows, Some(AggregateReason::Retention | AggregateReason::Use)) => {
                "keep sums for each period, such as a day, in a table of its own where reads add up many rows"
            }
            (AggregateMethod::Rows, _) => {
                "remove @exact, or count in a table of its own, where reads add up many rows"
            }
        }
    }
}

impl fmt::Display for AggregateReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Exact => "@exact asks for it",
            Self::Retention => "its rows expire, which counters cannot",
            Self::Use => "statements need more of it than a counter offers",
            Self::Price => "this is cheaper at the stated rates",
        })
    }
}

impl fmt::Display for AggregateTopic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let chosen = match self.chosen {
            AggregateMethod::Counter => "is a counter",
            AggregateMethod::ConditionalWrite => "is written conditionally",
            AggregateMethod::Rows => "is added up from rows",
        };
        write!(f, "{} {chosen}", self.value)?;
        if let Some(price) = self.price(self.chosen) {
            write!(f, " ({} {}", format_count(price), self.unit)?;
            if self.chosen == AggregateMethod::ConditionalWrite {
                write!(f, ", {} on the most popular row", format_rate(self.hottest))?;
            }
            f.write_str(")")?;
        }
        match self.reason {
            Some(reason) => write!(f, ", because {reason}")?,
            None if self.chosen == AggregateMethod::Counter => {
                f.write_str(", because it need not be exact")?;
            }
            None => {}
        }
        if self.is_contended() {
            write!(f, ": one row takes about {}", format_rate(Self::CONDITIONAL_MAX))?;
        }
        let all =
            [AggregateMethod::Counter, AggregateMethod::ConditionalWrite, AggregateMethod::Rows];
        for method in all.into_iter().filter(|method| *method != self.chosen) {
            self.write_alternative(f, method)?;
        }
        Ok(())
    }
}
