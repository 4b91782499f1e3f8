//! [`JsonFault`]: why a text is not JSON, with the texts of the server's JSON library.

use std::fmt;

/// An error of the JSON parser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonFault {
    /// The kind of error.
    pub kind: JsonFaultKind,
    /// The position that the library reports.
    pub place: JsonPlace,
}

/// The position that the library reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonPlace {
    /// Limits are reported without a position.
    None,
    /// For an empty text, only the line is reported.
    FirstLine,
    /// Line and column, from 1; columns count UTF-16 units.
    At(usize, usize),
}

/// The kinds of errors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JsonFaultKind {
    /// A number with a leading zero.
    LeadingZeros,
    /// An unexpected character.
    Character(char, CharacterFault),
    /// A control character between tokens.
    ControlBetweenTokens(char),
    /// A control character in a string.
    ControlInString(char, StringPart),
    /// An unknown escape.
    UnknownEscape(char),
    /// A closing bracket without an opening one.
    CloseMarkerAlone(char),
    /// A closing bracket that does not match the opening one.
    CloseMarker {
        /// The closing bracket.
        found: char,
        /// The container that was opened.
        container: JsonContainer,
        /// The position of the opening bracket.
        start: JsonPlace,
    },
    /// A number token that JSON does not have.
    NonStandardToken(String),
    /// A word that JSON does not have.
    UnknownToken {
        /// The word, or its start.
        word: String,
        /// Whether the word is truncated.
        is_cut: bool,
    },
    /// The text ends after a comma between the members of an object.
    EndBehindComma,
    /// The text ends too early.
    End(EndOfInput),
    /// The text is empty.
    NoContent,
    /// The text is a value, but not an object.
    NoObject(&'static str),
    /// The text is a string, but not an object.
    StringForObject(Box<str>),
    /// The text is an empty string, but not an object.
    EmptyStringForObject,
    /// Arrays and objects are nested deeper than this.
    TooDeep(usize),
    /// A number exceeds the library's limit.
    NumberTooLong {
        /// The length of the number.
        length: usize,
        /// The maximum length.
        most: usize,
    },
}

/// Why a character is unexpected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CharacterFault {
    /// No value starts with it.
    Value,
    /// It is not a digit after a minus sign.
    Minus,
    /// It is not a digit after a point.
    Point,
    /// It is not a digit of an exponent.
    Exponent,
    /// It is not a hexadecimal digit of an escape.
    HexDigit,
    /// It starts a comment.
    Comment,
    /// It is a plus sign.
    Plus,
    /// It follows a number directly.
    RootSpace,
    /// No name starts with it.
    FieldName,
    /// It is not a colon.
    Colon,
    /// It is not a comma.
    Comma(JsonContainer),
}

/// Where a text ends too early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndOfInput {
    /// Before a value.
    Value,
    /// After a sign.
    Sign,
    /// In a number.
    Number,
    /// In an exponent.
    Exponent,
    /// In a string.
    String(StringPart),
    /// In an escape.
    Escape,
    /// Between entries.
    Entries(JsonContainer),
    /// Before the closing bracket.
    Close(JsonContainer, JsonPlace),
}

/// A container of entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonContainer {
    /// `[...]`
    Array,
    /// `{...}`
    Object,
}

/// The role of a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StringPart {
    /// A value.
    Value,
    /// The name of a member.
    Name,
}

/// The library does not show the text itself.
const SOURCE: &str =
    "[Source: REDACTED (`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION` disabled); line: ";
const EXPECTED_VALUE: &str =
    "(JSON String, Number, Array, Object or token 'null', 'true' or 'false')";

impl JsonFault {
    /// The message with its position, without the class.
    pub fn message(&self) -> String {
        match self.place {
            JsonPlace::None => self.kind.to_string(),
            place => format!("{}\n at {place}", self.kind),
        }
    }
}

impl JsonFaultKind {
    /// The class of the exception, without its package.
    fn class(&self) -> &'static str {
        match self {
            Self::End(_) => "core.io.JsonEOFException",
            Self::NoContent | Self::NoObject(_) | Self::StringForObject(_) => {
                "databind.exc.MismatchedInputException"
            }
            Self::EmptyStringForObject => "databind.exc.InvalidFormatException",
            Self::TooDeep(_) | Self::NumberTooLong { .. } => "core.exc.StreamConstraintsException",
            _ => "core.JsonParseException",
        }
    }
}

impl JsonContainer {
    /// The closing bracket.
    pub(crate) fn close(self) -> char {
        match self {
            Self::Array => ']',
            Self::Object => '}',
        }
    }
}

/// The exception as Java prints it.
impl fmt::Display for JsonFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "com.fasterxml.jackson.{}: {}", self.kind.class(), self.message())
    }
}

impl fmt::Display for JsonPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => Ok(()),
            Self::FirstLine => write!(f, "{SOURCE}1]"),
            Self::At(line, column) => write!(f, "{SOURCE}{line}, column: {column}]"),
        }
    }
}

