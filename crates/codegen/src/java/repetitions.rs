//! The loops in which statements are sent.

use super::expressions::{JavaScope, print_width};
use crate::program::{
    BucketWidth, Expression, ExpressionKind, Fetch, Repetition, RowReference, Walk,
};

impl JavaScope<'_> {
    /// The field of a step's statement.
    pub(super) fn statement(&self, function: &str, fetch: &Fetch) -> String {
        let types: Vec<_> = fetch.values.iter().map(|value| value.ty.clone()).collect();
        self.context.statement(function, &fetch.statement, &types, Vec::new())
    }

    /// Values after other arguments.
    pub(super) fn print_values(&self, values: &[Expression]) -> String {
        values.iter().map(|value| format!(", {}", self.print(value))).collect()
    }

    /// The class of the variable of a repetition.
    pub(super) fn turn_class(&self, repetition: &Repetition) -> String {
        match repetition {
            Repetition::Values(_, ty) | Repetition::Elements(_, ty) => self.context.to_boxed(ty),
            Repetition::Shards(_) => "Integer".to_owned(),
            Repetition::Buckets(walk) => self.context.to_boxed(&walk.width.data_type()),
            Repetition::Rows(step) => format!("Row{step}"),
        }
    }

    /// The head of the loop over the turns of a repetition. A walk visits all buckets whose ends
    /// were read before.
    pub(super) fn print_loop(&self, at: usize, repetition: &Repetition) -> String {
        let class = self.turn_class(repetition);
        let turns = match repetition {
            Repetition::Values(values, _) => {
                let values: Vec<_> = values.iter().map(|value| self.print(value)).collect();
                format!("Values.distinct(Values.<{class}>listOf({}))", values.join(", "))
            }
            Repetition::Elements(array, _) => format!("Values.distinct({})", self.print(array)),
            Repetition::Shards(count) => format!("Values.shards({count})"),
            Repetition::Rows(step) => format!("rows{step}"),
            Repetition::Buckets(walk) => self.print_buckets(at, walk),
        };
        format!("for ({class} turn{at} : {turns}) {{")
    }

    fn print_buckets(&self, at: usize, walk: &Walk) -> String {
        let end = |name: &Option<String>| {
            let (Some(step), Some(name)) = (walk.ends, name) else { return "null".to_owned() };
            let ty =
                self.steps.get(step).and_then(Option::as_ref).and_then(|step| {
                    step.fetch.statement.columns.iter().find(|it| it.name == *name)
                });
            let Some(field) = ty else { return "null".to_owned() };
            let row = self.find_row(at, step);
            let value = self.print(&Expression {
                ty: field.ty.clone(),
                kind: ExpressionKind::Column { row, name: name.clone() },
            });
            format!("{}.numberOfColumn({value})", print_width(walk.width))
        };
        let (oldest, newest) = (end(&walk.oldest_column), end(&walk.newest_column));
        let calls = self.walk_calls(walk).concat();
        let width = print_width(walk.width);
        let numbers = format!(
            "new AccessSupport.Walk({width}, {}, support.now()){calls}.numbers(new AccessSupport.Ends({oldest}, {newest}))",
            walk.newest_first
        );
        match walk.width {
            BucketWidth::Range(_) => numbers,
            BucketWidth::Hours(_) => format!("{numbers}.stream().map({width}::time).toList()"),
            _ => format!("{numbers}.stream().map({width}::date).toList()"),
        }
    }

    /// The row of a step: that of the innermost repetition over its rows, else its first.
    fn find_row(&self, before: usize, step: usize) -> RowReference {
        let around = self.repetitions.iter().enumerate().take(before);
        let found = around.rev().find(|(_, it)| matches!(it, Repetition::Rows(of) if *of == step));
        found.map_or(RowReference::First(step), |(at, _)| RowReference::Turn(at, Vec::new()))
    }

    /// What is known of the ends of a walk.
    pub(super) fn walk_calls(&self, walk: &Walk) -> Vec<String> {
        let mut calls = Vec::new();
        if let Some(from) = &walk.from {
            calls.push(format!(".from({})", self.print(from)));
        }
        if let Some(to) = &walk.to {
            calls.push(format!(".to({})", self.print(to)));
        }
        if let Some(millis) = walk.retention_ms {
            calls.push(format!(".retention(support.now().minusMillis({millis}L))"));
        }
        if walk.newest_column.is_some() {
            calls.push(".needsEnds()".to_owned());
        }
        calls
    }
}
