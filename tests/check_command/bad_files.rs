//! Files that are no text, or cannot be read: one diagnostic each, and the rest is checked.

use std::fs;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};
use std::time::Duration;

use super::{SHOP, TestFolder};

/// Bytes of a file, and what is said of it.
const ODD: [(&[u8], &str); 8] = [
    (b"\x7fELF\x02\x01\x01\0\0\0", "is a binary file"),
    (b"\x1f\x8b\x08\x01\x02\x03\x04\xff\xfe\x05\x06", "is a binary file"),
    (b"C\0R\0E\0A\0T\0E\0 \0T\0A\0B\0L\0E\0", "is UTF-16 without a byte order mark"),
    (b"\0C\0R\0E\0A\0T\0E\0 \0T\0A\0B\0L\0E", "is UTF-16 without a byte order mark"),
    (b"\xFF\xFEC\0R", "has a UTF-16 byte order mark but is not valid UTF-16"),
    (b"\xFE\xFF\0C\0", "has a UTF-16 byte order mark but is not valid UTF-16"),
    (b"-- caf\xE9\nUSE ks;", "is not valid UTF-8 (byte 0xE9 on line 1); read as Latin-1"),
    (b"USE ks; -- \xC3\x28", "is not valid UTF-8 (byte 0xC3 on line 1); read as Latin-1"),
];

#[test]
fn odd_bytes_are_told_once() {
    let folder = TestFolder::new("odd");
    folder.write("good.cql", SHOP);
    for (bytes, said) in ODD {
        folder.write("odd.cql", bytes);
        let (printed, code) = folder.check(&["."]);
        assert_eq!(printed.matches("odd.cql").count(), 1, "{printed}");
        assert!(printed.contains(&format!("odd.cql {said}")), "{printed}");
        assert_eq!(printed.matches("low[QP004]").count(), 1, "{printed}");
        let is_read = said.contains("Latin-1");
        assert_eq!(code, i32::from(!is_read), "{printed}");
        let (printed, code) = folder.check(&["odd.cql"]);
        assert_eq!(code, if is_read { 0 } else { 2 }, "{printed}");
    }
}

#[test]
fn wide_texts_are_read_and_fixed() {
    let folder = TestFolder::new("wide");
    let fixed = SHOP.replace(" ALLOW FILTERING", "");
    let low = |text: &str| -> Vec<u8> {
        let units = std::iter::once(0xFEFF).chain(text.encode_utf16());
        units.flat_map(|unit| [unit.to_be_bytes()[1], unit.to_be_bytes()[0]]).collect()
    };
    let high = |text: &str| -> Vec<u8> {
        std::iter::once(0xFEFF).chain(text.encode_utf16()).flat_map(u16::to_be_bytes).collect()
    };
    for encode in [&low as &dyn Fn(&str) -> Vec<u8>, &high] {
        folder.write("wide.cql", encode(SHOP));
        let (printed, code) = folder.check(&["--fix", "wide.cql"]);
        assert_eq!(code, 0, "{printed}");
        assert_eq!(fs::read(folder.0.join("wide.cql")).unwrap(), encode(&fixed));
    }
}

#[test]
fn links_are_followed_once() {
    let folder = TestFolder::new("links");
    folder.write("db/shop.cql", SHOP);
    let link = |to: &str, name: &str| symlink(to, folder.0.join(name)).unwrap();
    link("..", "db/up");
    link("nowhere", "db/gone.cql");
    link("round.cql", "db/turn.cql");
    link("turn.cql", "db/round.cql");
    // Other ways to what is read already.
    link("shop.cql", "db/same.cql");
    link(".", "here");
    let (printed, code) = folder.check(&["db", "here/db/shop.cql"]);
    assert_eq!(code, 3, "{printed}");
    assert_eq!(printed.matches("links to a directory that contains it").count(), 1, "{printed}");
    for name in ["gone", "turn", "round"] {
        let said = format!("db/{name}.cql cannot be read");
        assert_eq!(printed.matches(&said).count(), 1, "{printed}");
    }
    assert_eq!(printed.matches("low[QP004]").count(), 1, "{printed}");
    assert!(!printed.contains("error["), "created twice: {printed}");
}

/// Twelve folders with links to each other: as many ways as there are orders of them.
#[test]
fn folders_that_lead_to_each_other_are_entered_once() {
    let folder = TestFolder::new("maze");
    for one in 0..12 {
        folder.write(
            &format!("db/{one}/t{one}.cql"),
            format!("CREATE TABLE t{one} (a int PRIMARY KEY);"),
        );
        for other in (0..12).filter(|other| *other != one) {
            symlink(format!("../{other}"), folder.0.join(format!("db/{one}/to{other}"))).unwrap();
        }
    }
    let (printed, code) = folder.check(&["db"]);
    assert_eq!(code, 0, "{printed}");
    assert!(printed.starts_with("12 statements"), "{printed}");
}

