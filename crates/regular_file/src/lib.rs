//! Opens, reads and creates files that users name. Only regular files are read: a pipe may never begin, a
//! device may never end, and either would hang or exhaust the program. Nor is anything else replaced: a
//! file that is renamed over a device takes its place. What is written bit by bit may go to a device,
//! such as `/dev/null`, but not to a pipe: without a reader, it hangs.
//!
//! The one place that decides this, for the command line, the shell and cluster connections.

#![expect(clippy::disallowed_methods, reason = "this is where files that users name are opened")]

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// The most bytes that are read into memory: no settings, certificate or design is nearly as large.
const BYTES_MAX: u64 = 1 << 30;

/// Opens a regular file for reading.
pub fn open(path: &Path) -> io::Result<File> {
    check(&fs::metadata(path)?)?;
    let file = File::open(path)?;
    // Another may have taken its place since.
    check(&file.metadata()?)?;
    Ok(file)
}

/// Reads a regular file.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    let too_large = || io::Error::new(ErrorKind::FileTooLarge, "it is larger than 1 GiB");
    if file.metadata()?.len() > BYTES_MAX {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    // It may grow while it is read, and the files of /proc state no length.
    file.take(BYTES_MAX + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > BYTES_MAX { Err(too_large()) } else { Ok(bytes) }
}

/// Reads a regular file that is UTF-8.
pub fn read_to_string(path: &Path) -> io::Result<String> {
    String::from_utf8(read(path)?)
        .map_err(|_| io::Error::new(ErrorKind::InvalidData, "it is not UTF-8"))
}

/// Fails if a path names something that a file must not replace. What does not exist yet can be created.
pub fn check_output(path: &Path) -> io::Result<()> {
    fs::metadata(path).map_or(Ok(()), |metadata| check(&metadata))
}

/// Fails if a path names something other than a folder. What does not exist yet can be created.
pub fn check_folder(path: &Path) -> io::Result<()> {
    let Ok(metadata) = fs::metadata(path) else { return Ok(()) };
    if metadata.is_dir() {
        return Ok(());
    }
    let kind = if metadata.is_file() { "a file" } else { describe_kind(&metadata) };
    Err(io::Error::new(ErrorKind::InvalidInput, format!("it is {kind}, not a directory")))
}

/// Creates a file for writing, or empties a regular one, or opens a device.
pub fn create(path: &Path) -> io::Result<File> {
    check_stream(path)?;
    File::create(path)
}

/// Opens a regular file or a device to append to it, creating a file if needed.
pub fn append(path: &Path) -> io::Result<File> {
    check_stream(path)?;
    OpenOptions::new().append(true).create(true).open(path)
}

/// Fails if a path names something that cannot be written bit by bit.
fn check_stream(path: &Path) -> io::Result<()> {
    fs::metadata(path).map_or(
        Ok(()),
        |metadata| {
            if is_device(&metadata) { Ok(()) } else { check(&metadata) }
        },
    )
}

#[cfg(unix)]
fn is_device(metadata: &Metadata) -> bool {
    std::os::unix::fs::FileTypeExt::is_char_device(&metadata.file_type())
}

#[cfg(not(unix))]
fn is_device(_: &Metadata) -> bool {
    false
}

/// Fails unless this describes a regular file.
pub fn check(metadata: &Metadata) -> io::Result<()> {
    if metadata.is_file() {
        return Ok(());
    }
    if metadata.is_dir() {
        return Err(io::Error::new(ErrorKind::IsADirectory, "it is a directory, not a file"));
    }
    let message = format!("it is {}, not a regular file", describe_kind(metadata));
    Err(io::Error::new(ErrorKind::InvalidInput, message))
}

/// Whether an error says that what a path names is no file of the wanted kind, so that another path has
/// to be given; else the system failed.
pub fn is_wrong_kind(error: &io::Error) -> bool {
    let kinds = [
        ErrorKind::IsADirectory,
        ErrorKind::InvalidInput,
        ErrorKind::FileTooLarge,
        ErrorKind::InvalidData,
    ];
    kinds.contains(&error.kind())
}

#[cfg(unix)]
fn describe_kind(metadata: &Metadata) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    let kind = metadata.file_type();
    if kind.is_fifo() {
        "a pipe"
    } else if kind.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}

#[cfg(not(unix))]
fn describe_kind(_: &Metadata) -> &'static str {
    "a device"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regular_files_are_read() {
        let path = std::env::temp_dir().join(format!("helenus-regular-{}", std::process::id()));
        fs::write(&path, "text").unwrap();
        assert_eq!(read_to_string(&path).unwrap(), "text");
        fs::write(&path, b"\xff").unwrap();
        assert_eq!(read(&path).unwrap(), b"\xff");
        assert!(is_wrong_kind(&read_to_string(&path).unwrap_err()));
        fs::remove_file(&path).unwrap();
        let missing = read(&path).unwrap_err();
        assert!(missing.kind() == ErrorKind::NotFound && !is_wrong_kind(&missing));
    }

    #[cfg(unix)]
    #[test]
    fn anything_else_is_refused_before_it_is_opened() {
        for (path, kind) in
            [("/dev/zero", "a device"), ("/dev/null", "a device"), ("/", "a directory")]
        {
            let error = read(Path::new(path)).unwrap_err();
            assert!(is_wrong_kind(&error) && error.to_string().contains(kind), "{path}: {error}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn nothing_but_files_is_replaced() {
        for path in ["/dev/null", "/"] {
            assert!(is_wrong_kind(&check_output(Path::new(path)).unwrap_err()));
        }
        assert!(is_wrong_kind(&create(Path::new("/")).unwrap_err()));
        assert!(is_wrong_kind(&append(Path::new("/")).unwrap_err()));
        create(Path::new("/dev/null")).unwrap();
        append(Path::new("/dev/null")).unwrap();
        assert!(is_wrong_kind(&check_folder(Path::new("/dev/null")).unwrap_err()));
        check_folder(Path::new("/")).unwrap();
        check_output(Path::new("/no/such/file")).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn sparse_files_are_not_read_into_memory() {
        let path = std::env::temp_dir().join(format!("helenus-sparse-{}", std::process::id()));
        File::create(&path).unwrap().set_len(1 << 40).unwrap();
        let error = read(&path).unwrap_err();
        fs::remove_file(&path).unwrap();
        assert_eq!(error.kind(), ErrorKind::FileTooLarge);
    }
}
