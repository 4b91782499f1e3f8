//! Statements that read, and the loops in which they are sent.
//!
//! A step becomes methods: `streams` lists the turns of its repetitions, `walk` and `bucket` follow
//! the buckets of a walk, `ends` reads where they end, and `send` sends the statement at one turn.

use std::collections::BTreeMap;

use super::expressions::{JavaScope, JavaStep, print_bucket_column, print_width};
use super::names::list_columns;
use crate::code_writer::CodeWriter;
use crate::program::{BucketWidth, Fetch, Repetition, Walk};

/// What becomes of the rows of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JavaFetchKind {
    /// They are kept, with the rows under which they were read.
    Kept,
    /// They become the rows on which the stages work.
    Main,
    /// They complete a row.
    Attached,
}

/// The printer of a step.
#[derive(Clone, Copy)]
pub(super) struct JavaFetchPrinter<'a> {
    /// The scope; its repetitions are those of the step.
    pub(super) scope: JavaScope<'a>,
    /// The name of the query or write.
    pub(super) function: &'a str,
    /// The position of the step.
    pub(super) at: usize,
    /// The step.
    pub(super) fetch: &'a Fetch,
    /// What becomes of its rows.
    pub(super) kind: JavaFetchKind,
    /// The calls that follow each statement.
    pub(super) chain: &'a [String],
    /// The rows after which a walk may stop; `None`: it does not.
    pub(super) limit: Option<&'a str>,
}

/// The steps of a function with the names of their columns.
pub(super) fn list_steps<'a>(
    fetches: impl Iterator<Item = Option<&'a Fetch>>,
) -> Vec<Option<JavaStep<'a>>> {
    let step = |fetch: &'a Fetch| {
        let columns = &fetch.statement.columns;
        let names = list_columns(columns, &fetch.statement.table).0;
        let columns: BTreeMap<_, _> = columns.iter().map(|it| it.name.clone()).zip(names).collect();
        JavaStep { fetch, columns }
    };
    fetches.map(|fetch| fetch.map(step)).collect()
}

/// The record of the rows of a step.
pub(super) fn print_step_record(
    out: &mut CodeWriter,
    scope: &JavaScope<'_>,
    at: usize,
    kind: JavaFetchKind,
) {
    let Some(Some(step)) = scope.steps.get(at) else { return };
    let fields = step.fetch.statement.columns.iter().filter_map(|field| {
        let name = step.columns.get(&field.name)?;
        Some(format!("{} {name}", scope.context.to_boxed(&field.ty)))
    });
    let parents = step.fetch.parents.iter().enumerate();
    let parents = parents
        .filter(|_| kind == JavaFetchKind::Kept)
        .map(|(number, parent)| format!("Row{parent} parent{number}"));
    let fields: Vec<_> = fields.chain(parents).collect();
    out.line(format!("private record Row{at}({}) {{}}", fields.join(", "))).blank();
}

