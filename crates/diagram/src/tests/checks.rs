//! What must hold of every picture.

use super::super::geometry::{Point, Rect};
use super::super::scene::{PlacedFrame, Scene, Wire};

/// Everything that is wrong with the places in a scene.
pub(super) fn find_defects(scene: &Scene<'_>) -> Vec<String> {
    let canvas = Rect { x: 0.0, y: 0.0, width: scene.size.width, height: scene.size.height };
    let mut found = Vec::new();
    for frame in &scene.frames {
        check_boxes(frame, &canvas, &mut found);
        check_lines(frame, &mut found);
        check_labels(frame, &canvas, &mut found);
        check_runs(frame, &mut found);
    }
    for text in scene.texts.iter().chain(scene.entries.iter().flat_map(|entry| &entry.texts)) {
        let right = text.at.x + text.font.width(&text.line);
        if text.at.x < 0.0 || right > canvas.width || text.at.y > canvas.height {
            found.push(format!("the text {} leaves the picture", text.line));
        }
    }
    found
}

fn is_overlapping(a: &Rect, b: &Rect) -> bool {
    a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom()
}

fn contains(outer: &Rect, inner: &Rect) -> bool {
    outer.x <= inner.x
        && outer.y <= inner.y
        && inner.right() <= outer.right()
        && inner.bottom() <= outer.bottom()
}

fn check_boxes(frame: &PlacedFrame<'_>, canvas: &Rect, found: &mut Vec<String>) {
    for (at, (rect, card)) in frame.cards.iter().enumerate() {
        if !contains(canvas, rect) || !contains(&frame.rect, rect) {
            found.push(format!("{} leaves the picture", card.title));
        }
        for (other, known) in &frame.cards[..at] {
            if is_overlapping(rect, other) {
                found.push(format!("{} lies on {}", card.title, known.title));
            }
        }
    }
}

/// The pieces of a wire, each with its ends in rising order.
fn pieces<'a>(wire: &'a Wire<'_>) -> impl Iterator<Item = (Point, Point)> + 'a {
    wire.paths.iter().flat_map(|path| path.windows(2)).map(|ends| {
        let (a, b) = (ends[0], ends[1]);
        (Point { x: a.x.min(b.x), y: a.y.min(b.y) }, Point { x: a.x.max(b.x), y: a.y.max(b.y) })
    })
}

fn piece_rect((low, high): (Point, Point)) -> Rect {
    Rect { x: low.x, y: low.y, width: high.x - low.x, height: high.y - low.y }
}

fn check_lines(frame: &PlacedFrame<'_>, found: &mut Vec<String>) {
    for wire in &frame.wires {
        for piece in pieces(wire) {
            let rect = piece_rect(piece);
            if rect.width > 1e-6 && rect.height > 1e-6 {
                found.push(format!("a line is neither upright nor level: {piece:?}"));
            }
            for (inside, card) in &frame.cards {
                let inside = Rect {
                    x: inside.x + 0.5,
                    y: inside.y + 0.5,
                    width: inside.width - 1.0,
                    height: inside.height - 1.0,
                };
                if is_overlapping(&rect, &inside) {
                    found.push(format!("a line passes through {}", card.title));
                }
            }
        }
        check_ends(frame, wire, found);
    }
}

/// Every path leads from the bottom of a card it starts from to the top of one it leads to.
fn check_ends(frame: &PlacedFrame<'_>, wire: &Wire<'_>, found: &mut Vec<String>) {
    let on = |point: &Point, y: f64, rect: &Rect| {
        (point.y - y).abs() < 1e-6 && rect.x < point.x && point.x < rect.right()
    };
    for path in &wire.paths {
        let (Some(start), Some(end)) = (path.first(), path.last()) else { continue };
        let rect = |card: usize| frame.cards[card].0;
        let starts = wire.link.from.iter().map(|end| rect(end.card));
        let leads = wire.link.to.iter().map(|end| rect(end.card));
        if !wire.link.is_entry() && !starts.into_iter().any(|rect| on(start, rect.bottom(), &rect))
        {
            found.push(format!("a path starts nowhere: {start:?}"));
        }
        if !leads.into_iter().any(|rect| on(end, rect.y, &rect)) {
            found.push(format!("a path leads nowhere: {end:?}"));
        }
    }
    let pairs = wire.link.from.len().max(1) * wire.link.to.len();
    if wire.paths.len() != pairs {
        found.push(format!("{} paths for {pairs} pairs", wire.paths.len()));
    }
}

fn check_labels(frame: &PlacedFrame<'_>, canvas: &Rect, found: &mut Vec<String>) {
    let labels: Vec<_> = frame
        .wires
        .iter()
        .flat_map(|wire| &wire.ends)
        .filter(|(_, _, end, _)| !end.label.is_empty())
        .map(|(_, rect, end, _)| (*rect, end.label.join(" ")))
        .collect();
    for (at, (rect, text)) in labels.iter().enumerate() {
        if !contains(canvas, rect) {
            found.push(format!("the label {text} leaves the picture"));
        }
        for (other, card) in &frame.cards {
            if is_overlapping(rect, other) {
                found.push(format!("the label {text} lies on {}", card.title));
            }
        }
        for (other, known) in &labels[..at] {
            if is_overlapping(rect, other) {
                found.push(format!("the label {text} lies on the label {known}"));
            }
        }
        for wire in &frame.wires {
            if pieces(wire).any(|piece| is_overlapping(&piece_rect(piece), rect)) {
                found.push(format!("a line crosses the label {text}"));
            }
        }
    }
}

/// Lines of different links must not run over one another.
fn check_runs(frame: &PlacedFrame<'_>, found: &mut Vec<String>) {
    // Where each stands across its direction, from where to where it runs, and of which link it is.
    let (mut upright, mut level) = (Vec::new(), Vec::new());
    for (at, wire) in frame.wires.iter().enumerate() {
        for (low, high) in pieces(wire) {
            if high.x - low.x < 1e-6 {
                upright.push((low.x, low.y, high.y, at));
            } else {
                level.push((low.y, low.x, high.x, at));
            }
        }
    }
    for mut pieces in [upright, level] {
        pieces.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        for (at, piece) in pieces.iter().enumerate() {
            let near = pieces[at + 1..].iter().take_while(|other| other.0 - piece.0 < 2.0);
            for other in near {
                let shared = piece.2.min(other.2) - piece.1.max(other.1);
                if other.3 != piece.3 && shared > 1.0 {
                    found.push(format!("two links run over one another: {piece:?} {other:?}"));
                }
            }
        }
    }
}
