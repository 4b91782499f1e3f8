// @HEADER@
package @PACKAGE@;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.ProtocolVersion;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchStatementBuilder;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatementBuilder;
import com.datastax.oss.driver.api.core.cql.PagingState;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.StatementBuilder;
import com.datastax.oss.driver.api.core.type.codec.TypeCodec;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.zip.CRC32;

/** Sends statements, for the functions of this package. It is not for callers. */
final class AccessSupport {
    /** What a batch adds to the values of a statement, estimated. */
    private static final int STATEMENT_BYTES = 64;
    private static final byte TOKEN_VERSION = 1;

    private final CqlSession session;
    private final AccessOptions options;
    private final ProtocolVersion protocol;
    private final String profilePrefix;

    AccessSupport(CqlSession session, AccessOptions options, String profilePrefix) {
        this.session = session;
        this.options = options;
        this.profilePrefix = profilePrefix;
        this.protocol = session.getContext().getProtocolVersion();
    }

    Instant now() {
        return options.clock().instant().truncatedTo(ChronoUnit.MILLIS);
    }

    /** A statement, prepared when it is first sent. */
    Statement statement(
            String table, String cql, ConsistencyLevel consistency, boolean idempotent, TypeCodec<?>... codecs) {
        String profile = profilePrefix + consistency.name().toLowerCase(Locale.ROOT).replace('_', '-');
        boolean hasProfile = session.getContext().getConfig().getProfiles().containsKey(profile);
        return new Statement(table, cql, consistency, hasProfile ? profile : null, idempotent, codecs);
    }

    /** A prepared statement, and how it is sent. */
    static final class Statement {
        private final String table;
        private final String cql;
        private final ConsistencyLevel consistency;
        private final String profile;
        private final boolean idempotent;
        private final TypeCodec<?>[] codecs;
        private final boolean[] unset;
        private volatile PreparedStatement prepared;
        private CompletionStage<PreparedStatement> preparing;

        private Statement(
                String table,
                String cql,
                ConsistencyLevel consistency,
                String profile,
                boolean idempotent,
                TypeCodec<?>[] codecs) {
            this.table = table;
            this.cql = cql;
            this.consistency = consistency;
            this.profile = profile;
            this.idempotent = idempotent;
            this.codecs = codecs;
            this.unset = new boolean[codecs.length];
        }

        /** A null of these values writes nothing, not even a tombstone. */
        Statement unset(int... positions) {
            for (int position : positions) {
                unset[position] = true;
            }
            return this;
        }

        private void apply(StatementBuilder<?, ?> builder, AccessOptions options) {
            if (profile != null) {
                builder.setExecutionProfileName(profile);
            } else {
                builder.setConsistencyLevel(consistency);
            }
            builder.setPageSize(options.pageSize());
            if (options.requestTimeout() != null) {
                builder.setTimeout(options.requestTimeout());
            }
        }
    }

    /** A call of a function: what it has in flight. */
    static final class Call {
        private final String function;
        private final long start = System.nanoTime();
        private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
        private int free;

        private Call(String function, int concurrency) {
            this.function = function;
            this.free = concurrency;
        }

        /** Whether a statement may be sent now; else it is sent when another one has ended. */
        private synchronized boolean enter(Runnable later) {
            if (free == 0) {
                waiting.add(later);
                return false;
            }
            free--;
            return true;
        }

        private void leave() {
            Runnable next;
            synchronized (this) {
                next = waiting.poll();
                if (next == null) {
                    free++;
                }
            }
            if (next != null) {
                next.run();
            }
        }
    }

    Call call(String function) {
        return new Call(function, options.concurrency());
    }

    /** Waits for a result on the thread of the caller. */
    static <T> T await(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get();
        } catch (ExecutionException error) {
            if (error.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            if (error.getCause() instanceof Error cause) {
                throw cause;
            }
            throw new CompletionException(error.getCause());
        } catch (InterruptedException error) {
            Thread.currentThread().interrupt();
            throw new CompletionException(error);
        }
    }

    /** Tells the observer how a query ended. */
    <T> CompletionStage<T> observe(Call call, CompletionStage<T> stage) {
        if (options.observer() == AccessObserver.NONE) {
            return stage;
        }
        return stage.whenComplete((result, error) -> {
            AccessObserver.Outcome outcome =
                    error == null ? AccessObserver.Outcome.READ : AccessObserver.Outcome.FAILED;
            tell(call, outcome, unwrap(error));
        });
    }

