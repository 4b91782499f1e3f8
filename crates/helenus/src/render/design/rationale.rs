//! `--why TABLE[.COLUMN]`: the rules and queries behind the columns of a table.

use std::io::{self, Write};

use model::id::IdList;
use model::plan::{PlannedColumn, PlannedTable};

use super::{DesignView, marks};

/// Writes the reasons for a table: those of the given column, or of all columns that have reasons.
pub(crate) fn write_table(
    subject: DesignView<'_>,
    table: &PlannedTable,
    column: Option<&str>,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, "{} {}", table.name, design::create_statements::primary_key(table))?;
    let mut about = subject.read_labels(table);
    about.extend(subject.purpose(table));
    writeln!(out, "  for {}", about.join(", "))?;
    let is_shown = |planned: &&PlannedColumn| match column {
        Some(name) => planned.name == name,
        None => planned.is_key() || !planned.reasons.is_empty(),
    };
    for planned in table.columns.iter().filter(is_shown) {
        let mark = marks::mark(planned);
        writeln!(out, "\n{}", format!("{mark} {} {}", planned.name, planned.ty).trim_start())?;
        for reason in &planned.reasons {
            let read = reason.read.map(|read| {
                let name = subject.file.workload.reads.member(read).map_or("", |read| &read.name);
                format!(" {} {name}", DesignView::read_number(read))
            });
            let (rule, read) = (reason.rule.name(), read.unwrap_or_default());
            writeln!(out, "  {rule}{read}: {}", reason.text)?;
        }
    }
    if column.is_none() {
        for (option, reason) in &table.options.reasons {
            writeln!(out, "\n{option}\n  {reason}")?;
        }
    }
    Ok(())
}
