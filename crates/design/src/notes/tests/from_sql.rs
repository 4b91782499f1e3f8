//! What is said of whole model files: the figures follow from the volumes that the file states.

use model::plan::{Design, Note, NoteKind};

use crate::{ForcedKey, Options, Target, design};

fn design_with(text: &str, options: &Options) -> Design {
    let file = model::sql::read(text, "shop").unwrap_or_else(|wrong| panic!("{wrong:#?}"));
    design(&file.concept, &file.workload, options)
}

fn design_text(text: &str) -> Design {
    design_with(text, &Options::for_method())
}

fn notes_of_kind(design: &Design, kind: NoteKind) -> Vec<&Note> {
    design.notes.iter().filter(|note| note.kind == kind).collect()
}

#[track_caller]
fn assert_note(design: &Design, kind: NoteKind, parts: &[&str]) -> String {
    let all = |note: &&Note| parts.iter().all(|part| note.topic.to_string().contains(part));
    let found = design.notes.iter().filter(|note| note.kind == kind).find(all);
    let found = found.unwrap_or_else(|| panic!("{parts:?} not in {:#?}", design.notes));
    found.topic.help()
}

fn options_with_key(read: &str, partition: &[&str], clustering: &[&str]) -> Options {
    let key = ForcedKey {
        read: read.to_owned(),
        partition: partition.iter().map(|&name| name.to_owned()).collect(),
        clustering: clustering.iter().map(|&name| (name.to_owned(), true)).collect(),
    };
    Options { keys: vec![key], ..Options::for_method() }
}

/// The users of seed 003: by country as well as by id.
const USERS: &str = "
    -- @keyspace shop  @replication dc1:3  @nodes 6

    -- @rows 10M
    CREATE TABLE users (
      user_id uuid PRIMARY KEY,
      country text NOT NULL,   -- @distinct 195 @bytes 2
      name text NOT NULL
    );
    -- name: User :one
    -- @rate 1k/s
    SELECT user_id, country, name FROM users WHERE user_id = ?;
    -- name: UsersByCountry :many
    -- @rate 2/s
    SELECT user_id, name FROM users WHERE country = ?;
    -- name: Move :exec
    -- @rate 100/day
    UPDATE users SET country = ? WHERE user_id = ?;
    ";

#[test]
fn users_by_country() {
    let design = design_text(USERS);
    // 195 * 3 copies on 6 nodes are 97.5 a node: sqrt(2 ln 6 / 97.5) = 19 %.
    assert_note(
        &design,
        NoteKind::Warning,
        &["`users_by_country`", "195 partitions", "`country`", "19 % more"],
    );
    assert_note(
        &design,
        NoteKind::Warning,
        &["`Move` changes `country`", "`users_by_country`", "4.2/h"],
    );
    // 51,282 users of a country are more than an index should return.
    assert!(notes_of_kind(&design, NoteKind::Alternative).is_empty());
    let first = &design.checklists[0].points[0];
    assert_eq!(first.holds, Some(false));
    assert!(first.evidence.contains("users_by_country (195 partitions)"), "{}", first.evidence);
}

#[test]
fn a_rare_search_could_use_an_index() {
    let rare = USERS.replace("@distinct 195", "@distinct 50k");
    let with = |target| design_with(&rare, &Options { target, ..Options::for_method() });
    // 200 users each; 2 reads a second on 6 nodes.
    let help = assert_note(
        &with(Target::Cassandra50),
        NoteKind::Alternative,
        &[
            "`UsersByCountry` (2/s)",
            "storage-attached index on `users.country`",
            "all 6 nodes each time (12/s requests)",
        ],
    );
    assert!(help.contains("CREATE INDEX ON users (country) USING 'sai'"), "{help}");
    // For a secondary index, these are too many values.
    assert!(notes_of_kind(&with(Target::Cassandra41), NoteKind::Alternative).is_empty());
    let fewer = rare.replace("@distinct 50k", "@distinct 5k").replace("@rows 10M", "@rows 1M");
    let options = Options { target: Target::Cassandra41, ..Options::for_method() };
    let design = design_with(&fewer, &options);
    let help = assert_note(&design, NoteKind::Alternative, &["a secondary index"]);
    assert!(help.contains("CREATE INDEX ON users (country)`"), "{help}");
    assert_note(
        &with(Target::Scylla),
        NoteKind::Alternative,
        &["global secondary index", "two reads"],
    );
    // On the home page it keeps its table.
    let often = rare.replace("@rate 2/s", "@rate 2k/s");
    assert!(notes_of_kind(&design_text(&often), NoteKind::Alternative).is_empty());
}

