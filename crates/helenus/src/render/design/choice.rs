//! The result of the search: the price, the optimality gap, the runners-up, the rates at which
//! another design becomes cheaper, and the rejected alternatives.

use std::fmt::Write as _;
use std::io::{self, Write};

use design::prices::PROFILES;
use model::figures;
use model::id::IdList;
use model::plan::{
    DesignChoice, DesignCost, NoteSubject, PlannedTable, RateFlip, RejectedAlternative, RunnerUp,
};
use serde_json::{Value, json};

use super::{DesignView, align_columns, difference};
use crate::render::markdown_text::{cell, prose};

/// A smaller gap counts as none: it is within the rounding errors of the sums.
const NO_GAP: f64 = 1e-6;
/// The number of runners-up shown.
const RUNNERS_UP_SHOWN: usize = 3;

/// The number of flips shown, nearest to the current rate first.
const FLIPS_SHOWN: usize = 5;

/// `yes (over 412 candidates)`, `gap 1.3 %` or `not searched (...)`.
pub(crate) fn verdict(subject: DesignView<'_>) -> String {
    let Some(choice) = &subject.design.choice else {
        let tables = if subject.rules_only {
            "one table per query"
        } else {
            "tables that contain others are shared"
        };
        return format!("not searched (mapping rules only, {tables})");
    };
    if is_optimal(choice) {
        format!("yes (over {} candidates)", choice.candidates)
    } else {
        match figures::format_share(choice.gap()).as_str() {
            "0 %" => "gap less than 0.001 %".to_owned(),
            share => format!("gap {share}"),
        }
    }
}

/// Whether the design is proven optimal.
pub(super) fn is_optimal(choice: &DesignChoice) -> bool {
    choice.gap() <= NO_GAP
}

/// The section of the text report; empty if the design was not searched.
pub(crate) fn write_section(subject: DesignView<'_>, out: &mut dyn Write) -> io::Result<()> {
    let Some(choice) = &subject.design.choice else { return Ok(()) };
    super::text::heading(out, "Price")?;
    for line in lines(subject, choice) {
        writeln!(out, "  {line}")?;
    }
    Ok(())
}

/// The lines of the section, without the rejected alternatives.
pub(super) fn lines(subject: DesignView<'_>, choice: &DesignChoice) -> Vec<String> {
    let unit = unit(choice);
    let mut lines = vec![format!(
        "{} {unit} with price profile {}: {}",
        format_price(choice.price.total()),
        choice.profile,
        describe_price(choice.price)
    )];
    if let Some(rules) = choice.by_rules {
        let saved = 1.0 - choice.price.total() / rules.total();
        let saved = if saved > 0.000_5 {
            format!(", {} more", figures::format_share(rules.total() / choice.price.total() - 1.0))
        } else {
            String::new()
        };
        lines.push(format!(
            "tables by the mapping rules alone would cost {} {unit}{saved}: {}",
            format_price(rules.total()),
            describe_price(rules)
        ));
    }
    lines.extend(
        choice
            .runners_up
            .iter()
            .take(RUNNERS_UP_SHOWN)
            .enumerate()
            .map(|(at, next)| runner_up(at, next, choice)),
    );
    let mut flips: Vec<&RateFlip> = choice.flips.iter().collect();
    flips.sort_by(|one, other| one.distance().total_cmp(&other.distance()));
    flips.truncate(FLIPS_SHOWN);
    flips.retain(|flip| !flip.difference.is_empty());
    // Several rates may lead to the same design.
    while let Some(first) = flips.first().copied() {
        let same: Vec<_> = flips.extract_if(.., |it| it.difference == first.difference).collect();
        lines.extend(flip_phrase(subject, &same));
    }
    lines
}

/// The parts of a price.
fn describe_price(parts: DesignCost) -> String {
    format!(
        "reads {}, writes {}, storage {}",
        format_price(parts.reads),
        format_price(parts.writes),
        format_price(parts.storage)
    )
}

/// `second best: a instead of b, Q12 reads 1 partition more, +0.4 ms/s (+3 %)`.
fn runner_up(at: usize, next: &RunnerUp, choice: &DesignChoice) -> String {
    let rank = ["second best", "third best", "fourth best"].get(at).copied().unwrap_or("next best");
    let price = difference::price_phrase(choice.price.total(), next.price, unit(choice));
    format!("{rank}: {}, {price}", difference::phrase(&next.difference))
}