    /** Runs a query of several steps. */
    <T> CompletionStage<T> observeRun(Call call, Supplier<CompletionStage<T>> run) {
        CompletionStage<T> stage;
        try {
            stage = run.get();
        } catch (RuntimeException error) {
            stage = CompletableFuture.failedFuture(error);
        }
        return observe(call, stage);
    }

    private void tell(Call call, AccessObserver.Outcome outcome, Throwable error) {
        if (options.observer() != AccessObserver.NONE) {
            Duration elapsed = Duration.ofNanos(System.nanoTime() - call.start);
            options.observer().onFunction(call.function, outcome, elapsed, error);
        }
    }

    private static Throwable unwrap(Throwable error) {
        return error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
    }

    // Reading.

    /** All rows of a query that is one statement. */
    <T> CompletionStage<List<T>> queryAll(String function, Statement statement, Function<Row, T> map, Object... values) {
        Call call = call(function);
        return observe(call, all(call, statement, map, values));
    }

    /** The first row of a query that is one statement. */
    <T> CompletionStage<Optional<T>> queryFirst(
            String function, Statement statement, Function<Row, T> map, Object... values) {
        Call call = call(function);
        if (hasNull(values)) {
            return observe(call, CompletableFuture.completedFuture(Optional.empty()));
        }
        return observe(call, send(call, statement, values).thenCompose(rows -> first(call, statement, rows, map)));
    }

    private <T> CompletionStage<Optional<T>> first(
            Call call, Statement statement, AsyncResultSet rows, Function<Row, T> map) {
        Row row = rows.one();
        if (row == null && rows.hasMorePages()) {
            return next(call, statement, rows).thenCompose(more -> first(call, statement, more, map));
        }
        return CompletableFuture.completedFuture(Optional.ofNullable(row).map(it -> read(call, statement, it, map)));
    }

    /** All rows of a statement; none where a value is null. */
    <T> CompletionStage<List<T>> all(Call call, Statement statement, Function<Row, T> map, Object... values) {
        if (hasNull(values)) {
            return CompletableFuture.completedFuture(new ArrayList<>());
        }
        return send(call, statement, values)
                .thenCompose(rows -> collect(call, statement, rows, map, new ArrayList<>(rows.remaining())));
    }

    private <T> CompletionStage<List<T>> collect(
            Call call, Statement statement, AsyncResultSet rows, Function<Row, T> map, List<T> into) {
        for (Row row : rows.currentPage()) {
            into.add(read(call, statement, row, map));
        }
        if (!rows.hasMorePages()) {
            return CompletableFuture.completedFuture(into);
        }
        return next(call, statement, rows).thenCompose(more -> collect(call, statement, more, map, into));
    }

    private static <T> T read(Call call, Statement statement, Row row, Function<Row, T> map) {
        try {
            return map.apply(row);
        } catch (RuntimeException error) {
            throw failure(call, statement, error);
        }
    }

    private CompletionStage<AsyncResultSet> next(Call call, Statement statement, AsyncResultSet rows) {
        return answered(call, List.of(statement), rows::fetchNextPage);
    }

    private CompletionStage<AsyncResultSet> send(Call call, Statement statement, Object... values) {
        return answered(call, List.of(statement), () -> {
            PreparedStatement known = statement.prepared;
            if (known != null) {
                return session.executeAsync(bind(statement, known, values).build());
            }
            return prepare(statement)
                    .thenCompose(prepared -> session.executeAsync(bind(statement, prepared, values).build()));
        });
    }

    /** Sends when the call may, tells the observer, and names the statement in an error. */
    private CompletionStage<AsyncResultSet> answered(
            Call call, List<Statement> statements, Supplier<CompletionStage<AsyncResultSet>> send) {
        CompletableFuture<AsyncResultSet> answer = new CompletableFuture<>();
        Runnable task = () -> {
            long start = System.nanoTime();
            CompletionStage<AsyncResultSet> sent;
            try {
                sent = send.get();
            } catch (RuntimeException error) {
                sent = CompletableFuture.failedFuture(error);
            }
            sent.whenComplete((rows, thrown) -> {
                call.leave();
                Throwable error = unwrap(thrown);
                if (options.observer() != AccessObserver.NONE) {
                    Duration elapsed = Duration.ofNanos(System.nanoTime() - start);
                    for (Statement one : statements) {
                        options.observer().onStatement(call.function, one.table, one.cql, elapsed, error);
                    }
                }
                if (error == null) {
                    answer.complete(rows);
                } else {
                    answer.completeExceptionally(failure(call, statements.get(0), error));
                }
            });
        };
        if (call.enter(task)) {
            task.run();
        }
        return answer;
    }

