//! The balance of a table over the ring, in words.

use design::capacity::RingBalance;
use model::figures;

/// `the fullest of 6 nodes has 12 % more than its share`.
pub(crate) fn balance_text(balance: &RingBalance) -> String {
    let excess = figures::format_share((balance.fullest - 1.0).max(0.0));
    let most = if balance.is_whole { "" } else { "at most " };
    let unused = match balance.unused {
        0 => String::new(),
        unused => format!(", {} none of it", figures::pluralise(f64::from(unused), "node")),
    };
    format!("the fullest of {} nodes has {most}{excess} more than its share{unused}", balance.nodes)
}
