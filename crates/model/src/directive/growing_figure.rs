//! Figures that may grow: `@rows 1k, 50k in 6 months, 500k in 1 year`, `@items 10 grows 5/day`.

use super::arguments::{Arguments, ParseResult};
use crate::concept::{Attribute, DATES_MAX, DAY, Figure, Growth};
use crate::diagnostics::error;

/// A figure of today, and its growth where it is given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GrowingFigure {
    /// Today.
    pub today: f64,
    /// Its growth.
    pub growth: Option<Growth>,
}

impl From<f64> for GrowingFigure {
    fn from(today: f64) -> Self {
        Self { today, growth: None }
    }
}

impl GrowingFigure {
    /// Gives the elements of an array.
    pub(crate) fn apply_to(self, attribute: &mut Attribute) {
        attribute.items = Figure::from_input(self.today);
        attribute.items_growth = self.growth.unwrap_or_default();
    }
}

/// A number, followed by `grows` and a rate or by numbers at dates.
pub(super) fn parse(arguments: &mut Arguments<'_, '_>) -> ParseResult<GrowingFigure> {
    let today = arguments.parse_number()?;
    if arguments.take_keyword("grows") {
        let (count, seconds) = arguments.parse_rate()?;
        return Ok(GrowingFigure { today, growth: Some(Growth::linear(count * DAY / seconds)) });
    }
    let mut dates = Vec::new();
    while arguments.is_dated() && arguments.take_comma() {
        let figure = arguments.parse_number()?;
        arguments.take_keyword("in");
        dates.push((arguments.parse_duration()? / DAY, figure));
    }
    if dates.is_empty() {
        return Ok(GrowingFigure { today, growth: None });
    }
    let growth = Growth::from_dates(today, &dates).ok_or_else(|| {
        let name = arguments.directive.text;
        let (message, help) = if dates.len() > DATES_MAX {
            (format!("{name} has too many dates"), format!("write at most {DATES_MAX} dates"))
        } else {
            let help = format!("write {name} 1k, 50k in 6 months, 500k in 1 year");
            (format!("the figures or dates of {name} do not ascend"), help)
        };
        Box::new(error("MF106", arguments.span(), message, help))
    })?;
    Ok(GrowingFigure { today, growth: Some(growth) })
}
