//! Names and types.

use std::borrow::Cow;

use super::{Print, Printer};
use crate::identifier::{identifier, quote};
use crate::keyword::{Keyword, KeywordClass};
use crate::lexer::is_template;
use crate::name::{Name, QualifiedName};
use crate::type_name::{TypeName, TypeNameKind};
use crate::types::NativeType;

/// Whether a word is parsed as a boolean although it is not reserved.
fn is_boolean(name: &str) -> bool {
    name == "true" || name == "false"
}

/// Native functions whose documented names have capitals.
const CAPITALS: [&str; 11] = [
    "toTimestamp",
    "toDate",
    "toUnixTimestamp",
    "toJson",
    "fromJson",
    "minTimeuuid",
    "maxTimeuuid",
    "currentTimestamp",
    "currentDate",
    "currentTime",
    "currentTimeUUID",
];

fn native_spelling(name: &str) -> Option<Cow<'static, str>> {
    let known = CAPITALS.into_iter().find(|known| known.eq_ignore_ascii_case(name));
    if let Some(known) = known {
        return Some(known.into());
    }
    // blobAsInt, intAsBlob
    let spelling = match name.strip_prefix("blobas") {
        Some(native) => {
            let (first, rest) = NativeType::from_name(native)?.name().split_at(1);
            format!("blobAs{}{rest}", first.to_ascii_uppercase())
        }
        None => format!("{}AsBlob", NativeType::from_name(name.strip_suffix("asblob")?)?.name()),
    };
    // An alias such as varchar is a different function.
    spelling.eq_ignore_ascii_case(name).then(|| spelling.into())
}

impl Printer {
    /// A name, quoted also if `also` holds.
    pub(super) fn name_quoted_if(&mut self, name: &Name, also: impl FnOnce(&str) -> bool) {
        if self.options.templates && is_template(&name.text) {
            self.text(&name.text);
        } else if is_boolean(&name.text) || also(&name.text) {
            self.text(&quote(&name.text));
        } else {
            self.text(&identifier(&name.text));
        }
    }

    /// The name of a function without its keyspace.
    pub(super) fn local_function(&mut self, name: &Name) {
        if &*name.text == "token" {
            return self.text("token");
        }
        let special = |name: &str| {
            let keyword = Keyword::find(name);
            let special = keyword.is_some_and(|keyword| keyword.class() == KeywordClass::Special);
            name == "expr" || special && keyword != Some(Keyword::Count)
        };
        self.name_quoted_if(name, special);
    }

    /// `[keyspace.]function`; native functions are spelt as documented, since their case does not
    /// matter.
    pub(super) fn function(&mut self, function: &QualifiedName) {
        if function.keyspace.is_none()
            && let Some(spelling) = native_spelling(&function.name.text)
        {
            return self.text(&spelling);
        }
        self.keyspace_prefix(function);
        self.local_function(&function.name);
    }

    /// `[keyspace.]type` of a user type.
    pub(super) fn user_type(&mut self, name: &QualifiedName) {
        self.keyspace_prefix(name);
        let unlike = |name: &str| {
            let keyword = Keyword::find(name);
            let other = keyword.is_some_and(|keyword| {
                keyword.class() != KeywordClass::Unreserved && keyword != Keyword::Key
            });
            other
                || matches!(
                    name,
                    "byte" | "complex" | "enum" | "interval" | "macaddr" | "bitstring"
                )
        };
        self.name_quoted_if(&name.name, unlike);
    }

    fn keyspace_prefix(&mut self, name: &QualifiedName) {
        if let Some(keyspace) = &name.keyspace {
            self.node(keyspace);
            self.text(".");
        }
    }

    /// A role; an empty name can only be a string.
    pub(super) fn role_name(&mut self, name: &Name) {
        if name.text.is_empty() { self.string("") } else { self.node(name) }
    }

    /// A user or identity, whose case matters: a string unless it is a plain word.
    pub(super) fn plain_name(&mut self, name: &Name) {
        let text = &*name.text;
        let mut bytes = text.bytes();
        let word = bytes.next().is_some_and(|first| first.is_ascii_lowercase())
            && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let template = self.options.templates && is_template(text);
        if template
            || word && Keyword::find(text).is_none() && !is_boolean(&text.to_ascii_lowercase())
        {
            self.text(text);
        } else {
            self.string(text);
        }
    }

    /// `'text'`
    pub(super) fn string(&mut self, text: &str) {
        self.text("'");
        self.text(&text.replace('\'', "''"));
        self.text("'");
    }

    /// `'a', 'b'`
    pub(super) fn strings(&mut self, texts: &[Box<str>]) {
        self.join(texts, ", ", |printer, text| printer.string(text));
    }
}

impl Print for Name {
    fn print(&self, printer: &mut Printer) {
        printer.name_quoted_if(self, |_| false);
    }
}

impl Print for QualifiedName {
    fn print(&self, printer: &mut Printer) {
        printer.keyspace_prefix(self);
        printer.node(&self.name);
    }
}

impl Print for TypeName {
    fn print(&self, printer: &mut Printer) {
        match &self.kind {
            TypeNameKind::Native(native) => printer.text(native.text()),
            TypeNameKind::List(element) => parametric_type(printer, "list", &[element]),
            TypeNameKind::Set(element) => parametric_type(printer, "set", &[element]),
            TypeNameKind::Map(entry) => parametric_type(printer, "map", &[&entry.0, &entry.1]),
            TypeNameKind::Tuple(types) => {
                parametric_type(printer, "tuple", &types.iter().collect::<Vec<_>>());
            }
            TypeNameKind::Frozen(inner) => parametric_type(printer, "frozen", &[inner]),
            TypeNameKind::Vector(element, dimension) => {
                printer.text("vector<");
                printer.node(&**element);
                printer.text(", ");
                printer.text(&dimension.unwrap_or_default().to_string());
                printer.text(">");
            }
            TypeNameKind::User(name) => printer.user_type(name),
            TypeNameKind::Custom(class) => printer.string(class),
            TypeNameKind::Placeholder(text) => printer.text(text),
        }
    }
}

fn parametric_type(printer: &mut Printer, word: &str, types: &[&TypeName]) {
    printer.text(word);
    printer.text("<");
    printer.join(types, ", ", |printer, type_name| printer.node(*type_name));
    printer.text(">");
}
