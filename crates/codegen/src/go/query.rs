//! Functions that read.

use super::GoPrinter;
use super::fetch::{GoFetch, GoStep, turn_of, write_arguments};
use super::format::{GoLines, quote, write_documentation, write_literal};
use super::function::{GoFunction, name_row};
use super::scope::{GoRowType, GoScope, GoTurn};
use super::stage::{GoRows, GoStages};
use crate::comment::describe_query;
use crate::program::{
    Cardinality, DataType, ExpressionKind, Query, QueryLimit, Repetition, RowReference, Stage,
};

/// What is needed to print a query.
pub(super) struct GoQuery<'p> {
    pub(super) printer: &'p GoPrinter<'p>,
    pub(super) query: &'p Query,
    pub(super) function: &'p GoFunction,
    /// The structs of the steps; that of the main step is that of the query's rows.
    pub(super) rows: Vec<Option<GoRowType>>,
    /// The struct of the groups of an aggregation.
    pub(super) group: Option<GoRowType>,
    pub(super) steps: Vec<GoStep<'p>>,
}

impl<'p> GoQuery<'p> {
    pub(super) fn new(
        printer: &'p GoPrinter<'p>,
        query: &'p Query,
        function: &'p GoFunction,
    ) -> Self {
        let private = function.private();
        let row = |(at, fetch): (usize, &'p crate::program::Fetch)| {
            if at == query.main {
                return Some(name_row(format!("{private}Item"), &query.row.fields, Vec::new()));
            }
            let columns = &fetch.statement.columns;
            Some(name_row(format!("{private}Step{at}"), columns, fetch.parents.clone()))
        };
        let group = query.stages.iter().find_map(|stage| match stage {
            Stage::Aggregate { record, .. } => {
                let mut fields = record.fields.clone();
                // Later stages add their columns to these rows.
                fields.extend(
                    query
                        .result
                        .fields
                        .iter()
                        .filter(|field| record.field(&field.name).is_none())
                        .cloned(),
                );
                Some(name_row(format!("{private}Group"), &fields, Vec::new()))
            }
            _ => None,
        });
        let step = |(at, fetch): (usize, &'p crate::program::Fetch)| GoStep {
            fetch: Some(fetch),
            statement: format!("{private}Statement{at}"),
        };
        Self {
            printer,
            query,
            function,
            rows: query.steps.iter().enumerate().map(row).collect(),
            group,
            steps: query.steps.iter().enumerate().map(step).collect(),
        }
    }

    /// All declarations of the query.
    pub(super) fn write(&self) -> GoLines {
        let mut lines = GoLines::default();
        for (step, fetch) in self.steps.iter().zip(&self.query.steps) {
            lines.append(self.printer.declare_statement(&step.statement, &fetch.statement));
        }
        let direct = self.list_direct();
        let mut functions = self.write_function(direct.is_some());
        if self.function.has_supplies() {
            functions.append(self.write_supplying());
        }
        if self.function.page.is_some() {
            functions.append(self.write_page(direct.is_some()));
        }
        if let Some(columns) = &direct {
            lines.append(self.printer.declare_columns(&self.function.row, columns));
        } else {
            lines.append(self.declare_rows(&functions));
        }
        lines.append(functions);
        lines
    }

    fn declare_rows(&self, functions: &GoLines) -> GoLines {
        let mut lines = GoLines::default();
        for (row, fetch) in self.rows.iter().zip(&self.query.steps) {
            let Some(row) = row.as_ref().filter(|row| functions.uses(&row.name)) else { continue };
            let parents: Vec<String> = row
                .parents
                .iter()
                .filter_map(|at| Some(self.rows.get(*at)?.as_ref()?.name.clone()))
                .collect();
            lines.append(self.printer.declare_row(row, &fetch.statement.columns, &parents));
        }
        if let Some(group) = &self.group {
            lines.append(self.printer.declare_row(group, &[], &[]));
        }
        lines
    }

