//! The methods of the stages of a query: lookups, order, and what is kept of the rows.

use crate::program::{AttachedPart, Query, Repetition, Stage};

use super::expression::RustExpressions;
use super::fetch::print_values;
use super::query::RustQuery;
use super::repetition::print_loops;
use super::scope::RustScope;
use super::types::is_copied;
use super::writer::RustWriter;

impl RustQuery<'_> {
    /// The methods of the stages.
    pub(super) fn print_stages(&self, out: &mut RustWriter, scope: &RustScope<'_>) {
        let query = self.query;
        let mut stages = self.stages.restart();
        let mut present = present_columns(query);
        for (at, stage) in query.stages.iter().enumerate() {
            match stage {
                Stage::Sort(keys) | Stage::Merge(keys) => stages.print_order(out, scope, at, keys),
                Stage::Attach { step, part } => {
                    self.print_attach(out, scope, *step, part, &present);
                    if let Some(found) = self.steps.get(*step) {
                        present.extend(found.record.fields.iter().map(|it| it.column.clone()));
                    }
                }
                Stage::Aggregate { .. } => stages.is_aggregated = true,
                _ => {}
            }
        }
        if query.row_stages == 0 {
            return;
        }
        stages.is_aggregated = false;
        out.blank();
        let row = &self.stages.row.name;
        out.call(
            "async fn keep",
            &["&self".to_owned(), format!("rows: Vec<{row}>")],
            &format!(" -> Result<Vec<{row}>, AccessError> {{"),
        );
        let mut printer = RustExpressions::new(scope, out.depth() + 1);
        for (at, stage) in query.stages.iter().enumerate().take(query.row_stages) {
            stages.print(&mut printer, at, stage);
        }
        printer.out.line("Ok(rows)");
        out.append(&printer.into_state().text);
        out.line("}");
    }

    /// The methods of a lookup.
    fn print_attach(
        &self,
        out: &mut RustWriter,
        scope: &RustScope<'_>,
        step: usize,
        part: &AttachedPart,
        present: &[String],
    ) {
        let (Some(fetch), Some(found), Some(statement)) =
            (self.query.steps.get(step), self.steps.get(step), self.statements.get(step))
        else {
            return;
        };
        let row = &self.stages.row.name;
        out.blank();
        out.call(
            &format!("async fn attach{step}"),
            &["&self".to_owned(), format!("mut row: {row}")],
            &format!(" -> Result<Option<{row}>, AccessError> {{"),
        );
        let mut printer = RustExpressions::new(scope, out.depth() + 1);
        printer.out.line(format!("let found = self.lookup{step}(&row).await?;"));
        self.stages.print_part(&mut printer, &found.record, part, present, fetch.optional);
        printer.out.line("Ok(Some(row))");
        out.append(&printer.into_state().text);
        out.line("}").blank();
        let mut scope = scope.clone();
        scope.current = Some(("row".to_owned(), self.stages.row.clone()));
        let mut printer = RustExpressions::new(&scope, out.depth() + 1);
        if fetch.repetitions.iter().all(|of| matches!(of, Repetition::Rows(_))) {
            let values = print_values(&mut printer, fetch, statement);
            printer.out.line(format!("self.core.fetch(statement, {values}).await"));
        } else {
            printer.out.line("let mut turns = Vec::new();");
            print_loops(&mut printer, &fetch.repetitions, 0, &mut |nested| {
                super::read::print_turn_values(nested, fetch);
            });
            printer.out.assign("let statement", &format!("&{statement}"));
            printer.out.line("let run = |cells: Vec<Cell>| self.core.fetch(statement, cells);");
            printer.out.line("let concurrency = self.core.options.concurrency;");
            printer.out.line("Ok(join_streams(run_all(concurrency, turns, run).await?))");
        }
        let inside = printer.into_state().text;
        let unused = if inside.contains("row.") { "" } else { "_" };
        out.call(
            &format!("async fn lookup{step}"),
            &["&self".to_owned(), format!("{unused}row: &{row}")],
            &format!(" -> Result<Vec<{}>, AccessError> {{", found.record.name),
        );
        out.append(&inside);
        out.line("}");
    }

    /// The columns that a row of the main step has from the rows under which it was read.
    pub(super) fn list_copies(&self, scope: &RustScope<'_>) -> Vec<(String, String)> {
        let Some(main) = self.query.steps.get(self.query.main) else { return Vec::new() };
        let mut seen: Vec<String> =
            main.statement.columns.iter().map(|column| column.name.clone()).collect();
        let mut whole = scope.clone();
        let turns = main.repetitions.iter().enumerate();
        whole.turns = turns.map(|(at, of)| super::repetition::turn(scope, at, of).0).collect();
        let mut copies = Vec::new();
        let rows = main.repetitions.iter().enumerate();
        for (at, of) in rows {
            if let Repetition::Rows(step) = of {
                self.copy_from(&whole, (at, Vec::new(), *step), &mut seen, &mut copies);
            }
        }
        copies
    }

    fn copy_from(
        &self,
        scope: &RustScope<'_>,
        (at, path, step): (usize, Vec<usize>, usize),
        seen: &mut Vec<String>,
        copies: &mut Vec<(String, String)>,
    ) {
        let Some(found) = self.steps.get(step).filter(|_| path.len() < self.steps.len()) else {
            return;
        };
        for field in &found.record.fields {
            if seen.contains(&field.column) {
                continue;
            }
            seen.push(field.column.clone());
            let Some(target) = self.stages.row.field(&field.column) else { continue };
            let Some((row, _)) = scope.turn_row(at, &path) else { continue };
            let copy = if is_copied(&field.ty) { "" } else { ".clone()" };
            let code = match row.strip_prefix("Some(&").and_then(|it| it.strip_suffix(')')) {
                Some(row) => format!("{row}.{}{copy}", field.name),
                None => format!("{row}.and_then(|row| row.{}{copy})", field.name),
            };
            copies.push((target.name.clone(), code));
        }
        for (position, parent) in found.parents.iter().enumerate() {
            let path = [path.clone(), vec![position]].concat();
            self.copy_from(scope, (at, path, *parent), seen, copies);
        }
    }
}

/// The columns that rows of the main step have from the beginning.
fn present_columns(query: &Query) -> Vec<String> {
    fn add(query: &Query, at: usize, depth: usize, present: &mut Vec<String>) {
        let Some(step) = query.steps.get(at).filter(|_| depth > 0) else { return };
        present.extend(step.statement.columns.iter().map(|column| column.name.clone()));
        for parent in &step.parents {
            add(query, *parent, depth - 1, present);
        }
    }
    let mut present = Vec::new();
    add(query, query.main, query.steps.len() + 1, &mut present);
    present
}