#[test]
fn an_index_within_a_partition() {
    // Seed 000: "Acceptable: Index query with partition key".
    let text = "
        -- @rows 1M
        CREATE TABLE users (user_id uuid PRIMARY KEY);
        CREATE TABLE activities (
          activity_id uuid PRIMARY KEY,
          user_id uuid NOT NULL REFERENCES users,  -- @each 50
          at timestamp NOT NULL,
          type text NOT NULL                       -- @distinct 5
        );
        -- name: Activities :many
        -- @rate 1k/s
        SELECT activity_id, at, type FROM activities WHERE user_id = ? ORDER BY at DESC;
        -- name: ActivitiesOfType :many
        -- @rate 5/s
        SELECT activity_id, at FROM activities WHERE user_id = ? AND type = ? ORDER BY at DESC;
        ";
    let options =
        Options { target: Target::Cassandra41, rules_only: true, ..Options::for_method() };
    let design = design_with(text, &options);
    assert_note(
        &design,
        NoteKind::Alternative,
        &[
            "`ActivitiesOfType`",
            "a secondary index on `activities_by_user.type` would search one partition",
            "3 replicas",
        ],
    );
}

#[test]
fn activity_of_a_user_without_a_month() {
    // Seed 003: 15M rows of 100 bytes in five years; the rate that gives it is 8,214 a day. A row
    // has its flags and sizes (3), its key (1 + 8 + 16), the time of a day (6) and its text (2 +
    // 64).
    let text = "
        -- @rows 100k
        CREATE TABLE users (user_id uuid PRIMARY KEY);
        CREATE TABLE user_activity (
          activity_id uuid PRIMARY KEY,
          user_id uuid NOT NULL REFERENCES users,  -- @each 8214/day
          activity_time timestamp NOT NULL,
          details text NOT NULL                    -- @bytes 64
        );
        -- name: Latest :many
        SELECT activity_id, activity_time, details FROM user_activity
        WHERE user_id = ? ORDER BY activity_time DESC LIMIT 20;
        ";
    let key = options_with_key("Latest", &["user_id"], &["activity_time", "activity_id"]);
    let design = design_with(text, &key);
    // 300,000 rows after 36.5 days.
    let help = assert_note(
        &design,
        NoteKind::Refusal,
        &["`(user_id), activity_time, activity_id`", "15M rows and 1.5 GB at p99.9", "in 37 days"],
    );
    assert!(help.contains("`(user_id, month), activity_time, activity_id`"), "{help}");
    assert!(notes_of_kind(&design_text(text), NoteKind::Refusal).is_empty());
    // The key of the seed also loses rows of one millisecond.
    let design = design_with(text, &options_with_key("Latest", &["user_id"], &["activity_time"]));
    let help =
        assert_note(&design, NoteKind::Refusal, &["not unique", "user_activity.activity_id"]);
    assert!(help.contains("(user_id, month), activity_time, activity_id"), "{help}");
    assert_eq!(design.checklists[0].points[4].holds, Some(false));
}

