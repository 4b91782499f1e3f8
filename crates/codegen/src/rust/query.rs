//! Functions that read.

use crate::comment::describe_query;
use crate::program::{
    Cardinality, DataType, Expression, ExpressionKind, Field, Query, QueryLimit, RowReference,
    Stage,
};

use super::context::{RustContext, RustFunction, pascal, print_comment, print_read_record};
use super::expression::RustExpressions;
use super::fetch::{RustFetch, print_values};
use super::paging;
use super::scope::{RustScope, RustStep};
use super::stage::RustStages;
use super::types::RustRecord;
use super::writer::RustWriter;

/// The texts of the functions that read.
#[derive(Debug)]
pub(super) struct RustQueries {
    /// Methods of the structure of functions.
    pub(super) methods: RustWriter,
    /// Structures of calls, and their methods.
    pub(super) calls: RustWriter,
}

/// A query while it is printed.
#[derive(Debug)]
pub(super) struct RustQuery<'q> {
    pub(super) query: &'q Query,
    pub(super) function: RustFunction,
    /// What it returns.
    pub(super) result: RustRecord,
    /// The name of the structure of a call.
    pub(super) call: String,
    /// The rows of the steps.
    pub(super) steps: Vec<RustStep>,
    /// The paths of the statements.
    pub(super) statements: Vec<String>,
    pub(super) stages: RustStages,
}

/// Prints a query; what its proof needs to know.
pub(super) fn print_query(
    context: &mut RustContext,
    out: &mut RustQueries,
    query: &Query,
) -> (RustFunction, RustRecord) {
    let mut function = context.add_function(&query.name, &query.parameters);
    if query.find_paging().is_some() {
        function.page_name = Some(context.methods.add("function", &format!("{}Page", query.name)));
    }
    if is_direct(query) {
        let result = context.add_row(&query.name, &query.result, true);
        print_direct(context, out, query, &function, &result);
        return (function, result);
    }
    let result = context.add_row(&query.name, &query.result, false);
    let printed = RustQuery::new(context, query, function, result);
    printed.print_records(context, &mut out.calls);
    printed.print_call(context, &mut out.calls);
    printed.print_methods(&mut out.methods);
    (printed.function, printed.result)
}

/// Whether the rows of one statement are the result as they are.
fn is_direct(query: &Query) -> bool {
    let [step] = query.steps.as_slice() else { return false };
    let is_plain = |at: usize, value: &Expression| match &value.kind {
        ExpressionKind::Parameter(_) => at < 16,
        _ => false,
    };
    let values = step.values.iter().enumerate();
    let columns = &step.statement.columns;
    let shows = query.outputs.iter().zip(columns).all(|(output, column)| {
        let ExpressionKind::Column { row: RowReference::Current, name } = &output.kind else {
            return false;
        };
        *name == column.name && output.ty == column.ty && column.ty != DataType::Counter
    });
    query.stages.is_empty()
        && step.repetitions.is_empty()
        && values.into_iter().all(|(at, value)| is_plain(at, value))
        && columns.len() == query.outputs.len()
        && shows
}

fn result_type(query: &Query, name: &str) -> String {
    match query.cardinality {
        Cardinality::One => format!("Result<Option<{name}>, AccessError>"),
        Cardinality::Many => format!("Result<Vec<{name}>, AccessError>"),
    }
}

/// A function whose statement does it all.
fn print_direct(
    context: &mut RustContext,
    out: &mut RustQueries,
    query: &Query,
    function: &RustFunction,
    result: &RustRecord,
) {
    let Some(step) = query.steps.first() else { return };
    let statement = context.statements.add(&query.name, &step.statement);
    let scope = RustScope {
        types: &context.types,
        parameters: function.read(""),
        steps: Vec::new(),
        turns: Vec::new(),
        current: None,
    };
    let method = match query.cardinality {
        Cardinality::One => "fetch_one",
        Cardinality::Many => "fetch",
    };
    let returns = result_type(query, &result.name);
    let comment = describe_query(query);
    for is_full in forms(function) {
        print_head(&mut out.methods, function, is_full, &comment, &returns);
        let writer = &mut out.methods;
        if !is_full {
            function.print_supplies(writer);
        }
        let mut printer = RustExpressions::new(&scope, writer.depth());
        let values = print_values(&mut printer, step, &statement);
        writer.append(&printer.into_state().text);
        writer.line(format!("let work = self.core.{method}(statement, {values});"));
        writer.line(format!("observe({:?}, work).await", query.name)).close("}");
    }
    if let Some(name) = &function.page_name {
        let writer = &mut out.methods;
        paging::print_head(writer, name, function, &result.name);
        let mut printer = RustExpressions::new(&scope, writer.depth());
        let values = print_values(&mut printer, step, &statement);
        writer.append(&printer.into_state().text);
        writer.line(format!("let name = {:?};", query.name));
        writer.line(format!(
            "let work = self.core.fetch_page(name, statement, {values}, page_size, position);"
        ));
        writer.line("observe(name, work).await").close("}");
    }
}

