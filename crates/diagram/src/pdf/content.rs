//! The content of the page.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::super::canvas::{Drawing, Shape, Text};
use super::super::geometry::{Point, Rect, Segment};
use super::super::palette::Look;
use super::super::typeface;
use super::number;

/// The glyphs used, with what they stand for.
pub(super) type UsedGlyphs = BTreeMap<u16, char>;

/// A quarter of a circle as a cubic curve: the distance of its control points.
const ARC: f64 = 0.552_284_8;

/// The operators that paint a drawing, and the glyphs used of the regular and the bold font.
pub(super) fn page(drawing: &Drawing, scale: f64) -> (String, [UsedGlyphs; 2]) {
    let mut page = Page::default();
    let (scale, height) = (number(scale), number(drawing.size.height * scale));
    // In a drawing, y grows downwards.
    page.line(&format!("{scale} 0 0 -{scale} 0 {height} cm"));
    for shape in &drawing.shapes {
        match shape {
            Shape::Open(_) | Shape::Close => {}
            Shape::Rect(look, rect, radius) => page.paint(*look, &round_rect(*rect, *radius)),
            Shape::Path(look, path) => page.paint(*look, &outline(path)),
            Shape::Circle(look, centre, radius) => {
                let corner = Point { x: centre.x - radius, y: centre.y - radius };
                let (width, height) = (radius * 2.0, radius * 2.0);
                let square = Rect { x: corner.x, y: corner.y, width, height };
                page.paint(*look, &round_rect(square, *radius));
            }
            Shape::Text(text) => page.write(text),
        }
    }
    (page.content, page.used)
}

#[derive(Default)]
struct Page {
    content: String,
    used: [UsedGlyphs; 2],
}

impl Page {
    fn line(&mut self, operators: &str) {
        self.content.push_str(operators);
        self.content.push('\n');
    }

    /// Fills a path and draws its line, as its look says.
    fn paint(&mut self, look: Look, path: &str) {
        let (fill, stroke) = (look.tone(look.fill), look.tone(look.stroke));
        let operator = match (fill, stroke) {
            (Some(_), Some(_)) => "B",
            (Some(_), None) => "f",
            (None, Some(_)) => "S",
            (None, None) => return,
        };
        if let Some(tone) = fill {
            self.line(&format!("{} rg", components(tone.light)));
        }
        if let Some(tone) = stroke {
            let dash = if look.dashed { "[5 4]" } else { "[]" };
            let width = number(look.stroke_width());
            self.line(&format!("{} RG {width} w 1 j {dash} 0 d", components(tone.light)));
        }
        self.line(&format!("{path}{operator}"));
    }

    /// Writes a text: runs of glyphs that the font has, and one box for each character it lacks.
    fn write(&mut self, text: &Text) {
        let Some(tone) = text.look.tone(text.look.fill) else { return };
        self.line(&format!("{} rg", components(tone.light)));
        let bold = text.font.bold;
        let mut run = (text.at.x, String::new());
        let mut left = text.at.x;
        for c in text.line.chars() {
            let glyph = typeface::glyph(bold, c);
            if glyph.is_none() {
                self.show(text, std::mem::take(&mut run));
            }
            if run.1.is_empty() {
                run.0 = left;
            }
            let own = glyph.unwrap_or(typeface::MISSING);
            self.used[usize::from(bold)].entry(own.0).or_insert(c);
            let _ = write!(run.1, "{:04X}", own.0);
            if glyph.is_none() {
                self.show(text, std::mem::take(&mut run));
            }
            left += text.font.advance(c);
        }
        self.show(text, run);
    }

    fn show(&mut self, text: &Text, (left, glyphs): (f64, String)) {
        if glyphs.is_empty() {
            return;
        }
        let (font, size) = (u8::from(text.font.bold), number(text.font.size));
        let (x, y) = (number(left), number(text.at.y));
        self.line(&format!("BT /F{font} {size} Tf 1 0 0 -1 {x} {y} Tm <{glyphs}> Tj ET"));
    }
}

/// A colour as three shares.
fn components(colour: u32) -> String {
    let [_, parts @ ..] = colour.to_be_bytes();
    parts.map(|part| number(f64::from(part) / 255.0)).join(" ")
}

fn place(point: Point) -> String {
    format!("{} {}", number(point.x), number(point.y))
}

/// A path; a curve with one control point becomes one with two.
fn outline(path: &[Segment]) -> String {
    let mut out = String::new();
    let mut last = Point::default();
    for segment in path {
        // Writing to a string cannot fail.
        let _ = match segment {
            Segment::Move(to) => write!(out, "{} m ", place(*to)),
            Segment::Line(to) => write!(out, "{} l ", place(*to)),
            Segment::Quad(by, to) => {
                let near = |end: Point| Point {
                    x: end.x + (by.x - end.x) * 2.0 / 3.0,
                    y: end.y + (by.y - end.y) * 2.0 / 3.0,
                };
                write!(out, "{} {} {} c ", place(near(last)), place(near(*to)), place(*to))
            }
            Segment::Close => write!(out, "h "),
        };
        if let Segment::Move(to) | Segment::Line(to) | Segment::Quad(_, to) = segment {
            last = *to;
        }
    }
    out
}

/// A rectangle with rounded corners.
fn round_rect(rect: Rect, radius: f64) -> String {
    let (left, top, right, bottom) = (rect.x, rect.y, rect.right(), rect.bottom());
    let radius = radius.min(rect.width / 2.0).min(rect.height / 2.0);
    if radius <= 0.0 {
        let (width, height) = (number(rect.width), number(rect.height));
        return format!("{} {} {width} {height} re ", number(left), number(top));
    }
    let far = radius * (1.0 - ARC);
    let at = |x, y| place(Point { x, y });
    let corner = |a: (f64, f64), b: (f64, f64), c: (f64, f64)| {
        format!("{} {} {} c ", at(a.0, a.1), at(b.0, b.1), at(c.0, c.1))
    };
    [
        format!("{} m {} l ", at(left + radius, top), at(right - radius, top)),
        corner((right - far, top), (right, top + far), (right, top + radius)),
        format!("{} l ", at(right, bottom - radius)),
        corner((right, bottom - far), (right - far, bottom), (right - radius, bottom)),
        format!("{} l ", at(left + radius, bottom)),
        corner((left + far, bottom), (left, bottom - far), (left, bottom - radius)),
        format!("{} l ", at(left, top + radius)),
        corner((left, top + far), (left + far, top), (left + radius, top)),
        "h ".to_owned(),
    ]
    .concat()
}
