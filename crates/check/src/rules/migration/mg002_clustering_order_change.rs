//! MG002: a table has a different clustering order than in the earlier schema.

use cql::printer::identifier;

use crate::facts::migration::table_alteration;
use crate::facts::tables::is_test_schema;
use crate::fix::Edit;
use crate::remedies::NewKey;
use crate::remedies::{next_version_name, relocation_steps};
use crate::{Check, Fix, FixKind, MigrationStep, Project, Reporter, RuleEntry};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("mg002_clustering_order_change.md"), Check::Step(check));

fn check(project: &Project<'_>, step: &MigrationStep, reporter: &mut Reporter<'_>) {
    let Some((before, after)) = table_alteration(step) else { return };
    let (then, now) = (before.clustering(), after.clustering());
    let names_agree =
        then.len() == now.len() && then.iter().zip(now).all(|(then, now)| then.name == now.name);
    let orders_agree = then.iter().zip(now).all(|(then, now)| then.descending == now.descending);
    if !names_agree || orders_agree || is_test_schema(project, step.place, &after.keyspace) {
        return;
    }
    let next = next_version_name(project, after);
    let edits = vec![Edit { place: step.place, text: identifier(&next) }];
    let title = format!("create it as {next} in addition to the old one");
    let (then, now) = (
        NewKey::from_table(before).clustering_order(),
        NewKey::from_table(after).clustering_order(),
    );
    reporter
        .report(
            step.place,
            format!(
                "The clustering order of `{}` changed, but ALTER cannot change it.",
                after.name
            ),
        )
        .with_table(after)
        .note(format!("it was {then} and is now {now}"))
        .note("queries can read in reverse of the stored order with ORDER BY, but more slowly")
        .help(relocation_steps(before, after, &next))
        .with_fix(Some(Fix { title, kind: FixKind::Plan, edits }));
}