impl fmt::Display for JsonFaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LeadingZeros => f.write_str("Invalid numeric value: Leading zeroes not allowed"),
            Self::Character(found, why) => {
                write!(f, "Unexpected character ({}){why}", describe(*found))
            }
            Self::ControlBetweenTokens(found) => write!(
                f,
                "Illegal character ({}): only regular white space (\\r, \\n, \\t) is allowed between tokens",
                describe(*found)
            ),
            Self::ControlInString(found, part) => write!(
                f,
                "Illegal unquoted character ({}): has to be escaped using backslash to be included in {part}",
                describe(*found)
            ),
            Self::UnknownEscape(found) => {
                write!(f, "Unrecognized character escape {}", describe(*found))
            }
            Self::CloseMarkerAlone(found) => {
                let kind = if *found == ']' { "Array" } else { "Object" };
                write!(f, "Unexpected close marker '{found}': no open {kind} to close")
            }
            Self::CloseMarker { found, container, start } => write!(
                f,
                "Unexpected close marker '{found}': expected '{}' (for {container} starting at {start})",
                container.close()
            ),
            Self::NonStandardToken(word) => write!(
                f,
                "Non-standard token '{word}': enable `JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS` to allow"
            ),
            Self::UnknownToken { word, is_cut } => {
                let dots = if *is_cut { "..." } else { "" };
                write!(f, "Unrecognized token '{word}{dots}': was expecting {EXPECTED_VALUE}")
            }
            Self::EndBehindComma => {
                f.write_str("Unexpected end-of-input within/between Object entries")
            }
            Self::End(within) => write!(f, "Unexpected end-of-input{within}"),
            Self::NoContent => f.write_str("No content to map due to end-of-input"),
            Self::NoObject(token) => write!(
                f,
                "Cannot deserialize value of type `java.util.LinkedHashMap<java.lang.Object,java.lang.Object>` \
                 from {token}"
            ),
            Self::StringForObject(text) => write!(
                f,
                "Cannot construct instance of `java.util.LinkedHashMap` (although at least one Creator exists): no \
                 String-argument constructor/factory method to deserialize from String value ('{text}')"
            ),
            Self::EmptyStringForObject => f.write_str(
                "Cannot coerce empty String (\"\") to element of `java.util.LinkedHashMap` (but could if \
                 coercion was enabled using `CoercionConfig`)",
            ),
            Self::TooDeep(most) => write!(
                f,
                "Document nesting depth ({}) exceeds the maximum allowed ({most}, from \
                 `StreamReadConstraints.getMaxNestingDepth()`)",
                most + 1
            ),
            Self::NumberTooLong { length, most } => write!(
                f,
                "Number value length ({length}) exceeds the maximum allowed ({most}, from \
                 `StreamReadConstraints.getMaxNumberLength()`)"
            ),
        }
    }
}

impl fmt::Display for CharacterFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Value => return write!(f, ": expected a valid value {EXPECTED_VALUE}"),
            Self::Minus => {
                " in numeric value: expected digit (0-9) to follow minus sign, for valid numeric value"
            }
            Self::Point => " in numeric value: Decimal point not followed by a digit",
            Self::Exponent => " in numeric value: Exponent indicator not followed by a digit",
            Self::HexDigit => ": expected a hex-digit for character escape sequence",
            Self::Comment => {
                ": maybe a (non-standard) comment? (not recognized as one since Feature \
                 'ALLOW_COMMENTS' not enabled for parser)"
            }
            Self::Plus => {
                " in numeric value: JSON spec does not allow numbers to have plus signs: enable \
                 `JsonReadFeature.ALLOW_LEADING_PLUS_SIGN_FOR_NUMBERS` to allow"
            }
            Self::RootSpace => ": Expected space separating root-level values",
            Self::FieldName => ": was expecting double-quote to start field name",
            Self::Colon => ": was expecting a colon to separate field name and value",
            Self::Comma(container) => {
                return write!(f, ": was expecting comma to separate {container} entries");
            }
        })
    }
}

impl fmt::Display for EndOfInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Value => "",
            Self::Sign => "No digit following sign",
            Self::Number => " in a Number value",
            Self::Exponent => "expected a digit for number exponent",
            Self::String(StringPart::Value) => ": was expecting closing quote for a string value",
            Self::String(StringPart::Name) => " in field name",
            Self::Escape => " in character escape sequence",
            Self::Entries(container) => {
                return write!(f, " within/between {container} entries");
            }
            Self::Close(container, start) => {
                return write!(
                    f,
                    ": expected close marker for {container} (start marker at {start})"
                );
            }
        })
    }
}

impl fmt::Display for JsonContainer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Array => "Array",
            Self::Object => "Object",
        })
    }
}

impl fmt::Display for StringPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Value => "string value",
            Self::Name => "name",
        })
    }
}

/// A character as messages show it. Characters beyond 16 bits appear as the first half of their
/// surrogate pair.
fn describe(found: char) -> String {
    let code = u32::from(found);
    if found.is_ascii_control() && code < 0x20 {
        return format!("(CTRL-CHAR, code {code})");
    }
    if code > 0xffff {
        let unit = 0xd800 + ((code - 0x1_0000) >> 10);
        return format!("'?' (code {unit} / 0x{unit:x})");
    }
    if code > 255 {
        format!("'{found}' (code {code} / 0x{code:x})")
    } else {
        format!("'{found}' (code {code})")
    }
}