    /// The fields of the result for the columns of the only statement, where they are scanned
    /// directly into the result; an empty name for a column that is not returned.
    fn list_direct(&self) -> Option<Vec<(String, &'p DataType)>> {
        let [fetch] = &self.query.steps[..] else { return None };
        if !fetch.repetitions.is_empty() || !self.query.stages.is_empty() {
            return None;
        }
        let mut columns: Vec<(String, &'p DataType)> =
            fetch.statement.columns.iter().map(|column| (String::new(), &column.ty)).collect();
        for (output, field) in self.query.outputs.iter().zip(&self.function.fields) {
            let ExpressionKind::Column { row: RowReference::Current, name } = &output.kind else {
                return None;
            };
            let at = fetch.statement.columns.iter().position(|column| column.name == *name)?;
            let column = columns.get_mut(at)?;
            if *column.1 != output.ty || !column.0.is_empty() {
                return None;
            }
            column.0 = field.clone();
        }
        let has_tuple = columns.iter().any(|(_, ty)| matches!(ty, DataType::Tuple(_)));
        (!has_tuple && !columns.is_empty()).then_some(columns)
    }

    pub(super) fn scope(&'p self) -> GoScope<'p> {
        GoScope {
            types: &self.printer.types,
            parameters: &self.function.parameters,
            steps: &self.rows,
            turns: Vec::new(),
            current: None,
        }
    }

    fn result_type(&self) -> String {
        match self.query.cardinality {
            Cardinality::One => format!("*{}", self.function.row),
            Cardinality::Many => format!("[]{}", self.function.row),
        }
    }

    /// The name of the form that takes all values.
    fn full_name(&self) -> &str {
        self.function.with.as_ref().unwrap_or(&self.function.name)
    }

    fn write_function(&self, is_direct: bool) -> GoLines {
        let name = self.full_name();
        let first = match self.query.cardinality {
            Cardinality::One => format!("{name} returns the row of this query, nil without one."),
            Cardinality::Many => format!("{name} returns the rows of this query."),
        };
        let mut lines = GoLines::default();
        lines.add("").append(write_documentation(&first, &describe_query(self.query)));
        let mut body = GoLines::default();
        body.add(format!("ctx, c := a.begin(ctx, {})", quote(&self.query.name)));
        body.add("defer c.end(&err)");
        body.append(self.printer.unpack_parameters(self.function, true));
        body.append(self.printer.check_parameters(self.function, "nil, "));
        body.append(if is_direct { self.write_direct() } else { self.write_general() });
        lines.block(
            format!(
                "func (a *Access) {name}(ctx context.Context{}) (result {}, err error) {{",
                self.printer.write_parameters(self.function, true),
                self.result_type()
            ),
            body,
            "}",
        );
        lines
    }

    /// The form that makes values itself.
    fn write_supplying(&self) -> GoLines {
        let (name, with) = (&self.function.name, self.full_name());
        let mut lines = GoLines::default();
        lines.add("").comment(&format!("{name} is [Access.{with}] with the values of now."));
        let mut body = self.printer.unpack_parameters(self.function, false);
        body.append(self.printer.supply_parameters(self.function));
        body.append(GoPrinter::call_full(self.function, &format!("return a.{with}")));
        lines.block(
            format!(
                "func (a *Access) {name}(ctx context.Context{}) ({}, error) {{",
                self.printer.write_parameters(self.function, false),
                self.result_type()
            ),
            body,
            "}",
        );
        lines
    }

    fn write_direct(&self) -> GoLines {
        let scope = self.scope();
        let Some((fetch, step)) = self.query.steps.first().zip(self.steps.first()) else {
            return GoLines::default();
        };
        let arguments = write_arguments(&scope, &fetch.values, "return nil, nil");
        let mut lines = arguments.before;
        let function = match self.query.cardinality {
            Cardinality::One => "fetchOne",
            Cardinality::Many => "fetchRows",
        };
        lines.add(format!(
            "return {function}[{}](ctx, c, {}{})",
            self.function.row, step.statement, arguments.texts
        ));
        lines
    }

    /// The struct of the query's rows.
    fn item(&self) -> Option<&GoRowType> {
        self.rows.get(self.query.main).and_then(Option::as_ref)
    }

    pub(super) fn stages<'s>(
        &'s self,
        scope: &'s GoScope<'s>,
        fail: &'s str,
    ) -> Option<GoStages<'s>> {
        Some(GoStages {
            query: self.query,
            scope,
            steps: &self.steps,
            item: self.item()?,
            group: self.group.as_ref(),
            fail,
        })
    }

