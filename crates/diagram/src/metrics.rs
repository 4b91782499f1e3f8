//! The width of text, by the advance widths of Helvetica, which Arial and Liberation Sans share.

/// Advance widths of the characters from space to tilde, in thousandths of the font's size.
#[rustfmt::skip]
const REGULAR: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
    333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
    556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

/// The same, bold.
#[rustfmt::skip]
const BOLD: [u16; 95] = [
    278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278,
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 333, 333, 584, 584, 584, 611,
    975, 722, 722, 722, 722, 667, 611, 778, 722, 278, 556, 722, 611, 833, 722, 778,
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 333, 278, 333, 584, 556,
    333, 556, 611, 556, 611, 556, 333, 611, 611, 278, 278, 556, 278, 889, 611, 611,
    611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389, 280, 389, 584,
];

/// A size and weight of text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Font {
    pub(crate) size: f64,
    pub(crate) bold: bool,
}

impl Font {
    pub(crate) const fn regular(size: f64) -> Self {
        Self { size, bold: false }
    }

    pub(crate) const fn bold(size: f64) -> Self {
        Self { size, bold: true }
    }

    /// The width of a text.
    pub(crate) fn width(self, text: &str) -> f64 {
        let thousandths: f64 = text.chars().map(|c| f64::from(self.advance(c))).sum();
        thousandths * self.size / 1000.0
    }

    fn advance(self, c: char) -> u16 {
        let table = if self.bold { &BOLD } else { &REGULAR };
        let ascii = u32::from(c).checked_sub(32).and_then(|at| usize::try_from(at).ok());
        match (ascii.and_then(|at| table.get(at)), c) {
            (Some(advance), _) => *advance,
            (None, '↑' | '↓' | '·') => 500,
            (None, '\u{300}'..='\u{36f}') => 0,
            (None, c) if u32::from(c) < 0x250 => 611,
            (None, '⌛') => 720,
            (None, '…' | '→') => 1000,
            (None, c) if u32::from(c) < 0x1100 => 650,
            (None, _) => 1000,
        }
    }

    /// The text in lines of at most this width, broken at blanks; a longer word gets a separate
    /// line.
    pub(crate) fn wrap(self, text: &str, width: f64) -> Vec<String> {
        let mut lines = Vec::new();
        let mut line = String::new();
        for word in text.split_whitespace() {
            if !line.is_empty() && self.width(&line) + self.width(" ") + self.width(word) > width {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        lines.push(line);
        lines
    }

    /// The text, its end replaced by dots where it is wider than this.
    pub(crate) fn shorten(self, text: &str, width: f64) -> String {
        if self.width(text) <= width {
            return text.to_owned();
        }
        let room = width - self.width("…");
        let mut taken = 0.0;
        let kept = text.chars().take_while(|c| {
            taken += f64::from(self.advance(*c)) * self.size / 1000.0;
            taken <= room
        });
        kept.chain(['…']).collect()
    }
}
