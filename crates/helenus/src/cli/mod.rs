//! The command line: one file per command, with its arguments, its help text and a short `run`.
//!
//! `design_settings` are the options that several commands share; `option_values` parses values,
//! `environment` reads options from variables, and
//! `model_codes` are the codes that `rule` and `rules` explain beside the rules of `check`.

mod check;
mod cluster_arguments;
mod completions;
mod design;
mod design_settings;
mod diagram;
mod doctor;
mod environment;
mod estimate;
mod exit_codes;
mod explain;
mod fmt;
mod generate;
mod help;
mod init;
mod lsp;
mod man;
mod mcp;
mod model_codes;
mod option_values;
mod rule;
mod rules;
mod run;
mod serve;
mod shell;
mod stats;
mod verify_copies;

use std::io::Write;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::outcome::{Failure, Outcome};

/// Data modelling for Apache Cassandra: design tables, check schemas and statements, run CQL.
#[derive(Parser)]
#[command(name = "helenus", version, about, long_about = None, max_term_width = 100, disable_help_subcommand = true, after_help = exit_codes::TABLE)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    Check(check::CheckArguments),
    Design(Box<design::DesignArguments>),
    Diagram(diagram::DiagramArguments),
    Doctor(Box<doctor::DoctorArguments>),
    Estimate(estimate::EstimateArguments),
    Explain(explain::ExplainArguments),
    Fmt(fmt::FmtArguments),
    Generate(Box<generate::GenerateArguments>),
    Help(help::HelpArguments),
    Init(init::InitArguments),
    Lsp(lsp::LspArguments),
    Rule(rule::RuleArguments),
    Rules(rules::RulesArguments),
    Run(run::RunArguments),
    Serve(serve::ServeArguments),
    Shell(shell::ShellArguments),
    Stats(stats::StatsArguments),
    VerifyCopies(Box<verify_copies::VerifyCopiesArguments>),
    Completions(completions::CompletionsArguments),
    Man(man::ManArguments),
    Mcp(mcp::McpArguments),
}

/// Parses the arguments of the process, and the environment variables of `serve`; ends the process if
/// they are invalid.
pub(crate) fn parse_arguments() -> Arguments {
    let command = Arguments::command().mut_subcommand("serve", environment::add_variables);
    let mut matches = command.get_matches();
    Arguments::from_arg_matches_mut(&mut matches).unwrap_or_else(|error| error.exit())
}

/// Runs a command.
pub(crate) fn run(command: Command, out: &mut dyn Write) -> Result<Outcome, Failure> {
    match command {
        Command::Check(command) => command.run(out),
        Command::Design(command) => command.run(out),
        Command::Diagram(command) => command.run(out),
        Command::Doctor(command) => command.run(out),
        Command::Estimate(command) => command.run(out),
        Command::Explain(command) => command.run(out),
        Command::Fmt(command) => command.run(out),
        Command::Generate(command) => command.run(out),
        Command::Help(command) => command.run(out),
        Command::Init(command) => command.run(out),
        Command::Lsp(command) => command.run(out),
        Command::Rule(command) => command.run(out),
        Command::Rules(command) => command.run(out),
        Command::Run(command) => command.run(out),
        Command::Serve(command) => command.run(out),
        Command::Shell(command) => command.run(out),
        Command::Stats(command) => command.run(out),
        Command::VerifyCopies(command) => command.run(out),
        Command::Completions(command) => command.run(out),
        Command::Man(command) => command.run(out),
        Command::Mcp(command) => command.run(out),
    }
}
