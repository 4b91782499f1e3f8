//! Notes, assumptions, checklists and warnings about the model file.

use model::plan::{Note, NoteKind};

use super::price::write_marked;
use crate::render::design::{DesignView, assumptions as ranking_text, model_warnings};
use crate::render::html::{
    Cell, DataTable, Markup, Section, Tone, write_badge, write_list, write_prose,
};

/// Refusals, warnings and alternatives, with what to do about them.
pub(super) fn notes(subject: DesignView<'_>) -> Section {
    let mut section = Section::new("notes", "Notes");
    let kinds = [
        (NoteKind::Refusal, "Refused", Tone::Bad, "refused"),
        (NoteKind::Warning, "Warnings", Tone::Doubtful, "warning"),
        (NoteKind::Alternative, "Alternatives", Tone::Neutral, "alternative"),
    ];
    for (kind, title, tone, word) in kinds {
        let shown: Vec<&Note> = subject.design.notes.iter().filter(|it| it.kind == kind).collect();
        if shown.is_empty() {
            continue;
        }
        let out = section.content();
        out.leaf("h3", &[], title);
        out.element("ul", &[("class", "plain")], |out| {
            for note in shown {
                out.element("li", &[], |out| write_note(subject, note, (tone, word), out));
            }
        });
    }
    section
}

fn write_note(
    subject: DesignView<'_>,
    note: &Note,
    (tone, word): (Tone, &'static str),
    out: &mut Markup,
) {
    out.element("p", &[], |out| {
        write_badge(tone, word, out);
        out.text(" ");
        if let Some((name, to)) = subject.subject_link(note.about) {
            out.leaf("a", &[("href", &to)], &name);
            out.text(": ");
        }
        write_prose(&note.topic.to_string(), out);
    });
    out.element("p", &[("class", "faint")], |out| write_prose(&note.topic.help(), out));
}

/// The assumptions, those with the most influence first.
pub(super) fn assumptions(subject: DesignView<'_>) -> Section {
    let mut section = Section::new("assumptions", "Assumptions");
    let out = section.content();
    write_influential(subject, out);
    let of_design = subject.design.notes.iter().filter(|it| it.kind == NoteKind::Assumption);
    let of_design = of_design.map(|note| (note.topic.to_string(), note.topic.help()));
    let of_model: Vec<_> = match subject.ranking {
        Some(ranking) => ranking.invariable.iter().collect(),
        None => subject.file.assumptions.iter().collect(),
    };
    let of_model = of_model.into_iter().map(|it| (it.topic.to_string(), it.topic.help()));
    let plain: Vec<(String, String)> = of_design.chain(of_model).collect();
    if !plain.is_empty() {
        out.leaf("h3", &[], "What the design relies on");
        out.element("ul", &[], |out| {
            for (topic, help) in &plain {
                out.element("li", &[], |out| {
                    write_prose(topic, out);
                    out.element("p", &[("class", "faint")], |out| write_prose(help, out));
                });
            }
        });
    }
    section
}

/// What other figures would change.
fn write_influential(subject: DesignView<'_>, out: &mut Markup) {
    let Some(ranking) = subject.ranking else { return };
    let head = ["assumption", "with other figures", "state it, or measure it"];
    let mut rows = DataTable::new("Assumed figures by their influence on price and tables", &head);
    for (assumption, influence) in &ranking.influential {
        let topic = &assumption.topic;
        let measure = topic.measurement().map(|sql| format!("; `{sql}`")).unwrap_or_default();
        rows.add_row([
            Cell::prose(topic.to_string()),
            Cell::prose(ranking_text::influence_text(topic, influence)),
            Cell::prose(format!("{}{measure}", topic.help())),
        ]);
    }
    if !rows.is_empty() {
        rows.write(out);
    }
    write_list("faint", ranking_text::rest_text(ranking, ranking.influential.len()), out);
}

/// The checklists of the method.
pub(super) fn checklists(subject: DesignView<'_>) -> Section {
    let mut section = Section::new("checklists", "Checklists");
    let out = section.content();
    for list in &subject.design.checklists {
        out.leaf("h3", &[], list.title);
        out.element("ul", &[("class", "marks")], |out| {
            for point in &list.points {
                let mark = match point.holds {
                    Some(true) => (Tone::Good, "✓", "yes:"),
                    Some(false) => (Tone::Bad, "✗", "no:"),
                    None => (Tone::Neutral, "–", "does not apply:"),
                };
                write_marked(mark, point.asks, &point.evidence, out);
            }
        });
    }
    section
}

/// What the reader of the model file warned of.
pub(super) fn model_warnings(subject: DesignView<'_>) -> Section {
    let mut section = Section::new("model", "Warnings about the model file");
    let lines = model_warnings::lines(subject);
    write_list("", lines, section.content());
    section
}