    fn write_general(&self) -> GoLines {
        let scope = self.scope();
        let (Some(stages), Some(item)) = (self.stages(&scope, "return nil, err"), self.item())
        else {
            return GoLines::default();
        };
        let after = stages.write_row_stages();
        let (others, rows) = stages.write_other_stages();
        let limit = stages.limit().unwrap_or_else(|| "1".to_owned());
        let (Some(fetch), Some(step)) =
            (self.query.steps.get(self.query.main), self.steps.get(self.query.main))
        else {
            return GoLines::default();
        };
        let job = GoFetch {
            fetch,
            row: item,
            steps: &self.steps,
            statement: &step.statement,
            after: &after,
            limit: Some(&limit),
        };
        let mut lines = GoLines::default();
        let streams = job.write_streams(&scope, 0);
        lines.block(
            format!("streams, err := func() ([][]*{}, error) {{", item.name),
            streams,
            "}()",
        );
        lines.add("if err != nil {").add("return nil, err").add("}");
        lines.append(others);
        lines.append(self.write_result(rows));
        let before = 0..self.query.main;
        let before: Vec<usize> = before.filter(|at| !self.query.is_lazy(*at)).collect();
        self.printer.write_steps(&self.steps, &before, &scope, "return nil, err", lines)
    }

    /// Makes the result of the rows.
    fn write_result(&self, rows: GoRows<'_>) -> GoLines {
        let mut lines = GoLines::default();
        let GoRows { variable, .. } = rows;
        match self.query.cardinality {
            Cardinality::One => {
                lines.add(format!("if len({variable}) == 0 {{")).add("return nil, nil").add("}");
                let inside = self.write_fields(rows, "result");
                if inside.uses("item") {
                    lines.add(format!("item := {variable}[0]"));
                }
                lines.add(format!("result = new({})", self.function.row)).append(inside);
            }
            Cardinality::Many => {
                lines.add(format!("result = make([]{}, len({variable}))", self.function.row));
                let inside = self.write_fields(rows, "result[at]");
                let item = if inside.uses("item") { ", item" } else { "" };
                lines.block(format!("for at{item} := range {variable} {{"), inside, "}");
            }
        }
        lines.add("return result, nil");
        lines
    }

    /// Sets the fields of a row of the result.
    pub(super) fn write_fields(&self, rows: GoRows<'_>, into: &str) -> GoLines {
        let base = self.scope();
        let scope = base.with_current("item", rows.row);
        let mut lines = GoLines::default();
        let fields = self.query.result.fields.iter().zip(&self.function.fields);
        for ((field, name), output) in fields.zip(&self.query.outputs) {
            let value = scope.convert(&scope.root(output), &field.ty);
            lines.add(format!("{into}.{name} = {}", value.to_field(field.nullable)));
        }
        lines
    }

    /// The form that returns a page.
    fn write_page(&self, is_direct: bool) -> GoLines {
        let mut lines = GoLines::default();
        let (Some(page), Some(fetch)) =
            (&self.function.page, self.query.steps.get(self.query.main))
        else {
            return lines;
        };
        let name = self.full_name();
        lines.add("").comment(&format!(
            "{page} returns a page of the rows of [Access.{name}], from a position on, and the position\n\
             after it. The first position and the one after the last page are empty texts. A position\n\
             is valid in other processes too."
        ));
        let mut body = GoLines::default();
        body.add(format!("ctx, c := a.begin(ctx, {})", quote(&self.query.name)));
        body.add("defer c.end(&err)");
        body.append(self.printer.unpack_parameters(self.function, true));
        body.append(self.printer.check_parameters(self.function, "nil, \"\", "));
        body.add("size = max(size, 1)");
        body.add("position, err := c.decodePage(token)");
        body.add("if err != nil {").add("return nil, \"\", err").add("}");
        match fetch.repetitions.first() {
            Some(Repetition::Buckets(walk)) => body.append(self.write_walk_page(walk)),
            _ => body.append(self.write_plain_page(is_direct)),
        };
        let parameters = self.printer.write_parameters(self.function, true);
        lines.block(
            format!(
                "func (a *Access) {page}(ctx context.Context{parameters}, size int, token string) \
                 (result []{}, next string, err error) {{",
                self.function.row
            ),
            body,
            "}",
        );
        lines
    }

