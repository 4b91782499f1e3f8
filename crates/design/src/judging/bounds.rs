//! Partitions above the bound that nothing could split, and keys that the user forces.

use model::plan::{About, Note, NoteKind, PlannedTable, Rule};

use super::judged::{Judged, key_text};
use super::note;
use crate::Options;
use crate::figures::{bytes, counted, days};

/// What a partition at p99.9 comes to over the retention or the years looked at, where that is above the bound.
pub(super) struct Excess {
    rows: f64,
    bytes: f64,
    /// Days until the first of the two bounds is crossed.
    after: f64,
}

/// Whether a table's partitions outgrow the bound.
pub(super) fn excess(judged: Judged<'_>, table: &PlannedTable) -> Option<Excess> {
    let limits = &judged.context.options.limits;
    let horizon = judged.horizon();
    let rows = table.volume.rows_after(horizon).p999;
    let bytes = table.volume.bytes_after(horizon).p999;
    if rows <= limits.partition_rows && bytes <= limits.partition_bytes {
        return None;
    }
    let of_bytes = table.volume.days_until(limits.partition_bytes).unwrap_or(f64::INFINITY);
    let now = table.volume.rows_after(0.0).p999;
    let daily = table.volume.per_day.p999;
    let of_rows = if now > limits.partition_rows {
        0.0
    } else if table.volume.grows_for.is_none() && daily > 0.0 {
        (limits.partition_rows - now) / daily
    } else {
        f64::INFINITY
    };
    Some(Excess { rows, bytes, after: of_bytes.min(of_rows) })
}

/// A refusal for each table above the bound.
pub(super) fn notes(judged: Judged<'_>) -> Vec<Note> {
    let mut proposal = None;
    let mut notes = Vec::new();
    for (at, table) in judged.tables() {
        let Some(excess) = excess(judged, table) else { continue };
        let figures = excess.figures(judged);
        let (message, help) = if is_forced(table) {
            let unforced = proposal.get_or_insert_with(|| without_forced_keys(judged));
            let message =
                format!("the key `{}` of `{}` is refused: {figures}", key_text(table), table.name);
            (message, proposed(table, unforced))
        } else {
            let message = format!(
                "`{}` cannot be kept within the bound: {figures}, and nothing splits it further",
                table.name
            );
            let help = "search by one more attribute, set @retain, or raise the bound (--max-partition, --max-rows)";
            (message, help.to_owned())
        };
        notes.push(note(NoteKind::Refusal, About::Table(at), message, help));
    }
    notes
}

impl Excess {
    fn figures(&self, judged: Judged<'_>) -> String {
        let limits = &judged.context.options.limits;
        let when = if self.after <= 0.0 {
            "today".to_owned()
        } else if self.after.is_finite() {
            format!("in {}", days(self.after))
        } else {
            "once it is full".to_owned()
        };
        format!(
            "a partition at p99.9 comes to {} and {}, and crosses {} or {} {when}",
            counted(self.rows, "row"),
            bytes(self.bytes),
            bytes(limits.partition_bytes),
            counted(limits.partition_rows, "row")
        )
    }
}

/// Whether the user forced the table's key.
pub(super) fn is_forced(table: &PlannedTable) -> bool {
    table.columns.iter().any(|column| {
        column.is_key() && column.reasons.iter().any(|reason| reason.rule == Rule::Forced)
    })
}

/// The tables that the method derives when no key is forced.
pub(super) fn without_forced_keys(judged: Judged<'_>) -> Vec<PlannedTable> {
    let context = judged.context;
    let options = Options { keys: Vec::new(), ..context.options.clone() };
    crate::design(context.concept, context.workload, &options).tables
}

/// The key to take instead of a forced one.
pub(super) fn proposed(table: &PlannedTable, unforced: &[PlannedTable]) -> String {
    let read = table.serves.first().map(|served| served.read);
    let instead = unforced
        .iter()
        .find(|other| read.is_some_and(|read| other.serves.iter().any(|one| one.read == read)));
    instead.map_or_else(
        || "leave the key to the method".to_owned(),
        |other| format!("take `{}`, which the method derives: `{}`", key_text(other), other.name),
    )
}
