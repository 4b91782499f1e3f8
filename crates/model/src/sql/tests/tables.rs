//! Tables, keys, references and types.

use super::*;
use crate::concept::Figure;
use crate::id::{AttributeId, EntityId};

#[test]
fn all_types() {
    let text = "CREATE TYPE mood AS ENUM ('sad', 'glad');
        CREATE TYPE place AS (name text, spots int[]);
        CREATE TYPE trip AS (a place, b place);
        CREATE DOMAIN email AS varchar(80) CHECK (VALUE LIKE '%@%');
        CREATE TABLE t (
          a1 uuid PRIMARY KEY, a2 text, a3 varchar, a4 int, a5 bigint, a6 smallint, a7 boolean, a8 real,
          a9 double precision, a10 numeric, a11 date, a12 time, a13 timestamp, a14 timestamptz, a15 interval, a16 bytea,
          a17 inet, a18 json, a19 jsonb, a20 hstore, a21 mood, a22 place, a23 mood[], a24 place[], a25 trip, a26 email,
          b1 integer, b2 character varying(20), b3 timestamp without time zone, b4 timestamp(3) with time zone,
          b5 time without time zone, b6 decimal(10,2), b7 int8, b8 float8, b9 char(2), b10 text ARRAY, b11 double, b12 bool
        )";
    let model = read_model(text);
    let expected = "uuid text text int bigint smallint boolean float double decimal date time timestamp timestamp \
        duration blob inet text text map<text,_text> text frozen<place> list<text> list<frozen<place>> frozen<trip> text \
        int text timestamp timestamp time decimal bigint double text list<text> double boolean";
    let types: Vec<_> = expected.split_whitespace().map(|ty| ty.replace('_', " ")).collect();
    assert_eq!(model.types("t"), types);
    assert_eq!(model.attribute("t", "a21").distinct, Figure::from_derivation(2.0));
    let names: Vec<_> = model.concept.types.iter().map(|ty| &*ty.name).collect();
    assert_eq!(names, ["place", "trip"]);
    assert_eq!(model.concept.types[0].fields[1].1.to_string(), "frozen<list<int>>");
    // char(2) has two bytes, and a text of at most 20 characters no more than those.
    assert_eq!(model.attribute("t", "b9").bytes, Figure::from_assumption(2.0));
    assert_eq!(model.attribute("t", "b2").bytes, Figure::from_assumption(20.0));
    assert_eq!(model.attribute("t", "a26").bytes, Figure::from_assumption(32.0));
}

#[test]
fn serial_numbers_are_warned_of() {
    let text = "CREATE TABLE t (a serial PRIMARY KEY, b bigserial, c smallserial,
        d int GENERATED ALWAYS AS IDENTITY, e int GENERATED ALWAYS AS (b * 2) STORED, f int DEFAULT nextval('s'))";
    let model = read_model(text);
    assert_eq!(model.types("t"), ["int", "bigint", "smallint", "int", "int", "int"]);
    let warnings = list_warnings(text, &model);
    let expected = [
        ("MF250", "a"),
        ("MF250", "b"),
        ("MF250", "c"),
        ("MF250", "d"),
        ("MF250", "f"),
        ("MF014", ""),
    ];
    assert_eq!(warnings, expected);
}

#[test]
fn keys() {
    let text = "CREATE TABLE t (a int, b int NOT NULL UNIQUE, c int UNIQUE, d int NOT NULL, e int,
        CONSTRAINT pk PRIMARY KEY (a, d), UNIQUE (b, d), UNIQUE (a, d), CHECK (a > 0));
        ALTER TABLE t ADD UNIQUE (d, b), ALTER COLUMN e SET NOT NULL;
        CREATE UNIQUE INDEX i ON t (e);
        CREATE UNIQUE INDEX j ON t (d) WHERE a > 0;
        CREATE UNIQUE INDEX k ON t ((d + 1));";
    let model = read_model(text);
    let keys = [vec!["a", "d"], vec!["b"], vec!["b", "d"], vec!["e"], vec!["d_key"]];
    assert_eq!(model.keys("t"), keys);
    // A key that is unique and never null is enough.
    assert_eq!(read_model("CREATE TABLE t (a int NOT NULL UNIQUE)").keys("t"), [["a"]]);
}

