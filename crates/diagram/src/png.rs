//! The PNG form: the light colours on white, with the outlines of the embedded fonts.
//!
//! The picture is painted and written in bands, so memory does not grow with its height.

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use tiny_skia::{
    Color, FillRule, LineJoin, Paint, Path, PathBuilder, Pixmap, Stroke, StrokeDash, Transform,
};

use super::canvas::{Drawing, Shape, Text};
use super::geometry::{Point, Rect, Segment};
use super::palette::Look;
use super::typeface;

/// Pixels for each unit of a drawing, where the picture is not too large.
const SCALE: f64 = 2.0;
/// The most pixels of a picture; larger ones are scaled down.
const PIXELS_MAX: f64 = 80e6;
/// The height of a band.
const BAND: u32 = 512;
/// A quarter of a circle as a cubic curve: the distance of its control points.
const ARC: f32 = 0.552_284_8;

/// The file.
pub(crate) fn file(drawing: &Drawing) -> Vec<u8> {
    let area = (drawing.size.width * drawing.size.height).max(1.0);
    let scale = SCALE.min((PIXELS_MAX / area).sqrt());
    let (width, height) = (pixels(drawing.size.width * scale), pixels(drawing.size.height * scale));
    let strokes = Strokes::new(drawing, scale);
    let mut data = ZlibEncoder::new(Vec::new(), Compression::default());
    let mut top = 0;
    while top < height {
        let rows = BAND.min(height - top);
        // Writing to a vector cannot fail.
        let _ = data.write_all(&strokes.band(width, top, rows));
        top += rows;
    }
    let data = data.finish().unwrap_or_default();
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    // 8 bits each for red, green and blue.
    let mut header = [width.to_be_bytes(), height.to_be_bytes()].concat();
    header.extend([8, 2, 0, 0, 0]);
    add_chunk(&mut file, *b"IHDR", &header);
    // Pixels per metre: a unit is a 96th of an inch.
    let density = pixels(scale * 96.0 / 0.0254).to_be_bytes();
    add_chunk(&mut file, *b"pHYs", &[&density[..], &density[..], &[1]].concat());
    add_chunk(&mut file, *b"IDAT", &data);
    add_chunk(&mut file, *b"IEND", &[]);
    file
}

fn add_chunk(file: &mut Vec<u8>, kind: [u8; 4], data: &[u8]) {
    let length = u32::try_from(data.len()).unwrap_or(u32::MAX);
    file.extend(length.to_be_bytes());
    let mut check = crc32fast::Hasher::new();
    for part in [&kind[..], data] {
        file.extend(part);
        check.update(part);
    }
    file.extend(check.finalize().to_be_bytes());
}

/// A measure as whole pixels.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the range")]
fn pixels(measure: f64) -> u32 {
    measure.ceil().clamp(1.0, 65_000.0) as u32
}

/// A coordinate with the precision of the rasteriser.
#[expect(clippy::cast_possible_truncation, reason = "positions are far below 2^24")]
fn single(value: f64) -> f32 {
    value as f32
}

/// What is painted, in order.
struct Strokes {
    list: Vec<PaintedPath>,
    scale: f32,
}

/// A path with its colour.
struct PaintedPath {
    path: Path,
    colour: u32,
    /// Its line, where it is not filled.
    stroke: Option<Stroke>,
}

impl Strokes {
    fn new(drawing: &Drawing, scale: f64) -> Self {
        let mut strokes = Self { list: Vec::new(), scale: single(scale) };
        for shape in &drawing.shapes {
            match shape {
                Shape::Open(_) | Shape::Close => {}
                Shape::Rect(look, rect, radius) => strokes.add(*look, round_rect(*rect, *radius)),
                Shape::Path(look, path) => {
                    strokes.add(*look, outline(path, Transform::identity()));
                }
                Shape::Circle(look, centre, radius) => {
                    let circle = PathBuilder::from_circle(
                        single(centre.x),
                        single(centre.y),
                        single(*radius),
                    );
                    strokes.add(*look, circle);
                }
                Shape::Text(text) => strokes.add_text(text),
            }
        }
        strokes
    }

