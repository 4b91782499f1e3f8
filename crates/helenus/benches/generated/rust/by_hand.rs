//! The functions of the benchmark as one writes them by hand with the driver.

use std::collections::{BTreeSet, HashMap};
use std::error::Error;
use std::time::{SystemTime, UNIX_EPOCH};

use scylla::DeserializeRow;
use scylla::client::session::Session;
use scylla::statement::Consistency;
use scylla::statement::batch::{Batch, BatchType};
use scylla::statement::prepared::PreparedStatement;
use scylla::value::{CqlTimestamp, CqlTimeuuid};
use uuid::Uuid;

type Answer<T> = Result<T, Box<dyn Error + Send + Sync>>;

const HOUR: i64 = 3_600_000;

#[derive(DeserializeRow)]
#[expect(dead_code, reason = "a caller would read them")]
pub(crate) struct Video {
    videoid: Uuid,
    userid: Uuid,
    name: String,
    description: Option<String>,
    location: String,
    preview: Option<String>,
    tags: Option<BTreeSet<String>>,
    added_date: CqlTimestamp,
}

#[derive(DeserializeRow)]
#[expect(dead_code, reason = "a caller would read them")]
pub(crate) struct Comment {
    commentid: CqlTimeuuid,
    userid: Uuid,
    firstname: Option<String>,
    comment: String,
}

#[derive(DeserializeRow)]
#[expect(dead_code, reason = "a caller would read them")]
pub(crate) struct Measurement {
    recorded_at: CqlTimestamp,
    value: f64,
    tags: Option<HashMap<String, String>>,
}

/// A session and its prepared statements.
pub(crate) struct ByHand {
    videos: Session,
    metrics: Session,
    video: PreparedStatement,
    comments: PreparedStatement,
    firstname: PreparedStatement,
    name: PreparedStatement,
    batch: Batch,
    bucket: PreparedStatement,
}

async fn prepare(session: &Session, cql: &str) -> Answer<PreparedStatement> {
    let mut prepared = session.prepare(cql).await?;
    prepared.set_consistency(Consistency::LocalQuorum);
    prepared.set_is_idempotent(true);
    Ok(prepared)
}

impl ByHand {
    pub(crate) async fn new(videos: Session, metrics: Session) -> Answer<Self> {
        let video = "SELECT videoid, userid, name, description, location, preview, tags, added_date \
                     FROM videos WHERE videoid = ?";
        let comments = "SELECT commentid, userid, firstname, comment FROM comments_by_video \
                        WHERE videoid = ? LIMIT 50";
        let mut batch = Batch::new(BatchType::Logged);
        for cql in [
            "INSERT INTO comments_by_video (videoid, commentid, userid, comment, firstname) VALUES (?, ?, ?, ?, ?)",
            "INSERT INTO comments_by_user (userid, commentid, videoid, comment, video_name) VALUES (?, ?, ?, ?, ?)",
            "INSERT INTO comments (commentid, videoid, userid) VALUES (?, ?, ?)",
        ] {
            batch.append_statement(prepare(&videos, cql).await?);
        }
        batch.set_consistency(Consistency::LocalQuorum);
        batch.set_is_idempotent(true);
        let bucket = "SELECT recorded_at, value, tags FROM metrics_by_metric \
                      WHERE metric_name = ? AND hour = ? AND recorded_at >= ?";
        Ok(Self {
            video: prepare(&videos, video).await?,
            comments: prepare(&videos, comments).await?,
            firstname: prepare(&videos, "SELECT firstname FROM users WHERE userid = ?").await?,
            name: prepare(&videos, "SELECT name FROM videos WHERE videoid = ?").await?,
            batch,
            bucket: prepare(&metrics, bucket).await?,
            videos,
            metrics,
        })
    }

    pub(crate) async fn video_by_id(&self, videoid: Uuid) -> Answer<Option<Video>> {
        let found = self.videos.execute_unpaged(&self.video, (videoid,)).await?;
        Ok(found.into_rows_result()?.maybe_first_row()?)
    }

    pub(crate) async fn comments_of_video(&self, videoid: Uuid) -> Answer<Vec<Comment>> {
        let found = self.videos.execute_unpaged(&self.comments, (videoid,)).await?;
        Ok(found.into_rows_result()?.rows()?.collect::<Result<_, _>>()?)
    }

    pub(crate) async fn comment_on_video(
        &self,
        commentid: CqlTimeuuid,
        videoid: Uuid,
        userid: Uuid,
        comment: &str,
    ) -> Answer<()> {
        let firstname = self.read_text(&self.firstname, userid).await?;
        let name = self.read_text(&self.name, videoid).await?;
        let values = (
            (videoid, commentid, userid, comment, firstname),
            (userid, commentid, videoid, comment, name),
            (commentid, videoid, userid),
        );
        self.videos.batch(&self.batch, values).await?;
        Ok(())
    }

    async fn read_text(&self, select: &PreparedStatement, key: Uuid) -> Answer<Option<String>> {
        let found = self.videos.execute_unpaged(select, (key,)).await?.into_rows_result()?;
        Ok(found.maybe_first_row::<(Option<String>,)>()?.and_then(|row| row.0))
    }

    /// Reads one bucket after the other.
    pub(crate) async fn recent_metrics(
        &self,
        name: &str,
        since: CqlTimestamp,
    ) -> Answer<Vec<Measurement>> {
        let mut found = Vec::new();
        let newest = now_ms() / HOUR;
        for number in (since.0 / HOUR..=newest).rev() {
            let values = (name, CqlTimestamp(number * HOUR), since);
            let rows = self.metrics.execute_unpaged(&self.bucket, values).await?;
            for row in rows.into_rows_result()?.rows()? {
                found.push(row?);
            }
        }
        Ok(found)
    }
}

pub(crate) fn now_ms() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(now.as_millis()).unwrap_or(i64::MAX)
}
