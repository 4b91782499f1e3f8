//! Lines of a stream, in bounded memory.

use std::io::{self, BufRead};

/// The most bytes of a line that are kept; the rest of a longer line is skipped.
const LINE_BYTES_MAX: usize = 256 * 1024;

/// Reads a stream line by line. Lines that lie within one buffer of the stream are not copied.
pub(super) struct LineReader<R> {
    stream: R,
    /// The beginning of a line whose end is not in the buffer.
    start: Vec<u8>,
    /// Whether a line was longer than the limit.
    pub(super) has_cut_line: bool,
}

impl<R: BufRead> LineReader<R> {
    pub(super) fn new(stream: R) -> Self {
        Self { stream, start: Vec::new(), has_cut_line: false }
    }

    /// Calls `take` with each line, without its end, until it returns `false`.
    pub(super) fn read(&mut self, mut take: impl FnMut(&[u8]) -> bool) -> io::Result<()> {
        loop {
            let buffer = match self.stream.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => {
                    take_rest(&mut self.start, &mut take);
                    return Err(error);
                }
            };
            if buffer.is_empty() {
                take_rest(&mut self.start, &mut take);
                return Ok(());
            }
            let mut rest = buffer;
            while let Some(end) = memchr::memchr(b'\n', rest) {
                let (line, after) = rest.split_at(end);
                rest = after.get(1..).unwrap_or_default();
                let is_wanted = if self.start.is_empty() {
                    take(trim_end(&line[..line.len().min(LINE_BYTES_MAX)]))
                } else {
                    self.has_cut_line |= extend(&mut self.start, line);
                    let is_wanted = take(trim_end(&self.start));
                    self.start.clear();
                    is_wanted
                };
                self.has_cut_line |= line.len() > LINE_BYTES_MAX;
                if !is_wanted {
                    return Ok(());
                }
            }
            self.has_cut_line |= extend(&mut self.start, rest);
            let length = buffer.len();
            self.stream.consume(length);
        }
    }
}

/// Adds to the beginning of a line up to the limit, and returns whether something was left out.
fn extend(start: &mut Vec<u8>, part: &[u8]) -> bool {
    let room = LINE_BYTES_MAX.saturating_sub(start.len());
    start.extend_from_slice(&part[..part.len().min(room)]);
    part.len() > room
}

/// Takes the last line if it has no end.
fn take_rest(start: &mut Vec<u8>, take: &mut impl FnMut(&[u8]) -> bool) {
    if !start.is_empty() {
        take(trim_end(start));
        start.clear();
    }
}

/// A line without the carriage return of Windows.
fn trim_end(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &[u8], buffer: usize) -> (Vec<String>, bool) {
        let mut found = Vec::new();
        let mut reader = LineReader::new(io::BufReader::with_capacity(buffer, text));
        reader
            .read(|line| {
                found.push(String::from_utf8_lossy(line).into_owned());
                true
            })
            .unwrap();
        (found, reader.has_cut_line)
    }

    #[test]
    fn lines_are_found_whatever_the_buffer() {
        for buffer in [1, 2, 3, 7, 100] {
            let (found, is_cut) = lines(b"one\r\n\ntwo\nlast", buffer);
            assert_eq!(found, ["one", "", "two", "last"], "buffer {buffer}");
            assert!(!is_cut);
        }
        assert_eq!(lines(b"", 8).0, [""; 0]);
    }

    #[test]
    fn long_lines_are_cut() {
        let text = [vec![b'x'; LINE_BYTES_MAX + 5], b"\nnext".to_vec()].concat();
        for buffer in [4096, 1 << 20] {
            let (found, is_cut) = lines(&text, buffer);
            assert_eq!((found.len(), found[0].len(), &*found[1]), (2, LINE_BYTES_MAX, "next"));
            assert!(is_cut);
        }
    }
}
