//! Statements of plans, with what they are repeated over and where their values come from.

use model::plan::{Loop, Operand, PlannedStatement, ReadStep};
use model::workload::Limit;

use crate::render::design::phrases::PlanPhrases;
use crate::render::html::{Markup, write_code, write_prose};

/// Writes a statement that reads.
pub(super) fn write_read_step(
    names: PlanPhrases<'_>,
    step: &ReadStep,
    limit: Option<Limit>,
    out: &mut Markup,
) {
    let loops = names.loops(&step.loops, limit);
    if !loops.is_empty() {
        out.leaf("p", &[], &format!("{}:", loops.join(", ")));
    }
    write_code(&format!("{};", step.select), out);
    write_values(names, &step.select.operands(), &step.loops, out);
}

/// Writes a statement that changes rows.
pub(super) fn write_change(names: PlanPhrases<'_>, statement: &PlannedStatement, out: &mut Markup) {
    let mut before = names.loops(&statement.loops, None);
    before.extend(names.guards(statement));
    if !before.is_empty() {
        out.leaf("p", &[], &format!("{}:", before.join(", ")));
    }
    write_code(&format!("{};", statement.modification), out);
    write_values(names, &statement.modification.operands(), &statement.loops, out);
    for remark in statement.condition.iter().chain([&statement.reason]) {
        if !remark.is_empty() {
            out.element("p", &[("class", "faint")], |out| write_prose(remark, out));
        }
    }
}

/// Where the values of a statement come from, unless all are parameters.
fn write_values(names: PlanPhrases<'_>, operands: &[&Operand], loops: &[Loop], out: &mut Markup) {
    if operands.iter().all(|value| matches!(value, Operand::Parameter(_))) {
        return;
    }
    if let Some(values) = names.values(operands, loops) {
        out.leaf("p", &[("class", "faint")], &format!("? = {values}"));
    }
}
