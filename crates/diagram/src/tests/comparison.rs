//! What changes between two schemas, by hand.

use super::super::{Change, Level, Picture, changes};
use super::find_defects;
use super::notation::draw_schema;

const BEFORE: &str = "\
CREATE TABLE users (id uuid PRIMARY KEY, email text, phone text);
CREATE TABLE visits (user uuid, seen timestamp, page text, PRIMARY KEY (user, seen));
CREATE TABLE carts (id uuid PRIMARY KEY, total decimal);
CREATE TABLE coupons (code text PRIMARY KEY);";

const AFTER: &str = "\
CREATE TABLE users (id uuid PRIMARY KEY, email text, name text);
CREATE TABLE visits (user uuid, day date, seen timestamp, page text, PRIMARY KEY ((user, day), seen))
  WITH CLUSTERING ORDER BY (seen DESC) AND default_time_to_live = 86400;
CREATE TABLE orders (id uuid PRIMARY KEY);
CREATE TABLE coupons (code text PRIMARY KEY);";

fn compare() -> Picture {
    changes(&draw_schema(BEFORE, Level::Physical), &draw_schema(AFTER, Level::Physical))
}

#[test]
fn tables_and_columns_are_marked() {
    use Change::{Added, Altered, Dropped, None};

    let picture = compare();
    assert_eq!(find_defects(&picture), [""; 0]);
    assert_eq!(
        picture.summary,
        "1 added, 1 dropped, 1 with another key, 1 otherwise changed, 1 unchanged"
    );
    let card = |title: &str| {
        let cards = &picture.frames[0].cards;
        cards.iter().find(|card| card.title == title).expect(title)
    };
    let rows = |title: &str| -> Vec<(&str, Change)> {
        card(title).rows.iter().map(|row| (row.name.as_str(), row.change)).collect()
    };
    let users = [("id", None), ("email", None), ("+ name", Added), ("− phone", Dropped)];
    assert_eq!((card("users").change, rows("users")), (Altered, users.to_vec()));
    let visits = [("user", None), ("+ day", Added), ("seen", Altered), ("page", None)];
    assert_eq!((card("visits").change, rows("visits")), (Altered, visits.to_vec()));
    assert_eq!(card("visits").rows[2].mark, "C↑ → C↓");
    assert_eq!(card("visits").badges, ["TTL 1 day", "key changed"]);
    assert_eq!(card("visits").footer, ["key before: (user), seen", "before: no TTL"]);
    assert_eq!((card("orders").change, card("carts").change), (Added, Dropped));
    assert_eq!(
        (card("coupons").change, &*card("coupons").footer[0]),
        (None, "unchanged, 1 column")
    );
    let mermaid = picture.mermaid();
    assert!(
        mermaid.contains("<b>orders</b> (added)") && mermaid.contains(":::dropped"),
        "{mermaid}"
    );
}

#[test]
fn a_schema_is_unchanged_from_itself() {
    let schema = draw_schema(AFTER, Level::Physical);
    let picture = changes(&schema, &schema);
    assert_eq!(picture.summary, "4 unchanged");
    assert!(picture.frames[0].cards.iter().all(|card| card.change == Change::None));
}
