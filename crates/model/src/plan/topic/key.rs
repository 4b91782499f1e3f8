//! Keys: what cannot be part of one, keys under which rows collide, keys that change.

use std::fmt;

use crate::concept::AttributeRef;
use crate::figures::format_rate;
use crate::plan::PlannedTable;
use crate::plan::names::list_names;
use crate::sql_name::quote;

/// Notes about a key.
#[derive(Clone, Debug, PartialEq)]
pub enum KeyTopic {
    /// A read does not give the tenant, which leads every partition key.
    NoTenant {
        /// The read's name.
        read: String,
        /// The tenant's column.
        tenant: String,
    },
    /// An entity has no key.
    NoKey {
        /// The entity's name.
        entity: String,
    },
    /// A counter would be part of a key.
    Counter {
        /// The read that searches or orders by it.
        read: String,
        /// The entity's name.
        entity: String,
        /// The counter's name.
        attribute: String,
    },
    /// An interval, which has no order, would be part of a key.
    Interval {
        /// The read that searches or orders by it.
        read: String,
        /// The entity's name.
        entity: String,
        /// The attribute's name.
        attribute: String,
    },
    /// The rows of a table would depend on a counter.
    CounterFilter {
        /// The read that compares it with a constant.
        read: String,
        /// The entity's name.
        entity: String,
        /// The counter's name.
        attribute: String,
    },
    /// `--key` names an unknown attribute.
    UnknownColumn {
        /// The read's name.
        read: String,
        /// What was given.
        name: String,
        /// The attribute with the most similar name.
        nearest: Option<String>,
    },
    /// Rows would overwrite one another.
    NotUnique {
        /// The key.
        key: KeyColumns,
        /// The table's name.
        table: String,
        /// The columns of the key, with the value that both rows have.
        same: Vec<(String, String)>,
        /// The attributes missing from the key, with the value of each row.
        different: Vec<(String, String, String)>,
        /// The replacement, where the key was forced.
        replacement: Option<KeyReplacement>,
    },
    /// Texts that are whole partition keys are assumed never to be empty.
    NeverEmpty {
        /// The attributes, with their names.
        attributes: Vec<(AttributeRef, String)>,
    },
    /// A write changes partition key columns, which moves rows.
    Changed {
        /// The write's name.
        write: String,
        /// What it changes.
        attributes: Vec<String>,
        /// The tables whose rows move.
        tables: Vec<String>,
        /// How often, per second.
        rate: f64,
    },
}

/// The columns of a primary key; displayed as in CQL: `(userid, month), added_date, videoid`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyColumns {
    /// The partition key.
    pub partition: Vec<String>,
    /// The clustering columns.
    pub clustering: Vec<String>,
}

/// The replacement for a key that the user forced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyReplacement {
    /// No particular key: the derived design has no table for the same read.
    Unforced,
    /// This key.
    Derived {
        /// Its columns.
        key: KeyColumns,
        /// Its shards; 1 without.
        shards: u32,
    },
}

impl fmt::Display for KeyTopic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoTenant { read, tenant } => {
                write!(f, "`{read}` does not restrict the tenant `{tenant}`")
            }
            Self::NoKey { entity } => {
                write!(f, "`{entity}` has no key that identifies its rows")
            }
            Self::Counter { read, entity, attribute } => write!(
                f,
                "`{read}` searches or orders by the counter `{entity}.{attribute}`, which cannot be part of a key"
            ),
            Self::Interval { read, entity, attribute } => write!(
                f,
                "`{read}` searches or orders by the interval `{entity}.{attribute}`, which cannot be part of a key"
            ),
            Self::CounterFilter { read, entity, attribute } => write!(
                f,
                "`{read}` selects rows by the value of the counter `{entity}.{attribute}`, which no write can determine"
            ),
            Self::UnknownColumn { read, name, .. } => {
                write!(
                    f,
                    "the key given for `{read}` contains `{name}`, which is not an attribute of anything it reads"
                )
            }
            Self::NotUnique { key, table, same, different, .. } => {
                write!(f, "the key `{key}` of `{table}` is not unique: ")?;
                write_collision(f, same, different)
            }
            Self::NeverEmpty { attributes } => {
                let names: Vec<&str> = attributes.iter().map(|(_, name)| &**name).collect();
                let verb = if let [_] = names[..] { "is" } else { "are" };
                write!(
                    f,
                    "{} {verb} assumed never to be empty, because Cassandra refuses an empty partition key, in writes and in reads",
                    list_names(&names)
                )
            }
            Self::Changed { write, attributes, tables, rate } => write!(
                f,
                "`{write}` changes {}, part of the partition key of {}: each time ({}) the row is deleted and inserted again",
                list_names(attributes),
                list_names(tables),
                format_rate(*rate)
            ),
        }
    }
}

