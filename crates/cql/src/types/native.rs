//! The native types.

/// A native type. `varchar` is another name of `text`, not another type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names are CQL's own")]
pub enum NativeType {
    Ascii,
    Bigint,
    Blob,
    Boolean,
    Counter,
    Date,
    Decimal,
    Double,
    Duration,
    Float,
    Inet,
    Int,
    Smallint,
    Text,
    Time,
    Timestamp,
    Timeuuid,
    Tinyint,
    Uuid,
    Varint,
}

impl NativeType {
    /// All native types.
    pub const ALL: [Self; 20] = [
        Self::Ascii,
        Self::Bigint,
        Self::Blob,
        Self::Boolean,
        Self::Counter,
        Self::Date,
        Self::Decimal,
        Self::Double,
        Self::Duration,
        Self::Float,
        Self::Inet,
        Self::Int,
        Self::Smallint,
        Self::Text,
        Self::Time,
        Self::Timestamp,
        Self::Timeuuid,
        Self::Tinyint,
        Self::Uuid,
        Self::Varint,
    ];

    /// The name in CQL.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ascii => "ascii",
            Self::Bigint => "bigint",
            Self::Blob => "blob",
            Self::Boolean => "boolean",
            Self::Counter => "counter",
            Self::Date => "date",
            Self::Decimal => "decimal",
            Self::Double => "double",
            Self::Duration => "duration",
            Self::Float => "float",
            Self::Inet => "inet",
            Self::Int => "int",
            Self::Smallint => "smallint",
            Self::Text => "text",
            Self::Time => "time",
            Self::Timestamp => "timestamp",
            Self::Timeuuid => "timeuuid",
            Self::Tinyint => "tinyint",
            Self::Uuid => "uuid",
            Self::Varint => "varint",
        }
    }

    /// The type with that name, in any case; `varchar` is text.
    pub fn from_name(name: &str) -> Option<Self> {
        if name.eq_ignore_ascii_case("varchar") {
            return Some(Self::Text);
        }
        Self::ALL.into_iter().find(|native| native.name().eq_ignore_ascii_case(name))
    }

    /// The length of every value, for types whose values are stored without a length.
    pub const fn value_length_if_fixed(self) -> Option<usize> {
        match self {
            Self::Boolean => Some(1),
            Self::Float | Self::Int => Some(4),
            Self::Bigint | Self::Double | Self::Timestamp => Some(8),
            Self::Timeuuid | Self::Uuid => Some(16),
            _ => None,
        }
    }

    /// Whether an empty value is valid for this type, even if it has no meaning.
    pub const fn can_be_empty(self) -> bool {
        !matches!(self, Self::Date | Self::Duration | Self::Smallint | Self::Time | Self::Tinyint)
    }
}
