//! Names against the published ones.

use model::concept::Concept;
use model::id::ReadId;
use model::plan::PlannedTable;
use model::workload::{Read, Workload};

use crate::sample::{concept, entity, key, read, refers};
use crate::{Context, Options, mapping};

/// The names of the tables of these reads.
fn names(concept: &Concept, reads: &[Read]) -> Vec<String> {
    let (workload, options) = (Workload::default(), Options::default());
    let context = Context { concept, workload: &workload, options: &options };
    let mut tables: Vec<PlannedTable> = Vec::new();
    for read in reads {
        tables.extend(
            mapping::tables_for(context, read, Some(ReadId::new(0)), &mut Vec::new()).unwrap(),
        );
    }
    super::name_tables(context, &mut tables);
    tables.into_iter().map(|table| table.name).collect()
}

fn killrvideo() -> Concept {
    let users = entity("users", "userid uuid, email text, name text?");
    let videos = entity(
        "videos",
        "videoid uuid, userid uuid, title text?, tags set<text>?, added_date timestamp",
    );
    let videos = refers(videos, "userid", 0, &users);
    let comments = key(
        entity("comments", "userid uuid, videoid uuid, at timestamp, comment text?"),
        &["userid videoid at"],
    );
    let comments = refers(refers(comments, "userid", 0, &users), "videoid", 1, &videos);
    let pois = entity("pois", "name text, description text?");
    let hotels = entity("hotels", "hotel_id text, name text?, phone text?");
    let near = key(entity("hotel_pois", "poi_name text, hotel_id text"), &["poi_name hotel_id"]);
    let near = refers(refers(near, "poi_name", 3, &pois), "hotel_id", 4, &hotels);
    concept(vec![users, videos, comments, pois, hotels, near])
}

#[test]
fn published_names() {
    let concept = killrvideo();
    for (from, select, condition, order, expected) in [
        ("users", "email", "userid = ?", "", "users"),
        ("users", "userid", "email = ?", "", "users_by_email"),
        ("videos", "videoid", "userid = ?", "added_date desc", "videos_by_user"),
        ("videos", "videoid", "? in tags", "added_date desc", "videos_by_tag"),
        ("comments", "comment", "videoid = ?", "at desc", "comments_by_video"),
        (
            "hotels h, hotel_pois p",
            "h.hotel_id, h.name, h.phone",
            "p.poi_name = ?",
            "",
            "hotels_by_poi",
        ),
        ("hotel_pois p, pois o", "o.description, o.name", "p.hotel_id = ?", "", "pois_by_hotel"),
    ] {
        let read = read(&concept, from, select, &[condition], order);
        assert_eq!(names(&concept, &[read]), [expected]);
    }
}

#[test]
fn composite_references_and_keys_of_one_to_one() {
    let users = entity("users", "username text, email text");
    let folders =
        key(entity("folders", "username text, label text, color text?"), &["username label"]);
    let folders = refers(folders, "username", 0, &users);
    let emails = key(
        entity("emails", "username text, label text, id timeuuid, body text"),
        &["username label id"],
    );
    let emails = refers(emails, "username label", 1, &folders);
    let plans = refers(entity("plans", "username text, plan text?"), "username", 0, &users);
    let concept = concept(vec![users, folders, emails, plans]);
    let folder = read(&concept, "folders", "label", &["username = ?"], "");
    let emails = read(&concept, "emails", "body", &["username = ?", "label = ?"], "id desc");
    let joined = ["users u, plans p", "plans p, users u"]
        .map(|from| read(&concept, from, "u.email, p.plan", &["u.username = ?"], ""));
    let [user, plan] = joined;
    assert_eq!(
        names(&concept, &[folder, emails, user, plan]),
        ["folders_by_user", "emails_by_folder", "users", "plans"]
    );
}

#[test]
fn without_equality() {
    let concept = killrvideo();
    let latest = read(&concept, "videos", "videoid", &[], "added_date desc");
    let all = read(&concept, "users", "userid, name", &[], "");
    let both = read(&concept, "comments", "userid, comment", &["userid = ?", "videoid = ?"], "");
    assert_eq!(
        names(&concept, &[latest, all, both]),
        ["latest_videos", "all_users", "comments_by_user_video"]
    );
}

