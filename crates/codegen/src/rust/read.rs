//! Steps whose rows later steps use.

use crate::program::{DataType, Fetch, Repetition};

use super::expression::RustExpressions;
use super::scope::RustStep;
use super::writer::RustWriter;

/// The method that reads all rows of a step.
pub(super) fn print_read(out: &mut RustWriter, steps: &[RustStep], at: usize, fetch: &Fetch) {
    let Some(step) = steps.get(at) else { return };
    let name = &step.record.name;
    out.blank();
    out.open(format!("async fn read{at}(&self) -> Result<Vec<Arc<{name}>>, AccessError> {{"));
    let mutable = if fetch.optional { "mut " } else { "" };
    if fetch.repetitions.is_empty() {
        out.line(format!("let {mutable}rows = self.fetch{at}().await?;"));
    } else {
        out.line(format!("let {mutable}rows = join_streams(self.collect{at}_0().await?);"));
    }
    if fetch.optional {
        print_missing(out, name, fetch);
    }
    out.line("Ok(rows.into_iter().map(Arc::new).collect())").close("}");
}

/// A row of nulls where a step found none.
fn print_missing(out: &mut RustWriter, name: &str, fetch: &Fetch) {
    let Some(Repetition::Rows(parent)) = fetch.repetitions.first() else {
        out.open("if rows.is_empty() {");
        out.line(format!("rows.push({name}::default());")).close("}");
        return;
    };
    out.open(format!("for parent in &self.step{parent} {{"));
    out.open(format!("let is_under = |row: &{name}| {{"));
    out.line("row.parent0.as_ref().is_some_and(|own| Arc::ptr_eq(own, parent))").close("};");
    out.open("if !rows.iter().any(is_under) {");
    out.line("let parent0 = Some(Arc::clone(parent));");
    let fields = ["parent0".to_owned(), "..Default::default()".to_owned()];
    out.structure(&format!("let row = {name}"), &fields, ";");
    out.line("rows.push(row);").close("}").close("}");
}

/// Adds the values of a statement at a turn to `turns`, unless one is null.
pub(super) fn print_turn_values(printer: &mut RustExpressions<'_, '_>, fetch: &Fetch) {
    let mut values = Vec::new();
    for expression in &fetch.values {
        let value = printer.option(expression);
        values.push(match expression.ty {
            DataType::Counter => format!("to_counter({value})"),
            _ => value,
        });
    }
    printer.out.line("let mut cells = CellList::default();");
    for value in values {
        printer.out.call("cells.add", &[value], ";");
    }
    printer.out.line("turns.extend(cells.into_complete());");
}
