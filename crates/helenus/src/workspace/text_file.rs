//! One text file of the command line: read and decoded, or written in its encoding.

use std::path::Path;

use super::encoding::{self, DecodedText, Encoding};
use super::file_bytes::{self, ReadError};
use crate::atomic_file;
use crate::outcome::{Failure, Outcome};
use crate::source::Source;

/// A text, and the encoding of its file.
pub(crate) struct TextFile {
    pub(crate) source: Source,
    pub(crate) encoding: Encoding,
}

/// Reads a file; `-` is standard input.
pub(crate) fn read(path: &Path) -> Result<TextFile, Failure> {
    let is_standard = file_bytes::is_standard_input(path);
    let name = if is_standard { "<stdin>".to_owned() } else { path.display().to_string() };
    let no_text = |reason: String| Failure::Stopped(Outcome::BadInput, format!("{name} {reason}"));
    let bytes = file_bytes::read(path).map_err(|error| match error {
        ReadError::Io(error) => Failure::unreadable_file(path, &error),
        ReadError::NotText(reason) => no_text(reason),
    })?;
    let DecodedText { text, encoding, complaint } = encoding::decode(bytes).map_err(no_text)?;
    if let Some(complaint) = complaint {
        anstream::eprintln!("warning: {name} {complaint}");
    }
    Ok(TextFile { source: Source::new(name, text), encoding })
}

/// Replaces the content of a file.
pub(crate) fn write(path: &Path, text: &str, encoding: Encoding) -> Result<(), Failure> {
    let bytes = encoding.encode(text).ok_or_else(|| {
        let message = format!("{} cannot be written in its encoding", path.display());
        Failure::Stopped(Outcome::EnvironmentFailed, message)
    })?;
    atomic_file::replace(path, &bytes).map_err(|error| Failure::unwritable_file(path, &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_keeps_its_encoding() {
        let path = std::env::temp_dir().join(format!("helenus-{}.cql", std::process::id()));
        for bytes in [b"-- caf\xE9\n".as_slice(), b"\xEF\xBB\xBFUSE a;\n", b"\xFF\xFEU\0"] {
            std::fs::write(&path, bytes).unwrap();
            let file = read(&path).unwrap();
            write(&path, &file.source.text, file.encoding).unwrap();
            assert_eq!(std::fs::read(&path).unwrap(), bytes);
        }
        std::fs::remove_file(&path).unwrap();
        assert!(matches!(read(&path), Err(Failure::Stopped(Outcome::EnvironmentFailed, _))));
    }
}
