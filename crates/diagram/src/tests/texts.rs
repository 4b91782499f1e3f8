//! Texts must stay in their cards and off one another, by the widths of the embedded fonts.

use super::super::canvas::{Drawing, Shape, Text};
use super::super::geometry::{Point, Rect};

/// Texts that leave the picture or the card of their group, and pairs that overlap.
pub(super) fn find_defects(drawing: &Drawing) -> Vec<String> {
    let canvas = Rect::new(Point::default(), drawing.size);
    let mut found = Vec::new();
    let mut texts: Vec<(Rect, &str)> = Vec::new();
    let mut card = None;
    for shape in &drawing.shapes {
        match shape {
            // The first shape of the group of a card is its background.
            Shape::Rect(look, rect, _) if look.class == "card" => card = Some(*rect),
            Shape::Close => card = None,
            Shape::Text(text) => {
                let rect = bounds(text);
                if !contains(card.as_ref().unwrap_or(&canvas), &rect) {
                    found.push(format!("{} leaves its box", text.line));
                }
                texts.push((rect, &text.line));
            }
            _ => {}
        }
    }
    texts.sort_by(|a, b| a.0.y.total_cmp(&b.0.y));
    for (at, (rect, text)) in texts.iter().enumerate() {
        let near = texts[at + 1..].iter().take_while(|(other, _)| other.y < rect.bottom());
        let over = near.filter(|(other, _)| other.x < rect.right() && rect.x < other.right());
        found.extend(over.map(|(_, other)| format!("{other} lies on {text}")));
    }
    found
}

/// From the height of a capital to where most descenders end.
fn bounds(text: &Text) -> Rect {
    let size = text.font.size;
    Rect { x: text.at.x, y: text.at.y - 0.72 * size, width: text.width(), height: 0.93 * size }
}

fn contains(outer: &Rect, inner: &Rect) -> bool {
    outer.x <= inner.x
        && outer.y <= inner.y
        && inner.right() <= outer.right() + 1e-6
        && inner.bottom() <= outer.bottom()
}
