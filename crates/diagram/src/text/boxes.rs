//! A card as lines.

use super::super::picture::{Card, CardKind, CardRow, RowKind};
use super::lines::{pad, shorten, width};

/// The widest mark.
const MARK_MAX: usize = 12;
/// The widest name.
const NAME_MAX: usize = 48;
/// The widest type.
const TYPE_MAX: usize = 60;
/// What is around and between the parts of a row.
const AROUND: usize = 8;

/// The lines of a card, the queries it serves above it.
pub(super) fn lines(card: &Card, served: &str, most: usize) -> Vec<String> {
    let rows = rows(card, most);
    let title = title(card, most - 4);
    let footer: Vec<_> = card.footer.iter().map(|line| shorten(line, most - 4)).collect();
    let texts = rows.iter().chain([&title]).chain(&footer);
    let inside = texts.map(|text| width(text)).max().unwrap_or(0);
    let line = |text: &String| format!("│ {} │", pad(text, inside));
    let border = |left: &str, right: &str| format!("{left}{}{right}", "─".repeat(inside + 2));
    let mut lines = vec![shorten(served, inside + 4), border("┌", "┐"), line(&title)];
    lines.push(border("├", "┤"));
    lines.extend(rows.iter().map(line));
    if !footer.is_empty() {
        lines.push(border("├", "┤"));
        lines.extend(footer.iter().map(line));
    }
    lines.push(border("└", "┘"));
    lines
}

fn title(card: &Card, most: usize) -> String {
    let kind = match card.kind {
        CardKind::UserType => vec!["type".to_owned()],
        _ => Vec::new(),
    };
    let badges = card.badges.iter().chain(&kind).map(|badge| format!("  [{badge}]"));
    let badges: String = badges.collect();
    shorten(&format!("{}{badges}", card.title), most)
}

/// The rows, their parts in columns.
fn rows(card: &Card, most: usize) -> Vec<String> {
    if card.is_statement() {
        return card.rows.iter().map(|row| shorten(&row.name, most - 4)).collect();
    }
    let room = most.saturating_sub(MARK_MAX + AROUND);
    let ty = TYPE_MAX.min(room * 3 / 8);
    let name = NAME_MAX.min(room - ty);
    let cells: Vec<_> = card.rows.iter().map(|row| row_cells(row, name, ty)).collect();
    let widest = |at: usize| cells.iter().map(|row| width(&row[at])).max().unwrap_or(0);
    let widths = [widest(0), widest(1), widest(2)];
    let row = |cells: &[String; 3]| {
        let shown = cells.iter().zip(widths).filter(|(_, width)| *width > 0);
        let cells: Vec<_> = shown.map(|(cell, width)| pad(cell, width)).collect();
        cells.join("  ")
    };
    cells.iter().map(row).collect()
}

fn row_cells(row: &CardRow, name: usize, ty: usize) -> [String; 3] {
    let mark = match (row.kind, row.mark.as_str()) {
        // Text is not underlined.
        (RowKind::Key, "") => "PK".to_owned(),
        (RowKind::Key, mark) => format!("PK {mark}"),
        (_, mark) => mark.to_owned(),
    };
    [shorten(&row.name, name), shorten(&row.ty, ty), shorten(&mark, MARK_MAX)]
}
