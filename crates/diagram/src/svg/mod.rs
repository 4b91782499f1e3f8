//! The SVG form, written by hand: no script, no outside fonts, light and dark.

mod cards;
mod style;
mod wires;

use super::geometry::Rect;
use super::metrics::Font;
use super::scene::{self, PlacedFrame, Scene};

/// The document.
pub(crate) fn document(scene: &Scene<'_>) -> String {
    let (width, height) = (number(scene.size.width.ceil()), number(scene.size.height.ceil()));
    let title = format!("{}: {}", scene.picture.title, super::legend::heading(scene.picture.kind));
    let mut out = Canvas::default();
    out.line(&format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img">"#
    ));
    out.line(&format!("<title>{}</title>", escape(&title)));
    out.line(&format!("<style>\n{}</style>", style::sheet()));
    out.line(r#"<rect class="paper" width="100%" height="100%"/>"#);
    for frame in &scene.frames {
        draw_frame(&mut out, frame);
    }
    if let Some(y) = scene.rule {
        let right = number(scene.size.width - 28.0);
        let y = number(y);
        out.line(&format!(r#"<path class="rule" d="M28 {y}H{right}"/>"#));
    }
    for text in &scene.texts {
        if text.line == "⌛" {
            cards::hourglass(&mut out, "x", text.at.x, text.at.y);
        } else {
            out.text(text.style, text.font, (text.at.x, text.at.y), &text.line);
        }
    }
    out.line("</svg>");
    out.text
}

fn draw_frame(out: &mut Canvas, placed: &PlacedFrame<'_>) {
    if let Some(title) = &placed.frame.title {
        out.rect("frame", placed.rect, 10.0);
        let at = (placed.rect.x + 16.0, placed.rect.y + 22.0);
        out.text("muted", scene::LABEL, at, &format!("keyspace {title}"));
    }
    let ground = if placed.frame.title.is_some() { " framed" } else { "" };
    placed.wires.iter().for_each(|wire| wires::draw(out, wire, ground));
    placed.cards.iter().for_each(|(rect, card)| cards::draw(out, *rect, card));
    placed.wires.iter().for_each(|wire| wires::label(out, wire));
}

/// The text of the document so far.
#[derive(Debug, Default)]
struct Canvas {
    text: String,
}

impl Canvas {
    fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn rect(&mut self, class: &str, rect: Rect, radius: f64) {
        let (x, y) = (number(rect.x), number(rect.y));
        let (width, height) = (number(rect.width), number(rect.height));
        let radius =
            if radius > 0.0 { format!(r#" rx="{}""#, number(radius)) } else { String::new() };
        self.line(&format!(
            r#"<rect class="{class}" x="{x}" y="{y}" width="{width}" height="{height}"{radius}/>"#
        ));
    }

    fn path(&mut self, class: &str, path: &str) {
        self.line(&format!(r#"<path class="{class}" d="{path}"/>"#));
    }

    fn text(&mut self, class: &str, font: Font, at: (f64, f64), text: &str) {
        self.write_text(class, font, at, "", text);
    }

    fn text_end(&mut self, class: &str, font: Font, at: (f64, f64), text: &str) {
        self.write_text(class, font, at, r#" text-anchor="end""#, text);
    }

    fn write_text(&mut self, class: &str, font: Font, at: (f64, f64), anchor: &str, text: &str) {
        if text.is_empty() {
            return;
        }
        let (x, y, size) = (number(at.0), number(at.1), number(font.size));
        let weight = if font.bold { r#" font-weight="bold""# } else { "" };
        let text = escape(text);
        self.line(&format!(
            r#"<text class="{class}" x="{x}" y="{y}" font-size="{size}"{weight}{anchor}>{text}</text>"#
        ));
    }
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
