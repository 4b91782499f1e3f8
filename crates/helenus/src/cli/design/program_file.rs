//! `--program`: the integer program of the search and its solution as files.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use design::DesignProgram;

use crate::outcome::{Failure, Outcome};
use crate::output_folder;

/// The path of a program. Solvers recognize the format by the ending, and the solution gets the
/// ending `.sol`.
pub(super) fn parse_path(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    if path.extension() == Some(OsStr::new("lp")) {
        Ok(path)
    } else {
        Err("the name must end in .lp, by which solvers recognize the format".to_owned())
    }
}

/// Fails if there will be no search, and so no program.
pub(super) fn check_search(path: Option<&Path>, rules_only: bool) -> Result<(), Failure> {
    if path.is_some() && rules_only {
        let message = "--program: there is no integer program with --rules-only, which does not \
                       search for the cheapest tables; omit one of them";
        return Err(Failure::Stopped(Outcome::BadInput, message.to_owned()));
    }
    Ok(())
}

/// Writes the program, and its solution next to it.
pub(super) fn write(path: &Path, program: &DesignProgram) -> Result<(), Failure> {
    let solution = path.with_extension("sol");
    let names = (path.file_name().and_then(OsStr::to_str), solution.file_name());
    let (Some(name), Some(solution)) = (names.0, names.1.and_then(OsStr::to_str)) else {
        let message = format!("cannot write {}: its name is not valid UTF-8", path.display());
        return Err(Failure::Stopped(Outcome::EnvironmentFailed, message));
    };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let files = [(name, program.program_text()), (solution, program.solution_text())];
    output_folder::write(folder.unwrap_or(Path::new(".")), &files)
}
