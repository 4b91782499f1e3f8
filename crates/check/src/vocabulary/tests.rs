//! Columns and their classes.

use cql::types::NativeType;
use schema::catalog::{Column, ColumnKind};

use super::ids::{is_id, is_own_id};
use super::keys::is_bucket;
use super::status::is_low_cardinality;

fn column(name: &str, ty: NativeType) -> Column {
    let (name, ty) = (name.into(), ty.into());
    let kind = ColumnKind::Partition;
    Column { name, ty, kind, position: 0, descending: false, mask: None }
}

#[test]
fn types_speak_louder_than_names() {
    use NativeType::{Bigint, Boolean, Int, Text, Timestamp, Timeuuid, Uuid};
    for (name, ty, few, id, bucket) in [
        ("status", Text, true, false, false),
        ("status", Uuid, false, true, false),
        ("source_id", Text, true, false, false),
        ("source_id", Uuid, false, true, false),
        ("sourceId", Int, true, false, false),
        ("user_id", Text, false, true, false),
        ("valid", Boolean, true, false, false),
        ("paid", Text, false, false, false),
        ("shard_id", Int, false, true, true),
        ("address_id_group", Int, false, false, true),
        ("user_group", Text, false, false, false),
        ("bucket_label", Text, false, false, false),
        ("domain_partition", Int, false, false, false),
        ("partition", Bigint, false, false, true),
        ("range", Bigint, false, false, true),
        ("range", Text, false, false, false),
        ("day", Text, false, false, true),
        ("added_date", Timestamp, false, false, false),
        ("added_date", Text, false, false, true),
        ("album_year", Int, false, false, false),
        ("day", Timeuuid, false, true, false),
    ] {
        let column = column(name, ty);
        let found = (is_low_cardinality(&column), is_id(&column), is_bucket(&column));
        assert_eq!(found, (few, id, bucket), "{name} {ty:?}");
    }
}

#[test]
fn own_ids_are_named_after_the_table() {
    use NativeType::{Text, Uuid};
    for (table, name, own) in [
        ("orders_by_customer", "order_id", true),
        ("orders_by_customer", "customer_id", false),
        ("reservations_by_guest", "confirm_number", true),
        ("reservations_by_guest", "room_number", false),
        ("users", "id", true),
    ] {
        let ty = if name.ends_with("number") { Text } else { Uuid };
        assert_eq!(is_own_id(table, &column(name, ty)), own, "{table} {name}");
    }
}
