//! Pages of queries of several steps or stages.

use super::context::quote;
use super::expressions::{JavaScope, print_bucket_column};
use super::fetches::{JavaFetchKind, JavaFetchPrinter};
use super::query_runs::JavaQueryRun;
use crate::code_writer::CodeWriter;

impl JavaQueryRun<'_> {
    /// `page` and `part`: a page of the rows.
    pub(super) fn print_page(&self, out: &mut CodeWriter, scope: JavaScope<'_>) {
        let Some(main) = self.main() else { return };
        let (function, row) = (quote(&self.query.name), &self.name.row);
        let printer = JavaFetchPrinter {
            scope: JavaScope { repetitions: &main.repetitions, ..scope },
            function: &self.query.name,
            at: self.query.main,
            fetch: main,
            kind: JavaFetchKind::Main,
            chain: &[],
            limit: None,
        };
        out.block(
            format!("CompletionStage<Page<{row}>> page(int pageSize, String token) {{"),
            "}",
            |out| {
                out.line(format!(
                    "AccessSupport.Position pagePosition = AccessSupport.Position.read({function}, token);"
                ));
                if let Some((width, ends)) = printer.print_page_walk(out) {
                    let column = print_bucket_column(width, "bucketNumber");
                    out.line("return AccessSupport.walkPage(");
                    out.line("        call, walk, pageSize, pagePosition,");
                    out.line(format!(
                        "        (bucketNumber, partSize, pagingState) ->\n                part({column}, partSize, pagingState), () -> {ends});"
                    ));
                } else {
                    out.line("return part(pageSize, pagePosition.state()).thenApply(pagePart -> AccessSupport.page(call, pagePart));");
                }
            },
        );
        out.blank();
        let parameters = printer.parameters(main.repetitions.len());
        let comma = if parameters.is_empty() { "" } else { ", " };
        let values = printer.scope.print_values(&main.values);
        out.block(
            format!("private CompletionStage<AccessSupport.Part<{row}>> part({parameters}{comma}int partSize, byte[] pagingState) {{"),
            "}",
            |out| {
                out.line(format!("return support.part(call, {}, partSize, pagingState{values})", printer.print_sent()));
                out.line("        .thenCompose(pagePart -> CompletableFuture.completedFuture(pagePart.rows())");
                for link in self.row_links() {
                    out.line(format!("                {link}"));
                }
                out.line("                .thenApply(this::toResult)");
                out.line("                .thenApply(pagePart::with));");
            },
        );
        out.blank();
    }
}