    private static AccessException failure(Call call, Statement statement, Throwable error) {
        if (error instanceof AccessException known) {
            return known;
        }
        String message = call.function + " failed on " + statement.table + ": " + error.getMessage();
        return new AccessException(call.function, statement.table, statement.cql, message, error);
    }

    private CompletionStage<PreparedStatement> prepare(Statement statement) {
        synchronized (statement) {
            if (statement.preparing != null) {
                return statement.preparing;
            }
            CompletableFuture<PreparedStatement> preparing = session.prepareAsync(statement.cql)
                    .whenComplete((prepared, error) -> {
                        synchronized (statement) {
                            statement.prepared = prepared;
                            if (error != null) {
                                // The next call tries again.
                                statement.preparing = null;
                            }
                        }
                    })
                    .toCompletableFuture();
            statement.preparing = preparing.isCompletedExceptionally() ? null : preparing;
            return preparing;
        }
    }

    private BoundStatementBuilder bind(Statement statement, PreparedStatement prepared, Object... values) {
        BoundStatementBuilder builder = prepared.boundStatementBuilder();
        for (int at = 0; at < values.length; at++) {
            if (values[at] != null) {
                builder = builder.setBytesUnsafe(at, Values.encode(statement.codecs[at], values[at], protocol));
            } else if (!statement.unset[at]) {
                builder = builder.setToNull(at);
            }
        }
        builder = builder.setIdempotence(statement.idempotent);
        statement.apply(builder, options);
        return builder;
    }

    private static boolean hasNull(Object... values) {
        for (Object value : values) {
            if (value == null) {
                return true;
            }
        }
        return false;
    }

    // Many statements.

    /** The results of all tasks, in their order. */
    static <T> CompletionStage<List<T>> inParallel(List<? extends Supplier<? extends CompletionStage<T>>> tasks) {
        List<CompletableFuture<T>> running = new ArrayList<>(tasks.size());
        for (Supplier<? extends CompletionStage<T>> task : tasks) {
            running.add(task.get().toCompletableFuture());
        }
        return CompletableFuture.allOf(running.toArray(new CompletableFuture<?>[0])).thenApply(done -> {
            List<T> results = new ArrayList<>(running.size());
            for (CompletableFuture<T> one : running) {
                results.add(one.join());
            }
            return results;
        });
    }

    /** All rows of the streams, one stream after the other. */
    static <T> List<T> flatten(List<? extends List<T>> streams) {
        if (streams.size() == 1) {
            return streams.get(0);
        }
        List<T> all = new ArrayList<>();
        for (List<T> stream : streams) {
            all.addAll(stream);
        }
        return all;
    }

    /** Merges sorted streams; of equal rows, those of the first stream come first. */
    static <T> List<T> merge(List<List<T>> streams, Comparator<? super T> order) {
        record Head<T>(T row, int stream, int at) {}
        Comparator<Head<T>> byRow = (one, other) -> order.compare(one.row(), other.row());
        PriorityQueue<Head<T>> heads = new PriorityQueue<>(byRow.thenComparingInt(Head::stream));
        for (int stream = 0; stream < streams.size(); stream++) {
            if (!streams.get(stream).isEmpty()) {
                heads.add(new Head<>(streams.get(stream).get(0), stream, 0));
            }
        }
        List<T> all = new ArrayList<>();
        for (Head<T> head = heads.poll(); head != null; head = heads.poll()) {
            all.add(head.row());
            int next = head.at() + 1;
            List<T> stream = streams.get(head.stream());
            if (next < stream.size()) {
                heads.add(new Head<>(stream.get(next), head.stream(), next));
            }
        }
        return all;
    }

    /** The first rows; all where there is no limit. */
    static <T> List<T> limit(List<T> rows, Number limit) {
        if (limit == null || limit.longValue() < 0 || limit.longValue() >= rows.size()) {
            return rows;
        }
        return new ArrayList<>(rows.subList(0, limit.intValue()));
    }

    // Walks over buckets.

    /** The ends of the buckets that are recorded; null where there are none. */
    record Ends(Long oldest, Long newest) {
        static Ends of(List<Ends> found) {
            return found.isEmpty() ? new Ends(null, null) : found.get(0);
        }
    }

