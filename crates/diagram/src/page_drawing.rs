//! A picture as part of a page.

/// A picture as SVG that is part of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageDrawing {
    /// The style sheet; its classes are for the drawing only.
    pub style: String,
    /// The `<svg>` element.
    pub body: String,
}
