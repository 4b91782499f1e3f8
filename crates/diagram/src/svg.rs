//! The SVG form, written by hand: no script, no outside fonts, light and dark.
//!
//! Text has its length from the embedded fonts, so that it keeps its place whatever font a viewer
//! has; as outlines it also keeps its shape, at the price of a larger file without text to search.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::canvas::{Drawing, GroupTag, Shape, Text};
use super::geometry::{Point, Rect, Segment};
use super::page_drawing::PageDrawing;
use super::palette::{HUES, LOOKS, Look, NEUTRAL, Paint, Tone};
use super::typeface;

/// The fonts of a viewer, those first that have the widths of the embedded ones.
const FONTS: &str = "Helvetica, Arial, 'Liberation Sans', Arimo, 'Nimbus Sans', 'DejaVu Sans Condensed', sans-serif";

/// How text is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextForm {
    /// As text, in a font of the viewer.
    Text,
    /// As outlines of the embedded fonts.
    Outlines,
}

/// The document.
pub(crate) fn document(drawing: &Drawing, form: TextForm) -> String {
    let mut out = Document::new(form);
    out.start(drawing, "img");
    out.line(&format!("<style>\n{}</style>", sheet()));
    if form == TextForm::Outlines {
        out.define_glyphs(drawing);
    }
    drawing.shapes.iter().for_each(|shape| out.shape(shape));
    out.line("</svg>");
    out.text
}

/// The style sheet and the drawing apart, for a page that allows style sheets by their hashes.
pub(crate) fn page_drawing(drawing: &Drawing) -> PageDrawing {
    let mut out = Document::new(TextForm::Text);
    // Its links are parts of the page.
    out.start(drawing, "group");
    drawing.shapes.iter().for_each(|shape| out.shape(shape));
    out.line("</svg>");
    PageDrawing { style: sheet(), body: out.text }
}

/// The document so far.
struct Document {
    text: String,
    form: TextForm,
    /// The ids given.
    ids: BTreeSet<String>,
}

impl Document {
    fn new(form: TextForm) -> Self {
        Self { text: String::new(), form, ids: BTreeSet::new() }
    }

