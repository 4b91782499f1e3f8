//! Random writes.

use super::reads::row_condition;
use super::tables::{ColumnUse, ConstructColumn, ConstructTable};
use super::{AmountUse, ModelWriter, SqlConstruct};

impl ModelWriter {
    /// A write: its kind and its statement.
    pub(super) fn write(&mut self) -> (&'static str, String) {
        let form = self.rng.number_below(12);
        let at = match form {
            6..=8 if self.rng.roll(60) => self.pick_referred(),
            _ => self.pick_table(),
        };
        let table = self.tables[at].clone();
        let mut sql = match form {
            0..=5 => self.insert(&table),
            6..=8 => self.update(at, &table),
            _ => format!("DELETE FROM {} WHERE {}", table.name, row_condition(&table, "")),
        };
        if self.rng.roll(15) {
            self.mark(SqlConstruct::Returning);
            let columns: Vec<_> = table.columns.iter().map(|it| it.name.as_str()).collect();
            let returned = if self.rng.roll(40) { "*".to_owned() } else { columns.join(", ") };
            sql += " RETURNING ";
            sql += &returned;
            return (":one", sql);
        }
        (":exec", sql)
    }

    /// A table that others refer to, if there is one.
    fn pick_referred(&mut self) -> usize {
        let links = self.tables.iter().flat_map(|table| &table.links);
        let referred: Vec<_> =
            links.filter(|it| it.on_update.is_some()).map(|it| it.target).collect();
        if referred.is_empty() { self.pick_table() } else { *self.rng.pick(&referred) }
    }

    fn insert(&mut self, table: &ConstructTable) -> String {
        let mut columns = Vec::new();
        for (at, column) in table.columns.iter().enumerate() {
            if column.role == ColumnUse::Sequence {
                self.used.extend(column.default.as_ref().map(|(_, construct)| *construct));
                continue;
            }
            let omitted = match &column.default {
                Some((_, construct)) if self.rng.roll(60) => {
                    self.used.insert(*construct);
                    true
                }
                Some(_) => false,
                None => column.nullable && !table.key.contains(&at) && self.rng.roll(25),
            };
            if !omitted && column.role != ColumnUse::Generated {
                columns.push(column.clone());
            }
        }
        let names: Vec<_> = columns.iter().map(|column| column.name.as_str()).collect();
        if names.is_empty() {
            return format!("INSERT INTO {} DEFAULT VALUES", table.name);
        }
        let mut rows = vec![self.row(&columns)];
        let form = self.rng.number_below(9);
        if form == 0 {
            self.mark(SqlConstruct::SeveralRows);
            for _ in 0..=self.rng.number_below(2) {
                rows.push(self.row(&columns));
            }
        }
        let insert =
            format!("INSERT INTO {} ({}) VALUES {}", table.name, names.join(", "), rows.join(", "));
        if form < 4 || table.key.iter().any(|at| !names.contains(&table.columns[*at].name.as_str()))
        {
            return insert;
        }
        format!("{insert}{}", self.conflict(table, &columns))
    }

    fn row(&mut self, columns: &[ConstructColumn]) -> String {
        let mut values = Vec::new();
        for column in columns {
            let word = column.default.is_some() && self.rng.roll(20);
            if word {
                self.mark(SqlConstruct::DefaultWord);
            }
            values.push(match column.role {
                _ if word => "DEFAULT",
                ColumnUse::State => *self.rng.pick(&["'new'", "'open'"]),
                _ => "?",
            });
        }
        format!("({})", values.join(", "))
    }

    /// What is done with a row that exists.
    fn conflict(&mut self, table: &ConstructTable, columns: &[ConstructColumn]) -> String {
        let keys: Vec<_> = table.key.iter().map(|at| table.columns[*at].name.as_str()).collect();
        let target = format!(" ON CONFLICT ({})", keys.join(", "));
        let others: Vec<_> =
            columns.iter().filter(|column| !keys.contains(&column.name.as_str())).collect();
        if others.is_empty() || self.rng.roll(30) {
            self.mark(SqlConstruct::ConflictNothing);
            let target = if self.rng.roll(50) { " ON CONFLICT" } else { &target };
            return format!("{target} DO NOTHING");
        }
        let given = |column: &&ConstructColumn| format!("{0} = EXCLUDED.{0}", column.name);
        let amount =
            table.position_by_use(ColumnUse::Amount).map(|at| table.columns[at].name.clone());
        if let Some(amount) = amount.filter(|_| self.rng.roll(50)) {
            if self.rng.roll(60) {
                self.mark(SqlConstruct::ConflictAdd);
                self.mark_amount(table, AmountUse::Incremented);
                let of = &table.name;
                return format!(
                    "{target} DO UPDATE SET {amount} = {of}.{amount} + EXCLUDED.{amount}"
                );
            }
            self.mark(SqlConstruct::ConflictWhere);
            let set: Vec<_> = others.iter().map(given).collect();
            let (set, of) = (set.join(", "), &table.name);
            return format!("{target} DO UPDATE SET {set} WHERE {of}.{amount} < EXCLUDED.{amount}");
        }
        self.mark(SqlConstruct::ConflictUpdate);
        let some: Vec<_> = others.iter().filter(|_| self.rng.roll(70)).map(given).collect();
        let set = if some.is_empty() { vec![given(&others[0])] } else { some };
        format!("{target} DO UPDATE SET {}", set.join(", "))
    }

    fn update(&mut self, at: usize, table: &ConstructTable) -> String {
        let (of, row) = (&table.name, row_condition(table, ""));
        let key = table.columns[table.key[0]].name.clone();
        let links = self.tables.iter().flat_map(|other| &other.links);
        let referring: Vec<_> =
            links.filter(|link| link.target == at).filter_map(|link| link.on_update).collect();
        if table.key.len() == 1 && !referring.is_empty() && self.rng.roll(60) {
            self.used.extend(referring);
            return format!("UPDATE {of} SET {key} = ? WHERE {row}");
        }
        let amount =
            table.position_by_use(ColumnUse::Amount).map(|at| table.columns[at].name.clone());
        if let Some(amount) = amount.filter(|_| self.rng.roll(50)) {
            self.mark_amount(table, AmountUse::Incremented);
            if self.rng.roll(50) {
                self.mark(SqlConstruct::ConditionalAdd);
                let row = (2..)
                    .zip(&table.key)
                    .map(|(mark, at)| format!("{} = ${mark}", table.columns[*at].name));
                let row = row.collect::<Vec<_>>().join(" AND ");
                return format!(
                    "UPDATE {of} SET {amount} = {amount} - $1 WHERE {row} AND {amount} >= $1"
                );
            }
            return format!("UPDATE {of} SET {amount} = {amount} + ? WHERE {row}");
        }
        let mut set = Vec::new();
        for (at, column) in table.columns.iter().enumerate() {
            let fixed = table.key.contains(&at)
                || matches!(column.role, ColumnUse::Generated | ColumnUse::Amount);
            if fixed || !(self.rng.roll(45) || set.is_empty()) {
                continue;
            }
            let value = match &column.default {
                Some(_) if self.rng.roll(15) => {
                    self.mark(SqlConstruct::DefaultWord);
                    "DEFAULT"
                }
                _ if column.nullable && self.rng.roll(25) => "NULL",
                _ if column.role == ColumnUse::State => *self.rng.pick(&["'open'", "'done'"]),
                _ => "?",
            };
            set.push(format!("{} = {value}", column.name));
        }
        if set.is_empty() {
            return format!("DELETE FROM {of} WHERE {row}");
        }
        format!("UPDATE {of} SET {} WHERE {row}", set.join(", "))
    }
}
