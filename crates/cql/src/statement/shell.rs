//! cqlsh commands in scripts: recognised, but not sent to the server.

/// A cqlsh command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShellCommand {
    /// The command word in capitals, such as `CONSISTENCY`.
    pub word: &'static str,
    /// The rest of the command, without the semicolon.
    pub rest: Box<str>,
}