/// `at 120/s of UpdateProfile (now 5/s), another design is cheaper: ...`.
fn flip_phrase(subject: DesignView<'_>, flips: &[&RateFlip]) -> Option<String> {
    let rates: Vec<String> = flips
        .iter()
        .filter_map(|flip| {
            let name = super::json::subject_name(subject, flip.about)?;
            let (at, now) = (figures::format_rate(flip.at), figures::format_rate(flip.now));
            Some(format!("at {at} of {name} (now {now})"))
        })
        .collect();
    let difference = difference::phrase(&flips.first()?.difference);
    Some(format!("{}, another design is cheaper: {difference}", rates.join(" or ")))
}

/// Writes the rejected alternatives for `--why`, of one table or all, each with the price that the
/// whole design would have.
pub(crate) fn write_rejected(
    subject: DesignView<'_>,
    only: Option<&PlannedTable>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let Some(choice) = &subject.design.choice else {
        return writeln!(out, "\nno alternatives were priced: the design was not searched");
    };
    let concerns = |rejected: &&RejectedAlternative| {
        only.is_none_or(|table| is_about(subject, table, rejected.about))
    };
    let shown: Vec<_> = choice.rejected.iter().filter(concerns).collect();
    if shown.is_empty() {
        return writeln!(out, "\nno alternatives were considered");
    }
    writeln!(
        out,
        "\nrejected alternatives, with the price of the whole design (chosen: {} {})",
        format_price(choice.price.total()),
        unit(choice)
    )?;
    let mut last = None;
    let mut rows = Vec::new();
    for rejected in shown {
        if last != Some(rejected.about) {
            print_rows(&mut rows, out)?;
            last = Some(rejected.about);
            if let Some(name) = super::json::subject_name(subject, rejected.about) {
                writeln!(out, "  for {name}")?;
            }
        }
        rows.push([total_price(rejected.price), rejected.what.clone(), rejected.because.clone()]);
    }
    print_rows(&mut rows, out)
}

fn print_rows(rows: &mut Vec<[String; 3]>, out: &mut dyn Write) -> io::Result<()> {
    for line in align_columns(rows) {
        writeln!(out, "    {line}")?;
    }
    rows.clear();
    Ok(())
}

/// Whether an alternative was rejected in favour of a table.
pub(super) fn is_about(subject: DesignView<'_>, table: &PlannedTable, about: NoteSubject) -> bool {
    match about {
        NoteSubject::Table(at) => {
            subject.design.tables.member(at).is_some_and(|other| other.name == table.name)
        }
        NoteSubject::Read(read) => table.serves.iter().any(|served| served.read == read),
        NoteSubject::Write(write) => table.supports.contains(&write),
        NoteSubject::Entity(_) | NoteSubject::Design => false,
    }
}

/// The section of `report.md`.
pub(crate) fn markdown(subject: DesignView<'_>, out: &mut String) {
    let Some(choice) = &subject.design.choice else { return };
    let _ = writeln!(out, "## Price\n");
    for line in lines(subject, choice) {
        let _ = writeln!(out, "- {}", prose(&line));
    }
    if !choice.rejected.is_empty() {
        let _ = writeln!(
            out,
            "\n| for | rejected alternative | price of the design | reason |\n|---|---|---|---|"
        );
    }
    for rejected in &choice.rejected {
        let name = super::json::subject_name(subject, rejected.about).unwrap_or_default();
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} |",
            cell(&name),
            cell(&rejected.what),
            total_price(rejected.price),
            cell(&rejected.because)
        );
    }
    out.push('\n');
}

