//! A picture with a position for everything.

use super::geometry::{Point, Rect, Size, to_measure};
use super::layout::{self, Graph, Net, Port};
use super::metrics::Font;
use super::palette::{self, Look};
use super::picture::{Card, Frame, LegendEntry, Link, LinkEnd, Picture, PictureKind, Tip};
use super::{card, legend};

/// Around everything.
pub(crate) const MARGIN: f64 = 28.0;
/// Inside a frame.
const FRAME_PAD: f64 = 26.0;
/// The heading.
pub(crate) const HEADING: Font = Font::bold(20.0);
/// What the picture is, beside the heading.
pub(crate) const SUBHEADING: Font = Font::regular(13.0);
/// The text beside lines.
pub(crate) const LABEL: Font = Font::bold(11.5);
/// The height of a line of it.
pub(crate) const LABEL_LINE: f64 = 14.0;
/// The texts of the legend.
pub(crate) const LEGEND: Font = Font::regular(12.0);
/// Names in the legend.
pub(crate) const LEGEND_NAME: Font = Font::bold(12.0);
/// The height of a line of the legend.
pub(crate) const LEGEND_LINE: f64 = 16.0;
/// The width of a column of the legend, with the gap after it.
const LEGEND_COLUMN: f64 = 400.0;

/// A picture with a position for everything.
#[derive(Debug)]
pub(crate) struct Scene<'a> {
    pub(crate) picture: &'a Picture,
    pub(crate) size: Size,
    pub(crate) frames: Vec<PlacedFrame<'a>>,
    pub(crate) texts: Vec<TextLine>,
    /// The queries of the legend.
    pub(crate) entries: Vec<PlacedEntry<'a>>,
    /// Where the legend starts.
    pub(crate) rule: Option<f64>,
}

/// A frame with its cards and lines.
#[derive(Debug)]
pub(crate) struct PlacedFrame<'a> {
    pub(crate) frame: &'a Frame,
    pub(crate) rect: Rect,
    pub(crate) cards: Vec<(Rect, &'a Card)>,
    pub(crate) wires: Vec<Wire<'a>>,
}

/// A link with its lines.
#[derive(Debug)]
pub(crate) struct Wire<'a> {
    pub(crate) link: &'a Link,
    /// Which colour, counted; `None` for the neutral one.
    pub(crate) colour: Option<usize>,
    pub(crate) paths: Vec<Vec<Point>>,
    /// The ends with the rectangles of their labels; `true` for those at the top of a card.
    pub(crate) ends: Vec<(Point, Rect, &'a LinkEnd, bool)>,
}

/// A query of the legend with its texts.
#[derive(Debug)]
pub(crate) struct PlacedEntry<'a> {
    pub(crate) entry: &'a LegendEntry,
    pub(crate) texts: Vec<TextLine>,
}

/// A line of text.
#[derive(Debug)]
pub(crate) struct TextLine {
    pub(crate) at: Point,
    pub(crate) font: Font,
    pub(crate) look: Look,
    pub(crate) line: String,
}

impl<'a> Scene<'a> {
    pub(crate) fn new(picture: &'a Picture) -> Self {
        let mut scene = Self {
            picture,
            size: Size { width: 0.0, height: MARGIN },
            frames: Vec::new(),
            texts: Vec::new(),
            entries: Vec::new(),
            rule: None,
        };
        scene.add_heading();
        for frame in &picture.frames {
            scene.add_frame(frame);
        }
        scene.size.width = scene.size.width.max(480.0);
        let right = scene.size.width;
        scene.frames.iter_mut().for_each(|frame| frame.widen(right));
        scene.add_legend();
        scene.add_marks();
        scene.size.height += MARGIN - 10.0;
        scene.size.width += MARGIN;
        scene
    }

    fn add_text(&mut self, at: Point, font: Font, look: Look, text: impl Into<String>) {
        let text = text.into();
        if text.is_empty() {
            return;
        }
        self.size.width = self.size.width.max(at.x + font.width(&text));
        self.texts.push(TextLine { at, font, look, line: text });
    }

    fn add_heading(&mut self) {
        let y = self.size.height + 12.0;
        let title = self.picture.title.clone();
        let x = MARGIN + HEADING.width(&title) + 14.0;
        self.add_text(Point { x: MARGIN, y }, HEADING, palette::HEADING, title);
        self.add_text(Point { x, y }, SUBHEADING, palette::MUTED, legend::heading(self.picture));
        self.size.height += 32.0;
    }

