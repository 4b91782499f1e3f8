//! INSERT, UPDATE and DELETE.

use super::super::schema::{Column, ColumnKind, Effect, Keyspace, Table, quote_name};
use super::super::statement_writer::{StatementDraft, StatementWriter, join_commas};
use super::super::types::Ty;

impl StatementWriter<'_> {
    fn is_writable(table: &Table) -> bool {
        table.base.is_none() && !table.is_counter()
    }

    /// `USING TTL ... AND TIMESTAMP ...`, or nothing.
    fn using_clause(&mut self, ttl: bool, conditional: bool) -> String {
        let mut parts = Vec::new();
        if (ttl && self.rng.roll(15)) || self.slip("TTL where none belongs", 1) {
            let value = if self.slip("TTL out of range", 3) {
                self.pick_word(&["-1", "630720001", "1.5", "99999999999"]).to_owned()
            } else if self.markers && self.rng.roll(50) {
                self.marker()
            } else {
                self.pick_word(&["0", "10", "86400", "630720000"]).to_owned()
            };
            parts.push(format!("TTL {value}"));
        }
        if (!conditional && self.rng.roll(15)) || self.slip("timestamp where none belongs", 1) {
            let value = if self.slip("timestamp out of range", 1) {
                self.pick_word(&["99999999999999999999", "-9223372036854775808", "'now'"])
                    .to_owned()
            } else if self.markers && self.rng.roll(50) {
                self.marker()
            } else {
                self.pick_word(&["1", "1700000000000000", "0"]).to_owned()
            };
            parts.push(format!("TIMESTAMP {value}"));
        }
        if self.rng.roll(50) {
            parts.reverse();
        }
        if parts.is_empty() { String::new() } else { format!(" USING {}", parts.join(" AND ")) }
    }

    /// INSERT by columns.
    pub(super) fn insert(&mut self) -> Option<StatementDraft> {
        self.insert_into(false)
    }

    /// INSERT IF NOT EXISTS.
    pub(super) fn insert_if(&mut self) -> Option<StatementDraft> {
        self.insert_into(true)
    }

    fn insert_into(&mut self, conditional: bool) -> Option<StatementDraft> {
        let any = self.slip("insert into a counter table or view", 2);
        let (keyspace, table) = self.pick_table(|table| any || Self::is_writable(table))?;
        let text = self.insert_text(keyspace, table, conditional);
        Some(self.draft(text, Effect::None))
    }

    pub(super) fn insert_text(
        &mut self,
        keyspace: &Keyspace,
        table: &Table,
        conditional: bool,
    ) -> String {
        let (mut names, mut values) = (Vec::new(), Vec::new());
        for column in &table.columns {
            let wanted = column.kind.is_key() || self.rng.roll(45);
            if !wanted || (column.kind.is_key() && self.slip("key column left out", 3)) {
                continue;
            }
            names.push(self.column_name(column));
            if column.kind.is_key() && self.slip("empty key", 1) {
                values.push("''".to_owned());
            } else {
                values.push(self.value(&column.ty));
            }
        }
        if self.slip("one value too many", 1) {
            values.push("1".to_owned());
        }
        if names.len() > 1 && self.slip("one name too many", 1) {
            values.pop();
        }
        if !names.is_empty() && self.slip("a column twice", 1) {
            names.push(names[0].clone());
            values.push(values[0].clone());
        }
        let path = self.qualified_name(keyspace, &table.name);
        let condition = if conditional { " IF NOT EXISTS" } else { "" };
        let using = self.using_clause(true, conditional);
        format!(
            "INSERT INTO {path} ({}) VALUES ({}){condition}{using}",
            join_commas(&names),
            join_commas(&values)
        )
    }

    /// INSERT JSON.
    pub(super) fn insert_json(&mut self) -> Option<StatementDraft> {
        let any = self.slip("insert into a counter table or view", 2);
        let (keyspace, table) = self.pick_table(|table| any || Self::is_writable(table))?;
        let path = self.qualified_name(keyspace, &table.name);
        let row = if self.markers { self.marker() } else { self.json_row(table) };
        let default = self.pick_word(&["", "", " DEFAULT UNSET", " DEFAULT NULL"]);
        let condition = if self.rng.roll(10) { " IF NOT EXISTS" } else { "" };
        let using = self.using_clause(true, !condition.is_empty());
        Some(self.draft(
            format!("INSERT INTO {path} JSON {row}{default}{condition}{using}"),
            Effect::None,
        ))
    }

    /// The whole primary key by equality, or the partition key alone for statics.
    pub(super) fn full_key_clause(
        &mut self,
        table: &Table,
        clustering: bool,
        conditional: bool,
    ) -> String {
        let mut relations = self.partition_relations(table, !conditional);
        if clustering || self.slip("clustering for statics", 2) {
            let columns = table.clustering();
            for (at, column) in columns.iter().enumerate() {
                if self.slip("clustering column left out", 3) {
                    continue;
                }
                if !conditional && at + 1 == columns.len() && self.rng.roll(6) {
                    relations.push(self.membership(column));
                } else {
                    relations.push(self.equality(column));
                }
            }
        }
        if self.slip("value in the WHERE of a write", 2) {
            relations.push(self.odd_relation(table));
        }
        if relations.is_empty() {
            relations.push("token(a) = 1".to_owned());
        }
        relations.join(" AND ")
    }

    /// UPDATE with plain values.
    pub(super) fn update(&mut self) -> Option<StatementDraft> {
        let any = self.slip("update of a counter table or view", 2);
        let (keyspace, table) = self
            .pick_table(|table| any || (Self::is_writable(table) && !table.values().is_empty()))?;
        let text = self.update_text(keyspace, table, false);
        Some(self.draft(text, Effect::None))
    }

    /// UPDATE with conditions.
    pub(super) fn update_if(&mut self) -> Option<StatementDraft> {
        let any = self.slip("conditional update of a counter table or view", 1);
        let (keyspace, table) = self
            .pick_table(|table| any || (Self::is_writable(table) && !table.values().is_empty()))?;
        let text = self.update_text(keyspace, table, true);
        Some(self.draft(text, Effect::None))
    }

    pub(super) fn update_text(
        &mut self,
        keyspace: &Keyspace,
        table: &Table,
        conditional: bool,
    ) -> String {
        let mut columns = self.some_values(table);
        if self.slip("set a key column", 1) {
            columns.push(self.rng.pick(&table.columns).clone());
        }
        if self.slip("set a column twice", 1) {
            columns.push(columns[0].clone());
        }
        let parts: Vec<(ColumnKind, String)> =
            columns.iter().map(|column| (column.kind, self.assignment(column))).collect();
        let clustering = parts.iter().any(|(kind, _)| *kind != ColumnKind::Static);
        let (condition, needs_row) =
            if conditional { self.condition(table) } else { (String::new(), false) };
        let path = self.qualified_name(keyspace, &table.name);
        let using = self.using_clause(true, conditional);
        let clause = self.full_key_clause(table, clustering || needs_row, conditional);
        let parts: Vec<String> = parts.into_iter().map(|(_, text)| text).collect();
        format!("UPDATE {path}{using} SET {} WHERE {clause}{condition}", join_commas(&parts))
    }

    /// One or two columns that are not of the key, where there are any.
    pub(super) fn some_values(&mut self, table: &Table) -> Vec<Column> {
        let mut values: Vec<Column> = table.values().into_iter().cloned().collect();
        if values.is_empty() {
            values.push(self.rng.pick(&table.columns).clone());
        }
        self.rng.shuffle(&mut values);
        values.truncate(1 + self.rng.number_below(2));
        values
    }

    /// UPDATE of collections, fields and elements.
    pub(super) fn update_collection(&mut self) -> Option<StatementDraft> {
        let rich = |table: &Table| {
            Self::is_writable(table) && table.values().iter().any(|c| c.ty.is_multicell())
        };
        let (keyspace, table) = self.pick_table(rich)?;
        let values = table.values();
        let rich: Vec<&Column> =
            values.iter().copied().filter(|column| column.ty.is_multicell()).collect();
        let column = if rich.is_empty() || self.slip("element operation on something else", 4) {
            self.rng.pick(&table.columns).clone()
        } else {
            (*self.rng.pick(&rich)).clone()
        };
        let operation = self.element_operation(&column);
        let path = self.qualified_name(keyspace, &table.name);
        let using = self.using_clause(true, false);
        let clause = self.full_key_clause(table, column.kind != ColumnKind::Static, false);
        Some(
            self.draft(
                format!("UPDATE {path}{using} SET {operation} WHERE {clause}"),
                Effect::None,
            ),
        )
    }

    fn assignment(&mut self, column: &Column) -> String {
        if column.ty.is_multicell() && self.rng.roll(40) {
            return self.element_operation(column);
        }
        let name = self.column_name(column);
        if self.slip("increment of a value", 1) {
            return format!("{name} = {name} + {}", self.literal(&column.ty));
        }
        format!("{name} = {}", self.value(&column.ty))
    }

    /// An operation on parts of a column.
    fn element_operation(&mut self, column: &Column) -> String {
        let name = self.column_name(column);
        let whole = |scribe: &mut Self| scribe.value(&column.ty);
        match column.ty.bare().clone() {
            Ty::List(of) => match self.rng.number_below(5) {
                0 => format!("{name} = {name} + {}", whole(self)),
                1 => format!("{name} = {} + {name}", whole(self)),
                2 => format!("{name} = {name} - {}", whole(self)),
                3 => format!("{name} += {}", whole(self)),
                _ => {
                    // The list may be too short: a matter of data.
                    self.depends_on_data = true;
                    let index = self.value(&Ty::Native("int"));
                    format!("{name}[{index}] = {}", self.value(&of))
                }
            },
            Ty::Map(key, of) => match self.rng.number_below(4) {
                0 => format!("{name} = {name} + {}", whole(self)),
                1 => {
                    let keys = Ty::Set(key);
                    format!("{name} = {name} - {}", self.value(&keys))
                }
                2 => format!("{name} += {}", whole(self)),
                _ => format!("{name}[{}] = {}", self.value(&key), self.value(&of)),
            },
            Ty::User(ty) => {
                let field = self.user_type_field(&ty);
                let field_ty = self.home.and_then(|home| home.user_type(&ty)).and_then(|found| {
                    found
                        .fields
                        .iter()
                        .find(|(name, _)| quote_name(name) == field)
                        .map(|(_, ty)| ty.clone())
                });
                let field_ty = field_ty.unwrap_or(Ty::Native("int"));
                format!("{name}.{field} = {}", self.value(&field_ty))
            }
            Ty::Set(_) if self.slip("element of a set", 2) => format!("{name}[1] = 1"),
            Ty::Set(_) => {
                let sign = self.pick_word(&["+", "-"]);
                format!("{name} = {name} {sign} {}", whole(self))
            }
            _ => match self.rng.number_below(5) {
                0 => format!("{name}[0] = 1"),
                1 => format!("{name}.street = 'x'"),
                2 => format!("{name} = {name} - {{1}}"),
                3 => format!("{name} = [1] + {name}"),
                _ => format!("{name} += {}", whole(self)),
            },
        }
    }

    /// UPDATE of counters.
    pub(super) fn update_counter(&mut self) -> Option<StatementDraft> {
        let (keyspace, table) = self.pick_table(Table::is_counter)?;
        let path = self.qualified_name(keyspace, &table.name);
        let text = self.counter_text(&path, table);
        Some(self.draft(text, Effect::None))
    }

    pub(super) fn counter_text(&mut self, path: &str, table: &Table) -> String {
        let values = table.values();
        let column = if values.is_empty() || self.slip("count a key column", 1) {
            self.rng.pick(&table.columns).clone()
        } else {
            (*self.rng.pick(&values)).clone()
        };
        let name = self.column_name(&column);
        let amount = self.value(&Ty::Native("bigint"));
        let operation = if self.slip("set a counter", 3) {
            format!("{name} = {amount}")
        } else if self.slip("count into another column", 1) {
            format!("{name} = other + {amount}")
        } else {
            match self.rng.number_below(4) {
                0 => format!("{name} = {name} - {amount}"),
                1 => format!("{name} += {amount}"),
                2 => format!("{name} -= {amount}"),
                _ => format!("{name} = {name} + {amount}"),
            }
        };
        let using = if self.slip("counter with attributes", 2) {
            self.pick_word(&[" USING TTL 10", " USING TIMESTAMP 5"])
        } else {
            ""
        };
        let condition = if self.slip("counter with a condition", 2) {
            format!(
                " IF {}",
                if self.rng.roll(50) { "EXISTS".to_owned() } else { format!("{name} = 1") }
            )
        } else {
            String::new()
        };
        let clause = self.full_key_clause(table, column.kind != ColumnKind::Static, false);
        format!("UPDATE {path}{using} SET {operation} WHERE {clause}{condition}")
    }
}
