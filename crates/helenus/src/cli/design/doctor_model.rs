//! `helenus design --from-doctor`: a model file drafted from what was collected from a cluster.

use std::io::Write;
use std::path::{Path, PathBuf};

use doctor::model_draft::ModelDraft;

use super::super::doctor::{read_paths, read_report};
use crate::model_sources::ModelSources;
use crate::outcome::{Failure, Outcome};
use crate::source::Source;

/// The name of the file in the output folder.
const FILE: &str = "model.sql";

/// Where the model is drafted from.
#[derive(clap::Args)]
pub(super) struct DoctorModelArguments {
    /// Draft the model from what was collected from a cluster, and design it: a folder as for
    /// `helenus doctor`, or a report stored by `helenus doctor --json`
    #[arg(long, value_name = "PATH", conflicts_with_all = ["files", "calibrate", "stats"])]
    from_doctor: Option<PathBuf>,
    /// With --from-doctor, the keyspace to draft [default: the one with most statements]
    #[arg(long, value_name = "NAME", requires = "from_doctor")]
    keyspace: Option<String>,
}

/// A drafted model file.
pub(super) struct DoctorModel {
    /// Its text.
    pub(super) text: String,
}

impl DoctorModelArguments {
    /// Drafts the model; `None` if that is not asked for.
    pub(super) fn read_model(&self) -> Result<Option<DoctorModel>, Failure> {
        let Some(path) = &self.from_doctor else { return Ok(None) };
        let stopped = |problem: String| {
            Failure::Stopped(Outcome::BadInput, format!("{}: {problem}", path.display()))
        };
        let is_report = path.is_file() && path.extension().is_some_and(|it| it == "json");
        if is_report {
            if self.keyspace.is_some() {
                let problem =
                    "a report has the model of one keyspace: give the folder that it was made from";
                return Err(stopped(problem.to_owned()));
            }
            let text = read_report(path)?.model;
            let text =
                text.ok_or_else(|| stopped("the report was made without a schema".to_owned()))?;
            return Ok(Some(DoctorModel { text }));
        }
        let snapshot = read_paths(std::slice::from_ref(path))?;
        let draft = ModelDraft::new(&snapshot, self.keyspace.as_deref());
        let draft = draft.map_err(|failure| stopped(failure.to_string()))?;
        Ok(Some(DoctorModel { text: draft.text }))
    }
}

impl DoctorModel {
    /// Fails if the folder has a model file that may have been edited.
    pub(super) fn check_folder(&self, folder: &Path) -> Result<(), Failure> {
        let path = folder.join(FILE);
        match regular_file::read_to_string(&path) {
            Ok(known) if known != self.text => {
                let path = path.display();
                let message =
                    format!("{path} exists and differs: run `helenus design {path}`, or delete it");
                Err(Failure::Stopped(Outcome::BadInput, message))
            }
            _ => Ok(()),
        }
    }

    /// The model.
    pub(super) fn sources(&self) -> ModelSources {
        // The file states its keyspace itself.
        let mut sources = ModelSources::new(String::new());
        sources.add(Source::new(FILE, self.text.clone()));
        sources
    }

    /// The file, to be written.
    pub(super) fn output_file(&self) -> (&'static str, String) {
        (FILE, self.text.clone())
    }

    /// Shows the file, unless it is written to a folder, and how to go on.
    pub(super) fn show(&self, folder: Option<&Path>, out: &mut dyn Write) -> Result<(), Failure> {
        let file = if let Some(folder) = folder {
            folder.join(FILE).display().to_string()
        } else {
            writeln!(out, "{}", self.text)?;
            FILE.to_owned()
        };
        let place = if folder.is_some() { "in" } else { "above; store it as" };
        writeln!(
            out,
            "The drafted model is {place} {file}. Lines marked `unknown` want a figure, lines marked\n\
             `assumed` a decision: state volumes with @rows and @each and rates with @rate (helenus help\n\
             directives), join or separate tables, and write the statements at the end that could not be\n\
             translated. Then run `helenus design {file}`. The design below is that of the draft.\n"
        )?;
        Ok(())
    }
}