/// The forms of a function: without and with the values that it makes itself.
pub(super) fn forms(function: &RustFunction) -> Vec<bool> {
    if function.name == function.full_name { vec![true] } else { vec![false, true] }
}

/// The comment and the signature of a form.
pub(super) fn print_head(
    out: &mut RustWriter,
    function: &RustFunction,
    is_full: bool,
    comment: &[String],
    returns: &str,
) {
    out.blank();
    let name = if is_full { &function.full_name } else { &function.name };
    if is_full && function.name != function.full_name {
        out.line(format!("/// `{}` with the values that it makes itself.", function.name));
    } else {
        print_comment(out, &format!("`{}` of the model.", function.title), comment);
    }
    let tail = format!(" -> {returns} {{");
    out.call(&format!("pub async fn {name}"), &function.signature(is_full), &tail);
    out.deepen();
}

impl<'q> RustQuery<'q> {
    fn new(
        context: &mut RustContext,
        query: &'q Query,
        function: RustFunction,
        result: RustRecord,
    ) -> Self {
        let base = pascal(&query.name);
        let call = context.names.add("call", &format!("{base}Call"));
        let row_name = context.names.add("row", &format!("{base}Line"));
        let main = query.steps.get(query.main);
        let mut fields: Vec<Field> =
            main.map(|step| step.statement.columns.clone()).unwrap_or_default();
        for field in &query.row.fields {
            if fields.iter().all(|other| other.name != field.name) {
                fields.push(field.clone());
            }
        }
        let row = RustRecord::new(row_name, &fields, true);
        let mut steps = Vec::new();
        for (at, step) in query.steps.iter().enumerate() {
            let record = if at == query.main {
                row.clone()
            } else {
                let name = context.names.add("row", &format!("{base}Step{at}"));
                RustRecord::new(name, &step.statement.columns, true)
            };
            let rows = format!("self.step{at}");
            steps.push(RustStep { record, parents: step.parents.clone(), rows });
        }
        let group = query.stages.iter().find_map(|stage| match stage {
            Stage::Aggregate { record, .. } => Some(record),
            _ => None,
        });
        let group = group.map(|record| {
            let name = context.names.add("row", &format!("{base}Group"));
            let mut fields = record.fields.clone();
            add_later_fields(&mut fields, query);
            RustRecord::new(name, &fields, true)
        });
        let limit = match query.limit {
            QueryLimit::None => "None::<usize>".to_owned(),
            QueryLimit::Rows(rows) => format!("Some({rows}_usize)"),
            QueryLimit::Parameter(at) => {
                let name = function.parameters.get(at).map(|(name, ..)| name.as_str());
                format!("to_limit(self.{})", name.unwrap_or_default())
            }
        };
        let statements =
            query.steps.iter().map(|step| context.statements.add(&query.name, &step.statement));
        let statements = statements.collect();
        let stages = RustStages::new(row, group.unwrap_or_default(), limit);
        Self { query, function, result, call, steps, statements, stages }
    }

