//! Functions that read page by page.

use super::fetch::{TypescriptFetch, write_bounds};
use super::layout::TypescriptWriter;
use super::names::TypescriptFunction;
use super::scope::TypescriptScope;
use crate::program::{Query, Repetition, Walk};

/// The walk of a query that is read page by page.
pub(super) fn find_walk(query: &Query) -> Option<&Walk> {
    match &query.steps.get(query.main)?.repetitions[..] {
        [Repetition::Buckets(walk)] => Some(walk),
        _ => None,
    }
}

/// The method that reads a page.
pub(super) fn write_page(
    writer: &mut TypescriptWriter,
    scope: &TypescriptScope<'_>,
    query: &Query,
    fetch: &TypescriptFetch<'_>,
) {
    let function = scope.function;
    let Some(method) = &function.page_method else { return };
    writer.blank();
    let about = format!(
        "A page of the rows of `{}`: from the position of a token, null for the first page.",
        function.method
    );
    writer.comment(&[about]);
    let given = parameter_list(function);
    let parameters: Vec<String> = given
        .into_iter()
        .chain(["pageSize: number".to_owned(), "token: string | null = null".to_owned()])
        .collect();
    let result = format!("Promise<h.PageOfRows<m.{}>>", function.row_type);
    writer.head(method, &parameters, &result);
    let name = super::layout::quote(&query.name);
    let (private, params) = (&function.private, argument(function));
    writer.indent_lines(|writer| match find_walk(query) {
        None => writer.hand_over(
            &format!("return this.#session.readPage({name}, pageSize, token, "),
            "(call, page)",
            &format!("this.#read{private}(call, {params}page)"),
            ");",
        ),
        Some(walk) => {
            let first =
                format!("return this.#session.readWalkPage({name}, pageSize, token, (call) => ({{");
            writer.block(&first, "}));", |writer| {
                write_bounds(writer, scope, walk);
                writer.line(format!("newestFirst: {},", walk.newest_first));
                fetch.write_ends(writer, scope, walk);
                let ty = scope.types.name(&walk.width.data_type());
                writer.hand_over(
                    "visit: ",
                    &format!("(turn0: {ty}, page)"),
                    &format!("this.#read{private}(call, {params}turn0, page)"),
                    ",",
                );
            });
        }
    });
    writer.line("}");
}

/// The parameter of a method, where it has one.
pub(super) fn parameter_list(function: &TypescriptFunction) -> Option<String> {
    function.parameters_type.as_ref().map(|name| format!("params: m.{name}"))
}

/// The argument that hands the parameters on.
pub(super) const fn argument(function: &TypescriptFunction) -> &'static str {
    if function.parameters_type.is_some() { "params, " } else { "" }
}
