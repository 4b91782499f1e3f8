//! The summary of a design, which fits on a screen: the tables, what is dangerous, what was assumed
//! that matters, and how to go on.

use std::io::{self, Write};

use anstyle::Style;
use model::figures;
use model::plan::{
    ChecklistItem, ColumnRole, Direction, NoteKind, PlannedColumn, PlannedTable, Topic,
};

use super::text::{self, BAD, DOUBTFUL, FAINT, HEADING, NAME, YEAR};
use super::{DesignView, align_columns, assumptions, choice, proof};
use crate::render::page;

/// So many tables are all listed.
const TABLES_MAX: usize = 16;
/// Of more tables so many are listed, the largest.
const TABLES_SHOWN: usize = 12;
/// On a low screen, fewer, but not less.
const TABLES_MIN: usize = 3;
const DANGERS_SHOWN: usize = 3;
const ASSUMPTIONS_SHOWN: usize = 2;
/// A key is not cut to fewer characters.
const KEY_WIDTH_MIN: usize = 12;
/// Nor is a name.
const NAME_WIDTH_MIN: usize = 16;
/// Where a key would be cut to fewer, the queries of the tables are not shown.
const KEY_WIDTH_WANTED: usize = 32;
const INDENT: &str = "  ";
/// What to do about a design without tables.
const NO_TABLES_HELP: &str =
    "the model has no queries; write them below the tables, each with a line `-- name: X :many`";

/// A command that a reader may run next.
pub(crate) struct NextStep {
    /// The command.
    pub(crate) command: String,
    /// What for.
    pub(crate) purpose: &'static str,
}

/// What the summary says besides the design.
pub(crate) struct SummaryFrame<'a> {
    /// The files that were written; none for an empty text.
    pub(crate) written: &'a str,
    /// What may be run next.
    pub(crate) next: &'a [NextStep],
    /// The width of the lines.
    pub(crate) width: usize,
    /// The lines of the screen, if there is one.
    pub(crate) height: Option<usize>,
}

/// How much of a summary is shown.
#[derive(Clone, Copy)]
struct Room {
    /// The tables that are listed; further ones are counted.
    tables: usize,
    /// The lines of a danger or an assumption.
    item_lines: usize,
    /// Each next step has a line.
    has_steps: bool,
}

/// Writes the summary, as much as the screen has room for.
pub(crate) fn write(
    subject: DesignView<'_>,
    frame: &SummaryFrame<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let tables = subject.design.tables.len();
    let tables = if tables > TABLES_MAX { TABLES_SHOWN } else { tables };
    let full = Room { tables, item_lines: 2, has_steps: true };
    let Some(height) = frame.height else { return write_room(subject, frame, full, out) };
    // The prompt follows.
    let lines_max = height.saturating_sub(1);
    let mut text = Vec::new();
    for (item_lines, has_steps) in [(2, true), (1, true), (1, false)] {
        let room = Room { item_lines, has_steps, ..full };
        text = render(subject, frame, room)?;
        let excess = count_lines(&text).saturating_sub(lines_max);
        if excess == 0 {
            break;
        }
        // The tables that are left out take a line, unless some were left out before.
        let line = usize::from(tables == subject.design.tables.len());
        let shown = tables.saturating_sub(excess + line).max(TABLES_MIN.min(tables));
        text = render(subject, frame, Room { tables: shown, ..room })?;
        if count_lines(&text) <= lines_max {
            break;
        }
    }
    out.write_all(&text)
}

fn render(subject: DesignView<'_>, frame: &SummaryFrame<'_>, room: Room) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    write_room(subject, frame, room, &mut text)?;
    Ok(text)
}

fn count_lines(text: &[u8]) -> usize {
    text.split(|byte| *byte == b'\n').count() - 1
}

fn write_room(
    subject: DesignView<'_>,
    frame: &SummaryFrame<'_>,
    room: Room,
    out: &mut dyn Write,
) -> io::Result<()> {
    let width = frame.width;
    page::write_within(width, out, |out| {
        text::head(subject, out)?;
        list_tables(subject, width, room, out)?;
        list_dangers(subject, width, room, out)?;
        list_assumptions(subject, width, room, out)?;
        if subject.proof.is_failed() {
            proof::write_section(subject, out)?;
        }
        next_steps(frame, room, out)?;
        if let Some(price) = price(subject) {
            writeln!(out, "price: {price}")?;
        }
        text::verdicts(subject, out)
    })
}

