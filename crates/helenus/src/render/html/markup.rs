//! HTML and SVG as text. Names of elements and attributes are literals of ours, and all other text is
//! escaped, so that no name or value of a user can become an element.

/// An attribute with its value.
pub(crate) type Attribute<'a> = (&'static str, &'a str);

/// A piece of HTML.
#[derive(Clone, Debug, Default)]
pub(crate) struct Markup {
    html: String,
}

impl Markup {
    /// An element with its content.
    pub(crate) fn element(
        &mut self,
        tag: &'static str,
        attributes: &[Attribute<'_>],
        content: impl FnOnce(&mut Self),
    ) {
        self.open(tag, attributes);
        content(self);
        self.html.push_str("</");
        self.html.push_str(tag);
        self.html.push('>');
        if is_block(tag) {
            self.html.push('\n');
        }
    }

    /// An element that contains a text.
    pub(crate) fn leaf(&mut self, tag: &'static str, attributes: &[Attribute<'_>], text: &str) {
        self.element(tag, attributes, |markup| markup.text(text));
    }

    /// An element without content or end, such as `<meta>`.
    pub(crate) fn void(&mut self, tag: &'static str, attributes: &[Attribute<'_>]) {
        self.open(tag, attributes);
        self.html.push('\n');
    }

    /// A text.
    pub(crate) fn text(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                '&' => self.html.push_str("&amp;"),
                '<' => self.html.push_str("&lt;"),
                '>' => self.html.push_str("&gt;"),
                '"' => self.html.push_str("&quot;"),
                '\'' => self.html.push_str("&#39;"),
                '\n' | '\t' => self.html.push(c),
                // HTML has no such characters, and those that change the direction of text could make
                // a name look like another one.
                c if c.is_control() || is_bidirectional(c) => self.html.push('\u{fffd}'),
                c => self.html.push(c),
            }
        }
    }

    /// Another piece.
    pub(crate) fn append(&mut self, other: &Self) {
        self.html.push_str(&other.html);
    }

    /// A style sheet, a script or a drawing of ours as it is: the content of what the policy of the
    /// page knows by its hash must not change.
    pub(super) fn literal(&mut self, html: &str) {
        self.html.push_str(html);
    }

    /// A drawing of `diagram`, with its style sheet. The policy of the page must know that
    /// ([`super::Page::allow_drawing_style`]).
    pub(crate) fn drawing(&mut self, style: &str, body: &str) {
        self.element("style", &[], |out| out.literal(style));
        self.literal(body);
    }

    /// The HTML.
    pub(crate) fn html(&self) -> &str {
        &self.html
    }

    fn open(&mut self, tag: &'static str, attributes: &[Attribute<'_>]) {
        self.html.push('<');
        self.html.push_str(tag);
        for (name, value) in attributes {
            self.html.push(' ');
            self.html.push_str(name);
            self.html.push_str("=\"");
            self.text(value);
            self.html.push('"');
        }
        self.html.push('>');
    }
}

/// Characters that change the direction of the text after them.
fn is_bidirectional(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Elements that end a line, so that the file can be read and compared.
fn is_block(tag: &str) -> bool {
    !matches!(tag, "a" | "code" | "span" | "strong" | "td" | "th" | "title")
}

#[cfg(test)]
mod tests {
    use super::Markup;

    #[test]
    fn texts_are_escaped_everywhere() {
        let mut markup = Markup::default();
        let hostile = "</td><script>alert('1' & \"2\")</script>\u{0}\u{202e}";
        markup.leaf("td", &[("title", hostile)], hostile);
        let escaped = "&lt;/td&gt;&lt;script&gt;alert(&#39;1&#39; &amp; &quot;2&quot;)&lt;/script&gt;\u{fffd}\u{fffd}";
        assert_eq!(markup.html(), format!("<td title=\"{escaped}\">{escaped}</td>"));
    }

    #[test]
    fn elements_are_nested() {
        let mut markup = Markup::default();
        markup.element("ul", &[], |list| list.leaf("li", &[("class", "a")], "b"));
        assert_eq!(markup.html(), "<ul><li class=\"a\">b</li>\n</ul>\n");
    }
}
