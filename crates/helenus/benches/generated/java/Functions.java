import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;

/** What is measured: of generated code, and of code that was written by hand. */
interface Functions {
    CompletionStage<? extends Optional<?>> videoById(UUID videoid);

    CompletionStage<? extends List<?>> commentsOfVideo(UUID videoid);

    CompletionStage<Void> commentOnVideo(UUID commentid, UUID videoid, UUID userid, String comment);

    CompletionStage<? extends List<?>> recentMetrics(String name, Instant since);
}
