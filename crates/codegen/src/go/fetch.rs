//! Statements that read, in their loops.

use super::expression::start_of_bucket;
use super::format::GoLines;
use super::scope::{GoForm, GoRowType, GoScope, GoTurn, GoValue};
use crate::program::{BucketWidth, DataType, Expression, Fetch, Repetition, Walk};

/// A statement that reads, and what is done with its rows.
#[derive(Clone, Copy)]
pub(super) struct GoFetch<'p> {
    pub(super) fetch: &'p Fetch,
    /// The struct of its rows.
    pub(super) row: &'p GoRowType,
    /// All steps with the variables of their statements, for the ends of walks.
    pub(super) steps: &'p [GoStep<'p>],
    /// The variable of its statement.
    pub(super) statement: &'p str,
    /// What is done with the rows of each statement, in `items`.
    pub(super) after: &'p GoLines,
    /// The rows after which a walk may stop; `None`: it does not.
    pub(super) limit: Option<&'p str>,
}

/// A step that reads.
#[derive(Clone, Debug)]
pub(super) struct GoStep<'p> {
    pub(super) fetch: Option<&'p Fetch>,
    pub(super) statement: String,
}

/// The values of a statement that reads.
pub(super) struct GoArguments {
    /// What is done before: a statement is not sent where one of them is null.
    pub(super) before: GoLines,
    /// The values, each after a comma.
    pub(super) texts: String,
}

/// The values of a statement; where one is null, `none` is done.
pub(super) fn write_arguments(
    scope: &GoScope<'_>,
    values: &[Expression],
    none: &str,
) -> GoArguments {
    let mut before = GoLines::default();
    let mut texts = String::new();
    for (at, value) in values.iter().enumerate() {
        let known = require_value(&mut before, scope.root(value), &format!("value{at}"), none);
        for text in known.list_bound(false) {
            texts.push_str(", ");
            texts.push_str(&text);
        }
    }
    GoArguments { before, texts }
}

/// A value that is not null: where it is, `none` is done.
fn require_value(before: &mut GoLines, value: GoValue, name: &str, none: &str) -> GoValue {
    if value.form == GoForm::Plain {
        return value;
    }
    let named = if value.is_simple() {
        value
    } else {
        before.add(format!("{name} := {}", value.text));
        GoValue { text: name.to_owned(), ..value }
    };
    before.add(format!("if {} {{", named.print_null_test())).add(none).add("}");
    named.find_known()
}

impl<'p> GoFetch<'p> {
    /// The type of the rows of a statement.
    pub(super) fn item_type(&self) -> String {
        format!("*{}", self.row.name)
    }

    /// The type of all streams.
    fn streams_type(&self) -> String {
        format!("[][]{}", self.item_type())
    }

    /// The body of a function that returns the streams of the repetitions from a position on.
    pub(super) fn write_streams(&self, scope: &GoScope<'p>, position: usize) -> GoLines {
        match self.fetch.repetitions.get(position) {
            None => self.write_direct(scope),
            Some(Repetition::Buckets(walk)) => self.write_walk(scope, position, walk),
            Some(_) => self.write_loops(scope, position),
        }
    }

    fn write_direct(&self, scope: &GoScope<'p>) -> GoLines {
        let none = format!("return {}{{nil}}, nil", self.streams_type());
        let arguments = write_arguments(scope, &self.fetch.values, &none);
        let mut lines = arguments.before;
        lines.add(format!(
            "items, err := fetchItems[{}](ctx, c, {}{})",
            self.row.name, self.statement, arguments.texts
        ));
        lines.add("if err != nil {").add("return nil, err").add("}");
        lines.append(self.write_parents(scope));
        lines.append(self.after.clone());
        lines.add(format!("return {}{{items}}, nil", self.streams_type()));
        lines
    }

    /// Notes the rows under which the items were read.
    pub(super) fn write_parents(&self, scope: &GoScope<'p>) -> GoLines {
        let rows = scope.turns.iter().filter_map(|turn| match turn {
            GoTurn::Row(variable, step) => Some((variable, *step)),
            _ => None,
        });
        let mut inside = GoLines::default();
        for (at, (variable, step)) in rows.enumerate() {
            if self.row.parents.get(at) == Some(&step) {
                inside.add(format!("item.parent{at} = {variable}"));
            } else {
                self.copy_columns(&mut inside, scope, variable, step);
            }
        }
        if inside.is_empty() {
            return inside;
        }
        let mut lines = GoLines::default();
        lines.block("for _, item := range items {", inside, "}");
        lines
    }

