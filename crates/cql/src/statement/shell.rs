//! Commands of cqlsh that stand in scripts: recognised, never sent to the server.

/// A cqlsh command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShellCommand {
    /// The command word in capitals, such as `CONSISTENCY`.
    pub word: &'static str,
    /// The rest of it, as written, without the semicolon.
    pub rest: Box<str>,
}
