//! Lines, their ends and the texts beside them.

use super::super::geometry::{Point, Segment, to_measure};
use super::super::palette::{LinkLooks, Look};
use super::super::picture::{Frame, Tip};
use super::super::scene::{LABEL, LABEL_LINE, Wire};
use super::{Drawing, group_tags, polyline};

/// The rounding of corners.
const RADIUS: f64 = 6.0;

/// Draws a line, its ends included; `halo` separates it from what is behind it.
pub(super) fn draw(out: &mut Drawing, wire: &Wire<'_>, halo: Look) {
    let looks = looks(wire);
    let path: Vec<_> = wire.paths.iter().flat_map(|path| round_corners(path)).collect();
    out.path(halo, path.clone());
    out.path(looks.wire, path);
    if wire.link.is_entry() {
        let starts = wire.paths.iter().filter_map(|path| path.first());
        starts.for_each(|start| out.circle(looks.dot, *start, 3.0));
    }
    for (at, _, end, from_above) in &wire.ends {
        draw_tip(out, &looks, *at, end.tip, if *from_above { -1.0 } else { 1.0 });
    }
}

pub(super) fn label(out: &mut Drawing, frame: &Frame, wire: &Wire<'_>) {
    let look = looks(wire).label;
    for (_, rect, end, _) in wire.ends.iter().filter(|(_, _, end, _)| !end.label.is_empty()) {
        out.open(group_tags::tag_label(frame, end));
        for (line, text) in end.label.iter().enumerate() {
            let y = rect.y + to_measure(line) * LABEL_LINE + 11.0;
            out.text(look, LABEL, Point { x: rect.x, y }, text);
        }
        out.close();
    }
}

fn looks(wire: &Wire<'_>) -> LinkLooks {
    LinkLooks::new(wire.colour, wire.link.dashed)
}

/// An end of a line at the edge of a card; `away` is the direction away from the card.
fn draw_tip(out: &mut Drawing, looks: &LinkLooks, at: Point, tip: Tip, away: f64) {
    let to = |(dx, dy): (f64, f64)| Point { x: at.x + dx, y: at.y + dy * away };
    let triangle = |half: f64, height: f64| {
        let mut path = polyline(&[(0.0, 0.0), (-half, height), (half, height)].map(to));
        path.push(Segment::Close);
        path
    };
    let bar = |out: &mut Drawing, dy: f64| out.line(looks.line, &[(-6.0, dy), (6.0, dy)].map(to));
    match tip {
        Tip::Plain => {}
        Tip::Arrow => out.path(looks.dot, triangle(4.5, 9.0)),
        Tip::One => {
            bar(out, 7.0);
            bar(out, 11.0);
        }
        Tip::ZeroOrOne => bar(out, 7.0),
        Tip::Many => out.line(looks.line, &[(-6.0, 0.0), (0.0, 11.0), (6.0, 0.0)].map(to)),
        Tip::Supertype => out.path(looks.hollow, triangle(8.0, 13.0)),
    }
    if matches!(tip, Tip::ZeroOrOne | Tip::Many) {
        out.circle(looks.hollow, to((0.0, 15.0)), 4.0);
    }
}

/// A path with rounded corners.
fn round_corners(points: &[Point]) -> Vec<Segment> {
    let Some(first) = points.first() else { return Vec::new() };
    let mut pieces = vec![Segment::Move(*first)];
    for corner in points.windows(3) {
        let [before, at, after] = corner else { continue };
        let radius = RADIUS.min(length(*before, *at) / 2.0).min(length(*at, *after) / 2.0);
        pieces.push(Segment::Line(toward(*at, *before, radius)));
        pieces.push(Segment::Quad(*at, toward(*at, *after, radius)));
    }
    pieces.extend(points.last().map(|last| Segment::Line(*last)));
    pieces
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
