//! Repetitions as loops.

use crate::program::{Repetition, Walk};

use super::expression::{RustExpressions, bucket_width};
use super::scope::{RustScope, RustTurn};
use super::types::is_copied;
use super::writer::RustWriter;

/// The turn of a repetition at a position, and its type.
pub(super) fn turn(scope: &RustScope<'_>, at: usize, of: &Repetition) -> (RustTurn, String) {
    let name = format!("turn{at}");
    let value = |ty: &crate::program::DataType| {
        (RustTurn::Value(format!("turn{at}"), ty.clone()), scope.types.name(ty))
    };
    match of {
        Repetition::Values(_, ty) | Repetition::Elements(_, ty) => value(ty),
        Repetition::Shards(_) => value(&crate::program::DataType::Int),
        Repetition::Buckets(walk) => value(&walk.width.data_type()),
        Repetition::Rows(step) => {
            let record = scope.steps.get(*step).map_or("()", |step| step.record.name.as_str());
            (RustTurn::Row(name, *step), format!("Arc<{record}>"))
        }
    }
}

/// The code that hands a turn on.
pub(super) fn hand_on(turn: &RustTurn) -> String {
    match turn {
        RustTurn::Value(name, ty) if is_copied(ty) => name.clone(),
        RustTurn::Value(name, _) => format!("{name}.clone()"),
        RustTurn::Row(name, _) => format!("{name}.clone()"),
        RustTurn::Current => "row".to_owned(),
    }
}

/// Opens the loop of a repetition, after the lines that it needs before.
pub(super) fn open_loop(printer: &mut RustExpressions<'_, '_>, at: usize, of: &Repetition) {
    match of {
        Repetition::Values(values, _) => {
            let values: Vec<String> = values.iter().map(|value| printer.option(value)).collect();
            let name = format!("turns{at}");
            let inside = values.join(", ");
            let one = format!("let {name} = distinct([{inside}]);");
            if printer.out.can_fit(&one) {
                printer.out.line(one);
            } else {
                printer.out.open(format!("let {name} = distinct(["));
                for value in values {
                    printer.out.line(format!("{value},"));
                }
                printer.out.close("]);");
            }
            printer.out.open(format!("for turn{at} in {name} {{"));
        }
        Repetition::Elements(array, ty) => {
            let array = printer.reference(array);
            let ty = printer.scope.types.name(ty);
            let name = format!("turns{at}");
            printer.out.call(&format!("let {name}: Vec<{ty}> = distinct_elements"), &[array], ";");
            printer.out.open(format!("for turn{at} in {name} {{"));
        }
        Repetition::Shards(count) => {
            printer.out.open(format!("for turn{at} in 0..{count}_i32 {{"));
        }
        Repetition::Rows(step) => {
            let rows = printer.scope.steps.get(*step).map(|step| step.rows.clone());
            let rows = rows.unwrap_or_else(|| "[(); 0]".to_owned());
            printer.out.open(format!("for turn{at} in &{rows} {{"));
        }
        Repetition::Buckets(walk) => open_bucket_loop(printer, at, walk),
    }
}

/// Every bucket of a walk, whose ends are in a row that was read before.
fn open_bucket_loop(printer: &mut RustExpressions<'_, '_>, at: usize, walk: &Walk) {
    let width = bucket_width(walk.width);
    let (mut from, mut to) = print_bounds(printer, walk);
    if let Some(step) = walk.ends
        && let Some((row, found)) = printer.scope.find_row(step)
    {
        let number = |column: &Option<String>| {
            let field = column.as_ref().and_then(|column| found.record.field(column))?;
            Some(format!("{row}.and_then(|row| recorded_number(row.{}, {width}))", field.name))
        };
        let (oldest, newest) = (number(&walk.oldest_column), number(&walk.newest_column));
        if let Some(oldest) = oldest {
            let oldest = printer.bind(&oldest);
            from = printer.bind(&format!("{from}.max({oldest})"));
        }
        if let Some(newest) = newest {
            let newest = printer.bind(&newest);
            to = printer.bind(&format!("{to}.min({newest}.or({to}))"));
        }
    }
    printer.out.open(format!("for number{at} in bucket_range({from}, {to}) {{"));
    let ty = printer.scope.types.name(&walk.width.data_type());
    printer.out.assign(
        &format!("let turn{at}"),
        &format!("<{ty} as BucketStart>::from_number({width}, number{at})"),
    );
}

/// The ends of a walk as far as its bounds say: an option of the lowest, and an option of the
/// highest bucket, which is `None` where a bound is null.
pub(super) fn print_bounds(printer: &mut RustExpressions<'_, '_>, walk: &Walk) -> (String, String) {
    let width = bucket_width(walk.width);
    let to = match &walk.to {
        Some(to) => {
            let to = printer.reference(to);
            printer.call("bucket_number", &[to, width.clone()], "")
        }
        None if matches!(walk.width, crate::program::BucketWidth::Range(_)) => {
            "Some(i64::MAX)".to_owned()
        }
        None => printer.call(
            "bucket_at",
            &["self.core.now()".to_owned(), "0".to_owned(), width.clone()],
            "",
        ),
    };
    let mut to = if to.starts_with("bucket_at") { format!("Some({to})") } else { to };
    if walk.to.is_none() && !to.starts_with("Some") {
        to = format!("Some({to})");
    }
    let mut from = "None".to_owned();
    if let Some(lowest) = &walk.from {
        let lowest = printer.reference(lowest);
        let lowest = printer.call("bucket_number", &[lowest, width.clone()], "");
        from = printer.bind(&lowest);
        // Without a lowest value nothing is in the range.
        to = printer.bind(&format!("{to}.filter(|_| {from}.is_some())"));
    }
    if let Some(retention) = walk.retention_ms {
        let arguments = ["self.core.now()".to_owned(), retention.to_string(), width];
        let expired = printer.call("bucket_at", &arguments, "");
        from = printer.bind(&format!("{}.max(Some({expired}))", print_typed_none(&from)));
    }
    let is_known = to.starts_with("Some(") && !to.contains(").");
    let to = if is_known { to } else { printer.bind(&to) };
    (print_typed_none(&from), to)
}

fn print_typed_none(code: &str) -> String {
    if code == "None" { "None::<i64>".to_owned() } else { code.to_owned() }
}

/// Opens the loops of repetitions, runs what is inside, and closes them.
pub(super) fn print_loops<'a>(
    printer: &mut RustExpressions<'a, '_>,
    repetitions: &[Repetition],
    from: usize,
    inside: &mut dyn FnMut(&mut RustExpressions<'a, '_>),
) {
    let Some((of, rest)) = repetitions.split_first() else { return inside(printer) };
    // The row that is being completed is the only turn of a repetition over rows.
    let is_current = printer.scope.current.is_some() && matches!(of, Repetition::Rows(_));
    if !is_current {
        open_loop(printer, from, of);
    }
    let mut scope = printer.scope.clone();
    scope.turns.truncate(from);
    let turn = if is_current { RustTurn::Current } else { turn(printer.scope, from, of).0 };
    scope.turns.push(turn);
    let mut nested = printer.start_nested(&scope, 0);
    print_loops(&mut nested, rest, from + 1, inside);
    let RustWriterState { text, variables } = nested.into_state();
    printer.take(&text, variables);
    if !is_current {
        printer.out.close("}");
    }
}

/// What a nested printer leaves behind.
pub(super) struct RustWriterState {
    pub(super) text: RustWriter,
    pub(super) variables: usize,
}
