//! The points where the method leaves a choice, as they were settled.

use model::concept::{Concept, Origin};
use model::id::{ParameterId, SourceId};
use model::plan::{Derivation, NoteKind, ReadPart};
use model::workload::{Comparison, Condition, Predicate, Value};

use super::{map_read, refusal, table, tables};
use crate::mapping::collision::Collision;
use crate::mapping::collision::find_collision;
use crate::sample::{column, concept, entity, key, marks, read, refers};
use crate::{ForcedKey, Options};

/// Orders of customers.
fn orders() -> Concept {
    let customers = entity("customers", "id uuid, email text, name text?");
    let customers = key(customers, &["id", "email"]);
    let orders = entity(
        "orders",
        "order_id uuid, customer_id uuid, status text, placed timestamp, paid timestamp?, total int, price decimal, labels set<text>?, took duration?, views bigint",
    );
    let mut orders = refers(orders, "customer_id", 0, &customers);
    orders.attributes[9].counter = true;
    concept(vec![customers, orders])
}

fn map_query(select: &str, conditions: &[&str], order: &str) -> String {
    let concept = orders();
    table(&concept, &read(&concept, "orders", select, conditions, order))
}

#[test]
fn equalities_are_the_partition_key_in_the_order_written() {
    assert_eq!(
        map_query("order_id", &["status = ?", "placed > ?", "customer_id = ?"], ""),
        "K status, K customer_id, C↑ placed, C↑ order_id"
    );
}

#[test]
fn constants_restrict_what_is_stored() {
    let concept = orders();
    let read = read(
        &concept,
        "orders",
        "order_id, status",
        &[
            "customer_id = ?",
            "status = 'open'",
            "total > 10",
            "placed in '2026-01-01','2026-01-02'",
        ],
        "",
    );
    assert_eq!(table(&concept, &read), "K customer_id, C↑ order_id, status");
    let (tables, _) = map_read(&concept, &read, &Options::default());
    assert_eq!(tables[0].holds.filters, read.conditions[1..]);
}

#[test]
fn a_constant_part_of_a_key_needs_no_column() {
    let mut concept = orders();
    let lines = entity("lines", "order_id uuid, kind text, note text?");
    concept.entities.push(key(lines, &["order_id kind"]));
    let read = read(&concept, "lines", "note", &["order_id = ?", "kind = 'gift'"], "");
    assert_eq!(table(&concept, &read), "K order_id, note");
}

#[test]
fn a_list_is_an_equality_unless_the_result_is_ordered_by_it_first() {
    assert_eq!(
        map_query("order_id", &["customer_id = ?", "status in ?,?"], ""),
        "K customer_id, K status, C↑ order_id"
    );
    assert_eq!(
        map_query("order_id", &["customer_id = ?", "status any ?"], "status, placed desc"),
        "K customer_id, C↑ status, C↓ placed, C↑ order_id"
    );
    assert_eq!(
        map_query("order_id", &["customer_id = ?", "status any ?"], "placed desc"),
        "K customer_id, K status, C↓ placed, C↑ order_id"
    );
    assert_eq!(
        map_query("order_id", &["customer_id = ?", "status any ?"], "customer_id, status"),
        "K customer_id, C↑ status, C↑ order_id",
        "the customer is the same in the whole result"
    );
    assert_eq!(
        map_query("total", &["order_id any ?"], "order_id"),
        "K order_id, total",
        "else one partition would hold all orders"
    );
}

#[test]
fn the_range_clusters_before_an_order_by_something_else() {
    assert_eq!(
        map_query("order_id", &["customer_id = ?", "total > ?"], "placed desc"),
        "K customer_id, C↑ total, C↓ placed, C↑ order_id"
    );
    assert_eq!(
        map_query("order_id", &["customer_id = ?", "total > ?", "placed > ?"], "placed desc"),
        "K customer_id, C↓ placed, C↑ order_id, total",
        "of two ranges the one that orders; the client filters by the other"
    );
}

#[test]
fn an_order_by_what_follows_from_the_key_adds_nothing() {
    assert_eq!(map_query("total", &["order_id any ?"], "placed desc"), "K order_id, placed, total");
    assert_eq!(
        map_query("total", &["customer_id = ?"], "placed desc, order_id desc, total"),
        "K customer_id, C↓ placed, C↓ order_id, total"
    );
}