    /** Which buckets are visited. */
    static final class Walk {
        private final Values.Width width;
        private final boolean newestFirst;
        private boolean isEmpty;
        private Long from;
        private long to;
        private boolean needsEnds;
        private long limit = Long.MAX_VALUE;
        private int ahead = 64;
        private int visited;

        Walk(Values.Width width, boolean newestFirst, Instant now) {
            this.width = width;
            this.newestFirst = newestFirst;
            this.to = width.isRange() ? Long.MAX_VALUE : width.numberOf(now);
        }

        /** The lowest value wanted. */
        Walk from(Object value) {
            Long number = width.numberOf(value);
            isEmpty |= number == null;
            from = later(from, number);
            return this;
        }

        /** The highest value wanted. */
        Walk to(Object value) {
            Long number = width.numberOf(value);
            isEmpty |= number == null;
            to = number == null ? to : number;
            return this;
        }

        /** Buckets that end before are not read. */
        Walk retention(Instant oldest) {
            from = later(from, width.numberOf(oldest));
            return this;
        }

        /** The recorded ends are read before the first bucket. */
        Walk needsEnds() {
            needsEnds = true;
            return this;
        }

        /** It may stop when it has so many rows, after each group of buckets. */
        Walk stopsAt(Number rows, int buckets) {
            limit = rows == null || rows.longValue() < 0 ? 1 : rows.longValue();
            ahead = Math.max(buckets, 1);
            return this;
        }

        private void restrict(Ends ends) {
            isEmpty |= ends.oldest() == null || (needsEnds && ends.newest() == null);
            from = later(from, ends.oldest());
            if (needsEnds && ends.newest() != null) {
                to = Math.min(to, ends.newest());
            }
        }

        private boolean has(long number) {
            return !isEmpty && number <= to && (from == null || from <= number);
        }

        private long start() {
            return newestFirst || from == null ? to : from;
        }

        private long after(long number) {
            return newestFirst ? number - 1 : number + 1;
        }

        private static Long later(Long one, Long other) {
            return one == null ? other : other == null ? one : Long.valueOf(Math.max(one, other));
        }

        /** All buckets, where the recorded ends are known. */
        List<Long> numbers(Ends ends) {
            from = later(from, ends.oldest());
            if (ends.newest() != null) {
                to = Math.min(to, ends.newest());
            }
            List<Long> numbers = new ArrayList<>();
            for (long number = from == null ? Long.MAX_VALUE : from; has(number) && from != null; number++) {
                numbers.add(number);
            }
            return numbers;
        }
    }

    /** The ends of a walk of which none are recorded. */
    static CompletionStage<Ends> noEnds() {
        return CompletableFuture.failedFuture(new IllegalStateException("a walk over buckets does not end"));
    }

    /**
     * Visits the buckets of a walk until it has enough rows. Streams of the same position are
     * appended to each other.
     */
    static <T> CompletionStage<List<List<T>>> walk(
            Walk walk, LongFunction<CompletionStage<List<List<T>>>> bucket, Supplier<CompletionStage<Ends>> ends) {
        List<List<T>> streams = new ArrayList<>();
        if (walk.isEmpty) {
            return CompletableFuture.completedFuture(streams);
        }
        if (walk.needsEnds || (walk.from == null && !walk.newestFirst)) {
            return ends.get().thenCompose(known -> {
                walk.restrict(known);
                return visit(walk, walk.start(), streams, bucket, ends);
            });
        }
        return visit(walk, walk.start(), streams, bucket, ends);
    }

    private static <T> CompletionStage<List<List<T>>> visit(
            Walk walk,
            long number,
            List<List<T>> streams,
            LongFunction<CompletionStage<List<List<T>>>> bucket,
            Supplier<CompletionStage<Ends>> ends) {
        List<Supplier<CompletionStage<List<List<T>>>>> tasks = new ArrayList<>();
        // The first bucket is asked alone where the oldest one is not known yet.
        int most = walk.from == null ? 1 : walk.ahead - walk.visited % walk.ahead;
        long next = number;
        for (; tasks.size() < most && walk.has(next); next = walk.after(next)) {
            long current = next;
            tasks.add(() -> bucket.apply(current));
        }
        if (tasks.isEmpty()) {
            return CompletableFuture.completedFuture(streams);
        }
        walk.visited += tasks.size();
        long following = next;
        return inParallel(tasks).thenCompose(found -> {
            found.forEach(one -> append(streams, one));
            long rows = streams.stream().mapToLong(List::size).sum();
            if (rows >= walk.limit && walk.visited % walk.ahead == 0) {
                return CompletableFuture.completedFuture(streams);
            }
            if (walk.from != null) {
                return visit(walk, following, streams, bucket, ends);
            }
            return ends.get().thenCompose(known -> {
                walk.restrict(known);
                return visit(walk, following, streams, bucket, ends);
            });
        });
    }

