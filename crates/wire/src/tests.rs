//! Messages survive encoding and decoding, malformed bytes do not panic, and bytes of a real node
//! are decoded.

use std::borrow::Cow;
use std::sync::Arc;

use cql::types::{Frozenness, NativeType, Type, UserType};
use cql::{BatchKind, TraceId};

use crate::frame::{self, DecodedFrame, FrameError, HEADER_BYTES};
use crate::{
    Batch, BatchStatement, ChangeKind, ChangeTarget, ColumnBlock, ColumnSpec, Consistency,
    ErrorKind, ErrorMessage, Event, EventKind, Frame, MarkerValue, MarkerValues, Opcode,
    PreparedResult, ProtocolVersion, QueryOptions, ReplicaFailures, ReplicaResponses, Request,
    RequestHead, Response, ResponseHead, ResultMetadata, Rows, RowsHead, SchemaChange,
    StatementRef, WriteType, encode_rows,
};

/// Numbers from a seed (splitmix64).
struct SplitMix64(u64);

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn next_below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    fn byte(&mut self) -> u8 {
        self.next().to_be_bytes()[0]
    }

    fn bytes(&mut self, limit: u64) -> Vec<u8> {
        (0..self.next_below(limit)).map(|_| self.byte()).collect()
    }

    fn choose<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[usize::try_from(self.next_below(of.len() as u64)).unwrap()]
    }

    fn consistency(&mut self) -> Consistency {
        *self.choose(&Consistency::ALL)
    }

    fn value<'a>(&mut self, bytes: &'a [u8], version: ProtocolVersion) -> MarkerValue<'a> {
        match self.next_below(4) {
            0 => MarkerValue::Null,
            1 if version >= ProtocolVersion::V4 => MarkerValue::Unset,
            _ => MarkerValue::Bytes(bytes),
        }
    }

    fn options<'a>(&mut self, bytes: &'a [u8], version: ProtocolVersion) -> QueryOptions<'a> {
        let count = self.next_below(4);
        let values = if self.next_below(2) == 0 || count == 0 {
            MarkerValues::from_positional((0..count).map(|_| self.value(bytes, version)).collect())
        } else {
            MarkerValues::Named((0..count).map(|_| ("näme", self.value(bytes, version))).collect())
        };
        QueryOptions {
            consistency: self.consistency(),
            values,
            skip_metadata: self.next_below(2) == 0,
            page_size: (self.next_below(2) == 0).then_some(100),
            paging_state: (self.next_below(2) == 0).then_some(bytes),
            serial_consistency: (self.next_below(2) == 0).then(|| self.consistency()),
            timestamp: (self.next_below(2) == 0).then_some(-5),
            keyspace: (self.next_below(4) == 0).then_some("ks"),
            now_in_seconds: (version >= ProtocolVersion::V5 && self.next_below(2) == 0)
                .then_some(u32::MAX),
            metadata_id: None,
        }
    }

    fn request<'a>(&mut self, bytes: &'a [u8], version: ProtocolVersion) -> Request<'a> {
        match self.next_below(8) {
            0 => Request::Startup(vec![("CQL_VERSION", "3.0.0"), ("DRIVER_NAME", "ü")]),
            1 => Request::Options,
            2 => Request::Query("SELECT * FROM t", self.options(bytes, version)),
            3 => {
                let keyspace = (version >= ProtocolVersion::V5).then_some("ks");
                Request::Prepare("SELECT ? FROM t", keyspace)
            }
            4 => {
                let metadata_id = (version >= ProtocolVersion::V5).then_some(bytes);
                Request::Execute(
                    bytes,
                    QueryOptions { metadata_id, ..self.options(bytes, version) },
                )
            }
            5 => Request::Register(vec![EventKind::SchemaChange, EventKind::StatusChange]),
            6 => Request::AuthResponse(bytes),
            _ => {
                let kinds = [BatchKind::Logged, BatchKind::Unlogged, BatchKind::Counter];
                let statements = (0..self.next_below(4)).map(|i| BatchStatement {
                    text: if i % 2 == 0 {
                        StatementRef::Text("DELETE FROM t")
                    } else {
                        StatementRef::Prepared(bytes)
                    },
                    values: (0..i).map(|_| self.value(bytes, version)).collect(),
                });
                let statements = statements.collect();
                let kind = *self.choose(&kinds);
                Request::Batch(Batch { kind, statements, options: self.options(bytes, version) })
            }
        }
    }

    fn column_type(&mut self, depth: u64, frozen: Frozenness) -> Type {
        let mut part = || self.column_type(depth.saturating_sub(1), Frozenness::Yes);
        if depth == 0 {
            return (*self.choose(&NativeType::ALL)).into();
        }
        match depth {
            _ if part().depth() % 3 == 1 => part(),
            1 => Type::List(Arc::new(part()), frozen),
            2 => Type::Map(Arc::new((part(), part())), frozen),
            3 => Type::Tuple([part(), part()].into()),
            4 => Type::Set(Arc::new(part()), frozen),
            5 => Type::Vector(Arc::new(NativeType::Float.into()), 3),
            _ => Type::User(
                Arc::new(UserType {
                    keyspace: "ks".into(),
                    name: "address".into(),
                    fields: vec![("street".into(), part()), ("zip".into(), part())],
                }),
                frozen,
            ),
        }
    }

    fn columns(&mut self, of_one_table: bool) -> Vec<ColumnSpec> {
        let count = 1 + self.next_below(4);
        let column = |i: u64| ColumnSpec {
            keyspace: "ks".into(),
            table: if of_one_table { "t".into() } else { format!("t{i}").into() },
            name: format!("c{i}").into(),
            ty: self.column_type(i * 2, Frozenness::No),
        };
        (0..count).map(column).collect()
    }

    fn error(&mut self) -> ErrorKind {
        let replicas =
            ReplicaResponses { consistency: self.consistency(), received: 1, required: 2 };
        let failures = |count: i32| ReplicaFailures {
            count,
            reasons: (0..count).map(|_| ("::1".parse().unwrap(), 2)).collect(),
        };
        match self.next_below(14) {
            0 => ErrorKind::Server,
            1 => ErrorKind::Unavailable { consistency: self.consistency(), required: 3, alive: 1 },
            2 => ErrorKind::WriteTimeout(replicas, WriteType::BatchLog),
            3 => ErrorKind::ReadTimeout(replicas, true),
            4 => ErrorKind::ReadFailure(replicas, failures(2), false),
            5 => ErrorKind::WriteFailure(replicas, failures(1), WriteType::Cdc),
            6 => ErrorKind::FunctionFailure {
                keyspace: "ks".into(),
                function: "f".into(),
                arguments: vec!["int".into(), "text".into()],
            },
            7 => ErrorKind::AlreadyExists { keyspace: "ks".into(), table: String::new() },
            8 => ErrorKind::Unprepared(self.bytes(20)),
            9 => ErrorKind::CdcWriteFailure,
            10 => ErrorKind::BadCredentials,
            11 => ErrorKind::CasWriteTimeout(replicas, 7),
            12 => ErrorKind::CasWriteUnknown(replicas),
            _ => ErrorKind::Invalid,
        }
    }

    fn schema_change(&mut self) -> SchemaChange {
        let change = *self.choose(&[ChangeKind::Created, ChangeKind::Updated, ChangeKind::Dropped]);
        let target = match self.next_below(5) {
            0 => ChangeTarget::Keyspace,
            1 => ChangeTarget::Table("t".into()),
            2 => ChangeTarget::Type("ty".into()),
            3 => ChangeTarget::Function("f".into(), vec!["int".into()]),
            _ => ChangeTarget::Aggregate("a".into(), Vec::new()),
        };
        SchemaChange { change, keyspace: "ks".into(), target }
    }

    fn response<'a>(&mut self, bytes: &'a [u8]) -> Response<'a> {
        let more = self.next_below(2) == 0;
        match self.next_below(13) {
            0 => Response::Error(ErrorMessage::new(self.error(), "no")),
            1 => Response::Ready,
            2 => Response::Authenticate("class".into()),
            3 => Response::Supported(vec![("CQL_VERSION".into(), vec!["3.4.7".into()])]),
            4 => Response::Void,
            5 => Response::SetKeyspace("ks".into()),
            6 => Response::SchemaChange(self.schema_change()),
            7 => Response::Event(Event::Schema(self.schema_change())),
            8 => Response::Event(Event::Status("UP".into(), "[::1]:9042".parse().unwrap())),
            9 => Response::AuthChallenge(more.then(|| bytes.to_vec())),
            10 => Response::AuthSuccess(more.then(|| bytes.to_vec())),
            11 => Response::Prepared(PreparedResult {
                id: self.bytes(20),
                metadata_id: bytes.to_vec(),
                markers: self.columns(true),
                key_markers: vec![1, 0],
                columns: if more {
                    ResultMetadata::NONE
                } else {
                    ResultMetadata::Given(self.columns(more))
                },
            }),
            _ => {
                let columns = self.columns(more);
                let mut content = Vec::new();
                for i in 0..columns.len() * 3 {
                    let value =
                        if i % 2 == 0 { MarkerValue::Null } else { MarkerValue::Bytes(bytes) };
                    crate::writer::bytes(&mut content, value.bytes());
                }
                let columns = if self.next_below(2) == 0 {
                    ResultMetadata::Given(columns)
                } else {
                    ResultMetadata::LeftOut { count: columns.len(), same_table: more }
                };
                let paging_state = more.then_some(Cow::Borrowed(bytes));
                let metadata_id = more.then_some(Cow::Borrowed(bytes));
                let content = content.into();
                Response::Rows(Rows { columns, paging_state, metadata_id, count: 3, content })
            }
        }
    }
}

