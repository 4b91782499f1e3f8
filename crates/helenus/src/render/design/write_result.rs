//! What writes return, and where each value comes from.

use model::expression::Expression;
use model::id::IdList;
use model::plan::{Operand, ReturnedRows, WritePlan};
use model::workload::{ComputedOutput, Returning, Supply, Write};
use serde_json::{Value, json};

use super::phrases::PlanPhrases;

/// Where a returned value comes from.
fn origin(names: PlanPhrases<'_>, operand: &Operand) -> &'static str {
    match operand {
        Operand::Parameter(at) => match names.parameters.member(*at).map(|it| it.supply) {
            Some(Supply::Client(_)) => "made by the client",
            _ => "parameter",
        },
        Operand::Literal(_) => "constant",
        Operand::Row { .. } => "read first",
        _ => "computed",
    }
}

/// What a write returns, in one phrase; `None` where it returns nothing.
pub(super) fn phrase(names: PlanPhrases<'_>, write: &Write, plan: &WritePlan) -> Option<String> {
    let returning = write.returning.as_ref()?;
    let Some(rows) = &plan.returned else {
        return Some("returns the rows that these writes return".to_owned());
    };
    let mut parts = names.loops(&rows.loops, None);
    parts.extend(names.guard_list(&rows.guards, &rows.loops));
    let before = if parts.is_empty() { String::new() } else { format!("{}: ", parts.join(", ")) };
    let values = values(returning, rows).map(|(name, operand)| {
        let value = names.operand(operand, &rows.loops);
        match origin(names, operand) {
            origin @ "parameter" if value == name => format!("{name} ({origin})"),
            origin => format!("{name} = {value} ({origin})"),
        }
    });
    let values = values.collect::<Vec<_>>().join(", ");
    let computed = list_computed_names(returning);
    let then = if computed.is_empty() {
        String::new()
    } else {
        format!("; then compute {}", computed.join(", "))
    };
    Some(format!("{before}returns {values}{then}"))
}

/// What a write returns, as JSON; null where it returns nothing.
pub(super) fn object(names: PlanPhrases<'_>, write: &Write, plan: &WritePlan) -> Value {
    let Some(returning) = &write.returning else { return Value::Null };
    let columns = returning.names();
    let Some(rows) = &plan.returned else {
        return json!({ "columns": columns, "many": returning.many, "values": null });
    };
    let values = values(returning, rows).map(|(name, operand)| {
        json!({
            "name": name,
            "value": names.operand(operand, &rows.loops),
            "from": origin(names, operand),
        })
    });
    json!({
        "columns": columns,
        "many": returning.many,
        "values": values.collect::<Vec<_>>(),
        "repeated": names.loops(&rows.loops, None),
        "guard": names.guard_list(&rows.guards, &rows.loops),
    })
}

/// The outputs with their values.
fn values<'a>(
    returning: &'a Returning,
    rows: &'a ReturnedRows,
) -> impl Iterator<Item = (&'a str, &'a Operand)> {
    returning.outputs.iter().map(|output| output.name.as_str()).zip(&rows.values)
}

/// The names of what the client computes from the outputs.
fn list_computed_names(returning: &Returning) -> Vec<&str> {
    let is_computed = |result: &&ComputedOutput| !matches!(result.value, Expression::Column(_));
    returning.computed.iter().filter(is_computed).map(|result| result.name.as_str()).collect()
}
