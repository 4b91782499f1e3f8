//! Random tables with every kind of constraint.

use std::fmt::Write;

use super::{ModelWriter, SqlConstruct};

/// The types of plain columns.
const TYPES: [&str; 9] =
    ["text", "text", "integer", "bigint", "boolean", "timestamp", "date", "numeric", "uuid"];

/// A table.
#[derive(Clone, Default)]
pub(super) struct ConstructTable {
    pub(super) name: String,
    pub(super) columns: Vec<ConstructColumn>,
    /// The primary key, as positions among the columns.
    pub(super) key: Vec<usize>,
    pub(super) links: Vec<TableLink>,
    /// Constraints of the table.
    constraints: Vec<String>,
    /// Statements behind the table.
    indexes: Vec<String>,
    /// The sequence of its key.
    sequence: Option<String>,
}

/// A column.
#[derive(Clone, Default)]
pub(super) struct ConstructColumn {
    pub(super) name: String,
    pub(super) ty: &'static str,
    pub(super) nullable: bool,
    /// Its default, and the construct that it is.
    pub(super) default: Option<(String, SqlConstruct)>,
    pub(super) role: ColumnUse,
    /// What stands behind its type in the declaration.
    tail: String,
}

/// What a column is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ColumnUse {
    #[default]
    Plain,
    /// A number of a sequence, which only the database gives.
    Sequence,
    /// Computed from others.
    Generated,
    /// A number that is added to.
    Amount,
    /// One of three states.
    State,
    /// Null as long as the row is live.
    Deletion,
}

/// A reference of one column.
#[derive(Clone)]
pub(super) struct TableLink {
    pub(super) column: usize,
    pub(super) target: usize,
    /// What a change of the key does, where keys of the type are changed.
    pub(super) on_update: Option<SqlConstruct>,
    clause: String,
}

impl ConstructTable {
    /// Columns that may be compared for equality: none that is added to.
    pub(super) fn list_searched(&self) -> Vec<usize> {
        let is_searched = |at: &usize| {
            let column = &self.columns[*at];
            !matches!(column.role, ColumnUse::Amount | ColumnUse::Deletion)
                && column.ty != "numeric"
        };
        (0..self.columns.len()).filter(is_searched).collect()
    }

    /// Columns of a use.
    pub(super) fn position_by_use(&self, role: ColumnUse) -> Option<usize> {
        self.columns.iter().position(|column| column.role == role)
    }

    /// Writes its CREATE TABLE.
    pub(super) fn declare(&self, tables: &[Self], text: &mut String) {
        if let Some(sequence) = &self.sequence {
            let _ = writeln!(text, "CREATE SEQUENCE {sequence};");
        }
        let _ = writeln!(text, "-- @rows 200k\nCREATE TABLE {} (", self.name);
        for (at, column) in self.columns.iter().enumerate() {
            let null = if column.nullable { "" } else { " NOT NULL" };
            let default = match &column.default {
                Some((default, SqlConstruct::DefaultIdentity)) => format!(" {default}"),
                Some((_, SqlConstruct::DefaultSerial)) => String::new(),
                Some((default, _)) => format!(" DEFAULT {default}"),
                None => String::new(),
            };
            let link = self.links.iter().find(|link| link.column == at);
            let (clause, each) = link.map_or((String::new(), ""), |link| {
                let target = &tables[link.target];
                let key = &target.columns[target.key[0]].name;
                let clause = format!(" REFERENCES {} ({key}){}", target.name, link.clause);
                // Of a key that refers to another there is one row each.
                let is_unique = self.constraints.contains(&format!("UNIQUE ({})", column.name));
                (clause, if is_unique { "" } else { " -- @each 5 p99 20 max 40" })
            });
            let (name, ty, tail) = (&column.name, column.ty, &column.tail);
            let _ = writeln!(text, "  {name} {ty}{null}{default}{tail}{clause},{each}");
        }
        for constraint in &self.constraints {
            let _ = writeln!(text, "  {constraint},");
        }
        let key: Vec<_> = self.key.iter().map(|at| self.columns[*at].name.as_str()).collect();
        let _ = writeln!(text, "  PRIMARY KEY ({})\n);", key.join(", "));
        for index in &self.indexes {
            let _ = writeln!(text, "{index};");
        }
    }
}