    /// The rows of a query have the columns of the rows under which they were read.
    fn copy_columns(&self, lines: &mut GoLines, scope: &GoScope<'p>, variable: &str, step: usize) {
        let Some(parent) = scope.steps.get(step).and_then(Option::as_ref) else { return };
        let own = &self.fetch.statement.columns;
        for column in &parent.columns {
            let is_own = own.iter().any(|field| field.name == column.column);
            let Some(into) = self.row.column(&column.column).filter(|_| !is_own) else { continue };
            let line = format!("item.{} = {variable}.{}", into.field, column.field);
            if into.ty == column.ty && !lines.has_use(&into.field) {
                lines.add(line);
            }
        }
        for (at, above) in parent.parents.iter().enumerate() {
            self.copy_columns(lines, scope, &format!("{variable}.parent{at}"), *above);
        }
    }

    fn write_loops(&self, scope: &GoScope<'p>, position: usize) -> GoLines {
        let repetitions = self.fetch.repetitions.get(position..).unwrap_or_default();
        let is_plain = |it: &&Repetition| !matches!(it, Repetition::Buckets(_));
        let count = repetitions.iter().take_while(is_plain).count();
        let mut inner = scope.clone();
        let mut headers = Vec::new();
        for (at, repetition) in repetitions.iter().take(count).enumerate() {
            // A lookup has the current row as its only turn.
            if matches!(repetition, Repetition::Rows(_)) && scope.current.is_some() {
                inner = inner.with_turn(GoTurn::Current);
                continue;
            }
            headers.push((position + at, write_header(&inner, repetition)));
            inner = inner.with_turn(turn_of(repetition, position + at));
        }
        let ty = format!("func(ctx context.Context) ({}, error)", self.streams_type());
        let body = self.write_streams(&inner, position + count);
        let mut lines = GoLines::default();
        lines.block(format!("tasks = append(tasks, {ty} {{"), body, "})");
        let mut nested = lines;
        for (at, header) in headers.iter().rev() {
            nested = enclose_loop(header, *at, nested);
        }
        let mut all = GoLines::default();
        all.add(format!("var tasks []func(context.Context) ({}, error)", self.streams_type()));
        all.append(nested);
        all.add("return runAll(ctx, c, tasks)");
        all
    }

    fn write_walk(&self, scope: &GoScope<'p>, position: usize, walk: &'p Walk) -> GoLines {
        let mut lines = self.declare_walk(scope, walk, "return nil, nil");
        if let Some(limit) = self.limit.filter(|_| walk.stops_at_limit) {
            lines.add("walk.stops = true").add(format!("walk.limit = {limit}"));
            lines.add(format!("walk.ahead = {}", walk.ahead.max(1)));
        }
        let turn = format!("turn{position}");
        let inner = scope.with_turn(GoTurn::Value(turn.clone(), walk.width.data_type()));
        let body = self.write_streams(&inner, position + 1);
        let mut inside = GoLines::default();
        if body.has_use(&turn) {
            inside.add(format!("{turn} := {}", start_of_bucket("number", walk.width)));
        }
        inside.append(body);
        let ty = self.streams_type();
        lines.block(
            format!(
                "return walkBuckets(ctx, c, walk, func(ctx context.Context, number int64) ({ty}, error) {{"
            ),
            inside,
            "})",
        );
        lines
    }

    /// Declares `walk`; where a bound is null, `none` is done.
    pub(super) fn declare_walk(&self, scope: &GoScope<'p>, walk: &'p Walk, none: &str) -> GoLines {
        let mut lines = GoLines::default();
        let mut bound = |value: &Expression, name: &str| {
            let known = require_value(&mut lines, scope.root(value), name, none);
            scope.bucket_number(&known, walk.width).text
        };
        let from = walk.from.as_ref().map(|value| bound(value, "from"));
        let to = walk.to.as_ref().map(|value| bound(value, "to"));
        let now = || scope.bucket_number(&moment("c.access.now()"), walk.width).text;
        let to = to.unwrap_or_else(|| match walk.width {
            BucketWidth::Range(_) => "math.MaxInt64".to_owned(),
            _ => now(),
        });
        let flag = |is_set: bool, name: &str| {
            if is_set { format!(", {name}: true") } else { String::new() }
        };
        let flags = flag(walk.newest_first, "newestFirst")
            + &flag(walk.newest_column.is_some(), "readsNewest");
        lines.add(format!("walk := bucketWalk{{to: {to}{flags}}}"));
        let mut bounds: Vec<String> = from.into_iter().map(|text| format!("ptr({text})")).collect();
        let is_range = matches!(walk.width, BucketWidth::Range(_));
        if let Some(millis) = walk.retention_ms.filter(|_| !is_range) {
            lines.add(format!("expired := c.access.now().Add(-{millis} * time.Millisecond)"));
            let number = scope.bucket_number(&moment("expired"), walk.width);
            bounds.push(format!("ptr({})", number.text));
        }
        match &bounds[..] {
            [] => {}
            [one] => _ = lines.add(format!("walk.from = {one}")),
            several => _ = lines.add(format!("walk.from = greatest({})", several.join(", "))),
        }
        lines.append(self.write_ends(scope, walk));
        lines
    }