#[test]
fn paging_by_position_takes_the_columns_of_the_order() {
    let concept = orders();
    let mut read =
        read(&concept, "orders", "total", &["customer_id = ?"], "placed desc, order_id desc");
    let columns = ["placed", "order_id"].map(|name| column(&concept, &read.sources, name));
    read.conditions.push(Condition {
        predicate: Predicate::Row {
            columns: columns.to_vec(),
            comparison: Comparison::Less,
            values: vec![
                Value::Parameter(ParameterId::new(1)),
                Value::Parameter(ParameterId::new(2)),
            ],
        },
        span: cql::Span::default(),
    });
    assert_eq!(table(&concept, &read), "K customer_id, C↓ placed, C↓ order_id, total");
}

#[test]
fn without_an_equality_a_constant_or_a_prefix_names_the_partition() {
    assert_eq!(map_query("total", &[], "placed desc"), "K bucket, C↓ placed, C↑ order_id, total");
    assert_eq!(map_query("order_id", &["total > ?"], ""), "K bucket, C↑ total, C↑ order_id");
    let concept = concept(vec![entity("tags", "tag text, uses int")]);
    assert_eq!(
        table(&concept, &read(&concept, "tags", "tag", &["tag like ?"], "")),
        "K tag_prefix, C↑ tag"
    );
    let orders = orders();
    assert_eq!(
        table(&orders, &read(&orders, "orders", "total", &["status = ?", "status like ?"], "")),
        "K status, C↑ order_id, total"
    );
    assert_eq!(
        table(&orders, &read(&orders, "customers", "id", &["id = ?", "name like ?"], "")),
        "K id, C↑ name"
    );
}

#[test]
fn elements_of_an_array() {
    let concept = orders();
    let read = read(&concept, "orders", "order_id, labels", &["? in labels"], "placed desc");
    assert_eq!(table(&concept, &read), "K label, C↓ placed, C↑ order_id, labels");
    let (tables, _) = map_read(&concept, &read, &Options::default());
    let labels = column(&concept, &read.sources, "labels");
    assert_eq!(tables[0].holds.elements, [labels]);
    assert_eq!(tables[0].columns[0].derivation, Derivation::Element(labels));
    assert_eq!(tables[0].columns[0].ty.to_string(), "text");
}

#[test]
fn two_elements_of_one_array_leave_the_second_to_the_client() {
    assert_eq!(
        map_query("order_id", &["? in labels", "? in labels"], ""),
        "K label, C↑ order_id, labels"
    );
}

#[test]
fn groups_cluster_before_the_rest() {
    let concept = orders();
    let mut read =
        read(&concept, "orders", "status, count(*)", &["customer_id = ?"], "status desc");
    read.group = vec![column(&concept, &read.sources, "status")];
    assert_eq!(table(&concept, &read), "K customer_id, C↓ status, ++order_count");
    read.exact = true;
    assert_eq!(table(&concept, &read), "K customer_id, C↓ status, C↑ order_id");
}

#[test]
fn a_group_by_what_may_be_null_is_said() {
    let concept = orders();
    let mut read = read(&concept, "orders", "paid, count(*)", &["customer_id = ?"], "");
    let paid = column(&concept, &read.sources, "paid");
    read.group = vec![paid];
    let (_, notes) = map_read(&concept, &read, &Options::default());
    assert_eq!(notes.iter().map(|note| note.kind).collect::<Vec<_>>(), [NoteKind::Assumption]);
    read.conditions.push(Condition {
        predicate: Predicate::NotNull { column: paid },
        span: cql::Span::default(),
    });
    let (tables, notes) = map_read(&concept, &read, &Options::default());
    assert!(notes.is_empty());
    assert_eq!(tables[0].holds.not_null, [paid]);
}

#[test]
fn counts_and_sums_are_counters_where_counters_can_say_them() {
    assert_eq!(map_query("count(*)", &[], ""), "K bucket, ++order_count");
    assert_eq!(
        map_query("avg(total)", &["status = ?"], ""),
        "K status, ++order_count, ++total_sum"
    );
    assert_eq!(map_query("count(paid)", &["status = ?"], ""), "K status, ++paid_count");
    assert_eq!(
        map_query("sum(price)", &["status = ?"], ""),
        "K status, C↑ order_id, price",
        "no whole number"
    );
    assert_eq!(
        map_query("count(*)", &["status = ?", "placed > ?"], ""),
        "K status, C↑ placed, C↑ order_id",
        "a range within the group"
    );
    let mut concept = orders();
    concept.entities[1].retain = Some(86_400.0);
    assert_eq!(
        table(&concept, &read(&concept, "orders", "count(*)", &["status = ?"], "")),
        "K status, C↑ order_id",
        "counters cannot expire"
    );
}