    private static <T> void append(List<List<T>> streams, List<List<T>> next) {
        for (int at = 0; at < next.size(); at++) {
            if (at < streams.size()) {
                streams.get(at).addAll(next.get(at));
            } else {
                streams.add(new ArrayList<>(next.get(at)));
            }
        }
    }

    // Pages.

    /** A position in a query. */
    record Position(Long bucket, byte[] state) {
        private static final Position START = new Position(null, null);

        String write(String function) {
            byte[] name = function.getBytes(StandardCharsets.UTF_8);
            byte[] inner = state == null ? new byte[0] : state;
            ByteBuffer bytes = ByteBuffer.allocate(17 + name.length + inner.length);
            bytes.put(TOKEN_VERSION).putShort((short) name.length).put(name);
            bytes.put((byte) ((bucket == null ? 0 : 1) + (state == null ? 0 : 2)));
            bytes.putLong(bucket == null ? 0 : bucket).put(inner);
            CRC32 sum = new CRC32();
            sum.update(bytes.array(), 0, bytes.position());
            bytes.putInt((int) sum.getValue());
            return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(bytes.array(), bytes.position()));
        }

        static Position read(String function, String token) {
            if (token == null) {
                return START;
            }
            try {
                byte[] all = Base64.getUrlDecoder().decode(token);
                CRC32 sum = new CRC32();
                sum.update(all, 0, all.length - 4);
                ByteBuffer bytes = ByteBuffer.wrap(all);
                if (bytes.getInt(all.length - 4) != (int) sum.getValue() || bytes.get() != TOKEN_VERSION) {
                    throw new IllegalArgumentException("it is not whole, or of another version");
                }
                byte[] name = new byte[bytes.getShort()];
                bytes.get(name);
                if (!function.equals(new String(name, StandardCharsets.UTF_8))) {
                    throw new IllegalArgumentException("it is of another query");
                }
                byte kind = bytes.get();
                long bucket = bytes.getLong();
                byte[] state = new byte[bytes.remaining() - 4];
                bytes.get(state);
                return new Position((kind & 1) == 0 ? null : bucket, (kind & 2) == 0 ? null : state);
            } catch (RuntimeException error) {
                throw new IllegalArgumentException(
                        "The position is not one of " + function + ": " + error.getMessage(), error);
            }
        }
    }

    /** Rows of one statement, and the state after them. */
    record Part<T>(List<T> rows, byte[] state) {
        /** The same state with other rows. */
        <R> Part<R> with(List<R> others) {
            return new Part<>(others, state);
        }
    }

    /** So many rows of a statement. */
    <T> CompletionStage<Part<T>> part(
            Call call, Statement statement, Function<Row, T> map, int size, byte[] state, Object... values) {
        if (hasNull(values)) {
            return CompletableFuture.completedFuture(new Part<>(new ArrayList<>(), null));
        }
        Function<PreparedStatement, CompletionStage<AsyncResultSet>> execute = prepared -> {
            BoundStatement bound = bind(statement, prepared, values).setPageSize(size).build();
            return session.executeAsync(
                    state == null ? bound : bound.setPagingState(PagingState.fromBytes(state), session));
        };
        PreparedStatement known = statement.prepared;
        return answered(
                        call,
                        List.of(statement),
                        () -> known != null ? execute.apply(known) : prepare(statement).thenCompose(execute))
                .thenApply(rows -> {
                    List<T> found = new ArrayList<>();
                    for (Row row : rows.currentPage()) {
                        found.add(read(call, statement, row, map));
                    }
                    PagingState after = rows.getExecutionInfo().getSafePagingState();
                    return new Part<>(found, after == null || !rows.hasMorePages() ? null : after.toBytes());
                });
    }

    /** A page of a query that is one statement. */
    static <T> Page<T> page(Call call, Part<T> part) {
        Optional<String> next = Optional.ofNullable(part.state())
                .map(state -> new Position(null, state).write(call.function));
        return new Page<>(Collections.unmodifiableList(part.rows()), next);
    }

    /** Reads so many rows of a bucket, from a state on. */
    interface BucketPart<T> {
        CompletionStage<Part<T>> read(long bucket, int size, byte[] state);
    }

    /** A page of a query that walks over buckets. */
    static <T> CompletionStage<Page<T>> walkPage(
            Call call,
            Walk walk,
            int size,
            Position position,
            BucketPart<T> bucket,
            Supplier<CompletionStage<Ends>> ends) {
        if (walk.isEmpty) {
            return CompletableFuture.completedFuture(new Page<>(List.of(), Optional.empty()));
        }
        if (walk.needsEnds || walk.from == null) {
            return ends.get().thenCompose(known -> {
                walk.restrict(known);
                long start = position.bucket() == null ? walk.start() : position.bucket();
                return fill(call, walk, size, start, position.state(), new ArrayList<>(), bucket);
            });
        }
        long start = position.bucket() == null ? walk.start() : position.bucket();
        return fill(call, walk, size, start, position.state(), new ArrayList<>(), bucket);
    }

    private static <T> CompletionStage<Page<T>> fill(
            Call call, Walk walk, int size, long number, byte[] state, List<T> rows, BucketPart<T> bucket) {
        if (!walk.has(number)) {
            return CompletableFuture.completedFuture(
                    new Page<>(Collections.unmodifiableList(rows), Optional.empty()));
        }
        if (rows.size() >= size) {
            String next = new Position(number, state).write(call.function);
            return CompletableFuture.completedFuture(
                    new Page<>(Collections.unmodifiableList(rows), Optional.of(next)));
        }
        return bucket.read(number, size - rows.size(), state).thenCompose(part -> {
            rows.addAll(part.rows());
            long next = part.state() == null ? walk.after(number) : number;
            return fill(call, walk, size, next, part.state(), rows, bucket);
        });
    }

    // Writing.

    /** How a write, or a step of it, ended. */
    enum Outcome {
        /** The next step follows. */
        CONTINUE,
        /** It was applied. */
        APPLIED,
        /** A condition did not hold. */
        REFUSED,
        /** Another client changed what was read before; all was undone. */
        CONFLICT,
        /** A constraint was violated. */
        VIOLATION,
        /** A condition did not hold after statements that cannot be undone. */
        INTERRUPTED
    }

    /** A statement with its values, the outcome where it is not applied, and what undoes it. */
    record Write(Statement statement, Object[] values, Refusal refusal, Write inverse) {}

    /** What it means where a conditional statement is not applied. */
    record Refusal(Outcome outcome, String condition, boolean dependsOnRead) {}

    static Write write(Statement statement, Object... values) {
        return new Write(statement, values, null, null);
    }

    static Write writeIf(Refusal refusal, Write inverse, Statement statement, Object... values) {
        return new Write(statement, values, refusal, inverse);
    }

    /** Whether no value is null. */
    static boolean arePresent(Object... values) {
        return !hasNull(values);
    }

    /** Runs a write, and again where another client changed what it had read. */
    static <R extends CommandRun> CompletionStage<R> attempt(Supplier<R> make, int attempts) {
        R run = make.get();
        return run.start().thenCompose(outcome -> {
            if (outcome == Outcome.CONFLICT && attempts > 1) {
                return attempt(make, attempts - 1);
            }
            run.outcome = outcome == Outcome.CONFLICT ? Outcome.REFUSED : outcome;
            return CompletableFuture.completedFuture(run);
        });
    }

    /** Runs a write of a caller. */
    <R extends CommandRun> CompletionStage<R> execute(Call call, Supplier<R> make) {
        return attempt(make, options.attempts()).handle((run, thrown) -> {
            RuntimeException error = null;
            AccessObserver.Outcome outcome = AccessObserver.Outcome.APPLIED;
            if (thrown != null) {
                outcome = AccessObserver.Outcome.FAILED;
                Throwable cause = unwrap(thrown);
                error = cause instanceof RuntimeException known ? known : new CompletionException(cause);
            } else if (run.outcome == Outcome.VIOLATION) {
                outcome = AccessObserver.Outcome.VIOLATION;
                error = new ConstraintViolation(call.function, run.why);
            } else if (run.outcome == Outcome.INTERRUPTED) {
                outcome = AccessObserver.Outcome.INTERRUPTED;
                error = new PartialWrite(call.function, null, null, run.applied(), run.why, null);
            } else if (run.outcome == Outcome.REFUSED) {
                outcome = AccessObserver.Outcome.REFUSED;
            }
            tell(call, outcome, error);
            if (error != null) {
                throw error;
            }
            return run;
        });
    }

    /** The run of a write. */
    abstract static class CommandRun {
        final AccessSupport support;
        final Call call;
        /** The rows that it returns. */
        final List<Object[]> returned = new ArrayList<>();

        private final CommandRun parent;
        private final List<Object> key;
        final List<Write> sent = new ArrayList<>();
        private boolean isRefused;
        Outcome outcome;
        String why;

        CommandRun(AccessSupport support, Call call, CommandRun parent, Object... key) {
            this.support = support;
            this.call = call;
            this.parent = parent;
            this.key = Arrays.asList(key);
        }

        /** The checks, the steps and the returned rows. */
        abstract CompletionStage<Outcome> run();

        boolean isApplied() {
            return outcome == Outcome.APPLIED;
        }

        CompletionStage<Outcome> start() {
            CompletionStage<Outcome> steps;
            try {
                steps = run();
            } catch (RuntimeException error) {
                steps = CompletableFuture.failedFuture(error);
            }
            return steps.handle((ended, thrown) -> {
                if (thrown == null) {
                    return ended != Outcome.CONTINUE ? ended : finished();
                }
                Throwable error = unwrap(thrown);
                if (!sent.isEmpty() && error instanceof AccessException known && !(error instanceof PartialWrite)) {
                    throw new PartialWrite(
                            call.function, known.table(), known.cql(), applied(), known.getMessage(), known);
                }
                throw error instanceof RuntimeException known ? known : new CompletionException(error);
            });
        }

        private Outcome finished() {
            return isRefused && sent.isEmpty() ? Outcome.REFUSED : Outcome.APPLIED;
        }

        List<String> applied() {
            return sent.stream().filter(it -> it.inverse() == null).map(it -> it.statement().cql).toList();
        }

        /** The next step, unless the run has ended. */
        static Function<Outcome, CompletionStage<Outcome>> next(Supplier<CompletionStage<Outcome>> step) {
            return outcome -> outcome == Outcome.CONTINUE ? step.get() : ended(outcome);
        }

        static CompletionStage<Outcome> ended(Outcome outcome) {
            return CompletableFuture.completedFuture(outcome);
        }

        /** A check of the client is not met. */
        CompletionStage<Outcome> violates(String sql) {
            why = sql;
            return ended(Outcome.VIOLATION);
        }

        /** Sends statements one after the other, until one is not applied. */
        CompletionStage<Outcome> sendEach(List<Write> writes) {
            return sendFrom(writes, 0);
        }

        private CompletionStage<Outcome> sendFrom(List<Write> writes, int at) {
            if (at == writes.size()) {
                return ended(Outcome.CONTINUE);
            }
            Write write = writes.get(at);
            return support.send(call, write.statement(), write.values()).thenCompose(answer -> {
                if (write.refusal() != null && !answer.wasApplied()) {
                    return refuse(write.refusal());
                }
                sent.add(write);
                return sendFrom(writes, at + 1);
            });
        }

        private CompletionStage<Outcome> refuse(Refusal refusal) {
            why = refusal.condition();
            boolean isUndone = sent.stream().allMatch(it -> it.inverse() != null);
            return undo(isUndone && refusal.dependsOnRead() ? Outcome.CONFLICT : refusal.outcome());
        }

        /** Undoes what can be undone, the last statement first. */
        private CompletionStage<Outcome> undo(Outcome wanted) {
            boolean isUndone = sent.stream().allMatch(it -> it.inverse() != null);
            CompletionStage<Outcome> all = ended(isUndone ? wanted : Outcome.INTERRUPTED);
            for (int at = sent.size() - 1; at >= 0; at--) {
                Write inverse = sent.get(at).inverse();
                if (inverse != null) {
                    all = all.thenCompose(outcome -> support.send(call, inverse.statement(), inverse.values())
                            .thenApply(answer -> outcome));
                }
            }
            return all.thenApply(outcome -> {
                sent.removeIf(it -> it.inverse() != null);
                return outcome;
            });
        }

        /** Sends statements in batches. */
        CompletionStage<Outcome> sendBatch(BatchType kind, List<Write> writes) {
            for (Write write : writes) {
                if (write.statement().prepared == null) {
                    return prepareAll(writes).thenCompose(done -> sendParts(kind, writes, bindAll(writes), 0));
                }
            }
            return sendParts(kind, writes, bindAll(writes), 0);
        }

        private CompletionStage<Void> prepareAll(List<Write> writes) {
            CompletableFuture<?>[] prepared = new CompletableFuture<?>[writes.size()];
            for (int at = 0; at < prepared.length; at++) {
                prepared[at] = support.prepare(writes.get(at).statement()).toCompletableFuture();
            }
            return CompletableFuture.allOf(prepared).exceptionally(error -> {
                throw failure(call, writes.get(0).statement(), unwrap(error));
            });
        }

        private List<BoundStatement> bindAll(List<Write> writes) {
            List<BoundStatement> bound = new ArrayList<>(writes.size());
            for (Write write : writes) {
                try {
                    Statement statement = write.statement();
                    bound.add(support.bind(statement, statement.prepared, write.values()).build());
                } catch (RuntimeException error) {
                    throw failure(call, write.statement(), error);
                }
            }
            return bound;
        }

        private CompletionStage<Outcome> sendParts(
                BatchType kind, List<Write> writes, List<BoundStatement> bound, int from) {
            if (from == bound.size()) {
                return ended(Outcome.CONTINUE);
            }
            int to = from;
            int bytes = 0;
            while (to < bound.size() && to - from < support.options.batchStatements()) {
                int size = STATEMENT_BYTES + sizeOf(bound.get(to));
                if (to > from && bytes + size > support.options.batchBytes()) {
                    break;
                }
                bytes += size;
                to++;
            }
            int end = to;
            List<Statement> statements = new ArrayList<>(end - from);
            for (Write write : writes.subList(from, end)) {
                statements.add(write.statement());
            }
            return support.answered(call, statements, () -> {
                        if (end - from == 1) {
                            return support.session.executeAsync(bound.get(from));
                        }
                        return support.session.executeAsync(batch(kind, statements, bound.subList(from, end)));
                    })
                    .thenCompose(answer -> {
                        for (Write write : writes.subList(from, end)) {
                            // A batch has no inverse.
                            sent.add(write.inverse() == null ? write : write(write.statement(), write.values()));
                        }
                        return sendParts(kind, writes, bound, end);
                    });
        }

        private BatchStatement batch(BatchType kind, List<Statement> statements, List<BoundStatement> bound) {
            boolean isIdempotent = true;
            for (Statement statement : statements) {
                isIdempotent &= statement.idempotent;
            }
            BatchStatementBuilder batch = BatchStatement.builder(kind).setIdempotence(isIdempotent);
            for (BoundStatement one : bound) {
                batch.addStatement(one);
            }
            statements.get(0).apply(batch, support.options);
            return batch.build();
        }

        private static int sizeOf(BoundStatement bound) {
            int size = 0;
            for (int at = 0; at < bound.size(); at++) {
                ByteBuffer value = bound.isSet(at) ? bound.getBytesUnsafe(at) : null;
                size += value == null ? 0 : value.remaining() + 16;
            }
            return size;
        }

        /** Runs other writes, one after the other. */
        CompletionStage<Outcome> runEach(List<? extends Supplier<? extends CommandRun>> runs, boolean violationEnds) {
            return runFrom(runs, violationEnds, 0);
        }

        private CompletionStage<Outcome> runFrom(
                List<? extends Supplier<? extends CommandRun>> runs, boolean violationEnds, int at) {
            if (at == runs.size()) {
                return ended(Outcome.CONTINUE);
            }
            CommandRun first = runs.get(at).get();
            if (first.isRunning()) {
                markRun(first);
                return runFrom(runs, violationEnds, at + 1);
            }
            return attempt(runs.get(at), support.options.attempts()).thenCompose(run -> {
                returned.addAll(run.returned);
                if (run.outcome == Outcome.APPLIED) {
                    markRun(run);
                } else if (run.outcome == Outcome.INTERRUPTED) {
                    why = run.why;
                    sent.addAll(run.sent);
                    return ended(Outcome.INTERRUPTED);
                } else if (run.outcome == Outcome.VIOLATION && violationEnds) {
                    why = run.why;
                    return undo(Outcome.VIOLATION);
                } else {
                    isRefused = true;
                }
                return runFrom(runs, violationEnds, at + 1);
            });
        }

        /** What another write did cannot be undone here. */
        private void markRun(CommandRun run) {
            sent.add(write(new Statement("", run.key.get(0).toString(), null, null, false, new TypeCodec<?>[0])));
        }

        /** Whether a write that runs this one is the same with the same values. */
        private boolean isRunning() {
            for (CommandRun other = parent; other != null; other = other.parent) {
                if (other.key.equals(key)) {
                    return true;
                }
            }
            return false;
        }
    }
}
