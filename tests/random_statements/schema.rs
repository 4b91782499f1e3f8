//! The picture of the schema that the generator keeps, and what an accepted statement does to it.

use super::types::Ty;

/// Everything made so far.
#[derive(Clone, Debug, Default)]
pub(super) struct SchemaModel {
    pub(super) keyspaces: Vec<Keyspace>,
    /// A few tables of the server itself, asked about by mistake only.
    pub(super) system: Option<Keyspace>,
    /// The keyspace of the last accepted `USE`.
    pub(super) used: Option<String>,
    /// What every keyspace name of this schema starts with.
    pub(super) prefix: String,
    /// A number for new names.
    pub(super) made: usize,
}

/// A keyspace.
#[derive(Clone, Debug)]
pub(super) struct Keyspace {
    pub(super) name: String,
    pub(super) types: Vec<UserType>,
    pub(super) tables: Vec<Table>,
    pub(super) functions: Vec<Function>,
}

/// A user type.
#[derive(Clone, Debug)]
pub(super) struct UserType {
    pub(super) name: String,
    pub(super) fields: Vec<(String, Ty)>,
}

/// A table or, with a base, a view.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub(super) name: String,
    /// Key columns stand in key order.
    pub(super) columns: Vec<Column>,
    pub(super) indexes: Vec<Index>,
    pub(super) base: Option<String>,
    pub(super) compact: bool,
}

/// A column.
#[derive(Clone, Debug)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) ty: Ty,
    pub(super) kind: ColumnKind,
}

/// What a column is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ColumnKind {
    Partition,
    Ascending,
    Descending,
    Static,
    Regular,
}

/// An index.
#[derive(Clone, Debug)]
pub(super) struct Index {
    pub(super) name: String,
    pub(super) column: String,
    /// `2i`, `sai` or `sasi`.
    pub(super) class: &'static str,
    /// `values`, `keys`, `entries`, `full`, or nothing.
    pub(super) target: &'static str,
}

/// A user function or aggregate.
#[derive(Clone, Debug)]
pub(super) struct Function {
    pub(super) name: String,
    pub(super) arguments: Vec<Ty>,
    pub(super) returns: Ty,
    pub(super) aggregate: bool,
}

/// What a statement does to the picture once the node has accepted it.
#[derive(Clone, Debug)]
pub(super) enum Effect {
    None,
    Use(String),
    AddKeyspace(String),
    DropKeyspace(String),
    AddTable(String, Table),
    DropTable(String, String),
    AddColumns(String, String, Vec<Column>),
    DropColumn(String, String, String),
    RenameColumn { keyspace: String, table: String, from: String, to: String },
    DropCompact(String, String),
    AddIndex(String, String, Index),
    DropIndex(String, String),
    AddType(String, UserType),
    DropType(String, String),
    AddField(String, String, (String, Ty)),
    RenameField { keyspace: String, user_type: String, from: String, to: String },
    AddFunction(String, Function),
    DropFunction(String, String),
}

impl ColumnKind {
    /// Whether it is a clustering column.
    pub(super) fn is_clustering(self) -> bool {
        matches!(self, Self::Ascending | Self::Descending)
    }

    /// Whether it belongs to the primary key.
    pub(super) fn is_key(self) -> bool {
        self == Self::Partition || self.is_clustering()
    }
}

impl Table {
    /// The partition key, in order.
    pub(super) fn partition(&self) -> Vec<&Column> {
        self.columns.iter().filter(|column| column.kind == ColumnKind::Partition).collect()
    }

    /// The clustering columns, in order.
    pub(super) fn clustering(&self) -> Vec<&Column> {
        self.columns.iter().filter(|column| column.kind.is_clustering()).collect()
    }

    /// The columns that are not of the key.
    pub(super) fn values(&self) -> Vec<&Column> {
        self.columns.iter().filter(|column| !column.kind.is_key()).collect()
    }

    /// The static columns.
    pub(super) fn statics(&self) -> Vec<&Column> {
        self.columns.iter().filter(|column| column.kind == ColumnKind::Static).collect()
    }

    /// Whether it holds counters.
    pub(super) fn is_counter(&self) -> bool {
        self.columns.iter().any(|column| column.ty.is_native("counter"))
    }

    /// A column by name.
    pub(super) fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }
}

impl Keyspace {
    /// A user type by name.
    pub(super) fn user_type(&self, name: &str) -> Option<&UserType> {
        self.types.iter().find(|ty| ty.name == name)
    }

    fn table_mut(&mut self, name: &str) -> Option<&mut Table> {
        self.tables.iter_mut().find(|table| table.name == name)
    }
}

impl SchemaModel {
    /// A server with nothing but its own tables.
    pub(super) fn new(prefix: String) -> Self {
        let column = |name: &str, native, kind| Column {
            name: name.to_owned(),
            ty: Ty::Native(native),
            kind,
        };
        let tables = Table {
            name: "tables".to_owned(),
            columns: vec![
                column("keyspace_name", "text", ColumnKind::Partition),
                column("table_name", "text", ColumnKind::Ascending),
                column("comment", "text", ColumnKind::Regular),
                column("gc_grace_seconds", "int", ColumnKind::Regular),
            ],
            indexes: vec![],
            base: None,
            compact: false,
        };
        let system = Keyspace {
            name: "system_schema".to_owned(),
            types: vec![],
            tables: vec![tables],
            functions: vec![],
        };
        Self { system: Some(system), prefix, ..Self::default() }
    }

