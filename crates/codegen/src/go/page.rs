//! Functions that return a page of rows.

use super::fetch::{GoFetch, turn_of, write_arguments};
use super::format::{GoLines, quote};
use super::function::{check_parameters, unpack_parameters};
use super::query::GoQuery;
use super::scope::GoTurn;
use super::stage::GoRows;
use crate::program::Repetition;

impl<'p> GoQuery<'p> {
    /// The form that returns a page.
    pub(super) fn write_page(&self, is_direct: bool) -> GoLines {
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
        body.append(unpack_parameters(self.function, true));
        body.append(check_parameters(self.function, "nil, \"\", "));
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
        let item = if inside.has_use("item") { "_, item := " } else { "" };
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
        if let Some(GoTurn::Value(turn, _)) = inner.turns.first()
            && read.has_use(turn)
        {
            let start = super::expression::start_of_bucket("number", walk.width);
            inside.add(format!("{turn} := {start}"));
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
