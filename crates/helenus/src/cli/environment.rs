//! Environment variables of options: `HELENUS_PORT` for `--port`.

use clap::builder::BoolishValueParser;
use clap::{Arg, ArgAction, Command};

/// Gives every option of a command the variable of its name. The help describes the variables in
/// one sentence instead of repeating their names.
pub(super) fn add_variables(command: Command) -> Command {
    command.mut_args(|option| {
        let Some(variable) = option.get_long().map(variable_name) else { return option };
        let option = accept_boolean_words(option);
        option.env(variable).hide_env(true)
    })
}

/// The variable of an option.
fn variable_name(option: &str) -> String {
    format!("HELENUS_{}", option.replace('-', "_").to_ascii_uppercase())
}

/// A flag has no value on the command line, but its variable has: `1` and `yes` count as well.
fn accept_boolean_words(option: Arg) -> Arg {
    match option.get_action() {
        ArgAction::SetTrue => option.value_parser(BoolishValueParser::new()),
        _ => option,
    }
}

#[cfg(test)]
mod tests {
    use super::variable_name;

    #[test]
    fn variables_have_the_names_of_their_options() {
        assert_eq!(variable_name("port"), "HELENUS_PORT");
        assert_eq!(variable_name("max-connections"), "HELENUS_MAX_CONNECTIONS");
    }
}
