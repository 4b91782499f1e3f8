//! The assumptions about a model by influence: what other figures would change, and the query that
//! measures each.

use std::io::{self, Write};

use anstyle::Style;
use model::assumption::{Assumption, AssumptionTopic};
use model::figures;

use crate::influence::{AssumptionRanking, Influence};

const FAINT: Style = Style::new().dimmed();
/// The number of assumptions shown.
const SHOWN_MAX: usize = 8;

/// Writes the most influential assumptions, and the rest as one line.
pub(crate) fn write_ranking(ranking: &AssumptionRanking, out: &mut dyn Write) -> io::Result<()> {
    for Assumption { topic, .. } in &ranking.invariable {
        writeln!(out, "  - {topic}\n    {FAINT}{}{FAINT:#}", topic.help())?;
    }
    for (assumption, influence) in ranking.influential.iter().take(SHOWN_MAX) {
        let topic = &assumption.topic;
        writeln!(out, "  - {topic}: {}", influence_text(topic, influence))?;
        let measure = topic.measurement().map(|sql| format!("; measure it: {sql}"));
        writeln!(out, "    {FAINT}{}{}{FAINT:#}", topic.help(), measure.unwrap_or_default())?;
    }
    match rest_text(ranking, SHOWN_MAX) {
        Some(rest) => writeln!(out, "  - {rest}"),
        None => Ok(()),
    }
}

/// The influential assumptions, the most influential first, each with what other figures would change.
pub(crate) fn describe_influential(ranking: &AssumptionRanking) -> impl Iterator<Item = String> {
    let influential = ranking.influential.iter();
    influential.map(|(assumption, influence)| {
        let topic = &assumption.topic;
        format!("{topic}: {}", influence_text(topic, influence))
    })
}

/// `at a tenth, the price is 0.4 times; at ten times, 5 times, with other tables`.
pub(super) fn influence_text(topic: &AssumptionTopic, influence: &Influence) -> String {
    let names = match topic {
        AssumptionTopic::NoGrowth { .. } => ["with slow growth", "with fast growth"],
        _ => ["with a tenth", "with ten times as much"],
    };
    let parts: Vec<String> = names
        .iter()
        .zip(influence.prices)
        .zip(influence.tables)
        .map(|((name, price), tables)| {
            let tables = if tables { " and other tables" } else { "" };
            format!("{name}, {}{tables}", price_text(price))
        })
        .collect();
    parts.join("; ")
}

/// `the same price`, `price +12 %`, `price x 8.5`.
fn price_text(price: f64) -> String {
    match price {
        same if (same - 1.0).abs() < 0.005 => "the same price".to_owned(),
        high if high >= 2.0 => format!("price x {}", figures::format_count(high)),
        other => {
            let sign = if other < 1.0 { "-" } else { "+" };
            format!("price {sign}{}", figures::format_share((other - 1.0).abs()))
        }
    }
}

/// What is not shown, where so many are.
pub(super) fn rest_text(ranking: &AssumptionRanking, shown: usize) -> Option<String> {
    let mut parts = Vec::new();
    let hidden = ranking.influential.len().saturating_sub(shown);
    if hidden > 0 {
        let have = if hidden == 1 { "has" } else { "have" };
        parts.push(format!("{hidden} {have} less influence"));
    }
    if ranking.harmless > 0 {
        let change = if ranking.harmless == 1 { "changes" } else { "change" };
        parts.push(format!(
            "{} {change} neither the tables nor the price by more than 1 %",
            ranking.harmless
        ));
    }
    if ranking.untried > 0 {
        let were = if ranking.untried == 1 { "was" } else { "were" };
        parts.push(format!("{} {were} not evaluated", ranking.untried));
    }
    (!parts.is_empty()).then(|| {
        format!("of the other assumptions, {}; --assumptions all lists them", parts.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::design::test_sample::plain_text;

    #[test]
    fn the_rest_is_one_line() {
        let topic = |name: &str| AssumptionTopic::Rows { entity: name.to_owned(), rows: 1e6 };
        let assumption = |name: &str| Assumption { topic: topic(name), span: cql::Span::new(0, 0) };
        let ranking = AssumptionRanking {
            influential: vec![(
                assumption("users"),
                Influence { prices: [0.4, 8.5], tables: [false, true] },
            )],
            harmless: 3,
            untried: 1,
            invariable: Vec::new(),
        };
        let expected = "  - users is assumed to have 1M rows: with a tenth, price -60 %; with ten times as much, price x 8.5 and other tables
    write @rows 1M above CREATE TABLE users; measure it: SELECT count(*) FROM users
  - of the other assumptions, 3 change neither the tables nor the price by more than 1 %, 1 was not evaluated; --assumptions all lists them
";
        assert_eq!(plain_text(|out| write_ranking(&ranking, out)), expected);
    }
}
