// @HEADER@
package @PACKAGE@;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Objects;

/**
 * Records a timer for each function ({@code cassandra.access.function}, by function and outcome) and
 * for the statements on each table ({@code cassandra.access.statement}). Needs
 * {@code io.micrometer:micrometer-core}, which is an optional dependency.
 */
public final class MicrometerAccessObserver implements AccessObserver {
    private final MeterRegistry registry;

    /**
     * Records in this registry.
     *
     * @param registry the registry
     */
    public MicrometerAccessObserver(MeterRegistry registry) {
        this.registry = Objects.requireNonNull(registry, "registry");
    }

    @Override
    public void onFunction(String function, Outcome outcome, Duration elapsed, Throwable error) {
        registry.timer("cassandra.access.function", "function", function, "outcome", outcome.name()).record(elapsed);
    }

    @Override
    public void onStatement(String function, String table, String cql, Duration elapsed, Throwable error) {
        String result = error == null ? "answered" : "failed";
        registry.timer("cassandra.access.statement", "function", function, "table", table, "result", result)
                .record(elapsed);
    }
}
