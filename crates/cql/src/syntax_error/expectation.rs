//! [`Expectation`]: what the parser expects at a position.

use std::fmt;

use crate::keyword::Keyword;

/// Defines the enum from a table: on each line the expectation, its words in a message, and the
/// keywords that can start it.
macro_rules! expectations {
    ($($variant:ident = $text:literal, $keywords:literal;)+) => {
        /// What the parser expects.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Expectation {
            /// A punctuation sign.
            Sign(&'static str),
            /// One keyword.
            Keyword(Keyword),
            $(#[doc = $text] $variant,)+
        }

        impl Expectation {
            /// The expected keywords, separated by spaces.
            pub(crate) fn keywords(self) -> &'static str {
                match self {
                    Self::Sign(_) => "",
                    Self::Keyword(keyword) => keyword.text(),
                    $(Self::$variant => $keywords,)+
                }
            }
        }

        impl fmt::Display for Expectation {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    Self::Sign(sign) => write!(f, "`{sign}`"),
                    Self::Keyword(keyword) => f.write_str(keyword.text()),
                    $(Self::$variant => f.write_str($text),)+
                }
            }
        }
    };
}

expectations! {
    Alias = "an alias", "";
    AlteredObject
        = "KEYSPACE, TABLE, TYPE, MATERIALIZED VIEW, ROLE or USER",
          "KEYSPACE TABLE TYPE MATERIALIZED VIEW ROLE USER";
    ArgumentName = "the name of an argument", "";
    AssignmentSign = "`=`, `+=` or `-=`", "";
    BatchStatement = "INSERT, UPDATE, DELETE or APPLY BATCH", "INSERT UPDATE DELETE APPLY BATCH";
    Boolean = "true or false", "";
    ColumnChange = "TYPE, MASKED WITH or DROP MASKED", "TYPE MASKED WITH DROP";
    ColumnName = "a column name", "";
    Comparison = "a comparison such as `=`", "IN CONTAINS LIKE IS";
    CreatedObject
        = "KEYSPACE, TABLE, TYPE, INDEX, MATERIALIZED VIEW, FUNCTION, AGGREGATE, TRIGGER, ROLE or USER",
          "KEYSPACE TABLE TYPE INDEX MATERIALIZED VIEW FUNCTION AGGREGATE TRIGGER ROLE USER";
    DefinitionEnd = "`,` or `)`", "STATIC PRIMARY MASKED";
    DescribedObject
        = "CLUSTER, SCHEMA, KEYSPACES, TABLES, TYPES, FUNCTIONS, AGGREGATES or a name",
          "CLUSTER SCHEMA KEYSPACES TABLES TYPES FUNCTIONS AGGREGATES";
    Dimension = "the number of dimensions", "";
    Direction = "ASC or DESC", "ASC DESC";
    DroppedObject
        = "KEYSPACE, TABLE, TYPE, INDEX, MATERIALIZED VIEW, FUNCTION, AGGREGATE, TRIGGER, ROLE or USER, or IDENTITY",
          "KEYSPACE TABLE TYPE INDEX MATERIALIZED VIEW FUNCTION AGGREGATE TRIGGER ROLE USER IDENTITY";
    FieldName = "a field name", "";
    FunctionName = "a function name", "";
    FunctionOrAggregate = "FUNCTION or AGGREGATE", "FUNCTION AGGREGATE";
    Identity = "an identity in single quotes", "";
    InValues = "`(`, `?` or `:name`", "";
    IndexName = "an index name", "";
    InsertBody = "`(` or JSON", "JSON";
    Integer = "an integer, `?` or `:name`", "";
    JsonDocument = "a JSON document in single quotes, `?` or `:name`", "JSON";
    KeyspaceName = "a keyspace name", "";
    Language = "a language such as java", "";
    Marker = "`?` or `:name`", "";
    MarkerName = "the name of the marker", "";
    NativeType = "a native type", "";
    NullInput
        = "CALLED ON NULL INPUT or RETURNS NULL ON NULL INPUT",
          "CALLED ON NULL INPUT RETURNS";
    NullOrUnset = "NULL or UNSET", "NULL UNSET";
    OptionName = "an option name", "";
    Permission = "a permission such as SELECT or MODIFY", "SELECT MODIFY";
    PropertyValue = "a value: a string, a number, a boolean or a map", "";
    RelationOperator
        = "a comparison, IN, CONTAINS, LIKE or IS NOT NULL",
          "IN CONTAINS LIKE IS NOT NULL";
    Resource = "a resource", "";
    RoleName = "a role name", "";
    RoleOption
        = "PASSWORD, HASHED PASSWORD, LOGIN, SUPERUSER, OPTIONS or ACCESS",
          "PASSWORD HASHED LOGIN SUPERUSER OPTIONS ACCESS";
    Selectable = "a column, a value or a function", "";
    Statement
        = "a statement",
          "SELECT INSERT UPDATE DELETE BEGIN USE TRUNCATE CREATE ALTER DROP GRANT REVOKE LIST DESCRIBE \
           CONSISTENCY SERIAL TRACING SOURCE PAGING EXPAND COPY LOGIN CAPTURE SHOW HELP";
    StatementEnd
        = "the end of the statement",
          "WHERE GROUP ORDER PER LIMIT ALLOW FILTERING AND WITH USING IF SET VALUES PRIMARY";
    StringLiteral = "a string in single quotes", "";
    TableChange = "ADD, DROP, ALTER, RENAME or WITH", "ADD DROP ALTER RENAME WITH";
    TableName = "a table name", "";
    TimestampOrTtl = "TIMESTAMP or TTL", "TIMESTAMP TTL";
    ToOrFrom = "TO or FROM", "TO FROM";
    TriggerName = "a trigger name", "";
    Tuple = "a tuple such as `(1, 2)`, `?` or `:name`", "";
    Type
        = "a type",
          "ASCII BIGINT BLOB BOOLEAN COUNTER DATE DECIMAL DOUBLE DURATION FLOAT INET INT SMALLINT TEXT TIME \
           TIMESTAMP TIMEUUID TINYINT UUID VARCHAR VARINT LIST SET MAP TUPLE VECTOR FROZEN KEY";
    TypeChange = "ADD, ALTER or RENAME", "ADD ALTER RENAME";
    UserName = "a user name", "";
    UserTypeName
        = "the name of a user type",
          "ASCII BIGINT BLOB BOOLEAN COUNTER DATE DECIMAL DOUBLE DURATION FLOAT INET INT SMALLINT TEXT TIME \
           TIMESTAMP TIMEUUID TINYINT UUID VARCHAR VARINT LIST SET MAP TUPLE VECTOR FROZEN KEY";
    Value = "a value", "";
    WholeNumber = "an integer", "";
}