impl KeyTopic {
    /// The codes of the rules of `helenus check` that report the same.
    pub(super) const fn rules(&self) -> &'static [&'static str] {
        match self {
            Self::NotUnique { .. } => &["CK009", "CK018"],
            Self::Changed { .. } => &["CK010", "MV007", "PK006"],
            _ => &[],
        }
    }

    /// The advice: one imperative.
    pub(super) fn help(&self) -> String {
        match self {
            Self::NoTenant { tenant, .. } => format!("add `AND {tenant} = ?` to its WHERE clause"),
            Self::NoKey { entity } => format!("give `{entity}` a PRIMARY KEY"),
            Self::Counter { attribute, .. } => format!(
                "mark `{attribute}` with @exact, or leave it out of WHERE, GROUP BY and ORDER BY"
            ),
            Self::Interval { attribute, .. } => {
                format!("store `{attribute}` as a number of seconds (bigint)")
            }
            Self::CounterFilter { attribute, .. } => {
                format!("mark `{attribute}` with @exact, or leave it out of WHERE")
            }
            Self::UnknownColumn { nearest: Some(meant), .. } => format!("write `{meant}`"),
            Self::UnknownColumn { read, .. } => {
                format!("use an attribute of a table that `{read}` reads")
            }
            Self::NotUnique { replacement: Some(instead), .. } => instead.to_string(),
            Self::NotUnique { different, .. } => {
                let names: Vec<&str> = different.iter().map(|(name, _, _)| &**name).collect();
                format!("add {} to the key", list_names(&names))
            }
            Self::NeverEmpty { attributes } => {
                let name = attributes.first().map_or("", |(_, name)| &**name);
                let column = name.rsplit('.').next().unwrap_or(name);
                format!("declare CHECK ({} <> ''), which the client then tests", quote(column))
            }
            Self::Changed { .. } => {
                "search by an attribute that never changes, or accept a tombstone for each change"
                    .to_owned()
            }
        }
    }
}

/// An example of two rows that collide.
fn write_collision(
    f: &mut fmt::Formatter<'_>,
    same: &[(String, String)],
    different: &[(String, String, String)],
) -> fmt::Result {
    let equal = |(name, value): (&String, &String)| format!("{name} = {value}");
    let both: Vec<String> = same.iter().map(|(name, value)| equal((name, value))).collect();
    let first: Vec<String> =
        different.iter().map(|(name, value, _)| equal((name, value))).collect();
    let second: Vec<String> =
        different.iter().map(|(name, _, value)| equal((name, value))).collect();
    write!(
        f,
        "of the rows with {}, the one with {} and the one with {} would overwrite each other",
        both.join(", "),
        first.join(", "),
        second.join(", ")
    )
}

impl fmt::Display for KeyReplacement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unforced => f.write_str("remove the forced key"),
            Self::Derived { key, shards: 1 } => {
                write!(f, "use the key `{key}`, which the method derives")
            }
            Self::Derived { key, shards } => {
                write!(f, "use the key `{key}` with {shards} shards, which the method derives")
            }
        }
    }
}

impl From<&PlannedTable> for KeyColumns {
    fn from(table: &PlannedTable) -> Self {
        Self {
            partition: table.partition_key().map(|column| column.name.clone()).collect(),
            clustering: table.clustering().map(|column| column.name.clone()).collect(),
        }
    }
}

impl fmt::Display for KeyColumns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({})", self.partition.join(", "))?;
        self.clustering.iter().try_for_each(|column| write!(f, ", {column}"))
    }
}
