//! What a proof through code has to know about the writes of a design.

use std::collections::{BTreeMap, BTreeSet};

use codegen::program::{AccessProgram, Command, CommandStep, Send};

/// What is known about a write.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct CommandFacts {
    /// The tables that it writes.
    pub(super) tables: BTreeSet<String>,
    /// Whether it may be repeated where its fate is unknown.
    pub(super) is_repeatable: bool,
    /// Whether it only inserts rows, so that it has no reason to write a tombstone.
    pub(super) only_inserts: bool,
}

impl CommandFacts {
    /// The facts of every write, by its name.
    pub(super) fn collect(program: &AccessProgram) -> BTreeMap<String, Self> {
        let stated = program.commands.iter().filter(|command| !command.derived);
        stated.map(|command| (command.name.clone(), Self::new(program, command))).collect()
    }

    fn new(program: &AccessProgram, command: &Command) -> Self {
        let mut sends = Vec::new();
        let mut visited = BTreeSet::new();
        collect_sends(program, command, &mut visited, &mut sends);
        Self {
            tables: sends.iter().map(|send| send.statement.table.clone()).collect(),
            is_repeatable: command.idempotent,
            only_inserts: sends.iter().all(|send| is_insert(&send.statement.cql)),
        }
    }
}

fn is_insert(cql: &str) -> bool {
    let statements = cql::parse(cql).statements;
    statements.iter().all(|statement| matches!(statement.kind, cql::StatementKind::Insert(_)))
}

/// The statements that a command sends, with those of the commands that it runs.
fn collect_sends<'p>(
    program: &'p AccessProgram,
    command: &'p Command,
    visited: &mut BTreeSet<&'p str>,
    sends: &mut Vec<&'p Send>,
) {
    if !visited.insert(&command.name) {
        return;
    }
    for step in &command.steps {
        match step {
            CommandStep::Read(_) => {}
            CommandStep::Batch { sends: all, .. } => sends.extend(all),
            CommandStep::Send(send) => sends.push(send),
            CommandStep::Run(run) => {
                if let Some(command) = program.commands.get(run.command) {
                    collect_sends(program, command, visited, sends);
                }
            }
        }
    }
}