#[test]
fn relations_have_names() {
    let text = "CREATE TABLE users (id uuid PRIMARY KEY);
        CREATE TABLE videos (id uuid PRIMARY KEY,
            author uuid REFERENCES users, -- @relation posts @each 5
            owner uuid,
            FOREIGN KEY (owner) REFERENCES users (id) -- @relation is owner of
        );";
    let model = read_model(text);
    let names: Vec<_> =
        model.entity("videos").references.iter().map(|it| it.relation.as_deref()).collect();
    assert_eq!(names, [Some("posts"), Some("is owner of")]);
}

#[test]
fn references() {
    let text = "CREATE TABLE a (x int, y int, z int UNIQUE, PRIMARY KEY (x, y));
        CREATE TABLE b (id int PRIMARY KEY, x int, y int NOT NULL, z int REFERENCES a (z), up int REFERENCES b,
          FOREIGN KEY (x, y) REFERENCES a, CONSTRAINT c FOREIGN KEY (y, x) REFERENCES a (y, x));
        ALTER TABLE b ADD FOREIGN KEY (z) REFERENCES a (z);";
    let model = read_model(text);
    let b = model.entity("b");
    let positions = |of: &[AttributeId]| of.iter().map(|it| it.index()).collect::<Vec<_>>();
    let found: Vec<_> = b
        .references
        .iter()
        .map(|it| {
            let (own, other) = (positions(&it.attributes), positions(&it.target_attributes));
            (own, it.target.index(), other, it.nullable)
        })
        .collect();
    assert_eq!(
        found,
        [
            (vec![3], 0, vec![2], true),
            (vec![4], 1, vec![0], true),
            (vec![1, 2], 0, vec![0, 1], true),
            (vec![2, 1], 0, vec![1, 0], true),
        ]
    );
}

#[test]
fn circles_of_references_are_fine() {
    let text = "CREATE TABLE a (id int PRIMARY KEY, b int REFERENCES b); -- @rows 5
        CREATE TABLE b (id int PRIMARY KEY, c int REFERENCES c);
        CREATE TABLE c (id int PRIMARY KEY, a int REFERENCES a, boss int REFERENCES c);";
    let model = read_model(text);
    assert_eq!(model.entity("a").references[0].target, EntityId::new(1));
    assert_eq!(model.entity("c").references[1].target, EntityId::new(2));
}

#[test]
fn subtypes() {
    let text = "CREATE TABLE people (id uuid PRIMARY KEY);
        CREATE TABLE staff (id uuid PRIMARY KEY REFERENCES people, boss uuid REFERENCES people);
        CREATE TABLE pupils (id uuid, PRIMARY KEY (id), FOREIGN KEY (id) REFERENCES people (id));
        CREATE TABLE rooms (id uuid REFERENCES people, number int, PRIMARY KEY (id, number));
        CREATE TABLE a (id uuid PRIMARY KEY REFERENCES b);
        CREATE TABLE b (id uuid PRIMARY KEY REFERENCES a);";
    let model = read_model(text);
    let supertypes: Vec<_> =
        model.concept.entities.iter().map(|it| it.supertype.map(EntityId::index)).collect();
    assert_eq!(supertypes, [None, Some(0), Some(0), None, Some(5), None]);
}

#[test]
fn time_ordered_ids_spread_along_references() {
    let text = "CREATE TABLE a (id uuid PRIMARY KEY, other uuid); -- nothing
        CREATE TABLE b (id uuid PRIMARY KEY, -- @time
          a uuid REFERENCES a, parent uuid REFERENCES b);
        CREATE TABLE c (b uuid PRIMARY KEY REFERENCES b, d uuid REFERENCES d);
        CREATE TABLE d (id uuid PRIMARY KEY, c uuid REFERENCES c);";
    let model = read_model(text);
    assert_eq!(model.types("a"), ["uuid", "uuid"]);
    assert_eq!(model.types("b"), ["timeuuid", "uuid", "timeuuid"]);
    assert_eq!(model.types("c"), ["timeuuid", "uuid"]);
    assert_eq!(model.types("d"), ["uuid", "timeuuid"]);
    let late = "CREATE TABLE a (id uuid PRIMARY KEY);\nCREATE TABLE b (\nid uuid PRIMARY KEY REFERENCES a -- @time\n)";
    assert_eq!(error_places(late), [("MF212", "@time")]);
    assert_eq!(only_help(late), "write @time at the end of the line of a.id");
}