#[test]
fn nulls_lead_the_assumptions() {
    let text = "
        -- @rows 1M
        CREATE TABLE users (user_id uuid PRIMARY KEY);
        CREATE TABLE videos (
          video_id uuid PRIMARY KEY,
          user_id uuid NOT NULL REFERENCES users,  -- @each 10
          rank int
        );
        -- name: VideoCount :one
        SELECT COUNT(*) FROM videos WHERE user_id = ?;
        -- name: ByRank :many
        SELECT video_id, rank FROM videos WHERE user_id = ? ORDER BY rank;
        -- name: AddVideo :exec
        INSERT INTO videos (video_id, user_id, rank) VALUES (?, ?, ?);
        ";
    let design = design_text(text);
    let assumptions = notes_of_kind(&design, NoteKind::Assumption);
    assert!(assumptions.len() > 1, "{assumptions:#?}");
    assert!(
        assumptions[0].topic.to_string().contains("`ByRank` orders by `rank`, which may be null")
    );
    let help = assumptions[0].topic.help();
    assert!(help.contains("NOT NULL") && help.contains("COALESCE(rank, constant)"), "{help}");
    assert!(assumptions[1..].iter().any(|note| note.topic.to_string().contains("counter")));
    let stated = text.replace("ORDER BY rank", "ORDER BY COALESCE(rank, 0)");
    assert!(
        !design_text(&stated)
            .notes
            .iter()
            .any(|note| note.topic.to_string().contains("may be null"))
    );
}

#[test]
fn levels_of_reads_and_writes() {
    let text = "
        -- @replication dc1:3, dc2:3  @nodes 12
        CREATE TABLE users (user_id uuid PRIMARY KEY, name text);
        -- name: User :one
        -- @consistency local_one
        SELECT name FROM users WHERE user_id = ?;
        -- name: AddUser :exec
        INSERT INTO users (user_id, name) VALUES (?, ?);
        ";
    let design = design_text(text);
    assert_note(
        &design,
        NoteKind::Warning,
        &[
            "`User` reads at LOCAL_ONE and may miss what `AddUser` wrote at LOCAL_QUORUM",
            "3 in dc1, 3 in dc2",
        ],
    );
    let quorum = design_text(&text.replace("local_one", "local_quorum"));
    assert!(notes_of_kind(&quorum, NoteKind::Warning).is_empty(), "{:#?}", quorum.notes);
    assert_note(&quorum, NoteKind::Assumption, &["use the same datacenter"]);
}

#[test]
fn names_that_are_copied_into_every_row() {
    // Each of 500 comments shows its author's name: a change rewrites them all.
    let text = "
        -- @rows 1M
        CREATE TABLE users (user_id uuid PRIMARY KEY, name text NOT NULL);
        -- @rows 1M
        CREATE TABLE videos (video_id uuid PRIMARY KEY);
        CREATE TABLE comments (
          comment_id uuid PRIMARY KEY,
          user_id uuid NOT NULL REFERENCES users,    -- @each 500
          video_id uuid NOT NULL REFERENCES videos,  -- @each 500
          body text NOT NULL
        );
        -- name: CommentsOfVideo :many
        -- @rate 100/s
        SELECT c.comment_id, c.body, u.name FROM comments c JOIN users u ON u.user_id = c.user_id
        WHERE c.video_id = ?;
        -- name: Rename :exec
        -- @rate 2/s
        UPDATE users SET name = ? WHERE user_id = ?;
        ";
    assert_note(
        &design_text(text),
        NoteKind::Warning,
        &["`Rename` writes 500 rows each time (1k/s in total)"],
    );
}

#[test]
fn written_and_never_read() {
    let text = "
        CREATE TABLE users (user_id uuid PRIMARY KEY, name text);
        CREATE TABLE audit (audit_id uuid PRIMARY KEY, note text);
        -- name: User :one
        SELECT name FROM users WHERE user_id = ?;
        -- name: Log :exec
        INSERT INTO audit (audit_id, note) VALUES (?, ?);
        ";
    let design = design_text(text);
    assert_note(&design, NoteKind::Warning, &["`audit` is written by `Log` and read by no query"]);
    assert!(!design.notes.iter().any(|note| note.topic.to_string().contains("`users` is written")));
}

