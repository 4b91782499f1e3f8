//! What the options of a storage-attached index make of text before it is compared.

use std::borrow::Cow;

use model::catalog::{self, IndexClass};

use crate::handle::TableHandle;

/// How text is changed before it is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Analyzer {
    lower_case: bool,
}

impl Analyzer {
    /// That of an index; `None` if text stays as it is.
    pub(super) fn of(index: &catalog::Index) -> Option<Self> {
        if index.class != IndexClass::Sai {
            return None;
        }
        let is = |name: &str, value: &str| {
            index.options.get(name).is_some_and(|option| option.eq_ignore_ascii_case(value))
        };
        let analyzer = Self { lower_case: is("case_sensitive", "false") };
        analyzer.lower_case.then_some(analyzer)
    }

    /// A text as it is compared.
    pub(crate) fn apply<'a>(&self, value: &'a [u8]) -> Cow<'a, [u8]> {
        match std::str::from_utf8(value) {
            Ok(text) if self.lower_case => Cow::Owned(text.to_lowercase().into_bytes()),
            _ => Cow::Borrowed(value),
        }
    }
}

/// How the text of a column (of its elements, if it is a collection) is changed before it is compared with `=`,
/// `CONTAINS` or `CONTAINS KEY`.
pub(crate) fn analyzer(handle: &TableHandle, column: usize) -> Option<Analyzer> {
    let name = &handle.definition.columns().get(column)?.name;
    let of_column = handle.indexes.iter().filter(|index| index.definition.column == *name);
    of_column.filter_map(|index| index.analyzer).next()
}
