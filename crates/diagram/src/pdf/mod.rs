//! The PDF form: one page of the size of the picture, in the light colours, with the embedded fonts,
//! so that its text can be searched and copied.
//!
//! `content` writes the page, `font` the fonts; this module puts the objects into the file.

mod content;
mod font;

use std::fmt::Write as _;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::ZlibEncoder;

use super::canvas::Drawing;

/// Points for each unit of a drawing: a unit is a 96th of an inch.
const POINTS: f64 = 0.75;
/// The largest page of a reader, in points.
const PAGE_MAX: f64 = 14_400.0;
/// The objects before those of the fonts: catalog, pages, page, content, information.
const FIRST_FONT: usize = 6;

/// The file.
pub(crate) fn file(drawing: &Drawing) -> Vec<u8> {
    let (wide, high) = (drawing.size.width, drawing.size.height);
    let scale = POINTS.min(PAGE_MAX / wide.max(high).max(1.0));
    let (width, height) = (number(wide * scale), number(high * scale));
    let (page, used) = content::page(drawing, scale);
    let mut file = Objects::default();
    file.add("<< /Type /Catalog /Pages 2 0 R >>");
    file.add("<< /Type /Pages /Kids [3 0 R] /Count 1 >>");
    let fonts = [0, 1].map(|at| format!("/F{at} {} 0 R", FIRST_FONT + at * font::OBJECTS));
    file.add(&format!(
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width} {height}] /Contents 4 0 R /Resources << /Font << {} >> >> >>",
        fonts.join(" ")
    ));
    file.add_stream("", page.as_bytes());
    file.add(&format!("<< /Title {} /Producer (Helenus) >>", text_string(&drawing.title)));
    for (at, glyphs) in used.iter().enumerate() {
        font::add(&mut file, at == 1, glyphs);
    }
    file.finish()
}

/// The objects of a file, numbered from 1.
#[derive(Default)]
struct Objects {
    data: Vec<u8>,
    /// Where each starts.
    starts: Vec<usize>,
}

impl Objects {
    /// The number of the next object.
    fn next(&self) -> usize {
        self.starts.len() + 1
    }

    fn add(&mut self, body: &str) {
        self.start();
        self.data.extend(body.as_bytes());
        self.data.extend(b"\nendobj\n");
    }

    /// A compressed stream; `entries` are further entries of its dictionary.
    fn add_stream(&mut self, entries: &str, content: &[u8]) {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
        // Writing to a vector cannot fail.
        let _ = encoder.write_all(content);
        let packed = encoder.finish().unwrap_or_default();
        self.start();
        let length = packed.len();
        let head = format!("<< {entries}/Filter /FlateDecode /Length {length} >>\nstream\n");
        self.data.extend(head.as_bytes());
        self.data.extend(packed);
        self.data.extend(b"\nendstream\nendobj\n");
    }

    fn start(&mut self) {
        if self.data.is_empty() {
            // The bytes above 127 tell programs that the file is binary.
            self.data.extend(b"%PDF-1.5\n%\xe2\xe3\xcf\xd3\n");
        }
        self.starts.push(self.data.len());
        self.data.extend(format!("{} 0 obj\n", self.starts.len()).as_bytes());
    }

    /// The file, with its table of objects.
    fn finish(mut self) -> Vec<u8> {
        let table = self.data.len();
        let count = self.next();
        let mut tail = format!("xref\n0 {count}\n0000000000 65535 f \n");
        for start in &self.starts {
            // Writing to a string cannot fail.
            let _ = writeln!(tail, "{start:010} 00000 n ");
        }
        let _ = write!(
            tail,
            "trailer\n<< /Size {count} /Root 1 0 R /Info 5 0 R >>\nstartxref\n{table}\n%%EOF\n"
        );
        self.data.extend(tail.as_bytes());
        self.data
    }
}

/// A number with at most three decimals.
fn number(value: f64) -> String {
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// A string of text, in UTF-16.
fn text_string(text: &str) -> String {
    format!("<FEFF{}>", utf16(text))
}

/// A text in UTF-16, in hexadecimal digits.
fn utf16(text: &str) -> String {
    text.encode_utf16().fold(String::new(), |mut digits, unit| {
        // Writing to a string cannot fail.
        let _ = write!(digits, "{unit:04X}");
        digits
    })
}
