//! The compact notation of published tables: `Query: table(K a, K⌛day b, C↓ c, S d, {e}, ++n, x)`.
//!
//! The marks are those of Chebotko diagrams. Besides: `K⌛` a time bucket (of any width, or `K⌛day`), `K#` hash shards (any
//! number, or `K#4`), `K0` a constant; `C…` where the source says no more about the clustering columns; `a=b` where ours
//! calls `b` what the source calls `a`; `Query: -` where no table was published.

use cql::types::Type;
use model::plan::{Bucket, Derivation, Direction, PlannedColumn, PlannedTable, Role};

/// The published table of a query.
pub(super) struct Expected {
    pub(super) query: String,
    /// Its columns; none where no table was published.
    pub(super) columns: Vec<Mark>,
}

/// A column of a published table.
pub(super) struct Mark {
    kind: Kind,
    shape: Shape,
    published: String,
    ours: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
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
enum Shape {
    Plain,
    Set,
    List,
    Map,
    Composite,
}

impl Expected {
    /// Reads a line.
    pub(super) fn read(line: &str) -> Result<Self, String> {
        let (query, table) = line.split_once(": ").ok_or("no query")?;
        let mut columns = Vec::new();
        if table != "-" {
            let (_, inside) = table.split_once('(').ok_or("no table")?;
            let inside = inside.strip_suffix(')').ok_or("no end")?;
            for column in inside.split(", ") {
                columns.push(Mark::read(column)?);
            }
        }
        Ok(Self { query: query.to_owned(), columns })
    }

    /// The key, statics and counters, as the list of differences shows them.
    pub(super) fn key(&self) -> String {
        let shown = self.columns.iter().filter(|column| column.kind != Kind::Regular);
        shown.map(Mark::text).collect::<Vec<_>>().join(", ")
    }

    /// Whether the table has the same key, statics and counters.
    pub(super) fn matches(&self, table: &PlannedTable) -> bool {
        let key: Vec<_> = self.columns.iter().filter(|column| column.is_key()).collect();
        let open = key.iter().position(|column| column.kind == Kind::Open);
        let ours: Vec<_> = table.columns.iter().filter(|column| column.is_key()).collect();
        let stated = open.unwrap_or(key.len());
        let partition_ends = ours.get(stated).is_none_or(|column| column.role != Role::Partition);
        let as_long = if open.is_some() {
            ours.len() >= stated && partition_ends
        } else {
            ours.len() == stated
        };
        as_long
            && key.iter().zip(&ours).take(stated).all(|(mark, column)| mark.is(column))
            && self.named(Kind::Counter) == names(table, Role::Counter)
            && (open.is_some() || self.named(Kind::Static) == names(table, Role::Static))
    }

    /// What of the published columns outside the key ours does not have, or not in that shape.
    pub(super) fn unmet(&self, table: &PlannedTable) -> Vec<String> {
        let stored = |mark: &Mark| {
            table.column(&mark.ours).is_some_and(|column| {
                shape(&column.ty) == mark.shape || column.is_key() || mark.kind == Kind::Counter
            })
        };
        let outside = self.columns.iter().filter(|column| !column.is_key());
        outside.filter(|mark| !stored(mark)).map(Mark::text).collect()
    }

    /// Our name for a published column of the key, to show ours with the published names.
    pub(super) fn published_name<'a>(&'a self, ours: &'a str) -> &'a str {
        self.columns
            .iter()
            .find(|column| column.ours == ours)
            .map_or(ours, |column| &column.published)
    }

    fn named(&self, kind: Kind) -> Vec<&str> {
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

fn names(table: &PlannedTable, role: Role) -> Vec<&str> {
    let mut names: Vec<_> = table
        .columns
        .iter()
        .filter(|column| column.role == role)
        .map(|column| column.name.as_str())
        .collect();
    names.sort_unstable();
    names
}

impl Mark {
    fn read(text: &str) -> Result<Self, String> {
        if text == "C…" {
            return Ok(Self {
                kind: Kind::Open,
                shape: Shape::Plain,
                published: String::new(),
                ours: String::new(),
            });
        }
        let (mark, name) = text.split_once(' ').unwrap_or(("", text));
        let (kind, name) = match name.strip_prefix("++") {
            Some(name) => (Kind::Counter, name),
            None => (Kind::of(mark)?, name),
        };
        let (shape, name) = Shape::of(name)?;
        let (published, ours) = name.split_once('=').unwrap_or((name, name));
        Ok(Self { kind, shape, published: published.to_owned(), ours: ours.to_owned() })
    }

    fn is_key(&self) -> bool {
        !matches!(self.kind, Kind::Static | Kind::Counter | Kind::Regular)
    }

    /// Whether it is that column of the key. Buckets, shards and constants have names of their own.
    fn is(&self, column: &PlannedColumn) -> bool {
        let named = column.name == self.ours;
        match (self.kind, column.role, &column.derivation) {
            (Kind::Bucket(width), Role::Partition, Derivation::Bucket(_, ours)) => {
                width.is_none_or(|width| width == *ours)
            }
            (Kind::Shards(count), Role::Partition, Derivation::Shard { count: ours, .. }) => {
                count.is_none_or(|count| count == *ours)
            }
            (Kind::Constant, Role::Partition, Derivation::Constant) => true,
            (Kind::Partition, Role::Partition, _) => named,
            (Kind::Clustering(direction), Role::Clustering(ours), _) => named && direction == ours,
            _ => false,
        }
    }

    fn text(&self) -> String {
        let name = match self.shape {
            Shape::Plain => self.published.clone(),
            Shape::Set => format!("{{{}}}", self.published),
            Shape::List => format!("[{}]", self.published),
            Shape::Map => format!("<{}>", self.published),
            Shape::Composite => format!("*{}*", self.published),
        };
        match self.kind {
            Kind::Partition => format!("K {name}"),
            Kind::Bucket(width) => format!("K⌛{} {name}", width.map_or("", Bucket::name)),
            Kind::Shards(count) => {
                format!("K#{} {name}", count.map_or(String::new(), |count| count.to_string()))
            }
            Kind::Constant => format!("K0 {name}"),
            Kind::Clustering(Direction::Ascending) => format!("C↑ {name}"),
            Kind::Clustering(Direction::Descending) => format!("C↓ {name}"),
            Kind::Open => "C…".to_owned(),
            Kind::Static => format!("S {name}"),
            Kind::Counter => format!("++{name}"),
            Kind::Regular => name,
        }
    }
}

impl Kind {
    fn of(mark: &str) -> Result<Self, String> {
        let widths = [Bucket::Hour, Bucket::Day, Bucket::Week, Bucket::Month, Bucket::Year];
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
                let width =
                    width.and_then(|name| widths.into_iter().find(|width| width.name() == name));
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

impl Shape {
    /// The shape that the brackets around a name say, and the name.
    fn of(name: &str) -> Result<(Self, &str), String> {
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

fn shape(ty: &Type) -> Shape {
    match ty {
        Type::Set(..) => Shape::Set,
        Type::List(..) => Shape::List,
        Type::Map(..) => Shape::Map,
        Type::User(..) => Shape::Composite,
        _ => Shape::Plain,
    }
}
