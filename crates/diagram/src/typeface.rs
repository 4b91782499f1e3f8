//! The embedded fonts: advance widths and outlines, the same on every machine.
//!
//! Arimo has the widths of Helvetica and Arial, so where one of these is installed, the text of an
//! SVG looks as designed.

use std::sync::OnceLock;

use ttf_parser::{Face, GlyphId, OutlineBuilder};

use super::geometry::{Point, Segment};

/// The font files, regular and bold.
pub(crate) const FILES: [&[u8]; 2] =
    [include_bytes!("../fonts/Arimo-Regular.ttf"), include_bytes!("../fonts/Arimo-Bold.ttf")];

/// One of the two weights.
pub(crate) fn face(bold: bool) -> &'static Face<'static> {
    static FACES: OnceLock<[Face<'static>; 2]> = OnceLock::new();
    let read =
        |file: &'static [u8]| Face::parse(file, 0).expect("the embedded fonts are well-formed");
    &FACES.get_or_init(|| FILES.map(read))[usize::from(bold)]
}

/// The glyph of a character; `None` where the fonts have none.
pub(crate) fn glyph(bold: bool, c: char) -> Option<GlyphId> {
    face(bold).glyph_index(c).filter(|glyph| glyph.0 != 0)
}

/// The glyph that stands for a missing one.
pub(crate) const MISSING: GlyphId = GlyphId(0);

/// The advance width of a character, as a share of the font's size.
pub(crate) fn advance(bold: bool, c: char) -> f64 {
    static ASCII: OnceLock<[Vec<f64>; 2]> = OnceLock::new();
    let measure = |bold| (0..128_u8).map(|code| find_advance(bold, char::from(code))).collect();
    let known = ASCII.get_or_init(|| [measure(false), measure(true)]);
    let known = known[usize::from(bold)].get(c as usize).copied();
    known.unwrap_or_else(|| find_advance(bold, c))
}

fn find_advance(bold: bool, c: char) -> f64 {
    let glyph = glyph(bold, c).and_then(|glyph| face(bold).glyph_hor_advance(glyph));
    match (glyph, c) {
        (Some(units), _) => f64::from(units) / f64::from(face(bold).units_per_em()),
        (None, '\u{300}'..='\u{36f}' | '\u{200b}'..='\u{200f}') => 0.0,
        (None, '⌛') => 0.72,
        // Scripts whose signs are as wide as high, emoji.
        (None, '\u{1100}'..) => 1.0,
        (None, _) => 0.75,
    }
}

/// The outline of a glyph in the units of its font, y upwards.
pub(crate) fn outline(bold: bool, glyph: GlyphId) -> Vec<Segment> {
    let mut pen = Pen(Vec::new());
    face(bold).outline_glyph(glyph, &mut pen);
    pen.0
}

/// Collects the segments of an outline.
struct Pen(Vec<Segment>);

fn point(x: f32, y: f32) -> Point {
    Point { x: f64::from(x), y: f64::from(y) }
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.0.push(Segment::Move(point(x, y)));
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.0.push(Segment::Line(point(x, y)));
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.0.push(Segment::Quad(point(x1, y1), point(x, y)));
    }

    /// TrueType outlines have no cubic curves; their ends are kept.
    fn curve_to(&mut self, _: f32, _: f32, _: f32, _: f32, x: f32, y: f32) {
        self.0.push(Segment::Line(point(x, y)));
    }

    fn close(&mut self) {
        self.0.push(Segment::Close);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The widths that Adobe publishes for Helvetica and Helvetica-Bold.
    #[test]
    fn widths_are_those_of_helvetica() {
        for (text, regular, bold) in
            [(' ', 278, 278), ('i', 222, 278), ('m', 833, 889), ('W', 944, 944), ('0', 556, 556)]
        {
            for (bold, thousandths) in [(false, regular), (true, bold)] {
                let wanted = f64::from(thousandths) / 1000.0;
                assert!((advance(bold, text) - wanted).abs() < 0.001, "{text} {bold}");
            }
        }
    }

    /// What diagrams print themselves must not be a box.
    #[test]
    fn signs_of_the_notation_have_outlines() {
        for c in "↑↓→·–…≤+−~#{}[]<>*äß§éЖΩ".chars() {
            for bold in [false, true] {
                let glyph = glyph(bold, c).unwrap_or(MISSING);
                assert!(!outline(bold, glyph).is_empty() && glyph != MISSING, "{c}");
            }
        }
    }
}
