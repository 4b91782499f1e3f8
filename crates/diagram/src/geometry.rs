//! Points, sizes and rectangles; x grows to the right and y downwards.

/// A position.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Point {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

/// A width and a height.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Size {
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// A rectangle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Rect {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// A piece of an outline; a curve has one control point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Segment {
    Move(Point),
    Line(Point),
    Quad(Point, Point),
    Close,
}

impl Point {
    #[must_use]
    pub(crate) fn translate(self, by: Self) -> Self {
        Self { x: self.x + by.x, y: self.y + by.y }
    }
}

impl Rect {
    pub(crate) fn new(at: Point, size: Size) -> Self {
        Self { x: at.x, y: at.y, width: size.width, height: size.height }
    }

    pub(crate) fn right(&self) -> f64 {
        self.x + self.width
    }

    pub(crate) fn bottom(&self) -> f64 {
        self.y + self.height
    }

    #[must_use]
    pub(crate) fn translate(self, by: Point) -> Self {
        Self { x: self.x + by.x, y: self.y + by.y, ..self }
    }
}

/// A count as a measure.
pub(crate) fn to_measure(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}
