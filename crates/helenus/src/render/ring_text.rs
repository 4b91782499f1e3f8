//! The balance of tables and requests over the ring, in words.

use design::capacity::{NodeLoad, RingBalance};
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

/// `1.2k/s requests, 1.4 times the average of 6 nodes, 80 % of them to users`.
pub(crate) fn load_text(load: &NodeLoad, table: &str) -> String {
    format!(
        "{} requests, {:.2} times the average of {} nodes, {} of them to {table}",
        figures::format_rate(load.hottest),
        load.ratio(),
        load.nodes,
        figures::format_share(load.share)
    )
}
