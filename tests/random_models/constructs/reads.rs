//! Random reads.

use super::tables::{ColumnUse, ConstructColumn, ConstructTable};
use super::{AmountUse, ModelWriter, SqlConstruct};

impl ModelWriter {
    /// A read: its kind and its SELECT.
    pub(super) fn read(&mut self) -> (&'static str, String) {
        let at = self.pick_table();
        let table = self.tables[at].clone();
        match self.rng.number_below(11) {
            0 | 1 => self.read_row(&table),
            2 | 3 => self.read_left_join(&table),
            4 => self.read_distinct(&table),
            5 => self.read_sum(&table),
            6 | 7 => self.read_by_amount(&table),
            _ => self.read_rows(&table),
        }
    }

    fn outputs(&mut self, table: &ConstructTable, alias: &str) -> String {
        let mut names: Vec<_> =
            table.key.iter().map(|at| table.columns[*at].name.clone()).collect();
        for column in &table.columns {
            if !names.contains(&column.name) && self.rng.roll(60) {
                names.push(column.name.clone());
            }
        }
        let names: Vec<_> = names.iter().map(|name| format!("{alias}{name}")).collect();
        names.join(", ")
    }

    fn read_row(&mut self, table: &ConstructTable) -> (&'static str, String) {
        let outputs = self.outputs(table, "");
        (":one", format!("SELECT {outputs} FROM {} WHERE {}", table.name, row_condition(table, "")))
    }

    /// An equality with a column, as a text, and the position of the column.
    fn equality(&mut self, table: &ConstructTable, alias: &str) -> String {
        let at = *self.rng.pick(&table.list_searched());
        let column = &table.columns[at];
        match column.ty {
            "boolean" if self.rng.roll(60) => format!("{alias}{} = true", column.name),
            _ if column.role == ColumnUse::State && self.rng.roll(60) => {
                format!("{alias}{} = 'open'", column.name)
            }
            _ => format!("{alias}{} = ?", column.name),
        }
    }

    /// Rows by an equality, live or deleted ones or all, in an order or none.
    fn read_rows(&mut self, table: &ConstructTable) -> (&'static str, String) {
        let outputs = self.outputs(table, "");
        let mut condition = self.equality(table, "");
        if let Some(at) = table.position_by_use(ColumnUse::Deletion) {
            let deleted = &table.columns[at].name;
            if self.rng.roll(50) {
                self.mark(SqlConstruct::IsNull);
                condition = format!("{condition} AND {deleted} IS NULL");
            } else if self.rng.roll(40) {
                self.mark(SqlConstruct::IsNotNull);
                condition = format!("{condition} AND {deleted} IS NOT NULL");
            }
        }
        let order = if self.rng.roll(60) { self.order(table) } else { String::new() };
        let limit =
            if order.is_empty() { "" } else { *self.rng.pick(&["", " LIMIT 5", " LIMIT ?"]) };
        (":many", format!("SELECT {outputs} FROM {} WHERE {condition}{order}{limit}", table.name))
    }

    fn order(&mut self, table: &ConstructTable) -> String {
        let is_ordered = |at: &usize| !table.columns[*at].nullable;
        let columns: Vec<_> = table.list_searched().into_iter().filter(is_ordered).collect();
        let at = *self.rng.pick(&columns);
        let direction = *self.rng.pick(&["", " DESC"]);
        let mut order = vec![format!("{}{direction}", table.columns[at].name)];
        for key in &table.key {
            if *key != at {
                order.push(table.columns[*key].name.clone());
            }
        }
        format!(" ORDER BY {}", order.join(", "))
    }

    fn read_left_join(&mut self, table: &ConstructTable) -> (&'static str, String) {
        let Some(link) = table.links.first().cloned() else { return self.read_rows(table) };
        let target = self.tables.get(link.target).cloned().unwrap_or_else(|| table.clone());
        let (own, theirs) = (self.outputs(table, "a."), self.outputs(&target, "b."));
        let join = if self.rng.roll(80) {
            self.mark(SqlConstruct::LeftJoin);
            "LEFT JOIN"
        } else {
            "JOIN"
        };
        let on = format!(
            "b.{} = a.{}",
            target.columns[target.key[0]].name, table.columns[link.column].name
        );
        let (kind, condition) = if self.rng.roll(40) {
            (":one", row_condition(table, "a."))
        } else {
            (":many", self.equality(table, "a."))
        };
        let (from, with) = (&table.name, &target.name);
        let sql = format!(
            "SELECT {own}, {theirs} FROM {from} a {join} {with} b ON {on} WHERE {condition}"
        );
        (kind, sql)
    }

    fn read_distinct(&mut self, table: &ConstructTable) -> (&'static str, String) {
        let columns = table.list_searched();
        let ConstructColumn { name: column, nullable, .. } =
            table.columns[*self.rng.pick(&columns)].clone();
        let mut condition = self.equality(table, "");
        if condition.starts_with(&column) {
            return self.read_row(table);
        }
        if nullable {
            // A design assumes it never to be null otherwise, which writes may contradict.
            self.mark(SqlConstruct::IsNotNull);
            condition = format!("{condition} AND {column} IS NOT NULL");
        }
        let from = &table.name;
        if self.rng.roll(50) {
            self.mark(SqlConstruct::Distinct);
            (":many", format!("SELECT DISTINCT {column} FROM {from} WHERE {condition}"))
        } else {
            self.mark(SqlConstruct::GroupWithoutAggregate);
            (":many", format!("SELECT {column} FROM {from} WHERE {condition} GROUP BY {column}"))
        }
    }

    fn read_sum(&mut self, table: &ConstructTable) -> (&'static str, String) {
        let condition = self.equality(table, "");
        let sum = table.position_by_use(ColumnUse::Amount).map(|at| {
            self.mark_amount(table, AmountUse::Summed);
            format!(", SUM({}) AS total", table.columns[at].name)
        });
        let (sum, from) = (sum.unwrap_or_default(), &table.name);
        (":one", format!("SELECT COUNT(*) AS n{sum} FROM {from} WHERE {condition}"))
    }

    fn read_by_amount(&mut self, table: &ConstructTable) -> (&'static str, String) {
        let Some(at) = table.position_by_use(ColumnUse::Amount) else {
            return self.read_rows(table);
        };
        let amount = &table.columns[at].name;
        let keys: Vec<_> = table.key.iter().map(|at| table.columns[*at].name.as_str()).collect();
        let (keys, from, condition) = (keys.join(", "), &table.name, self.equality(table, ""));
        let sql = if self.rng.roll(50) {
            self.mark_amount(table, AmountUse::Ordered);
            format!(
                "SELECT {keys}, {amount} FROM {from} WHERE {condition} ORDER BY {amount} DESC, {keys} LIMIT 3"
            )
        } else {
            self.mark_amount(table, AmountUse::Filtered);
            format!("SELECT {keys}, {amount} FROM {from} WHERE {condition} AND {amount} >= ?")
        };
        (":many", sql)
    }
}

/// The key of a row.
pub(super) fn row_condition(table: &ConstructTable, alias: &str) -> String {
    let key = table.key.iter().map(|at| format!("{alias}{} = ?", table.columns[*at].name));
    key.collect::<Vec<_>>().join(" AND ")
}