    /// The element, its role in the page, and its title.
    fn start(&mut self, drawing: &Drawing, role: &str) {
        let (width, height) = (number(drawing.size.width), number(drawing.size.height));
        self.line(&format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" font-family="{FONTS}" role="{role}">"#
        ));
        self.line(&format!("<title>{}</title>", escape(&drawing.title)));
    }

    fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn shape(&mut self, shape: &Shape) {
        match shape {
            Shape::Open(tag) => self.open(tag),
            Shape::Close => self.line("</g>"),
            Shape::Rect(look, rect, radius) => self.rect(*look, *rect, *radius),
            Shape::Path(look, path) => {
                let path = path_data(path);
                self.line(&format!(r#"<path class="{}" d="{path}"/>"#, classes(*look)));
            }
            Shape::Circle(look, centre, radius) => {
                let (x, y, radius) = (number(centre.x), number(centre.y), number(*radius));
                let class = classes(*look);
                self.line(&format!(r#"<circle class="{class}" cx="{x}" cy="{y}" r="{radius}"/>"#));
            }
            Shape::Text(text) => match self.form {
                TextForm::Text => self.write(text),
                TextForm::Outlines => self.trace(text),
            },
        }
    }

    /// Starts a group.
    fn open(&mut self, tag: &GroupTag) {
        let mut start = "<g".to_owned();
        // Writing to a string cannot fail.
        if !tag.class.is_empty() {
            let _ = write!(start, r#" class="{}""#, tag.class);
        }
        if let Some(id) = &tag.id {
            let mut own = id.clone();
            let mut count = 1;
            while !self.ids.insert(own.clone()) {
                count += 1;
                own = format!("{id}~{count}");
            }
            let _ = write!(start, r#" id="{}""#, escape(&own));
        }
        for (name, value) in &tag.data {
            let _ = write!(start, r#" data-{name}="{}""#, escape(value));
        }
        self.line(&(start + ">"));
    }

    fn rect(&mut self, look: Look, rect: Rect, radius: f64) {
        let (x, y) = (number(rect.x), number(rect.y));
        let (width, height) = (number(rect.width), number(rect.height));
        let radius =
            if radius > 0.0 { format!(r#" rx="{}""#, number(radius)) } else { String::new() };
        self.line(&format!(
            r#"<rect class="{}" x="{x}" y="{y}" width="{width}" height="{height}"{radius}/>"#,
            classes(look)
        ));
    }

    /// Text as text. A single character is not stretched: viewers have no gap to put the rest in.
    fn write(&mut self, text: &Text) {
        let (x, y, size) = (number(text.at.x), number(text.at.y), number(text.font.size));
        let weight = if text.font.bold { r#" font-weight="bold""# } else { "" };
        let length = if text.line.chars().nth(1).is_some() {
            let length = number(text.width());
            format!(r#" textLength="{length}" lengthAdjust="spacingAndGlyphs""#)
        } else {
            String::new()
        };
        let (class, line) = (classes(text.look), escape(&text.line));
        self.line(&format!(
            r#"<text class="{class}" x="{x}" y="{y}" font-size="{size}"{weight}{length}>{line}</text>"#
        ));
    }

    /// The outlines of the glyphs that texts use.
    fn define_glyphs(&mut self, drawing: &Drawing) {
        let mut used = BTreeMap::new();
        for shape in &drawing.shapes {
            if let Shape::Text(text) = shape {
                for c in text.line.chars() {
                    let glyph = typeface::glyph(text.font.bold, c).unwrap_or(typeface::MISSING);
                    used.insert((text.font.bold, glyph.0), glyph);
                }
            }
        }
        self.line("<defs>");
        for ((bold, _), glyph) in used {
            let path = path_data(&typeface::outline(bold, glyph));
            let name = glyph_name(bold, glyph);
            self.line(&format!(r#"<path id="{name}" d="{path}"/>"#));
        }
        self.line("</defs>");
    }

    /// Text as outlines, with the text as its name for readers of the screen.
    fn trace(&mut self, text: &Text) {
        let units = f64::from(typeface::face(text.font.bold).units_per_em());
        let scale = text.font.size / units;
        let (x, y) = (number(text.at.x), number(text.at.y));
        let (class, line) = (classes(text.look), escape(&text.line));
        let mut group = format!(
            r#"<g class="{class}" role="img" aria-label="{line}" transform="translate({x} {y}) scale({scale:.6} -{scale:.6})">"#
        );
        let mut left = 0.0;
        for c in text.line.chars() {
            let glyph = typeface::glyph(text.font.bold, c).unwrap_or(typeface::MISSING);
            if !c.is_whitespace() {
                let name = glyph_name(text.font.bold, glyph);
                let _ = write!(group, r##"<use href="#{name}" x="{left:.0}"/>"##);
            }
            left += typeface::advance(text.font.bold, c) * units;
        }
        self.line(&(group + "</g>"));
    }
}

fn glyph_name(bold: bool, glyph: ttf_parser::GlyphId) -> String {
    format!("{}{}", if bold { "gb" } else { "g" }, glyph.0)
}

/// The classes of a look. They begin with `d-`, since the sheet of an SVG inside a page holds for
/// the page.
fn classes(look: Look) -> String {
    let is_hued = look.fill == Paint::Hue || look.stroke == Paint::Hue;
    match (is_hued, look.hue) {
        (false, _) => format!("d-{}", look.class),
        (true, None) => format!("d-{} d-w", look.class),
        (true, Some(hue)) => format!("d-{} d-w{hue}", look.class),
    }
}

/// The style sheet. What ignores the part for dark gets the light one, on white.
fn sheet() -> String {
    let mut sheet = String::new();
    for look in LOOKS {
        // Writing to a string cannot fail.
        let _ = write!(sheet, ".d-{}{{", look.class);
        let _ = match (look.fill, look.stroke) {
            (Paint::None, _) => write!(sheet, "fill:none;"),
            (_, Paint::None) => write!(sheet, "stroke:none;"),
            _ => Ok(()),
        };
        if look.tenths > 0 {
            let width = number(look.stroke_width());
            let _ = write!(sheet, "stroke-width:{width};stroke-linejoin:round;");
        }
        let _ = writeln!(sheet, "{}}}", if look.dashed { "stroke-dasharray:5 4" } else { "" });
    }
    colours(&mut sheet, |tone| tone.light);
    sheet.push_str("@media (prefers-color-scheme:dark){\n");
    colours(&mut sheet, |tone| tone.dark);
    sheet.push_str("}\n");
    sheet
}

/// The colours, for light or for dark.
fn colours(sheet: &mut String, shade: impl Fn(Tone) -> u32) {
    // Writing to a string cannot fail.
    for look in LOOKS {
        for (property, paint) in [("fill", look.fill), ("stroke", look.stroke)] {
            if let Paint::Tone(tone) = paint {
                let _ = writeln!(sheet, ".d-{}{{{property}:#{:06x}}}", look.class, shade(tone));
            }
        }
    }
    let hues = HUES.iter().enumerate().map(|(at, tone)| (format!("d-w{at}"), *tone));
    for (class, tone) in [("d-w".to_owned(), NEUTRAL)].into_iter().chain(hues) {
        for property in ["fill", "stroke"] {
            let paint = |look: &Look| if property == "fill" { look.fill } else { look.stroke };
            let hued = LOOKS.iter().filter(|look| paint(look) == Paint::Hue);
            let selectors: Vec<_> = hued.map(|look| format!(".d-{}.{class}", look.class)).collect();
            let _ = writeln!(sheet, "{}{{{property}:#{:06x}}}", selectors.join(","), shade(tone));
        }
    }
}

/// A path as the attribute `d`.
fn path_data(path: &[Segment]) -> String {
    let mut data = String::new();
    let place = |point: &Point| format!("{} {}", number(point.x), number(point.y));
    for segment in path {
        // Writing to a string cannot fail.
        let _ = match segment {
            Segment::Move(to) => write!(data, "M{}", place(to)),
            Segment::Line(to) => write!(data, "L{}", place(to)),
            Segment::Quad(by, to) => write!(data, "Q{} {}", place(by), place(to)),
            Segment::Close => write!(data, "z"),
        };
    }
    data
}

/// A number with at most one decimal.
fn number(value: f64) -> String {
    let text = format!("{value:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Text as XML holds it; characters that XML cannot hold are replaced.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' | '\r' => out.push(' '),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
