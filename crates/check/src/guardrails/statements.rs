//! What guardrails look at in statements.

use cql::property::Property;
use cql::statement::table::TableChange;
use cql::statement::write::{Using, WriteKind};
use cql::{Span, StatementKind};
use schema::access::{Count, FilterScope, Partitions, ReadPlan};

use super::{Measure, count};
use crate::facts::{Touch, key_lists, named_partitions, product, touches};
use crate::place::Place;
use crate::project::{ObjectChange, Outcome};
use crate::rule::Subject;
use crate::{Project, Seen};

/// What there is to measure of a statement that the server would otherwise accept; `keyspaces` counts those created so far.
pub(super) fn of(
    project: &Project<'_>,
    seen: &Seen,
    keyspaces: &mut usize,
    all: &mut Vec<Measure>,
) {
    let Some(statement) = project.syntax(seen) else { return };
    if matches!(seen.outcome, Outcome::Refused(_) | Outcome::Broken) {
        return;
    }
    match &statement.kind {
        StatementKind::Select(_) => of_select(project, seen, all),
        StatementKind::Insert(insert) => timestamp(seen, &insert.using, all),
        StatementKind::Update(update) => timestamp(seen, &update.using, all),
        StatementKind::Delete(delete) => timestamp(seen, &delete.using, all),
        StatementKind::Batch(batch) => {
            timestamp(seen, &batch.using, all);
            for one in &batch.statements {
                let using = match &one.kind {
                    WriteKind::Insert(insert) => &insert.using,
                    WriteKind::Update(update) => &update.using,
                    WriteKind::Delete(delete) => &delete.using,
                };
                timestamp(seen, using, all);
            }
        }
        StatementKind::CreateKeyspace(create) => {
            if let Outcome::Changes(Some(_)) = &seen.outcome {
                *keyspaces += 1;
            }
            let (span, name) = (create.name.span, &create.name.text);
            all.push(measure(seen, "keyspaces", span, name, count(*keyspaces)));
            replicas(seen, span, all);
        }
        kind => of_schema(seen, kind, all),
    }
    of_lists(project, seen, all);
    consistency(seen, statement.span, all);
}

/// What there is to measure of a statement that changes the schema.
fn of_schema(seen: &Seen, kind: &StatementKind, all: &mut Vec<Measure>) {
    const DROP: &str = "DROP and TRUNCATE TABLE functionality";
    let mut switch = |guardrail, span: Span, what: &str| {
        all.push(measure(seen, guardrail, span, what, 1.0));
    };
    match kind {
        StatementKind::AlterKeyspace(alter) => replicas(seen, alter.name.span, all),
        StatementKind::CreateTable(create) => {
            properties(seen, create.name.name.span, &create.options.properties, all);
        }
        StatementKind::AlterTable(alter) => match &alter.change {
            TableChange::With(options) => properties(seen, alter.name.name.span, options, all),
            TableChange::Add { .. } | TableChange::Drop { .. } | TableChange::Rename { .. } => {
                switch("alter_table", alter.name.name.span, "ALTER TABLE changing columns");
            }
            _ => {}
        },
        StatementKind::DropTable(drop) => {
            switch("drop_truncate_table_enabled", drop.name.name.span, DROP);
        }
        StatementKind::Truncate(truncate) => {
            switch("drop_truncate_table_enabled", truncate.table.name.span, DROP);
        }
        StatementKind::DropKeyspace(drop) => {
            switch("drop_keyspace_enabled", drop.name.span, "DROP KEYSPACE functionality");
        }
        StatementKind::CreateType(create) => {
            let (name, fields) = (&create.name.name, count(create.fields.len()));
            all.push(measure(seen, "fields_per_udt", name.span, &name.text, fields));
        }
        StatementKind::CreateIndex(create) => {
            let table = &create.table.name;
            switch("secondary_indexes", table.span, "Creating secondary indexes");
            let what = match &create.name {
                Some(name) => format!("{} on table {}", name.text, table.text),
                None => format!("on table {}", table.text),
            };
            if let Outcome::Changes(Some(ObjectChange::Table { after: Some(after), .. })) =
                &seen.outcome
            {
                let number = count(after.indexes.len());
                all.push(measure(seen, "secondary_indexes_per_table", table.span, &what, number));
            }
        }
        _ => {}
    }
}

fn measure(seen: &Seen, guardrail: &'static str, span: Span, what: &str, value: f64) -> Measure {
    Measure {
        guardrail,
        place: Place { text: seen.place.text, span },
        // What the statement at the place concerns is filled in for all findings.
        subject: Subject::default(),
        what: what.to_owned(),
        value,
        values: Vec::new(),
        is_logged: false,
    }
}

