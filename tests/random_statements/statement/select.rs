//! SELECT in its many forms.

use super::super::restriction::WhereClause;
use super::super::schema::{Column, ColumnKind, Effect, Keyspace, Table, quote_name};
use super::super::statement_writer::{StatementDraft, StatementWriter, join_commas};
use super::super::types::Ty;

/// The clauses of a SELECT, apart from its table.
#[derive(Default)]
struct SelectClauses {
    selection: String,
    clause: WhereClause,
    tail: String,
}

impl StatementWriter<'_> {
    fn select(
        &mut self,
        keyspace: &Keyspace,
        table: &Table,
        query: SelectClauses,
    ) -> StatementDraft {
        let SelectClauses { selection, clause, mut tail } = query;
        let path = self.qualified_name(keyspace, &table.name);
        tail.push_str(&self.limits());
        if clause.filtering || self.slip("filtering allowed for nothing", 1) {
            tail.push_str(" ALLOW FILTERING");
        }
        let text = format!("SELECT {selection} FROM {path}{}{tail}", clause.text());
        self.draft(text, Effect::None)
    }

    fn limits(&mut self) -> String {
        let mut tail = String::new();
        if self.rng.roll(8) {
            tail = format!(" PER PARTITION LIMIT {}", self.limit());
        }
        if self.rng.roll(20) {
            tail = format!("{tail} LIMIT {}", self.limit());
        }
        tail
    }

    fn limit(&mut self) -> String {
        if self.markers && self.rng.roll(40) {
            return self.marker();
        }
        if self.slip("limit out of range", 2) {
            return self.pick_word(&["0", "-1", "2147483648", "1.5", "'1'"]).to_owned();
        }
        self.pick_word(&["1", "10", "100"]).to_owned()
    }

    fn columns(&mut self, table: &Table) -> String {
        if self.rng.roll(40) {
            return "*".to_owned();
        }
        let count = 1 + self.rng.number_below(3);
        let names: Vec<String> = (0..count)
            .map(|_| {
                let column = self.rng.pick(&table.columns).clone();
                let name = self.column_name(&column);
                if self.rng.roll(10) { format!("{name} AS \"An alias\"") } else { name }
            })
            .collect();
        join_commas(&names)
    }

    /// Rows by key.
    pub(super) fn select_by_key(&mut self) -> Option<StatementDraft> {
        let (keyspace, table) = self.pick_table(|_| true)?;
        let clause = self.key_clause(table);
        let query = SelectClauses { selection: self.columns(table), clause, tail: String::new() };
        Some(self.select(keyspace, table, query))
    }

    /// Rows by index or filter.
    pub(super) fn select_by_value(&mut self) -> Option<StatementDraft> {
        let (keyspace, table) = self.pick_table(|table| !table.indexes.is_empty())?;
        let clause = self.index_clause(table);
        let query = SelectClauses { selection: self.columns(table), clause, tail: String::new() };
        Some(self.select(keyspace, table, query))
    }

    /// Rows by filtering.
    pub(super) fn select_filtering(&mut self) -> Option<StatementDraft> {
        let (keyspace, table) = self.pick_table(|_| true)?;
        let clause = self.filter_clause(table);
        let query = SelectClauses { selection: self.columns(table), clause, tail: String::new() };
        Some(self.select(keyspace, table, query))
    }

    /// Rows by token.
    pub(super) fn select_by_token(&mut self) -> Option<StatementDraft> {
        let (keyspace, table) = self.pick_table(|_| true)?;
        let clause = self.token_clause(table);
        let query = SelectClauses { selection: self.columns(table), clause, tail: String::new() };
        Some(self.select(keyspace, table, query))
    }

    /// Computed columns.
    pub(super) fn select_expressions(&mut self) -> Option<StatementDraft> {
        let (keyspace, table) = self.pick_table(|table| table.columns.len() > 4)?;
        let count = 1 + self.rng.number_below(3);
        let parts: Vec<String> = (0..count).map(|_| self.expression(table, 0)).collect();
        let clause =
            if self.rng.roll(50) { self.key_clause(table) } else { WhereClause::default() };
        Some(self.select(
            keyspace,
            table,
            SelectClauses { selection: join_commas(&parts), clause, tail: String::new() },
        ))
    }

    /// JSON rows.
    pub(super) fn select_json(&mut self) -> Option<StatementDraft> {
        let (keyspace, table) = self.pick_table(|_| true)?;
        let columns =
            if self.rng.roll(40) { self.expression(table, 0) } else { self.columns(table) };
        let distinct = if self.slip("JSON DISTINCT", 1) { "DISTINCT " } else { "" };
        let clause =
            if self.rng.roll(60) { self.key_clause(table) } else { WhereClause::default() };
        let query = SelectClauses {
            selection: format!("JSON {distinct}{columns}"),
            clause,
            tail: String::new(),
        };
        Some(self.select(keyspace, table, query))
    }

    /// Aggregates, grouped or not.
    pub(super) fn select_aggregate(&mut self) -> Option<StatementDraft> {
        let (keyspace, table) = self.pick_table(|table| !table.clustering().is_empty())?;
        let mut parts = vec![self.aggregate(table)];
        if self.rng.roll(40) {
            parts.push(self.aggregate(table));
        }
        if self.rng.roll(20) {
            parts.push(self.expression(table, 2));
        }
        let clause =
            if self.rng.roll(50) { self.key_clause(table) } else { WhereClause::default() };
        let tail = if self.rng.roll(60) { self.group_by(table) } else { String::new() };
        Some(self.select(
            keyspace,
            table,
            SelectClauses { selection: join_commas(&parts), clause, tail },
        ))
    }

    fn group_by(&mut self, table: &Table) -> String {
        let mut names: Vec<String> =
            table.partition().iter().map(|column| quote_name(&column.name)).collect();
        let clustering = table.clustering();
        let depth = self.rng.number_below(clustering.len() + 1);
        names.extend(clustering.iter().take(depth).map(|column| quote_name(&column.name)));
        if self.slip("group by another column", 2) {
            names.push(quote_name(&self.rng.pick(&table.columns).name));
        }
        if self.slip("group by out of order", 2) {
            names.reverse();
        }
        if names.len() > 1 && self.slip("group by with a gap", 2) {
            let at = self.rng.number_below(names.len());
            names.remove(at);
        }
        if self.slip("group by a call", 1) {
            let call = self.call(table, 2);
            names.push(call);
        }
        format!(" GROUP BY {}", join_commas(&names))
    }

    /// Ordered rows.
    pub(super) fn select_ordered(&mut self) -> Option<StatementDraft> {
        let (keyspace, table) = self.pick_table(|table| !table.clustering().is_empty())?;
        let relations = self.partition_relations(table, true);
        let clause = if self.slip("order without a partition", 2) {
            WhereClause::default()
        } else {
            WhereClause { relations, filtering: false }
        };
        let tail = self.order_by(table);
        let query = SelectClauses { selection: self.columns(table), clause, tail };
        Some(self.select(keyspace, table, query))
    }

    fn order_by(&mut self, table: &Table) -> String {
        let clustering = table.clustering();
        let depth = 1 + self.rng.number_below(clustering.len().max(1));
        let reverse = self.rng.roll(50);
        let mut parts = Vec::new();
        for column in clustering.iter().take(depth) {
            let mut descending = (column.kind == ColumnKind::Descending) != reverse;
            if self.slip("order in the other direction", 2) {
                descending = !descending;
            }
            let name = self.column_name(column);
            parts.push(format!("{name} {}", if descending { "DESC" } else { "ASC" }));
        }
        if self.slip("order by another column", 2) {
            parts.push(quote_name(&self.rng.pick(&table.columns).name));
        }
        if parts.len() > 1 && self.slip("order with a gap", 2) {
            parts.remove(0);
        }
        if self.slip("order in another order", 1) {
            parts.reverse();
        }
        if parts.is_empty() { String::new() } else { format!(" ORDER BY {}", join_commas(&parts)) }
    }

    /// The nearest vectors.
    pub(super) fn select_nearest(&mut self) -> Option<StatementDraft> {
        let indexed =
            |table: &Table| table.columns.iter().any(|column| is_searchable(table, column));
        let (keyspace, table) = self.pick_table(indexed)?;
        let vectors: Vec<&Column> =
            table.columns.iter().filter(|column| is_searchable(table, column)).collect();
        let column = if vectors.is_empty() || self.slip("nearest of something else", 2) {
            self.rng.pick(&table.columns).clone()
        } else {
            (*self.rng.pick(&vectors)).clone()
        };
        let mut tail =
            format!(" ORDER BY {} ANN OF {}", quote_name(&column.name), self.value(&column.ty));
        if self.slip("nearest, descending", 1) {
            tail.push_str(" DESC");
        }
        if self.slip("nearest and another order", 1) {
            tail = format!("{tail}, {}", quote_name(&self.rng.pick(&table.columns).name));
        }
        if self.slip("nearest per partition", 1) {
            tail.push_str(" PER PARTITION LIMIT 2");
        }
        if !self.slip("nearest without limit", 2) {
            let limit = if self.slip("nearest with a large limit", 1) { "1001" } else { "10" };
            tail = format!("{tail} LIMIT {limit}");
        }
        let clause = match self.rng.number_below(4) {
            0 => self.index_clause(table),
            1 => self.key_clause(table),
            _ => WhereClause::default(),
        };
        let selection = if self.slip("nearest of an aggregate", 1) {
            "count(*)".to_owned()
        } else {
            self.columns(table)
        };
        let filtering = if clause.filtering { " ALLOW FILTERING" } else { "" };
        let path = self.qualified_name(keyspace, &table.name);
        let text = format!("SELECT {selection} FROM {path}{}{tail}{filtering}", clause.text());
        // A search that runs needs an index that is built and vectors that are not zero: a matter of data and time.
        self.depends_on_data |= self.rng.roll(50);
        Some(self.draft(text, Effect::None))
    }

    /// Distinct partitions.
    pub(super) fn select_distinct(&mut self) -> Option<StatementDraft> {
        let (keyspace, table) = self.pick_table(|_| true)?;
        let mut names: Vec<String> =
            table.partition().iter().map(|column| quote_name(&column.name)).collect();
        for column in table.statics() {
            if self.rng.roll(50) {
                names.push(quote_name(&column.name));
            }
        }
        if self.slip("distinct of another column", 3) {
            names.push(quote_name(&self.rng.pick(&table.columns).name));
        }
        if names.len() > 1 && self.slip("distinct without a key column", 3) {
            names.remove(0);
        }
        let selection = if self.slip("distinct of everything", 1) {
            "*".to_owned()
        } else {
            join_commas(&names)
        };
        let clause = match self.rng.number_below(4) {
            0 => WhereClause { relations: self.partition_relations(table, true), filtering: false },
            1 => self.token_clause(table),
            2 if self.slip("distinct by clustering", 4) => self.key_clause(table),
            _ => WhereClause::default(),
        };
        let tail = if self.rng.roll(10) || self.slip("distinct and grouped", 1) {
            self.group_by(table)
        } else {
            String::new()
        };
        Some(self.select(
            keyspace,
            table,
            SelectClauses { selection: format!("DISTINCT {selection}"), clause, tail },
        ))
    }
}

/// Whether the nearest values of a column can be asked for.
fn is_searchable(table: &Table, column: &Column) -> bool {
    let vector = matches!(&column.ty, Ty::Vector(of, _) if of.is_native("float"));
    vector && table.indexes.iter().any(|index| index.column == column.name)
}
