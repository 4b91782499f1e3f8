//! The style sheet. What ignores the part for dark gets the light one, on white.

use std::fmt::Write;

/// Colours of links: class, on light, on dark.
pub(super) const COLOURS: [(&str, &str, &str); 8] = [
    ("w0", "#2563eb", "#7aa2f7"),
    ("w1", "#c2410c", "#f0965a"),
    ("w2", "#15803d", "#6cc78a"),
    ("w3", "#7c3aed", "#b99cf7"),
    ("w4", "#be185d", "#f08bb4"),
    ("w5", "#0e7490", "#5cc3d8"),
    ("w6", "#a16207", "#d9b34a"),
    ("w7", "#4d7c0f", "#a3cf5c"),
];

const BASE: &str = "\
text{font-family:Helvetica,Arial,'Liberation Sans',sans-serif}
.wire{fill:none;stroke-width:1.5;stroke-linejoin:round}
.halo{fill:none;stroke-width:5}
.hollow{stroke-width:1.5}
.dashed{stroke-dasharray:5 4}
.rule,.hair{fill:none;stroke-width:1}
.border{fill:none;stroke-width:1}
.border.type,.border.view{stroke-dasharray:4 3}
.key{text-decoration:underline}
.dot{stroke:none}
.label{stroke:none}
";

/// Selector and declaration, on light, on dark.
const PALETTE: [(&str, &str, &str, &str); 34] = [
    (".paper", "fill", "#ffffff", "#0f172a"),
    (".frame", "fill", "#f8fafc", "#141d32"),
    (".frame", "stroke", "#cbd5e1", "#334155"),
    (".halo", "stroke", "#ffffff", "#0f172a"),
    (".halo.framed", "stroke", "#f8fafc", "#141d32"),
    (".card", "fill", "#ffffff", "#1b2540"),
    (".border", "stroke", "#64748b", "#64748b"),
    (".rule", "stroke", "#cbd5e1", "#334155"),
    (".hair", "stroke", "#e2e8f0", "#334155"),
    (".bar", "fill", "#334155", "#3b4a66"),
    (".bar.counter", "fill", "#0f766e", "#0f5f59"),
    (".bar.view", "fill", "#6d28d9", "#5b35a8"),
    (".bar.type", "fill", "#e2e8f0", "#2a3650"),
    (".bar.relation", "fill", "#0f766e", "#0f5f59"),
    (".title", "fill", "#ffffff", "#f1f5f9"),
    (".title.type", "fill", "#1e293b", "#e2e8f0"),
    (".badge", "fill", "#f1f5f9", "#0f172a"),
    (".badge-text", "fill", "#334155", "#cbd5e1"),
    (".heading,.name,.number", "fill", "#0f172a", "#e2e8f0"),
    (".muted", "fill", "#64748b", "#94a3b8"),
    (".mark", "fill", "#475569", "#cbd5e1"),
    (".tint-k", "fill", "#fdf3d8", "#3a3220"),
    (".tint-c", "fill", "#eaf2fe", "#1f2f4f"),
    (".tint-s", "fill", "#f6effe", "#2d2547"),
    (".mark.k", "fill", "#a15c07", "#f0b95a"),
    (".glass.k", "fill", "#a15c07", "#f0b95a"),
    (".mark.c", "fill", "#1d4ed8", "#8fb4ff"),
    (".mark.s", "fill", "#7e22ce", "#c79bf7"),
    (".mark.n", "fill", "#0f766e", "#5fd0c4"),
    (".wire.w,.hollow.w", "stroke", "#475569", "#94a3b8"),
    (".dot.w", "fill", "#475569", "#94a3b8"),
    (".label.w", "fill", "#334155", "#cbd5e1"),
    (".hollow", "fill", "#ffffff", "#0f172a"),
    (".glass", "fill", "#475569", "#cbd5e1"),
];

/// The style sheet.
pub(super) fn sheet() -> String {
    let mut sheet = BASE.to_owned();
    rules(&mut sheet, false);
    sheet.push_str("@media (prefers-color-scheme:dark){\n");
    rules(&mut sheet, true);
    sheet.push_str("}\n");
    sheet
}

/// The rules for light, or those for dark.
fn rules(sheet: &mut String, dark: bool) {
    // Writing to a string cannot fail.
    for (selector, property, light, night) in PALETTE {
        let colour = if dark { night } else { light };
        let _ = writeln!(sheet, "{selector}{{{property}:{colour}}}");
    }
    for (class, light, night) in COLOURS {
        let colour = if dark { night } else { light };
        let _ = writeln!(sheet, ".wire.{class}{{stroke:{colour}}}");
        let _ = writeln!(sheet, ".dot.{class},.label.{class}{{fill:{colour}}}");
    }
}
