//! The size of a card and the positions of its texts.

use super::geometry::{Size, to_measure};
use super::metrics::Font;
use super::picture::Card;

/// The text of titles.
pub(crate) const TITLE: Font = Font::bold(13.0);
/// The text of names.
pub(crate) const NAME: Font = Font::regular(12.0);
/// The text of types.
pub(crate) const TYPE: Font = Font::regular(11.0);
/// The text of marks.
pub(crate) const MARK: Font = Font::bold(11.0);
/// The text of badges.
pub(crate) const BADGE: Font = Font::bold(10.0);
/// The text below the rows.
pub(crate) const FOOTER: Font = Font::regular(10.0);

/// The height of the bar with the title.
pub(crate) const BAR: f64 = 26.0;
/// The height of a row.
pub(crate) const ROW: f64 = 19.0;
/// The height of a line below the rows.
pub(crate) const FOOTER_LINE: f64 = 14.0;
/// Between the border and texts.
pub(crate) const PAD: f64 = 11.0;
/// Below the last row, and below the footer.
pub(crate) const BOTTOM: f64 = 5.0;

/// Between two columns of a row.
const COLUMN_GAP: f64 = 16.0;
/// Around a badge's text.
pub(crate) const BADGE_PAD: f64 = 5.0;
/// Longer names and types end in dots.
const TEXT_WIDTH_MAX: f64 = 260.0;

/// The widths of the columns in a card's rows.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ColumnWidths {
    pub(crate) name: f64,
    pub(crate) ty: f64,
    pub(crate) mark: f64,
}

/// The widths of the columns in a card's rows.
pub(crate) fn column_widths(card: &Card) -> ColumnWidths {
    let widest = |width: &dyn Fn(&super::picture::CardRow) -> f64| {
        card.rows.iter().map(width).fold(0.0, f64::max)
    };
    ColumnWidths {
        name: widest(&|row| NAME.width(&shorten_name(&row.name))),
        ty: widest(&|row| TYPE.width(&shorten_type(&row.ty))),
        mark: widest(&|row| MARK.width(&row.mark)),
    }
}

/// A name as it is shown.
pub(crate) fn shorten_name(text: &str) -> String {
    NAME.shorten(text, TEXT_WIDTH_MAX)
}

/// A type as it is shown.
pub(crate) fn shorten_type(text: &str) -> String {
    TYPE.shorten(text, TEXT_WIDTH_MAX)
}

/// A title as it is shown.
pub(crate) fn shorten_title(text: &str) -> String {
    TITLE.shorten(text, TEXT_WIDTH_MAX * 1.5)
}

/// Where the column of types starts, from the left of the card.
pub(crate) fn type_start(columns: ColumnWidths) -> f64 {
    PAD + columns.name + COLUMN_GAP
}

/// The width of a badge with what is around its text.
pub(crate) fn badge_width(text: &str) -> f64 {
    BADGE.width(text) + 2.0 * BADGE_PAD
}

/// The size of a card.
pub(crate) fn size(card: &Card) -> Size {
    let columns = column_widths(card);
    let parts = [columns.name, columns.ty, columns.mark];
    let parts = parts.iter().filter(|width| **width > 0.0);
    let row = parts.map(|width| width + COLUMN_GAP).sum::<f64>() - COLUMN_GAP;
    let badges: f64 = card.badges.iter().map(|badge| badge_width(badge) + 6.0).sum();
    let title = TITLE.width(&shorten_title(&card.title)) + badges;
    let footer = card.footer.iter().map(|line| FOOTER.width(line)).fold(0.0, f64::max);
    let width = row.max(title).max(footer) + 2.0 * PAD;
    let below = if card.footer.is_empty() {
        0.0
    } else {
        to_measure(card.footer.len()) * FOOTER_LINE + BOTTOM
    };
    let height = BAR + to_measure(card.rows.len()) * ROW + BOTTOM + below;
    Size { width: width.max(96.0).ceil(), height }
}
