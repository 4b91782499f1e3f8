//! Diagrams: the Chebotko diagram of a design, the diagram of a schema and the entity-relationship
//! diagram, each as SVG, as Mermaid and as plain text.
//!
//! [`chebotko`], [`chebotko_of_catalog`] and [`entities`] build a [`Picture`]: cards, links and a
//! legend, without positions. The three forms are rendered from it: `text` and `mermaid` directly,
//! `svg` from a `scene` in which the layered layout (`layout`) gave everything a position.

#![cfg_attr(test, expect(clippy::disallowed_methods, reason = "tests have files and clocks"))]

mod card;
mod catalog;
mod chebotko;
mod entities;
mod geometry;
mod layout;
mod legend;
mod marks;
mod mermaid;
mod metrics;
mod picture;
mod read_summary;
mod scene;
mod svg;
#[cfg(test)]
mod tests;
mod text;
mod user_types;
mod workflow;

pub use catalog::chebotko_of_catalog;
pub use chebotko::chebotko;
pub use entities::entities;
pub use picture::{
    Card, CardKind, CardRow, Frame, LegendEntry, Level, Link, LinkEnd, Picture, PictureKind,
    RowKind, Tip,
};

impl Picture {
    /// The picture as an SVG document.
    pub fn svg(&self) -> String {
        svg::document(&scene::Scene::new(self))
    }

    /// The picture as a Mermaid diagram, without a fence around it.
    pub fn mermaid(&self) -> String {
        mermaid::diagram(self)
    }

    /// A page of Markdown: the Mermaid diagram in a fence, then the queries and marks.
    pub fn markdown(&self) -> String {
        mermaid::page(self)
    }

    /// The picture as plain text, at most 100 columns wide.
    pub fn text(&self) -> String {
        text::page(self)
    }
}
