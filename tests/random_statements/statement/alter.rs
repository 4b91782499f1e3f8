//! ALTER TABLE in all its forms.

use super::super::schema::{Column, ColumnKind, Effect, Keyspace, Table, quote_name};
use super::super::statement_writer::{StatementDraft, StatementWriter, join_commas};
use super::super::types::Ty;

impl<'w> StatementWriter<'w> {
    /// ALTER TABLE ADD.
    pub(super) fn alter_add(&mut self) -> Option<StatementDraft> {
        let (keyspace, table) = self.alterable_table()?;
        let mut columns = Vec::new();
        for _ in 0..=usize::from(self.rng.roll(25)) {
            let mut taken = table.columns.clone();
            taken.extend(columns.iter().cloned());
            let mut name = self.new_column_name(&taken);
            if self.slip("column that exists", 2) {
                name.clone_from(&self.rng.pick(&table.columns).name);
            }
            let counts = table.is_counter() != self.slip("counters mixed", 1);
            let ty = if counts { Ty::Native("counter") } else { self.column_type(keyspace) };
            let statics =
                !table.clustering().is_empty() || self.slip("static without clustering", 1);
            let kind =
                if statics && self.rng.roll(15) { ColumnKind::Static } else { ColumnKind::Regular };
            columns.push(Column { name, ty, kind });
        }
        let parts: Vec<String> = columns.iter().map(|column| self.definition(column)).collect();
        let exists = if self.rng.roll(15) { "IF NOT EXISTS " } else { "" };
        let parts =
            if parts.len() == 1 { parts[0].clone() } else { format!("({})", join_commas(&parts)) };
        let effect = Effect::AddColumns(keyspace.name.clone(), table.name.clone(), columns);
        Some(self.alter(keyspace, table, &format!("ADD {exists}{parts}"), effect))
    }

    fn alterable_table(&mut self) -> Option<(&'w Keyspace, &'w Table)> {
        let any = self.slip("alter a view as a table", 1);
        self.pick_table(|table| any == table.base.is_some())
    }

    fn alter(
        &mut self,
        keyspace: &Keyspace,
        table: &Table,
        change: &str,
        effect: Effect,
    ) -> StatementDraft {
        let path = self.qualified_name(keyspace, &table.name);
        let exists = if self.rng.roll(15) { "IF EXISTS " } else { "" };
        self.draft(format!("ALTER TABLE {exists}{path} {change}"), effect)
    }

    /// ALTER TABLE DROP of a column.
    pub(super) fn alter_drop(&mut self) -> Option<StatementDraft> {
        let (keyspace, table) = self.alterable_table()?;
        let free = |column: &&Column| {
            column.kind == ColumnKind::Regular
                && table.indexes.iter().all(|index| index.column != column.name)
        };
        let free: Vec<&Column> = table.columns.iter().filter(free).collect();
        let column = if free.len() < 2 || self.slip("drop a key or indexed column", 3) {
            self.rng.pick(&table.columns).clone()
        } else {
            (*self.rng.pick(&free)).clone()
        };
        let exists = if self.rng.roll(15) { "IF EXISTS " } else { "" };
        let name = self.column_name(&column);
        let using = if self.rng.roll(10) { " USING TIMESTAMP 1700000000000000" } else { "" };
        let effect =
            Effect::DropColumn(keyspace.name.clone(), table.name.clone(), column.name.clone());
        Some(self.alter(keyspace, table, &format!("DROP {exists}{name}{using}"), effect))
    }

    /// ALTER TABLE RENAME.
    pub(super) fn alter_rename(&mut self) -> Option<StatementDraft> {
        let (keyspace, table) = self.alterable_table()?;
        let keys: Vec<&Column> = table
            .columns
            .iter()
            .filter(|c| c.kind.is_key() && table.indexes.iter().all(|index| index.column != c.name))
            .collect();
        let column = if keys.is_empty() || self.slip("rename a value", 3) {
            self.rng.pick(&table.columns).clone()
        } else {
            (*self.rng.pick(&keys)).clone()
        };
        let mut to = self.new_column_name(&table.columns);
        if self.slip("rename to a column that exists", 2) {
            to.clone_from(&self.rng.pick(&table.columns).name);
        }
        let exists = if self.rng.roll(15) { "IF EXISTS " } else { "" };
        let from = self.column_name(&column);
        let change = format!("RENAME {exists}{from} TO {}", quote_name(&to));
        let effect = Effect::RenameColumn {
            keyspace: keyspace.name.clone(),
            table: table.name.clone(),
            from: column.name.clone(),
            to,
        };
        Some(self.alter(keyspace, table, &change, effect))
    }

    /// ALTER TABLE WITH options.
    pub(super) fn alter_options(&mut self) -> Option<StatementDraft> {
        let (keyspace, table) = self.alterable_table()?;
        let count = 1 + self.rng.number_below(2);
        let expiring = !table.is_counter();
        let mut options = self.table_options(count, expiring);
        if options.is_empty() {
            options.push("comment = 'changed'".to_owned());
        }
        if self.slip("options that cannot change", 1) {
            options = vec![
                self.pick_word(&["CLUSTERING ORDER BY (id ASC)", "COMPACT STORAGE", "id = 5"])
                    .to_owned(),
            ];
        }
        Some(self.alter(keyspace, table, &format!("WITH {}", options.join(" AND ")), Effect::None))
    }

    /// ALTER TABLE ALTER (masks, and types that cannot change), DROP COMPACT STORAGE.
    pub(super) fn alter_column(&mut self) -> Option<StatementDraft> {
        let (keyspace, table) = self.alterable_table()?;
        let column = self.rng.pick(&table.columns).clone();
        let exists = if self.rng.roll(15) { "IF EXISTS " } else { "" };
        let name = self.column_name(&column);
        let (change, effect) = match self.rng.number_below(6) {
            0 if self.slip("type changed", 6) => {
                (format!("ALTER {name} TYPE {}", column.ty), Effect::None)
            }
            1 if table.compact || self.slip("compact storage dropped", 6) => (
                "DROP COMPACT STORAGE".to_owned(),
                Effect::DropCompact(keyspace.name.clone(), table.name.clone()),
            ),
            2 => (format!("ALTER {exists}{name} DROP MASKED"), Effect::None),
            _ => {
                let mask = self.mask(&column);
                (format!("ALTER {exists}{name}{mask}"), Effect::None)
            }
        };
        Some(self.alter(keyspace, table, &change, effect))
    }
}