impl ModelWriter {
    /// Adds a table.
    pub(super) fn add_table(&mut self, number: usize) {
        let mut table = ConstructTable { name: format!("t{number}"), ..ConstructTable::default() };
        self.add_key(&mut table, number);
        for at in 0..=self.rng.number_below(3) {
            self.add_plain(&mut table, &format!("c{number}_{at}"));
        }
        self.add_special(&mut table, number);
        if number > 0 && self.rng.roll(80) {
            let targets: Vec<_> =
                (0..number).filter(|at| self.tables[*at].key.len() == 1).collect();
            if !targets.is_empty() {
                let target = *self.rng.pick(&targets);
                let of = &self.tables[target];
                let key = format!("r{number}");
                // What refers to a serial number has no sequence of its own.
                let ty = of.columns[of.key[0]].ty;
                let ty = if ty == "bigserial" { "bigint" } else { ty };
                self.add_link(&mut table, key, target, ty);
            }
        } else if table.key.len() == 1 && self.rng.roll(25) {
            let ty = table.columns[0].ty;
            let ty = if ty == "bigserial" { "bigint" } else { ty };
            self.add_link(&mut table, format!("up{number}"), number, ty);
        }
        self.add_unique(&mut table);
        self.tables.push(table);
    }

    fn add_key(&mut self, table: &mut ConstructTable, number: usize) {
        let name = format!("id{number}");
        let mut column = ConstructColumn { name, ty: "uuid", ..ConstructColumn::default() };
        match self.rng.number_below(13) {
            0..=2 => {}
            3 | 4 => {
                column.default = Some(("gen_random_uuid()".to_owned(), SqlConstruct::DefaultUuid));
            }
            5 | 6 => {
                column.role = ColumnUse::Sequence;
                column.ty = "bigint";
                let sequence = format!("numbers{number}");
                let (default, construct) = match self.rng.number_below(4) {
                    0 => ("GENERATED ALWAYS AS IDENTITY".to_owned(), SqlConstruct::DefaultIdentity),
                    1 => (
                        "GENERATED BY DEFAULT AS IDENTITY".to_owned(),
                        SqlConstruct::DefaultIdentity,
                    ),
                    2 => {
                        column.ty = "bigserial";
                        (String::new(), SqlConstruct::DefaultSerial)
                    }
                    _ => (format!("nextval('{sequence}')"), SqlConstruct::DefaultSequence),
                };
                if construct == SqlConstruct::DefaultSequence {
                    table.sequence = Some(sequence);
                }
                column.default = Some((default, construct));
            }
            7 | 8 => column.ty = "text",
            9..=11 => column.ty = "integer",
            _ => {
                table.key.push(0);
                let owner = format!("k{number}");
                table.columns.push(ConstructColumn { name: owner, ty: "text", ..column.clone() });
                column.ty = "integer";
            }
        }
        table.key.push(table.columns.len());
        table.columns.push(column);
    }

    /// A column of any type, with or without a default.
    fn add_plain(&mut self, table: &mut ConstructTable, name: &str) {
        let ty = *self.rng.pick(&TYPES);
        let nullable = self.rng.roll(40);
        let default = self.rng.roll(45).then(|| self.default(ty));
        if !nullable {
            self.mark(SqlConstruct::NotNull);
        }
        let name = name.to_owned();
        table.columns.push(ConstructColumn {
            name,
            ty,
            nullable,
            default,
            ..ConstructColumn::default()
        });
    }

