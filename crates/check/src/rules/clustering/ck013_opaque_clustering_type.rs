//! CK013: clustering columns of many parts.

use cql::types::{NativeType, Type};
use schema::catalog::Column;

use crate::vocabulary::types::native_type;
use crate::{Check, Confidence, Project, Reporter, RuleEntry, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ck013_opaque_clustering_type.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let key = table.partition_key().len();
    if table.is_view {
        return;
    }
    for (at, column) in table.clustering().iter().enumerate() {
        let slice = facts.queries(project).find(|asked| {
            asked.shape.ranged.contains(&(key + at))
                || asked.shape.order.iter().any(|(ordered, _)| *ordered == key + at)
        });
        let is_blob = native_type(&column.ty) == Some(NativeType::Blob);
        // A blob is treated as an id, unless a query reads a range of it.
        let is_told =
            if is_blob { slice.is_some() } else { facts.queries.is_empty() || slice.is_some() };
        if !is_told || !(is_blob || has_parts(column)) {
            continue;
        }
        let message = if is_blob {
            format!("Clustering column `{}` is sorted by its bytes.", column.name)
        } else {
            format!(
                "Clustering column `{}` is sorted as a whole: its parts cannot be restricted separately.",
                column.name
            )
        };
        let finding = reporter.report(project.type_location(facts, &column.name), message);
        finding
            .with_column(table, column)
            .confidence(if slice.is_some() { Confidence::High } else { Confidence::Medium })
            .help("make each part that queries restrict a separate clustering column with a suitable type");
        if let Some(slice) = slice {
            finding.with_related(slice.seen.place, "this query depends on its order");
        }
    }
}

fn has_parts(column: &Column) -> bool {
    column.ty.is_collection() || matches!(column.ty, Type::Tuple(..) | Type::User(..))
}