/// The tables, one in a line.
fn list_tables(
    subject: DesignView<'_>,
    width: usize,
    room: Room,
    out: &mut dyn Write,
) -> io::Result<()> {
    let all: Vec<&PlannedTable> = subject.design.tables.iter().collect();
    if all.is_empty() {
        writeln!(out, "\n{HEADING}TABLES{HEADING:#}")?;
        return writeln!(out, "{INDENT}none: {NO_TABLES_HELP}");
    }
    let shown = largest(&all, room.tables);
    writeln!(out)?;
    let lines = table_lines(&shown, width.saturating_sub(INDENT.len()));
    for (at, line) in lines.iter().enumerate() {
        let (first, rest) = line.split_once("  ").unwrap_or((line.as_str(), ""));
        if at == 0 {
            // The heading of the section is that of its first column.
            writeln!(out, "{HEADING}{first}{HEADING:#}    {FAINT}{rest}{FAINT:#}")?;
        } else {
            writeln!(out, "{INDENT}{NAME}{first}{NAME:#}  {rest}")?;
        }
    }
    match all.len() - shown.len() {
        0 => Ok(()),
        hidden => writeln!(out, "{INDENT}{FAINT}and {hidden} smaller tables{FAINT:#}"),
    }
}

/// The tables with the most bytes in five years, in their order.
fn largest<'a>(tables: &[&'a PlannedTable], count: usize) -> Vec<&'a PlannedTable> {
    let bytes = |table: &PlannedTable| table.volume.table_bytes_after(5.0 * YEAR);
    let mut ranked: Vec<(usize, &PlannedTable)> = tables.iter().copied().enumerate().collect();
    ranked.sort_by(|(_, one), (_, other)| bytes(other).total_cmp(&bytes(one)));
    ranked.truncate(count);
    ranked.sort_by_key(|(at, _)| *at);
    ranked.into_iter().map(|(_, table)| table).collect()
}

/// Name, key, partitions today and their size at p99.9 in five years, and queries where there is room
/// for them; header first. The key is cut where the rest leaves no room.
fn table_lines(tables: &[&PlannedTable], width: usize) -> Vec<String> {
    let head = ["TABLES", "key", "partitions", "in 5 years", "for"].map(str::to_owned);
    let mut rows = vec![head.to_vec()];
    rows.extend(tables.iter().map(|table| {
        let volume = &table.volume;
        let mut reads: Vec<String> =
            table.serves.iter().map(|served| DesignView::read_number(served.read)).collect();
        reads.dedup();
        vec![
            table.name.clone(),
            key(table),
            text::partition_count(volume),
            figures::format_bytes(volume.bytes_after(5.0 * YEAR).p999),
            reads.join(" "),
        ]
    }));
    let mut room = room_for_key(&rows, width);
    if room < KEY_WIDTH_WANTED {
        for row in &mut rows {
            row.truncate(4);
        }
        room = room_for_key(&rows, width);
    }
    // Then the names are cut as well, so that the columns stay.
    let lacking = KEY_WIDTH_MIN.saturating_sub(room);
    let name_width = rows.iter().map(|row| row[0].chars().count()).max().unwrap_or(0);
    for row in &mut rows {
        row[0] = cut(&row[0], name_width.saturating_sub(lacking).max(NAME_WIDTH_MIN));
        row[1] = cut(&row[1], room.max(KEY_WIDTH_MIN));
    }
    align_columns(&rows)
}

/// The width that the other columns leave for the second one.
fn room_for_key(rows: &[Vec<String>], width: usize) -> usize {
    let columns = rows.first().map_or(0, Vec::len);
    let widest = |at: usize| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0);
    let others: usize = (0..columns).filter(|at| *at != 1).map(|at| widest(at) + 2).sum();
    width.saturating_sub(others)
}

/// `(userid, month), added_date↓, videoid`.
fn key(table: &PlannedTable) -> String {
    let name = |column: &PlannedColumn| match column.role {
        ColumnRole::Clustering(Direction::Descending) => format!("{}↓", column.name),
        _ => column.name.clone(),
    };
    let partition: Vec<String> = table.partition_key().map(name).collect();
    let parts = std::iter::once(format!("({})", partition.join(", ")));
    parts.chain(table.clustering().map(name)).collect::<Vec<_>>().join(", ")
}

