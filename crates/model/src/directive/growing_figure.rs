//! Figures that may grow: `@rows 1k, 50k in 6 months, 500k in 1 year`, `@items 10 grows 5/day`,
//! `@grows 100k/day, 1M/day from 6 months`.

use cql::Diagnostic;

use super::arguments::{Arguments, ParseResult};
use crate::concept::{Attribute, DATES_MAX, DAY, FanOutCourse, Figure, Growth};
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
        return Ok(GrowingFigure { today, growth: Some(parse_rates(arguments)?) });
    }
    Ok(GrowingFigure { today, growth: parse_dates(arguments, today)? })
}

/// A rate, followed by others and the times from which they hold.
pub(super) fn parse_rates(arguments: &mut Arguments<'_, '_>) -> ParseResult<Growth> {
    let first = parse_daily(arguments)?;
    parse_steps(arguments, first)
}

/// The course of a fan-out, a figure or a rate, by what follows it; and its figure: per day where it
/// grows.
pub(super) fn parse_course(
    arguments: &mut Arguments<'_, '_>,
    (mean, per): (f64, Option<f64>),
) -> ParseResult<Option<(f64, FanOutCourse)>> {
    if let Some(seconds) = per {
        let Growth { daily, curve } = parse_steps(arguments, mean * DAY / seconds)?;
        let course = FanOutCourse { today: None, curve };
        return Ok((!curve.is_linear()).then_some((daily, course)));
    }
    let growth = parse_dates(arguments, mean)?.filter(|growth| growth.daily > 0.0);
    let course = |Growth { daily, curve }| (daily, FanOutCourse { today: Some(mean), curve });
    Ok(growth.map(course))
}

fn parse_daily(arguments: &mut Arguments<'_, '_>) -> ParseResult<f64> {
    arguments.parse_rate().map(|(count, seconds)| count * DAY / seconds)
}

/// The rates that follow a first one, which is per day.
fn parse_steps(arguments: &mut Arguments<'_, '_>, first: f64) -> ParseResult<Growth> {
    let mut steps = Vec::new();
    while arguments.is_followed_by("from") && arguments.take_comma() {
        let rate = parse_daily(arguments)?;
        arguments.take_keyword("from");
        steps.push((arguments.parse_duration()? / DAY, rate));
    }
    Growth::from_rates(first, &steps).ok_or_else(|| {
        let name = arguments.directive.text;
        let help = format!("write {name} 100k/day, 1M/day from 6 months");
        let message = format!("the dates of {name} do not ascend");
        Box::new(course_error(arguments, steps.len(), message, help))
    })
}

/// The figures at dates that follow one of today; `None` where there are none.
fn parse_dates(arguments: &mut Arguments<'_, '_>, today: f64) -> ParseResult<Option<Growth>> {
    let mut dates = Vec::new();
    while arguments.is_followed_by("in") && arguments.take_comma() {
        let figure = arguments.parse_number()?;
        arguments.take_keyword("in");
        dates.push((arguments.parse_duration()? / DAY, figure));
    }
    if dates.is_empty() {
        return Ok(None);
    }
    let growth = Growth::from_dates(today, &dates).ok_or_else(|| {
        let name = arguments.directive.text;
        let help = format!("write {name} 1k, 50k in 6 months, 500k in 1 year");
        let message = format!("the figures or dates of {name} do not ascend");
        Box::new(course_error(arguments, dates.len(), message, help))
    })?;
    Ok(Some(growth))
}

/// What is wrong with so many dates: that they are too many, or else this.
fn course_error(
    arguments: &Arguments<'_, '_>,
    dates: usize,
    message: String,
    help: String,
) -> Diagnostic {
    let (message, help) = if dates > DATES_MAX {
        let name = arguments.directive.text;
        (format!("{name} has too many dates"), format!("write at most {DATES_MAX} dates"))
    } else {
        (message, help)
    };
    error("MF106", arguments.span(), message, help)
}
