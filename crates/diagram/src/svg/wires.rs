//! Lines, their ends and the texts beside them.

use super::super::geometry::{Point, to_measure};
use super::super::picture::Tip;
use super::super::scene::{LABEL, LABEL_LINE, Wire};
use super::style::COLOURS;
use super::{Canvas, number};

/// The rounding of corners.
const RADIUS: f64 = 6.0;

/// Draws a line, its ends included; `ground` is the class of what is behind it.
pub(super) fn draw(out: &mut Canvas, wire: &Wire<'_>, ground: &str) {
    let colour = class(wire);
    let path: String = wire.paths.iter().map(|path| round_corners(path)).collect();
    out.path(&format!("halo{ground}"), &path);
    let dashed = if wire.link.dashed { " dashed" } else { "" };
    out.path(&format!("wire {colour}{dashed}"), &path);
    if wire.link.is_entry() {
        for start in wire.paths.iter().filter_map(|path| path.first()) {
            let (x, y) = (number(start.x), number(start.y));
            out.line(&format!(r#"<circle class="dot {colour}" cx="{x}" cy="{y}" r="3"/>"#));
        }
    }
    for (at, _, end, from_above) in &wire.ends {
        draw_tip(out, colour, *at, end.tip, if *from_above { -1.0 } else { 1.0 });
    }
}

pub(super) fn label(out: &mut Canvas, wire: &Wire<'_>) {
    let style = format!("label {}", class(wire));
    for (_, rect, end, _) in &wire.ends {
        for (line, text) in end.label.iter().enumerate() {
            let y = rect.y + to_measure(line) * LABEL_LINE + 11.0;
            out.text(&style, LABEL, (rect.x, y), text);
        }
    }
}

fn class(wire: &Wire<'_>) -> &'static str {
    wire.colour.map_or("w", |colour| COLOURS[colour % COLOURS.len()].0)
}

/// An end of a line at the edge of a card; `out` is the direction away from the card.
fn draw_tip(out: &mut Canvas, colour: &str, at: Point, tip: Tip, away: f64) {
    let (x, y) = (at.x, at.y);
    let to = |dx: f64, dy: f64| format!("{} {}", number(x + dx), number(y + dy * away));
    let bar = |dy: f64| format!("M{}L{}", to(-6.0, dy), to(6.0, dy));
    let foot = || format!("M{}L{}L{}", to(-6.0, 0.0), to(0.0, 11.0), to(6.0, 0.0));
    let (style, path) = match tip {
        Tip::Plain => return,
        Tip::Arrow => ("dot", format!("M{}L{}L{}z", to(0.0, 0.0), to(-4.5, 9.0), to(4.5, 9.0))),
        Tip::One => ("wire", bar(7.0) + &bar(11.0)),
        Tip::ZeroOrOne => ("wire", bar(7.0)),
        Tip::Many => ("wire", foot()),
        Tip::Supertype => {
            ("hollow", format!("M{}L{}L{}z", to(0.0, 0.0), to(-8.0, 13.0), to(8.0, 13.0)))
        }
    };
    out.path(&format!("{style} {colour}"), &path);
    if matches!(tip, Tip::ZeroOrOne | Tip::Many) {
        let (x, y) = (number(x), number(y + 15.0 * away));
        out.line(&format!(r#"<circle class="hollow {colour}" cx="{x}" cy="{y}" r="4"/>"#));
    }
}

/// A path with rounded corners.
fn round_corners(points: &[Point]) -> String {
    let place = |point: Point| format!("{} {}", number(point.x), number(point.y));
    let Some(first) = points.first() else { return String::new() };
    let mut pieces = vec![format!("M{}", place(*first))];
    for corner in points.windows(3) {
        let [before, at, after] = corner else { continue };
        let radius = RADIUS.min(length(*before, *at) / 2.0).min(length(*at, *after) / 2.0);
        let (start, end) = (toward(*at, *before, radius), toward(*at, *after, radius));
        pieces.push(format!("L{}Q{} {}", place(start), place(*at), place(end)));
    }
    pieces.extend(points.last().map(|last| format!("L{}", place(*last))));
    pieces.concat()
}

fn length(a: Point, b: Point) -> f64 {
    (a.x - b.x).abs() + (a.y - b.y).abs()
}

/// The point at this distance from `from` towards `to`.
fn toward(from: Point, to: Point, distance: f64) -> Point {
    let whole = length(from, to).max(1e-9);
    let share = distance / whole;
    Point { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share }
}
