//! CREATE, ALTER and DROP MATERIALIZED VIEW.

use super::super::schema::{Column, ColumnKind, Effect, Table, quote_name};
use super::super::statement_writer::{StatementDraft, StatementWriter, join_commas};
use super::super::types::Ty;

impl StatementWriter<'_> {
    /// CREATE MATERIALIZED VIEW.
    pub(super) fn create_view(&mut self) -> Option<StatementDraft> {
        let any = self.slip("view of a counter table or a view", 3);
        let fits = |table: &Table| table.base.is_none() && !table.is_counter() && !table.compact;
        let (keyspace, base) = self.pick_table(|table| any || fits(table))?;
        let mut view = self.new_view(base);
        if self.slip("view that exists", 2)
            && let Some(other) = keyspace.tables.last()
        {
            view.name.clone_from(&other.name);
        }
        let all =
            (base.statics().is_empty() && self.rng.roll(50)) || self.slip("view of everything", 1);
        let selection = self.view_selection(&view, all);
        let relations = self.view_relations(&view);
        let mut partition: Vec<String> =
            view.partition().iter().map(|column| self.column_name(column)).collect();
        let mut clustering: Vec<String> =
            view.clustering().iter().map(|column| self.column_name(column)).collect();
        if self.slip("view key twice the same", 1) {
            clustering.push(partition[0].clone());
        }
        if !clustering.is_empty() && self.slip("base key not in the view key", 3) {
            clustering.pop();
        }
        if self.slip("another value in the view key", 3) {
            clustering.push(quote_name(&self.rng.pick(&base.columns).name));
        }
        let first = if partition.len() == 1 {
            partition.remove(0)
        } else {
            format!("({})", join_commas(&partition))
        };
        let keys: Vec<String> = std::iter::once(first).chain(clustering).collect();
        let from = self.qualified_name(keyspace, &base.name);
        let path = self.qualified_name(keyspace, &view.name);
        let count = self.rng.number_below(2);
        let mut options = self.table_options(count, false);
        options.extend(self.clustering_order(&view));
        let options = if options.is_empty() {
            String::new()
        } else {
            format!(" WITH {}", options.join(" AND "))
        };
        let clause = if relations.is_empty() {
            String::new()
        } else {
            format!(" WHERE {}", relations.join(" AND "))
        };
        let exists = if self.rng.roll(10) { "IF NOT EXISTS " } else { "" };
        let text = format!(
            "CREATE MATERIALIZED VIEW {exists}{path} AS SELECT {selection} FROM {from}{clause} PRIMARY KEY ({}){options}",
            join_commas(&keys)
        );
        Some(self.draft(text, Effect::AddTable(keyspace.name.clone(), view)))
    }

    fn new_view(&mut self, base: &Table) -> Table {
        let mut keys: Vec<Column> =
            base.columns.iter().filter(|column| column.kind.is_key()).cloned().collect();
        let fits = |column: &&Column| {
            column.kind == ColumnKind::Regular
                && !column.ty.is_multicell()
                && !column.ty.is_native("duration")
                && matches!(column.ty, Ty::Native(_))
        };
        let values: Vec<&Column> = base.columns.iter().filter(fits).collect();
        if !values.is_empty() && self.rng.roll(60) {
            keys.push((*self.rng.pick(&values)).clone());
        }
        self.rng.shuffle(&mut keys);
        let last = keys.len();
        for (at, column) in keys.iter_mut().enumerate() {
            let descending = self.rng.roll(30);
            column.kind = match at {
                0 => ColumnKind::Partition,
                1 if last > 2 && descending => ColumnKind::Partition,
                _ if descending => ColumnKind::Descending,
                _ => ColumnKind::Ascending,
            };
        }
        let rest: Vec<Column> = base
            .columns
            .iter()
            .filter(|c| c.kind == ColumnKind::Regular && keys.iter().all(|key| key.name != c.name))
            .cloned()
            .collect();
        keys.extend(rest);
        let name = self.fresh_name("view");
        Table {
            name,
            columns: keys,
            indexes: vec![],
            base: Some(base.name.clone()),
            compact: false,
        }
    }

    fn view_selection(&mut self, view: &Table, all: bool) -> String {
        if self.slip("view of an expression", 2) {
            return self
                .pick_word(&[
                    "count(*)",
                    "now()",
                    "*, 1",
                    "ttl(id)",
                    "id AS x",
                    "JSON *",
                    "writetime(name)",
                ])
                .to_owned();
        }
        if all {
            return "*".to_owned();
        }
        let mut names: Vec<String> =
            view.columns.iter().map(|column| self.column_name(column)).collect();
        if names.len() > 1 && self.slip("view without a key column", 2) {
            names.remove(0);
        }
        join_commas(&names)
    }

    fn view_relations(&mut self, view: &Table) -> Vec<String> {
        let mut relations = Vec::new();
        for column in view.columns.iter().filter(|column| column.kind.is_key()) {
            if self.slip("key may be null", 2) {
                continue;
            }
            let name = self.column_name(column);
            if self.rng.roll(8) {
                relations.push(format!("{name} = {}", self.literal(&column.ty)));
            } else {
                relations.push(format!("{name} IS NOT NULL"));
            }
        }
        if self.slip("view with another relation", 2) {
            relations.push(self.odd_relation(view));
        }
        if self.slip("view with a marker", 1) {
            relations.push(format!("{} = ?", quote_name(&view.columns[0].name)));
        }
        relations
    }

    /// ALTER MATERIALIZED VIEW.
    pub(super) fn alter_view(&mut self) -> Option<StatementDraft> {
        let any = self.slip("alter a table as a view", 3);
        let (keyspace, table) = self.pick_table(|table| any != table.base.is_some())?;
        let mut options = self.table_options(1, false);
        if options.is_empty() {
            options.push("comment = 'a view'".to_owned());
        }
        if self.slip("gc grace of a view", 2) {
            options = vec!["gc_grace_seconds = 0".to_owned()];
        }
        let path = self.qualified_name(keyspace, &table.name);
        let exists = if self.rng.roll(15) { "IF EXISTS " } else { "" };
        let text = format!("ALTER MATERIALIZED VIEW {exists}{path} WITH {}", options.join(" AND "));
        Some(self.draft(text, Effect::None))
    }

    /// DROP MATERIALIZED VIEW.
    pub(super) fn drop_view(&mut self) -> Option<StatementDraft> {
        let any = self.slip("drop a table as a view", 3);
        let (keyspace, table) = self.pick_table(|table| any != table.base.is_some())?;
        let mut name = table.name.clone();
        if self.rng.roll(35) {
            name.push('x');
        }
        let path = self.qualified_name(keyspace, &name);
        let exists = if self.rng.roll(25) { "IF EXISTS " } else { "" };
        let effect = Effect::DropTable(keyspace.name.clone(), name);
        Some(self.draft(format!("DROP MATERIALIZED VIEW {exists}{path}"), effect))
    }
}