#[test]
fn partitions_that_servers_warn_of() {
    let text = "
        -- @rows 1k
        CREATE TABLE rooms (room_id uuid PRIMARY KEY);
        -- @rows 200M
        CREATE TABLE messages (message_id uuid PRIMARY KEY, /* @time */
          room_id uuid NOT NULL REFERENCES rooms, -- @each 200k
          body text NOT NULL);
        -- name: Messages :many
        SELECT message_id, body FROM messages WHERE room_id = ?;
        ";
    let design = design_text(text);
    let rows = ["`messages_by_room` reaches 200k rows", "100k from which ScyllaDB warns"];
    let help =
        assert_note(&design, NoteKind::Warning, &[rows[0], rows[1], "`Messages` reads them all"]);
    assert!(help.contains("LIMIT"), "{help}");
    let limited = design_text(&text.replace("room_id = ?;", "room_id = ? LIMIT 10;"));
    assert_note(&limited, NoteKind::Alternative, &rows);
}

#[test]
fn rows_of_megabytes() {
    let text = "
        -- @rows 1k
        CREATE TABLE pictures (id uuid PRIMARY KEY, picture bytea NOT NULL -- @bytes 20MB
        );
        -- name: Picture :one
        SELECT picture FROM pictures WHERE id = ?;
        ";
    assert_note(
        &design_text(text),
        NoteKind::Warning,
        &["a row of `pictures` has 20 MB", "16 MiB"],
    );
    let smaller = design_text(&text.replace("20MB", "2MB"));
    assert_note(&smaller, NoteKind::Warning, &["a row of `pictures` has 2 MB"]);
    let small = design_text(&text.replace("20MB", "20KB"));
    assert!(notes_of_kind(&small, NoteKind::Warning).is_empty(), "{:#?}", small.notes);
}

#[test]
fn collections_that_are_written_whole() {
    let text = "
        -- @rows 1k
        CREATE TABLE users (user_id uuid PRIMARY KEY);
        -- @rows 100k
        CREATE TABLE videos (video_id uuid PRIMARY KEY,
          user_id uuid NOT NULL REFERENCES users, -- @each 100
          tags text[] -- @set @items 5
        );
        -- name: Videos :many
        SELECT video_id, tags FROM videos WHERE user_id = ?;
        -- name: Add :exec
        INSERT INTO videos (video_id, user_id, tags) VALUES (?, ?, ?);
        -- name: Tag :exec
        UPDATE videos SET tags = array_append(tags, ?) WHERE video_id = ? AND user_id = ?;
        ";
    let whole = "`tags` of `videos_by_user` is written as a whole by `Add`";
    let help = assert_note(&design_text(text), NoteKind::Alternative, &[whole, "a tombstone"]);
    assert_eq!(help, "insert the row without `tags`, then add to it: SET tags = tags + ?");
    let replaced = design_text(&text.replace("array_append(tags, ?)", "?"));
    let help = assert_note(&replaced, NoteKind::Alternative, &[whole, "and `Tag`"]);
    assert_eq!(help, "declare it frozen<set<text>> if its elements are never changed individually");
    let (once, _) = text.split_once("-- name: Tag").unwrap();
    assert!(notes_of_kind(&design_text(once), NoteKind::Alternative).is_empty());
}

#[test]
fn writes_that_make_null_what_is_ordered_by() {
    let text = "
        CREATE TABLE notes (user_id uuid, note_id uuid, rank int, PRIMARY KEY (user_id, note_id));
        -- name: Ranked :many
        SELECT note_id FROM notes WHERE user_id = ? ORDER BY rank;
        -- name: Add :exec
        INSERT INTO notes (user_id, note_id) VALUES (?, ?);
        -- name: Forget :exec
        UPDATE notes SET rank = NULL WHERE user_id = ? AND note_id = ?;
        ";
    let design = design_text(text);
    assert_note(
        &design,
        NoteKind::Assumption,
        &["`rank`, which may be null: it is assumed never to be null"],
    );
    for words in ["`Add` leaves `rank` null", "`Forget` makes `rank` null"] {
        assert_note(&design, NoteKind::Warning, &[words, "`Ranked`", "does not return the row"]);
    }
}