impl Expectation {
    /// Whether a name is allowed.
    pub(crate) fn is_name(self) -> bool {
        matches!(
            self,
            Self::ArgumentName
                | Self::ColumnName
                | Self::DescribedObject
                | Self::FieldName
                | Self::FunctionName
                | Self::IndexName
                | Self::KeyspaceName
                | Self::MarkerName
                | Self::OptionName
                | Self::RoleName
                | Self::TableName
                | Self::TriggerName
                | Self::UserName
                | Self::UserTypeName
        )
    }

    /// Whether a marker is allowed, and thus a name after a colon.
    pub(crate) fn is_marker(self) -> bool {
        matches!(
            self,
            Self::InValues | Self::Integer | Self::JsonDocument | Self::Marker | Self::Tuple
        )
    }

    /// Whether a value of any kind is allowed.
    pub(crate) fn is_value(self) -> bool {
        matches!(self, Self::PropertyValue | Self::Selectable | Self::Value)
    }

    /// Whether a string is allowed.
    pub(crate) fn is_string(self) -> bool {
        matches!(self, Self::PropertyValue | Self::StringLiteral)
    }

    /// Whether a number is allowed, but no other term.
    pub(crate) fn is_number(self) -> bool {
        matches!(self, Self::Dimension | Self::Integer | Self::PropertyValue | Self::WholeNumber)
    }

    /// Whether an operator of a relation is allowed.
    pub(crate) fn is_comparison(self) -> bool {
        matches!(self, Self::Comparison | Self::RelationOperator)
    }
}
