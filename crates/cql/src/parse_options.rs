//! [`ParseOptions`]: what the parser accepts besides CQL.

/// The options of the parser.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ParseOptions {
    /// Lenient mode: template placeholders (`${x}`, `{{x}}`, `$X$`, `@@x@@`, `%s`, `%d`, `{0}`) are accepted
    /// as names, types and values.
    pub templates: bool,
}
