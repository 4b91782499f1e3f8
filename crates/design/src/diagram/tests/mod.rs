//! Tests of the pictures.

mod published;

use super::{Level, chebotko};

/// What the published workflow says: the tables a query comes from, the query, its table.
#[test]
fn the_course_has_its_workflow() {
    let (concept, workload, design) = published::design(&published::KILLRVIDEO);
    let text = chebotko(&concept, &workload, &design, Level::Logical).text();
    for line in [
        "  users_by_email → Q2 latest_videos, Q3 users, Q4 videos_by_user\n",
        "  users_by_email, comments_by_video → Q5 comments_by_user\n",
        "  videos → Q9 trailers_by_video, Q11 actors_by_video\n",
        "  videos_by_user, comments_by_user → Q10 video_interactions_by_user_video\n",
        "│ {tags}                S  │",
        "│ num_ratings  ++  │",
    ] {
        assert!(text.contains(line), "{line} is missing in\n{text}");
    }
}
