// @HEADER@
package @PACKAGE@;

/** A write would violate a constraint: nothing was changed, or it was undone. */
public final class ConstraintViolation extends AccessException {
    private static final long serialVersionUID = 1L;

    private final String constraint;

    ConstraintViolation(String function, String constraint) {
        super(function, null, null, function + " violates a constraint: " + constraint, null);
        this.constraint = constraint;
    }

    /**
     * The constraint.
     *
     * @return its SQL, or what it means
     */
    public String constraint() {
        return constraint;
    }
}