#[test]
fn the_least_and_the_greatest_stand_first() {
    assert_eq!(map_query("max(total)", &["status = ?"], ""), "K status, C↓ total, C↑ order_id");
    assert_eq!(
        map_query("min(total), max(total)", &["status = ?"], ""),
        "K status, C↑ total, C↑ order_id"
    );
    assert_eq!(
        map_query("max(total)", &["status = ?", "placed > ?"], ""),
        "K status, C↑ placed, C↑ order_id, total"
    );
    let concept = orders();
    let read = read(&concept, "orders", "min(paid)", &["status = ?"], "");
    let (tables, _) = map_read(&concept, &read, &Options::default());
    assert_eq!(marks(&tables[0]), "K status, C↑ paid, C↑ order_id");
    assert_eq!(tables[0].holds.not_null, [column(&concept, &read.sources, "paid")]);
}

#[test]
fn existence_needs_the_key_only() {
    let concept = orders();
    let ask = |condition: &str| {
        table(&concept, &read(&concept, "customers", "exists()", &[condition], ""))
    };
    assert_eq!(ask("email = ?"), "K email");
    assert_eq!(ask("name = ?"), "K name, C↑ id");
}

#[test]
fn nulls_that_cannot_match_are_not_stored() {
    let concept = orders();
    let read = read(&concept, "orders", "order_id", &["customer_id = ?", "paid > ?"], "paid");
    let (tables, _) = map_read(&concept, &read, &Options::default());
    assert_eq!(tables[0].holds.not_null, [column(&concept, &read.sources, "paid")]);
}

#[test]
fn an_order_with_a_constant_for_null_has_a_column_of_its_own() {
    let concept = orders();
    let mut read = read(&concept, "orders", "order_id, paid", &["customer_id = ?"], "paid desc");
    read.order[0].null_as = Some("'1970-01-01'".to_owned());
    assert_eq!(table(&concept, &read), "K customer_id, C↓ paid_order, C↑ order_id, paid");
}

#[test]
fn what_no_key_can_hold_is_refused() {
    let concept = orders();
    let ask = |conditions: &[&str], order: &str| {
        refusal(&concept, &read(&concept, "orders", "order_id", conditions, order))
    };
    assert_eq!(
        ask(&["customer_id = ?"], "views desc"),
        "`Sample` searches or orders by the counter `orders.views`, which cannot be part of a key"
    );
    assert_eq!(
        ask(&["took = ?"], ""),
        "`Sample` searches or orders by the interval `orders.took`, which cannot be part of a key"
    );
    assert_eq!(
        ask(&["customer_id = ?", "views > 10"], ""),
        "`Sample` selects rows by the value of the counter `orders.views`, which no write can determine"
    );
}

#[test]
fn counter_attributes_have_tables_of_their_own() {
    let concept = orders();
    let by_key = read(&concept, "orders", "views", &["order_id = ?"], "");
    assert_eq!(tables(&concept, &by_key), ["K order_id, ++views"]);
    let both =
        read(&concept, "orders o, customers c", "o.views, c.name", &["o.customer_id = ?"], "");
    assert_eq!(
        tables(&concept, &both),
        ["K customer_id, C↑ order_id, S customer_name", "K order_id, ++views"]
    );
    let (made, _) = map_read(&concept, &both, &Options::default());
    assert_eq!(made[1].serves[0].part, ReadPart::Counters);
    assert_eq!(made[1].serves[0].sources, [Some(SourceId::new(0)), None]);
}

#[test]
fn a_table_of_counters_may_have_the_whole_key_in_any_order() {
    let views = key(entity("page_views", "page text, day date, views bigint"), &["page day"]);
    let mut concept = concept(vec![views]);
    concept.entities[0].attributes[2].counter = true;
    let read = read(&concept, "page_views", "day, views", &["page = ?"], "day desc");
    assert_eq!(tables(&concept, &read), ["K page, C↓ day, ++views"]);
}

#[test]
fn an_array_too_large_for_a_collection_is_a_table() {
    let mut concept = orders();
    let read = read(&concept, "orders", "placed, labels", &["order_id = ?"], "");
    assert_eq!(table(&concept, &read), "K order_id, placed, labels", "10 elements");
    concept.entities[1].attributes[7].items.value = 101.0;
    let (tables, notes) = map_read(&concept, &read, &Options::default());
    assert_eq!(
        tables.iter().map(marks).collect::<Vec<_>>(),
        ["K order_id, placed", "K order_id, C↑ label"]
    );
    assert_eq!(tables[1].serves[0].part, ReadPart::Elements);
    assert_eq!(notes[0].kind, NoteKind::Warning);
    concept.entities[1].attributes[7].items.value = 11.0;
    concept.entities[1].attributes[7].items.origin = Origin::Assumed;
    let (tables, _) = map_read(&concept, &read, &Options::default());
    assert_eq!(tables.len(), 2, "an assumed average of 11 is 110 at p99");
}