    fn add(&mut self, look: Look, path: Option<Path>) {
        let Some(path) = path else { return };
        if let Some(tone) = look.tone(look.fill) {
            self.list.push(PaintedPath { path: path.clone(), colour: tone.light, stroke: None });
        }
        if let Some(tone) = look.tone(look.stroke) {
            let dash = look.dashed.then(|| StrokeDash::new(vec![5.0, 4.0], 0.0)).flatten();
            let width = single(look.stroke_width());
            let stroke = Stroke { width, dash, line_join: LineJoin::Round, ..Stroke::default() };
            self.list.push(PaintedPath { path, colour: tone.light, stroke: Some(stroke) });
        }
    }

    fn add_text(&mut self, text: &Text) {
        let units = f64::from(typeface::face(text.font.bold).units_per_em());
        let scale = text.font.size / units;
        let mut left = text.at.x;
        for c in text.line.chars() {
            let glyph = typeface::glyph(text.font.bold, c).unwrap_or(typeface::MISSING);
            if !c.is_whitespace() {
                let place = Transform::from_row(
                    single(scale),
                    0.0,
                    0.0,
                    single(-scale),
                    single(left),
                    single(text.at.y),
                );
                self.add(text.look, outline(&typeface::outline(text.font.bold, glyph), place));
            }
            left += text.font.advance(c);
        }
    }

    /// The rows of a band as PNG has them: before each row the filter, none.
    fn band(&self, width: u32, top: u32, rows: u32) -> Vec<u8> {
        let Some(mut pixmap) = Pixmap::new(width, rows) else { return Vec::new() };
        pixmap.fill(Color::WHITE);
        let shift = -f64::from(top);
        let place = Transform::from_row(self.scale, 0.0, 0.0, self.scale, 0.0, single(shift));
        let (above, below) = (f64::from(top), f64::from(top + rows));
        for PaintedPath { path, colour, stroke } in &self.list {
            let bounds = path.bounds();
            let reach = |edge: f32, more: f64| (f64::from(edge) + more) * f64::from(self.scale);
            if reach(bounds.bottom(), 4.0) < above || reach(bounds.top(), -4.0) > below {
                continue;
            }
            let [_, red, green, blue] = colour.to_be_bytes();
            let mut paint = Paint::default();
            paint.set_color_rgba8(red, green, blue, 255);
            match stroke {
                None => pixmap.fill_path(path, &paint, FillRule::Winding, place, None),
                Some(stroke) => pixmap.stroke_path(path, &paint, stroke, place, None),
            }
        }
        let mut data = Vec::new();
        for row in pixmap.data().chunks_exact(width as usize * 4) {
            data.push(0);
            // Nothing is transparent.
            data.extend(row.chunks_exact(4).flat_map(|pixel| &pixel[..3]));
        }
        data
    }
}

/// A rectangle with rounded corners.
fn round_rect(rect: Rect, radius: f64) -> Option<Path> {
    let (left, top) = (single(rect.x), single(rect.y));
    let (right, bottom) = (single(rect.right()), single(rect.bottom()));
    let radius = single(radius.min(rect.width / 2.0).min(rect.height / 2.0));
    let mut pen = PathBuilder::new();
    if radius <= 0.0 {
        pen.push_rect(tiny_skia::Rect::from_ltrb(left, top, right, bottom)?);
        return pen.finish();
    }
    let far = radius * (1.0 - ARC);
    pen.move_to(left + radius, top);
    pen.line_to(right - radius, top);
    pen.cubic_to(right - far, top, right, top + far, right, top + radius);
    pen.line_to(right, bottom - radius);
    pen.cubic_to(right, bottom - far, right - far, bottom, right - radius, bottom);
    pen.line_to(left + radius, bottom);
    pen.cubic_to(left + far, bottom, left, bottom - far, left, bottom - radius);
    pen.line_to(left, top + radius);
    pen.cubic_to(left, top + far, left + far, top, left + radius, top);
    pen.close();
    pen.finish()
}

/// An outline, moved; `None` where there is nothing to draw.
fn outline(path: &[Segment], place: Transform) -> Option<Path> {
    let mut pen = PathBuilder::new();
    let at = |point: &Point| (single(point.x), single(point.y));
    for segment in path {
        match segment {
            Segment::Move(to) => pen.move_to(at(to).0, at(to).1),
            Segment::Line(to) => pen.line_to(at(to).0, at(to).1),
            Segment::Quad(by, to) => pen.quad_to(at(by).0, at(by).1, at(to).0, at(to).1),
            Segment::Close => pen.close(),
        }
    }
    pen.finish()?.transform(place)
}
