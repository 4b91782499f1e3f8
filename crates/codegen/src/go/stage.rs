//! What the client does with rows.

use super::fetch::GoStep;
use super::format::{GoLines, write_literal};
use super::scope::{GoColumn, GoRowType, GoScope, GoValue, read_column};
use crate::program::{DataType, Query, QueryLimit, SortKey, Stage};

/// The stages of a query.
pub(super) struct GoStages<'p> {
    pub(super) query: &'p Query,
    pub(super) scope: &'p GoScope<'p>,
    pub(super) steps: &'p [GoStep<'p>],
    /// The struct of the rows before an aggregation.
    pub(super) item: &'p GoRowType,
    /// That after it.
    pub(super) group: Option<&'p GoRowType>,
    /// What is done after an error.
    pub(super) fail: &'p str,
}

/// The rows that a stage works on.
#[derive(Clone, Copy)]
pub(super) struct GoRows<'p> {
    /// The variable.
    pub(super) variable: &'static str,
    /// Their struct.
    pub(super) row: &'p GoRowType,
}

impl<'p> GoStages<'p> {
    /// The limit, as a number.
    pub(super) fn limit(&self) -> Option<String> {
        match &self.query.limit {
            QueryLimit::None => None,
            QueryLimit::Rows(rows) => Some(rows.to_string()),
            QueryLimit::Parameter(at) => {
                let value = self.scope.parameter(*at, &DataType::Int);
                let value = self.scope.convert(&value, &DataType::Bigint);
                Some(format!("int({})", value.to_plain()))
            }
        }
    }

    /// The stages that work on the rows of each statement.
    pub(super) fn write_row_stages(&self) -> GoLines {
        let mut lines = GoLines::default();
        let rows = GoRows { variable: "items", row: self.item };
        for at in 0..self.query.row_stages {
            if let Some(stage) = self.query.stages.get(at) {
                lines.append(self.write_stage(stage, at, rows));
            }
        }
        lines
    }

    /// The other stages: of `streams` they make rows.
    pub(super) fn write_other_stages(&self) -> (GoLines, GoRows<'p>) {
        let mut lines = GoLines::default();
        let mut rows = GoRows { variable: "items", row: self.item };
        let stages = self.query.stages.iter().enumerate().skip(self.query.row_stages);
        let mut is_merged = false;
        for (at, stage) in stages {
            if let Stage::Merge(order) = stage {
                let streams = if is_merged {
                    format!("[][]*{}{{{}}}", rows.row.name, rows.variable)
                } else {
                    "streams".to_owned()
                };
                let assign = if is_merged { "=" } else { ":=" };
                let compare = self.write_order(order, rows.row);
                lines.block(
                    format!("{} {assign} mergeStreams({streams}, {}", rows.variable, compare.0),
                    compare.1,
                    "})",
                );
                is_merged = true;
                continue;
            }
            if !is_merged {
                lines.add("items := slices.Concat(streams...)");
                is_merged = true;
            }
            if let (Stage::Aggregate { group, values, .. }, Some(row)) = (stage, self.group) {
                lines.append(self.write_aggregate(group, values, rows, row));
                rows = GoRows { variable: "grouped", row };
                continue;
            }
            lines.append(self.write_stage(stage, at, rows));
        }
        if !is_merged {
            lines.add("items := slices.Concat(streams...)");
        }
        (lines, rows)
    }

    fn write_stage(&self, stage: &Stage, at: usize, rows: GoRows<'p>) -> GoLines {
        let mut lines = GoLines::default();
        let GoRows { variable, row } = rows;
        let column = |name: &str| self.read(row, name);
        match stage {
            Stage::Filter(condition) => {
                let scope = self.scope.with_current("item", row);
                lines.add(write_filter(rows, &scope.condition(condition)));
            }
            Stage::Attach { step, part } => {
                lines.append(self.write_attach(*step, part, at, rows));
            }
            Stage::DropStaticRow(name) => {
                lines.add(write_filter(rows, &column(name).print_presence_test()));
            }
            Stage::Sort(order) => {
                let compare = self.write_order(order, row);
                lines.block(
                    format!("slices.SortStableFunc({variable}, {}", compare.0),
                    compare.1,
                    "})",
                );
            }
            Stage::Limit => {
                if let Some(limit) = self.limit() {
                    lines.add(format!("{variable} = keepFirst({variable}, {limit})"));
                }
            }
            Stage::Combine { group, folds } => {
                lines.append(self.write_combine(group, folds, rows));
            }
            other => _ = lines.append(self.write_column_stage(other, rows)),
        }
        lines
    }