#[test]
fn a_tenant_leads_every_partition_key() {
    let mut concept = orders();
    concept.tenant = Some("customer_id".to_owned());
    let good = read(&concept, "orders", "order_id", &["status = ?", "customer_id = ?"], "");
    assert_eq!(table(&concept, &good), "K customer_id, K status, C↑ order_id");
    let bad = read(&concept, "orders", "order_id", &["status = ?"], "");
    assert_eq!(refusal(&concept, &bad), "`Sample` does not restrict the tenant `customer_id`");
}

#[test]
fn a_forced_key_is_taken_and_its_collision_shown() {
    let concept = orders();
    let read = read(&concept, "orders", "total", &["customer_id = ?"], "placed desc");
    let forced = |clustering: &[(&str, bool)]| Options {
        keys: vec![ForcedKey {
            read: "Sample".to_owned(),
            partition: vec!["customer_id".to_owned()],
            clustering: clustering.iter().map(|(name, way)| ((*name).to_owned(), *way)).collect(),
        }],
        ..Options::default()
    };
    let (tables, _) = map_read(&concept, &read, &forced(&[("placed", true)]));
    assert_eq!(marks(&tables[0]), "K customer_id, C↓ placed, total");
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    assert_eq!(
        find_collision(&concept, &tables[0]),
        Some(Collision {
            same: vec![
                pair("customer_id", "00000000-0000-4000-8000-000000000001"),
                pair("placed", "'2026-01-01 00:00:00Z'"),
            ],
            different: vec![(
                "orders.order_id".to_owned(),
                "00000000-0000-4000-8000-000000000001".to_owned(),
                "00000000-0000-4000-8000-000000000002".to_owned(),
            )],
        })
    );
    let (tables, _) = map_read(&concept, &read, &forced(&[("placed", true), ("order_id", false)]));
    assert_eq!(find_collision(&concept, &tables[0]), None);
    let (tables, notes) = map_read(&concept, &read, &forced(&[("order_ids", false)]));
    assert!(tables.is_empty());
    assert_eq!(notes[0].topic.help(), "write `order_id`");
}

#[test]
fn names_of_columns_from_several_entities() {
    let employees = entity("employees", "id uuid, name text, manager_id uuid");
    let employees = refers(employees.clone(), "manager_id", 0, &employees);
    let concept = concept(vec![employees]);
    let read =
        read(&concept, "employees e, employees m", "e.id, e.name, m.id, m.name", &["e.id = ?"], "");
    assert_eq!(table(&concept, &read), "K id, name, manager_id, manager_name");
}

#[test]
fn any_key_of_an_entity_in_the_partition_key_makes_its_attributes_static() {
    let concept = orders();
    let ask = |select: &str, condition: &str| {
        table(&concept, &read(&concept, "orders o, customers c", select, &[condition], ""))
    };
    assert_eq!(
        ask("o.total, c.name, c.id", "c.email = ?"),
        "K email, C↑ order_id, S customer_name, customer_id, total",
        "an email is a customer's key; the reference is the order's own attribute"
    );
    assert_eq!(
        ask("o.total, c.email", "c.name = ?"),
        "K customer_name, C↑ order_id, total, email",
        "a name is not"
    );
}

#[test]
fn two_many_sides_of_one_entity_are_all_in_the_key() {
    let mut concept = orders();
    let cards = entity("cards", "card_no text, customer_id uuid, bank text");
    concept.entities.push(refers(cards, "customer_id", 0, &concept.entities[0]));
    let read = read(
        &concept,
        "customers c, orders o, cards k",
        "c.email, o.total, k.bank",
        &["c.id = ?"],
        "",
    );
    assert_eq!(
        table(&concept, &read),
        "K customer_id, C↑ order_id, C↑ card_no, S email, total, bank"
    );
}

#[test]
fn columns_of_one_name_are_told_apart_by_their_entity() {
    let rooms = entity("rooms", "room uuid, description text, size int");
    let amenities = entity("amenities", "amenity uuid, room uuid, description text, size int");
    let amenities = refers(amenities, "room", 0, &rooms);
    let concept = concept(vec![rooms, amenities]);
    let read = read(
        &concept,
        "amenities a, rooms r",
        "a.description, r.description, r.size",
        &["a.room = ?"],
        "",
    );
    assert_eq!(
        table(&concept, &read),
        "K room, C↑ amenity, S room_description, S size, description"
    );
}
