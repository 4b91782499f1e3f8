//! Warnings about what `MySQL` compares, sorts or limits differently, once all statements are known.

use cql::types::Type;

use super::super::comparison::{find_attribute, warn_case, warn_columns};
use super::super::draft::ModelDraft;
use crate::concept::Concept;
use crate::workload::Workload;

/// Warns about the differences that the statements of a model meet.
pub(in crate::sql) fn warn_differences(
    draft: &mut ModelDraft,
    concept: &Concept,
    workload: &Workload,
) {
    let help = "store and pass them in one case, such as lower case, or declare COLLATE utf8mb4_bin if case matters";
    warn_case(draft, concept, workload, "MySQL", help);
    warn_nulls(draft, concept, workload);
    let unsigned = std::mem::take(&mut draft.mysql.unsigned);
    warn_columns(
        draft,
        "MF271",
        &unsigned,
        "unsigned, but no type of CQL holds more than 9,223,372,036,854,775,807 in 64 bits: larger values cannot be stored",
        "declare numeric(20) for larger values, or remove UNSIGNED",
    );
    let touched = std::mem::take(&mut draft.mysql.touched);
    warn_columns(
        draft,
        "MF272",
        &touched,
        "set to the current time by every UPDATE, in MySQL only by one that changes a value",
        "set the column in the statement where the difference matters",
    );
}

/// Warns about orders by columns that may be null, which come first in `MySQL`, and by enums, which
/// are ordered as they are declared.
fn warn_nulls(draft: &mut ModelDraft, concept: &Concept, workload: &Workload) {
    let orders = workload.reads.iter().flat_map(|read| read.order.iter().map(move |it| (read, it)));
    for (read, sorted) in orders {
        let Some(attribute) = find_attribute(read, sorted.column).map(|of| &concept[of]) else {
            continue;
        };
        if attribute.nullable && sorted.null_as.is_none() && matches!(attribute.ty, Type::Native(_))
        {
            let message = format!(
                "{} orders by {}, which may be null: nulls come {} in MySQL and {} here",
                read.name,
                attribute.name,
                if sorted.descending { "last" } else { "first" },
                if sorted.descending { "first" } else { "last" },
            );
            let help = format!(
                "declare {0} NOT NULL, or order by `COALESCE({0}, constant)`",
                attribute.name
            );
            draft.warn("MF274", read.span, message, help);
        }
    }
}