    fn write_plain_page(&self, is_direct: bool) -> GoLines {
        let scope = self.scope();
        let (Some(stages), Some(item)) =
            (self.stages(&scope, "return nil, \"\", err"), self.item())
        else {
            return GoLines::default();
        };
        let (Some(fetch), Some(step)) =
            (self.query.steps.get(self.query.main), self.steps.get(self.query.main))
        else {
            return GoLines::default();
        };
        let arguments = write_arguments(&scope, &fetch.values, "return nil, \"\", nil");
        let row = if is_direct { &self.function.row } else { &item.name };
        let mut inside = GoLines::default();
        inside.add(format!(
            "items, state, err := fetchPage[{row}](ctx, c, {}, size-len(result), position.state{})",
            step.statement, arguments.texts
        ));
        inside.add("if err != nil {").add("return nil, \"\", err").add("}");
        if is_direct {
            inside.add("for _, item := range items {").add("result = append(result, *item)");
            inside.add("}");
        } else {
            inside.append(stages.write_row_stages());
            inside.append(self.append_rows(GoRows { variable: "items", row: item }));
        }
        inside.add("if len(state) == 0 {").add("return result, \"\", nil").add("}");
        inside.add("position.state = state");
        inside.add("if len(result) >= size {");
        inside.add("return result, c.encodePage(position), nil").add("}");
        let mut lines = arguments.before;
        lines.block("for {", inside, "}");
        lines
    }

    fn append_rows(&self, rows: GoRows<'_>) -> GoLines {
        let mut inside = GoLines::default();
        inside.add(format!("var row {}", self.function.row));
        inside.append(self.write_fields(rows, "row")).add("result = append(result, row)");
        let item = if inside.uses("item") { "_, item := " } else { "" };
        let mut lines = GoLines::default();
        lines.block(format!("for {item}range {} {{", rows.variable), inside, "}");
        lines
    }

    fn write_walk_page(&self, walk: &'p crate::program::Walk) -> GoLines {
        let scope = self.scope();
        let (Some(stages), Some(item)) = (self.stages(&scope, "return nil, nil, err"), self.item())
        else {
            return GoLines::default();
        };
        let (Some(fetch), Some(step)) =
            (self.query.steps.get(self.query.main), self.steps.get(self.query.main))
        else {
            return GoLines::default();
        };
        let none = GoLines::default();
        let job = GoFetch {
            fetch,
            row: item,
            steps: &self.steps,
            statement: &step.statement,
            after: &none,
            limit: None,
        };
        let mut lines = job.declare_walk(&scope, walk, "return nil, \"\", nil");
        lines.add("walk.stops = true");
        let inner = scope.with_turn(turn_of(&Repetition::Buckets(Box::new(walk.clone())), 0));
        let arguments = write_arguments(&inner, &fetch.values, "return nil, nil, nil");
        let mut inside = GoLines::default();
        let mut read = arguments.before;
        read.add(format!(
            "items, state, err := fetchPage[{}](ctx, c, {}, size, state{})",
            item.name, step.statement, arguments.texts
        ));
        read.add("if err != nil {").add("return nil, nil, err").add("}");
        read.append(stages.write_row_stages());
        read.add("return items, state, nil");
        if let Some(GoTurn::Value(turn, _)) = inner.turns.first() {
            if read.uses(turn) {
                let start = super::expression::start_of_bucket("number", walk.width);
                inside.add(format!("{turn} := {start}"));
            }
        }
        inside.append(read);
        lines.block(
            format!(
                "items, after, err := walkPage(ctx, walk, size, position, func(ctx context.Context, \
                 number int64, size int, state []byte) ([]*{}, []byte, error) {{",
                item.name
            ),
            inside,
            "})",
        );
        lines.add("if err != nil {").add("return nil, \"\", err").add("}");
        lines.append(self.append_rows(GoRows { variable: "items", row: item }));
        lines.add("if after != nil {").add("next = c.encodePage(*after)").add("}");
        lines.add("return result, next, nil");
        lines
    }
}

