//! The workflow, the data flow, named relationships, and what no query touches; the expected links
//! are read off the model by hand.

use design::Options;
use model::sql::ModelFile;

use super::super::{Link, Picture, data_flow, entities, workflow};
use super::find_defects;

const MODEL: &str = "\
CREATE TABLE users (id uuid PRIMARY KEY, email text NOT NULL UNIQUE);
CREATE TABLE videos (
  id uuid PRIMARY KEY,
  author uuid NOT NULL REFERENCES users, -- @relation posts
  added timestamp NOT NULL,
  title text
);
CREATE TABLE badges (id uuid PRIMARY KEY, owner uuid REFERENCES users);
-- name: Login :one
SELECT id FROM users WHERE email = ?;
-- name: VideosOf :many
-- @after Login
SELECT id, title, added FROM videos WHERE author = ? ORDER BY added DESC;
-- name: Video :one
-- @after VideosOf
SELECT * FROM videos WHERE id = ?;
-- name: Upload :exec
-- @after Login
INSERT INTO videos (id, author, added, title) VALUES (?, ?, ?, ?);
-- name: Retitle :exec
-- @after Video
UPDATE videos SET title = ? WHERE id = ?;
";

fn read() -> ModelFile {
    model::sql::read(MODEL, "clips").expect("the model is right")
}

/// The links of a picture, each as `from > to label`, sorted.
fn links(picture: &Picture) -> Vec<String> {
    let frame = &picture.frames[0];
    let title = |card: usize| frame.cards[card].title.clone();
    let link = |link: &Link| -> Vec<String> {
        let from: Vec<_> = link.from.iter().map(|end| title(end.card)).collect();
        let arrow = if link.dashed { ">>" } else { ">" };
        let to = link.to.iter();
        to.map(|end| {
            let text =
                format!("{} {arrow} {} {}", from.join(" "), title(end.card), end.label.join(" "));
            text.trim().to_owned()
        })
        .collect()
    };
    let mut links: Vec<_> = frame.links.iter().flat_map(link).collect();
    links.sort();
    links
}

#[test]
fn the_workflow_shows_steps_and_what_they_hand_on() {
    let file = read();
    let picture = workflow(&file.concept, &file.workload);
    assert_eq!(
        links(&picture),
        [
            "> Login",
            "Login > Upload id",
            "Login > VideosOf id",
            "Video > Retitle id",
            "VideosOf > Video id",
        ]
    );
    assert_eq!(find_defects(&picture), [""; 0]);
    let svg = picture.svg();
    for part in
        [r#"id="query-VideosOf" data-query="VideosOf""#, r#"id="write-Upload" data-write="Upload""#]
    {
        assert!(svg.contains(part), "{part}");
    }
}

/// Every INSERT must reach every table that holds videos, every query leads to the table of its rows.
#[test]
fn the_data_flow_has_arrows_from_writes_and_queries() {
    let file = read();
    let options = Options { rules_only: true, ..Options::default() };
    let design = design::design(&file.concept, &file.workload, &options);
    let picture = data_flow(&file.concept, &file.workload, &design);
    let links = links(&picture);
    for wanted in [
        "Upload > videos insert",
        "Upload > videos_by_author insert",
        "Retitle > videos update",
        "Retitle > videos_by_author update",
        "users_by_email > Login",
        "videos_by_author > VideosOf",
        "videos > Video",
    ] {
        assert!(links.iter().any(|link| link == wanted), "{wanted} is missing in {links:#?}");
    }
    // The title by author is found by the key of the video: a read comes first.
    assert!(
        links.iter().any(|link| link.starts_with("Retitle >> ") && link.ends_with(" read")),
        "{links:#?}"
    );
    assert!(
        !links.iter().any(|link| link.starts_with("Upload") && link.contains("users")),
        "{links:#?}"
    );
    assert_eq!(find_defects(&picture), [""; 0]);
    // Queries ask tables.
    let text = picture.text(100);
    assert!(text.contains("  Login → users_by_email\n"), "{text}");
}

#[test]
fn relationships_have_their_names() {
    let file = read();
    let picture = entities(&file.concept, &file.workload);
    let text = picture.text(100);
    assert!(text.contains("  users 1 — n videos: posts\n"), "{text}");
    assert!(text.contains("  users 0..1 — n badges by owner\n"), "{text}");
    assert!(picture.mermaid().contains("\"users\" ||--o{ \"videos\" : \"posts\""));
    assert!(picture.svg().contains(">posts</text>"));
    assert_eq!(find_defects(&picture), [""; 0]);
}

#[test]
fn what_no_query_touches_can_be_left_out() {
    let file = read();
    let picture = entities(&file.concept, &file.workload).leave_out_unused();
    let titles: Vec<_> = picture.frames[0].cards.iter().map(|card| &*card.title).collect();
    assert_eq!(titles, ["users", "videos"]);
    assert_eq!(links(&picture), ["users > videos"]);
    assert_eq!(find_defects(&picture), [""; 0]);
}

#[test]
fn names_are_escaped_everywhere() {
    let text = MODEL.replace("videos", "\"<b>&\"");
    let file = model::sql::read(&text, "clips").expect("the model is right");
    let design = design::design(&file.concept, &file.workload, &Options::default());
    for picture in [
        entities(&file.concept, &file.workload),
        workflow(&file.concept, &file.workload),
        data_flow(&file.concept, &file.workload, &design),
    ] {
        assert_eq!(find_defects(&picture), [""; 0]);
        for form in [picture.svg(), picture.svg_outlines()] {
            assert!(!form.contains("<b>&"), "{form}");
        }
    }
}
