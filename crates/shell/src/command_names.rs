//! The names of the shell's commands.

/// The commands. DESCRIBE is not one: it is a statement of the server. All but COPY end at the end
/// of the line.
pub(super) const COMMANDS: [&str; 19] = [
    "HELP",
    "?",
    "CONSISTENCY",
    "SERIAL",
    "SHOW",
    "SOURCE",
    "CAPTURE",
    "LOGIN",
    "TRACING",
    "EXPAND",
    "PAGING",
    "EXIT",
    "QUIT",
    "CLEAR",
    "CLS",
    "HISTORY",
    COPY,
    "DEBUG",
    "ELAPSED",
];
pub(super) const COPY: &str = "COPY";
