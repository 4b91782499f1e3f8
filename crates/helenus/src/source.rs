//! Source texts, and the lines and columns of their offsets.

/// A file, or standard input, with its text.
pub(crate) struct Source {
    /// The path as messages print it.
    pub(crate) name: String,
    /// The content.
    pub(crate) text: String,
    line_starts: Vec<usize>,
    /// The number of characters before each block of bytes, so that columns are found quickly in
    /// lines of any length. Empty for ASCII, where every byte is a character.
    blocks: Vec<usize>,
}

/// The number of bytes per block.
const BLOCK_BYTES: usize = 4_096;

/// A line and column, both counted from 1; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LineColumn {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

impl Source {
    pub(crate) fn new(name: impl Into<String>, text: String) -> Self {
        let newlines =
            text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        let line_starts = std::iter::once(0).chain(newlines).collect();
        let mut blocks = Vec::new();
        if !text.is_ascii() {
            let mut before = 0;
            for block in text.as_bytes().chunks(BLOCK_BYTES) {
                blocks.push(before);
                before += characters(block);
            }
        }
        Self { name: name.into(), text, line_starts, blocks }
    }

    /// The line and column of an offset.
    pub(crate) fn line_column(&self, offset: usize) -> LineColumn {
        let line = self.line_index(offset);
        let start = self.line_starts[line];
        let before = self.characters_before(offset.min(self.text.len()));
        LineColumn {
            line: line + 1,
            column: before.saturating_sub(self.characters_before(start)) + 1,
        }
    }

    /// The number of characters before an offset.
    fn characters_before(&self, offset: usize) -> usize {
        let at = offset / BLOCK_BYTES;
        let Some(before) = self.blocks.get(at) else {
            // The end of the text, or ASCII.
            let whole = self.blocks.last().copied();
            return whole.map_or(offset, |before| {
                before + self.characters_from(self.blocks.len() - 1, offset)
            });
        };
        before + self.characters_from(at, offset)
    }

    /// The number of characters from the start of a block to an offset.
    fn characters_from(&self, block: usize, offset: usize) -> usize {
        self.text.as_bytes().get(block * BLOCK_BYTES..offset).map_or(0, characters)
    }

    /// The whole lines of a range of bytes, at most `most` of them: their offset, the number of the
    /// first line (from 1), and their text.
    pub(crate) fn lines(&self, start: usize, end: usize, most: usize) -> (usize, usize, &str) {
        let first = self.line_index(start);
        let last = self.line_index(end.max(start)).min(first + most - 1);
        let from = self.line_starts[first];
        let to = self.line_starts.get(last + 1).copied().unwrap_or(self.text.len());
        (
            from,
            first + 1,
            self.text.get(from..to).unwrap_or_default().trim_end_matches(['\n', '\r']),
        )
    }

    /// The index of the line of an offset.
    fn line_index(&self, offset: usize) -> usize {
        self.line_starts.partition_point(|start| *start <= offset).saturating_sub(1)
    }
}

/// The number of UTF-8 characters that start in these bytes.
fn characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0xC0 != 0x80).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_characters_and_lines() {
        let source = Source::new("a", "é1\n23\n".to_owned());
        assert_eq!(source.line_column(0), LineColumn { line: 1, column: 1 });
        assert_eq!(source.line_column(2), LineColumn { line: 1, column: 2 });
        assert_eq!(source.line_column(5), LineColumn { line: 2, column: 2 });
        assert_eq!(source.line_column(7), LineColumn { line: 3, column: 1 });
        assert_eq!(source.line_column(700), LineColumn { line: 3, column: 1 });
    }

    #[test]
    fn positions_in_long_lines() {
        let source = Source::new("a", "é".repeat(10_000));
        for character in [0, 1, 2_047, 2_048, 2_049, 9_999, 10_000] {
            assert_eq!(source.line_column(2 * character).column, character + 1);
        }
    }

    #[test]
    fn lines_are_whole_and_few() {
        let source = Source::new("a", "one\ntwo\nthree".to_owned());
        assert_eq!(source.lines(5, 6, 9), (4, 2, "two"));
        assert_eq!(source.lines(0, 12, 2), (0, 1, "one\ntwo"));
    }
}
