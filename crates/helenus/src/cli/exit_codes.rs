//! The exit codes of all commands, as `helenus --help` shows them.

/// The table; docs/OUTPUT.md has the same.
pub(super) const TABLE: &str = "\
Exit codes of all commands:
  0  done, and nothing was found
  1  something was found: findings of check, explain or doctor, a refused query or a failed proof of
     design, a limit exceeded in estimate, a statement that failed in run or shell, a difference
     in fmt --check, generate --check, check --diff, doctor diff or verify-copies
  2  the input or the command line is invalid, or a path names a directory, a pipe or a device where
     a file is wanted
  3  the environment failed: a file is missing or cannot be read or written, the network, a server

Results are written to standard output, diagnostics and progress to standard error.";