#[test]
fn names_fold_as_in_sql() {
    let text = "CREATE TABLE Shop.Users (ID uuid PRIMARY KEY, \"Name\" text);
        CREATE TABLE \"Posts\" (id uuid PRIMARY KEY, u uuid REFERENCES public.USERS (Id))";
    let model = read_model(text);
    assert_eq!(model.entity("users").attributes[1].name, "Name");
    assert_eq!(model.entity("Posts").references[0].target, EntityId::new(0));
}

#[test]
fn directives_stand_behind_what_they_speak_of() {
    let text = "-- @rows 7  prose before is fine: @grows 3/day
CREATE TABLE t ( -- @retain 30d
  a int PRIMARY KEY
  , b text -- ask ann@example.org: @bytes 5
  , c text[] NOT NULL
      CHECK (c <> '{}'), /* @items 3
      @set */
  d int, e text, -- @distinct 9
  f int, -- @exact @skew zipf 1.5
  u int, -- @each 4/day
  v int,
  CONSTRAINT x FOREIGN KEY (v) REFERENCES t, -- @each 2 @skew zipf 2
  FOREIGN KEY (u) REFERENCES t
);";
    let model = read_model(&text.replacen(
        "@rows 7  prose before is fine: @grows",
        "prose before is fine: @rows 7 @grows",
        1,
    ));
    let t = model.entity("t");
    assert_eq!((t.rows.value, t.grows.value, t.retain), (7.0, 3.0, Some(30.0 * 86_400.0)));
    assert_eq!(model.attribute("t", "b").bytes, Figure::from_input(5.0));
    assert_eq!(
        (model.attribute("t", "c").items.value, model.attribute("t", "c").ty.to_string()),
        (3.0, "set<text>".into())
    );
    assert_eq!(model.attribute("t", "e").distinct, Figure::from_input(9.0));
    assert!(model.attribute("t", "f").exact);
    assert_eq!(model.attribute("t", "f").skew, crate::concept::Skew::Zipf(1.5));
    assert_eq!(t.references.iter().map(|it| it.fan_out.mean).collect::<Vec<_>>(), [2.0, 4.0]);
    assert_eq!(t.references[0].skew, crate::concept::Skew::Zipf(2.0));
    assert_eq!(t.references[1].fan_out.per, Some(86_400.0));
    assert_eq!(error_places(text), [("MF103", "prose before is fine:")]);
}

#[test]
fn a_column_may_be_added() {
    let model = read_model(
        "CREATE TABLE t (a int PRIMARY KEY); ALTER TABLE t ADD COLUMN IF NOT EXISTS b text NOT NULL; -- @bytes 7",
    );
    assert_eq!(model.attribute("t", "b").bytes, Figure::from_input(7.0));
}

#[test]
fn the_head() {
    let text = "-- @tenant Tenant\n-- @rows 5\nCREATE TABLE t (tenant int, id int, PRIMARY KEY (tenant, id))";
    let model = read(text, "My-App 2").unwrap();
    assert_eq!(model.concept.tenant.as_deref(), Some("tenant"));
    assert_eq!(model.concept.keyspace, "my_app_2");
    assert_eq!(model.entity("t").rows, Figure::from_input(5.0));
}

#[test]
fn a_reference_has_the_width_of_what_it_refers_to() {
    let model = read_model(
        "CREATE TABLE roles (id bigserial PRIMARY KEY, n int);
         CREATE TABLE users (id smallint PRIMARY KEY, role_id int REFERENCES roles);
         CREATE TABLE grants (role_id int, user_id bigint REFERENCES users, PRIMARY KEY (role_id, user_id));
         ALTER TABLE grants ADD FOREIGN KEY (role_id) REFERENCES roles;
         CREATE TABLE uses (id int PRIMARY KEY, role_id smallint, user_id int,
             FOREIGN KEY (role_id, user_id) REFERENCES grants);",
    );
    assert_eq!(model.types("roles"), ["bigint", "int"]);
    assert_eq!(model.types("users"), ["smallint", "bigint"]);
    assert_eq!(model.types("grants"), ["bigint", "smallint"]);
    assert_eq!(model.types("uses"), ["int", "bigint", "smallint"]);
}
