//! Parses types from Java class names, with the leniency of Cassandra's parser: it accepts blanks
//! and missing commas, ignores whatever follows the first type, and reports errors inside
//! parameters without details.
//!
//! `ReversedType` has a meaning only outermost or inside a composite; elsewhere it is dropped.

use std::sync::Arc;

use super::class_name::MARSHAL;
use super::{Frozenness, MAX_TYPE_DEPTH, NativeType, Type, UserType};

/// A type parsed from a class name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsedClass {
    /// The type.
    pub ty: Type,
    /// Whether it was inside `ReversedType(...)`: a clustering column in descending order.
    pub reversed: bool,
}

/// Why a class name cannot be parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClassError {
    /// A syntax exception of the server.
    Syntax(String),
    /// A configuration exception of the server: no such class, or wrong parameters.
    Configuration(String),
}

impl ClassError {
    /// The server's text.
    pub fn message(&self) -> &str {
        match self {
            Self::Syntax(message) | Self::Configuration(message) => message,
        }
    }
}

/// Parses a Java class name with parameters.
pub fn parse_class(text: &str) -> Result<ParsedClass, ClassError> {
    let mut reader = TypeParser { text, at: 0 };
    reader.skip_blank();
    let name = reader.identifier();
    if name.is_empty() {
        return Ok(plain(NativeType::Blob.into()));
    }
    reader.parse_named(name, 1)
}

fn plain(ty: Type) -> ParsedClass {
    ParsedClass { ty, reversed: false }
}

struct TypeParser<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> TypeParser<'a> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_blank(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n')) {
            self.at += 1;
        }
    }

    /// Skips blanks and at most one comma; returns the next byte, unless the text ends.
    fn skip_comma(&mut self) -> Option<u8> {
        let mut comma = false;
        loop {
            match self.peek()? {
                b',' if !comma => comma = true,
                b' ' | b'\t' | b'\n' => {}
                other => return Some(other),
            }
            self.at += 1;
        }
    }

    fn identifier(&mut self) -> &'a str {
        let start = self.at;
        while matches!(self.peek(), Some(b) if b.is_ascii_alphanumeric() || b"-+._&".contains(&b)) {
            self.at += 1;
        }
        self.text.get(start..self.at).unwrap_or_default()
    }

    fn parse(&mut self, depth: usize) -> Result<ParsedClass, ClassError> {
        self.skip_blank();
        let name = self.identifier();
        self.parse_named(name, depth)
    }

    /// The type whose name was just parsed; its parameters may follow.
    fn parse_named(&mut self, name: &str, depth: usize) -> Result<ParsedClass, ClassError> {
        self.skip_blank();
        let class = if name.contains('.') { name.to_owned() } else { format!("{MARSHAL}{name}") };
        let known = class.strip_prefix(MARSHAL);
        if depth > MAX_TYPE_DEPTH {
            return Err(definition_error(&class));
        }
        if let Some(native) = known.and_then(NativeType::from_class) {
            return self.default_parameters(native.into());
        }
        match known {
            Some("DateType" | "EmptyType" | "LexicalUUIDType") => {
                self.default_parameters(Type::Custom(class.into()))
            }
            Some(simple) if PARAMETRIC.contains(&simple) => {
                self.parametric(simple, depth).map_err(|_| definition_error(&class))
            }
            _ => Err(ClassError::Configuration(format!(
                "Unable to find abstract-type class '{class}'"
            ))),
        }
    }

    /// `(reversed=true)` may follow a type without parameters.
    fn default_parameters(&mut self, ty: Type) -> Result<ParsedClass, ClassError> {
        if self.peek() != Some(b'(') {
            return Ok(plain(ty));
        }
        self.at += 1;
        let mut reversed = false;
        while let Some(next) = self.skip_comma() {
            if next == b')' {
                self.at += 1;
                return Ok(ParsedClass { ty, reversed });
            }
            let key = self.identifier();
            self.skip_blank();
            let mut value = "";
            match self.peek() {
                Some(b'=') => {
                    self.at += 1;
                    self.skip_blank();
                    value = self.identifier();
                }
                Some(b',' | b')') | None => {}
                Some(_) => return Err(self.character_error()),
            }
            if key == "reversed" {
                reversed = value.is_empty() || value == "true";
            }
        }
        Err(self.end_error())
    }

    fn parametric(&mut self, simple: &str, depth: usize) -> Result<ParsedClass, ClassError> {
        match simple {
            "UserType" => self.user(depth).map(plain),
            "VectorType" => self.vector(depth).map(plain),
            "DynamicCompositeType" => self.aliases(depth).map(plain),
            _ => {
                let parameters = self.parameters(depth)?;
                build(simple, parameters).ok_or_else(|| definition_error(simple))
            }
        }
    }

    fn parameters(&mut self, depth: usize) -> Result<Vec<ParsedClass>, ClassError> {
        let mut types = Vec::new();
        if self.peek() != Some(b'(') {
            return Ok(types);
        }
        self.at += 1;
        while let Some(next) = self.skip_comma() {
            if next == b')' {
                self.at += 1;
                return Ok(types);
            }
            types.push(self.parse(depth + 1)?);
        }
        Err(self.end_error())
    }

    fn vector(&mut self, depth: usize) -> Result<Type, ClassError> {
        self.expect(b'(')?;
        let element = self.parse(depth + 1)?.ty.freeze();
        self.skip_comma();
        let dimension: i32 = self.identifier().parse().map_err(|_| self.character_error())?;
        self.expect(b')')?;
        match u32::try_from(dimension) {
            Ok(dimension) if dimension > 0 => Ok(Type::Vector(Arc::new(element), dimension)),
            _ => Err(self.character_error()),
        }
    }

    fn user(&mut self, depth: usize) -> Result<Type, ClassError> {
        self.expect(b'(')?;
        self.skip_comma();
        let keyspace = self.identifier().into();
        self.skip_comma();
        let name = self.hex_name()?;
        let mut fields = Vec::new();
        while let Some(next) = self.skip_comma() {
            if next == b')' {
                self.at += 1;
                let user = UserType { keyspace, name, fields };
                return Ok(Type::User(Arc::new(user), Frozenness::No));
            }
            let field = self.hex_name()?;
            self.skip_blank();
            self.expect(b':')?;
            fields.push((field, self.parse(depth + 1)?.ty));
        }
        Err(self.end_error())
    }

    /// `(a=>Type,b=>Type)`: the aliases of a dynamic composite.
    fn aliases(&mut self, depth: usize) -> Result<Type, ClassError> {
        let mut listed = Vec::new();
        if self.peek() == Some(b'(') {
            self.at += 1;
            loop {
                match self.skip_comma() {
                    Some(b')') => break self.at += 1,
                    Some(_) => {}
                    None => return Err(self.end_error()),
                }
                let alias = self.identifier();
                if alias.len() != 1 {
                    return Err(self.character_error());
                }
                self.skip_blank();
                self.expect(b'=')?;
                self.expect(b'>')?;
                listed.push(format!("{alias}=>{}", full_class_name(&self.parse(depth + 1)?)));
            }
        }
        Ok(Type::Custom(format!("{MARSHAL}DynamicCompositeType({})", listed.join(",")).into()))
    }

    fn hex_name(&mut self) -> Result<Box<str>, ClassError> {
        let digits = self.identifier();
        let bytes = crate::hex::hex_to_bytes(digits).ok_or_else(|| self.character_error())?;
        String::from_utf8(bytes).map(Into::into).map_err(|_| self.character_error())
    }

    fn expect(&mut self, byte: u8) -> Result<(), ClassError> {
        if self.peek() == Some(byte) {
            self.at += 1;
            return Ok(());
        }
        Err(self.character_error())
    }

    fn character_error(&self) -> ClassError {
        let found = self.text.get(self.at..).and_then(|rest| rest.chars().next());
        match found {
            Some(c) => self.error(&format!("unexpected character '{c}'")),
            None => self.end_error(),
        }
    }

    fn end_error(&self) -> ClassError {
        self.error("unexpected end of string")
    }

    fn error(&self, what: &str) -> ClassError {
        ClassError::Syntax(format!(
            "Syntax error parsing '{}' at char {}: {what}",
            self.text, self.at
        ))
    }
}

