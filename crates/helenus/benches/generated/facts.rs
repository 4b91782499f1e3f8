//! What the server has before the first call.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

const VIDEOS: usize = 1000;
const USERS: usize = 100;
/// Videos with comments, of which a slice reads 50.
const VIDEOS_WITH_COMMENTS: usize = 100;
const COMMENTS: usize = 60;
const HOUR_MS: u128 = 3_600_000;

/// Writes the statements that create and fill the tables; they are run when the server starts.
pub(crate) fn write_init_file(folder: &Path) -> PathBuf {
    let mut text = String::new();
    for keyspace in ["killrvideo", "metrics"] {
        let schema = folder.join(keyspace).join("schema.cql");
        let replication = "{'class': 'SimpleStrategy', 'replication_factor': 1}";
        writeln!(text, "CREATE KEYSPACE {keyspace} WITH replication = {replication};").unwrap();
        writeln!(text, "USE {keyspace};\nSOURCE '{}';", schema.display()).unwrap();
    }
    write_videos(&mut text);
    write_metrics(&mut text);
    let path = folder.join("init.cql");
    fs::write(&path, text).unwrap();
    path
}

/// The id with a number, a valid timeuuid.
fn make_id(number: usize) -> String {
    format!("{number:08x}-0000-1000-8000-000000000001")
}

fn write_videos(text: &mut String) {
    for user in 0..USERS {
        let id = make_id(user);
        writeln!(
            text,
            "INSERT INTO killrvideo.users (userid, email, password, firstname, created_date) \
             VALUES ({id}, '{user}@example.org', 'secret', 'Ada', 1700000000000);"
        )
        .unwrap();
    }
    for video in 0..VIDEOS {
        let (id, user) = (make_id(video), make_id(video % USERS));
        writeln!(
            text,
            "INSERT INTO killrvideo.videos (videoid, userid, name, description, location, preview, tags, added_date) \
             VALUES ({id}, {user}, 'Video {video}', 'What it shows', 'https://example.org/{video}', \
             'https://example.org/{video}.png', {{'one', 'two', 'three'}}, 1700000000000);"
        )
        .unwrap();
    }
    for (video, comment) in
        (0..VIDEOS_WITH_COMMENTS).flat_map(|video| (0..COMMENTS).map(move |it| (video, it)))
    {
        let (id, user) = (make_id(comment), make_id(comment));
        writeln!(
            text,
            "INSERT INTO killrvideo.comments_by_video (videoid, commentid, userid, comment, firstname) \
             VALUES ({}, {id}, {user}, 'A comment of some words', 'Ada');",
            make_id(video)
        )
        .unwrap();
    }
}

/// Ten values in each of the last 25 hours.
fn write_metrics(text: &mut String) {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis();
    for number in 0..250 {
        let at = now - number * HOUR_MS / 10;
        let hour = at / HOUR_MS * HOUR_MS;
        writeln!(
            text,
            "INSERT INTO metrics.metrics_by_metric (metric_name, hour, recorded_at, value, tags) \
             VALUES ('cpu', {hour}, {at}, {number}.5, {{'host': 'one'}});"
        )
        .unwrap();
    }
}
