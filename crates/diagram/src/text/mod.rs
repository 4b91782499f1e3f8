//! The plain-text form: boxes of line-drawing characters in rows, then the links, the queries and
//! the marks as lists. No line is wider than the terminal.

mod boxes;
mod lines;

use super::legend;
use super::picture::{Card, Frame, Link, Picture, PictureKind, Tip};
use lines::{shorten, wrap_hanging};

pub(super) use lines::width;

/// Narrower pages than this are not written: names could no longer be told apart.
const WIDTH_MIN: usize = 40;
/// Wider ones are no easier to read.
const WIDTH_MAX: usize = 240;
/// A blank at which no line is broken.
const NO_BREAK_SPACE: &str = "\u{a0}";
/// Between two boxes.
const GAP: usize = 2;

/// The page, at most so many columns wide.
pub(crate) fn page(picture: &Picture, columns: usize) -> String {
    let columns = columns.clamp(WIDTH_MIN, WIDTH_MAX);
    let heading = format!("{}: {}", picture.title, legend::heading(picture));
    let mut page = wrap_hanging(&heading, 0, 2, columns);
    for frame in &picture.frames {
        if let Some(title) = &frame.title {
            page.push('\n');
            page.push_str(&rule(title, columns));
        }
        page.push('\n');
        add_boxes(&mut page, frame, columns);
        add_links(&mut page, picture, frame, columns);
    }
    add_queries(&mut page, picture, columns);
    add_marks(&mut page, picture, columns);
    let lines = page.lines().map(str::trim_end);
    let page: String = lines.flat_map(|line| [line, "\n"]).collect();
    page.replace(NO_BREAK_SPACE, " ")
}

/// A line with a title in it.
fn rule(title: &str, columns: usize) -> String {
    let title = shorten(title, columns - 20);
    let rest = columns.saturating_sub(width(&title) + 14);
    format!("── keyspace {title} {}\n", "─".repeat(rest))
}

/// The cards in rows as full as they can be.
fn add_boxes(page: &mut String, frame: &Frame, columns: usize) {
    let mut row: Vec<Vec<String>> = Vec::new();
    let mut filled = 0;
    for (at, card) in frame.cards.iter().enumerate() {
        let lines = boxes::lines(card, &queries_served(frame, at), columns);
        let own = lines.iter().map(|line| width(line)).max().unwrap_or(0) + GAP;
        if filled + own > columns + GAP && !row.is_empty() {
            add_row(page, &row);
            page.push('\n');
            row.clear();
            filled = 0;
        }
        filled += own;
        row.push(lines);
    }
    add_row(page, &row);
}

/// The queries that a card serves, an arrow before those that enter there.
fn queries_served(frame: &Frame, card: usize) -> String {
    let mut served = Vec::new();
    for link in frame.links.iter().filter(|link| !link.dashed) {
        for end in link.to.iter().filter(|end| end.card == card && end.tip == Tip::Arrow) {
            let arrow = if link.is_entry() { "→ " } else { "" };
            served.push(format!("{arrow}{}", end.label.join(" ")));
        }
    }
    served.join(", ")
}

/// Boxes beside one another.
fn add_row(page: &mut String, boxes: &[Vec<String>]) {
    let height = boxes.iter().map(Vec::len).max().unwrap_or(0);
    // The line above the boxes is for queries; without any it is left out.
    let has_queries = boxes.iter().filter_map(|lines| lines.first()).any(|line| !line.is_empty());
    for at in usize::from(!has_queries)..height {
        for lines in boxes {
            let widest = lines.iter().map(|line| width(line)).max().unwrap_or(0);
            let line = lines.get(at).map_or("", String::as_str);
            page.push_str(line);
            page.push_str(&" ".repeat(widest - width(line) + GAP));
        }
        page.push('\n');
    }
}

