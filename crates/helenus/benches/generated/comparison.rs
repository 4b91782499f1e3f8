//! What the rounds say, and how it is printed.

use crate::program::{Round, Run};

/// A figure of both sides: its medians, and the median of the overheads of the rounds.
struct Figure {
    generated: f64,
    by_hand: f64,
    overhead: f64,
}

/// The figures of a row.
pub(crate) struct Comparison {
    rate: Figure,
    cpu: Figure,
    p50: Figure,
    p99: Figure,
}

impl Comparison {
    pub(crate) fn new(rates: &[Round], latencies: &[Round]) -> Self {
        let rate = Figure::new(rates, Run::rate, |generated, by_hand| by_hand / generated);
        let ratio = |generated: f64, by_hand: f64| generated / by_hand;
        let cpu = Figure::pool_cpu(rates);
        let p50 = Figure::new(latencies, |run| run.percentile(0.5), ratio);
        let p99 = Figure::new(latencies, |run| run.percentile(0.99), ratio);
        Self { rate, cpu, p50, p99 }
    }

    /// The row of the table: generated, by hand, overhead of the generated code.
    pub(crate) fn print_row(&self, language: &str, call: &str) -> String {
        format!(
            "| {language} | {call} | {} | {} | {} | {} |",
            self.rate.print_cell(0),
            self.cpu.print_cell(0),
            self.p50.print_cell(2),
            self.p99.print_cell(2)
        )
    }
}

/// The head of the table of calls.
pub(crate) const CALLS_HEAD: &str = "\
| language | call | calls/s | client CPU \u{b5}s | p50 ms | p99 ms |
|---|---|---|---|---|---|";

/// The head of the table of the read of 24 hours.
pub(crate) const RANGE_HEAD: &str = "\
| language | in parallel | one after the other | faster |
|---|---|---|---|";

/// The read of 24 hours: how much faster it is in parallel.
pub(crate) fn print_range_row(language: &str, rounds: &[Round]) -> String {
    let figure = Figure::new(rounds, |run| run.percentile(0.5), |one, other| other / one);
    format!(
        "| {language} | {:.1} ms | {:.1} ms | {:.1} times |",
        figure.generated,
        figure.by_hand,
        figure.overhead / 100.0 + 1.0
    )
}

impl Figure {
    fn new(rounds: &[Round], read: impl Fn(&Run) -> f64, ratio: impl Fn(f64, f64) -> f64) -> Self {
        let pairs: Vec<(f64, f64)> =
            rounds.iter().map(|round| (read(&round.generated), read(&round.by_hand))).collect();
        Self {
            generated: find_median(pairs.iter().map(|pair| pair.0)),
            by_hand: find_median(pairs.iter().map(|pair| pair.1)),
            overhead: find_median(pairs.iter().map(|pair| (ratio(pair.0, pair.1) - 1.0) * 100.0)),
        }
    }

    /// Microseconds of CPU for each call, over all rounds: the clock of processes is too coarse for
    /// one of them.
    fn pool_cpu(rounds: &[Round]) -> Self {
        let pool = |read: fn(&Round) -> &Run| {
            let runs = rounds.iter().map(|round| read(round).cpu());
            let (cpu, calls) = runs.fold((0.0, 0.0), |sum, run| (sum.0 + run.0, sum.1 + run.1));
            cpu * 1e6 / calls
        };
        let (generated, by_hand) = (pool(|round| &round.generated), pool(|round| &round.by_hand));
        Self { generated, by_hand, overhead: (generated / by_hand - 1.0) * 100.0 }
    }

    fn print_cell(&self, digits: usize) -> String {
        let Self { generated, by_hand, overhead } = self;
        format!("{generated:.digits$}, {by_hand:.digits$}, {overhead:+.1} %")
    }
}

fn find_median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
