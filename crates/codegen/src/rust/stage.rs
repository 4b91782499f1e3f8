//! What the client does with rows.

use crate::program::{AttachedPart, DataType, Expression, SortKey, Stage};

use super::condition::print_condition;
use super::expression::RustExpressions;
use super::types::{RustField, RustRecord, is_copied};
use super::writer::RustWriter;

/// The stages of a query, while they are printed.
#[derive(Debug)]
pub(super) struct RustStages {
    /// The rows before an aggregation.
    pub(super) row: RustRecord,
    /// The rows of an aggregation.
    pub(super) group: RustRecord,
    /// The code of LIMIT: an option of a number.
    pub(super) limit: String,
    /// Whether rows are aggregated already.
    pub(super) is_aggregated: bool,
    /// Whether the variable `rows` may be changed.
    pub(super) is_mutable: bool,
}

impl RustStages {
    /// The current rows.
    pub(super) const fn record(&self) -> &RustRecord {
        if self.is_aggregated { &self.group } else { &self.row }
    }

    pub(super) const fn new(row: RustRecord, group: RustRecord, limit: String) -> Self {
        Self { row, group, limit, is_aggregated: false, is_mutable: false }
    }

    /// The same before the first stage.
    pub(super) fn restart(&self) -> Self {
        Self::new(self.row.clone(), self.group.clone(), self.limit.clone())
    }

