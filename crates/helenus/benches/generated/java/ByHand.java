import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.DefaultBatchType;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The functions as one writes them by hand with the driver. The profile of the session has the
 * consistency level and says that statements are idempotent.
 */
final class ByHand implements Functions {
    record Video(
            UUID videoid,
            UUID userid,
            String name,
            String description,
            String location,
            String preview,
            Set<String> tags,
            Instant addedDate) {}

    record Comment(UUID commentid, UUID userid, String firstname, String comment) {}

    record Measurement(Instant recordedAt, double value, Map<String, String> tags) {}

    private final CqlSession videos;
    private final CqlSession metrics;
    private final PreparedStatement video;
    private final PreparedStatement comments;
    private final PreparedStatement firstname;
    private final PreparedStatement name;
    private final PreparedStatement byVideo;
    private final PreparedStatement byUser;
    private final PreparedStatement byId;
    private final PreparedStatement bucket;

    ByHand(CqlSession videos, CqlSession metrics) {
        this.videos = videos;
        this.metrics = metrics;
        video = videos.prepare("SELECT videoid, userid, name, description, location, preview, tags, added_date"
                + " FROM videos WHERE videoid = ?");
        comments = videos.prepare(
                "SELECT commentid, userid, firstname, comment FROM comments_by_video WHERE videoid = ? LIMIT 50");
        firstname = videos.prepare("SELECT firstname FROM users WHERE userid = ?");
        name = videos.prepare("SELECT name FROM videos WHERE videoid = ?");
        byVideo = videos.prepare("INSERT INTO comments_by_video (videoid, commentid, userid, comment, firstname)"
                + " VALUES (?, ?, ?, ?, ?)");
        byUser = videos.prepare("INSERT INTO comments_by_user (userid, commentid, videoid, comment, video_name)"
                + " VALUES (?, ?, ?, ?, ?)");
        byId = videos.prepare("INSERT INTO comments (commentid, videoid, userid) VALUES (?, ?, ?)");
        bucket = metrics.prepare("SELECT recorded_at, value, tags FROM metrics_by_metric"
                + " WHERE metric_name = ? AND hour = ? AND recorded_at >= ?");
    }

    @Override
    public CompletionStage<Optional<Video>> videoById(UUID videoid) {
        return videos.executeAsync(video.bind(videoid))
                .thenApply(rows -> Optional.ofNullable(rows.one()).map(ByHand::toVideo));
    }

    private static Video toVideo(Row row) {
        return new Video(
                row.getUuid(0),
                row.getUuid(1),
                row.getString(2),
                row.getString(3),
                row.getString(4),
                row.getString(5),
                row.getSet(6, String.class),
                row.getInstant(7));
    }

    @Override
    public CompletionStage<List<Comment>> commentsOfVideo(UUID videoid) {
        return videos.executeAsync(comments.bind(videoid)).thenApply(rows -> {
            List<Comment> found = new ArrayList<>(rows.remaining());
            for (Row row : rows.currentPage()) {
                found.add(new Comment(row.getUuid(0), row.getUuid(1), row.getString(2), row.getString(3)));
            }
            return found;
        });
    }

    @Override
    public CompletionStage<Void> commentOnVideo(UUID commentid, UUID videoid, UUID userid, String comment) {
        return videos.executeAsync(firstname.bind(userid))
                .thenCompose(users -> videos.executeAsync(name.bind(videoid)).thenCompose(found -> {
                    BatchStatement batch = BatchStatement.newInstance(
                            DefaultBatchType.LOGGED,
                            byVideo.bind(videoid, commentid, userid, comment, firstText(users)),
                            byUser.bind(userid, commentid, videoid, comment, firstText(found)),
                            byId.bind(commentid, videoid, userid));
                    return videos.executeAsync(batch);
                }))
                .thenApply(done -> null);
    }

    private static String firstText(AsyncResultSet rows) {
        Row row = rows.one();
        return row == null ? null : row.getString(0);
    }

    /** Reads one bucket after the other. */
    @Override
    public CompletionStage<List<Measurement>> recentMetrics(String metric, Instant since) {
        Instant newest = Instant.now().truncatedTo(ChronoUnit.HOURS);
        return readFrom(newest, metric, since, new ArrayList<>());
    }

    private CompletionStage<List<Measurement>> readFrom(
            Instant hour, String metric, Instant since, List<Measurement> found) {
        if (hour.isBefore(since.truncatedTo(ChronoUnit.HOURS))) {
            return CompletableFuture.completedFuture(found);
        }
        return metrics.executeAsync(bucket.bind(metric, hour, since)).thenCompose(rows -> {
            for (Row row : rows.currentPage()) {
                found.add(new Measurement(
                        row.getInstant(0), row.getDouble(1), row.getMap(2, String.class, String.class)));
            }
            return readFrom(hour.minus(1, ChronoUnit.HOURS), metric, since, found);
        });
    }
}
