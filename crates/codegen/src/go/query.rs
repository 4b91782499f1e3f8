//! Functions that read.

use super::GoPrinter;
use super::fetch::{GoFetch, GoStep, write_arguments};
use super::format::{GoLines, quote, write_documentation};
use super::function::{
    GoFunction, call_full, check_parameters, declare_columns, declare_statement, name_row,
    supply_parameters, unpack_parameters,
};
use super::scope::{GoRowType, GoScope};
use super::stage::{GoRows, GoStages};
use super::step::write_steps;
use crate::comment::describe_query;
use crate::program::{Cardinality, DataType, ExpressionKind, Query, RowReference, Stage};

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
            lines.append(declare_statement(&step.statement, &fetch.statement));
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
            lines.append(declare_columns(&self.function.row, columns));
        } else {
            lines.append(self.declare_rows(&functions));
        }
        lines.append(functions);
        lines
    }

    fn declare_rows(&self, functions: &GoLines) -> GoLines {
        let mut lines = GoLines::default();
        for (row, fetch) in self.rows.iter().zip(&self.query.steps) {
            let Some(row) = row.as_ref().filter(|row| functions.has_use(&row.name)) else {
                continue;
            };
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
            column.0.clone_from(field);
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
    pub(super) fn full_name(&self) -> &str {
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
        body.append(unpack_parameters(self.function, true));
        body.append(check_parameters(self.function, "nil, "));
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
        let mut body = unpack_parameters(self.function, false);
        body.append(supply_parameters(self.function));
        body.append(call_full(self.function, &format!("return a.{with}")));
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
    pub(super) fn item(&self) -> Option<&GoRowType> {
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
        write_steps(&self.steps, &before, &scope, "return nil, err", lines)
    }

    /// Makes the result of the rows.
    fn write_result(&self, rows: GoRows<'_>) -> GoLines {
        let mut lines = GoLines::default();
        let GoRows { variable, .. } = rows;
        match self.query.cardinality {
            Cardinality::One => {
                lines.add(format!("if len({variable}) == 0 {{")).add("return nil, nil").add("}");
                let inside = self.write_fields(rows, "result");
                if inside.has_use("item") {
                    lines.add(format!("item := {variable}[0]"));
                }
                lines.add(format!("result = new({})", self.function.row)).append(inside);
            }
            Cardinality::Many => {
                lines.add(format!("result = make([]{}, len({variable}))", self.function.row));
                let inside = self.write_fields(rows, "result[at]");
                let item = if inside.has_use("item") { ", item" } else { "" };
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
}
