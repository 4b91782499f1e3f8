//! Steps that read and keep their rows.

use super::fetch::{GoFetch, GoStep, write_arguments};
use super::format::{GoLines, write_literal};
use super::scope::{GoRowType, GoScope};
use crate::program::Repetition;

/// The steps that run before others, whose code is `later`.
pub(super) fn write_steps(
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
        let mut lines = write_step(steps, (*at, row), scope, &fail, &all);
        lines.append(all);
        all = lines;
    }
    all
}

fn write_step(
    steps: &[GoStep<'_>],
    (at, row): (usize, &GoRowType),
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
    if later.has_use(&first) {
        lines.add(format!("{first} := firstOf({variable})"));
    } else if !later.has_use(&variable) && !fetch.optional {
        lines.add(format!("_ = {variable}"));
    }
    lines
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