    /// A stage that sets or tests columns of numbers.
    fn write_column_stage(&self, stage: &Stage, rows: GoRows<'p>) -> GoLines {
        let mut lines = GoLines::default();
        let GoRows { variable, row } = rows;
        let each = |inside: GoLines| {
            let mut lines = GoLines::default();
            lines.block(format!("for _, item := range {variable} {{"), inside, "}");
            lines
        };
        let column = |name: &str| self.read(row, name);
        match stage {
            Stage::Average { sum, count, output } => {
                let sum = self.scope.convert(&column(sum), &DataType::Double).to_pointer();
                let count = self.scope.convert(&column(count), &DataType::Bigint).to_pointer();
                let mut inside = GoLines::default();
                if let Some(into) = row.column(output) {
                    let value =
                        GoValue::pointer(format!("averageOf({sum}, {count})"), &DataType::Double);
                    let value = self.scope.convert(&value, &into.ty).to_stored();
                    inside.add(format!("item.{} = {value}", into.field));
                }
                lines.append(each(inside));
            }
            Stage::EmptySumIsNull { sum, count } => {
                let mut inside = GoLines::default();
                inside.add(format!("if {} {{", self.print_zero_test(&column(count))));
                inside.add(format!("{} = nil", column(sum).text)).add("}");
                lines.append(each(inside));
            }
            Stage::DropEmptyGroups(count) => {
                lines
                    .add(write_filter(rows, &format!("!{}", self.print_zero_test(&column(count)))));
            }
            Stage::AbsentIsZero { given, zeros } => {
                let mut made = GoLines::default();
                for (name, value) in given {
                    if let Some(into) = row.column(name) {
                        let value = self.scope.convert(&self.scope.root(value), &into.ty);
                        made.add(format!("item.{} = {}", into.field, value.to_stored()));
                    }
                }
                lines.append(write_absent(rows, made));
                let mut inside = GoLines::default();
                for into in zeros.iter().filter_map(|name| row.column(name)) {
                    inside.append(zero_if_null(into));
                }
                lines.append(each(inside));
            }
            Stage::Exists(names) => {
                let mut inside = GoLines::default();
                inside.add(format!("item := new({})", row.name));
                for into in names.iter().filter_map(|name| row.column(name)) {
                    inside.add(format!("item.{} = ptr(len({variable}) > 0)", into.field));
                }
                inside.add(format!("{variable} = []*{}{{item}}", row.name));
                lines.block("{", inside, "}");
            }
            Stage::RowOfZeros(names) => {
                let mut made = GoLines::default();
                for into in names.iter().filter_map(|name| row.column(name)) {
                    made.add(format!("item.{} = {}", into.field, zero_of(&into.ty)));
                }
                lines.append(write_absent(rows, made));
            }
            _ => {}
        }
        lines
    }

    fn read(&self, row: &GoRowType, name: &str) -> GoValue {
        row.column(name).map_or_else(
            || self.scope.null(&DataType::Bigint),
            |column| read_column("item", column),
        )
    }

    fn print_zero_test(&self, count: &GoValue) -> String {
        if count.ty.is_integer() && count.ty != DataType::Varint {
            return format!("isZero({})", count.text);
        }
        format!("isZero({})", self.scope.convert(count, &DataType::Bigint).to_pointer())
    }

    /// The function that orders rows: its head, and its body.
    fn write_order(&self, order: &[SortKey], row: &'p GoRowType) -> (String, GoLines) {
        let mut body = GoLines::default();
        for key in order {
            let side = |variable: &str| {
                let scope = self.scope.with_current(variable, row);
                let value = scope.value(&key.value).to_pointer();
                match &key.null_as {
                    Some(constant) => {
                        let constant = scope.constant(constant, &key.value.ty).to_pointer();
                        format!("coalesce({value}, {constant})")
                    }
                    None => value,
                }
            };
            let compare = self.scope.types.compare(&key.value.ty);
            let (one, other) = (side("one"), side("other"));
            body.add(format!(
                "if order := compareNullable({one}, {other}, {compare}); order != 0 {{"
            ));
            body.add(if key.descending { "return -order" } else { "return order" }).add("}");
        }
        body.add("return 0");
        (format!("func(one, other *{}) int {{", row.name), body)
    }
}

/// Keeps the rows that meet a condition.
fn write_filter(rows: GoRows<'_>, condition: &str) -> String {
    let GoRows { variable, row } = rows;
    let function = write_literal(&format!("func(item *{}) bool", row.name), condition);
    format!("{variable} = keepRows({variable}, {function})")
}

/// Makes a row where there is none.
fn write_absent(rows: GoRows<'_>, made: GoLines) -> GoLines {
    let GoRows { variable, row } = rows;
    let mut inside = GoLines::default();
    inside.add(format!("item := new({})", row.name)).append(made);
    inside.add(format!("{variable} = append({variable}, item)"));
    let mut lines = GoLines::default();
    lines.block(format!("if len({variable}) == 0 {{"), inside, "}");
    lines
}

/// Sets a column to 0 where it is null.
pub(super) fn zero_if_null(into: &GoColumn) -> GoLines {
    let mut lines = GoLines::default();
    let is_number = into.ty.is_integer()
        || matches!(into.ty, DataType::Decimal | DataType::Double | DataType::Float);
    if is_number {
        lines.add(format!("if item.{} == nil {{", into.field));
        lines.add(format!("item.{} = {}", into.field, zero_of(&into.ty))).add("}");
    }
    lines
}

fn zero_of(ty: &DataType) -> &'static str {
    match ty {
        DataType::Decimal => "inf.NewDec(0, 0)",
        DataType::Varint => "big.NewInt(0)",
        DataType::Double => "ptr(float64(0))",
        DataType::Float => "ptr(float32(0))",
        DataType::Int => "ptr(int32(0))",
        DataType::Smallint => "ptr(int16(0))",
        DataType::Tinyint => "ptr(int8(0))",
        _ => "ptr(int64(0))",
    }
}
