//! The content of a picture, before anything has a position: cards in frames, links, a legend.

/// How much a Chebotko diagram shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Names and marks.
    Logical,
    /// With CQL types, user types by their names, and a frame for each keyspace.
    Physical,
}

/// A picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// What it shows, as its heading.
    pub title: String,
    /// Which kind of picture.
    pub kind: PictureKind,
    /// What it comes to, in a few words; empty for most kinds.
    pub summary: String,
    /// The frames: a keyspace each.
    pub frames: Vec<Frame>,
    /// The queries, in the order of their numbers.
    pub legend: Vec<LegendEntry>,
}

/// The kinds of pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureKind {
    /// Tables and workflow.
    Chebotko(Level),
    /// Entities and relationships.
    Entities,
    /// The steps of the application.
    Workflow,
    /// Writes, tables and queries.
    DataFlow,
    /// What is different from an earlier design or schema.
    Changes,
}

/// Cards that belong together, with the links between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// The keyspace, where a frame is drawn around it.
    pub title: Option<String>,
    /// The cards.
    pub cards: Vec<Card>,
    /// The links between them.
    pub links: Vec<Link>,
}

/// A box with a title and rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Card {
    /// What it stands for.
    pub kind: CardKind,
    /// Its title.
    pub title: String,
    /// Short marks beside the title: `TTL 30 d`, `MV`.
    pub badges: Vec<String>,
    /// Its rows.
    pub rows: Vec<CardRow>,
    /// Figures below the rows.
    pub footer: Vec<String>,
    /// The names of the queries that read it.
    pub queries: Vec<String>,
    /// What became of it.
    pub change: Change,
}

/// What a card stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CardKind {
    /// A table.
    #[default]
    Table,
    /// A table of counters.
    Counter,
    /// A materialized view.
    View,
    /// A user type.
    UserType,
    /// An entity.
    Entity,
    /// An entity that links others: a relationship, possibly with attributes.
    Relationship,
    /// A query.
    Query,
    /// A write.
    Write,
}

/// What became of something between two designs or schemas.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Change {
    /// Nothing, or nothing is compared.
    #[default]
    None,
    /// It is new.
    Added,
    /// It is gone.
    Dropped,
    /// It is different.
    Altered,
}

/// A row of a card: a column, field or attribute.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CardRow {
    /// How prominent it is.
    pub kind: RowKind,
    /// Its name, with the marks of its type: `{tags}`.
    pub name: String,
    /// Its type; empty where none is shown.
    pub ty: String,
    /// Its mark; empty for none.
    pub mark: String,
    /// What became of it.
    pub change: Change,
}

/// How prominent a row is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RowKind {
    /// Part of a partition key.
    Partition,
    /// A clustering column.
    Clustering,
    /// A static column.
    Static,
    /// A counter.
    Counter,
    /// Any other column or attribute.
    #[default]
    Plain,
    /// Part of an entity's key: underlined.
    Key,
}

/// A link from each of some cards to each of others. Without a source it is an entry point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Where it starts.
    pub from: Vec<LinkEnd>,
    /// Where it leads.
    pub to: Vec<LinkEnd>,
    /// A further step of the same query rather than the query that follows.
    pub dashed: bool,
}

/// One end of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkEnd {
    /// The card, as a position among those of the frame.
    pub card: usize,
    /// The text beside the end, line by line.
    pub label: Vec<String>,
    /// How it is drawn.
    pub tip: Tip,
    /// The names of the queries that the label numbers.
    pub queries: Vec<String>,
}

/// How an end of a link is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tip {
    /// Nothing.
    Plain,
    /// An arrowhead.
    Arrow,
    /// Exactly one.
    One,
    /// None or one.
    ZeroOrOne,
    /// Any number.
    Many,
    /// A triangle: what is on the other side is a kind of this.
    Supertype,
}

/// A query of the legend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LegendEntry {
    /// `Q1`
    pub number: String,
    /// Its name; empty where that is the number.
    pub name: String,
    /// What it returns, in a sentence.
    pub description: String,
    /// Its rate; empty when none is declared.
    pub rate: String,
    /// The table that its rows come from; none where no table serves it.
    pub table: Option<String>,
}

impl LegendEntry {
    /// The name of the query, also where it serves as the number.
    pub fn query(&self) -> &str {
        if self.name.is_empty() { &self.number } else { &self.name }
    }
}

impl Card {
    /// Whether it stands for a query or a write, whose rows are a sentence.
    pub(crate) fn is_statement(&self) -> bool {
        matches!(self.kind, CardKind::Query | CardKind::Write)
    }

    /// Whether it stands for a user type.
    pub(crate) fn is_type(&self) -> bool {
        self.kind == CardKind::UserType
    }
}

impl Link {
    /// Whether it is an entry point.
    pub(crate) fn is_entry(&self) -> bool {
        self.from.is_empty()
    }

    /// Whether its arrowheads are at its start: a query that asks tables.
    pub(crate) fn is_backward(&self) -> bool {
        self.from.iter().any(|end| end.tip == Tip::Arrow)
    }

    /// Whether it needs no colour of its own.
    pub(crate) fn is_neutral(&self) -> bool {
        self.is_entry() || self.is_backward()
    }
}

impl LinkEnd {
    /// An end without a label.
    pub fn plain(card: usize, tip: Tip) -> Self {
        Self { card, label: Vec::new(), tip, queries: Vec::new() }
    }
}
