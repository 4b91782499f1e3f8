//! The Mermaid form: a `flowchart` of tables, an `erDiagram` of entities.

use super::legend;
use super::picture::{
    Card, CardRow, Change, Frame, Link, LinkEnd, Picture, PictureKind, RowKind, Tip,
};

/// The diagram.
pub(crate) fn diagram(picture: &Picture) -> String {
    let mut out = Vec::new();
    match picture.kind {
        PictureKind::Entities => entities(&mut out, picture),
        _ => flowchart(&mut out, picture),
    }
    out.iter().flat_map(|line| [line, "\n"]).collect()
}

/// A page of Markdown: the diagram in a fence, the queries as a table, the marks.
pub(crate) fn page(picture: &Picture) -> String {
    let (title, heading) = (escape_markdown(&picture.title), legend::heading(picture));
    let mut out = format!("# {title}: {heading}\n\n```mermaid\n{}```\n", diagram(picture));
    if !picture.legend.is_empty() {
        out.push_str("\n| | query | description | rate |\n|---|---|---|---|\n");
    }
    for entry in &picture.legend {
        let description =
            if entry.table.is_none() { "no table serves it" } else { entry.description.as_str() };
        let cells = [&entry.number, &entry.name, description, &entry.rate].map(escape_markdown);
        out = out + "| " + &cells.join(" | ") + " |\n";
    }
    let marks = legend::marks(picture);
    let marks: Vec<_> =
        marks.iter().map(|(mark, text)| format!("{} {text}", escape_markdown(mark))).collect();
    if !marks.is_empty() {
        out = out + "\n" + &marks.join(" · ") + "\n";
    }
    out
}

/// Text escaped for Markdown.
fn escape_markdown(text: impl AsRef<str>) -> String {
    let mut out = String::new();
    for c in text.as_ref().chars() {
        if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#' | '&') {
            out.push('\\');
        }
        out.push(if c.is_control() { ' ' } else { c });
    }
    out
}

/// Colours of what was added, dropped and altered.
const CHANGE_CLASSES: [(Change, &str, &str); 3] = [
    (Change::Added, "added", "fill:#dcfce7,stroke:#15803d,color:#14532d"),
    (Change::Dropped, "dropped", "fill:#fee2e2,stroke:#b91c1c,color:#7f1d1d,stroke-dasharray:4 3"),
    (Change::Altered, "altered", "fill:#ffedd5,stroke:#b45309,color:#7c2d12"),
];

/// The class of a card, behind its node.
fn class(card: &Card) -> String {
    let class = CHANGE_CLASSES.iter().find(|(change, ..)| *change == card.change);
    class.map_or_else(String::new, |(_, name, _)| format!(":::{name}"))
}

fn flowchart(out: &mut Vec<String>, picture: &Picture) {
    out.push("flowchart TB".to_owned());
    let cards = || picture.frames.iter().flat_map(|frame| &frame.cards);
    for (change, name, style) in CHANGE_CLASSES {
        if cards().any(|card| card.change == change) {
            out.push(format!("  classDef {name} {style}"));
        }
    }
    for (number, frame) in picture.frames.iter().enumerate() {
        let node = |card: usize| format!("f{number}t{card}");
        if let Some(title) = &frame.title {
            out.push(format!("  subgraph f{number}[\"{}\"]", quote(title)));
        }
        for (at, card) in frame.cards.iter().enumerate() {
            out.push(format!("  {}[\"{}\"]{}", node(at), table(card), class(card)));
        }
        if frame.title.is_some() {
            out.push("  end".to_owned());
        }
        for (at, link) in frame.links.iter().enumerate() {
            add_link(out, link, &node, &format!("f{number}e{at}"));
        }
    }
}

/// The label of a table: its name, then a line for each column.
fn table(card: &Card) -> String {
    let badges = card.badges.join(", ");
    let badges = if badges.is_empty() { badges } else { format!(" ({})", quote(&badges)) };
    let mut lines = vec![format!("<b>{}</b>{badges}", quote(&card.title))];
    for row in &card.rows {
        let parts = [row.mark.as_str(), row.name.as_str(), row.ty.as_str()];
        let parts: Vec<_> =
            parts.iter().filter(|part| !part.is_empty()).map(|part| quote(part)).collect();
        lines.push(parts.join(" "));
    }
    lines.extend(card.footer.iter().map(|line| format!("<i>{}</i>", quote(line))));
    lines.join("<br/>")
}

