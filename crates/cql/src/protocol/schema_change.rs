//! [`SchemaChange`]: the notification of clients about a schema change.

crate::named_enum! {
    /// The kind of change.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum ChangeKind {
        /// An object was created.
        Created => "CREATED",
        /// An object was altered.
        Updated => "UPDATED",
        /// An object was dropped.
        Dropped => "DROPPED",
    }
}

/// The object that changed.
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
    /// The kind of object in the protocol.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Keyspace => "KEYSPACE",
            Self::Table(_) => "TABLE",
            Self::Type(_) => "TYPE",
            Self::Function(..) => "FUNCTION",
            Self::Aggregate(..) => "AGGREGATE",
        }
    }

    /// The name of the object; `None` for the keyspace itself.
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
    /// The kind of change.
    pub change: ChangeKind,
    /// The keyspace of the object.
    pub keyspace: Box<str>,
    /// The object that changed.
    pub target: ChangeTarget,
}
