//! A collection as a table of its own.

use std::fmt::Write;

use cql::types::Type;
use model::bucket;
use model::plan::Bucket;
use schema::catalog::{Column, Table};

/// The elements of a collection as a table of their own: `None` for what is no collection. Lists, which may grow without end, get
/// a month into the partition key.
pub(crate) fn child_table(table: &Table, column: &Column) -> Option<String> {
    let name = |text: &str| cql::printer::identifier(text);
    let free = |word: &str| {
        let is_taken = table.primary_key().iter().any(|own| &*own.name == word);
        name(&if is_taken { format!("{}_{word}", column.name) } else { word.to_owned() })
    };
    let (value, key) = (free("value"), free("key"));
    let (columns, key) = match &column.ty {
        Type::List(element, _) => {
            let added = free("added_at");
            (format!("{added} timeuuid, {value} {element}"), added)
        }
        Type::Set(element, _) => (format!("{value} {element}"), value),
        Type::Map(entry, _) => (format!("{key} {}, {value} {}", entry.0, entry.1), key),
        _ => return None,
    };
    let mut text = format!("CREATE TABLE {} (", name(&format!("{}_{}", table.name, column.name)));
    for own in table.primary_key() {
        let _ = write!(text, "{} {}, ", name(&own.name), own.ty);
    }
    let list = |columns: &[Column]| -> Vec<String> {
        columns.iter().map(|column| name(&column.name)).collect()
    };
    let mut partition = list(table.partition_key());
    let mut clustering = list(table.clustering());
    if matches!(column.ty, Type::List(..)) {
        let month = free(Bucket::MONTH.column_name());
        let _ = write!(text, "{month} {}, ", bucket::column_type(Bucket::MONTH));
        partition.push(month);
    }
    clustering.push(key);
    let (partition, clustering) = (partition.join(", "), clustering.join(", "));
    let _ = write!(text, "{columns}, PRIMARY KEY (({partition}), {clustering}))");
    Some(text)
}

#[cfg(test)]
mod tests {
    use schema::Session;

    use super::child_table;

    const TABLE: &str = "CREATE TABLE t (key int, value text, month date, m map<text, int>, l list<text>, s set<uuid>, \
                         PRIMARY KEY ((key, month), value));";

    #[test]
    fn tables_of_elements_are_accepted_whatever_their_key_is_called() {
        let mut session = Session::with_system_tables();
        session.assume_keyspace("ks").unwrap();
        let run = |session: &mut Session, text: &str| {
            let parsed = cql::parse(text);
            let ran: Vec<_> = parsed.statements.iter().map(|one| session.run(one)).collect();
            assert!(parsed.errors.is_empty() && ran.iter().all(Result::is_ok), "{text} {ran:?}");
        };
        run(&mut session, TABLE);
        let table = session.catalog.table("ks", "t").unwrap().clone();
        for name in ["m", "l", "s"] {
            let child = child_table(&table, table.column(name).unwrap()).unwrap();
            run(&mut session, &child);
        }
        assert_eq!(child_table(&table, table.column("value").unwrap()), None);
    }
}
