//! [`Keyword`]: the keywords of CQL, and where each may be used as a name.

/// How a keyword is reserved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeywordClass {
    /// A name only if quoted.
    Reserved,
    /// A name anywhere.
    Unreserved,
    /// A native type; a name anywhere except for user types.
    NativeType,
    /// A name, but not of a function or a user type.
    Special,
}

macro_rules! keywords {
    ($($variant:ident $text:literal $class:ident,)*) => {
        /// A keyword. Two spellings of one (`TABLE`, `COLUMNFAMILY`) are the same keyword.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        #[expect(missing_docs, reason = "the names are CQL's own")]
        pub enum Keyword { $($variant,)* }

        impl Keyword {
            /// All keywords.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The keyword in capitals.
            pub const fn text(self) -> &'static str {
                match self { $(Self::$variant => $text,)* }
            }

            /// How it is reserved.
            pub const fn class(self) -> KeywordClass {
                match self { $(Self::$variant => KeywordClass::$class,)* }
            }
        }
    };
}

keywords! {
    Access "ACCESS" Unreserved,
    Add "ADD" Reserved,
    Aggregate "AGGREGATE" Unreserved,
    Aggregates "AGGREGATES" Unreserved,
    All "ALL" Unreserved,
    Allow "ALLOW" Reserved,
    Alter "ALTER" Reserved,
    And "AND" Reserved,
    Ann "ANN" Unreserved,
    Apply "APPLY" Reserved,
    As "AS" Unreserved,
    Asc "ASC" Reserved,
    Ascii "ASCII" NativeType,
    Authorize "AUTHORIZE" Reserved,
    Batch "BATCH" Reserved,
    Begin "BEGIN" Reserved,
    Bigint "BIGINT" NativeType,
    Blob "BLOB" NativeType,
    Boolean "BOOLEAN" NativeType,
    By "BY" Reserved,
    Called "CALLED" Unreserved,
    Cast "CAST" Special,
    Cidrs "CIDRS" Unreserved,
    Cluster "CLUSTER" Unreserved,
    Clustering "CLUSTERING" Unreserved,
    Compact "COMPACT" Unreserved,
    Contains "CONTAINS" Unreserved,
    Count "COUNT" Special,
    Counter "COUNTER" NativeType,
    Create "CREATE" Reserved,
    Custom "CUSTOM" Unreserved,
    Datacenters "DATACENTERS" Unreserved,
    Date "DATE" NativeType,
    Decimal "DECIMAL" NativeType,
    Default "DEFAULT" Unreserved,
    Delete "DELETE" Reserved,
    Desc "DESC" Reserved,
    Describe "DESCRIBE" Reserved,
    Distinct "DISTINCT" Special,
    Double "DOUBLE" NativeType,
    Drop "DROP" Reserved,
    Duration "DURATION" NativeType,
    Entries "ENTRIES" Reserved,
    Execute "EXECUTE" Reserved,
    Exists "EXISTS" Unreserved,
    Filtering "FILTERING" Unreserved,
    Finalfunc "FINALFUNC" Unreserved,
    Float "FLOAT" NativeType,
    From "FROM" Reserved,
    Frozen "FROZEN" Unreserved,
    Full "FULL" Reserved,
    Function "FUNCTION" Unreserved,
    Functions "FUNCTIONS" Unreserved,
    Grant "GRANT" Reserved,
    Group "GROUP" Unreserved,
    Hashed "HASHED" Unreserved,
    Identity "IDENTITY" Unreserved,
    If "IF" Reserved,
    In "IN" Reserved,
    Index "INDEX" Reserved,
    Inet "INET" NativeType,
    Infinity "INFINITY" Reserved,
    Initcond "INITCOND" Unreserved,
    Input "INPUT" Unreserved,
    Insert "INSERT" Reserved,
    Int "INT" NativeType,
    Internals "INTERNALS" Unreserved,
    Into "INTO" Reserved,
    Is "IS" Reserved,
    Json "JSON" Special,
    Key "KEY" Special,
    Keys "KEYS" Unreserved,
    Keyspace "KEYSPACE" Reserved,
    Keyspaces "KEYSPACES" Unreserved,
    Language "LANGUAGE" Unreserved,
    Like "LIKE" Unreserved,
    Limit "LIMIT" Reserved,
    List "LIST" Unreserved,
    Login "LOGIN" Unreserved,
    Map "MAP" Unreserved,
    Masked "MASKED" Unreserved,
    Materialized "MATERIALIZED" Reserved,
    Maxwritetime "MAXWRITETIME" Special,
    Mbean "MBEAN" Unreserved,
    Mbeans "MBEANS" Unreserved,
    Modify "MODIFY" Reserved,
    Nan "NAN" Reserved,
    Nologin "NOLOGIN" Unreserved,
    Norecursive "NORECURSIVE" Reserved,
    Nosuperuser "NOSUPERUSER" Unreserved,
    Not "NOT" Reserved,
    Null "NULL" Reserved,
    Of "OF" Reserved,
    On "ON" Reserved,
    Only "ONLY" Unreserved,
    Options "OPTIONS" Unreserved,
    Or "OR" Reserved,
    Order "ORDER" Reserved,
    Partition "PARTITION" Unreserved,
    Password "PASSWORD" Unreserved,
    Per "PER" Unreserved,
    Permission "PERMISSION" Unreserved,
    Permissions "PERMISSIONS" Unreserved,
    Primary "PRIMARY" Reserved,
    Rename "RENAME" Reserved,
    Replace "REPLACE" Unreserved,
    Returns "RETURNS" Unreserved,
    Revoke "REVOKE" Reserved,
    Role "ROLE" Unreserved,
    Roles "ROLES" Unreserved,
    Schema "SCHEMA" Reserved,
    Select "SELECT" Reserved,
    SelectMasked "SELECT_MASKED" Unreserved,
    Set "SET" Reserved,
    Sfunc "SFUNC" Unreserved,
    Smallint "SMALLINT" NativeType,
    Static "STATIC" Unreserved,
    Storage "STORAGE" Unreserved,
    Stype "STYPE" Unreserved,
    Superuser "SUPERUSER" Unreserved,
    Table "TABLE" Reserved,
    Tables "TABLES" Unreserved,
    Text "TEXT" NativeType,
    Time "TIME" NativeType,
    Timestamp "TIMESTAMP" NativeType,
    Timeuuid "TIMEUUID" NativeType,
    Tinyint "TINYINT" NativeType,
    To "TO" Reserved,
    Token "TOKEN" Reserved,
    Trigger "TRIGGER" Unreserved,
    Truncate "TRUNCATE" Reserved,
    Ttl "TTL" Special,
    Tuple "TUPLE" Unreserved,
    Type "TYPE" Unreserved,
    Types "TYPES" Unreserved,
    Unlogged "UNLOGGED" Reserved,
    Unmask "UNMASK" Unreserved,
    Unset "UNSET" Unreserved,
    Update "UPDATE" Reserved,
    Use "USE" Reserved,
    User "USER" Unreserved,
    Users "USERS" Unreserved,
    Using "USING" Reserved,
    Uuid "UUID" NativeType,
    Values "VALUES" Unreserved,
    Varchar "VARCHAR" NativeType,
    Varint "VARINT" NativeType,
    Vector "VECTOR" Unreserved,
    View "VIEW" Reserved,
    Where "WHERE" Reserved,
    With "WITH" Reserved,
    Writetime "WRITETIME" Special,
}

