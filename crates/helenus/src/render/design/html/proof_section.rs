//! The proof: its verdict, what it covered, and what was measured.

use crate::render::design::{DesignView, proof};
use crate::render::html::{
    Cell, DataTable, Markup, Section, Tone, write_badge, write_code, write_list,
};

/// The section.
pub(super) fn section(subject: DesignView<'_>) -> Section {
    let mut section = Section::new("proof", "Proof");
    let out = section.content();
    let tone = match subject.proof {
        verdict if proof::is_passed(verdict) => Tone::Good,
        verdict if verdict.is_failed() => Tone::Bad,
        _ => Tone::Doubtful,
    };
    out.element("p", &[], |out| {
        write_badge(tone, "proof", out);
        out.text(" ");
        out.text(&proof::verdict(subject.proof));
    });
    out.leaf(
        "p",
        &[("class", "faint")],
        "Generated rows are stored in a relational database under the tables of the model file, and in the designed tables. Queries and writes run on both, and must agree.",
    );
    if let Some(shown) = proof::describe_run(subject) {
        write_run(&shown, out);
    }
    section
}

fn write_run(run: &proof::ProofText, out: &mut Markup) {
    out.leaf("p", &[], &run.extent);
    write_list("", &run.limitations, out);
    if let Some(disagreement) = &run.disagreement {
        return write_code(disagreement, out);
    }
    if run.measurements.is_empty() {
        return;
    }
    let head = ["", "figure", "predicted", "measured", "max", "difference"];
    let mut rows = DataTable::new("Predicted and measured figures", &head);
    for row in &run.measurements {
        rows.add_row(row.iter().map(Cell::prose).collect::<Vec<_>>());
    }
    rows.write(out);
    let remark = "Rows and bytes are predicted for the stated volumes, but measured on the rows of the proof.";
    out.leaf("p", &[("class", "faint")], remark);
}
