//! `helenus generate`: the data-access code of a design, in the language of the application.

use std::io::Write;
use std::path::{Path, PathBuf};

use codegen::program::AccessProgram;
use codegen::{GeneratedCode, GenerationOptions, Language};

use super::design_settings::DesignSettings;
use crate::access_program;
use crate::code_difference;
use crate::named_statements;
use crate::outcome::{Failure, Outcome};
use crate::output_folder;
use crate::package_folder;
use crate::proof::CodeLanguage;
use crate::render::DiagnosticFormat;
use crate::render::findings::pluralise;
use crate::workspace::model_file;

const EXAMPLES: &str = "\
Examples:
  helenus generate examples/killrvideo.sql --lang python -o killrvideo-python
  helenus generate examples/killrvideo.sql --lang java --package com.example.killrvideo -o access
  helenus generate design/design.json --lang go -o access
  helenus generate --schema schema.cql --queries queries.cql --lang typescript -o access
  helenus generate examples/killrvideo.sql --lang rust -o access --check
  helenus generate examples/killrvideo.sql --lang rust -o access --diff

A design.json is what `helenus design -o` wrote: the code follows the reviewed design, whatever a
later version would design. In a file of queries, each statement is named by a comment above it:
  -- name: UserByEmail :one
  SELECT userid, firstname FROM users_by_email WHERE email = ?;

Exit code: 0 success, 1 a query or write is refused by the design, or with --check or --diff the
files differ, 2 invalid input, 3 a file cannot be read or written.";

/// Generate typed data-access code for the queries and writes of a model
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(crate) struct GenerateArguments {
    /// Model files or directories of them, or one design.json; `-` reads a model file from standard
    /// input
    #[arg(value_name = "FILE", required_unless_present = "schema")]
    files: Vec<PathBuf>,
    /// Language of the code
    #[arg(long, value_enum, value_name = "LANGUAGE")]
    lang: CodeLanguage,
    /// Directory for the package; its files are replaced
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// Name of the package [default: the name of the keyspace]
    #[arg(long, value_name = "NAME")]
    package: Option<String>,
    /// A schema that was not designed here; with --queries
    #[arg(long, value_name = "FILE", conflicts_with = "files", requires = "queries")]
    schema: Option<PathBuf>,
    /// Named CQL statements on the schema
    #[arg(long, value_name = "FILE", requires = "schema")]
    queries: Option<PathBuf>,
    /// Write nothing: exit with 1 if the files in the directory are not those that would be written
    #[arg(long)]
    check: bool,
    /// Write nothing: print how the files in the directory would change
    #[arg(long, conflicts_with = "check")]
    diff: bool,
    /// Also write the program that runs the operations of a proof
    #[arg(long, hide = true)]
    proof_driver: bool,
    /// Apply the mapping rules only: one table per query, without sharing tables
    #[arg(long)]
    rules_only: bool,
    #[command(flatten)]
    settings: DesignSettings,
}

impl GenerateArguments {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<Outcome, Failure> {
        self.check_package_name()?;
        let Some((program, refused)) = self.program(out)? else { return Ok(Outcome::BadInput) };
        let options = GenerationOptions {
            package: self.package.clone(),
            design_hash: access_program::hash(&program)?,
            with_proof_driver: self.proof_driver,
        };
        let code = codegen::generate(self.lang.into(), &program, &options).map_err(|error| {
            let message = format!("{error}; {}", error.help);
            Failure::Stopped(Outcome::BadInput, message)
        })?;
        let outcome = if refused.is_empty() { Outcome::Fine } else { Outcome::Findings };
        for name in &refused {
            anstream::eprintln!(
                "warning: {name} is refused by the design and left out; `helenus design` says why"
            );
        }
        if self.check || self.diff {
            return self.compare(&code, out).map(|found| found.max(outcome));
        }
        package_folder::refuse_foreign_files(&self.output, &code)?;
        write_files(&self.output, &code)?;
        self.report(&program, &code, out)?;
        for name in package_folder::list_leftovers(&self.output, &code) {
            anstream::eprintln!(
                "warning: {} is not generated any more: delete it",
                self.output.join(name).display()
            );
        }
        Ok(outcome)
    }