fn decode_only_frame(bytes: &[u8]) -> Frame<'_> {
    let DecodedFrame::Frame(frame, length) = frame::decode(bytes, frame::DEFAULT_LIMIT) else {
        panic!("{bytes:?}")
    };
    assert_eq!(length, bytes.len());
    frame
}

#[test]
fn requests_return() {
    let mut numbers = SplitMix64(1);
    for round in 0..4000 {
        let version = *numbers.choose(&ProtocolVersion::ALL);
        let bytes = numbers.bytes(40);
        let request = numbers.request(&bytes, version);
        let payload = if version == ProtocolVersion::V3 { Vec::new() } else { vec![("k", None)] };
        let head = RequestHead { version, stream: 7, tracing: round % 2 == 0, payload };
        let mut out = Vec::new();
        request.encode(&head, &mut out);
        assert_eq!(Request::decode(&decode_only_frame(&out)), Ok((head, request)));
        for end in 0..out.len() {
            let DecodedFrame::Incomplete { needed } = frame::decode(&out[..end], 1 << 20) else {
                panic!("{end}")
            };
            assert_eq!(needed, if end < HEADER_BYTES { HEADER_BYTES } else { out.len() });
        }
    }
}

#[test]
fn responses_return() {
    let mut numbers = SplitMix64(2);
    for round in 0..4000 {
        let bytes = numbers.bytes(40);
        let response = numbers.response(&bytes);
        let warnings = if round % 3 == 0 { vec!["careful".to_owned()] } else { Vec::new() };
        let tracing = (round % 2 == 0).then_some(TraceId([9; 16]));
        let head = ResponseHead {
            version: ProtocolVersion::V5,
            stream: -1,
            tracing,
            warnings: warnings.into(),
        };
        let mut out = Vec::new();
        response.encode(&head, &mut out);
        assert_eq!(
            Response::decode(&decode_only_frame(&out)),
            Ok((head.clone(), response.clone()))
        );
        // Older versions have other texts for some errors, and these are decoded.
        for version in [ProtocolVersion::V3, ProtocolVersion::V4, ProtocolVersion::V6] {
            let head = ResponseHead { version, warnings: Cow::default(), ..head.clone() };
            let (mut first, mut second) = (Vec::new(), Vec::new());
            response.encode(&head, &mut first);
            let (_, read) = Response::decode(&decode_only_frame(&first)).unwrap();
            read.encode(&head, &mut second);
            assert_eq!(first, second);
        }
    }
}

