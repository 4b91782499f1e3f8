//! The mapping patterns of the method, key for key, and its worked trace.

use super::table;

/// The table of a query over these entities, in marks.
fn map_query(entities: &str, query: &str) -> String {
    let text = format!("{entities}\n-- name: Sample :many\n{query};\n");
    let file = model::sql::read(&text, "patterns").unwrap();
    table(&file.concept, &file.workload.reads[0])
}

const MOVIES: &str = "
CREATE TABLE movies (
  title text, release_year int, description text, mpaa_rating text NOT NULL, genre text[],
  PRIMARY KEY (title, release_year)
);
CREATE TABLE first_showings (
  title text, release_year int, theater text NOT NULL, shown_on date,
  PRIMARY KEY (title, release_year),
  FOREIGN KEY (title, release_year) REFERENCES movies
);";

/// Users who upload videos, and comment on them.
const VIDEOS: &str = "
CREATE TABLE users (user_id uuid PRIMARY KEY, email text, first_name text, last_name text);
CREATE TABLE videos (
  video_id uuid PRIMARY KEY, user_id uuid NOT NULL REFERENCES users, title text, description text, tags text[],
  uploaded_timestamp timestamp NOT NULL
);
CREATE TABLE comments (
  user_id uuid REFERENCES users, video_id uuid REFERENCES videos, posted_timestamp timestamp, comment text,
  PRIMARY KEY (user_id, video_id, posted_timestamp)
);";

/// The patterns of one entity: by its key and by something else, each with and without a range.
#[test]
fn entity_patterns() {
    for (condition, expected) in [
        (
            "title = ? AND release_year = ?",
            "K title, K release_year, description, mpaa_rating, genre",
        ),
        (
            "title = ? AND release_year > ?",
            "K title, C↑ release_year, description, mpaa_rating, genre",
        ),
        (
            "mpaa_rating = ? AND release_year = ?",
            "K mpaa_rating, K release_year, C↑ title, description, genre",
        ),
        (
            "mpaa_rating = ? AND release_year > ?",
            "K mpaa_rating, C↑ release_year, C↑ title, description, genre",
        ),
    ] {
        assert_eq!(map_query(MOVIES, &format!("SELECT * FROM movies WHERE {condition}")), expected);
    }
}

/// The pattern of a relationship of one to one: both are one entity, with the key of either side.
#[test]
fn one_to_one_pattern() {
    let select = "SELECT m.title, m.release_year, m.description, s.theater, s.shown_on";
    let on = "ON s.title = m.title AND s.release_year = m.release_year";
    for key in ["m", "s"] {
        let query = format!(
            "{select} FROM movies m JOIN first_showings s {on} WHERE {key}.title = ? AND {key}.release_year = ?"
        );
        assert_eq!(
            map_query(MOVIES, &query),
            "K title, K release_year, description, theater, shown_on"
        );
    }
    let query = format!(
        "{select} FROM first_showings s JOIN movies m {on} WHERE s.theater = ? AND m.release_year > ?"
    );
    assert_eq!(
        map_query(MOVIES, &query),
        "K theater, C↑ release_year, C↑ title, shown_on, description"
    );
}

/// The patterns of a relationship of one to many, and its reverse. Which side the query names first
/// makes no difference.
#[test]
fn one_to_many_patterns() {
    let all =
        "v.video_id, u.email, u.first_name, u.last_name, v.title, v.tags, v.uploaded_timestamp";
    let mine = "v.video_id, v.title, v.tags, v.uploaded_timestamp";
    for (columns, condition, expected) in [
        (
            all,
            "v.user_id = ?",
            "K user_id, C↑ video_id, S email, S first_name, S last_name, title, tags, uploaded_timestamp",
        ),
        (
            all,
            "u.user_id = ? AND v.uploaded_timestamp > ?",
            "K user_id, C↑ uploaded_timestamp, C↑ video_id, S email, S first_name, S last_name, title, tags",
        ),
        (
            mine,
            "u.first_name = ? AND u.last_name = ?",
            "K first_name, K last_name, C↑ video_id, title, tags, uploaded_timestamp",
        ),
        (
            mine,
            "u.email = ? AND v.uploaded_timestamp > ?",
            "K email, C↑ uploaded_timestamp, C↑ video_id, title, tags",
        ),
    ] {
        for from in ["videos v JOIN users u", "users u JOIN videos v"] {
            let query =
                format!("SELECT {columns} FROM {from} ON u.user_id = v.user_id WHERE {condition}");
            assert_eq!(map_query(VIDEOS, &query), expected, "{query}");
        }
    }
    let reverse = format!(
        "SELECT {all} FROM videos v JOIN users u ON u.user_id = v.user_id WHERE v.video_id = ?"
    );
    assert_eq!(
        map_query(VIDEOS, &reverse),
        "K video_id, title, tags, uploaded_timestamp, email, first_name, last_name"
    );
}