    /// The steps that run before the main one, whose rows are kept.
    fn list_kept_steps(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.query.main).filter(|at| !self.query.is_lazy(*at))
    }

    pub(super) fn scope<'a>(&self, context: &'a RustContext) -> RustScope<'a> {
        RustScope {
            types: &context.types,
            parameters: self.function.read("self."),
            steps: self.steps.clone(),
            turns: Vec::new(),
            current: None,
        }
    }

    /// The structures of rows.
    fn print_records(&self, context: &RustContext, out: &mut RustWriter) {
        for (at, (step, fetch)) in self.steps.iter().zip(&self.query.steps).enumerate() {
            let parents = if at < self.query.main && !self.query.is_lazy(at) {
                let parents = step.parents.iter().filter_map(|parent| self.steps.get(*parent));
                parents.map(|parent| parent.record.name.clone()).collect()
            } else {
                Vec::new()
            };
            let read = fetch.statement.columns.len();
            print_read_record(out, &context.types, &step.record, read, &parents);
        }
        let group = &self.stages.group;
        if !group.fields.is_empty() {
            out.blank().line("#[derive(Clone, Debug, Default)]");
            out.open(format!("struct {} {{", group.name));
            for field in &group.fields {
                out.line(format!("{}: {},", field.name, context.types.column(&field.ty)));
            }
            out.close("}");
        }
    }

    /// The structure of a call, and its methods.
    fn print_call(&self, context: &RustContext, out: &mut RustWriter) {
        out.blank().line(format!("/// A call of {}.", self.query.name));
        out.open(format!("struct {}<'a> {{", self.call)).line("core: &'a Core,");
        for (name, ty, _) in &self.function.parameters {
            out.line(format!("{name}: {ty},"));
        }
        for step in self.list_kept_steps() {
            if let Some(found) = self.steps.get(step) {
                out.line(format!("step{step}: Vec<Arc<{}>>,", found.record.name));
            }
        }
        out.close("}").blank();
        out.open(format!("impl {}<'_> {{", self.call));
        self.print_run(context, out);
        let scope = self.scope(context);
        for (at, step) in self.query.steps.iter().enumerate() {
            if at > self.query.main || at != self.query.main && self.query.is_lazy(at) {
                continue;
            }
            if at != self.query.main {
                super::read::print_read(out, &self.steps, at, step);
            }
            self.print_fetch(out, &scope, at);
        }
        self.print_stages(out, &scope);
        if let Some(plan) = self.query.find_paging() {
            paging::print_page(self, &scope, out, plan);
        }
        out.close("}");
    }

    fn print_fetch(&self, out: &mut RustWriter, scope: &RustScope<'_>, at: usize) {
        let (Some(fetch), Some(step), Some(statement)) =
            (self.query.steps.get(at), self.steps.get(at), self.statements.get(at))
        else {
            return;
        };
        let is_main = at == self.query.main;
        let limit = match self.query.limit {
            QueryLimit::None => "Some(1)".to_owned(),
            QueryLimit::Rows(_) => self.stages.limit.clone(),
            QueryLimit::Parameter(_) => format!("Some({}.unwrap_or(1))", self.stages.limit),
        };
        let printed = RustFetch {
            at,
            fetch,
            statement,
            row: &step.record.name,
            limit: &limit,
            is_kept: is_main && self.query.row_stages > 0,
        };
        let copies = if is_main { self.list_copies(scope) } else { Vec::new() };
        let ends = |ends: usize| {
            let record = self.steps.get(ends)?.record.name.clone();
            Some((record, self.statements.get(ends)?.clone(), self.query.steps.get(ends)?))
        };
        let mut fetch_only = fetch.clone();
        if is_main {
            // The rows of the main step have the columns of the rows under which they were read.
            fetch_only.parents.clear();
        }
        RustFetch { fetch: &fetch_only, ..printed }.print(out, scope, &copies, &ends);
    }

    /// The method that runs it all.
    fn print_run(&self, context: &RustContext, out: &mut RustWriter) {
        let query = self.query;
        let kept: Vec<usize> = self.list_kept_steps().collect();
        let own = if kept.is_empty() { "self" } else { "mut self" };
        let returns = result_type(query, &self.result.name);
        out.open(format!("async fn run({own}) -> {returns} {{"));
        for step in kept {
            out.line(format!("self.step{step} = self.read{step}().await?;"));
        }
        let main = query.main;
        let has_streams = query.steps.get(main).is_some_and(|step| !step.repetitions.is_empty());
        let mut stages = self.stages.restart();
        let scope = self.scope(context);
        let mut printer = RustExpressions::new(&scope, out.depth());
        let rest: Vec<_> = query.stages.iter().enumerate().skip(query.row_stages).collect();
        let is_merged = matches!(rest.first(), Some((_, Stage::Merge(_))));
        if has_streams {
            printer.out.line(format!("let streams = self.collect{main}_0().await?;"));
            printer.out.line(match rest.first() {
                Some((at, Stage::Merge(_))) => {
                    format!("let rows = merge_streams(streams, Self::order{at});")
                }
                _ => "let rows = join_streams(streams);".to_owned(),
            });
        } else {
            printer.out.line(format!("let rows = self.fetch{main}().await?;"));
        }
        for (at, stage) in rest.into_iter().skip(usize::from(is_merged)) {
            stages.print(&mut printer, at, stage);
        }
        out.append(&printer.into_state().text);
        match query.cardinality {
            Cardinality::One => {
                out.line("let row = rows.into_iter().next();");
                out.line("row.map(|row| self.to_result(row)).transpose()");
            }
            Cardinality::Many => {
                out.line("rows.into_iter().map(|row| self.to_result(row)).collect()");
            }
        }
        out.close("}");
        self.print_result(&scope, out, stages.record());
    }

    /// The method that makes the result of a row.
    fn print_result(&self, scope: &RustScope<'_>, out: &mut RustWriter, record: &RustRecord) {
        out.blank();
        let name = &self.result.name;
        out.call(
            "fn to_result",
            &["&self".to_owned(), format!("row: {}", record.name)],
            &format!(" -> Result<{name}, AccessError> {{"),
        );
        let mut scope = scope.clone();
        scope.current = Some(("row".to_owned(), record.clone()));
        let mut printer = RustExpressions::new(&scope, out.depth() + 1);
        let mut fields = Vec::new();
        for (field, output) in self.result.fields.iter().zip(&self.query.outputs) {
            let moved = self.find_moved(record, output);
            let mut code = moved.unwrap_or_else(|| printer.option(output));
            if !field.nullable {
                code = printer.call("require", &[code, format!("{:?}", field.column)], "?");
            }
            fields.push(if code == field.name { code } else { format!("{}: {code}", field.name) });
        }
        printer.out.structure(&format!("let result = {name}"), &fields, ";").line("Ok(result)");
        out.append(&printer.into_state().text);
        out.line("}");
    }

    /// The code of an output that is a column which no other output uses.
    fn find_moved(&self, record: &RustRecord, output: &Expression) -> Option<String> {
        let ExpressionKind::Column { row: RowReference::Current, name } = &output.kind else {
            return None;
        };
        let field = record.field(name).filter(|field| field.ty != DataType::Counter)?;
        let mark = format!("name: {name:?}");
        let uses = self.query.outputs.iter().map(|it| format!("{it:?}").matches(&mark).count());
        (uses.sum::<usize>() == 1).then(|| format!("row.{}", field.name))
    }

    /// The functions for callers.
    fn print_methods(&self, out: &mut RustWriter) {
        let comment = describe_query(self.query);
        let returns = result_type(self.query, &self.result.name);
        for is_full in forms(&self.function) {
            print_head(out, &self.function, is_full, &comment, &returns);
            if !is_full {
                self.function.print_supplies(out);
            }
            self.print_make(out);
            out.line(format!("observe({:?}, call.run()).await", self.query.name)).close("}");
        }
        if let Some(name) = &self.function.page_name {
            paging::print_head(out, name, &self.function, &self.result.name);
            self.print_make(out);
            out.line("let work = call.run_page(page_size, position);");
            out.line(format!("observe({:?}, work).await", self.query.name)).close("}");
        }
    }

    /// Makes the structure of a call.
    fn print_make(&self, out: &mut RustWriter) {
        let mut fields = vec!["core: &self.core".to_owned()];
        fields.extend(self.function.parameters.iter().map(|(name, ..)| name.clone()));
        fields.extend(self.list_kept_steps().map(|step| format!("step{step}: Vec::new()")));
        out.structure(&format!("let call = {}", self.call), &fields, ";");
    }
}

/// Fields that stages after an aggregation compute.
fn add_later_fields(fields: &mut Vec<Field>, query: &Query) {
    let mut add = |name: &String, ty: DataType| {
        if fields.iter().all(|field| field.name != *name) {
            fields.push(Field { name: name.clone(), ty, nullable: true });
        }
    };
    for stage in &query.stages {
        match stage {
            Stage::Average { output, .. } => add(output, DataType::Double),
            Stage::RowOfZeros(names) => names.iter().for_each(|name| add(name, DataType::Bigint)),
            Stage::Exists(names) => names.iter().for_each(|name| add(name, DataType::Boolean)),
            _ => {}
        }
    }
}