/// The choice as JSON.
pub(crate) fn object(subject: DesignView<'_>) -> Value {
    let Some(choice) = &subject.design.choice else { return Value::Null };
    let parts = |parts: DesignCost| json!({ "total": figure(parts.total()), "reads": figure(parts.reads), "writes": figure(parts.writes), "storage": figure(parts.storage) });
    json!({
        "profile": choice.profile,
        "unit": unit(choice),
        "price": parts(choice.price),
        "parts": price_parts(subject, choice),
        "bound": figure(choice.bound),
        "gap": figure(choice.gap()),
        "candidates": choice.candidates,
        "ways": choice.ways,
        "by_rules": choice.by_rules.map(parts),
        "runners_up": choice.runners_up.iter().map(|next| json!({
            "price": figure(next.price), "added_tables": next.gains, "removed_tables": next.loses,
            "difference": difference::object(&next.difference),
        })).collect::<Vec<_>>(),
        "flips": choice.flips.iter().map(|flip| json!({
            "about": super::json::subject_name(subject, flip.about), "rate_per_second": figure(flip.now),
            "threshold_per_second": figure(flip.at), "added_tables": flip.gains,
            "removed_tables": flip.loses, "difference": difference::object(&flip.difference),
        })).collect::<Vec<_>>(),
        "rejected": choice.rejected.iter().map(|rejected| json!({
            "about": super::json::subject_name(subject, rejected.about), "alternative": rejected.what,
            "price": rejected.price.is_finite().then(|| figure(rejected.price)), "reason": rejected.because,
        })).collect::<Vec<_>>(),
    })
}

/// What each read, write (derived ones included) and table costs.
fn price_parts(subject: DesignView<'_>, choice: &DesignChoice) -> Value {
    let workload = &subject.file.workload;
    let list = |names: &mut dyn Iterator<Item = &String>, prices: &[f64]| -> Vec<Value> {
        let parts = names.zip(prices);
        parts.map(|(name, price)| json!({ "name": name, "price": figure(*price) })).collect()
    };
    json!({
        "reads": list(&mut workload.reads.iter().map(|it| &it.name), &choice.parts.reads),
        "writes": list(&mut workload.writes.iter().map(|it| &it.name), &choice.parts.writes),
        "tables": list(&mut subject.design.tables.iter().map(|it| &it.name), &choice.parts.tables),
    })
}

/// The unit of the prices: that of the profile, or the default for prices from a file.
pub(super) fn unit(choice: &DesignChoice) -> &'static str {
    let known = PROFILES.iter().find(|profile| profile.name == choice.profile);
    known.map_or(design::prices::HELENUS.unit, |profile| profile.unit)
}

/// The price of a whole design; infinite if it violates the limits.
pub(super) fn total_price(cost: f64) -> String {
    if cost.is_finite() { format_price(cost) } else { "exceeds limits".to_owned() }
}

