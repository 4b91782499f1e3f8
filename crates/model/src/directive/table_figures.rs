//! The directives of a table together: rows, growth, retention.

use cql::Diagnostic;

use super::{Directive, DirectiveKind, EachFigures};
use crate::concept::{Entity, Figure, Growth};
use crate::diagnostics::error;

/// What the directives of a table say.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct TableFigures {
    rows: Option<f64>,
    growth: Option<Growth>,
    retain: Option<f64>,
    /// Rows of a partition, in a schema.
    pub(crate) each: Option<EachFigures>,
}

impl TableFigures {
    /// The figures of the directives, and what contradicts itself. Rows are deleted after
    /// `retain` seconds unless a directive says otherwise.
    pub(crate) fn new(directives: &[Directive], retain: Option<f64>) -> (Self, Vec<Diagnostic>) {
        let mut figures = Self { retain, ..Self::default() };
        let (mut dated, mut grows) = (None, None);
        for directive in directives {
            match directive.kind {
                DirectiveKind::Rows(rows) => {
                    figures.rows = Some(rows.today);
                    figures.growth = rows.growth.or(figures.growth);
                    dated = rows.growth.map(|growth| (growth, directive.span));
                }
                DirectiveKind::Grows(growth) => {
                    figures.growth = figures.growth.or(Some(growth));
                    grows = Some(directive.span);
                }
                DirectiveKind::Retain(seconds) => figures.retain = Some(seconds),
                DirectiveKind::Each(each) => figures.each = Some(each),
                _ => {}
            }
        }
        let mut errors = Vec::new();
        if let (Some(_), Some(span)) = (dated, grows) {
            let message = "@grows and @rows both give the growth";
            errors.push(error("MF106", span, message, "remove one of them"));
        }
        if let (Some((growth, span)), Some(_)) = (dated, figures.retain)
            && !(growth.curve.is_linear() || growth.curve.is_by_rates())
        {
            let message = "@rows gives dates, but the rows of the table expire";
            let help = "write @grows: the rows that expire are as many as those added";
            errors.push(error("MF106", span, message, help));
        }
        (figures, errors)
    }

    /// Gives an entity its figures.
    pub(crate) fn apply_to(&self, entity: &mut Entity) {
        if let Some(rows) = self.rows {
            entity.rows = Figure::from_input(rows);
        }
        if let Some(growth) = self.growth {
            entity.grows = Figure::from_input(growth.daily);
            entity.curve = growth.curve;
        }
        entity.retain = self.retain;
    }
}