impl Keyword {
    /// The keyword spelt by `word`, in any case.
    #[expect(clippy::indexing_slicing, reason = "slots and entries are within their tables")]
    pub fn find(word: &str) -> Option<Self> {
        let packed = pack(word.as_bytes())?;
        let mut slot = slot_of(packed);
        loop {
            let entry = TABLE[slot];
            if entry == 0 {
                return None;
            }
            let index = usize::from(entry) - 1;
            if SPELLINGS[index].0 == packed {
                return Some(SPELLINGS[index].1);
            }
            slot = (slot + 1) % SLOTS;
        }
    }

    /// Whether it can be a name without quotes.
    pub const fn is_name(self) -> bool {
        !matches!(self.class(), KeywordClass::Reserved)
    }
}

/// Whether `name`, in any case, must be quoted to be a name. `true` and `false` are not keywords in
/// Cassandra, although they cannot be names either.
pub(crate) fn is_reserved(name: &str) -> bool {
    Keyword::find(name).is_some_and(|keyword| !keyword.is_name())
}

/// The length of the longest keyword: `COLUMNFAMILIES`.
const LONGEST: usize = 14;

const SLOTS: usize = 512;

const SPELLING_COUNT: usize = Keyword::ALL.len() + 2;

/// Every spelling, packed, with its keyword.
#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler")]
const SPELLINGS: [(u128, Keyword); SPELLING_COUNT] = {
    let mut spellings = [(0, Keyword::Add); SPELLING_COUNT];
    let mut i = 0;
    while i < Keyword::ALL.len() {
        spellings[i] = (pack_known(Keyword::ALL[i].text().as_bytes()), Keyword::ALL[i]);
        i += 1;
    }
    spellings[i] = (pack_known(b"COLUMNFAMILY"), Keyword::Table);
    spellings[i + 1] = (pack_known(b"COLUMNFAMILIES"), Keyword::Tables);
    spellings
};

