//! Text of users within Markdown: names and messages show as they are written, and never become HTML,
//! links, emphasis or the end of a cell.

/// Prose in one line. What stands between backticks is code in our messages, and stays code.
pub(crate) fn prose(text: &str) -> String {
    escape(text, false)
}

/// Prose for the cell of a table.
pub(crate) fn cell(text: &str) -> String {
    escape(text, true)
}

/// A code span in one line.
pub(crate) fn code(text: &str) -> String {
    let text = one_line(text);
    let fence = "`".repeat(longest_run(&text) + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// A code span for the cell of a table.
pub(crate) fn cell_code(text: &str) -> String {
    code(text).replace('|', "\\|")
}

/// A block of code in a language.
pub(crate) fn code_block(language: &str, text: &str) -> String {
    let fence = "`".repeat(longest_run(text).max(2) + 1);
    let end = if text.ends_with('\n') { "" } else { "\n" };
    format!("{fence}{language}\n{text}{end}{fence}\n")
}

fn escape(text: &str, in_cell: bool) -> String {
    let text = one_line(text);
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(start) = rest.find('`') {
        let (before, from) = rest.split_at(start);
        escape_words(before, &mut out);
        let run = from.len() - from.trim_start_matches('`').len();
        let length = span_length(from, run);
        match length {
            Some(length) => out.push_str(&from[..length]),
            None => out.push_str(&"\\`".repeat(run)),
        }
        rest = &from[length.unwrap_or(run)..];
    }
    escape_words(rest, &mut out);
    if in_cell { out.replace('|', "\\|") } else { out }
}

/// The length of the code span that begins with a run of backticks: it ends with a run of the same
/// length.
fn span_length(text: &str, run: usize) -> Option<usize> {
    let mut at = run;
    loop {
        at += text.get(at..)?.find('`')?;
        let behind = &text[at..];
        let next = behind.len() - behind.trim_start_matches('`').len();
        at += next;
        if next == run {
            return Some(at);
        }
    }
}

/// Escapes text outside of code.
fn escape_words(text: &str, out: &mut String) {
    let mut before = None;
    let mut letters = text.chars().peekable();
    while let Some(c) = letters.next() {
        let is_within = |side: Option<char>| side.is_some_and(char::is_alphanumeric);
        let is_special = match c {
            '\\' | '*' | '[' | ']' | '<' | '>' | '&' | '~' => true,
            // Within a word it means nothing.
            '_' => !(is_within(before) && is_within(letters.peek().copied())),
            _ => false,
        };
        if is_special {
            out.push('\\');
        }
        out.push(c);
        before = Some(c);
    }
}

/// The text with one blank for each run of white space and control characters.
fn one_line(text: &str) -> String {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The longest run of backticks.
fn longest_run(text: &str) -> usize {
    let (mut longest, mut run) = (0, 0);
    for c in text.chars() {
        run = if c == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_no_markup() {
        assert_eq!(prose("<script>a&b</script>"), "\\<script\\>a\\&b\\</script\\>");
        assert_eq!(prose("[a](http://b) *c*\n_d_ e_f"), "\\[a\\](http://b) \\*c\\* \\_d\\_ e_f");
        assert_eq!(prose("a | b"), "a | b");
        assert_eq!(cell("a | `b | c`"), "a \\| `b \\| c`");
        assert_eq!(prose("a\x1b[31m"), "a \\[31m");
    }

    #[test]
    fn backticks_in_pairs_are_code() {
        assert_eq!(prose("`<a>` is <a>"), "`<a>` is \\<a\\>");
        assert_eq!(prose("`a`<b>`"), "`a`\\<b\\>\\`");
        assert_eq!(prose("a `` b ` c"), "a \\`\\` b \\` c");
        assert_eq!(prose("``a ` b`` <c>"), "``a ` b`` \\<c\\>");
    }

    #[test]
    fn code_holds_backticks() {
        assert_eq!(code("a"), "`a`");
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!(code("`"), "`` ` ``");
        assert_eq!(cell_code("a|b"), "`a\\|b`");
        assert_eq!(code_block("cql", "a\n"), "```cql\na\n```\n");
        assert_eq!(code_block("cql", "```\nb"), "````cql\n```\nb\n````\n");
    }
}
