//! Cards.

use super::super::card::{self, BADGE_PAD, BAR, FOOTER_LINE, PAD, ROW};
use super::super::geometry::{Point, Rect, Segment, to_measure};
use super::super::palette::{self, Look};
use super::super::picture::{Card, CardKind, CardRow, Change, RowKind};
use super::{Drawing, polyline};

/// The rounding of corners.
const RADIUS: f64 = 5.0;
/// The width of the hourglass that stands for a bucket.
const HOURGLASS: f64 = 8.0;

pub(super) fn draw(out: &mut Drawing, rect: Rect, shown: &Card) {
    out.rect(palette::CARD, rect, RADIUS);
    let columns = card::column_widths(shown);
    let mut y = rect.y + BAR;
    for row in &shown.rows {
        if let Some(tint) = tint(row) {
            let band = Rect { x: rect.x, y, width: rect.width, height: ROW };
            out.rect(tint, band, 0.0);
        }
        draw_row(out, rect, y, row, columns);
        y += ROW;
    }
    draw_footer(out, rect, y, shown);
    out.path(bar(shown), bar_outline(rect));
    let title = card::shorten_title(&shown.title);
    let look = if shown.kind == CardKind::UserType { palette::TYPE_TITLE } else { palette::TITLE };
    out.text(look, card::TITLE, Point { x: rect.x + PAD, y: rect.y + 17.5 }, &title);
    draw_badges(out, rect, shown);
    let is_loose = matches!(shown.kind, CardKind::UserType | CardKind::View)
        || shown.change == Change::Dropped;
    let border = if is_loose { palette::LOOSE_BORDER } else { palette::BORDER };
    out.rect(border, rect, RADIUS);
}

/// The bar with the title, its upper corners rounded.
fn bar_outline(rect: Rect) -> Vec<Segment> {
    let (left, top, right, bottom) = (rect.x, rect.y, rect.right(), rect.y + BAR);
    let at = |x, y| Point { x, y };
    vec![
        Segment::Move(at(left, bottom)),
        Segment::Line(at(left, top + RADIUS)),
        Segment::Quad(at(left, top), at(left + RADIUS, top)),
        Segment::Line(at(right - RADIUS, top)),
        Segment::Quad(at(right, top), at(right, top + RADIUS)),
        Segment::Line(at(right, bottom)),
        Segment::Close,
    ]
}

fn draw_badges(out: &mut Drawing, rect: Rect, shown: &Card) {
    let mut right = rect.right() - 6.0;
    for badge in shown.badges.iter().rev() {
        let width = card::badge_width(badge);
        let pill = Rect { x: right - width, y: rect.y + 6.0, width, height: BAR - 12.0 };
        out.rect(palette::BADGE, pill, 7.0);
        let at = Point { x: pill.x + BADGE_PAD, y: rect.y + 16.6 };
        out.text(palette::BADGE_TEXT, card::BADGE, at, badge);
        right -= width + 6.0;
    }
}

fn draw_row(out: &mut Drawing, rect: Rect, y: f64, row: &CardRow, columns: card::ColumnWidths) {
    let baseline = y + 13.5;
    let name = card::shorten_name(&row.name);
    let left = Point { x: rect.x + PAD, y: baseline };
    out.text(palette::NAME, card::NAME, left, &name);
    if row.kind == RowKind::Key {
        let line = Point { y: baseline + 2.0, ..left };
        let end = Point { x: left.x + card::NAME.width(&name), ..line };
        out.line(palette::UNDERLINE, &[line, end]);
    }
    let start = Point { x: rect.x + card::type_start(columns), y: baseline };
    out.text(palette::MUTED, card::TYPE, start, &card::shorten_type(&row.ty));
    draw_mark(out, Point { x: rect.right() - PAD, y: baseline }, row);
}

/// A mark that ends at a point, its hourglass drawn since few fonts have one.
fn draw_mark(out: &mut Drawing, end: Point, row: &CardRow) {
    let look = mark(row.kind);
    let Some((place, width)) = row.mark.split_once('⌛') else {
        out.text_end(look, card::MARK, end, &row.mark);
        return;
    };
    let left = end.x - card::MARK.width(width);
    out.text(look, card::MARK, Point { x: left, ..end }, width);
    let glass = left - HOURGLASS - 0.5;
    draw_hourglass(out, look, Point { x: glass, ..end });
    out.text_end(look, card::MARK, Point { x: glass - 1.5, ..end }, place);
}

/// The sign for a bucket; `at` is the start of its baseline.
pub(super) fn draw_hourglass(out: &mut Drawing, look: Look, at: Point) {
    let corners = [(0.0, -8.5), (6.0, -8.5), (0.0, 0.5), (6.0, 0.5)];
    let mut glass = polyline(&corners.map(|(x, y)| Point { x, y }.translate(at)));
    glass.push(Segment::Close);
    out.path(look, glass);
}

fn draw_footer(out: &mut Drawing, rect: Rect, y: f64, shown: &Card) {
    if shown.footer.is_empty() {
        return;
    }
    let rule = Point { x: rect.x, y: y + 3.0 };
    out.line(palette::HAIR, &[rule, Point { x: rect.right(), ..rule }]);
    for (at, line) in shown.footer.iter().enumerate() {
        let baseline = y + 3.0 + to_measure(at + 1) * FOOTER_LINE;
        out.text(palette::MUTED, card::FOOTER, Point { x: rect.x + PAD, y: baseline }, line);
    }
}

/// What is behind a row.
fn tint(row: &CardRow) -> Option<Look> {
    match (row.change, row.kind) {
        (Change::Added, _) => Some(palette::ADDED_TINT),
        (Change::Dropped, _) => Some(palette::DROPPED_TINT),
        (Change::Altered, _) => Some(palette::ALTERED_TINT),
        (Change::None, RowKind::Partition) => Some(palette::KEY_TINT),
        (Change::None, RowKind::Clustering) => Some(palette::CLUSTERING_TINT),
        (Change::None, RowKind::Static) => Some(palette::STATIC_TINT),
        (Change::None, RowKind::Counter | RowKind::Plain | RowKind::Key) => None,
    }
}

fn mark(kind: RowKind) -> Look {
    match kind {
        RowKind::Partition => palette::KEY_MARK,
        RowKind::Clustering => palette::CLUSTERING_MARK,
        RowKind::Static => palette::STATIC_MARK,
        RowKind::Counter => palette::COUNTER_MARK,
        RowKind::Plain | RowKind::Key => palette::MARK,
    }
}

fn bar(card: &Card) -> Look {
    match (card.change, card.kind) {
        (Change::Added, _) => palette::ADDED_BAR,
        (Change::Dropped, _) => palette::DROPPED_BAR,
        (Change::Altered, _) => palette::ALTERED_BAR,
        (Change::None, CardKind::Table | CardKind::Entity) => palette::TABLE_BAR,
        (Change::None, CardKind::Counter | CardKind::Relationship) => palette::COUNTER_BAR,
        (Change::None, CardKind::View) => palette::VIEW_BAR,
        (Change::None, CardKind::UserType) => palette::TYPE_BAR,
        (Change::None, CardKind::Query) => palette::STEP_BAR,
        (Change::None, CardKind::Write) => palette::WRITE_BAR,
    }
}