/// A hash table with linear probing: 0 is an empty slot, other numbers are one more than an index
/// into `SPELLINGS`.
#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler")]
const TABLE: [u8; SLOTS] = {
    let mut table = [0; SLOTS];
    let mut i = 0;
    while i < SPELLING_COUNT {
        let mut slot = slot_of(SPELLINGS[i].0);
        while table[slot] != 0 {
            slot = (slot + 1) % SLOTS;
        }
        #[expect(clippy::cast_possible_truncation, reason = "there are fewer than 255 spellings")]
        {
            table[slot] = (i + 1) as u8;
        }
        i += 1;
    }
    table
};

const fn slot_of(packed: u128) -> usize {
    #[expect(clippy::cast_possible_truncation, reason = "both halves are folded into one word")]
    let folded = (packed as u64) ^ ((packed >> 64) as u64).rotate_left(29);
    (folded.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 55) as usize
}

/// A word packed into a number, its letters folded to lower case by setting their case bit.
#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler")]
const fn pack_known(word: &[u8]) -> u128 {
    let mut packed = 0;
    let mut i = 0;
    while i < word.len() {
        packed = (packed << 8) | (word[i] | 0x20) as u128;
        i += 1;
    }
    packed
}

/// Packs any word; `None` for one that is too long to be a keyword, or with bytes that the case bit
/// would confuse.
fn pack(word: &[u8]) -> Option<u128> {
    if word.len() > LONGEST || word.len() < 2 {
        return None;
    }
    let mut packed = 0;
    for &byte in word {
        if !byte.is_ascii_alphabetic() && byte != b'_' {
            return None;
        }
        packed = (packed << 8) | u128::from(byte | 0x20);
    }
    Some(packed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_is_found_in_any_case() {
        for &keyword in Keyword::ALL {
            assert_eq!(Keyword::find(keyword.text()), Some(keyword));
            assert_eq!(Keyword::find(&keyword.text().to_lowercase()), Some(keyword));
        }
        assert_eq!(Keyword::find("ColumnFamily"), Some(Keyword::Table));
        assert_eq!(Keyword::find("columnfamilies"), Some(Keyword::Tables));
    }

    #[test]
    fn near_misses_are_no_keywords() {
        for word in [
            "",
            "s",
            "selec",
            "selects",
            "select_maskedx",
            "SELCT",
            "true",
            "b\u{5f}",
            "columnfamiliesx",
        ] {
            assert_eq!(Keyword::find(word), None, "{word}");
        }
    }

    /// Compares with the list of Cassandra 5.0.8 in `reserved_keywords.txt`.
    #[test]
    fn reserved_words_are_those_of_the_server() {
        let server = "ADD ALLOW ALTER AND APPLY ASC AUTHORIZE BATCH BEGIN BY COLUMNFAMILY CREATE DELETE DESC DESCRIBE \
            DROP ENTRIES EXECUTE FROM FULL GRANT IF IN INDEX INFINITY INSERT INTO IS KEYSPACE LIMIT MATERIALIZED MODIFY \
            NAN NORECURSIVE NOT NULL OF ON OR ORDER PRIMARY RENAME REVOKE SCHEMA SELECT SET TABLE TO TOKEN TRUNCATE \
            UNLOGGED UPDATE USE USING VIEW WHERE WITH";
        for word in server.split_whitespace() {
            assert!(is_reserved(word), "{word}");
        }
        let ours = Keyword::ALL.iter().filter(|keyword| !keyword.is_name()).count();
        assert_eq!(ours + 1, server.split_whitespace().count());
    }
}
