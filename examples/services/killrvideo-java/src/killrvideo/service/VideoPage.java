package killrvideo.service;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import killrvideo.RatingOfVideoRow;
import killrvideo.VideoByIdRow;
import killrvideo.ViewsOfVideoRow;

/** What the page of a video shows. */
record VideoPage(
        UUID videoid,
        UUID userid,
        String name,
        String description,
        String location,
        String preview,
        Set<String> tags,
        Instant addedDate,
        long views,
        long numRatings,
        Double average) {
    static VideoPage of(VideoByIdRow video, Optional<ViewsOfVideoRow> views, Optional<RatingOfVideoRow> rating) {
        return new VideoPage(
                video.videoid(),
                video.userid(),
                video.name(),
                video.description(),
                video.location(),
                video.preview(),
                video.tags(),
                video.addedDate(),
                views.map(ViewsOfVideoRow::views).orElse(0L),
                rating.map(RatingOfVideoRow::numRatings).orElse(0L),
                rating.map(RatingOfVideoRow::average).orElse(null));
    }
}
