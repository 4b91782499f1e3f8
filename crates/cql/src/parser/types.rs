//! Types in statements, before user types are resolved.

use super::cursor::{ParseResult, Parser};
use super::names::is_name;
use crate::keyword::{Keyword, KeywordClass};
use crate::lexer::TokenKind;
use crate::name::{Name, QualifiedName};
use crate::span::Span;
use crate::syntax_error::{Expectation, JavaException, SyntaxReason};
use crate::type_name::{NativeName, TypeName, TypeNameKind};
use crate::types::NativeType;

/// Names that Cassandra reserves for future types.
const RESERVED_TYPE_NAMES: [&str; 7] =
    ["byte", "complex", "enum", "date", "interval", "macaddr", "bitstring"];

/// The package in which the server looks up classes without one.
const MARSHAL: &str = "org.apache.cassandra.db.marshal.";

/// The type classes of Cassandra 5.0.
const TYPE_CLASSES: [&str; 35] = [
    "AsciiType",
    "BooleanType",
    "ByteType",
    "BytesType",
    "CompositeType",
    "CounterColumnType",
    "DateType",
    "DecimalType",
    "DoubleType",
    "DurationType",
    "DynamicCompositeType",
    "EmptyType",
    "FloatType",
    "FrozenType",
    "InetAddressType",
    "Int32Type",
    "IntegerType",
    "LegacyTimeUUIDType",
    "LexicalUUIDType",
    "ListType",
    "LongType",
    "MapType",
    "PartitionerDefinedOrder",
    "ReversedType",
    "SetType",
    "ShortType",
    "SimpleDateType",
    "TimeType",
    "TimeUUIDType",
    "TimestampType",
    "TupleType",
    "UTF8Type",
    "UUIDType",
    "UserType",
    "VectorType",
];