    /// Makes the variable `rows` one that may be changed.
    fn make_mutable<'w>(&mut self, out: &'w mut RustWriter) -> &'w mut RustWriter {
        if !self.is_mutable {
            out.line("let mut rows = rows;");
        }
        self.is_mutable = true;
        out
    }

    /// Prints a stage other than a merge; it changes the variable `rows`.
    pub(super) fn print(
        &mut self,
        printer: &mut RustExpressions<'_, '_>,
        at: usize,
        stage: &Stage,
    ) {
        let mut scope = printer.scope.clone();
        scope.current = Some(("row".to_owned(), self.record().clone()));
        let mut nested = printer.start_nested(&scope, 0);
        match stage {
            Stage::Filter(condition) => print_filter(&mut nested, condition),
            Stage::Attach { step, .. } => {
                let out = &mut nested.out;
                out.line("let concurrency = self.core.options.concurrency;");
                out.line(format!("let run = |row| self.attach{step}(row);"));
                out.line("let found = run_all(concurrency, rows, run).await?;");
                out.line("let rows: Vec<_> = found.into_iter().flatten().collect();");
            }
            Stage::DropStaticRow(column) => {
                if let Some(field) = self.record().field(column) {
                    let name = field.name.clone();
                    self.make_mutable(&mut nested.out);
                    nested.out.line(format!("rows.retain(|row| row.{name}.is_some());"));
                }
            }
            Stage::Sort(_) => {
                self.make_mutable(&mut nested.out);
                nested.out.line(format!("rows.sort_by(Self::order{at});"));
            }
            Stage::Merge(_) => {}
            Stage::Limit => {
                self.make_mutable(&mut nested.out);
                let constant = self.limit.strip_prefix("Some(");
                let length = match constant.and_then(|it| it.strip_suffix(')')) {
                    Some(number) => number.to_owned(),
                    None => format!("{}.unwrap_or(usize::MAX)", self.limit),
                };
                nested.out.line(format!("rows.truncate({length});"));
            }
            Stage::Combine { group, folds } => self.print_combine(&mut nested, group, folds),
            Stage::Aggregate { group, values, .. } => {
                self.print_aggregate(&mut nested, group, values);
            }
            other => self.print_change(&mut nested, other),
        }
        if matches!(stage, Stage::Aggregate { .. }) {
            self.is_aggregated = true;
        }
        match stage {
            Stage::Filter(_) | Stage::Attach { .. } | Stage::Exists(_) => self.is_mutable = false,
            Stage::Combine { .. } | Stage::Aggregate { .. } => self.is_mutable = true,
            _ => {}
        }
        let state = nested.into_state();
        printer.take(&state.text, state.variables);
    }

    /// Stages that change single rows, or make one where there is none.
    fn print_change(&mut self, printer: &mut RustExpressions<'_, '_>, stage: &Stage) {
        let record = self.record().clone();
        let field = |name: &String| record.field(name);
        match stage {
            Stage::Average { sum, count, output } => {
                let (Some(sum), Some(count), Some(output)) =
                    (field(sum), field(count), field(output))
                else {
                    return;
                };
                self.make_mutable(&mut printer.out).open("for row in &mut rows {");
                let sum = printer.call("to_double", &[own(sum)], "");
                let count = own(count);
                let average = printer.call("average", &[sum, count], "");
                printer.out.assign(&format!("row.{}", output.name), &average).close("}");
            }
            Stage::EmptySumIsNull { sum, count } => {
                let (Some(sum), Some(count)) = (field(sum), field(count)) else { return };
                self.make_mutable(&mut printer.out).open("for row in &mut rows {");
                printer.out.open(format!("if {}.unwrap_or(0) == 0 {{", own(count)));
                printer.out.line(format!("row.{} = None;", sum.name)).close("}").close("}");
            }
            Stage::DropEmptyGroups(count) => {
                let Some(count) = field(count) else { return };
                self.make_mutable(&mut printer.out);
                printer.out.line(format!("rows.retain(|row| {}.unwrap_or(0) != 0);", own(count)));
            }
            Stage::AbsentIsZero { given, zeros } => self.print_absent(printer, given, zeros),
            Stage::Exists(names) => {
                printer.out.line("let is_found = Some(!rows.is_empty());");
                let fields = names.iter().filter_map(field);
                let mut fields: Vec<_> =
                    fields.map(|field| format!("{}: is_found", field.name)).collect();
                fields.push("..Default::default()".to_owned());
                let head = format!("let row = {}", record.name);
                printer.out.structure(&head, &fields, ";").line("let rows = vec![row];");
            }
            Stage::RowOfZeros(names) => {
                self.make_mutable(&mut printer.out).open("if rows.is_empty() {");
                let fields = names.iter().filter_map(field);
                let mut fields: Vec<_> =
                    fields.map(|field| format!("{}: {}", field.name, zero(field))).collect();
                fields.push("..Default::default()".to_owned());
                printer.out.structure(&format!("let row = {}", record.name), &fields, ";");
                printer.out.line("rows.push(row);").close("}");
            }
            _ => {}
        }
    }

    fn print_absent(
        &mut self,
        printer: &mut RustExpressions<'_, '_>,
        given: &[(String, Expression)],
        zeros: &[String],
    ) {
        let record = self.record().clone();
        self.make_mutable(&mut printer.out).open("if rows.is_empty() {");
        let mut fields = Vec::new();
        for (name, value) in given {
            let Some(field) = record.field(name) else { continue };
            let value = printer.option(value);
            fields.push(format!("{}: {}", field.name, put(field, &value)));
        }
        fields.push("..Default::default()".to_owned());
        printer.out.structure(&format!("let row = {}", record.name), &fields, ";");
        printer.out.line("rows.push(row);").close("}").open("for row in &mut rows {");
        let mut seen: Vec<&String> = Vec::new();
        for name in zeros {
            let Some(field) = record.field(name).filter(|_| !seen.contains(&name)) else {
                continue;
            };
            seen.push(name);
            let name = &field.name;
            let before = if is_copied(&field.ty) { "" } else { ".take()" };
            printer
                .out
                .assign(&format!("row.{name}"), &format!("row.{name}{before}.or({})", zero(field)));
        }
        printer.out.close("}");
    }

    /// The method that orders rows.
    pub(super) fn print_order(
        &self,
        out: &mut RustWriter,
        scope: &super::scope::RustScope<'_>,
        at: usize,
        keys: &[SortKey],
    ) {
        let name = &self.record().name;
        out.blank();
        let arguments = [format!("one: &{name}"), format!("other: &{name}")];
        out.call(&format!("fn order{at}"), &arguments, " -> Ordering {");
        let scope_of = |row: &str| {
            let mut scope = scope.clone();
            scope.current = Some((row.to_owned(), self.record().clone()));
            scope
        };
        let (one, other) = (scope_of("one"), scope_of("other"));
        let mut printer = RustExpressions::new(&one, out.depth() + 1);
        for (position, key) in keys.iter().enumerate() {
            let first = print_key(&mut printer, key);
            let mut nested = printer.start_nested(&other, 0);
            let second = print_key(&mut nested, key);
            let state = nested.into_state();
            printer.take(&state.text, state.variables);
            let sides = if key.descending { [second, first] } else { [first, second] };
            if position + 1 == keys.len() {
                printer.out.call("order_values", &sides, "");
            } else {
                printer.out.call("let order = order_values", &sides, ";");
                printer.out.open("if order.is_ne() {").line("return order;").close("}");
            }
        }
        if keys.is_empty() {
            printer.out.line("let _ = (one, other);").line("Ordering::Equal");
        }
        out.append(&printer.into_state().text);
        out.line("}");
    }

    /// The method that attaches a lookup to a row.
    pub(super) fn print_part(
        &self,
        printer: &mut RustExpressions<'_, '_>,
        found: &RustRecord,
        part: &AttachedPart,
        present: &[String],
        is_optional: bool,
    ) {
        let out = &mut printer.out;
        match part {
            AttachedPart::Columns => {
                let columns = found.fields.iter().filter(|field| !present.contains(&field.column));
                let columns: Vec<_> =
                    columns.filter_map(|it| Some((it, self.row.field(&it.column)?))).collect();
                let name = if columns.is_empty() { "_" } else { "found" };
                if is_optional {
                    out.open(format!("if let Some({name}) = found.into_iter().next() {{"));
                } else {
                    out.line(format!(
                        "let Some({name}) = found.into_iter().next() else {{ return Ok(None) }};"
                    ));
                }
                for (from, to) in columns {
                    out.line(format!("row.{} = found.{};", to.name, from.name));
                }
                if is_optional {
                    out.close("}");
                }
            }
            AttachedPart::Counters(names) => {
                out.open("if let Some(found) = found.into_iter().next() {");
                for from in &found.fields {
                    let Some(to) = self.row.field(&from.column) else { continue };
                    let value = format!("{}.or(Some(0))", own_of("found", from));
                    out.assign(&format!("row.{}", to.name), &put(to, &value));
                }
                out.close("}");
                for name in names {
                    let Some(to) = self.row.field(name) else { continue };
                    out.line(format!("row.{0} = row.{0}.or({1});", to.name, zero(to)));
                }
            }
            AttachedPart::Elements(names) => {
                let Some(column) = found.fields.first() else { return };
                let code =
                    format!("found.into_iter().filter_map(|row| row.{}).collect()", column.name);
                let ty = printer.scope.types.name(&column.ty);
                out.assign(&format!("let elements: Vec<{ty}>"), &code);
                let fields: Vec<_> = names.iter().filter_map(|name| self.row.field(name)).collect();
                for (at, field) in fields.iter().enumerate() {
                    let copy = if at + 1 < fields.len() { ".clone()" } else { "" };
                    out.line(format!("row.{} = collect_elements(elements{copy});", field.name));
                }
            }
        }
    }
}

