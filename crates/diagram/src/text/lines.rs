//! Lines of text on a terminal: how wide they are, and how they are broken and cut.

/// The columns that a text takes on a terminal.
pub(crate) fn width(text: &str) -> usize {
    text.chars().map(columns).sum()
}

fn columns(c: char) -> usize {
    match u32::from(c) {
        0x300..=0x36f | 0x200b..=0x200f => 0,
        // The hourglass, East Asian scripts, emoji.
        0x231b | 0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3 | 0xf900..=0xfaff => 2,
        0xfe30..=0xfe6f | 0xff00..=0xff60 | 0xffe0..=0xffe6 | 0x1f300..=0x1faff => 2,
        0x20000..=0x3fffd => 2,
        _ => 1,
    }
}

/// The text, its end replaced by dots where it is wider than this; control characters by blanks.
pub(super) fn shorten(text: &str, most: usize) -> String {
    let plain: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if width(&plain) <= most {
        return plain;
    }
    let mut taken = 1;
    let kept = plain.chars().take_while(|c| {
        taken += columns(*c);
        taken <= most
    });
    kept.chain(['…']).collect()
}

/// The text with blanks after it, up to this width.
pub(super) fn pad(text: &str, to: usize) -> String {
    format!("{text}{}", " ".repeat(to.saturating_sub(width(text))))
}

/// A paragraph with a margin, and one for the lines after its first.
pub(super) fn wrap_hanging(text: &str, margin: usize, next: usize, most: usize) -> String {
    let mut out = " ".repeat(margin);
    let mut filled = margin;
    let mut is_start = true;
    // The blanks that align what is at the start stay.
    for word in text.split(' ') {
        let word = shorten(word, most - next.max(margin));
        if !is_start && filled + 1 + width(&word) > most {
            out.push('\n');
            out.push_str(&" ".repeat(next));
            filled = next;
            is_start = true;
        }
        if !is_start {
            out.push(' ');
            filled += 1;
        }
        filled += width(&word);
        out.push_str(&word);
        is_start = false;
    }
    out.push('\n');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_counted_as_terminals_do() {
        assert_eq!(width("K⌛week"), 7);
        assert_eq!(width("日本"), 4);
        assert_eq!(shorten("abcdef", 4), "abc…");
        assert_eq!(shorten("日本語", 5), "日本…");
    }

    #[test]
    fn paragraphs_hang() {
        assert_eq!(wrap_hanging("Q1  find all", 1, 4, 10), " Q1  find\n    all\n");
    }
}
