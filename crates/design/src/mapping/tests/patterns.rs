//! The mapping patterns of the method, key for key.

use model::concept::Concept;

use super::table;
use crate::sample::{concept, entity, key, read, refers};

fn movies() -> Concept {
    let movies = entity(
        "movies",
        "title text, release_year int, description text?, mpaa_rating text, genre set<text>?",
    );
    concept(vec![key(movies, &["title release_year"])])
}

/// Users who upload videos, and comment on them.
fn videos() -> Concept {
    let users = entity("users", "user_id uuid, email text?, first_name text?, last_name text?");
    let videos = entity(
        "videos",
        "video_id uuid, user_id uuid, title text?, description text?, tags set<text>?, uploaded_timestamp timestamp",
    );
    let videos = refers(videos, "user_id", 0, &users);
    let comments = entity(
        "comments",
        "user_id uuid, video_id uuid, posted_timestamp timestamp, comment text?",
    );
    let comments = key(comments, &["user_id video_id posted_timestamp"]);
    let comments = refers(refers(comments, "user_id", 0, &users), "video_id", 1, &videos);
    concept(vec![users, videos, comments])
}

/// The patterns of one entity.
#[test]
fn entity_patterns() {
    let all = "title, release_year, description, mpaa_rating, genre";
    for (conditions, expected) in [
        (
            ["title = ?", "release_year = ?"],
            "K title, K release_year, description, mpaa_rating, genre",
        ),
        (
            ["title = ?", "release_year > ?"],
            "K title, C↑ release_year, description, mpaa_rating, genre",
        ),
        (
            ["mpaa_rating = ?", "release_year = ?"],
            "K mpaa_rating, K release_year, C↑ title, description, genre",
        ),
        (
            ["mpaa_rating = ?", "release_year > ?"],
            "K mpaa_rating, C↑ release_year, C↑ title, description, genre",
        ),
    ] {
        let concept = movies();
        assert_eq!(table(&concept, &read(&concept, "movies", all, &conditions, "")), expected);
    }
}

/// The patterns of a relationship of one to many: users upload videos.
#[test]
fn one_to_many_patterns() {
    let concept = videos();
    let all =
        "v.video_id, u.email, u.first_name, u.last_name, v.title, v.tags, v.uploaded_timestamp";
    let ask = |select: &str, conditions: &[&str]| {
        table(&concept, &read(&concept, "videos v, users u", select, conditions, ""))
    };
    assert_eq!(
        ask(all, &["v.user_id = ?"]),
        "K user_id, C↑ video_id, S email, S first_name, S last_name, title, tags, uploaded_timestamp"
    );
    assert_eq!(
        ask(all, &["u.user_id = ?", "v.uploaded_timestamp > ?"]),
        "K user_id, C↑ uploaded_timestamp, C↑ video_id, S email, S first_name, S last_name, title, tags"
    );
    let mine = "v.video_id, v.title, v.tags, v.uploaded_timestamp";
    assert_eq!(
        ask(mine, &["u.first_name = ?", "u.last_name = ?"]),
        "K first_name, K last_name, C↑ video_id, title, tags, uploaded_timestamp"
    );
    assert_eq!(
        ask(mine, &["u.email = ?", "v.uploaded_timestamp > ?"]),
        "K email, C↑ uploaded_timestamp, C↑ video_id, title, tags"
    );
    assert_eq!(
        ask(all, &["v.video_id = ?"]),
        "K video_id, title, tags, uploaded_timestamp, email, first_name, last_name",
        "the reverse: the user's attributes are copied"
    );
}

/// The patterns of a relationship of many to many that has an attribute in its key: users comment on videos.
#[test]
fn many_to_many_patterns() {
    let concept = videos();
    let all = "c.user_id, c.video_id, c.posted_timestamp, c.comment, u.first_name, u.last_name, v.title, v.description";
    let ask = |select: &str, conditions: &[&str]| {
        table(&concept, &read(&concept, "comments c, users u, videos v", select, conditions, ""))
    };
    assert_eq!(
        ask(all, &["c.user_id = ?", "c.video_id = ?"]),
        "K user_id, K video_id, C↑ posted_timestamp, S first_name, S last_name, S title, S description, comment"
    );
    assert_eq!(
        ask(all, &["c.user_id = ?", "c.posted_timestamp > ?"]),
        "K user_id, C↑ posted_timestamp, C↑ video_id, S first_name, S last_name, comment, title, description"
    );
    assert_eq!(
        ask(all, &["u.last_name = ?", "u.first_name = ?"]),
        "K last_name, K first_name, C↑ user_id, C↑ video_id, C↑ posted_timestamp, comment, title, description"
    );
    assert_eq!(
        ask(all, &["u.last_name = ?", "u.first_name = ?", "c.posted_timestamp > ?"]),
        "K last_name, K first_name, C↑ posted_timestamp, C↑ user_id, C↑ video_id, comment, title, description"
    );
}
