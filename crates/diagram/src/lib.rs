//! Diagrams: the Chebotko diagram of a design or a schema, the entities and relationships of a model
//! file, the workflow of the application, the data flow of a design, and what changes between two
//! designs; each as SVG, PNG, PDF, Mermaid and plain text.
//!
//! [`chebotko`], [`chebotko_of_catalog`], [`entities`], [`workflow`], [`data_flow`] and [`changes`]
//! build a [`Picture`]: cards, links and a legend, without positions. The forms are rendered from
//! it: `text` and `mermaid` directly; for `svg`, `png` and `pdf` the layered layout (`layout`) gives
//! everything a position in a `scene`, which `canvas` turns into shapes. Text is measured and drawn
//! with the fonts that the program contains (`typeface`), so pictures are the same on every machine.

#![cfg_attr(test, expect(clippy::disallowed_methods, reason = "tests have files and clocks"))]

mod canvas;
mod card;
mod catalog;
mod changes;
mod chebotko;
mod data_flow;
mod entities;
mod geometry;
mod layout;
mod legend;
mod marks;
mod mermaid;
mod metrics;
mod page_drawing;
mod palette;
mod pdf;
mod picture;
mod png;
mod read_summary;
mod scene;
mod statement_cards;
mod steps;
mod svg;
#[cfg(test)]
mod tests;
mod text;
mod transitions;
mod typeface;
mod usage;
mod user_types;
mod write_summary;

pub use catalog::chebotko_of_catalog;
pub use changes::changes;
pub use chebotko::chebotko;
pub use data_flow::data_flow;
pub use entities::entities;
pub use page_drawing::PageDrawing;
pub use picture::{
    Card, CardKind, CardRow, Change, Frame, LegendEntry, Level, Link, LinkEnd, Picture,
    PictureKind, RowKind, Tip,
};
pub use steps::workflow;
use svg::TextForm;

impl Picture {
    /// The picture as an SVG document. Its texts have the lengths of the embedded fonts.
    pub fn svg(&self) -> String {
        svg::document(&self.drawing(), TextForm::Text)
    }

    /// The picture as an SVG document with its texts as outlines: the same in every viewer, also
    /// where it has other fonts or ignores lengths.
    pub fn svg_outlines(&self) -> String {
        svg::document(&self.drawing(), TextForm::Outlines)
    }

    /// The picture as a PNG file.
    pub fn png(&self) -> Vec<u8> {
        png::file(&self.drawing())
    }

    /// The picture as a PDF file of one page.
    pub fn pdf(&self) -> Vec<u8> {
        pdf::file(&self.drawing())
    }

    /// The characters that PNG, PDF and outlines show as boxes: the embedded fonts have none for
    /// them.
    pub fn missing_characters(&self) -> Vec<char> {
        self.drawing().missing_characters()
    }

    fn drawing(&self) -> canvas::Drawing {
        canvas::draw(&scene::Scene::new(self))
    }

    /// The picture as SVG that is part of a page.
    pub fn page_drawing(&self) -> PageDrawing {
        svg::page_drawing(&self.drawing())
    }

    /// The picture as a Mermaid diagram, without a fence around it.
    pub fn mermaid(&self) -> String {
        mermaid::diagram(self)
    }

    /// A page of Markdown: the Mermaid diagram in a fence, then the queries and marks.
    pub fn markdown(&self) -> String {
        mermaid::page(self)
    }

    /// The picture as plain text, at most so many columns wide (and not narrower than 40).
    pub fn text(&self, columns: usize) -> String {
        text::page(self, columns)
    }
}
