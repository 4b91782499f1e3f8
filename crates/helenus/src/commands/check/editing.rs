//! What the editor server takes from the configuration.

use std::path::Path;

use check::Settings;
use clap::Parser;

use super::super::session;
use super::arguments::Check;
use super::choices::Choices;
use super::walking::Walk;
use crate::lsp::Workspace;

/// A command line without arguments: the configuration alone speaks.
#[derive(Parser)]
struct Bare {
    #[command(flatten)]
    check: Check,
}

/// What the configuration of a folder, or of one above it, says. What is wrong with it is for `helenus check` to tell.
pub(crate) fn workspace(root: &Path) -> Workspace {
    // Paths of the configuration are as seen from the working folder.
    let moved = std::env::set_current_dir(root).is_ok();
    let bare = Bare::try_parse_from(["lsp"]).ok().filter(|_| moved);
    let choices = bare.and_then(|bare| Choices::of(&bare.check).ok());
    let Some(choices) = choices else {
        let settings = Settings { now_ms: session::now_ms(), ..Settings::default() };
        return Workspace { settings, ..Workspace::default() };
    };
    let files = Walk::of(&choices.schema, false, false).files;
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    Workspace {
        schema: files.iter().map(|file| absolute(&file.path)).collect(),
        settings: choices.settings,
        keyspaces: choices.keyspaces,
    }
}