#[test]
fn what_is_no_file_is_told() {
    let folder = TestFolder::new("things");
    folder.write("db/shop.cql", SHOP);
    fs::create_dir_all(folder.0.join("db/folder.cql")).unwrap();
    assert!(Command::new("mkfifo").arg(folder.0.join("db/pipe.cql")).status().unwrap().success());
    let socket = folder.0.join("db/socket.cql");
    let listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    let (printed, code) = folder.check(&["db"]);
    assert_eq!(code, 1, "{printed}");
    assert_eq!(printed.matches("db/pipe.cql is not a regular file").count(), 1, "{printed}");
    assert_eq!(printed.matches("db/socket.cql is not a regular file").count(), 1, "{printed}");
    assert!(!printed.contains("folder.cql"), "an empty folder in a folder is nothing: {printed}");
    let (printed, code) = folder.check(&["db/socket.cql"]);
    assert_eq!(code, 2, "{printed}");
    assert_eq!(printed.matches("socket.cql cannot be read").count(), 1, "{printed}");
    let (printed, code) = folder.check(&["db/folder.cql"]);
    assert_eq!(code, 2, "{printed}");
    assert!(printed.contains("db/folder.cql contains no .cql file"), "{printed}");
    drop(listener);
}

/// Files of the system that end in an error, or never.
#[cfg(target_os = "linux")]
#[test]
fn files_that_cannot_be_read_to_their_end() {
    let folder = TestFolder::new("system");
    folder.write("shop.cql", SHOP);
    for (path, said, codes) in [
        ("/proc/self/mem", "cannot be read: ", [3, 3]),
        ("/dev/zero", "cannot be read: it is a device", [1, 2]),
    ] {
        let (printed, code) = folder.check(&[path, "shop.cql"]);
        assert_eq!(code, codes[0], "{printed}");
        assert_eq!(printed.matches(&format!("{path} {said}")).count(), 1, "{printed}");
        let (printed, code) = folder.check(&[path]);
        assert_eq!(code, codes[1], "{printed}");
    }
}

#[test]
fn empty_files_and_folders() {
    let folder = TestFolder::new("empty");
    folder.write("empty.cql", "");
    folder.write("blank.cql", "\n\n-- nothing yet\n");
    let (printed, code) = folder.check(&["."]);
    assert_eq!(code, 0, "{printed}");
    fs::create_dir_all(folder.0.join("nothing/here")).unwrap();
    let (printed, code) = folder.check(&["nothing"]);
    assert_eq!(code, 2, "{printed}");
    assert_eq!(printed.matches("nothing contains no .cql file").count(), 1, "{printed}");
    let (printed, code) = folder.check(&["no-such-file.cql"]);
    assert_eq!(code, 3, "{printed}");
    assert_eq!(printed.matches("no-such-file.cql cannot be read").count(), 1, "{printed}");
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_no_utf_8() {
    let folder = TestFolder::new("names");
    let name = std::ffi::OsStr::from_bytes(b"sch\xE9ma.cql");
    fs::write(folder.0.join(name), SHOP).unwrap();
    let (printed, code) = folder.check(&["--fix", "."]);
    assert_eq!(code, 0, "{printed}");
    assert!(printed.contains("1 fixed"), "{printed}");
    let left = fs::read_to_string(folder.0.join(name)).unwrap();
    assert_eq!(left, SHOP.replace(" ALLOW FILTERING", ""));
}

/// What others write while a check runs is not written over. The check waits for standard input, so that there is
/// time.
#[test]
fn files_that_change_meanwhile_are_left_alone() {
    let folder = TestFolder::new("meanwhile");
    folder.write("shop.cql", SHOP);
    let mut command = folder.command(&["--fix", "shop.cql", "-"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    std::thread::sleep(Duration::from_millis(500));
    folder.write("shop.cql", format!("{SHOP}-- more\n"));
    input.write_all(b"USE ks;").unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert_eq!(
        printed.matches("changed while it was being checked; not written").count(),
        1,
        "{printed}"
    );
    assert_eq!(output.status.code(), Some(1), "{printed}");
    assert_eq!(folder.read("shop.cql"), format!("{SHOP}-- more\n"));
}

/// Lines of a comment, a literal, a list, brackets and statements: what is printed of them is short.
#[test]
fn long_lines() {
    let folder = TestFolder::new("long");
    let many = 1 << 18;
    let statements = SHOP.lines().last().unwrap().repeat(many / 60);
    for text in [
        format!("{}-- {}", SHOP, "x".repeat(many)),
        format!("{}INSERT INTO orders (customer) VALUES ('{}');", SHOP, "x".repeat(many)),
        format!("{}SELECT id FROM orders WHERE customer IN ({}?);", SHOP, "?, ".repeat(many / 3)),
        format!("{}{}", SHOP.replace('\n', " "), "(".repeat(many)),
        format!("{}{statements}", SHOP.replace('\n', " ")),
    ] {
        folder.write("long.cql", &text);
        let (printed, code) = folder.check(&["--fail-on", "info", "long.cql"]);
        assert_eq!(code, 1, "{}", printed.len());
        let longest = printed.lines().map(|line| line.chars().count()).max().unwrap_or_default();
        assert!(longest < 4_000, "a line of {longest} characters");
    }
}

/// A line that no server would take is told, and not read to its end.
#[test]
fn lines_that_are_too_long() {
    let folder = TestFolder::new("too-long");
    folder.write("good.cql", SHOP);
    folder.write("long.cql", format!("-- {}", "x".repeat((16 << 20) + 1)));
    let (printed, code) = folder.check(&["."]);
    assert_eq!(code, 1, "{printed}");
    assert_eq!(printed.matches("long.cql has a line of more than 16 MiB").count(), 1, "{printed}");
    assert_eq!(printed.matches("low[QP004]").count(), 1, "{printed}");
    let (printed, code) = folder.check(&["long.cql"]);
    assert_eq!(code, 2, "{printed}");
}