fn add_links(page: &mut String, picture: &Picture, frame: &Frame, columns: usize) {
    let links: Vec<_> = frame.links.iter().filter(|link| !link.from.is_empty()).collect();
    if links.is_empty() {
        return;
    }
    page.push_str(match picture.kind {
        PictureKind::Entities => "\nRelationships\n",
        // A schema has no queries: its links lead to views.
        PictureKind::Chebotko(_) if picture.legend.is_empty() => "\nViews\n",
        PictureKind::DataFlow => "\nData flow\n",
        PictureKind::Chebotko(_) | PictureKind::Workflow | PictureKind::Changes => "\nWorkflow\n",
    });
    for link in links {
        let text = match picture.kind {
            PictureKind::Entities => relationship(frame, link),
            _ => transition(frame, link),
        };
        page.push_str(&wrap_hanging(&text, 2, 6, columns));
    }
}

fn title(frame: &Frame, card: usize) -> &str {
    frame.cards.get(card).map_or("?", |card: &Card| card.title.as_str())
}

/// `users, videos → Q2 comments, Q3 ratings`
fn transition(frame: &Frame, link: &Link) -> String {
    let (from, to) =
        if link.is_backward() { (&link.to, &link.from) } else { (&link.from, &link.to) };
    let from: Vec<_> = from.iter().map(|end| title(frame, end.card)).collect();
    let to = to.iter().map(|end| {
        let label = end.label.join(" ");
        let blank = if label.is_empty() { "" } else { NO_BREAK_SPACE };
        format!("{label}{blank}{}", title(frame, end.card))
    });
    let to: Vec<_> = to.collect();
    let arrow = if link.dashed { "⇢" } else { "→" };
    format!("{} {arrow} {}", from.join(", "), to.join(", "))
}

/// `users 1 — n videos: posts`, `customers 0..1 — n customers by referrer`
fn relationship(frame: &Frame, link: &Link) -> String {
    let to: Vec<_> = link.to.iter().map(|end| title(frame, end.card)).collect();
    let Some(from) = link.from.first() else { return to.join(", ") };
    let one = title(frame, from.card);
    if from.tip == Tip::Supertype {
        return format!("{one} is {}", to.join(" or "));
    }
    let many = link.to.first().map_or("", |end| cardinality(end.tip));
    let roles: Vec<_> = link.to.iter().flat_map(|end| end.label.iter().cloned()).collect();
    let role = if roles.is_empty() { String::new() } else { format!(" by {}", roles.join(", ")) };
    let name =
        if from.label.is_empty() { String::new() } else { format!(": {}", from.label.join(" ")) };
    format!("{one} {} — {many} {}{role}{name}", cardinality(from.tip), to.join(", "))
}

fn cardinality(tip: Tip) -> &'static str {
    match tip {
        Tip::One => "1",
        Tip::ZeroOrOne => "0..1",
        Tip::Many => "n",
        Tip::Plain | Tip::Arrow | Tip::Supertype => "",
    }
}

fn add_queries(page: &mut String, picture: &Picture, columns: usize) {
    if picture.legend.is_empty() {
        return;
    }
    page.push_str("\nQueries\n");
    let number = picture.legend.iter().map(|entry| width(&entry.number)).max().unwrap_or(0);
    for entry in &picture.legend {
        let rate = if entry.rate.is_empty() { String::new() } else { format!(" ({})", entry.rate) };
        let refused = if entry.table.is_none() { " [no table]" } else { "" };
        let heading = format!("{}{rate}{refused}", entry.name);
        let heading = heading.trim_start();
        let colon = if heading.is_empty() { "" } else { ": " };
        let text = format!("{:number$}  {heading}{colon}{}", entry.number, entry.description);
        page.push_str(&wrap_hanging(&text, 2, number + 4, columns));
    }
}

fn add_marks(page: &mut String, picture: &Picture, columns: usize) {
    let marks = legend::marks(picture);
    if marks.is_empty() {
        return;
    }
    let marks: Vec<_> = marks
        .iter()
        .map(|(mark, text)| format!("{mark} {text}").replace(' ', NO_BREAK_SPACE))
        .collect();
    page.push_str("\nMarks\n");
    page.push_str(&wrap_hanging(&marks.join("; "), 2, 2, columns));
}
