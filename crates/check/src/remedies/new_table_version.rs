//! How the rows of a table get into another one: the steps, with their CQL.

use cql::printer::identifier;
use schema::catalog::{Column, Table};

use crate::Project;

/// A name for the next version of a table, which nothing has yet: `users_v2`, `users_v3`.
pub(crate) fn next_version_name(project: &Project<'_>, table: &Table) -> String {
    let (stem, mut version) = match table.name.rsplit_once("_v") {
        Some((stem, number)) if !stem.is_empty() => match number.parse::<u32>() {
            Ok(number) => (stem, number),
            Err(_) => (&*table.name, 1),
        },
        _ => (&*table.name, 1),
    };
    loop {
        version = version.saturating_add(1);
        let name = format!("{stem}_v{version}");
        if version == u32::MAX || project.catalog.table(&table.keyspace, &name).is_none() {
            return name;
        }
    }
}

/// The steps from a table to its next version, which has another key.
pub(crate) fn relocation_steps(before: &Table, after: &Table, next: &str) -> String {
    let (old, new) = (identifier(&before.name), identifier(next));
    let copy = if before.is_counter() {
        format!(
            "stop counting, and copy token range by token range with UPDATE {new} SET c = c + ? of what is read: a counter cannot \
             be copied while it counts"
        )
    } else {
        copy_step(before, after, &old, &new)
    };
    let both = if before.is_counter() {
        format!("make the code ready to count in {new}")
    } else {
        format!("send every write and delete to both tables from now on; {old} is still read")
    };
    format!(
        "move the rows into a table of another name:\n1. create {new} with this definition, and leave {old} alone\n2. {both}\n\
         3. {copy}\n4. compare counts and samples of both tables, range by range\n5. read from {new}\n\
         6. stop writing {old}; when nothing uses it any more: DROP TABLE {old};"
    )
}

fn copy_step(before: &Table, after: &Table, old: &str, new: &str) -> String {
    let list = |columns: &mut dyn Iterator<Item = &Column>| -> String {
        columns.map(|column| identifier(&column.name)).collect::<Vec<_>>().join(", ")
    };
    let is_kept = |column: &&Column| before.column(&column.name).is_some();
    let kept = list(&mut after.columns().iter().filter(is_kept));
    let key = list(&mut before.partition_key().iter());
    let all = list(&mut after.columns().iter());
    let marks = vec!["?"; after.columns().len()].join(", ");
    let timed = after.regulars().iter().filter(is_kept).find(|column| {
        !column.ty.is_multi_cell()
            && before.column(&column.name).is_some_and(|then| !then.is_primary_key())
    });
    let (times, using, note) = match timed {
        Some(column) => {
            let name = identifier(&column.name);
            (
                format!(", WRITETIME({name}), TTL({name})"),
                " USING TIMESTAMP ? AND TTL ?",
                " with the times that were read (TTL 0 for null), so that later writes and deletes win; columns that are \
                 written apart one by one, each with its own",
            )
        }
        None => (
            String::new(),
            " USING TIMESTAMP ?",
            " with a time before step 2, so that later writes and deletes win",
        ),
    };
    format!(
        "copy, one token range after the other: SELECT {kept}{times} FROM {old} WHERE token({key}) > ? AND token({key}) <= ?; \
         and INSERT INTO {new} ({all}) VALUES ({marks}){using};{note}"
    )
}
