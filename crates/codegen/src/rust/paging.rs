//! Functions that return a page and the position of the next one.

use crate::program::{QueryPaging, Walk};

use super::context::RustFunction;
use super::expression::{RustExpressions, bucket_width};
use super::fetch::{print_ends_known, print_values_or};
use super::query::RustQuery;
use super::repetition::{print_bounds, turn};
use super::scope::RustScope;
use super::writer::RustWriter;

/// The comment and the signature of a function that returns a page.
pub(super) fn print_head(out: &mut RustWriter, name: &str, function: &RustFunction, row: &str) {
    out.blank();
    out.line(format!(
        "/// A page of `{}`. The position of the first page is `None`; that of the",
        function.name
    ));
    out.line("/// next one is in the page, and survives a restart of the program.");
    let mut signature = function.signature(true);
    signature.push("page_size: i32".to_owned());
    signature.push("position: Option<&str>".to_owned());
    let tail = format!(" -> Result<Page<{row}>, AccessError> {{");
    out.call(&format!("pub async fn {name}"), &signature, &tail);
    out.deepen();
}

/// The method of a call that reads a page.
pub(super) fn print_page(
    of: &RustQuery<'_>,
    scope: &RustScope<'_>,
    out: &mut RustWriter,
    plan: QueryPaging<'_>,
) {
    if let QueryPaging::Buckets(walk) = plan {
        print_bucket(of, scope, out, walk);
    }
    out.blank();
    let arguments = ["self", "page_size: i32", "position: Option<&str>"].map(str::to_owned);
    let tail = format!(" -> Result<Page<{}>, AccessError> {{", of.result.name);
    out.call("async fn run_page", &arguments, &tail);
    let mut printer = RustExpressions::new(scope, out.depth() + 1);
    printer.out.line(format!("let name = {:?};", of.query.name));
    match plan {
        QueryPaging::Statement => print_statement_page(of, &mut printer),
        QueryPaging::Buckets(walk) => print_bucket_page(of, &mut printer, walk),
    }
    let out_of = &mut printer.out;
    let code = "rows.into_iter().map(|row| self.to_result(row)).collect()";
    out_of.assign("let rows: Result<Vec<_>, _>", code);
    out_of.line("Ok(Page { rows: rows?, position: page.position })");
    out.append(&printer.into_state().text);
    out.line("}");
}

fn print_statement_page(of: &RustQuery<'_>, printer: &mut RustExpressions<'_, '_>) {
    let main = of.query.main;
    let (Some(fetch), Some(statement)) = (of.query.steps.get(main), of.statements.get(main)) else {
        return;
    };
    let values = print_values_or(printer, fetch, statement, "Page::empty()");
    let out = &mut printer.out;
    out.line(format!(
        "let work = self.core.fetch_page(name, statement, {values}, page_size, position);"
    ));
    out.line("let page = work.await?;");
    if of.query.row_stages > 0 {
        out.line("let rows = self.keep(page.rows).await?;");
    } else {
        out.assign("let rows: Vec<_>", "page.rows");
    }
}

fn print_bucket_page(of: &RustQuery<'_>, printer: &mut RustExpressions<'_, '_>, walk: &Walk) {
    let main = of.query.main;
    let width = bucket_width(walk.width);
    let (from, to) = print_bounds(printer, walk);
    let out = &mut printer.out;
    print_ends_known(out, &from, &to, "Page::empty()");
    let step = walk.ends.and_then(|ends| of.steps.get(ends));
    let field = |column: &Option<String>| {
        let field = step?.record.field(column.as_ref()?)?;
        Some(field.name.clone())
    };
    let (oldest, newest) = (field(&walk.oldest_column), field(&walk.newest_column));
    if let Some(oldest) = oldest {
        let needed = if newest.is_some() { "true" } else { "from.is_none()" };
        if needed == "true" {
            out.line(format!("let ends = self.ends{main}_0().await?;"));
        } else {
            out.open("let ends = match from {").line("Some(_) => None,");
            out.line(format!("None => self.ends{main}_0().await?,")).close("};");
        }
        let number =
            |name: &str| format!("ends.and_then(|ends| recorded_number(ends.{name}, {width}))");
        if let Some(newest) = newest {
            out.line("let ends = ends.as_ref();");
            out.assign("let newest", &number(&newest));
            out.line("let Some(newest) = newest else { return Ok(Page::empty()) };");
            out.line("let to = to.min(newest);");
        }
        out.assign("let oldest", &number(&oldest));
        out.line("let from = from.max(oldest);");
    }
    out.line("let Some(from) = from else { return Ok(Page::empty()) };");
    out.line("let read = |number, state, rows| {");
    let ty = printer.scope.types.name(&walk.width.data_type());
    let out = &mut printer.out;
    out.line(format!("    let bucket = <{ty} as BucketStart>::from_number({width}, number);"));
    out.line("    self.fetch_bucket(bucket, state, rows)").line("};");
    out.line(format!(
        "let range = BucketRange {{ from, to, newest_first: {} }};",
        walk.newest_first
    ));
    out.line("let page = page_buckets(name, range, page_size, position, read).await?;");
    out.line("let rows = page.rows;");
}

/// The method that reads a part of a bucket.
fn print_bucket(of: &RustQuery<'_>, scope: &RustScope<'_>, out: &mut RustWriter, walk: &Walk) {
    let main = of.query.main;
    let (Some(fetch), Some(statement)) = (of.query.steps.get(main), of.statements.get(main)) else {
        return;
    };
    let ty = scope.types.name(&walk.width.data_type());
    out.blank();
    let row = &of.stages.row.name;
    let arguments = [
        "&self".to_owned(),
        format!("turn0: {ty}"),
        "from: PagingState".to_owned(),
        "page_size: i32".to_owned(),
    ];
    let tail = format!(" -> Result<(Vec<{row}>, Option<PagingState>), AccessError> {{");
    out.call("async fn fetch_bucket", &arguments, &tail);
    let mut scope = scope.clone();
    if let Some(of) = fetch.repetitions.first() {
        scope.turns = vec![turn(&scope, 0, of).0];
    }
    let mut printer = RustExpressions::new(&scope, out.depth() + 1);
    let values = print_values_or(&mut printer, fetch, statement, "(Vec::new(), None)");
    let writer = &mut printer.out;
    writer.line("let mut rows = Vec::new();");
    writer.line(format!(
        "let work = self.core.fetch_part(statement, {values}, from, page_size, &mut rows);"
    ));
    writer.line("let next = work.await?;");
    if of.query.row_stages > 0 {
        writer.line("let rows = self.keep(rows).await?;");
    }
    writer.line("Ok((rows, next))");
    out.append(&printer.into_state().text);
    out.line("}");
}
