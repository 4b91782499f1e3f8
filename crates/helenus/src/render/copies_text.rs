//! The report of `helenus verify-copies` on the terminal: what differs first, then what was compared
//! with what, then what was not compared.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use model::figures::pluralise;

use crate::copies::{CopyReport, Difference, DifferenceKind, MendState, VerificationReport};

const HEADING: Style = Style::new().bold();
const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();
/// Longer values are cut: the statement below has them whole.
const VALUE_CHARACTERS: usize = 60;

/// Writes the report.
pub(crate) fn write(report: &VerificationReport, out: &mut dyn Write) -> io::Result<()> {
    let is_good = !report.copies.is_empty() && report.count_found() == report.count_mended();
    let style = if is_good { GOOD } else { BAD };
    writeln!(out, "{style}{}{style:#}", verdict(report))?;
    for copy in report.copies.iter().filter(|copy| copy.count_found() > 0) {
        writeln!(out)?;
        write_differences(report, copy, out)?;
    }
    if !report.copies.is_empty() {
        writeln!(out, "\n{HEADING}Copies compared{HEADING:#}")?;
        for copy in &report.copies {
            writeln!(out, "  {}", summary(copy))?;
        }
    }
    if !report.unverified.is_empty() {
        writeln!(out, "\n{HEADING}Not verified{HEADING:#}")?;
        for (name, reason) in &report.unverified {
            writeln!(out, "  {name}: {reason}")?;
        }
    }
    writeln!(out, "\n{HEADING}Bases{HEADING:#} (taken as right)")?;
    for base in &report.bases {
        let alone = if base.has_copies { "" } else { "; nothing to compare it with" };
        writeln!(out, "  {} is the base of {}: {}{alone}", base.table, base.entity, base.reason)?;
    }
    Ok(())
}

/// The result in one line.
fn verdict(report: &VerificationReport) -> String {
    let count = |number: u64| {
        let digits = u32::try_from(number).map(f64::from);
        digits.unwrap_or(f64::INFINITY)
    };
    let copies = pluralise(count(report.copies.len() as u64), "copy").replace("copys", "copies");
    let not_verified = match report.unverified.len() {
        0 => String::new(),
        number => format!("; {number} not verified"),
    };
    let (found, mended) = (report.count_found(), report.count_mended());
    match (report.copies.is_empty(), found, report.is_mending) {
        (true, ..) => format!("nothing was compared: no copies{not_verified}"),
        (_, 0, _) => format!("no differences in {copies}{not_verified}"),
        (_, _, false) => {
            format!("{} in {copies}{not_verified}", pluralise(count(found), "difference"))
        }
        (_, _, true) => {
            let found = pluralise(count(found), "difference");
            format!("{found} in {copies}, {mended} mended and verified again{not_verified}")
        }
    }
}

/// `videos_by_user: rows of videos, with users: 4 expected, 4 found; 1 missing`
fn summary(copy: &CopyReport) -> String {
    let with = match copy.lookups.as_slice() {
        [] => String::new(),
        lookups => format!(", with {}", lookups.join(", ")),
    };
    let read = match copy.content {
        "rows" => format!("{} expected, {} found", copy.expected_rows, copy.copy_rows),
        "counters" => format!(
            "{} expected from {} rows, {} found",
            copy.expected_rows, copy.base_rows, copy.copy_rows
        ),
        _ => format!("{} rows compared", copy.base_rows),
    };
    let of = if copy.content == "columns" { String::new() } else { format!(" of {}", copy.base) };
    let counts = describe_counts(copy);
    let counts = if counts.is_empty() { "no differences".to_owned() } else { counts };
    format!("{}: {}{of}{with}: {read}; {counts}", copy.table, copy.content)
}

/// `1 missing, 2 different`
fn describe_counts(copy: &CopyReport) -> String {
    let counts = copy.counts.iter();
    counts
        .map(|(kind, counts)| format!("{} {}", counts.found, kind.name()))
        .collect::<Vec<_>>()
        .join(", ")
}

fn write_differences(
    report: &VerificationReport,
    copy: &CopyReport,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, "{HEADING}{}{HEADING:#}: {}", copy.table, describe_counts(copy))?;
    for difference in &copy.differences {
        write_difference(report, copy, difference, out)?;
    }
    let more = copy.count_found().saturating_sub(copy.differences.len() as u64);
    if more > 0 {
        writeln!(out, "  ... and {more} more (--show lists more)")?;
    }
    Ok(())
}

fn write_difference(
    report: &VerificationReport,
    copy: &CopyReport,
    difference: &Difference,
    out: &mut dyn Write,
) -> io::Result<()> {
    let state = match (difference.state, report.is_mending) {
        (MendState::Mended, _) => " (mended)",
        (MendState::Persistent, _) => " (NOT MENDED)",
        (MendState::Open, true) => " (not mended)",
        (MendState::Open, false) => "",
    };
    let key: Vec<_> =
        difference.key.iter().map(|(name, value)| format!("{name} = {}", cut(value))).collect();
    writeln!(out, "  {}{state}: {}", difference.kind.name(), key.join(", "))?;
    if let Some(remark) = &difference.remark {
        writeln!(out, "    {remark}")?;
    }
    // The statement of a missing row has its values.
    if difference.kind != DifferenceKind::Missing {
        for column in &difference.columns {
            let (expected, actual) = (cut(&column.expected), cut(&column.actual));
            writeln!(out, "    {}: {} by {}, {actual} here", column.name, expected, copy.base)?;
        }
    }
    for statement in &difference.statements {
        writeln!(out, "    {statement}")?;
    }
    Ok(())
}

fn cut(value: &str) -> String {
    match value.char_indices().nth(VALUE_CHARACTERS) {
        Some((end, _)) => format!("{}...", value.get(..end).unwrap_or(value)),
        None => value.to_owned(),
    }
}
