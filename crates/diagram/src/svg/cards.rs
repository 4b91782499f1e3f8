//! Cards.

use super::super::card::{self, BADGE_PAD, BAR, FOOTER_LINE, PAD, ROW};
use super::super::geometry::{Rect, to_measure};
use super::super::picture::{Card, CardKind, CardRow, RowKind};
use super::{Canvas, number};

/// The rounding of corners.
const RADIUS: f64 = 5.0;
/// The width of the hourglass that stands for a bucket.
const HOURGLASS: f64 = 8.0;

pub(super) fn draw(out: &mut Canvas, rect: Rect, shown: &Card) {
    out.rect("card", rect, RADIUS);
    let columns = card::column_widths(shown);
    let mut y = rect.y + BAR;
    for row in &shown.rows {
        if let Some(tint) = tint(row.kind) {
            let band = Rect { x: rect.x, y, width: rect.width, height: ROW };
            out.rect(tint, band, 0.0);
        }
        draw_row(out, rect, y, row, columns);
        y += ROW;
    }
    draw_footer(out, rect, y, shown);
    let kind = class(shown.kind);
    let (x, top, right) = (rect.x, rect.y, rect.right());
    let bar = format!(
        "M{} {}v-{}a5 5 0 0 1 5 -5H{}a5 5 0 0 1 5 5v{}z",
        number(x),
        number(top + BAR),
        number(BAR - RADIUS),
        number(right - RADIUS),
        number(BAR - RADIUS)
    );
    out.path(&format!("bar {kind}"), &bar);
    let title = card::shorten_title(&shown.title);
    out.text(&format!("title {kind}"), card::TITLE, (x + PAD, top + 17.5), &title);
    draw_badges(out, rect, shown);
    out.rect(&format!("border {kind}"), rect, RADIUS);
}

fn draw_badges(out: &mut Canvas, rect: Rect, shown: &Card) {
    let mut right = rect.right() - 6.0;
    for badge in shown.badges.iter().rev() {
        let width = card::badge_width(badge);
        let pill = Rect { x: right - width, y: rect.y + 6.0, width, height: BAR - 12.0 };
        out.rect("badge", pill, 7.0);
        let at = (pill.x + BADGE_PAD, rect.y + 16.6);
        out.text("badge-text", card::BADGE, at, badge);
        right -= width + 6.0;
    }
}

fn draw_row(out: &mut Canvas, rect: Rect, y: f64, row: &CardRow, columns: card::ColumnWidths) {
    let baseline = y + 13.5;
    let name = card::shorten_name(&row.name);
    let style = if row.kind == RowKind::Key { "name key" } else { "name" };
    out.text(style, card::NAME, (rect.x + PAD, baseline), &name);
    let start = rect.x + card::type_start(columns);
    out.text("muted", card::TYPE, (start, baseline), &card::shorten_type(&row.ty));
    draw_mark(out, rect.right() - PAD, baseline, row);
}

/// A mark, its hourglass drawn since few fonts have one.
fn draw_mark(out: &mut Canvas, right: f64, baseline: f64, row: &CardRow) {
    let style = format!("mark {}", mark_class(row.kind));
    let Some((place, width)) = row.mark.split_once('⌛') else {
        out.text_end(&style, card::MARK, (right, baseline), &row.mark);
        return;
    };
    let left = right - card::MARK.width(width);
    out.text(&style, card::MARK, (left, baseline), width);
    let x = left - HOURGLASS - 1.5;
    hourglass(out, mark_class(row.kind), x + 1.0, baseline);
    out.text_end(&style, card::MARK, (x - 0.5, baseline), place);
}

/// The sign for a bucket.
pub(super) fn hourglass(out: &mut Canvas, class: &str, x: f64, baseline: f64) {
    let glass = format!("M{} {}h6l-6 9h6z", number(x), number(baseline - 8.5));
    out.path(&format!("glass {class}"), &glass);
}

fn draw_footer(out: &mut Canvas, rect: Rect, y: f64, shown: &Card) {
    if shown.footer.is_empty() {
        return;
    }
    let rule = format!("M{} {}H{}", number(rect.x), number(y + 3.0), number(rect.right()));
    out.path("hair", &rule);
    for (at, line) in shown.footer.iter().enumerate() {
        let baseline = y + 3.0 + to_measure(at + 1) * FOOTER_LINE;
        out.text("muted", card::FOOTER, (rect.x + PAD, baseline), line);
    }
}

fn tint(kind: RowKind) -> Option<&'static str> {
    match kind {
        RowKind::Partition => Some("tint-k"),
        RowKind::Clustering => Some("tint-c"),
        RowKind::Static => Some("tint-s"),
        RowKind::Counter | RowKind::Plain | RowKind::Key => None,
    }
}

fn mark_class(kind: RowKind) -> &'static str {
    match kind {
        RowKind::Partition => "k",
        RowKind::Clustering => "c",
        RowKind::Static => "s",
        RowKind::Counter => "n",
        RowKind::Plain | RowKind::Key => "x",
    }
}

fn class(kind: CardKind) -> &'static str {
    match kind {
        CardKind::Table | CardKind::Entity => "table",
        CardKind::Counter => "counter",
        CardKind::View => "view",
        CardKind::UserType => "type",
        CardKind::Relationship => "relation",
    }
}
