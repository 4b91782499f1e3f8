//! `helenus design --from-doctor`: the model file that is written from a diagnosis.

use std::path::{Path, PathBuf};

use super::super::doctor::read_report;
use crate::outcome::{Failure, Outcome};

/// The file that is written, in the current folder.
const FILE: &str = "from-doctor.sql";

/// Writes the model file, and returns its path. A file that was edited is not replaced.
pub(super) fn write_file(path: &Path) -> Result<PathBuf, Failure> {
    let report = read_report(path)?;
    let stopped = |message: String| Failure::Stopped(Outcome::BadInput, message);
    let model = report.model.ok_or_else(|| {
        stopped(format!(
            "{} does not contain a schema: add the output of DESCRIBE SCHEMA",
            path.display()
        ))
    })?;
    let file = PathBuf::from(FILE);
    match std::fs::read_to_string(&file) {
        Ok(known) if known != model => {
            return Err(stopped(format!(
                "{FILE} exists and differs: run `helenus design {FILE}`, or delete it"
            )));
        }
        Ok(_) => {}
        Err(_) => std::fs::write(&file, model).map_err(|error| {
            let message = format!("cannot write {FILE}: {error}");
            Failure::Stopped(Outcome::EnvironmentFailed, message)
        })?,
    }
    anstream::eprintln!("wrote {FILE}");
    Ok(file)
}