/// Whatever the key, each poll of what is pending meets the tombstones of all that was finished: 17k
/// a day for ten days.
#[test]
fn tombstones_are_where_rows_leave() {
    let text = "
        -- @rows 100
        CREATE TABLE tasks (id uuid PRIMARY KEY, created timestamp NOT NULL,
          status text NOT NULL, -- @distinct 3
          payload text);
        -- name: Next :many
        -- @rate 10/s
        SELECT id, payload FROM tasks WHERE status = 'pending' ORDER BY created LIMIT 10;
        -- name: Push :exec
        -- @rate 17k/day
        INSERT INTO tasks (id, created, status, payload) VALUES (?,?,?,?);
        -- name: Finish :exec
        -- @rate 17k/day
        UPDATE tasks SET status = 'done' WHERE id = ?;";
    let key = options_with_key("Next", &["status"], &["created", "id"]);
    for options in [Options::for_method(), Options::default(), key] {
        let design = design_with(text, &options);
        let met = design.reads[0].effort.tombstones;
        assert!((met / 170_000.0 - 1.0).abs() < 0.01, "{met}");
    }
}

#[test]
fn conditions_in_some_writes_only() {
    let text = "
        CREATE TABLE posts (id uuid PRIMARY KEY, title text NOT NULL, deleted timestamp);
        -- name: Post :one
        SELECT title, deleted FROM posts WHERE id = ?;
        -- name: Add :exec
        INSERT INTO posts (id, title) VALUES (?, ?);
        -- name: DeleteOnce :exec
        UPDATE posts SET deleted = ? WHERE id = ? AND deleted IS NULL;
        -- name: Restore :exec
        UPDATE posts SET deleted = NULL WHERE id = ?;";
    let design = design_text(text);
    let parts =
        ["`Restore` writes `deleted` of `posts` without a condition, and `DeleteOnce` with one"];
    let help = assert_note(&design, NoteKind::Warning, &parts);
    assert!(help.contains("@strict"), "{help}");
    let strict = text.replace("-- name: Restore :exec", "-- name: Restore :exec\n-- @strict");
    let design = design_text(&strict);
    let mixed = design.notes.iter().any(|note| note.topic.rules().contains(&"LW002"));
    assert!(!mixed, "{:#?}", design.notes);
}

#[test]
fn a_text_that_is_a_whole_partition_key_is_assumed_not_to_be_empty() {
    let model = |column: &str| {
        format!(
            "CREATE TABLE docs (id uuid PRIMARY KEY, slug {column}, lang text NOT NULL);
            -- name: BySlug :many
            SELECT id FROM docs WHERE slug = ?;
            -- name: BySlugAndLanguage :many
            SELECT id FROM docs WHERE slug = ? AND lang = ?;"
        )
    };
    let design = design_text(&model("text NOT NULL"));
    let help =
        assert_note(&design, NoteKind::Assumption, &["`docs.slug` is assumed never to be empty"]);
    assert_eq!(help, "declare CHECK (slug <> ''), which the client then tests");
    assert_eq!(design.never_empty_attributes().count(), 1);
    for column in
        ["text NOT NULL CHECK (slug <> '')", "text CHECK (length(slug) > 2)", "char(3)", "uuid"]
    {
        assert_eq!(design_text(&model(column)).never_empty_attributes().count(), 0, "{column}");
    }
}

#[test]
fn an_array_that_may_be_null_reads_like_an_empty_one() {
    let model = |column: &str| {
        format!(
            "CREATE TABLE docs (id uuid PRIMARY KEY, tags text[] {column});
            -- name: Tags :one
            SELECT tags FROM docs WHERE id = ?;"
        )
    };
    let parts = ["`docs.tags` is assumed to mean the same if null and if empty"];
    let help = assert_note(&design_text(&model("")), NoteKind::Assumption, &parts);
    assert_eq!(help, "declare `tags` NOT NULL DEFAULT '{}'");
    let notes = design_text(&model("NOT NULL DEFAULT '{}'")).notes;
    assert!(notes.iter().all(|note| !note.topic.to_string().contains(parts[0])));
}
