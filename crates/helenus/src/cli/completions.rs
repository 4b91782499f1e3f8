//! `helenus completions`: completion scripts for shells, generated from the command line's
//! definition.

use std::io::Write;

use clap::CommandFactory;
use clap_complete::Shell;

use super::Arguments;
use crate::outcome::{Failure, Outcome};

const EXAMPLES: &str = "\
Examples:
  helenus completions bash > ~/.local/share/bash-completion/completions/helenus
  helenus completions zsh > ~/.zfunc/_helenus              # ~/.zfunc must be in fpath
  helenus completions fish > ~/.config/fish/completions/helenus.fish
  helenus completions powershell >> $PROFILE
  helenus completions elvish >> ~/.config/elvish/rc.elv

The script completes commands, options and their values. Start a new shell to use it.";

/// Print the completion script for a shell
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CompletionsArguments {
    /// Shell to print the script for
    shell: Shell,
}

impl CompletionsArguments {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<Outcome, Failure> {
        // Generated into memory, because the generator panics if its output is closed (`| head`).
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Arguments::command(), "helenus", &mut script);
        out.write_all(&script)?;
        Ok(Outcome::Fine)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shell_has_a_script() {
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::PowerShell, Shell::Elvish] {
            let mut script = Vec::new();
            let outcome = CompletionsArguments { shell }.run(&mut script);
            assert_eq!(outcome.ok(), Some(Outcome::Fine), "{shell}");
            let script = String::from_utf8(script).unwrap();
            assert!(script.contains("estimate") && script.contains("min-severity"), "{shell}");
        }
    }
}
