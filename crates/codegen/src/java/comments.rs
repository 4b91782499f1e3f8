//! Comments of functions.

use crate::code_writer::CodeWriter;

/// A text in a comment: nothing in it is markup, and nothing ends the comment.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '@' => escaped.push_str("&#64;"),
            '\\' => escaped.push_str("&#92;"),
            '/' if escaped.ends_with('*') => escaped.push_str("&#47;"),
            '\n' | '\r' => escaped.push(' '),
            other => escaped.push(other),
        }
    }
    escaped
}

/// A comment: a sentence, lines that keep their form, and tags.
pub(super) fn print_comment(
    out: &mut CodeWriter,
    sentence: &str,
    lines: &[String],
    tags: &[String],
) {
    out.line("/**").line(format!(" * {sentence}"));
    if !lines.is_empty() {
        out.line(" *").line(" * <pre>");
        for line in lines {
            out.line(format!(" * {}", escape(line)).trim_end());
        }
        out.line(" * </pre>");
    }
    if !tags.is_empty() {
        out.line(" *");
        for tag in tags {
            out.line(format!(" * {tag}"));
        }
    }
    out.line(" */");
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn nothing_ends_a_comment() {
        assert_eq!(
            escape("a */ \\u0041 <b> @x & c"),
            "a *&#47; &#92;u0041 &lt;b&gt; &#64;x &amp; c"
        );
    }
}
