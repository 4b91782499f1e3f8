//! [`Analyzer`]: the normalisation of text by the options of a storage-attached index.

use std::borrow::Cow;

use schema::catalog::{self, IndexClass};
use unicode_normalization::UnicodeNormalization;

use super::ascii_fold::fold;
use crate::node::handle::TableHandle;

/// How text is normalised before it is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Analyzer {
    lower_case: bool,
    compose: bool,
    ascii: bool,
}

impl Analyzer {
    /// The analyzer of an index; `None` if it does not change text.
    pub(super) fn for_index(index: &catalog::Index) -> Option<Self> {
        if index.class != IndexClass::Sai {
            return None;
        }
        let is = |name: &str, value: &str| {
            index.options.get(name).is_some_and(|option| option.eq_ignore_ascii_case(value))
        };
        let analyzer = Self {
            lower_case: is("case_sensitive", "false"),
            compose: is("normalize", "true"),
            ascii: is("ascii", "true"),
        };
        (analyzer.lower_case || analyzer.compose || analyzer.ascii).then_some(analyzer)
    }

    /// The normalised text.
    pub(crate) fn apply(self, value: &[u8]) -> Cow<'_, [u8]> {
        let Ok(text) = std::str::from_utf8(value) else { return Cow::Borrowed(value) };
        let mut text = Cow::Borrowed(text);
        if self.lower_case {
            text = text.to_lowercase().into();
        }
        if text.is_ascii() {
            return into_bytes(text);
        }
        if self.compose {
            text = text.nfc().collect::<String>().into();
        }
        if self.ascii {
            text = fold(&text).into();
        }
        into_bytes(text)
    }
}

fn into_bytes(text: Cow<'_, str>) -> Cow<'_, [u8]> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    }
}

/// The analyzer of a column (of its elements, if it is a collection) for `=`, `CONTAINS` and
/// `CONTAINS KEY`.
pub(crate) fn column_analyzer(handle: &TableHandle, column: usize) -> Option<Analyzer> {
    let name = &handle.definition.columns().get(column)?.name;
    let mut of_column = handle.indexes.iter().filter(|index| index.definition.column == *name);
    of_column.find_map(|index| index.analyzer)
}