impl Parser<'_> {
    /// A type.
    pub(super) fn type_name(&mut self) -> ParseResult<TypeName> {
        let start = self.next_span();
        self.type_is_null = false;
        let kind = self.with_nesting(Self::type_kind)?;
        Ok(TypeName { kind, span: self.span_since(start) })
    }

    fn type_kind(&mut self) -> ParseResult<TypeNameKind> {
        match self.kind() {
            TokenKind::Keyword(keyword) if self.kind_at(1) == TokenKind::Less => {
                self.parametric_type(keyword)
            }
            TokenKind::Keyword(keyword)
                if keyword.class() == KeywordClass::NativeType
                    && self.kind_at(1) != TokenKind::Dot =>
            {
                self.bump();
                Ok(TypeNameKind::Native(native(keyword)))
            }
            TokenKind::String | TokenKind::DollarString => self.custom_type(),
            TokenKind::Placeholder if self.kind_at(1) != TokenKind::Dot => {
                let token = self.bump();
                Ok(TypeNameKind::Placeholder(self.text(token).into()))
            }
            kind if is_name(kind) => Ok(TypeNameKind::User(self.user_type_name()?)),
            _ => self.fail(Expectation::Type),
        }
    }

    /// `'Class'`, which the server looks up while parsing.
    fn custom_type(&mut self) -> ParseResult<TypeNameKind> {
        let span = self.next_span();
        let text = self.string()?;
        let class = text.split('(').next().unwrap_or_default().trim();
        let full = if class.contains('.') { class.to_owned() } else { format!("{MARSHAL}{class}") };
        let known = full.strip_prefix(MARSHAL).is_some_and(|name| TYPE_CLASSES.contains(&name));
        if !known && !class.is_empty() {
            let reason = SyntaxReason::UnknownTypeClass { text: text.clone(), class: full };
            self.refuse(reason, span);
            self.type_is_null = true;
        }
        Ok(TypeNameKind::Custom(text))
    }

    /// `keyword<...>`
    fn parametric_type(&mut self, keyword: Keyword) -> ParseResult<TypeNameKind> {
        if !matches!(
            keyword,
            Keyword::List
                | Keyword::Set
                | Keyword::Map
                | Keyword::Tuple
                | Keyword::Vector
                | Keyword::Frozen
        ) {
            return self.fail(Expectation::Type);
        }
        let start = self.bump().span;
        self.bump();
        let kind = match keyword {
            Keyword::List => TypeNameKind::List(Box::new(self.type_name()?)),
            Keyword::Set => TypeNameKind::Set(Box::new(self.type_name()?)),
            Keyword::Map => {
                let key = self.type_name()?;
                let key_is_null = self.type_is_null;
                self.expect(TokenKind::Comma)?;
                let value = self.type_name()?;
                self.type_is_null |= key_is_null;
                TypeNameKind::Map(Box::new((key, value)))
            }
            Keyword::Tuple => TypeNameKind::Tuple(self.list(Self::tuple_element)?),
            Keyword::Vector => {
                let element = self.type_name()?;
                self.expect(TokenKind::Comma)?;
                if self.is_at(TokenKind::Placeholder) {
                    return self.vector_placeholder(start);
                }
                self.type_is_null = false;
                TypeNameKind::Vector(Box::new(element), self.dimension()?)
            }
            _ => return self.type_inside_frozen(),
        };
        self.expect(TokenKind::Greater)?;
        Ok(kind)
    }

    /// `vector<T, ${n}>`: the dimension is unknown, so the whole type is a placeholder.
    fn vector_placeholder(&mut self, start: Span) -> ParseResult<TypeNameKind> {
        self.bump();
        self.expect(TokenKind::Greater)?;
        Ok(TypeNameKind::Placeholder(self.span_since(start).text(self.source).into()))
    }

    fn dimension(&mut self) -> ParseResult<Option<i32>> {
        if !self.is_at(TokenKind::Integer) {
            return self.fail(Expectation::Dimension);
        }
        let token = self.bump();
        let text = self.text(token);
        let dimension = text.parse().ok();
        if dimension.is_none() {
            self.crash(JavaException::IntegerOutOfRange { text: text.into() }, token.span);
        }
        Ok(dimension)
    }

    /// An element of a tuple. The server's parser fails on one that is missing or that it could not
    /// build.
    fn tuple_element(&mut self) -> ParseResult<TypeName> {
        let span = self.next_span();
        if matches!(self.kind(), TokenKind::Comma | TokenKind::Greater) {
            self.crash(JavaException::NullTupleElement, span);
        }
        let element = self.type_name()?;
        if self.type_is_null {
            self.crash(JavaException::NullTupleElement, span);
        }
        Ok(element)
    }

    /// The rest of `frozen<T>`; types that cannot be frozen are refused as in the server.
    fn type_inside_frozen(&mut self) -> ParseResult<TypeNameKind> {
        if self.is_at(TokenKind::Greater) {
            self.crash(JavaException::NullFrozenType, self.next_span());
        }
        let inner = self.type_name()?;
        self.expect(TokenKind::Greater)?;
        if self.type_is_null {
            self.crash(JavaException::NullFrozenType, inner.span);
        }
        let ty = match &inner.kind {
            TypeNameKind::Native(native) => native.text().to_owned(),
            TypeNameKind::Custom(class) if class.contains('.') => format!("'{class}'"),
            TypeNameKind::Custom(class) => format!("'{MARSHAL}{class}'"),
            _ => return Ok(TypeNameKind::Frozen(Box::new(inner))),
        };
        self.refuse(SyntaxReason::FrozenScalar { ty }, inner.span);
        self.type_is_null = true;
        Ok(TypeNameKind::Frozen(Box::new(inner)))
    }

    /// `[keyspace.]type` of a user type.
    pub(super) fn user_type_name(&mut self) -> ParseResult<QualifiedName> {
        if self.kind_at(1) == TokenKind::Dot {
            let keyspace = self.name(Expectation::KeyspaceName)?;
            self.expect(TokenKind::Dot)?;
            return Ok(QualifiedName { keyspace: Some(keyspace), name: self.local_type_name()? });
        }
        Ok(QualifiedName { keyspace: None, name: self.local_type_name()? })
    }

    fn local_type_name(&mut self) -> ParseResult<Name> {
        let allowed = match self.kind() {
            TokenKind::Identifier | TokenKind::QuotedName | TokenKind::Placeholder => true,
            TokenKind::Keyword(Keyword::Key) => true,
            TokenKind::Keyword(keyword) => keyword.class() == KeywordClass::Unreserved,
            _ => false,
        };
        if !allowed {
            return self.fail(Expectation::UserTypeName);
        }
        let token = self.bump();
        // The server checks the word before it folds it: `Byte` passes.
        let text = self.text(token);
        if token.kind == TokenKind::Identifier && RESERVED_TYPE_NAMES.contains(&text) {
            self.refuse(SyntaxReason::ReservedTypeName { name: text.into() }, token.span);
        }
        Ok(self.name_of(token))
    }

    /// A native type, where no other type is allowed.
    pub(super) fn native_type(&mut self) -> ParseResult<NativeName> {
        match self.kind() {
            TokenKind::Keyword(keyword) if keyword.class() == KeywordClass::NativeType => {
                self.bump();
                Ok(native(keyword))
            }
            _ => self.fail(Expectation::NativeType),
        }
    }
}

fn native(keyword: Keyword) -> NativeName {
    let ty = match keyword {
        Keyword::Ascii => NativeType::Ascii,
        Keyword::Bigint => NativeType::Bigint,
        Keyword::Blob => NativeType::Blob,
        Keyword::Boolean => NativeType::Boolean,
        Keyword::Counter => NativeType::Counter,
        Keyword::Date => NativeType::Date,
        Keyword::Decimal => NativeType::Decimal,
        Keyword::Double => NativeType::Double,
        Keyword::Duration => NativeType::Duration,
        Keyword::Float => NativeType::Float,
        Keyword::Inet => NativeType::Inet,
        Keyword::Int => NativeType::Int,
        Keyword::Smallint => NativeType::Smallint,
        Keyword::Time => NativeType::Time,
        Keyword::Timestamp => NativeType::Timestamp,
        Keyword::Timeuuid => NativeType::Timeuuid,
        Keyword::Tinyint => NativeType::Tinyint,
        Keyword::Uuid => NativeType::Uuid,
        Keyword::Varint => NativeType::Varint,
        _ => NativeType::Text,
    };
    NativeName { ty, is_varchar: keyword == Keyword::Varchar }
}