fn add_link(out: &mut Vec<String>, link: &Link, node: &dyn Fn(usize) -> String, entry: &str) {
    let (from, to) =
        if link.is_backward() { (&link.to, &link.from) } else { (&link.from, &link.to) };
    let from: Vec<_> = from.iter().map(|end| node(end.card)).collect();
    let from = if from.is_empty() { format!("{entry}(( ))") } else { from.join(" & ") };
    let arrow = if link.dashed { "-.->" } else { "-->" };
    for end in to {
        let label = end.label.join(" ");
        let label = if label.is_empty() { label } else { format!("|\"{}\"|", quote(&label)) };
        out.push(format!("  {from} {arrow}{label} {}", node(end.card)));
    }
}

/// Text escaped for a quoted string in Mermaid.
fn quote(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '"' => out.push_str("#quot;"),
            '#' => out.push_str("#35;"),
            '&' => out.push_str("#amp;"),
            '<' => out.push_str("#lt;"),
            '>' => out.push_str("#gt;"),
            '`' => out.push_str("#96;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

fn entities(out: &mut Vec<String>, picture: &Picture) {
    out.push("erDiagram".to_owned());
    for frame in &picture.frames {
        for card in &frame.cards {
            out.push(format!("  {} {{", entity(card)));
            out.extend(card.rows.iter().map(attribute));
            out.push("  }".to_owned());
        }
        for link in &frame.links {
            add_relationships(out, frame, link);
        }
    }
}

fn entity(card: &Card) -> String {
    format!("\"{}\"", card.title.replace(['"', '%', '\\', '\n', '\r', '\t'], " "))
}

/// An attribute: Mermaid accepts a type and a name of letters, digits and a few signs, then its
/// keys.
fn attribute(row: &CardRow) -> String {
    let word = |text: &str, fallback: &str| {
        let kept = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' };
        let word: String = text.chars().map(kept).collect();
        let word = word.trim_matches('-').to_owned();
        let named = word.starts_with(|c: char| c.is_ascii_alphabetic());
        if named { word } else { format!("{fallback}{word}") }
    };
    let mut keys = Vec::new();
    if row.kind == RowKind::Key {
        keys.push("PK");
    }
    keys.extend(row.mark.contains("FK").then_some("FK"));
    keys.extend(row.mark.split(' ').any(|mark| mark == "U").then_some("UK"));
    let comment = if row.name.starts_with(['{', '<', '*']) {
        format!(" \"{}\"", row.name)
    } else {
        String::new()
    };
    let keys = if keys.is_empty() { String::new() } else { format!(" {}", keys.join(", ")) };
    format!("    {} {}{keys}{comment}", word(&row.ty, "any"), word(&row.name, "a"))
}

fn add_relationships(out: &mut Vec<String>, frame: &Frame, link: &Link) {
    for from in &link.from {
        for to in &link.to {
            let (Some(one), Some(many)) = (frame.cards.get(from.card), frame.cards.get(to.card))
            else {
                continue;
            };
            let (left, right, label) = match from.tip {
                Tip::Supertype => ("||", "o|", "is a".to_owned()),
                Tip::ZeroOrOne => ("|o", crows_foot(to.tip), name(from, to)),
                _ => ("||", crows_foot(to.tip), name(from, to)),
            };
            let label = label.replace('"', "'");
            out.push(format!("  {} {left}--{right} {} : \"{label}\"", entity(one), entity(many)));
        }
    }
}

/// The name of a relationship, else the columns that refer.
fn name(from: &LinkEnd, to: &LinkEnd) -> String {
    from.label.iter().chain(&to.label).cloned().collect::<Vec<_>>().join(" ")
}

fn crows_foot(tip: Tip) -> &'static str {
    match tip {
        Tip::Many => "o{",
        Tip::ZeroOrOne => "o|",
        Tip::One | Tip::Plain | Tip::Arrow | Tip::Supertype => "||",
    }
}
