//! A small design for the tests of the renderers.

use std::io::{self, Write};

use model::plan::DesignChoice;

use super::DesignView;
use crate::proof::Verdict;

const MODEL: &str = "
CREATE TABLE users (userid uuid PRIMARY KEY, name text);
CREATE TABLE notes (
  noteid uuid PRIMARY KEY,
  userid uuid NOT NULL REFERENCES users,
  title text,
  written timestamp NOT NULL
);
-- name: NotesOfUser :many
SELECT noteid, title FROM notes WHERE userid = ? ORDER BY written DESC;
-- name: Note :one
SELECT noteid, title FROM notes WHERE noteid = ?;
-- name: AddNote :exec
INSERT INTO notes (noteid, userid, title, written) VALUES (?, ?, ?, ?);
";

/// Renders the sample with this choice and this proof.
pub(crate) fn render_sample(
    choice: Option<DesignChoice>,
    proof: &Verdict,
    show: impl Fn(DesignView<'_>) -> String,
) -> String {
    let file = model::sql::read(MODEL, "sample").expect("the model is valid");
    let options = design::Options::default();
    let mut design = design::design(&file.concept, &file.workload, &options);
    design.choice = choice;
    let series = super::table_series(&file, &design, &options);
    show(DesignView {
        file: &file,
        design: &design,
        rules_only: false,
        proof,
        sources: None,
        ranking: None,
        series: &series,
    })
}

/// The written text, without colours.
pub(crate) fn plain_text(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> String {
    let mut out = anstream::StripStream::new(Vec::new());
    write(&mut out).expect("it can be written");
    String::from_utf8(out.into_inner()).expect("it is text")
}