    fn keyspace_mut(&mut self, name: &str) -> Option<&mut Keyspace> {
        self.keyspaces.iter_mut().find(|keyspace| keyspace.name == name)
    }

    /// Carries out what the node has accepted.
    pub(super) fn apply(&mut self, effect: Effect) {
        self.made += 1;
        match effect {
            Effect::None => {}
            Effect::Use(name) => self.used = Some(name),
            Effect::AddKeyspace(name) => {
                if self.keyspace_mut(&name).is_none() {
                    let keyspace =
                        Keyspace { name, types: vec![], tables: vec![], functions: vec![] };
                    self.keyspaces.push(keyspace);
                }
            }
            Effect::DropKeyspace(name) => self.keyspaces.retain(|keyspace| keyspace.name != name),
            other => self.apply_within(other),
        }
    }

    fn apply_within(&mut self, effect: Effect) {
        match effect {
            Effect::AddType(keyspace, ty) => {
                if let Some(keyspace) =
                    self.keyspace_mut(&keyspace).filter(|k| k.user_type(&ty.name).is_none())
                {
                    keyspace.types.push(ty);
                }
            }
            Effect::DropType(keyspace, name) => {
                if let Some(keyspace) = self.keyspace_mut(&keyspace) {
                    keyspace.types.retain(|ty| ty.name != name);
                }
            }
            Effect::AddField(keyspace, name, field) => {
                let keyspace = self.keyspace_mut(&keyspace);
                let ty = keyspace
                    .and_then(|keyspace| keyspace.types.iter_mut().find(|ty| ty.name == name));
                if let Some(ty) = ty.filter(|ty| ty.fields.iter().all(|(name, _)| *name != field.0))
                {
                    ty.fields.push(field);
                }
            }
            Effect::RenameField { keyspace, user_type, from, to } => {
                let keyspace = self.keyspace_mut(&keyspace);
                let ty = keyspace
                    .and_then(|keyspace| keyspace.types.iter_mut().find(|ty| ty.name == user_type));
                let field = ty.and_then(|ty| ty.fields.iter_mut().find(|(name, _)| *name == from));
                if let Some(field) = field {
                    field.0 = to;
                }
            }
            Effect::AddFunction(keyspace, function) => {
                if let Some(keyspace) = self.keyspace_mut(&keyspace) {
                    keyspace.functions.retain(|other| other.name != function.name);
                    keyspace.functions.push(function);
                }
            }
            Effect::DropFunction(keyspace, name) => {
                if let Some(keyspace) = self.keyspace_mut(&keyspace) {
                    keyspace.functions.retain(|function| function.name != name);
                }
            }
            other => self.apply_to_table(other),
        }
    }

    fn apply_to_table(&mut self, effect: Effect) {
        let (Effect::AddTable(keyspace, _)
        | Effect::DropTable(keyspace, _)
        | Effect::AddColumns(keyspace, ..)
        | Effect::DropColumn(keyspace, ..)
        | Effect::RenameColumn { keyspace, .. }
        | Effect::DropCompact(keyspace, _)
        | Effect::AddIndex(keyspace, ..)
        | Effect::DropIndex(keyspace, _)) = &effect
        else {
            return;
        };
        if let Some(keyspace) = self.keyspace_mut(&keyspace.clone()) {
            keyspace.apply(effect);
        }
    }
}

impl Keyspace {
    fn apply(&mut self, effect: Effect) {
        match effect {
            Effect::AddTable(_, table) if self.table_mut(&table.name).is_none() => {
                self.tables.push(table);
            }
            Effect::DropTable(_, name) => self.tables.retain(|table| table.name != name),
            Effect::AddColumns(_, table, columns) => {
                let same =
                    |other: &&mut Table| other.name == table || other.base.as_ref() == Some(&table);
                for table in self.tables.iter_mut().filter(same) {
                    let fresh: Vec<Column> = columns
                        .iter()
                        .filter(|column| table.column(&column.name).is_none())
                        .cloned()
                        .collect();
                    if table.base.is_none() {
                        table.columns.extend(fresh);
                    }
                }
            }
            Effect::DropColumn(_, table, name) => {
                if let Some(table) = self.table_mut(&table) {
                    table.columns.retain(|column| column.name != name || column.kind.is_key());
                }
            }
            Effect::RenameColumn { table, from, to, .. } => {
                let same =
                    |other: &&mut Table| other.name == table || other.base.as_ref() == Some(&table);
                for table in self.tables.iter_mut().filter(same) {
                    for column in table.columns.iter_mut().filter(|column| column.name == from) {
                        column.name.clone_from(&to);
                    }
                }
            }
            Effect::DropCompact(_, table) => {
                if let Some(table) = self.table_mut(&table) {
                    table.compact = false;
                }
            }
            Effect::AddIndex(_, table, index) => {
                if let Some(table) = self.table_mut(&table) {
                    table.indexes.push(index);
                }
            }
            Effect::DropIndex(_, name) => {
                for table in &mut self.tables {
                    table.indexes.retain(|index| index.name != name);
                }
            }
            _ => {}
        }
    }
}

/// A name as CQL writes it: in quotes where it needs them.
pub(super) fn quote_name(name: &str) -> String {
    let plain = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
        && !["select", "order", "table", "token", "set", "from"].contains(&name);
    if plain { name.to_owned() } else { format!("\"{}\"", name.replace('"', "\"\"")) }
}
