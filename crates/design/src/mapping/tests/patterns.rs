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

/// The pattern of a relationship of one to one: both are one entity, with the key of either side.
#[test]
fn one_to_one_pattern() {
    let mut concept = movies();
    let showings =
        entity("first_showings", "title text, release_year int, theater text, shown_on date");
    let showings = key(showings, &["title release_year"]);
    let showings = refers(showings, "title release_year", 0, &concept.entities[0]);
    concept.entities.push(showings);
    let all = "m.title, m.release_year, m.description, s.theater, s.shown_on";
    let ask = |from: &str, conditions: &[&str]| {
        table(&concept, &read(&concept, from, all, conditions, ""))
    };
    let by_key = "K title, K release_year, theater, shown_on, description";
    assert_eq!(ask("first_showings s, movies m", &["s.title = ?", "s.release_year = ?"]), by_key);
    let by_key = "K title, K release_year, description, theater, shown_on";
    assert_eq!(ask("movies m, first_showings s", &["m.title = ?", "m.release_year = ?"]), by_key);
    assert_eq!(
        ask("movies m, first_showings s", &["s.theater = ?", "m.release_year > ?"]),
        "K theater, C↑ release_year, C↑ title, description, shown_on"
    );
}

/// The patterns of hierarchies: the supertype with all attributes, and the type (or the set of types) beside them.
#[test]
fn hierarchy_patterns() {
    let attributes = "video_id uuid, title text?, season int?, episode int?, mpaa_rating text?";
    let disjoint = entity("videos", &format!("{attributes}, type text"));
    let overlapping = entity("any_videos", &format!("{attributes}, type set<text>"));
    let mut shows = entity("shows", "video_id uuid, network text?");
    shows = refers(shows, "video_id", 0, &disjoint);
    shows.supertype = Some(0);
    let concept = concept(vec![disjoint, overlapping, shows]);
    let all = "video_id, title, season, episode, mpaa_rating, type";
    for from in ["videos", "any_videos"] {
        assert_eq!(
            table(&concept, &read(&concept, from, all, &["video_id = ?"], "")),
            "K video_id, title, season, episode, mpaa_rating, type"
        );
    }
    let subtype = read(
        &concept,
        "shows s, videos v",
        "s.video_id, v.title, s.network",
        &["v.video_id = ?"],
        "",
    );
    assert_eq!(table(&concept, &subtype), "K video_id, network, title");
}

/// The method's worked trace: the artifacts of a venue in a range of years, newest first. The range lies in the composite key
/// of the one side.
#[test]
fn the_worked_trace() {
    let venues = key(entity("venues", "name text, year int, homepage text?"), &["name year"]);
    let artifacts = entity(
        "artifacts",
        "artifact_id uuid, venue_name text, year int, artifact_title text?, authors list<text>?, keywords set<text>?",
    );
    let artifacts = refers(artifacts, "venue_name year", 0, &venues);
    let concept = concept(vec![venues, artifacts]);
    let read = read(
        &concept,
        "artifacts a, venues v",
        "a.artifact_id, a.artifact_title, a.authors, a.keywords",
        &["v.name = ?", "v.year > ?"],
        "v.year desc",
    );
    assert_eq!(
        table(&concept, &read),
        "K venue_name, C↓ year, C↑ artifact_id, artifact_title, authors, keywords"
    );
}