    fn default(&mut self, ty: &str) -> (String, SqlConstruct) {
        let (constants, others): (&[&str], &[(&str, SqlConstruct)]) = match ty {
            "text" => (&["'abc'", "'x y'"], &[("lower('ABC')", SqlConstruct::DefaultExpression)]),
            "integer" => (&["7", "-1", "0"], &[("2 + 3", SqlConstruct::DefaultExpression)]),
            "bigint" => (&["9000000000", "0"], &[]),
            "boolean" => (&["false", "true"], &[]),
            "numeric" => (&["1.5", "0"], &[]),
            "date" => (&["'2024-02-29'"], &[("CURRENT_DATE", SqlConstruct::DefaultNow)]),
            "timestamp" => (
                &["'2024-01-01 00:00:00'"],
                &[
                    ("now()", SqlConstruct::DefaultNow),
                    ("CURRENT_TIMESTAMP", SqlConstruct::DefaultNow),
                ],
            ),
            _ => (
                &["'00000000-0000-4000-8000-000000000001'"],
                &[("gen_random_uuid()", SqlConstruct::DefaultUuid)],
            ),
        };
        if !others.is_empty() && self.rng.roll(50) {
            let (text, construct) = *self.rng.pick(others);
            return (text.to_owned(), construct);
        }
        ((*self.rng.pick(constants)).to_owned(), SqlConstruct::DefaultConstant)
    }

    /// Columns with a use of their own.
    fn add_special(&mut self, table: &mut ConstructTable, number: usize) {
        let column = ConstructColumn::default();
        if self.rng.roll(55) {
            let ty = *self.rng.pick(&["integer", "bigint"]);
            let default = Some(("0".to_owned(), SqlConstruct::DefaultConstant));
            let name = format!("amount{number}");
            let role = ColumnUse::Amount;
            table.columns.push(ConstructColumn { name, ty, default, role, ..column.clone() });
        }
        if self.rng.roll(25) {
            self.mark(SqlConstruct::Check);
            let name = format!("state{number}");
            let tail = format!(" CHECK ({name} IN ('new', 'open', 'done'))");
            let default =
                self.rng.roll(60).then(|| ("'new'".to_owned(), SqlConstruct::DefaultConstant));
            let role = ColumnUse::State;
            table.columns.push(ConstructColumn { name, ty: "text", default, role, tail, ..column });
        }
        if self.rng.roll(40) {
            let (name, role) = (format!("deleted{number}"), ColumnUse::Deletion);
            table.columns.push(ConstructColumn {
                name,
                ty: "timestamp",
                nullable: true,
                role,
                ..column.clone()
            });
        }
        if self.rng.roll(30) {
            let source = |it: &&ConstructColumn| it.role == ColumnUse::Plain && !it.nullable;
            let computed = table.columns.iter().filter(source).find_map(|of| match of.ty {
                "text" => Some(("text", format!("lower({})", of.name))),
                "integer" => Some(("integer", format!("{} + 1", of.name))),
                _ => None,
            });
            if let Some((ty, expression)) = computed {
                self.mark(SqlConstruct::GeneratedColumn);
                let tail = format!(" GENERATED ALWAYS AS ({expression}) STORED");
                let (name, role) = (format!("made{number}"), ColumnUse::Generated);
                table.columns.push(ConstructColumn {
                    name,
                    ty,
                    role,
                    tail,
                    nullable: true,
                    ..column
                });
            }
        }
    }