#[test]
fn no_bytes_bring_the_readers_down() {
    let mut numbers = SplitMix64(3);
    for _ in 0..60_000 {
        let version = *numbers.choose(&ProtocolVersion::ALL);
        let mut bytes = match numbers.next_below(3) {
            0 => {
                let mut bytes = numbers.bytes(80);
                bytes.splice(0..0, [version.number() | (numbers.byte() & 0x80), numbers.byte()]);
                bytes
            }
            kind => {
                let mut bytes = Vec::new();
                let within = numbers.bytes(20);
                if kind == 1 {
                    let request = numbers.request(&within, version);
                    request.encode(&RequestHead::new(version, 0), &mut bytes);
                } else {
                    let response = numbers.response(&within);
                    response.encode(&ResponseHead::new(version, 0), &mut bytes);
                }
                bytes
            }
        };
        for _ in 0..numbers.next_below(4) {
            let at = usize::try_from(numbers.next_below(bytes.len() as u64)).unwrap();
            bytes[at] = numbers.byte();
        }
        let _ = frame::decode(&bytes, 1 << 20);
        let body = bytes.get(HEADER_BYTES..).unwrap_or_default();
        for opcode in Opcode::ALL {
            let frame = Frame { version, flags: bytes[1], stream: 0, opcode, body };
            let _ = Request::decode(&frame);
            if let Ok((_, Response::Rows(rows))) = Response::decode(&frame) {
                assert!(rows.values().count() <= body.len());
            }
        }
    }
}

