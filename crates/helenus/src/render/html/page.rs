//! The frame of a page: head, contents, sections, foot.

use super::content_policy::describe_policy;
use super::{Anchor, Markup, Tone};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// A page.
pub(crate) struct Page {
    /// The title, also of the window.
    title: String,
    /// What it is, above the title.
    kind: &'static str,
    /// One sentence below the title.
    lead: String,
    tiles: Vec<Tile>,
    sections: Vec<Section>,
    /// The style sheet of the drawings in it.
    drawing_style: Option<String>,
}

/// A figure at the top of a page.
pub(crate) struct Tile {
    /// What it is.
    pub(crate) label: String,
    /// Its value.
    pub(crate) value: String,
    /// More about it.
    pub(crate) remark: String,
    /// How good it is.
    pub(crate) tone: Tone,
}

/// A section of a page.
pub(crate) struct Section {
    id: &'static str,
    title: String,
    content: Markup,
    /// What the contents list below it.
    entries: Vec<(String, Anchor)>,
}

impl Section {
    /// A section without content.
    pub(crate) fn new(id: &'static str, title: impl Into<String>) -> Self {
        Self { id, title: title.into(), content: Markup::default(), entries: Vec::new() }
    }

    /// Its content, to write to.
    pub(crate) fn content(&mut self) -> &mut Markup {
        &mut self.content
    }

    /// Lists a part of it in the contents.
    pub(crate) fn add_entry(&mut self, name: impl Into<String>, anchor: Anchor) {
        self.entries.push((name.into(), anchor));
    }

    fn write(&self, out: &mut Markup) {
        let heading = format!("{}-title", self.id);
        let attributes = [("id", self.id), ("aria-labelledby", &*heading)];
        out.element("section", &attributes, |out| {
            out.leaf("h2", &[("id", &heading)], &self.title);
            out.append(&self.content);
        });
    }
}

impl Page {
    /// A page without sections.
    pub(crate) fn new(
        kind: &'static str,
        title: impl Into<String>,
        lead: impl Into<String>,
    ) -> Self {
        Self {
            title: title.into(),
            kind,
            lead: lead.into(),
            tiles: Vec::new(),
            sections: Vec::new(),
            drawing_style: None,
        }
    }

    /// Adds a figure at the top.
    pub(crate) fn add_tile(&mut self, tile: Tile) {
        self.tiles.push(tile);
    }

    /// Adds a section, unless nothing was written to it.
    pub(crate) fn add_section(&mut self, section: Section) {
        if !section.content.html().is_empty() {
            self.sections.push(section);
        }
    }

    /// Allows the style sheet of a drawing in a section.
    pub(crate) fn allow_drawing_style(&mut self, style: impl Into<String>) {
        self.drawing_style = Some(style.into());
    }

    /// The file.
    pub(crate) fn html(&self) -> String {
        let mut out = Markup::default();
        out.literal("<!DOCTYPE html>\n");
        out.element("html", &[("lang", "en")], |out| {
            out.element("head", &[], |out| self.write_head(out));
            out.element("body", &[], |out| self.write_body(out));
        });
        out.html().to_owned()
    }

    fn write_head(&self, out: &mut Markup) {
        let mut styles = vec![STYLE];
        styles.extend(self.drawing_style.as_deref());
        let policy = describe_policy(&styles, Some(SCRIPT));
        out.void("meta", &[("charset", "utf-8")]);
        out.void("meta", &[("http-equiv", "Content-Security-Policy"), ("content", &policy)]);
        let viewport = "width=device-width, initial-scale=1";
        out.void("meta", &[("name", "viewport"), ("content", viewport)]);
        out.void("meta", &[("name", "color-scheme"), ("content", "light dark")]);
        out.void("meta", &[("name", "generator"), ("content", generator())]);
        out.leaf("title", &[], &format!("{}: {}", self.title, self.kind));
        out.element("style", &[], |out| out.literal(STYLE));
    }

    fn write_body(&self, out: &mut Markup) {
        out.leaf("a", &[("class", "skip"), ("href", "#content")], "Skip to the content");
        out.element("div", &[("class", "sheet")], |out| {
            out.element("header", &[], |out| self.write_header(out));
            out.element("nav", &[("aria-label", "Contents")], |out| self.write_contents(out));
            out.element("main", &[("id", "content"), ("tabindex", "-1")], |out| {
                self.sections.iter().for_each(|section| section.write(out));
            });
            out.element("footer", &[], |out| {
                out.leaf("p", &[], &format!("Written by {}. The page loads nothing.", generator()));
            });
        });
        out.element("script", &[], |out| out.literal(SCRIPT));
    }

    fn write_header(&self, out: &mut Markup) {
        out.leaf("p", &[("class", "kind")], self.kind);
        out.leaf("h1", &[], &self.title);
        out.leaf("p", &[("class", "lead")], &self.lead);
        if self.tiles.is_empty() {
            return;
        }
        out.element("dl", &[("class", "tiles")], |out| {
            for tile in &self.tiles {
                out.element("div", &[("class", tile.tone.class())], |out| {
                    out.leaf("dt", &[], &tile.label);
                    out.leaf("dd", &[("class", "value")], &tile.value);
                    if !tile.remark.is_empty() {
                        out.leaf("dd", &[("class", "remark")], &tile.remark);
                    }
                });
            }
        });
    }

    /// The contents: open where there is room beside the text, else on request (the script closes it).
    fn write_contents(&self, out: &mut Markup) {
        out.element("details", &[("open", ""), ("class", "contents")], |out| {
            out.leaf("summary", &[], "Contents");
            out.element("ul", &[], |out| {
                for section in &self.sections {
                    out.element("li", &[], |out| {
                        let link = format!("#{}", section.id);
                        out.leaf("a", &[("href", &link)], &section.title);
                        write_entries(&section.entries, out);
                    });
                }
            });
        });
    }
}

fn write_entries(entries: &[(String, Anchor)], out: &mut Markup) {
    if entries.is_empty() {
        return;
    }
    out.element("ul", &[], |out| {
        for (name, anchor) in entries {
            out.element("li", &[], |out| out.leaf("a", &[("href", &anchor.link())], name));
        }
    });
}

/// The program that wrote the page.
fn generator() -> &'static str {
    concat!("helenus ", env!("CARGO_PKG_VERSION"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_escapes_its_names_and_leaves_out_empty_sections() {
        let mut page = Page::new("design", "<b>", "a & b");
        page.add_section(Section::new("nothing", "Nothing"));
        let mut section = Section::new("tables", "Tables <1>");
        section.content().leaf("p", &[], "x");
        section.add_entry("<i>", Anchor::new("table", "<i>"));
        page.add_section(section);
        let html = page.html();
        assert!(html.contains("<title>&lt;b&gt;: design</title>"), "{html}");
        assert!(html.contains("<a href=\"#table.-3c-i-3e-\">&lt;i&gt;</a>"), "{html}");
        assert!(
            !html.contains("Nothing") && !html.contains("<b>") && !html.contains("<i>"),
            "{html}"
        );
    }
}