    /// Names are changed to what the language allows, but something must remain of them.
    fn check_package_name(&self) -> Result<(), Failure> {
        let is_usable = |name: &String| name.contains(|it: char| it.is_ascii_alphanumeric());
        match self.package.as_ref().filter(|name| !is_usable(name)) {
            None => Ok(()),
            Some(name) => {
                let message =
                    format!("the package name `{name}` has no letter: write --package my_app");
                Err(Failure::Stopped(Outcome::BadInput, message))
            }
        }
    }

    /// The program, and the names of what the design refuses; `None` where the input is invalid and
    /// was reported.
    fn program(
        &self,
        out: &mut dyn Write,
    ) -> Result<Option<(AccessProgram, Vec<String>)>, Failure> {
        if let (Some(schema), Some(queries)) = (&self.schema, &self.queries) {
            return named_statements::read(schema, queries, out)
                .map(|program| program.map(|program| (program, Vec::new())));
        }
        let is_design = |file: &&PathBuf| file.extension().is_some_and(|it| it == "json");
        if let Some(file) = self.files.iter().find(is_design) {
            if self.files.len() > 1 {
                let message = format!("{} is a design: name no other file", file.display());
                return Err(Failure::Stopped(Outcome::BadInput, message));
            }
            return access_program::read_design(file).map(|program| Some((program, Vec::new())));
        }
        let sources = model_file::read_sources(&self.files, self.settings.stats.as_deref())?;
        let Some(file) = model_file::read(&sources, DiagnosticFormat::from_json_flag(false), out)?
        else {
            return Ok(None);
        };
        let options = design::Options { rules_only: self.rules_only, ..self.settings.options() };
        let design = design::design(&file.concept, &file.workload, &options);
        Ok(Some(access_program::from_design(&file, &design, &self.source_name())))
    }

    fn source_name(&self) -> String {
        let name = |path: &PathBuf| {
            path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
        };
        self.files.iter().map(name).collect::<Vec<_>>().join(", ")
    }

    /// Compares the code with the files that are there.
    fn compare(&self, code: &GeneratedCode, out: &mut dyn Write) -> Result<Outcome, Failure> {
        let changes = code_difference::find_changes(&self.output, code)?;
        for change in &changes {
            if self.diff {
                change.write_diff(out)?;
            } else {
                writeln!(out, "{}", change.summary())?;
            }
        }
        let leftovers = package_folder::list_leftovers(&self.output, code);
        for name in &leftovers {
            writeln!(out, "left over: {name}")?;
        }
        if changes.is_empty() && leftovers.is_empty() {
            writeln!(out, "{}: up to date ({} files)", self.output.display(), code.files.len())?;
            return Ok(Outcome::Fine);
        }
        if self.check && !changes.is_empty() {
            writeln!(
                out,
                "{} of {} files differ: run `helenus generate` again without --check",
                changes.len(),
                code.files.len()
            )?;
        }
        if !leftovers.is_empty() {
            let files = pluralise(leftovers.len(), "file");
            writeln!(out, "{files} left over: not generated any more; delete what you do not use")?;
        }
        Ok(Outcome::Findings)
    }

    /// What was written.
    fn report(
        &self,
        program: &AccessProgram,
        code: &GeneratedCode,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let writes = program.commands.iter().filter(|command| !command.derived).count();
        writeln!(
            out,
            "{}: {}, {} and {} in {}",
            self.output.display(),
            pluralise(code.files.len(), "file"),
            pluralise(program.queries.len(), "query").replace("querys", "queries"),
            pluralise(writes, "write"),
            Language::from(self.lang),
        )?;
        for file in &code.files {
            writeln!(out, "  {}", file.path)?;
        }
        for renaming in &code.renamings {
            writeln!(out, "renamed: {} is {}, not {}", renaming.of, renaming.used, renaming.usual)?;
        }
        Ok(())
    }
}

/// Writes the files of a package: all of them, or none.
pub(crate) fn write_files(folder: &Path, code: &GeneratedCode) -> Result<(), Failure> {
    let files: Vec<(&str, String)> =
        code.files.iter().map(|file| (file.path.as_str(), file.text.clone())).collect();
    output_folder::write(folder, &files)
}