impl JavaFetchPrinter<'_> {
    /// The class of the rows.
    fn row_class(&self) -> String {
        if self.kind == JavaFetchKind::Main { "Data".to_owned() } else { format!("Row{}", self.at) }
    }

    /// All methods of the step.
    pub(super) fn print(&self, out: &mut CodeWriter) {
        if self.kind != JavaFetchKind::Main {
            self.print_read(out);
        }
        if self.has_turns() {
            self.print_level(out, 0);
        }
        self.print_send(out);
    }

    /// Whether it is sent at several turns. The row is the only turn of an attached step.
    pub(super) fn has_turns(&self) -> bool {
        !self.list_turns(0, self.fetch.repetitions.len()).is_empty()
    }

    /// `read`: all rows of the step.
    fn print_read(&self, out: &mut CodeWriter) {
        let (at, class) = (self.at, self.row_class());
        let (parameters, arguments) = match self.kind {
            JavaFetchKind::Attached => ("Data row", "row"),
            _ => ("", ""),
        };
        let is_completed = self.fetch.optional && self.kind == JavaFetchKind::Kept;
        out.line(format!("/** {} */", super::comments::escape(&self.fetch.statement.cql)));
        out.block(
            format!("private CompletionStage<List<{class}>> read{at}({parameters}) {{"),
            "}",
            |out| {
                let complete =
                    if is_completed { format!(".thenApply(this::complete{at})") } else { String::new() };
                if self.has_turns() {
                    out.line(format!(
                        "return streams{at}({arguments}).thenApply(found -> AccessSupport.flatten(found)){complete};"
                    ));
                } else {
                    out.line(format!("return send{at}({arguments}){complete};"));
                }
            },
        );
        out.blank();
        if is_completed {
            self.print_completion(out);
        }
    }

    /// `complete`: a row of nulls where there is none.
    fn print_completion(&self, out: &mut CodeWriter) {
        let at = self.at;
        let columns = self.fetch.statement.columns.len();
        let nulls = |parents: Vec<String>| {
            let columns = (0..columns).map(|_| "null".to_owned());
            columns.chain(parents).collect::<Vec<_>>().join(", ")
        };
        let others = |from: usize| {
            (from..self.fetch.parents.len()).map(|_| "null".to_owned()).collect::<Vec<_>>()
        };
        out.block(
            format!("private List<Row{at}> complete{at}(List<Row{at}> found) {{"),
            "}",
            |out| {
                out.line(format!("List<Row{at}> rows = new ArrayList<>(found);"));
                if let Some(Repetition::Rows(parent)) = self.fetch.repetitions.first() {
                    out.block(format!("for (Row{parent} turn0 : rows{parent}) {{"), "}", |out| {
                        let is_absent = "found.stream().noneMatch(it -> it.parent0() == turn0)";
                        out.block(format!("if ({is_absent}) {{"), "}", |out| {
                            let parents = [vec!["turn0".to_owned()], others(1)].concat();
                            out.line(format!("rows.add(new Row{at}({}));", nulls(parents)));
                        });
                    });
                } else {
                    out.block("if (rows.isEmpty()) {", "}", |out| {
                        out.line(format!("rows.add(new Row{at}({}));", nulls(others(0))));
                    });
                }
                out.line("return rows;");
            },
        );
        out.blank();
    }

    /// The methods from a repetition on: `streams` or `bucket`, and those inside.
    fn print_level(&self, out: &mut CodeWriter, from: usize) {
        let walk = self.find_walk(from);
        let (name, class) = (self.level_name(from), self.row_class());
        let to = walk.map_or(self.fetch.repetitions.len(), |(at, _)| at);
        let call = match walk {
            Some((at, _)) => format!("walk{}At{at}({})", self.at, self.arguments(at)),
            None => format!("send{}({})", self.at, self.arguments(to)),
        };
        let item =
            if walk.is_some() { format!("List<List<{class}>>") } else { format!("List<{class}>") };
        out.block(
            format!(
                "private CompletionStage<List<List<{class}>>> {name}({}) {{",
                self.parameters(from)
            ),
            "}",
            |out| {
                if self.list_turns(from, to).is_empty() {
                    let wrap =
                        if walk.is_some() { "" } else { ".thenApply(found -> List.of(found))" };
                    out.line(format!("return {call}{wrap};"));
                    return;
                }
                out.line(format!(
                    "List<Supplier<CompletionStage<{item}>>> tasks = new ArrayList<>();"
                ));
                self.print_turns(out, from, to, &mut |out| {
                    out.line(format!("tasks.add(() -> {call});"));
                });
                let join = if walk.is_some() {
                    ".thenApply(found -> AccessSupport.flatten(found))"
                } else {
                    ""
                };
                out.line(format!("return AccessSupport.inParallel(tasks){join};"));
            },
        );
        out.blank();
        if let Some((at, walk)) = walk {
            self.print_walk(out, at, walk);
            self.print_level(out, at + 1);
        }
    }

    fn level_name(&self, from: usize) -> String {
        if from == 0 { format!("streams{}", self.at) } else { format!("bucket{}At{from}", self.at) }
    }

    fn find_walk(&self, from: usize) -> Option<(usize, &Walk)> {
        let later = self.fetch.repetitions.iter().enumerate().skip(from);
        later.into_iter().find_map(|(at, repetition)| match repetition {
            Repetition::Buckets(walk) => Some((at, walk.as_ref())),
            _ => None,
        })
    }

    /// The positions of the repetitions that have a variable.
    fn list_turns(&self, from: usize, to: usize) -> Vec<usize> {
        let is_row = |at: &usize| {
            self.kind == JavaFetchKind::Attached
                && matches!(self.fetch.repetitions.get(*at), Some(Repetition::Rows(_)))
        };
        (from..to).filter(|at| !is_row(at)).collect()
    }

    /// The variables of the turns before a repetition, as arguments.
    pub(super) fn arguments(&self, to: usize) -> String {
        let row = (self.kind == JavaFetchKind::Attached).then(|| "row".to_owned());
        let turns = self.list_turns(0, to).into_iter().map(|at| format!("turn{at}"));
        row.into_iter().chain(turns).collect::<Vec<_>>().join(", ")
    }

    /// The variables of the turns before a repetition, as parameters.
    pub(super) fn parameters(&self, to: usize) -> String {
        let row = (self.kind == JavaFetchKind::Attached).then(|| "Data row".to_owned());
        let turns = self.list_turns(0, to).into_iter().filter_map(|at| {
            Some(format!("{} turn{at}", self.scope.turn_class(self.fetch.repetitions.get(at)?)))
        });
        row.into_iter().chain(turns).collect::<Vec<_>>().join(", ")
    }

    fn print_turns(
        &self,
        out: &mut CodeWriter,
        from: usize,
        to: usize,
        body: &mut dyn FnMut(&mut CodeWriter),
    ) {
        let Some(at) = self.list_turns(from, to).first().copied() else { return body(out) };
        let Some(repetition) = self.fetch.repetitions.get(at) else { return body(out) };
        out.block(self.scope.print_loop(at, repetition), "}", |out| {
            self.print_turns(out, at + 1, to, body);
        });
    }

    fn print_walk(&self, out: &mut CodeWriter, at: usize, walk: &Walk) {
        let (step, class, parameters) = (self.at, self.row_class(), self.parameters(at));
        let ends = self.scope.steps.get(walk.ends.unwrap_or(usize::MAX)).and_then(Option::as_ref);
        out.block(
            format!(
                "private CompletionStage<List<List<{class}>>> walk{step}At{at}({parameters}) {{"
            ),
            "}",
            |out| {
                let mut calls = self.scope.walk_calls(walk);
                if let Some(limit) = self.limit.filter(|_| walk.stops_at_limit) {
                    calls.push(format!(".stopsAt({limit}, {})", walk.ahead.max(1)));
                }
                print_walk_variable(out, walk, &calls);
                let column = print_bucket_column(walk.width, "bucketNumber");
                let mut arguments = self.arguments(at);
                if !arguments.is_empty() {
                    arguments.push_str(", ");
                }
                let bucket = format!("{}({arguments}{column})", self.level_name(at + 1));
                let ends = match ends {
                    Some(_) => format!("ends{step}At{at}({})", self.arguments(at)),
                    None => "AccessSupport.noEnds()".to_owned(),
                };
                out.line(format!(
                    "return AccessSupport.walk(walk, bucketNumber -> {bucket}, () -> {ends});"
                ));
            },
        );
        out.blank();
        if let Some(ends) = ends {
            self.print_ends(out, at, walk, ends.fetch);
        }
    }

    /// `ends`: the recorded ends of the buckets, at the same turn.
    fn print_ends(&self, out: &mut CodeWriter, at: usize, walk: &Walk, ends: &Fetch) {
        let statement = self.scope.statement(self.function, ends);
        let column = |name: &Option<String>| {
            let columns = ends.statement.columns.iter().enumerate();
            let found = columns.into_iter().find(|(_, it)| Some(&it.name) == name.as_ref());
            found.map_or_else(
                || "null".to_owned(),
                |(at, field)| {
                    let value = self.scope.context.read_column("found", at, field);
                    format!("{}.numberOfColumn({value})", print_width(walk.width))
                },
            )
        };
        let (oldest, newest) = (column(&walk.oldest_column), column(&walk.newest_column));
        out.block(
            format!(
                "private CompletionStage<AccessSupport.Ends> ends{}At{at}({}) {{",
                self.at,
                self.parameters(at)
            ),
            "}",
            |out| {
                let read = format!("found -> new AccessSupport.Ends({oldest}, {newest})");
                let values = self.scope.print_values(&ends.values);
                out.line(format!("return support.all(call, {statement}, {read}{values})"));
                out.line("        .thenApply(AccessSupport.Ends::of);");
            },
        );
        out.blank();
    }

    /// `send`: the rows of the statement at one turn.
    fn print_send(&self, out: &mut CodeWriter) {
        let (at, class) = (self.at, self.row_class());
        let to = self.fetch.repetitions.len();
        out.block(
            format!("private CompletionStage<List<{class}>> send{at}({}) {{", self.parameters(to)),
            "}",
            |out| {
                let call = format!("support.all(call, {}", self.print_sent());
                let values = self.scope.print_values(&self.fetch.values);
                if self.chain.is_empty() {
                    out.line(format!("return {call}{values});"));
                } else {
                    out.line(format!("return {call}{values})"));
                    for (number, next) in self.chain.iter().enumerate() {
                        let end = if number + 1 == self.chain.len() { ";" } else { "" };
                        out.line(format!("        {next}{end}"));
                    }
                }
            },
        );
        out.blank();
    }

    /// The statement and how its rows are read.
    pub(super) fn print_sent(&self) -> String {
        let statement = self.scope.statement(self.function, self.fetch);
        let turns = self.fetch.repetitions.iter().enumerate().filter_map(|(at, repetition)| {
            let is_kept = self.kind != JavaFetchKind::Attached;
            (is_kept && matches!(repetition, Repetition::Rows(_))).then(|| format!("turn{at}"))
        });
        let turns: Vec<_> = turns.collect();
        if self.kind == JavaFetchKind::Main {
            let turns: String = turns.iter().map(|turn| format!(", {turn}")).collect();
            return format!("{statement}, found -> toData(found{turns})");
        }
        let columns = self.fetch.statement.columns.iter().enumerate();
        let columns = columns.map(|(at, it)| self.scope.context.read_column("found", at, it));
        let parts: Vec<_> = columns.chain(turns).collect();
        format!("{statement}, found -> new Row{}({})", self.at, parts.join(", "))
    }
}

/// The variable `walk`.
fn print_walk_variable(out: &mut CodeWriter, walk: &Walk, calls: &[String]) {
    let made = format!(
        "AccessSupport.Walk walk = new AccessSupport.Walk({}, {}, support.now())",
        print_width(walk.width),
        walk.newest_first
    );
    if calls.is_empty() {
        out.line(format!("{made};"));
        return;
    }
    out.line(made);
    for (at, call) in calls.iter().enumerate() {
        out.line(format!("        {call}{}", if at + 1 == calls.len() { ";" } else { "" }));
    }
}

impl JavaFetchPrinter<'_> {
    /// The variable of the walk at the only repetition, for pages.
    pub(super) fn print_page_walk(&self, out: &mut CodeWriter) -> Option<(BucketWidth, String)> {
        let (at, walk) = self.find_walk(0)?;
        print_walk_variable(out, walk, &self.scope.walk_calls(walk));
        let ends = match walk.ends {
            Some(_) => format!("ends{}At{at}({})", self.at, self.arguments(at)),
            None => "AccessSupport.noEnds()".to_owned(),
        };
        Some((walk.width, ends))
    }
}