    fn add_frame(&mut self, frame: &'a Frame) {
        let plan = layout::place(&graph(frame));
        let framed = frame.title.is_some();
        let pad = if framed { FRAME_PAD } else { 0.0 };
        let title = if framed { 18.0 } else { 0.0 };
        let corner = Point { x: MARGIN, y: self.size.height };
        let by = Point { x: corner.x + pad, y: corner.y + pad + title };
        let label = frame.title.as_ref().map_or(0.0, |title| 60.0 + LABEL.width(title));
        let size = Size {
            width: plan.size.width.max(label) + 2.0 * pad,
            height: plan.size.height + 2.0 * pad + title,
        };
        let cards = plan.nodes.iter().zip(&frame.cards);
        let mut colours = 0;
        let wires = frame.links.iter().zip(plan.routes).map(|(link, route)| {
            let sources = route.sources.iter().zip(&link.from).map(|end| (end, false));
            let targets = route.targets.iter().zip(&link.to).map(|end| (end, true));
            let ends = sources.chain(targets).map(|((anchor, end), from_above)| {
                (anchor.at.translate(by), anchor.label.translate(by), end, from_above)
            });
            let neutral = link.is_neutral() || self.picture.kind == PictureKind::Entities;
            let colour = (!neutral).then_some(colours);
            colours += usize::from(!neutral);
            let moved =
                |path: Vec<Point>| path.into_iter().map(|point| point.translate(by)).collect();
            let paths = route.paths.into_iter().map(moved).collect();
            Wire { link, colour, paths, ends: ends.collect() }
        });
        let placed = PlacedFrame {
            frame,
            rect: Rect::new(corner, size),
            cards: cards.map(|(rect, card)| (rect.translate(by), card)).collect(),
            wires: wires.collect(),
        };
        self.size.width = self.size.width.max(placed.rect.right());
        self.size.height = placed.rect.bottom() + 26.0;
        self.frames.push(placed);
    }

    /// The queries, in as many columns as fit.
    fn add_legend(&mut self) {
        let entries = &self.picture.legend;
        if entries.is_empty() {
            return;
        }
        self.rule = Some(self.size.height);
        let numbers = entries.iter().map(|entry| LEGEND_NAME.width(&entry.number));
        let indent = numbers.fold(0.0, f64::max) + 14.0;
        let room = self.size.width - MARGIN;
        let columns = ((room + 20.0) / LEGEND_COLUMN).floor().clamp(1.0, 4.0);
        let width = (room / columns).max(LEGEND_COLUMN - 20.0);
        let blocks: Vec<_> =
            entries.iter().map(|entry| (entry, lines(entry, width - indent - 24.0))).collect();
        let heights: Vec<_> =
            blocks.iter().map(|(entry, lines)| block_height(entry, lines)).collect();
        let most = column_height(&heights, columns);
        let top = self.size.height + 28.0;
        let (mut x, mut y, mut lowest) = (MARGIN, top, top);
        for ((entry, lines), own) in blocks.into_iter().zip(heights) {
            if y > top && y + own > top + most + 0.5 {
                (x, y) = (x + width, top);
            }
            self.add_entry(Point { x, y }, indent, entry, lines);
            y += own;
            lowest = f64::max(lowest, y);
        }
        self.size.height = lowest - 8.0;
    }

    fn add_entry(&mut self, at: Point, indent: f64, entry: &'a LegendEntry, lines: Vec<String>) {
        let before = self.texts.len();
        self.add_text(at, LEGEND_NAME, palette::NAME, entry.number.clone());
        let mut at = Point { x: at.x + indent, ..at };
        if !entry.name.is_empty() {
            self.add_text(at, LEGEND_NAME, palette::NAME, entry.name.clone());
            let x = at.x + LEGEND_NAME.width(&entry.name) + 8.0;
            self.add_text(Point { x, ..at }, LEGEND, palette::MUTED, remarks(entry));
            at.y += LEGEND_LINE;
        }
        for line in lines {
            self.add_text(at, LEGEND, palette::MUTED, line);
            at.y += LEGEND_LINE;
        }
        let texts = self.texts.split_off(before);
        self.entries.push(PlacedEntry { entry, texts });
    }