#[test]
fn a_clash_appends_the_ordering_and_then_a_number() {
    let concept = killrvideo();
    let newest = read(&concept, "videos", "videoid", &["userid = ?"], "added_date desc");
    let plain = read(&concept, "videos", "videoid", &["userid = ?"], "");
    let titled = read(&concept, "videos", "videoid", &["userid = ?"], "title");
    assert_eq!(
        names(&concept, &[plain.clone(), newest, titled, plain]),
        ["videos_by_user", "videos_by_user_added_date", "videos_by_user_title", "videos_by_user_2"]
    );
}

#[test]
fn names_fit() {
    assert_eq!(super::fit_name("Order Items"), "order_items");
    assert_eq!(super::fit_name("order"), "order_table");
    assert_eq!(super::fit_name("9lives"), "t_9lives");
    let long = super::fit_name(&format!("videos_by_{}", "very_long_attribute_".repeat(5)));
    assert!(long.len() <= 48 && long.starts_with("videos_by_very_long"), "{long}");
    assert!(!long.ends_with('_'));
}

/// The names of the tables that a file's reads get by the rules.
fn names_of_file(tables: &str, queries: &[&str]) -> Vec<String> {
    let mut text = tables.to_owned();
    for (at, query) in queries.iter().enumerate() {
        text.push_str("\n-- name: Q");
        text.push_str(&at.to_string());
        text.push_str(" :many\n");
        text.push_str(query);
        text.push(';');
    }
    let file = model::sql::read(&text, "mail").unwrap_or_else(|wrong| panic!("{wrong:#?}"));
    let options = Options { rules_only: true, ..Options::default() };
    let design = crate::design(&file.concept, &file.workload, &options);
    design.tables.into_iter().filter(|it| it.remembers.is_none()).map(|it| it.name).collect()
}

#[test]
fn tables_of_some_rows_say_which() {
    let tables = "CREATE TABLE users (user_id uuid PRIMARY KEY);
        CREATE TABLE messages (id uuid PRIMARY KEY, user_id uuid NOT NULL REFERENCES users, sent timestamp NOT NULL,
          read boolean NOT NULL, is_active boolean NOT NULL, kind text NOT NULL, stars int NOT NULL, score int, locked_by text, body text);";
    let message = "SELECT id, body FROM messages WHERE";
    for (condition, expected) in [
        ("user_id = ? ORDER BY sent DESC", "messages_by_user"),
        ("user_id = ? AND read = false ORDER BY sent DESC", "unread_messages_by_user"),
        ("user_id = ? AND read = true ORDER BY sent DESC", "read_messages_by_user"),
        ("is_active = false ORDER BY sent DESC", "latest_inactive_messages"),
        ("kind = 'spam' ORDER BY sent DESC", "latest_spam_messages"),
        ("user_id = ? AND kind IN ('spam', 'scam')", "spam_or_scam_messages_by_user"),
        ("user_id = ? AND stars >= 4", "messages_with_stars_from_4_by_user"),
        ("user_id = ? AND score > ?", "messages_with_score_by_user"),
        ("user_id = ? AND score IS NULL", "messages_without_score_by_user"),
        ("user_id = ? AND locked_by IS NULL", "unlocked_messages_by_user"),
        ("user_id = ? AND kind = 'spam' AND read = false", "spam_unread_messages_by_user"),
    ] {
        let query = format!("{message} {condition}");
        assert_eq!(names_of_file(tables, &[&query])[0], expected, "{condition}");
    }
    // Two tables under one key differ by what they hold.
    let all = format!("{message} user_id = ? ORDER BY sent DESC");
    let unread = format!("{message} user_id = ? AND read = false ORDER BY sent DESC");
    let names = names_of_file(tables, &[&all, &unread]);
    assert_eq!(names, ["messages_by_user", "unread_messages_by_user"]);
}
