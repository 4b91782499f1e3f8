//! The compact notation of published tables: `Query: table(K a, K⌛day b, C↓ c, S d, {e}, ++n, x)`.
//!
//! The marks are those of Chebotko diagrams. Besides: `K⌛` a time bucket (of any width, or `K⌛day`), `K#` hash shards (any
//! number, or `K#4`), `K0` a constant; `C…` where the source says no more about the clustering columns; `a=b` where ours
//! calls `b` what the source calls `a`; `Query: -` where no table was published.

use cql::types::Type;
use model::plan::{Bucket, ColumnRole, Derivation, Direction, PlannedColumn, PlannedTable};

/// The published table of a query.
pub(super) struct PublishedTable {
    pub(super) query: String,
    /// Its columns; none where no table was published.
    pub(super) columns: Vec<PublishedColumn>,
}

/// A column of a published table.
pub(super) struct PublishedColumn {
    kind: MarkKind,
    shape: ColumnShape,
    published: String,
    ours: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MarkKind {
    Partition,
    Bucket(Option<Bucket>),
    Shards(Option<u32>),
    Constant,
    Clustering(Direction),
    /// `C…`: the rest of the key is not stated.
    Open,
    Static,
    Counter,
    Regular,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ColumnShape {
    Plain,
    Set,
    List,
    Map,
    Composite,
}

impl PublishedTable {
    /// Reads a line.
    pub(super) fn read(line: &str) -> Result<Self, String> {
        let (query, table) = line.split_once(": ").ok_or("no query")?;
        let mut columns = Vec::new();
        if table != "-" {
            let (_, inside) = table.split_once('(').ok_or("no table")?;
            let inside = inside.strip_suffix(')').ok_or("no end")?;
            for column in inside.split(", ") {
                columns.push(PublishedColumn::read(column)?);
            }
        }
        Ok(Self { query: query.to_owned(), columns })
    }

    /// The key, statics and counters, as the list of differences shows them.
    pub(super) fn key(&self) -> String {
        let shown = self.columns.iter().filter(|column| column.kind != MarkKind::Regular);
        shown.map(PublishedColumn::text).collect::<Vec<_>>().join(", ")
    }

    /// Whether the table has the same key, statics and counters.
    pub(super) fn matches(&self, table: &PlannedTable) -> bool {
        let key: Vec<_> = self.columns.iter().filter(|column| column.is_key()).collect();
        let open = key.iter().position(|column| column.kind == MarkKind::Open);
        let ours: Vec<_> = table.columns.iter().filter(|column| column.is_key()).collect();
        let stated = open.unwrap_or(key.len());
        let partition_ends =
            ours.get(stated).is_none_or(|column| column.role != ColumnRole::Partition);
        let as_long = if open.is_some() {
            ours.len() >= stated && partition_ends
        } else {
            ours.len() == stated
        };
        as_long
            && key.iter().zip(&ours).take(stated).all(|(mark, column)| mark.is_same_column(column))
            && self.names_of_kind(MarkKind::Counter) == names(table, ColumnRole::Counter)
            && (open.is_some()
                || self.names_of_kind(MarkKind::Static) == names(table, ColumnRole::Static))
    }

    /// What of the published columns outside the key ours does not have, or not in that shape.
    pub(super) fn missing_columns(&self, table: &PlannedTable) -> Vec<String> {
        let stored = |mark: &PublishedColumn| {
            table.column(&mark.ours).is_some_and(|column| {
                shape(&column.ty) == mark.shape || column.is_key() || mark.kind == MarkKind::Counter
            })
        };
        let outside = self.columns.iter().filter(|column| !column.is_key());
        outside.filter(|mark| !stored(mark)).map(PublishedColumn::text).collect()
    }

    /// Our name for a published column of the key, to show ours with the published names.
    pub(super) fn name_in_source<'a>(&'a self, ours: &'a str) -> &'a str {
        self.columns
            .iter()
            .find(|column| column.ours == ours)
            .map_or(ours, |column| &column.published)
    }

    fn names_of_kind(&self, kind: MarkKind) -> Vec<&str> {
        let mut names: Vec<_> = self
            .columns
            .iter()
            .filter(|column| column.kind == kind)
            .map(|column| column.ours.as_str())
            .collect();
        names.sort_unstable();
        names
    }
}

fn names(table: &PlannedTable, role: ColumnRole) -> Vec<&str> {
    let mut names: Vec<_> = table
        .columns
        .iter()
        .filter(|column| column.role == role)
        .map(|column| column.name.as_str())
        .collect();
    names.sort_unstable();
    names
}

impl PublishedColumn {
    fn read(text: &str) -> Result<Self, String> {
        if text == "C…" {
            return Ok(Self {
                kind: MarkKind::Open,
                shape: ColumnShape::Plain,
                published: String::new(),
                ours: String::new(),
            });
        }
        let (mark, name) = text.split_once(' ').unwrap_or(("", text));
        let (kind, name) = match name.strip_prefix("++") {
            Some(name) => (MarkKind::Counter, name),
            None => (MarkKind::parse_mark(mark)?, name),
        };
        let (shape, name) = ColumnShape::parse_name(name)?;
        let (published, ours) = name.split_once('=').unwrap_or((name, name));
        Ok(Self { kind, shape, published: published.to_owned(), ours: ours.to_owned() })
    }

    fn is_key(&self) -> bool {
        !matches!(self.kind, MarkKind::Static | MarkKind::Counter | MarkKind::Regular)
    }

    /// Whether it is that column of the key. Buckets, shards and constants have names of their own.
    fn is_same_column(&self, column: &PlannedColumn) -> bool {
        let named = column.name == self.ours;
        match (self.kind, column.role, &column.derivation) {
            (MarkKind::Bucket(width), ColumnRole::Partition, Derivation::Bucket(_, ours)) => {
                width.is_none_or(|width| width == *ours)
            }
            (
                MarkKind::Shards(count),
                ColumnRole::Partition,
                Derivation::Shard { count: ours, .. },
            ) => count.is_none_or(|count| count == *ours),
            (MarkKind::Constant, ColumnRole::Partition, Derivation::Constant) => true,
            (MarkKind::Partition, ColumnRole::Partition, _) => named,
            (MarkKind::Clustering(direction), ColumnRole::Clustering(ours), _) => {
                named && direction == ours
            }
            _ => false,
        }
    }

    fn text(&self) -> String {
        let name = match self.shape {
            ColumnShape::Plain => self.published.clone(),
            ColumnShape::Set => format!("{{{}}}", self.published),
            ColumnShape::List => format!("[{}]", self.published),
            ColumnShape::Map => format!("<{}>", self.published),
            ColumnShape::Composite => format!("*{}*", self.published),
        };
        match self.kind {
            MarkKind::Partition => format!("K {name}"),
            MarkKind::Bucket(width) => {
                format!("K⌛{} {name}", width.map_or_else(String::new, |width| width.to_string()))
            }
            MarkKind::Shards(count) => {
                format!("K#{} {name}", count.map_or(String::new(), |count| count.to_string()))
            }
            MarkKind::Constant => format!("K0 {name}"),
            MarkKind::Clustering(Direction::Ascending) => format!("C↑ {name}"),
            MarkKind::Clustering(Direction::Descending) => format!("C↓ {name}"),
            MarkKind::Open => "C…".to_owned(),
            MarkKind::Static => format!("S {name}"),
            MarkKind::Counter => format!("++{name}"),
            MarkKind::Regular => name,
        }
    }
}

impl MarkKind {
    fn parse_mark(mark: &str) -> Result<Self, String> {
        let widths = [Bucket::HOUR, Bucket::DAY, Bucket::WEEK, Bucket::MONTH, Bucket::YEAR];
        Ok(match mark {
            "" => Self::Regular,
            "K" => Self::Partition,
            "K⌛" => Self::Bucket(None),
            "K#" => Self::Shards(None),
            "K0" => Self::Constant,
            "C↑" => Self::Clustering(Direction::Ascending),
            "C↓" => Self::Clustering(Direction::Descending),
            "S" => Self::Static,
            _ => {
                let width = mark.strip_prefix("K⌛");
                let width = width
                    .and_then(|name| widths.into_iter().find(|width| width.to_string() == name));
                let count = mark.strip_prefix("K#").and_then(|count| count.parse().ok());
                match (width, count) {
                    (Some(width), _) => Self::Bucket(Some(width)),
                    (_, Some(count)) => Self::Shards(Some(count)),
                    _ => return Err(format!("no mark: {mark}")),
                }
            }
        })
    }
}

impl ColumnShape {
    /// The shape that the brackets around a name say, and the name.
    fn parse_name(name: &str) -> Result<(Self, &str), String> {
        let brackets = [
            ("{", "}", Self::Set),
            ("[", "]", Self::List),
            ("<", ">", Self::Map),
            ("*", "*", Self::Composite),
        ];
        for (open, close, shape) in brackets {
            if let Some(rest) = name.strip_prefix(open) {
                return Ok((shape, rest.strip_suffix(close).ok_or(format!("unclosed: {name}"))?));
            }
        }
        Ok((Self::Plain, name))
    }
}

fn shape(ty: &Type) -> ColumnShape {
    match ty {
        Type::Set(..) => ColumnShape::Set,
        Type::List(..) => ColumnShape::List,
        Type::Map(..) => ColumnShape::Map,
        Type::User(..) => ColumnShape::Composite,
        _ => ColumnShape::Plain,
    }
}