    /// What the marks mean, in lines.
    fn add_marks(&mut self) {
        let marks = legend::marks(self.picture);
        if marks.is_empty() {
            return;
        }
        self.rule.get_or_insert(self.size.height);
        let right = self.size.width;
        let mut at = Point { x: MARGIN, y: self.size.height + 24.0 };
        for (mark, text) in marks {
            let gap = card::MARK.width(mark) + 6.0;
            let own = gap + card::TYPE.width(text) + 20.0;
            if at.x > MARGIN && at.x + own - 20.0 > right {
                at = Point { x: MARGIN, y: at.y + LEGEND_LINE };
            }
            self.add_text(at, card::MARK, palette::MARK, mark);
            self.add_text(Point { x: at.x + gap, ..at }, card::TYPE, palette::MUTED, text);
            at.x += own;
        }
        self.size.height = at.y + 10.0;
    }
}

impl PlacedFrame<'_> {
    /// Extends the frame to the right, what is in it in the middle.
    fn widen(&mut self, right: f64) {
        let more = (right - self.rect.right()).max(0.0);
        // A picture without a frame stays under its heading.
        let by = Point { x: if self.frame.title.is_some() { more / 2.0 } else { 0.0 }, y: 0.0 };
        self.rect.width += more;
        for (rect, _) in &mut self.cards {
            *rect = rect.translate(by);
        }
        for wire in &mut self.wires {
            wire.paths.iter_mut().flatten().for_each(|point| *point = point.translate(by));
            for (at, label, ..) in &mut wire.ends {
                *at = at.translate(by);
                *label = label.translate(by);
            }
        }
    }
}

/// The rate of a query, and whether it is refused.
fn remarks(entry: &LegendEntry) -> String {
    let remarks = [(!entry.rate.is_empty(), &*entry.rate), (entry.table.is_none(), "no table")];
    let remarks: Vec<_> = remarks.iter().filter(|remark| remark.0).map(|remark| remark.1).collect();
    remarks.join(" · ")
}

/// The sentence of a query in lines.
fn lines(entry: &LegendEntry, width: f64) -> Vec<String> {
    let remarks = remarks(entry);
    if entry.name.is_empty() && !remarks.is_empty() {
        return LEGEND.wrap(&format!("{} · {remarks}", entry.description), width);
    }
    LEGEND.wrap(&entry.description, width)
}

fn block_height(entry: &LegendEntry, lines: &[String]) -> f64 {
    to_measure(lines.len() + usize::from(!entry.name.is_empty())) * LEGEND_LINE + 8.0
}

/// The least height of a column such that these blocks, in their order, fit into so many columns.
fn column_height(heights: &[f64], columns: f64) -> f64 {
    let total: f64 = heights.iter().sum();
    let tallest = heights.iter().copied().fold(0.0, f64::max);
    let mut most = (total / columns).max(tallest);
    loop {
        let mut used = 1.0;
        let mut filled = 0.0;
        for own in heights {
            if filled > 0.0 && filled + own > most + 0.5 {
                used += 1.0;
                filled = 0.0;
            }
            filled += own;
        }
        if used <= columns || most >= total {
            return most;
        }
        most += LEGEND_LINE / 2.0;
    }
}

/// The graph of a frame, as input of the layout.
fn graph(frame: &Frame) -> Graph {
    let port = |end: &LinkEnd| Port {
        node: end.card,
        label: label_size(&end.label),
        tip: tip_length(end.tip),
    };
    let net = |link: &Link| Net {
        sources: link.from.iter().map(port).collect(),
        targets: link.to.iter().map(port).collect(),
    };
    Graph {
        nodes: frame.cards.iter().map(card::size).collect(),
        nets: frame.links.iter().map(net).collect(),
    }
}

fn label_size(lines: &[String]) -> Size {
    let width = lines.iter().map(|line| LABEL.width(line)).fold(0.0, f64::max);
    Size { width, height: to_measure(lines.len()) * LABEL_LINE }
}

/// The straight line that a tip needs.
fn tip_length(tip: Tip) -> f64 {
    match tip {
        Tip::Plain => 0.0,
        Tip::Arrow => 16.0,
        Tip::One | Tip::ZeroOrOne | Tip::Many | Tip::Supertype => 24.0,
    }
}