#[test]
fn what_cannot_be_a_frame_is_refused_as_the_server_does() {
    let refused = |bytes: &[u8]| match frame::decode(bytes, 100) {
        DecodedFrame::Refused(error) => (error.stream(), error.to_error_message().message),
        other => panic!("{other:?}"),
    };
    assert_eq!(
        refused(&[66]),
        (
            0,
            "Invalid or unsupported protocol version (66); supported versions are (3/v3, 4/v4, 5/v5, 6/v6-beta)"
                .into()
        )
    );
    assert_eq!(refused(&[4, 0, 0, 7, 99, 0, 0, 0, 0]), (7, "Unknown opcode 99".into()));
    assert_eq!(
        refused(&[4, 0, 0, 7, 8, 0, 0, 0, 0]),
        (
            7,
            "Wrong protocol direction (expected RESPONSE, got REQUEST) for opcode 8 (RESULT)"
                .into()
        )
    );
    assert_eq!(
        refused(&[4, 0, 0, 7, 7, 0xFF, 0, 0, 0]),
        (7, "Request is too big: length 4278190089 exceeds maximum allowed length 100.".into())
    );
    let mut out = Vec::new();
    frame::refuse_version(&mut out, 2);
    assert_eq!(out[..4], [0x82, 0, 0, 0]);
    out.clear();
    frame::refuse_version(&mut out, 7);
    assert_eq!(out[..5], [0x85, 0, 0, 0, 0]);
    assert!(matches!(frame::decode(&[7], 100), DecodedFrame::Refused(FrameError::Version(7))));
    // A beta must be asked for; the answer is what a node sent.
    let beta = [6, 0, 0, 7, 5, 0, 0, 0, 0];
    assert!(matches!(frame::decode(&beta, 100), DecodedFrame::Refused(FrameError::Version(6))));
    out.clear();
    frame::refuse_version(&mut out, 6);
    assert_eq!(
        out,
        b"\x86\x10\0\0\0\0\0\0O\0\0\0\n\0IBeta version of the protocol used (6/v6-beta), but USE_BETA flag is unset"
    );
    let beta = [6, 0x10, 0, 7, 5, 0, 0, 0, 0];
    assert!(matches!(frame::decode(&beta, 100), DecodedFrame::Frame(..)));
}

#[test]
fn malformed_bodies_are_refused_as_the_server_does() {
    let refused = |opcode, body: &[u8]| {
        let frame = Frame { version: ProtocolVersion::V4, flags: 0, stream: 0, opcode, body };
        let malformed = Request::decode(&frame).unwrap_err();
        (malformed.code().number(), malformed.message)
    };
    let text = |message: &str| (0x000A, message.to_owned());
    assert_eq!(
        refused(Opcode::Query, &[0, 0, 0, 100, b'a']),
        text("Not enough bytes to read an UTF8 serialized string preceded by its 4 bytes length")
    );
    assert_eq!(
        refused(Opcode::Query, &[0, 0, 0, 3, b'a', 0xFF, b'b', 0, 1, 0]),
        text(
            "Cannot decode string as UTF8: 'ff62'; java.nio.charset.MalformedInputException: Input length = 1"
        )
    );
    assert_eq!(
        refused(Opcode::Query, &[0, 0, 0, 0, 0, 99, 0]),
        text("Unknown code 99 for a consistency level")
    );
    assert_eq!(
        refused(Opcode::Query, &[0, 0, 0, 0, 0, 1, 1, 0, 1, 0xFF, 0xFF, 0xFF, 0xFD]),
        text("Invalid ByteBuf length -3")
    );
    assert_eq!(
        refused(Opcode::Query, &[0, 0, 0, 0, 0, 1, 0x20, 0x80, 0, 0, 0, 0, 0, 0, 0]),
        text(
            "Out of bound timestamp, must be in [-9223372036854775807, 9223372036854775807] (got -9223372036854775808)"
        )
    );
    assert_eq!(refused(Opcode::Batch, &[9, 0, 0, 0, 1, 0]), text("Invalid BATCH message type 9"));
    assert_eq!(
        refused(Opcode::Batch, &[0, 0, 1, 9]),
        text("Invalid query kind in BATCH messages. Must be 0 or 1 but got 9")
    );
    assert_eq!(
        refused(Opcode::Register, b"\0\x01\0\x04NOPE"),
        text("Invalid value 'NOPE' for Type")
    );
    assert_eq!(refused(Opcode::Credentials, &[]), text("Unsupported message"));
    assert_eq!(
        refused(Opcode::Query, &[0, 0, 0, 0]),
        (
            0,
            "java.lang.IndexOutOfBoundsException: readerIndex(4) + length(2) exceeds writerIndex(4)"
                .to_owned()
        )
    );
}