/// Whether a query has a form that returns pages.
pub(super) fn has_pages(query: &Query) -> bool {
    let Some(main) = query.steps.get(query.main) else { return false };
    let is_first = (0..query.main).all(|at| query.is_lazy(at));
    let is_plain = query.cardinality == Cardinality::Many
        && query.stages.len() == query.row_stages
        && is_first;
    match &main.repetitions[..] {
        [] => is_plain,
        [Repetition::Buckets(_)] => is_plain && query.limit == QueryLimit::None,
        _ => false,
    }
}

impl GoPrinter<'_> {
    /// The steps that run before others, whose code is `later`.
    pub(super) fn write_steps(
        &self,
        steps: &[GoStep<'_>],
        before: &[usize],
        scope: &GoScope<'_>,
        fail: &str,
        later: GoLines,
    ) -> GoLines {
        let mut all = later;
        for at in before.iter().rev() {
            let (Some(step), Some(Some(row))) = (steps.get(*at), scope.steps.get(*at)) else {
                continue;
            };
            let fail = fail.replace('$', &step.statement);
            let mut lines = self.write_step(steps, *at, row, scope, &fail, &all);
            lines.append(all);
            all = lines;
        }
        all
    }

    fn write_step(
        &self,
        steps: &[GoStep<'_>],
        at: usize,
        row: &GoRowType,
        scope: &GoScope<'_>,
        fail: &str,
        later: &GoLines,
    ) -> GoLines {
        let mut lines = GoLines::default();
        let Some(GoStep { fetch: Some(fetch), statement }) = steps.get(at) else { return lines };
        let none = GoLines::default();
        let job = GoFetch { fetch, row, steps, statement, after: &none, limit: None };
        let (variable, first) = (format!("step{at}"), format!("first{at}"));
        let arguments = write_arguments(scope, &fetch.values, "");
        if fetch.repetitions.is_empty() && arguments.before.is_empty() {
            lines.add(format!(
                "{variable}, err := fetchItems[{}](ctx, c, {statement}{})",
                row.name, arguments.texts
            ));
            lines.add("if err != nil {").add(fail).add("}");
        } else {
            lines.block(
                format!("streams{at}, err := func() ([][]*{}, error) {{", row.name),
                job.write_streams(scope, 0),
                "}()",
            );
            lines.add("if err != nil {").add(fail).add("}");
            lines.add(format!("{variable} := slices.Concat(streams{at}...)"));
        }
        if fetch.optional {
            lines.append(write_optional(fetch, at, row, scope));
        }
        if later.uses(&first) {
            lines.add(format!("{first} := firstOf({variable})"));
        } else if !later.uses(&variable) && !fetch.optional {
            lines.add(format!("_ = {variable}"));
        }
        lines
    }
}

/// Adds rows of nulls where there is none.
fn write_optional(
    fetch: &crate::program::Fetch,
    at: usize,
    row: &GoRowType,
    scope: &GoScope<'_>,
) -> GoLines {
    let mut lines = GoLines::default();
    let variable = format!("step{at}");
    let Some(Repetition::Rows(outer)) = fetch.repetitions.first() else {
        lines.add(format!("if len({variable}) == 0 {{"));
        lines.add(format!("{variable} = append({variable}, {})", empty_row(row, scope, None)));
        lines.add("}");
        return lines;
    };
    let test = write_literal(&format!("func(item *{}) bool", row.name), "item.parent0 == parent");
    let mut inside = GoLines::default();
    inside.add(format!("if !slices.ContainsFunc({variable}, {test}) {{"));
    let made = empty_row(row, scope, Some("parent"));
    inside.add(format!("{variable} = append({variable}, {made})")).add("}");
    lines.block(format!("for _, parent := range step{outer} {{"), inside, "}");
    lines
}

/// A row of nulls; the rows under which it was read are there too.
fn empty_row(row: &GoRowType, scope: &GoScope<'_>, first: Option<&str>) -> String {
    let parent = |(at, step): (usize, &usize)| {
        let text = match first.filter(|_| at == 0) {
            Some(text) => text.to_owned(),
            None => empty_row(scope.steps.get(*step)?.as_ref()?, scope, None),
        };
        Some(format!("parent{at}: {text}"))
    };
    let parents: Vec<String> = row.parents.iter().enumerate().filter_map(parent).collect();
    format!("&{}{{{}}}", row.name, parents.join(", "))
}
