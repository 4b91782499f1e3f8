//! The native types.

crate::named_enum! {
    /// A native type. `varchar` is another name of `text`, not another type.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum NativeType {
        Ascii => "ascii",
        Bigint => "bigint",
        Blob => "blob",
        Boolean => "boolean",
        Counter => "counter",
        Date => "date",
        Decimal => "decimal",
        Double => "double",
        Duration => "duration",
        Float => "float",
        Inet => "inet",
        Int => "int",
        Smallint => "smallint",
        Text => "text",
        Time => "time",
        Timestamp => "timestamp",
        Timeuuid => "timeuuid",
        Tinyint => "tinyint",
        Uuid => "uuid",
        Varint => "varint",
    }
}

impl NativeType {
    /// The type with that name, in any case; `varchar` is text.
    pub fn from_name(name: &str) -> Option<Self> {
        if name.eq_ignore_ascii_case("varchar") {
            return Some(Self::Text);
        }
        Self::ALL.into_iter().find(|native| native.name().eq_ignore_ascii_case(name))
    }

    /// Whether its values are numbers.
    pub const fn is_number(self) -> bool {
        matches!(
            self,
            Self::Tinyint
                | Self::Smallint
                | Self::Int
                | Self::Bigint
                | Self::Varint
                | Self::Counter
                | Self::Float
                | Self::Double
                | Self::Decimal
        )
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
}