/// The bytes were sent by Cassandra 5.0.8 for `SELECT key FROM system.local`, without and with the
/// columns.
#[test]
fn rows_are_sent_as_a_node_sends_them() {
    let key = ColumnSpec {
        keyspace: "system".into(),
        table: "local".into(),
        name: "key".into(),
        ty: NativeType::Text.into(),
    };
    let block = ColumnBlock::new(ProtocolVersion::V4, std::iter::once(key.as_column_ref()));
    let content = b"\0\0\0\x05local";
    let head = ResponseHead::new(ProtocolVersion::V4, 7);
    let body = |skip_columns| {
        let rows = RowsHead {
            columns: &block,
            skip_columns,
            paging_state: None,
            metadata_id: None,
            count: 1,
        };
        let mut out = Vec::new();
        encode_rows(&head, &rows, content, &mut out);
        decode_only_frame(&out).body.to_vec()
    };
    assert_eq!(
        body(false),
        b"\0\0\0\x02\0\0\0\x01\0\0\0\x01\0\x06system\0\x05local\0\x03key\0\r\0\0\0\x01\0\0\0\x05local"
    );
    assert_eq!(body(true), b"\0\0\0\x02\0\0\0\x05\0\0\0\x01\0\0\0\x01\0\0\0\x05local");
}

#[test]
fn types_without_a_number_go_by_their_class() {
    let spelt = |version, ty: Type| {
        let column = ColumnSpec { keyspace: "k".into(), table: "t".into(), name: "c".into(), ty };
        let mut out = Vec::new();
        let columns = ResultMetadata::Given(vec![column]);
        let rows = Rows {
            columns,
            paging_state: None,
            metadata_id: None,
            count: 0,
            content: Cow::default(),
        };
        Response::Rows(rows).encode(&ResponseHead::new(version, 0), &mut out);
        let start = HEADER_BYTES + 12 + 9;
        String::from_utf8_lossy(&out[start..out.len() - 4]).into_owned()
    };
    let duration = "org.apache.cassandra.db.marshal.DurationType";
    assert_eq!(
        spelt(ProtocolVersion::V4, NativeType::Duration.into()),
        format!("\0\0\0\x2C{duration}")
    );
    assert_eq!(spelt(ProtocolVersion::V5, NativeType::Duration.into()), "\0\x15");
    assert_eq!(spelt(ProtocolVersion::V4, NativeType::Smallint.into()), "\0\x13");
    let short = "org.apache.cassandra.db.marshal.ShortType";
    assert_eq!(
        spelt(ProtocolVersion::V3, NativeType::Smallint.into()),
        format!("\0\0\0\x29{short}")
    );
    let vector = Type::Vector(Arc::new(NativeType::Float.into()), 3);
    let class =
        "org.apache.cassandra.db.marshal.VectorType(org.apache.cassandra.db.marshal.FloatType , 3)";
    assert_eq!(spelt(ProtocolVersion::V4, vector), format!("\0\0\0\x59{class}"));
}

#[test]
fn texts_too_long_for_their_length_are_cut_whole() {
    let message = "é".repeat(40_000);
    let mut out = Vec::new();
    Response::Error(ErrorMessage::new(ErrorKind::Invalid, message.clone()))
        .encode(&ResponseHead::new(ProtocolVersion::V4, 0), &mut out);
    let (_, Response::Error(read)) = Response::decode(&decode_only_frame(&out)).unwrap() else {
        panic!("no error")
    };
    assert_eq!(read.message.len(), 65_534);
    assert!(message.starts_with(&read.message));
}
