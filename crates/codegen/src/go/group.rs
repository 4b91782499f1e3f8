//! Groups of rows.

use super::expression::arithmetic_function;
use super::format::{GoLines, write_literal};
use super::scope::{GoRowType, GoValue, read_column};
use super::stage::{GoRows, GoStages};
use crate::program::{AggregateKind, Arithmetic, DataType, Expression, FoldKind};

impl<'p> GoStages<'p> {
    /// The key of a group, as a function.
    fn write_key(&self, group: &[Expression], row: &'p GoRowType) -> String {
        let scope = self.scope.with_current("item", row);
        let parts: Vec<String> = group.iter().map(|part| scope.value(part).text).collect();
        let name = if group.is_empty() { "_" } else { "item" };
        let key = format!("keyOf({})", parts.join(", "));
        write_literal(&format!("func({name} *{}) string", row.name), &key)
    }

    pub(super) fn write_combine(
        &self,
        group: &[Expression],
        folds: &[(String, FoldKind)],
        rows: GoRows<'p>,
    ) -> GoLines {
        let GoRows { variable, row } = rows;
        let mut fold = GoLines::default();
        for (name, kind) in folds {
            let Some(column) = row.column(name) else { continue };
            let (one, other) = (read_column("item", column), read_column("other", column));
            let (one, other) = (one.to_pointer(), other.to_pointer());
            let compare = self.scope.types.compare(&column.ty);
            let text = match kind {
                FoldKind::Sum => {
                    let add = arithmetic_function(Arithmetic::Add, &column.ty);
                    format!("addNullable({one}, {other}, {add})")
                }
                FoldKind::Least => format!("extreme({compare}, isLess, {one}, {other})"),
                FoldKind::Greatest => format!("extreme({compare}, isGreater, {one}, {other})"),
            };
            let value = GoValue::pointer(text, &column.ty).to_stored();
            fold.add(format!("item.{} = {value}", column.field));
        }
        let mut inside = GoLines::default();
        inside.add("item := group[0]");
        if !fold.is_empty() {
            inside.block("for _, other := range group[1:] {", fold, "}");
        }
        inside.add("kept = append(kept, item)");
        let mut block = GoLines::default();
        block.add(format!("var kept []*{}", row.name));
        block.block(
            format!(
                "for _, group := range groupRows({variable}, {}) {{",
                self.write_key(group, row)
            ),
            inside,
            "}",
        );
        block.add(format!("{variable} = kept"));
        let mut lines = GoLines::default();
        lines.block("{", block, "}");
        lines
    }

    pub(super) fn write_aggregate(
        &self,
        group: &[Expression],
        values: &[AggregateKind],
        rows: GoRows<'p>,
        result: &'p GoRowType,
    ) -> GoLines {
        let mut inside = GoLines::default();
        inside.add(format!("result := new({})", result.name));
        let mut made = GoLines::default();
        for (column, kind) in result.columns.iter().zip(values) {
            if let Some(value) = self.write_aggregated(kind, rows.row) {
                let value = self.scope.convert(&value, &column.ty).to_stored();
                made.add(format!("result.{} = {value}", column.field));
            }
        }
        if made.has_use("first") {
            inside.add("first := firstOf(group)");
        }
        inside.append(made);
        inside.add("grouped = append(grouped, result)");
        let mut lines = GoLines::default();
        lines.add(format!("var grouped []*{}", result.name));
        let groups = format!("groupRows({}, {})", rows.variable, self.write_key(group, rows.row));
        if group.is_empty() {
            lines.add(format!("groups := {groups}"));
            lines.add("if len(groups) == 0 {").add("groups = append(groups, nil)").add("}");
            lines.block("for _, group := range groups {", inside, "}");
        } else {
            lines.block(format!("for _, group := range {groups} {{"), inside, "}");
        }
        lines
    }

    /// A value of a group, of its rows in `group`.
    fn write_aggregated(&self, kind: &AggregateKind, row: &'p GoRowType) -> Option<GoValue> {
        let scope = self.scope.with_current("item", row);
        let types = self.scope.types;
        let function = |value: &Expression| {
            let ty = types.plain(&value.ty);
            let text = scope.value(value).to_pointer();
            write_literal(&format!("func(item *{}) *{ty}", row.name), &text)
        };
        let sum = |value: &Expression| {
            let add = arithmetic_function(Arithmetic::Add, &value.ty);
            format!("sumOf(group, {}, {add})", function(value))
        };
        let extreme = |value: &Expression, wins: &str| {
            let compare = types.compare(&value.ty);
            let text = format!("extremeOf(group, {}, {compare}, {wins})", function(value));
            GoValue::pointer(text, &value.ty)
        };
        Some(match kind {
            AggregateKind::First(value) => self.scope.with_current("first", row).value(value),
            AggregateKind::CountRows => GoValue::plain("int64(len(group))", &DataType::Bigint),
            AggregateKind::Count(value) => {
                GoValue::plain(format!("countOf(group, {})", function(value)), &DataType::Bigint)
            }
            AggregateKind::Sum(value) => GoValue::pointer(sum(value), &value.ty),
            AggregateKind::Average(value) => {
                let count = format!("ptr(countOf(group, {}))", function(value));
                let text = format!("averageOf({}, {count})", sum(value));
                GoValue::pointer(text, &DataType::Double)
            }
            AggregateKind::Least(value) => extreme(value, "isLess"),
            AggregateKind::Greatest(value) => extreme(value, "isGreater"),
            AggregateKind::Null => return None,
        })
    }
}