fn timestamp(seen: &Seen, using: &Using, all: &mut Vec<Measure>) {
    if let Some(term) = using.timestamp() {
        let what = "User provided timestamps (USING TIMESTAMP)";
        all.push(measure(seen, "user_timestamps", term.span, what, 1.0));
    }
}

fn of_select(project: &Project<'_>, seen: &Seen, all: &mut Vec<Measure>) {
    let (Some(select), Some(read)) = (project.select(seen), seen.read()) else { return };
    let name = select.table.name.span;
    let mut add = |guardrail, span: Span, what: &str, value| {
        all.push(measure(seen, guardrail, span, what, value));
    };
    if let Some(words) = select.allow_filtering {
        add("allow_filtering", words, "Querying with ALLOW FILTERING", 1.0);
    }
    if let Some(first) = select.group_by.first() {
        add("group_by", first.span, "GROUP BY functionality", 1.0);
    }
    if let Some(Count::Known(keys)) = named_partitions(read, select).filter(|_| is_list(read)) {
        add("partition_keys_in_select", name, &read.table.name, count(keys));
    }
    let lists = key_lists(&read.table, select);
    for (what, lists) in [("partition key", lists.partition), ("clustering key", lists.clustering)]
    {
        if let Some(combinations) = product(&lists).filter(|_| !lists.is_empty()) {
            add("in_select_cartesian_product", name, what, count(combinations));
        }
    }
    if read.index.as_ref().is_some_and(|index| !index.within_partition) {
        let what = "Non-partition key restricted query";
        add("non_partition_restricted_index_query_enabled", name, what, 1.0);
    }
    let mutable =
        read.filtering.columns.iter().filter(|at| {
            read.table.columns().get(**at).is_some_and(|column| !column.is_primary_key())
        });
    let at_one = matches!(seen.said.consistency.as_deref(), Some("ONE" | "LOCAL_ONE"));
    if read.filtering.scope != FilterScope::None && mutable.count() > 1 && !at_one {
        let what = "Filtering query with intersection on mutable columns at consistency level requiring coordinator reconciliation";
        add("intersect_filtering_query", name, what, 1.0);
    }
}

fn is_list(read: &ReadPlan) -> bool {
    matches!(read.partitions, Partitions::Several(_))
}

fn replicas(seen: &Seen, span: Span, all: &mut Vec<Measure>) {
    let Outcome::Changes(Some(ObjectChange::Keyspace { after: Some(after), .. })) = &seen.outcome
    else {
        return;
    };
    if after.replication.class.ends_with("SimpleStrategy") {
        all.push(measure(seen, "simplestrategy", span, "SimpleStrategy", 1.0));
    }
    let numbers = after.replication.options.values();
    let replicas = numbers.filter_map(|text| text.split('/').next()?.trim().parse::<u32>().ok());
    for number in replicas {
        for guardrail in ["minimum_replication_factor", "maximum_replication_factor"] {
            all.push(measure(seen, guardrail, span, &after.name, f64::from(number)));
        }
    }
}

fn properties(seen: &Seen, span: Span, options: &[Property], all: &mut Vec<Measure>) {
    let values: Vec<String> = options.iter().map(|one| one.name.text.to_string()).collect();
    if !values.is_empty() {
        let measure = measure(seen, "table_properties", span, "Table Properties", 0.0);
        all.push(Measure { values, ..measure });
    }
}

/// Elements of lists that are found by their position or value.
fn of_lists(project: &Project<'_>, seen: &Seen, all: &mut Vec<Measure>) {
    for touched in touches(project, seen) {
        let what = match touched.touch {
            Touch::SetAt => "Setting of list items by index requiring read before write",
            Touch::RemoveAt => "Removal of list items by index requiring read before write",
            Touch::RemoveEqual => "Removal of list items requiring read before write",
            _ => continue,
        };
        let span = touched.place.span;
        all.push(measure(seen, "read_before_write_list_operations", span, what, 1.0));
    }
}

fn consistency(seen: &Seen, span: Span, all: &mut Vec<Measure>) {
    let Some(level) = seen.said.consistency.as_deref() else { return };
    let (guardrail, what) = match seen.read() {
        Some(_) => ("read_consistency_levels", "read consistency levels"),
        None if seen.writes().len() == 0 => return,
        None => ("write_consistency_levels", "write consistency levels"),
    };
    let measure = measure(seen, guardrail, span, what, 0.0);
    all.push(Measure { values: vec![level.to_owned()], ..measure });
}