/// The patterns of a relationship of many to many that has an attribute in its key: users comment
/// on videos.
#[test]
fn many_to_many_patterns() {
    let select = "SELECT c.user_id, c.video_id, c.posted_timestamp, c.comment, u.first_name, u.last_name, v.title, v.description \
                  FROM comments c JOIN users u ON u.user_id = c.user_id JOIN videos v ON v.video_id = c.video_id";
    for (condition, expected) in [
        (
            "c.user_id = ? AND c.video_id = ?",
            "K user_id, K video_id, C↑ posted_timestamp, S first_name, S last_name, S title, S description, comment",
        ),
        (
            "c.user_id = ? AND c.posted_timestamp > ?",
            "K user_id, C↑ posted_timestamp, C↑ video_id, S first_name, S last_name, comment, title, description",
        ),
        (
            "u.last_name = ? AND u.first_name = ?",
            "K last_name, K first_name, C↑ user_id, C↑ video_id, C↑ posted_timestamp, comment, title, description",
        ),
        (
            "u.last_name = ? AND u.first_name = ? AND c.posted_timestamp > ?",
            "K last_name, K first_name, C↑ posted_timestamp, C↑ user_id, C↑ video_id, comment, title, description",
        ),
    ] {
        assert_eq!(map_query(VIDEOS, &format!("{select} WHERE {condition}")), expected);
    }
}

/// The patterns of hierarchies: the supertype with all attributes, and the type (or the set of
/// types) beside them; and a subtype that is read by itself.
#[test]
fn hierarchy_patterns() {
    for (ty, expected) in [("text", "text"), ("text[]", "set<text>")] {
        let entities = format!(
            "CREATE TABLE videos (video_id uuid PRIMARY KEY, title text, season int, episode int, mpaa_rating text,
               type {ty} -- @set
             );
             CREATE TABLE shows (video_id uuid PRIMARY KEY REFERENCES videos, network text);"
        );
        let entities = if ty == "text" { entities.replace("-- @set", "") } else { entities };
        assert_eq!(
            map_query(&entities, "SELECT * FROM videos WHERE video_id = ?"),
            "K video_id, title, season, episode, mpaa_rating, type"
        );
        let subtype = "SELECT v.video_id, v.title, s.network FROM shows s JOIN videos v ON v.video_id = s.video_id \
                       WHERE v.video_id = ?";
        assert_eq!(map_query(&entities, subtype), "K video_id, network, title");
        let file = model::sql::read(&entities, "patterns").unwrap();
        assert_eq!(file.concept.entities[0].attributes[5].ty.to_string(), expected);
    }
}

/// The method's worked trace: the artifacts of a venue in a range of years, newest first. The range
/// lies in the composite key of the one side.
#[test]
fn the_worked_trace() {
    let entities = "
        CREATE TABLE venues (name text, year int, homepage text, PRIMARY KEY (name, year));
        CREATE TABLE artifacts (
          artifact_id uuid PRIMARY KEY, venue_name text NOT NULL, year int NOT NULL, artifact_title text, authors text[],
          keywords text[], FOREIGN KEY (venue_name, year) REFERENCES venues
        );";
    let query = "SELECT a.artifact_id, a.artifact_title, a.authors, a.keywords
        FROM artifacts a JOIN venues v ON v.name = a.venue_name AND v.year = a.year
        WHERE v.name = ? AND v.year > ? ORDER BY v.year DESC";
    assert_eq!(
        map_query(entities, query),
        "K venue_name, C↓ year, C↑ artifact_id, artifact_title, authors, keywords"
    );
}
