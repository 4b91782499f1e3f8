package killrvideo.service;

import com.datastax.oss.driver.api.core.uuid.Uuids;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import killrvideo.CommentsOfVideoRow;
import killrvideo.KillrvideoAccess;
import killrvideo.LoginRow;
import killrvideo.RatingOfVideoRow;
import killrvideo.UserByIdRow;
import killrvideo.VideoByIdRow;
import killrvideo.ViewsOfVideoRow;

/**
 * KillrVideo over HTTP. Each handler calls functions that {@code helenus generate} printed.
 *
 * <p>What the comment of a function lists under what must hold and is not checked is checked here.
 */
final class Service {
    private final KillrvideoAccess access;

    Service(KillrvideoAccess access) {
        this.access = access;
    }

    Router router() {
        Router router = new Router();
        router.add("POST /users", this::register);
        router.add("POST /login", this::login);
        router.add("GET /users/{user}", request -> Answer.of(findUser(request.part("user"))));
        router.add("PUT /users/{user}/email", this::changeEmail);
        router.add("GET /users/{user}/videos", this::videosOfUser);
        router.add("GET /users/{user}/comments", request -> Answer.of(access.commentsByUser(request.part("user"))));
        router.add("GET /users/{user}/ratings", request -> Answer.of(access.ratingsByUser(request.part("user"))));
        router.add("GET /videos", this::videos);
        router.add("POST /videos", this::addVideo);
        router.add("GET /videos/{video}", this::video);
        router.add("PUT /videos/{video}/name", this::renameVideo);
        router.add("POST /videos/{video}/tags", this::addTag);
        router.add("DELETE /videos/{video}", this::removeVideo);
        router.add("POST /videos/{video}/plays", this::playVideo);
        router.add("GET /videos/{video}/comments", request -> Answer.of(access.commentsOfVideo(request.part("video"))));
        router.add("POST /videos/{video}/comments", this::commentOnVideo);
        router.add("GET /videos/{video}/ratings/{user}", this::rating);
        router.add("PUT /videos/{video}/ratings/{user}", this::rateVideo);
        router.add("DELETE /comments/{comment}", this::removeComment);
        return router;
    }

    // Users

    private Answer register(Request request) {
        UUID userid = request.body().has("userid") ? request.uuid("userid") : UUID.randomUUID();
        boolean applied = access.register(
                userid,
                request.text("email"),
                Passwords.hash(request.text("password")),
                request.optionalText("firstname"),
                request.optionalText("lastname"),
                Instant.now());
        if (!applied) {
            throw new HttpError(409, "the email address is taken");
        }
        return Answer.created(Map.of("userid", userid));
    }

    private Answer login(Request request) {
        Optional<LoginRow> found = access.login(request.text("email"));
        String password = request.text("password");
        if (found.isEmpty() || !Passwords.matches(password, found.get().password())) {
            throw new HttpError(401, "wrong email address or password");
        }
        return Answer.of(Map.of("userid", found.get().userid()));
    }

    private Answer changeEmail(Request request) {
        UserByIdRow user = findUser(request.part("user"));
        if (!access.changeEmail(request.text("email"), user.userid())) {
            throw new HttpError(409, "the email address is taken");
        }
        return Answer.done();
    }

    private Answer videosOfUser(Request request) {
        UUID userid = request.part("user");
        Map<String, String> query = request.query();
        if (request.isPaged()) {
            return Answer.of(access.videosByUserPage(userid, request.size(), query.get("token")));
        }
        if (query.containsKey("before")) {
            Instant before = Request.parseTime("before", query.get("before"));
            UUID videoid = Request.parseUuid("videoid", query.get("videoid"));
            return Answer.of(access.moreVideosByUser(userid, before, videoid));
        }
        return Answer.of(access.videosByUser(userid));
    }

    private UserByIdRow findUser(UUID userid) {
        return access.userById(userid).orElseThrow(() -> new HttpError(404, "no such user"));
    }

    // Videos

