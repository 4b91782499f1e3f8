//! Rows of groups that become one row.

use crate::program::{AggregateKind, DataType, Expression, FoldKind};

use super::expression::RustExpressions;
use super::stage::{RustStages, put};
use super::types::{RustField, is_copied};

impl RustStages {
    fn print_groups(&self, printer: &mut RustExpressions<'_, '_>, group: &[Expression]) {
        printer.out.line("let mut groups = Groups::new();").open("for row in rows {");
        let keys: Vec<String> = group.iter().map(|key| printer.option(key)).collect();
        match keys.as_slice() {
            [] => _ = printer.out.line("let key = ();"),
            [single] => _ = printer.out.assign("let key", &format!("({single},)")),
            several => _ = printer.out.call("let key = ", several, ";"),
        }
        printer.out.line("groups.add(key, row);").close("}");
    }

    pub(super) fn print_combine(
        &self,
        printer: &mut RustExpressions<'_, '_>,
        group: &[Expression],
        folds: &[(String, FoldKind)],
    ) {
        self.print_groups(printer, group);
        let out = &mut printer.out;
        out.line("let mut rows = Vec::new();").open("for group in groups.into_rows() {");
        out.line("let mut group = group.into_iter();");
        out.line("let Some(mut first) = group.next() else { continue };");
        out.open("for row in group {");
        let mut is_used = false;
        for (name, fold) in folds {
            let Some(field) = self.record().field(name) else { continue };
            is_used = true;
            let (one, other) = (format!("first.{}", field.name), format!("row.{}", field.name));
            let is_counter = field.ty == DataType::Counter;
            let take =
                |code: String| if is_counter { format!("from_counter({code})") } else { code };
            let before =
                take(if is_copied(&field.ty) { one.clone() } else { format!("{one}.take()") });
            let other = take(other);
            let made = match fold {
                FoldKind::Sum => printer.call("total", &[before, other], "?"),
                FoldKind::Least => {
                    printer.call("choose", &[before, other, "Ordering::Less".to_owned()], "")
                }
                FoldKind::Greatest => {
                    printer.call("choose", &[before, other, "Ordering::Greater".to_owned()], "")
                }
            };
            printer.out.assign(&one, &put(field, &made));
        }
        if !is_used {
            printer.out.line("drop(row);");
        }
        printer.out.close("}").line("rows.push(first);").close("}");
    }

    pub(super) fn print_aggregate(
        &self,
        printer: &mut RustExpressions<'_, '_>,
        group: &[Expression],
        values: &[AggregateKind],
    ) {
        self.print_groups(printer, group);
        printer.out.line("let mut groups = groups.into_rows();");
        if group.is_empty() {
            printer.out.open("if groups.is_empty() {");
            printer.out.line("groups.push(Vec::new());").close("}");
        }
        printer.out.line("let mut rows = Vec::new();").open("for group in groups {");
        let mut fields = Vec::new();
        let pairs: Vec<_> = self.group.fields.iter().zip(values).collect();
        for (at, (field, kind)) in pairs.into_iter().enumerate() {
            print_fold(printer, at, field, kind);
            fields.push(format!("{}: {}", field.name, put(field, &format!("made{at}"))));
        }
        printer.out.structure(&format!("let row = {}", self.group.name), &fields, ";");
        printer.out.line("rows.push(row);").close("}");
    }
}

/// One value of a group.
fn print_fold(
    printer: &mut RustExpressions<'_, '_>,
    at: usize,
    field: &RustField,
    kind: &AggregateKind,
) {
    let made = format!("made{at}");
    let ty = printer.scope.types.field(&field.ty, true);
    let each = |printer: &mut RustExpressions<'_, '_>,
                of: &Expression,
                step: &dyn Fn(String) -> String| {
        printer.out.open("for row in &group {");
        let value = printer.option(of);
        let code = step(value);
        printer.out.line(code).close("}");
    };
    match kind {
        AggregateKind::Null => _ = printer.out.line(format!("let {made}: {ty} = None;")),
        AggregateKind::CountRows => {
            printer.out.line(format!("let {made} = i64::try_from(group.len()).ok();"));
        }
        AggregateKind::First(of) => {
            printer.out.line(format!("let mut {made}: {ty} = None;"));
            printer.out.open("if let Some(row) = group.first() {");
            let value = printer.option(of);
            printer.out.assign(&made, &value).close("}");
        }
        AggregateKind::Count(of) => {
            printer.out.line(format!("let mut {made}: Option<i64> = Some(0);"));
            each(printer, of, &|value| format!("{made} = count({made}, {value}.is_some());"));
        }
        AggregateKind::Sum(of) => {
            printer.out.line(format!("let mut {made}: {ty} = None;"));
            each(printer, of, &|value| format!("{made} = total({made}, {value})?;"));
        }
        AggregateKind::Average(of) => {
            printer.out.line(format!("let mut sum{at} = None;"));
            printer.out.line(format!("let mut count{at} = Some(0);"));
            printer.out.open("for row in &group {");
            let value = printer.option(of);
            let value = printer.bind(&value);
            printer.out.line(format!("sum{at} = total(sum{at}, {value})?;"));
            printer
                .out
                .line(format!("count{at} = count(count{at}, {value}.is_some());"))
                .close("}");
            printer.out.line(format!("let {made} = average(sum{at}, count{at});"));
        }
        AggregateKind::Least(of) => {
            printer.out.line(format!("let mut {made}: {ty} = None;"));
            each(printer, of, &|value| {
                format!("{made} = choose({made}, {value}, Ordering::Less);")
            });
        }
        AggregateKind::Greatest(of) => {
            printer.out.line(format!("let mut {made}: {ty} = None;"));
            each(printer, of, &|value| {
                format!("{made} = choose({made}, {value}, Ordering::Greater);")
            });
        }
    }
}
