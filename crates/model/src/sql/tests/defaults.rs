//! Defaults of columns, and the statements that rely on them.

use super::{read, read_model};
use crate::concept::{ClientValue, DefaultValue, TimeShift};
use crate::workload::{Supply, Value, WriteKind};

const DUMP: &str = "
CREATE DOMAIN public.score AS integer DEFAULT 3 CHECK (VALUE > 0);
CREATE TYPE public.state AS ENUM ('open', 'done');
CREATE TABLE public.items (
    id bigint NOT NULL,
    key uuid DEFAULT public.uuid_generate_v4() NOT NULL,
    title character varying(255) DEFAULT 'x'::character varying NOT NULL,
    state public.state DEFAULT 'open'::public.state NOT NULL,
    rank integer DEFAULT '-1'::integer NOT NULL,
    price numeric(10,2) DEFAULT 0.00 NOT NULL,
    ratio double precision DEFAULT (0)::double precision,
    hidden boolean DEFAULT false NOT NULL,
    tags text[] DEFAULT '{}'::text[] NOT NULL,
    data jsonb DEFAULT '{}'::jsonb NOT NULL,
    day date DEFAULT CURRENT_DATE NOT NULL,
    created_at timestamp without time zone DEFAULT now() NOT NULL,
    updated_at timestamp without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    points public.score,
    nothing text DEFAULT NULL::character varying,
    later timestamp without time zone DEFAULT (now() + '7 days'::interval),
    dropped integer DEFAULT 5
);
ALTER TABLE ONLY public.items ALTER COLUMN id SET DEFAULT nextval('public.items_id_seq'::regclass);
ALTER TABLE ONLY public.items ALTER COLUMN dropped DROP DEFAULT;
ALTER TABLE ONLY public.items ADD CONSTRAINT items_pkey PRIMARY KEY (id);
";

fn constant(text: &str) -> DefaultValue {
    DefaultValue::Constant(text.to_owned())
}

#[test]
fn defaults_of_a_dump() {
    let model = read_model(DUMP);
    let default = |name: &str| {
        model.attribute("items", name).default.as_ref().map(|default| default.value.clone())
    };
    assert_eq!(default("id"), Some(DefaultValue::Client(ClientValue::NextNumber)));
    assert_eq!(default("key"), Some(DefaultValue::Client(ClientValue::NewUuid)));
    assert_eq!(default("title"), Some(constant("'x'")));
    assert_eq!(default("state"), Some(constant("'open'")));
    assert_eq!(default("rank"), Some(constant("-1")));
    assert_eq!(default("price"), Some(constant("0.00")));
    assert_eq!(default("ratio"), Some(constant("0.0")));
    assert_eq!(default("hidden"), Some(constant("false")));
    assert_eq!(default("tags"), Some(constant("[]")));
    assert_eq!(default("data"), Some(constant("'{}'")));
    assert_eq!(default("day"), Some(DefaultValue::Client(ClientValue::Today)));
    assert_eq!(default("created_at"), Some(DefaultValue::Client(ClientValue::Now)));
    assert_eq!(default("updated_at"), Some(DefaultValue::Client(ClientValue::Now)));
    assert_eq!(default("points"), Some(constant("3")));
    assert_eq!(default("nothing"), None);
    let week = TimeShift { months: 0, millis: 7 * 86_400_000 };
    assert_eq!(default("later"), Some(DefaultValue::Client(ClientValue::ShiftedNow(week))));
    assert_eq!(default("dropped"), None);
}

#[test]
fn an_insert_writes_the_defaults_of_what_it_omits() {
    let text = format!(
        "{DUMP}
-- name: Add :exec
INSERT INTO items (title, later, rank) VALUES (?, now(), DEFAULT);"
    );
    let model = read_model(&text);
    let write = &model.workload.writes[0];
    let WriteKind::Insert(values) = &write.kind else { panic!("no insert") };
    let value = |name: &str| {
        let at = model.entity("items").attribute_named(name).unwrap();
        let (_, value) = values.iter().find(|(attribute, _)| *attribute == at)?;
        Some(match value {
            Value::Literal(text) => text.clone(),
            Value::Parameter(at) => format!("?{}", at.index()),
        })
    };
    // The one of the text first; one for all that are now.
    assert_eq!(value("title").as_deref(), Some("?0"));
    assert_eq!(value("later").as_deref(), Some("?1"));
    assert_eq!(value("created_at").as_deref(), Some("?1"));
    assert_eq!(value("updated_at").as_deref(), Some("?1"));
    assert_eq!(value("id").as_deref(), Some("?2"));
    assert_eq!(value("rank").as_deref(), Some("-1"));
    assert_eq!(value("hidden").as_deref(), Some("false"));
    assert_eq!(value("dropped"), None);
    let supplies: Vec<Supply> = write.parameters.iter().map(|it| it.supply).collect();
    assert_eq!(
        supplies,
        [
            Supply::User,
            Supply::Client(ClientValue::Now),
            Supply::Client(ClientValue::NextNumber),
            Supply::Client(ClientValue::NewUuid),
            Supply::Client(ClientValue::Today),
        ]
    );
    assert_eq!(write.parameters[1].name, "later");
}

#[test]
fn default_values_and_short_lists() {
    let table = "CREATE TABLE t (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), a int DEFAULT 1, \
                 b text DEFAULT 'b');\n-- name: W :exec\n";
    let values = |statement: &str| {
        let model = read_model(&format!("{table}{statement};"));
        match &model.workload.writes[0].kind {
            WriteKind::Insert(values) => values.len(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(values("INSERT INTO t DEFAULT VALUES"), 3);
    assert_eq!(values("INSERT INTO t VALUES (?, 7)"), 3);
    assert_eq!(values("INSERT INTO t (a) VALUES (DEFAULT)"), 3);
}

#[test]
fn defaults_of_the_wrong_type() {
    let wrong = [
        "n int DEFAULT 'abc'",
        "n int DEFAULT now()",
        "n int DEFAULT true",
        "n int DEFAULT '5'::text",
        "b boolean DEFAULT 5",
        "d date DEFAULT 'nope'",
        "d timestamp DEFAULT 'nope'",
        "u uuid DEFAULT 'x'",
        "u uuid DEFAULT now()",
        "t timestamp DEFAULT gen_random_uuid()",
        "n int DEFAULT id",
        "n int DEFAULT (id + 1)",
    ];
    for column in wrong {
        let text = format!(
            "CREATE TABLE t (id int PRIMARY KEY, {column} NOT NULL);\n-- name: W :exec\nINSERT INTO t (id) VALUES (?);"
        );
        let errors = read(&text, "t").unwrap_err();
        let codes: Vec<_> = errors.iter().map(|error| error.rule).collect();
        assert_eq!(codes, ["MF220"], "{column}");
    }
}

#[test]
fn an_unsupported_default_matters_only_where_it_is_used() {
    let table = "CREATE TABLE t (id int PRIMARY KEY, code text DEFAULT make_code());
-- name: W :exec\n";
    assert!(read(&format!("{table}INSERT INTO t (id, code) VALUES (?, ?);"), "t").is_ok());
    let errors = read(&format!("{table}INSERT INTO t (id) VALUES (?);"), "t").unwrap_err();
    assert_eq!(errors[0].rule, "MF363");
    assert_eq!(
        errors[0].message,
        "W relies on the default of code, make_code(), which the client cannot compute"
    );
}
