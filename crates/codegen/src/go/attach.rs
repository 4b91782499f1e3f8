//! Lookups for each row.

use super::fetch::{GoFetch, GoStep, write_arguments};
use super::format::GoLines;
use super::scope::{GoColumn, GoTurn, read_column};
use super::stage::{GoRows, GoStages, zero_if_null};
use crate::program::{AttachedPart, Repetition, Stage};

impl<'p> GoStages<'p> {
    /// Runs a step for each row and adds the result.
    pub(super) fn write_attach(
        &self,
        step: usize,
        part: &AttachedPart,
        at: usize,
        rows: GoRows<'p>,
    ) -> GoLines {
        let mut lines = GoLines::default();
        let (Some(GoStep { fetch: Some(fetch), statement }), Some(Some(row))) =
            (self.steps.get(step), self.scope.steps.get(step))
        else {
            return lines;
        };
        let variable = rows.variable;
        let mut scope = self.scope.with_current("item", rows.row);
        let leading =
            fetch.repetitions.iter().take_while(|it| matches!(it, Repetition::Rows(_))).count();
        scope.turns = vec![GoTurn::Current; leading];
        let found = format!("lookups{at}");
        let mut run = GoLines::default();
        if leading == fetch.repetitions.len() {
            let arguments = write_arguments(&scope, &fetch.values, "return nil");
            run.append(arguments.before);
            run.add(format!(
                "{found}[at], err = fetchItems[{}](ctx, c, {statement}{})",
                row.name, arguments.texts
            ));
        } else {
            let none = GoLines::default();
            let job =
                GoFetch { fetch, row, steps: self.steps, statement, after: &none, limit: None };
            let body = job.write_streams(&scope, leading);
            run.block(format!("streams, err := func() ([][]*{}, error) {{", row.name), body, "}()");
            run.add(format!("{found}[at] = slices.Concat(streams...)"));
        }
        run.add("return err");
        if run.has_use("item") {
            let mut all = GoLines::default();
            all.add(format!("item := {variable}[at]")).append(run);
            run = all;
        }
        lines.add(format!("{found} := make([][]*{}, len({variable}))", row.name));
        lines.block(
            format!("err = parallel(ctx, c, len({variable}), func(ctx context.Context, at int) (err error) {{"),
            run,
            "})",
        );
        lines.add("if err != nil {").add(self.fail).add("}");
        lines.append(self.write_part(part, &found, at, (step, fetch.optional), rows));
        lines
    }

    /// Adds what a lookup returned to the rows.
    fn write_part(
        &self,
        part: &AttachedPart,
        found: &str,
        stage: usize,
        (step, is_optional): (usize, bool),
        rows: GoRows<'p>,
    ) -> GoLines {
        let mut lines = GoLines::default();
        let Some(Some(lookup)) = self.scope.steps.get(step) else { return lines };
        let head = format!("for at, item := range {} {{", rows.variable);
        let columns: Vec<(&GoColumn, &GoColumn)> = lookup
            .columns
            .iter()
            .filter_map(|from| Some((rows.row.column(&from.column)?, from)))
            .collect();
        match part {
            AttachedPart::Columns => {
                let mut copy = GoLines::default();
                for (into, from) in columns {
                    if !self.is_there(&into.column, stage) {
                        copy.add(format!("item.{} = {found}[at][0].{}", into.field, from.field));
                    }
                }
                let mut inside = GoLines::default();
                if is_optional {
                    inside.block(format!("if len({found}[at]) > 0 {{"), copy.clone(), "}");
                    if !copy.is_empty() {
                        lines.block(head, inside, "}");
                    }
                    return lines;
                }
                copy.add("kept = append(kept, item)");
                inside.block(format!("if len({found}[at]) > 0 {{"), copy, "}");
                let mut block = GoLines::default();
                block.add(format!("kept := {}[:0]", rows.variable));
                block.block(head, inside, "}").add(format!("{} = kept", rows.variable));
                lines.block("{", block, "}");
            }
            AttachedPart::Counters(names) => {
                let mut copy = GoLines::default();
                for (into, from) in &columns {
                    copy.add(format!("item.{} = {found}[at][0].{}", into.field, from.field));
                    copy.append(zero_if_null(into));
                }
                let mut inside = GoLines::default();
                inside.block(format!("if len({found}[at]) > 0 {{"), copy, "}");
                for into in names.iter().filter_map(|name| rows.row.column(name)) {
                    inside.append(zero_if_null(into));
                }
                lines.block(head, inside, "}");
            }
            AttachedPart::Elements(names) => {
                let Some(first) = lookup.columns.first() else { return lines };
                for into in names.iter().filter_map(|name| rows.row.column(name)) {
                    lines.block(head.clone(), self.write_elements(into, first, found), "}");
                }
            }
        }
        lines
    }

    /// Fills an array with the values of the only column of a lookup.
    fn write_elements(&self, into: &GoColumn, first: &GoColumn, found: &str) -> GoLines {
        let element = into.ty.element().unwrap_or(&first.ty);
        let value = read_column("lookup", first);
        let known = self.scope.convert(&value.find_known(), element);
        let mut add = GoLines::default();
        add.add(format!("if {} {{", value.print_presence_test()));
        add.add(format!("item.{0} = append(item.{0}, {1})", into.field, known.text));
        add.add("}");
        let mut inside = GoLines::default();
        inside.add(format!("item.{} = nil", into.field));
        inside.block(format!("for _, lookup := range {found}[at] {{"), add, "}");
        inside
    }

    /// Whether the rows have a column before a stage: then a lookup does not change it.
    fn is_there(&self, name: &str, stage: usize) -> bool {
        let has = |step: usize| {
            let fetch = self.steps.get(step).and_then(|step| step.fetch);
            fetch.is_some_and(|fetch| fetch.statement.columns.iter().any(|it| it.name == name))
        };
        let mut open = vec![self.query.main];
        while let Some(step) = open.pop() {
            if has(step) {
                return true;
            }
            let fetch = self.steps.get(step).and_then(|step| step.fetch);
            open.extend(
                fetch.into_iter().flat_map(|fetch| &fetch.parents).filter(|it| **it < step),
            );
        }
        self.query
            .stages
            .iter()
            .take(stage)
            .any(|before| matches!(before, Stage::Attach { step, .. } if has(*step)))
    }
}
