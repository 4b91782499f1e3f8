//! A scene as shapes, in the order in which they are painted; each output format writes them.
//!
//! Groups that a page may refer to have an id and data attributes. Ids are unique in a document;
//! blanks in names become `_`, and the keyspace comes first where a picture shows several
//! (`table-shop.users`).
//!
//! | group | id | attributes |
//! |---|---|---|
//! | a card | `table-NAME`, `type-NAME`, `entity-NAME`, `query-NAME`, `write-NAME` | `data-table`, `data-type`, `data-entity`, `data-query` or `data-write` with the name; `data-queries` of a table |
//! | a query of the legend | `query-NAME` | `data-query`, `data-table` (the table of its rows) |
//! | a line with its arrowheads, of class `link` | | `data-queries`, `data-from`, `data-to` |
//! | the text beside an arrowhead, of class `link-label` | | `data-queries`, `data-to` |
//!
//! `data-queries`, `data-from` and `data-to` hold names separated by blanks, as `class` does:
//! `[data-queries~="VideosByUser"]` selects every table and line of that query.

mod cards;
mod group_tags;

mod wires;

use super::geometry::{Point, Rect, Segment, Size};
use super::metrics::Font;
use super::palette::{self, Look};
use super::scene::{self, PlacedEntry, PlacedFrame, Scene, TextLine};
use super::typeface;
pub(crate) use group_tags::GroupTag;

/// A scene as shapes.
#[derive(Debug)]
pub(crate) struct Drawing {
    pub(crate) size: Size,
    pub(crate) title: String,
    pub(crate) shapes: Vec<Shape>,
}

/// A shape, or the start or end of a group of shapes.
#[derive(Debug)]
pub(crate) enum Shape {
    Open(GroupTag),
    Close,
    /// A rectangle with the radius of its corners.
    Rect(Look, Rect, f64),
    Path(Look, Vec<Segment>),
    /// A circle with its radius.
    Circle(Look, Point, f64),
    Text(Text),
}

/// A line of text; `at` is the start of its baseline.
#[derive(Debug)]
pub(crate) struct Text {
    pub(crate) look: Look,
    pub(crate) font: Font,
    pub(crate) at: Point,
    pub(crate) line: String,
}

/// The shapes of a scene.
pub(crate) fn draw(scene: &Scene<'_>) -> Drawing {
    let size = Size { width: scene.size.width.ceil(), height: scene.size.height.ceil() };
    let title = format!("{}: {}", scene.picture.title, super::legend::heading(scene.picture));
    let mut out = Drawing { size, title, shapes: Vec::new() };
    out.rect(palette::PAPER, Rect::new(Point::default(), size), 0.0);
    for frame in &scene.frames {
        let space = frame.frame.title.as_deref().filter(|_| scene.frames.len() > 1);
        draw_frame(&mut out, frame, space);
    }
    if let Some(y) = scene.rule {
        let (left, right) = (scene::MARGIN, scene.size.width - scene::MARGIN);
        out.line(palette::RULE, &[Point { x: left, y }, Point { x: right, y }]);
    }
    scene.texts.iter().for_each(|text| out.text_line(text));
    for PlacedEntry { entry, texts } in &scene.entries {
        out.open(group_tags::tag_query(entry));
        for text in texts {
            out.text_line(text);
        }
        out.close();
    }
    out
}

fn draw_frame(out: &mut Drawing, placed: &PlacedFrame<'_>, space: Option<&str>) {
    let framed = placed.frame.title.is_some();
    if let Some(title) = &placed.frame.title {
        out.rect(palette::FRAME, placed.rect, 10.0);
        let at = Point { x: placed.rect.x + 16.0, y: placed.rect.y + 22.0 };
        out.text(palette::MUTED, scene::LABEL, at, &format!("keyspace {title}"));
    }
    let halo = if framed { palette::FRAMED_HALO } else { palette::HALO };
    for wire in &placed.wires {
        out.open(group_tags::tag_link(placed.frame, wire.link));
        wires::draw(out, wire, halo);
        out.close();
    }
    for (rect, card) in &placed.cards {
        out.open(group_tags::tag_card(space, card));
        cards::draw(out, *rect, card);
        out.close();
    }
    placed.wires.iter().for_each(|wire| wires::label(out, placed.frame, wire));
}

impl Drawing {
    /// The characters that the fonts lack, each once.
    pub(crate) fn missing_characters(&self) -> Vec<char> {
        let lines = self.shapes.iter().filter_map(|shape| match shape {
            Shape::Text(text) => Some((text.font.bold, &text.line)),
            _ => None,
        });
        let mut missing: Vec<_> = lines
            .flat_map(|(bold, line)| line.chars().map(move |c| (bold, c)))
            .filter(|(bold, c)| !c.is_whitespace() && typeface::glyph(*bold, *c).is_none())
            .map(|(_, c)| c)
            .collect();
        missing.sort_unstable();
        missing.dedup();
        missing
    }

    fn open(&mut self, tag: GroupTag) {
        self.shapes.push(Shape::Open(tag));
    }

    fn close(&mut self) {
        self.shapes.push(Shape::Close);
    }

    fn rect(&mut self, look: Look, rect: Rect, radius: f64) {
        self.shapes.push(Shape::Rect(look, rect, radius));
    }

    fn path(&mut self, look: Look, path: Vec<Segment>) {
        self.shapes.push(Shape::Path(look, path));
    }

    /// Straight lines from point to point.
    fn line(&mut self, look: Look, points: &[Point]) {
        self.path(look, polyline(points));
    }

    fn circle(&mut self, look: Look, centre: Point, radius: f64) {
        self.shapes.push(Shape::Circle(look, centre, radius));
    }

    fn text(&mut self, look: Look, font: Font, at: Point, line: &str) {
        if !line.is_empty() {
            self.shapes.push(Shape::Text(Text { look, font, at, line: line.to_owned() }));
        }
    }

    fn text_end(&mut self, look: Look, font: Font, at: Point, line: &str) {
        self.text(look, font, Point { x: at.x - font.width(line), ..at }, line);
    }

    fn text_line(&mut self, text: &TextLine) {
        if text.line == "⌛" {
            cards::draw_hourglass(self, palette::MARK, text.at);
        } else {
            self.text(text.look, text.font, text.at, &text.line);
        }
    }
}

/// Straight lines from point to point.
fn polyline(points: &[Point]) -> Vec<Segment> {
    let piece = |(at, point): (usize, &Point)| {
        if at == 0 { Segment::Move(*point) } else { Segment::Line(*point) }
    };
    points.iter().enumerate().map(piece).collect()
}

impl Text {
    pub(crate) fn width(&self) -> f64 {
        self.font.width(&self.line)
    }
}
