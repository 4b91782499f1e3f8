// @HEADER@
package @PACKAGE@;

import java.util.List;

/** A write stopped after steps that cannot be undone: repeat it, or repair what it changed. */
public final class PartialWrite extends AccessException {
    private static final long serialVersionUID = 1L;

    private final transient List<String> appliedSteps;

    PartialWrite(String function, String table, String cql, List<String> appliedSteps, String why, Throwable cause) {
        super(function, table, cql, function + " was applied in part: " + why + "; applied: " + appliedSteps, cause);
        this.appliedSteps = List.copyOf(appliedSteps);
    }

    /**
     * The steps that were applied and stay.
     *
     * @return their statements, in the order in which they were sent
     */
    public List<String> appliedSteps() {
        return appliedSteps == null ? List.of() : appliedSteps;
    }
}
