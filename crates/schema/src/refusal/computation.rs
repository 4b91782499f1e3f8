//! Functions that fail while they run.

super::family! {
    /// How a computation fails.
    ComputationReason {
        Operation { operation: String, failure: String }
            = "QV028", FunctionFailure, "the operation '{operation}' failed: {failure}";
        JsonText { function: String, failure: String }
            = "QV028", FunctionFailure, "execution of '{function}[text]' failed: {failure}";
        Invalid { failure: String } = "QV028", Invalid, "{failure}";
        Server { failure: String } = "QV028", Server, "{failure}";
        Function { function: String, arguments: String }
            = "QV028", FunctionFailure,
            "execution of '{function}[{arguments}]' failed: functions written in Java are not executed by \
            this server";
    }
}
