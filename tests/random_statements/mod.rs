//! Random statements over random schemas, put to a real Cassandra and to us.
//!
//! A [`statement_writer`] writes statements that are right for the schema it made, but for a slip or two of the kind people make.
//! `HELENUS_SEED` and `HELENUS_STATEMENTS` choose the run, `HELENUS_FULL=1` makes it the long one, `HELENUS_SHAPES=1`
//! lists the shapes of all refusals.

mod comparison;
mod expression;
mod json;
mod literal;
mod mask;
mod node;
mod option;
mod probe;
mod report;
mod restriction;
mod schema;
mod statement;
mod statement_writer;
mod types;

use std::sync::OnceLock;

use comparison::RunPlan;
use report::ComparisonReport;

/// A run that every test looks at; nothing where there is no node.
fn report() -> Option<&'static ComparisonReport> {
    static REPORT: OnceLock<Option<ComparisonReport>> = OnceLock::new();
    REPORT
        .get_or_init(|| {
            let address = crate::cassandra::node()?;
            let report = comparison::run(plan(), node::NodeConnection::open(address));
            show(&report);
            Some(report)
        })
        .as_ref()
}

fn plan() -> RunPlan {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let full = std::env::var_os("HELENUS_FULL").is_some();
    let statements = number("HELENUS_STATEMENTS").unwrap_or(if full { 20_000 } else { 3_000 });
    RunPlan {
        seed: number("HELENUS_SEED").unwrap_or(1),
        statements: usize::try_from(statements).unwrap_or(usize::MAX),
    }
}

#[expect(
    clippy::print_stdout,
    reason = "the report is the test's output, shown on failure or with --nocapture"
)]
fn show(report: &ComparisonReport) {
    println!("{report}");
}

/// Statements that are all right, or all wrong, or always the same, prove little.
#[test]
fn the_statements_are_mean() {
    let Some(report) = report() else { return };
    let asked = report.statement_count();
    let often = report.kinds.values().filter(|tally| tally.asked * 20_000 >= 300 * asked).count();
    assert!(often >= 25, "only {often} kinds are written often enough");
    let refused = report.refusal_percent();
    assert!((30.0..=60.0).contains(&refused), "{refused:.1} % are refused");
    // A short run cannot meet the rare texts.
    let wanted = if asked >= 20_000 { 150 } else { 90 };
    let shapes = report.shapes.len();
    assert!(shapes >= wanted, "only {shapes} different texts");
}

/// The bar: yes or no on 99.5 %, the code on every common refusal, the text on 98 % of them.
#[test]
fn we_say_what_the_node_says() {
    let Some(report) = report() else { return };
    let (verdicts, codes, texts) =
        (report.verdicts_percent(), report.codes_percent(), report.texts_percent());
    assert!(verdicts >= 99.5, "accept or refuse agrees on {verdicts:.2} % only\n{report}");
    assert!(codes >= 100.0, "codes agree on {codes:.2} % only\n{report}");
    assert!(texts >= 98.0, "texts agree on {texts:.2} % only\n{report}");
}
