//! DELETE, and the conditions of UPDATE and DELETE.

use super::super::schema::{Column, ColumnKind, Effect, Keyspace, Table, quote_name};
use super::super::statement_writer::{StatementDraft, StatementWriter, join_commas};
use super::super::types::Ty;

impl StatementWriter<'_> {
    /// DELETE of rows, ranges, columns and elements.
    pub(super) fn delete(&mut self) -> Option<StatementDraft> {
        let any = self.slip("delete from a view", 1);
        let (keyspace, table) = self.pick_table(|table| any || table.base.is_none())?;
        let text = self.delete_text(keyspace, table, false);
        Some(self.draft(text, Effect::None))
    }

    /// DELETE with conditions.
    pub(super) fn delete_if(&mut self) -> Option<StatementDraft> {
        let any = self.slip("conditional delete from a counter table or view", 1);
        let (keyspace, table) =
            self.pick_table(|table| any || (table.base.is_none() && !table.is_counter()))?;
        let text = self.delete_text(keyspace, table, true);
        Some(self.draft(text, Effect::None))
    }

    pub(super) fn delete_text(
        &mut self,
        keyspace: &Keyspace,
        table: &Table,
        conditional: bool,
    ) -> String {
        let values = table.values();
        let mut parts = Vec::new();
        let mut clustering = false;
        if !values.is_empty() && self.rng.roll(45) {
            let mut columns = self.some_values(table);
            if self.slip("delete a key column", 1) {
                columns.push(self.rng.pick(&table.columns).clone());
            }
            clustering = columns.iter().any(|column| column.kind != ColumnKind::Static);
            parts = columns.iter().map(|column| self.deletion(column)).collect();
        }
        let path = self.qualified_name(keyspace, &table.name);
        let using = if (!conditional && !table.is_counter() && self.rng.roll(12))
            || self.slip("timestamp of a delete", 1)
        {
            " USING TIMESTAMP 1700000000000000"
        } else {
            ""
        };
        let (condition, needs_row) =
            if conditional { self.condition(table) } else { (String::new(), false) };
        let row = !parts.is_empty() || conditional;
        let clause = if row {
            let whole = clustering || needs_row || parts.is_empty();
            self.full_key_clause(table, whole, conditional)
        } else {
            let clause = self.key_clause(table).relations;
            if clause.is_empty() { "token(a) = 1".to_owned() } else { clause.join(" AND ") }
        };
        let columns =
            if parts.is_empty() { String::new() } else { format!(" {}", join_commas(&parts)) };
        format!("DELETE{columns} FROM {path}{using} WHERE {clause}{condition}")
    }

    fn deletion(&mut self, column: &Column) -> String {
        let name = self.column_name(column);
        if self.slip("delete an element of what has none", 1) {
            // Where it is a list after all, it may be too short.
            self.depends_on_data = true;
            return format!("{name}[1]");
        }
        if self.slip("delete a field of what has none", 1) {
            return format!("{name}.street");
        }
        if !column.ty.is_multicell() || self.rng.roll(50) {
            return name;
        }
        match &column.ty {
            Ty::Map(key, _) => format!("{name}[{}]", self.value(key)),
            Ty::Set(of) => format!("{name}[{}]", self.value(of)),
            Ty::User(ty) => {
                let field = self.user_type_field(ty);
                format!("{name}.{field}")
            }
            Ty::List(_) => {
                self.depends_on_data = true;
                format!("{name}[{}]", self.value(&Ty::Native("int")))
            }
            _ => name,
        }
    }

    /// An IF clause, and whether it speaks of a row rather than of statics.
    pub(super) fn condition(&mut self, table: &Table) -> (String, bool) {
        if self.rng.roll(25) {
            return (" IF EXISTS".to_owned(), true);
        }
        let mut columns = self.some_values(table);
        if self.slip("condition on a key column", 2) {
            columns.push(self.rng.pick(&table.columns).clone());
        }
        let row = columns.iter().any(|column| column.kind != ColumnKind::Static);
        let mut parts: Vec<String> =
            columns.iter().map(|column| self.condition_on(column)).collect();
        if self.slip("IF NOT EXISTS on an update", 1) {
            parts = vec!["NOT EXISTS".to_owned()];
        }
        (format!(" IF {}", parts.join(" AND ")), row)
    }

    fn condition_on(&mut self, column: &Column) -> String {
        let name = self.column_name(column);
        let operator = self.pick_word(&["=", "=", "=", "!=", "<", ">="]);
        if self.slip("condition on an element of what has none", 1) {
            return format!("{name}[1] = 1");
        }
        if self.slip("condition on a field of what has none", 1) {
            return format!("{name}.street = 'x'");
        }
        if self.slip("condition with another operator", 1) {
            return format!(
                "{name} {} {}",
                self.pick_word(&["CONTAINS", "CONTAINS KEY", "LIKE"]),
                self.value(&column.ty)
            );
        }
        match column.ty.bare().clone() {
            Ty::Map(key, value) if self.rng.roll(50) => {
                format!("{name}[{}] {operator} {}", self.value(&key), self.value(&value))
            }
            Ty::List(of) if self.rng.roll(40) => {
                // A negative index is met only where there is a row to compare: a matter of data.
                self.depends_on_data = true;
                let index = self.value(&Ty::Native("int"));
                format!("{name}[{index}] {operator} {}", self.value(&of))
            }
            Ty::User(ty) if self.rng.roll(50) => {
                let field = self.user_type_field(&ty);
                let found = self.home.and_then(|home| home.user_type(&ty));
                let field_ty = found
                    .and_then(|ty| ty.fields.iter().find(|(name, _)| quote_name(name) == field));
                let field_ty = field_ty.map_or(Ty::Native("int"), |(_, ty)| ty.clone());
                format!("{name}.{field} {operator} {}", self.value(&field_ty))
            }
            _ if self.rng.roll(20) => self.membership(column),
            Ty::Native("duration") => format!("{name} = {}", self.value(&column.ty)),
            _ => format!("{name} {operator} {}", self.value(&column.ty)),
        }
    }
}