/// A price with at most four significant digits, two where it is small: `1.006`, `41.2`, `12,345`, `0.049`.
pub(super) fn format_price(cost: f64) -> String {
    if cost >= 1_000.0 {
        return figures::group_thousands(cost.round());
    }
    let digits = match cost {
        0.0 => return "0".to_owned(),
        cost if cost >= 100.0 => 1,
        cost if cost >= 10.0 => 2,
        cost if cost >= 1.0 => 3,
        cost if cost >= 0.1 => 4,
        cost if cost >= 0.01 => 3,
        cost if cost >= 0.001 => 4,
        _ => 6,
    };
    let text = format!("{cost:.digits$}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A number rounded to nine decimals, so that the output is the same on every platform.
fn figure(number: f64) -> Value {
    json!((number * 1e9).round() / 1e9)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proof::Verdict;
    use crate::render::design::test_sample;
    use model::id::{ReadId, WriteId};
    use model::plan::DesignDifference;

    fn sample_choice() -> DesignChoice {
        let rejected = |about, what: &str, price, because: &str| RejectedAlternative {
            about,
            what: what.to_owned(),
            price,
            because: because.to_owned(),
        };
        DesignChoice {
            profile: "helenus".to_owned(),
            price: DesignCost { reads: 30.0, writes: 10.5, storage: 0.7 },
            bound: 41.2,
            candidates: 412,
            ways: 900,
            by_rules: Some(DesignCost { reads: 28.0, writes: 33.8, storage: 0.0 }),
            rejected: vec![
                rejected(
                    NoteSubject::Read(ReadId::new(0)),
                    "users_by_email, users",
                    44.4,
                    "0.2k lookups a second",
                ),
                rejected(
                    NoteSubject::Read(ReadId::new(0)),
                    "K status",
                    f64::INFINITY,
                    "2.5 GB a partition",
                ),
                rejected(NoteSubject::Read(ReadId::new(1)), "all_notes", 51_234.5, "a scan"),
            ],
            runners_up: vec![
                RunnerUp {
                    gains: Vec::new(),
                    loses: Vec::new(),
                    price: 41.9,
                    difference: DesignDifference {
                        added: vec!["a".to_owned()],
                        removed: vec!["b".to_owned()],
                        ..DesignDifference::default()
                    },
                },
                RunnerUp {
                    gains: Vec::new(),
                    loses: Vec::new(),
                    price: 43.0,
                    difference: DesignDifference {
                        removed: vec!["c".to_owned()],
                        ..DesignDifference::default()
                    },
                },
            ],
            flips: vec![RateFlip {
                about: NoteSubject::Write(WriteId::new(0)),
                now: 5.0,
                at: 120.0,
                gains: vec!["users (K userid)".to_owned()],
                loses: Vec::new(),
                difference: DesignDifference {
                    added: vec!["users".to_owned()],
                    ..DesignDifference::default()
                },
            }],
            ..DesignChoice::default()
        }
    }

    fn render_choice(
        show: impl Fn(DesignView<'_>) -> String,
        choice: Option<DesignChoice>,
    ) -> String {
        test_sample::render_sample(choice, &Verdict::Skipped, show)
    }

    #[test]
    fn verdicts() {
        let with_bound = |bound| Some(DesignChoice { bound, ..sample_choice() });
        assert_eq!(render_choice(verdict, with_bound(41.2)), "yes (over 412 candidates)");
        assert_eq!(render_choice(verdict, with_bound(40.664)), "gap 1.3 %");
        assert_eq!(render_choice(verdict, with_bound(41.199_9)), "gap less than 0.001 %");
        assert!(render_choice(verdict, None).starts_with("not searched (mapping rules only, "));
    }

    #[test]
    fn sections() {
        let text = render_choice(
            |subject| test_sample::plain_text(|out| write_section(subject, out)),
            Some(sample_choice()),
        );
        let expected = "
PRICE
  41.2 ms/s with price profile helenus: reads 30, writes 10.5, storage 0.7
  tables by the mapping rules alone would cost 61.8 ms/s, 50 % more: reads 28, writes 33.8, storage 0
  second best: a instead of b, +0.7 ms/s (+1.7 %)
  third best: 1 table fewer (without c), +1.8 ms/s (+4.4 %)
  at 120/s of AddNote (now 5/s), another design is cheaper: 1 table more (users)
";
        assert_eq!(text, expected);
        assert_eq!(
            render_choice(
                |subject| test_sample::plain_text(|out| write_section(subject, out)),
                None
            ),
            ""
        );
    }

    #[test]
    fn rejections_have_their_prices() {
        let text = render_choice(
            |subject| test_sample::plain_text(|out| write_rejected(subject, None, out)),
            Some(sample_choice()),
        );
        let expected = "
rejected alternatives, with the price of the whole design (chosen: 41.2 ms/s)
  for NotesOfUser
    44.4            users_by_email, users  0.2k lookups a second
    exceeds limits  K status               2.5 GB a partition
  for Note
    51,235  all_notes  a scan
";
        assert_eq!(text, expected);
        let last_table = render_choice(
            |subject| {
                test_sample::plain_text(|out| {
                    write_rejected(subject, subject.design.tables.last(), out)
                })
            },
            Some(sample_choice()),
        );
        assert!(last_table.contains("all_notes"), "{last_table}");
        assert!(!last_table.contains("K status"), "{last_table}");
    }

    #[test]
    fn json_and_markdown() {
        let text = render_choice(|subject| object(subject).to_string(), Some(sample_choice()));
        let value: Value = serde_json::from_str(&text).expect("it is JSON");
        assert_eq!(value["price"]["total"], 41.2);
        assert_eq!(value["gap"], 0.0);
        assert_eq!(value["flips"][0]["about"], "AddNote");
        assert_eq!(value["rejected"][1]["price"], Value::Null);
        let markdown = |subject: DesignView<'_>| {
            let mut out = String::new();
            markdown(subject, &mut out);
            out
        };
        let text = render_choice(markdown, Some(sample_choice()));
        assert!(
            text.contains("| NotesOfUser | K status | exceeds limits | 2.5 GB a partition |"),
            "{text}"
        );
        assert_eq!(render_choice(markdown, None), "");
    }

    #[test]
    fn prices_have_four_digits() {
        let shown =
            [0.0, 1.006, 41.2, 123.456, 12_345.6, 0.000_25, 2.306, 0.049_391].map(format_price);
        assert_eq!(shown, ["0", "1.006", "41.2", "123.5", "12,346", "0.00025", "2.306", "0.049"]);
    }
}
