//! Reads a dump of a database without its data, so that dumps of any size can be read.

use std::io::{self, Read};
use std::path::Path;

use model::sql::{DataFilter, RemovedData};

use super::encoding;
use crate::outcome::{Failure, Outcome};
use crate::source::Source;

/// The first bytes, which show the kind of a file and its dialect.
const BEGINNING_BYTES: u64 = 1 << 16;
/// The bytes that are read at once.
const CHUNK_BYTES: u64 = 1 << 20;
/// The most bytes of a dump in UTF-16, which is decoded as a whole.
const WIDE_BYTES_MAX: u64 = 256 << 20;

/// Signs of files that contain a dump in another form, with what to do about it.
const FORMATS: [(&[u8], &str); 4] = [
    (b"PGDMP", "is a dump in pg_dump's custom format: run pg_restore --schema-only --file=- on it"),
    (b"\x1f\x8b", "is compressed: decompress it, as in zcat dump.sql.gz | helenus init -"),
    (b"BZh", "is compressed: decompress it, as in bzcat dump.sql.bz2 | helenus init -"),
    (
        b"\x28\xb5\x2f\xfd",
        "is compressed: decompress it, as in zstdcat dump.sql.zst | helenus init -",
    ),
];

/// Reads a dump; `-` is standard input.
pub(crate) fn read(path: &Path) -> Result<(Source, RemovedData), Failure> {
    if path == Path::new("-") {
        return read_from(io::stdin().lock(), path, "<stdin>");
    }
    let name = path.display().to_string();
    let file = regular_file::open(path).map_err(|error| Failure::unreadable_file(path, &error))?;
    read_from(file, path, &name)
}

fn read_from(
    mut input: impl Read,
    path: &Path,
    name: &str,
) -> Result<(Source, RemovedData), Failure> {
    let stopped = |reason: &str| Failure::Stopped(Outcome::BadInput, format!("{name} {reason}"));
    let mut read = |length: u64, bytes: &mut Vec<u8>| {
        bytes.clear();
        let read = input.by_ref().take(length).read_to_end(bytes);
        read.map_err(|error| Failure::unreadable_file(path, &error))
    };
    let mut bytes = Vec::new();
    read(BEGINNING_BYTES, &mut bytes)?;
    if let Some((_, what)) = FORMATS.iter().find(|(sign, _)| bytes.starts_with(sign)) {
        return Err(stopped(what));
    }
    encoding::check_text(&bytes).map_err(|reason| stopped(&reason))?;
    if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) {
        let mut rest = Vec::new();
        read(WIDE_BYTES_MAX, &mut rest)?;
        bytes.extend(rest);
        let decoded = encoding::decode(bytes).map_err(|reason| stopped(&reason))?;
        bytes = decoded.text.into_bytes();
    }
    let mut filter = DataFilter::new(&bytes);
    loop {
        filter.push(&bytes);
        if filter.is_too_large() {
            return Err(stopped("has a schema of more than 16 MB: dump a part of it"));
        }
        if read(CHUNK_BYTES, &mut bytes)? == 0 {
            break;
        }
    }
    let (schema, removed) = filter.finish();
    let decoded = encoding::decode(schema).map_err(|reason| stopped(&reason))?;
    if let Some(complaint) = decoded.complaint {
        anstream::eprintln!("warning: {name} {complaint}");
    }
    Ok((Source::new(name, decoded.text), removed))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Result<(String, RemovedData), String> {
        match read_from(bytes, Path::new("x"), "x") {
            Ok((source, removed)) => Ok((source.text, removed)),
            Err(Failure::Stopped(_, message)) => Err(message),
            Err(Failure::ReaderGone) => Err(String::new()),
        }
    }

    #[test]
    fn data_of_any_size_is_removed() {
        let rows = "1\tx\n".repeat(1 << 20);
        let dump = format!("CREATE TABLE a (b int);\nCOPY a (b) FROM stdin;\n{rows}\\.\n");
        let (text, removed) = read(dump.as_bytes()).unwrap();
        assert_eq!(text, "CREATE TABLE a (b int);\n\n");
        assert_eq!(removed, RemovedData { rows: 1 << 20, inserts: 0 });
    }

    #[test]
    fn other_encodings_and_formats() {
        let wide: Vec<u8> = "\u{feff}INSERT INTO a VALUES (1);\nSELECT 'é';"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        assert_eq!(read(&wide).unwrap().0.trim(), "SELECT 'é';");
        assert_eq!(read(b"SELECT 'caf\xE9';").unwrap().0, "SELECT 'café';");
        for (bytes, part) in [
            (b"PGDMP\x01\x0e".as_slice(), "pg_restore"),
            (b"\x1f\x8b\x08", "zcat"),
            (b"a\0b\0\0\0\0\0\0", "is a binary file"),
        ] {
            let message = read(bytes).unwrap_err();
            assert!(message.contains(part), "{message}");
        }
        let large = read(&b"CREATE TABLE a (b int);\n".repeat(1 << 20)).unwrap_err();
        assert!(large.contains("more than 16 MB"), "{large}");
    }
}
