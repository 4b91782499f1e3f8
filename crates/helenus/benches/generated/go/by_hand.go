package main

import (
	"context"
	"time"

	gocql "github.com/apache/cassandra-gocql-driver/v2"
)

type video struct {
	videoid     gocql.UUID
	userid      gocql.UUID
	name        string
	description *string
	location    string
	preview     *string
	tags        []string
	addedDate   time.Time
}

type comment struct {
	commentid gocql.UUID
	userid    gocql.UUID
	firstname *string
	comment   string
}

type measurement struct {
	recordedAt time.Time
	value      float64
	tags       map[string]string
}

// byHand has the functions as one writes them by hand with the driver. The sessions have the consistency level, and
// statements are idempotent by default.
type byHand struct {
	videos  *gocql.Session
	metrics *gocql.Session
}

func (b byHand) videoByID(ctx context.Context, videoid gocql.UUID) (*video, error) {
	var row video
	err := b.videos.Query(
		"SELECT videoid, userid, name, description, location, preview, tags, added_date FROM videos WHERE videoid = ?",
		videoid,
	).ScanContext(ctx, &row.videoid, &row.userid, &row.name, &row.description, &row.location, &row.preview, &row.tags, &row.addedDate)
	if err == gocql.ErrNotFound {
		return nil, nil
	}
	return &row, err
}

func (b byHand) commentsOfVideo(ctx context.Context, videoid gocql.UUID) ([]comment, error) {
	iter := b.videos.Query(
		"SELECT commentid, userid, firstname, comment FROM comments_by_video WHERE videoid = ? LIMIT 50",
		videoid,
	).IterContext(ctx)
	found := make([]comment, 0, iter.NumRows())
	for {
		var row comment
		if !iter.Scan(&row.commentid, &row.userid, &row.firstname, &row.comment) {
			return found, iter.Close()
		}
		found = append(found, row)
	}
}

func (b byHand) commentOnVideo(ctx context.Context, commentid, videoid, userid gocql.UUID, text string) error {
	var firstname, name *string
	err := b.videos.Query("SELECT firstname FROM users WHERE userid = ?", userid).ScanContext(ctx, &firstname)
	if err != nil && err != gocql.ErrNotFound {
		return err
	}
	err = b.videos.Query("SELECT name FROM videos WHERE videoid = ?", videoid).ScanContext(ctx, &name)
	if err != nil && err != gocql.ErrNotFound {
		return err
	}
	batch := b.videos.Batch(gocql.LoggedBatch)
	batch.Query(
		"INSERT INTO comments_by_video (videoid, commentid, userid, comment, firstname) VALUES (?, ?, ?, ?, ?)",
		videoid, commentid, userid, text, firstname,
	)
	batch.Query(
		"INSERT INTO comments_by_user (userid, commentid, videoid, comment, video_name) VALUES (?, ?, ?, ?, ?)",
		userid, commentid, videoid, text, name,
	)
	batch.Query("INSERT INTO comments (commentid, videoid, userid) VALUES (?, ?, ?)", commentid, videoid, userid)
	return batch.ExecContext(ctx)
}

// recentMetrics reads one bucket after the other.
func (b byHand) recentMetrics(ctx context.Context, name string, since time.Time) ([]measurement, error) {
	var found []measurement
	for hour := time.Now().UTC().Truncate(time.Hour); !hour.Before(since.Truncate(time.Hour)); hour = hour.Add(-time.Hour) {
		iter := b.metrics.Query(
			"SELECT recorded_at, value, tags FROM metrics_by_metric WHERE metric_name = ? AND hour = ? AND recorded_at >= ?",
			name, hour, since,
		).IterContext(ctx)
		var row measurement
		for iter.Scan(&row.recordedAt, &row.value, &row.tags) {
			found = append(found, row)
			row = measurement{}
		}
		if err := iter.Close(); err != nil {
			return nil, err
		}
	}
	return found, nil
}
