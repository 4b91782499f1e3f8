// The functions of the benchmark as one writes them by hand with the driver. The clients have the consistency level, and
// say that statements are prepared and idempotent.

import type { Client, types } from "cassandra-driver";

export interface Video {
  readonly videoid: types.Uuid;
  readonly userid: types.Uuid;
  readonly name: string;
  readonly description: string | null;
  readonly location: string;
  readonly preview: string | null;
  readonly tags: readonly string[] | null;
  readonly addedDate: Date;
}

export interface Comment {
  readonly commentid: types.TimeUuid;
  readonly userid: types.Uuid;
  readonly firstname: string | null;
  readonly comment: string;
}

export interface Measurement {
  readonly recordedAt: Date;
  readonly value: number;
  readonly tags: Readonly<Record<string, string>> | null;
}

const VIDEO =
  "SELECT videoid, userid, name, description, location, preview, tags, added_date FROM videos WHERE videoid = ?";
const COMMENTS = "SELECT commentid, userid, firstname, comment FROM comments_by_video WHERE videoid = ? LIMIT 50";
const FIRSTNAME = "SELECT firstname FROM users WHERE userid = ?";
const NAME = "SELECT name FROM videos WHERE videoid = ?";
const BY_VIDEO =
  "INSERT INTO comments_by_video (videoid, commentid, userid, comment, firstname) VALUES (?, ?, ?, ?, ?)";
const BY_USER = "INSERT INTO comments_by_user (userid, commentid, videoid, comment, video_name) VALUES (?, ?, ?, ?, ?)";
const BY_ID = "INSERT INTO comments (commentid, videoid, userid) VALUES (?, ?, ?)";
const BUCKET =
  "SELECT recorded_at, value, tags FROM metrics_by_metric WHERE metric_name = ? AND hour = ? AND recorded_at >= ?";
const HOUR = 3_600_000;

export class ByHand {
  constructor(
    readonly videos: Client,
    readonly metrics: Client,
  ) {}

  async videoById(videoid: types.Uuid): Promise<Video | null> {
    const { rows } = await this.videos.execute(VIDEO, [videoid]);
    const row = rows[0];
    if (row === undefined) {
      return null;
    }
    return {
      videoid: row["videoid"] as types.Uuid,
      userid: row["userid"] as types.Uuid,
      name: row["name"] as string,
      description: row["description"] as string | null,
      location: row["location"] as string,
      preview: row["preview"] as string | null,
      tags: row["tags"] as string[] | null,
      addedDate: row["added_date"] as Date,
    };
  }

  async commentsOfVideo(videoid: types.Uuid): Promise<Comment[]> {
    const { rows } = await this.videos.execute(COMMENTS, [videoid]);
    return rows.map((row) => ({
      commentid: row["commentid"] as types.TimeUuid,
      userid: row["userid"] as types.Uuid,
      firstname: row["firstname"] as string | null,
      comment: row["comment"] as string,
    }));
  }

  async commentOnVideo(
    commentid: types.TimeUuid,
    videoid: types.Uuid,
    userid: types.Uuid,
    comment: string,
  ): Promise<void> {
    const users = await this.videos.execute(FIRSTNAME, [userid]);
    const videos = await this.videos.execute(NAME, [videoid]);
    const firstname = users.rows[0]?.["firstname"] as string | null;
    const name = videos.rows[0]?.["name"] as string | null;
    const batch = [
      { query: BY_VIDEO, params: [videoid, commentid, userid, comment, firstname] },
      { query: BY_USER, params: [userid, commentid, videoid, comment, name] },
      { query: BY_ID, params: [commentid, videoid, userid] },
    ];
    await this.videos.batch(batch, { prepare: true, logged: true });
  }

  /** Reads one bucket after the other. */
  async recentMetrics(metric: string, since: Date): Promise<Measurement[]> {
    const found: Measurement[] = [];
    const last = Math.floor(since.getTime() / HOUR);
    for (let number = Math.floor(Date.now() / HOUR); number >= last; number--) {
      const { rows } = await this.metrics.execute(BUCKET, [metric, new Date(number * HOUR), since]);
      for (const row of rows) {
        found.push({
          recordedAt: row["recorded_at"] as Date,
          value: row["value"] as number,
          tags: row["tags"] as Record<string, string> | null,
        });
      }
    }
    return found;
  }
}
