//! The classes of custom indexes.

use cql::Span;

use super::super::access::is_word;
use super::{CLASS_NAME, sai, sasi};
use crate::Result;
use crate::catalog::{Index, IndexClass, Table};
use crate::refusal::{IndexReason, refuse};

/// Classes that exist but are not indexes.
const OTHER_CLASSES: [&str; 2] = ["java.lang.Object", "java.lang.String"];

/// The implementation of a class name or alias.
pub(super) fn class(name: &str) -> IndexClass {
    match name {
        "org.apache.cassandra.index.sai.StorageAttachedIndex" => IndexClass::Sai,
        "org.apache.cassandra.index.sasi.SASIIndex" => IndexClass::Sasi,
        _ if ["sai", "storageattachedindex"]
            .iter()
            .any(|alias| name.eq_ignore_ascii_case(alias)) =>
        {
            IndexClass::Sai
        }
        _ => IndexClass::Custom(name.into()),
    }
}

/// Checks an index of a table. The server checks all indexes of the table whenever one is added.
pub(super) fn check(table: &Table, index: &Index, span: Span) -> Result<()> {
    if !is_word(&index.name) {
        return refuse(IndexReason::Name { name: index.name.to_string() }, span);
    }
    match &index.class {
        IndexClass::Legacy => Ok(()),
        IndexClass::Sai => sai::check(table, index, span),
        IndexClass::Sasi => sasi::check(table, index, span),
        IndexClass::Custom(class) => {
            let class = index.options.get(CLASS_NAME).unwrap_or(class);
            let class = class.to_string();
            let reason = if OTHER_CLASSES.contains(&class.as_str()) {
                IndexReason::NoIndexer { class }
            } else {
                IndexReason::UnknownClass { class }
            };
            refuse(reason, span)
        }
    }
}