    private Answer videos(Request request) {
        String tag = request.query().get("tag");
        if (tag == null) {
            return Answer.of(access.latestVideos());
        }
        if (request.isPaged()) {
            return Answer.of(access.videosByTagPage(tag, request.size(), request.query().get("token")));
        }
        return Answer.of(access.videosByTag(tag));
    }

    private Answer addVideo(Request request) {
        JsonNode body = request.body();
        UUID videoid = body.has("videoid") ? request.uuid("videoid") : UUID.randomUUID();
        UserByIdRow user = findUser(request.uuid("userid"));
        if (access.videoById(videoid).isPresent()) {
            throw new HttpError(409, "the video exists");
        }
        Set<String> tags = new HashSet<>();
        body.path("tags").forEach(tag -> tags.add(tag.asText()));
        access.addVideo(
                videoid,
                user.userid(),
                request.text("name"),
                request.optionalText("description"),
                request.text("location"),
                request.optionalText("preview"),
                tags,
                body.has("added_date") ? Request.parseTime("added_date", request.text("added_date")) : Instant.now());
        return Answer.created(Map.of("videoid", videoid));
    }

    /** Three reads at the same time. */
    private Answer video(Request request) {
        UUID videoid = request.part("video");
        CompletableFuture<Optional<ViewsOfVideoRow>> views = access.viewsOfVideoAsync(videoid).toCompletableFuture();
        CompletableFuture<Optional<RatingOfVideoRow>> rating = access.ratingOfVideoAsync(videoid).toCompletableFuture();
        VideoByIdRow video = findVideo(request);
        return Answer.of(VideoPage.of(video, views.join(), rating.join()));
    }

    private Answer renameVideo(Request request) {
        access.renameVideo(request.text("name"), findVideo(request).videoid());
        return Answer.done();
    }

    private Answer addTag(Request request) {
        access.addTag(request.text("tag"), findVideo(request).videoid());
        return Answer.done();
    }

    private Answer removeVideo(Request request) {
        UUID videoid = findVideo(request).videoid();
        List<CommentsOfVideoRow> comments = access.commentsOfVideo(videoid);
        long ratings = access.ratingOfVideo(videoid).map(RatingOfVideoRow::numRatings).orElse(0L);
        if (!comments.isEmpty() || ratings > 0) {
            throw new HttpError(409, "the video has comments or ratings");
        }
        access.removeVideo(videoid);
        return Answer.done();
    }

    private Answer playVideo(Request request) {
        access.playVideo(findVideo(request).videoid());
        return Answer.done();
    }

    private VideoByIdRow findVideo(Request request) {
        return access.videoById(request.part("video")).orElseThrow(() -> new HttpError(404, "no such video"));
    }

    // Comments and ratings

    private Answer commentOnVideo(Request request) {
        UUID videoid = findVideo(request).videoid();
        UUID userid = findUser(request.uuid("userid")).userid();
        UUID commentid = Uuids.timeBased();
        access.commentOnVideo(commentid, videoid, userid, request.text("comment"));
        return Answer.created(Map.of("commentid", commentid));
    }

    private Answer removeComment(Request request) {
        access.removeComment(request.part("comment"));
        return Answer.done();
    }

    private Answer rating(Request request) {
        return Answer.of(access.myRating(request.part("video"), request.part("user"))
                .orElseThrow(() -> new HttpError(404, "not rated")));
    }

    private Answer rateVideo(Request request) {
        UUID videoid = findVideo(request).videoid();
        UUID userid = findUser(request.part("user")).userid();
        JsonNode rating = request.body().path("rating");
        if (!rating.isInt() || rating.intValue() < 1 || rating.intValue() > 5) {
            throw new HttpError(400, "rating must be a number from 1 to 5");
        }
        if (access.myRating(videoid, userid).isPresent()) {
            throw new HttpError(409, "already rated");
        }
        access.rateVideo(videoid, userid, rating.intValue(), Instant.now());
        return Answer.done();
    }
}