fn print_filter(printer: &mut RustExpressions<'_, '_>, condition: &crate::program::Condition) {
    printer.out.line("let mut kept = Vec::with_capacity(rows.len());");
    printer.out.open("for row in rows {");
    let code = print_condition(printer, condition);
    printer.out.open(format!("if {code} {{")).line("kept.push(row);").close("}").close("}");
    printer.out.line("let rows = kept;");
}

fn print_key(printer: &mut RustExpressions<'_, '_>, key: &SortKey) -> String {
    match &key.null_as {
        None => printer.reference(&key.value),
        Some(constant) => {
            let value = printer.option(&key.value);
            let other = printer.constant(&key.value.ty, constant).into_option();
            let made = printer.bind(&format!("{value}.or({other})"));
            format!("{made}.as_ref()")
        }
    }
}

/// The own value of a field of `row`.
fn own(field: &RustField) -> String {
    own_of("row", field)
}

fn own_of(row: &str, field: &RustField) -> String {
    let copy = if is_copied(&field.ty) { "" } else { ".clone()" };
    let code = format!("{row}.{}{copy}", field.name);
    if field.ty == DataType::Counter { format!("from_counter({code})") } else { code }
}

/// An option as the value of a field.
pub(super) fn put(field: &RustField, code: &str) -> String {
    if field.ty == DataType::Counter { format!("to_counter({code})") } else { code.to_owned() }
}

/// Zero of a field's type.
fn zero(field: &RustField) -> String {
    match field.ty {
        DataType::Double | DataType::Float => "Some(0.0)".to_owned(),
        DataType::Decimal => "parse_decimal(\"0\")".to_owned(),
        DataType::Varint => "parse_varint(\"0\")".to_owned(),
        DataType::Boolean => "Some(false)".to_owned(),
        _ => put(field, "Some(0)"),
    }
}
