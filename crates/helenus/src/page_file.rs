//! Writes pages to files: the whole page, or nothing.

use std::path::Path;

use crate::atomic_file;
use crate::outcome::Failure;
use crate::render::html::Page;

/// Writes a page to a file, which it replaces.
pub(crate) fn write(path: &Path, page: &Page) -> Result<(), Failure> {
    atomic_file::replace(path, page.html().as_bytes())
        .map_err(|error| Failure::unwritable_file(path, &error))
}
