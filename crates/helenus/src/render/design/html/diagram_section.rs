//! The Chebotko diagram, with tools to zoom and links to tables and queries.

use diagram::Level;
use model::sql::ModelFile;

use crate::render::design::DesignView;
use crate::render::html::Section;

/// The section, and the style sheet of the drawing.
pub(super) fn section(subject: DesignView<'_>) -> (Section, String) {
    let ModelFile { concept, workload, .. } = subject.file;
    let drawing =
        diagram::chebotko(concept, workload, subject.design, Level::Physical).page_drawing();
    // The page has classes of its own.
    let style = format!(".diagram {{\n{}}}\n", drawing.style);
    let mut section = Section::new("diagram", "Diagram");
    let out = section.content();
    let hint = "Tables and queries in it lead to their descriptions. K is the partition key, C a clustering column with its direction, S a static column and ++ a counter.";
    out.leaf("p", &[("class", "faint")], hint);
    out.element("div", &[("class", "diagram-tools"), ("hidden", "")], |out| {
        let tools = [
            ("in", "+", "Zoom in"),
            ("out", "−", "Zoom out"),
            ("fit", "Fit", "Fit the width"),
            ("whole", "100 %", "Actual size"),
        ];
        for (action, text, label) in tools {
            let attributes = [("type", "button"), ("data-zoom", action), ("aria-label", label)];
            out.leaf("button", &attributes, text);
        }
        out.leaf("output", &[("class", "faint"), ("aria-live", "polite")], "");
        out.leaf("span", &[("class", "faint")], "drag or scroll to move, Ctrl and wheel to zoom");
    });
    let frame = [
        ("class", "diagram"),
        ("tabindex", "0"),
        ("role", "region"),
        ("aria-label", "Chebotko diagram; plus and minus zoom, arrow keys move"),
    ];
    out.element("div", &frame, |out| out.drawing(&style, &drawing.body));
    (section, style)
}
