//! What clients are told of a change of the schema.

/// How something changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChangeKind {
    /// It is new.
    Created,
    /// It is not what it was.
    Updated,
    /// It is gone.
    Dropped,
}

impl ChangeKind {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Created, Self::Updated, Self::Dropped];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Created => "CREATED",
            Self::Updated => "UPDATED",
            Self::Dropped => "DROPPED",
        }
    }
}

/// What changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChangeTarget {
    /// The keyspace.
    Keyspace,
    /// A table or view.
    Table(Box<str>),
    /// A user type.
    Type(Box<str>),
    /// A function, with the types of its arguments.
    Function(Box<str>, Vec<String>),
    /// An aggregate, with the types of its arguments.
    Aggregate(Box<str>, Vec<String>),
}

impl ChangeTarget {
    /// Its name in the protocol.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Keyspace => "KEYSPACE",
            Self::Table(_) => "TABLE",
            Self::Type(_) => "TYPE",
            Self::Function(..) => "FUNCTION",
            Self::Aggregate(..) => "AGGREGATE",
        }
    }

    /// What it is called; nothing when it is the keyspace itself.
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Keyspace => None,
            Self::Table(name)
            | Self::Type(name)
            | Self::Function(name, _)
            | Self::Aggregate(name, _) => Some(name),
        }
    }
}

/// A change of the schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaChange {
    /// How.
    pub change: ChangeKind,
    /// In which keyspace.
    pub keyspace: Box<str>,
    /// What.
    pub target: ChangeTarget,
}