/// The start of a text, with an ellipsis where it is longer.
fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let start: String = text.chars().take(width.saturating_sub(1)).collect();
    format!("{}…", start.trim_end())
}

/// What is refused, what the nodes cannot bear, what is warned of.
fn list_dangers(
    subject: DesignView<'_>,
    width: usize,
    room: Room,
    out: &mut dyn Write,
) -> io::Result<()> {
    let notes = |kind: NoteKind| {
        subject.design.notes.iter().filter(move |note| note.kind == kind).map(|note| &note.topic)
    };
    let mut items: Vec<(Style, &str, String)> = Vec::new();
    items.extend(notes(NoteKind::Refusal).map(|topic| (BAD, "refused", topic.to_string())));
    items.extend(
        list_failed_points(subject)
            .map(|point| (BAD, "check failed", format!("{}: {}", point.asks, point.evidence))),
    );
    items.extend(notes(NoteKind::Warning).map(|topic| (DOUBTFUL, "warning", topic.to_string())));
    write_heading("Dangerous", DANGERS_SHOWN, items.len(), out)?;
    if items.is_empty() {
        return writeln!(out, "{INDENT}{}", all_clear(subject));
    }
    for (style, label, item) in items.iter().take(DANGERS_SHOWN) {
        let line = format!("{INDENT}- {style}{label}{style:#}: {item}");
        shorten(&line, width, room.item_lines)
            .iter()
            .try_for_each(|line| writeln!(out, "{line}"))?;
    }
    Ok(())
}

/// The points of the checklists that do not hold.
pub(super) fn list_failed_points(subject: DesignView<'_>) -> impl Iterator<Item = &ChecklistItem> {
    let mut known: Vec<&str> = Vec::new();
    let points = subject.design.checklists.iter().flat_map(|list| &list.points);
    // The lists have points in common.
    points.filter(|point| point.holds == Some(false)).filter(move |point| {
        let evidence = point.evidence.as_str();
        let is_new = !known.contains(&evidence);
        known.push(evidence);
        is_new
    })
}

/// What was looked at without finding anything.
fn all_clear(subject: DesignView<'_>) -> String {
    let points = subject.design.checklists.iter().flat_map(|list| &list.points);
    let held = points.filter(|point| point.holds == Some(true)).count();
    format!("nothing is refused, there are no warnings, and {held} points of the checklists hold")
}

/// The assumptions with the most influence.
fn list_assumptions(
    subject: DesignView<'_>,
    width: usize,
    room: Room,
    out: &mut dyn Write,
) -> io::Result<()> {
    let about_model = || subject.file.assumptions.iter().map(|it| it.topic.to_string());
    let about_design = subject
        .design
        .notes
        .iter()
        .filter(|note| note.kind == NoteKind::Assumption)
        .filter(|note| !matches!(note.topic, Topic::Assumption(_)))
        .map(|note| note.topic.to_string());
    let mut items: Vec<String> = match subject.ranking {
        Some(ranking) => assumptions::describe_influential(ranking).collect(),
        None => about_model().collect(),
    };
    items.extend(about_design);
    let all = subject.file.assumptions.len() + items.len()
        - subject.ranking.map_or(subject.file.assumptions.len(), |it| it.influential.len());
    write_heading("Assumed", ASSUMPTIONS_SHOWN.min(items.len()), all, out)?;
    if all == 0 {
        return writeln!(out, "{INDENT}nothing: all volumes and rates are stated");
    }
    if items.is_empty() {
        let line = match subject.ranking.map_or(0, |ranking| ranking.untried) {
            0 => "nothing that changes the tables, or the price by more than 1 %",
            _ => "nothing of what was tried changes the tables, or the price by more than 1 %",
        };
        writeln!(out, "{INDENT}{line}")?;
    }
    for item in items.iter().take(ASSUMPTIONS_SHOWN) {
        let line = format!("{INDENT}- {item}");
        shorten(&line, width, room.item_lines)
            .iter()
            .try_for_each(|line| writeln!(out, "{line}"))?;
    }
    Ok(())
}

