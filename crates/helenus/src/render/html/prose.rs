//! Sentences, lists, code and marks.

use super::Markup;

/// What a mark means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    /// As it should be.
    Good,
    /// To be looked at.
    Doubtful,
    /// Not as it should be.
    Bad,
    /// A fact.
    Neutral,
}

impl Tone {
    /// The class of elements of this tone.
    pub(crate) const fn class(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Doubtful => "doubtful",
            Self::Bad => "bad",
            Self::Neutral => "neutral",
        }
    }
}

/// Writes a sentence; what is between backticks is code.
pub(crate) fn write_prose(text: &str, out: &mut Markup) {
    let parts: Vec<&str> = text.split('`').collect();
    // An odd number of backticks is none that encloses code.
    if parts.len().is_multiple_of(2) {
        return out.text(text);
    }
    for (at, part) in parts.into_iter().enumerate() {
        if at % 2 == 0 { out.text(part) } else { out.leaf("code", &[], part) }
    }
}

/// Writes sentences as a list; nothing for none.
pub(crate) fn write_list<T: AsRef<str>>(
    class: &'static str,
    sentences: impl IntoIterator<Item = T>,
    out: &mut Markup,
) {
    let sentences: Vec<T> = sentences.into_iter().collect();
    if sentences.is_empty() {
        return;
    }
    out.element("ul", &[("class", class)], |out| {
        for sentence in &sentences {
            out.element("li", &[], |out| write_prose(sentence.as_ref(), out));
        }
    });
}

/// Writes a block of code, whose long lines are wrapped.
pub(crate) fn write_code(code: &str, out: &mut Markup) {
    out.element("pre", &[], |out| out.leaf("code", &[], code.trim_end()));
}

/// Writes a short text with a mark for its tone.
pub(crate) fn write_badge(tone: Tone, text: &str, out: &mut Markup) {
    out.leaf("span", &[("class", &format!("badge {}", tone.class()))], text);
}

/// Writes what is shown on request, and on paper.
pub(crate) fn write_details(summary: &str, out: &mut Markup, content: impl FnOnce(&mut Markup)) {
    out.element("details", &[], |out| {
        out.leaf("summary", &[], summary);
        content(out);
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backticks_enclose_code() {
        let html = |text: &str| {
            let mut out = Markup::default();
            write_prose(text, &mut out);
            out.html().to_owned()
        };
        assert_eq!(html("`a<` of b"), "<code>a&lt;</code> of b");
        assert_eq!(html("one ` only"), "one ` only");
    }
}
