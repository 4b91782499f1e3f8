//! The text of statements with `?` for each operand; constants are written out.

use cql::printer::identifier;
use model::plan::Operand;

/// A statement's text and where the values of its `?` come from, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Text {
    pub(crate) cql: String,
    pub(crate) operands: Vec<Operand>,
    /// The columns that get a value.
    pub(crate) sets: Vec<String>,
}

/// A column and the value that it is compared with or that it gets.
pub(crate) type Pair = (String, Operand);

/// What an UPDATE does with a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Set {
    /// `c = ?`
    To(Operand),
    /// `c = c + ?`: a counter.
    Plus(Operand),
    /// `c = c - ?`: a counter.
    Less(Operand),
    /// `c = c + ?`, or `c = c + {constant}`: one element of a set; `[]` for a list.
    AddElement(Operand, Brackets),
    /// `c = c - ?`
    RemoveElement(Operand, Brackets),
}

/// What encloses the elements of a collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Brackets {
    /// `{}`: a set.
    Set,
    /// `[]`: a list.
    List,
}

/// When a statement applies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum If {
    /// Always.
    #[default]
    Always,
    /// `IF EXISTS`
    Exists,
    /// `IF NOT EXISTS`
    NotExists,
    /// `IF a = ? AND b < ?`: column, operator, values (several for `IN`).
    Columns(Vec<(String, &'static str, Vec<Operand>)>),
}

impl Text {
    fn text(&mut self, text: &str) -> &mut Self {
        self.cql.push_str(text);
        self
    }

    fn name(&mut self, name: &str) -> &mut Self {
        self.cql.push_str(&identifier(name));
        self
    }

    /// A `?`, or the constant itself.
    fn value(&mut self, operand: &Operand) -> &mut Self {
        if let Operand::Literal(literal) = operand {
            self.cql.push_str(literal);
        } else {
            self.cql.push('?');
            self.operands.push(operand.clone());
        }
        self
    }

    /// The items, with something between them.
    fn list<T>(&mut self, items: &[T], between: &str, mut write: impl FnMut(&mut Self, &T)) {
        for (at, item) in items.iter().enumerate() {
            if at > 0 {
                self.text(between);
            }
            write(self, item);
        }
    }

    fn where_key(&mut self, key: &[Pair]) {
        self.text(" WHERE ");
        self.list(key, " AND ", |text, (name, operand)| {
            text.name(name).text(" = ").value(operand);
        });
    }

    fn condition(&mut self, condition: &If) {
        match condition {
            If::Always => {}
            If::Exists => {
                self.text(" IF EXISTS");
            }
            If::NotExists => {
                self.text(" IF NOT EXISTS");
            }
            If::Columns(columns) => {
                self.text(" IF ");
                self.list(columns, " AND ", |text, (name, operator, values)| {
                    text.name(name).text(" ").text(operator).text(" ");
                    let several = values.len() != 1;
                    text.text(if several { "(" } else { "" });
                    text.list(values, ", ", |text, value| {
                        text.value(value);
                    });
                    text.text(if several { ")" } else { "" });
                });
            }
        }
    }
}

/// `SELECT columns FROM table WHERE key`; each column with the name it has in the result.
pub(crate) fn select(table: &str, columns: &[(String, String)], key: &[Pair]) -> Text {
    let mut text = Text::default();
    text.text("SELECT ");
    text.list(columns, ", ", |text, (name, result)| {
        text.name(name);
        if name != result {
            text.text(" AS ").name(result);
        }
    });
    text.text(" FROM ").name(table);
    if !key.is_empty() {
        text.where_key(key);
    }
    text
}

/// `INSERT INTO table (...) VALUES (...)`, with a write timestamp where one is given.
pub(crate) fn insert(
    table: &str,
    values: &[Pair],
    condition: &If,
    timestamp: Option<&Operand>,
) -> Text {
    let mut text = Text { sets: names(values), ..Text::default() };
    text.text("INSERT INTO ").name(table).text(" (");
    text.list(values, ", ", |text, (name, _)| {
        text.name(name);
    });
    text.text(") VALUES (");
    text.list(values, ", ", |text, (_, operand)| {
        text.value(operand);
    });
    text.text(")");
    text.condition(condition);
    if let Some(timestamp) = timestamp {
        text.text(" USING TIMESTAMP ").value(timestamp);
    }
    text
}

/// `UPDATE table SET ... WHERE key`
pub(crate) fn update(table: &str, sets: &[(String, Set)], key: &[Pair], condition: &If) -> Text {
    let mut text = Text { sets: names(sets), ..Text::default() };
    text.text("UPDATE ").name(table).text(" SET ");
    text.list(sets, ", ", |text, (name, set)| {
        text.name(name).text(" = ");
        match set {
            Set::To(value) => text.value(value),
            Set::Plus(value) => text.name(name).text(" + ").value(value),
            Set::Less(value) => text.name(name).text(" - ").value(value),
            Set::AddElement(value, brackets) => {
                element(text.name(name).text(" + "), value, *brackets)
            }
            Set::RemoveElement(value, brackets) => {
                element(text.name(name).text(" - "), value, *brackets)
            }
        };
    });
    text.where_key(key);
    text.condition(condition);
    text
}

/// `DELETE FROM table WHERE key`
pub(crate) fn delete(table: &str, key: &[Pair], condition: &If) -> Text {
    let mut text = Text::default();
    text.text("DELETE FROM ").name(table);
    text.where_key(key);
    text.condition(condition);
    text
}

fn names<T>(pairs: &[(String, T)]) -> Vec<String> {
    pairs.iter().map(|(name, _)| name.clone()).collect()
}

/// A collection of one element. The server takes no `?` inside brackets.
fn element<'t>(text: &'t mut Text, value: &Operand, brackets: Brackets) -> &'t mut Text {
    if !matches!(value, Operand::Literal(_)) {
        return text.value(&Operand::Single(Box::new(value.clone())));
    }
    let (open, close) = match brackets {
        Brackets::Set => ("{", "}"),
        Brackets::List => ("[", "]"),
    };
    text.text(open).value(value).text(close)
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::id::{LoopId, ParameterId};

    fn pair(name: &str, operand: Operand) -> Pair {
        (name.to_owned(), operand)
    }

    #[test]
    fn constants_are_written_out_and_names_quoted() {
        let key = [
            pair("Day", Operand::Parameter(ParameterId::new(1))),
            pair("bucket", Operand::Literal("0".into())),
        ];
        let columns = [("a".to_owned(), "a".to_owned()), ("b".to_owned(), "table".to_owned())];
        let text = select("t", &columns, &key);
        assert_eq!(text.cql, "SELECT a, b AS \"table\" FROM t WHERE \"Day\" = ? AND bucket = 0");
        assert_eq!(text.operands, [Operand::Parameter(ParameterId::new(1))]);
    }

    #[test]
    fn operands_stand_in_the_order_of_their_marks() {
        let sets = [
            ("n".to_owned(), Set::Plus(Operand::Parameter(ParameterId::new(0)))),
            (
                "tags".to_owned(),
                Set::AddElement(Operand::Parameter(ParameterId::new(2)), Brackets::Set),
            ),
        ];
        let ifs = If::Columns(vec![(
            "s".to_owned(),
            "IN",
            vec![Operand::Parameter(ParameterId::new(3)), Operand::Literal("'b'".into())],
        )]);
        let text = update("t", &sets, &[pair("k", Operand::Parameter(ParameterId::new(1)))], &ifs);
        assert_eq!(
            text.cql,
            "UPDATE t SET n = n + ?, tags = tags + ? WHERE k = ? IF s IN (?, 'b')"
        );
        let [zero, one, two, three] = [0, 1, 2, 3].map(ParameterId::new).map(Operand::Parameter);
        assert_eq!(text.operands, [zero, Operand::Single(Box::new(two)), one, three]);
        let once = insert(
            "t",
            &[pair("k", Operand::Parameter(ParameterId::new(0)))],
            &If::NotExists,
            None,
        );
        assert_eq!(once.cql, "INSERT INTO t (k) VALUES (?) IF NOT EXISTS");
        let stamped = insert(
            "t",
            &[pair("k", Operand::Parameter(ParameterId::new(0)))],
            &If::Always,
            Some(&Operand::Turn(LoopId::new(0))),
        );
        assert_eq!(stamped.cql, "INSERT INTO t (k) VALUES (?) USING TIMESTAMP ?");
        assert_eq!(
            delete("t", &[pair("k", Operand::Parameter(ParameterId::new(0)))], &If::Exists).cql,
            "DELETE FROM t WHERE k = ? IF EXISTS"
        );
    }
}