/// The heading of a list of which only the first items are shown.
fn write_heading(title: &str, shown: usize, all: usize, out: &mut dyn Write) -> io::Result<()> {
    if all <= shown {
        return text::heading(out, title);
    }
    writeln!(
        out,
        "\n{HEADING}{}{HEADING:#} {FAINT}({shown} of {all}){FAINT:#}",
        title.to_uppercase()
    )
}

/// The first lines of an item, with an ellipsis where there are more.
fn shorten(line: &str, width: usize, lines_max: usize) -> Vec<String> {
    let mut lines = page::wrap(line, width);
    if lines.len() > lines_max {
        lines.truncate(lines_max);
        if let Some(last) = lines.last_mut() {
            if page::display_width(last) >= width {
                last.truncate(last.rfind(' ').unwrap_or(last.len()));
            }
            last.push('…');
        }
    }
    lines
}

/// The files that were written, and the commands to go on with.
fn next_steps(frame: &SummaryFrame<'_>, room: Room, out: &mut dyn Write) -> io::Result<()> {
    if !frame.written.is_empty() {
        text::heading(out, "Files")?;
        writeln!(out, "{INDENT}{}", frame.written)?;
    }
    if !room.has_steps {
        let options = "--full --tables --reads --writes, --why TABLE, -o DIR";
        return writeln!(out, "\n{FAINT}more with {options}{FAINT:#}");
    }
    text::heading(out, "Next")?;
    for NextStep { command, purpose } in frame.next {
        let line = format!("{INDENT}{command}  {FAINT}# {purpose}{FAINT:#}");
        if page::display_width(&line) <= frame.width {
            writeln!(out, "{line}")?;
        } else {
            writeln!(out, "{INDENT}{command}\n{INDENT}{INDENT}{FAINT}# {purpose}{FAINT:#}")?;
        }
    }
    writeln!(out)
}

/// What the design costs, and what it saves over the tables of the mapping rules alone.
fn price(subject: DesignView<'_>) -> Option<String> {
    let choice = subject.design.choice.as_ref()?;
    let unit = choice::unit(choice);
    let price = choice.price.total();
    let rules = choice.by_rules.map(|rules| rules.total()).filter(|rules| *rules > price * 1.000_5);
    let saved = rules.map_or_else(String::new, |rules| {
        let share = figures::format_share(1.0 - price / rules);
        format!(", {share} less than the tables of the mapping rules")
    });
    Some(format!("{} {unit}{saved}", choice::format_price(price)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proof::Verdict;
    use crate::render::design::test_sample;

    fn sample(width: usize, height: Option<usize>) -> String {
        let next = [NextStep { command: "helenus design a.sql --full".to_owned(), purpose: "all" }];
        test_sample::render_sample(None, &Verdict::Skipped, |subject| {
            test_sample::plain_text(|out| {
                let frame = SummaryFrame { written: "", next: &next, width, height };
                write(subject, &frame, out)
            })
        })
    }

    #[test]
    fn every_table_has_a_line_within_the_width() {
        let text = sample(80, None);
        assert!(text.starts_with("sample: 2 tables for 2 queries and 1 write; "), "{text}");
        assert!(text.contains("\n  notes_by_user  (userid), written↓, noteid  "), "{text}");
        assert!(text.contains("\n  notes          (noteid)  "), "{text}");
        assert!(text.contains("\n  helenus design a.sql --full  # all\n"), "{text}");
        assert!(text.ends_with("\nproof: skipped\n"), "{text}");
        for width in [40, 60, 80, 120] {
            let text = sample(width, None);
            let widest = text.lines().map(page::display_width).max();
            assert!(widest <= Some(width.max(60)), "{width}\n{text}");
        }
    }

    #[test]
    fn the_summary_fits_the_screen() {
        let whole = sample(80, None);
        assert_eq!(sample(80, Some(60)), whole);
        let lines = |height| sample(80, Some(height)).lines().count();
        let least = lines(1);
        for height in [10, 16, 20, 24, 30] {
            assert!(lines(height) < height || lines(height) == least, "{height}");
        }
        assert!(least < whole.lines().count());
    }

    #[test]
    fn texts_are_cut_at_their_ends() {
        assert_eq!(cut("(userid), month", 10), "(userid),…");
        assert_eq!(cut("(userid)", 8), "(userid)");
        let line = format!("  - {}", "word ".repeat(20));
        let shown = shorten(line.trim_end(), 20, 2);
        assert_eq!(shown, ["  - word word word", "    word word word…"]);
    }
}