    /// A reference to a table with a key of one column.
    fn add_link(
        &mut self,
        table: &mut ConstructTable,
        name: String,
        target: usize,
        ty: &'static str,
    ) {
        let itself = target == self.tables.len();
        let nullable = itself || self.rng.roll(50);
        let mut column = ConstructColumn { name, ty, nullable, ..ConstructColumn::default() };
        let mut actions = vec![
            (" ON DELETE CASCADE", SqlConstruct::DeleteCascade),
            (" ON DELETE RESTRICT", SqlConstruct::DeleteRestrict),
            (" ON DELETE NO ACTION", SqlConstruct::DeleteNoAction),
            ("", SqlConstruct::DeleteNoAction),
        ];
        if nullable {
            actions.push((" ON DELETE SET NULL", SqlConstruct::DeleteSetNull));
            actions.push((" ON DELETE SET NULL", SqlConstruct::DeleteSetNull));
        }
        if ty == "integer" || ty == "text" {
            actions.push((" ON DELETE SET DEFAULT", SqlConstruct::DeleteSetDefault));
        }
        let (clause, construct) = *self.rng.pick(&actions);
        self.mark(construct);
        let mut clause = clause.to_owned();
        let is_changed = ty == "integer" || ty == "text";
        let on_update = is_changed.then(|| self.update_action(nullable));
        clause.push_str(on_update.map_or("", |(clause, _)| clause));
        let on_update = on_update.map(|(_, construct)| construct);
        if construct == SqlConstruct::DeleteSetDefault
            || on_update == Some(SqlConstruct::UpdateSetDefault)
        {
            let default = if ty == "integer" { "0" } else { "'none'" };
            column.default = Some((default.to_owned(), SqlConstruct::DefaultConstant));
        }
        table.links.push(TableLink { column: table.columns.len(), target, on_update, clause });
        table.columns.push(column);
    }

    /// What happens to a reference when the key that it refers to changes.
    fn update_action(&mut self, nullable: bool) -> (&'static str, SqlConstruct) {
        let mut actions = vec![
            (" ON UPDATE CASCADE", SqlConstruct::UpdateCascade),
            (" ON UPDATE CASCADE", SqlConstruct::UpdateCascade),
            (" ON UPDATE RESTRICT", SqlConstruct::UpdateRestrict),
            (" ON UPDATE NO ACTION", SqlConstruct::UpdateNoAction),
            ("", SqlConstruct::UpdateNoAction),
            (" ON UPDATE SET DEFAULT", SqlConstruct::UpdateSetDefault),
            (" ON UPDATE SET DEFAULT", SqlConstruct::UpdateSetDefault),
        ];
        if nullable {
            actions.push((" ON UPDATE SET NULL", SqlConstruct::UpdateSetNull));
        }
        *self.rng.pick(&actions)
    }

    fn add_unique(&mut self, table: &mut ConstructTable) {
        let is_text =
            |column: &&ConstructColumn| column.role == ColumnUse::Plain && column.ty == "text";
        let texts: Vec<_> = table.columns.iter().filter(is_text).cloned().collect();
        let in_key = |name: &String| table.key.iter().any(|at| table.columns[*at].name == *name);
        let Some(column) = texts.iter().find(|column| !in_key(&column.name)) else { return };
        let other =
            table.columns.iter().find(|it| it.ty == "integer" && it.role == ColumnUse::Plain);
        let name = &column.name;
        match self.rng.number_below(4) {
            0 => {
                if let Some(other) = other.filter(|_| !column.nullable) {
                    let constraint = format!("UNIQUE ({name}, {})", other.name);
                    table.constraints.push(constraint);
                    self.mark(SqlConstruct::UniqueSeveral);
                }
            }
            1 if column.default.is_none() => {
                let construct = column.nullable.then_some(SqlConstruct::UniqueNullable);
                table.constraints.push(format!("UNIQUE ({name})"));
                self.used.extend(construct);
            }
            2 if column.default.is_none() => {
                let Some(deleted) = table.position_by_use(ColumnUse::Deletion) else { return };
                let deleted = &table.columns[deleted].name;
                let of = &table.name;
                let index = format!(
                    "CREATE UNIQUE INDEX live_{of} ON {of} ({name}) WHERE {deleted} IS NULL"
                );
                table.indexes.push(index);
                self.mark(SqlConstruct::UniquePartial);
            }
            _ => {}
        }
    }
}
