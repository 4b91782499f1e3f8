import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;

/**
 * Calls generated and hand-written functions, as the lines of standard input ask.
 *
 * <p>A line has a side, a row, the calls in flight and the seconds. The line that is printed has the
 * seconds that it took, and the nanoseconds of each call.
 */
final class Main {
    private static final UUID[] IDS = LongStream.range(0, 1000).mapToObj(Main::makeId).toArray(UUID[]::new);
    private static final AtomicLong NUMBERS = new AtomicLong(1 << 24);

    private static UUID makeId(long number) {
        return new UUID(number << 32 | 0x1000, 0x8000_0000_0000_0001L);
    }

    public static void main(String[] arguments) throws Exception {
        int port = Integer.parseInt(arguments[0]);
        int delayed = Integer.parseInt(arguments[1]);
        Map<String, Functions> sides = Map.of(
                "generated", new Generated(connect(port, "killrvideo"), connect(delayed, "metrics")),
                "by_hand", new ByHand(connect(port, "killrvideo"), connect(delayed, "metrics")));
        checkRanges(sides);
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] words = line.split(" ");
            double seconds = Double.parseDouble(words[3]);
            System.out.println(run(sides.get(words[0]), words[1], Integer.parseInt(words[2]), seconds));
        }
        System.exit(0);
    }

    private static CqlSession connect(int port, String keyspace) {
        DriverConfigLoader settings = DriverConfigLoader.programmaticBuilder()
                .withString(DefaultDriverOption.REQUEST_CONSISTENCY, "LOCAL_QUORUM")
                .withBoolean(DefaultDriverOption.REQUEST_DEFAULT_IDEMPOTENCE, true)
                .build();
        return CqlSession.builder()
                .addContactPoint(new InetSocketAddress("127.0.0.1", port))
                .withLocalDatacenter("datacenter1")
                .withKeyspace(keyspace)
                .withConfigLoader(settings)
                .build();
    }

    /** Both sides find the same rows. */
    private static void checkRanges(Map<String, Functions> sides) throws Exception {
        Instant since = Instant.now().minus(24, ChronoUnit.HOURS);
        List<?> one = sides.get("generated").recentMetrics("cpu", since).toCompletableFuture().get();
        List<?> other = sides.get("by_hand").recentMetrics("cpu", since).toCompletableFuture().get();
        if (one.isEmpty() || one.size() != other.size()) {
            throw new IllegalStateException(one.size() + " rows, and by hand " + other.size());
        }
    }

    private static CompletionStage<?> call(Functions functions, String row) {
        int number = (int) NUMBERS.getAndIncrement();
        return switch (row) {
            case "read" -> functions.videoById(IDS[number % 1000]);
            case "slice" -> functions.commentsOfVideo(IDS[number % 100]);
            case "write" -> functions.commentOnVideo(
                    makeId(number), IDS[500 + number % 500], IDS[number % 100], "a comment");
            case "range" -> functions.recentMetrics("cpu", Instant.now().minus(24, ChronoUnit.HOURS));
            default -> throw new IllegalArgumentException(row);
        };
    }

    private static String run(Functions functions, String row, int inFlight, double seconds)
            throws InterruptedException {
        long start = System.nanoTime();
        Repetition[] repetitions = new Repetition[inFlight];
        CountDownLatch running = new CountDownLatch(inFlight);
        for (int at = 0; at < inFlight; at++) {
            repetitions[at] = new Repetition(functions, row, start + (long) (seconds * 1e9), running);
            repetitions[at].next(start);
        }
        running.await();
        StringBuilder line = new StringBuilder().append((System.nanoTime() - start) / 1e9);
        for (Repetition one : repetitions) {
            for (int at = 0; at < one.count; at++) {
                line.append(' ').append(one.latencies[at]);
            }
        }
        return line.toString();
    }

    /** Calls that follow one another. */
    private static final class Repetition {
        private final Functions functions;
        private final String row;
        private final long end;
        private final CountDownLatch running;
        private long[] latencies = new long[1 << 12];
        private int count;

        Repetition(Functions functions, String row, long end, CountDownLatch running) {
            this.functions = functions;
            this.row = row;
            this.end = end;
            this.running = running;
        }

        void next(long began) {
            if (began >= end) {
                running.countDown();
                return;
            }
            call(functions, row).whenComplete((result, error) -> {
                if (error != null) {
                    error.printStackTrace();
                    System.exit(1);
                }
                long now = System.nanoTime();
                if (count == latencies.length) {
                    latencies = Arrays.copyOf(latencies, 2 * count);
                }
                latencies[count++] = now - began;
                next(now);
            });
        }
    }
}
