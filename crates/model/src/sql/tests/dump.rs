//! What `pg_dump --schema-only` writes.

use super::*;
use crate::concept::Figure;

const DUMP: &str = include_str!("../../../testdata/shop_dump.sql");

#[test]
fn a_plain_dump_works() {
    let model = read_model(DUMP);
    let names: Vec<_> = model.concept.entities.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["customers", "employees", "events", "order_lines", "orders"]);
    assert_eq!(
        model.types("customers"),
        [
            "bigint",
            "text",
            "text",
            "date",
            "frozen<address>",
            "list<text>",
            "text",
            "decimal",
            "timestamp",
            "int",
            "text"
        ]
    );
    assert_eq!(model.types("orders"), ["bigint", "bigint", "uuid", "uuid", "text", "timestamp"]);
    assert_eq!(model.types("order_lines"), ["bigint", "smallint", "decimal", "int"]);
    assert_eq!(model.concept.types.len(), 1);
    assert_eq!(&*model.concept.types[0].keyspace, "app");
    assert_eq!(model.attribute("customers", "Legacy Id").ty.to_string(), "int");
    assert_eq!(model.attribute("orders", "state").distinct, Figure::from_derivation(3.0));
    // The domain is never null.
    assert!(!model.attribute("order_lines", "quantity").nullable);
}

#[test]
fn keys_and_references_that_are_added_count() {
    let model = read_model(DUMP);
    assert_eq!(model.keys("customers"), [["id"], ["email"]]);
    assert_eq!(model.keys("order_lines"), [["order_id", "line"]]);
    assert_eq!(model.keys("events"), [["id", "at"]]);
    let orders = model.entity("orders");
    let references: Vec<_> = orders
        .references
        .iter()
        .map(|reference| {
            let target = model.concept.entities[reference.target].name.as_str();
            (orders.attributes[reference.attributes[0]].name.as_str(), target, reference.nullable)
        })
        .collect();
    assert_eq!(
        references,
        [
            ("customer_id", "customers", false),
            ("packed_by", "employees", true),
            ("sold_by", "employees", true)
        ]
    );
    let employees = model.concept.entity_named("employees").unwrap();
    assert_eq!(model.entity("employees").references[0].target, employees);
}

#[test]
fn what_cassandra_does_not_do_is_warned_of() {
    let model = read_model(DUMP);
    assert_eq!(
        list_warnings(DUMP, &model),
        [
            ("MF253", "search"),
            ("MF250", "id"),
            ("MF252", "events_2024"),
            ("MF250", "id"),
            ("MF257", "orders"),
            ("MF251", "search"),
            ("MF254", "email)::text ~* '^[^@]+@[^@]+$'"),
            ("MF270", "email"),
            ("MF277", "at"),
            ("MF014", "")
        ]
    );
}

#[test]
fn volumes_are_assumed_and_listed() {
    let model = read_model(DUMP);
    let helps: Vec<_> = model.assumptions.iter().map(|it| it.topic.help()).collect();
    for expected in [
        "write @replication datacenter1:3 at the head of the file",
        "write @nodes 6 at the head of the file",
        "write @rows 1M above CREATE TABLE orders",
        "write @each 1 p99 10 max 100 at the end of the line of the reference",
        "write @items 10 at the end of its line",
    ] {
        assert!(helps.iter().any(|help| help == expected), "{expected}: {helps:#?}");
    }
}

#[test]
fn a_dump_takes_queries_and_volumes() {
    let volumes = DUMP
        .replacen(
            "REFERENCES public.customers(id) NOT VALID;",
            "REFERENCES public.customers(id) NOT VALID; -- @each 8 p99 90",
            1,
        )
        .replacen(
            "CREATE TABLE public.customers (",
            "-- @rows 2M\nCREATE TABLE public.customers (",
            1,
        );
    let query = "-- name: OrdersOf :many\n-- @rate 5/s\nSELECT id, state FROM orders WHERE customer_id = $1;\n";
    let model = read_model(&format!("{volumes}{query}"));
    assert_eq!(model.workload.reads.len(), 1);
    let orders = model.entity("orders");
    assert_eq!((orders.references[0].fan_out.mean, orders.references[0].fan_out.p99), (8.0, 90.0));
    // 2M customers with 8 orders each.
    assert_eq!(orders.rows, Figure::from_derivation(16e6));
}

#[test]
fn a_dump_that_cleans_before_it_creates_works() {
    let clean =
        "ALTER TABLE IF EXISTS ONLY public.orders DROP CONSTRAINT IF EXISTS orders_customer_fkey;
ALTER TABLE IF EXISTS public.customers ALTER COLUMN id DROP DEFAULT;
ALTER TABLE IF EXISTS ONLY public.gone DROP CONSTRAINT IF EXISTS gone_pkey;
ALTER TABLE ONLY public.open_orders ALTER COLUMN id SET STATISTICS 100;
DROP TABLE IF EXISTS public.orders;\n";
    assert_eq!(read_model(&format!("{clean}{DUMP}")).concept.entities.len(), 5);
}

#[test]
fn a_dump_with_data_is_refused_once() {
    let copy = DUMP.replacen("CREATE TABLE public.orders", "COPY public.customers (id, email) FROM stdin;\n1\tit's@x\n\\.\n\nCREATE TABLE public.orders", 1);
    assert_eq!(error_places(&copy), [("MF004", "COPY public.customers (id, email) FROM stdin")]);
    assert!(only_help(&copy).contains("pg_dump --schema-only"));
    let inserts =
        DUMP.to_owned() + &"INSERT INTO public.customers VALUES (1, 'a;b');\n".repeat(5_000);
    assert_eq!(
        error_places(&inserts),
        [("MF004", "INSERT INTO public.customers VALUES (1, 'a;b')")]
    );
}

#[test]
fn what_newer_dumps_hold_is_read() {
    let file = read(
        "CREATE TABLE public.film (
            film_id integer PRIMARY KEY,
            length smallint NOT NULL,
            length_hours numeric(4,2) GENERATED ALWAYS AS (round(length / 60.0, 2)) VIRTUAL,
            fulltext tsvector NOT NULL,
            embedding public.vector(20) NOT NULL
        );
        CREATE MATERIALIZED VIEW public.films_by_length AS SELECT length FROM public.film;
        CREATE UNIQUE INDEX i ON public.films_by_length USING btree (length);",
        "dump",
    )
    .unwrap();
    let film = &file.concept.entities[0];
    assert_eq!(film.attributes[4].ty.to_string(), "vector<float, 20>");
    assert_eq!(film.keys.len(), 1);
}