/// The classes with parameters. All errors inside them have the same text.
const PARAMETRIC: [&str; 10] = [
    "CompositeType",
    "DynamicCompositeType",
    "FrozenType",
    "ListType",
    "MapType",
    "ReversedType",
    "SetType",
    "TupleType",
    "UserType",
    "VectorType",
];

fn definition_error(class: &str) -> ClassError {
    ClassError::Configuration(format!("Invalid definition for comparator {class}."))
}

fn full_class_name(parsed: &ParsedClass) -> String {
    let class = parsed.ty.class_name();
    if parsed.reversed { format!("{MARSHAL}ReversedType({class})") } else { class }
}

/// The type of a class with these parameters; `None` if their number is wrong.
fn build(simple: &str, parameters: Vec<ParsedClass>) -> Option<ParsedClass> {
    if simple == "CompositeType" {
        let listed: Vec<_> = parameters.iter().map(full_class_name).collect();
        return Some(plain(Type::Custom(
            format!("{MARSHAL}CompositeType({})", listed.join(",")).into(),
        )));
    }
    if simple == "TupleType" {
        return Some(plain(Type::Tuple(
            parameters.into_iter().map(|parsed| parsed.ty.freeze()).collect(),
        )));
    }
    let count = parameters.len();
    let mut types = parameters.into_iter();
    let first = types.next()?;
    match (simple, count) {
        ("ListType", 1) => Some(plain(Type::List(Arc::new(first.ty.freeze()), Frozenness::No))),
        ("SetType", 1) => Some(plain(Type::Set(Arc::new(first.ty.freeze()), Frozenness::No))),
        ("MapType", 2) => Some(plain(Type::Map(
            Arc::new((first.ty.freeze(), types.next()?.ty.freeze())),
            Frozenness::No,
        ))),
        ("FrozenType", 1) => Some(ParsedClass { ty: first.ty.freeze(), ..first }),
        ("ReversedType", 1) => Some(ParsedClass { reversed: !first.reversed, ..first }),
        _ => None,
    }
}
