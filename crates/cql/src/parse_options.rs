//! What the parser accepts beside CQL itself.

/// What to accept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ParseOptions {
    /// Lenient mode: template placeholders (`${x}`, `{{x}}`, `$X$`, `%s`, `%d`, `{0}`) stand for names, types and values.
    pub templates: bool,
}
