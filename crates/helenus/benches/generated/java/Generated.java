import com.datastax.oss.driver.api.core.CqlSession;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import killrvideo.KillrvideoAccess;
import metrics.MetricsAccess;

/** The generated functions. */
final class Generated implements Functions {
    private final KillrvideoAccess videos;
    private final MetricsAccess metrics;

    Generated(CqlSession videos, CqlSession metrics) {
        this.videos = new KillrvideoAccess(videos);
        this.metrics = new MetricsAccess(metrics);
    }

    @Override
    public CompletionStage<? extends Optional<?>> videoById(UUID videoid) {
        return videos.videoByIdAsync(videoid);
    }

    @Override
    public CompletionStage<? extends List<?>> commentsOfVideo(UUID videoid) {
        return videos.commentsOfVideoAsync(videoid);
    }

    @Override
    public CompletionStage<Void> commentOnVideo(UUID commentid, UUID videoid, UUID userid, String comment) {
        return videos.commentOnVideoAsync(commentid, videoid, userid, comment);
    }

    @Override
    public CompletionStage<? extends List<?>> recentMetrics(String name, Instant since) {
        return metrics.recentMetricsAsync(name, since);
    }
}