    /// The function that reads the recorded ends of the buckets.
    fn write_ends(&self, scope: &GoScope<'p>, walk: &Walk) -> GoLines {
        let mut lines = GoLines::default();
        let step = walk.ends.and_then(|at| Some((self.steps.get(at)?, scope.steps.get(at)?)));
        let Some((step, Some(row))) = step else { return lines };
        let Some(fetch) = step.fetch else { return lines };
        let arguments = write_arguments(scope, &fetch.values, "return nil, nil, nil");
        let end = |name: &Option<String>| {
            let column = name.as_ref().and_then(|name| row.column(name));
            column.map_or_else(|| "nil".to_owned(), |column| number_of(scope, column, walk.width))
        };
        let mut inside = arguments.before;
        inside.add(format!(
            "ends, err := fetchOne[{}](ctx, c, {}{})",
            row.name, step.statement, arguments.texts
        ));
        inside.add("if err != nil || ends == nil {").add("return nil, nil, err").add("}");
        inside.add(format!(
            "return {}, {}, nil",
            end(&walk.oldest_column),
            end(&walk.newest_column)
        ));
        lines.block(
            "walk.ends = func(ctx context.Context) (oldest, newest *int64, err error) {",
            inside,
            "}",
        );
        lines
    }
}

/// The number of the bucket in a column of recorded ends.
fn number_of(scope: &GoScope<'_>, column: &super::scope::GoColumn, width: BucketWidth) -> String {
    let value = super::scope::read_column("ends", column);
    match width {
        BucketWidth::Range(_) => scope.convert(&value, &DataType::Bigint).to_pointer(),
        _ => scope.bucket_number(&value, width).to_pointer(),
    }
}

/// A time.
fn moment(text: &str) -> GoValue {
    GoValue::plain(text, &DataType::Timestamp)
}

/// The variable of a repetition that is no walk.
pub(super) fn turn_of(repetition: &Repetition, at: usize) -> GoTurn {
    let name = format!("turn{at}");
    match repetition {
        Repetition::Values(_, ty) | Repetition::Elements(_, ty) => GoTurn::Value(name, ty.clone()),
        Repetition::Shards(_) => GoTurn::Value(name, DataType::Int),
        Repetition::Buckets(walk) => GoTurn::Value(name, walk.width.data_type()),
        Repetition::Rows(step) => GoTurn::Row(name, *step),
    }
}

/// What a loop goes over, and whether with positions.
pub(super) struct GoLoop {
    range: String,
    has_position: bool,
}

/// The loop of a repetition that is no walk.
pub(super) fn write_header(scope: &GoScope<'_>, repetition: &Repetition) -> GoLoop {
    let range = match repetition {
        Repetition::Values(values, ty) => {
            let values: Vec<GoValue> =
                values.iter().map(|value| scope.convert(&scope.root(value), ty)).collect();
            if values.iter().all(|value| value.form == GoForm::Plain) {
                let texts: Vec<String> = values.into_iter().map(|value| value.text).collect();
                format!("distinct([]{}{{{}}})", scope.types.plain(ty), texts.join(", "))
            } else {
                let texts: Vec<String> = values.iter().map(GoValue::to_pointer).collect();
                format!("distinct(present({}))", texts.join(", "))
            }
        }
        Repetition::Elements(array, _) => format!("distinct({})", scope.root(array).to_plain()),
        Repetition::Shards(count) => {
            return GoLoop { range: format!("int32({count})"), has_position: false };
        }
        Repetition::Rows(step) => format!("step{step}"),
        Repetition::Buckets(_) => "nil".to_owned(),
    };
    GoLoop { range, has_position: true }
}

/// The code inside a loop; a variable that it does not use is left out.
pub(super) fn enclose_loop(header: &GoLoop, at: usize, inside: GoLines) -> GoLines {
    let name = format!("turn{at}");
    let first = match (inside.has_use(&name), header.has_position) {
        (true, true) => format!("for _, {name} := range {} {{", header.range),
        (true, false) => format!("for {name} := range {} {{", header.range),
        (false, _) => format!("for range {} {{", header.range),
    };
    let mut lines = GoLines::default();
    lines.block(first, inside, "}");
    lines
}
