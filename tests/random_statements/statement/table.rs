//! CREATE and DROP TABLE, and the types of columns.

use super::super::schema::{Column, ColumnKind, Effect, Keyspace, Table, quote_name};
use super::super::statement_writer::{StatementDraft, StatementWriter, join_commas};
use super::super::types::{NATIVES, Ty};

const TABLES: &[&str] =
    &["users", "events", "orders", "readings", "posts", "Likes", "carts", "metrics", "videos"];
const COLUMNS: &[&str] = &[
    "id",
    "day",
    "name",
    "at",
    "kind",
    "score",
    "tags",
    "items",
    "attrs",
    "place",
    "note",
    "total",
    "rank",
    "flag",
    "body",
    "owner",
    "email",
    "ip",
    "ratio",
    "amount",
    "seq",
    "region",
    "bucket",
    "Camel",
    "state",
    "order",
    "two words",
    "json",
];

impl StatementWriter<'_> {
    /// A name for a new column of a table.
    pub(super) fn new_column_name(&mut self, taken: &[Column]) -> String {
        let free: Vec<&&str> =
            COLUMNS.iter().filter(|name| taken.iter().all(|c| c.name != **name)).collect();
        if free.is_empty() { self.fresh_name("col") } else { (**self.rng.pick(&free)).to_owned() }
    }

    /// A type for a column that is not of the key.
    pub(super) fn column_type(&mut self, keyspace: &Keyspace) -> Ty {
        if self.slip("type that is not allowed", 1) {
            return self.odd_type(keyspace);
        }
        match self.rng.number_below(22) {
            0..=9 => Ty::Native(self.pick_word(NATIVES)),
            10 | 11 => Ty::List(Box::new(self.part_type(keyspace, true))),
            12 | 13 => Ty::Set(Box::new(self.part_type(keyspace, false))),
            14 | 15 => Ty::Map(
                Box::new(self.part_type(keyspace, false)),
                Box::new(self.part_type(keyspace, true)),
            ),
            16 => Ty::List(Box::new(self.part_type(keyspace, true))).into_frozen(),
            17 => Ty::Tuple(vec![self.part_type(keyspace, true), self.part_type(keyspace, true)]),
            18 | 19 => Ty::Vector(Box::new(Ty::Native("float")), 2 + self.rng.number_below(2)),
            20 if self.rng.roll(30) => Ty::Vector(Box::new(self.part_type(keyspace, true)), 2),
            _ => match self
                .rng
                .pick(&keyspace.types.iter().map(Some).chain([None]).collect::<Vec<_>>())
            {
                Some(ty) if self.rng.roll(60) => Ty::User(ty.name.clone()),
                Some(ty) => Ty::User(ty.name.clone()).into_frozen(),
                None => Ty::Native("text"),
            },
        }
    }

    /// A type inside another.
    fn part_type(&mut self, keyspace: &Keyspace, durations: bool) -> Ty {
        match self.rng.number_below(12) {
            0 => Ty::List(Box::new(Ty::Native("int"))).into_frozen(),
            1 => Ty::Map(Box::new(Ty::Native("text")), Box::new(Ty::Native("int"))).into_frozen(),
            2 => Ty::Tuple(vec![Ty::Native("int"), Ty::Native("text")]),
            3 if !keyspace.types.is_empty() => {
                Ty::User(self.rng.pick(&keyspace.types).name.clone()).into_frozen()
            }
            _ => {
                let native = self.pick_word(NATIVES);
                Ty::Native(if native == "duration" && !durations { "text" } else { native })
            }
        }
    }

    /// A type for a key column.
    fn key_type(&mut self, keyspace: &Keyspace) -> Ty {
        if self.slip("key type that is not allowed", 3) {
            let list = [
                Ty::Native("duration"),
                Ty::Native("counter"),
                Ty::List(Box::new(Ty::Native("int"))),
                Ty::Map(Box::new(Ty::Native("int")), Box::new(Ty::Native("int"))),
                Ty::Tuple(vec![Ty::Native("int"), Ty::Native("duration")]),
                keyspace
                    .types
                    .first()
                    .map_or(Ty::Native("duration"), |ty| Ty::User(ty.name.clone())),
            ];
            return self.rng.pick(&list).clone();
        }
        match self.rng.number_below(14) {
            0 => Ty::List(Box::new(Ty::Native("int"))).into_frozen(),
            1 => Ty::Tuple(vec![Ty::Native("int"), Ty::Native("text")]),
            2 => Ty::Set(Box::new(Ty::Native("text"))).into_frozen(),
            _ => {
                let native = self.pick_word(NATIVES);
                Ty::Native(if native == "duration" { "int" } else { native })
            }
        }
    }

    /// A type that no column can have, or that does not exist.
    pub(super) fn odd_type(&mut self, keyspace: &Keyspace) -> Ty {
        let int = || Box::new(Ty::Native("int"));
        let user = keyspace.types.first().map_or("missing".to_owned(), |ty| ty.name.clone());
        let other = self.world.keyspaces.iter().find(|other| other.name != keyspace.name);
        let foreign = other
            .and_then(|other| other.types.first().map(|ty| (other.name.clone(), ty.name.clone())));
        let list = [
            Ty::List(Box::new(Ty::List(int()))),
            Ty::Map(Box::new(Ty::Set(int())), int()),
            Ty::Set(Box::new(Ty::Native("duration"))),
            Ty::Map(Box::new(Ty::Native("duration")), int()),
            Ty::List(Box::new(Ty::Native("counter"))),
            Ty::Tuple(vec![Ty::Native("counter")]),
            Ty::Frozen(int()),
            Ty::Set(Box::new(Ty::User(user.clone()))),
            Ty::User(format!("{user}x")),
            Ty::Vector(int(), 0),
            Ty::List(Box::new(Ty::User(user))),
            Ty::Native("string"),
            Ty::Native("'org.apache.cassandra.db.marshal.NoType'"),
            foreign.map_or(Ty::Native("integer"), |_| Ty::Native("system.thing")),
        ];
        self.rng.pick(&list).clone()
    }

    fn new_table(&mut self, keyspace: &Keyspace) -> Table {
        let stem = self.pick_word(TABLES);
        let mut table = Table {
            name: self.fresh_name(stem),
            columns: vec![],
            indexes: vec![],
            base: None,
            compact: false,
        };
        let missing = keyspace.tables.len() > 1 && !keyspace.tables.iter().any(Table::is_counter);
        let counter = missing || self.rng.roll(10);
        table.compact = self.rng.roll(6);
        for _ in 0..=self.rng.number_below(5) / 2 {
            let ty = self.key_type(keyspace);
            self.push_column(&mut table, ty, ColumnKind::Partition);
        }
        for _ in 0..self.rng.number_below(4) {
            let ty = self.key_type(keyspace);
            let kind =
                if self.rng.roll(40) { ColumnKind::Descending } else { ColumnKind::Ascending };
            self.push_column(&mut table, ty, kind);
        }
        let clustered = !table.clustering().is_empty();
        let values =
            if table.compact { 1 } else { 1 + self.rng.number_below(if counter { 2 } else { 7 }) };
        for _ in 0..values {
            let statics =
                (clustered && !table.compact) || self.slip("static without clustering", 1);
            let kind =
                if statics && self.rng.roll(20) { ColumnKind::Static } else { ColumnKind::Regular };
            let counts = counter != self.slip("counters mixed", 1);
            let ty = if counts { Ty::Native("counter") } else { self.column_type(keyspace) };
            let ty = if table.compact && !self.slip("collection in compact storage", 1) {
                ty.into_frozen()
            } else {
                ty
            };
            self.push_column(&mut table, ty, kind);
        }
        table
    }

    fn push_column(&mut self, table: &mut Table, ty: Ty, kind: ColumnKind) {
        let name = self.new_column_name(&table.columns);
        table.columns.push(Column { name, ty, kind });
    }

    /// CREATE TABLE.
    pub(super) fn create_table(&mut self) -> Option<StatementDraft> {
        let keyspace = self.pick_keyspace()?;
        let mut table = self.new_table(keyspace);
        if self.slip("table that exists", 2)
            && let Some(other) = keyspace.tables.first()
        {
            table.name.clone_from(&other.name);
        }
        if self.slip("table name", 1) {
            self.pick_word(&["Bad-Name", "two words", "é"]).clone_into(&mut table.name);
        }
        let text = self.table_text(keyspace, &table);
        Some(self.draft(text, Effect::AddTable(keyspace.name.clone(), table)))
    }

    fn table_text(&mut self, keyspace: &Keyspace, table: &Table) -> String {
        let mut parts: Vec<String> =
            table.columns.iter().map(|column| self.definition(column)).collect();
        if self.slip("a column twice", 1) {
            parts.push(format!("{} int", quote_name(&table.columns[0].name)));
        }
        let keys = table.partition().len() + table.clustering().len();
        if keys == 1 && self.rng.roll(60) {
            parts[0].push_str(" PRIMARY KEY");
        } else if !self.slip("no primary key", 1) {
            let key = self.primary_key(table);
            parts.push(key);
        }
        if self.slip("two primary keys", 1) {
            parts.push(format!("PRIMARY KEY ({})", quote_name(&table.columns[0].name)));
        }
        let path = self.qualified_name(keyspace, &table.name);
        let exists = if self.rng.roll(15) { "IF NOT EXISTS " } else { "" };
        let count = self.rng.number_below(3);
        let mut options = self.table_options(count, !table.is_counter());
        if let Some(order) = self.clustering_order(table) {
            options.insert(0, order);
        }
        if table.compact {
            options.push("COMPACT STORAGE".to_owned());
        }
        let options = if options.is_empty() {
            String::new()
        } else {
            format!(" WITH {}", options.join(" AND "))
        };
        format!("CREATE TABLE {exists}{path} ({}){options}", join_commas(&parts))
    }

    /// A column's definition.
    pub(super) fn definition(&mut self, column: &Column) -> String {
        let mut text = format!("{} {}", quote_name(&column.name), column.ty);
        if column.kind == ColumnKind::Static || self.slip("static column", 1) {
            text.push_str(" STATIC");
        }
        if self.rng.roll(5) && !column.ty.is_native("counter") {
            text.push_str(&self.mask(column));
        }
        text
    }

    /// A mask for a column.
    pub(super) fn mask(&mut self, column: &Column) -> String {
        let textual = matches!(column.ty, Ty::Native("text" | "varchar" | "ascii"));
        let good: &[&str] = if textual {
            &[
                "DEFAULT",
                "mask_inner(1, 1)",
                "mask_outer(1, null, '#')",
                "mask_null()",
                "mask_replace('x')",
            ]
        } else {
            &["DEFAULT", "mask_default()", "mask_null()", "mask_default()"]
        };
        let bad = &[
            "mask_inner(1)",
            "mask_replace(5)",
            "mask_unknown()",
            "mask_hash()",
            "now()",
            "mask_inner(1, 1)",
            "to_json()",
        ];
        let chosen = if self.slip("mask", 2) { self.pick_word(bad) } else { self.pick_word(good) };
        format!(" MASKED WITH {chosen}")
    }

    fn primary_key(&mut self, table: &Table) -> String {
        let mut partition: Vec<String> =
            table.partition().iter().map(|column| self.column_name(column)).collect();
        let mut clustering: Vec<String> =
            table.clustering().iter().map(|column| self.column_name(column)).collect();
        if self.slip("key column twice", 1) {
            clustering.push(partition[0].clone());
        }
        if self.slip("value in the key", 1)
            && let Some(column) = table.values().first()
        {
            clustering.push(quote_name(&column.name));
        }
        let partition = if partition.len() == 1 {
            partition.remove(0)
        } else {
            format!("({})", join_commas(&partition))
        };
        let rest: Vec<String> = std::iter::once(partition).chain(clustering).collect();
        format!("PRIMARY KEY ({})", join_commas(&rest))
    }

    /// `CLUSTERING ORDER BY (...)`, where one is needed or wanted.
    pub(super) fn clustering_order(&mut self, table: &Table) -> Option<String> {
        let clustering = table.clustering();
        let needed = clustering.iter().any(|column| column.kind == ColumnKind::Descending);
        let wanted = needed || (!clustering.is_empty() && self.rng.roll(20));
        if !wanted && !self.slip("order of nothing", 1) {
            return None;
        }
        let mut parts: Vec<String> = clustering
            .iter()
            .map(|column| {
                let direction = if column.kind == ColumnKind::Descending { "DESC" } else { "ASC" };
                format!("{} {direction}", quote_name(&column.name))
            })
            .collect();
        if parts.is_empty() || self.slip("order of another column", 2) {
            parts.push(format!("{} ASC", quote_name(&self.rng.pick(&table.columns).name)));
        }
        if parts.len() > 1 && self.slip("order with a gap", 2) {
            parts.remove(0);
        }
        if parts.len() > 1 && self.slip("order in another order", 2) {
            parts.reverse();
        }
        Some(format!("CLUSTERING ORDER BY ({})", join_commas(&parts)))
    }

    /// DROP TABLE. A few tables always stay.
    pub(super) fn drop_table(&mut self) -> Option<StatementDraft> {
        let any = self.slip("drop a view as a table, or a base", 4);
        let (keyspace, table) = self.pick_table(|table| any || table.base.is_none())?;
        let spare = keyspace.tables.len() > 3;
        let mut name = table.name.clone();
        if !spare {
            name.push('x');
        }
        let path = self.qualified_name(keyspace, &name);
        let exists = if self.rng.roll(25) { "IF EXISTS " } else { "" };
        let effect = Effect::DropTable(keyspace.name.clone(), name);
        Some(self.draft(format!("DROP TABLE {exists}{path}"), effect))
    }
}
