//! `helenus init`: a starting model, from a dump or a sample.

use std::io::Write;
use std::path::{Path, PathBuf};

use model::sql::{SAMPLE_MODEL, StartingModel, write_starting_model};

use crate::atomic_file;
use crate::model_sources::ModelSources;
use crate::outcome::{Failure, Outcome};
use crate::render::findings::pluralise;
use crate::render::{self, DiagnosticFormat};
use crate::workspace::dump_file;

const EXAMPLES: &str = "\
Examples:
  helenus init > app.sql
  helenus init docs/tutorial/bookshop.sql
  helenus init dump.sql -o app.sql
  pg_dump --schema-only mydb | helenus init - -o mydb.sql

The model has the tables of the dump, a query for each key and reference, and comments with the
volumes that are assumed. Data in the dump is skipped. What a model cannot have is left as a
comment that says why.

Exit code: 0 success, 2 invalid input, or the file given by -o exists, 3 a file cannot be read or
written.";

/// The number of parts that could not be carried that are listed.
const REFUSED_SHOWN: usize = 10;

#[derive(clap::Args)]
#[command(
    about = "Write a starting model: from a dump of PostgreSQL (pg_dump) or MySQL, or a small sample",
    after_help = EXAMPLES
)]
pub(crate) struct InitArguments {
    /// A dump in plain SQL; `-` reads standard input; without it, a sample is written
    #[arg(value_name = "DUMP")]
    dump: Option<PathBuf>,
    /// Write the model to this file, which must not exist
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace the file given by -o
    #[arg(long, requires = "output")]
    force: bool,
}

impl InitArguments {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<Outcome, Failure> {
        if let Some(path) = self.output.as_deref().filter(|path| !self.force && path.exists()) {
            let message = format!(
                "{} exists: choose another name, or replace it with --force",
                path.display()
            );
            return Err(Failure::Stopped(Outcome::BadInput, message));
        }
        let Some(dump) = &self.dump else {
            return self.write_sample(out);
        };
        let (source, removed) = dump_file::read(dump)?;
        let name = self.model_name(dump);
        let mut sources = ModelSources::new(name);
        sources.add(source);
        match write_starting_model(&sources.text, &sources.name, removed) {
            Ok(model) => self.write_model(&model, out),
            Err(errors) => {
                let errors = sources.locate_diagnostics(errors);
                render::write_diagnostics(DiagnosticFormat::Text, &errors, out)?;
                Ok(Outcome::BadInput)
            }
        }
    }

    /// The name of the model: that of its file, or of the dump.
    fn model_name(&self, dump: &Path) -> String {
        let stem = |path: &Path| path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let name = stem(self.output.as_deref().unwrap_or(dump));
        name.filter(|name| name != "-").unwrap_or_else(|| "app".to_owned())
    }

    fn write_sample(&self, out: &mut dyn Write) -> Result<Outcome, Failure> {
        let Some(path) = &self.output else {
            out.write_all(SAMPLE_MODEL.as_bytes())?;
            return Ok(Outcome::Fine);
        };
        write_file(path, SAMPLE_MODEL)?;
        writeln!(out, "{}: a sample of 2 tables\nnext: helenus design {0}", path.display())?;
        Ok(Outcome::Fine)
    }

    fn write_model(&self, model: &StartingModel, out: &mut dyn Write) -> Result<Outcome, Failure> {
        let Some(path) = &self.output else {
            out.write_all(model.text.as_bytes())?;
            return Ok(Outcome::Fine);
        };
        write_file(path, &model.text)?;
        let path = path.display();
        let tables = pluralise(model.tables.len(), "table");
        let queries = match model.queries {
            1 => "1 query".to_owned(),
            number => format!("{number} queries"),
        };
        writeln!(out, "{path}: {tables}, {queries}")?;
        if !model.omitted.is_empty() {
            writeln!(out, "left out, without effect: {}", model.omitted.join(", "))?;
        }
        for (title, list) in
            [("left out", &model.notes), ("not carried, or changed", &model.refused)]
        {
            write_list(title, list, out)?;
        }
        writeln!(out, "next: helenus design {path}")?;
        Ok(Outcome::Fine)
    }
}

fn write_list(title: &str, list: &[String], out: &mut dyn Write) -> Result<(), Failure> {
    if list.is_empty() {
        return Ok(());
    }
    writeln!(out, "{title} (comments in the file):")?;
    for line in list.iter().take(REFUSED_SHOWN) {
        writeln!(out, "  {}", model::sql_name::comment_text(line))?;
    }
    if let Some(more) = list.len().checked_sub(REFUSED_SHOWN).filter(|more| *more > 0) {
        writeln!(out, "  and {more} more")?;
    }
    Ok(())
}

fn write_file(path: &Path, text: &str) -> Result<(), Failure> {
    atomic_file::replace(path, text.as_bytes())
        .map_err(|error| Failure::unwritable_file(path, &error))
}
