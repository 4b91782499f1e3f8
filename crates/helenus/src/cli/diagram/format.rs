//! The formats of a diagram.

use std::io::IsTerminal;
use std::path::Path;

use clap::ValueEnum;
use diagram::Picture;

use crate::outcome::{Failure, Outcome};

/// The width of text that goes to no terminal.
const COLUMNS: usize = 100;
/// The most characters that a warning lists.
const CHARACTERS_LISTED: usize = 10;

/// The values of `--format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum DiagramFormat {
    /// SVG image
    Svg,
    /// PNG image
    Png,
    /// PDF page
    Pdf,
    /// Mermaid source; as a Markdown page with the queries if the output file ends in .md
    Mermaid,
    /// Plain text for terminals
    Text,
}

impl DiagramFormat {
    /// The given format, or that of the output file's extension.
    pub(super) fn select(given: Option<Self>, output: &Path) -> Result<Self, Failure> {
        if let Some(format) = given {
            return Ok(format);
        }
        match &*extension(output) {
            _ if output == Path::new("-") => Ok(Self::Text),
            "svg" => Ok(Self::Svg),
            "png" => Ok(Self::Png),
            "pdf" => Ok(Self::Pdf),
            "md" | "mmd" => Ok(Self::Mermaid),
            "txt" => Ok(Self::Text),
            _ => Err(Failure::Stopped(
                Outcome::BadInput,
                format!(
                    "{}: unknown file extension; use .svg, .png, .pdf, .md, .mmd or .txt, or add --format",
                    output.display()
                ),
            )),
        }
    }

    /// The file in this format.
    pub(super) fn render(self, picture: &Picture, output: &Path, outlines: bool) -> Vec<u8> {
        if matches!(self, Self::Png | Self::Pdf) || outlines {
            warn_of_missing_glyphs(picture);
        }
        match self {
            Self::Svg if outlines => picture.svg_outlines().into_bytes(),
            Self::Svg => picture.svg().into_bytes(),
            Self::Png => picture.png(),
            Self::Pdf => picture.pdf(),
            Self::Mermaid if extension(output) == "md" => picture.markdown().into_bytes(),
            Self::Mermaid => picture.mermaid().into_bytes(),
            Self::Text => picture.text(columns(output)).into_bytes(),
        }
    }
}

/// The width of the terminal, where that is where the text goes.
fn columns(output: &Path) -> usize {
    let is_shown = output == Path::new("-") && std::io::stdout().is_terminal();
    let terminal = terminal_size::terminal_size().filter(|_| is_shown);
    terminal.map_or(COLUMNS, |(width, _)| usize::from(width.0))
}

fn warn_of_missing_glyphs(picture: &Picture) {
    let missing = picture.missing_characters();
    if missing.is_empty() {
        return;
    }
    let listed: String = missing.iter().take(CHARACTERS_LISTED).collect();
    let more = if missing.len() > CHARACTERS_LISTED { " and more" } else { "" };
    anstream::eprintln!(
        "warning: the built-in font has no {listed}{more}: boxes stand for them; use SVG without --outlines"
    );
}

/// The file extension, in lower case.
fn extension(path: &Path) -> String {
    path.extension()
        .map_or_else(String::new, |extension| extension.to_string_lossy().to_lowercase())
}
