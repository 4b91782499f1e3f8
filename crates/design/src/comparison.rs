//! Compares two designs: of different workloads, or of the same with other tables.

use std::collections::BTreeMap;

use model::plan::{Design, DesignDifference, Effort, EffortMeasure, StatementDifference};
use model::workload::Workload;

use crate::create_statements::primary_key;
use crate::prices::HELENUS;

/// Smaller differences of a count are not worth a word.
const LEAST: f64 = 0.05;
/// The same, as a share of the count.
const LEAST_SHARE: f64 = 0.05;

/// What is compared of an effort.
type NamedMeasure = (EffortMeasure, fn(&Effort) -> f64);
/// Of reading and of writing; of each the first measure that differs says it.
const MEASURES: [&[NamedMeasure]; 2] = [
    &[
        (EffortMeasure::Partitions, |effort| effort.partitions),
        (EffortMeasure::Requests, |effort| effort.requests),
        (EffortMeasure::Rows, |effort| effort.rows),
    ],
    &[
        (EffortMeasure::Written, |effort| effort.written),
        (EffortMeasure::Deleted, |effort| effort.deleted),
    ],
];

/// What the second design does otherwise. Reads and writes that only one of the workloads has are
/// not compared.
pub fn compare(
    (workload, design): (&Workload, &Design),
    (other_workload, other): (&Workload, &Design),
) -> DesignDifference {
    let keys = |design: &Design| -> BTreeMap<String, String> {
        design.tables.iter().map(|table| (table.name.clone(), primary_key(table))).collect()
    };
    let (before, after) = (keys(design), keys(other));
    let only = |these: &BTreeMap<String, String>, those: &BTreeMap<String, String>| {
        these.keys().filter(|name| !those.contains_key(*name)).cloned().collect()
    };
    let rekeyed =
        after.iter().filter(|(name, key)| before.get(*name).is_some_and(|before| before != *key));
    DesignDifference {
        added: only(&after, &before),
        removed: only(&before, &after),
        rekeyed: rekeyed.map(|(name, key)| (name.clone(), key.clone())).collect(),
        statements: compare_statements(
            &list_efforts(workload, design),
            &list_efforts(other_workload, other),
        ),
    }
}

/// The reads and writes of a design with their rates and efforts.
fn list_efforts<'a>(workload: &'a Workload, design: &'a Design) -> Vec<(&'a str, f64, &'a Effort)> {
    let reads = workload.reads.iter().zip(&design.reads);
    let reads = reads.map(|(read, plan)| (&*read.name, read.rate.value, &plan.effort));
    let writes = workload.list_stated_writes().iter().zip(&design.writes);
    let writes = writes.map(|(write, plan)| (&*write.name, write.rate.value, &plan.effort));
    reads.chain(writes).collect()
}

fn compare_statements(
    before: &[(&str, f64, &Effort)],
    after: &[(&str, f64, &Effort)],
) -> Vec<StatementDifference> {
    let known: BTreeMap<&str, &Effort> =
        before.iter().map(|(name, _, effort)| (*name, *effort)).collect();
    let mut found = Vec::new();
    for (name, rate, effort) in after {
        let Some(earlier) = known.get(name) else { continue };
        let more: Vec<(EffortMeasure, f64)> =
            MEASURES.iter().filter_map(|measures| find_change(measures, earlier, effort)).collect();
        if !more.is_empty() {
            let changed = (HELENUS.price(effort) - HELENUS.price(earlier)) * rate;
            found.push((changed.abs(), StatementDifference { name: (*name).to_owned(), more }));
        }
    }
    found.sort_by(|one, other| other.0.total_cmp(&one.0));
    found.into_iter().map(|(_, difference)| difference).collect()
}

/// The first measure in which two efforts differ, and by how much.
fn find_change(
    measures: &[NamedMeasure],
    earlier: &Effort,
    now: &Effort,
) -> Option<(EffortMeasure, f64)> {
    let mut changes =
        measures.iter().map(|(measure, count)| (*measure, count(earlier), count(now)));
    let (measure, earlier, now) = changes
        .find(|(_, earlier, now)| (now - earlier).abs() > LEAST.max(LEAST_SHARE * earlier.abs()))?;
    Some((measure, now - earlier))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, design};

    #[test]
    fn tables_and_efforts_are_compared_by_name() {
        let text = "
            CREATE TABLE users (id uuid PRIMARY KEY, email text NOT NULL UNIQUE, name text);
            -- name: ById :one
            SELECT name FROM users WHERE id = ?;
            -- name: ByEmail :one
            SELECT name FROM users WHERE email = ?;
            -- name: Rename :exec
            UPDATE users SET name = ? WHERE id = ?;";
        let file = model::sql::read(text, "shop").unwrap();
        let whole = design(&file.concept, &file.workload, &Options::for_method());
        assert!(compare((&file.workload, &whole), (&file.workload, &whole)).is_empty());
        let less = file.workload.exclude(&file.concept, "ByEmail").unwrap();
        let other = design(&file.concept, &less, &Options::for_method());
        let found = compare((&file.workload, &whole), (&less, &other));
        assert_eq!(found.removed, ["users_by_email"]);
        assert!(found.added.is_empty() && found.rekeyed.is_empty(), "{found:?}");
        // The copy need not be found and changed any more.
        let rename = found.statements.iter().find(|it| it.name == "Rename").unwrap();
        assert!(rename.more.contains(&(EffortMeasure::Written, -1.0)), "{rename:?}");
    }
}
