//! What the client does with rows.

use super::expression::arithmetic_function;
use super::fetch::{GoFetch, GoStep, write_arguments};
use super::format::{GoLines, write_literal};
use super::scope::{GoColumn, GoRowType, GoScope, GoTurn, GoValue, read_column};
use crate::program::{
    AggregateKind, Arithmetic, AttachedPart, DataType, Expression, FoldKind, Query, QueryLimit,
    Repetition, SortKey, Stage,
};

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
        let keep = |condition: &str| {
            let function = write_literal(&format!("func(item *{}) bool", row.name), condition);
            format!("{variable} = keepRows({variable}, {function})")
        };
        let each = |inside: GoLines| {
            let mut lines = GoLines::default();
            lines.block(format!("for _, item := range {variable} {{"), inside, "}");
            lines
        };
        let column = |name: &str| self.read(row, name);
        match stage {
            Stage::Filter(condition) => {
                let scope = self.scope.with_current("item", row);
                lines.add(keep(&scope.condition(condition)));
            }
            Stage::Attach { step, part } => {
                lines.append(self.write_attach(*step, part, at, rows));
            }
            Stage::DropStaticRow(name) => _ = lines.add(keep(&column(name).is_present())),
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
                inside.add(format!("if {} {{", self.is_zero(&column(count))));
                inside.add(format!("{} = nil", column(sum).text)).add("}");
                lines.append(each(inside));
            }
            Stage::DropEmptyGroups(count) => {
                lines.add(keep(&format!("!{}", self.is_zero(&column(count)))));
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
            Stage::Merge(_) | Stage::Aggregate { .. } => {}
        }
        lines
    }

    fn read(&self, row: &GoRowType, name: &str) -> GoValue {
        row.column(name).map_or_else(
            || self.scope.null(&DataType::Bigint),
            |column| read_column("item", column),
        )
    }

    fn is_zero(&self, count: &GoValue) -> String {
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

    /// The key of a group, as a function.
    fn write_key(&self, group: &[Expression], row: &'p GoRowType) -> String {
        let scope = self.scope.with_current("item", row);
        let parts: Vec<String> = group.iter().map(|part| scope.value(part).text).collect();
        let name = if group.is_empty() { "_" } else { "item" };
        let key = format!("keyOf({})", parts.join(", "));
        write_literal(&format!("func({name} *{}) string", row.name), &key)
    }

    fn write_combine(
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

    fn write_aggregate(
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
        if made.uses("first") {
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

    fn write_attach(
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
        if run.uses("item") {
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
                    let element = into.ty.element().unwrap_or(&first.ty);
                    let value = read_column("lookup", first);
                    let known = self.scope.convert(&value.known(), element);
                    let mut add = GoLines::default();
                    add.add(format!("if {} {{", value.is_present()));
                    add.add(format!("item.{0} = append(item.{0}, {1})", into.field, known.text));
                    add.add("}");
                    let mut inside = GoLines::default();
                    inside.add(format!("item.{} = nil", into.field));
                    inside.block(format!("for _, lookup := range {found}[at] {{"), add, "}");
                    lines.block(head.clone(), inside, "}");
                }
            }
        }
        lines
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
fn zero_if_null(into: &GoColumn) -> GoLines {
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
